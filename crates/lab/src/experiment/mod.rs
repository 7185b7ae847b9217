//! Experiments as files: who plays whom, how often, under which terms, and what others measured.
//!
//! An experiment is a TOML file:
//!
//! ```toml
//! title = "How much should RAVE be trusted?"
//! source = { paper = "…", table = "table 5.3" }
//! anchor = { player = "rave", elo = 0 }
//!
//! [terms]                      # by the names of the options of `tengen match`
//! game = "go"                  # or "hex", "hex,swap=false", "connect-four", "gomoku"; nothing is Go
//! size = 9
//! playouts = 300
//! openings = "balanced:20"     # made once and kept; or "none", or SGF records beside this file
//!
//! [players]
//! rave = "goyui-rave"
//! gnugo = "gtp:gnugo --mode gtp --level 10"
//! [players.bma]                # a sweep: the players "bma mixer.prior=10" and "bma mixer.prior=100"
//! recipe = "goyui-bma"
//! mixer.prior = [10, 100]
//!
//! [[group]]
//! name = "sweep"
//! kind = "gauntlet"            # or "round-robin", or "match" between two players
//! players = ["bma"]
//! opponents = ["rave"]
//! games = 200                  # or sprt = { elo0 = 0, elo1 = 30, max-games = 2000 }
//!
//! [[published]]
//! group = "sweep"
//! measure = "rate"             # per cent; or "score", "elo"
//! against = "GNU Go 3.8 level 10"
//! rows = [{ player = "bma", x = 10, value = 14.75 }, { player = "bma", x = 100, value = 22.71 }]
//! ```
//!
//! Every other key stands in `file`, which serde reads; what is not known is refused with its line and the nearest known
//! key. In reading order: [`page`] (TOML with lines), `file` (what is written), [`sweep`] (players), `terms`, [`group`]
//! (who meets whom), [`stop`] (how often, and what counts), [`published`], [`trace`] (one search watched), [`of_match`] (a
//! match as an experiment).

mod file;
pub mod group;
pub mod of_match;
pub mod page;
pub mod published;
pub mod stop;
pub mod sweep;
mod terms;
pub mod trace;

use std::path::Path;

use player::nets::NetFolder;
use serde::Serialize;

use crate::hall::MAX_PARALLEL;
use crate::{Error, ErrorPlace, Result};
pub(crate) use file::TermsFile;
pub use file::{GroupKind, Measure};
pub use group::{Group, Meeting};
pub use of_match::{MATCH, MatchPlan, match_names};
pub use page::TomlFile;
pub use published::{Published, PublishedRow};
pub use stop::{Standing, Stop};
pub use sweep::Participant;
pub use trace::{TracedSpot, WatchedPosition};

/// An experiment, ready to be played: all names are looked up and all recipes built.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The file's name without its ending.
    pub name: String,
    /// The file.
    pub page: TomlFile,
    /// What it is about, in one line.
    pub title: String,
    /// What it is about, in Markdown.
    pub text: String,
    /// Where it comes from.
    pub source: Option<PaperSource>,
    /// Games at the same time, if the file says.
    pub parallel: Option<usize>,
    /// Who has which rating, so that the others have one.
    pub anchor: Option<Anchor>,
    /// The players, sweeps expanded, in the order of the file.
    pub players: Vec<Participant>,
    /// The groups, in the order of the file.
    pub groups: Vec<Group>,
    /// Who meets whom, group by group.
    pub meetings: Vec<Meeting>,
    /// What others measured.
    pub published: Vec<Published>,
    /// Searches that are watched.
    pub traces: Vec<WatchedPosition>,
}

/// Where an experiment comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PaperSource {
    /// The paper.
    pub paper: String,
    /// Its table or figure.
    pub table: Option<String>,
}

/// A player whose rating is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// Index of the player.
    pub player: usize,
    /// Its rating.
    pub elo: f64,
}

