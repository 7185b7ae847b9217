//! The report of an experiment says what its games say, compares it with what was published, and hides no failure.

use std::path::PathBuf;
use std::sync::Arc;

use crate::report_common::{HOSTILE, check_xml};
use lab::experiment::{Experiment, Measure, Standing, Stop};
use lab::report::experiment::study::{
    Claims, GroupResults, MeetingResults, PlayerResults, PublishedNumber, WatchedSearch,
};
use lab::report::experiment::{ExperimentResults, page};
use lab::report::{Page, PageBlock, ReportTable};
use lab::store::{RunInfo, Store};
use lab::{FinishedGame, PairSide, run};
use player::ReasonKind;
use serde_json::json;

/// A game that A won, lost or drew.
fn line(game: u64, winner: Option<PairSide>, reason: &str) -> FinishedGame {
    let black = if game % 2 == 1 { PairSide::A } else { PairSide::B };
    let result = match winner {
        None => "0".to_owned(),
        Some(winner) => format!(
            "{}+{}",
            if winner == black { 'B' } else { 'W' },
            if reason == "score" { "3.5" } else { "R" }
        ),
    };
    FinishedGame {
        game,
        black,
        winner,
        margin: None,
        result,
        reason: ReasonKind::of_word(reason).unwrap(),
        details: (reason == "crash").then(|| "exit status 3".to_owned()),
        note: (reason == "crash").then(|| "<b>segmentation | fault</b>".to_owned()),
        moves: 60,
        n_moves: [30, 30],
        seconds: [1.0, 1.0],
        main_used: None,
        simulations: [9000, 9000],
        seeds: [1, 2],
        opening: None,
    }
}

/// A meeting in which A won some of the games, the last of which it lost by these reasons.
fn meeting(players: [usize; 2], wins: u64, games: u64, last: &[&str]) -> MeetingResults {
    let lines: Vec<FinishedGame> = (1..=games)
        .map(|game| match games - game < last.len() as u64 {
            true => line(game, Some(PairSide::B), last[(games - game) as usize]),
            false => line(game, Some(if game <= wins { PairSide::A } else { PairSide::B }), "score"),
        })
        .collect();
    let terms = json!({"size": "9x9", "komi": 7.5, "rules": "chinese", "handicap": 0, "playouts": 3000, "clock": null});
    MeetingResults {
        players,
        standing: Standing::of(Stop::Games(200), &lines),
        lines,
        terms: terms.as_object().cloned().unwrap_or_default(),
        seed: 17,
        folder: PathBuf::from(format!("main/{:03} a against b", players[0])),
    }
}

fn player(name: &str, varied: &[(&str, &str)]) -> PlayerResults {
    let varied: Vec<(String, String)> =
        varied.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let values: String = varied.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    PlayerResults {
        name: format!("{name}{values}"),
        family: name.into(),
        varied,
        text: format!("goyui-{name}"),
        canonical: format!("method=tree mixer={name}{values}"),
    }
}

/// The shape of GoYui's chapter 5: a sweep and two players against GNU Go, with some of the published numbers.
fn study() -> ExperimentResults {
    let sweep = [("10", 33), ("100", 49), ("10000", 39)];
    let mut players = vec![player("gnugo", &[]), player("rave", &[]), player("uct", &[])];
    players.extend(sweep.iter().map(|(prior, _)| player("bma", &[("mixer.prior", prior)])));
    let mut meetings = vec![meeting([1, 0], 43, 200, &[]), meeting([2, 0], 0, 200, &["crash", "time"])];
    meetings
        .extend(sweep.iter().enumerate().map(|(index, (_, wins))| meeting([3 + index, 0], *wins, 200, &[])));
    let claim = |player: usize, x: Option<f64>, value: f64| PublishedNumber {
        player: Some(player),
        name: players[player].family.clone(),
        x,
        value,
        error: Some(0.008),
        note: String::new(),
    };
    let rows = vec![
        claim(1, None, 0.1999),
        claim(2, None, 0.0322),
        claim(3, Some(10.0), 0.1475),
        claim(4, Some(100.0), 0.2271),
        claim(5, Some(10_000.0), 0.35),
        PublishedNumber {
            player: None,
            name: "bma".into(),
            x: Some(1000.0),
            value: 0.2197,
            ..PublishedNumber::default()
        },
    ];
    ExperimentResults {
        name: "goyui".into(),
        title: "GoYui: mixing".into(),
        text: "Which `mixer` is best?".into(),
        source: Some("You 2012, table 5.2".into()),
        path: "experiments/goyui.toml".into(),
        file: "title = \"GoYui\"\n".into(),
        groups: vec![GroupResults { name: "main".into(), text: "All against GNU Go.".into(), meetings }],
        published: vec![Claims {
            measure: Some(Measure::Rate),
            against: "GNU Go 3.8 level 10".into(),
            rows,
            ..Claims::default()
        }],
        anchor: Some((0, 0.0)),
        traces: vec![WatchedSearch {
            name: "figure 5.5".into(),
            player: "bma".into(),
            csv: "simulation,move,visits,mc.n,mc.q,mc.beta,rave.n,rave.q,rave.beta,value\n10,E5,6,6,0.5,0.2,9,0.6,0.8,0.58\n".into(),
            ..WatchedSearch::default()
        }],
        players,
        ..ExperimentResults::default()
    }
}

