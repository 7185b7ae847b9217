//! The analysis of a move for CGOS, the Computer Go Server: win rate, score, candidate moves with their lines, owners, as one
//! object of JSON. Our client of the server sends it, and so does the GTP command `cgos-genmove_analyze`.
//!
//! All of it is the mover's point of view. The form is the server's (its document on the extension of GTP for analysis).

use goban::Vertex;
use serde_json::{Value, json};

use crate::survey::{Candidate, Survey};

/// Candidate moves that are told, and the moves of their lines.
const MAX_MOVES: usize = 10;
const MAX_LINE: usize = 20;

/// Characters for owners from −1 to 1 in 63 steps.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A survey as JSON, with `max_moves` moves at most. The line of a move leaves out the move itself.
pub fn object(survey: &Survey, max_moves: usize) -> Value {
    let show = |vertices: &[Vertex]| {
        let words: Vec<String> = vertices.iter().take(MAX_LINE).map(|&v| survey.size.show(v)).collect();
        words.join(" ")
    };
    let one = |candidate: &Candidate| {
        json!({
            "move": survey.size.show(candidate.vertex),
            "winrate": rounded(candidate.win),
            "score": rounded(candidate.margin),
            "visits": candidate.visits,
            "prior": rounded(candidate.prior),
            "pv": show(candidate.line.get(1..).unwrap_or_default()),
        })
    };
    // The first is the move that is played, tried or not.
    let is_told = |&(idx, candidate): &(usize, &Candidate)| idx == 0 || candidate.visits > 0;
    let told = survey.candidates.iter().enumerate().filter(is_told).map(|(_, candidate)| candidate);
    let mut object = json!({
        "winrate": rounded(survey.win),
        "score": rounded(survey.margin),
        "visits": survey.visits,
        "moves": told.take(max_moves.min(MAX_MOVES)).map(one).collect::<Vec<_>>(),
    });
    if !survey.ownership.is_empty() {
        object["ownership"] = survey.owners(&survey.ownership).map(letter).collect::<String>().into();
    }
    object
}

/// A number to four digits.
fn rounded(x: f32) -> f64 {
    (f64::from(x) * 1e4).round() / 1e4
}

fn letter(owner: f32) -> char {
    let share = f64::midpoint(f64::from(owner), 1.0).clamp(0.0, 1.0);
    LETTERS[(share * 62.0).round() as usize] as char
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Color, Position, Rules, Size};

    #[test]
    fn owners_have_a_letter_for_each_step() {
        // (−1 + 1)/2 · 62 = 0, (0 + 1)/2 · 62 = 31, (1 + 1)/2 · 62 = 62, and what is beyond stays at the end.
        assert_eq!([-1.0, 0.0, 1.0, -3.0, 7.0].map(letter), ['A', 'f', '+', 'A', '+']);
    }

    #[test]
    fn a_survey_as_the_server_reads_it() {
        let size = Size::new(3, 2).unwrap();
        let settled = Survey::settled(&Position::new(size, Rules::CHINESE), Color::White);
        let candidate = |text: &str, visits, win| Candidate {
            vertex: size.parse_vertex(text).unwrap(),
            visits,
            win,
            prior: 0.25,
            margin: 1.5,
            line: [text, "pass"].map(|text| size.parse_vertex(text).unwrap()).to_vec(),
            ..settled.candidates[0].clone()
        };
        let candidates =
            vec![candidate("A1", 8, 0.53125), candidate("C2", 1, 0.375), candidate("B2", 0, 0.5)];
        let survey = Survey {
            visits: 9,
            win: 0.5,
            margin: -0.25,
            candidates,
            ownership: vec![1.0, 1.0, 0.0, 0.0, -1.0, -1.0],
            ..settled
        };
        // White sees his own points as +1.
        let expected = r#"{"winrate":0.5,"score":-0.25,"visits":9,"moves":[{"move":"A1","winrate":0.5313,"score":1.5,"visits":8,"prior":0.25,"pv":"pass"}],"ownership":"AAff++"}"#;
        assert_eq!(object(&survey, 1).to_string(), expected);
        assert_eq!(object(&survey, 99)["moves"].as_array().unwrap().len(), 2, "B2 was not tried");
    }
}
