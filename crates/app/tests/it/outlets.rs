//! The same stored games say the same everywhere: `match` (terminal and JSON), `lab status`, the report (HTML and
//! Markdown), CSV, and what the page is told.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use lab::experiment::Experiment;
use lab::stats::ScoreText;
use lab::store::Store;
use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;
use web::{Config, Server};

/// What a run of the program prints.
fn tengen(dir: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let output =
        command.current_dir(dir).args(words.split_whitespace()).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What the page is told of an experiment.
fn page(dir: &Path, experiment: &str) -> Value {
    let mut config = Config::local(0, dir.join("state"));
    config.results = dir.join("results");
    config.threads = 1;
    let server = Server::bind(config).unwrap();
    let (address, ending) = (server.address(), server.ending());
    let thread = std::thread::spawn(move || server.serve().unwrap());
    let request = format!("ws://{address}/ws").into_client_request().unwrap();
    let (mut socket, _) = tungstenite::client(request, TcpStream::connect(address).unwrap()).unwrap();
    for ask in
        [json!({"ask": "hello", "session": null}), json!({"ask": "standings", "experiment": experiment})]
    {
        socket.send(Message::text(ask.to_string())).unwrap();
    }
    let told = loop {
        if let Message::Text(text) = socket.read().unwrap() {
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["tell"] == "standings" {
                break message;
            }
        }
    };
    ending.end();
    thread.join().unwrap();
    told["rows"][0].clone()
}

/// The row of a table in CSV, by the names of its columns; no cell of it has a comma.
fn csv(dir: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(dir.join("csv/table.csv")).unwrap();
    let [head, row]: [Vec<String>; 2] = text
        .lines()
        .map(|line| line.split(',').map(str::to_string).collect())
        .collect::<Vec<Vec<String>>>()
        .try_into()
        .unwrap();
    head.into_iter().zip(row).collect()
}

/// A table of Markdown, a line of a terminal's table or a row of HTML as cells, without marks.
fn cells(row: &str) -> Vec<String> {
    let row = row
        .replace("**", "")
        .replace("<strong>", "")
        .replace("</strong>", "")
        .replace("\\[", "[")
        .replace("\\]", "]");
    // Between a number and its unit a page has a space that does not break.
    let row = row.replace('\u{a0}', " ").replace(['│', '┆', '║'], "|");
    let between = row.replace("</td>", "|");
    between.split('|').map(|cell| cell.rsplit('>').next().unwrap().trim().to_string()).collect()
}

/// The first row in which these cells are, all of them.
fn assert_row(outlet: &str, text: &str, wanted: &[&str]) {
    let has_all = |row: &str| {
        let row = cells(row);
        wanted.iter().all(|cell| row.iter().any(|found| found.contains(cell)))
    };
    let rows = text.replace("<tr", "\n<tr");
    assert!(rows.lines().any(has_all), "{outlet} has no row with {wanted:?}:\n{text}");
}

/// All outlets tell what the store's score is.
fn check(dir: &Path, name: &str, from_match: Option<&str>) {
    let folder = dir.join("results").join(name);
    let store = Store::open_read(&folder).unwrap();
    let pairing = store.pairings().unwrap().remove(0);
    let (lines, standing) = store.counted(&pairing).unwrap();
    let (score, state) = (standing.score(), standing.state());
    let text = score.text();
    let (rate, elo) = (text.rate_with_interval(), text.elo_with_interval());
    let n_games = lines.len().to_string();
    let wanted = [n_games.as_str(), &text.score, &rate, &elo, &text.los];

    if let Some(printed) = from_match {
        for (title, cell) in [("rate", &rate), ("Elo", &elo), ("LOS", &text.los)] {
            assert_row("match", printed, &[title, cell]);
        }
        let told: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
        assert_eq!(serde_json::from_value::<ScoreText>(told["text"].clone()).unwrap(), text);
        let shown = |value: &Value, factor: f64| (value.as_f64().unwrap() * factor).round();
        assert_eq!(shown(&told["elo"], 1.0), score.elo().unwrap().elo.round());
        assert_eq!(shown(&told["los"], 1e4), (1e4 * score.los().unwrap()).round());
        assert_eq!(told["pentanomial"], json!(score.pairs.0));
        assert_eq!((&told["wins_a"], &told["draws"]), (&json!(score.games.wins), &json!(score.games.draws)));
    }
    let place = format!("results/{name}");
    assert_row(
        "lab status",
        &tengen(dir, &format!("lab status {place}")),
        &[&wanted[..], &[&state]].concat(),
    );
    tengen(dir, &format!("lab report {place}"));
    for file in ["report.md", "report.html"] {
        assert_row(file, &fs::read_to_string(folder.join(file)).unwrap(), &wanted);
    }
    tengen(dir, &format!("lab export {place} --csv"));
    let row = csv(&folder);
    let number = |x: f64| if x.is_finite() { format!("{x:.4}") } else { x.to_string() };
    let Some((elo, rate)) = score.elo().zip(score.rate()) else { panic!("no pair was played") };
    let [low, high] = elo.open_ends();
    for (column, value) in [
        ("games", n_games.clone()),
        ("wins", score.games.wins.to_string()),
        ("draws", score.games.draws.to_string()),
        ("losses", score.games.losses.to_string()),
        ("rate", number(rate.rate)),
        ("rate_low", number(rate.low)),
        ("rate_high", number(rate.high)),
        ("elo", number(elo.elo)),
        ("elo_low", number(low)),
        ("elo_high", number(high)),
        ("los", number(score.los().unwrap())),
        ("pairs_1", score.pairs.0[2].to_string()),
        ("pairs_2", score.pairs.0[4].to_string()),
        ("state", state.clone()),
    ] {
        assert_eq!(row[column], value, "{column}");
    }
    let row = page(dir, name);
    assert_eq!(serde_json::from_value::<ScoreText>(row["text"].clone()).unwrap(), text);
    assert_eq!(row["state"], json!(state));
    assert_eq!((&row["games"], &row["wins"]), (&json!(lines.len()), &json!(score.games.wins)));
    // The reader of JSON may miss the last bit of a number.
    let as_read = |value: Value| serde_json::from_str::<Value>(&value.to_string()).unwrap();
    assert_eq!(row["rate"], as_read(json!([rate.rate, rate.low, rate.high])));
    let finite = |x: f64| x.is_finite().then_some(x);
    assert_eq!(row["elo"], as_read(json!([Some(elo.elo), finite(low), finite(high)])));
    assert_eq!(row["los"], as_read(json!(score.los())));
}

#[test]
fn the_same_games_say_the_same_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    // An odd number: the last game has no partner.
    let words = "match --a uct@playouts=12 --b policy:mogo --size 5 --komi 0.5 --seed 4 --games 21 --json --out results/odd";
    let printed = tengen(dir.path(), words);
    check(dir.path(), "odd", Some(&printed));
    // What a match wrote goes on as an experiment, and the other way round.
    let folder = dir.path().join("results/odd");
    let file = fs::read_to_string(folder.join("odd.toml")).unwrap().replace("games = 21", "games = 24");
    fs::write(dir.path().join("odd.toml"), &file).unwrap();
    tengen(dir.path(), "lab run odd.toml");
    check(dir.path(), "odd", None);
    let printed = tengen(dir.path(), &words.replace("--games 21", "--games 24"));
    check(dir.path(), "odd", Some(&printed));
    // Games that the experiment added are those that the match would have played.
    let whole = dir.path().join("results/whole");
    tengen(
        dir.path(),
        &words.replace("--games 21 --json --out results/odd", "--games 24 --out results/whole"),
    );
    let games = |folder: &Path| -> Vec<(u64, String, [u64; 2])> {
        let store = Store::open_read(folder).unwrap();
        let lines = store.lines(store.pairings().unwrap()[0].id).unwrap();
        lines.iter().map(|line| (line.game, line.result.clone(), line.seeds)).collect()
    };
    assert_eq!(games(&folder), games(&whole));
}

