//! Results as pages for a browser: one with the counts, and one for each file with its boards. Each page stands for
//! itself, without scripts and without anything from elsewhere.

use std::fmt::Write;

use super::tally::{COLUMNS, cells};
use super::{Attempt, Case, Item, Remark, Suite, Tally, Task};
use crate::picture::{Mark, Picture, escape};

/// A page and the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The name of the file.
    pub file: String,
    /// What stands in it.
    pub html: String,
}

/// All pages, `index.html` first.
pub fn pages(suites: &[Suite], attempts: &[Attempt], task: &Task) -> Vec<Page> {
    let tallies = Tally::of_each(suites, attempts);
    let names = file_names(suites);
    let mut pages = vec![index(suites, &tallies, &names, task)];
    for (idx, ((suite, tally), name)) in suites.iter().zip(&tallies).zip(&names).enumerate() {
        let own: Vec<&Attempt> = attempts.iter().filter(|attempt| attempt.suite_idx == idx).collect();
        pages.push(Page { file: name.clone(), html: suite_page(suite, tally, &own, task) });
    }
    pages
}

/// The suites' own names, with numbers where two are called the same.
fn file_names(suites: &[Suite]) -> Vec<String> {
    let stem = |suite: &Suite| -> String {
        let name = suite.name();
        name.chars()
            .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
            .collect()
    };
    let stems: Vec<String> = suites.iter().map(stem).collect();
    let name = |(n, stem): (usize, &String)| match stems[..n].iter().filter(|other| *other == stem).count() {
        0 => format!("{stem}.html"),
        again => format!("{stem}-{}.html", again + 1),
    };
    stems.iter().enumerate().map(name).collect()
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1180px;padding:0 1rem;color:#222;\
    background:#fdfcf9}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse}\
    th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid #e4ddd0}th:first-child,td:first-child{text-align:left}\
    th{font-weight:600;background:#f4efe4}.sum td{font-weight:600;border-top:2px solid #bbae92}\
    .cases{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:1.1rem;padding:0}\
    figure{margin:0;padding:.7rem;border:1px solid #e4ddd0;border-top:4px solid #999;border-radius:6px;background:#fff}\
    figure svg{width:100%;height:auto}figcaption{font-size:.86rem;margin-top:.4rem;overflow-wrap:anywhere}\
    .pass{border-top-color:#1a8f3c}.fail{border-top-color:#c8321f}.word{font-weight:600}.pass .word{color:#1a7a35}\
    .fail .word{color:#b02a1a}.dim{color:#777}ul{padding-left:1.2rem}code{background:#f4efe4;padding:0 .2em}";

fn html(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{STYLE}</style></head>\n\
         <body>\n{body}</body></html>\n",
        escape(title)
    )
}

/// Who was tried and how, in a sentence.
fn conditions(task: &Task) -> String {
    let allowance = task.entrant.allowance(task.allowance);
    let budget = match (allowance.playouts, allowance.time) {
        (None, None) => "its usual budget".to_string(),
        (playouts, time) => {
            let playouts = playouts.map(|n| format!("{n} playouts"));
            let time = time.map(|time| format!("{} seconds", time.as_secs_f64()));
            [playouts, time].into_iter().flatten().collect::<Vec<_>>().join(" and at most ")
        }
    };
    format!(
        "<p>Player <code>{}</code>, {budget} for each case, seed {}.</p>\n",
        escape(&task.entrant.canonical()),
        task.seed
    )
}

fn head_row() -> String {
    let heads: String = COLUMNS.iter().map(|head| format!("<th>{head}</th>")).collect();
    format!("<tr><th>file</th>{heads}</tr>\n")
}

fn number_cells(tally: &Tally) -> String {
    cells(tally).iter().map(|text| format!("<td>{text}</td>")).collect()
}

fn index(suites: &[Suite], tallies: &[Tally], names: &[String], task: &Task) -> Page {
    let mut body = format!("<h1>Position suites</h1>\n{}<table>\n{}", conditions(task), head_row());
    for ((suite, tally), name) in suites.iter().zip(tallies).zip(names) {
        let path = escape(&suite.path.display().to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<tr><td><a href=\"{}\">{path}</a></td>{}</tr>",
            escape(name),
            number_cells(tally)
        );
    }
    let sum = Tally::sum(tallies);
    let _ = writeln!(body, "<tr class=\"sum\"><td>all</td>{}</tr>\n</table>", number_cells(&sum));
    body += &footnotes(&sum);
    Page { file: "index.html".to_string(), html: html("Position suites", &body) }
}

/// What the numbers leave out.
fn footnotes(tally: &Tally) -> String {
    let mut text = String::new();
    if !tally.inapplicable.is_empty() {
        let _ =
            writeln!(text, "<p class=\"dim\">Not applicable: {}.</p>", escape(&tally.inapplicable_text()));
    }
    if tally.other_size > 0 {
        let _ =
            writeln!(text, "<p class=\"dim\">Left out, on boards of another size: {}.</p>", tally.other_size);
    }
    text
}

fn suite_page(suite: &Suite, tally: &Tally, attempts: &[&Attempt], task: &Task) -> String {
    let title = suite.name();
    let mut body = format!(
        "<p><a href=\"index.html\">All files</a></p>\n<h1>{}</h1>\n{}<table>\n{}<tr><td>{}</td>{}</tr>\n</table>\n{}",
        escape(&title),
        conditions(task),
        head_row(),
        escape(&suite.path.display().to_string()),
        number_cells(tally),
        footnotes(tally),
    );
    body += "<p class=\"dim\">A green disc is a right move, a red cross a wrong one. The stone seen through is the player's, \
             with a green ring if it is right and a red one if not. A small ring marks the last move.</p>\n";
    let cases: Vec<&Case> = suite.cases().collect();
    for (heading, is_pass) in [("Not solved", false), ("Solved", true)] {
        let chosen: Vec<&&Attempt> = attempts.iter().filter(|one| one.verdict.is_pass() == is_pass).collect();
        if chosen.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h2>{heading}: {}</h2>\n<div class=\"cases\">", chosen.len());
        for attempt in chosen {
            if let Some(case) = cases.get(attempt.case_idx) {
                body += &figure(case, attempt);
            }
        }
        body += "</div>\n";
    }
    let errors: Vec<&Remark> = suite
        .items
        .iter()
        .filter_map(|item| if let Item::Error(remark) = item { Some(remark) } else { None })
        .collect();
    body += &remarks("Errors", &errors);
    body += &remarks("Remarks", &suite.remarks.iter().collect::<Vec<_>>());
    html(&title, &body)
}

fn remarks(heading: &str, remarks: &[&Remark]) -> String {
    if remarks.is_empty() {
        return String::new();
    }
    let line = |remark: &&Remark| {
        let name = if remark.name.is_empty() { String::new() } else { format!("{}, ", escape(&remark.name)) };
        format!("<li>{name}line {}: {}</li>\n", remark.line, escape(&remark.text))
    };
    format!(
        "<h2>{heading}: {}</h2>\n<ul>\n{}</ul>\n",
        remarks.len(),
        remarks.iter().map(line).collect::<String>()
    )
}

/// A case with its picture.
fn figure(case: &Case, attempt: &Attempt) -> String {
    let played = attempt.played(case).unwrap_or_else(|| "no answer".to_string());
    let class = if attempt.verdict.is_pass() { "pass" } else { "fail" };
    let value = attempt.value.map_or(String::new(), |value| format!(", expects {:.1} %", 100.0 * value));
    let known = if case.expects_failure { " (known failure)" } else { "" };
    let source = case.source.as_ref().map_or(String::new(), |source| format!("<br>{}", escape(source)));
    let error =
        attempt.decision.as_ref().err().map_or(String::new(), |error| format!("<br>{}", escape(error)));
    format!(
        "<figure class=\"{class}\">{}<figcaption><b>{}</b> <span class=\"word\">{}</span>{known}<br>{} to play, played {}{value}\
         <br>answer {}<span class=\"dim\">{source}<br>line {}, komi {}, {}</span>{error}</figcaption></figure>\n",
        picture(case, attempt),
        escape(&case.name),
        attempt.verdict.word(),
        case.color,
        escape(&played),
        escape(&case.answer.to_string()),
        case.line,
        case.position.komi(),
        escape(&case.position.rules().to_string()),
    )
}

/// The board of a case with the player's answer and the right ones.
pub fn picture(case: &Case, attempt: &Attempt) -> String {
    let board = case.position.board();
    let mut picture = Picture::new(board);
    picture.last = case.position.last().map(|play| play.vertex);
    if let Ok(player::Decision::Play(vertex)) = attempt.decision {
        let is_right = attempt.verdict.is_pass();
        picture.marks.push((vertex, Mark::Answer { color: case.color, is_right }));
    }
    let marks = case.answer.marks(&case.position);
    picture.marks.extend(marks.right.into_iter().map(|vertex| (vertex, Mark::Right)));
    picture.marks.extend(marks.wrong.into_iter().map(|vertex| (vertex, Mark::Wrong)));
    let played = attempt.played(case).unwrap_or_else(|| "nothing".to_string());
    picture.title = format!("{}: {} to play, answer {}, played {played}", case.name, case.color, case.answer);
    picture.svg()
}
