//! The 3×3 patterns of playouts and priors: which neighbourhoods of an empty point make it a natural move.
//!
//! The source is drawn, in `patterns.txt`; it is compiled once, over the eight symmetries and both movers, into a table
//! indexed by the board's own [`Code`]. The numbers of the patterns are for Black to move; a code with the colours
//! exchanged serves White. Whose move by a pattern a code is, if anybody's, stands in a table of its own, since that is what
//! is asked most.

mod classes;
mod source;

use std::sync::LazyLock;

use goban::{Code, Color};

pub use classes::{N_SHAPES, class_of, shape_number};
pub use source::PatternError;
use source::{DrawnPattern, Sign};

const N_CODES: usize = 1 << 16;

/// A pattern of a table, by its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternIdx(u8);

impl PatternIdx {
    /// The place, from 0.
    #[inline(always)]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// Which codes are patterns.
#[derive(Clone, Debug)]
pub struct Pattern3 {
    /// By code: one bit for each mover.
    movers: Box<[u8; N_CODES]>,
    /// The pattern of each code that is one.
    pattern: Box<[u8; N_CODES]>,
    /// Gammas in hundredths, at least 1, by pattern; 256 so that every pattern has one.
    weights: Box<[u16; 256]>,
    names: Vec<String>,
}

static STANDARD: LazyLock<Pattern3> = LazyLock::new(|| {
    let parsed = Pattern3::parse(include_str!("patterns.txt"));
    parsed.unwrap_or_else(|error| panic!("the built-in patterns: {error}"))
});

impl Pattern3 {
    /// The patterns that are built in.
    pub fn standard() -> &'static Pattern3 {
        &STANDARD
    }

    /// Compiles patterns in the form of `patterns.txt`.
    ///
    /// # Errors
    /// Names the line that cannot be read.
    pub fn parse(text: &str) -> Result<Pattern3, PatternError> {
        let drawn = source::parse(text)?;
        let mut table = Pattern3 {
            movers: Box::new([0; N_CODES]),
            pattern: Box::new([0; N_CODES]),
            weights: Box::new([1; 256]),
            names: drawn.iter().map(|pattern| pattern.name.clone()).collect(),
        };
        for (idx, pattern) in drawn.iter().enumerate() {
            table.weights[idx] = ((pattern.gamma * 100.0).round() as u16).max(1);
            table.enter(PatternIdx(idx as u8), pattern);
        }
        Ok(table)
    }

    fn enter(&mut self, idx: PatternIdx, pattern: &DrawnPattern) {
        for turn in 0..8 {
            let signs = turned(&pattern.signs, turn);
            fills(&signs, &mut |fill| {
                let Some(code) = encode(fill) else { return };
                self.enter_code(idx, code);
                if !pattern.is_for_x {
                    self.enter_code(idx, swapped(code));
                }
            });
        }
    }

    fn enter_code(&mut self, idx: PatternIdx, code: Code) {
        if !self.matches(code, Color::Black) {
            for (mover, code) in Color::BOTH.into_iter().zip([code, swapped(code)]) {
                self.movers[usize::from(code.0)] |= 1 << mover.idx();
            }
            self.pattern[usize::from(code.0)] = idx.0;
        }
    }

    /// Whether a move of `mover` on an empty point with this neighbourhood is one by a pattern.
    #[inline(always)]
    pub fn matches(&self, code: Code, mover: Color) -> bool {
        self.movers(code) >> mover.idx() & 1 == 1
    }

    /// Who may play by a pattern on an empty point with this neighbourhood: bit 0 for Black, bit 1 for White.
    #[inline(always)]
    pub fn movers(&self, code: Code) -> u8 {
        self.movers[usize::from(code.0)]
    }

    /// The pattern by which `mover` may play on an empty point with this neighbourhood.
    #[inline(always)]
    pub fn find(&self, code: Code, mover: Color) -> Option<PatternIdx> {
        self.matches(code, mover).then(|| self.pattern_of(code, mover))
    }

