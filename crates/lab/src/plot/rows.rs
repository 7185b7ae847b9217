//! One row for each name, its values as marks with intervals on a common axis, and the numbers themselves at the right:
//! what [`Ladder`](super::Ladder) and [`Categories`](super::Categories) are drawn with.

use super::frame::WIDTH;
use super::mark::{KeyEntry, Look, PlotHead};
use super::scale::{Ends, LETTERS, PlotAxis, PlotScale};
use super::style::{fit, text_width};
use super::svg::{Canvas, Svg};

/// A measured number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotValue {
    /// The number; an infinite one is an arrow at the rim.
    pub value: f64,
    /// Where the truth lies, usually with 95 %; an infinite end is an arrow.
    pub interval: Option<[f64; 2]>,
    /// More about it for a reader who points at it.
    pub note: String,
}

impl PlotValue {
    /// A number whose uncertainty is not known.
    pub fn new(value: f64) -> Self {
        Self { value, ..Self::default() }
    }

    /// With its interval.
    pub fn within(self, interval: [f64; 2]) -> Self {
        Self { interval: Some(interval), ..self }
    }

    fn bounds(&self) -> Option<[f64; 2]> {
        self.interval.filter(|[low, high]| !low.is_nan() && !high.is_nan())
    }
}

/// Rows of values to draw.
pub(super) struct Rows<'a> {
    pub(super) title: &'a str,
    pub(super) subtitle: &'a str,
    pub(super) axis: &'a PlotAxis,
    /// Names of the series, and whether each is published. Without a name it is not in the key.
    pub(super) series: Vec<(&'a str, bool)>,
    pub(super) rows: Vec<PlotRow<'a>>,
    /// A place on the axis that means something.
    pub(super) reference: Option<f64>,
}

/// A name with a value for each series.
pub(super) struct PlotRow<'a> {
    pub(super) name: &'a str,
    /// Whether the name is heavier than others.
    pub(super) strong: bool,
    pub(super) values: Vec<Option<&'a PlotValue>>,
}

/// Where everything is.
struct RowLayout {
    left: f64,
    right: f64,
    top: f64,
    row: f64,
    /// The right end of each series' column of numbers.
    columns: Vec<f64>,
}

const RIM: f64 = 12.0;
/// Pixels that the lines and marks of rows have at least.
const LEAST_PLOT: f64 = 250.0;
/// Pixels that remain for names at least.
const LEAST_NAME: f64 = 100.0;

