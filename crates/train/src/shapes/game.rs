//! One game of self-play.

use goban::{Board, Color, EyeRule, Move, Point, PointSet, Rng, SizeClass, Tactical};
use playout::shapes::grid::stone_digit;
use playout::shapes::{ShapeCodes, ShapeGrid};

use super::TdSettings;
use super::learner::{Features, ShapeLearner};

/// A share of a step that is not worth its time.
const NOTHING: f32 = 0.01;

/// A game that was played and learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// 1 if Black won, ½ for a draw.
    pub black_win: f32,
    /// Moves, passes included.
    pub n_moves: usize,
}

/// Plays games, with buffers that are used again.
pub struct SelfPlay<C: SizeClass> {
    settings: TdSettings,
    /// λᵏ by k, as far as they count.
    shares: Vec<f32>,
    board: Board<C, Tactical>,
    grid: ShapeGrid,
    codes: ShapeCodes,
    empty: ShapeCodes,
    /// By rectangle: the weight of its shape.
    weights: Vec<f32>,
    moves: Vec<(Point, f32)>,
    /// By colour: the positions after its last moves, the latest first.
    past: [Vec<Features>; 2],
}

impl<C: SizeClass> SelfPlay<C> {
    /// A player of games by these settings.
    pub fn new(settings: &TdSettings, learner: &ShapeLearner) -> SelfPlay<C> {
        let grid = ShapeGrid::new::<C>(settings.size);
        let codes = ShapeCodes::new::<C>(&grid);
        let powers = std::iter::successors(Some(1.0), |power| Some(power * settings.lambda));
        debug_assert_eq!(learner.n_features(), 2 * grid.n_rects() + 1);
        SelfPlay {
            settings: *settings,
            shares: powers.take_while(|&power| power >= NOTHING).take(C::POINTS).collect(),
            board: Board::new(settings.size),
            empty: codes.clone(),
            codes,
            weights: vec![0.0; grid.n_rects()],
            grid,
            moves: Vec::new(),
            past: Default::default(),
        }
    }

    /// Plays the game with this number in the run and learns from it.
    pub fn game(&mut self, learner: &mut ShapeLearner, number: u64) -> SelfPlayGame {
        let mut rng = Rng::new(Rng::new(self.settings.seed).next_u64() ^ number);
        self.board = Board::new(self.settings.size);
        self.codes.copy_from(&self.empty);
        self.past.iter_mut().for_each(Vec::clear);
        let (mut color, mut n_moves, mut has_passed) = (Color::Black, 0, false);
        // No sensible game is longer, see `MovePolicy::max_moves`.
        while n_moves < 3 * self.settings.size.area() {
            let chosen = self.choose(learner, color, &mut rng);
            self.play(color, chosen);
            self.learn(learner, color);
            n_moves += 1;
            if chosen.is_none() && std::mem::replace(&mut has_passed, true) {
                break;
            }
            has_passed = chosen.is_none();
            color = !color;
        }
        let (black, white) = self.board.area();
        let margin = black as f32 - white as f32 - self.settings.komi;
        let black_win = if margin == 0.0 { 0.5 } else { f32::from(u8::from(margin > 0.0)) };
        for color in Color::BOTH {
            self.step_towards(learner, color, black_win);
        }
        SelfPlayGame { black_win, n_moves }
    }

    /// The move of the best value, or with probability ε any; none where only own eyes are left.
    fn choose(&mut self, learner: &ShapeLearner, color: Color, rng: &mut Rng) -> Option<Point> {
        self.moves.clear();
        let board = &self.board;
        for point in board.empty().iter() {
            if board.is_legal(color, point) && !board.is_eye(point, color, EyeRule::Standard) {
                self.moves.push((point, 0.0));
            }
        }
        if self.moves.is_empty() {
            return None;
        }
        if rng.chance(self.settings.epsilon) {
            return Some(self.moves[rng.below(self.moves.len() as u32) as usize].0);
        }
        self.weigh(learner, color);
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let (mut best, mut n_best, mut found) = (f32::MIN, 0, None);
        for &(point, added) in &self.moves {
            let gain = sign * added;
            if gain < best {
                continue;
            }
            n_best = if gain > best { 1 } else { n_best + 1 };
            best = gain;
            if n_best == 1 || rng.below(n_best) == 0 {
                found = Some(point);
            }
        }
        found
    }

    /// Works out what each move adds to Black's ln(odds).
    fn weigh(&mut self, learner: &ShapeLearner, color: Color) {
        let Self { grid, codes, weights, moves, board, .. } = self;
        for (rect, (weight, &shape)) in weights.iter_mut().zip(&codes.shapes).enumerate() {
            *weight = learner.weight(rect, shape);
        }
        let factor = u32::from(stone_digit(color));
        let takes = board.may_have_atari(!color);
        for (point, added) in moves.iter_mut() {
            let taken = takes.then(|| board.chains_beside_with(*point, !color, 1, 1));
            let Some(taken) = taken.filter(|chains| !chains.is_empty()) else {
                *added = 0.0;
                for touch in grid.touches(*point) {
                    let rect = usize::from(touch.rect);
                    let shape = codes.shapes[rect] + factor * u32::from(touch.power);
                    *added += learner.weight(rect, shape) - weights[rect];
                }
                continue;
            };
            // The stones that it takes leave the board and come back.
            let stones = || taken.into_iter().flat_map(|head| board.chain(head));
            let mut change = |mut sum: f32, point: Point, digit: u8| {
                codes.set(grid, point, digit, |rect, shape| {
                    let weight = learner.weight(rect, shape);
                    sum += weight - std::mem::replace(&mut weights[rect], weight);
                });
                sum
            };
            let placed = change(0.0, *point, stone_digit(color));
            *added = stones().fold(placed, |sum, stone| change(sum, stone, 0));
            stones().for_each(|stone| {
                change(0.0, stone, stone_digit(!color));
            });
            change(0.0, *point, 0);
        }
    }

    /// Plays a move, or passes.
    fn play(&mut self, color: Color, chosen: Option<Point>) {
        let n_taken = self.board.play(color, chosen.map_or(Move::PASS, Move::at));
        let Some(point) = chosen else { return };
        self.codes.set(&self.grid, point, stone_digit(color), |_, _| {});
        if n_taken > 0 {
            let gone: Vec<(Point, u8)> = self.codes.differences(&self.board).collect();
            gone.into_iter().for_each(|(point, digit)| self.codes.set(&self.grid, point, digit, |_, _| {}));
        }
    }

    /// Learns from the position after a move of `color`, and notes it.
    fn learn(&mut self, learner: &mut ShapeLearner, color: Color) {
        let past = &mut self.past[color.idx()];
        let mut now = if past.len() > self.shares.len() { past.pop() } else { None }.unwrap_or_default();
        learner.collect(&self.codes.shapes, &mut now);
        let value = learner.black_wins(&now, color);
        self.step_towards(learner, color, value);
        self.past[color.idx()].insert(0, now);
    }

    /// Moves the values of the last positions of a player towards `value`, Black's.
    fn step_towards(&mut self, learner: &mut ShapeLearner, color: Color, value: f32) {
        let past = &self.past[color.idx()];
        let Some(last) = past.first() else { return };
        let error = value - learner.black_wins(last, color);
        let step = self.settings.alpha / learner.n_features() as f32 * error;
        for (features, share) in past.iter().zip(&self.shares) {
            learner.step(features, color, step * share);
        }
    }
}
