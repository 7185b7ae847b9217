//! The parts of an evaluation that know their game: playouts, and priors that need more than the rules.

use super::{EvaluationSample, random};
use crate::blueprint::Blueprint;
use crate::cx::{Cx, PathStep};
use crate::game::{Action, Game, Reward};
use crate::prior::{self, FillP, Prior, Probability};
use goban::Rng;
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};
use recipe::{Choice, Error};

/// Plays a position to its end. Boxed, once per playout; what it does inside is static.
pub trait Rollout<G: Game>: Send {
    /// The playouts from a leaf begin; what the tree knows may steer them.
    fn start(&mut self, cx: &Cx<'_>, origin: &G) {
        let _ = (cx, origin);
    }

    /// Only the first `n_moves` of each playout will be looked at: it may end there, and what it says of the outcome then means nothing.
    ///
    /// # Errors
    /// When its policy learns from whole playouts.
    fn shorten(&mut self, n_moves: usize) -> Result<(), Error> {
        let _ = n_moves;
        Ok(())
    }

    /// Plays from `position`, appends the moves to `out.tail` and writes `out.outcome`, with ownership if it is wanted
    /// and the game has points.
    fn run(&mut self, position: &G, rng: &mut Rng, wants_ownership: bool, out: &mut EvaluationSample);

    /// From now on a playout ends as soon as the players' stones differ by more than this share of the board's points. False if the
    /// game does not count stones.
    fn end_early(&mut self, mercy: f32) -> bool {
        let _ = mercy;
        false
    }
}

/// The playouts from a leaf.
#[derive(Debug, Clone)]
pub struct PlayoutPlan {
    /// How many.
    pub n: u32,
    /// Who chooses the moves.
    pub policy: Choice,
    /// The difference of stones, as a share of the points, that ends one; 0: none does.
    pub mercy: f32,
}

impl PlayoutPlan {
    /// The rollout that plays them.
    ///
    /// # Errors
    /// When the policy or the early end is of no use for this game.
    pub fn rollout<G: Kit>(&self, game: &G, reward: Reward) -> Result<Box<dyn Rollout<G>>, Error> {
        let mut rollout = game.rollout(&self.policy, reward)?;
        if self.mercy > 0.0 && !rollout.end_early(self.mercy) {
            let why =
                format!("the result of {} is not told by the number of stones; choose mercy=0", G::NAME);
            return Err(Error::unsuitable("mercy", why));
        }
        Ok(rollout)
    }
}

/// What is known of a position's result, as the mover sees it: −1 lost, 0 drawn, 1 won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The least that the mover can reach.
    pub least: i8,
    /// The most that he can reach.
    pub most: i8,
}

impl Bounds {
    /// Anything may come.
    pub const OPEN: Bounds = Bounds { least: -1, most: 1 };
    /// The mover wins.
    pub const WON: Bounds = Bounds { least: 1, most: 1 };
    /// Nobody wins.
    pub const DRAWN: Bounds = Bounds { least: 0, most: 0 };
    /// The mover loses.
    pub const LOST: Bounds = Bounds { least: -1, most: -1 };
}

/// A game that recipes can be built for: its rules, and the rollout, priors and probabilities it brings of its own.
pub trait Kit: Game {
    /// The game's name in messages.
    const NAME: &'static str;

    /// The rollout that plays `policy` from positions of this game; a policy that learns does so by the search's reward.
    ///
    /// # Errors
    /// When the policy is of no use for this game.
    fn rollout(&self, policy: &Choice, reward: Reward) -> Result<Box<dyn Rollout<Self>>, Error> {
        let _ = reward;
        random::build(policy)
    }

    /// Whether a position may come back in the same game, so that its result depends on the moves before it.
    fn can_repeat(&self) -> bool {
        false
    }

    /// What a look at this position, which has not ended, proves of its result. It must be cheap.
    fn bounds(&self) -> Bounds {
        Bounds::OPEN
    }

    /// Appends the actions that a proof has to try, promising ones first. Those that lose at once may be left out if
    /// [`Kit::bounds`] says that the mover is lost where all do.
    fn candidates(&self, out: &mut Vec<Action>) {
        self.actions(out);
    }

    /// A prior that knows this game, if `choice` names one.
    ///
    /// # Errors
    /// When it does not fit the rest of the recipe.
    fn prior(
        &self,
        choice: &Choice,
        blueprint: &mut Blueprint<'_>,
    ) -> Result<Option<Box<dyn Prior<Self>>>, Error> {
        let _ = (choice, blueprint);
        Ok(None)
    }

    /// Whether positions can be written down in a form that networks read.
    fn knows_form(&self, form: InputForm) -> bool {
        form == InputForm::Planes
    }

    /// Writes this position down in a form that the game knows, after the steps `path` from `origin`; returns a hash of all that
    /// was written.
    fn encode(&self, form: InputForm, origin: &Self, path: &[PathStep], out: &mut EncodedPosition) -> u64 {
        let _ = (form, origin, path);
        out.planes.clear();
        out.planes.resize(self.n_planes() * self.n_actions(), 0.0);
        self.planes(&mut out.planes);
        self.key()
    }

    /// The place of an action in the policy of a network that reads this form.
    fn policy_idx(&self, form: InputForm, action: Action) -> usize {
        let _ = form;
        action.idx()
    }

    /// The symmetries of positions in this form: turned or reflected, they are worth the same. The first one changes nothing; none at
    /// all are known of a game that does not say.
    fn turnings(&self, form: InputForm) -> Vec<Turning> {
        let _ = form;
        Vec::new()
    }

    /// The static probabilities of this name, if the game knows them.
    fn probability(&self, p: Probability) -> Option<FillP<Self>> {
        let _ = p;
        None
    }
}

/// Builds the prior of a recipe: the game's own, or one for all games.
///
/// # Errors
/// When it does not fit the rest of the recipe, or needs what the game does not give.
pub fn build_prior<G: Kit>(
    choice: &Choice,
    game: &G,
    blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Prior<G>>, Error> {
    if let Some(prior) = game.prior(choice, blueprint)? {
        return Ok(prior);
    }
    if !prior::FAMILY.variants.iter().any(|known| choice.is(known)) {
        let known: Vec<&str> = prior::FAMILY.variants.iter().map(|variant| variant.name).collect();
        let why = format!("it does not know {}; choose one of prior={}", G::NAME, known.join(", "));
        return Err(Error::unsuitable(choice.name(), why));
    }
    prior::build(choice, blueprint, &|p| find_p(game, p))
}

/// The static probabilities that a prior made for its value takes over.
fn find_p<G: Kit>(game: &G, p: Probability) -> Result<Option<FillP<G>>, Error> {
    match p {
        Probability::None => Ok(None),
        Probability::Flat => Ok(Some(|_, _, out| prior::flat_p::fill(out))),
        _ => game.probability(p).map(Some).ok_or_else(|| {
            let why = format!("it does not know {}; choose prior.p=flat or prior.p=none", G::NAME);
            Error::unsuitable(p.word(), why)
        }),
    }
}
