//! The messages of a study.

use std::collections::BTreeMap;

use goban::{Color, Size, Vertex};
use mcts::go_search::GoSearch;
use mcts::report::Arm;
use player::survey::{Candidate, Wants};

use super::search::Watched;
use crate::protocol::spot::point;
use crate::protocol::tell::{ArmView, Branch, Num, Report};

/// Moves whose lines are told.
const N_LINES: usize = 12;
/// Moves of a line.
const LINE: usize = 16;
/// Moves that a report without details tells of.
const N_BRIEF: usize = 24;

/// A report of a search; the way since the last one is handed over with it.
pub(super) fn report(search: &mut Watched, number: u64, idx: usize, detail: bool) -> Report {
    let size = search.size();
    let color = search.search.to_play();
    let choice = search.search.pick(&search.total);
    let (total, go) = (&search.total, search.search.tree());
    let survey = search.search.survey(total, None, Wants::default());
    let is_told = |candidate: &&Candidate| detail || candidate.visits > 0;
    let mut candidates: Vec<&Candidate> = survey.candidates.iter().filter(is_told).collect();
    let with_lines = candidates.iter().take(N_LINES).filter(|candidate| candidate.visits > 0);
    let lines: BTreeMap<i32, Vec<i32>> = with_lines
        .map(|candidate| {
            let line = candidate.line.iter().take(LINE).map(|&vertex| point(size, vertex));
            (point(size, candidate.vertex), line.collect())
        })
        .collect();
    if !detail {
        candidates.truncate(N_BRIEF);
    }
    Report {
        number,
        search: idx,
        done: search.is_done,
        to_play: color.into(),
        models: total.models.iter().map(ToString::to_string).collect(),
        reward: total.reward.word(),
        simulations: total.simulations,
        seconds: Num(total.seconds as f32),
        nodes: total.nodes,
        bytes: total.bytes,
        is_full: total.is_full,
        win: Num(survey.win),
        score: Num(survey.clone().seen_by(Color::Black).margin),
        choice: choice.filter(|_| total.visits > 0).map(|to| point(size, to)),
        arms: candidates
            .iter()
            .map(|candidate| arm_view(size, go, &total.arms[candidate.arm], detail))
            .collect(),
        lines,
        ownership: survey.ownership.iter().map(|owner| (100.0 * owner).round() as i8).collect(),
        trail: if detail { std::mem::take(&mut search.trail) } else { Vec::new() },
    }
}

/// One arm, with what the models say if that is wanted.
fn arm_view(size: Size, search: &dyn GoSearch, arm: &Arm, detail: bool) -> ArmView {
    let models = arm.models.iter().filter(|_| detail);
    ArmView(
        point(size, search.vertex(arm.action)),
        arm.visits,
        Num(arm.value),
        Num(arm.win),
        arm.p.map(Num),
        // A move that no selector has looked at has a score without bound.
        arm.score.is_finite().then_some(Num(arm.score)),
        models.map(|model| (Num(model.mean), Num(model.weight), Num(model.beta))).collect(),
        arm.margin.map(|margin| Num(margin.mean)),
    )
}

/// A node of the tree after some moves.
pub(super) fn branch(
    search: &mut Watched,
    number: u64,
    idx: usize,
    line: &[i32],
    moves: &[Vertex],
) -> Branch {
    let size = search.size();
    let below = search.search.arms_below(moves);
    let to_play = below.as_ref().map(|(color, _)| (*color).into());
    let mut arms = below.map(|(_, arms)| arms).unwrap_or_default();
    arms.retain(|arm| arm.visits > 0);
    arms.sort_by_key(|arm| std::cmp::Reverse(arm.visits));
    arms.truncate(N_BRIEF);
    let go = search.search.tree();
    let arms = arms.iter().map(|arm| arm_view(size, go, arm, true)).collect();
    Branch { number, search: idx, line: line.to_vec(), to_play, arms }
}
