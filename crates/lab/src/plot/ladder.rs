//! Who is stronger than whom: a row for each player, the strongest first, with its rating and the interval of it.

use super::number::Unit;
use super::rows::{Row, Rows, Value};
use super::scale::Axis;
use super::svg::Svg;

/// A player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rung {
    /// Its name.
    pub name: String,
    /// Its rating with the interval. The anchor has none.
    pub rating: Value,
    /// Whether the others are measured from it.
    pub anchor: bool,
}

/// The plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ladder {
    /// Its title; empty if the page around it says it.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The players in any order.
    pub rungs: Vec<Rung>,
}

impl Ladder {
    /// The picture.
    pub fn svg(&self) -> Svg {
        let mut rungs: Vec<&Rung> = self.rungs.iter().collect();
        // Players without a rating stand last.
        let key =
            |rung: &Rung| if rung.rating.value.is_nan() { f64::NEG_INFINITY } else { rung.rating.value };
        rungs.sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| a.name.cmp(&b.name)));
        let rows = Rows {
            title: &self.title,
            subtitle: &self.subtitle,
            axis: &Axis::linear("Elo", Unit::Elo),
            series: vec![("", false)],
            reference: rungs.iter().find(|rung| rung.anchor).map(|rung| rung.rating.value),
            rows: rungs
                .iter()
                .map(|rung| Row { name: &rung.name, strong: rung.anchor, values: vec![Some(&rung.rating)] })
                .collect(),
        };
        let order: Vec<String> =
            rungs.iter().map(|rung| format!("{} {}", rung.name, Unit::Elo.bare(rung.rating.value))).collect();
        rows.svg(&format!("{}: {}", self.title, order.join(", ")))
    }
}
