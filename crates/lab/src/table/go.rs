//! A table for Go: two players and a referee.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goban::Color;
use player::{GameRecord, Judge, PlayError, play_game};

use super::{GameTable, PlayedGame, reseat, seeds_text};
use crate::entrant::Seat;
use crate::game::{FinishedGame, PairSide, Pairing, Terms};
use crate::{Error, ErrorPlace, Result};

pub(super) struct GoTable {
    stop: Arc<AtomicBool>,
    /// A and B, each with the key of the seat.
    seats: Vec<(String, Seat)>,
    judge: Judge,
    judge_key: String,
}

impl GoTable {
    pub(super) fn new(stop: &Arc<AtomicBool>) -> Self {
        Self { stop: Arc::clone(stop), seats: Vec::new(), judge: Judge::Board, judge_key: String::new() }
    }

    fn play_seated(&mut self, pairing: &Pairing, number: u64) -> Result<GameRecord, PlayError> {
        let setup = pairing.setup(number);
        let position = setup.position()?;
        let seeds = pairing.seeds(number);
        let [(_, a), (_, b)] = &mut self.seats[..] else { return Err(PlayError::Stopped) };
        for (seat, side) in [&mut *a, &mut *b].into_iter().zip(PairSide::BOTH) {
            let allowance = setup.allowance[side.color(number).idx()];
            seat.ready(seeds[side.idx()], &position, allowance).map_err(PlayError::Unable)?;
        }
        self.judge.prepare(&position).map_err(PlayError::Unable)?;
        let (a, b) = (a.player(), b.player());
        let (black, white) = if PairSide::A.color(number) == Color::Black { (a, b) } else { (b, a) };
        play_game(black, white, &setup, &mut self.judge, &self.stop)
    }
}

impl GameTable for GoTable {
    fn suits(&self, terms: &Terms) -> bool {
        terms.board.is_none()
    }

    fn seat(&mut self, pairing: &Pairing) -> Result<()> {
        let terms = &pairing.terms;
        let keys = pairing.entrants.each_ref().map(|entrant| entrant.seat_key(terms));
        let stop = &self.stop;
        reseat(&mut self.seats, keys, |idx| Ok(pairing.entrants[idx].sit(terms, stop)?))?;
        let judge_key = format!("{} {:?}", terms.judge, terms.patience);
        if self.judge_key != judge_key {
            self.judge = Judge::Board;
            self.judge_key.clear();
            self.judge = terms.judge.call_until(terms.patience, &self.stop).at("the referee")?;
            self.judge_key = judge_key;
        }
        Ok(())
    }

    fn play(&mut self, pairing: &Pairing, number: u64) -> Result<PlayedGame> {
        let record = self.play_seated(pairing, number)?;
        let log = record.log();
        let mut line = FinishedGame::new(number, pairing.seeds(number), &log);
        line.opening = pairing.terms.openings.of_game(number).map(|opening| opening.name.clone());
        let sgf = to_sgf(&pairing.terms, &line, &record)?;
        Ok(PlayedGame { line, record: sgf, log })
    }
}

fn to_sgf(terms: &Terms, line: &FinishedGame, record: &GameRecord) -> Result<String> {
    let mut header = record.header();
    header.event = Some(terms.event.clone());
    header.round = Some(line.game.to_string());
    header.name = line.opening.as_ref().map(|opening| format!("opening {opening}"));
    let seeds = seeds_text(line);
    header.comment = Some(header.comment.map_or(seeds.clone(), |remarks| format!("{remarks}\n{seeds}")));
    Ok(record.to_sgf(header).map_err(Error::other).at("its record")?.to_string())
}
