//! Counting: area or territory, with dead stones, seki, tax, komi and handicap compensation.
//!
//! Dead stones are taken off first. An empty region then belongs to the colour that alone touches it; a region
//! that both touch, or nobody, is neutral. Chains of one colour that touch a common region of that colour form
//! a *group*. A group is *in seki* if it touches a neutral point, is not pass-alive, and its own regions have
//! at most two points together or form a square of four: too little for two eyes, so that it lives only because
//! attacking it would be a mistake. Neutral points that were merely left unfilled at the end of the game do no
//! harm to groups with room for two eyes.

use std::fmt;

use crate::any::AnyBoard;
use crate::color::Color;
use crate::position::Position;
use crate::rules::{Rules, Scoring, Tax};
use crate::setup::neighbours;
use crate::vertex::{Size, Vertex};

/// The points of one player and where they come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerScore {
    /// Living stones on the board; count under area scoring.
    pub stones: usize,
    /// Empty points that only this colour surrounds, before tax.
    pub territory: usize,
    /// Surrounded points that do not count, because of seki or as the price of a group.
    pub tax: usize,
    /// Enemy stones captured during the game; count under territory scoring.
    pub prisoners: usize,
    /// Dead enemy stones on the board; count under territory scoring.
    pub dead: usize,
    /// Komi; White's.
    pub komi: f32,
    /// Compensation for handicap stones; White's.
    pub handicap: usize,
    /// Half a point for the button.
    pub button: f32,
    /// All that counts under the rules.
    pub points: f32,
}

/// The result of counting a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Black's points.
    pub black: PlayerScore,
    /// White's points.
    pub white: PlayerScore,
    /// Who each point counts for, row by row from the top left; taxed regions count for nobody.
    pub owners: Vec<Option<Color>>,
}

impl Score {
    /// Black's points minus White's.
    pub fn margin(&self) -> f32 {
        self.black.points - self.white.points
    }

    /// The player with more points.
    pub fn winner(&self) -> Option<Color> {
        match self.margin() {
            m if m > 0.0 => Some(Color::Black),
            m if m < 0.0 => Some(Color::White),
            _ => None,
        }
    }

    /// The points of one player.
    pub fn of(&self, color: Color) -> &PlayerScore {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }
}

impl fmt::Display for Score {
    /// `B+3.5`, `W+0.5`, or `0` for a draw.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show_margin(self.margin()))
    }
}

/// A margin from Black's point of view as results write it: `B+3.5`, `W+0.5`, `0`.
pub fn show_margin(margin: f32) -> String {
    match margin {
        m if m > 0.0 => format!("B+{m}"),
        m if m < 0.0 => format!("W+{}", -m),
        _ => "0".to_string(),
    }
}

impl Position {
    /// The score of the board as it stands, every stone alive.
    pub fn score(&self) -> Score {
        self.score_with_dead(&[])
    }

    /// The score with the chains of the given stones dead. Vertices without a stone are passed over.
    pub fn score_with_dead(&self, dead: &[Vertex]) -> Score {
        let rules = self.rules();
        let counted = Counted::new(self.board(), dead, &rules);
        let tally = |color: Color| {
            let is_white = color == Color::White;
            let mut tally = PlayerScore {
                stones: counted.n_stones[color.idx()],
                territory: counted.n_territory[color.idx()],
                tax: counted.n_taxed[color.idx()],
                prisoners: self.n_captured(!color) as usize,
                dead: counted.n_dead[(!color).idx()],
                komi: if is_white { self.komi() } else { 0.0 },
                handicap: if is_white { rules.handicap_bonus.points(self.handicap()) } else { 0 },
                button: if rules.button && self.first_to_pass() == Some(color) { 0.5 } else { 0.0 },
                points: 0.0,
            };
            let counting = match rules.scoring {
                Scoring::Area => tally.stones,
                Scoring::Territory => tally.prisoners + tally.dead,
            };
            let whole = counting + tally.territory + tally.handicap;
            tally.points = whole as f32 - tally.tax as f32 + tally.komi + tally.button;
            tally
        };
        Score { black: tally(Color::Black), white: tally(Color::White), owners: counted.owners }
    }
}

/// A connected set of points with the same content, by index row by row.
struct ScoredPart {
    points: Vec<usize>,
    content: Option<Color>,
    /// For an empty part: the colours that touch it.
    touched_by: [bool; 2],
    /// For a part with an owner: one name for all parts of its group.
    group: usize,
}

struct Counted {
    owners: Vec<Option<Color>>,
    n_stones: [usize; 2],
    n_territory: [usize; 2],
    n_taxed: [usize; 2],
    n_dead: [usize; 2],
}

