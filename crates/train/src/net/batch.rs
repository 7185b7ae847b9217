//! Rows as a network reads them: checked, turned, and cut into pieces of boards of one size.

use super::row::Row;
use super::settings::BoardSymmetries;
use goban::Rng;
use model::net::cpu::gemm::padded;
use model::net::cpu::geometry::{Geometry, Layout};
use model::net::cpu::simd::Buffer;
use model::net::graph::{N_GLOBALS, N_PLANES};
use model::net::symmetry::Turning;

/// The fewest rows of a piece, and the most pieces of a batch, if its boards have one size. Neither depends on the number of threads:
/// sums are taken piece by piece.
const FEWEST_ROWS: usize = 32;
const MOST_PIECES: usize = 16;

/// A row that cannot be learned from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row {row}, a board of {width}×{height}: {reason}")]
pub struct BadRow {
    /// Its number among the rows given, from 0.
    pub row: usize,
    /// Columns that it claims.
    pub width: u8,
    /// Rows that it claims.
    pub height: u8,
    /// What is amiss.
    pub reason: &'static str,
}

/// A row with the symmetry it is shown in.
#[derive(Clone, Copy)]
pub(super) struct TurnedRow<'a> {
    pub(super) row: &'a Row,
    pub(super) turning: Option<&'a Turning>,
}

/// Rows of one size.
pub(super) struct Piece<'a> {
    pub(super) geometry: Geometry,
    pub(super) rows: Vec<TurnedRow<'a>>,
}

/// Checks all rows.
pub(super) fn check(rows: &[&Row]) -> Result<(), BadRow> {
    rows.iter().enumerate().try_for_each(|(n, row)| match row.check() {
        Ok(()) => Ok(()),
        Err(reason) => Err(BadRow { row: n, width: row.width, height: row.height, reason }),
    })
}

/// Draws a symmetry for each row of a board that has some.
pub(super) fn turn<'a>(
    rows: &[&'a Row],
    symmetries: &'a [BoardSymmetries],
    rng: &mut Rng,
) -> Vec<TurnedRow<'a>> {
    let mut draw = |row: &Row| {
        let known = symmetries.iter().find(|known| known.board == [row.width, row.height])?;
        let n = u32::try_from(known.turnings.len()).unwrap_or(u32::MAX);
        let turning = &known.turnings[if n > 0 { rng.below(n) as usize } else { return None }];
        // One that belongs to another board is left alone.
        let n_points = row.n_points();
        let n_places = turning.places().len();
        let is_fit = n_places <= n_points + 1 && turning.places().all(|to| to <= n_points);
        is_fit.then_some(turning)
    };
    rows.iter().map(|row| TurnedRow { row, turning: draw(row) }).collect()
}

/// Cuts rows into pieces, those of each size in their order.
pub(super) fn cut<'a>(mut rows: Vec<TurnedRow<'a>>) -> Vec<Piece<'a>> {
    let n_piece = rows.len().div_ceil(MOST_PIECES).max(FEWEST_ROWS);
    rows.sort_by_key(TurnedRow::board);
    let mut pieces = Vec::new();
    for alike in rows.chunk_by(|a, b| a.board() == b.board()) {
        let [width, height] = alike[0].board();
        for rows in alike.chunks(n_piece) {
            pieces.push(Piece { geometry: Geometry::new(width, height), rows: rows.to_vec() });
        }
    }
    pieces
}

impl TurnedRow<'_> {
    /// Columns and rows as the network sees them.
    pub(super) fn board(&self) -> [usize; 2] {
        let board = [usize::from(self.row.width), usize::from(self.row.height)];
        match self.turning {
            Some(turning) if turning.is_transposed() => [board[1], board[0]],
            _ => board,
        }
    }

    /// Where each point and the pass go.
    pub(super) fn places(&self, out: &mut Vec<usize>) {
        out.clear();
        out.extend(self.turning.iter().flat_map(|turning| turning.places()));
        out.extend(out.len()..=self.row.n_points());
    }

    /// Writes planes as an image of zeros and globals as a padded vector.
    pub(super) fn write(&self, layout: Layout, places: &[usize], planes: &mut [f32], globals: &mut [f32]) {
        let (n_points, n_channels) = (self.row.n_points(), padded(N_PLANES));
        planes.fill(0.0);
        for (n, &byte) in self.row.planes.iter().enumerate() {
            let mut bits = byte;
            while bits != 0 {
                let bit = 8 * n + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (plane, point) = (bit / n_points, bit % n_points);
                // Behind the last plane a byte may be filled up with anything.
                if plane < N_PLANES && places[point] < n_points {
                    planes[layout.place(places[point]) * n_channels + plane] = 1.0;
                }
            }
        }
        globals[..N_GLOBALS].copy_from_slice(&self.row.globals);
    }
}

/// Writes rows to the images and vectors of a tape.
pub(super) fn write(
    rows: &[TurnedRow<'_>],
    layout: Layout,
    planes: &mut Buffer<f32>,
    globals: &mut Buffer<f32>,
) {
    let mut places = Vec::new();
    let images = planes.chunks_exact_mut(layout.n_points * padded(N_PLANES));
    for ((row, planes), globals) in rows.iter().zip(images).zip(globals.chunks_exact_mut(padded(N_GLOBALS))) {
        row.places(&mut places);
        row.write(layout, &places, planes, globals);
    }
}
