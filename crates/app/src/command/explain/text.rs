//! The results for people: the board, the table of moves, and what the search expects of the game.

use std::fmt::Write as _;

use goban::Color;
use mcts::Reward;
use mcts::report::{Arm, Report};
use player::searcher::manners::{PassRule, is_early};

use super::draw;
use super::order::{self, Merit};
use super::study::{Asked, GoStudy, SearchResult, SearchedPosition, model_names};
use crate::words::counted;

/// Moves of an expected line that are shown.
const LINE: usize = 6;

/// The whole page; the table has the move that would be played and the best others, `top` in all.
pub(super) fn found(study: &GoStudy, found: &SearchResult, top: usize) -> String {
    let (report, position) = (&found.report, study.position());
    let (arms, n_tried) = shown(study, found, top);
    let marks: Vec<_> = arms.iter().map(|arm| study.vertex(arm)).collect();
    let mut text = format!("{}\n\n{}\n", heading(study), draw::board(position, &marks));
    text += &moves(study, found, &arms, n_tried);
    text += &expectations(study, report);
    text += &effort(study, report);
    text + &decision(study, found)
}

/// The arms that the table shows, and how many were tried.
pub(super) fn shown<'a>(
    study: &dyn SearchedPosition,
    found: &'a SearchResult,
    top: usize,
) -> (Vec<&'a Arm>, u64) {
    let mut arms = order::arms(study, found);
    arms.retain(|arm| arm.visits > 0 || found.is_chosen(arm));
    let n_tried = arms.len() as u64;
    arms.truncate(top);
    (arms, n_tried)
}

/// The table with what has to be said about it.
pub(super) fn moves(
    study: &dyn SearchedPosition,
    found: &SearchResult,
    arms: &[&Arm],
    n_tried: u64,
) -> String {
    let mut text = table(study, found, arms);
    if found.chosen.is_some() {
        let word = Merit::of(&study.asked().recipe).word();
        let _ = write!(text, "> is the move that would be played; the others follow by {word}. ");
    }
    let _ = writeln!(
        text,
        "Shown: {} of {} that {} tried.\nValues are {}'s. n: observations of a model, with those of its prior included; β: its weight in the value.\n",
        arms.len(),
        counted(n_tried, "move"),
        if n_tried == 1 { "was" } else { "were" },
        study.to_play(),
    );
    text
}

/// The part of all visits that went to an arm, 0..=1.
pub(super) fn share(arm: &Arm, report: &Report) -> f64 {
    f64::from(arm.visits) / report.visits.max(1) as f64
}

/// Simulations per second.
pub(super) fn rate(report: &Report) -> f64 {
    report.simulations as f64 / report.seconds.max(1e-9)
}

fn heading(study: &GoStudy) -> String {
    let position = study.position();
    let number = position.plays().len() + 1;
    let mut text = format!("Before move {number}: {} to play, komi {}", position.to_play(), position.komi());
    if let Some(last) = position.last() {
        let _ = write!(text, ", last move {} {}", last.color, position.size().show(last.vertex));
    }
    format!("{text}\n{}", recipe_line(study.asked()))
}

/// The recipe, as it was asked for and in brief.
pub(super) fn recipe_line(asked: &Asked) -> String {
    let brief = asked.recipe.brief();
    match brief.is_empty() || brief == asked.name {
        true => format!("Recipe: {}", asked.name),
        false => format!("Recipe: {} = {brief}", asked.name),
    }
}

/// A value in the search's reward: a win rate, or points.
fn value(x: f32, reward: Reward) -> String {
    match reward {
        Reward::Win => percent(x),
        Reward::Score => format!("{x:+.1}"),
    }
}

pub(super) fn percent(x: f32) -> String {
    format!("{:.1} %", 100.0 * x)
}

