//! Uniform playouts for any game, slow and plain: a game that is searched in earnest brings its own.

use super::EvaluationSample;
use super::kit::Rollout;
use crate::game::{Action, Game};
use crate::trace::Play;
use goban::Rng;
use recipe::{Choice, Error};

/// Draws every move uniformly from the game's actions.
#[derive(Debug, Default)]
pub struct RandomRollout {
    actions: Vec<Action>,
}

/// A playout longer than this counts as it stands: the game may be endless.
const MAX_LENGTH: u32 = 10_000;

/// Builds the rollout; only the policy `uniform` is known to every game.
///
/// # Errors
/// For any other policy.
pub fn build<G: Game>(policy: &Choice) -> Result<Box<dyn Rollout<G>>, Error> {
    match policy.name() {
        "uniform" => Ok(Box::new(RandomRollout::default())),
        other => Err(Error::unsuitable(other, "this game knows only the policy `uniform`")),
    }
}

impl<G: Game> Rollout<G> for RandomRollout {
    fn run(&mut self, position: &G, rng: &mut Rng, _wants_ownership: bool, out: &mut EvaluationSample) {
        let mut game = position.clone();
        let mut length = 0;
        while !game.ended(&mut out.outcome) && length < MAX_LENGTH {
            self.actions.clear();
            game.actions(&mut self.actions);
            if self.actions.is_empty() {
                break;
            }
            let action = self.actions[rng.below(self.actions.len() as u32) as usize];
            out.tail.push(Play::new(game.mover(), action));
            game.play(action);
            length += 1;
        }
        if !game.ended(&mut out.outcome) {
            out.outcome.make_neutral();
        }
        out.outcome.length = length;
    }
}
