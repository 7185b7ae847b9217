//! The game as it is told: whole, as a line of a list, and its count.

use goban::{Color, Position, Scoring, Vertex};
use player::record;

use super::Table;
use crate::protocol::spot::{point, stones};
use crate::protocol::tell::{self, Num, Phase, ScoreView, TallyView};

impl Table {
    /// The game as the page is told of it.
    pub(crate) fn view(&self, thinking: bool) -> tell::Game {
        let (position, size) = (&self.position, self.position.size());
        let start = Position::from_setup(&position.board_after(0).to_setup(), Color::Black, position.rules());
        // A record of others may have counted otherwise; then its result stands alone.
        let score = score_view(position, &self.dead);
        let is_counted = self.phase == Phase::Counting || self.result.as_deref() == Some(&score.result);
        tell::Game {
            id: 0,
            name: self.name.clone(),
            players: self.players.clone(),
            width: size.width(),
            height: size.height(),
            color: self.terms.color,
            level: self.terms.level,
            net: self.terms.net.clone(),
            komi: Num(position.komi()),
            rules: position.rules().to_string(),
            handicap: position.handicap(),
            start: start.map(|start| stones(&start)).unwrap_or_default(),
            moves: position
                .plays()
                .iter()
                .map(|play| (play.color.into(), point(size, play.vertex)))
                .collect(),
            stones: stones(position),
            to_play: position.to_play().into(),
            captured: Color::BOTH.map(|color| position.n_captured(color)),
            phase: self.phase,
            thinking,
            teach: self.terms.teach,
            checking: false,
            lesson: None,
            trouble: None,
            dead: self.dead.iter().map(|&vertex| point(size, vertex)).collect(),
            score: is_counted.then_some(score),
            result: self.result.clone(),
            clock: self
                .clocks
                .as_ref()
                .map(|clocks| clocks.view((self.phase == Phase::Playing).then_some(position.to_play()))),
        }
    }

    /// The game in a line of a list.
    pub(crate) fn card(&self, id: u32, changed: u64) -> tell::GameCard {
        tell::GameCard {
            id,
            name: self.name.clone(),
            players: self.players.clone(),
            created: self.created,
            changed,
            size: self.position.size().width(),
            color: self.terms.color,
            level: self.terms.level,
            net: self.terms.net.clone(),
            handicap: self.position.handicap(),
            phase: self.phase,
            result: self.result.clone(),
            moves: self.position.plays().len(),
            stones: stones(&self.position),
        }
    }
}

fn score_view(position: &Position, dead: &[Vertex]) -> ScoreView {
    let score = position.score_with_dead(dead);
    let tally = |tally: &goban::PlayerScore| TallyView {
        stones: tally.stones,
        territory: tally.territory,
        tax: tally.tax,
        prisoners: tally.prisoners,
        dead: tally.dead,
        komi: Num(tally.komi),
        handicap: tally.handicap,
        button: Num(tally.button),
        points: Num(tally.points),
    };
    let letter = |owner: &Option<Color>| match owner {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    ScoreView {
        result: record::result_of(&score).to_string(),
        area: position.rules().scoring == Scoring::Area,
        black: tally(&score.black),
        white: tally(&score.white),
        owners: score.owners.iter().map(letter).collect(),
    }
}
