//! A network's evaluation of the position, in the form of KataGo's `kata-raw-nn`. Only engines with a network have
//! the command.

use std::fmt::Write;

use goban::{Color, Position, Symmetry};
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};
use model::net::output::NetEvaluation;

use super::Engine;
use crate::nets::{NetFile, raw};

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let doc = "The network's evaluation of the position without a search, as KataGo's command of this name.";
    registry.group("network", &[Entry::new("kata-raw-nn", "SYMMETRY|all", doc, raw_net)]).map(|_| ())
}

fn raw_net(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let Some(file) = &engine.options.net else { return Err("there is no network".into()) };
    let position = &engine.position;
    let numbers: Vec<usize> = match args.peek() {
        Some(word) if word.eq_ignore_ascii_case("all") => (0..Symmetry::ALL.len()).collect(),
        _ => vec![args.int("symmetry", 0..=7)?],
    };
    let is_one = numbers.len() == 1;
    let mut text = String::new();
    for number in numbers {
        let symmetry = symmetry(number);
        if !Symmetry::of(position.size()).contains(&symmetry) {
            if is_one {
                return Err(GtpError(format!(
                    "symmetry {number} exchanges rows and columns, which only a square board allows"
                )));
            }
            continue;
        }
        let found = raw::evaluate_file(file, position, symmetry).map_err(|error| error.to_string())?;
        add(&mut text, number, position, &found);
    }
    Ok(text.trim_end().to_string())
}

/// The standard deviation of the final score that the engine's network expects; 0 without one.
pub(super) fn score_stdev(engine: &Engine) -> f32 {
    let raw = |file: &NetFile| raw::evaluate_file(file, &engine.position, Symmetry::IDENTITY).ok();
    engine.options.net.as_ref().and_then(raw).map_or(0.0, |found| found.score_stdev)
}

/// The symmetry of KataGo's number: 1 reverses the rows, 2 the columns, 4 exchanges rows and columns after that.
fn symmetry(number: usize) -> Symmetry {
    let flips = Symmetry::ALL[(number & 2) >> 1 | (number & 1) << 1];
    if number & 4 == 0 { flips } else { flips.then(Symmetry::ALL[4]) }
}

/// Adds one evaluation. Values are White's, as KataGo tells them.
fn add(text: &mut String, number: usize, position: &Position, found: &NetEvaluation) {
    let is_white = position.to_play() == Color::White;
    let side = if is_white { 1.0 } else { -1.0 };
    let (win, loss) = if is_white { (found.p_win, found.p_loss) } else { (found.p_loss, found.p_win) };
    let numbers = [
        ("whiteWin", win),
        ("whiteLoss", loss),
        ("noResult", found.p_no_result),
        ("whiteLead", side * found.lead),
        ("whiteScoreSelfplay", side * found.score_mean),
        ("whiteScoreSelfplaySq", found.score_mean_sq),
        // Networks before version 9 tell none of the rest.
        ("varTimeLeft", found.value_error.map_or(-1.0, |_| found.variance_time)),
        ("shorttermWinlossError", found.value_error.unwrap_or(-1.0)),
        ("shorttermScoreError", found.score_error.unwrap_or(-1.0)),
    ];
    // Writing to a string does not fail.
    let _ = writeln!(text, "symmetry {number}");
    for (key, number) in numbers {
        let _ = writeln!(text, "{key} {number:.6}");
    }
    let size = position.size();
    let is_legal = |vertex| position.is_legal(position.to_play(), vertex);
    let policy = size.vertices().zip(&found.policy);
    let policy =
        policy.map(|(vertex, p)| if is_legal(vertex) { format!("{p:.6}") } else { "NAN".to_string() });
    let _ = writeln!(text, "policy\n{}", grid(policy, size.width()));
    let _ = writeln!(text, "policyPass {:.6}", found.policy.last().copied().unwrap_or(0.0));
    let owners = found.ownership.iter().map(|owner| format!("{:.7}", side * owner));
    let _ = writeln!(text, "whiteOwnership\n{}", grid(owners, size.width()));
}

/// Numbers in rows, none of them empty.
fn grid(numbers: impl Iterator<Item = String>, width: usize) -> String {
    let numbers: Vec<String> = numbers.collect();
    numbers.chunks(width).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Size, Vertex};

    #[test]
    fn symmetries_have_katagos_numbers() {
        let size = Size::new(5, 3).unwrap();
        let at = |number, col, row| {
            let vertex = symmetry(number).apply(size, Vertex::new(col, row));
            (vertex.col(), vertex.row())
        };
        // The point one to the right of the top left corner.
        let right = [(1, 0), (1, 2), (3, 0), (3, 2), (0, 1), (2, 1), (0, 3), (2, 3)];
        for (number, right) in right.into_iter().enumerate() {
            assert_eq!(at(number, 1, 0), right, "{number}");
        }
        assert_eq!(grid(["a", "b", "c", "d"].into_iter().map(String::from), 2), "a b\nc d");
    }
}
