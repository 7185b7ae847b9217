//! Logging beside the protocol. Some controllers read the engine's error output together with its replies, so no
//! line there may look like a reply or like a report of analysis.

use std::io::Write;
use std::panic::PanicHookInfo;

/// The text with every line harmless: one that begins like a reply, a report or a move is indented behind
/// a bar, and the arrow that marks analysis is drawn differently.
pub fn harmless(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let dangerous = ["=", "?", "info", "play"].iter().any(|start| line.trim_start().starts_with(start));
        let line = line.replace(" -> ", " => ");
        if dangerous { format!("| {line}") } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Writes a harmless text to the error output. That nobody may be reading there is no reason to fail.
pub fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(text));
}

/// Makes panics speak harmlessly too. For the program to call once, at its start.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| log(&info.to_string())));
}
