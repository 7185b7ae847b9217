//! Games to records and back: what a position and an SGF tree say of the same game.
//!
//! Reading order: from a file to a position, from a position to a record, then colours and points.

use std::path::{Path, PathBuf};

use goban::{
    AnyBoard, Color, IllegalMove, Ko, KomiError, Position, Rules, RulesError, Score, SetupError, Size,
    SizeError, Vertex,
};
pub use records::{to_color, to_vertex};
use sgf::{
    Builder, Collection, Coord, EditError, Game, GameError, GameResult, GameTree, Header, Margin, NodeId,
    ReadError, Step, WarningKind,
};
use thiserror::Error;

/// A file without a game, in words.
pub const NO_GAME: &str = "the file holds no game";

/// A record that gives no position. What lies behind it is part of the text, so it is no `source` that would be told again.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error("{}: {why}; expected an SGF file", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// The file is no SGF.
    #[error("{}: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        why: ReadError,
    },
    /// The file is empty.
    #[error("{}: {NO_GAME}", path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
    },
    /// The tree is no game of Go, or names points that the board has not.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A board that we do not have.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A komi beyond all numbers.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// A move that cannot be played.
    #[error("move {number}: {why}")]
    Move {
        /// Counted from 1.
        number: usize,
        /// What is wrong with it.
        why: IllegalMove,
    },
    /// Stones that cannot stand.
    #[error("setup after move {number}: {why}")]
    Setup {
        /// Moves before it.
        number: usize,
        /// What is wrong with it.
        why: SetupError,
    },
}

impl RecordError {
    /// The error with the file's name before it, unless it says the name itself.
    pub fn in_file(&self, file: &str) -> String {
        match self {
            Self::File { .. } | Self::Format { .. } | Self::NoGame { .. } => self.to_string(),
            Self::Game(_) | Self::Size(_) | Self::Komi(_) | Self::Move { .. } | Self::Setup { .. } => {
                format!("{file}: {self}")
            }
        }
    }
}

/// The first game of a file.
///
/// # Errors
/// When there is no such file or it holds no game.
pub fn load(path: impl AsRef<Path>) -> Result<GameTree, RecordError> {
    let path = path.as_ref();
    let first = load_all(path)?.into_iter().next();
    first.ok_or_else(|| RecordError::NoGame { path: path.to_path_buf() })
}

/// All games of a file, one or more.
///
/// # Errors
/// When there is no such file or it holds no game.
pub fn load_all(path: impl AsRef<Path>) -> Result<Vec<GameTree>, RecordError> {
    let path = path.as_ref().to_path_buf();
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(why) => return Err(RecordError::File { path, why }),
    };
    match Collection::read(&bytes) {
        Ok(collection) if collection.games.is_empty() => Err(RecordError::NoGame { path }),
        Ok(collection) => Ok(collection.games),
        Err(why) => Err(RecordError::Format { path, why }),
    }
}

/// The position of a record's main line before the move of this number, or at its end if it has fewer moves or none
/// is asked for. Komi is 0 if the record names none; see [`handicap_of`] for the handicap.
///
/// Records hold games that were played, so superko and suicide are not held against them; the rules apply to what
/// comes after.
///
/// # Errors
/// When the record holds a board, a setup or a move that no game can have.
pub fn position_of(
    game: &Game<'_>,
    rules: Rules,
    before_move: Option<usize>,
) -> Result<Position, RecordError> {
    match play_main_line(game, rules, before_move)? {
        (position, None) => Ok(position),
        (_, Some((_, error))) => Err(error),
    }
}

/// The position at the end of a record's main line or before the first node of it that cannot be played, and that node
/// with what is wrong. Otherwise as [`position_of`].
///
/// # Errors
/// When the record holds a board or a komi that no game can have.
pub fn playable(
    game: &Game<'_>,
    rules: Rules,
) -> Result<(Position, Option<(NodeId, RecordError)>), RecordError> {
    play_main_line(game, rules, None)
}

