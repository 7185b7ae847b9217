//! The policy of a network as a player: moves drawn from what the network says of the position, without any search.
//!
//! [`NetPolicy`] plays every game: Go as a [`Player`], the others as an [`Opponent`].

use goban::{Color, Position, Rng, Vertex};
use mcts::LoadedNet;
use mcts::math::{exp, ln};
use model::net::{EncodedPosition, InputForm, NetAnswer, features};

use crate::boardgame::{BoardDecision, Opponent, Tabletop};
use crate::player::{Budget, Decision, Player, PlayerError};

/// The largest temperature: all moves are about as likely.
pub const MAX_TEMPERATURE: f32 = 100.0;

/// Draws a place by its share to the power of 1/temperature; none at the temperature 0.
pub fn draw(shares: &[f32], temperature: f32, rng: &mut Rng) -> Option<usize> {
    if temperature == 0.0 {
        return None;
    }
    let most = shares.iter().copied().fold(0.0, f32::max);
    let weight = |&share: &f32| if share > 0.0 { exp(ln(share / most) / temperature) } else { 0.0 };
    let mut left = rng.unit() * shares.iter().map(weight).sum::<f32>();
    for (idx, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        left -= weight(share);
        if left < 0.0 {
            return Some(idx);
        }
    }
    None
}

/// The place with the largest share, the first of several; none where no share is above 0.
pub fn likeliest(shares: &[f32]) -> Option<usize> {
    let first = (None, 0.0);
    let larger = |(best, most), (idx, &share)| if share > most { (Some(idx), share) } else { (best, most) };
    shares.iter().enumerate().fold(first, larger).0
}

/// Draws a place, or takes the likeliest without a temperature; any of them, where no share can be believed. None of no places.
pub fn choose(shares: &[f32], temperature: f32, rng: &mut Rng) -> Option<usize> {
    let chosen = draw(shares, temperature, rng).or_else(|| likeliest(shares));
    chosen.or_else(|| match shares.len() {
        0 => None,
        n => Some(rng.below(n as u32) as usize),
    })
}

/// A probability as a network tells it; 0 where it is none.
pub fn sound_share(p: Option<&f32>) -> f32 {
    p.copied().filter(|p| p.is_finite() && *p > 0.0).unwrap_or(0.0)
}

/// Draws moves from the policy of a network.
#[derive(Clone, Debug)]
pub struct NetPolicy {
    name: String,
    net: LoadedNet,
    /// 1 draws as the network says, less prefers the likelier moves, 0 plays the likeliest.
    temperature: f32,
    rng: Rng,
    /// The network's expectation before its last move, from its own point of view.
    value: Option<f32>,
}

impl NetPolicy {
    /// A player called `name` whose games follow from `seed`.
    pub fn new(name: String, net: LoadedNet, temperature: f32, seed: u64) -> Self {
        Self { name, net, temperature, rng: Rng::new(seed), value: None }
    }

    /// The same player for another game.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { rng: Rng::new(seed), value: None, ..self.clone() }
    }

    /// What the network says of a position.
    fn ask(&mut self, encoded: &EncodedPosition) -> NetAnswer {
        let mut answer = NetAnswer::default();
        let query = encoded.query(0, encoded.legal.len(), InputForm::Board);
        self.net.0.evaluate_one(&query, &mut answer);
        self.value = Some(answer.value).filter(|value| (0.0..=1.0).contains(value));
        answer
    }
}

impl Player for NetPolicy {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, position: &Position, color: Color, _: &Budget) -> Result<Decision, PlayerError> {
        let encoded = if position.to_play() == color {
            features::encode(position)
        } else {
            let mut turned = position.clone();
            turned.set_to_play(color);
            features::encode(&turned)
        };
        let policy = self.ask(&encoded).policy;
        // What superko forbids has no share, whatever the network says.
        let mut moves: Vec<(Vertex, f32)> = Vec::with_capacity(encoded.legal.len());
        let points = position.size().vertices().chain([Vertex::PASS]);
        for ((vertex, &is_legal), place) in points.zip(&encoded.legal).zip(0..) {
            if is_legal {
                moves.push((vertex, sound_share(policy.get(place))));
            }
        }
        let shares: Vec<f32> = moves.iter().map(|&(_, share)| share).collect();
        let chosen =
            choose(&shares, self.temperature, &mut self.rng).map_or(Vertex::PASS, |idx| moves[idx].0);
        Ok(Decision::Play(chosen))
    }

    fn value(&self) -> Option<f32> {
        self.value
    }
}

