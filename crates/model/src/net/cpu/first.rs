//! The first layer: planes are mostly zeros, so the convolution adds up only what is there.
//!
//! The plane of points on the board is always the same; what it gives to each point is worked out once.

use super::gemm::padded;
use super::geometry::Geometry;
use super::pass::dense::Dense;
use super::simd::{Buffer, Isa, Kernel, Lanes};
use crate::net::graph::{N_PLANES, Trunk};
use crate::net::output::NetInput;

/// The first convolution and the bias of the globals.
#[derive(Debug)]
pub struct First {
    geometry: Geometry,
    /// Columns and rows of the kernel.
    kernel: [usize; 2],
    n_channels: usize,
    /// Tap by tap, plane by plane the channels.
    weights: Buffer<f32>,
    /// For each point what the plane of points on the board gives.
    base: Buffer<f32>,
    globals: Dense,
}

/// The numbers of a position's planes that are not zero, point by point.
#[derive(Debug, Default)]
pub struct Sparse {
    /// Where the entries of each point begin, and where those of the last end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    globals: Vec<f32>,
    bias: Vec<f32>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Where the weights of the plane begin within a tap.
    offset: u32,
    value: f32,
}

impl First {
    /// Prepares the first layer of a trunk.
    pub fn new(trunk: &Trunk, geometry: Geometry) -> First {
        let conv = &trunk.conv;
        let n_channels = padded(conv.n_out);
        let mut weights = Buffer::zeros(conv.height * conv.width * N_PLANES * n_channels);
        for (n, to) in weights.chunks_exact_mut(n_channels).enumerate() {
            let (tap, plane) = (n / N_PLANES, n % N_PLANES);
            to[..conv.n_out].copy_from_slice(conv.row(tap / conv.width, tap % conv.width, plane));
        }
        let mut first = First {
            geometry,
            kernel: [conv.width, conv.height],
            n_channels,
            weights,
            base: Buffer::zeros(geometry.n_points() * n_channels),
            globals: Dense::new(&trunk.globals, None, 1),
        };
        let mut planes = vec![0.0; N_PLANES * geometry.n_points()];
        planes.iter_mut().step_by(N_PLANES).for_each(|x| *x = 1.0);
        let (width, height) = (geometry.width, geometry.height);
        let mut sparse = Sparse::default();
        sparse.fill(&NetInput { width, height, point_planes: &planes, globals: &[] }, n_channels, 0);
        sparse.bias.resize(n_channels, 0.0);
        let mut base = Buffer::zeros(first.base.len());
        Isa::SCALAR.run(Add { first: &first, sparse: &sparse, has_base: false, out: &mut base });
        first.base = base;
        first
    }

    /// The features of each point of a position, dense.
    pub fn run(&self, isa: Isa, input: &NetInput<'_>, sparse: &mut Sparse, out: &mut [f32]) {
        let has_base = input.point_planes.iter().step_by(N_PLANES).all(|&x| x == 1.0);
        sparse.fill(input, self.n_channels, usize::from(has_base));
        sparse.globals.clear();
        sparse.globals.extend_from_slice(input.globals);
        sparse.globals.resize(self.globals.n_in, 0.0);
        sparse.bias.resize(self.n_channels, 0.0);
        self.globals.run(isa, &sparse.globals, 1, &mut sparse.bias);
        isa.run(Add { first: self, sparse, has_base, out });
    }

    /// The memory in bytes.
    pub fn n_bytes(&self) -> usize {
        4 * (self.weights.len() + self.base.len()) + self.globals.n_bytes()
    }
}

impl Sparse {
    /// Room for the densest position, so that filling never allocates.
    pub fn new(n_points: usize) -> Sparse {
        let mut sparse = Sparse::default();
        sparse.starts.reserve(n_points + 1);
        sparse.entries.reserve(n_points * N_PLANES);
        sparse
    }

    fn fill(&mut self, input: &NetInput<'_>, n_channels: usize, first_plane: usize) {
        self.starts.clear();
        self.entries.clear();
        for point in input.point_planes.chunks_exact(N_PLANES) {
            self.starts.push(self.entries.len() as u32);
            for (plane, &value) in point.iter().enumerate().skip(first_plane) {
                if value != 0.0 {
                    self.entries.push(Entry { offset: (plane * n_channels) as u32, value });
                }
            }
        }
        self.starts.push(self.entries.len() as u32);
    }

    #[inline(always)]
    fn at(&self, point: usize) -> &[Entry] {
        &self.entries[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}

struct Add<'a> {
    first: &'a First,
    sparse: &'a Sparse,
    has_base: bool,
    out: &'a mut [f32],
}

impl Kernel for Add<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let Geometry { width, height, .. } = self.first.geometry;
        for y in 0..height {
            for x in 0..width {
                let mut c = 0;
                while c < self.first.n_channels {
                    match (self.first.n_channels - c) / L::N {
                        4.. => c += self.point::<L, 4>(l, x, y, c),
                        2..4 => c += self.point::<L, 2>(l, x, y, c),
                        _ => c += self.point::<L, 1>(l, x, y, c),
                    }
                }
            }
        }
    }
}

impl Add<'_> {
    /// `V` vectors of channels of one point, from channel `c` on; gives the number of channels.
    #[inline(always)]
    fn point<L: Lanes, const V: usize>(&mut self, l: L, x: usize, y: usize, c: usize) -> usize {
        let First { geometry: Geometry { width, height, .. }, kernel: [taps_x, taps_y], n_channels, .. } =
            *self.first;
        let at = (y * width + x) * n_channels + c;
        let mut sums = [l.splat(0.0); V];
        for (v, sum) in sums.iter_mut().enumerate() {
            *sum = l.load(&self.sparse.bias[c + v * L::N..]);
            if self.has_base {
                *sum = l.add(*sum, l.load(&self.first.base[at + v * L::N..]));
            }
        }
        let (half_x, half_y) = (taps_x / 2, taps_y / 2);
        for row in y.saturating_sub(half_y)..height.min(y + half_y + 1) {
            for column in x.saturating_sub(half_x)..width.min(x + half_x + 1) {
                let tap = (row + half_y - y) * taps_x + column + half_x - x;
                let weights = &self.first.weights[tap * N_PLANES * n_channels + c..];
                for entry in self.sparse.at(row * width + column) {
                    let [ws] = l.load_grid::<1, V>(weights, entry.offset as usize, [0, L::N]);
                    let value = l.splat(entry.value);
                    for (sum, w) in sums.iter_mut().zip(ws) {
                        *sum = l.add(*sum, l.mul(w, value));
                    }
                }
            }
        }
        for (v, &sum) in sums.iter().enumerate() {
            l.store(&mut self.out[at + v * L::N..], sum);
        }
        V * L::N
    }
}
