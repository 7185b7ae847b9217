//! Tactics against brute force on random positions: what a question says must be what playing it out shows.

mod random;

use goban::tactics::{self, Candidates, Distances, Strength};
use goban::{Board, Color, Full, Lean, Point, PointSet, SizeClass, Upto9, Upto13, Upto19};
use random::{chains, on_random_boards, played};

fn check_after<C: SizeClass>(board: &Board<C>) {
    for color in Color::BOTH {
        for point in board.empty().iter() {
            let found = tactics::after(board, color, point);
            let n_taken =
                (board.n_on_board(!color) - played(board, color, point).n_on_board(!color), found.n_captured);
            assert_eq!(n_taken.0, n_taken.1, "{board:?}");
            assert_eq!(found.n_captured, tactics::after::n_captured_by(board, color, point));
            if board.is_suicide_for(color, point) {
                assert!(found.liberties.is_empty());
                continue;
            }
            let copy = played(board, color, point);
            assert_eq!(found.liberties, copy.liberties(point), "{board:?}");
            assert_eq!(found.n_stones, copy.chain_len(point));
            let n_liberties = copy.liberties(point).len();
            for limit in 1..5 {
                let n = tactics::n_liberties_after(board, color, point, limit);
                assert_eq!(n.min(limit), n_liberties.min(limit), "{board:?}");
                assert!(n <= n_liberties);
            }
        }
    }
}

#[test]
fn a_move_is_foreseen_as_it_is_played() {
    on_random_boards::<Upto9>(60, 3, check_after);
    on_random_boards::<Upto13>(6, 9, check_after);
    on_random_boards::<Upto19>(3, 25, check_after);
}

/// The legal points that take something, by trying all.
fn all_captures<C: SizeClass>(board: &Board<C>, color: Color) -> Vec<Point> {
    let takes = |point: &Point| played(board, color, *point).n_on_board(!color) < board.n_on_board(!color);
    board.empty().iter().filter(|&point| board.is_legal(color, point)).filter(takes).collect()
}

fn sorted(out: &Candidates) -> Vec<Point> {
    let mut points = out.as_slice().to_vec();
    points.sort();
    points
}

#[test]
fn captures_are_all_the_captures() {
    on_random_boards::<Upto9>(60, 2, |board| {
        for color in Color::BOTH {
            let mut out = Candidates::new();
            tactics::atari::captures(board, color, &mut out);
            assert_eq!(sorted(&out), all_captures(board, color), "{board:?}");
        }
    });
}

fn check_saves(board: &Board<Upto9, Full>, color: Color, stone: Point) {
    let mut counter = Candidates::new();
    tactics::atari::counter_captures(board, stone, &mut counter);
    // A capture is a counter-capture if it gives the chain a liberty where a stone stood.
    let frees = |&point: &Point| {
        let copy = played(board, color, point);
        let taken = board.stones(!color).difference(&copy.stones(!color));
        let touches = |own| taken.iter().any(|stone| board.neighbours(own).any(|near| near == stone));
        board.chain(stone).any(touches)
    };
    let expected: Vec<Point> = all_captures(board, color).into_iter().filter(frees).collect();
    assert_eq!(sorted(&counter), expected, "{board:?}");
    assert_eq!(tactics::atari::has_counter_capture(board, stone), !expected.is_empty());
    // A board that does not keep the chains in atari finds them by walking around the chain.
    let lean = board.keeping::<Lean>();
    let mut walked = Candidates::new();
    tactics::atari::counter_captures(&lean, stone, &mut walked);
    assert_eq!(sorted(&walked), expected, "{board:?}");
    assert_eq!(tactics::atari::has_counter_capture(&lean, stone), !expected.is_empty());

    let mut saves = Candidates::new();
    tactics::atari::saves(board, stone, &mut saves);
    let liberty = board.liberties(stone).first().unwrap();
    let extends =
        board.is_legal(color, liberty) && played(board, color, liberty).liberties(liberty).len() >= 2;
    assert_eq!(saves.contains(liberty), extends || expected.contains(&liberty), "{board:?}");
}

