//! Game lists: a game per line in eight fields.

use std::io;

use goban::{Color, IllegalMove, Position};
use records::line::{LineError, Lines, ListLine, MAX_BAD_LINES, points};
use records::{Input, NO_LIST};

use super::Checker;
use super::score::{ResultCheck, compare};
use player::record::NO_GAME;

/// Sources whose games go on until everything dead is captured, so that the last board can be counted.
const PLAYED_OUT: [&str; 3] = ["cgos9", "cgos13", "patwu-go9x9"];

/// Plays moves in turn. The inner error is a move that the rules refuse.
fn replay(position: &mut Position, first: Color, moves: &str) -> Result<Result<(), IllegalMove>, LineError> {
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
        let name = input.name;
        let mut lines = Lines::new(input.reader);
        let (mut n_good, mut n_bad) = (0, 0);
        loop {
            let (n, line) = match lines.read() {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    return self.report.unreadable(&format_args!("{name}:{}: {error}", lines.number()));
                }
            };
            let checked = line
                .and_then(ListLine::parse)
                .and_then(|line| self.line(&line).map(|illegal| (line, illegal)));
            match checked {
                Ok((line, illegal)) => {
                    n_good += 1;
                    self.finding(&name, n, &line, illegal)?;
                }
                Err(error) => {
                    n_bad += 1;
                    self.report.unreadable(&format_args!("{name}:{n}: {error}"))?;
                }
            }
            if n_good == 0 && n_bad == MAX_BAD_LINES {
                return self.report.unreadable(&format_args!("{name}: {NO_LIST}"));
            }
        }
        if n_good + n_bad == 0 {
            return self.report.unreadable(&format_args!("{name}: {NO_GAME}"));
        }
        Ok(())
    }

    /// Replays one game up to its first illegal move.
    fn line(&mut self, line: &ListLine<'_>) -> Result<Option<IllegalMove>, LineError> {
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
        line: &ListLine<'_>,
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
            if verdict != ResultCheck::NoScore {
                return self.report.verdict(source, &format_args!("{name}:{n}: {source}"), &verdict);
            }
        }
        Ok(())
    }
}
