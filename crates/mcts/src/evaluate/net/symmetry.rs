//! The symmetries of a network's questions: a position as it stands, turned at random, or in all its turns.

use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm, NetAnswer};

recipe::words! {
    /// How a position is turned before the network sees it.
    pub enum NetSymmetry {
        /// Not at all.
        None = "none",
        /// By a symmetry that the position and the seed decide, so that none is preferred. [Silver et al. 2016]
        Random = "random",
        /// By every symmetry; the answer is the mean of what the network says.
        Average = "average",
    }
}

/// The views of a position that a network is shown.
#[derive(Debug)]
pub struct Views {
    symmetry: NetSymmetry,
    /// The game's symmetries; none where positions are shown as they stand.
    turnings: Vec<Turning>,
    /// Another number chooses other symmetries.
    salt: u64,
}

impl Views {
    /// Positions as they stand.
    pub fn straight() -> Views {
        Views { symmetry: NetSymmetry::None, turnings: Vec::new(), salt: 0 }
    }

    /// Positions turned by some of these symmetries of the game; as they stand, if there are none.
    pub fn new(symmetry: NetSymmetry, turnings: Vec<Turning>, salt: u64) -> Views {
        if symmetry == NetSymmetry::None || turnings.is_empty() {
            return Views::straight();
        }
        Views { symmetry, turnings, salt }
    }

    /// Whether positions are shown as they stand.
    pub(super) fn is_straight(&self) -> bool {
        self.turnings.is_empty()
    }

    /// The number of views of each position.
    pub(super) fn n_views(&self) -> usize {
        if self.symmetry == NetSymmetry::Average { self.turnings.len() } else { 1 }
    }

    /// The turnings that make the views of the position with this hash.
    fn of(&self, key: u64) -> &[Turning] {
        if self.symmetry == NetSymmetry::Average {
            return &self.turnings;
        }
        let mixed = goban::Rng::new(key ^ self.salt).below(self.turnings.len() as u32) as usize;
        &self.turnings[mixed..][..1]
    }

    /// Writes the views of a position.
    pub(super) fn turn(
        &self,
        form: InputForm,
        key: u64,
        position: &EncodedPosition,
        out: &mut [EncodedPosition],
    ) {
        self.of(key).iter().zip(out).for_each(|(turning, out)| turning.turn(form, position, out));
    }

    /// The answer about a position from those about its views: their mean, turned back.
    pub(super) fn join(
        &self,
        key: u64,
        views: &[NetAnswer],
        turned_back: &mut Vec<f32>,
        out: &mut NetAnswer,
    ) {
        let weight = 1.0 / views.len().max(1) as f32;
        (out.value, out.lead) = (0.0, 0.0);
        out.policy.clear();
        out.ownership.clear();
        for (turning, view) in self.of(key).iter().zip(views) {
            out.value += weight * view.value;
            out.lead += weight * view.lead;
            for (from, to) in [(&view.policy, &mut out.policy), (&view.ownership, &mut out.ownership)] {
                turning.turn_back(from, turned_back);
                to.resize(turned_back.len(), 0.0);
                to.iter_mut().zip(&*turned_back).for_each(|(sum, number)| *sum += weight * number);
            }
        }
    }
}
