//! The linear algebra that ratings and fits need: square matrices of a few dozen rows, nearly all of them symmetric and
//! positive definite, and the factors of Cholesky (Golub and Van Loan, "Matrix Computations", section 4.2).

use std::ops::{Index, IndexMut};

/// A square matrix. `matrix[(i, j)]` is the number in row `i` and column `j`.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseMatrix {
    n: usize,
    /// Row after row.
    cells: Vec<f64>,
}

impl DenseMatrix {
    /// `n` rows and columns of zeros.
    pub fn zeros(n: usize) -> Self {
        Self { n, cells: vec![0.0; n * n] }
    }

    /// `value` in all `n` cells of the diagonal, zeros elsewhere.
    pub fn diagonal(n: usize, value: f64) -> Self {
        let mut matrix = Self::zeros(n);
        matrix.add_to_diagonal(value);
        matrix
    }

    /// From its cells, row after row; cells that are missing are zeros.
    pub fn from_rows(n: usize, mut cells: Vec<f64>) -> Self {
        cells.resize(n * n, 0.0);
        Self { n, cells }
    }

    /// The number of rows, which is that of columns.
    pub fn n_rows(&self) -> usize {
        self.n
    }

    /// The cells of a row, from the left.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.n..(i + 1) * self.n]
    }

    /// Adds `value` to each cell of the diagonal.
    pub fn add_to_diagonal(&mut self, value: f64) {
        for i in 0..self.n {
            self[(i, i)] += value;
        }
    }

    /// Multiplies every cell.
    pub fn scale(&mut self, factor: f64) {
        for cell in &mut self.cells {
            *cell *= factor;
        }
    }

    /// Makes row and column `i` zeros.
    pub fn clear(&mut self, i: usize) {
        for j in 0..self.n {
            self[(i, j)] = 0.0;
            self[(j, i)] = 0.0;
        }
    }

    /// Copies each cell below the diagonal to its mirror image above.
    pub fn mirror_lower(&mut self) {
        for i in 0..self.n {
            for j in 0..i {
                self[(j, i)] = self[(i, j)];
            }
        }
    }

    /// The matrix times a column of as many numbers as it has rows.
    pub fn times(&self, column: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(self.row(i), column)).collect()
    }

    /// The matrix times another of the same size.
    pub fn times_matrix(&self, other: &Self) -> Self {
        let mut product = Self::zeros(self.n);
        for i in 0..self.n {
            for (k, &factor) in self.row(i).iter().enumerate() {
                add_scaled(&mut product.cells[i * self.n..(i + 1) * self.n], factor, other.row(k));
            }
        }
        product
    }

    /// The factors of a symmetric matrix, of which the part above the diagonal is not read; nothing if it is not positive
    /// definite.
    pub fn cholesky(&self) -> Option<Cholesky> {
        self.factor(|pivot| (pivot > 0.0).then_some(pivot)).map(Cholesky)
    }

    /// A lower triangle `L` with `L Lᵀ` equal to this covariance but for rounding: standard deviates times `L` vary as it
    /// says. A direction that does not vary, or by rounding less than not at all, has a column of zeros.
    pub fn covariance_root(&self) -> Self {
        let largest = (0..self.n).map(|i| self[(i, i)]).fold(0.0, f64::max);
        let rounding = self.n as f64 * f64::EPSILON * largest;
        self.factor(|pivot| Some(if pivot > rounding { pivot } else { 0.0 }))
            .unwrap_or_else(|| Self::zeros(self.n))
    }

    /// The lower triangle `L`, row after row. `judge` is given what is left of each cell of the diagonal, the square of `L`'s
    /// own, and says what to take it for; the column below a 0 is zeros.
    fn factor(&self, judge: impl Fn(f64) -> Option<f64>) -> Option<Self> {
        let mut lower = Self::zeros(self.n);
        for i in 0..self.n {
            for j in 0..i {
                let rest = self[(i, j)] - dot(&lower.row(i)[..j], &lower.row(j)[..j]);
                let pivot = lower[(j, j)];
                lower[(i, j)] = if pivot > 0.0 { rest / pivot } else { 0.0 };
            }
            let row = &lower.row(i)[..i];
            lower[(i, i)] = judge(self[(i, i)] - dot(row, row))?.sqrt();
        }
        Some(lower)
    }
}

impl Index<(usize, usize)> for DenseMatrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.cells[i * self.n + j]
    }
}

impl IndexMut<(usize, usize)> for DenseMatrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.cells[i * self.n + j]
    }
}

/// The lower triangle `L` with `L Lᵀ = A`, all of its diagonal above 0.
#[derive(Clone, Debug)]
pub struct Cholesky(DenseMatrix);