/// Plays the main line up to a move, or as far as it goes; the node that stopped it, if one did.
fn play_main_line(
    game: &Game<'_>,
    rules: Rules,
    before_move: Option<usize>,
) -> Result<(Position, Option<(NodeId, RecordError)>), RecordError> {
    let size = Size::new(game.header.width.into(), game.header.height.into())?;
    let mut position = Position::new(size, Rules { ko: Ko::Simple, suicide: true, ..rules });
    position.set_komi(game.header.komi.unwrap_or(0.0) as f32)?;
    let first = to_color(game.first_to_play());
    if first != position.to_play() {
        position.set_to_play(first);
    }
    let n_wanted = before_move.map_or(usize::MAX, |number| number.saturating_sub(1));
    let mut stopped = None;
    for node in game.tree.main_line() {
        match play_node(&mut position, game, node, n_wanted) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                stopped = Some((node, error));
                break;
            }
        }
    }
    position.set_rules(rules);
    position.set_handicap(handicap_of(&game.header, &position));
    Ok((position, stopped))
}

/// Does what a node does; false when the move after the first `n_wanted` ones is reached, whose player is to move then.
fn play_node(
    position: &mut Position,
    game: &Game<'_>,
    node: NodeId,
    n_wanted: usize,
) -> Result<bool, RecordError> {
    for step in game.steps(node)? {
        match step {
            Step::Setup(setup) => apply_setup(position, &setup)?,
            Step::Move(next) if position.plays().len() >= n_wanted => {
                if position.to_play() != to_color(next.color) {
                    position.set_to_play(to_color(next.color));
                }
                return Ok(false);
            }
            Step::Move(next) => {
                let number = position.plays().len() + 1;
                position
                    .play(to_color(next.color), to_vertex(next.point))
                    .map_err(|why| RecordError::Move { number, why })?;
            }
        }
    }
    Ok(true)
}

/// The rules that a record names, `None` if it names none.
///
/// # Errors
/// When we do not know rules of that name; there are records with every kind of text there.
pub fn rules_of(game: &Game<'_>) -> Result<Option<Rules>, RulesError> {
    let text = game.header.rules.as_deref().map(str::trim).filter(|text| !text.is_empty());
    text.map(str::parse).transpose()
}

/// What to tell of a komi in the record that is no number; it is as if the record named none.
pub fn ignored_komi<'a>(game: &'a Game<'_>) -> Option<&'a sgf::Warning> {
    let is_komi =
        |kind: &WarningKind| matches!(kind, WarningKind::IgnoredValue { ident, .. } if ident == "KM");
    game.warnings.iter().find(|warning| is_komi(&warning.kind))
}

/// The handicap stones of a record that White is to be compensated for: as many as `HA` says, but no more than there
/// are black stones set up before the first move and moves of Black before the first of White. Some servers write
/// `HA` for games whose stones never came onto the board, and White must not be paid for these. Less than two is none.
pub fn handicap_of(header: &Header, position: &Position) -> usize {
    if header.handicap < 2 {
        return 0;
    }
    let set_up = position.board_after(0).n_on_board(Color::Black);
    let is_black = |play: &&goban::PlayedMove| play.color == Color::Black && !play.vertex.is_pass();
    let n_stones = set_up + position.plays().iter().take_while(is_black).count();
    let n = n_stones.min(header.handicap as usize);
    if n < 2 { 0 } else { n }
}

/// Puts the stones of a record's node on the board, or takes them off, and says whose turn it is if the node does.
///
/// # Errors
/// When stones cannot stand like this.
pub fn apply_setup(position: &mut Position, setup: &sgf::Setup) -> Result<(), RecordError> {
    let groups =
        [(&setup.empty, None), (&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White))];
    let stones: Vec<_> = groups
        .into_iter()
        .flat_map(|(points, stone)| points.iter().map(move |&point| (to_vertex(Some(point)), stone)))
        .collect();
    let to_play = setup.to_play.map_or(position.to_play(), to_color);
    let number = position.plays().len();
    position.setup(&stones, to_play).map_err(|why| RecordError::Setup { number, why })
}

