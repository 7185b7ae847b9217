//! SGF files: every game, its main line.

use std::fmt;
use std::io::{self, Read};

use anyhow::{Context, Result};
use goban::{Color, IllegalMove, Position, Rules, Size};
use player::record::{handicap_of, to_color, to_vertex};
use records::Input;
use sgf::{Collection, Game, GameTree, NodeId, Step};

use super::Checker;
use super::score::{ResultCheck, compare};
use player::record::NO_GAME;

/// The source under which these games are counted.
const SOURCE: &str = "sgf";

/// The game a finding belongs to.
#[derive(Clone, Copy)]
struct FindingPlace<'a> {
    file: &'a str,
    /// Line and column, where they are known.
    at: Option<sgf::Position>,
    /// From 1; `None` in a file with one game.
    game: Option<usize>,
    /// The number of the move, from 1.
    mv: Option<usize>,
}

impl fmt::Display for FindingPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        self.at.map_or(Ok(()), |at| write!(f, ":{}:{}", at.line, at.column))?;
        self.game.map_or(Ok(()), |n| write!(f, ": game {n}"))?;
        self.mv.map_or(Ok(()), |n| write!(f, ": move {n}"))
    }
}

/// A move that the rules refuse, and the node that holds it.
struct RefusedMove {
    node: NodeId,
    illegal: IllegalMove,
}

impl Checker<'_> {
    /// Checks every game of a file.
    pub(super) fn record(&mut self, input: Input) -> io::Result<()> {
        let Input { name, mut reader, .. } = input;
        let mut bytes = Vec::new();
        if let Err(error) = reader.read_to_end(&mut bytes) {
            return self.report.unreadable(&format_args!("{name}: {error}"));
        }
        let collection = match Collection::read(&bytes) {
            Ok(collection) => collection,
            Err(error) => return self.report.unreadable(&format_args!("{name}: {error}")),
        };
        if collection.games.is_empty() {
            return self.report.unreadable(&format_args!("{name}: {NO_GAME}"));
        }
        for warning in &collection.warnings {
            let place = FindingPlace { file: &name, at: warning.position, game: None, mv: None };
            self.report.warning(&place, &warning.kind)?;
        }
        for (i, tree) in collection.games.iter().enumerate() {
            let game = (collection.games.len() > 1).then_some(i + 1);
            self.tree(tree, FindingPlace { file: &name, at: None, game, mv: None })?;
        }
        Ok(())
    }

    fn tree(&mut self, tree: &GameTree, place: FindingPlace<'_>) -> io::Result<()> {
        let position = &mut self.position;
        let replayed = Game::new(tree)
            .map_err(anyhow::Error::from)
            .and_then(|game| replay(position, &game, self.rules).map(|refused| (game, refused)));
        let (game, refused) = match replayed {
            Ok(replayed) => replayed,
            Err(error) => return self.report.unreadable(&format_args!("{place}: {error:#}")),
        };
        for warning in &game.warnings {
            self.report.warning(&FindingPlace { at: warning.position, ..place }, &warning.kind)?;
        }
        let tally = self.report.source(SOURCE);
        tally.games += 1;
        tally.plies += position.plays().len() as u64;
        if let Some(RefusedMove { node, illegal }) = refused {
            let ident = if illegal.play.color == Color::Black { "B" } else { "W" };
            let at = tree.value(node, ident).and_then(|value| value.position());
            let place = FindingPlace { at, mv: Some(position.plays().len() + 1), ..place };
            return self.report.refused(SOURCE, &place, &illegal);
        }
        if self.scores_records && position.is_over() {
            let verdict = compare(position.score().margin(), game.header.result);
            if verdict != ResultCheck::NoScore {
                let at = tree.value(tree.root(), "RE").and_then(|value| value.position());
                let place = FindingPlace { at, ..place };
                return self.report.verdict(SOURCE, &place, &verdict);
            }
        }
        Ok(())
    }
}

/// Plays the main line, setup and all, up to the first move that the rules refuse.
fn replay(position: &mut Position, game: &Game<'_>, rules: Rules) -> Result<Option<RefusedMove>> {
    let header = &game.header;
    position.reset(Size::new(header.width.into(), header.height.into())?, rules);
    position.set_komi(header.komi.unwrap_or(0.0) as f32)?;
    position.set_to_play(to_color(game.first_to_play()));
    for step in game.main_line() {
        match step? {
            (_, Step::Setup(setup)) => set_up(position, &setup)?,
            (node, Step::Move(mv)) => {
                let vertex = to_vertex(mv.point);
                if let Err(illegal) = position.play(to_color(mv.color), vertex) {
                    return Ok(Some(RefusedMove { node, illegal }));
                }
            }
        }
    }
    position.set_handicap(handicap_of(header, position));
    Ok(None)
}

fn set_up(position: &mut Position, setup: &sgf::Setup) -> Result<()> {
    let to_play = setup.to_play.map_or(position.to_play(), to_color);
    let parts =
        [(&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White)), (&setup.empty, None)];
    let stones: Vec<_> = parts
        .iter()
        .flat_map(|(points, stone)| points.iter().map(|&point| (to_vertex(Some(point)), *stone)))
        .collect();
    if stones.is_empty() {
        position.set_to_play(to_play);
        return Ok(());
    }
    let n_moves = position.plays().len();
    position.setup(&stones, to_play).with_context(|| format!("setup after move {n_moves}"))
}
