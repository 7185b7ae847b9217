//! The quantity of a table or figure: the share of the points, or the mean score; and how both are written.

use serde_json::{Map, Value};

use crate::entrant::Entrant;
use crate::experiment::Measure;
use crate::plot::number::Unit;

use super::study::{ExperimentResults, GroupResults, MeetingResults, PlayerResults};

/// The quantity that is measured of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// A's share of the points, 0 to 1.
    Rate,
    /// By how many points A wins on average.
    Score,
}

impl Quantity {
    pub(super) fn measure(self) -> Measure {
        match self {
            Self::Rate => Measure::Rate,
            Self::Score => Measure::Score,
        }
    }

    pub(super) fn unit(self) -> Unit {
        match self {
            Self::Rate => Unit::Percent,
            Self::Score => Unit::Points,
        }
    }

    /// The name on an axis.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Rate => "wins",
            Self::Score => "mean score, points",
        }
    }

    /// What a meeting says, with its 95 % interval.
    pub(super) fn of(self, meeting: &MeetingResults) -> Option<(f64, [f64; 2])> {
        match self {
            Self::Rate => meeting.rate(),
            Self::Score => meeting.margin(),
        }
    }
}

/// A name as a heading: it begins with a capital letter, unless its first word is a name with digits such as `g1`.
pub(super) fn heading(name: &str) -> String {
    let first = name.split_whitespace().next().unwrap_or_default();
    if first.chars().any(|letter| !letter.is_alphabetic()) {
        return name.to_owned();
    }
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The terms in a line: `9×9, komi 7.5, chinese rules, 3000 playouts a move`.
pub(super) fn terms(terms: &Map<String, Value>) -> String {
    let text = |key: &str| match terms.get(key) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(value) => Some(value.to_string()),
    };
    let number = |key: &str| terms.get(key).and_then(Value::as_f64);
    let mut parts: Vec<String> = text("game").into_iter().collect();
    parts.extend(text("size").map(|size| match size.split_once(['x', '×']) {
        Some((width, height)) => format!("{width}×{height}"),
        None => format!("{size}×{size}"),
    }));
    parts.extend(number("komi").map(|komi| format!("komi {komi}")));
    parts.extend(text("rules").map(|rules| format!("{rules} rules")));
    parts.extend(
        number("handicap").filter(|&stones| stones > 1.0).map(|stones| format!("{stones} stones handicap")),
    );
    parts.extend(number("playouts").map(|n| format!("{} playouts a move", Unit::Plain.bare(n))));
    parts.extend(number("time").map(|seconds| format!("{seconds} s a move")));
    parts.extend(
        text("clock")
            .filter(|clock| !clock.is_empty() && clock != "none")
            .map(|clock| format!("clock {clock}")),
    );
    parts.join(", ")
}

/// The terms of a meeting in a line. What is agreed on for each move holds only for who brings no budget of its own: if both
/// do it is left out, if one does that is said.
pub(super) fn terms_between(study: &ExperimentResults, meetings: &[&MeetingResults]) -> Option<String> {
    let mut all = meetings.iter().map(|meeting| &meeting.terms);
    let first = all.next()?;
    let shown = terms(first);
    if shown.is_empty() || all.any(|other| terms(other) != shown) {
        return None;
    }
    let players = || meetings.iter().flat_map(|meeting| meeting.players).map(|idx| &study.players[idx]);
    let mut kept = first.clone();
    if players().all(has_own_budget) {
        kept.remove("playouts");
        kept.remove("time");
    } else if players().any(has_own_budget) && terms_without_budget(first) != shown {
        return Some(format!("{shown} unless a player has its own"));
    }
    Some(terms(&kept))
}

fn terms_without_budget(of: &Map<String, Value>) -> String {
    let mut without = of.clone();
    without.remove("playouts");
    without.remove("time");
    terms(&without)
}

/// Whether a player is given playouts or seconds of its own. A recipe that this program no longer knows says nothing.
fn has_own_budget(player: &PlayerResults) -> bool {
    player.text.parse::<Entrant>().is_ok_and(|entrant| entrant.has_own_budget())
}

/// The terms of a group, if all its meetings have the same.
pub(super) fn terms_of(study: &ExperimentResults, group: &GroupResults) -> Option<String> {
    terms_between(study, &group.meetings.iter().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::experiment::Stop;

    #[test]
    fn terms_in_a_line() {
        let settings = json!({
            "size": "9", "komi": 7.5, "rules": "chinese", "handicap": 0, "playouts": 3000, "time": null, "clock": null,
            "referee": "board", "no-resign": false, "max-moves": 243,
        });
        let Value::Object(settings) = settings else { unreachable!() };
        assert_eq!(terms(&settings), "9×9, komi 7.5, chinese rules, 3000 playouts a move");
        assert_eq!(terms(&Map::new()), "");
    }

    #[test]
    fn budgets_of_their_own_are_told() {
        let player = |text: &str| PlayerResults { text: text.into(), ..PlayerResults::default() };
        let study = ExperimentResults {
            players: vec![player("uct"), player("uct@playouts=40"), player("default@time=1,memory=5M")],
            ..ExperimentResults::default()
        };
        let Value::Object(settings) = json!({"size": "9x9", "playouts": 20}) else { unreachable!() };
        let meeting = |players| MeetingResults {
            players,
            lines: Vec::new(),
            standing: crate::experiment::Standing::new(Stop::Games(2)),
            terms: settings.clone(),
            seed: 1,
            folder: std::path::PathBuf::new(),
        };
        let shown = |players| terms_between(&study, &[&meeting(players)]).unwrap();
        assert_eq!(shown([0, 0]), "9×9, 20 playouts a move");
        assert_eq!(shown([0, 1]), "9×9, 20 playouts a move unless a player has its own");
        assert_eq!(shown([2, 1]), "9×9");
    }

    #[test]
    fn headings_begin_with_a_capital() {
        assert_eq!(heading("against RAVE"), "Against RAVE");
        assert_eq!(heading("β"), "Β");
        assert_eq!(heading("g1"), "g1");
        assert_eq!(heading(""), "");
    }
}
