//! `tengen train rows`: positions for networks to learn from.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use goban::{Rules, Size};
use indicatif::ProgressBar;
use player::nets::NetFile;
use train::net::rows::{RowsOrigin, RowsWriter};
use train::net::source::{self, HELD_OUT_EVERY, PolicySource, RowsOut, SourceSettings, SourceTally};

use crate::command::predict::command_line;
use crate::folders;
use crate::options::{parse_count, parse_parallel, parse_points, parse_rules, parse_seed, parse_size};
use crate::words::counted;
use crate::{bars, games};

/// The game that game lists and SGF files hold.
const GAME: &str = "go";

/// Draw positions from recorded games for networks to learn from
///
/// Each position becomes a row: the input of a network, and its targets. Without --teacher these are the move that was
/// played, the result of the game and, where the game was played out (two passes, and the last board has the recorded
/// score), the score and the owner of each point. With --teacher they are the evaluation of another network. Games
/// with handicap or set-up stones are left out. The same options and seed give the same file, whatever the threads.
#[derive(Args)]
pub(crate) struct Options {
    /// Game lists, SGF files, or folders: all .sgf and .gz files below are taken
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The board; games on others are passed over
    #[arg(long, default_value = "9", value_parser = parse_size, allow_negative_numbers = true)]
    size: Size,
    /// Games that are taken, the first ones: lists begin with the best [default: all]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    first: Option<u64>,
    /// Positions drawn from each game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parse_count, allow_negative_numbers = true)]
    positions: u64,
    /// Rules under which networks see the positions; of several each game gets one at random
    #[arg(long, num_args = 1.., value_name = "RULES", default_values = ["tromp-taylor", "chinese"], value_parser = parse_rules)]
    rules: Vec<Rules>,
    /// Points for White where a record names none; the result of such a game is not learned
    #[arg(long, default_value_t = 7.5, value_parser = parse_points, allow_negative_numbers = true)]
    komi: f32,
    /// Seed of all that is drawn
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// A network that gives the targets: a file, or a name from `tengen net list`
    #[arg(long, value_name = "FILE|NAME")]
    teacher: Option<String>,
    /// With --teacher, the moves to learn: the teacher's, or those that were played
    #[arg(long, value_name = "teacher|played", value_parser = parse_policy, requires = "teacher")]
    policy: Option<PolicySource>,
    /// Terms of the games and of the teacher; kept in the file, and in networks that learn from it
    #[arg(long, default_value = "", value_name = "TEXT", hide_default_value = true)]
    licence: String,
    /// Threads at work
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_parallel, allow_negative_numbers = true)]
    threads: u64,
    /// Where the rows are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the rows of every fiftieth game are written instead, to judge by
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Go on at the end of files of rows that are there; a torn tail is cut off
    #[arg(long)]
    append: bool,
}

