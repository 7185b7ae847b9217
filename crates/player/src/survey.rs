//! The results of a search of a position, read from its report in one place for all who show it: candidates with win rate,
//! its lower bound, prior, margin, visits and line of play, and who will own which point. GTP, the JSON protocol and
//! the page say the same because they read it here.
//!
//! Values are those of one player, the one to move unless [`Survey::seen_by`] turned them round. Owners are always seen by
//! Black.

use goban::{Color, Position, Size, Vertex};
use mcts::go_search::GoSearch;
use mcts::report::{Arm, MarginStats};
use mcts::{Notes, Report, Side};

/// The quantile of the normal distribution between which and its negative 95 % lie; for [`lower_bound`].
const Z: f64 = 1.96;

/// The results of a search of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The board.
    pub size: Size,
    /// Who is to move.
    pub to_play: Color,
    /// Whose values these are.
    pub viewer: Color,
    /// Simulations of this search.
    pub simulations: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Visits of all candidates, those of earlier searches of the same tree included.
    pub visits: u64,
    /// How often the viewer is expected to win, 0..=1.
    pub win: f32,
    /// By how many points the viewer is expected to win, komi included.
    pub margin: f32,
    /// How much that differs from simulation to simulation, as a standard deviation in points.
    pub margin_sd: f32,
    /// All moves that may be chosen: first the one that would be played, then the most visited first.
    pub candidates: Vec<Candidate>,
    /// Who will own each point, row by row from the top left, −1 White ..= +1 Black; empty if it is not known.
    pub ownership: Vec<f32>,
    /// Whether the search is over: nothing is left to find, or it has run as long as it may.
    pub is_done: bool,
}

/// The results of a search for one move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move's place in the report's table.
    pub arm: usize,
    /// The move.
    pub vertex: Vertex,
    /// Visits.
    pub visits: u32,
    /// How often the viewer is expected to win after it, 0..=1.
    pub win: f32,
    /// A lower bound of the win rate of the player to move, by the number of visits; see [`lower_bound`]. For the other player
    /// the same bound is an upper one.
    pub lcb: f32,
    /// The search's first opinion: P(a) where the prior gives it, else the share of the visits. All sum to 1.
    pub prior: f32,
    /// By how many points the viewer is expected to win after it.
    pub margin: f32,
    /// How much that differs from simulation to simulation.
    pub margin_sd: f32,
    /// The expected line of play, this move first.
    pub line: Vec<Vertex>,
    /// Visits of each move of the line; empty unless they are wanted.
    pub line_visits: Vec<u32>,
    /// Who will own each point after it, as [`Survey::ownership`]; empty unless it is wanted and known.
    pub ownership: Vec<f32>,
}

/// Optional parts of a survey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Owners.
    pub ownership: bool,
    /// Owners after each candidate.
    pub arm_ownership: bool,
    /// Visits along the lines.
    pub line_visits: bool,
}

impl Wants {
    /// What the search must note for it. Where owners are to be shown every fourth simulation looks at them, so that a
    /// short search knows them, too.
    pub fn notes(&self) -> Notes {
        match (self.ownership, self.arm_ownership) {
            (false, false) => Notes::default(),
            (_, true) => Notes { ownership_every: 1, arm_ownership: true },
            (true, false) => Notes { ownership_every: 4, arm_ownership: false },
        }
    }
}

