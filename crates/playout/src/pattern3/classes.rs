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

/// Number of neighbourhoods that differ by more than a turn or a reflection.
pub const N_SHAPES: usize = 1107;

/// By code: the number of its class, counted without gaps.
static NUMBERS: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mut numbers = vec![u16::MAX; N_CODES].into_boxed_slice();
    let mut n_known = 0;
    for code in 0..=u16::MAX {
        let class = usize::from(class_of(Code(code)).0);
        if numbers[class] == u16::MAX {
            numbers[class] = n_known;
            n_known += 1;
        }
        numbers[usize::from(code)] = numbers[class];
    }
    numbers
});

/// The number of a neighbourhood's class, below [`N_SHAPES`].
#[inline]
#[must_use]
pub fn shape_number(code: Code) -> usize {
    usize::from(NUMBERS[usize::from(code.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_counted_without_gaps() {
        let most = NUMBERS.iter().max();
        assert_eq!(most.map(|&most| usize::from(most) + 1), Some(N_SHAPES));
    }
}
