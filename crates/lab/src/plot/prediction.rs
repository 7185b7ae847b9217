//! How often the move that was played is among the first T a model names, for T from 1 to some number: the cumulative
//! prediction curve.

use super::curve::{Curve, MeasuredPoint, Series};
use super::number::Unit;
use super::scale::PlotAxis;
use super::svg::Svg;

/// One model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictorCurve {
    /// Its name.
    pub name: String,
    /// The share of moves found within the first T: T and the share from 0 to 1. A published model may have only a few.
    pub found: Vec<(u32, f64)>,
    /// Whether somebody else published it.
    pub published: bool,
}

/// The plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionPlot {
    /// Its title; empty if the page around it says it.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The models.
    pub predictors: Vec<PredictorCurve>,
}

impl PredictionPlot {
    /// The picture.
    pub fn svg(&self) -> Svg {
        let series = |predictor: &PredictorCurve| {
            let points: Vec<MeasuredPoint> = predictor
                .found
                .iter()
                .map(|&(rank, share)| MeasuredPoint::new(f64::from(rank), share))
                .collect();
            // Marks on a few numbers, between which nothing is known; a plain line through many.
            let (smooth, loose) = (points.len() > 8, points.len() < 5);
            Series {
                smooth,
                loose,
                published: predictor.published,
                ..Series::ours(predictor.name.clone(), points)
            }
        };
        let curve = Curve {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x: PlotAxis::log("first T moves", Unit::Plain),
            y: PlotAxis { range: Some([0.0, 1.0]), ..PlotAxis::linear("played move found", Unit::Percent) },
            series: self.predictors.iter().map(series).collect(),
            references: Vec::new(),
        };
        curve.svg()
    }
}
