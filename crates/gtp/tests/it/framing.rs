//! Bytes in, bytes out: lines, ids, comments, arguments and the shape of replies.

use crate::common::answer;
use gtp::{Args, GtpError, reply, stderr};

#[test]
fn lines_become_replies() {
    let table: &[(&[u8], &str)] = &[
        (b"protocol_version\n", "= 2\n\n"),
        (b"echo\n", "= \n\n"),
        (b"17 echo hi\n", "=17 hi\n\n"),
        (b"0 echo\n", "=0 \n\n"),
        (b"2147483647 echo\n", "=2147483647 \n\n"),
        (b"007 echo\n", "=7 \n\n"),
        (b"99999999999 echo\n", "? unknown command\n\n"),
        (b"-1 echo\n", "? unknown command\n\n"),
        (b"+1 echo\n", "? unknown command\n\n"),
        (b"5\n", "?5 unknown command\n\n"),
        (b"nonsense\n", "? unknown command\n\n"),
        (b"6 nonsense\n", "?6 unknown command\n\n"),
        (b"3 fail illegal move\n", "?3 illegal move\n\n"),
        (b"12  echo  black 100\r\n", "=12 black 100\n\n"),
        (b" \t8\techo\ta\tb\t\n", "=8 a b\n\n"),
        (b"1 echo a  b # comment\n", "=1 a  b\n\n"),
        (b"1 echo#comment\n", "=1 \n\n"),
        (b"ec\x00h\x07o \x1b[1mhi\x7f\n", "= [1mhi\n\n"),
        (b"echo \xff\xfe\n", "= \u{fffd}\u{fffd}\n\n"),
        ("echo 碁\n".as_bytes(), "= 碁\n\n"),
        (b"\n  \n\r\n\t\n# a comment\n  # another\n\x01\n", ""),
        (b"# interrupt\n", ""),
        (b"echo no line end", "= no line end\n\n"),
        (b"quit\necho too late\n", "= \n\n"),
        (b"4 quit", "=4 \n\n"),
        (b"", ""),
    ];
    for &(input, output) in table {
        assert_eq!(answer(input), output, "for {:?}", String::from_utf8_lossy(input));
    }
}

#[test]
fn replies_never_hold_an_empty_line() {
    let table = [
        ("a/b", "= a\nb\n\n"),
        ("a//b", "= a\nb\n\n"),
        ("a/ /b///", "= a\nb\n\n"),
        ("/  A B/1 . ./", "= \n  A B\n1 . .\n\n"),
        ("//a", "= \na\n\n"),
        ("///", "= \n\n"),
    ];
    for (text, output) in table {
        assert_eq!(answer(format!("lines {text}")), output, "for {text:?}");
    }
    assert_eq!(reply::frame(Some(1), &Err(GtpError::from("a\r\n\r\nb\r\n"))), "?1 a\nb\n\n");
}

#[test]
fn a_very_long_line_is_a_line() {
    let text = "b D4 w E5 ".repeat(200_000);
    assert_eq!(answer(format!("1 echo {text}\n2 count\n")), format!("=1 {}\n\n=2 1\n\n", text.trim_end()));
}

#[test]
fn the_protocol_brings_its_own_commands() {
    let list = answer("list_commands");
    assert!(list.starts_with("= protocol_version\n"), "{list}");
    assert!(list.contains("\nquit\n") && list.ends_with("\nanalyze\n\n"), "{list}");
    assert_eq!(answer("known_command echo"), "= true\n\n");
    assert_eq!(answer("known_command ECHO"), "= false\n\n");
    assert_eq!(answer("known_command"), "? syntax error: missing command name\n\n");
    assert_eq!(answer("help echo"), "= echo TEXT: Says it back.\n\n");
    assert_eq!(answer("help nonsense"), "? unknown command\n\n");
    assert!(answer("help").contains("\ncount: How many"));
}

#[test]
fn arguments_are_taken_in_order() {
    let mut args = Args::new("  9 6.5  true W x  a file.sgf ");
    assert_eq!(args.clone().count(), 7);
    assert_eq!(args.int("board size", 2..=25), Ok(9_u8));
    assert_eq!(args.float("komi", ..), Ok(6.5));
    assert_eq!(args.flag("ownership"), Ok(true));
    assert_eq!(args.choice("colour", &[("b", 1), ("w", 2)]), Ok(2));
    assert_eq!(args.parse("letter"), Ok('x'));
    assert_eq!(args.peek(), Some("a"));
    assert_eq!(args.rest(), "a file.sgf");
    assert!(args.is_empty() && args.finish().is_ok());
}

#[test]
fn wrong_arguments_are_named() {
    let long = "x".repeat(1000);
    let table: &[(GtpError, &str)] = &[
        (Args::new("").word("vertex").unwrap_err(), "syntax error: missing vertex"),
        (
            Args::new("x").int("board size", 2..=25_u8).unwrap_err(),
            "syntax error: expected an integer board size, got \"x\"",
        ),
        (
            Args::new("26").int("board size", 2..=25_u8).unwrap_err(),
            "board size must be at least 2 and at most 25, got \"26\"",
        ),
        (
            Args::new("300").int::<u8>("board size", ..).unwrap_err(),
            "board size is out of range, got \"300\"",
        ),
        (
            Args::new("-1").int("stones", 0..).map(|_: u32| ()).unwrap_err(),
            "stones must be at least 0, got \"-1\"",
        ),
        (
            Args::new("nan").float("komi", ..).unwrap_err(),
            "syntax error: expected a number as komi, got \"nan\"",
        ),
        (
            Args::new("1e999").float("komi", ..).unwrap_err(),
            "syntax error: expected a number as komi, got \"1e999\"",
        ),
        (Args::new("-2").float("time", 0.0..).unwrap_err(), "time must be at least 0, got \"-2\""),
        (
            Args::new("perhaps").flag("x").unwrap_err(),
            "syntax error: expected true or false as x, got \"perhaps\"",
        ),
        (
            Args::new("red").choice("colour", &[("b", 1), ("w", 2)]).unwrap_err(),
            "syntax error: expected colour (b, w), got \"red\"",
        ),
        (
            Args::new("xy").parse::<char>("letter").unwrap_err(),
            "syntax error: bad letter \"xy\": too many characters in string",
        ),
        (Args::new("a b").finish().unwrap_err(), "syntax error: unexpected \"a\""),
    ];
    for (error, text) in table {
        assert_eq!(error.0, *text);
    }
    assert!(Args::new(&long).finish().unwrap_err().0.len() < 100);
}

#[test]
fn logs_do_not_look_like_replies() {
    let text = "= 2\n? no\ninfo move D4\n  play D4\nD4 -> 12\nharmless";
    assert_eq!(stderr::harmless(text), "| = 2\n| ? no\n| info move D4\n|   play D4\nD4 => 12\nharmless");
}
