//! Games from files and into files.

use std::fs;
use std::path::Path;

use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response, stderr};
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
        // A name may hold spaces, so a word that is no number belongs to it, unless only a number was wrong.
        Some((file, number)) if number.parse::<f64>().is_ok() && !Path::new(text).exists() => {
            return Err(GtpError(format!(
                "{number}: expected a move's number, from 1, after {}",
                file.trim_end()
            )));
        }
        _ => (text, None),
    };
    if file.is_empty() {
        return Err("syntax error: missing file".into());
    }
    engine
        .load(file, before_move)
        .map_err(|error| GtpError(format!("cannot load file: {}", error.in_file(file))))?;
    Ok(String::new())
}

impl Engine {
    /// Takes the game of a record over. Komi and rules that it does not name are the client's, not those of a record
    /// before it.
    fn load(&mut self, file: &str, before_move: Option<usize>) -> Result<(), RecordError> {
        let tree = record::load(file)?;
        let game = Game::new(&tree)?;
        let own_komi = self.komi_before_file.unwrap_or(self.position.komi());
        let own_rules = self.rules_before_file.unwrap_or(self.position.rules());
        let rules = record::rules_of(&game).unwrap_or_else(|error| {
            stderr::log(&format!("{file}: {error}; the rules stay {own_rules}"));
            None
        });
        let mut position = record::position_of(&game, rules.unwrap_or(own_rules), before_move)?;
        if let Some(warning) = record::ignored_komi(&game) {
            stderr::log(&format!("{file}: {warning}; komi stays {own_komi}"));
        }
        if game.header.komi.is_none() {
            position.set_komi(own_komi)?;
        }
        self.position = position;
        self.komi_before_file = game.header.komi.map(|_| own_komi);
        self.rules_before_file = rules.map(|_| own_rules);
        self.start_game();
        Ok(())
    }
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
