//! Plots as SVG: plain data in, text out, the same bytes for the same data.
//!
//! In reading order: [`svg`] (shapes and their text), [`style`] (colours and letters), [`number`] (digits and units),
//! `scale` (values to pixels, ticks), `mark` and `frame` (key, axes), and the plots: [`Curve`], [`PredictionPlot`],
//! [`Traces`], and, of rows with names, [`Ladder`] and [`Categories`].
//!
//! Why not a plotting crate? Two were tried on the plots we need. `kuva` 0.6 cut error bars off at the rim of the plot
//! because it does not count them when it looks for the axis, paints the page white, gives its pictures no `viewBox`
//! (so they cannot shrink to a phone's width), puts the key outside of the requested width, and is 95 000 lines long.
//! `plotters` 0.3 rounds places to whole pixels and has one fixed set of colours in each shape, so a picture cannot follow
//! light and dark pages. What is needed is small: text that stays text, one style sheet for light, dark and paper, hints
//! without scripts, and names that never overlap.

mod categories;
mod curve;
mod frame;
mod ladder;
mod mark;
pub mod number;
mod prediction;
mod rows;
mod scale;
pub mod style;
pub mod svg;
mod traces;

pub use categories::{Categories, Category, MeasuredBy};
pub use curve::{Curve, MeasuredPoint, Reference, Series};
pub use ladder::{Ladder, Rung};
pub use number::Unit;
pub use prediction::{PredictionPlot, PredictorCurve};
pub use rows::PlotValue;
pub use scale::PlotAxis;
pub use svg::{Canvas, Svg};
pub use traces::{TraceCurve, Traces};

/// The legend of our own numbers beside published ones.
pub(crate) const MEASURED_HERE: &str = "measured here";
