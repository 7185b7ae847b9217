//! SGF for the page: a file becomes a tree of steps, comments and marks that the page can walk, and what the page changes goes
//! back into the file by node (`edit`). The page itself neither reads nor writes SGF, so whatever it does not know of
//! stays as it was.

mod edit;

pub(crate) use edit::write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use goban::{Rules, Size};
use player::record;
use sgf::{Collection, Coord, Game, GameTree, NodeId};

use crate::protocol::ask::Side;
use crate::protocol::spot::{PASS, SetupStep, SpotStep, point};
use crate::protocol::tell::{Markup, Num, Tree, TreeNode, TreeStop};
use crate::protocol::{Answer, Refusal};
use crate::table;
use player::record::NO_GAME;

/// Nodes of a file that the page is told of.
const MAX_NODES: usize = 20_000;
/// Bytes of all that the page is told of a file: a few letters of it may name the whole board.
const MAX_ANSWER: usize = 3 << 20;
/// Bytes of a node or a step without anything in it, and of a point.
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

/// The bytes of a file for a message.
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
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
    Ok(tell(&table::first_game(bytes)?, &mut Room::default())?.tree)
}

/// All games of a file as far as there is room for them; games that are none of Go are passed over. The last is whether
/// anything was left out.
pub(crate) fn read_all(bytes: &[u8]) -> Answer<(Vec<Tree>, bool)> {
    let collection = Collection::read(bytes).map_err(|error| invalid(&error))?;
    let mut room = Room::default();
    let mut told = Vec::new();
    let mut refusal = invalid(&NO_GAME);
    for tree in &collection.games {
        match tell(tree, &mut room) {
            Ok(game) => told.push(game.tree),
            Err(error) => {
                // What cannot be told is work as well.
                room.nodes = room.nodes.saturating_sub(tree.n_nodes());
                refusal = error;
            }
        }
        if room.is_full() {
            break;
        }
    }
    if told.is_empty() {
        return Err(refusal);
    }
    let is_cut = told.len() < collection.games.len() || told.iter().any(|tree| tree.is_cut);
    Ok((told, is_cut))
}

pub(crate) fn invalid(error: &dyn std::fmt::Display) -> Refusal {
    Refusal::invalid(format!("SGF: {error}"))
}

/// The room left in an answer.
struct Room {
    nodes: usize,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { nodes: MAX_NODES, bytes: MAX_ANSWER }
    }
}

impl Room {
    fn is_full(&self) -> bool {
        self.nodes == 0 || self.bytes == 0
    }

    /// Takes the room of a node; false, and the room is full, if there is none left for it.
    fn take(&mut self, node: &TreeNode) -> bool {
        let steps: usize = node.steps.iter().map(step_bytes).sum();
        let marks = node.marks.as_ref().map_or(0, |marks| {
            let labels = marks.labels.iter().map(|(_, text)| NODE_BYTES + text_bytes(text)).sum::<usize>();
            NODE_BYTES + POINT_BYTES * marks.n_points() + labels
        });
        let n_bytes = NODE_BYTES + steps + marks + text_bytes(&node.comment) + text_bytes(&node.name);
        let has_room = self.nodes > 0 && n_bytes <= self.bytes;
        self.bytes = if has_room { self.bytes - n_bytes } else { 0 };
        self.nodes = self.nodes.saturating_sub(1);
        has_room
    }
}

/// About how many bytes of an answer a step takes.
fn step_bytes(step: &SpotStep) -> usize {
    match step {
        SpotStep::Play(..) => NODE_BYTES,
        SpotStep::Setup(setup) => {
            NODE_BYTES + POINT_BYTES * (setup.black.len() + setup.white.len() + setup.empty.len())
        }
    }
}

/// Bytes of a text in an answer, where some letters are written as several.
fn text_bytes(text: &str) -> usize {
    let n_long = text.bytes().filter(|&c| c < b' ' || c == b'"' || c == b'\\').count();
    text.len() + 5 * n_long
}

/// A game as the page is told of it, and the nodes of the file by the numbers that the page knows them by.
struct Told {
    tree: Tree,
    ids: Vec<NodeId>,
}

