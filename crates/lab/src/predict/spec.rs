//! Predictors as text: `uniform`, `gammas`, `model:FILE`, `net:b6c96`, `policy:uniform@playouts=1000`, `search:default@playouts=300`.

use std::fmt;
use std::str::FromStr;

use player::nets::{NetFile, NetFolder};
use player::recipes;
use recipe::error::Suggestion;
use recipe::{Choice, Recipe};

use super::model::{AnyModel, ModelPredictor};
use super::net::NetPredictor;
use super::policy::PolicyPredictor;
use super::prior::{PriorPredictor, SELECTOR};
use super::search::SearchPredictor;
use super::{Predictor, Uniform};
use crate::error::{Error, ErrorPlace, Result};

/// Playouts of a policy or a search for each position when the text does not say.
const DEFAULT_PLAYOUTS: u64 = 1000;

/// A predictor that can be built any number of times.
#[derive(Clone, Debug)]
pub struct Spec {
    /// As it was given.
    pub text: String,
    kind: PredictorKind,
}

#[derive(Clone, Debug)]
enum PredictorKind {
    Uniform,
    Prior(Recipe),
    Model(AnyModel),
    Policy(Choice, u64),
    /// The name or the file of a network, and the network once it is loaded.
    Net(String, Option<Box<NetFile>>),
    Search(Box<Recipe>, u64),
}

impl FromStr for Spec {
    type Err = Error;

    /// `uniform`; the name of a prior that gives P(a), with parameters if wanted (`gammas:line=false`), also as
    /// `prior:NAME`; `model:FILE`, a model that `tengen train` wrote, or `model:tactics`; `net:NAME` or `net:FILE`, which
    /// [`Spec::load_net`] loads; `policy:NAME` or `search:RECIPE`, either with `@playouts=N` behind it.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let kind = read(text).at(format!("predictor \"{text}\""))?;
        Ok(Self { text: text.to_string(), kind })
    }
}

fn read(text: &str) -> Result<PredictorKind> {
    if let Some(net) = text.strip_prefix("net:") {
        if net.is_empty() {
            return Err(Error::input("expected the name or the file of a network behind net:"));
        }
        return Ok(PredictorKind::Net(net.to_string(), None));
    }
    if let Some(file) = text.strip_prefix("model:") {
        return Ok(PredictorKind::Model(AnyModel::read(file)?));
    }
    let (who, playouts) = match text.rsplit_once('@') {
        None => (text, None),
        Some((who, budget)) => (who, Some(read_playouts(budget)?)),
    };
    let n = playouts.unwrap_or(DEFAULT_PLAYOUTS);
    if let Some(name) = who.strip_prefix("policy:") {
        return Ok(PredictorKind::Policy(recipes::policy(name)?, n));
    }
    if let Some(recipe) = who.strip_prefix("search:") {
        return Ok(PredictorKind::Search(Box::new(recipes::parse(recipe)?), n));
    }
    if playouts.is_some() {
        return Err(Error::input("@playouts: only policy:NAME and search:RECIPE need playouts"));
    }
    if who == "uniform" {
        return Ok(PredictorKind::Uniform);
    }
    let name = who.strip_prefix("prior:").unwrap_or(who);
    let recipe = recipes::parse(&format!("prior={name} select={SELECTOR}")).map_err(|error| {
        let why = match &error {
            // Not every predictor is a prior.
            recipe::Error::UnknownName { key, name, hint, .. } if key == "prior" => {
                let known = std::iter::once("uniform").chain(hint.known.iter().map(String::as_str));
                format!("there is no predictor `{name}`{}", Suggestion::new(name, known))
            }
            // The selector reads P(a), and refuses a recipe that has none.
            recipe::Error::Unsuitable { what, .. } if what == SELECTOR => {
                return Error::input(format!(
                    "the prior \"{name}\" gives no probability of moves; expected one that does, such as flat-p, gammas \
                     or even:p=gammas"
                ));
            }
            other => other.to_string(),
        };
        Error::input(format!(
            "{why}; expected uniform, a prior, model:FILE, net:NAME, policy:NAME or search:RECIPE"
        ))
    })?;
    Ok(PredictorKind::Prior(recipe))
}

