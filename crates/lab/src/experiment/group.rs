//! Groups of pairings: who meets whom, under which terms and how often.

use recipe::error::Suggestion;
use serde::Serialize;
use serde_json::{Map, Value, json};
use toml::Spanned;

use super::file::{ExperimentFile, GroupFile, GroupKind, TermsFile};
use super::page::TomlFile;
use super::stop::Stop;
use super::sweep::Participant;
use crate::game::Pairing;
use crate::opening::{OpeningSource, Openings, records};
use crate::stats::Sprt;
use crate::{Error, Result};

/// Pairings that belong together: a table of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What the file calls it.
    pub name: String,
    /// What it is for.
    pub text: String,
    /// Who meets whom.
    pub kind: GroupKind,
    /// Indices of the players; in a gauntlet without the opponents.
    pub players: Vec<usize>,
    /// Indices of a gauntlet's opponents.
    pub opponents: Vec<usize>,
    /// When a pairing has been played enough.
    pub stop: Stop,
}

/// Two players of a group.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// Index of the group.
    pub group: usize,
    /// Indices of A and B among the players.
    pub players: [usize; 2],
    /// Who they are and what they agree on.
    pub pairing: Pairing,
    /// When they have played enough.
    pub stop: Stop,
    /// Where their openings come from. Records are in the terms already; what has to be made is made before the first game.
    pub openings: OpeningSource,
    /// Seed of openings that are made: that of the group, so that they are made once for all its pairings.
    pub opening_seed: u64,
}

impl Meeting {
    /// All that must be the same for games to be added up.
    pub fn settings(&self) -> Map<String, Value> {
        let mut settings = self.pairing.terms.settings();
        if let OpeningSource::Balanced(_) = self.openings {
            settings.insert("openings".to_string(), json!(self.openings.to_string()));
        }
        settings
    }
}

/// More games than any pairing is given.
const MAX_GAMES: u64 = 10_000_000;

/// The name of a file's only group if it has none.
const ONLY: &str = "main";

/// All groups of a file and their pairings.
pub(super) fn groups(
    page: &TomlFile,
    file: &ExperimentFile,
    players: &[Participant],
) -> Result<(Vec<Group>, Vec<Meeting>)> {
    let (mut groups, mut meetings): (Vec<Group>, Vec<Meeting>) = (Vec::new(), Vec::new());
    for spanned in &file.groups {
        let given = spanned.get_ref();
        let wrong = |why: String| page.wrong(spanned.span(), why);
        let name = match &given.name {
            Some(name) if name.trim().is_empty() => return Err(wrong("a group needs a name".to_string())),
            Some(name) => name.clone(),
            None if file.groups.len() == 1 => ONLY.to_string(),
            None => return Err(wrong("each of several groups needs a name of its own".to_string())),
        };
        if groups.iter().any(|group| group.name == name) {
            return Err(wrong(format!("there is a group \"{name}\" already")));
        }
        let anchor = file.anchor.as_ref().map(|anchor| &anchor.player);
        let (ours, opponents) = who(page, given, anchor, players).map_err(|why| match why {
            Who::Wrong(error) => error,
            Who::Missing(what) => wrong(format!("group \"{name}\": {what}")),
        })?;
        let stop = stop(page, given).map_err(|why| match why {
            Who::Wrong(error) => error,
            Who::Missing(what) => wrong(format!("group \"{name}\": {what}")),
        })?;
        let group =
            Group { name, text: given.text.clone(), kind: given.kind, players: ours, opponents, stop };
        let terms = given.terms.over(&file.terms);
        let idx = groups.len();
        let met = meet(page, &group, idx, &terms, players)?;
        if met.is_empty() {
            return Err(wrong(format!("group \"{}\": it has no pairing; expected two players", group.name)));
        }
        meetings.extend(met);
        groups.push(group);
    }
    Ok((groups, meetings))
}

/// Why a group cannot be.
enum Who {
    Wrong(Error),
    Missing(String),
}

/// The players and opponents of a group.
fn who(
    page: &TomlFile,
    given: &GroupFile,
    anchor: Option<&Spanned<String>>,
    players: &[Participant],
) -> Result<(Vec<usize>, Vec<usize>), Who> {
    let find = |names: &[Spanned<String>]| find_all(page, names, players).map_err(Who::Wrong);
    let opponents = match (given.kind, &given.opponents, anchor) {
        (GroupKind::RoundRobin | GroupKind::Match, None, _) => Vec::new(),
        (GroupKind::RoundRobin | GroupKind::Match, Some(_), _) => {
            return Err(Who::Missing("opponents are for kind = \"gauntlet\"".to_string()));
        }
        (GroupKind::Gauntlet, Some(names), _) => find(names)?,
        (GroupKind::Gauntlet, None, Some(anchor)) => find(std::slice::from_ref(anchor))?,
        (GroupKind::Gauntlet, None, None) => {
            return Err(Who::Missing("a gauntlet needs opponents = [\"…\"] or an anchor".to_string()));
        }
    };
    let ours = match &given.players {
        Some(names) => find(names)?,
        None => (0..players.len()).filter(|idx| !opponents.contains(idx)).collect(),
    };
    if given.kind == GroupKind::Match && ours.len() != 2 {
        let n = ours.len();
        return Err(Who::Missing(format!("kind = \"match\" is for two players; there are {n}")));
    }
    Ok((ours, opponents))
}

