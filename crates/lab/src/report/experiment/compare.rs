//! Published numbers beside ours: which of them can be compared, and whether they agree.
//!
//! A published rate can be held against ours directly if it was measured against the same opponent: if one of ours is
//! called as the published opponent is (`gnugo` and "GNU Go 3.8 level 10"). If not, but the table has a number for our opponent
//! too, it can be *carried over*: both published rates become Elo against the published opponent, their difference is how far
//! the one should be ahead of the other, and that is a rate again. This assumes that Elo differences add up, which they do
//! only roughly, so a carried-over number is always called so.

use crate::experiment::Measure;
use crate::stats::{Z95, elo_of_rate, rate_of_elo};

use super::study::{Claims, ExperimentResults, PublishedNumber};

/// A published number as it would be in one of our meetings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expected {
    /// The number in our unit: a share, points, Elo.
    pub(super) value: f64,
    /// Its 95 % interval, if the authors tell its error.
    pub(super) interval: Option<[f64; 2]>,
    /// Whether it was carried over from another opponent.
    pub(super) is_carried: bool,
}

/// Whether a published number fits ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// It lies within our interval.
    Within,
    /// It does not, but the two intervals overlap.
    Overlap,
    /// Neither.
    Apart,
}

impl Agreement {
    /// Compares.
    pub(super) fn of(expected: &Expected, [low, high]: [f64; 2]) -> Self {
        if (low..=high).contains(&expected.value) {
            return Self::Within;
        }
        match expected.interval {
            Some([from, to]) if from <= high && low <= to => Self::Overlap,
            _ => Self::Apart,
        }
    }

    /// The word in tables.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Within => "yes",
            Self::Overlap => "nearly",
            Self::Apart => "no",
        }
    }
}

/// The tables of published numbers that stand beside a group.
pub(super) fn beside(
    study: &ExperimentResults,
    group: usize,
    measure: Measure,
) -> impl Iterator<Item = &Claims> {
    study.published.iter().filter(move |claims| {
        claims.measure == Some(measure) && claims.group.is_none_or(|index| index == group)
    })
}

/// The published number of a player.
pub(super) fn about(claims: &Claims, player: usize) -> Option<&PublishedNumber> {
    claims.rows.iter().find(|row| row.player == Some(player))
}

/// The 95 % interval of a published number.
pub(super) fn interval(claim: &PublishedNumber) -> Option<[f64; 2]> {
    let half = Z95 * claim.error?.abs();
    Some([claim.value - half, claim.value + half])
}

/// The score of a player against an opponent that a published table implies, if it does.
pub(super) fn expected(
    study: &ExperimentResults,
    claims: &Claims,
    claim: &PublishedNumber,
    opponent: usize,
) -> Option<Expected> {
    let direct = || Expected { value: claim.value, interval: interval(claim), is_carried: false };
    match claims.measure? {
        // Points and Elo are measured from a setting, which is what our opponent is.
        Measure::Score | Measure::Elo => Some(direct()),
        Measure::Rate if is_named(study, opponent, &claims.against) => Some(direct()),
        Measure::Rate => carried(claim, about(claims, opponent)?),
    }
}

/// Whether a player is the one that the authors name.
fn is_named(study: &ExperimentResults, player: usize, against: &str) -> bool {
    let plain =
        |text: &str| -> String { text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect() };
    let against = plain(against);
    let player = &study.players[player];
    [&player.name, &player.family].iter().any(|name| {
        let name = plain(name);
        name == against || (name.len() >= 3 && against.starts_with(&name))
    })
}

/// The rate of one player against another from the rates of both against a third.
fn carried(of: &PublishedNumber, opponent: &PublishedNumber) -> Option<Expected> {
    let is_inside = |claim: &PublishedNumber| claim.value > 0.0 && claim.value < 1.0;
    if !is_inside(of) || !is_inside(opponent) {
        return None;
    }
    let difference = elo_of_rate(of.value) - elo_of_rate(opponent.value);
    // The standard error in Elo: d elo / d p = 400 / (ln 10 · p (1 − p)).
    let in_elo = |claim: &PublishedNumber| {
        let slope = 400.0 / (std::f64::consts::LN_10 * claim.value * (1.0 - claim.value));
        claim.error.map(|error| slope * error)
    };
    let interval = match (in_elo(of), in_elo(opponent)) {
        _ if std::ptr::eq(of, opponent) => None,
        (Some(a), Some(b)) => {
            let half = Z95 * a.hypot(b);
            Some([rate_of_elo(difference - half), rate_of_elo(difference + half)])
        }
        _ => None,
    };
    Some(Expected { value: rate_of_elo(difference), interval, is_carried: true })
}

