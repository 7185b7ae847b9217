//! Results as JSON: one object in sum, and all cases one by one.

use serde_json::{Map, Value, json};

use super::{Remark, Suite, SuiteAttempt, SuiteCase, SuiteItem, SuiteTally, SuiteTask};

/// The result in sum: player, budget, seed, and the counts of each file and of all.
pub fn summary(suites: &[Suite], tallies: &[SuiteTally], task: &SuiteTask) -> Value {
    let files: Vec<Value> = suites
        .iter()
        .zip(tallies)
        .map(|(suite, tally)| {
            let mut counts = counts(tally);
            counts.insert("ignored_commands".to_string(), json!(suite.ignored));
            let mut file = Map::new();
            file.insert("file".to_string(), json!(suite.path.display().to_string()));
            file.insert("kind".to_string(), json!(suite.kind.to_string()));
            file.append(&mut counts);
            Value::Object(file)
        })
        .collect();
    let allowance = task.entrant.allowance(task.allowance);
    json!({
        "player": task.entrant.text(),
        "canonical": task.entrant.canonical(),
        "playouts": allowance.playouts,
        "time": allowance.time.map(|time| time.as_secs_f64()),
        "seed": task.seed,
        "total": counts(&SuiteTally::sum(tallies)),
        "files": files,
    })
}

fn counts(tally: &SuiteTally) -> Map<String, Value> {
    let value = json!({
        "tests": tally.tried(),
        "passed": tally.passed,
        "failed": tally.failed,
        "unexpected_passes": tally.unexpected_passes,
        "unexpected_failures": tally.unexpected_failures,
        "not_applicable": tally.n_inapplicable(),
        "not_applicable_by": tally.inapplicable,
        "errors": tally.errors,
        "other_size": tally.other_size,
        "seconds": (tally.time.as_secs_f64() * 1000.0).round() / 1000.0,
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// All cases, file by file: what was tried, what could not be, and what was odd.
pub fn cases(suites: &[Suite], attempts: &[SuiteAttempt]) -> Value {
    let file = |(idx, suite): (usize, &Suite)| {
        let cases: Vec<&SuiteCase> = suite.cases().collect();
        let tried: Vec<Value> = attempts
            .iter()
            .filter(|attempt| attempt.suite_idx == idx)
            .filter_map(|attempt| cases.get(attempt.case_idx).map(|case| row(case, attempt)))
            .collect();
        let of = |pick: fn(&SuiteItem) -> Option<&Remark>| -> Vec<Value> {
            suite.items.iter().filter_map(pick).map(remark).collect()
        };
        json!({
            "file": suite.path.display().to_string(),
            "kind": suite.kind.to_string(),
            "cases": tried,
            "errors": of(|item| if let SuiteItem::Error(remark) = item { Some(remark) } else { None }),
            "not_applicable": of(|item| if let SuiteItem::Inapplicable(remark) = item { Some(remark) } else { None }),
            "remarks": suite.remarks.iter().map(remark).collect::<Vec<_>>(),
            "ignored_commands": suite.ignored,
        })
    };
    Value::Array(suites.iter().enumerate().map(file).collect())
}

fn remark(remark: &Remark) -> Value {
    json!({ "name": remark.name, "line": remark.line, "text": remark.text })
}

/// A case and what became of it.
fn row(case: &SuiteCase, attempt: &SuiteAttempt) -> Value {
    let position = &case.position;
    json!({
        "name": case.name,
        "line": case.line,
        "source": case.source,
        "size": position.size().to_string(),
        "komi": position.komi(),
        "rules": position.rules().to_string(),
        "board": position.board().to_setup().to_string().lines().collect::<Vec<_>>(),
        "last": position.last().map(|play| position.size().show(play.vertex)),
        "to_play": case.color.to_string(),
        "answer": case.answer.to_string(),
        "known_failure": case.expects_failure,
        "played": attempt.played(case),
        "verdict": attempt.verdict.word(),
        "value": attempt.value,
        "simulations": attempt.simulations,
        "seconds": attempt.time.as_secs_f64(),
        "seed": attempt.seed,
        "error": attempt.decision.as_ref().err(),
        "note": attempt.note,
    })
}
