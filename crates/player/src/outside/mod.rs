//! An outside GTP engine as a player. The process is started once and told only what is new; it is looked at
//! with suspicion: every wait has a limit, every answer is checked, and after a failure it is killed and
//! started afresh for the next game.
//!
//! In reading order: this file (the player), `patience` (how long to wait), `table` (what the engine has been told), `time` (clocks), `words` (rules
//! and scores).

mod patience;
pub(crate) mod refusal;
mod table;
mod time;
mod words;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goban::{Color, PlayedMove, Position, Vertex};
use gtp::{Client, ClientError};

use crate::clock::{Clock, TimeSystem};
use crate::player::{Budget, Decision, Player, PlayerError};
pub use patience::Patience;
use refusal::{LEGAL_MOVE_ACCEPTED, refusal};
use table::ToldGame;
use time::TimeDialect;

/// How many characters of a wrong answer are kept.
const N_QUOTED: usize = 200;

/// An engine that runs as a process of its own; it ends with this value.
pub struct GtpPlayer {
    /// How long to wait for it.
    pub patience: Patience,
    /// Set by anybody to have every wait end at once; the engine is then ended.
    stop: Arc<AtomicBool>,
    command_line: String,
    /// As it calls itself, with its version.
    name: String,
    commands: Vec<String>,
    /// `None` after a failure, until the engine is needed again.
    client: Option<Client>,
    /// What the engine was told; `None` when that is not sure.
    told: Option<ToldGame>,
    told_time: Option<(TimeSystem, TimeDialect)>,
    explanation: Option<String>,
    last_words: Vec<String>,
}

/// A command line for a game. `{seed}` is the whole seed of 64 bits, `{seed31}` its upper 31 for programs that read a
/// signed number of 32 bits.
pub fn with_seed(command_line: &str, seed: u64) -> String {
    command_line.replace("{seed}", &seed.to_string()).replace("{seed31}", &(seed >> 33).to_string())
}

impl GtpPlayer {
    /// Starts an engine and asks who it is and what it knows.
    ///
    /// # Errors
    /// [`PlayerError::Unable`] if the process cannot be started, ends at once, says nothing, or is no Go engine.
    pub fn start(command_line: &str, patience: Patience) -> Result<Self, PlayerError> {
        Self::start_until(command_line, patience, &Arc::default())
    }

    /// Starts an engine that nobody waits for, neither now nor later, once `stop` is set.
    ///
    /// # Errors
    /// As [`GtpPlayer::start`].
    pub fn start_until(
        command_line: &str,
        patience: Patience,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, PlayerError> {
        let mut player = Self {
            patience,
            stop: Arc::clone(stop),
            command_line: command_line.to_string(),
            name: command_line.to_string(),
            commands: Vec::new(),
            client: None,
            told: None,
            told_time: None,
            explanation: None,
            last_words: Vec::new(),
        };
        player.wake()?;
        Ok(player)
    }

    /// The command line it is started with.
    pub fn command_line(&self) -> &str {
        &self.command_line
    }

    /// Ends the process. The next game finds a new one, started with this command line.
    pub fn restart_as(&mut self, command_line: &str) {
        self.dismiss();
        self.command_line = command_line.to_string();
        self.forget();
    }

    /// Ends the process, if it runs, and keeps its last words.
    fn dismiss(&mut self) {
        if let Some(client) = self.client.take() {
            self.last_words = client.end();
        }
        self.told = None;
    }

    /// The last lines of its error output, also after its death.
    pub fn last_words(&self) -> Vec<String> {
        self.client.as_ref().map_or_else(|| self.last_words.clone(), Client::stderr)
    }

    /// The process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.client.as_ref().map(Client::pid)
    }

    /// True if the engine lists this command.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Brings the engine to a position before any clock runs: starts it again if it died, sets size, komi,
    /// rules, time system, stones and plays.
    ///
    /// # Errors
    /// [`PlayerError::Unable`] if the engine refuses this kind of game, else how it failed.
    pub fn prepare(&mut self, position: &Position, system: TimeSystem) -> Result<(), PlayerError> {
        self.wake()?;
        let target = ToldGame::of(position);
        if !self.follow(&target)? {
            self.begin(&target)?;
        }
        self.told = Some(target);
        self.tell_time(system)
    }

    /// What the engine thinks of a finished game, Black's points minus White's.
    ///
    /// # Errors
    /// When it fails, or does not answer like `B+3.5`, `W+1` or `0`.
    pub fn final_score(&mut self, position: &Position) -> Result<f32, PlayerError> {
        self.prepare(position, TimeSystem::Unlimited)?;
        let answer = self.ask("final_score", self.patience.think)?;
        match words::parse_score(&answer) {
            Some(margin) => Ok(margin),
            None => Err(self.nonsense(answer, "a score like B+3.5, W+1 or 0")),
        }
    }

