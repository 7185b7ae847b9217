//! Turned and reflected questions. A network has learned the symmetries of the board only about: shown a position turned, it
//! answers a little differently, and what it says of points is turned back.

use super::{EncodedPosition, InputForm};
use crate::net::graph::N_PLANES;
use goban::{Size, Symmetry};

/// A turn or reflection of positions in the form that a network reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turning {
    /// By place in a policy, the place in that of the turned position. Places behind the last stay where they are, as the pass does.
    to: Box<[u16]>,
    /// Whether columns and rows are exchanged.
    is_transposed: bool,
}

impl Turning {
    /// A symmetry of boards of `size` whose points are counted in rows from the top.
    pub fn of_board(size: Size, symmetry: Symmetry) -> Turning {
        let turned = symmetry.size(size);
        let place = |vertex| {
            let to = symmetry.apply(size, vertex);
            (to.row() * turned.width() + to.col()) as u16
        };
        Turning { to: size.vertices().map(place).collect(), is_transposed: turned != size }
    }

    /// The symmetry that takes each action to the one that `to` has for it, in a game's own form: a permutation of all actions.
    pub fn of_actions(to: impl IntoIterator<Item = u16>) -> Turning {
        Turning { to: to.into_iter().collect(), is_transposed: false }
    }

    /// Where each place goes, but for those behind the last, which stay.
    pub fn places(&self) -> impl ExactSizeIterator<Item = usize> {
        self.to.iter().map(|&to| usize::from(to))
    }

    /// Whether columns and rows are exchanged.
    pub fn is_transposed(&self) -> bool {
        self.is_transposed
    }

    /// The turned position.
    pub fn turn(&self, form: InputForm, position: &EncodedPosition, out: &mut EncodedPosition) {
        // What does not move is copied, and the buffers, which are used again, have the right length afterwards.
        let EncodedPosition { planes, globals, board, legal, may_end_without_result } = position;
        out.planes.clone_from(planes);
        out.globals.clone_from(globals);
        out.legal.clone_from(legal);
        (out.board, out.may_end_without_result) = (*board, *may_end_without_result);
        if self.is_transposed {
            out.board.reverse();
        }
        match form {
            InputForm::Board => {
                let points = position.planes.chunks_exact(N_PLANES).zip(&position.legal).zip(self.places());
                for ((planes, &is_legal), to) in points {
                    out.planes[N_PLANES * to..][..N_PLANES].copy_from_slice(planes);
                    out.legal[to] = is_legal;
                }
            }
            InputForm::Planes => {
                let n_cells = self.to.len().max(1);
                let planes = position.planes.chunks_exact(n_cells);
                for (from, out) in planes.zip(out.planes.chunks_exact_mut(n_cells)) {
                    self.places().zip(from).for_each(|(to, value)| out[to] = *value);
                }
            }
        }
    }

    /// What a network says of the points of the turned position, turned back.
    pub fn turn_back(&self, turned: &[f32], out: &mut Vec<f32>) {
        out.clear();
        let n_turned = self.to.len().min(turned.len());
        out.extend(self.places().take(n_turned).map(|to| turned.get(to).copied().unwrap_or(0.0)));
        out.extend_from_slice(&turned[n_turned..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::Vertex;

    /// A board whose points have their own numbers in every plane.
    fn numbered(size: Size) -> EncodedPosition {
        let n_points = size.area();
        EncodedPosition {
            planes: (0..n_points * N_PLANES).map(|idx| idx as f32).collect(),
            globals: vec![0.5],
            board: [size.width(), size.height()],
            legal: (0..=n_points).map(|idx| idx % 3 != 0).collect(),
            may_end_without_result: true,
        }
    }

    #[test]
    fn points_go_where_the_symmetry_takes_them_and_come_back() {
        let size = Size::new(3, 2).unwrap();
        let straight = numbered(size);
        for symmetry in Symmetry::ALL {
            let turning = Turning::of_board(size, symmetry);
            let mut turned = EncodedPosition::default();
            turning.turn(InputForm::Board, &straight, &mut turned);
            let to = symmetry.size(size);
            assert_eq!(turned.board, [to.width(), to.height()]);
            assert_eq!((&turned.globals, turned.legal.len()), (&straight.globals, 7));
            let corner = symmetry.apply(size, Vertex::new(2, 0));
            let corner = corner.row() * to.width() + corner.col();
            assert_eq!(turned.planes[corner * N_PLANES + 5], (2 * N_PLANES + 5) as f32, "{symmetry:?}");
            assert_eq!((turned.legal[corner], turned.legal[6]), (straight.legal[2], straight.legal[6]));
            // A policy over points and the pass, and owners of points alone.
            for n_places in [7, 6] {
                let said: Vec<f32> = (0..n_places).map(|idx| idx as f32).collect();
                let mut back = Vec::new();
                turning.turn_back(&said, &mut back);
                assert_eq!((back.len(), back[2]), (n_places, corner as f32), "{symmetry:?}");
                assert_eq!(back.get(6), said.get(6), "the pass stays");
            }
        }
    }

    #[test]
    fn planes_of_a_game_are_turned_one_by_one() {
        let turning = Turning::of_actions([2, 0, 1, 3]);
        let planes = vec![0.0, 1.0, 2.0, 3.0, 10.0, 11.0, 12.0, 13.0];
        let (straight, mut turned) = (EncodedPosition { planes, ..Default::default() }, Default::default());
        turning.turn(InputForm::Planes, &straight, &mut turned);
        assert_eq!(turned.planes, [1.0, 2.0, 0.0, 3.0, 11.0, 12.0, 10.0, 13.0]);
        let mut back = Vec::new();
        turning.turn_back(&turned.planes[..4], &mut back);
        assert_eq!(back, straight.planes[..4]);
    }
}
