//! Pictures of boards as SVG: stones, the last move, and marks. A picture stands for itself: it needs no style sheet and
//! can be put into a page as it is.
//!
//! One unit of the picture is the distance of two lines.

use std::fmt::Write;

use goban::{AnyBoard, Color, Size, Vertex, column_letter};

use crate::plot::Svg;
use crate::plot::svg::escape;

/// Something drawn onto a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A green disc: a right answer.
    Right,
    /// A red cross: a wrong one.
    Wrong,
    /// The stone that a player put here, seen through, with a green ring if it is right and a red one if not.
    Answer {
        /// Whose stone it is.
        color: Color,
        /// Whether it is right.
        is_right: bool,
    },
    /// A short text.
    Label(String),
}

/// A board that is to be drawn.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// The stones.
    pub board: &'a AnyBoard,
    /// The stone that was put down last.
    pub last: Option<Vertex>,
    /// What is drawn onto points; passes are left out. Later ones lie above earlier ones.
    pub marks: Vec<(Vertex, Mark)>,
    /// Letters and numbers around the board.
    pub has_coordinates: bool,
    /// The distance of two lines on the screen, in pixels.
    pub pixels: f32,
    /// What the picture says, for who cannot see it.
    pub title: String,
}

const GREEN: &str = "#1a8f3c";
const RED: &str = "#c8321f";
const BLACK: &str = "#1c1c1c";
const WHITE: &str = "#fbfaf6";
const LINE: &str = "#5b4420";

impl<'a> Picture<'a> {
    /// The stones of a board, with coordinates.
    pub fn new(board: &'a AnyBoard) -> Self {
        Self {
            board,
            last: None,
            marks: Vec::new(),
            has_coordinates: true,
            pixels: 22.0,
            title: String::new(),
        }
    }

    /// The picture.
    pub fn svg(&self) -> Svg {
        let size = self.board.size();
        let margin = if self.has_coordinates { 1.3 } else { 0.8 };
        let [width, height] = [size.width(), size.height()].map(|n| n as f32 - 1.0 + 2.0 * margin);
        let attributes = format!(
            "viewBox=\"{0} {0} {width} {height}\" width=\"{1:.0}\" height=\"{2:.0}\" role=\"img\" aria-label=\"{3}\"",
            -margin,
            width * self.pixels,
            height * self.pixels,
            escape(&self.title),
        );
        let mut shapes = format!(
            "<rect x=\"{0}\" y=\"{0}\" width=\"{width}\" height=\"{height}\" rx=\".25\" fill=\"#e6c27f\"/>",
            -margin
        );
        grid(&mut shapes, size);
        if self.has_coordinates {
            coordinates(&mut shapes, size);
        }
        self.stones(&mut shapes);
        self.last_move(&mut shapes);
        for (vertex, mark) in self.marks.iter().filter(|(vertex, _)| size.contains(*vertex)) {
            self.mark(&mut shapes, *vertex, mark);
        }
        Svg::new(attributes, shapes)
    }

    fn stones(&self, svg: &mut String) {
        let looks = [(BLACK, "#000"), (WHITE, "#6b6b6b")];
        for (color, (fill, edge)) in Color::BOTH.into_iter().zip(looks) {
            let _ = write!(svg, "<g fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\".04\">");
            for vertex in self.board.stones(color) {
                let _ = write!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\".47\"/>", vertex.col(), vertex.row());
            }
            svg.push_str("</g>");
        }
    }

    fn last_move(&self, svg: &mut String) {
        let Some((vertex, color)) = self.last.and_then(|v| self.board.stone(v).map(|color| (v, color)))
        else {
            return;
        };
        let _ = write!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\".24\" fill=\"none\" stroke=\"{}\" stroke-width=\".08\"/>",
            vertex.col(),
            vertex.row(),
            ink(Some(color)),
        );
    }

    fn mark(&self, svg: &mut String, vertex: Vertex, mark: &Mark) {
        let (x, y) = (vertex.col() as f32, vertex.row() as f32);
        let _ = match mark {
            Mark::Right => write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\".22\" fill=\"{GREEN}\" stroke=\"#fff\" stroke-width=\".05\"/>"
            ),
            Mark::Wrong => {
                let (a, b, c, d) = (x - 0.22, y - 0.22, x + 0.22, y + 0.22);
                write!(
                    svg,
                    "<path d=\"M{a} {b}L{c} {d}M{a} {d}L{c} {b}\" stroke=\"{RED}\" stroke-width=\".13\" stroke-linecap=\"round\"/>"
                )
            }
            Mark::Answer { color, is_right } => {
                let fill = if *color == Color::Black { BLACK } else { WHITE };
                let ring = if *is_right { GREEN } else { RED };
                write!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\".42\" fill=\"{fill}\" fill-opacity=\".55\" stroke=\"{ring}\" \
                     stroke-width=\".12\"/>"
                )
            }
            Mark::Label(text) => {
                let ink = ink(self.board.stone(vertex));
                write!(
                    svg,
                    "<text x=\"{x}\" y=\"{y}\" dy=\".2\" font-size=\".55\" font-family=\"sans-serif\" text-anchor=\"middle\" \
                     fill=\"{ink}\">{}</text>",
                    escape(text)
                )
            }
        };
    }
}

