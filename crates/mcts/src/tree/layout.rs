//! Which columns a node has. Every piece claims what it needs before the tree is made: counts and sums per child or
//! per node, and blocks per pair of children or per action that come into being only where they are touched.

use crate::game::{Action, Reward};

/// A column of 32-bit counts (or `f32` bits), one per child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountColumn(pub(crate) u16);

/// A column of fixed-point sums, one per child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumColumn {
    pub(crate) idx: u16,
    /// Binary digits after the point.
    pub(crate) n_fraction_bits: u16,
}

/// A column of tallies, one per child: how many rewards and their sum, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TallyColumn(pub(crate) u16);

/// One 32-bit count (or `f32` bits) per node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeCount(pub(crate) u16);

/// One fixed-point sum per node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeSum {
    pub(crate) idx: u16,
    /// Binary digits after the point.
    pub(crate) n_fraction_bits: u16,
}

/// A lazy block of 32-bit cells per node: one per pair of children, or one per action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockColumn(pub(crate) u16);

/// The unit that has one cell of a lazy block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Per {
    Pair,
    Action,
}

/// The fraction bits that suit wins and points: quanta of 1/65 536, room for 3·10¹⁰ wins or 9·10⁷ lost 19×19 boards.
pub const FINE: u16 = 16;

/// The priors a new node gets; columns exist only for these.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gives {
    /// A static probability P(a).
    pub p: bool,
    /// A value H(s,a) with equivalent experience.
    pub h: bool,
}

/// The columns of every node of a tree.
#[derive(Debug, Clone)]
pub struct Layout {
    pub(crate) n_actions: usize,
    pub(crate) pass: Option<Action>,
    pub(crate) reward: Reward,
    pub(crate) n_counts: u16,
    pub(crate) n_sums: u16,
    pub(crate) n_node_counts: u16,
    pub(crate) n_node_sums: u16,
    pub(crate) blocks: Vec<Per>,
    /// Σ of wins as the mover sees them, where the reward is something else.
    pub(crate) win: Option<SumColumn>,
    /// P(a) as `f32` bits.
    pub(crate) p: Option<CountColumn>,
    /// The columns of a prior that gives values.
    pub(crate) h: Option<PriorColumns>,
    /// C̃ is 0 for every arm of every node.
    lacks_amaf_prior: bool,
}

/// The columns of a prior that gives values, all as `f32` bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorColumns {
    /// H(s,a).
    pub h: CountColumn,
    /// C(s,a): pseudo-visits of the Monte-Carlo model; they count in n and N(s).
    pub visits: CountColumn,
    /// C̃(s,a): pseudo-visits of the AMAF models.
    pub amaf_visits: CountColumn,
}

/// The child's node; 0 if there is none.
pub(crate) const LINK: CountColumn = CountColumn(0);
/// Finished visits.
pub(crate) const VISITS: CountColumn = CountColumn(1);
/// Visits under way: begun on the way down, their reward not yet known.
pub(crate) const UNDER_WAY: CountColumn = CountColumn(2);

impl Layout {
    /// A layout with the columns every tree has.
    pub fn new(n_actions: usize, pass: Option<Action>, reward: Reward) -> Layout {
        Layout {
            n_actions,
            pass,
            reward,
            n_counts: 3,
            n_sums: 0,
            n_node_counts: 0,
            n_node_sums: 0,
            blocks: Vec::new(),
            win: None,
            p: None,
            h: None,
            lacks_amaf_prior: false,
        }
    }

    /// Claims the columns of the priors that are given; claimed already, they stay what they are.
    pub fn give(&mut self, gives: Gives) {
        if gives.p && self.p.is_none() {
            self.p = Some(self.count());
        }
        if gives.h && self.h.is_none() {
            self.h = Some(PriorColumns { h: self.count(), visits: self.count(), amaf_visits: self.count() });
        }
    }

    /// Says that the prior never gives any C̃, so that AMAF models need not read it.
    pub(crate) fn give_no_amaf(&mut self) {
        self.lacks_amaf_prior = true;
    }

    /// The column of C̃, unless it is 0 everywhere.
    pub(crate) fn amaf_prior(&self) -> Option<CountColumn> {
        self.h.filter(|_| !self.lacks_amaf_prior).map(|columns| columns.amaf_visits)
    }

    /// The priors that have columns.
    pub fn gives(&self) -> Gives {
        Gives { p: self.p.is_some(), h: self.h.is_some() }
    }

    /// Keeps win rates beside the reward, where the two may differ.
    pub(crate) fn keep_wins(&mut self) {
        self.win = Some(self.sum(FINE));
    }

    /// Claims a count per child.
    pub fn count(&mut self) -> CountColumn {
        self.n_counts += 1;
        CountColumn(self.n_counts - 1)
    }

    /// Claims a sum per child with this number of binary digits after the point ([`FINE`] suits wins and points).
    pub fn sum(&mut self, n_fraction_bits: u16) -> SumColumn {
        self.n_sums += 1;
        SumColumn { idx: self.n_sums - 1, n_fraction_bits }
    }

    /// Claims a tally per child: for models that touch many arms at each visit.
    pub fn tally(&mut self) -> TallyColumn {
        TallyColumn(self.sum(0).idx)
    }

    /// Claims a count per node.
    pub fn node_count(&mut self) -> NodeCount {
        self.n_node_counts += 1;
        NodeCount(self.n_node_counts - 1)
    }

    /// Claims a sum per node.
    pub fn node_sum(&mut self, n_fraction_bits: u16) -> NodeSum {
        self.n_node_sums += 1;
        NodeSum { idx: self.n_node_sums - 1, n_fraction_bits }
    }

    /// Claims a lazy block with a cell per ordered pair of children.
    pub fn per_pair(&mut self) -> BlockColumn {
        self.blocks.push(Per::Pair);
        BlockColumn(self.blocks.len() as u16 - 1)
    }

    /// Claims a lazy block with a cell per action of the game.
    pub fn per_action(&mut self) -> BlockColumn {
        self.blocks.push(Per::Action);
        BlockColumn(self.blocks.len() as u16 - 1)
    }

    pub(crate) fn n_sums(&self) -> usize {
        usize::from(self.n_sums)
    }
}
