//! Many lines over the course of something, usually of a search: the value of each arm, or its mixing weight β.
//!
//! The first traces are the ones that matter: they have colours, and their names stand at their ends. The others are
//! thin and grey behind them.

use super::frame::{FrameSpec, PlotFrame, WIDTH};
use super::mark::Look;
use super::scale::{Ends, LETTERS, PlotAxis, PlotScale};
use super::style::{N_OWN, fit, text_width};
use super::svg::{PlotPoint, Svg};

/// One line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceCurve {
    /// What it is of, for example a move.
    pub name: String,
    /// Places in order of x.
    pub points: Vec<[f64; 2]>,
}

/// The plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traces {
    /// Its title; empty if the page around it says it.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The axis of the course, for example simulations.
    pub x: PlotAxis,
    /// The axis of what is traced.
    pub y: PlotAxis,
    /// The lines, the important ones first.
    pub traces: Vec<TraceCurve>,
}

/// The least distance between names at the ends of lines.
const NAME_LINE: f64 = 15.0;

impl Traces {
    /// The picture.
    pub fn svg(&self) -> Svg {
        let points = || self.traces.iter().flat_map(|trace| &trace.points);
        let named = self.traces.iter().take(N_OWN);
        let widest = named.map(|trace| text_width(&trace.name, LETTERS)).fold(0.0, f64::max).min(140.0);
        let mut frame = PlotFrame::new(&FrameSpec {
            title: &self.title,
            subtitle: &self.subtitle,
            entries: &[],
            x: &self.x,
            y: &self.y,
            x_values: points().map(|point| point[0]).collect(),
            y_values: points().map(|point| point[1]).collect(),
            x_ends: Ends::Tight,
            right: widest + 34.0,
        });
        let (corner, size) =
            ([frame.left, frame.top - 3.0], [frame.right - frame.left + 3.0, frame.bottom - frame.top + 6.0]);
        let line = |(index, trace): (usize, &TraceCurve)| {
            let column = if index < N_OWN { 1.5 } else { 4.0 };
            thin(&trace.points, &frame.x, &frame.y, column)
        };
        let lines: Vec<Vec<PlotPoint>> = self.traces.iter().enumerate().map(line).collect();
        frame.canvas.window(corner, size, |canvas| {
            for (index, line) in lines.iter().enumerate().rev().filter(|(_, line)| !line.is_empty()) {
                let class = if index < N_OWN { Look::new(false, index).line() } else { "th kx".to_owned() };
                canvas.group("", &self.traces[index].name, |canvas| canvas.polyline(&class, line));
            }
        });
        self.draw_names(&mut frame, &lines, widest);
        let names: Vec<&str> = self.traces.iter().take(N_OWN).map(|trace| trace.name.as_str()).collect();
        let alt = format!("{}: {} over {} of {}", self.title, self.y.label, self.x.label, names.join(", "));
        frame.canvas.finish(&alt)
    }

    /// Names at the ends of the important lines, moved apart where the ends are close, with a thin line to each end.
    fn draw_names(&self, frame: &mut PlotFrame, lines: &[Vec<PlotPoint>], width: f64) {
        let mut ends: Vec<(usize, PlotPoint)> = lines
            .iter()
            .enumerate()
            .take(N_OWN)
            .filter_map(|(index, line)| Some((index, *line.last()?)))
            .map(|(index, [x, y])| (index, [x, y.clamp(frame.top, frame.bottom)]))
            .collect();
        ends.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]).then(a.0.cmp(&b.0)));
        let wanted: Vec<f64> = ends.iter().map(|(_, [_, y])| *y).collect();
        let places = spread(&wanted, NAME_LINE, [frame.top, frame.bottom]);
        for ((index, [x, y]), place) in ends.into_iter().zip(places) {
            let look = Look::new(false, index);
            frame.canvas.line(&format!("th k{}", look.colour), [x + 1.0, y], [frame.right + 14.0, place]);
            let class = format!("f{} b", look.colour);
            frame.canvas.text(
                &class,
                [frame.right + 18.0, place + 4.0],
                &fit(&self.traces[index].name, LETTERS, width.max(text_width("…", LETTERS))),
            );
        }
        let n_others = self.traces.len().saturating_sub(N_OWN);
        if n_others > 0 {
            let text = format!("grey: {n_others} others");
            frame.canvas.text("mu e sm", [WIDTH - 12.0, frame.top - 12.0], &text);
        }
    }
}

