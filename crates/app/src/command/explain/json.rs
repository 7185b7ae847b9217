//! Everything that was found, for programs. Values are those of the player to move; what is Black's says so in its name.
//! `docs/methods/README.md` explains every field.

use mcts::report::{Arm, Report};
use serde_json::{Value, json};

use super::order;
use super::study::{Asked, GoStudy, SearchResult, SearchedPosition, model_names};
use super::text::{rate, share};

/// One object with the whole report.
pub(super) fn found(study: &GoStudy, found: &SearchResult) -> Value {
    let (report, position) = (&found.report, study.position());
    let size = position.size();
    let ownership: Vec<Value> = study
        .ownership(report)
        .chunks(size.width())
        .map(|row| row.iter().map(|&owner| number(owner)).collect())
        .collect();
    let game = json!({
        "size": size.to_string(),
        "rules": position.rules().to_string(),
        "komi": number(position.komi()),
    });
    let end = json!({ "score_black": number(report.score), "ownership_black": ownership });
    whole(study, found, game, &end)
}

/// The object of a search over any game: what is said of the game first, of its end after the values.
pub(super) fn whole(study: &dyn SearchedPosition, found: &SearchResult, game: Value, end: &Value) -> Value {
    let report = &found.report;
    let Asked { recipe, settings, .. } = study.asked();
    let values = json!({
        "before_move": study.n_plays() + 1,
        "to_play": study.to_play().to_string(),
        "recipe": recipe.to_string(),
        "seed": settings.seed,
        "threads": settings.threads,
        "memory": settings.memory,
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
    });
    let arms = order::arms(study, found).into_iter().map(|arm| arm_json(study, report, arm));
    let moves = json!({
        "move": found.chosen.map(|action| study.show_action(action)),
        "models": model_names(report),
        "arms": arms.collect::<Value>(),
    });
    let mut all = game;
    for part in [&values, end, &moves] {
        for (key, value) in part.as_object().into_iter().flatten() {
            all[key] = value.clone();
        }
    }
    all
}

fn arm_json(study: &dyn SearchedPosition, report: &Report, arm: &Arm) -> Value {
    let models = model_names(report).into_iter().zip(&arm.models).map(|(name, model)| {
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
