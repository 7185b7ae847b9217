//! A group of meetings as a section: what it is for, its table, its figures.

use crate::game::PairSide;
use crate::plot::number::{Unit, fixed};
use crate::tally::uncounted_words;

use super::super::page::{Page, PageBlock, ReportTable, TableCell, Tone};
use super::super::text::Text;
use super::compare::{self, Agreement, Expected};
use super::figures;
use super::quantity::{Quantity, heading, terms_of};
use super::study::{Claims, ExperimentResults, GroupResults, MeetingResults, PublishedNumber};

/// Adds the section of a group.
pub(super) fn section(page: &mut Page, study: &ExperimentResults, index: usize, has_heading: bool) {
    let group = &study.groups[index];
    if has_heading {
        page.heading(heading(&group.name));
    }
    page.prose(&group.text);
    let columns = ResultColumns::of(study, index);
    page.table(columns.table(study, group));
    for (claims, remark) in columns.remarks(study, index) {
        page.paragraph(Text::marked(&remark));
        page.prose(&claims.text);
    }
    for figure in figures::figures(study, index) {
        page.figure(figure);
    }
}

/// A published number beside a meeting.
struct Beside<'a> {
    claims: &'a Claims,
    claim: &'a PublishedNumber,
    expected: Option<Expected>,
}

/// The published number that fits a meeting best: one against the same opponent, else one that can be carried over.
fn beside<'a>(
    study: &'a ExperimentResults,
    group: usize,
    meeting: &MeetingResults,
    quantity: Quantity,
) -> Option<Beside<'a>> {
    let [player, opponent] = meeting.players;
    let found = compare::beside(study, group, quantity.measure()).filter_map(|claims| {
        let claim = compare::about(claims, player)?;
        Some(Beside { claims, claim, expected: compare::expected(study, claims, claim, opponent) })
    });
    found.min_by_key(|beside| beside.expected.as_ref().map_or(2, |expected| u8::from(expected.is_carried)))
}

/// Which columns a group's table needs.
struct ResultColumns<'a> {
    has_opponents: bool,
    has_failures: bool,
    has_states: bool,
    has_scores: bool,
    has_carried: bool,
    /// For each meeting, the published rate and the published score.
    rates: Vec<Option<Beside<'a>>>,
    scores: Vec<Option<Beside<'a>>>,
}

impl<'a> ResultColumns<'a> {
    fn of(study: &'a ExperimentResults, index: usize) -> Self {
        let group = &study.groups[index];
        let meetings = || group.meetings.iter();
        let all =
            |quantity| meetings().map(|meeting| beside(study, index, meeting, quantity)).collect::<Vec<_>>();
        let (rates, scores) = (all(Quantity::Rate), all(Quantity::Score));
        let is_carried =
            |beside: &Beside<'_>| beside.expected.as_ref().is_some_and(|expected| expected.is_carried);
        Self {
            has_opponents: meetings().any(|meeting| meeting.players[1] != group.meetings[0].players[1]),
            has_failures: meetings()
                .any(|meeting| PairSide::BOTH.iter().any(|&side| !meeting.failures(side).is_empty())),
            has_states: meetings().any(|meeting| meeting.standing.state() != "complete"),
            has_scores: scores.iter().any(Option::is_some),
            has_carried: rates.iter().flatten().any(is_carried),
            rates,
            scores,
        }
    }

    fn has_rates(&self) -> bool {
        self.rates.iter().any(Option::is_some)
    }

