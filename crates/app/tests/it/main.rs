//! Tests of the program `tengen` from outside, in one program: each program more is linked once more.

mod accuracy;
mod analysis;
mod bench;
mod cgos;
mod check;
mod conform;
mod explain;
mod games;
mod gtp;
mod lab;
mod lab_report;
mod list;
mod match_openings;
mod match_process;
mod match_support;
mod matches;
mod methods;
mod net;
mod net_players;
mod play;
mod predict;
mod review;
mod serve;
mod suite;
mod train;
mod tune;
