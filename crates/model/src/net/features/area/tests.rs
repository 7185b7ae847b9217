use super::*;
use crate::net::features::tests::{Told, drawn, wander};
use goban::{Position, Size, Vertex};

/// The areas with Black to move, so that `X` is Black's.
fn area(drawing: &str, rules: Rules) -> String {
    Told::of(&drawn(drawing, Color::Black, rules)).draw(plane::OWN_AREA, plane::OTHER_AREA)
}

fn lines(drawing: &str) -> String {
    drawing.replace(' ', "")
}

#[test]
fn an_empty_board_belongs_to_nobody() {
    assert_eq!(area(". . .\n. . .\n. . .", Rules::CHINESE), "...\n...\n...");
    assert_eq!(area(". . .\n. X .\n. . .", Rules::CHINESE), "XXX\nXXX\nXXX");
    assert_eq!(area(". . .\n. X O\n. . .", Rules::CHINESE), "...\n.XO\n...");
}

const SHARED: &str = "\
    . X . X O .\n\
    X X X X O O\n\
    . O . O O .\n\
    . . O . O .\n\
    . . . . O .";

#[test]
fn regions_go_to_who_surrounds_them() {
    assert_eq!(
        area(SHARED, Rules::CHINESE),
        lines("X X X X O O\nX X X X O O\n. O . O O O\n. . O . O O\n. . . . O O")
    );
    // From White's side the planes change places.
    let told = Told::of(&drawn(SHARED, Color::White, Rules::CHINESE));
    assert_eq!(told.points(plane::OTHER_AREA), "A5 B5 C5 D5 A4 B4 C4 D4");
    assert_eq!(told.points(plane::OWN_AREA).split(' ').count(), 13);
}

/// Black is pass-alive around A5 and C5; the white stones below it are dead in the corner he also encloses.
const DEAD: &str = "\
    . X . X . .\n\
    X X X X . .\n\
    O . O X . .\n\
    X X X X . .\n\
    . . . . . O";

#[test]
fn stones_in_pass_alive_territory_are_dead() {
    let dead = lines("X X X X . .\nX X X X . .\nX X X X . .\nX X X X . .\n. . . . . O");
    assert_eq!(area(DEAD, Rules::CHINESE), dead);
    assert_eq!(area(DEAD, Rules::TROMP_TAYLOR), dead);
    // With a single eye no stone is safe, and none is dead.
    let one_eye = DEAD.replacen(". X . X", "X X X X", 1);
    assert_eq!(
        area(&one_eye, Rules::CHINESE),
        lines("X X X X . .\nX X X X . .\nO . O X . .\nX X X X . .\n. . . . . O")
    );
}

#[test]
fn room_for_an_eye_is_not_dead() {
    // Black is safe in the corner, but many points of the large region lie beside no black stone.
    let board = "\
        . X . X X X X\n\
        X X X . . . X\n\
        X . . . . . X\n\
        X . . O O . X\n\
        X . . . . . X\n\
        X X X X X X X";
    let expected = "\
        X X X X X X X\n\
        X X X . . . X\n\
        X . . . . . X\n\
        X . . O O . X\n\
        X . . . . . X\n\
        X X X X X X X";
    assert_eq!(area(board, Rules::CHINESE), lines(expected));
    // Without the stones it is Black's, however large.
    assert!(!area(&board.replace('O', "."), Rules::CHINESE).contains('.'));
}

#[test]
fn suicide_makes_fewer_regions_vital() {
    // Both regions beside the eye in the corner hold a white stone that no black stone touches. Where White may not fill his
    // own last liberty, it is enough that their empty points are liberties of the chain: Black is safe.
    let board = "\
        . X X X X .\n\
        X X O O X .\n\
        X O O O X .\n\
        X O O . X .\n\
        X X X X X .\n\
        . . . . . O";
    assert_eq!(area(board, Rules::CHINESE), "XXXXXX\nXXXXXX\nXXXXXX\nXXXXXX\nXXXXXX\nXXXXXX");
    assert_eq!(
        area(board, Rules::TROMP_TAYLOR),
        lines("X X X X X .\nX X O O X .\nX O O O X .\nX O O . X .\nX X X X X .\n. . . . . O")
    );
}

#[test]
fn tax_leaves_only_stones_in_seki() {
    // Black's corner and White's edge live without neutral points beside them; the rest shares one at C3.
    let board = "\
        . X . X O .\n\
        X X X X O O\n\
        O O . X O .\n\
        . O X X O O\n\
        O O X X O .";
    assert_eq!(
        area(board, Rules::CHINESE),
        lines("X X X X O O\nX X X X O O\nO O . X O O\nO O X X O O\nO O X X O O")
    );
    let taxed = lines(". X . X O O\nX X X X O O\nO O . X O O\n. O X X O O\nO O X X O O");
    assert_eq!(area(board, Rules { tax: Tax::Seki, ..Rules::CHINESE }), taxed);
    assert_eq!(area(board, Rules::STONE_SCORING), taxed);
    assert_eq!(
        area(board, Rules::JAPANESE),
        lines(". . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .")
    );
}

/// The same by the book: points one at a time, lists for sets.
struct Slow<'a> {
    game: &'a Position,
    n: usize,
    owner: Vec<Option<Color>>,
}

