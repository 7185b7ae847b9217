//! The sums of a match between two players, and how they are shown.

use std::collections::BTreeMap;

use comfy_table::{Cell, CellAlignment, Table, presets};
use goban::Color;
use player::ReasonKind;
use serde_json::{Value, json};

use crate::game::line::LONG;
use crate::game::{FinishedGame, PairSide};
use crate::stats::score::count_of;
use crate::stats::{MatchScore, ScoreCount};

/// Sums over games; pairs are A's and B's.
#[derive(Clone, Debug, Default)]
pub struct MatchTally {
    /// Number of games.
    pub games: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games won, by side and colour.
    wins: [[u64; 2]; 2],
    /// Games played, by side and colour.
    played: [[u64; 2]; 2],
    losses: [BTreeMap<ReasonKind, u64>; 2],
    moves: u64,
    n_moves: [u64; 2],
    seconds: [f64; 2],
    simulations: [u64; 2],
    main_used: MainUsed,
    /// Games that the referee could not count.
    uncounted: u64,
    /// Games that the referee counted otherwise than we do.
    disputed: u64,
    count: ScoreCount,
}

/// How the main time was used in long games, by both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MainUsed {
    games: u64,
    sum: f64,
    least: f64,
}

impl MainUsed {
    fn add(&mut self, shares: [f64; 2]) {
        let least = shares[0].min(shares[1]);
        self.least = if self.games == 0 { least } else { self.least.min(least) };
        self.sum += 0.5 * (shares[0] + shares[1]);
        self.games += 1;
    }
}

impl MatchTally {
    /// Adds a game.
    pub fn add(&mut self, line: &FinishedGame) {
        self.games += 1;
        self.moves += line.moves;
        if let Some(shares) = line.main_used.filter(|_| line.is_long()) {
            self.main_used.add(shares);
        }
        for side in PairSide::BOTH {
            let idx = side.idx();
            let color = if line.black == side { Color::Black } else { Color::White };
            self.played[idx][color.idx()] += 1;
            self.n_moves[idx] += line.n_moves[idx];
            self.seconds[idx] += line.seconds[idx];
            self.simulations[idx] += line.simulations[idx];
            match line.winner {
                Some(winner) if winner == side => self.wins[idx][color.idx()] += 1,
                Some(_) => *self.losses[idx].entry(line.reason).or_default() += 1,
                None => {}
            }
        }
        self.draws += u64::from(line.winner.is_none());
        self.uncounted += u64::from(line.is_uncounted());
        self.disputed += u64::from(line.is_disputed());
        self.count.add(line.game, line.outcome());
    }

    /// The score, A's view.
    pub fn score(&self) -> MatchScore {
        self.count.score()
    }

    /// The score as a side sees it.
    fn score_of(&self, side: PairSide) -> MatchScore {
        match side {
            PairSide::A => self.score(),
            PairSide::B => self.score().reversed(),
        }
    }

    /// Games that a side won.
    pub fn wins(&self, side: PairSide) -> u64 {
        self.wins[side.idx()].iter().sum()
    }

    /// One line for other programs.
    pub fn json(&self) -> Value {
        let MainUsed { games: long_games, sum, least } = self.main_used;
        let score = self.score();
        let (rate, elo) = (score.rate(), score.elo());
        // What is infinite or not known is null.
        let tenth = |x: f64| x.is_finite().then(|| (10.0 * x).round() / 10.0);
        let six = |x: f64| (x * 1e6).round() / 1e6;
        let ends = elo.map_or([None; 2], |elo| elo.open_ends().map(tenth));
        let mut json = json!({
            "games": self.games,
            "wins_a": self.wins(PairSide::A),
            "wins_b": self.wins(PairSide::B),
            "draws": self.draws,
            "rate_a": rate.map(|rate| six(rate.rate)),
            "wilson95": rate.map_or([None; 2], |rate| [rate.low, rate.high].map(|end| Some(six(end)))),
            "elo": elo.and_then(|elo| tenth(elo.elo)),
            "elo95": ends,
            "los": score.los().map(six),
            "pentanomial": score.pairs.0,
            "text": score.text(),
            "mean_moves": ratio(self.moves as f64, self.games),
            "seconds_per_move_a": ratio(self.seconds[0], self.n_moves[0]),
            "seconds_per_move_b": ratio(self.seconds[1], self.n_moves[1]),
            "losses_a": self.losses[0],
            "losses_b": self.losses[1],
        });
        if long_games > 0 {
            json["main_time"] = json!({"games": long_games, "used": ratio(sum, long_games), "least": least});
        }
        json
    }

    /// How the main time was used, if there was any.
    fn main_time(&self) -> String {
        let MainUsed { games, sum, least } = self.main_used;
        if games == 0 {
            return String::new();
        }
        format!(
            "\nmain time used: {:.0} %, never less than {:.0} %, in {} of {LONG} plies or more that {} not resigned",
            100.0 * ratio(sum, games),
            100.0 * least,
            count_of(games, "game"),
            if games == 1 { "was" } else { "were" }
        )
    }

