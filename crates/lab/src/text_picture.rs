//! Pictures of boards that are given as lines of text, for games that have nothing but such a drawing: `X` and `O` are stones, `.` is an
//! empty place, anything else stands as it is. A letter's place in its line is its place in the picture, so slanted boards are slanted.

use std::fmt::Write;

use crate::plot::Svg;
use crate::plot::svg::escape;

/// The distance of two places on the screen, in pixels. Places are two letters apart.
const PIXELS: f64 = 24.0;

/// The picture of a board; `title` says what it shows, for who cannot see it.
pub fn svg(text: &str, title: &str) -> Svg {
    let width = text.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or(0) as f64 / 2.0;
    let height = text.lines().count() as f64;
    let attributes = format!(
        "viewBox=\"-.8 -.8 {} {}\" width=\"{:.0}\" height=\"{:.0}\" role=\"img\" aria-label=\"{}\"",
        width + 1.1,
        height + 0.6,
        (width + 1.1) * PIXELS,
        (height + 0.6) * PIXELS,
        escape(title),
    );
    let mut shapes = format!(
        "<rect x=\"-.8\" y=\"-.8\" width=\"{}\" height=\"{}\" rx=\".25\" fill=\"#e6c27f\"/>",
        width + 1.1,
        height + 0.6
    );
    for (row, line) in text.lines().enumerate() {
        for (place, letter) in line.chars().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
            draw(&mut shapes, letter, place as f64 / 2.0, row as f64);
        }
    }
    Svg::new(attributes, shapes)
}

fn draw(shapes: &mut String, letter: char, x: f64, y: f64) {
    let stone = |fill, edge| {
        format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\".44\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\".04\"/>"
        )
    };
    match letter {
        'X' => shapes.push_str(&stone("#1c1c1c", "#000")),
        'O' => shapes.push_str(&stone("#fbfaf6", "#6b6b6b")),
        '.' => {
            let _ = write!(shapes, "<circle cx=\"{x}\" cy=\"{y}\" r=\".1\" fill=\"#5b4420\"/>");
        }
        other => {
            let text = escape(&other.to_string());
            let _ = write!(
                shapes,
                "<text x=\"{x}\" y=\"{y}\" dy=\".18\" font-size=\".5\" font-family=\"sans-serif\" text-anchor=\"middle\" fill=\"#5b4420\">{text}</text>"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_stand_where_the_letters_do() {
        let picture = svg(" 1 X . <\n  2 O X .", "after <3>").inline();
        assert!(
            picture.contains("aria-label=\"after &lt;3&gt;\"") && picture.contains(">&lt;</text>"),
            "{picture}"
        );
        assert_eq!(picture.matches("fill=\"#1c1c1c\"").count(), 2);
        // Half a place further to the right in the second row.
        assert!(picture.contains("<circle cx=\"1.5\" cy=\"0\" r=\".44\" fill=\"#1c1c1c\""), "{picture}");
        assert!(picture.contains("<circle cx=\"2\" cy=\"1\" r=\".44\" fill=\"#fbfaf6\""), "{picture}");
    }
}
