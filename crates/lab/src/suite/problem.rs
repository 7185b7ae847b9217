//! Problems as records: a position, and a tree of what may be tried.
//!
//! Every game tree of a file is a problem. The position is that before the first move of its main line, and who makes this
//! move is to find the answer. The moves that can be tried are the first move and its variations. Among them are right
//!
//! 1. those that are marked: a tesuji (`TE`) themselves, or with `RIGHT` or `CORRECT` as a word of their comment or of a
//!    comment further down the line (the convention of goproblems.com and its heirs);
//! 2. if none is, the first one, unless it is marked as bad (`BM`, `WV`, or `WRONG` or `INCORRECT` in its comment);
//! 3. if all are marked as bad, every other move.
//!
//! A tree without moves has no answer, and a game from the empty board without any mark is a game; both are not
//! applicable.

use std::path::Path;

use goban::{Color, Vertex};
use player::record as records;
use sgf::{Collection, Game, GameTree, NodeId, Step};

use super::record::{self, Until};
use super::{Defaults, QuestionKind, Remark, RightAnswer, Suite, SuiteCase, SuiteItem};
use crate::error::{Error, Result};

/// Reads all problems of a file.
pub(super) fn read(path: &Path, defaults: &Defaults) -> Result<Suite> {
    let bytes = std::fs::read(path).map_err(Error::unread(path, "an SGF file with problems"))?;
    let collection =
        Collection::read(&bytes).map_err(|error| Error::input(format!("{}: {error}", path.display())))?;
    if collection.games.is_empty() {
        return Err(Error::input(format!("{}: expected a record, but the file holds none", path.display())));
    }
    let mut suite = Suite::new(path, QuestionKind::Problems);
    suite.items = (1..).zip(&collection.games).map(|(number, tree)| item(number, tree, defaults)).collect();
    Ok(suite)
}

/// The problem of a tree; `number` is its place in the file.
fn item(number: usize, tree: &GameTree, defaults: &Defaults) -> SuiteItem {
    let remark = |text: String| Remark { name: number.to_string(), line: number, text };
    let game = match Game::new(tree) {
        Ok(game) => game,
        Err(error) => return SuiteItem::Error(remark(error.to_string())),
    };
    let name = match game.header.name.as_deref().map(str::trim) {
        Some(name) if !name.is_empty() => format!("{number} {name}"),
        _ => number.to_string(),
    };
    match case(&game, name, number, defaults) {
        Ok(Ok(case)) => SuiteItem::Case(Box::new(case)),
        Ok(Err(why)) => SuiteItem::Inapplicable(remark(why.to_string())),
        Err(error) => SuiteItem::Error(remark(error)),
    }
}

/// A move that can be tried, and what its branch says of it.
struct Try {
    vertex: Vertex,
    is_right: bool,
    is_bad: bool,
}

/// The case; inside, why the tree is no problem; outside, why it cannot be set up.
fn case(
    game: &Game<'_>,
    name: String,
    line: usize,
    defaults: &Defaults,
) -> std::result::Result<std::result::Result<SuiteCase, &'static str>, String> {
    // Before anything else: a board that cannot be is an error, whatever is to be found on it.
    let position = record::position_of(game, Until::Move(1), defaults).map_err(|error| error.to_string())?;
    let Some((first, color)) = first_move(game)? else { return Ok(Err("no move answers the position")) };
    let siblings = game.tree.parent(first).map_or(vec![first], |parent| game.tree.children(parent).collect());
    let mut tries = Vec::new();
    for node in siblings {
        let steps = game.steps(node).map_err(|error| error.to_string())?;
        tries.extend(move_of(&steps).filter(|&(by, _)| by == color).map(|(_, vertex)| Try {
            vertex,
            is_right: game.tree.is_marked_right(node),
            is_bad: game.tree.is_marked_wrong(node),
        }));
    }
    let is_marked = tries.iter().any(|one| one.is_right || one.is_bad);
    let has_stones = Color::BOTH.iter().any(|&color| position.board().n_on_board(color) > 0);
    if !is_marked && !has_stones {
        return Ok(Err("a game, not a problem: no stones are set up and no move is marked"));
    }
    let points = |pick: &dyn Fn(&Try) -> bool| -> Vec<Vertex> {
        tries.iter().filter(|one| pick(one)).map(|one| one.vertex).collect()
    };
    let mut best = points(&|one| one.is_right);
    let mut avoid = Vec::new();
    if best.is_empty() {
        match tries.first() {
            Some(main) if !main.is_bad => best.push(main.vertex),
            _ => {
                best = points(&|one| !one.is_bad);
                avoid = points(&|one| one.is_bad);
            }
        }
    }
    let show = |vertices: &[Vertex]| {
        vertices.iter().map(|&vertex| position.size().show(vertex)).collect::<Vec<_>>().join(" ")
    };
    let parts = [
        color.letter().to_string(),
        show(&best),
        if avoid.is_empty() { String::new() } else { format!("not {}", show(&avoid)) },
    ];
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let answer = RightAnswer::moves(text, best, avoid);
    Ok(Ok(SuiteCase { name, line, position, color, answer, expects_failure: false, source: None }))
}

