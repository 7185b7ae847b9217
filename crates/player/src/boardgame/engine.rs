//! A player behind GTP, for any board game; Hex programs call it HTP. The commands are those that HexGui and tournaments of
//! Hex programs use: moves, a board that is drawn, legal moves, times, the result.

use std::io::{BufRead, Write};
use std::time::Instant;

use goban::Color;
use gtp::{Args, Context, End, Entry, GtpError, Interrupt, Registry, RegistryError, Response};

use super::GameChoice;
use super::opponent::{BoardDecision, Opponent};
use super::tabletop::{BoardEnding, Tabletop};
use crate::clock::{Clock, TimeSystem, seconds};
use crate::engine::shared;
use crate::engine::{Options, watched};
use crate::player::Budget;

/// The state of the engine, which the commands change.
pub struct BoardEngine {
    options: Options,
    player: Box<dyn Opponent>,
    seed: u64,
    board: Box<dyn Tabletop>,
    /// Black's and White's.
    clocks: [Clock; 2],
}

impl BoardEngine {
    /// An engine whose first game is the empty board of `game`. The player's first game follows from `seed`.
    pub fn new(player: Box<dyn Opponent>, options: Options, game: &GameChoice, seed: u64) -> Self {
        let clocks = [Clock::new(TimeSystem::Unlimited); 2];
        Self { options, player, seed, board: game.board(), clocks }
    }

    /// Answers commands until `quit` or the end of the input.
    ///
    /// # Errors
    /// Never for the commands of this file: when two of them have one name.
    pub fn serve(
        &mut self,
        input: impl BufRead + Send + 'static,
        output: impl Write,
    ) -> Result<End, RegistryError> {
        Ok(gtp::serve(&registry()?, self, input, output))
    }

    /// A new game on this board.
    fn start(&mut self, board: Box<dyn Tabletop>) -> Response {
        self.player.begin(board.as_ref(), self.seed).map_err(|error| GtpError(error.to_string()))?;
        self.board = board;
        self.clocks = self.clocks.map(|clock| Clock::new(clock.system()));
        Ok(String::new())
    }

    /// Has the player think about a move.
    fn think(&mut self, args: &mut Args<'_>, is_play: bool, interrupt: &Interrupt) -> Response {
        let color = color(args)?;
        if self.board.ended().is_some() {
            return Err("the game is over".into());
        }
        turn_of(self.board.as_ref(), color)?;
        let start = Instant::now();
        let budget = Budget {
            playouts: self.options.playouts,
            time: self.options.time,
            clocks: is_play.then_some(self.clocks),
            may_resign: self.options.may_resign && is_play,
            ..Budget::default()
        };
        let (player, board) = (&mut self.player, self.board.as_ref());
        let turn = watched(&|| interrupt.requested(), &budget.stop, || player.choose(board, &budget));
        let turn = turn.map_err(|error| GtpError(error.to_string()))?;
        if is_play {
            self.clocks[color.idx()].spend(start.elapsed());
        }
        match turn {
            BoardDecision::Resign => Ok("resign".to_string()),
            BoardDecision::Play(action) => {
                let shown = self.board.show(action);
                if is_play {
                    self.board.play(action).map_err(GtpError)?;
                }
                Ok(shown)
            }
        }
    }
}

