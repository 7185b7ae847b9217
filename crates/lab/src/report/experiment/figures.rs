//! The figures of a group: a curve for each sweep over numbers, rows with intervals for players that are alone.

use crate::plot::{
    Categories, Category, Curve, MeasuredBy, MeasuredPoint, PlotAxis, PlotValue, Reference, Series, Unit,
};

use super::super::page::Figure;
use super::compare::{self, Expected};
use super::quantity::{Quantity, heading, terms_of};
use super::study::{Claims, ExperimentResults, MeetingResults};
use crate::plot::MEASURED_HERE;

/// The figures of a group.
pub(super) fn figures(study: &ExperimentResults, index: usize) -> Vec<Figure> {
    let group = &study.groups[index];
    // Where others measured points, points are what is compared.
    let has_scores = compare::beside(study, index, Quantity::Score.measure()).next().is_some();
    let quantity = if has_scores { Quantity::Score } else { Quantity::Rate };
    let drawing = GroupFigures { study, index, quantity, terms: terms_of(study, group).unwrap_or_default() };
    let mut families: Vec<&str> = Vec::new();
    let mut alone: Vec<&MeetingResults> = Vec::new();
    for meeting in &group.meetings {
        let family = study.players[meeting.players[0]].family.as_str();
        if drawing.x_key(family).is_none() {
            alone.push(meeting);
        } else if !families.contains(&family) {
            families.push(family);
        }
    }
    let mut figures: Vec<Figure> = families.iter().filter_map(|family| drawing.curve(family)).collect();
    figures.extend(drawing.rows(&alone));
    figures
}

/// The data that all figures of a group share.
struct GroupFigures<'a> {
    study: &'a ExperimentResults,
    index: usize,
    quantity: Quantity,
    terms: String,
}