    /// As [`Pattern3::find`] for a code that is known to match.
    #[inline(always)]
    pub fn pattern_of(&self, code: Code, mover: Color) -> PatternIdx {
        PatternIdx(self.pattern[usize::from(seen_by(code, mover).0)])
    }

    /// The pattern's gamma in hundredths, at least 1: a whole number, so that draws are exact.
    #[inline(always)]
    pub fn weight(&self, pattern: PatternIdx) -> u16 {
        self.weights[pattern.idx()]
    }

    /// The pattern's name.
    pub fn name(&self, pattern: PatternIdx) -> &str {
        &self.names[pattern.idx()]
    }

    /// Number of patterns.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True without patterns.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// The code with the mover's stones as black ones.
#[inline(always)]
#[must_use]
pub const fn seen_by(code: Code, mover: Color) -> Code {
    match mover {
        Color::Black => code,
        Color::White => swapped(code),
    }
}

/// The code with the colours exchanged: in each field the two bits change places; empty and border stay.
#[inline(always)]
const fn swapped(code: Code) -> Code {
    Code((code.0 & 0x5555) << 1 | (code.0 & 0xaaaa) >> 1)
}

/// The eight points around the centre, row by row, seen after one of the eight symmetries.
fn turned<T: Copy>(around: &[T; 8], turn: usize) -> [T; 8] {
    // Where each point of the turned drawing comes from, as column and row around the centre.
    const PLACES: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    PLACES.map(|(x, y)| {
        let (x, y) = if turn & 1 != 0 { (-x, y) } else { (x, y) };
        let (x, y) = if turn & 2 != 0 { (x, -y) } else { (x, y) };
        let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
        let idx = (y + 1) * 3 + x + 1;
        around[(if idx > 4 { idx - 1 } else { idx }) as usize]
    })
}

// The contents of a point, as the two bits of a code.
const EMPTY: u16 = 0;
const BLACK: u16 = 1;
const WHITE: u16 = 2;
const OFF: u16 = 3;

/// Calls `f` with every way to fill the signs, X being Black.
fn fills(signs: &[Sign; 8], f: &mut impl FnMut(&[u16; 8])) {
    fn fill(signs: &[Sign; 8], idx: usize, filled: &mut [u16; 8], f: &mut impl FnMut(&[u16; 8])) {
        if idx == 8 {
            return f(filled);
        }
        let contents: &[u16] = match signs[idx] {
            Sign::X => &[BLACK],
            Sign::O => &[WHITE],
            Sign::Empty => &[EMPTY],
            Sign::NotX => &[EMPTY, WHITE],
            Sign::NotO => &[EMPTY, BLACK],
            Sign::Any => &[EMPTY, BLACK, WHITE, OFF],
            Sign::Off => &[OFF],
        };
        for &content in contents {
            filled[idx] = content;
            fill(signs, idx + 1, filled, f);
        }
    }
    fill(signs, 0, &mut [EMPTY; 8], f);
}

/// The code of a neighbourhood, row by row; `None` if no board has such a border: a diagonal is off the board if and
/// only if one of its two neighbours is, and opposite neighbours are not both.
fn encode(around: &[u16; 8]) -> Option<Code> {
    let [nw, north, ne, west, east, sw, south, se] = *around;
    let off = |content: u16| content == OFF;
    let fits = |diagonal: u16, a: u16, b: u16| off(diagonal) == (off(a) || off(b));
    let is_sound = fits(nw, north, west)
        && fits(ne, north, east)
        && fits(sw, south, west)
        && fits(se, south, east)
        && !(off(north) && off(south) || off(west) && off(east));
    if !is_sound {
        return None;
    }
    let mut bits = north | west << 2 | east << 4 | south << 6;
    let mut has_off = false;
    for (place, diagonal) in [nw, ne, sw, se].into_iter().enumerate() {
        // The board's codes mark only the first diagonal that is off the board.
        if !off(diagonal) || !std::mem::replace(&mut has_off, true) {
            bits |= diagonal << (8 + 2 * place);
        }
    }
    Some(Code(bits))
}

#[cfg(test)]
mod tests;
