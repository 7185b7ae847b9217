//! The position that the commands of a file lead to.

use std::path::{Path, PathBuf};

use goban::{Color, Position, Size};

use super::line::TstCommand;
use crate::suite::{Defaults, Until, record};

/// The board as an engine would have it after the commands so far.
pub(super) struct TestTable {
    /// The folder of the file, where records are looked for.
    folder: PathBuf,
    defaults: Defaults,
    /// The stones; or why nobody knows them.
    state: Result<Position, String>,
    /// Moves on top of the stones that depend on the player; only taking them back leads to the stones again.
    n_unknown: usize,
    /// The last record, as the file names it.
    pub(super) source: Option<String>,
}

/// The effect of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It was carried out.
    Done,
    /// An engine would have refused it, and so do we; nothing has changed but what the text says.
    Refused(String),
    /// It is none that changes a position.
    Unknown,
}

impl TestTable {
    /// An empty board of 19×19, as engines start with.
    pub(super) fn new(path: &Path, defaults: Defaults) -> Self {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut table = Self { folder, defaults, state: Err(String::new()), n_unknown: 0, source: None };
        // A board that is there always.
        let _ = table.clear(19, 19);
        table
    }

    /// The position now.
    pub(super) fn position(&self) -> Result<Position, String> {
        match self.n_unknown {
            0 => self.state.clone(),
            _ => Err("the position depends on the player's own move before".to_string()),
        }
    }

    /// Carries a command out.
    pub(super) fn obey(&mut self, command: &TstCommand<'_>) -> Effect {
        let words: Vec<&str> = command.args.split_whitespace().collect();
        let refusal = match (command.name, &words[..]) {
            ("loadsgf", words) => self.load(words),
            ("boardsize" | "rectangular_boardsize", sides) => self.board_size(sides),
            ("clear_board", _) => {
                let size = self.state.as_ref().ok().map(Position::size);
                size.map_or(Ok(()), |size| self.clear(size.width(), size.height()))
            }
            ("komi", [komi]) => self.komi(komi),
            ("go_rules" | "kgs-rules" | "kata-set-rules", [name]) => self.rules(name),
            ("play" | "trymove", [color, vertex]) => self.play(color, vertex),
            ("black" | "white", [vertex]) => self.play(command.name, vertex),
            ("undo" | "popgo", _) => self.undo(1),
            ("gg-undo", [n]) => {
                n.parse().map_err(|_| format!("{n} is not a number")).and_then(|n| self.undo(n))
            }
            ("fixed_handicap", [n]) => self.fixed_handicap(n),
            ("set_free_handicap", points) => self.free_handicap(points),
            // Who plays without being asked what has still played.
            ("genmove" | "kgs-genmove_cleanup" | "place_free_handicap", _) => {
                self.n_unknown += 1;
                Ok(())
            }
            _ => return Effect::Unknown,
        };
        match refusal {
            Ok(()) => Effect::Done,
            Err(why) => Effect::Refused(format!("{} {}: {why}", command.name, command.args)),
        }
    }

    fn clear(&mut self, width: usize, height: usize) -> Result<(), String> {
        self.n_unknown = 0;
        self.source = None;
        self.state = match Size::new(width, height) {
            Ok(size) => {
                let mut position = Position::new(size, self.defaults.rules);
                position.set_komi(self.defaults.komi(0)).map_err(|e| e.to_string()).map(|()| position)
            }
            Err(error) => Err(error.to_string()),
        };
        self.state.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn board_size(&mut self, sides: &[&str]) -> Result<(), String> {
        let number = |text: &str| text.parse().map_err(|_| format!("{text} is not a number"));
        match sides {
            [side] => number(side).and_then(|side| self.clear(side, side)),
            [width, height] => self.clear(number(width)?, number(height)?),
            _ => Err("expected one or two numbers".to_string()),
        }
    }

    /// `loadsgf FILE [MOVE]`. Whatever the table had is gone, also where the record is no good.
    fn load(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, until) = match words {
            [] => return Err("expected the name of a record".to_string()),
            [name @ .., last] if !name.is_empty() && is_place(last) => (name.join(" "), until(last)),
            name => (name.join(" "), Until::End),
        };
        self.n_unknown = 0;
        self.source = Some(words.join(" "));
        let loaded = self.find(&name).and_then(|path| {
            record::position(&path, until, &self.defaults).map_err(|error| match error.to_string() {
                text if text.starts_with(&path.display().to_string()) => text,
                text => format!("{}: {text}", path.display()),
            })
        });
        self.state = loaded;
        // The tests that need it tell, each for itself.
        Ok(())
    }

