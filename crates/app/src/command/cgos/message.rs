//! The server's messages, line by line.

use goban::{Color, Size, Vertex};

/// A line of the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CgosMessage {
    /// Which kinds of client it speaks to; whether it wants analysis.
    Protocol {
        /// Whether moves may come with analysis.
        has_analysis: bool,
    },
    /// Our name, please.
    Username,
    /// Our password, please.
    Password,
    /// Something for people.
    Info(String),
    /// A game of ours, from its start or as it stands.
    Setup(Box<CgosSetup>),
    /// The opponent has moved.
    Play {
        /// Who.
        color: Color,
        /// The point, to be read on the board at hand.
        vertex: String,
        /// Milliseconds left to him.
        left: i64,
    },
    /// Our move, please.
    Genmove {
        /// Who we are.
        color: Color,
        /// Milliseconds left to us.
        left: i64,
    },
    /// The game is over.
    Gameover {
        /// The day, as the server writes it.
        date: String,
        /// `B+3.5`, `W+Resign`, `B+Time`, `W+Illegal`, `Draw`.
        result: String,
        /// What else there is to say.
        remark: String,
    },
    /// We are not wanted; the server will close the connection.
    Refusal(String),
}

/// A game of ours.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CgosSetup {
    /// The game's number.
    pub(super) id: u64,
    /// The board.
    pub(super) size: Size,
    /// Points for White.
    pub(super) komi: f32,
    /// Milliseconds for all moves of a side.
    pub(super) time: i64,
    /// Black's and White's names.
    pub(super) names: [String; 2],
    /// Black's and White's ratings, as the server writes them.
    pub(super) ratings: [String; 2],
    /// The moves so far with the milliseconds that were left after them.
    pub(super) moves: Vec<(Vertex, i64)>,
}

impl CgosMessage {
    /// Reads a line; the error says what is wrong with it.
    pub(super) fn parse(line: &str) -> Result<CgosMessage, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        match word {
            "protocol" => Ok(CgosMessage::Protocol { has_analysis: words.contains(&"genmove_analyze") }),
            "username" => Ok(CgosMessage::Username),
            "password" => Ok(CgosMessage::Password),
            "info" => Ok(CgosMessage::Info(rest.to_owned())),
            "setup" => CgosSetup::parse(rest).map(|setup| CgosMessage::Setup(Box::new(setup))),
            "genmove" => match words[..] {
                [side, left] => {
                    Ok(CgosMessage::Genmove { color: color(side)?, left: number(left, "milliseconds")? })
                }
                _ => Err("expected a colour and the milliseconds left".to_owned()),
            },
            "play" => {
                let plain = without_objects(rest);
                match plain.split_whitespace().collect::<Vec<_>>()[..] {
                    [side, vertex, left] => Ok(CgosMessage::Play {
                        color: color(side)?,
                        vertex: vertex.to_owned(),
                        left: number(left, "milliseconds")?,
                    }),
                    _ => Err("expected a colour, a move and the milliseconds left".to_owned()),
                }
            }
            "gameover" => match words[..] {
                [date, result, ref remark @ ..] => Ok(CgosMessage::Gameover {
                    date: date.to_owned(),
                    result: result.to_owned(),
                    remark: remark.join(" "),
                }),
                _ => Err("expected a day and a result".to_owned()),
            },
            "Error:" | "Sorry," => Ok(CgosMessage::Refusal(line.to_owned())),
            _ => {
                Err("expected protocol, username, password, info, setup, play, genmove or gameover"
                    .to_owned())
            }
        }
    }
}

impl CgosSetup {
    fn parse(rest: &str) -> Result<CgosSetup, String> {
        let plain = without_objects(rest);
        let words: Vec<&str> = plain.split_whitespace().collect();
        let [id, side, komi, time, white, black, ref moves @ ..] = words[..] else {
            return Err("expected a number, a size, komi, time, White and Black".to_owned());
        };
        let size = Size::square(number(side, "a size")?).map_err(|error| error.to_string())?;
        let ((white, white_rating), (black, black_rating)) = (player(white), player(black));
        if moves.len() % 2 != 0 {
            return Err("expected the milliseconds left after each move".to_owned());
        }
        let read = |pair: &[&str]| {
            let vertex = size.parse_vertex(pair[0]).map_err(|error| error.to_string())?;
            Ok((vertex, number(pair[1], "milliseconds")?))
        };
        Ok(CgosSetup {
            id: number(id, "the number of a game")?,
            size,
            komi: number(komi, "komi")?,
            time: number(time, "milliseconds")?,
            names: [black, white],
            ratings: [black_rating, white_rating],
            moves: moves.chunks(2).map(read).collect::<Result<_, String>>()?,
        })
    }
}

