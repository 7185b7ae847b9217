//! Ratings of all players that met under the same terms, with the ladder.

use crate::game::FinishedGame;
use crate::plot::{Ladder, PlotValue, Rung, Unit};
use crate::stats::{Encounter, MOST_ELO, Rating, Ratings};

use super::super::page::{Figure, Page, ReportTable, TableCell, Tone};
use super::compare::{self, Agreement, Expected};
use super::quantity::{terms, terms_between};
use super::study::{Claims, ExperimentResults, MeetingResults};

/// Adds the section about strength, if at least three players can be compared.
pub(super) fn section(page: &mut Page, study: &ExperimentResults) {
    let leagues: Vec<League<'_>> = leagues(study);
    if leagues.is_empty() {
        return;
    }
    page.heading("Strength");
    for league in &leagues {
        league.show(page, leagues.len() > 1);
    }
}

/// Players that are joined by games under the same terms, rated.
struct League<'a> {
    study: &'a ExperimentResults,
    terms: String,
    /// Indices of the players, strongest first, with their ratings.
    rated: Vec<(usize, Rating)>,
    /// The player that the others are measured from, and its rating.
    anchor: (usize, f64),
    meetings: Vec<&'a MeetingResults>,
    /// The published table that has the anchor too.
    claims: Option<&'a Claims>,
}

/// All leagues of at least three players.
fn leagues(study: &ExperimentResults) -> Vec<League<'_>> {
    let mut by_terms: Vec<(String, Vec<&MeetingResults>)> = Vec::new();
    for meeting in study.meetings().filter(|meeting| !meeting.lines.is_empty()) {
        let terms = terms(&meeting.terms);
        match by_terms.iter_mut().find(|(other, _)| *other == terms) {
            Some((_, meetings)) => meetings.push(meeting),
            None => by_terms.push((terms, vec![meeting])),
        }
    }
    let mut leagues = Vec::new();
    for (terms, meetings) in by_terms {
        for meetings in joined(&meetings) {
            let terms = terms_between(study, &meetings).unwrap_or_else(|| terms.clone());
            leagues.extend(League::new(study, terms, meetings));
        }
    }
    leagues
}

/// Meetings in heaps, such that no player is in two of them.
fn joined<'a>(meetings: &[&'a MeetingResults]) -> Vec<Vec<&'a MeetingResults>> {
    let mut heaps: Vec<Vec<&MeetingResults>> = Vec::new();
    for &meeting in meetings {
        let touches = |heap: &Vec<&MeetingResults>| {
            heap.iter().any(|other| other.players.iter().any(|player| meeting.players.contains(player)))
        };
        let (touched, mut others): (Vec<_>, Vec<_>) = heaps.into_iter().partition(touches);
        let mut heap: Vec<&MeetingResults> = touched.into_iter().flatten().collect();
        heap.push(meeting);
        others.push(heap);
        heaps = others;
    }
    heaps
}

