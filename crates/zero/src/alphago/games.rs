//! Many games at once, whose moves are drawn from policies: the positions of all games in which the same network is to move are shown to
//! it together. Moves are those of a search, [`Tabletop::legal_moves`]: in Go all that are legal, the pass among them, but own eyes.
//! What happens in a game follows from its own seed: the number of games beside it and of threads changes no move.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use goban::{Color, Rng};
use mcts::Action;
use model::net::katago::KataGoNet;
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm, Net, NetAnswer};
use player::boardgame::Tabletop;
use player::net_policy::{choose, sound_share};
use train::net::Row;
use train::net::row::FULL_OWNER;

/// Who makes the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The network of this number draws it from its policy.
    Net(usize),
    /// Every move of [`Tabletop::legal_moves`] is as likely, but the pass, if there is another: in Go all legal moves but own eyes.
    UniformRandom,
}

/// Who moves when, and which positions are wanted as rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePlan {
    /// Networks by colour, Black first; the positions of those moves are wanted that this colour makes.
    Match {
        /// The networks of Black and White.
        nets: [usize; 2],
        /// Whose moves are wanted, if any.
        learner: Option<Color>,
    },
    /// The first moves by one network, one move at random, and the rest by another network: the position after the random move is
    /// wanted.
    ValuePosition {
        /// The network of the moves before it.
        before: usize,
        /// The network of the moves after it.
        after: usize,
        /// The number of the random move, from 1.
        random_move: usize,
    },
}

impl GamePlan {
    /// Who moves after `n_moves` moves.
    fn mover(&self, n_moves: usize, color: Color) -> Mover {
        match *self {
            GamePlan::Match { nets, .. } => Mover::Net(nets[color.idx()]),
            GamePlan::ValuePosition { random_move, .. } if n_moves + 1 == random_move => Mover::UniformRandom,
            GamePlan::ValuePosition { before, random_move, .. } if n_moves < random_move => {
                Mover::Net(before)
            }
            GamePlan::ValuePosition { after, .. } => Mover::Net(after),
        }
    }

    /// Whether the position after `n_moves` moves is wanted.
    fn wants(&self, n_moves: usize, color: Color) -> bool {
        match *self {
            GamePlan::Match { learner, .. } => learner == Some(color),
            GamePlan::ValuePosition { random_move, .. } => n_moves == random_move,
        }
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct GameOrder {
    /// Who moves when.
    pub plan: GamePlan,
    /// Everything random in it follows from this.
    pub seed: u64,
}

/// A position of a game that is wanted as a row.
#[derive(Clone, Debug)]
pub struct WantedPosition {
    /// The position as its network saw it, with the move that was drawn; no result yet.
    pub row: Row,
    /// Who is to move.
    pub color: Color,
    /// How often its network expected the player to move to win, 0..=1.
    pub expected: f32,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The positions that were wanted.
    pub positions: Vec<WantedPosition>,
    /// Black's result: 1, ½ or 0.
    pub win: f32,
    /// Points by which Black won, where points count.
    pub score: Option<f32>,
    /// Whose each point is in the end: 1 Black's, −1 White's; empty where that means nothing.
    pub owners: Vec<i8>,
    /// The number of moves.
    pub n_moves: usize,
}

impl PlayedGame {
    /// The result for a colour: 1, ½ or 0.
    pub fn win_for(&self, color: Color) -> f32 {
        if color == Color::Black { self.win } else { 1.0 - self.win }
    }

    /// Writes the end of the game into a row of a position in which `color` was to move.
    pub fn tell_end(&self, color: Color, row: &mut Row, places: Option<&Turning>) {
        let sign = if color == Color::Black { 1 } else { -1 };
        row.value = Some(self.win_for(color));
        row.score = self.score.map(|score| f32::from(sign) * score);
        row.ownership.clear();
        row.ownership.resize(self.owners.len(), 0);
        let straight = 0..self.owners.len();
        let to: Vec<usize> = places.map_or_else(|| straight.collect(), |turning| turning.places().collect());
        for (&owner, to) in self.owners.iter().zip(to) {
            if let Some(place) = row.ownership.get_mut(to) {
                *place = owner * sign * FULL_OWNER;
            }
        }
    }
}

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayRules {
    /// Moves after which a game is counted as it stands.
    pub max_moves: usize,
    /// 1 draws moves as the networks say, less prefers the likelier ones.
    pub temperature: f32,
    /// Whether networks see each position in one of its symmetries, drawn at random.
    pub turns: bool,
}

/// Games of some networks.
pub struct PolicyGames<'a> {
    /// The board before the first move.
    pub start: &'a dyn Tabletop,
    /// The networks.
    pub nets: &'a [Arc<KataGoNet>],
    /// How games are played.
    pub rules: PlayRules,
    /// Threads at work.
    pub threads: usize,
    /// Ends the work.
    pub stop: &'a AtomicBool,
}

/// Games of one thread that are under way at the same time: more would take memory and save nothing.
const MOST_TOGETHER: usize = 64;

impl PolicyGames<'_> {
    /// Plays the games; the results are in the order of the orders. None if it was stopped.
    pub fn play(&self, orders: &[GameOrder]) -> Option<Vec<PlayedGame>> {
        let each = orders.len().div_ceil(self.threads.max(1)).max(1);
        thread::scope(|scope| {
            let workers: Vec<_> =
                orders.chunks(each).map(|orders| scope.spawn(|| self.play_some(orders))).collect();
            let mut played = Vec::with_capacity(orders.len());
            for worker in workers {
                // A game that panicked is a mistake of the program, not an end that somebody wanted.
                played.extend(worker.join().unwrap_or_else(|panic| resume_unwind(panic))?);
            }
            Some(played)
        })
    }

