//! A slow, obviously right model of the rules: plain cells, flood fill, whole boards kept and compared.

use std::rc::Rc;

use goban::{Color, EyeRule, Ko, Rules, Size, Vertex, zobrist};

pub(crate) type Cells = Vec<Option<Color>>;
/// Points as indices row by row from the top left, in that order.
pub(crate) type Points = Vec<usize>;

/// Whether a move is legal, or the rule it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveStatus {
    Legal,
    Occupied,
    Ko,
    Suicide,
    Repetition,
}

/// The last move, as the simple ko needs it.
#[derive(Clone, Debug)]
struct Last {
    color: Color,
    before: Rc<Cells>,
    taken: Points,
}

/// A chain with all it has.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) color: Color,
    pub(crate) stones: Points,
    pub(crate) liberties: Points,
}

/// A game under the rules, by whole boards.
#[derive(Clone, Debug)]
pub(crate) struct SlowBoard {
    pub(crate) size: Size,
    pub(crate) rules: Rules,
    pub(crate) cells: Rc<Cells>,
    pub(crate) to_play: Color,
    /// Stones taken, by their colour.
    pub(crate) n_captured: [u32; 2],
    pub(crate) n_passes: usize,
    /// All positions since the last setup, the present one included, with who was to move.
    history: Vec<(Rc<Cells>, Color)>,
    last: Option<Last>,
    near: Rc<Vec<Points>>,
}

impl SlowBoard {
    pub(crate) fn new(size: Size, rules: Rules) -> Self {
        let cells = Rc::new(vec![None; size.area()]);
        let sides = |idx| around(size, idx, [(0, -1), (-1, 0), (1, 0), (0, 1)]);
        Self {
            size,
            rules,
            to_play: Color::Black,
            n_captured: [0; 2],
            n_passes: 0,
            history: vec![(Rc::clone(&cells), Color::Black)],
            cells,
            last: None,
            near: Rc::new((0..size.area()).map(sides).collect()),
        }
    }

    pub(crate) fn vertex(&self, idx: usize) -> Vertex {
        Vertex::new(idx % self.size.width(), idx / self.size.width())
    }

    pub(crate) fn idx(&self, vertex: Vertex) -> usize {
        vertex.row() * self.size.width() + vertex.col()
    }