impl Counted {
    fn new(board: &AnyBoard, dead: &[Vertex], rules: &Rules) -> Self {
        let size = board.size();
        let mut stones: Vec<Option<Color>> = size.vertices().map(|vertex| board.stone(vertex)).collect();
        let mut n_dead = [0; 2];
        for stone in dead.iter().flat_map(|&vertex| board.chain(vertex)) {
            if let Some(color) = stones[idx(size, stone)].take() {
                n_dead[color.idx()] += 1;
            }
        }
        let (parts, part_of) = find_parts(size, &stones);
        let mut counted = Self {
            owners: part_of.iter().map(|&part| parts[part].owner()).collect(),
            n_stones: [0; 2],
            n_territory: [0; 2],
            n_taxed: [0; 2],
            n_dead,
        };
        for part in &parts {
            match (part.content, part.owner()) {
                (Some(color), _) => counted.n_stones[color.idx()] += part.points.len(),
                (None, Some(color)) => counted.n_territory[color.idx()] += part.points.len(),
                (None, None) => {}
            }
        }
        if rules.tax != Tax::None {
            counted.levy(board, rules.tax, &parts, &part_of);
        }
        counted
    }

    /// Finds what each group has to pay.
    fn levy(&mut self, board: &AnyBoard, tax: Tax, parts: &[ScoredPart], part_of: &[usize]) {
        let size = board.size();
        let mut is_safe = vec![false; size.area()];
        for color in Color::BOTH {
            board.pass_alive(color).stones.iter().for_each(|&vertex| is_safe[idx(size, vertex)] = true);
        }
        let members = |group| parts.iter().filter(move |part| part.group == group && part.owner().is_some());
        for group in 0..parts.len() {
            let Some(color) = members(group).next().and_then(ScoredPart::owner) else { continue };
            let room: Vec<usize> = members(group)
                .filter(|part| part.content.is_none())
                .flat_map(|p| &p.points)
                .copied()
                .collect();
            let stones =
                || members(group).filter(|part| part.content.is_some()).flat_map(|part| &part.points);
            let touches_neutral = stones().any(|&point| {
                neighbours(size, vertex(size, point)).any(|near| {
                    let part = &parts[part_of[idx(size, near)]];
                    part.content.is_none() && part.owner().is_none()
                })
            });
            let is_alive = stones().any(|&point| is_safe[point]);
            let is_seki = touches_neutral && !is_alive && has_one_eye_at_most(size, &room);
            if is_seki {
                room.iter().for_each(|&point| self.owners[point] = None);
            }
            self.n_taxed[color.idx()] += match tax {
                Tax::None => 0,
                _ if is_seki => room.len(),
                Tax::Seki => 0,
                Tax::All => room.len().min(2),
            };
        }
    }
}

impl ScoredPart {
    /// The colour the part belongs to.
    fn owner(&self) -> Option<Color> {
        self.content.or(match self.touched_by {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        })
    }
}

/// True for room that makes at most one eye even when its owner plays first.
fn has_one_eye_at_most(size: Size, room: &[usize]) -> bool {
    let width = size.width();
    let is_square = |room: &[usize]| {
        let first = room[0];
        room == [first, first + 1, first + width, first + width + 1] && !(first + 1).is_multiple_of(width)
    };
    room.len() <= 2 || room.len() == 4 && is_square(&sorted(room))
}

fn sorted(room: &[usize]) -> Vec<usize> {
    let mut room = room.to_vec();
    room.sort_unstable();
    room
}

/// Chains and empty regions, and which one each point is in; groups are named by one of their parts.
fn find_parts(size: Size, stones: &[Option<Color>]) -> (Vec<ScoredPart>, Vec<usize>) {
    let mut parts: Vec<ScoredPart> = Vec::new();
    let mut part_of = vec![usize::MAX; stones.len()];
    for start in 0..stones.len() {
        if part_of[start] != usize::MAX {
            continue;
        }
        let name = parts.len();
        let mut part =
            ScoredPart { points: vec![start], content: stones[start], touched_by: [false; 2], group: name };
        part_of[start] = name;
        let mut next = 0;
        while let Some(&point) = part.points.get(next) {
            next += 1;
            for near in neighbours(size, vertex(size, point)).map(|near| idx(size, near)) {
                if stones[near] != part.content {
                    stones[near].into_iter().for_each(|color| part.touched_by[color.idx()] = true);
                } else if part_of[near] == usize::MAX {
                    part_of[near] = name;
                    part.points.push(near);
                }
            }
        }
        parts.push(part);
    }
    join_groups(size, &mut parts, &part_of);
    (parts, part_of)
}

/// Gives chains and the regions of their colour that they touch one name.
fn join_groups(size: Size, parts: &mut [ScoredPart], part_of: &[usize]) {
    for region in 0..parts.len() {
        if parts[region].content.is_some() || parts[region].owner().is_none() {
            continue;
        }
        for i in 0..parts[region].points.len() {
            let point = parts[region].points[i];
            for near in neighbours(size, vertex(size, point)) {
                let (a, b) = (parts[region].group, parts[part_of[idx(size, near)]].group);
                if a != b {
                    parts.iter_mut().filter(|part| part.group == b).for_each(|part| part.group = a);
                }
            }
        }
    }
}

fn idx(size: Size, vertex: Vertex) -> usize {
    vertex.row() * size.width() + vertex.col()
}

fn vertex(size: Size, idx: usize) -> Vertex {
    Vertex::new(idx % size.width(), idx / size.width())
}
