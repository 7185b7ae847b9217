//! A person and the engine at the board of another game than Go.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context, Result};
use goban::Color;
use player::Budget;
use player::boardgame::record::RecordFacts;
use player::boardgame::{BoardDecision, BoardEnding, Opponent, Tabletop};
use sgf::{GameResult, Margin};

use super::table::read_line;
use super::words;
use crate::files::cannot_write;

/// A game between a person and the engine.
pub(super) struct BoardSession {
    board: Box<dyn Tabletop>,
    human: Color,
    engine: Box<dyn Opponent>,
    budget: Budget,
    /// Who has given up.
    resigned: Option<Color>,
}

impl BoardSession {
    pub(super) fn new(
        board: Box<dyn Tabletop>,
        human: Color,
        engine: Box<dyn Opponent>,
        budget: Budget,
    ) -> Self {
        Self { board, human, engine, budget, resigned: None }
    }

    /// Plays until the game is over and nobody wants it back, or somebody leaves.
    pub(super) fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        writeln!(
            out,
            "You are {} ({}), Tengen is {}. The game is {} on {}. Type a move like {}, or help.",
            self.human,
            if self.human == Color::Black { "X" } else { "O" },
            !self.human,
            self.board.text(),
            self.board.size_text(),
            self.example(),
        )?;
        self.show(out)?;
        loop {
            if self.is_over() {
                self.tell_result(out)?;
                if !self.ask(input, out)? {
                    return Ok(());
                }
            } else if self.board.to_play() != self.human {
                self.answer(out)?;
            } else if !self.ask(input, out)? {
                return Ok(());
            }
        }
    }

    fn is_over(&self) -> bool {
        self.board.ended().is_some() || self.resigned.is_some()
    }

    /// A move that could be typed.
    fn example(&self) -> String {
        let moves = self.board.legal_moves();
        moves.get(moves.len() / 2).map_or_else(String::new, |&action| self.board.show(action))
    }

    fn show(&self, out: &mut impl Write) -> Result<()> {
        let last = self.board.last().map(|last| format!("   last {last}")).unwrap_or_default();
        writeln!(out, "\n{}\n   move {}{last}", self.board.draw(), self.board.plays().len() + 1)?;
        Ok(())
    }

    /// Reads and does one thing; false if the person leaves.
    fn ask(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool> {
        let prompt = match self.is_over() {
            true => words::ASK_WHEN_OVER.to_string(),
            false => format!("{}> ", self.human),
        };
        let Some(line) = read_line(&prompt, input, out)? else { return Ok(false) };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match word.to_ascii_lowercase().as_str() {
            "" => return Ok(!self.is_over()),
            "quit" | "exit" | "q" => return Ok(false),
            "help" | "?" | "h" => {
                let own = [
                    (self.example(), "play there"),
                    ("moves".to_string(), "list the moves that you may play"),
                ];
                writeln!(out, "{}", words::help(&own.each_ref().map(|(word, text)| (word.as_str(), *text))))?;
            }
            "save" => self.save(rest.trim(), out)?,
            "undo" | "u" => self.undo(out)?,
            _ if self.is_over() => writeln!(out, "{}", words::OVER)?,
            "resign" => self.resigned = Some(self.human),
            "hint" => self.hint(out)?,
            "moves" => {
                let moves = self.board.legal_moves();
                let shown: Vec<String> = moves.into_iter().map(|action| self.board.show(action)).collect();
                writeln!(out, "{}", shown.join(" "))?;
            }
            _ => match self.board.parse(&line).map(|action| self.board.play(action)) {
                Ok(Ok(())) => self.show(out)?,
                Ok(Err(why)) => writeln!(out, "{why}.")?,
                Err(why) => writeln!(out, "{}", words::misread(&why))?,
            },
        }
        Ok(true)
    }

    fn undo(&mut self, out: &mut impl Write) -> Result<()> {
        // A person who gave up takes that back, and no move.
        let gave_up = self.resigned.take() == Some(self.human);
        let n = self.board.plays().len();
        let mine = (0..n).rev().find(|idx| (idx % 2 == 0) == (self.human == Color::Black));
        match mine.filter(|_| !gave_up) {
            Some(mine) => (mine..n).for_each(|_| {
                self.board.undo();
            }),
            None if gave_up => {}
            None => writeln!(out, "{}", words::NOTHING_TO_TAKE_BACK)?,
        }
        self.show(out)
    }

    fn hint(&mut self, out: &mut impl Write) -> Result<()> {
        let budget = Budget { may_resign: false, ..self.budget.clone() };
        let text = match self.engine.choose(self.board.as_ref(), &budget)? {
            BoardDecision::Play(action) => words::hint(Some(&self.board.show(action)), self.engine.value()),
            BoardDecision::Resign => words::hint(None, None),
        };
        writeln!(out, "{text}")?;
        Ok(())
    }

    fn answer(&mut self, out: &mut impl Write) -> Result<()> {
        write!(out, "{}", words::THINKS)?;
        out.flush()?;
        match self.engine.choose(self.board.as_ref(), &self.budget)? {
            BoardDecision::Play(action) => {
                let shown = self.board.show(action);
                self.board.play(action).map_err(anyhow::Error::msg)?;
                writeln!(out, " {shown}")?;
                self.show(out)?;
            }
            BoardDecision::Resign => {
                writeln!(out, "{}", words::RESIGNS)?;
                self.resigned = Some(!self.human);
            }
        }
        Ok(())
    }

    /// Who won, and whether by giving up.
    fn result(&self) -> Option<GameResult> {
        let color = |color: Color| player::record::from_color(color);
        match (self.resigned, self.board.ended()) {
            (Some(loser), _) => Some(GameResult::Win { color: color(!loser), margin: Margin::Resign }),
            (None, Some(BoardEnding::Won(winner))) => {
                Some(GameResult::Win { color: color(winner), margin: Margin::Unknown })
            }
            (None, Some(BoardEnding::Drawn)) => Some(GameResult::Draw),
            (None, None) => None,
        }
    }

    fn tell_result(&self, out: &mut impl Write) -> Result<()> {
        let winner = match (self.resigned, self.board.ended()) {
            (Some(loser), _) => Some(!loser),
            (None, Some(BoardEnding::Won(winner))) => Some(winner),
            _ => None,
        };
        let result = self.result().map_or_else(String::new, |result| result.to_string());
        writeln!(out, "{}", words::result(&result, winner.map(|winner| winner == self.human)))?;
        Ok(())
    }

    /// Writes the game to a new file.
    fn save(&self, path: &str, out: &mut impl Write) -> Result<()> {
        if path.is_empty() {
            writeln!(out, "{}", words::SAVE_WHERE)?;
            return Ok(());
        }
        writeln!(out, "{}", words::saved(path, &self.write(Path::new(path))))?;
        Ok(())
    }

    fn write(&self, path: &Path) -> Result<()> {
        let names = match self.human {
            Color::Black => ["You", "Tengen"],
            Color::White => ["Tengen", "You"],
        };
        let names = names.map(|name| Some(name.to_string()));
        let record =
            self.board.record(&RecordFacts { names, result: self.result(), ..RecordFacts::default() })?;
        let mut options = std::fs::OpenOptions::new();
        let file = options.write(true).create_new(true).open(path);
        let mut file = file.with_context(|| cannot_write(path))?;
        Ok(file.write_all(record.as_bytes())?)
    }
}
