//! `tengen train value-rows`: positions for a value network, one of each game of a policy.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use player::nets::NetFile;
use train::net::rows::{RowsFile, RowsOrigin, RowsWriter};
use train::net::source::{HELD_OUT_EVERY, RowsOut};
use zero::alphago::games::PlayRules;
use zero::alphago::value_rows::draw_rows;
use zero::alphago::{ValueRowsSettings, ValueRowsTally};

use super::net::progress;
use super::reinforce::{parse_max_moves, parse_temperature, usual_max_moves};
use super::rows::open_rows;
use crate::command::predict::command_line;
use crate::folders;
use crate::interrupt;
use crate::options::{GameOptions, parse_count, parse_parallel, parse_seed};
use crate::words::counted;

/// Draw positions for a value network from the games of a policy, one of each game
///
/// As AlphaGo did, so that the value network does not learn games by heart: a number U is drawn for each game; the moves before the U-th are
/// drawn from the policy of one network, the U-th is any move, and the rest come from the policy of another, stronger one. In Go no move fills an
/// own eye, and the U-th is a pass only if there is no other. The position after the U-th move becomes a row with the end of the game: result,
/// score and owners. In the place of a game that is over before that comes another game, with another U. The same
/// options and seed give the same rows, whatever --threads; with --append a call goes on exactly where an earlier one stopped.
#[derive(Args)]
pub(crate) struct Options {
    /// The network of the moves before the drawn one, such as that of `tengen train policy`: a file, or a name from `tengen net list`
    #[arg(long, value_name = "FILE|NAME")]
    policy: String,
    /// The network of the moves after it, such as that of `tengen train reinforce` [default: the same]
    #[arg(long, value_name = "FILE|NAME")]
    player: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    /// Positions in all, those of an appended file included
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    positions: u64,
    /// The largest U [default: five quarters of the points of the board]
    #[arg(long, value_name = "N", value_parser = parse_max_moves, allow_negative_numbers = true)]
    last_move: Option<u64>,
    /// 1 draws moves as the policies say, less prefers the likelier ones
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = parse_temperature, allow_negative_numbers = true)]
    temperature: f32,
    /// Moves after which a game is counted as it stands [default: three times the points of the board]
    #[arg(long, value_name = "N", value_parser = parse_max_moves, allow_negative_numbers = true)]
    max_moves: Option<u64>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Threads at work
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parse_parallel, allow_negative_numbers = true)]
    threads: u64,
    /// Where the rows are written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where every fiftieth row is written instead, to judge by
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Go on at the end of files of rows that are there; a torn tail is cut off
    #[arg(long)]
    append: bool,
}

