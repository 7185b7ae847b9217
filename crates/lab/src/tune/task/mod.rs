//! A tuning task as a file:
//!
//! ```toml
//! title = "How much should RAVE be trusted?"   # or nothing
//! recipe = "goyui-bma"                         # the base; a budget may follow: "goyui-bma@playouts=300"
//! opponents = ["goyui-uct"]                    # several take turns; SPSA without any plays the recipe against itself
//! method = "clop"                              # or "spsa"
//! games = 1000
//! parallel = 2                                 # or nothing: one at a time
//!
//! [terms]                                      # by the names of the options of `tengen match`
//! size = 9
//! playouts = 300
//! seed = 1
//!
//! [parameters.mixer.prior]                     # a number of the recipe, by its key
//! low = 1                                      # within what the recipe allows, which is also what stands for nothing
//! high = 1000
//! scale = "log"                                # or "linear"
//! start = 50                                   # for SPSA; or nothing: the base recipe's value
//! step = 10                                    # for SPSA: how far values are moved at the end, at `start`
//! ```
//!
//! CLOP takes `height`, SPSA takes `walkers` and `rate`; see [`super::clop`] and [`super::spsa`]. In reading order: this file
//! (the task), `parameters` (axes from declarations), `settings` (what may not change between runs).

mod parameters;
mod settings;

use std::path::Path;

use player::nets::NetFolder;
use recipe::Recipe;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::axis::{TunedAxis, values};
use super::clop::Clop;
use super::local::HEIGHT;
use super::method::Method;
use super::sample::{Bout, Rival};
use super::spsa::{Gains, Spsa};
use crate::entrant::Entrant;
use crate::experiment::page::Named;
use crate::experiment::{TermsFile, TomlFile};
use crate::game::{Pairing, Terms};
use crate::hall::MAX_PARALLEL;
use crate::opening::{OpeningSource, Openings, records};
use crate::{Error, ErrorPlace, Result};

/// The names of the methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MethodName {
    /// Confident local optimisation.
    Clop,
    /// Simultaneous perturbation.
    Spsa,
}

impl MethodName {
    /// The method's name in full.
    pub fn words(self) -> &'static str {
        match self {
            Self::Clop => "CLOP (confident local optimisation)",
            Self::Spsa => "SPSA (simultaneous perturbation)",
        }
    }
}

/// A task, ready to be played: all names are looked up and all recipes built.
#[derive(Clone, Debug)]
pub struct TuneTask {
    /// The file's name without its ending.
    pub name: String,
    /// The file.
    pub page: TomlFile,
    /// What it is about, in one line; empty if the file does not say.
    pub title: String,
    /// Who is tuned, as the file has it.
    pub base: Entrant,
    /// The base without its budget, and the budget with its `@`.
    parts: [String; 2],
    recipe: Recipe,
    /// The parameters.
    pub axes: Vec<TunedAxis>,
    /// Whom it plays; nobody if it plays itself.
    pub opponents: Vec<Entrant>,
    /// The terms with each opponent, or with itself.
    terms: Vec<Terms>,
    /// How.
    pub method: MethodName,
    /// Games in all; whole steps.
    pub n_games: u64,
    /// Games at the same time, if the file says.
    pub parallel: Option<usize>,
    /// Seed of everything random.
    pub seed: u64,
    height: f64,
    gains: Gains,
}

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TuneFile {
    #[serde(default)]
    title: String,
    recipe: Spanned<String>,
    #[serde(default)]
    opponents: Vec<Spanned<String>>,
    method: Spanned<MethodName>,
    games: Spanned<u64>,
    parallel: Option<Spanned<usize>>,
    height: Option<Spanned<f64>>,
    walkers: Option<Spanned<usize>>,
    rate: Option<Spanned<f64>>,
    #[serde(default)]
    terms: TermsFile,
    parameters: Named,
}

/// More games than anybody plays.
const MAX_GAMES: u64 = 10_000_000;

/// More walkers than games can move.
const MAX_WALKERS: usize = 1000;

/// More parameters than games can tell apart.
const MAX_AXES: usize = 12;