    /// The final table.
    pub fn table(&self, names: [&str; 2]) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_header(["", "A", "B"].map(Cell::new));
        let mut row = |title: &str, cell: &dyn Fn(PairSide) -> String| {
            let cells = PairSide::BOTH.map(|side| Cell::new(cell(side)).set_alignment(CellAlignment::Right));
            table.add_row([vec![Cell::new(title)], cells.to_vec()].concat());
        };
        row("player", &|side| names[side.idx()].to_string());
        row("won", &|side| self.wins(side).to_string());
        for color in Color::BOTH {
            row(&format!("  as {color}"), &|side| {
                let (won, n) = (self.wins[side.idx()][color.idx()], self.played[side.idx()][color.idx()]);
                format!("{won} of {n}")
            });
        }
        let or_none = |is_known: bool, text: String| if is_known { text } else { "–".to_string() };
        let has_games = self.games > 0;
        let texts = PairSide::BOTH.map(|side| self.score_of(side).text());
        row("rate [95 %]", &|side| texts[side.idx()].rate_with_interval());
        row("Elo [95 %]", &|side| texts[side.idx()].elo_with_interval());
        row("likelihood of superiority (LOS)", &|side| texts[side.idx()].los.clone());
        let per_move = |sum: f64, side: PairSide| ratio(sum, self.n_moves[side.idx()]);
        row("seconds per move", &|side| {
            or_none(self.n_moves[side.idx()] > 0, format!("{:.3}", per_move(self.seconds[side.idx()], side)))
        });
        if self.simulations.iter().any(|&n| n > 0) {
            row("simulations per move", &|side| {
                let n = self.simulations[side.idx()];
                or_none(n > 0, format!("{:.0}", per_move(n as f64, side)))
            });
        }
        for reason in ReasonKind::ALL {
            let n_lost = |side: PairSide| self.losses[side.idx()].get(&reason).copied().unwrap_or(0);
            if PairSide::BOTH.iter().any(|&side| n_lost(side) > 0) {
                row(&format!("lost by {}", reason.in_words()), &|side| n_lost(side).to_string());
            }
        }
        let (games, draws) = (count_of(self.games, "game"), count_of(self.draws, "draw"));
        let mean = ratio(self.moves as f64, self.games);
        let length = if has_games { format!(", {mean:.1} moves on average") } else { String::new() };
        format!(
            "{table}\n{games}, {draws}{length}{}{}{}{}",
            self.colour_pairs(),
            self.main_time(),
            self.disputed(),
            uncounted_words(self.uncounted).map_or(String::new(), |words| format!("\n{words}"))
        )
    }

    /// How many games the referee counted otherwise than we do, if there are any: by other rules, or of other dead stones.
    fn disputed(&self) -> String {
        match self.disputed {
            0 => String::new(),
            n => format!(
                "\n{}: the referee counted otherwise than we do; the notes tell our count",
                count_of(n, "game")
            ),
        }
    }

    /// How the colour pairs went, if there are any.
    fn colour_pairs(&self) -> String {
        let pairs = self.score().pairs;
        let [nothing, half, one, most, all] = pairs.0;
        match pairs.pairs() {
            0 => String::new(),
            n => format!(
                "\n{}: A got 0 points in {nothing}, ½ in {half}, 1 in {one}, 1½ in {most}, 2 in {all}",
                count_of(n, "colour pair")
            ),
        }
    }
}

/// `2 games: the referee failed, our playouts judged; the notes tell why`; nothing if there are none.
pub fn uncounted_words(n: u64) -> Option<String> {
    let games = count_of(n, "game");
    (n > 0).then(|| format!("{games}: the referee failed, our playouts judged; the notes tell why"))
}