fn parse_policy(text: &str) -> Result<PolicySource> {
    PolicySource::ALL.into_iter().find(|source| source.name() == text).context("expected teacher or played")
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let teacher = match &self.teacher {
            Some(text) => {
                Some(folders::nets().load_for(text, GAME).with_context(|| format!("--teacher {text}"))?)
            }
            None => None,
        };
        let origin = self.origin(teacher.as_ref());
        let mut out = RowsOut {
            rows: open_rows("--out", &self.out, self.append, GAME, &origin)?,
            held_out: match &self.held_out {
                Some(path) => Some(open_rows("--held-out", path, self.append, GAME, &origin)?),
                None => None,
            },
        };
        let settings = SourceSettings {
            size: self.size,
            n_games: self.first,
            positions: usize::try_from(self.positions).unwrap_or(usize::MAX),
            rules: self.rules.clone(),
            komi: self.komi,
            seed: self.seed,
            threads: usize::try_from(self.threads).unwrap_or(1),
            policy: self.policy.unwrap_or_default(),
        };
        let bar = progress(self.first);
        let mut complaints = Ok(());
        let net = teacher.as_ref().map(|file| &*file.net);
        let tally = source::draw_rows(&self.games, &settings, net, &mut out, |tally, unreadable| {
            if let Some(why) = unreadable {
                complaints = games::complain(why);
            }
            bar.set_position(tally.n_games);
            bar.set_message(counted(tally.n_rows, "row"));
            if complaints.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        bar.finish_and_clear();
        complaints.context("standard error")?;
        out.rows.finish()?;
        if let Some(held_out) = out.held_out {
            held_out.finish()?;
        }
        if tally.n_games == 0 {
            return Err(games::none_found(Some(self.size)));
        }
        io::stdout().write_all(self.summary(&tally).as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }

    fn origin(&self, teacher: Option<&NetFile>) -> RowsOrigin {
        // Names alone: the rows, and networks that learn from them, may be shown to others.
        let name =
            |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let files: Vec<String> = self.games.iter().map(name).collect();
        let first = self.first.map_or(String::new(), |n| format!(", the first {n} games"));
        let of_teacher = teacher.and_then(|file| file.origin.as_ref()).map(|origin| origin.licence.clone());
        let licence =
            if self.licence.is_empty() { of_teacher.unwrap_or_default() } else { self.licence.clone() };
        RowsOrigin {
            game: GAME.to_string(),
            made: command_line(),
            data: format!(
                "{} on {}{first}, {} a game, seed {}",
                files.join(" "),
                self.size,
                self.positions,
                self.seed
            ),
            teacher: teacher.map_or(String::new(), |file| {
                self.taught(&format!("{} ({})", file.identity(), file.net.name()))
            }),
            licence,
        }
    }

    /// What a teacher taught.
    fn taught(&self, teacher: &str) -> String {
        match self.policy.unwrap_or_default() {
            PolicySource::Teacher => teacher.to_string(),
            PolicySource::Played => format!("{teacher}, but for the policy"),
        }
    }

    fn summary(&self, tally: &SourceTally) -> String {
        let mut text = format!(
            "{} from {}, {} of them played out\n",
            counted(tally.n_rows + tally.n_held_out, "row"),
            counted(tally.n_games, "game"),
            tally.n_played_out
        );
        let left_out = [
            (tally.n_handicap, "with handicap or set-up stones"),
            (tally.n_empty, "without a position to learn from"),
            (tally.n_unreadable, "not readable"),
        ];
        for (n, what) in left_out.into_iter().filter(|(n, _)| *n > 0) {
            text += &format!("left out, {what}: {n}\n");
        }
        text += &format!("{}: {}\n", self.out.display(), counted(tally.n_rows, "row"));
        if let Some(path) = &self.held_out {
            let n = counted(tally.n_held_out, "row");
            text += &format!("{}: {n}, every {HELD_OUT_EVERY}th game\n", path.display());
        }
        text
    }
}

/// A new file of rows, or with --append one that is there.
pub(super) fn open_rows(
    option: &str,
    path: &Path,
    appends: bool,
    game: &str,
    origin: &RowsOrigin,
) -> Result<RowsWriter> {
    let writer = match (appends && path.exists(), path.exists()) {
        (true, _) => RowsWriter::append(path, game),
        (false, true) => {
            bail!("{option} {}: the file is there; expected a new file, or --append", path.display())
        }
        (false, false) => RowsWriter::create(path, origin),
    };
    writer.with_context(|| option.to_string())
}

/// A bar of games, for terminals only; without a number of games, what was done so far.
fn progress(n_games: Option<u64>) -> ProgressBar {
    let (bar, template) = match n_games {
        Some(n) => {
            (ProgressBar::new(n), "{bar:24} {pos}/{len} games {elapsed_precise} (eta {eta_precise}) {msg}")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {pos} games {elapsed_precise} {msg}"),
    };
    let bar = bars::styled(bar, template);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
