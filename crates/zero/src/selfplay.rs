//! One game of a network against itself: every move is searched, few searches of them in full, and of these the network will learn.
//! [Wu 2019: playout cap randomisation]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use goban::{Color, Rng};
use mcts::{Action, Limits, LoadedNet, Report, Settings};
use player::boardgame::{Tabletop, Thinker};
use player::net_policy::draw;

use crate::settings::{PlaySettings, RunSettings};
use crate::stored::{SearchedPly, StoredEnding, StoredGame, in_parts, owners_text};
use crate::target::{self, PolicyTarget};
use crate::{ErrorPlace, Result};

/// A network at play: a search with its tree and its remembered answers.
pub struct SelfPlayer {
    start: Box<dyn Tabletop>,
    thinker: Box<dyn Thinker>,
    target: PolicyTarget,
    settings: PlaySettings,
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GameOrder {
    /// Its number in the run, from 1.
    pub number: u64,
    /// The number of the network.
    pub net: u32,
    /// Who expects less wins than this gives up.
    pub resign_below: f32,
    /// Everything random in it begins with it.
    pub seed: u64,
}

/// A game under way.
struct GameUnderWay {
    board: Box<dyn Tabletop>,
    searched: Vec<SearchedPly>,
    /// The least that Black and White expected.
    lows: [f32; 2],
    blind: usize,
    /// The limit below which a player gives up; none where this is checked.
    resign_below: Option<f32>,
    rng: Rng,
}

impl SelfPlayer {
    /// A network at play in a run.
    ///
    /// # Errors
    /// What of the recipe does not fit.
    pub fn new(run: &RunSettings, net: LoadedNet, seed: u64) -> Result<Self> {
        let (start, recipe) = (run.board()?, run.recipe()?);
        let memory = run.machine.memory as usize * 1_000_000;
        let settings = Settings { seed, memory, threads: 1, net: Some(net) };
        let thinker = start.thinker(&recipe, &settings).at("recipe")?;
        let target = PolicyTarget::new(run.play.target, &recipe)?;
        Ok(Self { start, thinker, target, settings: run.play.clone() })
    }

    /// Plays a game; none if it was stopped.
    pub fn play(&mut self, order: &GameOrder, stop: &Arc<AtomicBool>) -> Option<StoredGame> {
        let mut game = self.begin(order);
        let ending = loop {
            if self.is_over(game.board.as_ref()) {
                let ended = game.board.ended().is_some();
                break if ended { StoredEnding::Rules } else { StoredEnding::Cut };
            }
            let legal = game.board.legal_moves();
            let action = match legal[..] {
                [only] => only,
                _ => match self.think(&mut game, stop)? {
                    Some(action) => action,
                    None => break StoredEnding::Resigned,
                },
            };
            // The search chose among legal moves.
            game.board.play(action).ok()?;
        };
        Some(stored(&game, order, ending))
    }

    /// The strongest move of a position by this many simulations, nothing explored; none if the search was stopped.
    pub fn strongest(&mut self, board: &dyn Tabletop, visits: u32, stop: &Arc<AtomicBool>) -> Option<Action> {
        let report = self.search(board, visits, false, stop)?;
        self.thinker.pick(&report)
    }

    /// Whether a game ends here, by its rules or for its length.
    pub fn is_over(&self, board: &dyn Tabletop) -> bool {
        let most = match self.settings.max_moves {
            0 => 3 * board.area(),
            most => most as usize,
        };
        board.plays().len() >= most || board.ended().is_some()
    }

    /// The beginning of a game, with the moves that are drawn blindly.
    fn begin(&self, order: &GameOrder) -> GameUnderWay {
        let PlaySettings { start_share, start_moves, check_share, .. } = self.settings;
        let mut rng = Rng::new(order.seed);
        let is_checked = self.settings.resign_below > 0.0 && rng.unit() < check_share;
        let n_blind = if rng.unit() < start_share { 1 + rng.below(start_moves) as usize } else { 0 };
        let board = blind_start(self.start.as_ref(), n_blind, &mut rng);
        GameUnderWay {
            blind: board.plays().len(),
            board,
            searched: Vec::new(),
            lows: [1.0; 2],
            resign_below: (!is_checked).then_some(order.resign_below),
            rng,
        }
    }

