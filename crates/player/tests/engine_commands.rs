//! Every command of the engine by script, and a check that none is left out.

mod engine_support;

use engine_support::{Puppet, check, engine, engine_with, output};
use player::engine::{Options, registry};

/// The scripts, one per group. A reply is compared line by line; see `check`.
const SCRIPTS: [(&str, &str); 12] = [
    ("basic", BASIC),
    ("legality", LEGALITY),
    ("handicap", HANDICAP),
    ("timing", TIMING),
    ("score", SCORE),
    ("rules", RULES),
    ("query", QUERY),
    ("session", SESSION),
    ("analysis", ANALYSIS),
    ("gogui", GOGUI),
    ("gomill", GOMILL),
    ("servers", SERVERS),
];

#[test]
fn scripts_are_answered_as_written() {
    for (name, script) in SCRIPTS {
        println!("script {name}");
        check(&mut engine(Puppet::playing(&["C3", "pass", "resign", "D4"])), script);
    }
}

#[test]
fn every_command_is_in_a_script() {
    // Those that work on files or depend on options have tests of their own.
    let elsewhere = ["loadsgf", "printsgf", "gomill-savesgf", "help", "list_commands", "quit"];
    let timely = ["cputime", "gomill-cpu_time"];
    let words: Vec<&str> = SCRIPTS.iter().flat_map(|(_, script)| script.split_whitespace()).collect();
    for info in registry(&Options::default()).unwrap().catalog().iter() {
        let known =
            elsewhere.contains(&info.name) || timely.contains(&info.name) || words.contains(&info.name);
        assert!(known, "no script calls {}", info.name);
        assert!(!info.doc.is_empty() && info.doc.ends_with('.'), "{}: {:?}", info.name, info.doc);
    }
}

// The puppet has nothing to show; what a search shows is tested in `engine_analysis`.
const ANALYSIS: &str = "
    > lz-analyze 10
    ? cannot analyze: it only gives moves
    > kata-analyze b 10 avoid b A9 1
    ? syntax error: \"A9\" is no point of a 5x5 board: expected a column letter (without I) and a row number, like B2, or pass
    > lz-genmove_analyze b 10
    =
    play C3
    > kata-genmove_analyze w
    =
    play pass
    > cgos-genmove_analyze b
    =
    play resign
    > tengen-gfx
    ? the player shows nothing of what it thinks
    > tengen-value b
    ? the player shows nothing of what it thinks
    > tengen-pv w
    ? the player shows nothing of what it thinks
    > tengen-policy
    ? the player shows nothing of what it thinks
    > tengen-winrate green
    ? syntax error: expected colour (b, w, black, white), got \"green\"
    > tengen-param live_graphics true
    =
    > tengen-param seconds 0.5
    =
    > tengen-param
    = [bool] live_graphics 1
    [string] playouts
    [string] seconds 0.5
    > tengen-param seconds
    =
    > tengen-param no_such 1
    ? syntax error: expected name of a setting (live_graphics, playouts, seconds), got \"no_such\"
";

