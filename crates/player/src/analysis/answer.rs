//! The answer about a position, with KataGo's names. Numbers are rounded to what they are worth.

use goban::{Color, Vertex};
use model::net::output::NetEvaluation;
use serde_json::{Map, Value, json};

use super::job::AnalysisJob;
use crate::survey::{Candidate, Survey};

/// The results of a search, and the network's own evaluation; `is_partial` while the search goes on.
pub(super) fn found(
    job: &AnalysisJob,
    survey: &Survey,
    raw: Option<&NetEvaluation>,
    is_partial: bool,
) -> Value {
    let query = &job.query;
    let survey = survey.clone().seen_by(query.viewer.color(survey.to_play));
    let survey = survey.spread_at_least(raw.map_or(0.0, |raw| raw.score_stdev));
    let tried = survey.candidates.iter().filter(|candidate| candidate.visits > 0);
    let moves: Vec<Value> = tried.enumerate().map(|(order, c)| move_info(job, &survey, c, order)).collect();
    let mut answer = json!({
        "id": query.id,
        "turnNumber": job.turn(),
        "isDuringSearch": is_partial,
        "moveInfos": moves,
        "rootInfo": {
            "currentPlayer": if survey.to_play == Color::Black { "B" } else { "W" },
            "visits": survey.visits,
            "winrate": fine(survey.win),
            "scoreLead": fine(survey.margin),
            "scoreSelfplay": fine(survey.margin),
            "scoreStdev": fine(survey.margin_sd),
            "utility": fine(2.0 * survey.win - 1.0),
        },
    });
    if let Some(raw) = raw {
        put_raw(&mut answer["rootInfo"], raw, survey.viewer == survey.to_play);
    }
    if query.includes.policy {
        let policy = raw.map_or_else(|| survey.policy(), |raw| raw.policy.clone());
        answer["policy"] = policy.into_iter().map(fine).collect();
    }
    if query.includes.ownership {
        answer["ownership"] = owners(&survey, &survey.ownership);
    }
    answer
}

/// The network's evaluation of the root, with values of the player to move or of the other.
fn put_raw(root: &mut Value, raw: &NetEvaluation, is_mover: bool) {
    let side = if is_mover { 1.0 } else { -1.0 };
    let p_win = if is_mover { raw.p_win } else { raw.p_loss };
    let numbers = [
        // A game without a result is half won.
        ("rawWinrate", p_win + 0.5 * raw.p_no_result),
        ("rawLead", side * raw.lead),
        ("rawScoreSelfplay", side * raw.score_mean),
        ("rawScoreSelfplayStdev", raw.score_stdev),
        ("rawNoResultProb", raw.p_no_result),
        // Networks before version 9 tell neither of the next two.
        ("rawStWrError", raw.value_error.map_or(-1.0, |error| 0.5 * error)),
        ("rawStScoreError", raw.score_error.unwrap_or(-1.0)),
        ("rawVarTimeLeft", raw.value_error.map_or(-1.0, |_| raw.variance_time)),
    ];
    for (key, number) in numbers {
        root[key] = fine(number);
    }
}

/// The answer about a position that was not searched.
pub(super) fn nothing(job: &AnalysisJob) -> Value {
    json!({ "id": job.query.id, "turnNumber": job.turn(), "isDuringSearch": false, "noResults": true })
}

fn move_info(job: &AnalysisJob, survey: &Survey, candidate: &Candidate, order: usize) -> Value {
    let query = &job.query;
    let show = |vertex: &Vertex| Value::from(survey.size.show(*vertex));
    let mut info = Map::new();
    let mut put = |key: &str, value: Value| drop(info.insert(key.to_string(), value));
    put("move", show(&candidate.vertex));
    put("order", order.into());
    put("visits", candidate.visits.into());
    put("edgeVisits", candidate.visits.into());
    put("winrate", fine(candidate.win));
    put("lcb", fine(candidate.lcb));
    put("prior", fine(candidate.prior));
    for key in ["scoreLead", "scoreMean", "scoreSelfplay"] {
        put(key, fine(candidate.margin));
    }
    put("scoreStdev", fine(candidate.margin_sd));
    put("utility", fine(2.0 * candidate.win - 1.0));
    put("utilityLcb", fine(2.0 * candidate.lcb - 1.0));
    put("pv", candidate.line.iter().take(query.pv_len).map(show).collect());
    if query.includes.pv_visits {
        let visits = candidate.line_visits.iter().take(query.pv_len).copied();
        put("pvVisits", visits.map(Value::from).collect());
    }
    if query.includes.moves_ownership {
        put("ownership", owners(survey, survey.ownership_after(candidate)));
    }
    Value::Object(info)
}

/// Owners as the viewer sees them. Where nobody has looked nobody owns anything.
fn owners(survey: &Survey, ownership: &[f32]) -> Value {
    if ownership.is_empty() {
        return vec![0.0; survey.size.area()].into();
    }
    let rough = |owner: f32| (f64::from(owner) * 1e4).round() / 1e4;
    survey.owners(ownership).map(rough).collect()
}

/// A number with six digits behind the point.
fn fine(x: f32) -> Value {
    Value::from((f64::from(x) * 1e6).round() / 1e6 + 0.0)
}
