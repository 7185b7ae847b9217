//! The score of two players: what their games say about their strength, and the words for it.
//!
//! Every outlet (terminal, report, CSV, JSON, page) takes its numbers and its words from here. The rate is the share of the
//! points over all games, with Wilson's interval. Elo and the likelihood of superiority (LOS) are judged by colour pairs:
//! two games of a pair share their opening, so they are not independent, and an opening that suits Black gives one point to
//! each side. A game whose partner is not finished counts as an independent one. So a match whose pairs are all complete
//! gives exactly the pentanomial numbers, and one game more changes them a little instead of exchanging the model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::count::{Pentanomial, Trinomial, WinDrawLoss, superiority};
use super::elo::{Elo, signed};
use super::share::wilson95;

/// Shown where nothing is known.
const NOTHING: &str = "–";

/// The games of two players by their results, A's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// All games.
    pub games: Trinomial,
    /// The games among them that form colour pairs, by A's points of a pair.
    pub pairs: Pentanomial,
}

/// A share of the points, 0 to 1, with Wilson's 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// The share.
    pub rate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A score in words: what people read, the same in every outlet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreText {
    /// A's wins and B's: `12 : 8`, or with draws `12 : 8, 1 draw`.
    pub score: String,
    /// A's share of the points in per cent: `60.0 %`.
    pub rate: String,
    /// Its interval: `[38.7, 78.1]`.
    pub rate_interval: String,
    /// The Elo difference: `+70`.
    pub elo: String,
    /// Its interval: `[−80, +221]`.
    pub elo_interval: String,
    /// The likelihood of superiority: `81.4 %`.
    pub los: String,
}

impl MatchScore {
    /// The score of games that are given with their numbers, from 1, in any order. Games 2k−1 and 2k are a colour pair.
    pub fn of(games: impl IntoIterator<Item = (u64, WinDrawLoss)>) -> Self {
        let mut count = ScoreCount::default();
        for (number, outcome) in games {
            count.add(number, outcome);
        }
        count.score
    }

    /// Games that have no partner.
    fn n_single(&self) -> u64 {
        self.games.games() - self.pairs.games()
    }

    /// A's share of the points; nothing without games.
    pub fn rate(&self) -> Option<Rate> {
        let n = self.games.games();
        let [low, high] = wilson95(self.games.points(), n);
        (n > 0).then(|| Rate { rate: self.games.rate(), low, high })
    }

    /// How far A is ahead; nothing before the first whole pair, since an opening that suits Black would be enough for it.
    pub fn elo(&self) -> Option<Elo> {
        let n = self.games.games() as f64;
        let design = (self.pairs.games() as f64 * self.pairs.design() + self.n_single() as f64) / n;
        (self.pairs.pairs() > 0).then(|| Elo::from_share(self.games.rate(), n, design))
    }

    /// The likelihood that A is the better player, 0 to 1; nothing before the first whole pair.
    pub fn los(&self) -> Option<f64> {
        // Points above an even score, and their squares: one point and 1 for a pair that A wins, half of it and a quarter
        // for a single game.
        let sum = self.games.points() - 0.5 * self.games.games() as f64;
        let squares = self.pairs.squares() + 0.25 * self.n_single() as f64;
        (self.pairs.pairs() > 0).then(|| superiority(sum, squares))
    }

    /// The same games, B's view.
    pub fn reversed(self) -> Self {
        Self { games: self.games.reversed(), pairs: self.pairs.reversed() }
    }

    /// The score in words.
    pub fn text(&self) -> ScoreText {
        let or_nothing = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_string());
        let (rate, elo) = (self.rate(), self.elo());
        ScoreText {
            score: match (self.games.games(), self.games.draws) {
                (0, _) => NOTHING.to_string(),
                (_, 0) => format!("{} : {}", self.games.wins, self.games.losses),
                (_, n) => format!("{} : {}, {}", self.games.wins, self.games.losses, count_of(n, "draw")),
            },
            rate: or_nothing(rate.map(|rate| percent(rate.rate))),
            rate_interval: or_nothing(
                rate.map(|rate| format!("[{:.1}, {:.1}]", 100.0 * rate.low, 100.0 * rate.high)),
            ),
            elo: or_nothing(elo.map(|elo| signed(elo.elo))),
            elo_interval: or_nothing(elo.map(|elo| elo.interval())),
            los: or_nothing(self.los().map(percent)),
        }
    }
}

impl ScoreText {
    /// `60.0 % [38.7, 78.1]`; a dash without games.
    pub fn rate_with_interval(&self) -> String {
        with_interval(&self.rate, &self.rate_interval)
    }