impl Options {
    pub(super) fn run(self) -> Result<ExitCode> {
        let (start, game) = self.game.tabletop()?;
        let name = start.entry().name;
        let nets = folders::nets();
        let load =
            |option: &str, text: &str| nets.load_for(text, name).with_context(|| format!("{option} {text}"));
        let policy = load("--policy", &self.policy)?;
        let player = match &self.player {
            Some(text) => load("--player", text)?,
            None => policy.clone(),
        };
        let settings = self.settings(start.area())?;
        let origin = self.origin(name, &game, &settings, [&policy, &player]);
        let open = |option: &str, path: &Path| {
            if self.append && path.exists() {
                refuse_other_rows(option, path, &origin)?;
            }
            open_rows(option, path, self.append, name, &origin)
        };
        let mut out = RowsOut {
            rows: open("--out", &self.out)?,
            held_out: self.held_out.as_deref().map(|path| open("--held-out", path)).transpose()?,
        };
        let n_before = out.rows.n_rows() + out.held_out.as_ref().map_or(0, RowsWriter::n_rows);
        let stop = Arc::new(AtomicBool::new(false));
        interrupt::stop_games(Arc::clone(&stop))?;
        let bar = progress(self.positions, n_before, "positions");
        let nets = [policy.net, player.net];
        let tally = draw_rows(start.as_ref(), &nets, &settings, &mut out, &stop, |tally| {
            bar.set_position(n_before + tally.n_rows + tally.n_held_out);
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        out.rows.finish()?;
        if let Some(held_out) = out.held_out {
            held_out.finish()?;
        }
        io::stdout().write_all(self.summary(&tally).as_bytes())?;
        if stop.load(Ordering::Relaxed) {
            eprintln!("tengen: stopped; the same command with --append goes on");
            return Ok(ExitCode::from(130));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn settings(&self, area: usize) -> Result<ValueRowsSettings> {
        let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let max_moves = self.max_moves.map_or(usual_max_moves(area), whole);
        let last_move = self.last_move.map_or((area * 5 / 4).min(max_moves.saturating_sub(1)), whole);
        if last_move == 0 || last_move >= max_moves {
            bail!(
                "--last-move {last_move}: expected at least 1 and fewer than the {max_moves} moves after which a game is counted (--max-moves)"
            );
        }
        Ok(ValueRowsSettings {
            positions: self.positions,
            last_move,
            rules: PlayRules { max_moves, temperature: self.temperature, turns: true },
            seed: self.seed,
            threads: usize::try_from(self.threads).unwrap_or(1),
        })
    }

    /// Where the rows come from. They keep the terms of both networks.
    fn origin(
        &self,
        name: &str,
        game: &str,
        settings: &ValueRowsSettings,
        nets: [&NetFile; 2],
    ) -> RowsOrigin {
        let join = |text: fn(&NetFile) -> String| {
            let mut texts = nets.map(text).to_vec();
            texts.dedup();
            texts.retain(|text| !text.is_empty());
            texts.join("; ")
        };
        RowsOrigin {
            game: name.to_string(),
            made: command_line(),
            data: self.data(game, settings, &join(NetFile::identity)),
            teacher: join(|file| file.origin.as_ref().map_or(String::new(), |origin| origin.teacher.clone())),
            licence: join(|file| file.origin.as_ref().map_or(String::new(), |origin| origin.licence.clone())),
        }
    }

    /// All that decides which rows there are, but for their number: files are appended to only if it is the same.
    fn data(&self, game: &str, settings: &ValueRowsSettings, networks: &str) -> String {
        let ValueRowsSettings { last_move, rules: PlayRules { max_moves, temperature, .. }, seed, .. } =
            settings;
        let held_out = if self.held_out.is_some() { "some held out" } else { "none held out" };
        format!(
            "games of policies, {game}, one position each, {networks}, last-move {last_move}, max-moves {max_moves}, \
             temperature {temperature}, {held_out}, seed {seed}"
        )
    }

    fn summary(&self, tally: &ValueRowsTally) -> String {
        let ValueRowsTally { n_games, n_short, n_rows, n_held_out, n_moves, black_wins } = *tally;
        let mut text = format!("{} from {}", counted(n_rows + n_held_out, "row"), counted(n_games, "game"));
        if n_games > 0 {
            text += &format!(
                " of {:.0} moves, {:.1} % won by Black; {n_short} were over before their position",
                n_moves as f64 / n_games as f64,
                100.0 * black_wins / n_games as f64
            );
        }
        text += &format!("\n{}: {}\n", self.out.display(), counted(n_rows, "row"));
        if let Some(path) = &self.held_out {
            let n = counted(n_held_out, "row");
            text += &format!("{}: {n}, every {HELD_OUT_EVERY}th one\n", path.display());
        }
        text
    }
}

/// Refuses a file whose rows were drawn with other options: what is appended would not go on where they stop.
fn refuse_other_rows(option: &str, path: &Path, origin: &RowsOrigin) -> Result<()> {
    let known = RowsFile::open(path).with_context(|| option.to_string())?;
    let differences = differences(&known.origin().data, &origin.data);
    if !differences.is_empty() {
        bail!(
            "{option} {}: {}; expected the options the rows were drawn with, or another file",
            path.display(),
            differences.join("; ")
        );
    }
    Ok(())
}

/// The parts in which two descriptions of rows differ.
fn differences(known: &str, now: &str) -> Vec<String> {
    let parts = |text: &str| text.split(", ").map(str::to_string).collect::<Vec<_>>();
    let (there, here) = (parts(known), parts(now));
    if there.len() != here.len() {
        return vec![format!("\"{known}\" there and \"{now}\" now")];
    }
    let pairs = there.iter().zip(&here).filter(|(there, here)| there != here);
    pairs.map(|(there, here)| format!("{there} there and {here} now")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_options_are_told_by_name() {
        let known = "games of policies, hex 5x5, one position each, a#1, last-move 9, seed 1";
        assert_eq!(differences(known, known), [""; 0]);
        let now = "games of policies, hex 5x5, one position each, a#1; b#2, last-move 9, seed 2";
        assert_eq!(differences(known, now), ["a#1 there and a#1; b#2 now", "seed 1 there and seed 2 now"]);
        let now = "games of policies, go 5x5, komi 7.5, chinese rules";
        assert_eq!(differences(known, now), [format!("\"{known}\" there and \"{now}\" now")]);
    }
}
