//! The authors' numbers, to be shown beside ours.

use serde::Serialize;

use super::file::{Measure, PublishedFile, RowFile};
use super::group::{Group, find, unknown};
use super::page::TomlFile;
use super::sweep::Participant;
use crate::Result;

/// Numbers from a table or figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Published {
    /// Index of the group beside whose rows they stand; none if beside all.
    pub group: Option<usize>,
    /// What the numbers are.
    pub measure: Measure,
    /// What they were measured against.
    pub against: String,
    /// Where they stand, if not in the source of the whole experiment.
    pub source: Option<String>,
    /// Remarks.
    pub text: String,
    /// The numbers.
    pub rows: Vec<PublishedRow>,
}

/// A published number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedRow {
    /// Index of the player it is about; none for a point of a curve that we do not play.
    pub player: Option<usize>,
    /// The name in the file: a player or a sweep.
    pub name: String,
    /// Where it stands on a curve: the value of the parameter that is varied.
    pub x: Option<f64>,
    /// The number, in the unit of the measure.
    pub value: f64,
    /// The standard error that was given with it.
    pub plus_minus: Option<f64>,
    /// How many games it comes from.
    pub games: Option<u64>,
    /// A remark.
    pub note: Option<String>,
}

/// The published numbers of a file with the players they are about.
pub(super) fn published(
    page: &TomlFile,
    given: &[PublishedFile],
    groups: &[Group],
    players: &[Participant],
) -> Result<Vec<Published>> {
    given.iter().map(|table| one(page, table, groups, players)).collect()
}

fn one(
    page: &TomlFile,
    table: &PublishedFile,
    groups: &[Group],
    players: &[Participant],
) -> Result<Published> {
    let group = match &table.group {
        None => None,
        Some(name) => match groups.iter().position(|group| group.name == *name.get_ref()) {
            Some(idx) => Some(idx),
            None => {
                let hint =
                    recipe::error::Suggestion::new(name.get_ref(), groups.iter().map(|g| g.name.as_str()));
                return Err(
                    page.wrong(name.span(), format!("there is no group \"{}\"{hint}", name.get_ref()))
                );
            }
        },
    };
    let mut rows = Vec::new();
    for spanned in &table.rows {
        let given = spanned.get_ref();
        let wrong = |why: String| page.wrong(spanned.span(), why);
        let idxs = find(&given.player, players);
        let x_text = given.x.as_ref().map(|word| page.written(word));
        let x: Option<f64> = match x_text.as_deref().map(str::parse) {
            None => None,
            Some(Ok(x)) => Some(x),
            Some(Err(_)) => {
                return Err(wrong(format!("x = {}: expected a number", x_text.unwrap_or_default())));
            }
        };
        let is_sweep = idxs.first().is_some_and(|&idx| !players[idx].varied.is_empty());
        let player = match (&idxs[..], x) {
            ([], _) => return Err(wrong(unknown(&given.player, players))),
            ([only], _) if players[*only].name == given.player => Some(*only),
            (all, Some(x)) => all.iter().copied().find(|&idx| players[idx].x() == Some(x)),
            _ => {
                let why = format!("\"{}\" is a sweep; expected x = … or one player's name", given.player);
                return Err(wrong(why));
            }
        };
        let x = x.or_else(|| player.and_then(|idx| players[idx].x()).filter(|_| is_sweep));
        let RowFile { value, plus_minus, games, .. } = *given;
        let (name, note) = (given.player.clone(), given.note.clone());
        rows.push(PublishedRow { player, name, x, value, plus_minus, games, note });
    }
    Ok(Published {
        group,
        measure: table.measure,
        against: table.against.clone(),
        source: table.source.clone(),
        text: table.text.clone(),
        rows,
    })
}