    /// `+70 [−80, +221]`; a dash where nothing is known.
    pub fn elo_with_interval(&self) -> String {
        with_interval(&self.elo, &self.elo_interval)
    }

    /// All of it in a line: `12 : 8, 60.0 % [38.7, 78.1], Elo +70 [−80, +221], LOS 81.4 %`.
    pub fn line(&self) -> String {
        let (rate, elo) = (self.rate_with_interval(), self.elo_with_interval());
        format!("{}, {rate}, Elo {elo}, LOS {}", self.score, self.los)
    }
}

fn with_interval(value: &str, interval: &str) -> String {
    if interval == NOTHING { value.to_string() } else { format!("{value} {interval}") }
}

/// A share from 0 to 1 as `60.0 %`.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// `1 game`, `2 games`.
pub fn count_of(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// A score that grows game by game, in any order.
#[derive(Clone, Debug, Default)]
pub struct ScoreCount {
    score: MatchScore,
    /// Games whose partner is not finished, by pair.
    single: BTreeMap<u64, WinDrawLoss>,
}

impl ScoreCount {
    /// Adds the game of this number, from 1.
    pub fn add(&mut self, number: u64, outcome: WinDrawLoss) {
        self.score.games.add(outcome);
        let pair = crate::game::pair_of(number);
        match self.single.remove(&pair) {
            Some(partner) => self.score.pairs.add(partner, outcome),
            None => {
                self.single.insert(pair, outcome);
            }
        }
    }

    /// The score so far.
    pub fn score(&self) -> MatchScore {
        self.score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(outcomes: &[WinDrawLoss]) -> MatchScore {
        MatchScore::of((1..).zip(outcomes.iter().copied()))
    }

    use WinDrawLoss::{Draw, Loss, Win};

    #[test]
    fn complete_pairs_give_the_pentanomial_numbers() {
        let score = score(&[Win, Loss, Win, Win, Draw, Win, Loss, Loss]);
        assert_eq!(score.pairs, Pentanomial([1, 0, 1, 1, 1]));
        assert_eq!(score.elo(), Some(score.pairs.elo()));
        assert!((score.los().unwrap() - score.pairs.los()).abs() < 1e-12);
        // In whatever order they end.
        let order = [7, 2, 1, 4, 8, 3, 6, 5];
        let outcomes = [Win, Loss, Win, Win, Draw, Win, Loss, Loss];
        assert_eq!(MatchScore::of(order.map(|n| (n, outcomes[n as usize - 1]))), score);
    }

    #[test]
    fn a_single_game_more_changes_little() {
        let mut outcomes: Vec<WinDrawLoss> = (0..20).map(|n| if n % 3 == 0 { Loss } else { Win }).collect();
        let even = score(&outcomes);
        outcomes.push(Win);
        let odd = score(&outcomes);
        let [before, after] = [even, odd].map(|score| score.elo().unwrap());
        assert!(before.elo < after.elo && after.elo - before.elo < 25.0, "{before} {after}");
        assert!((after.margin() - before.margin()).abs() < 0.1 * before.margin(), "{before} {after}");
        assert!((odd.los().unwrap() - even.los().unwrap()).abs() < 0.03);
    }

    #[test]
    fn nothing_is_said_of_strength_before_a_whole_pair() {
        let one = score(&[Win]);
        assert_eq!((one.elo(), one.los()), (None, None));
        assert_eq!(one.text().elo_with_interval(), "–");
        assert_eq!(MatchScore::default().rate(), None);
        assert_eq!(MatchScore::default().text().line(), "–, –, Elo –, LOS –");
        // Whoever has won everything has no upper end.
        let two = score(&[Win, Win]);
        assert!(two.elo().unwrap().open_ends()[0].is_finite());
        assert!(two.text().elo_interval.ends_with(", +∞]"), "{:?}", two.text());
    }

    #[test]
    fn b_sees_the_same_games_from_the_other_side() {
        let ours = score(&[Win, Loss, Win, Win, Draw, Win, Win]);
        let theirs = ours.reversed();
        let [seen, expected] = [theirs.elo().unwrap(), ours.elo().unwrap().reversed()];
        assert!((seen.elo - expected.elo).abs() < 1e-9 && (seen.low - expected.low).abs() < 1e-9);
        assert!((ours.los().unwrap() + theirs.los().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(ours.text().score, "5 : 1, 1 draw");
        assert_eq!(theirs.text().score, "1 : 5, 1 draw");
    }
}
