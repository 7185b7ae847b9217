//! What a network says of a position by itself, without a search.

use goban::{Ko, Position, Scoring, Symmetry};
use model::net::cpu::engine::Misfit;
use model::net::features::GameInput;
use model::net::graph::{N_GLOBALS, N_PLANES};
use model::net::katago::KataGoNet;
use model::net::output::{NetEvaluation, NetInput};
use model::net::{BoardInput, EncodedPosition};

/// A position as networks read it, with its history and what is legal in it, turned or reflected by `symmetry`.
pub fn encode(position: &Position, symmetry: Symmetry) -> EncodedPosition {
    let (size, rules) = (position.size(), position.rules());
    let mut planes = vec![0.0; N_PLANES * size.area()];
    let mut globals = [0.0; N_GLOBALS];
    GameInput::new(position).fill(&mut planes, &mut globals);
    let board = [symmetry.size(size).width(), symmetry.size(size).height()];
    let mut turned = vec![0.0; planes.len()];
    let mut legal = vec![true; size.area() + 1];
    for (from, (vertex, to)) in size.vertices().zip(places(position, symmetry)).enumerate() {
        turned[N_PLANES * to..][..N_PLANES].copy_from_slice(&planes[N_PLANES * from..][..N_PLANES]);
        legal[to] = position.is_legal(position.to_play(), vertex);
    }
    let may_end_without_result = rules.ko == Ko::Simple || rules.scoring == Scoring::Territory;
    EncodedPosition { planes: turned, globals: globals.to_vec(), board, legal, may_end_without_result }
}

/// Where each point goes, in rows from the top.
fn places(position: &Position, symmetry: Symmetry) -> impl Iterator<Item = usize> {
    let size = position.size();
    let width = symmetry.size(size).width();
    size.vertices().map(move |vertex| {
        let to = symmetry.apply(size, vertex);
        to.row() * width + to.col()
    })
}

/// The question about an encoded position.
pub fn question(encoded: &EncodedPosition) -> BoardInput<'_> {
    let EncodedPosition { planes, globals, board: [width, height], legal, may_end_without_result } = encoded;
    let input = NetInput { width: *width, height: *height, point_planes: planes, globals };
    BoardInput { input, legal, may_end_without_result: *may_end_without_result }
}

/// The network's evaluation of a position, from the side of the player to move. The network sees the position turned or
/// reflected by `symmetry`; what it says of points is turned back.
///
/// # Errors
/// When the position does not fit the network, which none does.
pub fn evaluate(net: &KataGoNet, position: &Position, symmetry: Symmetry) -> Result<NetEvaluation, Misfit> {
    let encoded = encode(position, symmetry);
    let turned = net.evaluation(&question(&encoded))?;
    let mut out = turned.clone();
    for (from, to) in places(position, symmetry).enumerate() {
        out.policy[from] = turned.policy[to];
        out.ownership[from] = turned.ownership[to];
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Color, Rules, Size};
    use model::net::sample;

    #[test]
    fn a_turned_position_is_seen_as_the_turned_position_is() {
        let net = KataGoNet::new(sample::conv_graph(8, 6, 2));
        let size = Size::square(5).unwrap();
        let game = |moves: &[&str], symmetry: Symmetry| {
            let mut game = Position::new(size, Rules::CHINESE);
            for text in moves {
                let vertex = symmetry.apply(size, size.parse_vertex(text).unwrap());
                game.play(game.to_play(), vertex).unwrap();
            }
            game
        };
        let moves = ["B2", "D4", "C5"];
        let straight = game(&moves, Symmetry::IDENTITY);
        assert_eq!(straight.to_play(), Color::White);
        for symmetry in Symmetry::ALL {
            let inside = evaluate(&net, &straight, symmetry).unwrap();
            let outside = evaluate(&net, &game(&moves, symmetry), Symmetry::IDENTITY).unwrap();
            assert_eq!((inside.p_win, inside.lead), (outside.p_win, outside.lead));
            for (from, to) in places(&straight, symmetry).enumerate() {
                assert_eq!(inside.policy[from], outside.policy[to], "{symmetry:?}");
                assert_eq!(inside.ownership[from], outside.ownership[to], "{symmetry:?}");
            }
            let b2 = 3 * 5 + 1;
            assert_eq!(inside.policy[b2], 0.0, "a stone is there");
        }
    }
}