/// The table of moves with a heading of two lines: the models' names, then the columns.
fn table(study: &dyn SearchedPosition, found: &SearchResult, arms: &[&Arm]) -> String {
    let report = &found.report;
    let reward = report.reward;
    let has_p = arms.iter().any(|arm| arm.p.is_some());
    let has_win = reward != Reward::Win;
    let mut head: Vec<&str> = vec!["", "move", "visits", "share", "value"];
    head.extend(has_win.then_some("wins"));
    head.extend(has_p.then_some("P(a)"));
    let n_before_models = head.len();
    report.models.iter().for_each(|_| head.extend(["value", "n", "β"]));
    head.push("expected line");
    let mut rows: Vec<Vec<String>> = vec![head.iter().copied().map(String::from).collect()];
    for (idx, arm) in arms.iter().enumerate() {
        let letter = draw::letter(idx).filter(|_| study.has_place(arm));
        let mut row =
            vec![letter.map_or(String::new(), String::from), study.show(arm), arm.visits.to_string()];
        row.push(percent(share(arm, report) as f32));
        row.push(value(arm.value, reward));
        row.extend(has_win.then(|| percent(arm.win)));
        row.extend(has_p.then(|| arm.p.map_or(String::new(), |p| format!("{p:.4}"))));
        for model in &arm.models {
            row.extend([
                value(model.mean, reward),
                format!("{:.0}", model.weight),
                format!("{:.3}", model.beta),
            ]);
        }
        row.push(study.line(arm).into_iter().take(LINE).collect::<Vec<_>>().join(" "));
        rows.push(row);
    }
    let widths: Vec<usize> = (0..head.len())
        .map(|col| rows.iter().map(|row| row[col].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = model_heading(&model_names(report), &widths, n_before_models);
    for (idx, row) in rows.iter().enumerate() {
        // The heading is the first row.
        let is_chosen = idx > 0 && found.is_chosen(arms[idx - 1]);
        let cells = row.iter().zip(&widths).enumerate().map(|(col, (cell, width))| match col {
            // Words to the left, numbers to the right; the line is the last and needs no width.
            0 | 1 => format!("{cell:<width$}"),
            _ if col + 1 == row.len() => cell.clone(),
            _ => format!("{cell:>width$}"),
        });
        let cells = cells.collect::<Vec<_>>().join("  ");
        text += format!("{}{cells}", if is_chosen { '>' } else { ' ' }).trim_end();
        text.push('\n');
    }
    text
}

/// Each model's name over its three columns.
fn model_heading(names: &[String], widths: &[usize], n_before: usize) -> String {
    let mut line = " ".repeat(1 + widths[..n_before].iter().map(|width| width + 2).sum::<usize>());
    for (name, group) in names.iter().zip(widths[n_before..].chunks(3)) {
        let width = group.iter().sum::<usize>() + 4;
        let _ = write!(line, "{:-^width$}  ", format!(" {name} "));
    }
    line.trim_end().to_string() + "\n"
}

/// How the game is expected to end.
fn expectations(study: &GoStudy, report: &Report) -> String {
    let position = study.position();
    let winner = if report.score >= 0.0 { Color::Black } else { Color::White };
    let mut text = format!(
        "{}'s chances: {}; in the simulations {winner} is {:.1} points ahead on average, komi counted.\n",
        position.to_play(),
        percent(report.win),
        report.score.abs()
    );
    let owners = study.ownership(report);
    if !owners.is_empty() {
        let _ = write!(
            text,
            "\nOwners at the end: X Black, x perhaps Black, . open, o perhaps White, O White\n{}\n",
            draw::owners(position, &owners)
        );
    }
    text
}

/// The effort: time, nodes and memory.
pub(super) fn effort(study: &dyn SearchedPosition, report: &Report) -> String {
    let mut text = format!(
        "{} in {:.2} s: {:.0} per second; {}, seed {}\nTree: {} in {:.1} MB{}\n",
        counted(report.simulations, "simulation"),
        report.seconds,
        rate(report),
        counted(study.asked().settings.threads as u64, "thread"),
        study.asked().settings.seed,
        counted(report.nodes as u64, "node"),
        report.bytes as f64 / 1e6,
        if report.is_full { "; memory was full, so the least visited nodes were recycled" } else { "" },
    );
    if report.is_settled {
        text += "The search ended by itself: its widener had nothing left to decide\n";
    }
    if report.unsound > 0 {
        let what = counted(report.unsound, "evaluation");
        let _ = writeln!(text, "Not numbers, and counted as draws: {what}");
    }
    text
}

/// The move that would be played.
pub(super) fn choice(study: &dyn SearchedPosition, found: &SearchResult) -> String {
    let pick = study.asked().recipe.entries().into_iter().find(|entry| entry.key == "pick");
    let pick = pick.map_or(String::new(), |entry| format!(", by pick={}", entry.value));
    match found.chosen {
        Some(action) => format!("Move: {}{pick}\n", study.show_action(action)),
        None => "Move: none, there is nothing to choose from\n".to_string(),
    }
}

/// The move, and what is to be said about passing.
fn decision(study: &GoStudy, found: &SearchResult) -> String {
    let passing = match study.rule {
        PassRule::AtOnce => {
            "In a game it would pass at once: the opponent has passed, and the count is won.\n"
        }
        _ if is_early(study.position()) => "Passing is not considered: the board is still open.\n",
        PassRule::Never => "Passing is not considered: the board as it stands would be counted as lost.\n",
        PassRule::Allowed | PassRule::Capture(_) => "",
    };
    choice(study, found) + passing
}
