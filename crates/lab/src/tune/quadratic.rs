//! Quadratic functions of a point, some with third and fourth powers along each axis, and their highest place in the box.

use crate::algebra::DenseMatrix;

/// The monomials of degree one and two of a point's *centred* coordinates `z = 2u − 1`, −1 to 1: first all `z_i`, then the
/// `z_i z_j` with `i ≤ j`, row by row.
pub fn monomials(point: &[f64], out: &mut Vec<f64>) {
    out.extend(point.iter().map(|u| 2.0 * u - 1.0));
    let first = out.len() - point.len();
    for i in 0..point.len() {
        for j in i..point.len() {
            out.push(out[first + i] * out[first + j]);
        }
    }
}

/// How many monomials there are in `n_axes` coordinates.
pub fn n_monomials(n_axes: usize) -> usize {
    n_axes + n_axes * (n_axes + 1) / 2
}

/// `b · z + z · C z + Σ k_i z_i³ + Σ q_i z_i⁴` with a symmetric `C`, in centred coordinates.
#[derive(Clone, Debug)]
pub struct Surface {
    linear: Vec<f64>,
    /// Row after row.
    square: Vec<f64>,
    /// `[k_i, q_i]`, all 0 in a quadratic.
    higher: Vec<[f64; 2]>,
}

impl Surface {
    /// From coefficients in the order of [`monomials`], and after them those of the third and of the fourth
    /// powers, if any.
    pub fn new(n_axes: usize, coefficients: &[f64]) -> Self {
        let linear = coefficients[..n_axes].to_vec();
        let mut square = vec![0.0; n_axes * n_axes];
        let mut rest = coefficients[n_axes..].iter().copied();
        for i in 0..n_axes {
            for j in i..n_axes {
                let coefficient = rest.next().unwrap_or(0.0);
                let half = if i == j { coefficient } else { 0.5 * coefficient };
                square[i * n_axes + j] = half;
                square[j * n_axes + i] = half;
            }
        }
        let mut higher = vec![[0.0; 2]; n_axes];
        for power in 0..2 {
            for pair in &mut higher {
                pair[power] = rest.next().unwrap_or(0.0);
            }
        }
        Self { linear, square, higher }
    }

    fn n_axes(&self) -> usize {
        self.linear.len()
    }

    /// The value at a point, in unit coordinates.
    pub fn at(&self, point: &[f64]) -> f64 {
        self.at_centred(|i| 2.0 * point[i] - 1.0)
    }

    fn at_centred(&self, z: impl Fn(usize) -> f64) -> f64 {
        let n = self.n_axes();
        let mut value = 0.0;
        for (i, row) in self.square.chunks_exact(n).enumerate() {
            let bend: f64 = row.iter().enumerate().map(|(j, c)| c * z(j)).sum();
            let [k, q] = self.higher[i];
            value += z(i) * (self.linear[i] + bend + z(i) * z(i) * (k + q * z(i)));
        }
        value
    }

    /// The highest place of a quadratic in the box, unit coordinates. If it falls in every direction and its top is inside,
    /// that is it; otherwise the best of climbs along the axes from the middle and from the middles of the sides.
    pub fn top(&self) -> Vec<f64> {
        let n = self.n_axes();
        let mut falling = DenseMatrix::from_rows(n, self.square.clone());
        falling.scale(-2.0);
        if let Some(factors) = falling.cholesky() {
            let z = factors.solve(&self.linear);
            if z.iter().all(|z| z.abs() <= 1.0) {
                return z.iter().map(|z| 0.5 * (z + 1.0)).collect();
            }
        }
        let mut best: Option<(f64, Vec<f64>)> = None;
        for start in 0..=2 * n {
            let mut point = vec![0.5; n];
            if start > 0 {
                point[(start - 1) / 2] = if start % 2 == 1 { 1.0 } else { 0.0 };
            }
            let point = self.climb(&point);
            let value = self.at(&point);
            if best.as_ref().is_none_or(|(highest, _)| value > *highest) {
                best = Some((value, point));
            }
        }
        best.map(|(_, point)| point).unwrap_or_default()
    }

    /// The top that is reached from `point` by climbing along one axis after the other until nothing moves; unit
    /// coordinates. Higher powers may rise again far away, where there were no games: that is not where a climb ends.
    pub fn climb(&self, point: &[f64]) -> Vec<f64> {
        let n = self.n_axes();
        let mut z: Vec<f64> = point.iter().map(|u| 2.0 * u - 1.0).collect();
        for _ in 0..100 {
            let mut moved = 0.0f64;
            for i in 0..n {
                let row = &self.square[i * n..(i + 1) * n];
                let others: f64 = (0..n).filter(|&j| j != i).map(|j| row[j] * z[j]).sum();
                let [k, q] = self.higher[i];
                let next = climb_axis(z[i], [self.linear[i] + 2.0 * others, row[i], k, q]);
                moved = moved.max((next - z[i]).abs());
                z[i] = next;
            }
            if moved < 1e-9 {
                break;
            }
        }
        z.iter().map(|z| 0.5 * (z + 1.0)).collect()
    }
}

