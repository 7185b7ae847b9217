//! Invariant: no message of the page makes the server's reader panic. A message that is refused gets a reason; one that is
//! read has the name that answers to it use; and a position that it holds is one that a game can stand in, says its stones
//! and points in the protocol's own numbers, and reads the same after it is written and read again.
#![no_main]

// The protocol's own files: the crate around them brings a server, a database and their build time.
#[allow(dead_code, reason = "the server uses all of it")]
#[path = "../../crates/web/src/protocol/mod.rs"]
mod protocol;

use goban::Color;
use libfuzzer_sys::fuzz_target;
use protocol::ask::Ask;
use protocol::spot::{self, Spot};
use protocol::{Kind, name_of, point, read, vertex};

/// The most steps of a position.
const MAX_STEPS: usize = 2_000;

fn check_spot(spot: &Spot) {
    let position = match spot.position(MAX_STEPS) {
        Ok(position) => position,
        Err(refusal) => {
            assert!(!refusal.message.is_empty() && matches!(refusal.kind, Kind::Invalid | Kind::Illegal));
            return;
        }
    };
    let size = position.size();
    assert_eq!((size.width(), size.height()), (spot.width, spot.height));
    assert!(position.board().to_setup().check().is_ok(), "every chain has a liberty");
    let drawn = spot::stones(&position);
    for (idx, sign) in drawn.chars().enumerate() {
        let at = vertex(size, idx as i32).expect("a point of the board");
        assert_eq!(point(size, at), idx as i32);
        let stone = match sign {
            'X' => Some(Color::Black),
            'O' => Some(Color::White),
            _ => None,
        };
        assert_eq!(position.board().stone(at), stone);
    }
    let text = serde_json::to_string(spot).expect("a position that was read can be written");
    let again: Spot = serde_json::from_str(&text).expect("a position that was written can be read");
    assert_eq!(&again, spot, "{text}");
}

fuzz_target!(|text: &str| {
    let name = name_of(text);
    match read(text) {
        Err(refusal) => assert!(refusal.kind == Kind::Malformed && !refusal.message.is_empty()),
        Ok(ask) => {
            assert_eq!(name.as_deref(), Some(ask.name()), "answers name what was asked");
            match &ask {
                Ask::Study(study) => check_spot(&study.spot),
                Ask::Survey(survey) => check_spot(&survey.spot),
                Ask::NewGame(game) if game.komi.is_finite() => {
                    let text = serde_json::to_string(game).expect("a game that was read can be written");
                    let again: protocol::ask::NewGame = serde_json::from_str(&text).expect("and read again");
                    assert_eq!(&again, game, "{text}");
                }
                _ => {}
            }
        }
    }
});
