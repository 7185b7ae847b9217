//! The plan of a search under construction: the facts a piece may know when it is built, the columns it may claim, and the
//! columns that pieces share. A piece takes its columns as typed handles while it is built, so that it has them from then
//! on; what does not fit is refused by name.

use crate::game::{ActionDistances, GameFacts, Reward};
use crate::tree::layout::{CountColumn, Gives, Layout};
use recipe::Error;
use std::any::{Any, TypeId};
use std::sync::Arc;

/// Columns that one piece fills and others read: claimed once, by whoever asks first.
pub trait SharedColumns: Copy + Send + Sync + 'static {
    /// Claims the columns.
    fn claim(layout: &mut Layout) -> Self;
}

/// A search under construction.
pub struct Blueprint<'a> {
    /// The game.
    pub facts: GameFacts<'a>,
    /// The models' names, in the recipe's order.
    pub models: Vec<&'static str>,
    /// The unit of values.
    pub reward: Reward,
    /// The columns claimed so far.
    pub layout: Layout,
    /// The pieces that read P(a).
    readers_of_p: Vec<String>,
    /// A piece that reads a network's value of positions.
    reader_of_value: Option<String>,
    shared: Vec<(TypeId, Box<dyn Any>)>,
    distances: Option<Arc<ActionDistances>>,
}

impl<'a> Blueprint<'a> {
    /// The plan of a search with these models.
    pub fn new(facts: GameFacts<'a>, models: Vec<&'static str>, reward: Reward) -> Blueprint<'a> {
        let layout = Layout::new(facts.n_actions, facts.pass, reward);
        Blueprint {
            facts,
            models,
            reward,
            layout,
            readers_of_p: Vec::new(),
            reader_of_value: None,
            shared: Vec::new(),
            distances: None,
        }
    }

    /// The columns of type `T`, the same for all who ask.
    pub fn shared<T: SharedColumns>(&mut self) -> T {
        let known = self.shared.iter().find(|(id, _)| *id == TypeId::of::<T>());
        if let Some(columns) = known.and_then(|(_, columns)| columns.downcast_ref()) {
            return *columns;
        }
        let columns = T::claim(&mut self.layout);
        self.shared.push((TypeId::of::<T>(), Box::new(columns)));
        columns
    }

    /// The distances between all actions, measured when they are first asked for, which the piece `who` needs.
    ///
    /// # Errors
    /// When the actions of the game have no places.
    pub fn need_distances(&mut self, who: &str) -> Result<Arc<ActionDistances>, Error> {
        let facts = &self.facts;
        if facts.max_distance == 0 {
            return Err(Error::unsuitable(
                who,
                "it needs distances, and the actions of this game have no places",
            ));
        }
        Ok(self.distances.get_or_insert_with(|| Arc::new(ActionDistances::measure(facts))).clone())
    }

    /// The priors that are given.
    pub fn gives(&self) -> Gives {
        self.layout.gives()
    }

    /// The column of P(a), which the piece `who` reads.
    ///
    /// # Errors
    /// When the prior gives none.
    pub fn need_p(&mut self, who: &str) -> Result<CountColumn, Error> {
        self.readers_of_p.push(who.to_string());
        self.layout.p.ok_or_else(|| {
            Error::unsuitable(
                who,
                "it needs a static probability P(a); choose a prior that gives one, such as prior=gammas",
            )
        })
    }

    /// The pieces that read P(a), by name.
    pub fn readers_of_p(&self) -> &[String] {
        &self.readers_of_p
    }

    /// Says that the piece `who` reads a network's value of positions ([`crate::cx::Visit::value`]).
    pub fn read_value(&mut self, who: &str) {
        self.reader_of_value = Some(who.to_string());
    }

    /// A piece that reads a network's value of positions, by name.
    pub fn reader_of_value(&self) -> Option<&str> {
        self.reader_of_value.as_deref()
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
    /// Names the model that is missing.
    pub fn model_idx(&self, name: &str, who: &str) -> Result<usize, Error> {
        self.models.iter().position(|known| *known == name).ok_or_else(|| {
            let models = self.models.join("+");
            Error::unsuitable(who, format!("it reads the model `{name}`; add it to models={models}"))
        })
    }

    /// The place of the first model that is not the Monte-Carlo mean: p_rave in the formulas of the piece `who`.
    ///
    /// # Errors
    /// When there is none.
    pub fn second_model(&self, who: &str) -> Result<usize, Error> {
        self.models.iter().position(|name| *name != "mc").ok_or_else(|| {
            Error::unsuitable(who, "it reads a model besides `mc`; add one, such as models=mc+rave")
        })
    }
}

#[cfg(test)]
impl Blueprint<'static> {
    /// A plan for tests: a game of 26 actions without places, of which 25 is the pass.
    pub(crate) fn drawn(models: &[&'static str], gives: Gives, reward: Reward) -> Blueprint<'static> {
        let facts = GameFacts {
            n_actions: 26,
            max_arms: 26,
            pass: Some(crate::game::Action(25)),
            is_scored: true,
            has_owners: true,
            max_distance: 0,
            distance: &|_, _| None,
        };
        let mut blueprint = Blueprint::new(facts, models.to_vec(), reward);
        blueprint.layout.give(gives);
        blueprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::layout::{FINE, SumColumn};

    #[derive(Debug, Clone, Copy, PartialEq)]
    struct ColumnPair([SumColumn; 2]);

    impl SharedColumns for ColumnPair {
        fn claim(layout: &mut Layout) -> ColumnPair {
            ColumnPair([layout.sum(FINE), layout.sum(FINE)])
        }
    }

    #[test]
    fn a_missing_model_is_named() {
        let blueprint = Blueprint::drawn(&["mc", "rave"], Gives::default(), Reward::Win);
        assert_eq!(blueprint.model_idx("rave", "bma").unwrap(), 1);
        let error = blueprint.model_idx("lwr", "bma").unwrap_err().to_string();
        assert_eq!(error, "`bma` cannot be used here: it reads the model `lwr`; add it to models=mc+rave");
    }

    #[test]
    fn shared_columns_are_claimed_once() {
        let mut blueprint = Blueprint::drawn(&["mc"], Gives::default(), Reward::Win);
        let own = blueprint.layout.sum(FINE);
        let (first, again) = (blueprint.shared::<ColumnPair>(), blueprint.shared::<ColumnPair>());
        assert_eq!(first, again);
        assert!(!first.0.contains(&own) && first.0[0] != first.0[1]);
    }
}
