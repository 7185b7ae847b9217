//! Experiment files: what they stand for, and what is said when they are wrong.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lab::experiment::{self, Experiment, GroupKind, Stop, TomlFile};
use model::net::katago::KataGoNet;
use model::net::sample;

fn read(text: &str) -> lab::Result<Experiment> {
    let page = TomlFile { path: PathBuf::from("x.toml"), text: text.to_string(), follow: true };
    Experiment::of_page("x", page)
}

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

fn names(experiment: &Experiment) -> Vec<[&str; 2]> {
    experiment.meetings.iter().map(|meeting| experiment.names(meeting)).collect()
}

const HEAD: &str = "title = \"t\"\n[players]\na = \"uct\"\nb = \"default\"\nc = \"random\"\n";

#[test]
fn every_file_of_the_folder_is_sound() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let all = experiment::in_folder(Path::new(folder)).unwrap();
    assert!(all.len() >= 3);
    for (path, experiment) in all {
        let experiment = experiment.unwrap_or_else(|error| panic!("{error}"));
        assert!(!experiment.title.is_empty() && !experiment.text.is_empty(), "{}", path.display());
        for player in &experiment.players {
            // A recipe is built, not only read: what does not go together is found here.
            let Some(recipe) = player.entrant.recipe() else { continue };
            let position = goban::Position::new(goban::Size::square(9).unwrap(), goban::Rules::CHINESE);
            let situation = player::searcher::situation(&position, goban::Color::Black);
            let net = player::recipes::asks_net(recipe)
                .then(|| mcts::LoadedNet(Arc::new(KataGoNet::new(sample::conv_graph(8, 6, 1)))));
            let settings = mcts::Settings { net, ..mcts::Settings::default() };
            let built = mcts::go_search::build(recipe, &situation, &settings);
            assert!(built.is_ok(), "{}: {}: {:?}", path.display(), player.name, built.err());
        }
    }
}

