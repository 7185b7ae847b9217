//! Where the numbers of a board stand in memory.
//!
//! Two layouts, both with the channels of a point side by side, padded to whole blocks: *dense*, the points of a board in rows, for
//! what is summed and added; and *image*, a board with a margin of zeros around it, for what a convolution reads.

use super::gemm::padded;
use super::winograd::TileSize;
use crate::net::graph::Conv;

/// A board and the tiles it is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// The tile of 3×3 convolutions.
    pub tile: TileSize,
}

impl Geometry {
    /// A board with its best tile.
    pub fn new(width: usize, height: usize) -> Geometry {
        Geometry { width, height, tile: TileSize::for_board(width, height) }
    }

    /// The number of points.
    #[inline]
    pub fn n_points(&self) -> usize {
        self.width * self.height
    }

    /// Tiles in a row and in a column.
    #[inline]
    pub fn tiles(&self) -> [usize; 2] {
        [self.width.div_ceil(self.tile.side()), self.height.div_ceil(self.tile.side())]
    }

    /// The number of tiles.
    #[inline]
    pub fn n_tiles(&self) -> usize {
        self.tiles()[0] * self.tiles()[1]
    }

    /// Columns of an image: those that tiles read.
    #[inline]
    pub fn image_width(&self) -> usize {
        self.tiles()[0] * self.tile.side() + 2
    }

    /// How boards stand in the image layout.
    #[inline]
    pub fn image(&self) -> Layout {
        let row = self.image_width();
        let n_points = row * (self.tiles()[1] * self.tile.side() + 2);
        Layout { width: self.width, height: self.height, row, origin: row + 1, n_points }
    }

    /// How boards stand in the dense layout.
    #[inline]
    pub fn dense(&self) -> Layout {
        let (width, height) = (self.width, self.height);
        Layout { width, height, row: width, origin: 0, n_points: width * height }
    }
}

/// Where the points of a board stand, counted in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// From one row to the next.
    pub row: usize,
    /// The first point of the board.
    pub origin: usize,
    /// From one board to the next.
    pub n_points: usize,
}

impl Layout {
    /// Where a point of the board stands.
    #[inline(always)]
    pub fn place(&self, point: usize) -> usize {
        self.origin + point / self.width * self.row + point % self.width
    }
}

/// The channels of convolutions that read the same input and write side by side, each padded to whole blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Channels read.
    pub n_in: usize,
    /// Channels written, padding included.
    pub n_out: usize,
    /// Where the channels of each convolution begin.
    pub starts: Vec<usize>,
}

impl Shape {
    /// The shape of these convolutions.
    pub fn of(convs: &[&Conv]) -> Shape {
        let mut starts = Vec::new();
        let mut n_out = 0;
        for conv in convs {
            starts.push(n_out);
            n_out += padded(conv.n_out);
        }
        Shape { n_in: convs.first().map_or(0, |conv| conv.n_in), n_out, starts }
    }

    /// The convolution that writes a channel, and its number there; `None` for padding.
    pub fn find<'a>(&self, convs: &[&'a Conv], channel: usize) -> Option<(&'a Conv, usize)> {
        let n = self.starts.iter().rposition(|&start| start <= channel)?;
        let conv = convs[n];
        let channel = channel - self.starts[n];
        (channel < conv.n_out).then_some((conv, channel))
    }
}