const BASIC: &str = "
    > protocol_version
    = 2
    > name
    = Tengen
    > known_command genmove
    = true
    > known_command kgs-chat
    = false
    > boardsize 1
    ? unacceptable size
    > boardsize 26
    ? unacceptable size
    > boardsize -3
    ? unacceptable size
    > boardsize nine
    ? syntax error: expected an integer board size, got \"nine\"
    > boardsize 7
    =
    > boardsize 5 3
    =
    > query_boardsize
    = 5 3
    > rectangular_boardsize 3 2
    =
    > query_boardsize
    = 3 2
    > boardsize 5
    =
    > komi 6.5
    =
    > komi -3
    =
    > komi 1e+06
    =
    > komi nan
    ? syntax error: expected a number as komi, got \"nan\"
    > komi 1e39
    ? komi must be at least -10000000 and at most 10000000, got \"1e39\"
    > komi 1e+08
    ? komi must be at least -10000000 and at most 10000000, got \"1e+08\"
    > get_komi
    = 1000000
    > final_score
    = W+1000000
    > komi -0
    =
    > get_komi
    = 0
    > komi 7
    =
    > clear_board
    =
    > boardsize 5
    =
    > get_komi
    = 7
    > undo
    ? cannot undo
    > play b e5
    =
    > play WHITE d5
    =
    > play w e4
    =
    > play b E5
    ? illegal move
    > showboard
    =
    A B C D E
    5 . . . O . 5
    4 . . . .(O)4
    3 . . . . . 3
    2 . . . . . 2
    1 . . . . . 1
    A B C D E
    Black to play, komi 7, move 3: White E4
    Captures: Black (X) 0, White (O) 1
    > play b i5
    ? syntax error: \"i5\" is no point of a 5x5 board: expected a column letter (without I) and a row number, like B2, or pass
    > play b
    ? syntax error: missing vertex
    > play green a1
    ? syntax error: expected colour (b, w, black, white), got \"green\"
    > gg-undo 4
    ? cannot undo
    > gg-undo 2
    =
    > undo
    =
    > move_history
    =
    > reg_genmove b
    = C3
    > last_move
    ? no previous move known
    > genmove w
    = pass
    > genmove b
    = resign
    > genmove b
    = D4
    > move_history
    = black D4
    white pass
    > play w pass
    =
    > play b PASS
    =
    > play b a1
    =
    > genmove b
    = pass
";

const LEGALITY: &str = "
    > gogui-play_sequence b b5 w d5 b a4 w e4 b b3 w d3 b c4 w b4
    ? illegal move
    > gogui-play_sequence b b5 w c5 b a4 w d4 b b3 w c3 b c4 w b4
    =
    > play b c4
    ? illegal move
    > all_legal b
    = A5 D5 E5 E4 A3 D3 E3 A2 B2 C2 D2 E2 A1 B1 C1 D1 E1
    > play b e1
    =
    > play w d1
    =
    > play b c4
    =
    > kata-set-rule suicide false
    =
    > clear_board
    =
    > gogui-play_sequence b a4 b b5
    =
    > play w a5
    ? illegal move
    > is_legal w a5
    = 0
    > is_legal b a5
    = 1
    > kata-set-rules tromp-taylor
    =
    > is_legal w a5
    = 0
    > gogui-play_sequence w a3 w b4 w c5
    =
    > is_legal b a5
    = 1
    > play b a5
    =
    > captures w
    = 3
";

const HANDICAP: &str = "
    > boardsize 9
    =
    > fixed_handicap 10
    ? invalid number of stones: 10 handicap stones on a 9x9 board: expected 2 to 9
    > fixed_handicap 1
    ? invalid number of stones: 1 handicap stone on a 9x9 board: expected 2 to 9
    > fixed_handicap 5
    = C3 G7 C7 G3 E5
    > fixed_handicap 2
    ? board not empty: handicap stones need an empty board
    > clear_board
    =
    > place_free_handicap 3
    = C3 G7 C7
    > clear_board
    =
    > set_free_handicap a1 A1
    ? bad vertex list: handicap stone A1: expected different points of a 9x9 board
    > set_free_handicap pass c3
    ? syntax error: expected a point of the board, got \"pass\"
    > set_free_handicap c3 g7
    =
    > list_stones b
    = G7 C3
    > undo
    ? cannot undo
    > final_score
    = B+79
";

const TIMING: &str = "
    > time_settings 60 0 0
    =
    > time_settings 0 1 0
    =
    > time_settings 1 1 0
    =
    > time_settings 0 20 1
    =
    > time_settings 300 60
    ? syntax error: missing number of stones
    > time_settings -1 0 0
    ? main time must be at least 0, got \"-1\"
    > time_left b 12.34 0
    =
    > time_left w 0 0
    =
    > time_left b -1 1
    =
    > kgs-time_settings none
    =
    > kgs-time_settings absolute 900
    =
    > kgs-time_settings byoyomi 600 30 5
    =
    > kgs-time_settings canadian 600 300 25
    =
    > kgs-time_settings fischer 10 5
    ? syntax error: expected time system (none, absolute, byoyomi, canadian), got \"fischer\"
    > kata-list_time_settings
    = none absolute byoyomi canadian fischer fischer-capped
    > kata-time_settings none
    =
    > kata-time_settings absolute 100
    =
    > kata-time_settings byoyomi 10 5.5 3
    =
    > kata-time_settings canadian 10 60 20
    =
    > kata-time_settings fischer 120 10
    =
    > kata-time_settings fischer-capped 120 10 240 -1
    =
    > kata-time_settings fischer-capped 120 10 -1 20
    =
    > kata-time_settings fischer 120
    ? syntax error: missing increment
