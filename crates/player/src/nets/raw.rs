//! A network's evaluation of a position, without a search.

use goban::{Position, Symmetry};
use model::net::cpu::engine::Misfit;
use model::net::features;
use model::net::katago::KataGoNet;
use model::net::output::NetEvaluation;
use model::net::symmetry::Turning;
use model::net::{BoardInput, EncodedPosition, InputForm};

use super::NetFile;

/// A position as networks read it, with its history and what is legal in it, turned or reflected by `symmetry`.
pub fn encode(position: &Position, symmetry: Symmetry) -> EncodedPosition {
    let straight = features::encode(position);
    let mut turned = EncodedPosition::default();
    Turning::of_board(position.size(), symmetry).turn(InputForm::Board, &straight, &mut turned);
    turned
}

/// The question about an encoded position.
pub fn question(encoded: &EncodedPosition) -> BoardInput<'_> {
    encoded.board_input()
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
    let turning = Turning::of_board(position.size(), symmetry);
    turning.turn_back(&turned.policy, &mut out.policy);
    turning.turn_back(&turned.ownership, &mut out.ownership);
    Ok(out)
}

/// The same of a network from a file, with what another one says of the result where it has a second network.
///
/// # Errors
/// When the position does not fit a network, which none does.
pub fn evaluate_file(
    file: &NetFile,
    position: &Position,
    symmetry: Symmetry,
) -> Result<NetEvaluation, Misfit> {
    let found = evaluate(&file.net, position, symmetry)?;
    match &file.value {
        None => Ok(found),
        Some(value) => {
            let rest = evaluate(&value.file.net, position, symmetry)?;
            Ok(NetEvaluation { policy: found.policy, ..rest })
        }
    }
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
            for (from, to) in Turning::of_board(size, symmetry).places().enumerate() {
                assert_eq!(inside.policy[from], outside.policy[to], "{symmetry:?}");
                assert_eq!(inside.ownership[from], outside.ownership[to], "{symmetry:?}");
            }
            let b2 = 3 * 5 + 1;
            assert_eq!(inside.policy[b2], 0.0, "a stone is there");
        }
    }
}
