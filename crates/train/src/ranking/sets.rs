//! Move sets: positions as lists of moves, each a team of features, one of them played. All trainers learn from these.
//!
//! A move takes a record of a few bytes: one number for each group of features, and the largest known circle of either row,
//! which tells the smaller ones in it.

use goban::{Position, Rules, Vertex, with_board};
use model::PositionView;
use model::ranking::language::N_WIDE;
use model::ranking::{Language, Teams};

/// No slot.
const NONE: u32 = u32::MAX;

/// A column of the records.
#[derive(Debug, Clone, Copy)]
struct Field {
    /// Where it stands in a record.
    at: usize,
    /// Bytes: 1 or 2.
    width: usize,
    /// The feature of its level 0.
    start: u32,
    /// Its levels.
    n_levels: usize,
}

/// Positions with their moves.
#[derive(Debug, Clone)]
pub struct MoveSets {
    fields: Vec<Field>,
    /// Bytes of a record; the two slots stand at its end if there are circles.
    width: usize,
    n_features: usize,
    first_unknown: u32,
    first_slot: u32,
    has_circles: bool,
    /// The circle in each circle, and its level in its row, by slot.
    inner: Vec<u32>,
    levels: Vec<u8>,
    records: Vec<u8>,
    /// Where the moves of each position end.
    ends: Vec<u32>,
    played: Vec<u16>,
}

/// A column as a trainer of one group after the other sees it: at most one feature of each move.
#[derive(Debug, Clone)]
pub struct Column {
    kind: ColumnKind,
}

#[derive(Debug, Clone)]
enum ColumnKind {
    Field(Field),
    /// A row of circles (0 the wide ones), and the feature by slot of the largest known circle; the last entry is for none.
    Circles(usize, Vec<u32>),
}

impl MoveSets {
    /// No positions yet, for moves in this language.
    pub fn new(language: &Language) -> MoveSets {
        let mut fields = vec![Field { at: 0, width: 1, start: 0, n_levels: 2 }];
        let mut width = 1;
        for (start, group) in language.groups.groups() {
            let bytes = if group.n_levels < 255 { 1 } else { 2 };
            fields.push(Field { at: width, width: bytes, start: start as u32, n_levels: group.n_levels });
            width += bytes;
        }
        let has_circles = !language.circles.is_empty();
        let n_slots = if has_circles { language.circles.n_slots() } else { 0 };
        MoveSets {
            fields,
            width: width + if has_circles { 8 } else { 0 },
            n_features: language.n_features(),
            first_unknown: language.first_unknown() as u32,
            first_slot: language.first_slot() as u32,
            has_circles,
            inner: vec![NONE; n_slots],
            levels: vec![0; n_slots],
            records: Vec::new(),
            ends: Vec::new(),
            played: Vec::new(),
        }
    }

    /// No positions yet, for moves with at most one feature of each group and no others; the features of a group follow those
    /// of the group before it, in the number given for each.
    pub fn of_groups(n_levels: impl IntoIterator<Item = usize>) -> MoveSets {
        let (mut fields, mut width, mut start) = (Vec::new(), 0, 0);
        for n_levels in n_levels {
            let bytes = if n_levels < 255 { 1 } else { 2 };
            fields.push(Field { at: width, width: bytes, start: start as u32, n_levels });
            width += bytes;
            start += n_levels;
        }
        MoveSets {
            fields,
            width,
            n_features: start,
            first_unknown: NONE,
            first_slot: NONE,
            has_circles: false,
            inner: Vec::new(),
            levels: Vec::new(),
            records: Vec::new(),
            ends: Vec::new(),
            played: Vec::new(),
        }
    }

