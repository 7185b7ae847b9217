//! Results as pages for a browser: one with the counts, and one for each file with its boards.

use std::path::Path;

use super::tally::{COLUMNS, cells};
use super::{Remark, Suite, SuiteAttempt, SuiteCase, SuiteItem, SuiteTally, SuiteTask};
use crate::picture::{Mark, Picture};
use crate::plot::Svg;
use crate::report::page::{Figure, Page, PageBlock, ReportTable, TableCell, Tone};
use crate::report::text::Text;
use crate::report::written_by;

/// All pages by the names of their files, `index.html` first.
pub fn pages(suites: &[Suite], attempts: &[SuiteAttempt], task: &SuiteTask) -> Vec<(String, Page)> {
    let tallies = SuiteTally::of_each(suites, attempts);
    let names = file_names(suites);
    let mut pages = vec![("index.html".to_string(), index(suites, &tallies, &names, task))];
    for (idx, ((suite, tally), name)) in suites.iter().zip(&tallies).zip(names).enumerate() {
        let own: Vec<&SuiteAttempt> = attempts.iter().filter(|attempt| attempt.suite_idx == idx).collect();
        pages.push((name, suite_page(suite, tally, &own, task)));
    }
    pages
}

/// The suites' own names, with numbers where two are called the same.
fn file_names(suites: &[Suite]) -> Vec<String> {
    let stem = |suite: &Suite| -> String {
        let keep = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
        suite.name().chars().map(keep).collect()
    };
    let stems: Vec<String> = suites.iter().map(stem).collect();
    let name = |(n, stem): (usize, &String)| match stems[..n].iter().filter(|other| *other == stem).count() {
        0 => format!("{stem}.html"),
        again => format!("{stem}-{}.html", again + 1),
    };
    stems.iter().enumerate().map(name).collect()
}

/// The end of a path, so that tables stay narrow: a file and the folder it is in.
fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().collect();
    let end: std::path::PathBuf = parts[parts.len().saturating_sub(2)..].iter().collect();
    if parts.len() > 3 { format!("…/{}", end.display()) } else { path.display().to_string() }
}

/// A page with who was tried and how.
fn page(title: String, task: &SuiteTask) -> Page {
    let allowance = task.entrant.allowance(task.allowance);
    let budget = match (allowance.playouts, allowance.time) {
        (None, None) => "its usual one".to_string(),
        (playouts, time) => {
            let playouts = playouts.map(|n| format!("{n} playouts"));
            let time = time.map(|time| format!("{} seconds", time.as_secs_f64()));
            [playouts, time].into_iter().flatten().collect::<Vec<_>>().join(", at most ")
        }
    };
    let mut page = Page::new(title);
    page.blocks.push(PageBlock::Facts(vec![
        ("player".to_string(), Text::new().code(task.entrant.canonical())),
        ("budget for each case".to_string(), budget.into()),
        ("seed".to_string(), task.seed.to_string().into()),
    ]));
    page.footer = written_by().into();
    page
}

/// A table of counts; a row is a name and a tally.
fn counts<'a>(rows: impl Iterator<Item = (Text, &'a SuiteTally)>) -> ReportTable {
    let columns: Vec<String> =
        std::iter::once("file".to_string()).chain(COLUMNS.iter().map(|name| format!("#{name}"))).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = ReportTable::new(
        "A pass is unexpected where the author of the suite knows that his program fails, a failure where it does not.",
        &columns,
    );
    for (name, tally) in rows {
        table.row(std::iter::once(TableCell::from(name)).chain(cells(tally).map(TableCell::from)).collect());
    }
    table
}