/// The first node of the main line that moves, and who does.
fn first_move(game: &Game<'_>) -> std::result::Result<Option<(NodeId, Color)>, String> {
    for node in game.tree.main_line() {
        let steps = game.steps(node).map_err(|error| error.to_string())?;
        if let Some((color, _)) = move_of(&steps) {
            return Ok(Some((node, color)));
        }
    }
    Ok(None)
}

fn move_of(steps: &[Step]) -> Option<(Color, Vertex)> {
    steps.iter().find_map(|step| match step {
        Step::Move(next) => Some((records::to_color(next.color), records::to_vertex(next.point))),
        Step::Setup(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> Vec<String> {
        let collection = Collection::parse(text).unwrap();
        let defaults = Defaults::default();
        let show = |item: SuiteItem| match item {
            SuiteItem::Case(case) => format!("{}: {}", case.name, case.answer),
            SuiteItem::Inapplicable(remark) => format!("{}: n/a {}", remark.name, remark.text),
            SuiteItem::Error(remark) => format!("{}: error {}", remark.name, remark.text),
        };
        (1..).zip(&collection.games).map(|(number, tree)| show(item(number, tree, &defaults))).collect()
    }

    #[test]
    fn marks_say_what_is_right() {
        let start = "SZ[9]AB[cc][dd]AW[ee]";
        for (tree, answer) in [
            // Nothing is marked: the main line.
            (format!("(;{start}(;W[aa];B[bb])(;W[ff]))"), "1: W A9"),
            (format!("(;{start};W[aa])"), "1: W A9"),
            // Comments, at once or later, in a variation.
            (format!("(;{start}(;B[aa];W[ab])(;B[ff];W[gg];B[hh]C[Yes: RIGHT!]))"), "1: B F4"),
            (format!("(;{start}(;B[aa]C[Correct.])(;B[ff]C[correct])(;B[gg]))"), "1: B A9 F4"),
            (format!("(;{start}(;B[aa]C[That is not right])(;B[ff]C[Right]))"), "1: B F4"),
            // Other words hold these letters too.
            (format!("(;{start}(;B[aa]C[incorrect, outright bad])(;B[ff]))"), "1: B F4 not A9"),
            // Properties; the tesuji of the answer is not ours.
            (format!("(;{start}(;B[aa])(;B[ff]TE[1]))"), "1: B F4"),
            (format!("(;{start}(;B[aa];W[bb]TE[1])(;B[ff]C[RIGHT]))"), "1: B F4"),
            (format!("(;{start}(;B[aa]BM[1])(;B[ff]))"), "1: B F4 not A9"),
            (format!("(;{start}(;B[aa]BM[1])(;B[ff]WV[1]))"), "1: B not A9 F4"),
            // A variation of the other side is no answer.
            (format!("(;{start}PL[B](;B[aa])(;W[ff]C[RIGHT]))"), "1: B A9"),
            // The position may take several nodes, and a pass may be right.
            ("(;SZ[9]GN[Two eyes];AB[cc];AW[dd]PL[W];W[])".to_string(), "1 Two eyes: W pass"),
            ("(;SZ[9](;B[ee]TE[1])(;B[aa]))".to_string(), "1: B E5"),
        ] {
            assert_eq!(answers(&tree), [answer], "{tree}");
        }
    }

    #[test]
    fn what_is_no_problem_is_said() {
        let shown = answers(
            "(;SZ[9]AB[cc])(;SZ[9];B[ee];W[cc])(;GM[2])(;SZ[3]AB[aa]AW[ab][ba];B[cc])(;SZ[9]AB[cc];W[zz])",
        );
        assert_eq!(shown[0], "1: n/a no move answers the position");
        assert!(shown[1].contains("2: n/a a game, not a problem"), "{}", shown[1]);
        for (number, text) in (3..).zip(&shown[2..]) {
            assert!(text.starts_with(&format!("{number}: error ")), "{text}");
        }
    }
}
