//! A match as an experiment: one group with one pairing, whose file is written instead of read.
//!
//! The text says all that the options of `tengen match` said, so `tengen lab run` plays the same games from it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::terms::USUAL_PATIENCE;
use super::{Experiment, Group, GroupKind, Meeting, Participant, Stop, TomlFile};
use crate::entrant::Entrant;
use crate::game::Pairing;
use crate::game::terms::patience;
use crate::opening::OpeningSource;

/// The name of a match's only group.
pub const MATCH: &str = "match";

/// The plan of a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The name of the experiment.
    pub name: String,
    /// Where its file is, or would be.
    pub path: PathBuf,
    /// The names of A and B, see [`match_names`].
    pub names: [String; 2],
    /// Who plays, what is agreed, and the seed. Openings from records are in the terms already.
    pub pairing: Pairing,
    /// Where the openings come from.
    pub openings: OpeningSource,
    /// Games to be played.
    pub n_games: u64,
}

/// The names of two players: what they were given as, told apart where that is the same.
pub fn match_names(entrants: &[Entrant; 2]) -> [String; 2] {
    let plain = |entrant: &Entrant| -> String {
        entrant
            .text()
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect::<String>()
            .trim()
            .to_string()
    };
    let [a, b] = entrants.each_ref().map(plain);
    if a == b { [format!("{a} (A)"), format!("{b} (B)")] } else { [a, b] }
}

impl Experiment {
    /// The experiment that a match is.
    pub fn of_match(plan: MatchPlan) -> Self {
        let text = file_text(&plan);
        let MatchPlan { name, path, names, pairing, openings, n_games } = plan;
        let [a, b] = &names;
        let title = title(&names);
        let players =
            [(a, &pairing.entrants[0]), (b, &pairing.entrants[1])].map(|(name, entrant)| Participant {
                name: name.clone(),
                family: name.clone(),
                varied: Vec::new(),
                entrant: entrant.clone(),
            });
        let stop = Stop::Games(n_games);
        let group = Group {
            name: MATCH.to_string(),
            text: String::new(),
            kind: GroupKind::Match,
            players: vec![0, 1],
            opponents: Vec::new(),
            stop,
        };
        let opening_seed = pairing.seed;
        Self {
            name,
            page: TomlFile { path, text, follow: false },
            title,
            text: String::new(),
            source: None,
            parallel: None,
            anchor: None,
            players: players.to_vec(),
            groups: vec![group],
            meetings: vec![Meeting { group: 0, players: [0, 1], pairing, stop, openings, opening_seed }],
            published: Vec::new(),
            traces: Vec::new(),
        }
    }
}

fn title([a, b]: &[String; 2]) -> String {
    format!("{a} against {b}")
}

/// The experiment file of a match.
fn file_text(plan: &MatchPlan) -> String {
    let pairing = &plan.pairing;
    let mut out = "# Written by `tengen match`. `tengen lab run` plays the same games.\n".to_string();
    let _ = writeln!(out, "title = {}\n\n[terms]", quoted(&title(&plan.names)));
    let mut settings = pairing.terms.settings();
    settings.remove("openings");
    for (key, value) in &settings {
        match value {
            // Where nobody resigns or passes early by the win rate.
            Value::Null if key == "resign" || key == "pass-below" => {
                let _ = writeln!(out, "{key} = \"never\"");
            }
            Value::Null => {}
            value if key == "handicap" && value == 0 => {}
            value => {
                let _ = writeln!(out, "{key} = {}", toml_value(value));
            }
        }
    }
    if plan.openings != OpeningSource::None {
        let _ = writeln!(out, "openings = {}", quoted(&source_text(&plan.openings)));
    }
    let think = pairing.terms.patience.think;
    if pairing.terms.patience != patience(USUAL_PATIENCE) {
        let _ = writeln!(out, "patience = {}", think.as_secs_f64());
    }
    let _ = writeln!(out, "seed = {}\n\n[players]", toml_value(&Value::from(pairing.seed)));
    for (name, entrant) in plan.names.iter().zip(&pairing.entrants) {
        let _ = writeln!(out, "{} = {}", quoted(name), quoted(entrant.text()));
    }
    let _ = writeln!(out, "\n[[group]]\nname = \"{MATCH}\"\nkind = \"match\"\ngames = {}", plan.n_games);
    out
}