impl Rows<'_> {
    pub(super) fn svg(&self, alt: &str) -> Svg {
        let looks = self.looks();
        let entries: Vec<KeyEntry> = self
            .series
            .iter()
            .zip(&looks)
            .filter(|((name, _), _)| !name.is_empty())
            .map(|((name, _), &look)| KeyEntry { look, name: (*name).to_owned() })
            .collect();
        let head = PlotHead::new(self.title, self.subtitle, &entries, RIM, WIDTH - RIM);
        let room = self.room(head.height() + 10.0);
        let bottom = room.top + room.row * self.rows.len().max(1) as f64 + 4.0;
        let title = self.axis.title();
        let height = bottom + if title.is_empty() { 28.0 } else { 46.0 };
        let mut canvas = Canvas::new(WIDTH, height);
        head.draw(&mut canvas, WIDTH - RIM);
        let scale =
            PlotScale::new(self.axis, self.numbers(), Ends::Loose, [room.left + 8.0, room.right - 8.0], 8);
        for index in (0..self.rows.len()).step_by(2) {
            canvas.rect("st", [0.0, room.top + index as f64 * room.row], [WIDTH, room.row]);
        }
        self.draw_axis(&mut canvas, &room, &scale, bottom, &title);
        for (index, row) in self.rows.iter().enumerate() {
            let middle = room.top + (index as f64 + 0.5) * room.row;
            self.draw_row(&mut canvas, &room, &scale, &looks, row, middle);
        }
        canvas.finish(alt)
    }

    fn looks(&self) -> Vec<Look> {
        let mut n_seen = [0; 2];
        let look = |&(_, published): &(&str, bool)| {
            let seen = &mut n_seen[usize::from(published)];
            let look = Look { has_line: false, size: 0.85, ..Look::new(published, *seen) };
            *seen += 1;
            look
        };
        self.series.iter().map(look).collect()
    }

    /// All numbers that the axis must show.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let values = self.rows.iter().flat_map(|row| &row.values).flatten();
        values
            .flat_map(|value| value.bounds().unwrap_or([value.value; 2]).into_iter().chain([value.value]))
            .chain(self.reference)
    }

    /// The number as it stands at the right; a published one without its interval, which the picture shows.
    fn shown(&self, value: &PlotValue, series: usize) -> String {
        let unit = self.axis.unit;
        match value.bounds().filter(|_| !self.series[series].1) {
            None => unit.bare(value.value),
            Some(interval) => {
                let [low, high] = interval.map(|end| unit.bare(end));
                format!("{} [{low}, {high}]", unit.bare(value.value))
            }
        }
    }

    fn room(&self, top: f64) -> RowLayout {
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let mut columns = vec![0.0; self.series.len()];
        let mut right = WIDTH - RIM;
        for (index, column) in columns.iter_mut().enumerate().rev() {
            *column = right;
            let values = self.rows.iter().filter_map(|row| row.values.get(index).copied().flatten());
            let width = widest(&mut values.map(|value| text_width(&self.shown(value, index), LETTERS)));
            right -= if width > 0.0 { width + 10.0 } else { 0.0 };
        }
        // Many series leave no room for their numbers; the picture is worth more.
        if right < RIM + LEAST_NAME + LEAST_PLOT {
            columns.clear();
            right = WIDTH - RIM;
        }
        let names = widest(&mut self.rows.iter().map(|row| text_width(row.name, LETTERS)));
        let left = RIM + names.min(right - RIM - LEAST_PLOT) + 10.0;
        let row = 26.0_f64.max(12.0 + 12.0 * self.series.len() as f64);
        RowLayout { left, right, top, row, columns }
    }

    fn draw_axis(&self, canvas: &mut Canvas, room: &RowLayout, scale: &PlotScale, bottom: f64, title: &str) {
        for tick in scale.ticks() {
            canvas.line("gr", [tick.place, room.top], [tick.place, bottom]);
            if let Some(label) = tick.label {
                canvas.text("mu m", [tick.place, bottom + 17.0], &label);
            }
        }
        canvas.line("ax", [room.left, bottom], [room.right, bottom]);
        if let Some(reference) = self.reference {
            let x = scale.place(reference);
            canvas.line("re", [x, room.top], [x, bottom]);
        }
        if !title.is_empty() {
            canvas.text("mu m", [(room.left + room.right) / 2.0, bottom + 37.0], title);
        }
    }

    fn draw_row(
        &self,
        canvas: &mut Canvas,
        room: &RowLayout,
        scale: &PlotScale,
        looks: &[Look],
        row: &PlotRow<'_>,
        middle: f64,
    ) {
        let short = fit(row.name, LETTERS, room.left - RIM - 10.0);
        let class = if row.strong { "b e" } else { "e" };
        let hint = if short == row.name { "" } else { row.name };
        canvas.group("", hint, |canvas| canvas.text(class, [room.left - 10.0, middle + 4.0], &short));
        let n = row.values.len() as f64;
        for (index, value) in row.values.iter().enumerate() {
            let Some(value) = value.filter(|value| !value.value.is_nan()) else { continue };
            let y = middle + (index as f64 - (n - 1.0) / 2.0) * 11.0;
            let hint = self.hint(row.name, self.series[index].0, value);
            canvas.group("", &hint, |canvas| draw_value(canvas, room, scale, looks[index], value, y));
            if let Some(&column) = room.columns.get(index) {
                let class = if looks[index].published { "mu e" } else { "e" };
                canvas.text(class, [column, middle + 4.0], &self.shown(value, index));
            }
        }
    }

    fn hint(&self, name: &str, series: &str, value: &PlotValue) -> String {
        let unit = self.axis.unit;
        let mut hint = name.to_owned();
        if !series.is_empty() {
            hint += &format!("\n{series}");
        }
        hint += &format!("\n{}", unit.show(value.value));
        if let Some(interval) = value.bounds() {
            hint += &format!(" ({})", unit.interval(interval));
        }
        if !value.note.is_empty() {
            hint += &format!("\n{}", value.note);
        }
        hint
    }
}

/// A mark with its interval; ends beyond the axis are arrows at its rim.
fn draw_value(
    canvas: &mut Canvas,
    room: &RowLayout,
    scale: &PlotScale,
    look: Look,
    value: &PlotValue,
    y: f64,
) {
    let rim = [room.left + 6.0, room.right - 6.0];
    let place = |number: f64| scale.place(number).clamp(rim[0], rim[1]);
    let class = format!("er k{}", look.colour);
    let arrow = |canvas: &mut Canvas, x: f64, toward: f64| {
        canvas.polyline(
            &format!("{class} th"),
            &[[x - toward * 5.0, y - 4.0], [x, y], [x - toward * 5.0, y + 4.0]],
        );
    };
    let ends = value.bounds().unwrap_or([value.value; 2]);
    let [low, high] = ends.map(place);
    canvas.line(&class, [low, y], [high, y]);
    if ends[0].is_infinite() {
        arrow(canvas, low, -1.0);
    }
    if ends[1].is_infinite() {
        arrow(canvas, high, 1.0);
    }
    if value.value.is_finite() {
        look.mark(canvas, [place(value.value), y]);
    }
}
