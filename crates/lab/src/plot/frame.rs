//! The rectangle that curves are drawn in: head, axes with ticks, grid, labels.

use super::mark::{KeyEntry, PlotHead};
use super::scale::{Ends, LETTERS, PlotAxis, PlotScale};
use super::style::text_width;
use super::svg::Canvas;

/// The width of every picture in pixels. On paper it fills a column, on a phone it is shrunk a little or scrolled.
pub(super) const WIDTH: f64 = 680.0;
/// The height of the rectangle of a curve.
const AREA_HEIGHT: f64 = 300.0;

/// The contents of a frame.
pub(super) struct FrameSpec<'a> {
    pub(super) title: &'a str,
    pub(super) subtitle: &'a str,
    pub(super) entries: &'a [KeyEntry],
    pub(super) x: &'a PlotAxis,
    pub(super) y: &'a PlotAxis,
    pub(super) x_values: Vec<f64>,
    pub(super) y_values: Vec<f64>,
    pub(super) x_ends: Ends,
    /// Room for names at the right side of the rectangle.
    pub(super) right: f64,
}

/// A frame with its axes drawn.
pub(super) struct PlotFrame {
    pub(super) canvas: Canvas,
    pub(super) x: PlotScale,
    pub(super) y: PlotScale,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl PlotFrame {
    /// Finds room for everything and draws all but the data.
    pub(super) fn new(plan: &FrameSpec<'_>) -> Self {
        let y_scale = |pixels| PlotScale::new(plan.y, plan.y_values.iter().copied(), Ends::Ticks, pixels, 8);
        let labels = y_scale([0.0, 1.0]).ticks();
        let widest =
            labels.iter().filter_map(|tick| tick.label.as_deref()).map(|label| text_width(label, LETTERS));
        let left = widest.fold(20.0, f64::max) + 16.0;
        let right = WIDTH - plan.right.max(16.0);
        let head = PlotHead::new(plan.title, plan.subtitle, plan.entries, 12.0, WIDTH - 12.0);
        let y_title = plan.y.title();
        let top = head.height() + if y_title.is_empty() { 12.0 } else { 34.0 };
        let bottom = top + AREA_HEIGHT;
        let x_title = plan.x.title();
        let height = bottom + if x_title.is_empty() { 30.0 } else { 48.0 };
        let mut canvas = Canvas::new(WIDTH, height);
        head.draw(&mut canvas, WIDTH - 12.0);
        let x = PlotScale::new(plan.x, plan.x_values.iter().copied(), plan.x_ends, [left, right], 8);
        let y = y_scale([bottom, top]);
        let mut frame = Self { canvas, x, y, left, right, top, bottom };
        frame.draw_y(&y_title);
        frame.draw_x(&x_title);
        frame
    }

    fn draw_y(&mut self, title: &str) {
        for tick in self.y.ticks() {
            self.canvas.line("gr", [self.left, tick.place], [self.right, tick.place]);
            if let Some(label) = tick.label {
                self.canvas.text("mu e", [self.left - 8.0, tick.place + 4.0], &label);
            }
        }
        if !title.is_empty() {
            self.canvas.text("mu", [12.0, self.top - 12.0], title);
        }
    }

    fn draw_x(&mut self, title: &str) {
        let y = self.bottom;
        for tick in self.x.ticks() {
            let length = if tick.label.is_some() { 5.0 } else { 3.0 };
            self.canvas.line("ax", [tick.place, y], [tick.place, y + length]);
            if let Some(label) = tick.label {
                self.canvas.text("mu m", [tick.place, y + 19.0], &label);
            }
        }
        match self.x.gap() {
            None => self.canvas.line("ax", [self.left, y], [self.right, y]),
            Some(gap) => {
                self.canvas.line("ax", [self.left, y], [gap - 3.0, y]);
                self.canvas.line("ax", [gap + 3.0, y], [self.right, y]);
                for x in [gap - 3.0, gap + 3.0] {
                    self.canvas.line("ax", [x - 2.0, y + 5.0], [x + 2.0, y - 5.0]);
                }
            }
        }
        if !title.is_empty() {
            self.canvas.text("mu m", [(self.left + self.right) / 2.0, y + 40.0], title);
        }
    }
}
