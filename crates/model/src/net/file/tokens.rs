//! Words, numbers and tensors of a network file, one after the other. Every error gets its place here.

use std::io::Read;

use super::error::{NetFileError, NetFileReason};
use super::source::{Limits, Source};

/// Bytes of a word that is too long.
const LONGEST_WORD: usize = 256;
/// Bytes of white space that is too long.
const LONGEST_SPACE: usize = 1 << 12;
/// The marker before the numbers of a binary tensor.
const BINARY_MARK: &[u8] = b"@BIN@";
/// Weights reserved for before any has been read.
const FIRST_WEIGHTS: usize = 1 << 12;

/// The result of reading a part of a file.
pub(super) type Reading<T> = Result<T, NetFileError>;

/// The words and tensors of a file.
pub(super) struct Tokens<'a> {
    source: Source<'a>,
    /// The layer that is being read.
    layer: String,
    /// Whether the last tensor was binary, so that exactly one line end follows it.
    is_after_binary: bool,
}

impl<'a> Tokens<'a> {
    /// Begins at the first byte of a file.
    pub(super) fn new(file: impl Read + 'a, limits: Limits) -> Reading<Tokens<'a>> {
        let layer = String::from("the header");
        match Source::new(file, limits) {
            Ok(source) => Ok(Tokens { source, layer, is_after_binary: false }),
            Err(reason) => Err(NetFileError { layer, offset: 0, reason }),
        }
    }

    /// The bytes behind the last word.
    pub(super) fn into_source(self) -> Source<'a> {
        self.source
    }

    /// An error at the place that was reached.
    pub(super) fn fail<T>(&self, reason: NetFileReason) -> Reading<T> {
        Err(self.error(reason))
    }

    fn error(&self, reason: NetFileReason) -> NetFileError {
        NetFileError { layer: self.layer.clone(), offset: self.source.offset(), reason }
    }

    fn peek_byte(&mut self) -> Reading<Option<u8>> {
        self.source.peek_byte().map_err(|reason| self.error(reason))
    }

    /// Steps over the bytes that `takes` accepts, at most `most` of them, and appends them to `out`.
    fn take_while(&mut self, takes: impl Fn(&u8) -> bool, most: usize, out: &mut Vec<u8>) -> Reading<()> {
        loop {
            let bytes = match self.source.peek() {
                Ok(bytes) => bytes,
                Err(reason) => return self.fail(reason),
            };
            let room = most - out.len();
            let end = bytes.iter().position(|byte| !takes(byte)).unwrap_or(bytes.len());
            let n = end.min(room);
            out.extend_from_slice(&bytes[..n]);
            let is_done = n < bytes.len() || bytes.is_empty() || n == room;
            self.source.consume(n);
            if is_done {
                return Ok(());
            }
        }
    }