    /// Starts the process if it does not run.
    fn wake(&mut self) -> Result<(), PlayerError> {
        if self.client.is_some() {
            return Ok(());
        }
        self.told = None;
        self.told_time = None;
        self.introduce().map_err(|why| {
            self.client = None;
            PlayerError::Unable { name: self.command_line.clone(), why }
        })
    }

    /// Starts the process and asks who it is and what it knows, or says why that failed.
    fn introduce(&mut self) -> Result<(), String> {
        let mut client = Client::start(&self.command_line).map_err(|error| error.to_string())?;
        client.stop = Arc::clone(&self.stop);
        self.client = Some(client);
        let limit = self.patience.start;
        let mut first = |command: &str| {
            self.ask(command, limit).map_err(|error| {
                let words = if matches!(error, PlayerError::Crash { .. }) { None } else { self.explain() };
                let words = words.map(|words| format!("; {words}")).unwrap_or_default();
                refusal::failed_at_start(&format!("{error}{words}"))
            })
        };
        let (name, version, commands) = (first("name")?, first("version")?, first("list_commands")?);
        self.commands = commands.split_whitespace().map(str::to_string).collect();
        self.name = format!("{name} {version}").split_whitespace().collect::<Vec<_>>().join(" ");
        for needed in ["boardsize", "clear_board", "play", "genmove"] {
            if !self.knows(needed) {
                return Err(format!("it does not list the command {needed}"));
            }
        }
        Ok(())
    }

    /// Takes back and plays what leads to `target`; false if that was not possible.
    fn follow(&mut self, target: &ToldGame) -> Result<bool, PlayerError> {
        let Some(told) = self.told.take() else { return Ok(false) };
        let Some((n_undo, plays)) = told.way_to(target) else { return Ok(false) };
        if n_undo > 0 && !self.knows("undo") {
            return Ok(false);
        }
        for _ in 0..n_undo {
            if self.try_ask("undo")?.is_err() {
                return Ok(false);
            }
        }
        self.send_plays(target, plays)?;
        Ok(true)
    }

    /// Sets up the game from nothing.
    fn begin(&mut self, target: &ToldGame) -> Result<(), PlayerError> {
        let (width, height) = (target.size.width(), target.size.height());
        let size = match target.size.is_square() {
            true => format!("boardsize {width}"),
            false if self.knows("rectangular_boardsize") => format!("rectangular_boardsize {width} {height}"),
            // Some take the width of `boardsize WIDTH HEIGHT` for both sides.
            false => {
                let why = format!("it does not list rectangular_boardsize, which {width}x{height} needs");
                return Err(PlayerError::Unable { name: self.name.clone(), why });
            }
        };
        self.require(&size)?;
        self.require("clear_board")?;
        if self.knows("komi") {
            self.require(&format!("komi {}", target.komi))?;
        }
        // An engine that refuses rules plays by its own; what it plays is judged by ours.
        if self.knows("kata-set-rules") {
            let _ = self.try_ask(&format!("kata-set-rules {}", words::kata_rules(target.rules)))?;
        } else if let Some(rules) = words::kgs_rules(target.rules)
            && self.knows("kgs-rules")
        {
            let _ = self.try_ask(&format!("kgs-rules {rules}"))?;
        }
        self.told_time = None;
        let handicap = format!("set_free_handicap {}", target.start_points());
        let is_set =
            target.is_handicap && self.knows("set_free_handicap") && self.try_ask(&handicap)?.is_ok();
        if !is_set {
            self.send_plays(target, &target.stones)?;
        }
        self.send_plays(target, &target.plays)
    }

    fn send_plays(&mut self, target: &ToldGame, plays: &[PlayedMove]) -> Result<(), PlayerError> {
        for &play in plays {
            let command = target.command(play);
            if let Err(text) = self.try_ask(&command)? {
                return Err(self.nonsense(refusal(&text, &command), LEGAL_MOVE_ACCEPTED));
            }
        }
        Ok(())
    }

    fn tell_time(&mut self, system: TimeSystem) -> Result<(), PlayerError> {
        let is_told = match self.told_time {
            Some((told, _)) => told == system,
            None => system == TimeSystem::Unlimited,
        };
        if is_told {
            return Ok(());
        }
        self.told_time = None;
        for (command, dialect) in time::settings(system, |command| self.knows(command)) {
            if self.try_ask(&command)?.is_ok() {
                self.told_time = Some((system, dialect));
                break;
            }
        }
        Ok(())
    }

    fn tell_time_left(&mut self, color: Color, clock: &Clock) -> Result<(), PlayerError> {
        if let Some((_, dialect)) = self.told_time
            && self.knows("time_left")
            && let Some((left, stones)) = time::left(clock, dialect)
        {
            let _ = self.try_ask(&format!("time_left {} {left} {stones}", table::letter(color)))?;
        }
        Ok(())
    }

