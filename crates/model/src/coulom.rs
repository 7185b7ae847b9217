//! P(a) = γ(a) / Σ_b γ(b), γ = γ_last · γ_before · γ_line: a Bradley-Terry model of three features, with the factors that
//! Coulom 2007 learned from games of experts. Nothing of it was learned here.
//!
//! γ_last and γ_before depend on the distance to the last move and to the one before it, in Coulom's measure
//! d = |Δx| + |Δy| + max(|Δx|, |Δy|). His values at d = 2 … 5 and beyond 16 are used as they are; between 5 and 17 the
//! factor falls by the same ratio with each step. Distances are taken in steps along the lines, m = |Δx| + |Δy|, so the
//! factor is the mean over the 4·m points m steps away. A move on the very point counts as the nearest. If the move has no
//! place (a pass, or there was none) the factor is 1, as is that of every line beyond the fourth. A pass has one factor of
//! its own, which is another if the last move was a pass too.

use goban::{Size, Vertex};

/// Which features count, and the factors of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulom {
    /// Whether the distance to the last move counts.
    pub last: bool,
    /// Whether the distance to the move before it counts.
    pub before: bool,
    /// Whether the line counts.
    pub line: bool,
    /// Factor of a pass after a move.
    pub pass: f32,
    /// Factor of a pass after a pass.
    pub pass_again: f32,
}

impl Default for Coulom {
    fn default() -> Self {
        Self { last: true, before: true, line: true, pass: 0.17, pass_again: 24.4 }
    }
}

/// γ by Coulom's distance to the last move: 2, 3, … 17; the last one holds for all that is farther.
const LAST: [f32; 16] =
    [4.3, 2.8, 2.2, 1.6, 1.35, 1.14, 0.96, 0.81, 0.69, 0.58, 0.49, 0.41, 0.35, 0.29, 0.25, 0.21];
/// The same for the move before it.
const BEFORE: [f32; 16] =
    [3.1, 2.4, 2.3, 1.7, 1.58, 1.47, 1.36, 1.26, 1.17, 1.09, 1.01, 0.94, 0.87, 0.81, 0.75, 0.7];
/// γ of the lines 1 … 4.
const LINES: [f32; 4] = [0.89, 1.49, 1.75, 1.28];

/// Rings from 0 to 11 steps; points 11 steps away or more are at least 17 of Coulom's away and share the last factor.
const N_RINGS: usize = 12;
const LAST_BY_STEPS: [f32; N_RINGS] = by_steps(&LAST);
const BEFORE_BY_STEPS: [f32; N_RINGS] = by_steps(&BEFORE);

/// The mean factor over the points of each ring. Of the 4·m points m steps away a quarter stands for the rest:
/// (m − k, k) with k = 0 … m − 1.
const fn by_steps(by_distance: &[f32; 16]) -> [f32; N_RINGS] {
    let mut rings = [by_distance[0]; N_RINGS];
    let mut steps = 1;
    while steps < N_RINGS {
        let mut sum = 0.0;
        let mut k = 0;
        while k < steps {
            let larger = if steps - k > k { steps - k } else { k };
            let distance = steps + larger;
            sum += by_distance[if distance > 17 { 15 } else { distance - 2 }];
            k += 1;
        }
        rings[steps] = sum / steps as f32;
        steps += 1;
    }
    rings
}

impl Coulom {
    /// Writes P(a) of the moves, of which there are as many as places in `out`. `recent` are the last two moves, the latest
    /// first, `None` where there was none.
    pub fn fill(
        &self,
        size: Size,
        recent: [Option<Vertex>; 2],
        moves: impl IntoIterator<Item = Vertex>,
        out: &mut [f32],
    ) {
        let pass = if recent[0] == Some(Vertex::PASS) { self.pass_again } else { self.pass };
        let placed = recent.map(|vertex| vertex.filter(|vertex| !vertex.is_pass()));
        let (last, before) = (placed[0].filter(|_| self.last), placed[1].filter(|_| self.before));
        let near = |from: Option<Vertex>, to: Vertex, rings: &[f32; N_RINGS]| {
            from.map_or(1.0, |from| rings[steps(from, to).min(N_RINGS - 1)])
        };
        for (gamma, vertex) in out.iter_mut().zip(moves) {
            *gamma = if vertex.is_pass() {
                pass
            } else {
                near(last, vertex, &LAST_BY_STEPS)
                    * near(before, vertex, &BEFORE_BY_STEPS)
                    * self.line_gamma(size, vertex)
            };
        }
        let sum: f32 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= sum);
    }

    fn line_gamma(&self, size: Size, vertex: Vertex) -> f32 {
        let (x, y) = (vertex.col(), vertex.row());
        // From 0 at the edge.
        let line = x.min(size.width() - 1 - x).min(y).min(size.height() - 1 - y);
        LINES.get(line).copied().filter(|_| self.line).unwrap_or(1.0)
    }
}