impl Survey {
    /// Reads the report of a search; `choice` is what would be played, if that is decided.
    pub fn new(
        search: &dyn GoSearch,
        report: &Report,
        size: Size,
        choice: Option<Vertex>,
        wants: Wants,
    ) -> Self {
        let to_play = color(report.mover);
        // A tree that was kept from an earlier search knows no margins yet; the mean of all must do.
        let mean = if to_play == Color::Black { report.score } else { -report.score };
        let all = pooled(report.arms.iter().filter_map(|arm| arm.margin));
        let all = all.unwrap_or(MarginStats { mean: sound(mean), sd: 0.0, n: 0 });
        let priors = priors(&report.arms);
        let candidate = |(idx, arm): (usize, &Arm)| {
            let margin = arm.margin.unwrap_or(all);
            let (win, visits) = (sound(arm.win).clamp(0.0, 1.0), arm.visits);
            Candidate {
                arm: idx,
                vertex: search.vertex(arm.action),
                visits,
                win,
                lcb: lower_bound(win, visits),
                prior: priors[idx],
                margin: sound(margin.mean),
                margin_sd: sound(margin.sd),
                line: arm.line.iter().map(|&action| search.vertex(action)).collect(),
                line_visits: if wants.line_visits { search.visits_along(&arm.line) } else { Vec::new() },
                ownership: if wants.arm_ownership { search.arm_ownership(arm) } else { Vec::new() },
            }
        };
        let mut candidates: Vec<Candidate> = report.arms.iter().enumerate().map(candidate).collect();
        candidates.sort_by(|a, b| {
            let is_chosen = |candidate: &Candidate| choice == Some(candidate.vertex);
            is_chosen(b).cmp(&is_chosen(a)).then(b.visits.cmp(&a.visits)).then(b.win.total_cmp(&a.win))
        });
        Self {
            size,
            to_play,
            viewer: to_play,
            simulations: report.simulations,
            seconds: report.seconds,
            visits: report.visits,
            win: sound(report.win).clamp(0.0, 1.0),
            margin: sound(all.mean),
            margin_sd: sound(all.sd),
            candidates,
            ownership: search.ownership(report),
            is_done: report.is_settled,
        }
    }

    /// What there is to say of a game that a pass of `color` ends in its favour, without any search.
    pub fn settled(position: &Position, color: Color) -> Self {
        let black = position.score().margin();
        let margin = sound(if color == Color::Black { black } else { -black });
        let pass = Candidate {
            arm: 0,
            vertex: Vertex::PASS,
            visits: 0,
            win: 1.0,
            lcb: 1.0,
            prior: 1.0,
            margin,
            margin_sd: 0.0,
            line: vec![Vertex::PASS],
            line_visits: Vec::new(),
            ownership: Vec::new(),
        };
        Self {
            size: position.size(),
            to_play: color,
            viewer: color,
            simulations: 0,
            seconds: 0.0,
            visits: 0,
            win: 1.0,
            margin,
            margin_sd: 0.0,
            candidates: vec![pass],
            ownership: Vec::new(),
            is_done: true,
        }
    }

    /// The same as another player sees it.
    #[must_use]
    pub fn seen_by(mut self, viewer: Color) -> Self {
        if viewer != self.viewer {
            self.viewer = viewer;
            self.win = 1.0 - self.win;
            self.margin = sound(-self.margin);
            for candidate in &mut self.candidates {
                candidate.win = 1.0 - candidate.win;
                candidate.lcb = 1.0 - candidate.lcb;
                candidate.margin = sound(-candidate.margin);
            }
        }
        self
    }

    /// The same with a spread of the final score that is at least this one: what a network expects of the rest of the game,
    /// where the search itself has only seen its opinions of positions.
    #[must_use]
    pub fn spread_at_least(mut self, sd: f32) -> Self {
        self.margin_sd = self.margin_sd.max(sound(sd));
        for candidate in &mut self.candidates {
            candidate.margin_sd = candidate.margin_sd.max(sound(sd));
        }
        self
    }

    /// Owners as the viewer sees them: +1 his own.
    pub fn owners<'a>(&self, ownership: &'a [f32]) -> impl Iterator<Item = f32> + use<'a> {
        let sign = if self.viewer == Color::Black { 1.0 } else { -1.0 };
        ownership.iter().map(move |&owner| sound(sign * owner))
    }

    /// Owners after a candidate, or of the whole position where those are not known.
    pub fn ownership_after<'a>(&'a self, candidate: &'a Candidate) -> &'a [f32] {
        if candidate.ownership.is_empty() { &self.ownership } else { &candidate.ownership }
    }

    /// The prior of each point, row by row from the top left, then of the pass; −1 where no move may be made.
    pub fn policy(&self) -> Vec<f32> {
        let mut policy = vec![-1.0; self.size.area() + 1];
        for candidate in &self.candidates {
            let at = match candidate.vertex.is_pass() {
                true => self.size.area(),
                false => candidate.vertex.row() * self.size.width() + candidate.vertex.col(),
            };
            policy[at] = candidate.prior;
        }
        policy
    }
}

