//! Invariant: whatever comes in, every line that is neither blank nor a comment gets exactly one reply, in order,
//! with its id, ended by exactly one empty line; after `quit` nothing more.
#![no_main]

use gtp::{Entry, Registry, serve};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use std::time::Duration;

fn registry() -> Registry<()> {
    let mut registry = Registry::new();
    let entries = [
        Entry::new("echo", "TEXT", "Says it back.", |(), args, _| Ok(args.rest().to_owned())),
        Entry::new("lines", "TEXT", "Says it back, a line break for every slash.", |(), args, _| {
            Ok(args.rest().replace('/', "\n"))
        }),
        Entry::new("int", "N", "Reads a number.", |(), args, _| {
            let n: u8 = args.int("number", 2..=25)?;
            args.finish()?;
            Ok(n.to_string())
        }),
        Entry::new("float", "X", "Reads a number.", |(), args, _| Ok(args.float("komi", ..)?.to_string())),
        Entry::new("analyze", "TEXT", "Reports until the next line.", |(), args, cx| {
            cx.begin();
            cx.line(&args.rest().replace('/', "\n"));
            while !cx.wait_for_input(Duration::from_millis(1)) {}
            Ok("play pass".to_owned())
        }),
    ];
    registry.group("fuzz", &entries).expect("different names");
    registry
}

/// A line as the protocol's text defines it, written a second time on purpose: its id and its command.
fn command(line: &[u8]) -> Option<(Option<u32>, String)> {
    let text = String::from_utf8_lossy(line).replace('\t', " ");
    let text: String = text.split('#').next()?.chars().filter(|c| !c.is_control()).collect();
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    let first = words.next()?;
    let is_number = first.bytes().all(|b| b.is_ascii_digit());
    match first.parse() {
        Ok(id) if is_number => Some((Some(id), words.next().unwrap_or_default().to_owned())),
        _ => Some((None, first.to_owned())),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut output = Vec::new();
    serve(&registry(), &mut (), Cursor::new(bytes.to_vec()), &mut output);
    let output = String::from_utf8(output).expect("replies are UTF-8");

    let mut rest = output.as_str();
    for (id, name) in bytes.split(|&b| b == b'\n').filter_map(command) {
        let (reply, after) =
            rest.split_once("\n\n").unwrap_or_else(|| panic!("no reply to {name:?}: {output:?}"));
        let head = reply.strip_prefix(['=', '?']).unwrap_or_else(|| panic!("{reply:?} begins with = or ?"));
        let n_digits = head.bytes().take_while(u8::is_ascii_digit).count();
        assert_eq!(head[..n_digits].parse().ok(), id, "{output:?}");
        assert!(head[n_digits..].starts_with([' ', '\n']) || head.len() == n_digits, "{reply:?}");
        rest = after;
        if name == "quit" {
            break;
        }
    }
    assert_eq!(rest, "", "more than one reply per command: {output:?}");
});
