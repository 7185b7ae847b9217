//! Stones that Benson's algorithm calls alive survive any attack, although its owner always passes.

use goban::{Color, Position, Rng, Rules, Setup, Size, Vertex};

/// A random move of `color` that fills no own eye, or none.
fn random_move(position: &Position, color: Color, rng: &mut Rng) -> Option<Vertex> {
    let rule = goban::EyeRule::Standard;
    let mut moves = position.legal_moves(color);
    moves.retain(|&vertex| !position.board().is_eye(vertex, color, rule));
    (!moves.is_empty()).then(|| moves[rng.below(moves.len() as u32) as usize])
}

/// Plays a random game until both pass.
fn random_game(size: Size, rng: &mut Rng) -> Position {
    let mut position = Position::new(size, Rules::CHINESE);
    while !position.is_over() && position.plays().len() < 3 * size.area() {
        let color = position.to_play();
        let vertex = random_move(&position, color, rng).unwrap_or(Vertex::PASS);
        position.play(color, vertex).unwrap();
    }
    position
}

/// Lets the enemy of `owner` play `n` moves in a row anywhere; the owner passes.
fn attack(position: &Position, owner: Color, n: usize, rng: &mut Rng) -> Position {
    let setup: Setup = position.to_setup();
    let rules = Rules { suicide: true, ..Rules::CHINESE };
    let mut attacked = Position::from_setup(&setup, !owner, rules).unwrap();
    for _ in 0..n {
        let moves = attacked.legal_moves(!owner);
        let Some(&vertex) = moves.get(rng.below(moves.len().max(1) as u32) as usize) else { break };
        attacked.play(!owner, vertex).unwrap();
        attacked.play(owner, Vertex::PASS).unwrap();
    }
    attacked
}

#[test]
fn pass_alive_stones_survive_any_attack() {
    let mut rng = Rng::new(1);
    let mut n_alive = 0;
    for i in 0..400 {
        let size = Size::new(3 + i % 6, 3 + i / 6 % 6).unwrap();
        let position = random_game(size, &mut rng);
        for owner in Color::BOTH {
            let before = position.board().pass_alive(owner);
            n_alive += usize::from(!before.stones.is_empty());
            let attacked = attack(&position, owner, 3 * size.area(), &mut rng);
            let after = attacked.board().pass_alive(owner);
            for vertex in &before.stones {
                assert!(after.stones.contains(vertex), "{:?}\n{:?}", position.board(), attacked.board());
            }
            for vertex in &before.territory {
                assert!(after.territory.contains(vertex), "{:?}\n{:?}", position.board(), attacked.board());
            }
            // Nothing of the enemy lives in it.
            let enemy = position.board().pass_alive(!owner);
            assert!(before.territory.iter().all(|vertex| !enemy.stones.contains(vertex)));
        }
    }
    assert!(n_alive > 200, "only {n_alive} boards had pass-alive stones");
}
