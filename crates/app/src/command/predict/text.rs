//! Predictions as a table and as JSON.

use comfy_table::{Cell, CellAlignment, Table, presets};
use lab::predict::page::SHOWN;
use lab::predict::run::MeanWithError;
use lab::predict::{Prediction, Summary};
use serde_json::json;

use super::{Chosen, Options};
use crate::words::counted;

/// A row for each predictor and part of the game, and how it was made.
pub(super) fn table(options: &Options, chosen: &Chosen, predictions: &[Prediction]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    let top = SHOWN[1..].iter().map(|k| format!("top-{k}"));
    let titles = ["predictor", "phase", "positions", "log loss", "±", "ln legal", "top-1", "±"];
    table.set_header(titles.iter().map(ToString::to_string).chain(top));
    for prediction in predictions {
        for summary in std::iter::once(&prediction.all).chain(&prediction.phases) {
            table.add_row(row(&prediction.predictor, summary));
        }
    }
    let mut text = format!("{table}\n");
    text += "log loss in nats, top-k in %; ± is the standard error over games\n";
    if let Some(first) = predictions.first() {
        let how =
            if options.first { "the first".to_string() } else { format!("drawn with seed {}", options.seed) };
        text += &format!(
            "{} of {}, {how} of {}; excluded: {}\n",
            counted(first.all.positions, "position"),
            counted(first.games, "game"),
            chosen.n_read,
            if first.passes == 1 { "1 pass".to_string() } else { format!("{} passes", first.passes) },
        );
        if first.refused > 0 {
            text += &format!("refused by the rules {} at some move: {}\n", options.rules, first.refused);
        }
    }
    let times = predictions.iter().map(|one| format!("{} {:.1}", one.predictor, one.micros));
    text += &format!("microseconds a position: {}\n", times.collect::<Vec<_>>().join(", "));
    for prediction in predictions.iter().filter(|prediction| prediction.all.impossible > 0) {
        text += &format!(
            "{}: {} moves were held impossible and cost what {} of the uniform distribution gives\n",
            prediction.predictor, prediction.all.impossible, options.mixed
        );
    }
    if chosen.n_unreadable > 0 {
        text += &format!("not readable: {}\n", chosen.n_unreadable);
    }
    text
}

fn row(name: &str, summary: &Summary) -> Vec<Cell> {
    let number = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let or_none = |x: f64, text: String| number(if x.is_nan() { "–".to_string() } else { text });
    let percent = |x: f64| or_none(x, format!("{:.1}", 100.0 * x));
    let MeanWithError { mean: loss, se } = summary.log_loss;
    let (title, phase) = match summary.phase {
        None => (name, "all"),
        Some(phase) => ("", phase.name()),
    };
    let mut cells = vec![
        Cell::new(title),
        Cell::new(phase),
        number(summary.positions.to_string()),
        or_none(loss, format!("{loss:.4}")),
        or_none(se, format!("{se:.4}")),
        or_none(summary.log_legal.mean, format!("{:.4}", summary.log_legal.mean)),
    ];
    cells.extend([percent(summary.top[0].mean), percent(summary.top[0].se)]);
    cells.extend(SHOWN[1..].iter().map(|k| percent(summary.top[k - 1].mean)));
    cells
}

/// Everything in one line.
pub(super) fn json(options: &Options, chosen: &Chosen, predictions: &[Prediction]) -> String {
    let files: Vec<String> = options.files.iter().map(|file| file.display().to_string()).collect();
    json!({
        "files": files,
        "games_read": chosen.n_read,
        "unreadable": chosen.n_unreadable,
        "drawn": !options.first,
        "seed": options.seed,
        "rules": options.rules.to_string(),
        "mixed": options.mixed,
        "version": env!("CARGO_PKG_VERSION"),
        "predictions": predictions,
    })
    .to_string()
}
