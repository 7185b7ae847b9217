//! A person and the engine at one board: what is typed, what is answered.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use goban::{Color, IllegalReason, Position, Score, Vertex};
use player::ponder::PonderSeat;
use player::{Budget, Decision, Player, SearchPlayer, dead, record};

use super::draw::{self, DrawStyle};
use super::words;
use crate::files::cannot_write;
use crate::words::counted;

/// The commands that only Go has.
const COMMANDS: [(&str, &str); 3] = [
    ("D4", "play there: column letter, then row number"),
    ("pass", "place no stone; two passes in a row end the game"),
    ("score", "count the board as it stands"),
];

/// What follows a line that was typed.
enum NextStep {
    /// It is still the person's turn.
    Stay,
    /// The person has moved.
    Moved,
    /// The game is over for this reason.
    Over(String),
    /// The person leaves.
    Leave,
}

/// A game between a person and the engine.
pub(super) struct PlaySession {
    position: Position,
    human: Color,
    engine: PonderSeat<SearchPlayer>,
    budget: Budget,
    style: DrawStyle,
    /// Whether the engine thinks while the person does.
    ponders: bool,
    result: Option<String>,
    /// Where this game was saved last.
    saved: Option<PathBuf>,
}

impl PlaySession {
    pub(super) fn new(
        position: Position,
        human: Color,
        engine: SearchPlayer,
        budget: Budget,
        style: DrawStyle,
    ) -> Self {
        let engine = PonderSeat::new(Box::new(engine));
        Self { position, human, engine, budget, style, ponders: false, result: None, saved: None }
    }

    /// Whether the engine thinks while the person does.
    pub(super) fn set_pondering(&mut self, ponders: bool) {
        self.ponders = ponders;
    }

    /// Plays until the game is over or somebody leaves.
    pub(super) fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        writeln!(
            out,
            "You are {}, Tengen is {}. Board {}, komi {}, {} rules. Type a move like {}, or help.",
            self.human,
            !self.human,
            self.position.size(),
            self.position.komi(),
            self.position.rules(),
            self.example(),
        )?;
        self.show(out)?;
        while self.play_to_end(input, out)? && self.farewell(input, out)? {}
        Ok(())
    }

    /// Plays to the end of the game; false if the person leaves before.
    fn play_to_end(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool> {
        while self.result.is_none() {
            if self.position.is_over() {
                let score = self.final_score(out)?;
                self.result = Some(score.to_string());
            } else if self.position.to_play() == self.human {
                match self.ask(input, out)? {
                    NextStep::Stay => {}
                    NextStep::Moved => self.show(out)?,
                    NextStep::Over(result) => self.result = Some(result),
                    NextStep::Leave => return Ok(false),
                }
            } else {
                self.answer(out)?;
                self.show(out)?;
            }
        }
        Ok(true)
    }

    fn show(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "\n{}", draw::board(&self.position, self.style))?;
        let captured = |color: Color| self.position.n_captured(!color);
        writeln!(
            out,
            "    move {}   Black has captured {}, White {}",
            self.position.plays().len() + 1,
            captured(Color::Black),
            captured(Color::White)
        )?;
        Ok(())
    }

    /// A point that could be typed.
    fn example(&self) -> String {
        let size = self.position.size();
        size.show(Vertex::new(size.width() / 2, size.height() / 2))
    }

    fn ask(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<NextStep> {
        let Some(line) = read_line(&format!("{}> ", self.human), input, out)? else {
            return Ok(NextStep::Leave);
        };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(NextStep::Stay),
            "help" | "?" | "h" => self.say(out, &words::help(&COMMANDS)),
            "quit" | "exit" | "q" => Ok(NextStep::Leave),
            "resign" => Ok(NextStep::Over(format!("{}+R", (!self.human).letter()))),
            "undo" | "u" => self.undo(out),
            "hint" => self.hint(out),
            "score" => {
                explain_score(&self.position.score(), &self.position, out)?;
                Ok(NextStep::Stay)
            }
            "save" => {
                self.save(rest.trim(), out)?;
                Ok(NextStep::Stay)
            }
            _ => self.move_to(&line, out),
        }
    }

    fn say(&self, out: &mut impl Write, text: &str) -> Result<NextStep> {
        writeln!(out, "{text}")?;
        Ok(NextStep::Stay)
    }

    fn move_to(&mut self, text: &str, out: &mut impl Write) -> Result<NextStep> {
        let vertex = match self.position.size().parse_vertex(text) {
            Ok(vertex) => vertex,
            Err(error) => return self.say(out, &words::misread(&error)),
        };
        match self.position.play(self.human, vertex) {
            Ok(()) => Ok(NextStep::Moved),
            Err(illegal) => {
                let name = self.position.size().show(vertex);
                self.say(out, &format!("{name} cannot be played: {}", why(illegal.reason)))
            }
        }
    }

    /// The number of moves before the person's last one.
    fn last_of_mine(&self) -> Option<usize> {
        self.position.plays().iter().rposition(|play| play.color == self.human)
    }

    fn undo(&mut self, out: &mut impl Write) -> Result<NextStep> {
        let Some(mine) = self.last_of_mine() else {
            return self.say(out, words::NOTHING_TO_TAKE_BACK);
        };
        let n = self.position.plays().len() - mine;
        self.position.undo_many(n);
        self.show(out)?;
        Ok(NextStep::Stay)
    }

    fn hint(&mut self, out: &mut impl Write) -> Result<NextStep> {
        let budget = Budget { may_resign: false, ..self.budget.clone() };
        let mut engine = self.engine.player();
        let text = match engine.choose(&self.position, self.human, &budget)? {
            Decision::Play(vertex) => words::hint(Some(&self.position.size().show(vertex)), engine.value()),
            Decision::Resign => words::hint(None, None),
        };
        drop(engine);
        self.say(out, &text)
    }

    /// Writes the game to `path`; true if that succeeded.
    fn save(&mut self, path: &str, out: &mut impl Write) -> Result<bool> {
        if path.is_empty() {
            writeln!(out, "{}", words::SAVE_WHERE)?;
            return Ok(false);
        }
        let done = self.write_sgf(Path::new(path));
        writeln!(out, "{}", words::saved(path, &done))?;
        Ok(done.is_ok())
    }

    fn write_sgf(&mut self, path: &Path) -> Result<()> {
        let names = match self.human {
            Color::Black => ["You", "Tengen"],
            Color::White => ["Tengen", "You"],
        };
        let sgf = record::to_sgf(&self.position, names, self.result.as_deref())?;
        // A later save of this game replaces the earlier one; other files are left alone.
        let is_other = path.exists() && self.saved.as_deref() != Some(path);
        if is_other {
            anyhow::bail!("{} exists already; choose another name", path.display());
        }
        std::fs::write(path, sgf.to_string()).with_context(|| cannot_write(path))?;
        self.saved = Some(path.to_path_buf());
        Ok(())
    }

    fn answer(&mut self, out: &mut impl Write) -> Result<()> {
        let color = !self.human;
        write!(out, "{}", words::THINKS)?;
        out.flush()?;
        let decision = self.engine.player().choose(&self.position, color, &self.budget)?;
        match decision {
            Decision::Play(vertex) => {
                self.position.play(color, vertex)?;
                writeln!(out, " {}", self.position.size().show(vertex))?;
                if self.ponders && !self.position.is_over() {
                    self.engine.ponder(self.position.clone(), self.human);
                }
            }
            Decision::Resign => {
                writeln!(out, "{}", words::RESIGNS)?;
                self.result = Some(format!("{}+R", self.human.letter()));
            }
        }
        Ok(())
    }

    fn final_score(&self, out: &mut impl Write) -> Result<Score> {
        let dead = dead::dead_stones(&self.position);
        if dead.is_empty() {
            writeln!(out, "\nBoth have passed; no stone is dead.")?;
        } else {
            let names: Vec<String> = dead.iter().map(|vertex| self.position.size().show(*vertex)).collect();
            writeln!(out, "\nBoth have passed. Dead and taken off: {}.", names.join(" "))?;
        }
        let score = self.position.score_with_dead(&dead);
        explain_score(&score, &self.position, out)?;
        Ok(score)
    }

    /// Tells the result; true if the person wants to play on.
    fn farewell(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool> {
        let result = self.result.clone().unwrap_or_default();
        let has_won = (result != "0").then(|| result.starts_with(self.human.letter()));
        writeln!(out, "{}", words::result(&result, has_won))?;
        // Until the game is kept or nobody wants it: a slip of the finger must not lose it.
        while let Some(line) = read_line(words::ASK_WHEN_OVER, input, out)? {
            let (word, path) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match word.to_ascii_lowercase().as_str() {
                "" | "quit" | "exit" | "q" => break,
                "save" if self.save(path.trim(), out)? => break,
                "save" => {}
                "undo" | "u" => {
                    // A person who gave up takes that back, and no move.
                    let takes_back = self.position.is_over() || self.position.to_play() != self.human;
                    if takes_back && self.last_of_mine().is_none() {
                        writeln!(out, "{}", words::NOTHING_TO_TAKE_BACK)?;
                        continue;
                    }
                    self.result = None;
                    if takes_back {
                        self.undo(out)?;
                    } else {
                        self.show(out)?;
                    }
                    return Ok(true);
                }
                _ => writeln!(out, "{}", words::OVER)?,
            }
        }
        Ok(false)
    }
}