/// The table of all commands.
///
/// # Errors
/// Never for the commands of this file: when two of them have one name.
pub fn registry() -> Result<Registry<BoardEngine>, RegistryError> {
    let mut registry = Registry::new();
    let commands = [
        Entry::new("name", "", shared::NAME, |engine: &mut BoardEngine, _, _| {
            Ok(engine.options.name.clone())
        }),
        Entry::new("version", "", shared::VERSION, |engine, _, _| Ok(engine.options.version.clone())),
        Entry::new("boardsize", "WIDTH [HEIGHT]", "Changes the board, which is empty then.", boardsize),
        Entry::new("clear_board", "", "A new game.", |engine, _, _| engine.start(engine.board.fresh())),
        Entry::new("play", "COLOUR MOVE", shared::PLAY, play),
        Entry::new("genmove", "COLOUR", shared::GENMOVE, |engine, args, cx| {
            engine.think(args, true, cx.interrupt())
        }),
        Entry::new("reg_genmove", "COLOUR", shared::REG_GENMOVE, |engine, args, cx| {
            engine.think(args, false, cx.interrupt())
        }),
        Entry::new("undo", "", shared::UNDO, |engine, _, _| match engine.board.undo() {
            true => Ok(String::new()),
            false => Err("cannot undo".into()),
        }),
        Entry::new("showboard", "", "Draws the board: X is Black, O is White.", |engine, _, _| {
            Ok(format!("\n{}", engine.board.draw()))
        }),
        Entry::new("all_legal_moves", "", "The moves that may be played now.", |engine, _, _| {
            let moves = engine.board.legal_moves();
            Ok(moves.into_iter().map(|action| engine.board.show(action)).collect::<Vec<_>>().join(" "))
        }),
        Entry::new("final_score", "", "The result: B+, W+, 0 for a draw, or cannot score.", final_score),
        Entry::new("time_left", "COLOUR SECONDS [STONES]", "Sets the time left on a clock.", time_left),
        Entry::new("time_settings", "MAIN PERIOD STONES", "The time of a game, in seconds.", time_settings),
        Entry::new("hexgui-analyze_commands", "", "The commands of HexGui's menu.", |_, _, _| {
            Ok("string/All Legal Moves/all_legal_moves\nmove/Reg GenMove/reg_genmove %c\nstring/Final Score/final_score"
                .to_string())
        }),
    ];
    registry.group("board", &commands)?;
    Ok(registry)
}

fn boardsize(engine: &mut BoardEngine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let width: usize = args.int("board width", ..)?;
    let height = if args.is_empty() { width } else { args.int("board height", ..)? };
    let choice = GameChoice::parse(&engine.board.text(), Some([width, height]));
    let refuse = || GtpError::from(shared::UNACCEPTABLE_SIZE);
    let choice = choice.map_err(|_| refuse())?.ok_or_else(refuse)?;
    engine.start(choice.board())
}

fn play(engine: &mut BoardEngine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let color = color(args)?;
    let text = args.word("move")?;
    if text.eq_ignore_ascii_case("resign") {
        return Ok(String::new());
    }
    turn_of(engine.board.as_ref(), color)?;
    let action = engine.board.parse(text).map_err(GtpError)?;
    engine.board.play(action).map_err(|why| GtpError(format!("illegal move: {why}")))?;
    Ok(String::new())
}

fn final_score(engine: &mut BoardEngine, _: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    match engine.board.ended() {
        Some(BoardEnding::Won(color)) => Ok(format!("{}+", color.letter())),
        Some(BoardEnding::Drawn) => Ok("0".to_string()),
        None => Err("cannot score".into()),
    }
}

fn time_settings(engine: &mut BoardEngine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let (main, period) = (args.float("main time", 0.0..)?, args.float("period", 0.0..)?);
    let system = TimeSystem::from_gtp(main, period, args.int("number of stones", 0..)?);
    engine.clocks = [Clock::new(system); 2];
    Ok(String::new())
}

fn time_left(engine: &mut BoardEngine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let color = color(args)?;
    // Lag can leave a client with less than nothing, and it is still our move.
    let left = args.float("time left", ..)?;
    let overtime = if args.is_empty() { 0 } else { args.int("number of stones", 0..)? };
    let clock = &mut engine.clocks[color.idx()];
    // HexGui tells the time of games for which it has told no settings.
    if clock.system() == TimeSystem::Unlimited {
        *clock = Clock::new(TimeSystem::Absolute { main: seconds(left) });
    }
    clock.set_left(left, overtime);
    Ok(String::new())
}

/// HexGui calls the colours red and blue, too.
fn color(args: &mut Args<'_>) -> Result<Color, GtpError> {
    let word = args.word("colour")?;
    match word.to_ascii_lowercase().as_str() {
        "red" => Ok(Color::Black),
        "blue" => Ok(Color::White),
        other => Color::parse(other)
            .ok_or_else(|| GtpError(format!("\"{word}\" is not a colour; expected black or white"))),
    }
}

/// Nobody moves twice in these games.
fn turn_of(board: &dyn Tabletop, color: Color) -> Result<(), GtpError> {
    match board.to_play() == color {
        true => Ok(()),
        false => Err(GtpError(format!("illegal move: it is {}'s turn", board.to_play()))),
    }
}