/// The cells of a row that begins with this name, in the first table that has it.
fn row(page: &Page, name: &str) -> Vec<String> {
    fn tables<'a>(blocks: &'a [PageBlock], found: &mut Vec<&'a ReportTable>) {
        for block in blocks {
            match block {
                PageBlock::Table(table) => found.push(table),
                PageBlock::Details(_, blocks) => tables(blocks, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    tables(&page.blocks, &mut found);
    let rows = found.iter().flat_map(|table| &table.rows);
    let row =
        rows.into_iter().find(|row| row[0].text.words() == name).unwrap_or_else(|| panic!("no row {name}"));
    row.iter().map(|cell| cell.text.words()).collect()
}

fn check(page: &Page) -> String {
    let (html, markdown) = (page.html(), page.markdown(""));
    check_xml(&html);
    for figure in page.figures() {
        check_xml(&figure.svg.file());
    }
    for text in [&html, &markdown] {
        for word in ["NaN", ">inf", "-inf"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
    html
}

#[test]
fn rates_intervals_and_agreement() {
    let page = page(&study(), None);
    check(&page);
    // Wilson for 49 of 200: (0.245 + 0.0096036 ± 1.959964 · √(0.245·0.755/200 + 0.0000240)) / 1.0192073 = 0.2498 ± 0.0592.
    let hundred = row(&page, "bma mixer.prior=100");
    assert_eq!(hundred[1..4], ["200", "49 : 151", "24.5 % [19.1, 30.9]"]);
    assert_eq!(hundred[6..8], ["22.71 ± 0.80", "yes"]);
    // 35 ± 1.57 % is far from our 14.6 to 25.5 %.
    assert_eq!(row(&page, "bma mixer.prior=10000")[7], "no");
    // All lost: the interval begins at 0 and Elo is open below; two of the losses were failures.
    let uct = row(&page, "uct");
    assert_eq!(uct[1..4], ["200", "0 : 200", "0.0 % [0.0, 1.9]"]);
    assert!(uct[4].contains(" [−∞, "), "{uct:?}");
    assert_eq!(uct[8], "uct 1 by crash, uct 1 by time");
}

#[test]
fn figures_follow_the_experiment() {
    let page = page(&study(), None);
    let names: Vec<&str> = page.figures().iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(
        names,
        ["bma-mixer-prior", "players", "ladder", "figure-5-5-bma-weight-mc", "figure-5-5-bma-value"]
    );
    let curve = page.figures()[0].svg.file();
    // A point that we did not play is on the published curve all the same: three of ours, four of theirs.
    assert_eq!(curve.matches("measured here\nmixer.prior").count(), 3, "{curve}");
    assert_eq!(curve.matches("published\nmixer.prior").count(), 4, "{curve}");
}

#[test]
fn failures_are_never_hidden() {
    let without = page(&study(), None);
    let html = check(&without);
    assert!(html.contains("count as losses: uct 2"), "{html}");
    assert!(!html.contains("<b>segmentation"));
    assert!(html.contains("exit status 3; &lt;b&gt;segmentation | fault&lt;/b&gt;"));
    assert!(html.contains("tengen lab export DIR --sgf"));
    let with = check(&page(&study(), Some("sgf")));
    assert!(with.contains("href=\"sgf/main/002%20a%20against%20b/game-0200.sgf\""), "{with}");
    assert!(with.contains("href=\"sgf/main/003%20a%20against%20b/\""));
}

#[test]
fn other_opponents_are_carried_over_and_called_so() {
    let mut study = study();
    // The same games against RAVE: the published rates are against GNU Go.
    for meeting in &mut study.groups[0].meetings {
        meeting.players[1] = 1;
    }
    study.groups[0].meetings.remove(0);
    study.anchor = Some((1, 0.0));
    let page = page(&study, None);
    let html = check(&page);
    assert!(html.contains("carried over"), "{html}");
    // 0.2271 against 0.1999 is 54.0 %, as in the tests of the comparison; ours is 24.5 %.
    let hundred = row(&page, "bma mixer.prior=100");
    assert_eq!(hundred[6..9], ["22.71 ± 0.80", "54.0", "no"]);
}

#[test]
fn nothing_played_yet_and_hostile_names() {
    let mut study = study();
    for (index, player) in study.players.iter_mut().enumerate() {
        player.name = format!("{} {index}", HOSTILE[index]);
        player.family.clone_from(&player.name);
        player.canonical = HOSTILE[index].into();
    }
    study.title = HOSTILE[0].into();
    study.groups[0].name = HOSTILE[1].into();
    study.traces[0].name = HOSTILE[5].into();
    check(&page(&study, Some("sgf")));
    for meeting in &mut study.groups[0].meetings {
        meeting.lines.clear();
        meeting.standing = Standing::new(Stop::Games(200));
    }
    study.traces[0].csv = String::new();
    let html = check(&page(&study, None));
    assert!(html.contains("not complete: up to 1000 games"), "{html}");
    check(&page(&ExperimentResults::default(), None));
}

#[test]
fn a_played_experiment_is_reported_the_same_every_time() {
    let text = "title = \"Do playouts help?\"\ntext = \"More of `them`.\"\n[terms]\nsize = 5\n\
                [players]\nrandom = \"random\"\n[players.uct]\nrecipe = \"goyui-uct\"\nplayouts = [4, 16, 64]\n\
                [[group]]\nkind = \"gauntlet\"\nplayers = [\"uct\"]\nopponents = [\"random\"]\ngames = 4\n\
                [[published]]\nmeasure = \"rate\"\nagainst = \"random\"\nrows = [{ player = \"uct\", x = 16, value = 100 }]\n\
                [[trace]]\nname = \"empty\"\nplayers = [\"uct\"]\nplayouts = 50\nevery = 5\nboard = \"\"\"\n. . . . .\n. . . . .\n\
                . . . . .\n. . . . .\n. . . . .\n\"\"\"\n";
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("playouts.toml");
    std::fs::write(&file, text).expect("written");
    let experiment = Experiment::load(&file).expect("an experiment");
    let info = RunInfo {
        program: "test 1".into(),
        revision: Some("abc".into()),
        bench: Some(7),
        parallel: 1,
        ..RunInfo::default()
    };
    {
        let mut store = Store::open(dir.path(), &experiment).expect("a store");
        assert!(run::run(&experiment, &mut store, &info, &mut |_| (), &Arc::default()).expect("played"));
    }
    let report =
        || page(&ExperimentResults::of(&Store::open_read(dir.path()).expect("a store")).expect("read"), None);
    let first = report();
    let html = check(&first);
    assert_eq!(html, report().html());
    assert_eq!(first.markdown(""), report().markdown(""));
    for part in [
        "Do playouts help?",
        "<code>them</code>",
        "12 games between 4 players",
        "abc",
        "bench number",
        "goyui-uct",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    // The machine's folders are nobody's business.
    assert!(!html.contains(&*dir.path().to_string_lossy()));
    assert!(html.contains("tengen lab run playouts.toml"));
    let names: Vec<&str> = first.figures().iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names[..2], ["uct-playouts", "ladder"], "{names:?}");
    assert_eq!(names.len(), 2 + 3, "a figure for each watched player, who has one model: {names:?}");
}