/// Steps along the lines from one point to another.
fn steps(a: Vertex, b: Vertex) -> usize {
    a.col().abs_diff(b.col()) + a.row().abs_diff(b.row())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(a) of the given points (numbered row by row on 5×5, −1 the pass) after the moves `played`.
    #[track_caller]
    fn check(model: &Coulom, played: &[i16], points: &[i16], expected: &[f32]) {
        let vertex = |&n: &i16| usize::try_from(n).map_or(Vertex::PASS, |n| Vertex::new(n % 5, n / 5));
        let mut recent = played.iter().rev().map(vertex);
        let mut p = vec![0.0; points.len()];
        let recent = [recent.next(), recent.next()];
        model.fill(Size::square(5).unwrap(), recent, points.iter().map(vertex), &mut p);
        let sum: f32 = expected.iter().sum();
        for (got, right) in p.iter().zip(expected) {
            assert!((got - right / sum).abs() < 1e-6, "{p:?} instead of {expected:?} / {sum}");
        }
        assert!((p.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn rings_worked_by_hand() {
        // One step: all four points at d = 2. Two steps: four straight at d = 4, four diagonal at d = 3.
        assert_eq!(LAST_BY_STEPS[..3], [4.3, 4.3, (2.2 + 2.8) / 2.0]);
        // Three steps: (3,0) at 6, (2,1) at 5, (1,2) at 5.
        assert!((BEFORE_BY_STEPS[3] - (1.58 + 1.7 + 1.7) / 3.0).abs() < 1e-6);
        // Ten steps: (10,0) … (8,2) and (2,8), (1,9) at 18 … 20; (7,3), (3,7) at 17; (6,4), (4,6) at 16; (5,5) at 15.
        assert!((LAST_BY_STEPS[10] - (7.0 * 0.21 + 2.0 * 0.25 + 0.29) / 10.0).abs() < 1e-6);
        assert!((LAST_BY_STEPS[11] - 0.21).abs() < 1e-6 && (BEFORE_BY_STEPS[11] - 0.7).abs() < 1e-6);
        assert!(LAST_BY_STEPS[1..].is_sorted_by(|near, far| near > far));
    }

    #[test]
    fn worked_by_hand() {
        let model = Coulom::default();
        // An empty board: only the line counts; corner, second line, centre (third line of 5×5), pass.
        check(&model, &[], &[0, 6, 12, -1], &[0.89, 1.49, 1.75, 0.17]);
        // After 12 and 6: point 7 is one step from either, on the second line; 24 is four steps from 12 and six from 6.
        // Four steps from the move before: (4,0) at 8, (3,1), (1,3) at 7, (2,2) at 6.
        let four = (1.36 + 2.0 * 1.47 + 1.58) / 4.0;
        // Six steps from the last: (6,0) at 12, (5,1), (1,5) at 11, (4,2), (2,4) at 10, (3,3) at 9.
        let six = (0.49 + 2.0 * 0.58 + 2.0 * 0.69 + 0.81) / 6.0;
        check(&model, &[12, 6], &[7, 24, -1], &[4.3 * 3.1 * 1.49, six * four * 0.89, 0.17]);
        // After a pass: no distance to it, and passing too is likely. The move before it still counts.
        check(&model, &[12, -1], &[7, 0, -1], &[3.1 * 1.49, four * 0.89, 24.4]);
    }

    #[test]
    fn features_can_be_left_out() {
        let none = Coulom { last: false, before: false, line: false, pass: 1.0, ..Coulom::default() };
        check(&none, &[12, 6], &[0, 7, 24, -1], &[1.0; 4]);
        let line = Coulom { last: false, before: false, ..Coulom::default() };
        check(&line, &[12, 6], &[0, 7], &[0.89, 1.49]);
        let last = Coulom { before: false, line: false, ..Coulom::default() };
        check(&last, &[12, 6], &[7, 8], &[4.3, 2.5]);
        // The pass alone, however unlikely.
        check(&Coulom { pass: 0.001, ..Coulom::default() }, &[], &[-1], &[1.0]);
    }
}
