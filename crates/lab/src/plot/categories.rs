//! A number for each of some settings that have no order, with the published number beside ours.

use super::rows::{PlotRow, PlotValue, Rows};
use super::scale::PlotAxis;
use super::svg::Svg;

/// One setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// A number for each series, in their order; not every series need have one.
    pub values: Vec<Option<PlotValue>>,
}

/// Who measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredBy {
    /// The name in the key.
    pub name: String,
    /// Whether somebody else published it.
    pub published: bool,
}

/// The plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Categories {
    /// Its title; empty if the page around it says it.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The axis of what was measured.
    pub axis: PlotAxis,
    /// The series.
    pub sources: Vec<MeasuredBy>,
    /// The settings, from the top.
    pub categories: Vec<Category>,
    /// A number that means something, for example 50 %.
    pub reference: Option<f64>,
}

impl Categories {
    /// The picture.
    pub fn svg(&self) -> Svg {
        let n_series = self.sources.len();
        let rows = Rows {
            title: &self.title,
            subtitle: &self.subtitle,
            axis: &self.axis,
            series: self.sources.iter().map(|source| (source.name.as_str(), source.published)).collect(),
            reference: self.reference.filter(|reference| reference.is_finite()),
            rows: self
                .categories
                .iter()
                .map(|category| PlotRow {
                    name: &category.name,
                    strong: false,
                    values: category.values.iter().take(n_series).map(Option::as_ref).collect(),
                })
                .collect(),
        };
        let names: Vec<&str> = self.categories.iter().map(|category| category.name.as_str()).collect();
        rows.svg(&format!("{}: {} of {}", self.title, self.axis.label, names.join(", ")))
    }
}