impl TuneTask {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the file, the line, what is wrong there and what was expected.
    pub fn load(path: &Path) -> Result<Self> {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Self::of_page(
            name,
            TomlFile::read(path, "the TOML file of a tuning, as `tengen tune --help` shows one")?,
        )
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// As for [`TuneTask::load`].
    pub fn of_page(name: impl Into<String>, page: TomlFile) -> Result<Self> {
        let file: TuneFile = page.parse()?;
        let (base, parts, recipe) = base(&page, &file.recipe)?;
        let axes = parameters::axes(&page, &file.parameters.0, &recipe)?;
        if axes.len() > MAX_AXES {
            return Err(
                page.wrong_somewhere(format!("{} parameters; expected at most {MAX_AXES}", axes.len()))
            );
        }
        let opponents = opponents(&page, &file)?;
        let rivals = if opponents.is_empty() { std::slice::from_ref(&base) } else { &opponents[..] };
        let terms = rivals.iter().map(|rival| {
            let mut terms = file.terms.build(&page, &[base.clone(), rival.clone()])?;
            terms.openings = openings(&page, &file, &terms)?;
            terms.event = "tengen tune".to_string();
            Ok(terms)
        });
        let terms = terms.collect::<Result<Vec<_>>>()?;
        let method = *file.method.get_ref();
        let per_step = if method == MethodName::Spsa && !opponents.is_empty() { 4 } else { 2 };
        let n_games = games(&page, &file, per_step)?;
        let mut gains = gains(&page, &file, axes.len(), n_games / per_step)?;
        parameters::steps(&page, &file.parameters.0, &axes, &mut gains)?;
        let task = Self {
            name: name.into(),
            title: file.title.clone(),
            base,
            parts,
            recipe,
            axes,
            opponents,
            terms,
            method,
            n_games,
            parallel: at_least_one(&page, "parallel", file.parallel.as_ref(), MAX_PARALLEL)?,
            seed: file.terms.seed(&page)?,
            height: height(&page, &file)?,
            gains,
            page,
        };
        task.check()?;
        Ok(task)
    }

    /// Builds the recipes at the ends of every axis, so that what cannot be played is found before the first game.
    fn check(&self) -> Result<()> {
        for (i, axis) in self.axes.iter().enumerate() {
            for end in [axis.low, axis.high] {
                let mut values: Vec<f64> = self.axes.iter().map(|axis| axis.start).collect();
                values[i] = end;
                self.entrant(&values).map_err(|why| {
                    let why = format!("`{}` cannot be {end} here: {why}", axis.key);
                    self.page.wrong_somewhere(why)
                })?;
            }
        }
        Ok(())
    }

    /// The method, which has seen nothing.
    pub fn start(&self) -> Box<dyn Method> {
        let (axes, n_opponents) = (self.axes.clone(), self.opponents.len());
        match self.method {
            MethodName::Clop => {
                let mut clop = Clop::new(axes, n_opponents);
                clop.height = self.height;
                Box::new(clop)
            }
            MethodName::Spsa => Box::new(Spsa::new(axes, n_opponents, self.gains.clone(), self.seed)),
        }
    }

    /// Steps in all.
    pub fn n_steps(&self) -> u64 {
        self.n_games / self.games_per_step()
    }

    /// Games of one step: a colour pair, or two for SPSA against an opponent.
    pub fn games_per_step(&self) -> u64 {
        if self.method == MethodName::Spsa && !self.opponents.is_empty() { 4 } else { 2 }
    }

    /// The base with these values, one for each axis. Its text is short if it can be.
    ///
    /// # Errors
    /// When the recipe cannot be built.
    pub fn entrant(&self, values: &[f64]) -> Result<Entrant> {
        let changes: Vec<String> =
            self.axes.iter().zip(values).map(|(axis, value)| format!("{}={value}", axis.key)).collect();
        let changes = changes.join(" ");
        let [who, budget] = &self.parts;
        let mut entrant: Entrant = match format!("{who} {changes}{budget}").parse() {
            Ok(entrant) => entrant,
            // A base that sets one of the parameters itself cannot be followed by another value.
            Err(_) => format!("{}{budget}", self.recipe.with(&changes)?).parse()?,
        };
        entrant.share_net(&self.base);
        Ok(entrant)
    }

    /// Loads the networks that base and opponents are given, before they play.
    ///
    /// # Errors
    /// Names the player, and the network that cannot be loaded.
    pub fn load_nets(&mut self, folder: &NetFolder) -> Result<()> {
        let game = self.terms.first().map_or("go", Terms::game);
        for entrant in std::iter::once(&mut self.base).chain(&mut self.opponents) {
            let name = entrant.text().to_string();
            entrant.load_net(folder, game).at(format!("\"{name}\""))?;
        }
        Ok(())
    }

    /// Who plays a bout, and on what terms. Both bouts of a step have the same seeds and openings, so that chance favours
    /// neither.
    ///
    /// # Errors
    /// When a recipe cannot be built.
    pub fn pairing(&self, bout: &Bout) -> Result<Pairing> {
        let a = self.entrant(&values(&self.axes, &bout.point))?;
        let (b, terms) = match &bout.rival {
            Rival::Opponent(idx) => (self.opponents[*idx].clone(), &self.terms[*idx]),
            Rival::Point(point) => (self.entrant(&values(&self.axes, point))?, &self.terms[0]),
        };
        Ok(Pairing { entrants: [a, b], terms: terms.clone(), seed: self.seed })
    }
}

/// Who is tuned: the entrant, its text in two parts, its recipe.
fn base(page: &TomlFile, given: &Spanned<String>) -> Result<(Entrant, [String; 2], Recipe)> {
    let wrong = |why: String| page.wrong(given.span(), why);
    let base: Entrant = given.get_ref().parse().map_err(|why: Error| wrong(why.to_string()))?;
    let Some(recipe) = base.recipe().cloned() else {
        return Err(wrong(format!("\"{base}\" has no parameters; expected a recipe such as \"default\"")));
    };
    let parts = match base.text().rsplit_once('@') {
        Some((who, budget)) => [who.trim().to_string(), format!("@{}", budget.trim())],
        None => [base.text().to_string(), String::new()],
    };
    Ok((base, parts, recipe))
}

fn opponents(page: &TomlFile, file: &TuneFile) -> Result<Vec<Entrant>> {
    let mut opponents = Vec::new();
    for given in &file.opponents {
        let entrant = given.get_ref().parse().map_err(|why: Error| page.wrong(given.span(), why));
        opponents.push(entrant?);
    }
    if opponents.is_empty() && *file.method.get_ref() == MethodName::Clop {
        let why = "clop needs opponents = [\"…\"]; only spsa can play a recipe against itself";
        return Err(page.wrong(file.method.span(), why));
    }
    Ok(opponents)
}

/// The openings of the file. They must be on file as well: openings that are made would have to be made again for every
/// continuation.
fn openings(page: &TomlFile, file: &TuneFile, terms: &Terms) -> Result<Openings> {
    match file.terms.openings(page)? {
        OpeningSource::Records(path) if page.follow => {
            records::read(&path, terms).map_err(|why| file.terms.wrong_openings(page, why))
        }
        OpeningSource::None | OpeningSource::Records(_) => Ok(Openings::none()),
        made @ OpeningSource::Balanced(_) => {
            let why = format!(
                "openings = \"{made}\": expected none or a folder of records, for a run that can be continued"
            );
            Err(file.terms.wrong_openings(page, why))
        }
    }
}

/// The games of the file, which must be whole steps.
fn games(page: &TomlFile, file: &TuneFile, per_step: u64) -> Result<u64> {
    let games = *file.games.get_ref();
    if !(per_step..=MAX_GAMES).contains(&games) {
        let why = format!("games = {games}: expected {per_step} to {MAX_GAMES}; a step is {per_step} games");
        return Err(page.wrong(file.games.span(), why));
    }
    if !games.is_multiple_of(per_step) {
        let (below, above) = (games / per_step * per_step, games.div_ceil(per_step) * per_step);
        let why = format!("games = {games}: a step is {per_step} games; expected {below} or {above}");
        return Err(page.wrong(file.games.span(), why));
    }
    Ok(games)
}

fn at_least_one(
    page: &TomlFile,
    key: &str,
    given: Option<&Spanned<usize>>,
    most: usize,
) -> Result<Option<usize>> {
    match given {
        Some(n) if !(1..=most).contains(n.get_ref()) => {
            Err(page.wrong(n.span(), format!("{key} = {}: expected 1 to {most}", n.get_ref())))
        }
        n => Ok(n.map(|n| *n.get_ref())),
    }
}

/// A positive number; refused for the method that has no use for it.
fn positive(page: &TomlFile, key: &str, given: Option<&Spanned<f64>>) -> Result<Option<f64>> {
    match given {
        Some(x) if !(*x.get_ref() > 0.0 && x.get_ref().is_finite()) => {
            Err(page.wrong(x.span(), format!("{key} = {}: expected a number above 0", x.get_ref())))
        }
        x => Ok(x.map(|x| *x.get_ref())),
    }
}

fn height(page: &TomlFile, file: &TuneFile) -> Result<f64> {
    if let (Some(given), MethodName::Spsa) = (&file.height, *file.method.get_ref()) {
        return Err(page.wrong(given.span(), "height is for method = \"clop\""));
    }
    Ok(positive(page, "height", file.height.as_ref())?.unwrap_or(HEIGHT))
}

fn gains(page: &TomlFile, file: &TuneFile, n_axes: usize, steps: u64) -> Result<Gains> {
    if *file.method.get_ref() == MethodName::Clop {
        let given = [file.walkers.as_ref().map(Spanned::span), file.rate.as_ref().map(Spanned::span)];
        if let Some(span) = given.into_iter().flatten().next() {
            return Err(page.wrong(span, "walkers and rate are for method = \"spsa\""));
        }
    }
    let walkers = at_least_one(page, "walkers", file.walkers.as_ref(), MAX_WALKERS)?;
    let mut gains = Gains::usual(n_axes, steps, walkers.unwrap_or(Gains::WALKERS));
    if let Some(rate) = positive(page, "rate", file.rate.as_ref())? {
        gains.rate = rate;
    }
    Ok(gains)
}
