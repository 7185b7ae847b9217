//! Networks: anything that looks at a position and says which moves are likely and who is winning. They are asked about
//! many positions at once and shared by all threads of a search.
//!
//! The stand-ins of this folder are always built. Those that know nothing prove that a search survives whatever a network
//! may answer; `linear` proves that what a network reads comes to it unharmed.
//!
//! In reading order: this file, the trait · [`uniform`] the smallest example · [`fake`] · [`random`] · [`nan`] ·
//! [`linear`] · [`graph`] the layers and weights of a real network · [`mod@file`] the reader of KataGo's network files ·
//! [`features`] the planes that KataGo's networks read · [`symmetry`] turned questions · [`output`] what an engine reads and gives · [`cpu`] engines ·
//! [`katago`] a network of KataGo's behind the trait · [`pair`] two of them as one · [`inside`] the network that comes with the program ·
//! [`sample`] small networks of every kind of block, for tests.

pub mod cpu;
pub mod features;
pub mod file;
pub mod graph;
pub mod inside;
pub mod katago;
pub mod output;
pub mod pair;
pub mod sample;
pub mod symmetry;

use output::NetInput;

/// The input of a network: planes of numbers by point, and numbers for the whole position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planes<'a> {
    /// The number of points of a plane.
    pub n_points: usize,
    /// Plane by plane, the points of each by action index: `n_planes` × `n_points` numbers.
    pub values: &'a [f32],
    /// Numbers of the position as a whole, such as komi.
    pub globals: &'a [f32],
}

impl<'a> Planes<'a> {
    /// The planes one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [f32]> + use<'a> {
        self.values.chunks_exact(self.n_points.max(1))
    }
}

/// The form in which a network reads positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputForm {
    /// The planes that a game has of its own: [`Planes`].
    #[default]
    Planes,
    /// The planes and globals of KataGo's networks, point by point of a board: [`BoardInput`]. Go fills them as KataGo does; another
    /// game says which of them it uses.
    Board,
}

/// A position written down for a network; the buffers are used again from position to position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EncodedPosition {
    /// In a game's own form plane by plane, each with a cell for each action; in the form of boards point by point.
    pub planes: Vec<f32>,
    /// Numbers of the position as a whole.
    pub globals: Vec<f32>,
    /// Columns and rows of the board; 0 in a game's own form.
    pub board: [usize; 2],
    /// For each point in rows from the top, and for the pass, whether the move is legal; empty in a game's own form.
    pub legal: Vec<bool>,
    /// Whether the rules know games without a result.
    pub may_end_without_result: bool,
}

impl EncodedPosition {
    /// The position as an engine of KataGo's networks is asked about it, if it is in their form.
    pub fn board_input(&self) -> BoardInput<'_> {
        let EncodedPosition { planes, globals, board: [width, height], legal, may_end_without_result } = self;
        let input = NetInput { width: *width, height: *height, point_planes: planes, globals };
        BoardInput { input, legal, may_end_without_result: *may_end_without_result }
    }

    /// The question about this position, whose hash is `key`, in a game of this many actions.
    pub fn query(&self, key: u64, n_actions: usize, form: InputForm) -> NetQuery<'_> {
        let EncodedPosition { planes, globals, .. } = self;
        let values = planes.as_slice();
        let has_planes = form == InputForm::Planes && !values.is_empty();
        let planes = has_planes.then_some(Planes { n_points: n_actions, values, globals });
        let board = (form == InputForm::Board).then(|| self.board_input());
        NetQuery { key, n_actions, planes, board }
    }
}

/// A position as a board, in the form that KataGo's networks read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardInput<'a> {
    /// Planes and globals.
    pub input: NetInput<'a>,
    /// For each point in rows from the top, and for the pass, whether the move is legal.
    pub legal: &'a [bool],
    /// Whether the rules know games without a result.
    pub may_end_without_result: bool,
}

/// A position that a network is asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetQuery<'a> {
    /// The hash of the position and its mover.
    pub key: u64,
    /// The number of actions a policy is spread over.
    pub n_actions: usize,
    /// The planes of the position; `None` from a game that has no planes.
    pub planes: Option<Planes<'a>>,
    /// The position in the form of boards, where that was asked for.
    pub board: Option<BoardInput<'a>>,
}

