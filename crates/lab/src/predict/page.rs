//! Predictions as a page: the curve, the table, how it was measured.

use super::run::{MeanWithError, Prediction, Summary};
use crate::plot::{self, PredictorCurve};
use crate::report::{Figure, Page, PageBlock, ReportTable, TableCell, Text, Tone};

/// The places of the curve that a table has room for.
pub const SHOWN: [usize; 7] = [1, 2, 3, 5, 10, 20, 50];

/// How the numbers were measured.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Names and what is known of them: files, seed, program.
    pub facts: Vec<(String, String)>,
    /// The command that gives the same numbers.
    pub command: String,
}

impl About {
    /// The end of a page: how to make it again.
    pub(crate) fn append(&self, page: &mut Page) {
        page.heading("How it was made");
        let facts = self.facts.iter().map(|(name, fact)| (name.clone(), fact.as_str().into()));
        page.blocks.push(PageBlock::Facts(facts.collect()));
        page.blocks.push(PageBlock::Code(self.command.clone()));
    }
}

/// A page that compares predictors on the same positions.
pub fn page(predictions: &[Prediction], about: &About) -> Page {
    let mut page = Page::new("Move prediction");
    if let Some(first) = predictions.first() {
        page.lead = format!(
            "{} positions of {} games; {} passes are left out.",
            first.all.positions, first.games, first.passes
        )
        .into();
    }
    page.figure(Figure::new(
        "curve",
        curve(predictions),
        "How often the move that was played is among the first T moves that a predictor names.",
    ));
    page.table(table(predictions));
    page.prose(
        "Every move of a game is predicted but the passes; the candidates are the legal moves without the pass. Ties are \
         broken by lot, so `uniform` finds the move among its first k of L in k/L of the cases. The log loss is the mean of \
         −ln P(played move); that of `uniform` is the mean of ln(legal moves). A small share of the uniform distribution is \
         mixed into every prediction, so that a move which was held impossible does not cost infinitely much. Standard \
         errors count games, not positions.\n\n\
         The opening is an eighth of as many moves as the board has points (10 on 9×9, 45 on 19×19), the middle game goes \
         on to half of them (40, 180).",
    );
    about.append(&mut page);
    page
}

fn curve(predictions: &[Prediction]) -> plot::Svg {
    let predictor = |prediction: &Prediction| PredictorCurve {
        name: prediction.predictor.clone(),
        found: (1..).zip(&prediction.all.top).map(|(k, top)| (k, top.mean)).collect(),
        published: false,
    };
    plot::PredictionPlot {
        title: "Move prediction".to_string(),
        subtitle: String::new(),
        predictors: predictions.iter().map(predictor).collect(),
    }
    .svg()
}

fn table(predictions: &[Prediction]) -> ReportTable {
    let caption =
        "Log loss in nats and how often the played move is among the first k, in per cent, ± standard error.";
    let top = SHOWN.map(|k| format!("#top-{k}"));
    let mut columns = vec!["predictor", "phase", "#positions", "#log loss", "#ln legal"];
    columns.extend(top.iter().map(String::as_str));
    columns.push("#impossible");
    let mut table = ReportTable::new(caption, &columns);
    for prediction in predictions {
        table.row(row(Some(&prediction.predictor), &prediction.all));
        prediction
            .phases
            .iter()
            .filter(|part| part.positions > 0)
            .for_each(|part| table.row(row(None, part)));
    }
    table
}

fn row(name: Option<&str>, summary: &Summary) -> Vec<TableCell> {
    let cell = |text: String| {
        let tone = if name.is_some() { Tone::Plain } else { Tone::Quiet };
        TableCell::from(text).toned(tone)
    };
    let mut cells = vec![
        name.map_or(TableCell::default(), |name| Text::new().code(name).into()),
        cell(summary.phase.map_or("all", |phase| phase.name()).to_string()),
        cell(summary.positions.to_string()),
        cell(show(summary.log_loss, 1.0, 3)),
        cell(format!("{:.3}", summary.log_legal.mean)),
    ];
    cells.extend(SHOWN.map(|k| cell(show(summary.top[k - 1], 100.0, 1))));
    cells.push(cell(summary.impossible.to_string()));
    cells
}

/// `3.113 ± 0.074`, or without what is no number.
fn show(estimate: MeanWithError, factor: f64, digits: usize) -> String {
    let MeanWithError { mean, se } = estimate;
    match (mean.is_nan(), se.is_nan()) {
        (true, _) => "–".to_string(),
        (false, true) => format!("{:.digits$}", factor * mean),
        (false, false) => format!("{:.digits$} ± {:.digits$}", factor * mean, factor * se),
    }
}