";

const SCORE: &str = "
    > komi 6.7
    =
    > gogui-setup b a4 b b4 b c4 b d4 b e4 w a2 w b2 w c2 w d2 w e2 b b5 b d5 w b1 w d1
    =
    > final_score
    = W+6.7
    > final_status a4
    = alive
    > final_status a5
    = black_territory
    > final_status c1
    = white_territory
    > final_status c3
    = dame
    > final_status_list alive
    = B5 D5 A4 B4 C4 D4 E4
    A2 B2 C2 D2 E2 B1 D1
    > final_status_list dead
    =
    > final_status_list dame
    = A3 B3 C3 D3 E3
    > final_status_list black_territory
    = A5
    C5
    E5
    > final_status_list strange
    ? syntax error: expected status (alive, dead, seki, black_territory, white_territory, dame), got \"strange\"
    > final_status_list seki
    =
    > clear_board
    =
    > gogui-setup b a4 b b4 b c4 b d4 b e4 b a2 b b2 b c2 b d2 b e2 w c5
    =
    > final_status_list dead
    = C5
    > final_status C5
    = dead
    > final_status pass
    ? syntax error: expected a point of the board, got \"pass\"
    > final_score
    = B+18.3
    > kata-set-rules tromp-taylor
    =
    > final_score
    = B+12.3
";

