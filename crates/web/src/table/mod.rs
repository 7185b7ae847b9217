//! A game against Tengen: what the visitor may do when, and how the game is told. Who thinks about Tengen's moves is not
//! known here.
//!
//! In reading order: this file (the game), `clocks` (time), `view` (how it is told), `keep` (the game as a file and back).

mod clocks;
mod keep;
#[cfg(test)]
mod tests;
mod view;

use std::time::SystemTime;

use goban::{Color, Position, Rules, Scoring, Size, Vertex};
use player::record;

use crate::protocol::ask::NewGame;
use crate::protocol::tell::Phase;
use crate::protocol::{Answer, Kind, Refusal};
use clocks::Clocks;
pub(crate) use keep::{default_komi, first_game, rules_of};
use player::levels;

/// Letters of a game's name.
const MAX_NAME: usize = 60;
/// The smallest board that is played on.
const MIN_SIDE: usize = 5;

/// A game against Tengen.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    terms: NewGame,
    position: Position,
    phase: Phase,
    /// Stones that count as dead; whole chains.
    dead: Vec<Vertex>,
    /// Whether somebody has said which stones are dead, if only that none are.
    is_judged: bool,
    result: Option<String>,
    clocks: Option<Clocks>,
    /// What the visitor calls it.
    name: Option<String>,
    /// Who played it, Black first, if it is the record of others.
    players: Option<[String; 2]>,
    /// When it was begun, in seconds since 1970; 0 if that is not known.
    created: u64,
    /// Changes with every change of the game, so that an answer to an older position is known for what it is.
    serial: u64,
}

impl Table {
    /// A new game.
    pub(crate) fn new(terms: NewGame) -> Answer<Self> {
        let invalid = |error: &dyn std::fmt::Display| Refusal::invalid(error.to_string());
        if !(MIN_SIDE..=Size::MAX).contains(&terms.size) {
            let (side, max) = (terms.size, Size::MAX);
            return Err(Refusal::invalid(format!("size {side}: expected {MIN_SIDE} to {max}")));
        }
        check_level(terms.level, terms.net.is_some())?;
        let size = Size::square(terms.size).map_err(|error| invalid(&error))?;
        let rules: Rules = terms.rules.parse().map_err(|error| invalid(&error))?;
        let mut position = Position::new(size, rules);
        if terms.komi.abs() > size.area() as f32 {
            return Err(Refusal::invalid(format!("komi {}: the board has fewer points", terms.komi)));
        }
        position.set_komi(terms.komi).map_err(|error| invalid(&error))?;
        match terms.handicap {
            0 => {}
            1 => return Err(Refusal::invalid("one stone is no handicap; expected 0, or 2 and more")),
            n => {
                position.fixed_handicap(n).map_err(|error| invalid(&error))?;
            }
        }
        check_teach(&terms)?;
        Self::of(terms, position)
    }

    /// A game that is played from here on.
    fn of(terms: NewGame, position: Position) -> Answer<Self> {
        Ok(Self {
            clocks: terms.clock.map(Clocks::new).transpose()?,
            terms,
            position,
            phase: Phase::Playing,
            dead: Vec::new(),
            is_judged: false,
            result: None,
            name: None,
            players: None,
            created: now(),
            serial: 0,
        })
    }

    /// The game before anybody chose anything: 9×9 against a middling level.
    pub(crate) fn usual() -> Answer<Self> {
        Self::new(NewGame {
            size: 9,
            color: crate::protocol::ask::Side::Black,
            komi: 7.5,
            rules: "chinese".to_string(),
            handicap: 0,
            level: 4,
            net: None,
            clock: None,
            teach: false,
        })
    }

    /// Whether nothing has happened that is worth keeping.
    pub(crate) fn is_blank(&self) -> bool {
        self.position.plays().is_empty() && self.phase == Phase::Playing && self.name.is_none()
    }

    /// Names the game; without letters it has no name.
    ///
    /// # Errors
    /// A name that is too long.
    pub(crate) fn rename(&mut self, name: &str) -> Answer<()> {
        let name = name.trim();
        let n_letters = name.chars().count();
        if n_letters > MAX_NAME {
            return Err(Refusal::invalid(format!(
                "a name of {n_letters} letters: expected at most {MAX_NAME}"
            )));
        }
        self.name = (!name.is_empty()).then(|| name.to_string());
        Ok(())
    }

