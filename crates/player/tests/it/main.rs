//! Tests of players and engines from outside, in one program: each program more is linked once more.

mod analysis;
mod analysis_faults;
mod analysis_support;
mod converge;
mod engine_analysis;
mod engine_any_commands;
mod engine_clients;
mod engine_commands;
mod engine_files;
mod engine_support;
mod engine_thinking;
mod fingerprints;
mod fuego_ladders;
mod gnugo_agrees;
mod judged_games;
mod net;
mod net_clients;
mod outside;
mod searcher;
mod solve;
