//! The report of a search: the root's table, the expected line of play, score, ownership, size of the tree.

use crate::game::{Action, Reward, Side};

/// The result of a search at its root, as the player to move there sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Who is to move at the root.
    pub mover: Side,
    /// Names of the models, in the order of [`Arm::models`].
    pub models: Vec<&'static str>,
    /// The root's arms in the game's order, without those that are barred or that the widener has proven to lose.
    pub arms: Vec<Arm>,
    /// The unit of values: win rates, 0..=1, or points.
    pub reward: Reward,
    /// The mean of the arms' values, weighted by visits; neutral if there are none.
    pub value: f32,
    /// The mean of the arms' win rates, 0..=1, weighted by visits; ½ if there are none.
    pub win: f32,
    /// Simulations of this run.
    pub simulations: u64,
    /// Seconds this run took; 0 for a look at the tree between runs.
    pub seconds: f64,
    /// Results behind them: playouts, evaluations, ends of the game.
    pub samples: u64,
    /// Real visits of the root's arms, those of earlier runs included.
    pub visits: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes that the tree and the answers of a network take.
    pub bytes: usize,
    /// Whether memory ran out in this run, so that nodes were recycled or the tree stopped growing.
    pub is_full: bool,
    /// Whether this run ended because the widener has nothing left to decide.
    pub is_settled: bool,
    /// Evaluations of this run that were no numbers; they counted as draws.
    pub unsound: u64,
    /// Points that the second player was given in this run beyond the game's own: values are win rates under such a komi,
    /// while `win`, `score` and ownership are those of the game.
    pub extra_komi: f32,
    /// The mean score of this run in points, as the first player sees it.
    pub score: f32,
    /// The mean ownership of this run by action index, −1..=1, as the first player sees it; empty if there is none.
    pub ownership: Vec<f32>,
}

/// One arm of the root.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// The action.
    pub action: Action,
    /// Real visits.
    pub visits: u32,
    /// The mixed value, Σ β·mean over the models, with visits or without; neutral where no model knows anything. Of a flat
    /// search of several plies what the best replies leave of it.
    pub value: f32,
    /// How often the arm is won, 0..=1: the mixed value, before any minimax; where the reward is not the win, or a win
    /// under an extra komi, or where a prior counts wins too, the share of the arm's own simulations that were won, ½
    /// without visits.
    pub win: f32,
    /// P(a), if the prior gives it.
    pub p: Option<f32>,
    /// The score of the next selection, which takes the largest that the widener keeps: the selector's own, in
    /// units of the reward (`gumbel` has its own unit, and lets only some arms of the root stand for choice); −n in a flat
    /// search, which takes the least visited.
    pub score: f32,
    /// The variance of the rewards of the arm's own simulations, 0 before the second; none unless the pick reads it.
    pub variance: Option<f32>,
    /// The estimate of each model.
    pub models: Vec<ModelView>,
    /// The expected line of play, this action first.
    pub line: Vec<Action>,
    /// The margins in points of the simulations through this arm since it became a root arm, as the player to move at the
    /// root sees them; none before the first, and none below the root.
    pub margin: Option<MarginStats>,
    /// The mean ownership after this arm by action index, −1..=1, as the first player sees it; empty unless the search
    /// was told to note it and has seen some.
    pub ownership: Vec<f32>,
}

/// By how many points simulations were won, komi included.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MarginStats {
    /// Their mean.
    pub mean: f32,
    /// Their standard deviation: how much they differ among each other.
    pub sd: f32,
    /// How many they are.
    pub n: u64,
}

/// One model's opinion of one arm.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ModelView {
    /// The estimate.
    pub mean: f32,
    /// The observations behind it.
    pub weight: f32,
    /// Its part in the mixed value, β.
    pub beta: f32,
}

impl Default for Arm {
    fn default() -> Arm {
        Arm {
            action: Action(0),
            visits: 0,
            value: 0.5,
            win: 0.5,
            p: None,
            score: 0.0,
            variance: None,
            models: Vec::new(),
            line: Vec::new(),
            margin: None,
            ownership: Vec::new(),
        }
    }
}

impl Default for Report {
    fn default() -> Report {
        Report {
            mover: Side::First,
            models: Vec::new(),
            arms: Vec::new(),
            reward: Reward::Win,
            value: 0.5,
            win: 0.5,
            simulations: 0,
            seconds: 0.0,
            samples: 0,
            visits: 0,
            nodes: 0,
            bytes: 0,
            is_full: false,
            is_settled: false,
            unsound: 0,
            extra_komi: 0.0,
            score: 0.0,
            ownership: Vec::new(),
        }
    }
}

impl Report {
    /// This report of a further run over the same root, with what the runs before count for themselves (simulations,
    /// time, score, ownership) taken in.
    pub fn after(self, before: &Report) -> Report {
        let mean = |a: f32, b: f32, n_a: u64, n_b: u64| {
            let (n_a, n_b) = (n_a as f64, n_b as f64);
            ((f64::from(a) * n_a + f64::from(b) * n_b) / (n_a + n_b).max(1.0)) as f32
        };
        let owners = before.ownership.iter().zip(&self.ownership);
        let ownership = match (before.ownership.is_empty(), self.ownership.is_empty()) {
            (false, false) => {
                owners.map(|(&a, &b)| mean(a, b, before.simulations, self.simulations)).collect()
            }
            // A short run may have looked at no owners at all.
            (true, _) => self.ownership,
            (_, true) => before.ownership.clone(),
        };
        Report {
            simulations: before.simulations + self.simulations,
            seconds: before.seconds + self.seconds,
            samples: before.samples + self.samples,
            unsound: before.unsound + self.unsound,
            is_full: before.is_full || self.is_full,
            score: mean(before.score, self.score, before.samples, self.samples),
            ownership,
            ..self
        }
    }

    /// The report without the time it took, which no two runs have in common.
    pub fn timeless(self) -> Report {
        Report { seconds: 0.0, ..self }
    }

    /// The arm of an action.
    pub fn arm(&self, action: Action) -> Option<&Arm> {
        self.arms.iter().find(|arm| arm.action == action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up_and_lose_no_owners() {
        let run = |simulations, score, ownership: &[f32]| Report {
            simulations,
            samples: simulations,
            seconds: 0.5,
            score,
            ownership: ownership.to_vec(),
            ..Report::default()
        };
        // 30 simulations at +2 and 10 at −2 are 40 at +1; owners ½ and −½ weigh the same way: ¼.
        let both = run(10, -2.0, &[-0.5]).after(&run(30, 2.0, &[0.5]));
        assert_eq!((both.simulations, both.samples, both.seconds), (40, 40, 1.0));
        assert_eq!((both.score, both.ownership), (1.0, vec![0.25]));
        // A run without owners leaves those that are known.
        assert_eq!(run(1, 0.0, &[]).after(&run(30, 2.0, &[0.5])).ownership, [0.5]);
        assert_eq!(run(1, 0.0, &[1.0]).after(&run(30, 2.0, &[])).ownership, [1.0]);
    }
}