impl Opponent for NetPolicy {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, board: &dyn Tabletop, _: &Budget) -> Result<BoardDecision, PlayerError> {
        let mut encoded = EncodedPosition::default();
        board.encode(&mut encoded);
        let policy = self.ask(&encoded).policy;
        let moves = board.legal_moves();
        let shares: Vec<f32> =
            moves.iter().map(|&action| sound_share(policy.get(board.policy_idx(action)))).collect();
        Ok(choose(&shares, self.temperature, &mut self.rng)
            .map_or(BoardDecision::Resign, |idx| BoardDecision::Play(moves[idx])))
    }

    fn begin(&mut self, _: &dyn Tabletop, seed: u64) -> Result<(), PlayerError> {
        *self = self.with_seed(seed);
        Ok(())
    }

    fn value(&self) -> Option<f32> {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use goban::{Rules, Size};
    use model::net::{Net, NetQuery};

    use super::*;
    use crate::boardgame::GameChoice;

    /// Wants the first legal place three times as much as the second, and nothing else.
    struct TwoMoves;

    impl Net for TwoMoves {
        fn form(&self) -> InputForm {
            InputForm::Board
        }

        fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]) {
            for (query, out) in batch.iter().zip(out) {
                let legal = query.board.unwrap().legal;
                let mut shares = [0.75, 0.25].into_iter();
                let share = |&is_legal: &bool| if is_legal { shares.next().unwrap_or(0.0) } else { 0.0 };
                out.policy = legal.iter().map(share).collect();
                out.value = 0.625;
            }
        }
    }

    /// Says nothing that can be believed.
    struct Nonsense;

    impl Net for Nonsense {
        fn form(&self) -> InputForm {
            InputForm::Board
        }

        fn evaluate(&self, _: &[NetQuery<'_>], out: &mut [NetAnswer]) {
            for out in out {
                out.policy = vec![f32::NAN; 500];
                out.value = f32::NAN;
            }
        }
    }

    fn player(temperature: f32, seed: u64) -> NetPolicy {
        NetPolicy::new("two".to_string(), LoadedNet(Arc::new(TwoMoves)), temperature, seed)
    }

    #[test]
    fn draws_follow_the_temperature() {
        let mut rng = Rng::new(1);
        let mut count = |shares: &[f32], temperature| {
            let mut counts = vec![0; shares.len()];
            (0..8000).for_each(|_| counts[draw(shares, temperature, &mut rng).unwrap()] += 1);
            counts
        };
        let near = |counts: &[i32], expected: &[i32]| {
            assert!(counts.iter().zip(expected).all(|(a, b)| (a - b).abs() < 150), "{counts:?}");
        };
        near(&count(&[0.25, 0.75, 0.0], 1.0), &[2000, 6000, 0]);
        // Squares: 1 to 9.
        near(&count(&[0.25, 0.75], 0.5), &[800, 7200]);
        assert_eq!(draw(&[0.5, 0.5], 0.0, &mut rng), None);
        assert_eq!((likeliest(&[0.1, 0.6, 0.6]), likeliest(&[0.0, 0.0])), (Some(1), None));
    }

    #[test]
    fn moves_are_drawn_as_the_network_says_and_only_legal_ones() {
        let size = Size::square(5).unwrap();
        let mut position = Position::new(size, Rules::CHINESE);
        let [first, second, third] = ["a5", "b5", "c5"].map(|text| size.parse_vertex(text).unwrap());
        position.play(Color::Black, first).unwrap();
        let mut n_second = 0;
        for seed in 0..400 {
            let mut player = player(1.0, seed);
            let decision = Player::choose(&mut player, &position, Color::White, &Budget::default()).unwrap();
            assert!(decision == Decision::Play(second) || decision == Decision::Play(third), "{decision:?}");
            n_second += u32::from(decision == Decision::Play(second));
            assert_eq!(Player::value(&player), Some(0.625));
        }
        assert!((270..330).contains(&n_second), "{n_second} of 400");
        for seed in 0..50 {
            // Whoever's turn it is; without a temperature the likeliest.
            for color in Color::BOTH {
                let decision = Player::choose(&mut player(0.0, seed), &position, color, &Budget::default());
                assert_eq!(decision.unwrap(), Decision::Play(second));
            }
        }
    }

    #[test]
    fn every_board_game_is_played_and_the_seed_tells_the_game() {
        for name in ["hex", "connect-four", "gomoku"] {
            let play = |seed: u64| {
                let mut board = GameChoice::parse(name, None).unwrap().unwrap().board();
                let mut player = player(1.0, 7);
                player.begin(board.as_ref(), seed).unwrap();
                while board.ended().is_none() {
                    let decision = Opponent::choose(&mut player, board.as_ref(), &Budget::default()).unwrap();
                    let BoardDecision::Play(action) = decision else { panic!("{name}: {decision:?}") };
                    board.play(action).unwrap();
                }
                board.plays().to_vec()
            };
            assert_eq!(play(3), play(3), "{name}");
            assert!((4..20).any(|seed| play(seed) != play(3)), "{name}");
        }
    }

    #[test]
    fn a_network_that_tells_no_numbers_plays_legal_moves() {
        let position = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        for seed in 0..20 {
            let net = LoadedNet(Arc::new(Nonsense));
            let mut player = NetPolicy::new("nonsense".to_string(), net, 1.0, seed);
            let decision = Player::choose(&mut player, &position, Color::Black, &Budget::default()).unwrap();
            let Decision::Play(vertex) = decision else { panic!("{decision:?}") };
            assert!(position.is_legal(Color::Black, vertex));
            assert_eq!(Player::value(&player), None);
        }
    }
}