    fn head(&self) -> Vec<&'static str> {
        let mut head = vec!["player"];
        let mut add = |wanted: bool, names: &[&'static str]| {
            if wanted {
                head.extend(names);
            }
        };
        add(self.has_opponents, &["against"]);
        add(true, &["#games", "#score", "#rate [95 %]", "#Elo [95 %]", "#LOS"]);
        add(self.has_rates(), &["#published, %"]);
        add(self.has_carried, &["#carried over, %"]);
        add(self.has_rates(), &["agrees"]);
        add(self.has_scores, &["#mean score [95 %]", "#published", "agrees"]);
        add(self.has_failures, &["failures"]);
        add(self.has_states, &["state"]);
        head
    }

    fn table(&self, study: &ExperimentResults, group: &GroupResults) -> ReportTable {
        let mut table = ReportTable::new(self.caption(study, group), &self.head());
        for (index, meeting) in group.meetings.iter().enumerate() {
            table.row(self.row(study, meeting, self.rates[index].as_ref(), self.scores[index].as_ref()));
        }
        table
    }

    fn caption(&self, study: &ExperimentResults, group: &GroupResults) -> String {
        let who = match group.meetings.first() {
            Some(meeting) if !self.has_opponents => {
                format!(" against {}", study.players[meeting.players[1]].name)
            }
            _ => String::new(),
        };
        let terms = terms_of(study, group).map(|terms| format!(": {terms}")).unwrap_or_default();
        format!(
            "Results{who}{terms}. A draw is half a win. Rates have Wilson's 95 % interval; Elo and the likelihood of superiority (LOS) are judged by colour \
             pairs."
        )
    }

    fn row(
        &self,
        study: &ExperimentResults,
        meeting: &MeetingResults,
        rate: Option<&Beside<'_>>,
        score: Option<&Beside<'_>>,
    ) -> Vec<TableCell> {
        let name = |side: usize| TableCell::from(study.players[meeting.players[side]].name.as_str());
        let mut cells = vec![name(0)];
        if self.has_opponents {
            cells.push(name(1));
        }
        let ours = meeting.rate();
        let text = meeting.score().text();
        cells.push(TableCell::from(meeting.lines.len().to_string()));
        cells.push(TableCell::from(text.score.as_str()));
        cells.push(match ours {
            Some(_) => {
                Text::new().strong(text.rate.as_str()).plain(format!(" {}", text.rate_interval)).into()
            }
            None => dash(),
        });
        cells.push(TableCell::from(text.elo_with_interval()));
        cells.push(TableCell::from(text.los.as_str()));
        if self.has_rates() {
            cells.push(rate.map_or_else(dash, |beside| published(beside.claim, Unit::Percent)));
            if self.has_carried {
                let carried =
                    rate.and_then(|beside| beside.expected.as_ref()).filter(|expected| expected.is_carried);
                cells.push(carried.map_or_else(dash, |expected| Unit::Percent.bare(expected.value).into()));
            }
            cells.push(verdict(rate, ours, meeting));
        }
        if self.has_scores {
            let ours = meeting.margin();
            cells.push(measured(ours, Unit::Points));
            cells.push(score.map_or_else(dash, |beside| published(beside.claim, Unit::Points)));
            cells.push(verdict(score, ours, meeting));
        }
        if self.has_failures {
            cells.push(failures(study, meeting));
        }
        if self.has_states {
            cells.push(TableCell::from(meeting.standing.state()));
        }
        cells
    }

    /// A sentence for each table of published numbers that was used, about where it comes from and what was done with it.
    fn remarks(&self, study: &ExperimentResults, index: usize) -> Vec<(&'a Claims, String)> {
        let mut used: Vec<(&Claims, bool)> = Vec::new();
        for beside in self.rates.iter().chain(&self.scores).flatten() {
            let is_carried = beside.expected.as_ref().is_some_and(|expected| expected.is_carried);
            match used.iter_mut().find(|(claims, _)| std::ptr::eq(*claims, beside.claims)) {
                Some((_, any)) => *any |= is_carried,
                None => used.push((beside.claims, is_carried)),
            }
        }
        let remark = |(claims, is_carried): (&'a Claims, bool)| {
            let source = claims.source.as_ref().or(study.source.as_ref()).map_or("elsewhere", String::as_str);
            let mut remark = format!("Published: {source}; measured against {}. ", claims.against);
            if is_carried {
                let opponent = &study.players[study.groups[index].meetings[0].players[1]].name;
                remark += &format!(
                    "Our opponent is another one, so the published rates of a player and of {} against it were carried \
                     over by the difference of their Elo. ",
                    if self.has_opponents { "our opponent" } else { opponent }
                );
            }
            remark += "“Agrees” says whether the published number lies within our interval; “nearly” that only the two \
                       95 % intervals overlap.";
            (claims, remark)
        };
        used.into_iter().map(remark).collect()
    }
}

/// A number and its interval.
fn measured(value: Option<(f64, [f64; 2])>, unit: Unit) -> TableCell {
    let Some((value, interval)) = value else { return dash() };
    let [low, high] = interval.map(|end| unit.bare(end));
    let (value, interval) = (unit.bare(value), format!(" [{low}, {high}]"));
    format!("{value}{interval}").into()
}