const RULES: &str = "
    > kata-get-rules
    = {\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\",\"whiteHandicapBonus\":\"N\"}
    > komi 5.5
    =
    > play b c3
    =
    > kata-set-rules japanese
    =
    > kata-set-rules {\"ko\":\"SITUATIONAL\", \"scoring\":\"AREA\", \"suicide\":true, \"tax\":\"NONE\", \"whiteHandicapBonus\":\"N-1\", \"hasButton\":false}
    =
    > kata-get-rules
    = {\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"SITUATIONAL\",\"scoring\":\"AREA\",\"suicide\":true,\"tax\":\"NONE\",\"whiteHandicapBonus\":\"N-1\"}
    > kata-set-rules {\"ko\":
    ? syntax error: EOF while parsing a value at line 1 column 6; expected rules like {\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"POSITIONAL\",\"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\",\"whiteHandicapBonus\":\"N\"}
    > kata-set-rules {\"ko\":\"often\"}
    ? rule ko=often: expected one of simple, positional, situational
    > kata-set-rule tax ALL
    =
    > kata-set-rule color red
    ? no rule \"color\"; known: ko, suicide, scoring, tax, bonus, button, friendly-pass
    > kgs-rules chinese
    =
    > kata-get-rules
    = {\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"POSITIONAL\",\"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\",\"whiteHandicapBonus\":\"N\"}
    > kgs-rules new_zealand
    =
    > list_stones b
    = C3
    > get_komi
    = 5.5
";

const QUERY: &str = "
    > play b a1
    =
    > play w b1
    =
    > color a1
    = black
    > color b1
    = white
    > color c1
    = empty
    > countlib a1
    = 1
    > findlib b1
    = B2 C1
    > countlib c1
    ? vertex must not be empty: there is no stone at C1
    > last_move
    = white B1
    > play w a2
    =
    > captures white
    = 1
    > captures black
    = 0
    > list_stones white
    = A2 B1
    > is_legal b a1
    = 0
    > all_legal b
    = A5 B5 C5 D5 E5 A4 B4 C4 D4 E4 A3 B3 C3 D3 E3 B2 C2 D2 E2 C1 D1 E1
    > move_history
    = white A2
    white B1
    black A1
    > query_boardsize
    = 5
    > get_komi
    = 0
";

const SESSION: &str = "
    > version
    = VERSION
    > clear_cache
    =
    > stop
    =
    > stop-ponder
    =
    > echo two  words
    = two  words
    > echo_err x
    = x
    > nonsense
    ? unknown command
";

const GOGUI: &str = "
    > gogui-title
    = Tengen VERSION
    > gogui-version 1.6.0
    =
    > gogui-interrupt
    =
    > gogui-setup b a1 w b1 b a2
    =
    > gogui-setup b a1 w a2 w b1
    ? the chain of the Black stone at A1 has no liberty
    > gogui-setup_player w
    =
    > showboard
    =
    A B C D E
    5 . . . . . 5
    4 . . . . . 4
    3 . . . . . 3
    2 X . . . . 2
    1 X O . . . 1
    A B C D E
    White to play, komi 0
    Captures: Black (X) 0, White (O) 0
    > gogui-play_sequence w c3 b d4 w pass
    =
    > gogui-play_sequence b d5 w c3
    ? illegal move
    > gogui-setup b e5
    ? stones can be set up only before the first move: clear_board first
    > last_move
    = white pass
    > boardsize 2
    =
    > gogui-analyze_commands
    = gfx/Search/tengen-gfx %m
    string/Value/tengen-value %m
    varc/Expected Line/tengen-pv %c
    pspairs/Policy in Percent/tengen-policy %m
    pspairs/Win Rates in Percent/tengen-winrate %m
    param/Settings/tengen-param
    dboard/Ownership/tengen-ownership
    plist/Dead Stones/final_status_list dead
    plist/Stones in Seki/final_status_list seki
    plist/Legal Moves/all_legal %m
    plist/Liberties/findlib %p
    string/Status of Stone/final_status %p
    string/Final Score/final_score
    string/Explain Last Move/gomill-explain_last_move
    string/Show Rules/kata-get-rules
    none/Change Rules/kata-set-rules %s
    none/Clear Cache/clear_cache
    string/CPU Time/cputime
    > gogui-setup b a1 b b2
    =
    > tengen-ownership
    =
    1.00 1.00
    1.00 1.00
";

const GOMILL: &str = "
    > gomill-describe_engine
    = Tengen VERSION
    rules: chinese
    > gomill-explain_last_move
    =
    > gomill-genmove_ex
    =
    > gomill-genmove_ex b claim
    = C3
    > gomill-explain_last_move
    = I was told so
    > clear_board
    =
    > gomill-explain_last_move
    =
";

const SERVERS: &str = "
    > cgos-opponent_name gnugo-l1
    =
    > cgos-opponent_rating 1800?
    =
    > kgs-genmove_cleanup w
    = C3
    > kgs-game_over
    =
    > last_move
    = white C3
    > cgos-gameover W+22.0
    =
";

#[test]
fn processor_time_is_a_number() {
    let text = output(&mut engine(Puppet::playing(&[])), b"cputime\ngomill-cpu_time");
    for reply in text.split("\n\n").filter(|reply| !reply.is_empty()) {
        let seconds: f64 = reply.strip_prefix("= ").unwrap().parse().unwrap();
        assert!(seconds > 0.0 && seconds < 1e6);
    }
}

#[test]
fn chat_is_there_only_when_asked_for() {
    let options = Options {
        has_chat: true,
        name: "Leela".to_string(),
        version: "0.17".to_string(),
        ..Options::default()
    };
    check(
        &mut engine_with(Puppet::playing(&["C3"]), options),
        "
        > name
        = Leela
        > version
        = 0.17
        > kgs-chat game somebody hello there
        = I am Leela 0.17, a program, and know one word: ask me why I played my last move.
        > genmove b
        = C3
        > kgs-chat private somebody Why?
        = I was told so
        > kgs-chat loud somebody why
        ? syntax error: expected kind of chat (game, private), got \"loud\"
        ",
    );
}

#[test]
fn help_tells_of_every_command() {
    let text = output(&mut engine(Puppet::playing(&[])), b"help\nlist_commands\nhelp gg-undo");
    let replies: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(replies[0].lines().count(), replies[1].lines().count());
    assert!(replies[1].starts_with("= protocol_version\n"));
    assert_eq!(replies[2], "= gg-undo [N]: Takes back the last N moves, or none if there are fewer.");
}