impl Experiment {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the file, the line, what is wrong there and what was expected.
    pub fn load(path: &Path) -> Result<Self> {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Self::of_page(
            name,
            TomlFile::read(path, "the TOML file of an experiment, such as `tengen lab new` writes")?,
        )
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// As for [`Experiment::load`].
    pub fn of_page(name: impl Into<String>, page: TomlFile) -> Result<Self> {
        let file: file::ExperimentFile = page.parse()?;
        if let Some(given) = file.parallel.as_ref().filter(|n| !(1..=MAX_PARALLEL).contains(n.get_ref())) {
            let why = format!("parallel = {}: expected 1 to {MAX_PARALLEL} games at a time", given.get_ref());
            return Err(page.wrong(given.span(), why));
        }
        let players = sweep::participants(&page, &file.players.0)?;
        let name = name.into();
        let (groups, mut meetings) = group::groups(&page, &file, &players)?;
        for meeting in &mut meetings {
            let terms = &mut meeting.pairing.terms;
            terms.event = format!("{name}, {}", terms.event);
        }
        let traces = trace::traces(&page, &file.traces, &players)?;
        if meetings.is_empty() && traces.is_empty() {
            return Err(page.wrong_somewhere("nothing to play; expected a [[group]] or a [[trace]]"));
        }
        let anchor = file.anchor.as_ref().map(|anchor| anchored(&page, anchor, &players)).transpose()?;
        let published = published::published(&page, &file.published, &groups, &players)?;
        Ok(Self {
            name,
            title: file.title,
            text: file.text,
            source: file.source.map(|source| PaperSource { paper: source.paper, table: source.table }),
            parallel: file.parallel.map(toml::Spanned::into_inner),
            anchor,
            players,
            groups,
            meetings,
            published,
            traces,
            page,
        })
    }

    /// Loads the networks that players are given, before they play.
    ///
    /// # Errors
    /// Names the player, and the network that cannot be loaded.
    pub fn load_nets(&mut self, folder: &NetFolder) -> Result<()> {
        for (idx, player) in self.players.iter_mut().enumerate() {
            let meeting = self.meetings.iter().find(|meeting| meeting.players.contains(&idx));
            let game = meeting.map_or("go", |meeting| meeting.pairing.terms.game());
            player.entrant.load_net(folder, game).at(format!("player \"{}\"", player.name))?;
        }
        for meeting in &mut self.meetings {
            let game = meeting.pairing.terms.game();
            meeting.pairing.entrants.iter_mut().try_for_each(|entrant| entrant.load_net(folder, game))?;
        }
        Ok(())
    }

    /// Games that are played at most.
    pub fn max_games(&self) -> u64 {
        self.meetings.iter().map(|meeting| meeting.stop.max_games()).sum()
    }

    /// The names of A and B of a meeting.
    pub fn names(&self, meeting: &Meeting) -> [&str; 2] {
        meeting.players.map(|idx| self.players[idx].name.as_str())
    }
}

fn anchored(page: &TomlFile, given: &file::AnchorFile, players: &[Participant]) -> Result<Anchor> {
    let name = given.player.get_ref();
    if !given.elo.is_finite() {
        return Err(page.wrong(given.player.span(), format!("elo = {}: expected a number", given.elo)));
    }
    match group::find(name, players)[..] {
        [player] => Ok(Anchor { player, elo: given.elo }),
        [] => Err(page.wrong(given.player.span(), group::unknown(name, players))),
        _ => {
            Err(page
                .wrong(given.player.span(), format!("\"{name}\" is a sweep; expected one of its players")))
        }
    }
}

/// How the names of files begin that are no experiments but runs of `tengen train zero`.
const ZERO_RUNS: &str = "zero-";

/// All experiment files of a folder, by name; what cannot be read is an error in its place.
///
/// # Errors
/// A folder that cannot be read.
pub fn in_folder(folder: &Path) -> Result<Vec<(std::path::PathBuf, Result<Experiment>)>> {
    let entries = std::fs::read_dir(folder).map_err(Error::unread(
        folder,
        "a folder with files of experiments; `tengen lab new FILE.toml` writes a first one",
    ))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::file("read the folder", folder))?.path();
        let is_run = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(ZERO_RUNS));
        if path.extension().is_some_and(|ending| ending == "toml") && !is_run {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths.into_iter().map(|path| (path.clone(), Experiment::load(&path))).collect())
}
