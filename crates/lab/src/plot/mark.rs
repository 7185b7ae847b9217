//! How a series looks: its colour, its marks, its line; and the key that explains it above the picture.

use super::scale::LETTERS;
use super::style::{self, colour, fit, text_width};
use super::svg::{Canvas, PlotPoint};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// The number of its colour; see [`colour`].
    pub(super) colour: usize,
    /// Published series are dashed and their marks hollow.
    pub(super) published: bool,
    /// The shape of its marks: circle, square, triangle, diamond, triangle on its tip.
    pub(super) shape: usize,
    /// How large its marks are; 1 is usual.
    pub(super) size: f64,
    /// Whether it has marks and a line.
    pub(super) has_marks: bool,
    pub(super) has_line: bool,
}

impl Look {
    /// The look of the so-manieth series of our own, or of the published ones.
    pub(super) fn new(published: bool, index: usize) -> Self {
        let shape = if published { index + 3 } else { index };
        Self {
            colour: colour(!published, index),
            published,
            shape,
            size: 1.0,
            has_marks: true,
            has_line: true,
        }
    }

    /// Classes of its line.
    pub(super) fn line(self) -> String {
        format!("ln k{}{}", self.colour, if self.published { " da" } else { "" })
    }

    /// Draws one mark.
    pub(super) fn mark(self, canvas: &mut Canvas, [x, y]: PlotPoint) {
        let class = match self.published {
            true => format!("ho k{}", self.colour),
            false => format!("mk f{}", self.colour),
        };
        let corner = |dx: f64, dy: f64| [x + dx * self.size, y + dy * self.size];
        match self.shape % 5 {
            0 => canvas.circle(&class, [x, y], 4.2 * self.size),
            1 => canvas.rect(&class, corner(-3.7, -3.7), [7.4 * self.size; 2]),
            2 => canvas.polygon(&class, &[corner(0.0, -5.0), corner(4.7, 3.6), corner(-4.7, 3.6)]),
            3 => {
                canvas.polygon(
                    &class,
                    &[corner(0.0, -5.2), corner(5.2, 0.0), corner(0.0, 5.2), corner(-5.2, 0.0)],
                );
            }
            _ => canvas.polygon(&class, &[corner(0.0, 5.0), corner(4.7, -3.6), corner(-4.7, -3.6)]),
        }
    }

    /// Draws an upright interval between two heights, with caps.
    pub(super) fn upright(self, canvas: &mut Canvas, x: f64, [low, high]: [f64; 2]) {
        let class = format!("er k{}", self.colour);
        canvas.line(&class, [x, low], [x, high]);
        for y in [low, high] {
            canvas.line(&class, [x - 3.5, y], [x + 3.5, y]);
        }
    }
}

/// One entry of the key.
#[derive(Clone, Debug)]
pub(super) struct KeyEntry {
    pub(super) look: Look,
    pub(super) name: String,
}

/// The head of a plot: title, subtitle, and the key in as many lines as it needs.
pub(super) struct PlotHead<'a> {
    title: &'a str,
    subtitle: &'a str,
    /// Entries with the x of each, line by line.
    lines: Vec<Vec<(f64, &'a KeyEntry)>>,
    left: f64,
}

const KEY_LINE: f64 = 20.0;
/// Pixels before the name of an entry, for its line and mark.
const SAMPLE: f64 = 38.0;

impl<'a> PlotHead<'a> {
    /// Lays it out between two x.
    pub(super) fn new(
        title: &'a str,
        subtitle: &'a str,
        entries: &'a [KeyEntry],
        left: f64,
        right: f64,
    ) -> Self {
        let mut lines: Vec<Vec<(f64, &KeyEntry)>> = Vec::new();
        let mut x = f64::INFINITY;
        for entry in entries {
            let name = fit(&entry.name, LETTERS, right - left - SAMPLE);
            let width = SAMPLE + text_width(&name, LETTERS);
            if x + width > right {
                lines.push(Vec::new());
                x = left;
            }
            if let Some(line) = lines.last_mut() {
                line.push((x, entry));
            }
            x += width + 16.0;
        }
        Self { title, subtitle, lines, left }
    }

    /// Pixels it takes.
    pub(super) fn height(&self) -> f64 {
        let title = if self.title.is_empty() { 0.0 } else { 24.0 };
        let subtitle = if self.subtitle.is_empty() { 0.0 } else { 18.0 };
        8.0 + title + subtitle + self.lines.len() as f64 * KEY_LINE
    }

    /// Draws it from the upper rim down to [`PlotHead::height`]; names end before `right`.
    pub(super) fn draw(&self, canvas: &mut Canvas, right: f64) {
        let mut y = 8.0;
        if !self.title.is_empty() {
            y += 16.0;
            canvas.text("ti", [self.left, y], &fit(self.title, 15.5, right - self.left));
            y += 8.0;
        }
        if !self.subtitle.is_empty() {
            y += 11.0;
            canvas.text("mu", [self.left, y], &fit(self.subtitle, LETTERS, right - self.left));
            y += 7.0;
        }
        for line in &self.lines {
            y += KEY_LINE;
            for (x, entry) in line {
                let middle = y - 8.0;
                if entry.look.has_line {
                    canvas.line(&entry.look.line(), [*x, middle], [x + 30.0, middle]);
                }
                if entry.look.has_marks {
                    entry.look.mark(canvas, [x + 15.0, middle]);
                }
                let room = right - x - SAMPLE;
                canvas.text(
                    "",
                    [x + SAMPLE, y - 4.0],
                    &fit(&entry.name, LETTERS, room.max(style::text_width("…", LETTERS))),
                );
            }
        }
    }
}
