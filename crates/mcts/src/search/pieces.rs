//! The pieces of a search: the declaration of a whole recipe, and the objects built from it.

use super::Settings;
use super::method::{self, SearchMethod};
use crate::blueprint::Blueprint;
use crate::estimate::{self, Estimator};
use crate::evaluate::net::loaded::{self, Loaded};
use crate::evaluate::net::no_net;
use crate::evaluate::net::service::{NetService, ServiceShape};
use crate::evaluate::net::symmetry::{NetSymmetry, Views};
use crate::evaluate::{self, Evaluation, Kit, MarginUse, Parts, kit};
use crate::expand::{self, Expander};
use crate::fpu::{self, Fpu};
use crate::game::{Game, GameFacts, MAX_ACTIONS, Reward};
use crate::mix::{self, Mixer};
use crate::moments::Moments;
use crate::pick::{self, Pick};
use crate::reward::{self, DynamicKomi, MarginShare, Payoff};
use crate::select::{self, Selector};
use crate::tree::MAX_CHILDREN;
use crate::tree::layout::Layout;
use crate::widen::{self, Widener};
use model::net::{EncodedPosition, InputForm, Net};
use recipe::declare::join;
use recipe::{Choice, Error, Family, Recipe, Variant};
use std::sync::Arc;

/// The priors of all games, and those that know one game.
pub static PRIORS: Family = Family {
    name: "prior",
    doc: " Priors: knowledge about an arm before it is tried.\n",
    variants: &PRIOR_VARIANTS,
};

static PRIOR_VARIANTS: [&Variant; N_PRIORS] =
    join(crate::prior::FAMILY.variants, crate::go::prior::FAMILY.variants);
const N_PRIORS: usize = crate::prior::FAMILY.variants.len() + crate::go::prior::FAMILY.variants.len();

/// Networks, and the word for none.
pub static NETS: Family =
    Family { name: "net", doc: " The network that a search asks.\n", variants: &NET_VARIANTS };

static NET_VARIANTS: [&Variant; N_NETS] =
    join(&[&no_net::VARIANT, &loaded::VARIANT], model::net::FAMILY.variants);
const N_NETS: usize = 2 + model::net::FAMILY.variants.len();

recipe::params! {
    /// Monte-Carlo tree search: models of the arms' values, a way to mix them, and rules for every step.
    pub struct SearchParams as "search" {
        search: choice(method::FAMILY) = "tree", "how a simulation walks";
        models: list(estimate::FAMILY) = "mc", "the models of an arm's value";
        reward: choice(reward::FAMILY) = "win", "the value that a search maximises";
        mixer: choice(mix::FAMILY) = "mc-only", "how the models become one value";
        fpu: choice(fpu::FAMILY) = "inf", "the value of an arm that was never tried";
        select: choice(select::FAMILY) = "uct", "which arm the next simulation takes";
        widen: choice(widen::FAMILY) = "all", "which arms are searched at all";
        tree: word(TreeReuse) = TreeReuse::Kept, "the part of the tree that stays when a move is played";
        expand: choice(expand::FAMILY) = "visits", "when a leaf grows into a node";
        prior: choice(PRIORS) = "none", "knowledge about an arm before it is tried";
        leaf: choice(evaluate::FAMILY) = "rollout", "how the end of a path is evaluated";
        net: choice(NETS) = "none", "the network that a leaf or a prior asks";
        batch: u32 = 1, 1..=1024, "positions that the network is shown at once; not asked without one";
        cache: u32 = 64, 0..=1_048_576, "megabytes in which the network's answers are remembered, of the search's memory; not asked without one";
        pick: choice(pick::FAMILY) = "most-visits", "which move is played in the end";
    }
}

recipe::words! {
    /// The part of the tree that stays when a move is played.
    pub enum TreeReuse {
        /// The part below the move is kept.
        Kept = "kept",
        /// It is forgotten, and a new tree grows for every move. [You 2012, Alg. 1; Gelly & Silver 2007, §3]
        Fresh = "fresh",
    }
}

