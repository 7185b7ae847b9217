//! A table for the board games beside Go: two players, and the rules decide.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::Color;
use player::PlayError;
use player::boardgame::{Contest, Opponent, play_contest};

use super::{GameTable, PlayedGame, reseat, seeds_text};
use crate::game::{FinishedGame, PairSide, Pairing, Terms};
use crate::{Error, ErrorPlace, Result};

pub(super) struct BoardTable {
    stop: Arc<AtomicBool>,
    /// A and B, each with the key of the seat.
    seats: Vec<(String, Box<dyn Opponent>)>,
}

impl BoardTable {
    pub(super) fn new(stop: &Arc<AtomicBool>) -> Self {
        Self { stop: Arc::clone(stop), seats: Vec::new() }
    }
}

impl GameTable for BoardTable {
    fn suits(&self, terms: &Terms) -> bool {
        terms.board.is_some()
    }

    fn seat(&mut self, pairing: &Pairing) -> Result<()> {
        let terms = &pairing.terms;
        let keys = pairing.entrants.each_ref().map(|entrant| entrant.seat_key(terms));
        let stop = &self.stop;
        reseat(&mut self.seats, keys, |idx| pairing.entrants[idx].sit_at_board(terms, stop))
    }

    fn play(&mut self, pairing: &Pairing, number: u64) -> Result<PlayedGame> {
        let stopped = || Error::Game(PlayError::Stopped);
        let game = pairing.terms.board.as_ref().ok_or_else(stopped)?;
        let [(_, a), (_, b)] = &mut self.seats[..] else { return Err(stopped()) };
        let mut board = game.board();
        let seeds = pairing.seeds(number);
        a.begin(board.as_ref(), seeds[0])?;
        b.begin(board.as_ref(), seeds[1])?;
        let mut contest = Contest { allowance: Default::default(), may_resign: pairing.terms.may_resign };
        for side in PairSide::BOTH {
            let allowance = pairing.entrants[side.idx()].allowance(pairing.terms.allowance);
            contest.allowance[side.color(number).idx()] = allowance;
        }
        let (black, white) = if PairSide::A.color(number) == Color::Black { (a, b) } else { (b, a) };
        let log = play_contest(board.as_mut(), black.as_mut(), white.as_mut(), &contest, &self.stop)?;
        let line = FinishedGame::new(number, seeds, &log);
        let mut facts = log.facts(0);
        facts.event = Some(pairing.terms.event.clone());
        facts.round = Some(number.to_string());
        let text = seeds_text(&line);
        facts.comment = Some(facts.comment.map_or(text.clone(), |remarks| format!("{remarks}\n{text}")));
        let record = board.record(&facts).map_err(Error::other).at("its record")?;
        Ok(PlayedGame { line, record, log })
    }
}
