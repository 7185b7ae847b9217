//! Everything that was found, for programs. Values are those of the player to move; what is Black's says so in its name.
//! `docs/methods.md` explains every field.

use mcts::report::{Arm, Report};
use serde_json::{Value, json};

use super::order;
use super::study::{Found, Study};
use super::text::{rate, share};

/// One object with the whole report.
pub(super) fn found(study: &Study, found: &Found) -> Value {
    let (report, position) = (&found.report, &study.position);
    let size = position.size();
    let ownership: Vec<Value> = study
        .ownership(report)
        .chunks(size.width())
        .map(|row| row.iter().map(|&owner| number(owner)).collect())
        .collect();
    let arms = order::arms(study, found).into_iter().map(|arm| arm_json(study, report, arm));
    json!({
        "size": size.to_string(),
        "rules": position.rules().to_string(),
        "komi": number(position.komi()),
        "before_move": position.plays().len() + 1,
        "to_play": position.to_play().to_string(),
        "recipe": study.recipe.to_string(),
        "seed": study.settings.seed,
        "threads": study.settings.threads,
        "memory": study.settings.memory,
        "simulations": report.simulations,
        "samples": report.samples,
        "seconds": report.seconds,
        "simulations_per_second": rate(report),
        "nodes": report.nodes,
        "bytes": report.bytes,
        "is_full": report.is_full,
        "is_settled": report.is_settled,
        "unsound": report.unsound,
        "reward": report.reward.word(),
        "visits": report.visits,
        "value": number(report.value),
        "win": number(report.win),
        "score_black": number(report.score),
        "ownership_black": ownership,
        "move": found.chosen.map(|vertex| size.show(vertex)),
        "models": Study::model_names(report),
        "arms": arms.collect::<Value>(),
    })
}

fn arm_json(study: &Study, report: &Report, arm: &Arm) -> Value {
    let models = Study::model_names(report).into_iter().zip(&arm.models).map(|(name, model)| {
        json!({
            "name": name,
            "mean": number(model.mean),
            "weight": number(model.weight),
            "beta": number(model.beta),
        })
    });
    json!({
        "move": study.show(arm),
        "visits": arm.visits,
        "share": share(arm, report),
        "value": number(arm.value),
        "win": number(arm.win),
        "p": arm.p.map(number),
        "selector_score": number(arm.score),
        "models": models.collect::<Value>(),
        "line": study.line(arm),
    })
}

/// The shortest decimal that is this number, as the CSV file has it, too; null for what is none or without bound.
fn number(x: f32) -> Value {
    x.to_string().parse::<f64>().ok().filter(|x| x.is_finite()).map_or(Value::Null, Value::from)
}
