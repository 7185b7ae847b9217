//! The results of a search as the analysis commands write them. One report is one line: all moves of it, each with its keys
//! and values first and its line of play last, and what concerns the whole board at the end.

use std::fmt::Write as _;

use goban::Size;

use super::input;
use crate::cgos;
use crate::survey::{Candidate, Survey};

/// In whose words the report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InfoDialect {
    /// Leela Zero's: whole numbers, rates in ten-thousandths.
    Leela,
    /// KataGo's: rates from 0 to 1, scores, owners.
    Kata,
    /// CGOS's: one JSON object, and only the last report.
    Cgos,
}

/// The dialect and the optional parts of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) dialect: InfoDialect,
    /// Moves that are reported at least, if there are as many, tried or not.
    pub(super) min_moves: usize,
    pub(super) max_moves: usize,
    pub(super) ownership: bool,
    pub(super) moves_ownership: bool,
    pub(super) pv_visits: bool,
    pub(super) root_info: bool,
}

/// A report in one line.
pub(super) fn line(survey: &Survey, contents: &Contents) -> String {
    if contents.dialect == InfoDialect::Cgos {
        return cgos::object(survey, contents.max_moves).to_string();
    }
    let shown = shown(survey, contents);
    let mut text = String::new();
    for (order, candidate) in shown.iter().enumerate() {
        let space = if order == 0 { "" } else { " " };
        let _ = match contents.dialect {
            InfoDialect::Leela => write!(text, "{space}{}", leela(survey.size, candidate, order)),
            _ => write!(text, "{space}{}", kata(survey.size, candidate, order)),
        };
        if contents.pv_visits && !candidate.line_visits.is_empty() {
            text.push_str(" pvVisits");
            for n in &candidate.line_visits {
                let _ = write!(text, " {n}");
            }
        }
        if contents.moves_ownership {
            write_owners(&mut text, "movesOwnership", survey, survey.ownership_after(candidate));
        }
    }
    if contents.root_info {
        let _ = write!(
            text,
            " rootInfo visits {} winrate {:.6} scoreMean {:.3} scoreStdev {:.3} scoreLead {:.3} utility {:.6}",
            survey.visits,
            survey.win,
            survey.margin,
            survey.margin_sd,
            survey.margin,
            2.0 * survey.win - 1.0
        );
    }
    if contents.ownership {
        write_owners(&mut text, "ownership", survey, &survey.ownership);
    }
    text
}

/// The moves to show: those that were tried, and as many more as are wanted.
fn shown<'a>(survey: &'a Survey, contents: &Contents) -> Vec<&'a Candidate> {
    let is_shown = |&(idx, candidate): &(usize, &Candidate)| {
        candidate.visits > 0 || idx < contents.min_moves.max(1) && idx < contents.max_moves
    };
    let shown = survey.candidates.iter().enumerate().filter(is_shown).map(|(_, candidate)| candidate);
    shown.take(contents.max_moves).collect()
}

fn leela(size: Size, candidate: &Candidate, order: usize) -> String {
    let rate = |rate: f32| (10_000.0 * rate).round() as u32;
    format!(
        "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
        size.show(candidate.vertex),
        candidate.visits,
        rate(candidate.win),
        rate(candidate.prior),
        rate(candidate.lcb),
        input::show_all(size, candidate.line.iter().copied()),
    )
}

fn kata(size: Size, candidate: &Candidate, order: usize) -> String {
    format!(
        "info move {} visits {} utility {:.6} winrate {:.6} scoreMean {:.3} scoreStdev {:.3} scoreLead {:.3} \
         scoreSelfplay {:.3} prior {:.6} lcb {:.6} utilityLcb {:.6} order {order} pv {}",
        size.show(candidate.vertex),
        candidate.visits,
        2.0 * candidate.win - 1.0,
        candidate.win,
        candidate.margin,
        candidate.margin_sd,
        candidate.margin,
        candidate.margin,
        candidate.prior,
        candidate.lcb,
        2.0 * candidate.lcb - 1.0,
        input::show_all(size, candidate.line.iter().copied()),
    )
}

/// Owners as the viewer sees them; nothing where nobody has looked yet.
fn write_owners(text: &mut String, key: &str, survey: &Survey, ownership: &[f32]) {
    if !ownership.is_empty() {
        let _ = write!(text, " {key}");
        for owner in survey.owners(ownership) {
            let _ = write!(text, " {owner:.4}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Color, Position, Rules};

    fn survey() -> Survey {
        let size = Size::new(3, 2).unwrap();
        let settled = Survey::settled(&Position::new(size, Rules::CHINESE), Color::White);
        let candidate = |text: &str, visits, win: f32| Candidate {
            vertex: size.parse_vertex(text).unwrap(),
            visits,
            win,
            lcb: win - 0.125,
            prior: 0.25,
            margin: 1.5,
            margin_sd: 4.0,
            line: ["A1", "pass"].map(|text| size.parse_vertex(text).unwrap()).to_vec(),
            line_visits: vec![visits, 2],
            ..settled.candidates[0].clone()
        };
        Survey {
            visits: 9,
            win: 0.5,
            margin: -0.25,
            margin_sd: 3.0,
            candidates: vec![
                candidate("A1", 8, 0.53125),
                candidate("C2", 1, 0.375),
                candidate("pass", 0, 0.5),
            ],
            ownership: vec![1.0, 0.5, 0.0, -0.5, -1.0, 0.25],
            ..settled
        }
    }

    const PLAIN: Contents = Contents {
        dialect: InfoDialect::Leela,
        min_moves: 0,
        max_moves: usize::MAX,
        ownership: false,
        moves_ownership: false,
        pv_visits: false,
        root_info: false,
    };

    #[test]
    fn leelas_words_are_whole_numbers() {
        assert_eq!(
            line(&survey(), &PLAIN),
            "info move A1 visits 8 winrate 5313 prior 2500 lcb 4063 order 0 pv A1 pass \
             info move C2 visits 1 winrate 3750 prior 2500 lcb 2500 order 1 pv A1 pass"
        );
    }

    #[test]
    fn katas_words_end_with_the_board() {
        let contents = Contents {
            dialect: InfoDialect::Kata,
            max_moves: 1,
            ownership: true,
            moves_ownership: true,
            pv_visits: true,
            root_info: true,
            ..PLAIN
        };
        // White sees his own points as +1.
        let owners = "-1.0000 -0.5000 0.0000 0.5000 1.0000 -0.2500";
        assert_eq!(
            line(&survey(), &contents),
            format!(
                "info move A1 visits 8 utility 0.062500 winrate 0.531250 scoreMean 1.500 scoreStdev 4.000 scoreLead 1.500 \
                 scoreSelfplay 1.500 prior 0.250000 lcb 0.406250 utilityLcb -0.187500 order 0 pv A1 pass pvVisits 8 2 \
                 movesOwnership {owners} rootInfo visits 9 winrate 0.500000 scoreMean -0.250 scoreStdev 3.000 \
                 scoreLead -0.250 utility 0.000000 ownership {owners}"
            )
        );
    }

    #[test]
    fn as_many_moves_as_wanted() {
        let n = |min_moves, max_moves| {
            let contents = Contents { min_moves, max_moves, ..PLAIN };
            line(&survey(), &contents).matches("info move").count()
        };
        assert_eq!((n(0, 99), n(3, 99), n(9, 2), n(0, 1)), (2, 3, 2, 1));
    }
}
