//! A review in words: the same ones for the terminal, the record and the page.

use std::fmt::Write;

use goban::Color;
use player::review::thresholds::{BLUNDER, MISTAKE};
use player::review::{Estimate, Grade, MoveReview, PlayerSummary, Review};

use super::game::Reviewed;
use crate::words::counted;

/// Moves of each kind that the summary names.
const N_NAMED: usize = 5;

/// A share as people write it.
pub(super) fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// `8.3 % [2.1, 14.5]`.
pub(super) fn win_lost(loss: &Estimate) -> String {
    format!("{} {}", percent(loss.mean), interval(100.0 * loss.low, 100.0 * loss.high))
}

/// `4.5 points [1.0, 8.0]`.
pub(super) fn points_lost(points: &Estimate) -> String {
    format!("{:.1} points {}", points.mean, interval(points.low, points.high))
}

/// `[2.1, 14.5]`. An end above zero is never written as zero: a mistake is a move whose interval does not touch it.
fn interval(low: f32, high: f32) -> String {
    let end = |x: f32| match format!("{x:.1}").as_str() {
        "0.0" if x > 0.0 => "<0.1".to_owned(),
        "-0.0" => "0.0".to_owned(),
        text => text.to_owned(),
    };
    format!("[{}, {}]", end(low), end(high))
}

/// `a mistake`, `a blunder`, `unsure`; nothing for other moves.
pub(super) fn word(grade: Grade) -> Option<&'static str> {
    match grade {
        Grade::Mistake => Some("a mistake"),
        Grade::Blunder => Some("a blunder"),
        Grade::Unsure => Some("unsure"),
        Grade::Choice | Grade::Fine | Grade::Unknown => None,
    }
}

/// `move 23, White Q4: costs 12.1 % [4.0, 20.2] and 6.1 points [2.0, 10.2]; better D10`.
pub(super) fn line(game: &Reviewed, one: &MoveReview) -> String {
    let better = one.better_move().map_or(String::new(), |to| format!("; better {}", game.show_point(to)));
    let costs = if one.grade == Grade::Unsure { "may cost" } else { "costs" };
    format!(
        "move {}, {} {}: {costs} {} and {}{better}",
        one.number,
        one.play.color,
        game.show(one.play),
        win_lost(&one.loss),
        points_lost(&one.points)
    )
}

/// A few lines for the terminal.
pub(super) fn summary(game: &Reviewed, review: &Review) -> String {
    let counted = |n: usize, noun| counted(n as u64, noun);
    let mut out = format!("{}: {}\n", game.title(), counted(review.moves.len(), "move"));
    for color in Color::BOTH {
        let PlayerSummary { n_moves, n_choices, n_mistakes, n_blunders, n_unsure } = review.summary(color);
        let _ = writeln!(
            out,
            "{color}: {}, {n_choices} as the search would play, {} ({} or more), of them {} ({} or more), {n_unsure} unsure",
            counted(n_moves, "move"),
            counted(n_mistakes, "mistake"),
            percent(MISTAKE),
            counted(n_blunders, "blunder"),
            percent(BLUNDER),
        );
    }
    let mistakes = review.mistakes();
    if mistakes.is_empty() {
        out += "No move is a mistake beyond doubt.\n";
    }
    for one in mistakes.into_iter().take(N_NAMED) {
        let _ = writeln!(out, "{}", line(game, one));
    }
    let mut unsure: Vec<&MoveReview> = review.unsure().collect();
    unsure.sort_by(|a, b| b.loss.mean.total_cmp(&a.loss.mean));
    let named: Vec<String> =
        unsure.iter().take(N_NAMED).map(|one| format!("{} ({})", one.number, win_lost(&one.loss))).collect();
    if !named.is_empty() {
        let more = if unsure.len() > named.len() { " …" } else { "" };
        let _ = writeln!(out, "unsure, more simulations would tell: moves {}{more}", named.join(", "));
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_above_zero_is_not_written_as_zero() {
        let text = |low, high| win_lost(&Estimate { mean: 0.083, low, high });
        assert_eq!(text(0.021, 0.145), "8.3 % [2.1, 14.5]");
        assert_eq!(text(0.0004, 1.0), "8.3 % [<0.1, 100.0]");
        assert_eq!(text(0.0, 0.145), "8.3 % [0.0, 14.5]");
        let points = Estimate { mean: 0.5, low: -0.04, high: 1.04 };
        assert_eq!(points_lost(&points), "0.5 points [0.0, 1.0]");
    }
}
