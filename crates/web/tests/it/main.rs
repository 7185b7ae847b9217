//! Tests of the server and its page, in one program: each program more is linked once more.

mod analyse_browser;
mod browser;
mod browser_play;
mod browser_support;
mod common;
mod crowd;
mod game;
mod hostile;
mod laboratory;
mod languages;
mod message_types;
mod my_games;
mod nets;
mod types;