/// Places as near as possible to the wanted ones, which rise, but at least `distance` apart and between the limits as far
/// as there is room. Names that are too close move apart around the middle of what they want.
fn spread(wanted: &[f64], distance: f64, [low, high]: [f64; 2]) -> Vec<f64> {
    // Blocks of names that touch each other: where the first wants to be on average, and how many there are.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &place in wanted {
        let mut block = (place, 1);
        while let Some(&(first, n)) = blocks.last() {
            if first + distance * n as f64 <= block.0 {
                break;
            }
            blocks.pop();
            let (n, more) = (n as f64, block.1 as f64);
            block = ((first * n + (block.0 - distance * n) * more) / (n + more), (n + more) as usize);
        }
        blocks.push(block);
    }
    let mut places: Vec<f64> = blocks
        .iter()
        .flat_map(|&(first, n)| (0..n).map(move |index| first + distance * index as f64))
        .collect();
    let mut ceiling = high;
    for place in places.iter_mut().rev() {
        *place = place.min(ceiling);
        ceiling = *place - distance;
    }
    let mut floor = low;
    for place in &mut places {
        *place = place.max(floor);
        floor = *place + distance;
    }
    places
}

/// The line in pixels, with at most a few places in each column of pixels: the first, the highest, the lowest
/// and the last, so that it looks the same however many simulations were traced.
fn thin(points: &[[f64; 2]], x: &PlotScale, y: &PlotScale, column: f64) -> Vec<PlotPoint> {
    let finite = points.iter().filter(|[a, b]| a.is_finite() && b.is_finite());
    let places: Vec<PlotPoint> = finite.map(|&[a, b]| [x.place(a), y.place(b)]).collect();
    let mut kept: Vec<PlotPoint> = Vec::new();
    for column in places.chunk_by(|a, b| (a[0] / column).floor() == (b[0] / column).floor()) {
        let last = column.len() - 1;
        let by_height = |a: &usize, b: &usize| column[*a][1].total_cmp(&column[*b][1]);
        let highest = (0..=last).min_by(by_height).unwrap_or(0);
        let lowest = (0..=last).max_by(by_height).unwrap_or(0);
        let mut indices = vec![0, highest, lowest, last];
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| column[index]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::number::Unit;
    use super::*;

    #[test]
    fn names_keep_their_distance() {
        assert_eq!(spread(&[10.0, 50.0], 15.0, [0.0, 100.0]), [10.0, 50.0]);
        // The middle of three stays, the others make room.
        assert_eq!(spread(&[48.0, 50.0, 52.0], 15.0, [0.0, 100.0]), [35.0, 50.0, 65.0]);
        assert_eq!(spread(&[48.0, 52.0, 90.0], 15.0, [0.0, 100.0]), [42.5, 57.5, 90.0]);
        assert_eq!(spread(&[10.0, 12.0, 14.0], 15.0, [0.0, 100.0]), [0.0, 15.0, 30.0]);
        assert_eq!(spread(&[90.0, 95.0, 100.0], 15.0, [0.0, 100.0]), [70.0, 85.0, 100.0]);
        assert_eq!(spread(&[5.0, 5.0], 15.0, [0.0, 10.0]), [0.0, 15.0]);
        assert!(spread(&[], 15.0, [0.0, 10.0]).is_empty());
    }

    #[test]
    fn dense_lines_are_thinned_and_keep_their_peaks() {
        let axis = PlotAxis::linear("", Unit::Plain);
        let x = PlotScale::new(&axis, [0.0, 100_000.0].into_iter(), Ends::Tight, [0.0, 100.0], 5);
        let y = PlotScale::new(&axis, [0.0, 1.0].into_iter(), Ends::Tight, [100.0, 0.0], 5);
        let mut points: Vec<[f64; 2]> = (0..=100_000).map(|index| [f64::from(index), 0.5]).collect();
        points[51_234][1] = 1.0;
        let line = thin(&points, &x, &y, 1.0);
        assert!(line.len() <= 4 * 101, "{}", line.len());
        assert!(line.iter().any(|place| place[1] == 0.0), "the peak is lost");
        assert_eq!((line[0][0], line.last().map(|place| place[0])), (0.0, Some(100.0)));
    }
}