    /// Steps over white space; the byte after it.
    fn skip_space(&mut self) -> Reading<Option<u8>> {
        if self.peek_byte()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            let mut space = Vec::new();
            self.take_while(u8::is_ascii_whitespace, LONGEST_SPACE, &mut space)?;
            if space.len() == LONGEST_SPACE {
                return self.unexpected("a word", b"white space without end");
            }
        }
        self.peek_byte()
    }

    /// The next word.
    pub(super) fn word(&mut self, what: &str) -> Reading<String> {
        if self.skip_space()?.is_none() {
            return self.fail(NetFileReason::Truncated(what.into()));
        }
        let mut word = Vec::with_capacity(16);
        self.take_while(|byte| !byte.is_ascii_whitespace(), LONGEST_WORD, &mut word)?;
        if word.len() == LONGEST_WORD {
            return self.unexpected(what, &word[..32]);
        }
        match String::from_utf8(word) {
            Ok(word) => Ok(word),
            Err(error) => self.unexpected(what, error.as_bytes()),
        }
    }

    /// An error about a word that is something else.
    pub(super) fn unexpected<T>(&self, expected: &str, found: &[u8]) -> Reading<T> {
        let found = found[..found.len().min(64)].escape_ascii().to_string();
        self.fail(NetFileReason::Unexpected { expected: expected.into(), found })
    }

    /// The name of a layer or part, which errors then tell.
    pub(super) fn name(&mut self) -> Reading<String> {
        let name = self.word("a layer's name")?;
        self.layer = name.escape_default().to_string();
        Ok(name)
    }

    /// A whole number.
    pub(super) fn int(&mut self, what: &'static str) -> Reading<i64> {
        let word = self.word(what)?;
        match word.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.unexpected(what, word.as_bytes()),
        }
    }

    /// A count within bounds.
    pub(super) fn count(&mut self, what: &'static str, low: usize, high: usize) -> Reading<usize> {
        let found = self.int(what)?;
        match usize::try_from(found) {
            Ok(count) if (low..=high).contains(&count) => Ok(count),
            _ => {
                let (low, high) = (low as i64, high as i64);
                self.fail(NetFileReason::OutOfRange { what, found, low, high })
            }
        }
    }

    /// A count that the layers around leave no choice for.
    pub(super) fn fixed(&mut self, what: &'static str, expected: usize) -> Reading<()> {
        let found = self.count(what, 0, usize::MAX >> 1)?;
        if found == expected {
            return Ok(());
        }
        self.fail(NetFileReason::Mismatch { what, expected, found })
    }

    /// A yes (1) or no (0).
    pub(super) fn flag(&mut self, what: &'static str) -> Reading<bool> {
        Ok(self.count(what, 0, 1)? == 1)
    }

    /// Numbers that are reserved for networks to come and must be 0.
    pub(super) fn zeros(&mut self, n: usize, what: &'static str) -> Reading<()> {
        for _ in 0..n {
            let found = self.int(what)?;
            if found != 0 {
                return self.fail(NetFileReason::Unsupported(format!("{what} {found}")));
            }
        }
        Ok(())
    }

    /// A finite number that stands as a word.
    pub(super) fn number(&mut self, what: &'static str) -> Reading<f32> {
        let word = self.word(what)?;
        match word.parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => self.unexpected(what, word.as_bytes()),
        }
    }

    /// A tensor of `n` weights, binary or text. Memory grows as weights arrive: a claim alone costs nothing.
    pub(super) fn weights(&mut self, n: usize) -> Reading<Vec<f32>> {
        let mut weights = Vec::with_capacity(n.min(FIRST_WEIGHTS));
        self.is_after_binary = self.skip_space()? == Some(BINARY_MARK[0]);
        if self.is_after_binary {
            self.binary_weights(n, &mut weights)?;
        } else {
            while weights.len() < n {
                let word = self.word("all weights of the layer")?;
                match word.parse() {
                    Ok(weight) => self.push(weight, &mut weights)?,
                    Err(_) => return self.unexpected("a weight", word.as_bytes()),
                }
            }
        }
        weights.shrink_to_fit();
        Ok(weights)
    }

    fn binary_weights(&mut self, n: usize, weights: &mut Vec<f32>) -> Reading<()> {
        for &expected in BINARY_MARK {
            let byte = self.peek_byte()?;
            if byte != Some(expected) {
                return self.unexpected("@BIN@ before the weights", byte.as_slice());
            }
            self.source.consume(1);
        }
        while weights.len() < n {
            let wanted = n - weights.len();
            let available = match self.source.peek() {
                Ok(bytes) => bytes,
                Err(reason) => return self.fail(reason),
            };
            let whole = (available.len() / 4).min(wanted);
            if whole == 0 {
                let weight = self.split_weight()?;
                self.push(weight, weights)?;
                continue;
            }
            let from = weights.len();
            let chunks = available[..4 * whole].chunks_exact(4);
            weights.extend(chunks.map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])));
            let bad = weights[from..].iter().position(|weight| !weight.is_finite());
            self.source.consume(4 * bad.unwrap_or(whole));
            if let Some(bad) = bad {
                return self.not_finite(from + bad, weights[from + bad]);
            }
            weights[from..].iter_mut().for_each(|weight| *weight = flush(*weight));
        }
        match self.peek_byte()? {
            None => self.fail(NetFileReason::Truncated("the line end after the weights".into())),
            Some(b'\n' | b'\r') => Ok(()),
            Some(byte) => self.unexpected("a line end after the weights", &[byte]),
        }
    }

    /// A weight whose bytes do not arrive together.
    fn split_weight(&mut self) -> Reading<f32> {
        let mut bytes = [0; 4];
        for byte in &mut bytes {
            match self.peek_byte()? {
                Some(next) => *byte = next,
                None => return self.fail(NetFileReason::Truncated("all weights of the layer".into())),
            }
            self.source.consume(1);
        }
        Ok(f32::from_le_bytes(bytes))
    }

    fn push(&mut self, weight: f32, weights: &mut Vec<f32>) -> Reading<()> {
        if !weight.is_finite() {
            return self.not_finite(weights.len(), weight);
        }
        weights.push(flush(weight));
        Ok(())
    }

    fn not_finite<T>(&self, index: usize, value: f32) -> Reading<T> {
        self.fail(NetFileReason::NotFinite { index, value })
    }

    /// Sees to it that the file ends here: after a binary tensor with one line end, after a text with white space.
    pub(super) fn finish(&mut self) -> Reading<()> {
        if self.peek_byte()?.is_none() {
            return self.fail(NetFileReason::Truncated("the line end after the weights".into()));
        }
        if !self.is_after_binary {
            self.skip_space()?;
        } else {
            if self.peek_byte()? == Some(b'\r') {
                self.source.consume(1);
            }
            if self.peek_byte()? == Some(b'\n') {
                self.source.consume(1);
            }
        }
        if self.peek_byte()?.is_some() {
            return self.fail(NetFileReason::LeftOver);
        }
        Ok(())
    }
}