/// The game so far as a record with the names of Black and White and a result such as `B+3.5`.
///
/// # Errors
/// As [`record_of`].
pub fn to_sgf(position: &Position, names: [&str; 2], result: Option<&str>) -> Result<GameTree, EditError> {
    let [black, white] = names.map(|name| sgf::Player { name: Some(name.to_string()), ..Default::default() });
    let result = result.map_or(GameResult::Unknown, GameResult::from_text);
    let application = Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION")));
    let header = Header { black, white, result, application, ..Header::default() };
    Ok(record_of(position, header)?.finish())
}

/// The game so far as a record: moves, and what was set up before and between them. Size, komi, rules and handicap
/// of `header` are replaced by the position's, the rest is kept.
///
/// # Errors
/// When the record cannot hold it, which no board of ours brings about.
pub fn record_of(position: &Position, header: Header) -> Result<Builder, EditError> {
    let mut builder = Builder::new(&Header {
        width: position.size().width() as u8,
        height: position.size().height() as u8,
        komi: Some(decimal(position.komi())),
        handicap: position.handicap() as u32,
        rules: Some(position.rules().to_string()),
        ..header
    })?;
    set_up(&mut builder, position)?;
    let mut board = position.board_after(0);
    for (n, play) in position.plays().iter().enumerate() {
        builder.play(from_color(play.color), to_coord(play.vertex))?;
        board.play(play.color, play.vertex);
        // A hash that the moves do not explain tells of stones set up here.
        if board.hash() != position.hashes()[n + 1] {
            let after = position.board_after(n + 1);
            builder.setup(&difference(&board, &after, Some(next_to_play(position, n + 1))))?;
            board = after;
        }
    }
    Ok(builder)
}

/// Writes the stones that stood before the first move, and who was to move where that is not plain.
fn set_up(builder: &mut Builder, position: &Position) -> Result<(), EditError> {
    let (empty, start) = (AnyBoard::new(position.size()), position.board_after(0));
    let first = next_to_play(position, 0);
    let has = |color: Color| start.n_on_board(color) > 0;
    // As readers take it when there is no move to tell: White after black stones alone, else Black.
    let usual = if has(Color::Black) && !has(Color::White) { Color::White } else { Color::Black };
    let setup = difference(&empty, &start, (first != usual).then_some(first));
    if !setup.is_empty() {
        builder.setup(&setup)?;
    }
    Ok(())
}

/// Who moved after the first `n` plays, or is to move now.
fn next_to_play(position: &Position, n: usize) -> Color {
    position.plays().get(n).map_or(position.to_play(), |play| play.color)
}

/// The setup that turns one board into the other.
fn difference(before: &AnyBoard, after: &AnyBoard, to_play: Option<Color>) -> sgf::Setup {
    let mut setup = sgf::Setup { to_play: to_play.map(from_color), ..sgf::Setup::default() };
    for vertex in after.size().vertices() {
        let (Some(coord), stone) = (to_coord(vertex), after.stone(vertex)) else { continue };
        match stone {
            _ if stone == before.stone(vertex) => {}
            Some(Color::Black) => setup.black.push(coord),
            Some(Color::White) => setup.white.push(coord),
            None => setup.empty.push(coord),
        }
    }
    setup
}

/// A score as records write it.
pub fn result_of(score: &Score) -> GameResult {
    match score.winner() {
        None => GameResult::Draw,
        Some(winner) => GameResult::Win {
            color: from_color(winner),
            margin: Margin::Score(decimal(score.margin().abs())),
        },
    }
}

/// The decimal number that somebody wrote, not the binary one next to it: 6.7, not 6.699999809.
pub fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// The colour as records know it.
pub fn from_color(color: Color) -> sgf::Color {
    match color {
        Color::Black => sgf::Color::Black,
        Color::White => sgf::Color::White,
    }
}