/// The players that names stand for, each once: the name of a sweep stands for all its players.
pub(super) fn find_all(
    page: &TomlFile,
    names: &[Spanned<String>],
    players: &[Participant],
) -> Result<Vec<usize>> {
    let mut found = Vec::new();
    for name in names {
        let idxs = find(name.get_ref(), players);
        if idxs.is_empty() {
            return Err(page.wrong(name.span(), unknown(name.get_ref(), players)));
        }
        found.extend(idxs.into_iter().filter(|idx| !found.contains(idx)).collect::<Vec<_>>());
    }
    Ok(found)
}

/// The players of a name; none if nobody is called so.
pub(super) fn find(name: &str, players: &[Participant]) -> Vec<usize> {
    let named = |by: &dyn Fn(&Participant) -> bool| -> Vec<usize> {
        players.iter().enumerate().filter(|(_, player)| by(player)).map(|(idx, _)| idx).collect()
    };
    match named(&|player| player.name == name) {
        one if !one.is_empty() => one,
        _ => named(&|player| player.family == name),
    }
}

/// The message for a name that no player has.
pub(super) fn unknown(name: &str, players: &[Participant]) -> String {
    let mut known: Vec<&str> = Vec::new();
    for player in players {
        for name in [player.name.as_str(), player.family.as_str()] {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    format!("there is no player \"{name}\"{}", Suggestion::new(name, known))
}

fn stop(page: &TomlFile, given: &GroupFile) -> Result<Stop, Who> {
    let wrong = |span, why: String| Err(Who::Wrong(page.wrong(span, why)));
    match (&given.games, &given.sprt) {
        (Some(games), None) => match *games.get_ref() {
            n @ 1..=MAX_GAMES => Ok(Stop::Games(n)),
            n => wrong(games.span(), format!("games = {n}: expected 1 to {MAX_GAMES}")),
        },
        (None, Some(sprt)) => {
            let given = sprt.get_ref();
            let test = Sprt { elo0: given.elo0, elo1: given.elo1, alpha: given.alpha, beta: given.beta };
            if let Err(why) = test.check() {
                return wrong(sprt.span(), why.to_string());
            }
            match given.max_games {
                n @ 2..=MAX_GAMES if n % 2 == 0 => Ok(Stop::Sprt { test, max_games: n }),
                n => {
                    let why = format!("max-games = {n}: expected an even number from 2 to {MAX_GAMES}");
                    wrong(sprt.span(), why)
                }
            }
        }
        (None, None) => Err(Who::Missing("expected games = N or sprt = { … } for its pairings".to_string())),
        (Some(_), Some(_)) => Err(Who::Missing("has games and sprt; expected one of them".to_string())),
    }
}

/// The pairings of a group, nobody against himself and no two players twice.
fn meet(
    page: &TomlFile,
    group: &Group,
    idx: usize,
    terms: &TermsFile,
    players: &[Participant],
) -> Result<Vec<Meeting>> {
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    let all = match group.kind {
        GroupKind::RoundRobin | GroupKind::Match => &group.players,
        GroupKind::Gauntlet => &group.opponents,
    };
    for &a in &group.players {
        for &b in all {
            if a != b && !pairs.contains(&[a, b]) && !pairs.contains(&[b, a]) {
                pairs.push([a, b]);
            }
        }
    }
    let (opening_seed, source) = (terms.seed(page)?, terms.openings(page)?);
    let mut openings: Option<Openings> = None;
    let mut meetings = Vec::new();
    for pair in pairs {
        let [a, b] = pair.map(|player| &players[player]);
        let entrants = [a.entrant.clone(), b.entrant.clone()];
        let mut agreed = terms.build(page, &entrants)?;
        agreed.event = group.name.clone();
        if let OpeningSource::Records(path) = &source
            && page.follow
        {
            // They are the same for all pairings of a group, whose board, komi and rules are the same.
            let read = |why: Error| terms.wrong_openings(page, why);
            let found = match openings.take() {
                Some(found) => found,
                None => records::read(path, &agreed).map_err(read)?,
            };
            agreed.openings = openings.insert(found).clone();
        }
        let seed = match group.kind {
            GroupKind::Match => opening_seed,
            GroupKind::RoundRobin | GroupKind::Gauntlet => {
                seed_of(opening_seed, &[&group.name, &a.name, &b.name])
            }
        };
        let pairing = Pairing { entrants, terms: agreed, seed };
        let openings = source.clone();
        meetings.push(Meeting {
            group: idx,
            players: pair,
            pairing,
            stop: group.stop,
            openings,
            opening_seed,
        });
    }
    Ok(meetings)
}

/// The seed of a pairing: it follows from the file's seed and from names, so that more players and more groups change
/// no game. FNV-1a, folded into few enough digits to be typed.
fn seed_of(seed: u64, names: &[&str]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    seed.to_le_bytes().into_iter().for_each(&mut add);
    for name in names {
        name.bytes().chain([0]).for_each(&mut add);
    }
    (hash ^ hash >> 32) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_of_pairings_depend_on_all_names() {
        let seed = seed_of(1, &["g", "a", "b"]);
        for other in
            [seed_of(2, &["g", "a", "b"]), seed_of(1, &["g", "b", "a"]), seed_of(1, &["ga", "", "b"])]
        {
            assert_ne!(seed, other);
        }
        assert!(seed < 1 << 32);
    }
}
