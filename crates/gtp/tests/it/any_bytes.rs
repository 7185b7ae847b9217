//! Whatever comes in, every line that is not blank or a comment gets exactly one well-formed reply.

use crate::common::answer;
use gtp::reply::{Reply, frame, squeeze};
use gtp::{GtpError, Response};
use proptest::prelude::*;

/// Bytes that are often interesting to the protocol. No `quit`, which would end the count early.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 0..6),
        3 => prop::sample::select(vec!["\n", "\r\n", "\n\n", " ", "\t", "#", "# interrupt\n", "\0", "\u{85}"])
            .prop_map(|text| text.as_bytes().to_vec()),
        3 => prop::sample::select(vec!["echo ", "lines /", "lines a// /b", "fail x", "analyze", "help", "12 ", "7"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn deserves_reply(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let before_comment = text.split('#').next().unwrap_or_default();
    before_comment.chars().any(|c| !c.is_control() && c != ' ')
}

proptest! {
    #[test]
    fn one_reply_per_command(input in input()) {
        let n_commands = input.split(|&b| b == b'\n').filter(|line| deserves_reply(line)).count();
        let output = answer(&input);
        prop_assert!(output.is_empty() || output.ends_with("\n\n"));
        prop_assert!(!output.chars().any(|c| c.is_control() && c != '\n'));
        let mut replies: Vec<&str> = output.split("\n\n").collect();
        prop_assert_eq!(replies.pop(), Some(""));
        prop_assert_eq!(replies.len(), n_commands);
        for reply in replies {
            let streamed = reply.lines().nth(1).is_some_and(|line| line.starts_with("info"));
            let rest = reply.trim_start_matches(['=', '?']).trim_start_matches(|c: char| c.is_ascii_digit());
            prop_assert!(rest.starts_with(' ') || (streamed && rest.starts_with('\n')), "{:?}", reply);
            prop_assert_eq!(reply.len() - reply.trim_start_matches(['=', '?']).len(), 1);
        }
    }

    #[test]
    fn what_is_written_is_read_again(id in any::<Option<u32>>(), ok: bool, text in "(?s).{0,40}|[ab\n\r\t ]{0,40}") {
        let response: Response = if ok { Ok(text.clone()) } else { Err(GtpError(text.clone())) };
        let wire = frame(id, &response);
        let mut lines = wire.strip_suffix("\n\n").expect("an empty line at the end").split('\n');
        let mut reply = Reply::parse_head(lines.next().unwrap_or_default()).expect("a reply");
        lines.for_each(|line| reply.push_line(line));
        prop_assert_eq!(reply.id, id);
        prop_assert_eq!(reply.response.is_ok(), ok);
        let read = reply.response.unwrap_or_else(|error| error.0);
        // Space at the start of the first line is not kept apart from the space after the id.
        let squeezed = squeeze(&text);
        prop_assert_eq!(read.trim_start(), squeezed.trim_start());
    }
}
