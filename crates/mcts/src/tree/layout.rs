//! Which columns a node has. Every piece claims what it needs before the tree is made: counts and sums per child or
//! per node, and blocks per pair of children or per action that come into being only where they are touched.

use crate::game::Reward;

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

/// What a lazy block has a cell for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Per {
    Pair,
    Action,
}

/// The fraction bits that suit wins and points: quanta of 1/65 536, room for 3·10¹⁰ wins or 9·10⁷ lost 19×19 boards.
pub const FINE: u16 = 16;

/// What a prior writes into new nodes; the columns exist only if it writes them.
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
    pub(crate) reward: Reward,
    pub(crate) n_counts: u16,
    pub(crate) n_node_counts: u16,
    pub(crate) n_node_sums: u16,
    pub(crate) blocks: Vec<Per>,
    /// Names of the claimed sums and counts, so that one model can read another's columns.
    sums: Vec<(String, SumColumn)>,
    counts: Vec<(String, CountColumn)>,
    /// Σ of wins as the mover sees them, where the reward is something else.
    pub(crate) win: Option<SumColumn>,
    /// P(a) as `f32` bits.
    pub(crate) p: Option<CountColumn>,
    /// H(s,a) as `f32` bits.
    pub(crate) h: Option<CountColumn>,
    /// A prior's pseudo-visits as `f32` bits; they count in n and N(s).
    pub(crate) pseudo: Option<CountColumn>,
}

/// The child's node; 0 if there is none.
pub(crate) const LINK: CountColumn = CountColumn(0);
/// Real visits, those in flight included.
pub(crate) const VISITS: CountColumn = CountColumn(1);

impl Layout {
    /// A layout with the columns every tree has, and those of the prior.
    pub fn new(n_actions: usize, gives: Gives) -> Layout {
        let mut layout = Layout {
            n_actions,
            reward: Reward::Win,
            n_counts: 2,
            n_node_counts: 0,
            n_node_sums: 0,
            blocks: Vec::new(),
            sums: Vec::new(),
            counts: Vec::new(),
            win: None,
            p: None,
            h: None,
            pseudo: None,
        };
        if gives.p {
            layout.p = Some(layout.count("prior.p"));
        }
        if gives.h {
            layout.h = Some(layout.count("prior.h"));
            layout.pseudo = Some(layout.count("prior.visits"));
        }
        layout
    }

    /// Fixes what is maximised; win rates are kept beside it if it is something else, a win under another komi, or if a prior
    /// counts wins that nobody has seen.
    pub(crate) fn set_reward(&mut self, reward: Reward, has_extra_komi: bool) {
        self.reward = reward;
        let is_more_than_wins = reward != Reward::Win || has_extra_komi || self.h.is_some();
        self.win = is_more_than_wins.then(|| self.sum("win.sum", FINE));
    }

    /// Claims a count per child; `name` is `model.what`.
    pub fn count(&mut self, name: &str) -> CountColumn {
        let column = CountColumn(self.n_counts);
        self.n_counts += 1;
        self.counts.push((name.to_string(), column));
        column
    }

    /// Claims a sum per child with so many binary digits after the point ([`FINE`] suits wins and points).
    pub fn sum(&mut self, name: &str, n_fraction_bits: u16) -> SumColumn {
        let column = SumColumn { idx: self.sums.len() as u16, n_fraction_bits };
        self.sums.push((name.to_string(), column));
        column
    }

    /// Claims a tally per child: for models that touch many arms at each visit.
    pub fn tally(&mut self, name: &str) -> TallyColumn {
        TallyColumn(self.sum(name, 0).idx)
    }

    /// Another piece's tally, by the name it was claimed with.
    pub fn find_tally(&self, name: &str) -> Option<TallyColumn> {
        self.find_sum(name).map(|column| TallyColumn(column.idx))
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

    /// Another piece's sum, by the name it was claimed with.
    pub fn find_sum(&self, name: &str) -> Option<SumColumn> {
        self.sums.iter().find(|(known, _)| known == name).map(|(_, column)| *column)
    }

    /// Another piece's count, by the name it was claimed with.
    pub fn find_count(&self, name: &str) -> Option<CountColumn> {
        self.counts.iter().find(|(known, _)| known == name).map(|(_, column)| *column)
    }

    pub(crate) fn n_sums(&self) -> usize {
        self.sums.len()
    }
}