#[test]
fn a_sequential_test_claims_the_same_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let file = "title = \"A test\"\n[terms]\nsize = 5\nkomi = 0.5\nplayouts = 30\n[players]\nstrong = \"uct\"\nweak = \"random\"\n\
                [[group]]\nkind = \"match\"\nsprt = { elo0 = 0, elo1 = 100, alpha = 0.2, beta = 0.2, max-games = 60 }\n";
    fs::write(dir.path().join("sprt.toml"), file).unwrap();
    tengen(dir.path(), "lab run sprt.toml");
    check(dir.path(), "sprt", None);
    let store = Store::open_read(&dir.path().join("results/sprt")).unwrap();
    let standing = store.counted(&store.pairings().unwrap()[0]).unwrap().1;
    // A test that ends says which hypothesis was rejected, never that A is better by so much.
    assert!(
        standing.verdict().is_some() && standing.state().contains("Elo rejected"),
        "{}",
        standing.state()
    );
}

/// Stores that were begun with earlier programs open, and tell the same everywhere.
#[test]
fn stores_of_earlier_programs_are_read() {
    let begun = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/begun");
    let mut n_stores = 0;
    for entry in fs::read_dir(begun).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("lab.sqlite").is_file() {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let copy = dir.path().join("results").join(&name);
        fs::create_dir_all(&copy).unwrap();
        fs::copy(path.join("lab.sqlite"), copy.join("lab.sqlite")).unwrap();
        let store = Store::open_read(&copy).unwrap();
        let pairings = store.pairings().unwrap();
        let n_games: usize = pairings.iter().map(|pairing| store.lines(pairing.id).unwrap().len()).sum();
        assert!(n_games > 0 && store.experiment().is_ok(), "{name}");
        let asks_nets = store.players().unwrap().iter().any(|player| player.canonical.contains("net="));
        drop(store);
        let status = tengen(dir.path(), &format!("lab status results/{name}"));
        assert!(status.contains("Elo [95 %]"), "{status}");
        // The experiment goes on: the folder's file has the same players and terms.
        let file = path.parent().unwrap().parent().unwrap().join(format!("{name}.toml"));
        let experiment = Experiment::load(&file).unwrap();
        // Whose networks are not here cannot be compared with the games.
        if !asks_nets {
            drop(Store::open(&copy, &experiment).unwrap_or_else(|error| panic!("{name}: {error}")));
        }
        n_stores += 1;
    }
    assert!(n_stores > 0);
}