fn color(side: Side) -> Color {
    match side {
        Side::First => Color::Black,
        Side::Second => Color::White,
    }
}

/// A number that can be shown.
fn sound(x: f32) -> f32 {
    // Zero has no sign here.
    if x.is_finite() { x + 0.0 } else { 0.0 }
}

/// The margins of all arms together.
fn pooled(margins: impl Iterator<Item = MarginStats>) -> Option<MarginStats> {
    let (mut n, mut sum, mut sum_sq) = (0, 0.0, 0.0);
    for margin in margins {
        let (mean, sd) = (f64::from(margin.mean), f64::from(margin.sd));
        n += margin.n;
        sum += margin.n as f64 * mean;
        sum_sq += margin.n as f64 * (mean * mean + sd * sd);
    }
    let mean = (n > 0).then(|| sum / n as f64)?;
    let variance = (sum_sq / n as f64 - mean * mean).max(0.0);
    Some(MarginStats { mean: mean as f32, sd: variance.sqrt() as f32, n })
}

/// P(a) of the arms where the prior gives it, else their share of the visits, else the same for all; they sum to 1.
fn priors(arms: &[Arm]) -> Vec<f32> {
    let given: Option<Vec<f64>> = arms.iter().map(|arm| Some(f64::from(sound(arm.p?)).max(0.0))).collect();
    let visits = || arms.iter().map(|arm| f64::from(arm.visits)).collect();
    let even = || vec![1.0; arms.len()];
    let is_useful = |weights: &Vec<f64>| weights.iter().sum::<f64>() > 0.0;
    let weights = given.filter(is_useful).or_else(|| Some(visits()).filter(is_useful)).unwrap_or_else(even);
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| (weight / sum) as f32).collect()
}