/// The rules of a search, which know no game; shared by its threads.
pub struct Pieces {
    /// How simulations walk.
    pub method: SearchMethod,
    /// The part of the tree that stays when a move is played.
    pub tree: TreeReuse,
    /// The unit of values.
    pub reward: Reward,
    /// Points that the second player gets beyond the game's own, if that changes.
    pub komi: Option<Box<dyn DynamicKomi>>,
    /// The part of the margin in a sample's reward, if it has any.
    pub margin: Option<MarginShare>,
    /// The models' names, as reports show them.
    pub names: Vec<&'static str>,
    /// The models, in the recipe's order.
    pub models: Vec<Box<dyn Estimator>>,
    /// Mixes them.
    pub mixer: Box<dyn Mixer>,
    /// Values arms that were never tried.
    pub fpu: Box<dyn Fpu>,
    /// Chooses among the arms.
    pub selector: Box<dyn Selector>,
    /// Leaves arms out.
    pub widener: Box<dyn Widener>,
    /// Decides when a leaf grows.
    pub expander: Box<dyn Expander>,
    /// Mean and spread of the arms' rewards, if the pick reads them.
    pub(crate) moments: Option<Moments>,
}

/// Everything a recipe describes, built for one game.
pub struct BuiltRecipe<G> {
    /// The rules.
    pub pieces: Pieces,
    /// The columns of the tree, as the rules claimed them.
    pub layout: Layout,
    /// Answers the questions about positions.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// The network that the evaluation asks, if it does.
    pub net: Option<Arc<NetService>>,
    /// Chooses the move to play.
    pub pick: Box<dyn Pick>,
}

impl<G: Kit> BuiltRecipe<G> {
    /// Builds the engine a recipe describes, for a search with these settings.
    ///
    /// # Errors
    /// When pieces do not fit each other or the game.
    pub fn build(recipe: &Recipe, game: &G, settings: &Settings) -> Result<BuiltRecipe<G>, Error> {
        check_size(game)?;
        let params = SearchParams::from(recipe.root());
        refuse_twins(&params.models)?;
        let names: Vec<&'static str> = params.models.iter().map(Choice::name).collect();
        let Payoff { unit: reward, komi, margin } = reward::build(&params.reward)?;
        let margins = margin_use(reward, komi.is_some(), margin.is_some());
        let counts_margins = margins != MarginUse::None;
        let distance = |a, b| game.distance(a, b);
        let facts = GameFacts::of(game, &distance);
        if !facts.is_scored && counts_margins {
            let why = format!("{} is not decided by points; choose reward=win", G::NAME);
            return Err(Error::unsuitable(params.reward.name(), why));
        }
        let mut blueprint = Blueprint::new(facts, names.clone(), reward);
        let prior = Arc::from(kit::build_prior(&params.prior, game, &mut blueprint)?);
        // Where the reward is no win, or one under another komi, or where a prior counts wins that nobody has seen.
        if counts_margins || blueprint.gives().h {
            blueprint.layout.keep_wins();
        }
        let build_model = |model| estimate::build(model, &mut blueprint);
        let models = params.models.iter().map(build_model).collect::<Result<_, _>>()?;
        let pick = pick::build(&params.pick)?;
        let pieces = Pieces {
            method: method::build(&params.search)?,
            tree: params.tree,
            reward,
            komi,
            margin,
            names,
            models,
            mixer: mix::build(&params.mixer, &mut blueprint)?,
            fpu: fpu::build(&params.fpu, &mut blueprint)?,
            selector: select::build(&params.select, &mut blueprint)?,
            widener: widen::build(&params.widen, &mut blueprint)?,
            expander: expand::build(&params.expand, &mut blueprint)?,
            moments: pick.reads_variance().then(|| Moments::claim(&mut blueprint.layout)),
        };
        let net = build_net(&params, game, settings)?;
        let parts = Parts::new(game, reward, margins, settings.memory, prior, net.clone());
        let evaluation = evaluate::build(&params.leaf, &parts, &mut blueprint)?;
        refuse_idle_net(&params, &parts)?;
        refuse_idle_p(&params, &pieces, &blueprint)?;
        refuse_unfit_selector(&params, &pieces, &*pick)?;
        if !evaluation.tells_owners() {
            refuse_readers_of_owners(&params, &pieces)?;
        }
        refuse_missing_value(&params, &blueprint, counts_margins, evaluation.tells_value())?;
        Ok(BuiltRecipe { pieces, layout: blueprint.layout, evaluation, net, pick })
    }
}

