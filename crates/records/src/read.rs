//! All games of some files, one after the other.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;

use goban::{Color, PlayedMove, Size};
use sgf::Collection;

use super::convert::{to_color, to_vertex};
use super::input::{FileKind, Input, expand};
use super::line::{LineError, Lines, ListLine, MAX_BAD_LINES, points};
use super::{RecordPlace, RecordStep, RecordedGame};

/// A file whose beginning is unreadable, in words.
pub const NO_LIST: &str = "this is not a game list; the rest is left out";

/// One item of a file: a game, or the reason why there is none.
#[derive(Debug)]
pub enum ReadItem {
    /// A game.
    Game(Box<RecordedGame>),
    /// A file, a line or a record that cannot be read: which, and why.
    Unreadable(String),
}

/// Whether to go on reading.
type Flow = ControlFlow<()>;

/// Reads files, and the .sgf and .gz files of folders, and hands over one game after the other until `each` breaks off.
/// Unreadable items are handed over as well and do not end the reading.
pub fn read(paths: &[PathBuf], mut each: impl FnMut(ReadItem) -> Flow) {
    for path in paths.iter().flat_map(|path| expand(path)) {
        let go = match path.and_then(|path| Input::open(&path)) {
            Err(error) => each(ReadItem::Unreadable(error.to_string())),
            Ok(input) if input.kind == FileKind::List => list(input, &mut each),
            Ok(input) => record(input, &mut each),
        };
        if go.is_break() {
            return;
        }
    }
}

/// The games of a list.
fn list(input: Input, each: &mut dyn FnMut(ReadItem) -> Flow) -> Flow {
    let name = input.name;
    let mut lines = Lines::new(input.reader);
    let (mut n_good, mut n_bad) = (0, 0);
    loop {
        let (number, line) = match lines.read() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                return each(ReadItem::Unreadable(format!("{name}:{}: {error}", lines.number())));
            }
        };
        let place = RecordPlace { file: name.clone(), number };
        match line.and_then(ListLine::parse).and_then(|line| game_of_line(&line, place)) {
            Ok(game) => {
                n_good += 1;
                each(ReadItem::Game(Box::new(game)))?;
            }
            Err(error) => {
                n_bad += 1;
                each(ReadItem::Unreadable(format!("{name}:{number}: {error}")))?;
            }
        }
        if n_good == 0 && n_bad == MAX_BAD_LINES {
            return each(ReadItem::Unreadable(format!("{name}: {NO_LIST}")));
        }
    }
    if n_good + n_bad == 0 {
        return each(ReadItem::Unreadable(format!("{name}: the file holds no game")));
    }
    Flow::Continue(())
}

/// A line's game.
fn game_of_line(line: &ListLine<'_>, place: RecordPlace) -> Result<RecordedGame, LineError> {
    let mut color = if line.setup.is_empty() { Color::Black } else { Color::White };
    let first = color;
    let mut steps = Vec::with_capacity(line.moves.len() / 2 + 1);
    if !line.setup.is_empty() {
        let stones = points(line.setup)
            .map(|point| Ok((point?, Some(Color::Black))))
            .collect::<Result<_, LineError>>()?;
        steps.push(RecordStep::Setup { stones, to_play: Some(color) });
    }
    for vertex in points(line.moves) {
        steps.push(RecordStep::Play(PlayedMove { color, vertex: vertex? }));
        color = !color;
    }
    Ok(RecordedGame {
        place,
        source: line.source.to_string(),
        size: line.size,
        komi: line.komi,
        handicap: if line.setup.is_empty() { 0 } else { line.handicap },
        result: line.result,
        first,
        steps,
    })
}

/// The games of an SGF file.
fn record(input: Input, each: &mut dyn FnMut(ReadItem) -> Flow) -> Flow {
    let Input { name, mut reader, .. } = input;
    let mut bytes = Vec::new();
    if let Err(error) = reader.read_to_end(&mut bytes) {
        return each(ReadItem::Unreadable(format!("{name}: {error}")));
    }
    let collection = match Collection::read(&bytes) {
        Ok(collection) => collection,
        Err(error) => return each(ReadItem::Unreadable(format!("{name}: {error}"))),
    };
    if collection.games.is_empty() {
        return each(ReadItem::Unreadable(format!("{name}: the file holds no game")));
    }
    for (tree, number) in collection.games.iter().zip(1..) {
        let place = RecordPlace { file: name.clone(), number };
        let found = match game_of_tree(tree, place) {
            Ok(game) => ReadItem::Game(Box::new(game)),
            Err(why) => ReadItem::Unreadable(format!("{name}:{number}: {why}")),
        };
        each(found)?;
    }
    Flow::Continue(())
}

/// The main line of a record, as far as the record makes sense.
fn game_of_tree(tree: &sgf::GameTree, place: RecordPlace) -> Result<RecordedGame, String> {
    let record = sgf::Game::new(tree).map_err(|error| error.to_string())?;
    let header = &record.header;
    let size = Size::new(header.width.into(), header.height.into()).map_err(|error| error.to_string())?;
    let mut steps = Vec::new();
    for step in record.main_line() {
        let (_, step) = step.map_err(|error| error.to_string())?;
        steps.push(match step {
            sgf::Step::Move(mv) => {
                RecordStep::Play(PlayedMove { color: to_color(mv.color), vertex: to_vertex(mv.point) })
            }
            sgf::Step::Setup(setup) => set_up(&setup),
        });
    }
    let handicap = (header.handicap as usize).min(n_handicap_stones(&steps));
    Ok(RecordedGame {
        place,
        source: "sgf".to_string(),
        size,
        komi: header.komi.map(|komi| komi as f32),
        handicap: if handicap < 2 { 0 } else { handicap },
        result: header.result,
        first: to_color(record.first_to_play()),
        steps,
    })
}

/// Black stones that are on the board before White's first move, whatever the header says: some servers write `HA` for
/// games whose stones never came onto the board, and White must not be paid for these.
fn n_handicap_stones(steps: &[RecordStep]) -> usize {
    let n_black = |step: &RecordStep| match step {
        RecordStep::Setup { stones, .. } => {
            Some(stones.iter().filter(|(_, stone)| *stone == Some(Color::Black)).count())
        }
        RecordStep::Play(play) => (play.color == Color::Black && !play.vertex.is_pass()).then_some(1),
    };
    steps.iter().map_while(n_black).sum()
}

fn set_up(setup: &sgf::Setup) -> RecordStep {
    let parts =
        [(&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White)), (&setup.empty, None)];
    let stones = parts
        .iter()
        .flat_map(|(points, stone)| points.iter().map(|&point| (to_vertex(Some(point)), *stone)))
        .collect();
    RecordStep::Setup { stones, to_play: setup.to_play.map(to_color) }
}
