//! Drawn boards: the files of `boards/solve`.

use std::path::Path;

use player::solve;

use super::{Defaults, QuestionKind, RightAnswer, Suite, SuiteCase, SuiteItem};
use crate::error::{Error, Result};

/// Reads all boards of a file; they say themselves which rules and which komi they mean.
pub(super) fn read(path: &Path, _: &Defaults) -> Result<Suite> {
    let bytes = std::fs::read(path).map_err(Error::unread(path, "a file of drawn boards"))?;
    let text = String::from_utf8_lossy(&bytes);
    let cases = solve::parse(&text).map_err(|error| Error::input(format!("{}: {error}", path.display())))?;
    let mut suite = Suite::new(path, QuestionKind::Drawn);
    suite.items = cases.into_iter().map(|case| SuiteItem::Case(Box::new(to_case(case)))).collect();
    Ok(suite)
}

fn to_case(case: solve::Case) -> SuiteCase {
    let answer = RightAnswer::moves(case.answer(), case.best, case.avoid);
    SuiteCase {
        name: case.title,
        line: case.line,
        color: case.position.to_play(),
        position: case.position,
        answer,
        expects_failure: false,
        source: None,
    }
}