/// Asks and reads one line; `None` at the end of the input. Bytes that are no text, and control characters such as
/// those of arrow keys, become question marks, so that nothing typed can spoil the screen.
pub(super) fn read_line(
    prompt: &str,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<Option<String>> {
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut bytes = Vec::new();
    if input.read_until(b'\n', &mut bytes).context("reading what you type")? == 0 {
        writeln!(out)?;
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim().replace(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER, "?")))
}

/// A refusal in a beginner's words.
fn why(refusal: IllegalReason) -> String {
    match refusal {
        IllegalReason::Occupied => "there is a stone already.".to_string(),
        IllegalReason::OffBoard => "that is not on the board.".to_string(),
        IllegalReason::Ko => {
            "ko. The stone that took may not be retaken at once; play elsewhere first.".to_string()
        }
        IllegalReason::Suicide => "your stones would have no liberty left there (suicide).".to_string(),
        IllegalReason::Superko { .. } => "that would repeat an earlier position (superko).".to_string(),
    }
}

/// Who has what, and where it comes from.
fn explain_score(score: &Score, position: &Position, out: &mut impl Write) -> Result<()> {
    let is_area = position.rules().scoring == goban::Scoring::Area;
    for color in Color::BOTH {
        let tally = score.of(color);
        let mut parts = Vec::new();
        if is_area {
            parts.push(counted(tally.stones as u64, "stone"));
        }
        let untaxed = match tally.tax {
            0 => String::new(),
            n => format!(" less {n} that do not count"),
        };
        parts.push(counted(tally.territory as u64, "point") + " surrounded" + &untaxed);
        if !is_area {
            parts.push(format!("{} captured", tally.prisoners + tally.dead));
        }
        for (points, what) in [(tally.komi, "komi"), (tally.handicap as f32, "for handicap")] {
            if points != 0.0 {
                parts.push(format!("{points} {what}"));
            }
        }
        writeln!(out, "    {color}: {} = {}", parts.join(" + "), tally.points)?;
    }
    writeln!(out, "    {score}")?;
    Ok(())
}