impl<'a> League<'a> {
    fn new(study: &'a ExperimentResults, terms: String, meetings: Vec<&'a MeetingResults>) -> Option<Self> {
        let mut players: Vec<usize> = meetings.iter().flat_map(|meeting| meeting.players).collect();
        players.sort_unstable();
        players.dedup();
        if players.len() < 3 {
            return None;
        }
        let n_games = |player: usize| -> usize {
            meetings
                .iter()
                .filter(|meeting| meeting.players.contains(&player))
                .map(|meeting| meeting.lines.len())
                .sum()
        };
        let anchor = match study.anchor.filter(|(player, _)| players.contains(player)) {
            Some(anchor) => anchor,
            // The player whom most have met, the first of them.
            None => (players.iter().copied().rev().max_by_key(|&player| n_games(player))?, 0.0),
        };
        let index = |player: usize| players.iter().position(|&other| other == player).unwrap_or_default();
        let encounter = |meeting: &&MeetingResults| {
            let games = meeting.score().games;
            let [a, b] = meeting.players.map(index);
            Encounter {
                a,
                b,
                wins: games.wins as f64,
                draws: games.draws as f64,
                losses: games.losses as f64,
            }
        };
        let encounters: Vec<Encounter> = meetings.iter().map(encounter).collect();
        let ratings = Ratings::fit(players.len(), &encounters, (index(anchor.0), anchor.1)).ok()?;
        let mut rated: Vec<(usize, Rating)> = players.iter().copied().zip(ratings.players).collect();
        rated.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo).then(a.0.cmp(&b.0)));
        let has_some = |claims: &&Claims| {
            players.iter().filter(|&&player| compare::rating(claims, player, anchor).is_some()).count() > 1
        };
        let claims = study.published.iter().find(has_some);
        Some(Self { study, terms, rated, anchor, meetings, claims })
    }

    fn name(&self, player: usize) -> &str {
        &self.study.players[player].name
    }

    fn expected(&self, player: usize) -> Option<Expected> {
        compare::rating(self.claims?, player, self.anchor)
    }

    fn show(&self, page: &mut Page, has_terms: bool) {
        let terms =
            if has_terms && !self.terms.is_empty() { format!(" at {}", self.terms) } else { String::new() };
        let anchor = format!("{} = {}", self.name(self.anchor.0), Unit::Elo.bare(self.anchor.1));
        let rungs =
            self.rated.iter().map(|&(player, rating)| Rung {
                name: self.name(player).to_owned(),
                rating: self.value(player, &rating),
                published: self.expected(player).filter(|_| player != self.anchor.0).map(|expected| {
                    PlotValue { value: expected.value, interval: expected.interval, note: String::new() }
                }),
                anchor: player == self.anchor.0,
            });
        let published = match self.claims {
            Some(claims) => format!("published, against {}", claims.against),
            None => String::new(),
        };
        let ladder = Ladder {
            title: "Ladder".into(),
            subtitle: format!("{anchor}; {}", self.terms).trim_end_matches("; ").to_owned(),
            published,
            rungs: rungs.collect(),
        };
        let mut caption = format!(
            "Ratings{terms} with 95 % intervals of the difference from {}.",
            self.name(self.anchor.0)
        );
        if let Some(claims) = self.claims {
            caption += &format!(
                " Published rates against {} were turned into Elo and measured from the same player.",
                claims.against
            );
        }
        page.figure(Figure::new("ladder", ladder.svg(), caption));
        page.table(self.table(&terms));
    }

    /// The rating for the plot.
    fn value(&self, player: usize, rating: &Rating) -> PlotValue {
        let note = format!("{} games", self.lines(player).len());
        if player == self.anchor.0 {
            return PlotValue { note, ..PlotValue::new(rating.elo) };
        }
        PlotValue { note, ..PlotValue::new(rating.elo).within(self.interval(rating)) }
    }

    /// The interval of a rating; open towards where only more games could tell.
    fn interval(&self, rating: &Rating) -> [f64; 2] {
        let far = |elo: f64| (elo - self.anchor.1).abs() >= MOST_ELO;
        let is_above = rating.elo > self.anchor.1;
        let low =
            if far(rating.low) || (rating.assumed && !is_above) { f64::NEG_INFINITY } else { rating.low };
        let high = if far(rating.high) || (rating.assumed && is_above) { f64::INFINITY } else { rating.high };
        [low, high]
    }

    /// All games of a player.
    fn lines(&self, player: usize) -> Vec<&FinishedGame> {
        let mine = self.meetings.iter().filter(|meeting| meeting.players.contains(&player));
        mine.flat_map(|meeting| &meeting.lines).collect()
    }

    fn table(&self, terms: &str) -> ReportTable {
        let mut columns = vec!["player", "#Elo", "#95 %", "#games"];
        if self.claims.is_some() {
            columns.extend(["#published, Elo", "agrees"]);
        }
        let mut caption = format!("Ratings{terms} by maximum likelihood over all games.");
        if self.rated.iter().any(|(_, rating)| rating.assumed) {
            caption += " Who won or lost everything has no likeliest rating; theirs rest on one assumed draw and are open at one end.";
        }
        let mut table = ReportTable::new(caption, &columns);
        for &(player, rating) in &self.rated {
            let is_anchor = player == self.anchor.0;
            let interval = self.interval(&rating);
            let [low, high] = interval.map(|end| Unit::Elo.bare(end));
            let mut row = vec![
                TableCell::from(self.name(player)),
                TableCell::from(Unit::Elo.bare(rating.elo)).toned(Tone::Strong),
                if is_anchor {
                    TableCell::from("anchor").toned(Tone::Quiet)
                } else {
                    TableCell::from(format!("[{low}, {high}]"))
                },
                TableCell::from(self.lines(player).len().to_string()),
            ];
            if self.claims.is_some() {
                let expected = self.expected(player).filter(|_| !is_anchor);
                let dash = || TableCell::from("–").toned(Tone::Quiet);
                let verdict = |expected: &Expected| Agreement::of(expected, interval).word();
                row.push(
                    expected.as_ref().map_or_else(dash, |expected| Unit::Elo.bare(expected.value).into()),
                );
                row.push(expected.as_ref().map_or_else(dash, |expected| verdict(expected).into()));
            }
            table.row(row);
        }
        table
    }
}
