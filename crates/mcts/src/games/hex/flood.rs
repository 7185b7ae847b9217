//! Who has won a full board, by rows of bits: what Black reaches from the top spreads row by row, down and up again, until
//! it stands at the bottom or grows no more.

use super::HexRows;

/// Whether the stones of `rows` connect the top with the bottom of a board of `side` rows.
pub(super) fn connects(rows: &HexRows, side: usize) -> bool {
    let mut reached = *rows;
    reached[2..=side].fill(0);
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for row in 2..=side {
            let above = reached[row - 1];
            let seeds = reached[row] | rows[row] & (above | above >> 1);
            has_grown |= grow(rows[row], seeds, &mut reached[row]);
        }
        if reached[side] != 0 {
            return true;
        }
        if !has_grown {
            return false;
        }
        has_grown = false;
        for row in (2..side).rev() {
            let below = reached[row + 1];
            let seeds = reached[row] | rows[row] & (below | below << 1);
            has_grown |= grow(rows[row], seeds, &mut reached[row]);
        }
    }
    false
}

/// Fills the runs of `stones` in which seeds stand; returns whether that is more than before.
#[inline]
fn grow(stones: u32, seeds: u32, reached: &mut u32) -> bool {
    if seeds == *reached {
        return false;
    }
    let right = run_on(stones, seeds);
    let left = run_on(stones.reverse_bits(), right.reverse_bits()).reverse_bits();
    *reached = left;
    true
}

/// The seeds and the stones above them in their runs: a carry runs through the stones and leaves zeros.
#[inline]
fn run_on(stones: u32, seeds: u32) -> u32 {
    stones & !stones.wrapping_add(seeds) | seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_filled_both_ways() {
        let filled = |stones: u32, seeds: u32| {
            let mut reached = 0;
            grow(stones, seeds, &mut reached);
            reached
        };
        assert_eq!(filled(0b1110_0111, 0b0000_0010), 0b0000_0111);
        assert_eq!(filled(0b1110_0111, 0b0100_0000), 0b1110_0000);
        assert_eq!(filled(0b1111_1111, 0b0100_0101), 0b1111_1111);
        assert_eq!(filled(0b1011_0111, 0b0000_0000), 0);
        assert_eq!(filled(0b1011_0111, 0b1000_0001), 0b1000_0111);
    }

    #[test]
    fn a_way_may_go_up_again() {
        // Row by row from the top, the first column at the right; bit 0 is outside.
        let board = |rows: &[u32]| {
            let mut all = HexRows::default();
            rows.iter().zip(&mut all[1..]).for_each(|(row, out)| *out = row << 1);
            connects(&all, rows.len())
        };
        // Down in the first column, up in the middle, down again in the last.
        assert!(board(&[0b00001, 0b11001, 0b10101, 0b10011, 0b10000]));
        assert!(!board(&[0b00001, 0b11001, 0b10101, 0b10001, 0b10000]));
        // A cell's lower neighbours are its own column and the one before.
        assert!(board(&[0b100, 0b010, 0b001]));
        assert!(!board(&[0b001, 0b010, 0b100]));
    }
}
