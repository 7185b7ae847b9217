//! Answers: which moves solve a case.

use std::fmt;

use goban::{Position, Size, Vertex};
use regex_lite::Regex;

/// Which moves are right. It is written as its file has it: `D4|E5`, `!C3`, `B D4 not C3`.
#[derive(Clone, Debug)]
pub struct RightAnswer {
    text: String,
    rule: Rule,
}

#[derive(Clone, Debug)]
enum Rule {
    /// One of the best ones, or anything if there are none, that is not to be avoided.
    Moves { best: Vec<Vertex>, avoid: Vec<Vertex> },
    /// What the expression fits, or does not fit, from its first to its last letter.
    Pattern { pattern: Regex, is_negated: bool },
}

/// An answer as points of a board. An answer that names what is wrong says nothing about what is right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Moves that solve the case.
    pub right: Vec<Vertex>,
    /// Moves that do not.
    pub wrong: Vec<Vertex>,
}

impl RightAnswer {
    /// One of the `best` moves, or any move if there are none; but none to `avoid`.
    pub fn moves(text: String, best: Vec<Vertex>, avoid: Vec<Vertex>) -> Self {
        Self { text, rule: Rule::Moves { best, avoid } }
    }

    /// Reads the answer of a regression test, without its brackets: an extended regular expression that the whole answer
    /// has to fit, or behind a `!` must not fit. Small letters are as good as capital ones, for engines differ.
    ///
    /// GNU Go's own script ties only the first alternative to the beginning of the answer and the last one to its end,
    /// so that `A1|B2` lets A15 pass. That cannot be meant.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn pattern(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (is_negated, expression) = match text.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, text),
        };
        let why = |error| format!("{error}; expected a regular expression such as D4|E5 or !C3");
        // Alone first: brackets that close one another outside would be well inside ours.
        Regex::new(expression).map_err(why)?;
        let pattern = Regex::new(&format!("(?i)^(?:{expression})$")).map_err(why)?;
        Ok(Self { text: text.to_string(), rule: Rule::Pattern { pattern, is_negated } })
    }

    /// Whether a move of this board is right.
    pub fn is_right(&self, size: Size, vertex: Vertex) -> bool {
        match &self.rule {
            Rule::Moves { best, avoid } => {
                (best.is_empty() || best.contains(&vertex)) && !avoid.contains(&vertex)
            }
            Rule::Pattern { pattern, is_negated } => pattern.is_match(&size.show(vertex)) != *is_negated,
        }
    }

    /// The moves that the answer speaks of; of right ones those that are legal or a pass.
    pub fn marks(&self, position: &Position) -> Marks {
        let size = position.size();
        let all = || size.vertices().chain([Vertex::PASS]);
        let fitting =
            |pattern: &Regex| all().filter(|&v| pattern.is_match(&size.show(v))).collect::<Vec<_>>();
        let is_open = |vertex: &Vertex| vertex.is_pass() || position.board().is_empty(*vertex);
        match &self.rule {
            Rule::Moves { best, avoid } => Marks { right: best.clone(), wrong: avoid.clone() },
            Rule::Pattern { pattern, is_negated: true } => {
                Marks { wrong: fitting(pattern), right: Vec::new() }
            }
            Rule::Pattern { pattern, is_negated: false } => {
                Marks { right: fitting(pattern).into_iter().filter(is_open).collect(), wrong: Vec::new() }
            }
        }
    }
}

impl fmt::Display for RightAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use goban::{Color, Rules};

    use super::*;

    fn right(text: &str, word: &str) -> bool {
        let size = Size::square(19).unwrap();
        RightAnswer::pattern(text).unwrap().is_right(size, size.parse_vertex(word).unwrap())
    }

    #[test]
    fn patterns_fit_whole_answers() {
        for (text, yes, no) in [
            ("D4", "D4", "D14"),
            ("A1|B2", "A1", "A15"),
            ("A1|B2", "B2", "pass"),
            ("(D4|E5)", "E5", "F6"),
            ("!D4", "E5", "D4"),
            ("! D4", "E5", "D4"),
            ("!D4|E5", "F6", "E5"),
            ("!(D4|E5)", "pass", "D4"),
            ("PASS", "pass", "A1"),
            ("!PASS", "A1", "pass"),
            ("[A-C]1", "B1", "D1"),
            ("Q1[0-9]", "Q16", "Q4"),
            (".*", "K10", ""),
        ] {
            assert!(right(text, yes), "{text}: {yes}");
            assert!(no.is_empty() || !right(text, no), "{text}: {no}");
        }
    }

    #[test]
    fn what_is_no_expression_is_named() {
        for text in ["(", "a)(b", "*", "[", "D4|(", "(a{1000}){1000}"] {
            let error = RightAnswer::pattern(text).unwrap_err();
            assert!(error.contains("expected a regular expression"), "{text}: {error}");
        }
    }

    #[test]
    fn marks_are_what_the_answer_speaks_of() {
        let mut position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        let at = |text: &str| Size::square(5).unwrap().parse_vertex(text).unwrap();
        position.play(Color::Black, at("C1")).unwrap();
        let marks = |text: &str| RightAnswer::pattern(text).unwrap().marks(&position);
        assert_eq!(marks("[BC]1|PASS").right, [at("B1"), Vertex::PASS]);
        assert_eq!(marks("!A5"), Marks { right: Vec::new(), wrong: vec![at("A5")] });
        let drawn = RightAnswer::moves("B A1 not B1".to_string(), vec![at("A1")], vec![at("B1")]);
        assert_eq!(drawn.marks(&position), Marks { right: vec![at("A1")], wrong: vec![at("B1")] });
        assert!(!drawn.is_right(position.size(), at("C3")));
        let avoid = RightAnswer::moves("B not B1".to_string(), Vec::new(), vec![at("B1")]);
        assert!(avoid.is_right(position.size(), at("C3")) && !avoid.is_right(position.size(), at("B1")));
    }
}