    /// The number of features that moves may have.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no position.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of moves of all positions.
    pub fn n_moves(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Bytes that the positions take.
    pub fn bytes(&self) -> usize {
        self.records.len() + 6 * self.ends.len()
    }

    /// The moves of a position by number.
    pub fn moves(&self, position: usize) -> std::ops::Range<usize> {
        position.checked_sub(1).map_or(0, |before| self.ends[before] as usize)..self.ends[position] as usize
    }

    /// Which of a position's moves was played, counted from its first.
    pub fn played(&self, position: usize) -> usize {
        usize::from(self.played[position])
    }

    /// Adds a position in which number `played` of the moves was played.
    pub fn push(&mut self, teams: &Teams, played: usize) {
        for team in teams.iter() {
            let start = self.records.len();
            self.records.resize(start + self.width, 0);
            let mut slots = [NONE; 2];
            self.note(team, start, &mut slots);
            if self.has_circles {
                let tail = start + self.width - 8;
                self.records[tail..tail + 4].copy_from_slice(&slots[0].to_le_bytes());
                self.records[tail + 4..tail + 8].copy_from_slice(&slots[1].to_le_bytes());
            }
        }
        self.ends.push((self.n_moves() + teams.len()) as u32);
        self.played.push(played as u16);
    }

    /// Writes the fields of a record that starts at `start`, and finds the largest circle of either row.
    fn note(&mut self, team: &[u32], start: usize, slots: &mut [u32; 2]) {
        let (mut field, mut level) = (0, 0);
        for &feature in team {
            if let Some(slot) = feature.checked_sub(self.first_slot) {
                let row = usize::from(level >= N_WIDE);
                self.inner[slot as usize] = slots[row];
                self.levels[slot as usize] = (level - row * N_WIDE) as u8;
                slots[row] = slot;
                level += 1;
            } else if feature >= self.first_unknown {
                level = N_WIDE;
            } else {
                // Features of groups come in the order of the fields.
                while feature as usize >= self.fields[field].start as usize + self.fields[field].n_levels {
                    field += 1;
                }
                let Field { at, width, start: first, .. } = self.fields[field];
                let value = (feature - first + 1).to_le_bytes();
                self.records[start + at..start + at + width].copy_from_slice(&value[..width]);
            }
        }
    }

    /// Adds a position of a game; false if no search would consider the move that was played, such as one into an own eye.
    pub fn push_position(&mut self, position: &Position, played: Vertex, scratch: &mut Scratch<'_>) -> bool {
        with_board!(position.board(), |board| {
            let view = PositionView::of_position(board, position);
            scratch.moves.clear();
            view.moves(&mut scratch.moves);
            let played = board.to_move(played);
            let Some(idx) = scratch.moves.iter().position(|&mv| mv == played) else { return false };
            scratch.language.read(&view, &scratch.moves, &mut scratch.teams);
            self.push(&scratch.teams, idx);
            true
        })
    }

    #[inline]
    fn level(&self, mv: usize, field: &Field) -> Option<usize> {
        let at = mv * self.width + field.at;
        let value = match field.width {
            1 => usize::from(self.records[at]),
            _ => usize::from(u16::from_le_bytes([self.records[at], self.records[at + 1]])),
        };
        value.checked_sub(1)
    }

    #[inline]
    fn slot(&self, mv: usize, row: usize) -> u32 {
        let at = (mv + 1) * self.width - 8 + 4 * row;
        let bytes = self.records[at..at + 4].try_into().unwrap_or_default();
        u32::from_le_bytes(bytes)
    }

    /// Reads the teams of a position's moves.
    pub fn teams(&self, position: usize, out: &mut Teams) {
        out.clear();
        for mv in self.moves(position) {
            for field in &self.fields {
                if let Some(level) = self.level(mv, field) {
                    out.push(field.start + level as u32);
                }
            }
            // A pass has no circles.
            if self.has_circles && self.records[mv * self.width] == 0 {
                self.push_circles(mv, out);
            }
            out.end();
        }
    }

    fn push_circles(&self, mv: usize, out: &mut Teams) {
        for row in 0..2 {
            let mut slot = self.slot(mv, row);
            if let Some(unknown) = self.unknown(slot, row) {
                out.push(unknown);
            }
            while slot != NONE {
                out.push(self.first_slot + slot);
                slot = self.inner[slot as usize];
            }
        }
    }

    /// The feature of the first unknown circle of a row whose largest known one has this slot.
    #[inline]
    fn unknown(&self, slot: u32, row: usize) -> Option<u32> {
        let n_levels = if row == 0 { N_WIDE } else { goban::circles::N_CIRCLES - N_WIDE };
        let level = if slot == NONE { 0 } else { usize::from(self.levels[slot as usize]) + 1 };
        (level < n_levels).then_some(self.first_unknown + (row * N_WIDE + level) as u32)
    }

    /// All columns: each group, each level of each row of circles, and the unknown circles of each row.
    pub fn columns(&self) -> Vec<Column> {
        let fields = self.fields.iter().map(|&field| Column { kind: ColumnKind::Field(field) });
        let mut columns: Vec<Column> = fields.collect();
        if !self.has_circles {
            return columns;
        }
        for row in 0..2 {
            let n_levels = if row == 0 { N_WIDE } else { goban::circles::N_CIRCLES - N_WIDE };
            let mut unknown: Vec<u32> =
                (0..self.inner.len() as u32).map(|slot| self.unknown(slot, row).unwrap_or(NONE)).collect();
            unknown.push(self.unknown(NONE, row).unwrap_or(NONE));
            columns.push(Column { kind: ColumnKind::Circles(row, unknown) });
            for level in 0..n_levels {
                let mut known: Vec<u32> =
                    (0..self.inner.len() as u32).map(|slot| self.around(slot, level)).collect();
                known.push(NONE);
                columns.push(Column { kind: ColumnKind::Circles(row, known) });
            }
        }
        columns
    }

    /// The feature of the circle of a level within the one of this slot.
    fn around(&self, slot: u32, level: usize) -> u32 {
        let mut slot = slot;
        while slot != NONE && usize::from(self.levels[slot as usize]) > level {
            slot = self.inner[slot as usize];
        }
        let is_there = slot != NONE && usize::from(self.levels[slot as usize]) == level;
        if is_there { self.first_slot + slot } else { NONE }
    }

    /// The feature of a move in a column.
    #[inline]
    pub fn feature(&self, column: &Column, mv: usize) -> Option<usize> {
        match &column.kind {
            ColumnKind::Field(field) => Some(field.start as usize + self.level(mv, field)?),
            ColumnKind::Circles(row, by_slot) => {
                if self.records[mv * self.width] != 0 {
                    return None;
                }
                let slot = (self.slot(mv, *row) as usize).min(by_slot.len() - 1);
                Some(by_slot[slot] as usize).filter(|&feature| feature != NONE as usize)
            }
        }
    }
}

/// Buffers used again from position to position.
pub struct Scratch<'a> {
    language: &'a Language,
    moves: Vec<goban::Move>,
    teams: Teams,
}

impl<'a> Scratch<'a> {
    /// For moves in this language.
    pub fn new(language: &'a Language) -> Self {
        Self { language, moves: Vec::new(), teams: Teams::default() }
    }

    /// The teams of the position that was added last.
    pub fn teams(&self) -> &Teams {
        &self.teams
    }
}

/// Rules under which games are followed: what is legal, no more.
pub(super) const RULES: Rules = Rules::CHINESE;