/// Records by their whole path: the file may be read from another folder.
fn source_text(source: &OpeningSource) -> String {
    match source {
        OpeningSource::Records(path) => whole_path(path).display().to_string(),
        other => other.to_string(),
    }
}

fn whole_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A text in quotes; the escapes of JSON are those of TOML.
fn quoted(text: &str) -> String {
    // TOML does not allow this one as it stands.
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A value of TOML. Its whole numbers have 63 bits; the keys of terms take larger ones in quotes.
fn toml_value(value: &Value) -> String {
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|n| i64::try_from(n).is_err()) => {
            format!("\"{number}\"")
        }
        Value::String(text) => quoted(text),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use goban::{Rules, Size};
    use player::Manners;

    use super::*;
    use crate::game::Terms;

    fn plan(a: &str, b: &str) -> MatchPlan {
        let entrants = [a, b].map(|text| text.parse::<Entrant>().unwrap());
        let mut terms = Terms::new(Size::new(9, 7).unwrap(), 6.5, Rules::CHINESE);
        terms.allowance.playouts = Some(20);
        terms.allowance.clock = crate::clock::parse("10m+3x30").unwrap();
        terms.patience = patience(std::time::Duration::from_millis(2500));
        terms.manners = Manners { resign_below: None, pass_below: Some(0.02), ..Manners::default() };
        terms.max_moves = 77;
        MatchPlan {
            name: "m".to_string(),
            path: "m/match.toml".into(),
            names: match_names(&entrants),
            pairing: Pairing { entrants, terms, seed: u64::MAX - 5 },
            openings: OpeningSource::Balanced(4),
            n_games: 12,
        }
    }

    /// The file says the same as the options: it gives the same players, terms, seeds and games.
    #[test]
    fn the_file_of_a_match_plays_the_same_games() {
        for (a, b) in [
            ("default", "random"),
            ("uct", "uct"),
            ("uct select.c=0.4@playouts=5,memory=4M", "gtp:sh -c 'echo \"=\\\\\"'"),
        ] {
            let written = Experiment::of_match(plan(a, b));
            let page = TomlFile { follow: true, ..written.page.clone() };
            let read = Experiment::of_page("m", page)
                .unwrap_or_else(|error| panic!("{error}\n{}", written.page.text));
            assert_eq!(read.title, written.title);
            assert_eq!(read.groups, written.groups);
            let [ours, theirs] = [&written, &read].map(|experiment| &experiment.meetings[0]);
            assert_eq!(ours.settings(), theirs.settings());
            assert_eq!(ours.pairing.seed, theirs.pairing.seed);
            assert_eq!((ours.opening_seed, &ours.openings), (theirs.opening_seed, &theirs.openings));
            assert_eq!(ours.pairing.terms.patience, theirs.pairing.terms.patience);
            let canonical = |meeting: &Meeting| meeting.pairing.entrants.each_ref().map(Entrant::canonical);
            assert_eq!(canonical(ours), canonical(theirs));
            let names = |experiment: &Experiment| {
                experiment.players.iter().map(|p| p.name.clone()).collect::<Vec<_>>()
            };
            assert_eq!(names(&written), names(&read));
        }
    }

    #[test]
    fn players_of_the_same_text_have_two_names() {
        let entrants = ["uct", "uct"].map(|text| text.parse::<Entrant>().unwrap());
        assert_eq!(match_names(&entrants), ["uct (A)", "uct (B)"]);
    }
}