    fn play_some(&self, orders: &[GameOrder]) -> Option<Vec<PlayedGame>> {
        let turnings = if self.rules.turns { self.start.turnings() } else { Vec::new() };
        let mut waiting: VecDeque<usize> = (0..orders.len()).collect();
        let mut played: Vec<Option<PlayedGame>> = vec![None; orders.len()];
        let mut games: Vec<GameUnderWay> = Vec::new();
        let mut buffers = BatchBuffers::default();
        loop {
            while games.len() < MOST_TOGETHER
                && let Some(idx) = waiting.pop_front()
            {
                games.push(GameUnderWay::new(idx, &orders[idx], self.start));
            }
            if games.is_empty() {
                return played.into_iter().collect();
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            for (idx, net) in self.nets.iter().enumerate() {
                buffers.move_of(idx, net, &mut games, &turnings, self.rules.temperature);
            }
            games.iter_mut().for_each(GameUnderWay::move_at_random);
            for game in games.extract_if(.., |game| game.is_over(self.rules.max_moves)) {
                let idx = game.idx;
                played[idx] = Some(game.played());
            }
        }
    }
}

/// A game under way.
struct GameUnderWay {
    /// The number of its order.
    idx: usize,
    plan: GamePlan,
    board: Box<dyn Tabletop>,
    rng: Rng,
    positions: Vec<(WantedPosition, Option<Turning>)>,
    /// Whether it has made its move of this round.
    has_moved: bool,
}

impl GameUnderWay {
    fn new(idx: usize, order: &GameOrder, start: &dyn Tabletop) -> Self {
        let (plan, rng) = (order.plan, Rng::new(order.seed));
        Self { idx, plan, board: start.fresh(), rng, positions: Vec::new(), has_moved: false }
    }

    fn mover(&self) -> Mover {
        self.plan.mover(self.board.plays().len(), self.board.to_play())
    }

    fn wants_position(&self) -> bool {
        self.plan.wants(self.board.plays().len(), self.board.to_play())
    }

    fn is_over(&self, max_moves: usize) -> bool {
        self.board.plays().len() >= max_moves || self.board.ended().is_some()
    }

    fn play(&mut self, action: Action) {
        let is_played = self.board.play(action).is_ok();
        debug_assert!(is_played, "the move was chosen among legal ones");
        self.has_moved = true;
    }

    /// Makes the random move, if it is time for that, and ends the round.
    fn move_at_random(&mut self) {
        if !std::mem::take(&mut self.has_moved) && self.mover() == Mover::UniformRandom {
            let mut moves = self.board.legal_moves();
            // The pass has the place behind all points, as have the moves that name none.
            let area = self.board.area();
            if moves.iter().any(|&action| self.board.policy_idx(action) < area) {
                moves.retain(|&action| self.board.policy_idx(action) < area);
            }
            if let Some(&action) = moves.get(self.rng.below(moves.len().max(1) as u32) as usize) {
                self.play(action);
            }
            self.has_moved = false;
        }
    }

