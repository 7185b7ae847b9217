//! The end of the game: who won, and which stones are dead.

use std::collections::HashSet;

use goban::{Color, Position, Rules, Score, Scoring, Tax, Vertex};
use gtp::{Args, Context, Entry, Registry, RegistryError, Response};

use super::{Engine, input};
use crate::dead;

/// Open regions larger than this between living chains are unfinished business and no seki.
const LARGEST_SEKI: usize = 6;

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("final_score", "", "The result: B+3.5, W+0.5 or 0.", |engine: &mut Engine, _, _| {
            Ok(show_score(&final_score(&engine.position)))
        }),
        Entry::new(
            "final_status",
            "VERTEX",
            "Of a stone alive, dead or seki; of an empty point black_territory, white_territory or dame.",
            final_status,
        ),
        Entry::new(
            "final_status_list",
            "STATUS",
            "All points of a status (see final_status), one chain or region in a line.",
            final_status_list,
        ),
    ];
    registry.group("score", &commands).map(|_| ())
}

/// Counts the game under its rules: as the board stands where the rules say that everything on it is alive, else
/// without the stones that are judged dead.
pub(super) fn final_score(position: &Position) -> Score {
    let Rules { scoring, friendly_pass, .. } = position.rules();
    match (scoring, friendly_pass) {
        (Scoring::Area, false) => position.score(),
        _ => dead::judged_score(position),
    }
}

/// The result to a hundredth of a point, so that a komi like 6.7 leaves no binary dust.
pub(super) fn show_score(score: &Score) -> String {
    // In double precision, so that a hundred times a huge komi keeps its last digits.
    let margin = (f64::from(score.margin()) * 100.0).round() / 100.0;
    goban::score::show_margin(margin as f32)
}

/// The status of a stone at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StoneStatus {
    Alive,
    Dead,
    Seki,
    Territory(Color),
    Dame,
}

const STATUSES: [(&str, StoneStatus); 6] = [
    ("alive", StoneStatus::Alive),
    ("dead", StoneStatus::Dead),
    ("seki", StoneStatus::Seki),
    ("black_territory", StoneStatus::Territory(Color::Black)),
    ("white_territory", StoneStatus::Territory(Color::White)),
    ("dame", StoneStatus::Dame),
];

fn final_status(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let vertex = input::point(args, &engine.position)?;
    let status = StoneJudgement::new(&engine.position).status(vertex);
    let name = STATUSES.iter().find(|(_, known)| *known == status).map_or("", |(name, _)| name);
    Ok(name.to_string())
}

fn final_status_list(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let status = args.choice("status", &STATUSES)?;
    let judgement = StoneJudgement::new(&engine.position);
    let size = engine.position.size();
    let mut listed: HashSet<Vertex> = HashSet::new();
    let mut lines = Vec::new();
    for vertex in size.vertices() {
        if judgement.status(vertex) == status && !listed.contains(&vertex) {
            let mut part = match engine.position.board().chain(vertex) {
                chain if chain.is_empty() => judgement.region(vertex),
                chain => chain,
            };
            part.sort_unstable();
            listed.extend(&part);
            lines.push(input::show_all(size, part));
        }
    }
    Ok(lines.join("\n"))
}

/// Everything that is needed to name the status of each point.
struct StoneJudgement<'a> {
    position: &'a Position,
    dead: HashSet<Vertex>,
    pass_alive: HashSet<Vertex>,
    /// Who each point counts for, points in seki for nobody.
    owners: Vec<Option<Color>>,
}

impl<'a> StoneJudgement<'a> {
    fn new(position: &'a Position) -> Self {
        let dead = dead::dead_stones(position);
        let pass_alive = Color::BOTH.iter().flat_map(|&color| position.board().pass_alive(color).stones);
        // Seki is a question of the stones, whatever the rules make of it.
        let mut taxed = position.clone();
        taxed.set_rules(Rules { tax: Tax::Seki, ..position.rules() });
        let owners = taxed.score_with_dead(&dead).owners;
        Self { position, pass_alive: pass_alive.collect(), dead: dead.into_iter().collect(), owners }
    }

    fn owner(&self, vertex: Vertex) -> Option<Color> {
        self.owners[vertex.row() * self.position.size().width() + vertex.col()]
    }

    fn status(&self, vertex: Vertex) -> StoneStatus {
        match (self.position.board().stone(vertex), self.owner(vertex)) {
            (Some(_), _) if self.dead.contains(&vertex) => StoneStatus::Dead,
            (Some(color), _) if self.is_seki(color, vertex) => StoneStatus::Seki,
            (Some(_), _) => StoneStatus::Alive,
            (None, Some(owner)) => StoneStatus::Territory(owner),
            (None, None) => StoneStatus::Dame,
        }
    }

    /// Whether a living chain has nothing of its own and stands against a small neutral region.
    fn is_seki(&self, color: Color, vertex: Vertex) -> bool {
        let liberties = self.position.board().liberties(vertex);
        let has_own = liberties.iter().any(|&liberty| self.owner(liberty) == Some(color));
        let is_closed = || liberties.iter().all(|&liberty| self.region(liberty).len() <= LARGEST_SEKI);
        !has_own && !self.pass_alive.contains(&vertex) && is_closed()
    }

    /// The empty points of one owner that hang together with this one.
    fn region(&self, start: Vertex) -> Vec<Vertex> {
        let size = self.position.size();
        let (board, owner) = (self.position.board(), self.owner(start));
        let mut region = vec![start];
        let mut next = 0;
        while let Some(&vertex) = region.get(next) {
            next += 1;
            for near in size.vertices().filter(|near| are_neighbours(vertex, *near)) {
                if board.is_empty(near) && self.owner(near) == owner && !region.contains(&near) {
                    region.push(near);
                }
            }
        }
        region
    }
}

fn are_neighbours(a: Vertex, b: Vertex) -> bool {
    a.col().abs_diff(b.col()) + a.row().abs_diff(b.row()) == 1
}
