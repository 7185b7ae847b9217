//! The program `tengen`: one sub-command per file in `command/`, options that mean the same everywhere in
//! `options`. Everything of substance lives in the crates below.

mod bars;
mod command;
mod cpu;
mod files;
mod folders;
mod games;
mod interrupt;
mod logging;
mod options;
mod terms;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: the rest of the program may use instructions that this processor lacks.
    if !cpu::is_new_enough() {
        let _ = io::stderr().write_all(cpu::MESSAGE.as_bytes());
        return ExitCode::FAILURE;
    }
    command::run()
}