impl GroupFigures<'_> {
    fn members(&self, family: &str) -> Vec<&MeetingResults> {
        let meetings = self.study.groups[self.index].meetings.iter();
        meetings.filter(|meeting| self.study.players[meeting.players[0]].family == family).collect()
    }

    fn value(&self, meeting: &MeetingResults, key: &str) -> Option<f64> {
        let varied = &self.study.players[meeting.players[0]].varied;
        varied.iter().find(|(name, _)| name == key)?.1.parse().ok().filter(|x: &f64| x.is_finite())
    }

    /// The parameter that makes the x axis of a sweep: of those whose values are all numbers, the one with most of them.
    fn x_key(&self, family: &str) -> Option<String> {
        let members = self.members(family);
        let keys = self.study.players[members.first()?.players[0]].varied.iter().map(|(key, _)| key);
        let n_values = |key: &String| {
            let mut values =
                members.iter().map(|meeting| self.value(meeting, key)).collect::<Option<Vec<f64>>>()?;
            values.sort_by(f64::total_cmp);
            values.dedup();
            Some(values.len()).filter(|&n| n > 1)
        };
        keys.filter_map(|key| Some((n_values(key)?, key))).max_by_key(|(n, _)| *n).map(|(_, key)| key.clone())
    }

    fn opponents(&self, meetings: &[&MeetingResults]) -> Vec<usize> {
        let mut opponents: Vec<usize> = Vec::new();
        for meeting in meetings {
            if !opponents.contains(&meeting.players[1]) {
                opponents.push(meeting.players[1]);
            }
        }
        opponents
    }

    /// Measured numbers against a parameter.
    fn curve(&self, family: &str) -> Option<Figure> {
        let key = self.x_key(family)?;
        let members = self.members(family);
        let opponents = self.opponents(&members);
        let mut series: Vec<Series> = Vec::new();
        for meeting in &members {
            let (Some(x), Some((y, interval))) = (self.value(meeting, &key), self.quantity.of(meeting))
            else {
                continue;
            };
            let point = MeasuredPoint { note: note(meeting), ..MeasuredPoint::new(x, y).within(interval) };
            let name = self.series_name(meeting, &key, opponents.len() > 1);
            match series.iter_mut().find(|each| each.name == name) {
                Some(each) => each.points.push(point),
                None => series.push(Series::ours(name, vec![point])),
            }
        }
        if series.is_empty() {
            return None;
        }
        for claims in compare::beside(self.study, self.index, self.quantity.measure()) {
            series.extend(opponents.iter().filter_map(|&opponent| self.published(claims, family, opponent)));
        }
        // Published numbers that could not be carried over are the same beside every opponent.
        series.dedup_by(|a, b| a == b);
        let values = || series.iter().flat_map(|each| &each.points).map(|point| point.x);
        let is_wide = |low: f64, high: f64| high / low >= 20.0;
        let low = values().filter(|&x| x > 0.0).fold(f64::INFINITY, f64::min);
        let is_log = values().all(|x| x >= 0.0) && is_wide(low, values().fold(0.0, f64::max));
        let against = self.against(&opponents);
        let curve = Curve {
            title: format!("{family}: {} by {key}", self.quantity.label()),
            subtitle: format!("{against}{}", self.terms),
            x: if is_log {
                PlotAxis::log(key.as_str(), Unit::Plain)
            } else {
                PlotAxis::linear(key.as_str(), Unit::Plain)
            },
            y: PlotAxis::linear(self.quantity.label(), self.quantity.unit()),
            references: self.reference(&series),
            series,
        };
        let caption = format!("{family} by {key}. Bars are 95 % intervals; dashed is what was published.");
        let caption = if curve.series.iter().any(|each| each.published) {
            caption
        } else {
            format!("{family} by {key}. Bars are 95 % intervals.")
        };
        Some(Figure::new(&self.file(&format!("{family}-{key}")), curve.svg(), caption))
    }

    fn series_name(&self, meeting: &MeetingResults, x_key: &str, has_opponents: bool) -> String {
        let player = &self.study.players[meeting.players[0]];
        let others = player.varied.iter().filter(|(key, _)| key != x_key);
        let mut parts: Vec<String> = others.map(|(key, value)| format!("{key}={value}")).collect();
        if has_opponents {
            parts.push(format!("against {}", self.study.players[meeting.players[1]].name));
        }
        if parts.is_empty() { MEASURED_HERE.to_owned() } else { parts.join(", ") }
    }

    /// The published curve of a sweep, as far as possible as it would be against our opponent.
    fn published(&self, claims: &Claims, family: &str, opponent: usize) -> Option<Series> {
        let of_family =
            |player: Option<usize>| player.is_some_and(|player| self.study.players[player].family == family);
        let rows = claims.rows.iter().filter(|row| row.name == family || of_family(row.player));
        let rows: Vec<_> = rows.filter_map(|row| Some((row.x?, row))).collect();
        let expected: Vec<Option<Expected>> =
            rows.iter().map(|(_, row)| compare::expected(self.study, claims, row, opponent)).collect();
        let is_carried = expected.iter().flatten().any(|each| each.is_carried);
        // Either all of a curve can be compared or none of it.
        let comparable = expected.iter().all(Option::is_some);
        let point = |((x, row), expected): (&(f64, &super::study::PublishedNumber), Option<Expected>)| {
            let (value, interval) = match expected.filter(|_| comparable) {
                Some(expected) => (expected.value, expected.interval),
                None => (row.value, compare::interval(row)),
            };
            MeasuredPoint { interval, note: row.note.clone(), ..MeasuredPoint::new(*x, value) }
        };
        let points: Vec<MeasuredPoint> = rows.iter().zip(expected).map(point).collect();
        let name = match (comparable, is_carried) {
            (true, false) => "published".to_owned(),
            (true, true) => format!("published, carried over from {}", claims.against),
            (false, _) => format!("published, against {}", claims.against),
        };
        (!points.is_empty()).then(|| Series::published(name, points))
    }

    /// The line of equal strength, if the numbers lie around it.
    fn reference(&self, series: &[Series]) -> Vec<Reference> {
        let even = if self.quantity == Quantity::Rate { 0.5 } else { 0.0 };
        let ends = series.iter().flat_map(|each| &each.points).filter_map(|point| point.interval);
        let [low, high] = ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [from, to]| {
            [low.min(from), high.max(to)]
        });
        if low <= even && even <= high {
            vec![Reference { y: even, name: "even".into() }]
        } else {
            Vec::new()
        }
    }

    /// Players that are alone, a row each. Against several opponents a ladder says more.
    fn rows(&self, meetings: &[&MeetingResults]) -> Option<Figure> {
        let opponents = self.opponents(meetings);
        let &[opponent] = &opponents[..] else { return None };
        let claims: Vec<&Claims> = compare::beside(self.study, self.index, self.quantity.measure()).collect();
        let expected = |player: usize| {
            let all = claims.iter().filter_map(|claims| {
                compare::expected(self.study, claims, compare::about(claims, player)?, opponent)
            });
            all.min_by_key(|expected| expected.is_carried)
        };
        let mut is_carried = false;
        let mut categories = Vec::new();
        for meeting in meetings {
            let Some((value, interval)) = self.quantity.of(meeting) else { continue };
            let ours = PlotValue { note: note(meeting), ..PlotValue::new(value).within(interval) };
            let theirs = expected(meeting.players[0]);
            is_carried |= theirs.as_ref().is_some_and(|theirs| theirs.is_carried);
            let theirs =
                theirs.map(|theirs| PlotValue { interval: theirs.interval, ..PlotValue::new(theirs.value) });
            let name = self.study.players[meeting.players[0]].name.clone();
            categories.push(Category { name, values: vec![Some(ours), theirs] });
        }
        if categories.len() < 2 {
            return None;
        }
        let has_published = categories.iter().any(|category| category.values[1].is_some());
        let mut sources = vec![MeasuredBy {
            name: if has_published { MEASURED_HERE.into() } else { String::new() },
            published: false,
        }];
        if has_published {
            let name = if is_carried { "published, carried over by Elo" } else { "published" };
            sources.push(MeasuredBy { name: name.into(), published: true });
        }
        let opponent = &self.study.players[opponent].name;
        let plot = Categories {
            title: format!("{} against {opponent}", heading(self.quantity.label())),
            subtitle: self.terms.clone(),
            axis: PlotAxis::linear(self.quantity.label(), self.quantity.unit()),
            sources,
            categories,
            reference: None,
        };
        let caption = "Marks with 95 % intervals, which stand at the right too.";
        Some(Figure::new(&self.file("players"), plot.svg(), caption))
    }

    /// `against rave; `, if there is one opponent.
    fn against(&self, opponents: &[usize]) -> String {
        match opponents {
            [opponent] => {
                let end = if self.terms.is_empty() { "" } else { "; " };
                format!("against {}{end}", self.study.players[*opponent].name)
            }
            _ => String::new(),
        }
    }

    /// A file name; the group is part of it if there are several.
    fn file(&self, name: &str) -> String {
        match self.study.groups.len() {
            1 => name.to_owned(),
            _ => format!("{}-{name}", self.study.groups[self.index].name),
        }
    }
}

fn note(meeting: &MeetingResults) -> String {
    format!("{} games", meeting.score().text().score)
}
