//! Questions about the position, named as GNU Go names them, for referees and for comparison.

use goban::Vertex;
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};

use super::{Engine, basic, input};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "all_legal",
            "COLOUR",
            "Every legal move but the pass.",
            |engine: &mut Engine, args, _| {
                let moves = engine.position.legal_moves(input::color(args)?);
                Ok(input::show_all(engine.position.size(), moves))
            },
        ),
        Entry::new("is_legal", "COLOUR VERTEX", "1 if the move is legal, else 0.", |engine, args, _| {
            let color = input::color(args)?;
            let vertex = input::vertex(args, &engine.position)?;
            Ok(u8::from(engine.position.is_legal(color, vertex)).to_string())
        }),
        Entry::new(
            "captures",
            "COLOUR",
            "Number of stones that a colour has captured.",
            |engine, args, _| Ok(engine.position.n_captured(!input::color(args)?).to_string()),
        ),
        Entry::new("list_stones", "COLOUR", "The stones of a colour.", |engine, args, _| {
            let stones = engine.position.board().stones(input::color(args)?);
            Ok(input::show_all(engine.position.size(), stones))
        }),
        Entry::new("color", "VERTEX", "black, white or empty.", |engine, args, _| {
            let stone = engine.position.board().stone(input::point(args, &engine.position)?);
            Ok(stone.map_or("empty", input::show_color).to_string())
        }),
        Entry::new("countlib", "VERTEX", "Number of liberties of a chain.", |engine, args, _| {
            let vertex = stone(engine, args)?;
            Ok(engine.position.board().n_liberties(vertex).to_string())
        }),
        Entry::new("findlib", "VERTEX", "The liberties of a chain.", |engine, args, _| {
            let vertex = stone(engine, args)?;
            Ok(input::show_all(engine.position.size(), engine.position.board().liberties(vertex)))
        }),
        Entry::new("last_move", "", "Colour and vertex of the last move.", |engine, _, _| {
            basic::last_move(&engine.position).ok_or_else(|| "no previous move known".into())
        }),
        Entry::new("move_history", "", "All moves, the last one first.", move_history),
        Entry::new("get_komi", "", "Points for White.", |engine, _, _| {
            Ok(engine.position.komi().to_string())
        }),
        Entry::new(
            "query_boardsize",
            "",
            "The size of the board; width and height if they differ.",
            |engine, _, _| {
                let size = engine.position.size();
                Ok(if size.is_square() {
                    size.width().to_string()
                } else {
                    format!("{} {}", size.width(), size.height())
                })
            },
        ),
    ];
    registry.group("query", &commands).map(|_| ())
}

/// The next word as a point with a stone.
fn stone(engine: &Engine, args: &mut Args<'_>) -> Result<Vertex, GtpError> {
    let vertex = input::point(args, &engine.position)?;
    if engine.position.board().is_empty(vertex) {
        let at = engine.position.size().show(vertex);
        return Err(GtpError(format!("vertex must not be empty: there is no stone at {at}")));
    }
    Ok(vertex)
}

fn move_history(engine: &mut Engine, _: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let size = engine.position.size();
    let show =
        |play: &goban::PlayedMove| format!("{} {}", input::show_color(play.color), size.show(play.vertex));
    let lines: Vec<String> = engine.position.plays().iter().rev().map(show).collect();
    Ok(lines.join("\n"))
}
