//! A training from the games to the file.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, bail};
use goban::Size;
use model::features::set::FeatureSet;
use model::ranking::file::{FNV_START, fnv};
use model::ranking::{Language, ModelNotes, RankingModel};
use model::tactics::PatternTable;
use records::RecordedGame;
use train::gammas::harvest;
use train::ranking::{
    BadCheckpoint, Checkpoint, DrawSettings, MoveSets, RankingMethod, Score, Training, draw,
};

use super::RankingOptions;
use crate::files::check_free;
use crate::games;
use crate::options::refuse_zeros;
use crate::words::counted;

/// The seed of the kept positions differs from that of the others, and is the same for all trainers.
const KEPT_SEED: u64 = 1 << 32;

impl RankingOptions {
    /// Trains by a method; `trainer` are the words that ask for it.
    pub(super) fn run(self, trainer: &str, method: RankingMethod) -> Result<ExitCode> {
        let (size, groups) = self.check()?;
        let (games, kept) = games::learned_and_kept(&self.files, self.games, size)?;
        let training = self.name(trainer, &groups, games.iter().chain(&kept));
        let begun = self.begun(&training)?;
        let mut out = io::stdout().lock();
        let circles = match self.common {
            0 => PatternTable::new(&[]),
            common => harvest(&games, u32::try_from(common).unwrap_or(u32::MAX)),
        };
        let language = Language { groups, circles };
        let settings = DrawSettings { positions: self.positions, seed: self.seed, memory: self.memory << 20 };
        let (sets, n_games) = draw(&games, &language, &settings);
        let (kept_sets, _) =
            draw(&kept, &language, &DrawSettings { seed: self.seed ^ KEPT_SEED, ..settings });
        if sets.is_empty() || kept_sets.is_empty() {
            bail!("no position could be drawn; expected games with moves other than passes");
        }
        if n_games < games.len() {
            writeln!(out, "{n_games} of {} games fill --memory {}", games.len(), self.memory)?;
        }
        let data = about(&sets, n_games, &language, self.seed);
        writeln!(out, "{data}; {} more to judge by", counted(kept.len() as u64, "game"))?;
        for (idx, score) in begun.iter().flat_map(|begun| begun.curve.iter().enumerate()) {
            writeln!(out, "{} (from {})", line(idx, score), self.part().display())?;
        }
        let run = Training { method, n_rounds: self.rounds, seed: self.seed, sets: &sets, kept: &kept_sets };
        let (rows, curve) = run.run(begun.as_ref(), |checkpoint| -> Result<()> {
            write_whole(&self.part(), &checkpoint.to_bytes(&training))?;
            if let Some((idx, score)) = checkpoint.curve.iter().enumerate().next_back() {
                // Whoever closes the output early still gets the file.
                let _ = writeln!(out, "{}", line(idx, score));
            }
            Ok(())
        })?;
        let score = curve.last().map_or(String::new(), |score| words(score, kept.len()));
        let notes = ModelNotes { trainer: trainer.to_string(), data, score };
        write_whole(&self.out, &RankingModel { notes, size, language, rows }.to_bytes())?;
        fs::remove_file(self.part()).with_context(|| self.part().display().to_string())?;
        writeln!(out, "{}", self.out.display())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses what makes no sense, before the hours that training may take.
    fn check(&self) -> Result<(Size, FeatureSet)> {
        refuse_zeros(&[
            ("--games", self.games as u64),
            ("--positions", self.positions as u64),
            ("--rounds", self.rounds as u64),
            ("--memory", self.memory as u64),
        ])?;
        let size = Size::square(self.size).with_context(|| format!("--size {}", self.size))?;
        let groups =
            FeatureSet::parse(&self.features).with_context(|| format!("--features {}", self.features))?;
        check_free("--out", &self.out, "a ranking model", |bytes| RankingModel::from_bytes(bytes).is_ok())?;
        Ok((size, groups))
    }

    /// A line that tells this training from every other: its options and its games.
    fn name<'g>(
        &self,
        trainer: &str,
        groups: &FeatureSet,
        games: impl Iterator<Item = &'g RecordedGame>,
    ) -> String {
        let sum = games.fold(FNV_START, |sum, game| fnv(sum, format!("{:?}", game.steps).as_bytes()));
        let Self { size, positions, rounds, seed, common, memory, .. } = self;
        format!(
            "{trainer} --size {size} --positions {positions} --rounds {rounds} --seed {seed} --common {common} --memory \
             {memory}, features {}, games {sum:016x}",
            groups.describe()
        )
    }

    fn part(&self) -> PathBuf {
        let mut name = OsString::from(&self.out);
        name.push(".part");
        PathBuf::from(name)
    }

    /// The training that was begun here, if there is one.
    fn begun(&self, training: &str) -> Result<Option<Checkpoint>> {
        let part = self.part();
        let name = part.display();
        let bytes = match fs::read(&part) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::from(error).context(name.to_string())),
        };
        Checkpoint::from_bytes(&bytes, training).map(Some).map_err(|error| {
            let advice = match error {
                BadCheckpoint::Other { .. } => "use its options, or remove it to start again",
                _ => "remove it to start again",
            };
            Error::from(error).context(format!("{name} cannot be continued; {advice}"))
        })
    }
}

/// The data of a training, in words.
fn about(sets: &MoveSets, n_games: usize, language: &Language, seed: u64) -> String {
    format!(
        "{} of {}, {}, seed {seed}",
        counted(sets.len() as u64, "position"),
        counted(n_games as u64, "game"),
        counted(language.circles.len() as u64, "circle")
    )
}

fn line(idx: usize, score: &Score) -> String {
    let Score { log_loss, top1, top20 } = *score;
    format!(
        "round {:3}: log loss {log_loss:.4} nats, first choice played {:.2} %, among the first twenty {:.2} %",
        idx + 1,
        100.0 * top1,
        100.0 * top20
    )
}

fn words(score: &Score, n_kept: usize) -> String {
    format!(
        "log loss {:.4} nats, first choice played {:.2} %, in {} kept apart",
        score.log_loss,
        100.0 * score.top1,
        counted(n_kept as u64, "game")
    )
}

/// Writes a file as a whole: who is stopped in the middle leaves the old one.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = OsString::from(path);
    beside.push(".new");
    let write = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().with_context(|| path.display().to_string())
}