    pub(crate) fn empties(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&i| self.cells[i].is_none()).collect()
    }

    pub(crate) fn neighbours(&self, idx: usize) -> &[usize] {
        &self.near[idx]
    }

    /// The connected points with the same content as `idx`, and all points beside them.
    pub(crate) fn region(&self, cells: &[Option<Color>], idx: usize) -> (Points, Points) {
        let (mut inside, mut beside) = (vec![idx], Points::new());
        let mut is_seen = vec![false; cells.len()];
        is_seen[idx] = true;
        let mut n_done = 0;
        while let Some(&point) = inside.get(n_done) {
            n_done += 1;
            for &near in self.neighbours(point) {
                if !std::mem::replace(&mut is_seen[near], true) {
                    if cells[near] == cells[idx] { inside.push(near) } else { beside.push(near) }
                }
            }
        }
        inside.sort_unstable();
        beside.sort_unstable();
        (inside, beside)
    }

    /// The chain of the stone at `idx` and its liberties.
    pub(crate) fn chain(&self, cells: &[Option<Color>], idx: usize) -> (Points, Points) {
        let (stones, beside) = self.region(cells, idx);
        (stones, beside.into_iter().filter(|&point| cells[point].is_none()).collect())
    }

    /// Every chain once.
    pub(crate) fn chains(&self) -> Vec<Chain> {
        let mut is_seen = vec![false; self.cells.len()];
        let mut chains = Vec::new();
        for (idx, content) in self.cells.iter().enumerate() {
            let Some(color) = content.filter(|_| !is_seen[idx]) else { continue };
            let (stones, liberties) = self.chain(&self.cells, idx);
            stones.iter().for_each(|&stone| is_seen[stone] = true);
            chains.push(Chain { color, stones, liberties });
        }
        chains
    }

    /// Places a stone; returns the cells, the enemy stones taken and the own stones lost.
    fn place(&self, color: Color, idx: usize) -> (Cells, Points, Points) {
        let mut cells = Cells::clone(&self.cells);
        cells[idx] = Some(color);
        let mut taken = Points::new();
        for &near in self.neighbours(idx) {
            if cells[near] == Some(!color) {
                let (stones, liberties) = self.chain(&cells, near);
                if liberties.is_empty() {
                    stones.iter().for_each(|&stone| cells[stone] = None);
                    taken.extend(stones);
                }
            }
        }
        let mut lost = Points::new();
        let (stones, liberties) = self.chain(&cells, idx);
        if liberties.is_empty() {
            stones.iter().for_each(|&stone| cells[stone] = None);
            lost = stones;
        }
        (cells, taken, lost)
    }

    /// True if the stones alone allow a move: an empty point that is neither the ko nor suicide.
    pub(crate) fn is_open(&self, color: Color, idx: usize) -> bool {
        // A stone with an empty point beside it is no suicide, whatever it takes.
        let has_liberty = || self.neighbours(idx).iter().any(|&near| self.cells[near].is_none());
        self.cells[idx].is_none()
            && self.ko() != Some(idx)
            && (has_liberty() || self.place(color, idx).2.is_empty())
    }

    /// Whether `color` may play at `idx`, under all the rules.
    pub(crate) fn move_status(&self, color: Color, idx: usize) -> MoveStatus {
        if self.cells[idx].is_some() {
            return MoveStatus::Occupied;
        }
        let (after, taken, lost) = self.place(color, idx);
        if !lost.is_empty() && !self.rules.suicide {
            return MoveStatus::Suicide;
        }
        let is_repeated = match self.rules.ko {
            // One stone was taken by the last move, and this one would take it back and undo it.
            Ko::Simple => {
                let retakes = |last: &Last| {
                    last.color != color && last.taken.len() == 1 && taken.len() == 1 && *last.before == after
                };
                return if self.last.as_ref().is_some_and(retakes) {
                    MoveStatus::Ko
                } else {
                    MoveStatus::Legal
                };
            }
            Ko::Positional => self.history.iter().any(|(cells, _)| **cells == after),
            Ko::Situational => self.history.iter().any(|(cells, turn)| *turn != color && **cells == after),
        };
        if is_repeated { MoveStatus::Repetition } else { MoveStatus::Legal }
    }

    /// Plays without asking whether it is legal; `None` is a pass. Returns the numbers of enemy stones
    /// taken and own stones lost.
    pub(crate) fn play(&mut self, color: Color, idx: Option<usize>) -> (usize, usize) {
        let (after, taken, lost) = match idx {
            None => (Cells::clone(&self.cells), Points::new(), Points::new()),
            Some(idx) => self.place(color, idx),
        };
        let counts = (taken.len(), lost.len());
        self.n_passes = if idx.is_none() { self.n_passes + 1 } else { 0 };
        self.n_captured[(!color).idx()] += taken.len() as u32;
        self.n_captured[color.idx()] += lost.len() as u32;
        let before = std::mem::replace(&mut self.cells, Rc::new(after));
        self.last = Some(Last { color, before, taken });
        self.to_play = !color;
        self.history.push((Rc::clone(&self.cells), self.to_play));
        counts
    }

    /// Puts a stone on or takes it off, if every chain then has a liberty.
    pub(crate) fn setup(&mut self, idx: usize, stone: Option<Color>, to_play: Color) -> bool {
        let mut cells = Cells::clone(&self.cells);
        cells[idx] = stone;
        let has_liberty = |i: usize| cells[i].is_none() || !self.chain(&cells, i).1.is_empty();
        if !(0..cells.len()).all(has_liberty) {
            return false;
        }
        self.cells = Rc::new(cells);
        self.to_play = to_play;
        self.n_passes = 0;
        self.last = None;
        self.history = vec![(Rc::clone(&self.cells), to_play)];
        true
    }

    /// The point of a ko that was just taken: one stone was taken by one that stands alone in atari.
    pub(crate) fn ko(&self) -> Option<usize> {
        let last = self.last.as_ref().filter(|last| last.taken.len() == 1)?;
        let ko = *last.taken.first()?;
        let by = (0..self.cells.len()).find(|&i| last.before[i].is_none() && self.cells[i].is_some())?;
        let (stones, liberties) = self.chain(&self.cells, by);
        (stones.len() == 1 && liberties.len() == 1).then_some(ko)
    }

    pub(crate) fn hash(&self) -> u64 {
        let stones = (0..self.cells.len()).filter_map(|i| self.cells[i].map(|color| (color, self.vertex(i))));
        stones.fold(0, |hash, (color, vertex)| hash ^ zobrist(color, vertex))
    }

    /// The eye test from its definition: own stones on all sides, and on the diagonals at most one bad one, none
    /// at the edge.
    pub(crate) fn is_eye(&self, idx: usize, color: Color, rule: EyeRule) -> bool {
        let is_bad = |&point: &usize| match rule {
            EyeRule::Standard => self.cells[point] == Some(!color),
            EyeRule::GoYui => self.cells[point] != Some(color),
        };
        if !self.neighbours(idx).iter().all(|&near| self.cells[near] == Some(color)) {
            return false;
        }
        let diagonals = around(self.size, idx, [(-1, -1), (1, -1), (-1, 1), (1, 1)]);
        let n_allowed = usize::from(diagonals.len() == 4);
        diagonals.into_iter().filter(is_bad).count() <= n_allowed
    }

    /// Living stones, territory and dead stones by colour, with the given dead.
    pub(crate) fn count(&self, dead: &[usize]) -> ([usize; 2], [usize; 2], [usize; 2]) {
        let (mut stones, mut territory, mut n_dead) = ([0; 2], [0; 2], [0; 2]);
        let mut cells = Cells::clone(&self.cells);
        for &point in dead {
            if let Some(color) = cells[point].take() {
                n_dead[color.idx()] += 1;
            }
        }
        for (idx, content) in cells.iter().enumerate() {
            if let Some(color) = content {
                stones[color.idx()] += 1;
                continue;
            }
            let (_, beside) = self.region(&cells, idx);
            let touches = |color| beside.iter().any(|&point| cells[point] == Some(color));
            match Color::BOTH.map(touches) {
                [true, false] => territory[0] += 1,
                [false, true] => territory[1] += 1,
                _ => {}
            }
        }
        (stones, territory, n_dead)
    }
}

/// The points at the given offsets (columns, rows) that are on the board.
fn around(size: Size, idx: usize, offsets: [(isize, isize); 4]) -> Points {
    let (width, height) = (size.width() as isize, size.height() as isize);
    let (col, row) = (idx as isize % width, idx as isize / width);
    let on_board = |&(c, r): &(isize, isize)| (0..width).contains(&c) && (0..height).contains(&r);
    let points = offsets.into_iter().map(|(dc, dr)| (col + dc, row + dr)).filter(on_board);
    points.map(|(c, r)| (r * width + c) as usize).collect()
}