    fn played(self) -> PlayedGame {
        let board = self.board.as_ref();
        let outcome = board.outcome();
        let mut game = PlayedGame {
            positions: Vec::new(),
            win: outcome.win,
            score: board.is_scored().then_some(outcome.score),
            owners: board.owners(),
            n_moves: board.plays().len(),
        };
        for (mut position, turning) in self.positions {
            game.tell_end(position.color, &mut position.row, turning.as_ref());
            game.positions.push(position);
        }
        game
    }
}

/// The buffers in which positions of several games are shown to a network together.
#[derive(Default)]
struct BatchBuffers {
    straight: EncodedPosition,
    shown: Vec<EncodedPosition>,
    answers: Vec<NetAnswer>,
    places: Vec<usize>,
}

/// A position that is shown: its game, and how it is turned.
struct ShownPosition {
    game: usize,
    turning: Option<usize>,
}

impl BatchBuffers {
    /// Makes the moves of all games in which this network is to move.
    fn move_of(
        &mut self,
        idx: usize,
        net: &KataGoNet,
        games: &mut [GameUnderWay],
        turnings: &[Turning],
        temperature: f32,
    ) {
        let mut shown = Vec::new();
        for (number, game) in games.iter_mut().enumerate() {
            if game.has_moved || game.mover() != Mover::Net(idx) {
                continue;
            }
            let turning = match turnings.len() {
                0 => None,
                n => Some(game.rng.below(n as u32) as usize),
            };
            if self.shown.len() == shown.len() {
                self.shown.push(EncodedPosition::default());
            }
            let out = &mut self.shown[shown.len()];
            match turning {
                None => game.board.encode(out),
                Some(turning) => {
                    game.board.encode(&mut self.straight);
                    turnings[turning].turn(InputForm::Board, &self.straight, out);
                }
            }
            shown.push(ShownPosition { game: number, turning });
        }
        let n_shown = shown.len();
        self.answers.resize_with(self.answers.len().max(n_shown), NetAnswer::default);
        let positions = self.shown[..n_shown].iter();
        let queries: Vec<_> =
            positions.map(|position| position.query(0, position.legal.len(), InputForm::Board)).collect();
        net.evaluate(&queries, &mut self.answers[..n_shown]);
        for (n, ShownPosition { game, turning }) in shown.into_iter().enumerate() {
            let turning = turning.map(|idx| &turnings[idx]);
            self.make_move(n, &mut games[game], turning, temperature);
        }
    }

    /// Draws the move of a game by the answer to its position.
    fn make_move(&mut self, n: usize, game: &mut GameUnderWay, turning: Option<&Turning>, temperature: f32) {
        let (encoded, answer) = (&self.shown[n], &self.answers[n]);
        self.places.clear();
        self.places.extend(turning.into_iter().flat_map(Turning::places));
        let place_of = |action: Action, board: &dyn Tabletop| {
            let place = board.policy_idx(action);
            self.places.get(place).copied().unwrap_or(place)
        };
        let moves = game.board.legal_moves();
        let board = game.board.as_ref();
        let shares: Vec<f32> =
            moves.iter().map(|&action| sound_share(answer.policy.get(place_of(action, board)))).collect();
        let Some(&action) = choose(&shares, temperature, &mut game.rng).and_then(|idx| moves.get(idx)) else {
            return;
        };
        if game.wants_position() {
            let mut row = Row { weight: 1.0, ..Row::default() };
            row.set_position(encoded);
            // The moves that were drawn from, which in Go are not all that are legal: what is learned is the policy that played.
            let mut drawn_from = vec![false; encoded.legal.len()];
            for &action in &moves {
                if let Some(place) = drawn_from.get_mut(place_of(action, board)) {
                    *place = true;
                }
            }
            row.set_legal(&drawn_from);
            row.policy = vec![(place_of(action, board) as u16, 1.0)];
            let expected = if (0.0..=1.0).contains(&answer.value) { answer.value } else { 0.5 };
            let color = game.board.to_play();
            game.positions.push((WantedPosition { row, color, expected }, turning.cloned()));
        }
        game.play(action);
    }
}
