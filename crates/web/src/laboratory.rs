//! Experiments on disk as the page shows them.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lab::report::experiment::{ExperimentResults, page};
use lab::store::{FILE, PairingRow, Store};

use crate::folders::{LastRead, NamedFolders};
use crate::protocol::tell::{ExperimentView, Experiments, Games, LabGame, StandingRow, Standings, Tree};
use crate::protocol::{Answer, Kind, Refusal};
use crate::record;

/// Games that are told of at once.
const PAGE: usize = 100;

/// How long an answer is given again.
const FRESH: Duration = Duration::from_secs(1);

/// The experiments of a folder.
#[derive(Debug)]
pub(crate) struct Laboratory {
    results: NamedFolders,
    list: LastRead<Experiments>,
    standings: LastRead<Standings>,
}

impl Laboratory {
    /// The experiments of this folder.
    pub(crate) fn new(results: PathBuf) -> Self {
        let results = NamedFolders::new(results, FILE, "experiment");
        Self { results, list: LastRead::new(FRESH), standings: LastRead::new(FRESH) }
    }

    /// All of them, by name.
    pub(crate) fn list(&self) -> Experiments {
        let Ok(list) = self.list.get("", || {
            let experiments = self.results.all().into_iter().map(|(name, dir)| view(&name, &dir)).collect();
            Ok::<_, Infallible>(Experiments {
                folder: self.results.root().display().to_string(),
                experiments,
            })
        });
        list
    }

    /// How an experiment stands.
    pub(crate) fn standings(&self, name: &str) -> Answer<Standings> {
        self.standings.get(name, || {
            let dir = self.results.find(name)?;
            let store = Store::open_read(&dir).map_err(broken)?;
            let pairings = store.pairings().map_err(broken)?;
            let rows = pairings.iter().map(|pairing| row(&store, pairing)).collect::<lab::Result<_>>();
            Ok(Standings { experiment: view(name, &dir), rows: rows.map_err(broken)? })
        })
    }

    /// Games of a pairing.
    pub(crate) fn games(&self, name: &str, pairing: i64, skip: usize) -> Answer<Games> {
        let store = Store::open_read(&self.results.find(name)?).map_err(broken)?;
        let pairings = store.pairings().map_err(broken)?;
        let unknown = || Refusal::new(Kind::Unknown, format!("there is no pairing {pairing}"));
        let row = pairings.into_iter().find(|row| row.id == pairing).ok_or_else(unknown)?;
        let lines = store.lines(pairing).map_err(broken)?;
        let of = lines.len();
        let games = lines.into_iter().skip(skip).take(PAGE).map(|line| {
            let black = line.black.idx();
            LabGame {
                game: line.game,
                black: row.names[black].clone(),
                white: row.names[1 - black].clone(),
                result: line.result,
                moves: line.moves,
            }
        });
        Ok(Games { experiment: name.to_string(), pairing, skip, of, games: games.collect() })
    }

    /// One game.
    pub(crate) fn replay(&self, name: &str, pairing: i64, number: u64) -> Answer<Tree> {
        let store = Store::open_read(&self.results.find(name)?).map_err(broken)?;
        let game = store.game(pairing, number).map_err(broken)?;
        let unknown = || Refusal::new(Kind::Unknown, format!("pairing {pairing} has no game {number}"));
        let sgf = game.ok_or_else(unknown)?.sgf;
        Ok(Tree { sgf: Some(record::base64(sgf.as_bytes())), ..record::read(sgf.as_bytes())? })
    }

    /// The report of an experiment as a page of its own.
    pub(crate) fn report(&self, name: &str) -> Answer<String> {
        let store = Store::open_read(&self.results.find(name)?).map_err(broken)?;
        let study = ExperimentResults::of(&store).map_err(broken)?;
        Ok(page(&study, None).html())
    }
}

// Taken by value, as `map_err` gives it.
#[allow(clippy::needless_pass_by_value)]
fn broken(error: lab::Error) -> Refusal {
    Refusal::new(Kind::Internal, error.to_string())
}

/// An experiment in a line. Recipes that this program no longer knows keep nobody from seeing the results.
fn view(name: &str, dir: &Path) -> ExperimentView {
    let sums = || -> lab::Result<(String, u64, u64)> {
        let store = Store::open_read(dir)?;
        let title = store.experiment().map_or_else(|_| String::new(), |experiment| experiment.title);
        let (mut games, mut left) = (0, 0);
        for pairing in store.pairings()? {
            let (_, standing) = store.counted(&pairing)?;
            games += standing.n_over();
            left += standing.n_left();
        }
        Ok((title, games, left))
    };
    let playing = Store::is_playing(dir);
    let name = name.to_string();
    match sums() {
        Ok((title, games, left)) => ExperimentView { name, title, games, left, playing, error: None },
        Err(error) => {
            let title = String::new();
            ExperimentView { name, title, games: 0, left: 0, playing, error: Some(error.to_string()) }
        }
    }
}

fn row(store: &Store, pairing: &PairingRow) -> lab::Result<StandingRow> {
    let (_, standing) = store.counted(pairing)?;
    let score = standing.score();
    let finite = |x: f64| x.is_finite().then_some(x);
    Ok(StandingRow {
        pairing: pairing.id,
        group: pairing.group.clone(),
        names: pairing.names.clone(),
        games: score.games.games(),
        wins: score.games.wins,
        draws: score.games.draws,
        losses: score.games.losses,
        rate: score.rate().map(|rate| [rate.rate, rate.low, rate.high]),
        elo: score.elo().map(|elo| {
            let [low, high] = elo.open_ends();
            [elo.elo, low, high].map(finite)
        }),
        los: score.los(),
        text: score.text(),
        state: standing.state(),
    })
}