fn read_playouts(budget: &str) -> Result<u64> {
    let number = budget.trim().strip_prefix("playouts=").and_then(|n| n.parse().ok());
    number.filter(|&n| n > 0).ok_or_else(|| {
        Error::input(format!("after the @ \"{budget}\": expected playouts=N with N at least 1"))
    })
}

impl Spec {
    /// Loads the network that is named, if there is one.
    ///
    /// # Errors
    /// When there is no such network, it cannot be read, or it does not play Go.
    pub fn load_net(&mut self, folder: &NetFolder) -> Result<()> {
        if let PredictorKind::Net(text, file) = &mut self.kind {
            let place = || format!("predictor \"{}\"", self.text);
            *file = Some(Box::new(folder.load_for(text, "go").map_err(Error::input).at(place())?));
        }
        Ok(())
    }

    /// A predictor of its own.
    pub fn build(&self) -> Box<dyn Predictor> {
        match &self.kind {
            PredictorKind::Net(text, file) => {
                Box::new(NetPredictor::new(text.clone(), file.as_deref().cloned()))
            }
            PredictorKind::Uniform => Box::new(Uniform),
            PredictorKind::Prior(recipe) => Box::new(PriorPredictor::new(recipe.clone())),
            PredictorKind::Model(model) => Box::new(ModelPredictor::new(model.clone())),
            PredictorKind::Policy(policy, playouts) => {
                Box::new(PolicyPredictor::new(policy.clone(), *playouts))
            }
            PredictorKind::Search(recipe, playouts) => {
                Box::new(SearchPredictor::new(recipe.as_ref().clone(), *playouts))
            }
        }
    }

    /// Everything that makes the predictor what it is: a recipe with all its values.
    pub fn canonical(&self) -> String {
        let prior = |recipe: &Recipe| {
            let is_prior = |key: &str| key == "prior" || key.starts_with("prior.");
            let words = recipe
                .entries()
                .iter()
                .filter(|entry| is_prior(&entry.key))
                .map(ToString::to_string)
                .collect::<Vec<_>>();
            words.join(" ")
        };
        match &self.kind {
            PredictorKind::Uniform => "uniform".to_string(),
            PredictorKind::Prior(recipe) => prior(recipe),
            PredictorKind::Net(text, file) => {
                format!("net:{}", file.as_ref().map_or(text.clone(), |file| file.identity()))
            }
            PredictorKind::Model(model) => model.canonical(),
            PredictorKind::Policy(policy, playouts) => format!("policy:{policy:?}@playouts={playouts}"),
            PredictorKind::Search(recipe, playouts) => format!("search:{recipe}@playouts={playouts}"),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_predictor_is_refused() {
        for (text, expected) in [
            ("gamas", "gammas"),
            ("none", "gives no probability of moves"),
            ("even", "the prior \"even\" gives no probability"),
            ("gammas:lime=false", "line"),
            ("policy:unform", "uniform"),
            ("search:defualt@playouts=3", "default"),
            ("search:default@playouts=0", "\"playouts=0\": expected playouts=N with N at least 1"),
            ("search:default@time=3", "expected playouts=N"),
            ("gammas@playouts=3", "only policy:NAME and search:RECIPE"),
            ("net:", "expected the name or the file of a network"),
            ("model:/no/such.file", "expected the file of a ranking model, or tactics"),
            ("model:Cargo.toml", "Cargo.toml: not a ranking model: expected the first line"),
            ("", "expected uniform, a prior, model:FILE, net:NAME, policy:NAME or search:RECIPE"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains(&format!("\"{text}\"")), "{text}: {error}");
        }
    }

    #[test]
    fn canonical_texts_name_every_value() {
        let canonical = |text: &str| text.parse::<Spec>().unwrap().canonical();
        assert_eq!(canonical(" uniform "), "uniform");
        let gammas = canonical("gammas:line=false");
        assert!(gammas.starts_with("prior=gammas prior.last=true") && gammas.contains("prior.line=false"));
        assert_eq!(canonical("prior:gammas:line=false"), gammas);
        assert!(canonical("even:p=gammas").contains("prior.p=gammas"));
        let search = canonical("search:uct select.c=0.5@playouts=30");
        assert!(search.contains("select.c=0.5") && search.ends_with("@playouts=30"), "{search}");
        assert!(canonical("policy:uniform:eye=goyui").contains("goyui"));
    }
}