#[test]
fn saves_are_what_frees_a_chain() {
    on_random_boards::<Upto9>(60, 2, |board| {
        for color in Color::BOTH {
            for stone in chains(board, color).into_iter().filter(|&stone| board.liberties(stone).len() == 1) {
                check_saves(board, color, stone);
            }
        }
    });
}

#[test]
fn a_snapback_loses_the_taker() {
    let mut n_seen = 0;
    on_random_boards::<Upto9>(200, 2, |board| {
        for color in Color::BOTH {
            for point in board.empty().iter().filter(|&point| board.is_legal(color, point)) {
                let copy = played(board, color, point);
                let n_taken = board.n_on_board(!color) - copy.n_on_board(!color);
                let retaken = tactics::atari::taking_point(&copy, point);
                let is_snapback = n_taken == 1 && copy.chain_len(point) > 1 && retaken.is_some();
                assert_eq!(tactics::atari::is_snapped_back(board, color, point), is_snapback, "{board:?}");
                n_seen += usize::from(is_snapback);
            }
        }
    });
    assert!(n_seen > 10, "only {n_seen} snapbacks");
}

/// Why a self-atari that leaves `copy` may be good, by playing on: something was taken, the single stone is retaken with
/// interest or stands in the enemy's eye, or the stones fill a space that has no other liberty around.
fn has_excuse(board: &Board<Upto9>, copy: &Board<Upto9>, color: Color, point: Point) -> bool {
    let n_taken = board.n_on_board(!color) - copy.n_on_board(!color);
    let n_stones = copy.chain_len(point);
    if n_taken > 0 {
        return n_taken > 1 || n_stones == 1;
    }
    let liberty = copy.liberties(point).first().unwrap();
    if n_stones == 1 {
        let taken = played(copy, !color, liberty);
        let is_snapback = copy.is_legal(!color, liberty)
            && taken.chain_len(liberty) > 1
            && taken.liberties(liberty).iter().eq([point]);
        let n_sides = board.neighbours(point).filter(|&near| board.stone(near) != Some(!color)).count();
        return is_snapback || n_sides == 1;
    }
    let stones = copy.chain(point).collect::<Vec<_>>();
    let mut around = stones.iter().flat_map(|&stone| copy.neighbours(stone));
    let is_enclosed =
        around.all(|near| copy.stone(near) != Some(!color) || copy.liberties(near).iter().eq([liberty]));
    is_enclosed && stones.len() <= 6
}

#[test]
fn bad_self_atari_is_self_atari_without_excuse() {
    let (mut n_bad, mut n_excused) = (0, 0);
    on_random_boards::<Upto9>(120, 2, |board| {
        for color in Color::BOTH {
            for point in board.empty().iter() {
                let is_bad = tactics::is_bad_self_atari(board, color, point, Strength::Strict);
                let is_big = tactics::is_bad_self_atari(board, color, point, Strength::Big);
                assert!(is_bad || !is_big, "{board:?}");
                if board.is_suicide_for(color, point) {
                    assert!(is_big, "{board:?}");
                    continue;
                }
                let copy = played(board, color, point);
                if copy.liberties(point).len() >= 2 {
                    assert!(!is_bad, "{board:?}");
                } else if is_bad {
                    assert!(copy.chain_len(point) < 3 || is_big || has_excuse(board, &copy, color, point));
                    n_bad += 1;
                } else {
                    assert!(has_excuse(board, &copy, color, point), "{color} {point:?} {board:?}");
                    n_excused += 1;
                }
            }
        }
    });
    assert!(n_bad > 1000 && n_excused > 100, "{n_bad} bad, {n_excused} excused");
}

