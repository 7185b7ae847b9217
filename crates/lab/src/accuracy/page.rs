//! The accuracy of a policy as a page: the error by number of playouts, the calibration, tables.

use super::error::{Accuracy, AccuracyPoint};
use super::file::Labels;
use super::run::Measured;
use crate::plot::{Curve, MeasuredPoint, PlotAxis, Reference, Series, Svg, Unit};
use crate::predict::page::About;
use crate::report::{Figure, Page, ReportTable};

/// The labels of a measurement by name, with what they are.
pub fn kinds(measured: &Measured) -> [(&'static str, &Accuracy); 4] {
    [
        ("value", &measured.value),
        ("winner", &measured.winner),
        ("winner if sure", &measured.sure),
        ("game result", &measured.result),
    ]
}

/// A page about one policy.
pub fn page(policy: &str, labels: &Labels, measured: &Measured, about: &About) -> Page {
    let header = &labels.header;
    let mut page = Page::new(format!("Accuracy of {policy} playouts"));
    let playouts = measured.value.last().map_or(0, |point| point.playouts);
    page.lead = format!(
        "{playouts} playouts from each of {} positions, against a search of {} with {} simulations.",
        labels.labels.len(),
        header.recipe,
        header.playouts
    )
    .into();
    page.figure(Figure::new(
        "error",
        error_curve(measured),
        "Root of the mean squared error of the Monte-Carlo estimate by number of playouts, with 95 % intervals by bootstrap \
         over positions. The dotted line is what ever more playouts would leave.",
    ));
    page.table(errors(measured));
    page.prose(
        "The estimate of a position is the share of playouts that Black wins; its label is what a deep search says: the \
         win rate of its best move (`value`), who wins by it as 1 or 0 (`winner`), the same only where the value is at most \
         0.1 or at least 0.9 (`winner if sure`). `game result` is how the game ended. The measurement is that of figure 3 of \
         Gelly & Silver 2007, who had 200 positions labelled by hand.",
    );
    page.figure(Figure::new(
        "calibration",
        calibration_curve(measured),
        "Mean label of the positions whose estimates lie in the same tenth. A perfect estimate lies on the line.",
    ));
    page.table(calibration(&measured.value));
    page.table(phases(&measured.value));
    about.append(&mut page);
    page
}

fn error_curve(measured: &Measured) -> Svg {
    let point =
        |point: &AccuracyPoint| MeasuredPoint::new(point.playouts as f64, point.rmse).within(point.rmse95);
    let series = kinds(measured)
        .map(|(name, accuracy)| Series::ours(name, accuracy.curve.iter().map(point).collect()))
        .to_vec();
    let rest = measured.value.systematic.max(0.0).sqrt();
    Curve {
        title: "Error of the Monte-Carlo estimate".to_string(),
        subtitle: String::new(),
        x: PlotAxis::log("playouts", Unit::Plain),
        y: PlotAxis::linear("root mean squared error", Unit::Plain),
        series,
        references: vec![Reference { y: rest, name: "value, no chance left".to_string() }],
    }
    .svg()
}

fn calibration_curve(measured: &Measured) -> Svg {
    let series = |name: &str, accuracy: &Accuracy| {
        let bins = accuracy.calibration.iter().filter(|bin| bin.positions > 0);
        let points = bins.map(|bin| MeasuredPoint {
            note: format!("{} positions", bin.positions),
            ..MeasuredPoint::new(bin.estimate, bin.label)
        });
        Series::ours(name, points.collect())
    };
    let perfect = Series {
        smooth: true,
        ..Series::published("perfect", vec![MeasuredPoint::new(0.0, 0.0), MeasuredPoint::new(1.0, 1.0)])
    };
    let whole = |label: &str| PlotAxis { range: Some([0.0, 1.0]), ..PlotAxis::linear(label, Unit::Plain) };
    Curve {
        title: "Calibration".to_string(),
        subtitle: String::new(),
        x: whole("mean estimate, Black wins"),
        y: whole("mean label"),
        series: vec![series("value", &measured.value), series("game result", &measured.result), perfect],
        references: Vec::new(),
    }
    .svg()
}

fn errors(measured: &Measured) -> ReportTable {
    let columns = [
        "label",
        "#positions",
        "#MSE",
        "#95 %",
        "#of which chance",
        "#of always ½",
        "#bias of the mover",
        "#bias of Black",
        "#correlation",
        "#same side, %",
    ];
    let mut table =
        ReportTable::new("Mean squared error with all playouts, and what else is known of it.", &columns);
    for (name, accuracy) in kinds(measured) {
        let Some(all) = accuracy.last() else { continue };
        table.row(vec![
            name.into(),
            accuracy.positions.to_string().into(),
            format!("{} ± {}", number(all.mse), number(all.mse_se)).into(),
            interval(all.mse95).into(),
            number(accuracy.noise).into(),
            number(accuracy.mse_of_half).into(),
            with_error(accuracy.bias_of_mover).into(),
            with_error(accuracy.bias_of_black).into(),
            number(accuracy.correlation).into(),
            format!("{:.1}", 100.0 * accuracy.same_side).into(),
        ]);
    }
    table
}

fn calibration(accuracy: &Accuracy) -> ReportTable {
    let mut table = ReportTable::new(
        "Positions by estimate, and their mean value.",
        &["estimates", "#positions", "#mean estimate", "#mean value"],
    );
    for bin in accuracy.calibration.iter().filter(|bin| bin.positions > 0) {
        table.row(vec![
            format!("{:.1} – {:.1}", bin.from, bin.to).into(),
            bin.positions.to_string().into(),
            number(bin.estimate).into(),
            number(bin.label).into(),
        ]);
    }
    table
}

fn phases(accuracy: &Accuracy) -> ReportTable {
    let mut table =
        ReportTable::new("Mean squared error against the value by phase.", &["phase", "#positions", "#MSE"]);
    for part in &accuracy.phases {
        table.row(vec![
            part.phase.name().into(),
            part.positions.to_string().into(),
            format!("{} ± {}", number(part.mse), number(part.mse_se)).into(),
        ]);
    }
    table
}

fn number(x: f64) -> String {
    if x.is_nan() { "–".to_string() } else { format!("{x:.4}") }
}

fn with_error([mean, se]: [f64; 2]) -> String {
    format!("{} ± {}", number(mean), number(se))
}

fn interval([low, high]: [f64; 2]) -> String {
    format!("{} – {}", number(low), number(high))
}
