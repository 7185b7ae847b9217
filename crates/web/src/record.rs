//! SGF for the page: a file becomes a tree of steps that the page can walk. The page writes files itself.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use goban::{Rules, Size};
use player::record;
use sgf::{Coord, Game, GameTree, NodeId};

use crate::protocol::ask::Side;
use crate::protocol::spot::{PASS, SetupStep, Step, point};
use crate::protocol::tell::{Num, Tree, TreeNode};
use crate::protocol::{Answer, Refusal};
use crate::table;

/// Nodes of a record that the page is told of.
const MAX_NODES: usize = 20_000;
/// Characters of a comment that the page is told of.
const MAX_COMMENT: usize = 4_000;
/// Bytes of all that the page is told of a record: a short text can mean a great many stones.
const MAX_ANSWER: usize = 3 << 20;
/// Bytes of a node without anything in it, and of a point.
const NODE_BYTES: usize = 48;
const POINT_BYTES: usize = 4;
/// Steps of a main line that are played, moves and setups.
pub(crate) const MAX_STEPS: usize = 2_000;
/// Stones that the setups of a main line may put on or take off together.
const MAX_SETUP_STONES: usize = 50_000;

/// The bytes of a file in a message.
pub(crate) fn bytes(text: &str) -> Answer<Vec<u8>> {
    STANDARD.decode(text).map_err(|error| Refusal::invalid(format!("sgf: expected base64: {error}")))
}

/// Refuses a record whose main line is more work to play than any game is.
pub(crate) fn check_work(game: &Game<'_>) -> Answer<()> {
    let mut n_stones = 0;
    for (n_steps, step) in game.main_line().enumerate() {
        if let Ok((_, sgf::Step::Setup(setup))) = &step {
            n_stones += setup.black.len() + setup.white.len() + setup.empty.len();
        }
        if n_steps >= MAX_STEPS {
            return Err(Refusal::invalid(format!(
                "the game is too long; expected at most {MAX_STEPS} moves"
            )));
        }
        if n_stones > MAX_SETUP_STONES {
            return Err(Refusal::invalid(format!(
                "the game puts down too many stones outside of play; expected at most {MAX_SETUP_STONES}"
            )));
        }
    }
    Ok(())
}

/// The first game of a file.
pub(crate) fn read(bytes: &[u8]) -> Answer<Tree> {
    let tree = table::first_game(bytes)?;
    let invalid = |error: &dyn std::fmt::Display| Refusal::invalid(format!("SGF: {error}"));
    let game = Game::new(&tree).map_err(|error| invalid(&error))?;
    let size =
        Size::new(game.header.width.into(), game.header.height.into()).map_err(|error| invalid(&error))?;
    // Somebody's handicap counts only if its stones are there. A line that is too much work is shown, but not played.
    let handicap = match check_work(&game) {
        Ok(()) => {
            record::position_of(&game, Rules::CHINESE, None).map_err(|error| invalid(&error))?.handicap()
        }
        Err(_) => 0,
    };
    let komi = game.header.komi.map_or(table::default_komi(&game.header), |komi| komi as f32);
    let name = |player: &sgf::Player| player.name.clone().unwrap_or_default();
    let (nodes, is_cut) = nodes(&tree, &game, size)?;
    Ok(Tree {
        width: size.width(),
        height: size.height(),
        komi: Num(komi),
        rules: table::rules_of(&game).to_string(),
        handicap,
        players: [name(&game.header.black), name(&game.header.white)],
        result: game.header.result.to_string(),
        nodes,
        is_cut,
    })
}

