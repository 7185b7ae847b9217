//! The results of a search as GoGui draws them on its board: the expected line as stones, the share of the visits as shades, win
//! rates as labels, and a sentence in the status line.

use std::fmt::Write as _;
use std::time::Duration;

use goban::{Color, Vertex};
use gtp::stderr;

use crate::survey::Survey;

/// How often a live picture is drawn.
pub(super) const EVERY: Duration = Duration::from_millis(500);
/// Moves of the line that are drawn.
const LINE: usize = 12;
/// Moves that get a label.
const N_LABELS: usize = 12;

/// The commands that draw a survey, one per line; none is empty.
pub(super) fn draw(survey: &Survey) -> String {
    let show = |vertex: Vertex| survey.size.show(vertex);
    let line = survey.candidates.first().map_or(&[][..], |best| &best.line);
    // GoGui has no place for a pass.
    let line: Vec<Vertex> = line.iter().copied().take(LINE).take_while(|vertex| !vertex.is_pass()).collect();
    let mut lines = Vec::new();
    if !line.is_empty() {
        let mut text = "VAR".to_string();
        let mut color = survey.to_play;
        for &vertex in &line {
            let _ = write!(text, " {} {}", if color == Color::Black { 'b' } else { 'w' }, show(vertex));
            color = !color;
        }
        lines.push(text);
    }
    let points = || survey.candidates.iter().filter(|c| c.visits > 0 && !c.vertex.is_pass());
    if points().next().is_some() {
        let share = |visits: u32| visits as f32 / survey.visits.max(1) as f32;
        let shades = points().map(|c| format!(" {} {:.3}", show(c.vertex), share(c.visits)));
        lines.push(format!("INFLUENCE{}", shades.collect::<String>()));
    }
    let labels: String = points()
        .take(N_LABELS)
        .filter(|c| !line.contains(&c.vertex))
        .map(|c| format!(" {} {:.0}", show(c.vertex), 100.0 * c.win))
        .collect();
    if !labels.is_empty() {
        lines.push(format!("LABEL{labels}"));
    }
    lines.push(format!("TEXT {}", sentence(survey)));
    lines.join("\n")
}

/// The whole in a sentence.
pub(super) fn sentence(survey: &Survey) -> String {
    let score = match (survey.margin, survey.viewer) {
        (margin, viewer) if margin >= 0.0 => format!("{}+{margin:.1}", letter(viewer)),
        (margin, viewer) => format!("{}+{:.1}", letter(!viewer), -margin),
    };
    let best = survey.candidates.first().map_or_else(String::new, |best| {
        format!(", {} {:.1} %", survey.size.show(best.vertex), 100.0 * best.win)
    });
    format!("{} wins {:.1} %, {score}, {} visits{best}", survey.viewer, 100.0 * survey.win, survey.visits)
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Draws on GoGui's board while a command is running: through the error output, closed by an empty line.
pub(super) fn show_live(survey: &Survey) {
    stderr::log(&live(survey));
}

fn live(survey: &Survey) -> String {
    format!("gogui-gfx:\n{}\n\n", draw(survey))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Candidate;
    use goban::{Position, Rules, Size};

    #[test]
    fn a_picture_by_hand() {
        let size = Size::square(3).unwrap();
        let position = Position::new(size, Rules::CHINESE);
        let settled = Survey::settled(&position, Color::White);
        let at = |text: &str| size.parse_vertex(text).unwrap();
        let candidate = |vertex: &str, visits, win, line: &[&str]| Candidate {
            vertex: at(vertex),
            visits,
            win,
            line: line.iter().map(|text| at(text)).collect(),
            ..settled.candidates[0].clone()
        };
        let survey = Survey {
            visits: 10,
            win: 0.25,
            margin: -2.5,
            candidates: vec![
                candidate("B2", 6, 0.3, &["B2", "A1", "pass", "C3"]),
                candidate("C1", 3, 0.2, &["C1"]),
                candidate("pass", 1, 0.1, &["pass"]),
                candidate("A3", 0, 0.5, &["A3"]),
            ],
            ..settled.clone()
        };
        let expected = "VAR w B2 b A1\nINFLUENCE B2 0.600 C1 0.300\nLABEL C1 20\n\
                        TEXT White wins 25.0 %, B+2.5, 10 visits, B2 30.0 %";
        assert_eq!(draw(&survey), expected);
        assert_eq!(draw(&settled), "TEXT White wins 100.0 %, W+0.0, 0 visits, pass 100.0 %");
        // GoGui looks for this line and for the empty one; nothing in between looks like a reply.
        let shown = stderr::harmless(&live(&survey));
        assert!(shown.starts_with("gogui-gfx:\nVAR") && shown.ends_with("%\n"), "{shown:?}");
    }
}
