//! The result of a run: the best values with intervals, as a recipe, as a table and as data; [`super::sheet`] makes a page of
//! it.

use std::path::Path;

use player::whole_file;
use serde::Serialize;

use super::axis::{AxisScale, TunedAxis, values};
use super::sample::{Rival, TuneSample};
use super::session::TuneSession;
use super::task::{MethodName, TuneTask};
use crate::stats::{Elo, wilson95};
use crate::{Error, Result};

/// The best value of one parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Best {
    /// The parameter's key.
    pub key: String,
    /// The estimate.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
    /// What the base recipe has.
    pub start: f64,
    /// What was tried.
    pub tried: [f64; 2],
    /// How much stronger its best value is than the base's, the other parameters being at their best.
    pub gain: Elo,
    /// How values lie between these ends.
    pub scale: AxisScale,
    /// How strength depends on it, the other parameters being at their best.
    pub curve: Vec<ValueStrength>,
    /// What was played, by values; empty if values played each other.
    pub bins: Vec<ValueBin>,
}

/// The strength at a value, Elo against the best values.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ValueStrength {
    /// The value.
    pub value: f64,
    /// The strength with its 95 % interval.
    #[serde(flatten)]
    pub elo: Elo,
}

/// Games with values between two ends, against all opponents.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ValueBin {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The mean value, in the middle of the axis' scale.
    pub mean: f64,
    /// How many games.
    pub games: u64,
    /// The share of the points, 0 to 1.
    pub rate: f64,
    /// Its 95 % interval, by Wilson.
    pub rate95: [f64; 2],
}

/// The result of a run, or what is known so far.
#[derive(Clone, Debug, Serialize)]
pub struct TuneResult {
    /// The file's name without its ending.
    pub name: String,
    /// The file.
    #[serde(skip)]
    pub file: String,
    /// What the file says it is about.
    pub title: String,
    /// How it was found.
    pub method: MethodName,
    /// Games that ended.
    pub games: u64,
    /// Games in all.
    pub planned: u64,
    /// The weighted number of games that the fit rests on: the others lie outside of the region where it holds.
    pub fitted: f64,
    /// The base with the best values.
    pub recipe: String,
    /// How much stronger the best values are than those the base has.
    pub gain: Elo,
    /// Each parameter.
    pub parameters: Vec<Best>,
    /// Where walkers stand, value by value.
    pub walkers: Vec<Vec<f64>>,
}

/// Places along an axis at which the curve is given.
const N_PLACES: usize = 41;

/// Games that leave it open which values are best, in words.
pub(super) const DO_NOT_TELL: &str = "These games do not tell which values are best";
/// Groups that games are put in along an axis.
const N_BINS: usize = 10;

impl TuneResult {
    /// What a session knows.
    ///
    /// # Errors
    /// When the best recipe cannot be built.
    pub fn new(task: &TuneTask, session: &TuneSession) -> Result<Self> {
        let (axes, method) = (&task.axes, session.method());
        let belief = method.belief();
        let top = belief.top();
        // The best values are ones that can be played with; so is their point.
        let best = values(axes, &top.point);
        let point: Vec<f64> = axes.iter().zip(&best).map(|(axis, &value)| axis.unit(value)).collect();
        let start: Vec<f64> = axes.iter().map(|axis| axis.unit(axis.start)).collect();
        let parameters = axes.iter().enumerate().map(|(i, axis)| {
            let [low, high] = axis.interval(top.low[i], top.high[i]);
            let curve = (0..N_PLACES).map(|place| {
                let mut there = point.clone();
                there[i] = place as f64 / (N_PLACES - 1) as f64;
                ValueStrength { value: axis.value(there[i]), elo: belief.difference(&there, &point) }
            });
            let mut base = point.clone();
            base[i] = start[i];
            Best {
                gain: belief.difference(&point, &base),
                key: axis.key.clone(),
                value: best[i],
                low: low.min(best[i]),
                high: high.max(best[i]),
                start: axis.start,
                tried: [axis.low, axis.high],
                scale: axis.scale,
                curve: curve.collect(),
                bins: bins(axis, i, method.samples()),
            }
        });
        Ok(Self {
            name: task.name.clone(),
            file: task.page.path.display().to_string(),
            title: task.title.clone(),
            method: task.method,
            games: session.n_games(),
            planned: task.n_games,
            fitted: 2.0 * belief.n_samples,
            recipe: task.entrant(&best)?.text().to_string(),
            gain: belief.difference(&point, &start),
            parameters: parameters.collect(),
            walkers: method.walkers().iter().map(|walker| values(axes, walker)).collect(),
        })
    }