/// All nodes, parents before children and main lines before variations, up to [`MAX_NODES`] and [`MAX_ANSWER`].
fn nodes(tree: &GameTree, game: &Game<'_>, size: Size) -> Answer<(Vec<TreeNode>, bool)> {
    let mut nodes = Vec::new();
    let mut n_bytes = 0;
    let mut waiting = vec![(NodeId::ROOT, None)];
    while let Some((id, parent)) = waiting.pop() {
        let steps = game.steps(id).map_err(|error| Refusal::invalid(format!("SGF: {error}")))?;
        let comment: String = game.comment(id).unwrap_or_default().chars().take(MAX_COMMENT).collect();
        n_bytes += NODE_BYTES + steps.iter().map(step_bytes).sum::<usize>() + text_bytes(&comment);
        if nodes.len() == MAX_NODES || n_bytes > MAX_ANSWER {
            return Ok((nodes, true));
        }
        let own = nodes.len();
        nodes.push(TreeNode {
            parent,
            steps: steps.iter().map(|step| to_step(size, step)).collect(),
            comment,
        });
        let children: Vec<NodeId> = tree.children(id).collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, Some(own))));
    }
    Ok((nodes, false))
}

/// About how many bytes of an answer a step takes.
fn step_bytes(step: &sgf::Step) -> usize {
    match step {
        sgf::Step::Move(_) => NODE_BYTES,
        sgf::Step::Setup(setup) => {
            NODE_BYTES + POINT_BYTES * (setup.black.len() + setup.white.len() + setup.empty.len())
        }
    }
}

/// Bytes of a text in an answer, where some letters are written as several.
fn text_bytes(text: &str) -> usize {
    let n_long = text.bytes().filter(|&c| c < b' ' || c == b'"' || c == b'\\').count();
    text.len() + 5 * n_long
}

fn to_step(size: Size, step: &sgf::Step) -> Step {
    let points = |coords: &[Coord]| -> Vec<i32> {
        coords.iter().map(|&coord| point(size, record::to_vertex(Some(coord)))).collect()
    };
    let side = |color| Side::from(record::to_color(color));
    match step {
        sgf::Step::Move(play) => {
            let to = play.point.map_or(PASS, |coord| point(size, record::to_vertex(Some(coord))));
            Step::Play(side(play.color), to)
        }
        sgf::Step::Setup(setup) => Step::Setup(SetupStep {
            black: points(&setup.black),
            white: points(&setup.white),
            empty: points(&setup.empty),
            to_play: setup.to_play.map(side),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_and_setups_are_told() {
        let file = b"(;SZ[5]KM[0.5]AB[aa]PL[W]PB[Anna];W[cc]C[so](;B[dd];W[])(;B[bb]))";
        let tree = read(file).unwrap();
        let parents: Vec<_> = tree.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(2), Some(1)]);
        assert_eq!(tree.nodes[1].steps, [Step::Play(Side::White, 12)]);
        assert_eq!(tree.nodes[1].comment, "so");
        assert_eq!(tree.nodes[3].steps, [Step::Play(Side::White, PASS)]);
        let Step::Setup(setup) = &tree.nodes[0].steps[0] else { panic!("no setup") };
        assert_eq!((setup.black.as_slice(), setup.to_play), (&[0][..], Some(Side::White)));
        assert_eq!((tree.players[0].as_str(), tree.komi), ("Anna", Num(0.5)));
    }

    #[test]
    fn depth_and_nonsense_do_no_harm() {
        let deep = format!("(;SZ[5]{}", "(;C[x]".repeat(50_000)) + &")".repeat(50_001);
        let tree = read(deep.as_bytes()).unwrap();
        assert!(tree.is_cut && tree.nodes.len() == MAX_NODES);
        let heavy = format!("(;SZ[25]{})", ";AB[aa:yx];AE[aa:yx]".repeat(30_000));
        let tree = read(heavy.as_bytes()).unwrap();
        assert!(tree.is_cut && serde_json::to_string(&tree).unwrap().len() < 2 * MAX_ANSWER);
        let noise = format!("(;SZ[5]{})", format!(";C[{}]", "\u{1}".repeat(4000)).repeat(200));
        assert!(serde_json::to_string(&read(noise.as_bytes()).unwrap()).unwrap().len() < 2 * MAX_ANSWER);
        assert!(read(b"(;SZ[30])").unwrap_err().message.contains("30x30"));
        assert!(bytes("***").unwrap_err().message.contains("base64"));
    }
}