    /// A new game with the first moves of this one. Of a record of others the visitor takes the side that is to move.
    ///
    /// # Errors
    /// More moves than there are.
    pub(crate) fn branch_at(&self, ply: usize) -> Answer<Self> {
        let n_plays = self.position.plays().len();
        if ply > n_plays {
            return Err(Refusal::invalid(format!("{ply} moves: the game has {n_plays}")));
        }
        let mut position = self.position.clone();
        position.undo_many(n_plays - ply);
        // Whoever goes on after two passes does not count again at once.
        position.undo_many(position.n_passes().min(2));
        let mut terms = self.terms.clone();
        if self.players.is_some() {
            terms.color = position.to_play().into();
        }
        Self::of(terms, position)
    }

    /// Whether the visitor's moves are compared with the best.
    pub(crate) fn teaches(&self) -> bool {
        self.terms.teach
    }

    pub(crate) fn set_teach(&mut self, on: bool) -> Answer<()> {
        check_teach(&NewGame { teach: on, ..self.terms.clone() })?;
        self.terms.teach = on;
        Ok(())
    }

    /// This game in place of another of that serial.
    pub(crate) fn after(self, serial: u64) -> Self {
        Self { serial: serial + 1, ..self }
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    pub(crate) fn level(&self) -> &'static levels::Level {
        let levels = levels::levels(self.net().is_some());
        levels.get(self.terms.level.saturating_sub(1)).unwrap_or(&levels[0])
    }

    /// The name of the network that Tengen asks, if it does.
    pub(crate) fn net(&self) -> Option<&str> {
        self.terms.net.as_deref()
    }

    pub(crate) fn visitor(&self) -> Color {
        self.terms.color.into()
    }

    /// Whether Tengen is to move.
    pub(crate) fn is_ours(&self) -> bool {
        self.phase == Phase::Playing && self.position.to_play() != self.visitor()
    }

    /// Whether the visitor is to move.
    pub(crate) fn is_theirs(&self) -> bool {
        self.phase == Phase::Playing && self.position.to_play() == self.visitor()
    }

    /// Whether dead stones have to be found.
    pub(crate) fn is_counting(&self) -> bool {
        self.phase == Phase::Counting
    }

    /// Whether nobody has said so far which stones are dead.
    pub(crate) fn is_unjudged(&self) -> bool {
        self.is_counting() && !self.is_judged
    }

    /// What the clock allows Tengen for this move.
    pub(crate) fn time_for_move(&self) -> Option<std::time::Duration> {
        self.clocks.as_ref()?.plan(&self.position)
    }

    /// The visitor's move, made after `ply` moves.
    pub(crate) fn visitor_plays(&mut self, vertex: Vertex, ply: usize) -> Answer<()> {
        self.need(Phase::Playing)?;
        if !self.is_theirs() {
            return Err(Refusal::state("it is Tengen's turn; wait for its move or take yours back"));
        }
        let n_plays = self.position.plays().len();
        if ply != n_plays {
            return Err(Refusal::state(format!(
                "the move was meant for a position after {ply} moves, but {n_plays} have been made"
            )));
        }
        self.play(vertex)
    }

    /// A move of whoever is to move.
    pub(crate) fn play(&mut self, vertex: Vertex) -> Answer<()> {
        self.need(Phase::Playing)?;
        let color = self.position.to_play();
        self.position
            .legality(color, vertex)
            .map_err(|error| Refusal::new(Kind::Illegal, error.to_string()))?;
        if self.clocks.as_mut().is_some_and(|clocks| !clocks.press(color)) {
            self.lose_on_time(color);
            return Ok(());
        }
        self.position.play(color, vertex).map_err(|error| Refusal::new(Kind::Illegal, error.to_string()))?;
        self.serial += 1;
        if self.position.is_over() {
            self.phase = Phase::Counting;
            self.dead.clear();
            self.is_judged = false;
            self.stop_clock();
        }
        Ok(())
    }

    /// Somebody gives up.
    pub(crate) fn resign(&mut self, loser: Color) -> Answer<()> {
        self.need(Phase::Playing)?;
        self.end(format!("{}+R", (!loser).letter()));
        Ok(())
    }

