//! Neighbourhoods that are the same but for a turn or a reflection.

use std::sync::LazyLock;

use super::{N_CODES, encode, fills, turned};
use crate::pattern3::source::Sign;
use goban::Code;

static CLASSES: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mut classes = vec![0; N_CODES].into_boxed_slice();
    fills(&[Sign::Any; 8], &mut |around| {
        let Some(code) = encode(around) else { return };
        let turns = (0..8).filter_map(|turn| encode(&turned(around, turn)));
        classes[usize::from(code.0)] = turns.map(|turn| turn.0).min().unwrap_or(code.0);
    });
    classes
});

/// The one of its eight turns and reflections that stands for all of them.
#[must_use]
pub fn class_of(code: Code) -> Code {
    Code(CLASSES[usize::from(code.0)])
}