/// A network's answer about one position; the buffer is reused from query to query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetAnswer {
    /// The probability of each action, in 0..=1, by action index; sums to 1.
    pub policy: Vec<f32>,
    /// The probability that the mover wins, in 0..=1.
    pub value: f32,
    /// Points by which the mover leads; 0 from a network that does not tell.
    pub lead: f32,
    /// For each point in rows from the top: 1 the mover's, −1 the opponent's; nobody's where it ends, and empty from a network that
    /// does not tell.
    pub ownership: Vec<f32>,
}

impl NetAnswer {
    /// Becomes a copy of another answer, in its own buffers.
    pub fn copy_from(&mut self, other: &NetAnswer) {
        self.policy.clone_from(&other.policy);
        self.ownership.clone_from(&other.ownership);
        (self.value, self.lead) = (other.value, other.lead);
    }

    /// Whether every number is finite; a search asks before it believes.
    pub fn is_finite(&self) -> bool {
        self.value.is_finite() && self.lead.is_finite() && self.policy.iter().all(|p| p.is_finite())
    }
}

/// Something that evaluates positions.
pub trait Net: Send + Sync {
    /// The form in which it reads positions.
    fn form(&self) -> InputForm {
        InputForm::Planes
    }

    /// Whether its answers tell leads and owners.
    fn tells_scores(&self) -> bool {
        false
    }

    /// Answers the questions of a batch in order, each into its own place of `out`, which is as long as the batch.
    fn evaluate(&self, batch: &[NetQuery<'_>], out: &mut [NetAnswer]);

    /// Answers one question.
    fn evaluate_one(&self, query: &NetQuery<'_>, out: &mut NetAnswer) {
        self.evaluate(std::slice::from_ref(query), std::slice::from_mut(out));
    }
}

recipe::variants! {
    /// Networks: the probabilities of the moves and the value of a position.
    pub static FAMILY = "net";
    pub fn build(choice) -> Box<dyn Net>;
    uniform, fake, random, nan, linear
}

#[cfg(test)]
mod tests {
    use super::*;
    use recipe::Choice;

    fn net(name: &str) -> Box<dyn Net> {
        build(&Choice::new(FAMILY.get(name).unwrap())).unwrap()
    }

    #[test]
    fn every_net_but_nan_answers_in_range() {
        let values: Vec<f32> = (0..3 * 81u16).map(|n| f32::from(n * 7 % 5) - 2.0).collect();
        let planes = Planes { n_points: 81, values: &values, globals: &[0.5, -1.0] };
        for variant in FAMILY.variants.iter().filter(|variant| variant.name != "nan") {
            for planes in [None, Some(planes)] {
                let mut out = NetAnswer::default();
                net(variant.name)
                    .evaluate_one(&NetQuery { key: 5, n_actions: 82, planes, board: None }, &mut out);
                assert!(out.is_finite(), "{}", variant.name);
                assert_eq!(out.policy.len(), 82);
                assert!((out.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{}", variant.name);
                assert!((0.0..=1.0).contains(&out.value));
                assert!(!variant.summary().is_empty());
            }
        }
    }

    #[test]
    fn a_batch_is_its_questions_one_by_one() {
        let values: Vec<f32> = (0..2 * 9u8).map(f32::from).collect();
        let query = |key: u64| NetQuery {
            key,
            n_actions: 10,
            planes: (key > 1).then_some(Planes {
                n_points: 9,
                values: &values,
                globals: &values[key as usize..],
            }),
            board: None,
        };
        let batch: Vec<NetQuery<'_>> = (0..4).map(query).collect();
        // `random` answers the second time what it would not have answered the first; `nan` equals nothing.
        for name in ["uniform", "fake", "linear"] {
            let mut together = vec![NetAnswer::default(); 4];
            let net = net(name);
            net.evaluate(&batch, &mut together);
            for (query, right) in batch.iter().zip(&together) {
                let mut alone = NetAnswer::default();
                net.evaluate_one(query, &mut alone);
                assert_eq!(alone, *right, "{name}");
            }
        }
    }
}
