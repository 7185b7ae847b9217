//! Which stones of a colour are connected, and with which edges: a forest in which every chain is a tree (union-find).

use super::{Cell, HexRows, MAX_SIDE, bit};
use crate::game::Side;

const N_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// The top row for Black, the left column for White.
const NEAR: u8 = 1;
/// The bottom row for Black, the right column for White.
const FAR: u8 = 2;

/// The chains of both colours; their stones never mix, so one forest is enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chains {
    /// A stone of the same chain, nearer to its root; a root has itself.
    parent: [u16; N_CELLS],
    /// By root: the edges of the stone's own colour that the chain touches.
    edges: [u8; N_CELLS],
}

impl Chains {
    pub(super) fn new() -> Chains {
        Chains { parent: std::array::from_fn(|cell| cell as u16), edges: [0; N_CELLS] }
    }

    /// Adds a stone to the chains of its colour, whose cells are `own`, this one included. Returns whether it connects both
    /// edges of its colour.
    pub(super) fn place(&mut self, own: &HexRows, color: Side, cell: Cell, side: u8) -> bool {
        let along = match color {
            Side::First => cell.row,
            Side::Second => cell.col,
        };
        let near = if along == 0 { NEAR } else { 0 };
        let far = if along + 1 == side { FAR } else { 0 };
        let (row, step) = (usize::from(cell.row) + 1, usize::from(side));
        let mut root = usize::from(cell.row) * step + usize::from(cell.col);
        self.edges[root] = near | far;
        let idx = root;
        let here = bit(cell);
        let neighbours = [
            (own[row] & here >> 1, idx.wrapping_sub(1)),
            (own[row] & here << 1, idx + 1),
            (own[row - 1] & here, idx.wrapping_sub(step)),
            (own[row - 1] & here << 1, idx.wrapping_sub(step - 1)),
            (own[row + 1] & here, idx + step),
            (own[row + 1] & here >> 1, idx + step - 1),
        ];
        for (stone, neighbour) in neighbours {
            if stone != 0 {
                root = self.join(root, neighbour);
            }
        }
        self.edges[root] == NEAR | FAR
    }

    /// Makes two chains one; returns its root.
    fn join(&mut self, root: usize, stone: usize) -> usize {
        let other = self.root(stone);
        if other != root {
            self.parent[root] = other as u16;
            self.edges[other] |= self.edges[root];
        }
        other
    }

    /// The root of a stone's chain; the way there becomes half as long.
    fn root(&mut self, mut stone: usize) -> usize {
        loop {
            let parent = usize::from(self.parent[stone]);
            if parent == stone {
                return stone;
            }
            let above = self.parent[parent];
            self.parent[stone] = above;
            stone = usize::from(above);
        }
    }
}
