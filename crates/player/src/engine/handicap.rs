//! Handicap stones.

use goban::{HandicapError, Vertex};
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};

use super::{Engine, input};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("fixed_handicap", "N", "Places handicap stones on the usual points.", fixed_handicap),
        Entry::new("place_free_handicap", "N", "Places handicap stones on points of our choice.", place),
        Entry::new("set_free_handicap", "VERTEX…", "Places handicap stones on the given points.", set),
    ];
    registry.group("handicap", &commands).map(|_| ())
}

fn fixed_handicap(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let n = args.int("number of stones", ..)?;
    let stones = engine.position.fixed_handicap(n).map_err(|error| refusal(&error))?;
    Ok(input::show_all(engine.position.size(), stones))
}

fn place(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let n = args.int("number of stones", ..)?;
    let stones = engine.position.place_free_handicap(n).map_err(|error| refusal(&error))?;
    Ok(input::show_all(engine.position.size(), stones))
}

fn set(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let mut stones: Vec<Vertex> = Vec::new();
    while !args.is_empty() {
        stones.push(input::point(args, &engine.position)?);
    }
    engine.position.set_free_handicap(&stones).map_err(|error| refusal(&error))?;
    Ok(String::new())
}

/// The protocol's own words first, then what was wrong.
fn refusal(error: &HandicapError) -> GtpError {
    let words = match error {
        HandicapError::NotEmpty => "board not empty",
        HandicapError::Number { .. } => "invalid number of stones",
        HandicapError::Point { .. } => "bad vertex list",
    };
    GtpError(format!("{words}: {error}"))
}
