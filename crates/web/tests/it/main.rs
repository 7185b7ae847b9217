//! Tests of the server and its page, in one program: each program more is linked once more.

mod attacks;
mod browser;
mod browser_support;
mod common;
mod crowd;
mod game;
mod hostile;
mod laboratory;
mod nets;
mod process;
mod types;
