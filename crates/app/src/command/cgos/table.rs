//! The game that is being played, and its record.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use goban::{Color, IllegalMove, Position, Rules, Vertex};
use player::{Clock, TimeSystem, clock, record};
use sgf::{GameResult, Header, NodeId, Player};

use super::message::CgosSetup;
use crate::files::cannot_write;

/// How the server counts and what it allows.
const RULES: Rules = Rules { suicide: false, ..Rules::TROMP_TAYLOR };

/// Games of one name that are kept.
const MAX_NAMESAKES: usize = 1000;

/// A game on the server.
pub(super) struct CgosGame {
    setup: CgosSetup,
    /// Our colour.
    pub(super) color: Color,
    pub(super) position: Position,
    /// Black's and White's.
    pub(super) clocks: [Clock; 2],
    /// What is to be said about each move, if anything.
    comments: Vec<Option<String>>,
}

impl CgosGame {
    /// Sits down at a game; the comments of an earlier sitting at the same one are kept.
    pub(super) fn new(setup: CgosSetup, user: &str, before: Option<CgosGame>) -> Result<Self, String> {
        let color = match &setup.names {
            [black, _] if black == user => Color::Black,
            [_, white] if white == user => Color::White,
            [black, white] => return Err(format!("{user} is neither {black} nor {white}")),
        };
        let mut position = Position::new(setup.size, RULES);
        position.set_komi(setup.komi).map_err(|error| error.to_string())?;
        let main = clock::seconds(setup.time as f64 / 1000.0);
        let clocks = [Clock::new(TimeSystem::Absolute { main }); 2];
        let comments = match before {
            Some(table) if table.setup.id == setup.id => table.comments,
            _ => Vec::new(),
        };
        let mut table = Self { setup, color, position, clocks, comments };
        for (number, (vertex, left)) in table.setup.moves.clone().into_iter().enumerate() {
            let side = table.position.to_play();
            table.position.play(side, vertex).map_err(|why| format!("move {}: {why}", number + 1))?;
            table.set_left(side, left);
        }
        Ok(table)
    }

    /// The number of the game.
    pub(super) fn id(&self) -> u64 {
        self.setup.id
    }

    /// `Black(1500) – White(1800?) on 9x9`.
    pub(super) fn describe(&self) -> String {
        let [black, white] =
            [0, 1].map(|idx| format!("{}({})", self.setup.names[idx], self.setup.ratings[idx]));
        format!("game {}: {black} – {white} on {}, komi {}", self.setup.id, self.setup.size, self.setup.komi)
    }

    /// Plays a move of either side.
    pub(super) fn play(
        &mut self,
        color: Color,
        vertex: Vertex,
        comment: Option<String>,
    ) -> Result<(), IllegalMove> {
        self.position.play(color, vertex)?;
        let ply = self.position.plays().len() - 1;
        self.comments.resize(ply, None);
        self.comments.push(comment);
        Ok(())
    }

    /// What the server says of a clock, in milliseconds.
    pub(super) fn set_left(&mut self, color: Color, left: i64) {
        self.clocks[color.idx()].set_left(left.max(0) as f64 / 1000.0, 0);
    }

    /// Writes the game into a folder under a name that is not taken: its day, its number and the players.
    pub(super) fn save(&self, folder: &Path, date: &str, result: &str, remark: &str) -> Result<PathBuf> {
        let tree = self.record(date, result, remark)?;
        let name = [date, &self.setup.id.to_string(), &self.setup.names[0], &self.setup.names[1]]
            .map(harmless)
            .join("_");
        for n in 1..=MAX_NAMESAKES {
            let number = if n == 1 { String::new() } else { format!("_{n}") };
            let path = folder.join(format!("{name}{number}.sgf"));
            match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    write!(file, "{tree}").with_context(|| cannot_write(&path))?;
                    return Ok(path);
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| cannot_write(&path)),
            }
        }
        bail!("{}: there are {MAX_NAMESAKES} games called {name} already", folder.display())
    }

    fn record(&self, date: &str, result: &str, remark: &str) -> Result<sgf::GameTree> {
        let player = |idx: usize| Player {
            name: Some(self.setup.names[idx].clone()),
            rank: Some(self.setup.ratings[idx].clone()).filter(|rating| !rating.is_empty()),
            ..Player::default()
        };
        let header = Header {
            black: player(0),
            white: player(1),
            result: GameResult::from_text(result),
            date: (!date.is_empty()).then(|| date.to_owned()),
            event: Some("CGOS".to_owned()),
            round: Some(self.setup.id.to_string()),
            main_time: Some(self.setup.time as f64 / 1000.0),
            comment: (!remark.is_empty()).then(|| remark.to_owned()),
            application: Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION"))),
            ..Header::default()
        };
        let mut tree = record::record_of(&self.position, header)?.finish();
        let is_move = |node: &NodeId| ["B", "W"].iter().any(|ident| tree.property(*node, ident).is_some());
        let nodes: Vec<NodeId> = tree.main_line().filter(is_move).collect();
        for (node, comment) in nodes.into_iter().zip(&self.comments) {
            if let Some(comment) = comment {
                tree.add_text(node, "C", comment)?;
            }
        }
        Ok(tree)
    }
}

/// A word from the network as a part of a file's name.
fn harmless(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '-' };
    text.chars().take(40).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::super::message::CgosMessage;
    use super::*;

    fn table(moves: &str, before: Option<CgosGame>) -> Result<CgosGame, String> {
        match CgosMessage::parse(&format!("setup 12 5 0.5 60000 them(1800?) me(1500) {moves}")).unwrap() {
            CgosMessage::Setup(setup) => CgosGame::new(*setup, "me", before),
            _ => panic!("no setup"),
        }
    }

    #[test]
    fn a_game_goes_on_where_it_stopped() {
        let mut first = table("", None).unwrap();
        first.play(Color::Black, Vertex::new(2, 2), Some("why not".to_owned())).unwrap();
        let again = table("c3 59000 b2 58000", Some(first)).unwrap();
        assert_eq!((again.color, again.position.to_play()), (Color::Black, Color::Black));
        assert_eq!(again.clocks[1].left().as_millis(), 58_000);
        let dir = tempfile::tempdir().unwrap();
        let names = [(); 2].map(|()| again.save(dir.path(), "2026-11-15", "B+Resign", "").unwrap());
        assert!(names[0].ends_with("2026-11-15_12_me_them.sgf"), "{names:?}");
        assert!(names[1].ends_with("2026-11-15_12_me_them_2.sgf"), "{names:?}");
        let text = fs::read_to_string(&names[0]).unwrap();
        for part in ["PB[me]", "PW[them]", "BR[1500]", "RE[B+R", "C[why not]", ";W[bd]"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn games_of_others_and_impossible_moves_are_refused() {
        assert!(table("c3 1 c3 1", None).err().unwrap().starts_with("move 2: illegal move"));
        let CgosMessage::Setup(setup) = CgosMessage::parse("setup 1 9 7 1 a(1) b(1)").unwrap() else {
            panic!()
        };
        assert_eq!(CgosGame::new(*setup, "me", None).err().unwrap(), "me is neither b nor a");
        assert_eq!(harmless("../ä:x"), "-----x");
    }
}
