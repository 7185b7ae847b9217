//! The commands that every client needs: board, komi, moves.

use goban::{Position, Size, Vertex};
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};

use super::think::Purpose;
use super::{Engine, draw, input, shared};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("name", "", shared::NAME, |engine: &mut Engine, _, _| Ok(engine.options.name.clone())),
        Entry::new("version", "", shared::VERSION, |engine, _, _| Ok(engine.options.version.clone())),
        Entry::new(
            "boardsize",
            "SIZE [HEIGHT]",
            "Changes the board, which is empty then; komi stays.",
            boardsize,
        ),
        Entry::new("rectangular_boardsize", "WIDTH HEIGHT", "As boardsize.", boardsize),
        Entry::new(
            "clear_board",
            "",
            "A new game: no stones, full clocks; komi and rules stay.",
            clear_board,
        ),
        Entry::new("komi", "POINTS", "Points for White.", komi),
        Entry::new("play", "COLOUR VERTEX", shared::PLAY, play),
        Entry::new("genmove", "COLOUR", shared::GENMOVE, |engine, args, cx| {
            engine.genmove(input::color(args)?, Purpose::Play, cx.interrupt())
        }),
        Entry::new("reg_genmove", "COLOUR", shared::REG_GENMOVE, |engine, args, cx| {
            engine.genmove(input::color(args)?, Purpose::Study, cx.interrupt())
        }),
        Entry::new("undo", "", shared::UNDO, |engine, _, _| engine.undo(1)),
        Entry::new("gg-undo", "[N]", "Takes back the last N moves, or none if there are fewer.", gg_undo),
        Entry::new("showboard", "", "Draws the board.", |engine, _, _| {
            Ok(format!("\n{}", draw::draw(&engine.position)))
        }),
    ];
    registry.group("basic", &commands).map(|_| ())
}

fn boardsize(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let width: i64 = args.int("board size", ..)?;
    let height = if args.is_empty() { width } else { args.int("board height", ..)? };
    let side = |n: i64| usize::try_from(n).unwrap_or(0);
    let size = Size::new(side(width), side(height)).map_err(|_| GtpError::from(shared::UNACCEPTABLE_SIZE))?;
    let rules = engine.position.rules();
    engine.position.reset(size, rules);
    engine.start_game();
    Ok(String::new())
}

fn clear_board(engine: &mut Engine, _: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    engine.position.clear();
    engine.start_game();
    Ok(String::new())
}

fn komi(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let max = f64::from(Position::MAX_KOMI);
    let komi = args.float("komi", -max..=max)?;
    engine.position.set_komi(komi as f32).map_err(|error| GtpError(error.to_string()))?;
    engine.komi_before_file = None;
    Ok(String::new())
}

fn play(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let color = input::color(args)?;
    let vertex = input::vertex(args, &engine.position)?;
    // Referees compare this text word for word.
    engine.position.play(color, vertex).map_err(|_| GtpError::from("illegal move"))?;
    engine.seat.stop();
    Ok(String::new())
}

fn gg_undo(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let n = if args.is_empty() { 1 } else { args.int("number of moves", 0..)? };
    engine.undo(n)
}

impl Engine {
    fn undo(&mut self, n: usize) -> Response {
        self.seat.stop();
        if self.position.undo_many(n) { Ok(String::new()) } else { Err("cannot undo".into()) }
    }
}

/// The last move since the last setup, in words.
pub(super) fn last_move(position: &Position) -> Option<String> {
    let last = position.last()?;
    Some(format!("{} {}", input::show_color(last.color), position.size().show(last.vertex)))
}

/// Plays all moves or none.
pub(super) fn play_all(position: &mut Position, moves: &[(goban::Color, Vertex)]) -> Result<(), GtpError> {
    for (n_played, &(color, vertex)) in moves.iter().enumerate() {
        if position.play(color, vertex).is_err() {
            position.undo_many(n_played);
            return Err("illegal move".into());
        }
    }
    Ok(())
}