    /// Searches the position and chooses a move; the inner none stands for giving up, the outer for being stopped.
    fn think(&mut self, game: &mut GameUnderWay, stop: &Arc<AtomicBool>) -> Option<Option<Action>> {
        let PlaySettings { visits, fast_visits, full_share, .. } = self.settings;
        let is_full = game.rng.unit() < full_share;
        let n = if is_full { visits } else { fast_visits };
        let report = self.search(game.board.as_ref(), n, is_full, stop)?;
        let shares = self.target.shares(&report);
        let n_moves = game.board.plays().len();
        if is_full {
            game.searched.push(SearchedPly::new(n_moves, report.win, &target::sparse(&report, &shares)));
        }
        let low = &mut game.lows[game.board.to_play().idx()];
        *low = low.min(report.win);
        if game.resign_below.is_some_and(|limit| report.win < limit) {
            return Some(None);
        }
        let is_beginning = n_moves < self.settings.temperature_moves as usize;
        let temperature =
            if is_beginning { self.settings.temperature } else { self.settings.late_temperature };
        let drawn = draw(&shares, temperature, &mut game.rng).map(|idx| report.arms[idx].action);
        Some(Some(drawn.or_else(|| self.thinker.pick(&report))?))
    }

    /// Searches a position; none if the search was stopped.
    fn search(
        &mut self,
        board: &dyn Tabletop,
        visits: u32,
        explores: bool,
        stop: &Arc<AtomicBool>,
    ) -> Option<Report> {
        self.thinker.set_explores(explores);
        self.thinker.catch_up(board.plays());
        let limits = Limits::simulations(u64::from(visits)).or_when(Arc::clone(stop));
        let report = self.thinker.run(&limits);
        (!stop.load(Ordering::Relaxed)).then_some(report)
    }
}

/// A board after up to `n` moves drawn among the legal ones, each as likely; fewer where the game would be over.
pub fn blind_start(start: &dyn Tabletop, n: usize, rng: &mut Rng) -> Box<dyn Tabletop> {
    for n in (1..=n).rev() {
        let mut board = start.fresh();
        for _ in 0..n {
            let legal = board.legal_moves();
            let drawn = legal.get(rng.below(legal.len().max(1) as u32) as usize);
            if drawn.is_none_or(|&action| board.play(action).is_err()) {
                break;
            }
        }
        if board.ended().is_none() {
            return board;
        }
    }
    start.fresh()
}

/// The game as it is stored.
fn stored(game: &GameUnderWay, order: &GameOrder, end: StoredEnding) -> StoredGame {
    let board = game.board.as_ref();
    let outcome = board.outcome();
    let is_given_up = end == StoredEnding::Resigned;
    let result = match (is_given_up, board.to_play()) {
        (false, _) => outcome.win,
        (true, Color::Black) => 0.0,
        (true, Color::White) => 1.0,
    };
    let moves: Vec<String> = board.plays().iter().map(|&action| board.show(action)).collect();
    StoredGame {
        game: order.number,
        net: order.net,
        moves: moves.join(" "),
        blind: game.blind as u32,
        end,
        result,
        score: (board.is_scored() && !is_given_up).then_some(outcome.score),
        owners: if is_given_up { String::new() } else { owners_text(&board.owners()) },
        lows: game.resign_below.is_none().then(|| game.lows.map(in_parts)),
        searched: game.searched.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::recipes::stand_in;

    fn settings(text: &str) -> RunSettings {
        RunSettings::parse(&format!("game = \"connect-four\"\nrecipe = \"zero select.noise=0.25\"\n{text}"))
            .unwrap()
    }

    fn order(number: u64) -> GameOrder {
        GameOrder { number, net: 0, resign_below: 0.0, seed: 77 + number }
    }

    #[test]
    fn games_are_played_to_their_end_and_replayed_as_rows() {
        let run = settings(
            "[play]\nvisits = 30\nfast-visits = 8\nfull-share = 0.5\nstart-share = 0.5\nresign-below = 0.01",
        );
        let mut player = SelfPlayer::new(&run, stand_in(), 1).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (mut n_blind, mut n_checked, mut n_rows, mut n_moves) = (0, 0, 0, 0);
        for number in 1..=20 {
            let game = player.play(&order(number), &stop).unwrap();
            assert_eq!(game.end, StoredEnding::Rules);
            let rows = game.rows(run.board().unwrap().as_ref(), 0.0).unwrap();
            assert_eq!(rows.len(), game.searched.len());
            for row in &rows {
                assert_eq!((row.width, row.height, row.score, row.ownership.len()), (7, 6, None, 0));
                assert!((row.policy.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-3);
                assert!(row.policy.iter().all(|&(place, _)| row.is_legal(usize::from(place))), "{row:?}");
                assert!(
                    row.value == Some(0.5)
                        || row.value == Some(game.result)
                        || row.value == Some(1.0 - game.result)
                );
            }
            n_blind += u32::from(game.blind > 0);
            n_checked += u32::from(game.lows.is_some());
            n_rows += rows.len();
            n_moves += game.n_moves();
        }
        assert!((3..=17).contains(&n_blind) && (1..=8).contains(&n_checked), "{n_blind} {n_checked}");
        assert!((0.3..0.6).contains(&(n_rows as f64 / n_moves as f64)), "{n_rows} of {n_moves}");
        // The same seed plays the same game, by a player that remembers nothing.
        let [one, other] =
            [(); 2].map(|()| SelfPlayer::new(&run, stand_in(), 1).unwrap().play(&order(3), &stop));
        assert_eq!(one, other);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(player.play(&order(21), &stop), None);
    }

    #[test]
    fn every_game_is_played_by_the_same_lines() {
        let stop = Arc::new(AtomicBool::new(false));
        let gumbel = "zero select=gumbel select.visits=12 tree=fresh fpu=inf pick=gumbel";
        for (game, recipe, target) in [
            ("game = \"go\"\nsize = 5\nkomi = 24.5", "zero", "visits"),
            ("game = \"hex\"\nsize = 4", gumbel, "improved"),
            ("game = \"gomoku,row=4\"\nsize = \"5x4\"", "zero", "visits"),
            ("game = \"connect-four\"", gumbel, "improved"),
        ] {
            let play = format!("[play]\nvisits = 12\nfull-share = 1.0\ntarget = \"{target}\"");
            let run = RunSettings::parse(&format!("{game}\nrecipe = \"{recipe}\"\n{play}")).unwrap();
            let start = run.board().unwrap();
            let stored = SelfPlayer::new(&run, stand_in(), 1).unwrap().play(&order(2), &stop).unwrap();
            let text = serde_json::to_string(&stored).unwrap();
            assert_eq!(serde_json::from_str::<StoredGame>(&text).unwrap(), stored, "{game}");
            let rows = stored.rows(start.as_ref(), 0.5).unwrap();
            assert!(!rows.is_empty(), "{game}");
            for row in &rows {
                let n_owned = if start.is_scored() { 25 } else { 0 };
                assert_eq!(
                    (row.score.is_some(), row.ownership.len()),
                    (start.is_scored(), n_owned),
                    "{game}"
                );
                assert!((row.policy.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-3, "{game}");
                assert!(row.policy.iter().all(|&(place, _)| row.is_legal(usize::from(place))), "{game}");
            }
            if start.is_scored() {
                // Owners and score tell the same: Black's points less White's, less komi; as the mover sees them.
                let [first, last] = [&rows[0], &rows[rows.len() - 1]];
                for row in [first, last] {
                    let owned: i32 = row.ownership.iter().map(|&owner| i32::from(owner) / 127).sum();
                    let komi = 24.5 * if row.score.unwrap() == stored.score.unwrap() { -1.0 } else { 1.0 };
                    assert_eq!(owned as f32 + komi, row.score.unwrap());
                }
            }
        }
    }

    #[test]
    fn who_expects_nothing_gives_up() {
        let run = settings("[play]\nresign-below = 0.5\ncheck-share = 0.0\nfull-share = 1.0");
        let mut player = SelfPlayer::new(&run, stand_in(), 1).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        // Every search that sees more lost ends than won ones is below.
        let game = player.play(&GameOrder { resign_below: 0.5, ..order(5) }, &stop).unwrap();
        assert_eq!((game.end, game.lows, game.owners.as_str()), (StoredEnding::Resigned, None, ""));
        let is_black = game.n_moves().is_multiple_of(2);
        assert_eq!(game.result, if is_black { 0.0 } else { 1.0 });
    }

    #[test]
    fn a_blind_start_never_ends_the_game() {
        let start = settings("").board().unwrap();
        let mut rng = Rng::new(2);
        for n in [0, 1, 8, 42, 60] {
            let board = blind_start(start.as_ref(), n, &mut rng);
            assert!(board.ended().is_none() && board.plays().len() <= n, "{n}");
        }
        assert_eq!(blind_start(start.as_ref(), 5, &mut rng).plays().len(), 5);
    }
}
