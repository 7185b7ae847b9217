//! What each feature is worth: a weight, or a weight and some latent factors.

/// Numbers of a row with factors: the weight first, so that one read fetches all.
pub const ROW: usize = 8;
/// The most latent factors.
pub const MAX_FACTORS: usize = ROW - 1;

/// Worth by feature.
#[derive(Debug, Clone, PartialEq)]
pub enum Rows {
    /// ln γ.
    Weights(Vec<f32>),
    /// The weight, then the factors; those beyond `n_factors` are 0.
    Factors {
        /// How many factors there are, 1 to [`MAX_FACTORS`].
        n_factors: usize,
        /// By feature.
        rows: Vec<[f32; ROW]>,
    },
}

impl Rows {
    /// The number of features.
    pub fn len(&self) -> usize {
        match self {
            Rows::Weights(weights) => weights.len(),
            Rows::Factors { rows, .. } => rows.len(),
        }
    }

    /// True if there is no feature.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Latent factors of each feature, 0 where there are weights only.
    pub fn n_factors(&self) -> usize {
        match self {
            Rows::Weights(_) => 0,
            Rows::Factors { n_factors, .. } => *n_factors,
        }
    }

    /// The weight of a feature and its factors.
    pub fn row(&self, feature: usize) -> &[f32] {
        match self {
            Rows::Weights(weights) => &weights[feature..=feature],
            Rows::Factors { n_factors, rows } => &rows[feature][..=*n_factors],
        }
    }

    /// The strength of a move with these features.
    #[inline]
    pub fn strength(&self, team: &[u32]) -> f32 {
        match self {
            Rows::Weights(weights) => team.iter().map(|&feature| weights[feature as usize]).sum(),
            Rows::Factors { rows, .. } => together(rows, team).strength(),
        }
    }
}

/// Sums over the features of a move.
#[derive(Debug, Clone, Copy)]
pub struct TeamSums {
    /// Of the rows.
    pub sum: [f32; ROW],
    /// Of the squares of their numbers.
    pub squares: [f32; ROW],
}

/// The sums of a move's rows.
#[inline]
pub fn together(rows: &[[f32; ROW]], team: &[u32]) -> TeamSums {
    let (mut sum, mut squares) = ([0.0; ROW], [0.0; ROW]);
    for &feature in team {
        let row = &rows[feature as usize];
        for ((sum, square), x) in sum.iter_mut().zip(&mut squares).zip(row) {
            *sum += x;
            *square += x * x;
        }
    }
    TeamSums { sum, squares }
}

impl TeamSums {
    /// Σ_i w_i + ½ Σ_f ((Σ_i v_if)² − Σ_i v_if²), which is the sum over all pairs. [Rendle 2010]
    #[inline]
    pub fn strength(&self) -> f32 {
        let pairs = self.sum.iter().zip(&self.squares).skip(1).map(|(sum, squares)| sum * sum - squares);
        self.sum[0] + 0.5 * pairs.sum::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_worked_by_hand() {
        let mut rows = vec![[0.0; ROW]; 4];
        rows[0][..3].copy_from_slice(&[1.0, 2.0, 0.5]);
        rows[2][..3].copy_from_slice(&[0.25, -1.0, 4.0]);
        rows[3][..3].copy_from_slice(&[0.0, 3.0, 1.0]);
        let rows = Rows::Factors { n_factors: 2, rows };
        // ⟨v0,v2⟩ = −2 + 2, ⟨v0,v3⟩ = 6 + 0.5, ⟨v2,v3⟩ = −3 + 4.
        assert_eq!(rows.strength(&[0, 2, 3]), 1.25 + 0.0 + 6.5 + 1.0);
        assert_eq!((rows.strength(&[2]), rows.strength(&[])), (0.25, 0.0));
        assert_eq!((rows.row(2), rows.n_factors(), rows.len()), (&[0.25, -1.0, 4.0][..], 2, 4));
        let plain = Rows::Weights(vec![0.5, 0.0, 2.0]);
        assert_eq!((plain.strength(&[0, 2]), plain.row(2), plain.n_factors()), (2.5, &[2.0][..], 0));
    }
}
