//! A measured number against a parameter: error bars, several series, the published curve beside ours.

use super::frame::{FrameSpec, PlotFrame};
use super::mark::{KeyEntry, Look};
use super::scale::{Ends, PlotAxis, PlotScale};
use super::style::{fit, text_width};
use super::svg::{Canvas, Svg};

/// The size of the letters of references.
const SMALL: f64 = 11.0;

/// One measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredPoint {
    /// The parameter.
    pub x: f64,
    /// What was measured.
    pub y: f64,
    /// Where the truth lies, usually with 95 %.
    pub interval: Option<[f64; 2]>,
    /// More about it for a reader who points at it, for example the number of games.
    pub note: String,
}

impl MeasuredPoint {
    /// A measurement whose uncertainty is not known.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, ..Self::default() }
    }

    /// With its interval.
    pub fn within(self, interval: [f64; 2]) -> Self {
        Self { interval: Some(interval), ..self }
    }

    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The interval as far as it is a pair of numbers.
    fn bounds(&self) -> Option<[f64; 2]> {
        self.interval.filter(|[low, high]| !low.is_nan() && !high.is_nan())
    }
}

/// Measurements that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the key.
    pub name: String,
    /// The measurements, in any order.
    pub points: Vec<MeasuredPoint>,
    /// Whether somebody else published it: another colour, dashed, hollow marks.
    pub published: bool,
    /// Intervals as a shaded band instead of bars.
    pub band: bool,
    /// A line without a mark for each measurement, for dense ones.
    pub smooth: bool,
    /// Marks without a line, for measurements between which nothing is known.
    pub loose: bool,
}

impl Series {
    /// A series of our own.
    pub fn ours(name: impl Into<String>, points: Vec<MeasuredPoint>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// A published one.
    pub fn published(name: impl Into<String>, points: Vec<MeasuredPoint>) -> Self {
        Self { published: true, ..Self::ours(name, points) }
    }
}

/// A dotted line at a height that means something, for example 50 %.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its height.
    pub y: f64,
    /// What it is.
    pub name: String,
}

/// The plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its title; empty if the page around it says it.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The axis of the parameter.
    pub x: PlotAxis,
    /// The axis of what was measured.
    pub y: PlotAxis,
    /// What was measured.
    pub series: Vec<Series>,
    /// Heights that mean something.
    pub references: Vec<Reference>,
}

impl Curve {
    /// The picture.
    pub fn svg(&self) -> Svg {
        let looks = self.looks();
        let entries: Vec<KeyEntry> = self
            .series
            .iter()
            .zip(&looks)
            .filter(|(series, _)| !series.name.is_empty())
            .map(|(series, &look)| KeyEntry { look, name: series.name.clone() })
            .collect();
        let points =
            || self.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
        let mut y_values: Vec<f64> = points().map(|point| point.y).collect();
        y_values.extend(points().filter_map(MeasuredPoint::bounds).flatten());
        y_values.extend(self.references.iter().map(|reference| reference.y));
        let mut frame = PlotFrame::new(&FrameSpec {
            title: &self.title,
            subtitle: &self.subtitle,
            entries: &entries,
            x: &self.x,
            y: &self.y,
            x_values: points().map(|point| point.x).collect(),
            y_values,
            x_ends: Ends::Loose,
            right: self
                .references
                .iter()
                .map(|each| text_width(&each.name, SMALL) + 22.0)
                .fold(16.0, f64::max)
                .min(160.0),
        });
        self.draw_references(&mut frame);
        let (corner, size) =
            ([frame.left, frame.top - 6.0], [frame.right - frame.left, frame.bottom - frame.top + 12.0]);
        let PlotFrame { canvas, x, y, .. } = &mut frame;
        let offsets = self.offsets();
        canvas.window(corner, size, |canvas| {
            let drawing = SeriesDrawing { curve: self, x, y };
            // Published ones first, so that ours lie on top.
            for published in [true, false] {
                for (index, series) in self.series.iter().enumerate() {
                    if series.published == published {
                        drawing.draw(canvas, series, looks[index], offsets[index]);
                    }
                }
            }
        });
        frame.canvas.finish(&self.alt())
    }

