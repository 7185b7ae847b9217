//! Who is stronger than whom: a row for each player, the strongest first, with its rating and the interval of it.

use super::MEASURED_HERE;
use super::number::Unit;
use super::rows::{PlotRow, PlotValue, Rows};
use super::scale::PlotAxis;
use super::svg::Svg;

/// A player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rung {
    /// Its name.
    pub name: String,
    /// Its rating with the interval. The anchor has none.
    pub rating: PlotValue,
    /// What somebody else measured.
    pub published: Option<PlotValue>,
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
    /// Where the published ratings come from; shown if there are any.
    pub published: String,
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
        let has_published = rungs.iter().any(|rung| rung.published.is_some());
        let rows = Rows {
            title: &self.title,
            subtitle: &self.subtitle,
            axis: &PlotAxis::linear("Elo", Unit::Elo),
            series: match has_published {
                true => vec![(MEASURED_HERE, false), (self.published.as_str(), true)],
                false => vec![("", false)],
            },
            reference: rungs.iter().find(|rung| rung.anchor).map(|rung| rung.rating.value),
            rows: rungs
                .iter()
                .map(|rung| PlotRow {
                    name: &rung.name,
                    strong: rung.anchor,
                    values: values(rung, has_published),
                })
                .collect(),
        };
        let order: Vec<String> =
            rungs.iter().map(|rung| format!("{} {}", rung.name, Unit::Elo.bare(rung.rating.value))).collect();
        rows.svg(&format!("{}: {}", self.title, order.join(", ")))
    }
}

/// The rating, and the published one if any player has one.
fn values(rung: &Rung, has_published: bool) -> Vec<Option<&PlotValue>> {
    let mut values = vec![Some(&rung.rating)];
    if has_published {
        values.push(rung.published.as_ref());
    }
    values
}