/// `gnugo-l1(1800?)` is a name and a rating.
fn player(text: &str) -> (String, String) {
    match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        Some((name, rating)) => (name.to_owned(), rating.to_owned()),
        None => (text.to_owned(), String::new()),
    }
}

fn color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(format!("{text:?} is not a colour; expected b or w")),
    }
}

fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number; expected {what}"))
}

/// The text without objects of JSON: some servers hand the analysis on with a move. Braces within its texts count for nothing.
fn without_objects(text: &str) -> String {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_text => is_escaped = true,
            '"' if depth > 0 => in_text = !in_text,
            '{' if !in_text => depth += 1,
            '}' if !in_text && depth > 0 => depth -= 1,
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_protocol_are_read() {
        let parse = |line| CgosMessage::parse(line).unwrap();
        assert_eq!(parse("protocol genmove_analyze"), CgosMessage::Protocol { has_analysis: true });
        assert_eq!(parse("protocol"), CgosMessage::Protocol { has_analysis: false });
        assert_eq!(parse("genmove b 120000"), CgosMessage::Genmove { color: Color::Black, left: 120_000 });
        let play = CgosMessage::Play { color: Color::White, vertex: "c3".to_owned(), left: 119_987 };
        assert_eq!(parse("play w c3 119987"), play);
        assert_eq!(parse("play w c3 {\"pv\":\"d4 } e5\",\"a\":{}} 119987"), play);
        let over = |result: &str, remark: &str| CgosMessage::Gameover {
            date: "2026-11-15".to_owned(),
            result: result.to_owned(),
            remark: remark.to_owned(),
        };
        assert_eq!(parse("gameover 2026-11-15 W+22.0 "), over("W+22.0", ""));
        assert_eq!(parse("gameover 2026-11-15 B+Illegal KO attempted"), over("B+Illegal", "KO attempted"));
        assert!(matches!(parse("Error: You are already logged on!"), CgosMessage::Refusal(_)));
        assert!(matches!(parse("Sorry, password doesn't match"), CgosMessage::Refusal(_)));
    }

    #[test]
    fn a_game_is_set_up_with_its_moves() {
        let line = "setup 7 9 7.0 120000 gnugo-l2(1800?) me(1500) e5 119000 pass 118500";
        let CgosMessage::Setup(setup) = CgosMessage::parse(line).unwrap() else { panic!("no setup") };
        assert_eq!((setup.id, setup.komi, setup.time), (7, 7.0, 120_000));
        assert_eq!(setup.names, ["me", "gnugo-l2"]);
        assert_eq!(setup.ratings, ["1500", "1800?"]);
        assert_eq!(setup.moves, [(Vertex::new(4, 4), 119_000), (Vertex::PASS, 118_500)]);
    }

    #[test]
    fn garbled_lines_are_errors_with_a_reason() {
        for (line, word) in [
            ("", "expected protocol"),
            ("\u{fffd}\u{fffd}play", "expected protocol"),
            ("genmove b", "milliseconds"),
            ("genmove x 100", "not a colour"),
            ("play w c3 soon", "\"soon\" is not a number"),
            ("setup 1 9 7.0 120000 a(1)", "White and Black"),
            ("setup 1 99 7.0 120000 a(1) b(2)", "2 to 25"),
            ("setup 1 9 7.0 120000 a(1) b(2) e5", "after each move"),
            ("setup 1 9 7.0 120000 a(1) b(2) z99 5", "z99"),
            ("gameover", "a day and a result"),
        ] {
            let error = CgosMessage::parse(line).unwrap_err();
            assert!(error.to_lowercase().contains(&word.to_lowercase()), "{line:?}: {error}");
        }
    }
}
