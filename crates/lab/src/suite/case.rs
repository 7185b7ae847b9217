//! Cases, and what stands in a suite but is none.

use goban::{Color, Position};

use super::answer::RightAnswer;

/// A position and the answer to it.
#[derive(Clone, Debug)]
pub struct SuiteCase {
    /// How its file calls it: the number of a test, the title of a drawn board, the name of a record.
    pub name: String,
    /// Where it stands in the file, from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// Who is to find the answer, whoever moved last.
    pub color: Color,
    /// The answer.
    pub answer: RightAnswer,
    /// Whether the author of the suite knows that his own program fails here.
    pub expects_failure: bool,
    /// The record that the position was taken from, as the file names it.
    pub source: Option<String>,
}

/// A place in a file and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What the file calls it, if it has a name.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// What there is to say.
    pub text: String,
}

/// Something that a suite asks.
#[derive(Clone, Debug)]
pub enum SuiteItem {
    /// A position that a player can be shown.
    Case(Box<SuiteCase>),
    /// What only another kind of program can answer; the text is the command, or why.
    Inapplicable(Remark),
    /// A case that could not be set up; the text says why.
    Error(Remark),
}

impl SuiteItem {
    /// The case, if it is one.
    pub fn case(&self) -> Option<&SuiteCase> {
        match self {
            Self::Case(case) => Some(case),
            Self::Inapplicable(_) | Self::Error(_) => None,
        }
    }
}