#[test]
fn two_liberty_moves_do_what_they_say() {
    let (mut n_attacks, mut n_defences, mut n_miai) = (0, 0, 0);
    on_random_boards::<Upto9>(120, 2, |board| {
        for owner in Color::BOTH {
            for stone in chains(board, owner).into_iter().filter(|&stone| board.liberties(stone).len() == 2) {
                let (mut attacks, mut defences) = (Candidates::new(), Candidates::new());
                tactics::two_liberty::attack(board, stone, &mut attacks);
                tactics::two_liberty::defend(board, stone, &mut defences);
                if tactics::two_liberty::has_miai(board, stone) {
                    assert!(attacks.is_empty() && defences.is_empty());
                    n_miai += 1;
                }
                for point in attacks.iter() {
                    assert!(board.is_legal(!owner, point), "{board:?}");
                    assert!(!tactics::is_bad_self_atari(board, !owner, point, Strength::Strict));
                    n_attacks += 1;
                }
                for point in defences.iter() {
                    assert!(board.is_legal(owner, point), "{board:?}");
                    n_defences += 1;
                }
            }
        }
    });
    assert!(n_attacks > 500 && n_defences > 500 && n_miai > 50, "{n_attacks} {n_defences} {n_miai}");
}

/// The connected empty points around one, by the slow way.
fn slow_space(board: &Board<Upto9>, point: Point) -> Vec<Point> {
    let mut space = vec![point];
    let mut i = 0;
    while let Some(&here) = space.get(i) {
        for near in board.neighbours(here).filter(|&near| board.stone(near).is_none()) {
            if !space.contains(&near) {
                space.push(near);
            }
        }
        i += 1;
    }
    space.sort();
    space
}

#[test]
fn eye_spaces_are_small_and_of_one_colour() {
    let mut n_found = 0;
    on_random_boards::<Upto9>(60, 3, |board| {
        for point in board.empty().iter() {
            let space = slow_space(board, point);
            let touches = |color| {
                space.iter().any(|&here| board.neighbours(here).any(|near| board.stone(near) == Some(color)))
            };
            let owner = match (touches(Color::Black), touches(Color::White)) {
                (true, false) => Some(Color::Black),
                (false, true) => Some(Color::White),
                _ => None,
            };
            let found = tactics::nakade::eye_space(board, point);
            let expected = owner.filter(|_| space.len() <= 6);
            assert_eq!(found.map(|(_, owner)| owner), expected, "{board:?}");
            if let Some((found, _)) = found {
                assert_eq!(found.iter().collect::<Vec<_>>(), space);
                n_found += 1;
            }
        }
    });
    assert!(n_found > 500, "only {n_found} eye spaces");
}

#[test]
fn distances_are_shortest_paths() {
    on_random_boards::<Upto9>(12, 11, |board| {
        let points: Vec<Point> = board.size().vertices().map(|vertex| board.point(vertex)).collect();
        for &start in points.iter().step_by(7) {
            // Relaxation until nothing changes: a step inside a chain is free, any other costs 1.
            let mut slow = std::collections::HashMap::from([(start, 0u8)]);
            loop {
                let before = slow.clone();
                for &point in &points {
                    let Some(&here) = slow.get(&point) else { continue };
                    for near in board.neighbours(point) {
                        let is_free = board.stone(point).is_some() && board.stone(point) == board.stone(near);
                        let there = slow.entry(near).or_insert(u8::MAX);
                        *there = (*there).min(here + u8::from(!is_free));
                    }
                }
                if slow == before {
                    break;
                }
            }
            for limit in [0, 2, 200] {
                let mut found = Distances::new();
                found.measure(board, start, limit);
                for &point in &points {
                    let expected = if slow[&point] <= limit { slow[&point] } else { u8::MAX };
                    assert_eq!(found.at(point), expected, "{board:?}");
                }
            }
        }
    });
}

#[test]
fn joining_makes_one_chain_of_several() {
    on_random_boards::<Upto9>(40, 3, |board| {
        for color in Color::BOTH {
            for point in board.empty().iter().filter(|&point| board.is_legal(color, point)) {
                let n_joined = tactics::connect::n_joined(board, color, point);
                let n_before = chains(board, color).len();
                assert_eq!(chains(&played(board, color, point), color).len(), n_before + 1 - n_joined);
                if tactics::connect::is_only_link(board, color, point) {
                    assert!(n_joined >= 2);
                }
            }
        }
    });
}