/// A colour that is visible on a stone of this colour, or on the wood.
fn ink(stone: Option<Color>) -> &'static str {
    if stone == Some(Color::Black) { "#fff" } else { "#000" }
}

/// Lines and star points.
fn grid(svg: &mut String, size: Size) {
    let (right, bottom) = (size.width() - 1, size.height() - 1);
    let _ = write!(
        svg,
        "<path fill=\"none\" stroke=\"{LINE}\" stroke-width=\".04\" stroke-linecap=\"square\" d=\""
    );
    for row in 0..=bottom {
        let _ = write!(svg, "M0 {row}H{right}");
    }
    for col in 0..=right {
        let _ = write!(svg, "M{col} 0V{bottom}");
    }
    svg.push_str("\"/>");
    // As boards are printed: five points on small ones, nine on large ones.
    let n = if size.width().min(size.height()) < 15 { 5 } else { 9 };
    let _ = write!(svg, "<g fill=\"{LINE}\">");
    for vertex in size.fixed_handicap_points(n.min(size.max_fixed_handicap())) {
        let _ = write!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\".1\"/>", vertex.col(), vertex.row());
    }
    svg.push_str("</g>");
}

/// Letters below, numbers to the left.
fn coordinates(svg: &mut String, size: Size) {
    let _ =
        write!(svg, "<g font-size=\".5\" font-family=\"sans-serif\" text-anchor=\"middle\" fill=\"{LINE}\">");
    for col in 0..size.width() {
        let (y, letter) = (size.height() as f32 - 1.0 + 1.08, column_letter(col));
        let _ = write!(svg, "<text x=\"{col}\" y=\"{y}\">{letter}</text>");
    }
    for row in 0..size.height() {
        let _ = write!(svg, "<text x=\"-.9\" y=\"{}\">{}</text>", row as f32 + 0.18, size.height() - row);
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> AnyBoard {
        let mut board = AnyBoard::new(Size::new(9, 7).unwrap());
        board.play(Color::Black, Vertex::new(2, 3));
        board.play(Color::White, Vertex::new(8, 0));
        board
    }

    #[test]
    fn stones_and_marks_stand_on_their_points() {
        let board = board();
        let mut picture = Picture::new(&board);
        picture.last = Some(Vertex::new(8, 0));
        picture.title = "Black <to> play".to_string();
        picture.marks = vec![
            (Vertex::new(4, 4), Mark::Right),
            (Vertex::new(5, 5), Mark::Wrong),
            (Vertex::new(6, 6), Mark::Answer { color: Color::White, is_right: false }),
            (Vertex::new(2, 3), Mark::Label("7".to_string())),
            (Vertex::PASS, Mark::Right),
        ];
        let svg = picture.svg().inline();
        for part in [
            "aria-label=\"Black &lt;to&gt; play\"",
            "<circle cx=\"2\" cy=\"3\" r=\".47\"/>",
            "<circle cx=\"8\" cy=\"0\" r=\".47\"/>",
            "<circle cx=\"8\" cy=\"0\" r=\".24\"",
            "<circle cx=\"4\" cy=\"4\" r=\".22\" fill=\"#1a8f3c\"",
            "M4.78 4.78L5.22 5.22",
            "<circle cx=\"6\" cy=\"6\" r=\".42\" fill=\"#fbfaf6\"",
            "fill=\"#fff\">7</text>",
            ">J</text>",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        // Two stones, and only one right answer: the pass has no place.
        assert_eq!((svg.matches("r=\".47\"").count(), svg.matches("r=\".22\"").count()), (2, 1));
        assert!(!svg.contains(">I</text>") && !svg.contains(">8</text>"));
    }

    #[test]
    fn any_size_can_be_drawn() {
        for (width, height) in [(2, 2), (25, 2), (19, 19), (5, 25)] {
            let board = AnyBoard::new(Size::new(width, height).unwrap());
            let svg = Picture::new(&board).svg().file();
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
            assert_eq!(svg.matches("<text").count(), width + height);
        }
    }
}
