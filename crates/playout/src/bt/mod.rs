//! What a move is worth to a playout: a Bradley-Terry model over features that are cheap enough to be kept move by move.
//! [Coulom 2007; Huang, Coulom & Lin 2010]
//!
//! A move is a team of features, and P(a) = Π γ_i(a) / Σ_b Π γ_i(b). Policies and trainers read the features by the same code.
//!
//! In reading order: [`list`] the features · [`scene`] how a position shows them · [`file`](mod@file) learned weights and their
//! file · [`mod@table`] the weights laid out for a board. The policy is `policy::bt`, the trainers are in the crate `train`.

pub mod file;
pub mod list;
pub mod scene;
pub mod table;

pub use file::{BadWeights, BtModel, BtNotes};
pub use scene::{BtGeometry, BtScene};
pub use table::BtTable;

use std::sync::{LazyLock, OnceLock};

use goban::Size;

macro_rules! built_in {
    ($file:literal) => {
        LazyLock::new(|| {
            BtModel::parse(include_str!($file)).unwrap_or_else(|error| panic!("{}: {error}", $file))
        })
    };
}

/// Fitted to games by minorization-maximization: for boards up to 11×11, up to 16×16, and larger ones.
static FITTED: [LazyLock<BtModel>; 3] =
    [built_in!("mm-9.weights"), built_in!("mm-13.weights"), built_in!("mm-19.weights")];

/// Balanced on 9×9.
static BALANCED: LazyLock<BtModel> = built_in!("balanced-9.weights");

/// The weights from a file.
static INSTALLED: OnceLock<BtModel> = OnceLock::new();

/// The built-in weights under which the moves of games are likeliest.
pub fn fitted(size: Size) -> &'static BtModel {
    let n_points = size.area();
    &FITTED[usize::from(n_points > 11 * 11) + usize::from(n_points > 16 * 16)]
}

/// The built-in weights under which the mean results of playouts are those of a search; learned on 9×9.
pub fn balanced() -> &'static BtModel {
    &BALANCED
}

/// Makes weights from a file known to the whole program, as `weights=file`. To be called once, before anything asks for them.
///
/// # Errors
/// Gives the model back if there are other weights already.
pub fn install(model: BtModel) -> Result<(), BtModel> {
    INSTALLED.set(model)
}

/// The weights from a file, if some were installed.
pub fn installed() -> Option<&'static BtModel> {
    INSTALLED.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_weights_can_be_read_and_are_of_their_size() {
        for side in [9, 13, 19] {
            let size = Size::square(side).unwrap();
            assert_eq!(fitted(size).size, size);
        }
        assert_eq!((balanced().size.width(), fitted(Size::square(7).unwrap()).size.width()), (9, 9));
    }
}
