//! In which order moves are shown: first the one that would be played, then by the number that the pick goes by.

use std::cmp::Ordering;

use mcts::report::Arm;
use recipe::Recipe;

use super::study::{SearchResult, SearchedPosition};

/// The number that a pick goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merit {
    /// Visits; of equally often visited moves the better.
    Visits,
    /// The value of the moves with these visits, which the others follow; of equally good moves the more visited.
    Value { min_visits: u32 },
}

impl Merit {
    /// That of a recipe's pick. A pick that draws lots goes by what makes a lot likely.
    pub(super) fn of(recipe: &Recipe) -> Self {
        let entries = recipe.entries();
        let value =
            |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.to_string());
        match (value("pick").as_deref(), value("pick.by").as_deref()) {
            (Some("best-value"), _) => {
                let min_visits = value("pick.min-visits").and_then(|n| n.parse().ok()).unwrap_or(1);
                Self::Value { min_visits }
            }
            (_, Some("value")) => Self::Value { min_visits: 1 },
            _ => Self::Visits,
        }
    }

    /// Its name in the table's heading.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Visits => "visits",
            Self::Value { .. } => "value",
        }
    }

    /// Which of two arms comes first.
    fn compare(self, a: &Arm, b: &Arm) -> Ordering {
        let (visits, value) = (b.visits.cmp(&a.visits), b.value.total_cmp(&a.value));
        match self {
            Self::Visits => visits.then(value),
            Self::Value { min_visits } => {
                let is_rare = |arm: &Arm| arm.visits < min_visits;
                is_rare(a).cmp(&is_rare(b)).then(value).then(visits)
            }
        }
    }
}

/// All arms in the order in which they are shown.
pub(super) fn arms<'a>(study: &dyn SearchedPosition, found: &'a SearchResult) -> Vec<&'a Arm> {
    let mut arms: Vec<&Arm> = found.report.arms.iter().collect();
    let merit = Merit::of(&study.asked().recipe);
    arms.sort_by(|a, b| {
        let is_other = |arm: &Arm| !found.is_chosen(arm);
        is_other(a).cmp(&is_other(b)).then(merit.compare(a, b))
    });
    arms
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::recipes;

    #[test]
    fn a_pick_goes_by_visits_or_by_value() {
        for (pick, merit) in [
            ("most-visits", Merit::Visits),
            ("balanced", Merit::Visits),
            ("at-limit", Merit::Visits),
            ("softmax", Merit::Visits),
            ("softmax:by=value", Merit::Value { min_visits: 1 }),
            ("best-value", Merit::Value { min_visits: 1 }),
            ("best-value:min-visits=20", Merit::Value { min_visits: 20 }),
        ] {
            assert_eq!(Merit::of(&recipes::parse(&format!("pick={pick}")).unwrap()), merit, "{pick}");
        }
    }

    #[test]
    fn rare_moves_follow_the_others() {
        let arm = |visits, value| Arm { visits, value, ..Arm::default() };
        let mut arms = [arm(19, 0.9), arm(20, 0.4), arm(300, 0.6), arm(25, 0.6), arm(0, 1.0)];
        let order = |merit: Merit, arms: &mut [Arm]| {
            arms.sort_by(|a, b| merit.compare(a, b));
            arms.iter().map(|arm| arm.visits).collect::<Vec<_>>()
        };
        assert_eq!(order(Merit::Value { min_visits: 20 }, &mut arms), [300, 25, 20, 0, 19]);
        assert_eq!(order(Merit::Visits, &mut arms), [300, 25, 20, 19, 0]);
    }
}