/// The lower end of Wilson's 95 % interval (1927) around a win rate that was seen in `n` visits: what it is not below. 0
/// without visits. Models that share what they learn among moves know more than it says.
pub fn lower_bound(win: f32, n: u32) -> f32 {
    if n == 0 {
        return 0.0;
    }
    let (p, n, z_sq) = (f64::from(win), f64::from(n), Z * Z);
    let centre = p + z_sq / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + z_sq / (4.0 * n * n)).sqrt();
    ((centre - spread) / (1.0 + z_sq / n)).clamp(0.0, 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Rules;
    use mcts::go_search;
    use mcts::{Limits, Settings};

    /// A search of `n` simulations on an empty 5×5 board.
    fn survey(recipe: &str, n: u64, to_play: Color, wants: Wants) -> Survey {
        let position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        let recipe = recipe::Recipe::parse(&mcts::ROOT, &crate::recipes::SHELF, recipe).unwrap();
        let situation = crate::searcher::situation(&position, to_play);
        let mut search = go_search::build(&recipe, &situation, &Settings::default()).unwrap();
        search.set_notes(wants.notes());
        let report = search.run(&Limits::simulations(n));
        let choice = search.pick(&report);
        Survey::new(search.as_ref(), &report, position.size(), choice, wants)
    }

    const ALL: Wants = Wants { ownership: true, arm_ownership: true, line_visits: true };

    #[test]
    fn bounds_by_hand() {
        // 8 of 10: (0.8 + 0.19208 − 1.96 · √(0.016 + 0.0096040)) / 1.38416 = (0.99208 − 0.31362) / 1.38416.
        assert!((lower_bound(0.8, 10) - 0.490_16).abs() < 1e-4, "{}", lower_bound(0.8, 10));
        assert_eq!((lower_bound(0.0, 5), lower_bound(0.7, 0)), (0.0, 0.0));
        // One win of one says little: 1 / (1 + 3.8416).
        assert!((lower_bound(1.0, 1) - 0.206_54).abs() < 1e-4);
        assert!(lower_bound(0.6, 1_000_000) > 0.599);
    }

    #[test]
    fn everything_adds_up() {
        for recipe in ["default", "uct"] {
            let survey = survey(recipe, 400, Color::White, ALL);
            assert_eq!((survey.simulations, survey.visits), (400, 400));
            assert_eq!(survey.candidates.iter().map(|c| c.visits).sum::<u32>(), 400);
            assert!((survey.candidates.iter().map(|c| c.prior).sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(survey.candidates[1..].is_sorted_by(|a, b| a.visits >= b.visits));
            assert_eq!((survey.ownership.len(), survey.viewer), (25, Color::White));
            // The margin of all is the mean of the candidates' by visits.
            let mean: f32 = survey.candidates.iter().map(|c| c.margin * c.visits as f32).sum::<f32>() / 400.0;
            assert!((mean - survey.margin).abs() < 1e-3, "{mean} {}", survey.margin);
            assert!(survey.margin_sd > 1.0, "playouts differ: {}", survey.margin_sd);
            for candidate in survey.candidates.iter().filter(|c| c.visits > 0) {
                assert_eq!(candidate.line[0], candidate.vertex);
                assert_eq!(candidate.line_visits.len(), candidate.line.len());
                assert_eq!(candidate.line_visits[0], candidate.visits);
                assert!(candidate.line_visits.is_sorted_by(|a, b| a >= b));
                assert_eq!(candidate.ownership.len(), 25, "every simulation looked at the owners");
                assert!(candidate.lcb <= candidate.win);
            }
            let policy = survey.policy();
            assert_eq!(policy.len(), 26);
            assert!(policy.iter().all(|&p| p >= 0.0), "all is legal on an empty board");
        }
    }

    #[test]
    fn margins_and_win_rates_agree() {
        // White is ahead by komi alone; whoever wins by points wins the game.
        let survey = survey("uct", 1000, Color::Black, Wants::default());
        assert!(survey.candidates[0].ownership.is_empty() && survey.candidates[0].line_visits.is_empty());
        let mut other = survey.clone().seen_by(Color::White);
        assert!((other.win - (1.0 - survey.win)).abs() < 1e-6);
        assert_eq!(other.margin, -survey.margin);
        assert_eq!(other.candidates[0].margin, -survey.candidates[0].margin);
        let wide = other.clone().spread_at_least(1e3);
        assert!(wide.margin_sd == 1e3 && wide.candidates.iter().all(|candidate| candidate.margin_sd == 1e3));
        assert_eq!(other.clone().spread_at_least(f32::NAN).margin_sd, other.margin_sd);
        let owners: Vec<f32> = other.owners(&other.ownership).collect();
        assert!(owners.iter().zip(&survey.ownership).all(|(a, b)| *a == -b));
        other = other.seen_by(Color::Black);
        assert_eq!((other.win, other.margin), (1.0 - (1.0 - survey.win), survey.margin));
    }

    #[test]
    fn priors_come_from_the_prior_or_the_visits() {
        let arm = |visits, p| Arm { visits, p, ..Arm::default() };
        assert_eq!(priors(&[arm(3, None), arm(1, None)]), [0.75, 0.25]);
        assert_eq!(priors(&[arm(3, Some(0.1)), arm(1, Some(0.3))]), [0.25, 0.75]);
        assert_eq!(priors(&[arm(0, None), arm(0, None)]), [0.5, 0.5]);
        assert_eq!(priors(&[arm(1, Some(f32::NAN)), arm(3, Some(0.0))]), [0.25, 0.75]);
    }

    #[test]
    fn what_is_noted_does_not_guide_the_search() {
        let visits = |wants| {
            survey("default", 300, Color::Black, wants)
                .candidates
                .iter()
                .map(|c| c.visits)
                .collect::<Vec<_>>()
        };
        assert_eq!(visits(ALL), visits(Wants::default()));
    }

    #[test]
    fn a_won_game_needs_no_search() {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        position.play(Color::Black, Vertex::new(2, 2)).unwrap();
        let survey = Survey::settled(&position, Color::Black);
        assert_eq!((survey.margin, survey.candidates[0].vertex), (25.0, Vertex::PASS));
    }
}