/// How margins decide rewards of this unit, with a komi that changes and a part for the margin or without.
fn margin_use(reward: Reward, has_komi: bool, has_share: bool) -> MarginUse {
    match (reward, has_komi, has_share) {
        (_, true, _) => MarginUse::Komi,
        (Reward::Win, false, false) => MarginUse::None,
        _ => MarginUse::Points,
    }
}

/// Builds the recipe's network, if it names one.
fn build_net<G: Kit>(
    params: &SearchParams,
    game: &G,
    settings: &Settings,
) -> Result<Option<Arc<NetService>>, Error> {
    if params.net.is(&no_net::VARIANT) {
        return Ok(None);
    }
    let net: Arc<dyn Net> = if params.net.is(&loaded::VARIANT) {
        let why = "no network was loaded; give one by --net FILE";
        Arc::clone(&settings.net.as_ref().ok_or_else(|| Error::unsuitable("net=loaded", why))?.0)
    } else {
        Arc::from(model::net::build(&params.net)?)
    };
    if !game.knows_form(net.form()) {
        let why = format!("it reads boards, and positions of {} cannot be shown to it as such", G::NAME);
        return Err(Error::unsuitable(format!("net={}", params.net.name()), why));
    }
    let (form, n_actions) = (net.form(), game.n_actions());
    let (symmetries, turnings) = (symmetries(&params.net), game.turnings(form));
    if symmetries != NetSymmetry::None && turnings.len() < 2 {
        let why = format!("it turns positions, and no symmetries are known of {}", G::NAME);
        return Err(Error::unsuitable(format!("net.symmetries={}", symmetries.word()), why));
    }
    let mut encoded = EncodedPosition::default();
    game.encode(form, game, &[], &mut encoded);
    let shape = ServiceShape {
        batch: params.batch as usize,
        cache_bytes: cache_bytes(params.cache, settings.memory),
        n_actions,
        n_places: if form == InputForm::Board { encoded.legal.len() } else { n_actions },
    };
    let views = Views::new(symmetries, turnings, settings.seed);
    Ok(Some(Arc::new(NetService::new(net, shape, views))))
}

/// How a recipe wants positions turned: those for a loaded network, since stand-ins see no more in a turned one.
fn symmetries(net: &Choice) -> NetSymmetry {
    if net.is(&loaded::VARIANT) { Loaded::from(net).symmetries } else { NetSymmetry::None }
}

/// The part of a search's memory that the network's answers may take, where the recipe allows them `cache` megabytes: a quarter of it
/// at most, so that the tree has the rest.
fn cache_bytes(megabytes: u32, memory: usize) -> usize {
    (megabytes as usize).saturating_mul(1 << 20).min(memory / 4)
}

/// Refuses a network that nobody asks, and a prior that waits for the policy of a network which the leaf does not ask.
fn refuse_idle_net<G: Game>(params: &SearchParams, parts: &Parts<'_, G>) -> Result<(), Error> {
    if parts.is_net_asked() {
        return Ok(());
    }
    if parts.prior.takes_policy() {
        let (leaf, prior) = (params.leaf.name(), params.prior.name());
        let why = format!("prior={prior} waits for the policy of a network, and this leaf asks none");
        return Err(Error::unsuitable(format!("leaf={leaf}"), why));
    }
    if !params.net.is(&no_net::VARIANT) {
        let why = "nobody asks it; choose a leaf or a prior that does, such as leaf=net or prior=net";
        return Err(Error::unsuitable(params.net.name(), why));
    }
    Ok(())
}

/// Refuses a prior whose P(a) nobody reads.
fn refuse_idle_p(params: &SearchParams, pieces: &Pieces, blueprint: &Blueprint<'_>) -> Result<(), Error> {
    // A flat search asks neither its selector nor its urgency.
    let idle = [params.select.name(), params.fpu.name()];
    let is_asked = |who: &String| pieces.method == SearchMethod::Tree || !idle.contains(&who.as_str());
    if !blueprint.gives().p || blueprint.readers_of_p().iter().any(is_asked) {
        return Ok(());
    }
    let why =
        "nobody reads its probabilities P(a); choose a selector or a widener that does, such as select=puct";
    Err(Error::unsuitable(format!("prior={}", params.prior.name()), why))
}