/// Subnormal numbers become 0: they change no output, and a processor multiplies them many times slower.
pub(super) fn flush(weight: f32) -> f32 {
    if weight.abs() < f32::MIN_POSITIVE { 0.0 } else { weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(file: &[u8]) -> Tokens<'_> {
        Tokens::new(file, Limits::default()).unwrap()
    }

    /// A reader that gives one byte at a time.
    struct Dripping<'a>(&'a [u8]);

    impl Read for Dripping<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = self.0.len().min(out.len()).min(1);
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn binary(weights: &[f32]) -> Vec<u8> {
        let mut file = b" @BIN@".to_vec();
        weights.iter().for_each(|weight| file.extend(weight.to_le_bytes()));
        file.push(b'\n');
        file
    }

    #[test]
    fn words_numbers_and_tensors_in_a_row() {
        let mut file = b"name 12\n-0.5 1 0 0 1.5 2e0 ".to_vec();
        file.extend(binary(&[3.0, -4.0]));
        let mut tokens = tokens(&file);
        assert_eq!(tokens.name().unwrap(), "name");
        assert_eq!(tokens.count("x", 0, 20).unwrap(), 12);
        assert_eq!(tokens.number("y").unwrap(), -0.5);
        assert!(tokens.flag("f").unwrap());
        tokens.zeros(2, "z").unwrap();
        assert_eq!(tokens.weights(2).unwrap(), [1.5, 2.0]);
        assert_eq!(tokens.weights(2).unwrap(), [3.0, -4.0]);
        tokens.finish().unwrap();
    }

    #[test]
    fn bytes_may_arrive_one_by_one() {
        let file = binary(&[1.0, 2.0, 3.0]);
        let mut tokens = Tokens::new(Dripping(&file), Limits::default()).unwrap();
        assert_eq!(tokens.weights(3).unwrap(), [1.0, 2.0, 3.0]);
        tokens.finish().unwrap();
    }

    #[test]
    fn subnormal_weights_become_zero() {
        let tiny = f32::MIN_POSITIVE / 2.0;
        let weights = [tiny, -tiny, f32::MIN_POSITIVE, 1.0];
        let right = [0.0, 0.0, f32::MIN_POSITIVE, 1.0];
        assert_eq!(tokens(&binary(&weights)).weights(4).unwrap(), right);
        assert_eq!(tokens(b"1e-39 -1e-39 1.17549435e-38 1 ").weights(4).unwrap(), right);
    }

    #[test]
    fn a_number_that_is_none_is_refused_where_it_stands() {
        let mut reader = tokens(b"conv nan ");
        reader.name().unwrap();
        let error = reader.weights(1).unwrap_err();
        assert!(matches!(error.reason, NetFileReason::NotFinite { index: 0, .. }), "{error}");
        assert_eq!(error.layer, "conv");

        let file = binary(&[1.0, f32::NEG_INFINITY, 2.0]);
        let error = tokens(&file).weights(3).unwrap_err();
        assert_eq!(error.reason, NetFileReason::NotFinite { index: 1, value: f32::NEG_INFINITY });
        // A space, the marker, and one weight.
        assert_eq!(error.offset, 10);
        assert_eq!(
            error.to_string(),
            "weight 1 is -inf, not a finite number (byte 10 of the unpacked file, in the header)"
        );
    }

    #[test]
    fn a_claim_costs_nothing_and_a_missing_byte_is_seen() {
        let file = binary(&[1.0; 10]);
        let error = tokens(&file).weights(1 << 40).unwrap_err();
        assert!(matches!(error.reason, NetFileReason::Truncated(_)), "{error}");
        for left in 1..file.len() {
            let mut cut = tokens(&file[..left]);
            let error = cut.weights(10).unwrap_err();
            assert!(
                matches!(error.reason, NetFileReason::Truncated(_) | NetFileReason::Unexpected { .. }),
                "{left}: {error}"
            );
        }
        // One weight too many: something else than a line end follows.
        let error = tokens(&file).weights(9).unwrap_err();
        assert!(matches!(error.reason, NetFileReason::Unexpected { .. }), "{error}");
    }

    #[test]
    fn the_end_is_the_end() {
        let ends = |file: &[u8], n: usize| {
            let mut tokens = tokens(file);
            tokens.weights(n).and_then(|_| tokens.finish()).map_err(|error| error.reason)
        };
        let mut file = binary(&[1.0]);
        assert_eq!(ends(&file, 1), Ok(()));
        file.push(b'\n');
        assert_eq!(ends(&file, 1), Err(NetFileReason::LeftOver));
        assert_eq!(ends(b"1.5 \n", 1), Ok(()));
        assert!(matches!(ends(b"1.5", 1), Err(NetFileReason::Truncated(_))));
        assert_eq!(ends(b"1.5 2", 1), Err(NetFileReason::LeftOver));
    }

    #[test]
    fn nonsense_is_told_in_words() {
        let error = tokens(b"x").count("the version", 0, 9).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected the version, found `x` (byte 1 of the unpacked file, in the header)"
        );
        let long = vec![b'a'; 5000];
        assert!(matches!(tokens(&long).word("a name").unwrap_err().reason, NetFileReason::Unexpected { .. }));
        let error = tokens(b"\xff\xfe").word("a name").unwrap_err();
        assert!(error.to_string().contains(r"`\xff\xfe`"), "{error}");
        let empty = vec![b' '; 5000];
        assert!(matches!(
            tokens(&empty).word("a name").unwrap_err().reason,
            NetFileReason::Unexpected { .. }
        ));
        assert!(tokens(b"2").flag("the flag").is_err());
        assert!(tokens(b"-1").count("the count", 0, 5).is_err());
        assert!(tokens(b"0 3").zeros(2, "option").unwrap_err().to_string().contains("option 3"));
    }
}
