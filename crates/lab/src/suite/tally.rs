//! Counts, and the table of them.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::{AttemptResult, Suite, SuiteAttempt, SuiteItem};

/// The results of one suite, or of several together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteTally {
    /// Cases that were solved, expected or not.
    pub passed: usize,
    /// Cases that were not solved, expected or not.
    pub failed: usize,
    /// Solved where the author's program fails.
    pub unexpected_passes: usize,
    /// Not solved where the author's program does it.
    pub unexpected_failures: usize,
    /// What a player cannot be asked, by command or reason.
    pub inapplicable: BTreeMap<String, usize>,
    /// Cases that could not be set up, and cases without an answer.
    pub errors: usize,
    /// Cases left out for the size of their board.
    pub other_size: usize,
    /// The player's time.
    pub time: Duration,
}

impl SuiteTally {
    /// Counts one suite; the attempts may be those of others too.
    pub fn of(suite_idx: usize, suite: &Suite, attempts: &[SuiteAttempt]) -> Self {
        let mut tally = Self { other_size: suite.n_other_size, ..Self::default() };
        for item in &suite.items {
            match item {
                SuiteItem::Case(_) => {}
                SuiteItem::Inapplicable(remark) => {
                    *tally.inapplicable.entry(remark.text.clone()).or_default() += 1;
                }
                SuiteItem::Error(_) => tally.errors += 1,
            }
        }
        for attempt in attempts.iter().filter(|attempt| attempt.suite_idx == suite_idx) {
            let unexpected = match attempt.verdict {
                AttemptResult::UnexpectedPass => &mut tally.unexpected_passes,
                AttemptResult::UnexpectedFail => &mut tally.unexpected_failures,
                _ => &mut 0,
            };
            *unexpected += 1;
            *match attempt.verdict {
                AttemptResult::Pass | AttemptResult::UnexpectedPass => &mut tally.passed,
                AttemptResult::Fail | AttemptResult::UnexpectedFail => &mut tally.failed,
                AttemptResult::Error => &mut tally.errors,
            } += 1;
            tally.time += attempt.time;
        }
        tally
    }

    /// All suites one by one.
    pub fn of_each(suites: &[Suite], attempts: &[SuiteAttempt]) -> Vec<Self> {
        (0..).zip(suites).map(|(idx, suite)| Self::of(idx, suite, attempts)).collect()
    }

    /// Several together.
    pub fn sum(tallies: &[Self]) -> Self {
        let mut sum = Self::default();
        for tally in tallies {
            sum.passed += tally.passed;
            sum.failed += tally.failed;
            sum.unexpected_passes += tally.unexpected_passes;
            sum.unexpected_failures += tally.unexpected_failures;
            for (why, n) in &tally.inapplicable {
                *sum.inapplicable.entry(why.clone()).or_default() += n;
            }
            sum.errors += tally.errors;
            sum.other_size += tally.other_size;
            sum.time += tally.time;
        }
        sum
    }

    /// Cases with a right or a wrong answer.
    pub fn tried(&self) -> usize {
        self.passed + self.failed
    }

    /// What a player cannot be asked, in sum.
    pub fn n_inapplicable(&self) -> usize {
        self.inapplicable.values().sum()
    }

    /// What a player cannot be asked, the commonest first: `attack 3, owl_defend 1`.
    pub fn inapplicable_text(&self) -> String {
        let mut counts: Vec<(&String, &usize)> = self.inapplicable.iter().collect();
        counts.sort_by_key(|&(why, n)| (std::cmp::Reverse(*n), why));
        counts.into_iter().map(|(why, n)| format!("{why} {n}")).collect::<Vec<_>>().join(", ")
    }
}

/// The heads of the columns that [`cells`] fills, after the name.
pub const COLUMNS: [&str; 8] = [
    "tests",
    "passed",
    "failed",
    "unexpected passes",
    "unexpected failures",
    "not applicable",
    "errors",
    "seconds",
];

/// A tally as the cells of a row.
pub fn cells(tally: &SuiteTally) -> [String; 8] {
    [
        tally.tried().to_string(),
        tally.passed.to_string(),
        tally.failed.to_string(),
        tally.unexpected_passes.to_string(),
        tally.unexpected_failures.to_string(),
        tally.n_inapplicable().to_string(),
        tally.errors.to_string(),
        format!("{:.1}", tally.time.as_secs_f64()),
    ]
}

/// A row for each suite, and one for all if there are several.
pub fn table(suites: &[Suite], tallies: &[SuiteTally]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["file"].into_iter().chain(COLUMNS).map(Cell::new));
    let row = |name: String, tally: &SuiteTally| {
        let numbers =
            cells(tally).into_iter().map(|text| Cell::new(text).set_alignment(CellAlignment::Right));
        std::iter::once(Cell::new(name)).chain(numbers).collect::<Vec<_>>()
    };
    for (suite, tally) in suites.iter().zip(tallies) {
        table.add_row(row(suite.path.display().to_string(), tally));
    }
    let sum = SuiteTally::sum(tallies);
    if suites.len() > 1 {
        table.add_row(row("all".to_string(), &sum));
    }
    let mut text = table.trim_fmt();
    if !sum.inapplicable.is_empty() {
        text += &format!("\nnot applicable: {}", sum.inapplicable_text());
    }
    if sum.other_size > 0 {
        text += &format!("\nleft out, on boards of another size: {}", sum.other_size);
    }
    text
}