/// A published number as it was published, with its error.
fn published(claim: &PublishedNumber, unit: Unit) -> TableCell {
    let decimals = if unit == Unit::Percent { 2 } else { 1 };
    let value = fixed(claim.value * unit.factor(), decimals, unit == Unit::Points);
    let error = claim.error.map(|error| format!(" ± {}", fixed(error * unit.factor(), decimals, false)));
    let note = if claim.note.is_empty() { String::new() } else { format!(" ({})", claim.note) };
    TableCell::from(format!("{value}{}{note}", error.unwrap_or_default())).toned(Tone::Quiet)
}

/// Games below which an interval is so wide that nearly every number agrees.
const FEW: usize = 50;

fn verdict(
    beside: Option<&Beside<'_>>,
    ours: Option<(f64, [f64; 2])>,
    meeting: &MeetingResults,
) -> TableCell {
    let expected = beside.and_then(|beside| beside.expected.as_ref());
    let (Some(expected), Some((_, interval))) = (expected, ours) else { return dash() };
    let verdict = Agreement::of(expected, interval);
    if verdict != Agreement::Apart && meeting.lines.len() < FEW {
        return TableCell::from(format!("{}, but few games", verdict.word())).toned(Tone::Quiet);
    }
    let tone = match verdict {
        Agreement::Within => Tone::Good,
        Agreement::Overlap => Tone::Plain,
        Agreement::Apart => Tone::Bad,
    };
    TableCell::from(verdict.word()).toned(tone)
}

fn failures(study: &ExperimentResults, meeting: &MeetingResults) -> TableCell {
    let mut parts = Vec::new();
    for side in PairSide::BOTH {
        for (reason, n) in meeting.failures(side) {
            parts.push(format!("{} {n} by {reason}", study.players[meeting.players[side.idx()]].name));
        }
    }
    let tone = if parts.is_empty() { Tone::Quiet } else { Tone::Bad };
    TableCell::from(if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }).toned(tone)
}

fn dash() -> TableCell {
    TableCell::from("–").toned(Tone::Quiet)
}

/// Warnings at the top of the page: games lost by failures, games that are missing, results of several programs.
pub(super) fn warnings(page: &mut Page, study: &ExperimentResults) {
    if let Some(trouble) = &study.trouble {
        page.blocks.push(PageBlock::Warning(
            format!("The experiment's file could not be read ({trouble}): title, text and published numbers are missing.").into(),
        ));
    }
    let mut lost: Vec<(String, u64)> = Vec::new();
    for meeting in study.meetings() {
        for side in PairSide::BOTH {
            let n: u64 = meeting.failures(side).iter().map(|(_, n)| n).sum();
            let name = &study.players[meeting.players[side.idx()]].name;
            match lost.iter_mut().find(|(other, _)| other == name) {
                Some((_, sum)) => *sum += n,
                None => lost.push((name.clone(), n)),
            }
        }
    }
    lost.retain(|(_, n)| *n > 0);
    if !lost.is_empty() {
        let lost: Vec<String> = lost.iter().map(|(name, n)| format!("{name} {n}")).collect();
        let text = format!(
            "Some games were lost by a crash, silence, nonsense, an illegal move or time, and count as losses: {}. They \
             are listed below.",
            lost.join(", ")
        );
        page.blocks.push(PageBlock::Warning(text.into()));
    }
    let uncounted =
        study.meetings().flat_map(|meeting| &meeting.lines).filter(|line| line.is_uncounted()).count();
    if let Some(text) = uncounted_words(uncounted as u64) {
        page.blocks.push(PageBlock::Warning(format!("{text} (tengen lab export --csv).").into()));
    }
    for text in study.left_out.words() {
        page.blocks.push(PageBlock::Warning(format!("{text}.").into()));
    }
    let left: u64 = study.meetings().map(|meeting| meeting.standing.n_left()).sum();
    if left > 0 {
        let text = format!("This experiment is not complete: up to {left} games are still to be played.");
        page.blocks.push(PageBlock::Warning(text.into()));
    }
    let mut benches: Vec<u64> =
        study.runs.iter().filter(|run| run.games > 0).filter_map(|run| run.info.bench).collect();
    benches.sort_unstable();
    benches.dedup();
    if benches.len() > 1 {
        let text = "The games were played by programs with different bench numbers, whose recipes may play differently.";
        page.blocks.push(PageBlock::Warning(text.into()));
    }
}