/// A published rate as Elo on the scale of the anchor, if the table has the anchor too.
pub(super) fn rating(claims: &Claims, player: usize, anchor: (usize, f64)) -> Option<Expected> {
    let claim = about(claims, player)?;
    match claims.measure? {
        Measure::Score => None,
        Measure::Elo => Some(Expected { value: claim.value, interval: interval(claim), is_carried: false }),
        Measure::Rate => {
            let expected = carried(claim, about(claims, anchor.0)?)?;
            let elo = |rate: f64| anchor.1 + elo_of_rate(rate);
            Some(Expected {
                value: elo(expected.value),
                interval: expected.interval.map(|ends| ends.map(elo)),
                ..expected
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::study::PlayerResults;
    use super::*;

    fn study(names: &[&str]) -> ExperimentResults {
        let player = |name: &&str| PlayerResults {
            name: (*name).into(),
            family: (*name).into(),
            ..PlayerResults::default()
        };
        ExperimentResults { players: names.iter().map(player).collect(), ..ExperimentResults::default() }
    }

    fn claim(player: usize, value: f64, error: f64) -> PublishedNumber {
        PublishedNumber { player: Some(player), value, error: Some(error), ..PublishedNumber::default() }
    }

    fn table(against: &str, rows: Vec<PublishedNumber>) -> Claims {
        Claims { measure: Some(Measure::Rate), against: against.into(), rows, ..Claims::default() }
    }

    #[test]
    fn the_same_opponent_by_name_is_compared_directly() {
        let study = study(&["bma", "gnugo", "g"]);
        let claims = table("GNU Go 3.8 level 10", vec![claim(0, 0.2271, 0.0043)]);
        let direct = expected(&study, &claims, &claims.rows[0], 1).unwrap();
        assert_eq!((direct.value, direct.is_carried), (0.2271, false));
        // 1.96 · 0.0043 = 0.0084.
        let [low, high] = direct.interval.unwrap();
        assert!((low - 0.2187).abs() < 1e-4 && (high - 0.2355).abs() < 1e-4);
        // One letter is no name to go by.
        assert_eq!(expected(&study, &claims, &claims.rows[0], 2), None);
    }

    #[test]
    fn another_opponent_is_reached_by_elo() {
        // Odds multiply: 0.2271 is 0.29383 to 1, 0.1999 is 0.24984 to 1; 0.29383 / 0.24984 = 1.17604 to 1 is 0.54045.
        let study = study(&["bma", "rave"]);
        let claims = table("GNU Go", vec![claim(0, 0.2271, 0.0043), claim(1, 0.1999, 0.0033)]);
        let carried = expected(&study, &claims, &claims.rows[0], 1).unwrap();
        assert!(carried.is_carried && (carried.value - 0.54045).abs() < 1e-4, "{carried:?}");
        // Errors of the logarithms of the odds: 0.0043 / (0.2271 · 0.7729) = 0.024498, 0.0033 / (0.1999 · 0.8001) = 0.020633;
        // together 0.032029, times 1.96 is 0.062777. ln 1.17604 = 0.16215, so 0.09937 to 0.22493: 0.52482 to 0.55600.
        let [low, high] = carried.interval.unwrap();
        assert!((low - 0.52482).abs() < 1e-4 && (high - 0.55600).abs() < 1e-4, "{low} {high}");
        // Without a number for our opponent, or with one that is no Elo, nothing can be said.
        assert_eq!(expected(&study, &table("GNU Go", vec![claim(0, 0.2, 0.0)]), &claims.rows[0], 1), None);
        let none = table("GNU Go", vec![claim(0, 0.2, 0.0), claim(1, 0.0, 0.0)]);
        assert_eq!(expected(&study, &none, &none.rows[0], 1), None);
    }

    #[test]
    fn verdicts() {
        let number = |value, interval| Expected { value, interval, is_carried: false };
        assert_eq!(Agreement::of(&number(0.2, None), [0.1, 0.3]), Agreement::Within);
        assert_eq!(Agreement::of(&number(0.4, Some([0.25, 0.55])), [0.1, 0.3]), Agreement::Overlap);
        assert_eq!(Agreement::of(&number(0.4, Some([0.35, 0.45])), [0.1, 0.3]), Agreement::Apart);
        assert_eq!(Agreement::of(&number(0.05, None), [0.1, 0.3]), Agreement::Apart);
    }

    #[test]
    fn ratings_of_a_published_table() {
        // 400 · log10(1.17604) = 28.17 above the anchor, whose rating is 100.
        let claims = table("GNU Go", vec![claim(0, 0.2271, 0.0043), claim(1, 0.1999, 0.0033)]);
        let rating = |player| rating(&claims, player, (1, 100.0)).map(|expected| expected.value);
        assert!((rating(0).unwrap() - 128.17).abs() < 0.05);
        assert!((rating(1).unwrap() - 100.0).abs() < 1e-9);
        assert_eq!(super::rating(&claims, 0, (7, 0.0)), None);
    }
}