/// Refuses an urgency, a tree and a pick that do not go with the selector.
fn refuse_unfit_selector(params: &SearchParams, pieces: &Pieces, pick: &dyn Pick) -> Result<(), Error> {
    let (fpu, select) = (params.fpu.name(), params.select.name());
    let refuse = |who: String, why: String| Err(Error::unsuitable(who, why));
    // Every arm once, the default, is what a selector leaves aside that values untried arms itself.
    if pieces.selector.values_untried() && !pieces.fpu.tries_all_first() {
        let why = format!("nobody asks it, since select={select} values untried arms itself; leave it out");
        return refuse(format!("fpu={fpu}"), why);
    }
    if pieces.fpu.needs_bound() && !pieces.selector.bounds_untried() {
        let why = format!(
            "untried arms may stay untried, since select={select} gives them no bound; choose select=puct"
        );
        return refuse(format!("fpu={fpu}"), why);
    }
    if pieces.selector.needs_fresh_tree() && pieces.tree == TreeReuse::Kept {
        let why = "it counts the root's visits from the first; choose tree=fresh";
        return refuse(select.to_string(), why.to_string());
    }
    if pick.reads_ranks() && !(pieces.selector.ranks_root() && pieces.method == SearchMethod::Tree) {
        let why = "it plays by the scores that select=gumbel gives the root's arms; choose that selector";
        return refuse(format!("pick={}", params.pick.name()), why.to_string());
    }
    Ok(())
}

/// Refuses a reader of a network's value where the rewards are no wins, or where the leaf tells no value.
fn refuse_missing_value(
    params: &SearchParams,
    blueprint: &Blueprint<'_>,
    counts_margins: bool,
    tells_value: bool,
) -> Result<(), Error> {
    let Some(who) = blueprint.reader_of_value() else { return Ok(()) };
    if counts_margins {
        let why = "it is a win rate, and this reward counts points; choose reward=win";
        return Err(Error::unsuitable(who, why));
    }
    if !tells_value {
        let leaf = params.leaf.name();
        let why = format!("leaf={leaf} asks no network for its value; choose leaf=net or leaf=mix");
        return Err(Error::unsuitable(who, why));
    }
    Ok(())
}

/// Refuses models that learn from the owners of points.
fn refuse_readers_of_owners(params: &SearchParams, pieces: &Pieces) -> Result<(), Error> {
    let reads = pieces.models.iter().position(|model| model.ownership_every().is_some());
    let Some(model_idx) = reads else { return Ok(()) };
    let leaf = params.leaf.name();
    let why = format!("it learns from the owners of points, which leaf={leaf} does not tell");
    Err(Error::unsuitable(pieces.names[model_idx], why))
}

/// Refuses a game that is too large for a tree.
fn check_size(game: &impl Game) -> Result<(), Error> {
    let (n_actions, n_arms) = (game.n_actions(), game.max_arms());
    if n_actions <= MAX_ACTIONS && n_arms <= MAX_CHILDREN {
        return Ok(());
    }
    let why = format!(
        "it holds games of at most {MAX_ACTIONS} actions and {MAX_CHILDREN} arms a position, and this one has up to {n_actions} actions and {n_arms} arms"
    );
    Err(Error::unsuitable("search", why))
}

impl Pieces {
    /// Whether a node with untried arms draws one of them, whatever its models say of the others.
    pub(crate) fn draws_untried(&self) -> bool {
        self.method == SearchMethod::Tree
            && self.fpu.tries_all_first()
            && self.selector.draws_untried()
            && self.widener.keeps_all()
    }

    /// Ownership is counted in one simulation out of this many: in every `usual`th, if no model asks for more.
    pub(crate) fn ownership_every(&self, usual: u64) -> u64 {
        let asked = self.models.iter().filter_map(|model| model.ownership_every());
        asked.fold(usual, |every, asked| every.min(u64::from(asked.max(1))))
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

#[cfg(test)]
mod tests {
    use super::*;

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