impl Slow<'_> {
    fn near(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let size = self.game.size();
        let (col, row) = ((at % size.width()) as isize, (at / size.width()) as isize);
        [(0, -1), (-1, 0), (1, 0), (0, 1)].into_iter().filter_map(move |(dx, dy)| {
            let (x, y) = (col + dx, row + dy);
            let is_on = x >= 0 && y >= 0 && (x as usize) < size.width() && (y as usize) < size.height();
            is_on.then(|| y as usize * size.width() + x as usize)
        })
    }

    fn stone(&self, at: usize) -> Option<Color> {
        let width = self.game.size().width();
        self.game.board().stone(Vertex::new(at % width, at / width))
    }

    fn parts(&self, is_in: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.n];
        let mut parts = Vec::new();
        for start in (0..self.n).filter(|&at| is_in(at)) {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut part = vec![start];
            let mut i = 0;
            while i < part.len() {
                for near in self.near(part[i]).filter(|&near| is_in(near)) {
                    if !std::mem::replace(&mut seen[near], true) {
                        part.push(near);
                    }
                }
                i += 1;
            }
            parts.push(part);
        }
        parts
    }

    fn claim(&mut self, color: Color) {
        let suicide = self.game.rules().suicide;
        let mut chains = self.parts(|at| self.stone(at) == Some(color));
        let regions = self.parts(|at| self.stone(at) != Some(color));
        if chains.is_empty() {
            return;
        }
        let touches = |at: usize, chain: &Vec<usize>| self.near(at).any(|near| chain.contains(&near));
        let mut is_open = vec![false; regions.len()];
        loop {
            let is_vital = |r: usize, chain: &Vec<usize>| {
                !is_open[r]
                    && regions[r].iter().all(|&at| !suicide && self.stone(at).is_some() || touches(at, chain))
            };
            let (alive, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut chains)
                .into_iter()
                .partition(|chain| (0..regions.len()).filter(|&r| is_vital(r, chain)).count() >= 2);
            chains = alive;
            if dropped.is_empty() {
                break;
            }
            for (r, region) in regions.iter().enumerate() {
                is_open[r] |= region.iter().any(|&at| dropped.iter().any(|chain| touches(at, chain)));
            }
        }
        let mut owner = self.owner.clone();
        chains.iter().flatten().for_each(|&at| owner[at] = Some(color));
        for (r, region) in regions.iter().enumerate() {
            let is_inner = |at: usize| self.near(at).all(|near| self.stone(near) != Some(color));
            let is_empty = region.iter().all(|&at| self.stone(at).is_none());
            let n_inner = region.iter().filter(|&&at| is_inner(at)).count();
            if !is_open[r] && (n_inner <= 1 || is_empty) {
                region.iter().for_each(|&at| owner[at] = Some(color));
            } else if is_empty {
                region.iter().for_each(|&at| owner[at] = owner[at].or(Some(color)));
            }
        }
        self.owner = owner;
    }

    fn tax(&mut self) {
        let mut owner = vec![None; self.n];
        for color in Color::BOTH {
            for part in self.parts(|at| self.owner[at] == Some(color)) {
                let is_seki = part.iter().any(|&at| {
                    let in_atari = self.stone(at) == Some(color) && {
                        let width = self.game.size().width();
                        self.game.board().n_liberties(Vertex::new(at % width, at / width)) == 1
                    };
                    in_atari
                        || self.near(at).any(|near| self.stone(near).is_none() && self.owner[near].is_none())
                });
                for at in part {
                    if !is_seki || self.stone(at) == Some(color) {
                        owner[at] = Some(color);
                    }
                }
            }
        }
        self.owner = owner;
    }

    fn draw(game: &Position) -> String {
        let n = game.size().area();
        let mut slow = Slow { game, n, owner: vec![None; n] };
        if game.rules().scoring == Scoring::Area {
            slow.claim(Color::Black);
            slow.claim(Color::White);
            slow.owner = (0..n).map(|at| slow.owner[at].or(slow.stone(at))).collect();
            if game.rules().tax != Tax::None {
                slow.tax();
            }
        }
        let sign = |owner: &Option<Color>| match owner {
            Some(color) if *color == game.to_play() => 'X',
            Some(_) => 'O',
            None => '.',
        };
        let rows = slow.owner.chunks(game.size().width()).map(|row| row.iter().map(sign).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn the_slow_way_finds_the_same() {
    let mut n_dead = 0;
    for seed in 0..60 {
        let size = [Size::square(5), Size::square(7), Size::new(9, 6)][seed as usize % 3].unwrap();
        wander(size, seed, |game| {
            let drawing = Told::of(game).draw(plane::OWN_AREA, plane::OTHER_AREA);
            assert_eq!(drawing, Slow::draw(game), "{}\n{}", game.rules(), game.board());
            let stones = Told::of(game).draw(plane::OWN, plane::OTHER);
            n_dead +=
                drawing.chars().zip(stones.chars()).filter(|(a, b)| *b != '.' && *a != '.' && a != b).count();
        });
    }
    assert!(n_dead > 100, "{n_dead} dead stones are not enough to prove anything");
}
