//! The report of a search, drawn up from its tree and its workers' notes.

use super::method::SearchMethod;
use super::simulate::{SharedParts, Worker};
use super::stats::Stats;
use super::tally::RootTally;
use crate::cx::{Cx, PathStep};
use crate::game::{Action, Game, Side};
use crate::report::{Arm, ModelView, Report};
use crate::tree::{ChildIdx, Node, Tree};
use std::sync::atomic::Ordering::Relaxed;

/// The longest line of play that is reported.
const MAX_LINE: usize = 64;

/// The report of a search whose workers have come to rest.
pub(super) fn report<G: Game>(
    shared: Option<&SharedParts<'_, G>>,
    tree: &Tree,
    origin: &G,
    models: &[&'static str],
    workers: &mut [Worker<G>],
) -> Report {
    let mut stats = Stats::default();
    workers.iter().for_each(|worker| stats.merge(&worker.stats));
    let mut report = Report {
        mover: origin.mover(),
        models: models.to_vec(),
        reward: tree.layout().reward,
        value: tree.layout().reward.neutral(),
        simulations: stats.n_simulations,
        samples: stats.n_samples,
        nodes: tree.n_nodes(),
        bytes: tree.bytes(),
        is_full: stats.is_full,
        unsound: stats.n_unsound,
        score: (stats.score_sum / stats.n_samples.max(1) as f64) as f32,
        ownership: stats.ownership.iter().map(|&sum| sum as f32 / stats.n_ownership.max(1) as f32).collect(),
        ..Report::default()
    };
    if let (Some(shared), Some(worker)) = (shared, workers.first_mut()) {
        report.arms = arms(shared, worker);
        note(&mut report.arms, shared, workers);
    }
    report.visits = report.arms.iter().map(|arm| u64::from(arm.visits)).sum();
    if report.visits > 0 {
        let mean = |of: fn(&Arm) -> f32| {
            let sum: f64 = report.arms.iter().map(|arm| f64::from(arm.visits) * f64::from(of(arm))).sum();
            (sum / report.visits as f64) as f32
        };
        (report.value, report.win) = (mean(|arm| arm.value), mean(|arm| arm.win));
    }
    report
}

fn arms<G: Game>(shared: &SharedParts<'_, G>, worker: &mut Worker<G>) -> Vec<Arm> {
    let Some(root) = shared.tree.node(shared.root) else { return Vec::new() };
    let mut arms = arms_at(shared, worker, &[], root);
    if let SearchMethod::Flat { depth: 2.. } = shared.pieces.method {
        for arm in &mut arms {
            let Some(child) = root.find(arm.action) else { continue };
            let step = PathStep { node: root.id(), child, action: arm.action, mover: root.mover() };
            if let Some((value, replies)) = minimax(shared, worker, &mut vec![step]) {
                arm.value = value;
                arm.line = std::iter::once(arm.action).chain(replies).collect();
            }
        }
    }
    arms
}

/// Adds to the root's arms the counts that were kept beside the tree.
fn note<G: Game>(arms: &mut [Arm], shared: &SharedParts<'_, G>, workers: &[Worker<G>]) {
    let Some(root) = shared.tree.node(shared.root) else { return };
    let tallies = || workers.iter().map(|worker| &worker.tally);
    for arm in arms {
        let Some(child) = root.find(arm.action) else { continue };
        arm.margin = RootTally::margin(tallies(), child.idx(), root.mover());
        if shared.notes.arm_ownership {
            arm.ownership = RootTally::ownership(tallies(), child.idx());
        }
    }
}

/// The arms of the node that `actions` lead to from the root, as the player to move there sees them; `None` if the tree
/// has no such node.
pub(super) fn arms_below<G: Game>(
    shared: &SharedParts<'_, G>,
    worker: &mut Worker<G>,
    actions: &[Action],
) -> Option<(Side, Vec<Arm>)> {
    let mut node = shared.tree.node(shared.root)?;
    let mut path = Vec::with_capacity(actions.len());
    for &action in actions {
        let child = node.find(action)?;
        path.push(PathStep { node: node.id(), child, action, mover: node.mover() });
        node = shared.tree.child(node, child)?;
    }
    Some((node.mover(), arms_at(shared, worker, &path, node)))
}

/// The arms of `node` at the end of `path`; at the root without the barred ones.
fn arms_at<G: Game>(
    shared: &SharedParts<'_, G>,
    worker: &mut Worker<G>,
    path: &[PathStep],
    node: Node<'_>,
) -> Vec<Arm> {
    worker.arms.read(shared.tree, node);
    let cx = Cx::at(shared.tree, path, node, &worker.arms);
    let scratch = &mut worker.scratch;
    scratch.weigh(shared.pieces, &cx, false);
    // What the mixer says of arms that were never tried, before their urgency takes its place.
    let values = scratch.mixed.value.clone();
    shared.pieces.fpu.fill(&cx, &scratch.models, &mut scratch.mixed);
    match shared.pieces.method {
        SearchMethod::Tree => {
            shared.pieces.selector.score(&cx, &scratch.models, &scratch.mixed, &mut scratch.scores);
        }
        SearchMethod::Flat { .. } => {
            scratch.scores.iter_mut().zip(&cx.arms.n).for_each(|(score, n)| *score = -n);
        }
    }
    scratch.mask.reset(node.n_children());
    if shared.pieces.widener.is_final() {
        shared.pieces.widener.keep(&cx, &scratch.models, &scratch.mixed, &mut scratch.mask);
    }
    if path.is_empty() {
        scratch.mask.bar(shared.barred);
    }
    let is_barred = |idx: usize| !scratch.mask.allows(idx);
    let layout = shared.tree.layout();
    let mut wins = vec![0.0; node.n_children()];
    layout.win.into_iter().for_each(|column| node.read_sums(column, &mut wins));
    (0..node.n_children())
        .filter(|&idx| !is_barred(idx))
        .map(|idx| {
            let child = ChildIdx(idx as u16);
            let visits = node.visits(child);
            let value = values[idx];
            let models = scratch.models.iter().zip(&scratch.mixed.weights);
            Arm {
                action: node.action(child),
                visits,
                value,
                win: match layout.win {
                    // Weights of models may add up to a little more than 1.
                    None => value.clamp(0.0, 1.0),
                    Some(_) if visits == 0 => 0.5,
                    Some(_) => wins[idx] / visits as f32,
                },
                p: layout.p.map(|p| f32::from_bits(node.counts(p)[idx].load(Relaxed))),
                score: scratch.scores[idx],
                variance: shared.pieces.moments.map(|moments| moments.sums(node, child).variance()),
                models: models
                    .map(|(model, beta)| ModelView {
                        mean: model.mean[idx],
                        weight: model.weight[idx],
                        beta: beta[idx],
                    })
                    .collect(),
                line: line(shared.tree, node, child),
                ..Arm::default()
            }
        })
        .collect()
}

/// The value that the best replies leave of the position at the end of `path`, as the player who made its last step sees it, and
/// these replies; `None` if nothing is known below.
fn minimax<G: Game>(
    shared: &SharedParts<'_, G>,
    worker: &mut Worker<G>,
    path: &mut Vec<PathStep>,
) -> Option<(f32, Vec<Action>)> {
    let last = *path.last()?;
    let node = shared.tree.child(shared.tree.node(last.node)?, last.child)?;
    worker.arms.read(shared.tree, node);
    let cx = Cx::at(shared.tree, path, node, &worker.arms);
    worker.scratch.weigh(shared.pieces, &cx, true);
    let n_children = node.n_children();
    let values: Vec<Option<f32>> = (0..n_children)
        .map(|idx| (worker.arms.n[idx] > 0.0).then(|| worker.scratch.mixed.value[idx]))
        .collect();
    let mut best: Option<(f32, Vec<Action>)> = None;
    for (idx, value) in values.into_iter().enumerate() {
        let child = ChildIdx(idx as u16);
        let step = PathStep { node: node.id(), child, action: node.action(child), mover: node.mover() };
        path.push(step);
        let below = minimax(shared, worker, path);
        path.pop();
        let Some((value, replies)) = below.or_else(|| Some((value?, Vec::new()))) else { continue };
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, std::iter::once(step.action).chain(replies).collect()));
        }
    }
    best.map(|(value, line)| (shared.pieces.reward.flip(value), line))
}

/// Follows the most visited arms.
fn line(tree: &Tree, root: Node<'_>, first: ChildIdx) -> Vec<Action> {
    let mut line = vec![root.action(first)];
    let mut below = tree.child(root, first);
    while let Some(node) = below.filter(|_| line.len() < MAX_LINE) {
        let children = (0..node.n_children()).map(|idx| ChildIdx(idx as u16)).rev();
        let Some(best) = children.max_by_key(|&child| node.visits(child)) else { break };
        if node.visits(best) == 0 {
            break;
        }
        line.push(node.action(best));
        below = tree.child(node, best);
    }
    line
}
