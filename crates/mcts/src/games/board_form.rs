//! Games beside Go in the form of boards, so that networks of one kind play them all. A game uses few of the planes: those of the
//! board, of the mover's stones and of the opponent's, which mean what they mean in Go, and [`global::PASS_ENDS`] where the move that
//! has no point may be played. All else is 0.
//!
//! The last moves are not told: a position then looks the same however it came about, and its answer is remembered.

use goban::{Size, Symmetry};
use model::net::features::{N_GLOBALS, N_PLANES, global, plane};
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};

/// A point of a board as the mover sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointView {
    /// His stone.
    Own,
    /// The opponent's stone.
    Other,
    /// Empty, and a legal move.
    Open,
    /// Empty, and no legal move.
    Closed,
}

/// Writes a position down: its points in rows from the top, and whether the move without a point is legal.
pub(super) fn encode(
    [width, height]: [usize; 2],
    view: impl Fn(usize) -> PointView,
    may_pass: bool,
    out: &mut EncodedPosition,
) {
    let n_points = width * height;
    out.board = [width, height];
    out.may_end_without_result = false;
    out.planes.clear();
    out.planes.resize(n_points * N_PLANES, 0.0);
    out.legal.clear();
    for (point, planes) in out.planes.chunks_exact_mut(N_PLANES).enumerate() {
        let view = view(point);
        planes[plane::ON_BOARD] = 1.0;
        match view {
            PointView::Own => planes[plane::OWN] = 1.0,
            PointView::Other => planes[plane::OTHER] = 1.0,
            PointView::Open | PointView::Closed => {}
        }
        out.legal.push(view == PointView::Open);
    }
    out.legal.push(may_pass);
    out.globals.clear();
    out.globals.resize(N_GLOBALS, 0.0);
    out.globals[global::PASS_ENDS] = if may_pass { 1.0 } else { 0.0 };
}

/// The turnings of a board of these columns and rows by some of its symmetries; none in another form.
pub(super) fn turnings(
    form: InputForm,
    [width, height]: [usize; 2],
    symmetries: &[Symmetry],
) -> Vec<Turning> {
    match (form, Size::new(width, height)) {
        (InputForm::Board, Ok(size)) => {
            symmetries.iter().map(|&symmetry| Turning::of_board(size, symmetry)).collect()
        }
        _ => Vec::new(),
    }
}