    fn looks(&self) -> Vec<Look> {
        let mut n_seen = [0; 2];
        let look = |series: &Series| {
            let seen = &mut n_seen[usize::from(series.published)];
            let look = Look {
                has_marks: !series.smooth,
                has_line: !series.loose,
                ..Look::new(series.published, *seen)
            };
            *seen += 1;
            look
        };
        self.series.iter().map(look).collect()
    }

    /// Pixels by which series with error bars are moved sideways, so that bars of one parameter stand side by side.
    fn offsets(&self) -> Vec<f64> {
        let has_bars =
            |series: &Series| !series.band && series.points.iter().any(|point| point.interval.is_some());
        let n_bars = self.series.iter().filter(|series| has_bars(series)).count();
        let mut index = 0.0;
        let offset = |series: &Series| {
            if !has_bars(series) || n_bars < 2 {
                return 0.0;
            }
            let offset = (index - (n_bars as f64 - 1.0) / 2.0) * 5.0;
            index += 1.0;
            offset
        };
        self.series.iter().map(offset).collect()
    }

    fn draw_references(&self, frame: &mut PlotFrame) {
        for reference in self.references.iter().filter(|reference| reference.y.is_finite()) {
            let y = frame.y.place(reference.y);
            frame.canvas.line("re", [frame.left, y], [frame.right, y]);
            frame.canvas.text("mu sm", [frame.right + 6.0, y + 4.0], &fit(&reference.name, SMALL, 138.0));
        }
    }

    fn alt(&self) -> String {
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        format!("{}: {} against {}. {}", self.title, self.y.label, self.x.label, names.join("; "))
    }
}

/// Draws series into a frame.
struct SeriesDrawing<'a> {
    curve: &'a Curve,
    x: &'a PlotScale,
    y: &'a PlotScale,
}

impl SeriesDrawing<'_> {
    fn draw(&self, canvas: &mut Canvas, series: &Series, look: Look, offset: f64) {
        let mut points: Vec<&MeasuredPoint> =
            series.points.iter().filter(|point| point.is_finite()).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let x = |point: &MeasuredPoint| self.x.place(point.x) + offset;
        let interval =
            |point: &MeasuredPoint| point.bounds().map(|bounds| bounds.map(|value| self.y.place(value)));
        if series.band {
            let edge = |side: usize| {
                points
                    .iter()
                    .filter_map(move |point| Some([x(point), interval(point)?[side]]))
                    .collect::<Vec<_>>()
            };
            let (low, mut high) = (edge(0), edge(1));
            high.reverse();
            canvas.polygon(&format!("ba f{}", look.colour), &[low, high].concat());
        }
        if look.has_line && points.len() > 1 {
            let places: Vec<_> = points.iter().map(|point| [x(point), self.y.place(point.y)]).collect();
            canvas.polyline(&look.line(), &places);
        }
        for point in &points {
            let bar = interval(point).filter(|_| !series.band);
            if bar.is_none() && !look.has_marks {
                continue;
            }
            canvas.group("", &self.hint(series, point), |canvas| {
                if let Some(bar) = bar {
                    look.upright(canvas, x(point), bar);
                }
                // A lone point of a smooth series would otherwise not be seen.
                if look.has_marks || points.len() == 1 {
                    look.mark(canvas, [x(point), self.y.place(point.y)]);
                }
            });
        }
    }

    /// What a reader sees who points at a measurement.
    fn hint(&self, series: &Series, point: &MeasuredPoint) -> String {
        let (x, y) = (&self.curve.x, &self.curve.y);
        let mut hint =
            format!("{}\n{}: {}\n{}", series.name, x.label, x.unit.show(point.x), y.unit.show(point.y));
        if let Some(interval) = point.bounds() {
            hint += &format!(" ({})", y.unit.interval(interval));
        }
        if !point.note.is_empty() {
            hint += &format!("\n{}", point.note);
        }
        hint
    }
}