/// Strides from −1 to 1 in which a climb looks for the end of its slope.
const N_STRIDES: f64 = 64.0;

/// Where a climb on `b z + c z² + k z³ + q z⁴` from `z` ends, within −1 to 1.
fn climb_axis(z: f64, [b, c, k, q]: [f64; 4]) -> f64 {
    let slope = |z: f64| b + z * (2.0 * c + z * (3.0 * k + z * 4.0 * q));
    // At a top already, but for rounding.
    if slope(z).abs() <= 1e-9 * (b.abs() + c.abs() + k.abs() + q.abs()) {
        return z;
    }
    let uphill = slope(z).signum();
    let mut below = z;
    loop {
        let above = (below + uphill * 2.0 / N_STRIDES).clamp(-1.0, 1.0);
        if slope(above) * uphill < 0.0 {
            return bisect(below, above, |z| slope(z) * uphill >= 0.0);
        }
        if above == below {
            return above;
        }
        below = above;
    }
}

/// The place between two others up to which something holds.
fn bisect(mut holds: f64, mut fails: f64, does_hold: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..48 {
        let middle = 0.5 * (holds + fails);
        if does_hold(middle) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    0.5 * (holds + fails)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monomials_and_value_by_hand() {
        // u = (0.75, 0.25) is z = (½, −½): z1, z2, z1², z1 z2, z2².
        let mut row = Vec::new();
        monomials(&[0.75, 0.25], &mut row);
        assert_eq!(row, [0.5, -0.5, 0.25, -0.25, 0.25]);
        assert_eq!(row.len(), n_monomials(2));
        let coefficients = [1.0, 2.0, -3.0, 4.0, -5.0];
        let expected: f64 = coefficients.iter().zip(&row).map(|(c, x)| c * x).sum();
        assert!((Surface::new(2, &coefficients).at(&[0.75, 0.25]) - expected).abs() < 1e-12);
    }

    #[test]
    fn tops() {
        // −(z − ½)² has its top at z = ½, u = ¾.
        assert!((Surface::new(1, &[1.0, -1.0]).top()[0] - 0.75).abs() < 1e-12);
        // Beyond the box, and a valley: the better end.
        assert_eq!(Surface::new(1, &[5.0, -1.0]).top(), [1.0]);
        assert_eq!(Surface::new(1, &[-0.1, 2.0]).top(), [0.0]);
        // −2 z1² − z2² + z1 z2 + z1: gradient −4 z1 + z2 + 1 = 0, −2 z2 + z1 = 0, so z = (2/7, 1/7).
        let top = Surface::new(2, &[1.0, 0.0, -2.0, 1.0, -1.0]).top();
        assert!((top[0] - 9.0 / 14.0).abs() < 1e-12 && (top[1] - 8.0 / 14.0).abs() < 1e-12, "{top:?}");
        // A ridge whose top is outside: on z1 = 1 the best z2 is ½.
        let ridge = Surface::new(2, &[9.0, 0.0, -2.0, 1.0, -1.0]).top();
        assert!((ridge[0] - 1.0).abs() < 1e-9 && (ridge[1] - 0.75).abs() < 1e-9, "{ridge:?}");
    }

    #[test]
    fn climbs_with_higher_powers() {
        // −z² + ⅓ z³ + ½ z: slope ½ − 2z + z², zeros at 1 ± √½; the top is at 1 − 0.70711 = 0.29289.
        let cubic = Surface::new(1, &[0.5, -1.0, 1.0 / 3.0]);
        for start in [0.0, 0.5, 0.9] {
            let top = 2.0 * cubic.climb(&[start])[0] - 1.0;
            assert!((top - 0.292_893).abs() < 1e-6, "{top}");
        }
        // −½ z² − z³ + ½ z: slope ½ − z − 3z², zeros at (−1 ± √7)/6 = 0.27429 (top) and −0.60763 (valley).
        let valley = Surface::new(1, &[0.5, -0.5, -1.0]);
        assert!((valley.climb(&[0.9])[0] - 0.637_146).abs() < 1e-6);
        assert_eq!(valley.climb(&[0.1]), [0.0]);
        assert!((valley.at(&[0.75]) - (0.25 - 0.125 - 0.125)).abs() < 1e-12);
        // ½ z² − z⁴: slope z − 4z³, tops at z = ±½; with z1 alone bent so and z2 flat at its best, 0.
        let twice = Surface::new(2, &[0.0, 0.0, 0.5, 0.0, -1.0, 0.0, 0.0, -1.0, 0.0]);
        for (start, top) in [([0.6, 0.9], 0.75), ([0.1, 0.2], 0.25)] {
            let reached = twice.climb(&start);
            assert!((reached[0] - top).abs() < 1e-9 && (reached[1] - 0.5).abs() < 1e-9, "{reached:?}");
        }
        assert!((twice.at(&[0.75, 0.5]) - (0.125 - 0.0625)).abs() < 1e-12);
    }
}