#[test]
fn levels_and_the_rule_against_early_passes_can_be_swept() {
    let experiment = read(
        "title = \"t\"
         [players]
         page = { recipe = \"level:{n}\", n = [3, 9] }
         [players.plain]
         recipe = \"default\"
         playouts = 60
         early-pass = [\"no\", \"yes\"]
         [[group]]
         kind = \"round-robin\"
         players = [\"page\", \"plain\"]
         games = 2",
    )
    .unwrap();
    let players = experiment.players.iter();
    let ends: Vec<(&str, bool)> = players
        .map(|player| (player.name.as_str(), player.entrant.canonical().contains("early-pass=no")))
        .collect();
    let expected = [
        ("page n=3", true),
        ("page n=9", true),
        ("plain early-pass=no", true),
        ("plain early-pass=yes", false),
    ];
    assert_eq!(ends, expected);
}

#[test]
fn sweeps_become_a_player_for_each_value() {
    let experiment = read(
        "title = \"t\"
         [players]
         zero = \"uct\"
         gnugo = { recipe = \"gtp:gnugo --mode gtp --level {level}\", level = [1, 10] }
         [players.bma]
         recipe = \"goyui-bma@memory=64M\"
         mixer.prior = [10, 1e2]
         playouts = [300, 3_000]
         [players.eyes]
         recipe = \"uct\"
         select.c = 0.5
         \"leaf.policy.eye\" = [\"standard\", \"goyui\"]
         [[group]]
         kind = \"gauntlet\"
         players = [\"bma\", \"eyes leaf.policy.eye=goyui\"]
         opponents = [\"zero\"]
         games = 10",
    )
    .unwrap();
    let players: Vec<&str> = experiment.players.iter().map(|player| player.name.as_str()).collect();
    let expected = [
        "zero",
        "gnugo level=1",
        "gnugo level=10",
        "bma mixer.prior=10 playouts=300",
        "bma mixer.prior=10 playouts=3000",
        "bma mixer.prior=1e2 playouts=300",
        "bma mixer.prior=1e2 playouts=3000",
        "eyes leaf.policy.eye=standard",
        "eyes leaf.policy.eye=goyui",
    ];
    assert_eq!(players, expected);
    assert_eq!(experiment.players[2].entrant.canonical(), "gtp:gnugo --mode gtp --level 10");
    assert_eq!((experiment.players[2].x(), experiment.players[3].x()), (Some(10.0), None));
    let canonical = experiment.players[6].entrant.canonical();
    assert!(
        canonical.contains("mixer.prior=100 ") && canonical.ends_with("@playouts=3000,memory=64000000"),
        "{canonical}"
    );
    let canonical = experiment.players[8].entrant.canonical();
    assert!(canonical.contains("select.c=0.5") && canonical.contains("leaf.policy.eye=goyui"), "{canonical}");
    // The name of a sweep stands for all its players.
    assert_eq!(experiment.meetings.len(), 5);
    assert_eq!(names(&experiment)[4], ["eyes leaf.policy.eye=goyui", "zero"]);
}

#[test]
fn everybody_meets_everybody_or_only_the_opponents() {
    let robin = read(&format!("{HEAD}[[group]]\nkind = \"round-robin\"\ngames = 3\n")).unwrap();
    assert_eq!(names(&robin), [["a", "b"], ["a", "c"], ["b", "c"]]);
    assert_eq!((robin.groups[0].kind, robin.max_games()), (GroupKind::RoundRobin, 9));
    let anchored = format!(
        "anchor = {{ player = \"b\", elo = 1500 }}\n{HEAD}[[group]]\nkind = \"gauntlet\"\ngames = 3\n"
    );
    let gauntlet = read(&anchored).unwrap();
    assert_eq!(names(&gauntlet), [["a", "b"], ["c", "b"]]);
    assert_eq!(gauntlet.anchor.map(|anchor| (anchor.player, anchor.elo)), Some((1, 1500.0)));
}

#[test]
fn more_players_and_groups_change_no_seed() {
    let small =
        read(&format!("{HEAD}[[group]]\nkind = \"round-robin\"\nplayers = [\"a\", \"b\"]\ngames = 2\n"))
            .unwrap();
    let text = format!(
        "{HEAD}[[group]]\nname = \"new\"\nkind = \"round-robin\"\ngames = 2\n[[group]]\nname = \"main\"\nkind = \"round-robin\"\ngames = 4\n"
    );
    let large = read(&text).unwrap();
    let seeds: Vec<u64> = large.meetings.iter().map(|meeting| meeting.pairing.seed).collect();
    assert_eq!(seeds.iter().collect::<BTreeSet<_>>().len(), 6, "all differ: {seeds:?}");
    assert_eq!(large.meetings[3].pairing.seed, small.meetings[0].pairing.seed);
    let other =
        read(&format!("{HEAD}[terms]\nseed = 2\n[[group]]\nkind = \"round-robin\"\ngames = 4\n")).unwrap();
    assert_ne!(other.meetings[0].pairing.seed, small.meetings[0].pairing.seed);
}

#[test]
fn a_group_may_have_terms_of_its_own() {
    let experiment = read(&format!(
        "{HEAD}
         [terms]
         size = 7
         komi = 6.5
         playouts = 50
         resign = \"never\"
         [[group]]
         name = \"one\"
         kind = \"round-robin\"
         games = 2
         [[group]]
         name = \"two\"
         kind = \"round-robin\"
         sprt = {{ elo0 = 0, elo1 = 10, max-games = 100 }}
         terms = {{ size = \"9x5\", time = 0.5, clock = \"5m+3x10\" }}"
    ))
    .unwrap();
    let (one, two) = (&experiment.meetings[0].pairing.terms, &experiment.meetings[3].pairing.terms);
    assert_eq!((one.size.to_string(), two.size.to_string()), ("7x7".to_string(), "9x5".to_string()));
    assert_eq!((one.komi, two.komi, two.allowance.playouts), (6.5, 6.5, Some(50)));
    assert_eq!((one.manners.resign_below, two.allowance.time.unwrap().as_millis()), (None, 500));
    assert_eq!(one.allowance.time, None);
    let Stop::Sprt { test, max_games: 100 } = experiment.meetings[3].stop else { panic!("a test") };
    assert_eq!((test.elo1, test.alpha), (10.0, 0.05));
}

#[test]
fn openings_are_looked_for_beside_the_file() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("begin")).unwrap();
    std::fs::write(dir.path().join("begin/one.sgf"), "(;SZ[9];B[cc];W[gg])").unwrap();
    let text = format!("{HEAD}[terms]\nopenings = \"begin\"\n[[group]]\nkind = \"round-robin\"\ngames = 2\n");
    let path = dir.path().join("x.toml");
    std::fs::write(&path, &text).unwrap();
    let experiment = Experiment::load(&path).unwrap();
    let meeting = &experiment.meetings[2];
    assert_eq!(meeting.pairing.setup(2).position().unwrap().plays().len(), 2);
    assert!(
        meeting.settings()["openings"].as_str().unwrap().starts_with("1 record"),
        "{:?}",
        meeting.settings()
    );
    // The same text elsewhere is read if what it names need not be.
    assert!(error(&text).starts_with("x.toml, line 7: "));
    let page = TomlFile { path: PathBuf::from("x.toml"), text, follow: false };
    assert_eq!(Experiment::of_page("x", page).unwrap().meetings.len(), 3);
}

#[test]
fn published_numbers_find_their_players() {
    let experiment = read(
        "title = \"t\"
         [players]
         rave = \"goyui-rave\"
         bma = { recipe = \"goyui-bma\", mixer.prior = [10, 100] }
         [[group]]
         name = \"main\"
         kind = \"gauntlet\"
         opponents = [\"rave\"]
         games = 2
         [[published]]
         group = \"main\"
         measure = \"rate\"
         against = \"GNU Go\"
         rows = [{ player = \"bma\", x = 1e2, value = 22.71, plus-minus = 0.43 }, { player = \"bma\", x = 70, value = 22.64 },
                 { player = \"rave\", value = 20 }, { player = \"bma mixer.prior=10\", value = 14.75 }]",
    )
    .unwrap();
    let rows = &experiment.published[0].rows;
    let found: Vec<_> = rows.iter().map(|row| (row.player, row.x)).collect();
    assert_eq!(found, [(Some(2), Some(100.0)), (None, Some(70.0)), (Some(0), None), (Some(1), Some(10.0))]);
    assert_eq!((rows[0].plus_minus, experiment.published[0].group), (Some(0.43), Some(0)));
}

#[test]
fn errors_name_line_and_expectation() {
    let group = "[[group]]\nkind = \"round-robin\"\ngames = 2\n";
    let cases = [
        (format!("titel = \"t\"\n{group}"), "x.toml, line 1: unknown key `titel`; did you mean `title`?"),
        (format!("{HEAD}{group}game = 3\n"), "line 9: unknown key `game`; did you mean `games`?"),
        (
            format!("{HEAD}[terms]\nplayout = 3\n{group}"),
            "line 7: unknown key `playout`; did you mean `playouts`?",
        ),
        (
            format!("{HEAD}[terms]\nplayouts = 0\n{group}"),
            "line 7: playouts = 0: expected a whole number, at least 1",
        ),
        (format!("{HEAD}[terms]\nsize = 99\n{group}"), "line 7: "),
        (format!("{HEAD}[terms]\nrules = \"chines\"\n{group}"), "line 7: "),
        (format!("{HEAD}[terms]\nhandicap = 1\n{group}"), "line 7: handicap = 1: one stone is no handicap"),
        (format!("{HEAD}[terms]\nhandicap = 30\n{group}"), "line 7: "),
        (format!("{HEAD}[terms]\nopenings = \"balanced:0\"\n{group}"), "line 7: "),
        (
            format!("{HEAD}[terms]\nopenings = \"balanced:5\"\nhandicap = 2\n{group}"),
            "line 8: handicap: handicap stones need an empty board",
        ),
        (
            format!("{HEAD}d = \"defualt\"\n{group}"),
            "line 6: player \"d\": unknown recipe `defualt`; did you mean `default`?",
        ),
        (
            format!("{HEAD}[players.d]\nrecipe = \"goyui-bma\"\nmixer.pior = [1, 2]\n{group}"),
            "line 8: player \"d mixer.pior=1\": unknown key `mixer.pior`",
        ),
        (format!("{HEAD}[players.d]\nmixer.prior = [1, 2]\n{group}"), "line 6: player \"d\" has no recipe"),
        (
            format!("{HEAD}[players.d]\nrecipe = \"uct\"\nselect.c = [1, 1]\n{group}"),
            "select.c has the value 1 twice",
        ),
        (
            format!("{HEAD}[players.d]\nrecipe = \"uct\"\nselect.c = []\n{group}"),
            "expected at least one value",
        ),
        (
            format!("{HEAD}[players.d]\nrecipe = \"gtp:x\"\nlevel = 3\n{group}"),
            "expected {level} in its command line",
        ),
        (format!("{HEAD}d = 3\n{group}"), "line 6: player \"d\": expected a recipe in quotes"),
        (
            format!("{HEAD}{group}players = [\"a\", \"bb\"]\n"),
            "line 9: there is no player \"bb\"; did you mean",
        ),
        (format!("{HEAD}{group}players = [\"a\"]\n"), "no pairing"),
        (format!("{HEAD}{group}sprt = {{ elo0 = 5, elo1 = 0, max-games = 10 }}\n"), "has games and sprt"),
        (
            format!("{HEAD}[[group]]\nkind = \"round-robin\"\n"),
            "line 6: group \"main\": expected games = N or sprt",
        ),
        (
            format!(
                "{HEAD}[[group]]\nkind = \"round-robin\"\nsprt = {{ elo0 = 5, elo1 = 0, max-games = 10 }}\n"
            ),
            "line 8: sprt: elo0 is 5 and elo1 is 0",
        ),
        (
            format!(
                "{HEAD}[[group]]\nkind = \"round-robin\"\nsprt = {{ elo0 = 0, elo1 = 5, max-games = 11 }}\n"
            ),
            "max-games = 11: expected an even number",
        ),
        (format!("{HEAD}[[group]]\nkind = \"gauntlet\"\ngames = 2\n"), "a gauntlet needs opponents"),
        (format!("{HEAD}[[group]]\nkind = \"ladder\"\ngames = 2\n"), "line 7: kind = \"ladder\": expected "),
        (format!("{HEAD}{group}{group}"), "each of several groups needs a name"),
        (HEAD.to_string(), "nothing to play"),
        (format!("parallel = 0\n{HEAD}{group}"), "line 1: parallel = 0"),
        (format!("parallel = 600\n{HEAD}{group}"), "line 1: parallel = 600: expected 1 to 256"),
        (format!("parallel = -1\n{HEAD}{group}"), "line 1: parallel = -1: expected a whole number from 0"),
        (
            format!("{HEAD}[[group]]\nkind = \"round-robin\"\ngames = -3\n"),
            "line 8: games = -3: expected a whole number from 0",
        ),
        (
            format!("{HEAD}[[group]]\nkind = \"round-robin\"\ngames = 2.5\n"),
            "line 8: games = 2.5: expected a whole number from 0",
        ),
        (
            format!("anchor = {{ player = \"a\", elo = \"high\" }}\n{HEAD}{group}"),
            "line 1: elo = \"high\": expected a number",
        ),
        (
            format!("{HEAD}[terms]\ntime = -1\n{group}"),
            "line 7: time = -1: expected a positive number of seconds",
        ),
        (
            format!("{HEAD}[terms]\ntime = 1e300\n{group}"),
            "line 7: time = 1e300: expected a positive number of seconds",
        ),
        (
            format!("anchor = {{ player = \"z\", elo = 1 }}\n{HEAD}{group}"),
            "line 1: there is no player \"z\"",
        ),
        (
            format!(
                "{HEAD}{group}[[published]]\nmeasure = \"rate\"\nagainst = \"x\"\nrows = [{{ player = \"q\", value = 1 }}]\n"
            ),
            "line 12: there is no player \"q\"",
        ),
        (
            format!(
                "{HEAD}[[trace]]\nname = \"n\"\nplayers = [\"c\"]\nboard = \". .\\n. .\"\nplayouts = 10\n"
            ),
            "\"c\" has no recipe to watch",
        ),
        (format!("{HEAD}[[trace]]\nname = \"n\"\nplayers = [\"a\"]\nplayouts = 10\n"), "expected a record"),
        (
            format!("{HEAD}[[trace]]\nname = \"n\"\nplayers = [\"a\"]\nsgf = \"none.sgf\"\nplayouts = 10\n"),
            "none.sgf",
        ),
    ];
    for (text, expected) in cases {
        let error = error(&text);
        assert!(
            error.starts_with("x.toml") && error.contains(expected),
            "{error}\nnot {expected}\nin {text}"
        );
    }
}