fn tell(tree: &GameTree, room: &mut Room) -> Answer<Told> {
    let game = Game::new(tree).map_err(|error| invalid(&error))?;
    let size =
        Size::new(game.header.width.into(), game.header.height.into()).map_err(|error| invalid(&error))?;
    // Somebody's handicap counts only if its stones are there. A line that is too much work is shown, but not played.
    let (handicap, stopped) = match check_work(&game) {
        Ok(()) => {
            let (main, stopped) = record::playable(&game, Rules::CHINESE).map_err(|error| invalid(&error))?;
            (main.handicap(), stopped.map(|(node, error)| (node, main.plays().len(), error)))
        }
        Err(_) => (0, None),
    };
    if let Some((NodeId::ROOT, _, error)) = stopped {
        return Err(invalid(&error));
    }
    let komi = game.header.komi.map_or(table::default_komi(&game.header), |komi| komi as f32);
    let name = |player: &sgf::Player| player.name.clone().unwrap_or_default();
    let (ids, nodes, is_cut) = nodes(&game, size, stopped.as_ref().map(|(node, ..)| *node), room)?;
    let stop = stopped.map(|(_, moves, error)| TreeStop { moves, why: error.to_string() });
    let tree = Tree {
        number: None,
        sgf: None,
        name: game.header.name.clone().unwrap_or_default(),
        width: size.width(),
        height: size.height(),
        komi: Num(komi),
        rules: table::rules_of(&game).to_string(),
        handicap,
        players: [name(&game.header.black), name(&game.header.white)],
        result: game.header.result.to_string(),
        nodes,
        stop,
        is_cut,
    };
    Ok(Told { tree, ids })
}

/// All nodes as far as there is room, parents before children and main lines before variations; without the node that
/// cannot be played. The last is whether something else was left out.
fn nodes(
    game: &Game<'_>,
    size: Size,
    stop: Option<NodeId>,
    room: &mut Room,
) -> Answer<(Vec<NodeId>, Vec<TreeNode>, bool)> {
    let (mut ids, mut nodes, mut is_cut) = (Vec::new(), Vec::new(), false);
    let mut waiting = vec![(NodeId::ROOT, None)];
    while let Some((id, parent)) = waiting.pop() {
        if Some(id) == stop {
            continue;
        }
        // A variation that names points off the board is kept, but cannot be shown.
        let Ok(steps) = game.steps(id) else {
            is_cut = true;
            continue;
        };
        let own = nodes.len();
        let node = TreeNode {
            parent,
            steps: steps.iter().map(|step| to_step(size, step)).collect(),
            comment: game.comment(id).unwrap_or_default().into_owned(),
            name: game.tree.value(id, "N").map(|value| value.simple_text().into_owned()).unwrap_or_default(),
            marks: Markup::read(game, id, size),
            is_right: is_right(game.tree, id),
        };
        if !room.take(&node) {
            return if nodes.is_empty() {
                Err(invalid(&"the file is too large"))
            } else {
                Ok((ids, nodes, true))
            };
        }
        ids.push(id);
        nodes.push(node);
        let children: Vec<NodeId> = game.tree.children(id).collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, Some(own))));
    }
    Ok((ids, nodes, is_cut))
}

/// Whether a file of problems calls this node right or wrong.
fn is_right(tree: &GameTree, node: NodeId) -> Option<bool> {
    if tree.is_called_right(node) {
        return Some(true);
    }
    tree.is_marked_wrong(node).then_some(false)
}

fn to_step(size: Size, step: &sgf::Step) -> SpotStep {
    let points = |coords: &[Coord]| coords.iter().map(|&coord| to_point(size, coord)).collect();
    let side = |color| Side::from(record::to_color(color));
    match step {
        sgf::Step::Move(play) => {
            SpotStep::Play(side(play.color), play.point.map_or(PASS, |coord| to_point(size, coord)))
        }
        sgf::Step::Setup(setup) => SpotStep::Setup(SetupStep {
            black: points(&setup.black),
            white: points(&setup.white),
            empty: points(&setup.empty),
            to_play: setup.to_play.map(side),
        }),
    }
}

fn to_point(size: Size, coord: Coord) -> i32 {
    point(size, record::to_vertex(Some(coord)))
}