fn index(suites: &[Suite], tallies: &[SuiteTally], names: &[String], task: &SuiteTask) -> Page {
    let mut page = page("Position suites".to_string(), task);
    let sum = SuiteTally::sum(tallies);
    let link = |(suite, name): (&Suite, &String)| Text::new().link(short(&suite.path), name.as_str());
    let mut table = counts(suites.iter().zip(names).map(link).zip(tallies));
    let strong = |text: &str| TableCell::from(text).toned(Tone::Strong);
    table.row(std::iter::once(strong("all")).chain(cells(&sum).map(|text| strong(&text))).collect());
    page.table(table);
    footnotes(&mut page, &sum);
    page
}

/// Footnotes: cases that the numbers leave out.
fn footnotes(page: &mut Page, tally: &SuiteTally) {
    if !tally.inapplicable.is_empty() {
        page.paragraph(format!("Not applicable: {}.", tally.inapplicable_text()));
    }
    if tally.other_size > 0 {
        page.paragraph(format!("Left out, on boards of another size: {}.", tally.other_size));
    }
}

fn suite_page(suite: &Suite, tally: &SuiteTally, attempts: &[&SuiteAttempt], task: &SuiteTask) -> Page {
    let mut page = page(suite.name(), task);
    page.lead = Text::new().link("All files", "index.html");
    page.table(counts(std::iter::once((short(&suite.path).into(), tally))));
    footnotes(&mut page, tally);
    page.paragraph(
        "A green disc is a right move, a red cross a wrong one. The stone seen through is the player's, with a green ring if \
         it is right and a red one if not. A small ring marks the last move.",
    );
    let cases: Vec<&SuiteCase> = suite.cases().collect();
    for (heading, is_pass) in [("Not solved", false), ("Solved", true)] {
        let chosen = attempts.iter().filter(|one| one.verdict.is_pass() == is_pass);
        let figures: Vec<Figure> =
            chosen.filter_map(|one| cases.get(one.case_idx).map(|case| figure(case, one))).collect();
        if !figures.is_empty() {
            page.heading(format!("{heading}: {}", figures.len()));
            page.blocks.push(PageBlock::Gallery(figures));
        }
    }
    let errors = suite.items.iter().filter_map(|item| match item {
        SuiteItem::Error(remark) => Some(remark),
        SuiteItem::Case(_) | SuiteItem::Inapplicable(_) => None,
    });
    remarks(&mut page, "Errors", errors);
    remarks(&mut page, "Remarks", suite.remarks.iter());
    page
}

fn remarks<'a>(page: &mut Page, heading: &str, remarks: impl Iterator<Item = &'a Remark>) {
    let line = |remark: &Remark| {
        let name = if remark.name.is_empty() { String::new() } else { format!("{}, ", remark.name) };
        Text::from(format!("{name}line {}: {}", remark.line, remark.text))
    };
    let lines: Vec<Text> = remarks.map(line).collect();
    if !lines.is_empty() {
        page.heading(format!("{heading}: {}", lines.len()));
        page.blocks.push(PageBlock::List(lines));
    }
}

/// A case with its picture.
fn figure(case: &SuiteCase, attempt: &SuiteAttempt) -> Figure {
    let played = attempt.played(case).unwrap_or_else(|| "no answer".to_string());
    let value = attempt.value.map_or(String::new(), |value| format!(" ({:.1} %)", 100.0 * value));
    let known = if case.expects_failure { ", a known failure" } else { "" };
    let source = case.source.as_ref().map_or(String::new(), |source| format!("{source}, "));
    let error = attempt.decision.as_ref().err().map_or(String::new(), |error| format!(" {error}."));
    let caption = Text::new()
        .strong(format!("{}: {}", case.name, attempt.verdict.word()))
        .plain(format!("{known}. {} to play, played {played}{value}, answer ", case.color))
        .code(case.answer.to_string())
        .plain(format!(".{error} {source}line {}, komi {}.", case.line, case.position.komi()));
    Figure::new(&format!("line {} {}", case.line, case.name), picture(case, attempt), caption)
}

/// The board of a case with the player's answer and the right ones.
pub fn picture(case: &SuiteCase, attempt: &SuiteAttempt) -> Svg {
    let mut picture = Picture::new(case.position.board());
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
