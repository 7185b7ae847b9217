//! The accuracy of a policy for people.

use comfy_table::{Cell, CellAlignment, Table, presets};
use lab::accuracy::file::Labels;
use lab::accuracy::page::kinds;
use lab::accuracy::run::Measured;
use lab::accuracy::{Accuracy, AccuracySettings};

/// Tables of all that was measured.
pub(super) fn measured(
    labels: &Labels,
    policy: &str,
    settings: &AccuracySettings,
    measured: &Measured,
) -> String {
    let header = &labels.header;
    let kinds = kinds(measured);
    let missing = header.positions.saturating_sub(labels.labels.len() as u64);
    format!(
        "{} playouts of {} from each of {} positions{}, seed {}\n\
         labels: {} with {} simulations, seed {}, tengen {}\n\n\
         mean squared error against each label\n{}\n\n\
         error against the value by number of playouts, 95 % by bootstrap\n{}\n\n\
         error against the value by phase\n{}\n\n\
         calibration: positions by estimate, and their mean value\n{}\n",
        settings.playouts,
        policy,
        labels.labels.len(),
        if missing > 0 { format!(" ({missing} are still to be labelled)") } else { String::new() },
        settings.seed,
        header.recipe,
        header.playouts,
        header.seed,
        header.program.version,
        errors(&kinds),
        curve(&measured.value),
        phases(&measured.value),
        calibration(&measured.value),
    )
}

fn errors(kinds: &[(&str, &Accuracy)]) -> Table {
    let mut table = table(&[
        "label",
        "positions",
        "MSE",
        "± se",
        "95 %",
        "of which chance",
        "of always ½",
        "bias of the mover",
        "± se",
        "bias of Black",
        "± se",
        "correlation",
        "same side %",
    ]);
    for (name, accuracy) in kinds {
        let Some(all) = accuracy.last() else { continue };
        let mut cells = vec![Cell::new(name)];
        cells.extend(
            [
                accuracy.positions.to_string(),
                number(all.mse),
                number(all.mse_se),
                interval(all.mse95),
                number(accuracy.noise),
                number(accuracy.mse_of_half),
                number(accuracy.bias_of_mover[0]),
                number(accuracy.bias_of_mover[1]),
                number(accuracy.bias_of_black[0]),
                number(accuracy.bias_of_black[1]),
                number(accuracy.correlation),
                percent(accuracy.same_side),
            ]
            .map(right),
        );
        table.add_row(cells);
    }
    table
}

fn curve(accuracy: &Accuracy) -> Table {
    let mut table = table(&["playouts", "MSE", "95 %", "RMSE", "95 %"]);
    for point in &accuracy.curve {
        table.add_row(
            [
                point.playouts.to_string(),
                number(point.mse),
                interval(point.mse95),
                number(point.rmse),
                interval(point.rmse95),
            ]
            .map(right),
        );
    }
    let rest = [
        "∞".to_string(),
        number(accuracy.systematic),
        String::new(),
        number(accuracy.systematic.max(0.0).sqrt()),
        String::new(),
    ];
    table.add_row(rest.map(right));
    table
}

fn phases(accuracy: &Accuracy) -> Table {
    let mut table = table(&["phase", "positions", "MSE", "± se"]);
    for part in &accuracy.phases {
        let cells = [part.positions.to_string(), number(part.mse), number(part.mse_se)].map(right);
        table.add_row([vec![Cell::new(part.phase.name())], cells.to_vec()].concat());
    }
    table
}

fn calibration(accuracy: &Accuracy) -> Table {
    let mut table = table(&["estimates", "positions", "mean estimate", "mean value"]);
    for bin in accuracy.calibration.iter().filter(|bin| bin.positions > 0) {
        let cells = [bin.positions.to_string(), number(bin.estimate), number(bin.label)].map(right);
        table.add_row([vec![Cell::new(format!("{:.1} – {:.1}", bin.from, bin.to))], cells.to_vec()].concat());
    }
    table
}

fn table(titles: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header(titles.iter().map(Cell::new));
    table
}

fn right(text: String) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn number(x: f64) -> String {
    if x.is_nan() { "–".to_string() } else { format!("{x:.4}") }
}

fn percent(x: f64) -> String {
    if x.is_nan() { "–".to_string() } else { format!("{:.1}", 100.0 * x) }
}

fn interval([low, high]: [f64; 2]) -> String {
    if low.is_nan() { "–".to_string() } else { format!("{low:.4} – {high:.4}") }
}