impl Cholesky {
    /// The `x` with `A x = column`.
    pub fn solve(&self, column: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let mut x = column.to_vec();
        for i in 0..x.len() {
            x[i] = (x[i] - dot(&lower.row(i)[..i], &x[..i])) / lower[(i, i)];
        }
        for i in (0..x.len()).rev() {
            x[i] /= lower[(i, i)];
            let above = -x[i];
            add_scaled(&mut x[..i], above, &lower.row(i)[..i]);
        }
        x
    }

    /// The inverse of `A`, symmetric to the last digit.
    pub fn inverse(&self) -> DenseMatrix {
        let n = self.0.n;
        let mut inverse = DenseMatrix::zeros(n);
        let mut unit = vec![0.0; n];
        for i in 0..n {
            unit[i] = 1.0;
            inverse.cells[i * n..(i + 1) * n].copy_from_slice(&self.solve(&unit));
            unit[i] = 0.0;
        }
        inverse.mirror_lower();
        inverse
    }
}

/// The sum of the products of two columns of numbers.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor` times `other` to `sum`.
pub fn add_scaled(sum: &mut [f64], factor: f64, other: &[f64]) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    /// `[4 2 6; 2 5 7; 6 7 19]` is `L Lᵀ` with `L = [2 0 0; 1 2 0; 3 2 √6]`.
    fn example() -> DenseMatrix {
        DenseMatrix::from_rows(3, vec![4.0, 2.0, 6.0, 2.0, 5.0, 7.0, 6.0, 7.0, 19.0])
    }

    #[test]
    fn factors_by_hand() {
        let Cholesky(lower) = example().cholesky().unwrap();
        assert!(close(&lower.cells, &[2.0, 0.0, 0.0, 1.0, 2.0, 0.0, 3.0, 2.0, 6f64.sqrt()]), "{lower:?}");
        assert_eq!(example().covariance_root(), lower);
    }

    #[test]
    fn solutions_by_hand() {
        // Rows times (1, −1, 2): 4 − 2 + 12 = 14, 2 − 5 + 14 = 11, 6 − 7 + 38 = 37.
        let factors = example().cholesky().unwrap();
        assert_eq!(example().times(&[1.0, -1.0, 2.0]), [14.0, 11.0, 37.0]);
        assert!(close(&factors.solve(&[14.0, 11.0, 37.0]), &[1.0, -1.0, 2.0]));
        // The determinant is (2·2·√6)² = 96; the cofactors of the first row are 46, 4 and −16.
        let inverse = factors.inverse();
        assert!(close(inverse.row(0), &[46.0 / 96.0, 4.0 / 96.0, -16.0 / 96.0]), "{inverse:?}");
        let product = inverse.times_matrix(&example());
        assert!(close(&product.cells, &DenseMatrix::diagonal(3, 1.0).cells), "{product:?}");
    }

    #[test]
    fn products_are_rows_by_columns() {
        let a = DenseMatrix::from_rows(2, vec![1.0, 2.0, 3.0, 4.0]);
        let b = DenseMatrix::from_rows(2, vec![0.0, 1.0, -1.0, 5.0]);
        assert_eq!(a.times_matrix(&b), DenseMatrix::from_rows(2, vec![-2.0, 11.0, -4.0, 23.0]));
        let mut c = a.clone();
        c.mirror_lower();
        assert_eq!(c, DenseMatrix::from_rows(2, vec![1.0, 3.0, 3.0, 4.0]));
        c.clear(0);
        c.scale(2.0);
        assert_eq!(c, DenseMatrix::from_rows(2, vec![0.0, 0.0, 0.0, 8.0]));
    }

    #[test]
    fn refuses_what_is_not_positive() {
        // Eigenvalues 3 and −1; then 2 and 0; then no number at all.
        for cells in [[1.0, 2.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [f64::NAN; 4]] {
            assert!(DenseMatrix::from_rows(2, cells.to_vec()).cholesky().is_none());
        }
        assert!(DenseMatrix::zeros(0).cholesky().is_some());
    }

    #[test]
    fn a_covariance_may_be_flat() {
        // Two numbers that are always the same, a third that never varies, a fourth of its own.
        let mut flat = DenseMatrix::zeros(4);
        for (i, j, value) in [(0, 0, 4.0), (1, 0, 4.0), (0, 1, 4.0), (1, 1, 4.0 - 1e-15), (3, 3, 9.0)] {
            flat[(i, j)] = value;
        }
        let root = flat.covariance_root();
        let mut expected = DenseMatrix::zeros(4);
        for (i, j, value) in [(0, 0, 2.0), (1, 0, 2.0), (3, 3, 3.0)] {
            expected[(i, j)] = value;
        }
        assert_eq!(root, expected);
    }
}
