//! Game lists: a game per line in eight fields.

use std::io::{self, BufRead, Read};

use anyhow::{Context, Result, anyhow, bail};
use goban::{Color, IllegalMove, Position, Rules, Size, Vertex};
use sgf::GameResult;

use super::Checker;
use super::input::Input;
use super::score::{Verdict, compare};

/// Sources whose games go on until everything dead is captured, so that the last board can be counted.
const PLAYED_OUT: [&str; 3] = ["cgos9", "cgos13", "patwu-go9x9"];

/// No game is this long; a file with such a line is no game list.
const MAX_LINE: u64 = 1 << 20;

/// A file that begins with so many unreadable lines is no game list either.
const MAX_BAD_LINES: u64 = 10;

/// A line, split into its fields. Points are pairs of letters, column and row from the top left.
struct Line<'a> {
    size: Size,
    /// `None` if it is not recorded.
    komi: Option<f32>,
    handicap: usize,
    result: GameResult,
    /// The name of the source up to the first colon; behind it stand the players.
    source: &'a str,
    /// Black stones on the board before White's first move; empty in most games.
    setup: &'a str,
    moves: &'a str,
}

impl<'a> Line<'a> {
    fn parse(text: &'a str) -> Result<Self> {
        let mut fields = [""; 8];
        let mut n_fields = 0;
        for field in text.split('\t') {
            if let Some(slot) = fields.get_mut(n_fields) {
                *slot = field;
            }
            n_fields += 1;
        }
        if n_fields != fields.len() {
            bail!("number of fields {n_fields}: expected 8, separated by tabs");
        }
        let [size, komi, handicap, result, _ranks, source, setup, moves] = fields;
        let side = size.parse().with_context(|| format!("size \"{size}\": expected a number"))?;
        let points: Option<f32> = komi.parse().ok().filter(|points: &f32| points.is_finite());
        if points.is_none() && komi != "?" {
            bail!("komi \"{komi}\": expected a number or ?");
        }
        let recorded = GameResult::from_text(result);
        if recorded == GameResult::Unknown && result != "?" {
            bail!("result \"{result}\": expected something like B+3.5, W+R, B+, 0 or ?");
        }
        Ok(Self {
            size: Size::square(side)?,
            komi: points,
            handicap: handicap
                .parse()
                .with_context(|| format!("handicap \"{handicap}\": expected a number of stones"))?,
            result: recorded,
            source: source.split(':').next().unwrap_or(source),
            setup: if setup == "-" { "" } else { setup },
            moves,
        })
    }

    /// Puts the game's beginning on the board and returns who moves first.
    fn begin(&self, position: &mut Position, rules: Rules) -> Result<Color> {
        position.reset(self.size, rules);
        if self.setup.is_empty() {
            return Ok(Color::Black);
        }
        let mut stones = Vec::new();
        for point in points(self.setup) {
            stones.push((point?, Some(Color::Black)));
        }
        position.setup(&stones, Color::White).context("setup")?;
        position.set_handicap(self.handicap);
        Ok(Color::White)
    }
}

/// Splits pairs of letters into points; `tt` is a pass on all boards.
fn points(text: &str) -> impl Iterator<Item = Result<Vertex>> {
    text.as_bytes().chunks(2).map(|pair| match *pair {
        [b't', b't'] => Ok(Vertex::PASS),
        [col @ b'a'..=b'y', row @ b'a'..=b'y'] => {
            Ok(Vertex::new(usize::from(col - b'a'), usize::from(row - b'a')))
        }
        _ => Err(anyhow!("\"{}\" is no point: expected two letters", String::from_utf8_lossy(pair))),
    })
}

/// Plays moves in turn. The inner error is a move that the rules refuse.
fn replay(position: &mut Position, first: Color, moves: &str) -> Result<Result<(), IllegalMove>> {
    let mut color = first;
    for vertex in points(moves) {
        if let Err(illegal) = position.play(color, vertex?) {
            return Ok(Err(illegal));
        }
        color = !color;
    }
    Ok(Ok(()))
}

impl Checker<'_> {
    /// Checks every line of a list.
    pub(super) fn list(&mut self, input: Input) -> io::Result<()> {
        let Input { name, mut reader, .. } = input;
        let mut bytes = Vec::new();
        let (mut n_good, mut n_bad) = (0, 0);
        for n in 1_u64.. {
            bytes.clear();
            match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) => break,
                Ok(_) if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') => {
                    let what = "a line of more than a million letters: this is no game list";
                    return self.report.unreadable(&format_args!("{name}:{n}: {what}"));
                }
                Ok(_) => {}
                Err(error) => return self.report.unreadable(&format_args!("{name}:{n}: {error}")),
            }
            let line = bytes.trim_ascii_end();
            if line.is_empty() {
                continue;
            }
            let checked = std::str::from_utf8(line)
                .context("the line is not UTF-8")
                .and_then(Line::parse)
                .and_then(|line| self.line(&line).map(|illegal| (line, illegal)));
            match checked {
                Ok((line, illegal)) => {
                    n_good += 1;
                    self.finding(&name, n, &line, illegal)?;
                }
                Err(error) => {
                    n_bad += 1;
                    self.report.unreadable(&format_args!("{name}:{n}: {error:#}"))?;
                }
            }
            if n_good == 0 && n_bad == MAX_BAD_LINES {
                return self
                    .report
                    .unreadable(&format_args!("{name}: this is no game list; the rest is left out"));
            }
        }
        if n_good + n_bad == 0 {
            return self.report.unreadable(&format_args!("{name}: the file holds no game"));
        }
        Ok(())
    }

    /// Replays one game up to its first illegal move.
    fn line(&mut self, line: &Line<'_>) -> Result<Option<IllegalMove>> {
        let position = &mut self.position;
        let first = line.begin(position, self.rules)?;
        let played = replay(position, first, line.moves)?;
        let tally = self.report.source(line.source);
        tally.games += 1;
        tally.plies += position.plays().len() as u64;
        Ok(played.err())
    }

    /// Reports what there is to say about the game just replayed.
    fn finding(
        &mut self,
        name: &str,
        n: u64,
        line: &Line<'_>,
        illegal: Option<IllegalMove>,
    ) -> io::Result<()> {
        let source = line.source;
        if let Some(illegal) = illegal {
            let n_moves = self.position.plays().len() + 1;
            let place = format_args!("{name}:{n}: {source}: move {n_moves}");
            return self.report.refused(source, &place, &illegal);
        }
        if PLAYED_OUT.contains(&source)
            && self.position.is_over()
            && let Some(komi) = line.komi
        {
            let (black, white) = self.position.board().area();
            let verdict = compare(black as f32 - white as f32 - komi, line.result);
            if verdict != Verdict::NoScore {
                return self.report.verdict(source, &format_args!("{name}:{n}: {source}"), &verdict);
            }
        }
        Ok(())
    }
}
