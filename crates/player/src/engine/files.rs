//! Games from files and into files.

use std::fs;

use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};
use sgf::{Game, GameTree};

use super::Engine;
use crate::record::{self, RecordError};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "loadsgf",
            "FILE [MOVE]",
            "Replays a record, up to the position before that move or to its end.",
            loadsgf,
        ),
        Entry::new("printsgf", "[FILE]", "The game as SGF, or into a file.", printsgf),
        Entry::new(
            "gomill-savesgf",
            "FILE [PROPERTY=VALUE…]",
            "The game into a file, with properties of the root; \\_ is a space.",
            savesgf,
        ),
    ];
    registry.group("files", &commands).map(|_| ())
}

fn loadsgf(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let text = args.rest();
    let (file, before_move) = match text.rsplit_once(' ') {
        Some((file, number)) if let Ok(number) = number.parse() => (file.trim_end(), Some(number)),
        _ => (text, None),
    };
    if file.is_empty() {
        return Err("syntax error: missing file".into());
    }
    let load = || -> Result<_, RecordError> {
        let tree = record::load(file)?;
        let game = Game::new(&tree)?;
        let mut position = record::position_of(&game, engine.position.rules(), before_move)?;
        if game.header.komi.is_none() {
            position.set_komi(engine.position.komi())?;
        }
        Ok(position)
    };
    let position = load().map_err(|error| GtpError(format!("cannot load file: {error}")))?;
    engine.position = position;
    engine.start_game();
    Ok(String::new())
}

fn printsgf(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let tree = record_of(engine)?;
    match args.rest() {
        "" => Ok(tree.to_string()),
        file => save(&tree, file),
    }
}

fn savesgf(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let file = args.word("file")?;
    let mut tree = record_of(engine)?;
    for word in args {
        let (ident, value) = word.split_once('=').ok_or_else(|| {
            GtpError(format!("syntax error: expected PROPERTY=VALUE like RE=B+3.5, got {word:?}"))
        })?;
        let root = tree.root();
        tree.remove_property(root, ident);
        tree.add_text(root, ident, &unescape(value)).map_err(|error| GtpError(error.to_string()))?;
    }
    save(&tree, file)
}

/// The game as we saw it; who played which colour only the controller knows.
fn record_of(engine: &Engine) -> Result<GameTree, GtpError> {
    let header = sgf::Header {
        application: Some(format!("{}:{}", engine.options.name, engine.options.version)),
        ..sgf::Header::default()
    };
    let record = record::record_of(&engine.position, header).map_err(|error| GtpError(error.to_string()))?;
    Ok(record.finish())
}

fn save(tree: &GameTree, file: &str) -> Response {
    fs::write(file, tree.to_string()).map_err(|error| GtpError(format!("cannot write {file:?}: {error}")))?;
    Ok(String::new())
}

/// `\_` is a space and `\\` a backslash, since a space would end the word.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match (sign, signs.clone().next()) {
            ('\\', Some('_')) => plain.push(' '),
            ('\\', Some('\\')) => plain.push('\\'),
            _ => {
                plain.push(sign);
                continue;
            }
        }
        signs.next();
    }
    plain
}
