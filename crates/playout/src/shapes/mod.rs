//! Local shapes: the value of a position as a sum of weights, one for each configuration of stones in each small rectangle of
//! the board. [Silver, Sutton & Müller 2007, RLGO; Gelly & Silver 2007, §4]
//!
//! Every rectangle of 1×1, 1×2, 2×1, 2×2, 2×3, 3×2 and 3×3 points, at every place, shows exactly one *shape*: what its points
//! hold. A shape has two weights, one of its place and one of its kind wherever it stands, and Black wins with probability
//! σ(Σ weights). Weights are shared by all shapes that the symmetries of the board make of one another, and with the opposite
//! sign by those that result when the colours are exchanged; a shape that is its own opposite has none. Two further weights,
//! one for positions after Black's moves and one for those after White's, stand for komi and the turn.
//!
//! In reading order: [`grid`] the rectangles of a board · [`classes`] which shapes share a weight · [`file`](mod@file) learned
//! weights and their file · [`table`](mod@table) the weights laid out for a board · [`state`] the value of a position, kept move by move ·
//! [`scan`] the values of all moves of one position. The trainer is `train::shapes`.

pub mod classes;
pub mod file;
pub mod grid;
pub mod scan;
pub mod state;
pub mod table;

pub use classes::ShapeClasses;
pub use file::{ShapeFileError, ShapeModel};
pub use grid::{ShapeCodes, ShapeGrid};
pub use scan::ShapeScan;
pub use state::ShapeState;
pub use table::ShapeTable;

use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use goban::Size;

/// The weights that are built in, learned on 9×9.
static BUILT_IN: LazyLock<ShapeModel> = LazyLock::new(|| {
    ShapeModel::parse(include_bytes!("shapes-9.bin")).unwrap_or_else(|error| panic!("shapes-9.bin: {error}"))
});

/// The weights from a file that stand in for those.
static INSTALLED: OnceLock<ShapeModel> = OnceLock::new();

/// Tables that were asked for, one for each size.
static TABLES: Mutex<Vec<Arc<ShapeTable>>> = Mutex::new(Vec::new());

/// Uses other weights than those built in, for the whole program. To be called once, before anything asks for a table: what
/// policies and priors play by is a constant from then on.
///
/// # Errors
/// Gives the model back if there are other weights already.
pub fn install(model: ShapeModel) -> Result<(), ShapeModel> {
    INSTALLED.set(model)
}

/// The weights in use: those from a file if some were installed, else those built in.
pub fn in_use() -> &'static ShapeModel {
    INSTALLED.get().unwrap_or_else(|| &BUILT_IN)
}

/// The weights in use, laid out for boards of `size`. Made when a size is first asked for.
pub fn table(size: Size) -> Arc<ShapeTable> {
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = tables.iter().find(|table| table.size() == size) {
        return Arc::clone(table);
    }
    let table = Arc::new(ShapeTable::new(in_use(), size));
    tables.push(Arc::clone(&table));
    table
}