    /// Asks what must not be refused.
    fn require(&mut self, command: &str) -> Result<(), PlayerError> {
        let answer = self.try_ask(command)?;
        answer.map(|_| ()).map_err(|text| refusal::unable(self.name.clone(), &text, command))
    }

    /// Asks what may be refused: the inner error is the engine's reason.
    fn try_ask(&mut self, command: &str) -> Result<Result<String, String>, PlayerError> {
        self.ask_client(command, self.patience.answer)
    }

    /// Asks what must be answered.
    fn ask(&mut self, command: &str, limit: Duration) -> Result<String, PlayerError> {
        self.ask_client(command, limit)?.map_err(|text| self.nonsense(refusal(&text, command), "an answer"))
    }

    fn ask_client(&mut self, command: &str, limit: Duration) -> Result<Result<String, String>, PlayerError> {
        let Some(client) = &mut self.client else {
            return Err(refusal::ended(self.name.clone()));
        };
        match client.ask(command, limit) {
            Ok(answer) => Ok(Ok(answer)),
            Err(ClientError::Failure(text)) => Ok(Err(text)),
            Err(error) => Err(self.bury(error)),
        }
    }

    /// Ends an engine that failed and says how it did.
    fn bury(&mut self, error: ClientError) -> PlayerError {
        self.dismiss();
        match refusal::no_answer(self.name.clone(), error) {
            PlayerError::Nonsense { answer, expected, .. } => self.nonsense(answer, expected),
            error => {
                if let PlayerError::Hang { .. } = error {
                    self.quote_last_words();
                }
                error
            }
        }
    }

    /// Ends an engine that gave such an answer.
    fn nonsense(&mut self, answer: String, expected: &'static str) -> PlayerError {
        self.dismiss();
        self.quote_last_words();
        // An answer may be longer than anybody reads.
        let answer = match answer.char_indices().nth(N_QUOTED) {
            Some((at, _)) => format!("{}…", &answer[..at]),
            None => answer,
        };
        PlayerError::Nonsense { name: self.name.clone(), answer, expected }
    }

    /// What the engine wrote last explains a failure as well as anything.
    fn quote_last_words(&mut self) {
        let words = self.last_words();
        self.explanation = (!words.is_empty()).then(|| format!("its last words: {}", words.join(" | ")));
    }

    /// Reads the answer to genmove and remembers that the engine has played it.
    fn decide(&mut self, answer: &str, color: Color, position: &Position) -> Result<Decision, PlayerError> {
        let word = answer.split_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("resign") {
            return Ok(Decision::Resign);
        }
        let vertex: Vertex = position
            .size()
            .parse_vertex(word)
            .map_err(|_| self.nonsense(answer.to_string(), "a move like C3, pass or resign"))?;
        if !position.is_legal(color, vertex) {
            // The game's affair; only the engine's own words are at hand here. It has no part in the game any more.
            self.dismiss();
            self.quote_last_words();
        }
        if let Some(told) = &mut self.told {
            told.plays.push(PlayedMove { color, vertex });
        }
        Ok(Decision::Play(vertex))
    }
}

impl Player for GtpPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        position: &Position,
        color: Color,
        budget: &Budget,
    ) -> Result<Decision, PlayerError> {
        self.explanation = None;
        let clock = budget.clocks.map(|clocks| clocks[color.idx()]);
        let system = match (clock.map_or(TimeSystem::Unlimited, |clock| clock.system()), budget.time) {
            (TimeSystem::Unlimited, Some(period)) => {
                TimeSystem::Canadian { main: Duration::ZERO, period, stones: 1 }
            }
            (system, _) => system,
        };
        self.prepare(position, system)?;
        if let Some(clock) = &clock {
            self.tell_time_left(color, clock)?;
        }
        let limit = clock
            .as_ref()
            .and_then(time::reach)
            .map_or(self.patience.think, |reach| reach.saturating_add(self.patience.margin));
        let cleans = budget.cleanup && self.knows("kgs-genmove_cleanup");
        let command = if cleans { "kgs-genmove_cleanup" } else { "genmove" };
        let answer = self.ask(&format!("{command} {}", table::letter(color)), limit)?;
        let decision = self.decide(&answer, color, position)?;
        if self.explanation.is_none() && self.client.is_some() && self.knows("gomill-explain_last_move") {
            self.explanation = self.try_ask("gomill-explain_last_move")?.ok().filter(|text| !text.is_empty());
        }
        Ok(decision)
    }

    fn explain(&self) -> Option<String> {
        self.explanation.clone()
    }

    fn forget(&mut self) {
        self.told = None;
        self.explanation = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_have_their_place_in_command_lines() {
        assert_eq!(with_seed("tengen gtp --seed {seed}", u64::MAX), "tengen gtp --seed 18446744073709551615");
        assert_eq!(with_seed("gnugo --seed {seed31}", u64::MAX), format!("gnugo --seed {}", i32::MAX));
        assert_eq!(with_seed("engine {seeds}", 7), "engine {seeds}");
    }
}