    /// Takes back the visitor's last move and what came after it.
    pub(crate) fn undo(&mut self) -> Answer<()> {
        let plays = self.position.plays();
        let Some(last) = plays.iter().rposition(|play| play.color == self.visitor()) else {
            return Err(Refusal::state("there is no move of yours to take back"));
        };
        self.position.undo_many(plays.len() - last);
        self.go_on();
        Ok(())
    }

    /// The visitor does not agree with the count and plays on; the passes are taken back.
    pub(crate) fn resume(&mut self) -> Answer<()> {
        self.need(Phase::Counting)?;
        self.position.undo_many(self.position.n_passes().min(2));
        self.go_on();
        Ok(())
    }

    fn go_on(&mut self) {
        self.phase = Phase::Playing;
        self.dead.clear();
        self.result = None;
        self.serial += 1;
        if let Some(clocks) = &mut self.clocks {
            clocks.start();
        }
    }

    /// What Tengen thinks is dead.
    pub(crate) fn judge(&mut self, dead: Vec<Vertex>) {
        if self.phase == Phase::Counting {
            self.dead = dead;
            self.is_judged = true;
            self.serial += 1;
        }
    }

    /// Whether everything on the board is alive by the rules.
    pub(crate) fn all_alive(&self) -> bool {
        let rules = self.position.rules();
        rules.scoring == Scoring::Area && !rules.friendly_pass
    }

    /// A chain changes from dead to alive or back.
    pub(crate) fn toggle_dead(&mut self, vertex: Vertex) -> Answer<()> {
        self.need(Phase::Counting)?;
        if self.all_alive() {
            return Err(Refusal::state("under these rules every stone on the board is alive"));
        }
        let board = self.position.board();
        let chain = if vertex.is_pass() { Vec::new() } else { board.chain(vertex) };
        if chain.is_empty() {
            return Err(Refusal::new(Kind::Illegal, "there is no stone"));
        }
        self.is_judged = true;
        let was_dead = self.dead.contains(&vertex);
        self.dead.retain(|dead| !chain.contains(dead));
        if !was_dead {
            self.dead.extend(chain);
        }
        self.serial += 1;
        Ok(())
    }

    /// The visitor agrees with the count.
    pub(crate) fn accept(&mut self) -> Answer<()> {
        self.need(Phase::Counting)?;
        let score = self.position.score_with_dead(&self.dead);
        self.end(record::result_of(&score).to_string());
        Ok(())
    }

    /// Ends the game if the time of whoever is to move is over.
    pub(crate) fn flag(&mut self) -> bool {
        let color = self.position.to_play();
        let is_over =
            self.phase == Phase::Playing && self.clocks.as_ref().is_some_and(|clocks| clocks.is_over(color));
        if is_over {
            self.lose_on_time(color);
        }
        is_over
    }

    fn lose_on_time(&mut self, color: Color) {
        if let Some(clocks) = &mut self.clocks {
            clocks.run_out(color);
        }
        self.end(format!("{}+T", (!color).letter()));
    }

    fn end(&mut self, result: String) {
        self.phase = Phase::Over;
        self.result = Some(result);
        self.serial += 1;
        self.stop_clock();
    }

    fn stop_clock(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
    }

    fn need(&self, phase: Phase) -> Answer<()> {
        if self.phase == phase {
            return Ok(());
        }
        Err(Refusal::state(match self.phase {
            Phase::Playing => "the game is not over yet",
            Phase::Counting => "both have passed; accept the count or play on",
            Phase::Over => "the game is over; start a new one or take a move back",
        }))
    }
}

/// Seconds since 1970; 0 on a machine whose clock says that it is earlier.
fn now() -> u64 {
    seconds_of(SystemTime::now())
}

/// A moment in seconds since 1970.
pub(crate) fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Whoever is taught thinks about it as long as it takes.
fn check_teach(terms: &NewGame) -> Answer<()> {
    if terms.teach && terms.clock.is_some() {
        return Err(Refusal::invalid("teach: expected a game without a clock"));
    }
    Ok(())
}

pub(crate) fn check_level(level: usize, has_net: bool) -> Answer<()> {
    match levels::by_number(level, has_net) {
        Some(_) => Ok(()),
        None => {
            let n = levels::levels(has_net).len();
            Err(Refusal::invalid(format!("level {level}: expected 1 to {n}")))
        }
    }
}