impl Markup {
    /// The marks with the properties that hold them.
    fn lists(&self) -> [(&'static str, &Vec<i32>); 7] {
        [
            ("TR", &self.triangle),
            ("SQ", &self.square),
            ("CR", &self.circle),
            ("MA", &self.cross),
            ("SL", &self.selected),
            ("TB", &self.black_territory),
            ("TW", &self.white_territory),
        ]
    }

    fn n_points(&self) -> usize {
        self.lists().iter().map(|(_, points)| points.len()).sum::<usize>() + self.labels.len()
    }

    /// The marks of a node; none if there are none.
    fn read(game: &Game<'_>, node: NodeId, size: Size) -> Option<Self> {
        let points = |ident| -> Vec<i32> {
            game.points(node, ident).into_iter().map(|coord| to_point(size, coord)).collect()
        };
        let labels = game.labels(node).into_iter().map(|(coord, text)| (to_point(size, coord), text));
        let marks = Self {
            triangle: points("TR"),
            square: points("SQ"),
            circle: points("CR"),
            cross: points("MA"),
            selected: points("SL"),
            black_territory: points("TB"),
            white_territory: points("TW"),
            labels: labels.collect(),
        };
        (marks != Self::default()).then_some(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_setups_and_marks_are_told() {
        let file = b"(;SZ[5]KM[0.5]AB[aa]PL[W]PB[Anna];W[cc]C[so]N[here]TR[aa:ba]LB[ee:x](;B[dd]TE[1];W[])(;B[bb]BM[1]))";
        let tree = read(file).unwrap();
        let parents: Vec<_> = tree.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(2), Some(1)]);
        assert_eq!(tree.nodes[1].steps, [SpotStep::Play(Side::White, 12)]);
        assert_eq!((tree.nodes[1].comment.as_str(), tree.nodes[1].name.as_str()), ("so", "here"));
        let marks = tree.nodes[1].marks.as_ref().unwrap();
        assert_eq!(
            (marks.triangle.as_slice(), marks.labels.as_slice()),
            (&[0, 1][..], &[(24, "x".into())][..])
        );
        assert_eq!(tree.nodes[3].steps, [SpotStep::Play(Side::White, PASS)]);
        let says: Vec<_> = tree.nodes.iter().map(|node| node.is_right).collect();
        assert_eq!(says, [None, None, Some(true), None, Some(false)]);
        let SpotStep::Setup(setup) = &tree.nodes[0].steps[0] else { panic!("no setup") };
        assert_eq!((setup.black.as_slice(), setup.to_play), (&[0][..], Some(Side::White)));
        assert_eq!((tree.players[0].as_str(), tree.komi), ("Anna", Num(0.5)));
    }

    #[test]
    fn depth_size_and_nonsense_do_no_harm() {
        let deep = format!("(;SZ[5]{}", "(;C[x]".repeat(50_000)) + &")".repeat(50_001);
        let tree = read(deep.as_bytes()).unwrap();
        assert!(tree.is_cut && tree.nodes.len() == MAX_NODES);
        let heavy = format!("(;SZ[25]{})", ";AB[aa:yx]TR[aa:yy];AE[aa:yx]".repeat(20_000));
        let tree = read(heavy.as_bytes()).unwrap();
        assert!(tree.is_cut && serde_json::to_string(&tree).unwrap().len() < 2 * MAX_ANSWER);
        let noise = format!("(;SZ[5]{})", format!(";C[{}]", "\u{1}".repeat(4000)).repeat(200));
        assert!(serde_json::to_string(&read(noise.as_bytes()).unwrap()).unwrap().len() < 2 * MAX_ANSWER);
        assert!(read(b"(;SZ[30])").unwrap_err().message.contains("30x30"));
        assert!(bytes("***").unwrap_err().message.contains("base64"));
    }

    #[test]
    fn a_record_is_told_up_to_what_cannot_be_played() {
        let tree = read(b"(;SZ[5];B[aa](;W[aa];B[bb])(;W[cc]))").unwrap();
        assert_eq!(tree.nodes.len(), 3);
        let stop = tree.stop.unwrap();
        assert!(stop.moves == 1 && stop.why.contains("move 2") && stop.why.contains("A5"), "{stop:?}");
        assert_eq!(tree.nodes[2].steps, [SpotStep::Play(Side::White, 12)]);
        let tree = read(b"(;SZ[5];B[aa];W[zz];B[bb])").unwrap();
        assert!(tree.nodes.len() == 2 && tree.stop.unwrap().why.contains("zz"));
        // A bad point in a variation is no reason to stop.
        let tree = read(b"(;SZ[5];B[aa](;W[bb])(;W[zz];B[ee]))").unwrap();
        assert!(tree.nodes.len() == 3 && tree.stop.is_none() && tree.is_cut);
        // Stones that cannot stand in the root leave nothing to show.
        assert!(read(b"(;SZ[5]AB[aa]AW[ab][ba])").is_err());
    }

    #[test]
    fn all_games_of_a_file_are_told() {
        let (trees, is_cut) = read_all(b"(;SZ[5]GN[one];B[aa])(;SZ[9]GN[two])").unwrap();
        assert!(trees.len() == 2 && !is_cut);
        let (_, is_cut) = read_all(b"(;SZ[5](;B[aa])(;B[zz]))").unwrap();
        assert!(is_cut, "a variation is left out");
        let large = "(;SZ[5];B[aa])".repeat(MAX_NODES);
        let (trees, is_cut) = read_all(large.as_bytes()).unwrap();
        assert!(trees.len() == MAX_NODES / 2 && is_cut, "{} games", trees.len());
        let (trees, is_cut) = read_all(b"(;SZ[5]GN[one];B[aa])(;GM[2])(;SZ[9]GN[two])").unwrap();
        assert!(is_cut, "a game of something else is left out");
        let names: Vec<_> = trees.iter().map(|tree| tree.name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert!(read_all(b"(;GM[2])").unwrap_err().message.contains("not Go"));
    }
}
