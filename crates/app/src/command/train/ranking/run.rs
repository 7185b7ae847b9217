//! A training from the games to the file.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use goban::Size;
use model::features::set::FeatureSet;
use model::ranking::{Language, ModelNotes, RankingModel};
use model::tactics::PatternTable;
use records::RecordedGame;
use train::gammas::harvest;
use train::ranking::{DrawSettings, MoveSets, RankingMethod, Training, draw};

use super::RankingOptions;
use super::keep::{KEPT_SEED, begun, line, part_of, sum_of, words, write_whole};
use crate::files::check_free;
use crate::games;
use crate::options::refuse_zeros;
use crate::words::counted;

impl RankingOptions {
    /// Trains by a method; `trainer` are the words that ask for it.
    pub(super) fn run(self, trainer: &str, method: RankingMethod) -> Result<ExitCode> {
        let (size, groups) = self.check()?;
        let (games, kept) = games::learned_and_kept(&self.files, self.games, size)?;
        let training = self.name(trainer, &groups, games.iter().chain(&kept));
        let part = part_of(&self.out);
        let begun = begun(&part, &training)?;
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
            writeln!(out, "{} (from {})", line(idx, score), part.display())?;
        }
        let run = Training { method, n_rounds: self.rounds, seed: self.seed, sets: &sets, kept: &kept_sets };
        let (rows, curve) = run.run(begun.as_ref(), |checkpoint| -> Result<()> {
            write_whole(&part, &checkpoint.to_bytes(&training))?;
            if let Some((idx, score)) = checkpoint.curve.iter().enumerate().next_back() {
                // Whoever closes the output early still gets the file.
                let _ = writeln!(out, "{}", line(idx, score));
            }
            Ok(())
        })?;
        let score = curve.last().map_or(String::new(), |score| words(score, kept.len()));
        let notes = ModelNotes { trainer: trainer.to_string(), data, score };
        write_whole(&self.out, &RankingModel { notes, size, language, rows }.to_bytes())?;
        fs::remove_file(&part).with_context(|| part.display().to_string())?;
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
        let sum = sum_of(games);
        let Self { size, positions, rounds, seed, common, memory, .. } = self;
        format!(
            "{trainer} --size {size} --positions {positions} --rounds {rounds} --seed {seed} --common {common} --memory \
             {memory}, features {}, games {sum:016x}",
            groups.describe()
        )
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