    /// Whether all games were played.
    pub fn is_complete(&self) -> bool {
        self.games >= self.planned
    }

    /// The table for people.
    pub fn table(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::UTF8_BORDERS_ONLY);
        table.set_header(["parameter", "best", "95 % interval", "base", "tried"]);
        for Best { key, value, low, high, start, tried: [least, most], .. } in &self.parameters {
            table.add_row([
                key.clone(),
                value.to_string(),
                format!("{low} to {high}"),
                start.to_string(),
                format!("{least} to {most}"),
            ]);
        }
        let gain = match self.tells() {
            true => format!("{} Elo, by the fit", self.gain),
            false => format!("not known; {} Elo, by the fit alone", self.gain),
        };
        let mut text = format!(
            "{table}\nbest: {}\ngain over the base: {gain} to {:.0} of {} games\n",
            self.recipe, self.fitted, self.games
        );
        for warning in self.warnings() {
            text.push_str(&format!("note: {warning}\n"));
        }
        text
    }

    /// Writes `result.json`, `best.recipe` and the page (`report.html`, `report.md` and its pictures) into a folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let put = |name: String, text: String| {
            let path = dir.join(name);
            whole_file::write(&path, text).map_err(Error::file("write", &path))
        };
        let json = serde_json::to_string_pretty(self).map_err(Error::other)?;
        put("result.json".to_string(), json + "\n")?;
        put("best.recipe".to_string(), self.recipe_file())?;
        self.page().save(dir, "report").map(|_| ())
    }

    /// The best values as a recipe file; a budget is no part of a recipe.
    fn recipe_file(&self) -> String {
        let recipe = self.recipe.rsplit_once('@').map_or(self.recipe.as_str(), |(recipe, _)| recipe);
        let how = format!("# Tuned by {} with {} games: {}", self.method.words(), self.games, self.name);
        let but = match self.tells() {
            true => "",
            false => &format!("\n# {DO_NOT_TELL}: it may be no better than the base."),
        };
        format!("{how}{but}\n{}\n", recipe.trim())
    }
}

/// Games along one axis, in groups of equal size.
fn bins(axis: &TunedAxis, idx: usize, samples: &[TuneSample]) -> Vec<ValueBin> {
    let mut games: Vec<(f64, &TuneSample)> = samples
        .iter()
        .filter(|sample| matches!(sample.bout.rival, Rival::Opponent(_)))
        .map(|sample| (sample.bout.point[idx], sample))
        .collect();
    games.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = games.len().div_ceil(N_BINS).max(1);
    let bin = |group: &[(f64, &TuneSample)]| {
        let n: f64 = group.iter().map(|(_, sample)| sample.games).sum();
        let points: f64 = group.iter().map(|(_, sample)| sample.points).sum();
        let mean = group.iter().map(|(u, _)| u).sum::<f64>() / group.len() as f64;
        ValueBin {
            low: axis.value(group[0].0),
            high: axis.value(group[group.len() - 1].0),
            mean: axis.value(mean),
            games: n as u64,
            rate: points / n.max(1.0),
            rate95: wilson95(points, n as u64),
        }
    };
    games.chunks(size).map(bin).collect()
}