/// The point as records know it; `None` is a pass.
pub fn to_coord(vertex: Vertex) -> Option<Coord> {
    (!vertex.is_pass()).then(|| Coord::new(vertex.col() as u8, vertex.row() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, before_move: Option<usize>) -> Result<Position, RecordError> {
        let collection = Collection::parse(text).unwrap();
        position_of(&Game::new(&collection.games[0])?, Rules::CHINESE, before_move)
    }

    #[test]
    fn a_game_becomes_a_record() {
        let mut position = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        position.set_komi(6.7).unwrap();
        position.fixed_handicap(2).unwrap();
        position.play(Color::White, Vertex::new(4, 4)).unwrap();
        position.play(Color::Black, Vertex::PASS).unwrap();
        let text = to_sgf(&position, ["B", "W"], Some("W+R")).unwrap().to_string();
        for part in ["SZ[9]", "KM[6.7]", "HA[2]", "RE[W+R]", "PB[B]", "AB[", ";W[ee];B[]"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("PL"), "{text}");
    }

    #[test]
    fn setups_anywhere_survive_both_ways() {
        let text = "(;GM[1]SZ[5]KM[0.5]AB[aa][bb]AW[ee]PL[W];W[cc];B[dd];AE[aa]AW[ab]AB[ea]PL[B];B[];W[de])";
        let position = read(text, None).unwrap();
        assert_eq!(position.plays().len(), 4);
        let again = read(&to_sgf(&position, ["a", "b"], None).unwrap().to_string(), None).unwrap();
        assert_eq!(again.plays(), position.plays());
        assert_eq!(again.hashes(), position.hashes());
        assert_eq!(again.to_play(), position.to_play());
    }

    #[test]
    fn who_is_to_play_survives_an_empty_board() {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        position.set_to_play(Color::White);
        let text = to_sgf(&position, ["a", "b"], None).unwrap().to_string();
        assert_eq!(read(&text, None).unwrap().to_play(), Color::White);
    }

    #[test]
    fn a_move_number_stops_before_that_move() {
        let text = "(;SZ[5];B[aa];W[bb];B[cc])";
        for (number, n_plays, to_play) in [
            (0, 0, Color::Black),
            (1, 0, Color::Black),
            (2, 1, Color::White),
            (3, 2, Color::Black),
            (9, 3, Color::White),
        ] {
            let position = read(text, Some(number)).unwrap();
            assert_eq!(
                (position.plays().len(), position.to_play()),
                (n_plays, to_play),
                "before move {number}"
            );
        }
    }

    #[test]
    fn handicap_counts_the_stones_that_are_there() {
        for (text, n) in [
            ("(;SZ[19]HA[2];W[dd];B[pp])", 0),
            ("(;SZ[19]HA[5];B[dd];W[pp];B[dp])", 0),
            ("(;SZ[19]HA[2]AB[dd][pp];W[dp];B[pd])", 2),
            ("(;SZ[19]HA[3];AB[dd][pp][pd];W[dp])", 3),
            ("(;SZ[19]HA[2];B[dd];B[pp];W[dp];B[pd])", 2),
            ("(;SZ[19]HA[1];B[dd];W[pp])", 0),
            ("(;SZ[19]AB[dd][pp];W[dp])", 0),
        ] {
            assert_eq!(read(text, None).unwrap().handicap(), n, "{text}");
        }
        let fox = read("(;SZ[9]HA[5]KM[0];B[ee];W[])", None).unwrap();
        assert_eq!(fox.score().to_string(), "B+81");
    }

    #[test]
    fn superko_and_suicide_of_a_record_are_history() {
        let corner = "(;SZ[3]AW[ab][bb][ca];B[aa];B[ba])";
        let position = read(corner, None).unwrap();
        assert_eq!(position.n_captured(Color::Black), 2);
        assert!(!position.rules().suicide);
    }

    #[test]
    fn errors_name_the_place() {
        let text = |record: &str| read(record, None).unwrap_err().to_string();
        assert_eq!(text("(;SZ[5];B[aa];W[aa])"), "move 2: illegal move: White A5: there is a stone already");
        assert!(
            text("(;SZ[3]AB[aa]AW[ab][ba])")
                .starts_with("setup after move 0: the chain of the Black stone at A3")
        );
        assert!(text("(;SZ[30];B[aa])").contains("30x30"));
        assert!(text("(;SZ[5];B[jj])").contains("outside the 5x5 board"));
        assert!(load("no/such.sgf").unwrap_err().to_string().starts_with("no/such.sgf: "));
    }
}