    /// A record beside the file, in the folder above, or where the program runs.
    fn find(&self, name: &str) -> Result<PathBuf, String> {
        let above = self.folder.join("..");
        let places = [self.folder.as_path(), above.as_path(), Path::new("")];
        let found = places.iter().map(|place| place.join(name)).find(|path| path.is_file());
        found.ok_or_else(|| {
            let folder = match self.folder.as_os_str().is_empty() {
                true => "this folder".to_string(),
                false => self.folder.display().to_string(),
            };
            format!("{name}: there is no such record in {folder} or in the folder above it")
        })
    }

    fn komi(&mut self, text: &str) -> Result<(), String> {
        let komi = text.parse().map_err(|_| format!("{text} is not a number"))?;
        // An empty board takes it as well as what comes after; a record that names its own goes before it.
        self.defaults.komi = Some(komi);
        match &mut self.state {
            Ok(position) => position.set_komi(komi).map_err(|error| error.to_string()),
            Err(_) => Ok(()),
        }
    }

    fn rules(&mut self, name: &str) -> Result<(), String> {
        let rules = name.parse().map_err(|error: goban::RulesError| error.to_string())?;
        self.defaults.rules = rules;
        if let Ok(position) = &mut self.state {
            position.set_rules(rules);
        }
        Ok(())
    }

    fn play(&mut self, color: &str, vertex: &str) -> Result<(), String> {
        let Ok(position) = &mut self.state else { return Ok(()) };
        let by = Color::parse(color).ok_or_else(|| format!("{color} is not a colour"))?;
        let vertex = position.size().parse_vertex(vertex).map_err(|error| error.to_string())?;
        if self.n_unknown > 0 {
            self.n_unknown += 1;
            return Ok(());
        }
        position.play(by, vertex).map_err(|error| error.to_string())
    }

    fn undo(&mut self, n: usize) -> Result<(), String> {
        let n_unknown = n.min(self.n_unknown);
        self.n_unknown -= n_unknown;
        match &mut self.state {
            Ok(position) => match position.undo_many(n - n_unknown) {
                true => Ok(()),
                false => Err("there are fewer moves".to_string()),
            },
            Err(_) => Ok(()),
        }
    }

    fn fixed_handicap(&mut self, n: &str) -> Result<(), String> {
        let n = n.parse().map_err(|_| format!("{n} is not a number"))?;
        let Ok(position) = &mut self.state else { return Ok(()) };
        position.fixed_handicap(n).map(|_| ()).map_err(|error| error.to_string())
    }

    fn free_handicap(&mut self, points: &[&str]) -> Result<(), String> {
        let Ok(position) = &mut self.state else { return Ok(()) };
        let size = position.size();
        let vertices: Result<Vec<_>, _> = points.iter().map(|point| size.parse_vertex(point)).collect();
        let vertices = vertices.map_err(|error| error.to_string())?;
        position.set_free_handicap(&vertices).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// Whether a word says where to stop in a record: a number, or a point.
fn is_place(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn until(word: &str) -> Until<'_> {
    match word.parse() {
        Ok(number) => Until::Move(number),
        // A number that no game reaches is its end.
        Err(_) if word.bytes().all(|byte| byte.is_ascii_digit()) => Until::End,
        Err(_) => Until::Point(word),
    }
}
