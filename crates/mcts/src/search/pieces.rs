//! What a recipe builds: the declaration of the whole search, and the pieces made from it.

use super::method::{self, Method};
use crate::estimate::{self, Estimator};
use crate::expand::{self, Expander};
use crate::fpu::{self, Fpu};
use crate::game::{Game, Reward};
use crate::leaf::{self, Leaf};
use crate::mix::{self, Mixer};
use crate::pick::{self, Pick};
use crate::prior::{self, Prior};
use crate::reward::{self, DynamicKomi, Payoff};
use crate::select::{self, Selector};
use crate::tree::layout::{Gives, Layout};
use crate::widen::{self, Widener};
use recipe::{Choice, Error, Recipe};

recipe::params! {
    /// Monte-Carlo tree search: models of the arms' values, a way to mix them, and rules for every step.
    pub struct SearchParams as "search" {
        search: choice(method::FAMILY) = "tree", "how a simulation walks";
        models: list(estimate::FAMILY) = "mc", "the models of an arm's value";
        reward: choice(reward::FAMILY) = "win", "what is maximised";
        mixer: choice(mix::FAMILY) = "mc-only", "how the models become one value";
        fpu: choice(fpu::FAMILY) = "inf", "what an arm is worth that was never tried";
        select: choice(select::FAMILY) = "uct", "which arm the next simulation takes";
        widen: choice(widen::FAMILY) = "all", "which arms are searched at all";
        expand: choice(expand::FAMILY) = "visits", "when a leaf grows into a node";
        prior: choice(prior::FAMILY) = "none", "what is known of an arm before it is tried";
        leaf: choice(leaf::FAMILY) = "rollout", "how the end of a path is evaluated";
        pick: choice(pick::FAMILY) = "most-visits", "which move is played in the end";
    }
}

/// What a piece may know of the others when it is built.
#[derive(Debug, Clone)]
pub struct Roster {
    /// The models' names, in the recipe's order.
    pub models: Vec<&'static str>,
    /// What the prior gives.
    pub gives: Gives,
    /// What values mean.
    pub reward: Reward,
}

impl Default for Roster {
    fn default() -> Roster {
        Roster { models: Vec::new(), gives: Gives::default(), reward: Reward::Win }
    }
}

impl Roster {
    /// Refuses a recipe whose prior gives no P(a), which the piece `who` needs.
    ///
    /// # Errors
    /// Says so.
    pub fn need_p(&self, who: &str) -> Result<(), Error> {
        match self.gives.p {
            true => Ok(()),
            false => Err(Error::unsuitable(
                who,
                "it needs a static probability P(a); choose a prior that gives one, such as prior=gammas",
            )),
        }
    }

    /// Refuses a recipe whose values are points, where the piece `who` needs win rates.
    ///
    /// # Errors
    /// Says so.
    pub fn need_win(&self, who: &str) -> Result<(), Error> {
        match self.reward {
            Reward::Win => Ok(()),
            Reward::Score => Err(Error::unsuitable(who, "it needs win rates; choose reward=win")),
        }
    }

    /// The place of a model that the piece `who` reads.
    ///
    /// # Errors
    /// Says which model is missing.
    pub fn model_idx(&self, name: &str, who: &str) -> Result<usize, Error> {
        self.models.iter().position(|known| *known == name).ok_or_else(|| {
            let models = self.models.join("+");
            Error::unsuitable(who, format!("it reads the model `{name}`; add it to models={models}"))
        })
    }
}

/// Everything a search decides by, shared by its threads.
pub struct Pieces<G: Game> {
    /// How simulations walk.
    pub method: Method,
    /// What is maximised.
    pub reward: Reward,
    /// Points that the second player gets beyond the game's own, if that changes.
    pub komi: Option<Box<dyn DynamicKomi>>,
    /// The models' names, as reports show them.
    pub names: Vec<&'static str>,
    /// The models, in the recipe's order.
    pub models: Vec<Box<dyn Estimator<G>>>,
    /// Mixes them.
    pub mixer: Box<dyn Mixer<G>>,
    /// Values arms that were never tried.
    pub fpu: Box<dyn Fpu<G>>,
    /// Chooses among the arms.
    pub selector: Box<dyn Selector<G>>,
    /// Leaves arms out.
    pub widener: Box<dyn Widener<G>>,
    /// Decides when a leaf grows.
    pub expander: Box<dyn Expander<G>>,
    /// Knows something before.
    pub prior: Box<dyn Prior<G>>,
}

