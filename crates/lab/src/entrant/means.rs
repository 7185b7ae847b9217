//! Memory and threads of a search.

use mcts::Settings;

use crate::run::machine;
use crate::{Error, Result};

/// Memory and threads of a search. An engine with more of it is still the same engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchMeans {
    /// Bytes that the tree may take.
    pub memory: usize,
    /// Threads that search the one tree.
    pub threads: usize,
}

/// The least memory with which a search is worth the name: some hundred nodes on the largest board.
const MIN_MEMORY: usize = 1_000_000;

/// More threads than any machine of today has cores for.
const MAX_THREADS: usize = 256;

impl Default for SearchMeans {
    fn default() -> Self {
        Self { memory: Settings::default().memory, threads: 1 }
    }
}

impl SearchMeans {
    /// The settings of a search with these means.
    ///
    /// # Errors
    /// Names what no search can do with.
    pub fn settings(self, seed: u64) -> Result<Settings> {
        let Self { memory, threads } = self;
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(Error::input(format!("--threads {threads}: expected 1 to {MAX_THREADS}")));
        }
        // What is usual is never refused: it is more than most searches take.
        if memory > Self::default().memory {
            within(memory, machine::memory())?;
        }
        Ok(Settings { seed, memory, threads, net: None })
    }
}

/// Refuses memory that a machine does not have, if that is known, or that the system does not give. A tree takes it bit by
/// bit, and would be found too large only in the middle of a game, when the program can but abort.
fn within(memory: usize, machine: Option<u64>) -> Result<()> {
    let giga = |bytes: f64| format!("{}G", (bytes / 1e7).round() / 100.0);
    let asked = giga(memory as f64);
    match machine {
        Some(has) if memory as u64 > has => Err(Error::input(format!(
            "memory={asked}: this machine has {0}; expected at most {0}",
            giga(has as f64)
        ))),
        _ if !is_given(memory) => {
            Err(Error::input(format!("memory={asked}: the system does not give so much; expected less")))
        }
        _ => Ok(()),
    }
}

/// Whether the system gives so much memory at once; it is given back.
fn is_given(memory: usize) -> bool {
    let mut probe = Vec::<u8>::new();
    let is_given = probe.try_reserve_exact(memory).is_ok();
    // What nobody looks at, a compiler need not ask for.
    std::hint::black_box(&probe);
    is_given
}

/// `64M`, `1.5G`, `256MiB`, `4000000`. A unit is a power of 1000, as in the megabytes of reports; with an `i` of 1024.
///
/// # Errors
/// Says what is no size, or none that a tree or a machine could have.
pub fn parse_memory(text: &str) -> Result<usize> {
    let expected = "expected a size such as 64M, 1.5G or 256MiB";
    let refuse = |why: String| Err(Error::Input(why));
    let word = text.trim();
    let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match word[number.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        unknown => return refuse(format!("\"{unknown}\" is not a unit of memory; {expected}")),
    };
    let Ok(number) = number.trim().parse::<f64>() else {
        return refuse(format!("\"{text}\" is not a size; {expected}"));
    };
    let bytes = number * unit;
    if bytes.is_nan() || bytes < MIN_MEMORY as f64 {
        return refuse(format!("\"{text}\" is too little for a tree; expected at least 1M"));
    }
    // No machine has so much, and it is exact in both types.
    if bytes > (1u64 << 50) as f64 {
        return refuse(format!("\"{text}\" is more than any machine has; {expected}"));
    }
    Ok(bytes as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory_have_units() {
        let cases = [
            ("64M", 64_000_000),
            ("1.5G", 1_500_000_000),
            ("4mb", 4_000_000),
            ("2000K", 2_000_000),
            ("256MiB", 256 << 20),
            ("1GiB", 1 << 30),
            (" 4000000 ", 4_000_000),
            ("5000000B", 5_000_000),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_memory(text).unwrap(), bytes, "{text}");
        }
        let cases = [
            ("64X", "\"x\" is not a unit"),
            ("M", "is not a size"),
            ("", "is not a size"),
            ("nan", "not a unit"),
            ("-64M", "too little"),
            ("0", "too little"),
            ("999K", "at least 1M"),
            ("9e99G", "more than any machine has"),
            ("64 M M", "is not a size"),
        ];
        for (text, expected) in cases {
            let error = parse_memory(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn memory_that_is_not_there_is_refused() {
        let error = within(999_999_000_000_000, Some(16_500_000_000)).unwrap_err().to_string();
        assert_eq!(error, "memory=999999G: this machine has 16.5G; expected at most 16.5G");
        // More than any address space of today; nobody knows what the machine has.
        let error = within(1 << 60, None).unwrap_err().to_string();
        assert!(error.contains("the system does not give so much"), "{error}");
        assert!(within(1 << 20, None).is_ok() && within(1 << 20, Some(1 << 20)).is_ok());
        let means = SearchMeans { memory: 1 << 50, ..SearchMeans::default() };
        assert!(means.settings(1).unwrap_err().to_string().starts_with("memory=1125899.91G: "));
    }

    #[test]
    fn the_default_of_memory_is_that_of_the_search() {
        assert_eq!(parse_memory("1GiB").unwrap(), Settings::default().memory);
        assert_eq!(SearchMeans::default().settings(5).unwrap(), Settings { seed: 5, ..Settings::default() });
    }
}
