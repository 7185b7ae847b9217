//! Counts tests from what the test programs print. A test that cannot do its work, because the data folder or an
//! outside program is missing, prints a line `skipped: REASON` and passes; it is counted as skipped.

use std::collections::BTreeMap;
use std::fmt;

/// Which program's output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Harness {
    /// `cargo nextest run`, which shows each passed test's own output after its summary.
    Nextest,
    /// `cargo test`.
    Libtest,
}

/// What has been counted so far, over any number of runs.
#[derive(Debug, Default)]
pub(crate) struct TestTally {
    /// Tests that failed, and other failures counted with them.
    pub(crate) n_failed: usize,
    /// Their names, in the order of failing.
    pub(crate) failed_names: Vec<String>,
    /// Tests that ended well, including those that did nothing.
    n_ended_well: usize,
    /// Tests marked `#[ignore]`.
    n_ignored: usize,
    /// Why tests did nothing, and how many.
    reasons: BTreeMap<String, usize>,
    /// The reason given by the test whose output is being read.
    reason: Option<String>,
    after_summary: bool,
    among_failures: bool,
}

impl TestTally {
    /// Tests that did their work and passed.
    pub(crate) fn n_passed(&self) -> usize {
        self.n_ended_well.saturating_sub(self.reasons.values().sum())
    }

    /// Tests that were not run or did nothing.
    pub(crate) fn n_skipped(&self) -> usize {
        self.n_ignored + self.reasons.values().sum::<usize>()
    }

    /// Why tests were skipped, with the number of tests.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (&str, usize)> {
        let ignored = (self.n_ignored > 0).then_some(("marked as ignored", self.n_ignored));
        self.reasons.iter().map(|(reason, n)| (reason.as_str(), *n)).chain(ignored)
    }

    /// Takes in one line of output; says whether it is worth showing.
    pub(crate) fn read(&mut self, harness: Harness, line: &str) -> bool {
        match harness {
            Harness::Nextest => self.read_nextest(line.trim_start()),
            Harness::Libtest => self.read_libtest(line),
        }
    }

    fn read_nextest(&mut self, line: &str) -> bool {
        if line.starts_with("running ") {
            self.reason = None;
        } else if let Some(reason) = line.strip_prefix("skipped: ") {
            self.reason = Some(reason.to_owned());
        } else if line.starts_with("test ") && line.ends_with(" ... ok") {
            self.settle();
        } else if let Some((_, name)) = line.strip_prefix("FAIL [").and_then(|rest| rest.split_once("] ")) {
            // After the summary the failed tests are named a second time.
            if !self.after_summary {
                let name = name.trim();
                // A count such as `( 2/49)` stands before the name.
                let name = name.split_once(") ").map_or(name, |(_, name)| name);
                self.failed_names.push(name.to_owned());
            }
        } else if line.starts_with("Summary [") {
            self.after_summary = true;
            self.add(line.split_once("run: ").map_or("", |(_, counts)| counts), ", ");
            return true;
        }
        !self.after_summary
    }

    fn read_libtest(&mut self, line: &str) -> bool {
        if line.starts_with("---- ") {
            self.settle_unless_failed();
        } else if line == "successes:" || line == "failures:" {
            self.settle_unless_failed();
            self.among_failures = line == "failures:";
        } else if let Some(reason) = line.strip_prefix("skipped: ") {
            self.reason = Some(reason.to_owned());
        } else if let Some(name) =
            line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
        {
            self.failed_names.push(name.to_owned());
        } else if let Some(rest) = line.strip_prefix("test result: ") {
            self.settle_unless_failed();
            self.among_failures = false;
            self.add(rest.split_once(". ").map_or("", |(_, counts)| counts), "; ");
        }
        true
    }

    /// The test whose output has been read ended well: if it gave a reason, it did nothing.
    fn settle(&mut self) {
        if let Some(reason) = self.reason.take() {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    fn settle_unless_failed(&mut self) {
        if self.among_failures {
            self.reason = None;
        }
        self.settle();
    }

    /// Adds counts such as `48 passed (1 slow), 1 failed, 2 skipped`.
    fn add(&mut self, counts: &str, separator: &str) {
        for count in counts.split(separator) {
            let Some((n, what)) = count.trim().split_once(' ') else { continue };
            let Ok(n) = n.parse::<usize>() else { continue };
            match what.split(" (").next().unwrap_or(what) {
                "passed" => self.n_ended_well += n,
                "failed" | "timed out" | "exec failed" => self.n_failed += n,
                "skipped" | "ignored" => self.n_ignored += n,
                _ => {}
            }
        }
    }
}

/// The last line of a run: `N passed, N failed`, then `, N skipped` if there are any.
impl fmt::Display for TestTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.n_passed(), self.n_failed)?;
        match self.n_skipped() {
            0 => Ok(()),
            n_skipped => write!(f, ", {n_skipped} skipped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(harness: Harness, output: &str, wanted: &str) -> TestTally {
        let mut tally = TestTally::default();
        for line in output.lines() {
            tally.read(harness, line);
        }
        assert_eq!(tally.to_string(), wanted);
        tally
    }

    #[test]
    fn nextest_output() {
        let output = "\
        FAIL [   0.004s] (2/7) sgf::torture wrong
  stdout ───

    running 1 test
    skipped: said by a test that then fails
    test wrong ... FAILED

    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s

────────────
     Summary [   2.352s] 7 tests run: 5 passed (1 slow), 1 failed, 1 timed out, 2 skipped
        FAIL [   0.004s] (2/7) sgf::torture wrong
  stdout ───

    running 1 test
    skipped: TENGEN_DATA is not set
    skipped: TENGEN_DATA is not set
    test one ... ok

    test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s

  stdout ───

    running 1 test
    skipped: TENGEN_DATA is not set
    test two ... ok
";
        let tally = check(Harness::Nextest, output, "3 passed, 2 failed, 4 skipped");
        let reasons: Vec<_> = tally.reasons().collect();
        assert_eq!(reasons, [("TENGEN_DATA is not set", 2), ("marked as ignored", 2)]);
        assert_eq!(tally.failed_names, ["sgf::torture wrong"]);
    }

    #[test]
    fn libtest_output() {
        let output = "\
running 5 tests
test a ... ok
test b ... FAILED
test c ... ok
test d ... ignored
test e ... ok

successes:

---- a stdout ----
skipped: no GNU Go

---- c stdout ----
skipped: no GNU Go
skipped: no data

successes:
    a
    c
    e

failures:

---- b stdout ----
skipped: then failed

failures:
    b

test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 2 tests
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        let tally = check(Harness::Libtest, output, "3 passed, 1 failed, 3 skipped");
        assert_eq!(tally.failed_names, ["b"]);
    }

    #[test]
    fn nothing_ran() {
        check(Harness::Nextest, "error: could not compile `sgf`", "0 passed, 0 failed");
    }
}