impl<G: Game> Pieces<G> {
    /// Builds the pieces of a recipe.
    ///
    /// # Errors
    /// When pieces do not fit each other.
    pub fn build(recipe: &Recipe) -> Result<Pieces<G>, Error> {
        let params = SearchParams::from(recipe.root());
        let prior = prior::build::<G>(&params.prior)?;
        refuse_twins(&params.models)?;
        let names: Vec<&'static str> = params.models.iter().map(Choice::name).collect();
        let Payoff { unit: reward, komi } = reward::build(&params.reward)?;
        let roster = Roster { models: names.clone(), gives: prior.gives(), reward };
        Ok(Pieces {
            method: method::build(&params.search)?,
            reward,
            komi,
            names,
            models: params.models.iter().map(estimate::build).collect::<Result<_, _>>()?,
            mixer: mix::build(&params.mixer, &roster)?,
            fpu: fpu::build(&params.fpu, &roster)?,
            selector: select::build(&params.select, &roster)?,
            widener: widen::build(&params.widen, &roster)?,
            expander: expand::build(&params.expand, &roster)?,
            prior,
        })
    }

    /// Whether a node with untried arms draws one of them, whatever its models say of the others.
    pub(crate) fn draws_untried(&self) -> bool {
        self.method == Method::Tree
            && self.fpu.tries_all_first()
            && self.selector.draws_untried()
            && self.widener.keeps_all()
    }

    /// Ownership is counted in one simulation out of so many: in every `usual`th, if no model asks for more.
    pub(crate) fn ownership_every(&self, usual: u64) -> u64 {
        let asked = self.models.iter().filter_map(|model| model.ownership_every());
        asked.fold(usual, |every, asked| every.min(u64::from(asked.max(1))))
    }

    /// Lets every piece claim its columns and find those of the others.
    pub(crate) fn claim(&mut self, game: &G) -> Result<Layout, Error> {
        let mut layout = Layout::new(game.n_actions(), self.prior.gives());
        layout.set_reward(self.reward, self.komi.is_some());
        let roster = Roster { models: self.names.clone(), gives: self.prior.gives(), reward: self.reward };
        for need in self.prior.needs() {
            roster.model_idx(need, "prior")?;
        }
        for (model, name) in self.models.iter_mut().zip(&self.names) {
            for need in model.needs() {
                roster.model_idx(need, name)?;
            }
            model.check(game, &roster)?;
            model.claim(&mut layout);
        }
        self.widener.claim(&mut layout);
        self.expander.claim(&mut layout);
        self.models.iter_mut().for_each(|model| model.bind(&layout));
        self.widener.bind(&layout);
        self.expander.bind(&layout);
        self.prior.bind(&layout);
        Ok(layout)
    }
}

/// Refuses a model that stands twice with the same parameters, since it can only say the same again.
fn refuse_twins(models: &[Choice]) -> Result<(), Error> {
    let has_twin = |(idx, model): &(usize, &Choice)| models[..*idx].contains(model);
    let Some((_, twin)) = models.iter().enumerate().find(has_twin) else { return Ok(()) };
    let all = models.iter().map(Choice::name).collect::<Vec<_>>().join("+");
    let or_else =
        if twin.variant().params.is_empty() { "" } else { ", or give the two different parameters" };
    Err(Error::unsuitable(twin.name(), format!("models={all} names it twice; leave one out{or_else}")))
}

/// Builds the leaf of a recipe; each thread needs one of its own.
///
/// # Errors
/// When the game cannot use it.
pub fn build_leaf<G: Game>(recipe: &Recipe, game: &G) -> Result<Box<dyn Leaf<G>>, Error> {
    leaf::build(&SearchParams::from(recipe.root()).leaf, game)
}

/// Builds the final choice of a recipe.
///
/// # Errors
/// When the recipe is none of a search.
pub fn build_pick(recipe: &Recipe) -> Result<Box<dyn Pick>, Error> {
    pick::build(&SearchParams::from(recipe.root()).pick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_model_is_named() {
        let roster = Roster { models: vec!["mc", "rave"], ..Roster::default() };
        assert_eq!(roster.model_idx("rave", "bma").unwrap(), 1);
        let error = roster.model_idx("lwr", "bma").unwrap_err().to_string();
        assert_eq!(error, "`bma` cannot be used here: it reads the model `lwr`; add it to models=mc+rave");
    }

    #[test]
    fn a_model_twice_is_refused_unless_the_two_differ() {
        let refusal = |models: &str| {
            let recipe = Recipe::new(&VARIANT).with(&format!("models={models}")).unwrap();
            refuse_twins(&SearchParams::from(recipe.root()).models).err().map(|error| error.to_string())
        };
        assert_eq!(
            refusal("mc+rave+mc").unwrap(),
            "`mc` cannot be used here: models=mc+rave+mc names it twice; leave one out"
        );
        assert!(
            refusal("mc+lwr+lwr").unwrap().ends_with("leave one out, or give the two different parameters")
        );
        assert_eq!(refusal("mc+lwr+lwr:kernel=winrate"), None);
        assert_eq!(refusal("mc+rave"), None);
    }

    #[test]
    fn the_declarations_are_sound() {
        recipe::list::check(&VARIANT).unwrap();
    }
}
