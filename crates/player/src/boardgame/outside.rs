//! A program of its own as a player: it speaks GTP with the moves of the game at hand, as Hex programs do (HTP). Every wait
//! has a limit and every answer is checked; after a failure the program is ended and started afresh for the next game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use goban::Color;
use gtp::{Client, ClientError};
use mcts::Action;

use super::opponent::{BoardDecision, Opponent};
use super::tabletop::Tabletop;
use crate::outside::refusal::{self, LEGAL_MOVE_ACCEPTED, refusal};
use crate::outside::{Patience, with_seed};
use crate::player::{Budget, PlayerError};

/// A program that runs as a process of its own; it ends with this value.
pub struct OutsideOpponent {
    /// As given, with `{seed}` or `{seed31}` where a game's seed belongs.
    command_line: String,
    patience: Patience,
    stop: Arc<AtomicBool>,
    name: String,
    /// The process with the command line that it was started with; `None` after a failure.
    client: Option<(Client, String)>,
    /// The moves that it knows of.
    told: Vec<Action>,
}

impl OutsideOpponent {
    /// Starts a program and asks who it is; nobody waits for it once `stop` is set.
    ///
    /// # Errors
    /// [`PlayerError::Unable`] if it cannot be started or says nothing.
    pub fn start(
        command_line: &str,
        patience: Patience,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, PlayerError> {
        let mut opponent = Self {
            command_line: command_line.to_string(),
            patience,
            stop: Arc::clone(stop),
            name: command_line.to_string(),
            client: None,
            told: Vec::new(),
        };
        opponent.wake(&with_seed(command_line, 0))?;
        Ok(opponent)
    }

    /// Starts the process of this command line, unless it runs.
    fn wake(&mut self, command_line: &str) -> Result<(), PlayerError> {
        if self.client.as_ref().is_some_and(|(_, running)| running == command_line) {
            return Ok(());
        }
        self.client = None;
        let unable = |why: String| PlayerError::Unable { name: command_line.to_string(), why };
        let mut client = Client::start(command_line).map_err(|error| unable(error.to_string()))?;
        client.stop = Arc::clone(&self.stop);
        let mut first = |command: &str| {
            client
                .ask(command, self.patience.start)
                .map_err(|error| unable(refusal::failed_at_start(&format!("{command}: {error}"))))
        };
        let name = format!("{} {}", first("name")?, first("version")?);
        self.name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.client = Some((client, command_line.to_string()));
        Ok(())
    }

    /// Asks; the inner error is the program's reason to refuse.
    fn ask(&mut self, command: &str, limit: Duration) -> Result<Result<String, String>, PlayerError> {
        let name = self.name.clone();
        let Some((client, _)) = &mut self.client else {
            return Err(refusal::ended(name));
        };
        let error = match client.ask(command, limit) {
            Ok(answer) => return Ok(Ok(answer)),
            Err(ClientError::Failure(text)) => return Ok(Err(text)),
            Err(error) => error,
        };
        self.client = None;
        Err(refusal::no_answer(name, error))
    }

    fn nonsense(&mut self, answer: String, expected: &'static str) -> PlayerError {
        self.client = None;
        PlayerError::Nonsense { name: self.name.clone(), answer, expected }
    }

    /// Tells the moves that the program does not know of.
    fn tell(&mut self, board: &dyn Tabletop) -> Result<(), PlayerError> {
        while let Some(&action) = board.plays().get(self.told.len()) {
            let color = if self.told.len().is_multiple_of(2) { Color::Black } else { Color::White };
            let command = format!("play {} {}", word(color), board.show(action));
            if let Err(text) = self.ask(&command, self.patience.answer)? {
                return Err(self.nonsense(refusal(&text, &command), LEGAL_MOVE_ACCEPTED));
            }
            self.told.push(action);
        }
        Ok(())
    }
}

fn word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

impl Opponent for OutsideOpponent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, board: &dyn Tabletop, budget: &Budget) -> Result<BoardDecision, PlayerError> {
        self.tell(board)?;
        let color = board.to_play();
        let clock = budget.clocks.map(|clocks| clocks[color.idx()]);
        if let Some(clock) = &clock {
            // Who does not know the command plays without a clock.
            let left = format!("time_left {} {:.0} 0", word(color), clock.left().as_secs_f64().floor());
            let _ = self.ask(&left, self.patience.answer)?;
        }
        let limit =
            clock.map_or(self.patience.think, |clock| clock.left().saturating_add(self.patience.margin));
        let answer = match self.ask(&format!("genmove {}", word(color)), limit)? {
            Ok(answer) => answer,
            Err(text) => return Err(self.nonsense(refusal(&text, "genmove"), "a move")),
        };
        let text = answer.split_whitespace().next().unwrap_or_default();
        if text.eq_ignore_ascii_case("resign") {
            return Ok(BoardDecision::Resign);
        }
        let Ok(action) = board.parse(text) else {
            return Err(self.nonsense(answer, "a move of this game or resign"));
        };
        self.told.push(action);
        Ok(BoardDecision::Play(action))
    }

    fn begin(&mut self, board: &dyn Tabletop, seed: u64) -> Result<(), PlayerError> {
        // One that died between two games has lost neither; it is started again.
        match self.set_up(board, seed) {
            Err(PlayerError::Crash { .. } | PlayerError::Hang { .. })
                if !self.stop.load(Ordering::Relaxed) =>
            {
                self.client = None;
                self.set_up(board, seed)
            }
            done => done,
        }
    }
}

impl OutsideOpponent {
    /// Brings the program to the board.
    fn set_up(&mut self, board: &dyn Tabletop, seed: u64) -> Result<(), PlayerError> {
        self.wake(&with_seed(&self.command_line, seed))?;
        self.told.clear();
        let [width, height] = board.size();
        let size = match width == height {
            true => format!("boardsize {width}"),
            false => format!("boardsize {width} {height}"),
        };
        for command in [size.as_str(), "clear_board"] {
            if let Err(text) = self.ask(command, self.patience.answer)? {
                return Err(refusal::unable(self.name.clone(), &text, command));
            }
        }
        self.tell(board)
    }
}
