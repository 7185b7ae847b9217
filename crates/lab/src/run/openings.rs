//! Openings that have to be made before the first game. They are made once for all pairings that agree on board, komi, rules and
//! seed, and kept in the store: another version of the program might make others.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use player::PlayError;

use super::RunNews;
use crate::experiment::{Experiment, Meeting};
use crate::game::Pairing;
use crate::opening::{OpeningSource, OpeningWork, Openings};
use crate::store::Store;
use crate::{Error, ErrorPlace, Result};

/// The pairings of an experiment with all their openings; none if `stop` was set before these were made.
pub(super) fn pairings(
    experiment: &Experiment,
    store: &Store,
    parallel: usize,
    watch: &mut (dyn FnMut(&RunNews<'_>) + Send),
    stop: &Arc<AtomicBool>,
) -> Result<Option<Vec<Pairing>>> {
    let mut made: Vec<(String, Openings)> = Vec::new();
    let mut pairings = Vec::new();
    for meeting in &experiment.meetings {
        let mut pairing = meeting.pairing.clone();
        if let OpeningSource::Balanced(_) = meeting.openings {
            let key = key(meeting);
            let known = made.iter().find(|(other, _)| *other == key).map(|(_, openings)| openings.clone());
            let openings = match known {
                Some(openings) => openings,
                None => match make(meeting, &key, store, parallel, watch, stop) {
                    Ok(openings) => openings,
                    Err(Error::Game(PlayError::Stopped)) => return Ok(None),
                    Err(error) => return Err(error).at(format!("openings = \"{}\"", meeting.openings)),
                },
            };
            pairing.terms.openings = openings.clone();
            made.push((key, openings));
        }
        pairings.push(pairing);
    }
    Ok(Some(pairings))
}

/// The key of made openings: the word by which the store keeps them.
pub fn key(meeting: &Meeting) -> String {
    let terms = &meeting.pairing.terms;
    let (size, komi, rules) = (terms.size, terms.komi, terms.rules);
    format!("{} {size} komi {komi} {rules} seed {}", meeting.openings, meeting.opening_seed)
}

fn make(
    meeting: &Meeting,
    key: &str,
    store: &Store,
    parallel: usize,
    watch: &mut (dyn FnMut(&RunNews<'_>) + Send),
    stop: &Arc<AtomicBool>,
) -> Result<Openings> {
    let before = store.openings(key)?;
    let mut progress = |found, wanted| watch(&RunNews::Openings { found, wanted });
    let mut work = OpeningWork { parallel, kept: Some(&before), stop, progress: &mut progress };
    let openings = meeting.openings.open(&meeting.pairing.terms, meeting.opening_seed, &mut work)?;
    let sgf = openings.to_sgf()?;
    if sgf != before {
        store.keep_openings(key, &sgf)?;
    }
    Ok(openings)
}