/// A mean to six places; 0 of nothing.
fn ratio(sum: f64, n: u64) -> f64 {
    if n == 0 { 0.0 } else { (sum / n as f64 * 1e6).round() / 1e6 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(game: u64, winner: Option<PairSide>, reason: &str) -> FinishedGame {
        let reason = ReasonKind::of_word(reason).unwrap();
        FinishedGame {
            game,
            black: PairSide::of(Color::Black, game),
            winner,
            margin: None,
            result: String::new(),
            reason,
            details: None,
            note: None,
            moves: 10,
            n_moves: [5, 5],
            seconds: [1.0, 2.0],
            main_used: None,
            simulations: [50, 0],
            seeds: [1, 2],
            opening: None,
        }
    }

    #[test]
    fn main_time_is_asked_for_in_long_games_that_were_played_to_the_end() {
        let mut tally = MatchTally::default();
        let timed = |moves, reason: &str, shares| {
            let main_used = Some(shares);
            FinishedGame { moves, main_used, ..line(1, Some(PairSide::A), reason) }
        };
        tally.add(&timed(59, "score", [0.1, 0.1]));
        tally.add(&timed(90, "resign", [0.2, 0.1]));
        assert_eq!(tally.json()["main_time"], Value::Null);
        assert!(!tally.table(["one", "two"]).contains("main time"));
        tally.add(&timed(60, "score", [0.9, 0.8]));
        let table = tally.table(["one", "two"]);
        assert!(
            table
                .ends_with("85 %, never less than 80 %, in 1 game of 60 plies or more that was not resigned")
        );
        tally.add(&timed(200, "time", [1.0, 0.9]));
        assert_eq!(tally.json()["main_time"], json!({"games": 2, "used": 0.9, "least": 0.8}));
    }

    #[test]
    fn games_that_the_referee_did_not_count_are_told() {
        let mut tally = MatchTally::default();
        tally
            .add(&FinishedGame { note: Some("counted by GNU Go 3.8".to_string()), ..line(1, None, "score") });
        assert!(!tally.table(["one", "two"]).contains("referee"));
        let note = Some(format!("counted by GNU Go 3.8{}W+0.5", player::judge::DISPUTED));
        tally.add(&FinishedGame { note, ..line(3, None, "score") });
        let table = tally.table(["one", "two"]);
        assert!(
            table.ends_with("\n1 game: the referee counted otherwise than we do; the notes tell our count"),
            "{table}"
        );
        let note = Some(format!("{} (it crashed), so …", player::judge::UNCOUNTED));
        tally.add(&FinishedGame { note, ..line(2, None, "score") });
        let table = tally.table(["one", "two"]);
        assert!(
            table.ends_with("\n1 game: the referee failed, our playouts judged; the notes tell why"),
            "{table}"
        );
    }

    #[test]
    fn sums_are_by_side_and_colour() {
        let mut tally = MatchTally::default();
        for line in [
            line(1, Some(PairSide::A), "score"),
            line(2, Some(PairSide::A), "time"),
            line(3, Some(PairSide::B), "resign"),
            line(4, None, "score"),
        ] {
            tally.add(&line);
        }
        assert_eq!(
            (tally.games, tally.draws, tally.wins(PairSide::A), tally.wins(PairSide::B)),
            (4, 1, 2, 1)
        );
        assert_eq!(tally.score().rate().unwrap().rate, 0.625);
        let json = tally.json();
        assert_eq!(json["losses_b"], json!({"score": 1, "time": 1}));
        assert_eq!(json["seconds_per_move_b"], 0.4);
        assert_eq!(json["wilson95"], json!(crate::stats::wilson95(2.5, 4).map(|x| (x * 1e6).round() / 1e6)));
        let table = tally.table(["one", "two"]);
        for part in ["one", "two", "lost by time", "62.5 %", "1 of 2", "10.0 moves"] {
            assert!(table.contains(part), "{part} in\n{table}");
        }
        assert!(!table.contains("lost by silence"));
        tally.add(&line(5, Some(PairSide::A), "too-long"));
        let table = tally.table(["one", "two"]);
        assert!(table.contains("lost by the count of a game that would not end"), "{table}");
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        let mut tally = MatchTally::default();
        let table = tally.table(["one", "two"]);
        assert!(
            table.contains('–') && !table.contains("50.0") && table.ends_with("0 games, 0 draws"),
            "{table}"
        );
        tally.add(&line(1, None, "score"));
        let table = tally.table(["one", "two"]);
        let simulations = table.lines().find(|line| line.contains("simulations")).unwrap();
        assert!(simulations.contains("10") && simulations.contains('–'), "B has none: {table}");
        assert!(table.ends_with("1 game, 1 draw, 10.0 moves on average"), "{table}");
        // One game says nothing about strength: an opening that suits Black would be enough for it.
        assert!(tally.score().text().line().ends_with("50.0 % [5.5, 94.5], Elo –, LOS –"));
        let json = tally.json();
        assert_eq!((&json["elo"], &json["elo95"]), (&Value::Null, &json!([null, null])));
        assert_eq!(json["los"], Value::Null);
        tally.add(&line(2, None, "score"));
        assert_eq!(tally.score().text().los, "50.0 %");
    }

    #[test]
    fn strength_is_judged_by_pairs() {
        // Whoever has Black wins: the pairs say more surely than the games that nobody is better.
        let mut tally = MatchTally::default();
        for game in 1..=40 {
            tally.add(&line(game, Some(PairSide::of(Color::Black, game)), "score"));
        }
        let score = tally.score();
        assert_eq!(score.pairs.0, [0, 0, 20, 0, 0]);
        let elo = score.elo().unwrap();
        assert_eq!((elo.elo, score.los()), (0.0, Some(0.5)));
        assert!(elo.margin() < 0.5 * score.games.elo().margin(), "{elo}");
        let json = tally.json();
        assert_eq!((&json["elo"], &json["los"]), (&json!(0.0), &json!(0.5)));
        assert_eq!(json["pentanomial"], json!([0, 0, 20, 0, 0]));
        assert_eq!(json["elo95"][1].as_f64().unwrap(), (10.0 * elo.high).round() / 10.0);
        let table = tally.table(["one", "two"]);
        assert!(
            table.contains("20 colour pairs: A got 0 points in 0, ½ in 0, 1 in 20, 1½ in 0, 2 in 0"),
            "{table}"
        );
        assert!(table.contains("Elo") && table.contains("50.0 %"), "{table}");
        assert_eq!(MatchTally::default().json()["elo"], Value::Null);
    }
}
