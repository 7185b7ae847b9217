//! What real clients send, as they send it: pipelined, with carriage returns, with ids, with stray spaces.

use player::Manners;
use player::engine::{LevelMeans, Options};

use crate::engine_support::{Puppet, engine, engine_with, output};

/// The replies to a transcript; every one must be a success.
#[track_caller]
fn successes(input: &str) -> Vec<String> {
    // As `tengen gtp` has it, with players of levels.
    let levels = Some(LevelMeans { settings: mcts::Settings::default(), manners: Manners::default() });
    let options = Options { levels, ..Options::default() };
    let text = output(&mut engine_with(Puppet::playing(&["C3", "D4", "pass"]), options), input.as_bytes());
    let replies: Vec<String> =
        text.split("\n\n").filter(|reply| !reply.is_empty()).map(str::to_string).collect();
    let refused: Vec<&String> = replies.iter().filter(|reply| !reply.starts_with('=')).collect();
    assert!(refused.is_empty(), "{refused:?}");
    replies
}

#[test]
fn gogui_twogtp() {
    let replies = successes(
        "protocol_version\nname\nversion\nlist_commands\nboardsize 9\nclear_board\nkomi 6.5\ncputime\nboardsize 9\n\
         clear_board\ntime_settings 60 0 0\ngenmove b\nplay W E5\ngenmove b\nplay W PASS\ngenmove b\nfinal_score\ncputime\n",
    );
    assert_eq!(replies.len(), 18);
    assert_eq!(replies[11], "= C3");
    assert!(replies[16].starts_with("= B+") || replies[16].starts_with("= W+"));
}

#[test]
fn gogui() {
    let replies = successes(
        "name\nprotocol_version\nversion\nlist_commands\nboardsize 9\nclear_board\nkomi 6.5\ntime_settings 60 60 5\n\
         time_left b 60 0\ngenmove b\ngg-undo 1\ngogui-play_sequence b D4 w E5 b D6\nfinal_status_list dead\n",
    );
    assert_eq!(replies[9], "= C3");
}

#[test]
fn gomill() {
    let replies = successes(
        "protocol_version\nname\nversion\nknown_command gomill-describe_engine\ngomill-describe_engine\nboardsize 9\n\
         clear_board\nkomi 6.5\ngenmove b\nknown_command gomill-explain_last_move\ngomill-explain_last_move\nplay w e5\n\
         genmove b\nplay w pass\nknown_command final_score\nfinal_score\nknown_command gomill-cpu_time\n",
    );
    for n in [3, 9, 14, 16] {
        assert_eq!(replies[n], "= true");
    }
    let refused = output(&mut engine(Puppet::playing(&[])), b"play b a1\nplay w a1");
    assert_eq!(refused, "= \n\n? illegal move\n\n");
}

#[test]
fn sabaki() {
    let replies = successes(
        "name\nversion\nprotocol_version\nlist_commands\nprotocol_version\nkomi 6.5\nboardsize 9\nclear_board\n\
         set_free_handicap C7 G3\nplay W E5\nplay B F5\ngenmove W\nundo\nprotocol_version\nkomi 0\n\
         rectangular_boardsize 9 7\nclear_board\nplay B C3\n",
    );
    assert_eq!((replies.len(), replies[11].as_str()), (18, "= C3"));
}

#[test]
fn lizzie() {
    let replies = successes(
        "1 name\n2 version\n3 boardsize 19\n4 komi 7.5\n5 play B K10\n6 time_settings 0 5 1\n7 genmove W\n8 name\n",
    );
    for (n, reply) in replies.iter().enumerate() {
        assert!(reply.starts_with(&format!("={} ", n + 1)), "{reply}");
    }
}

#[test]
fn lizzie_yzy() {
    let replies = successes(
        "name\nversion\nlist_commands\nkomi 7.5\nboardsize 19\ntime_left b 12.34 0\nkata-get-rules\n\
         kata-set-rules chinese\nclear_cache\nstop\nstop-ponder\nplay B Q16\nundo\n",
    );
    assert!(replies[2].starts_with("= protocol_version\n"));
}

#[test]
fn cgos() {
    let replies = successes(
        "list_commands\nboardsize 9\nkomi 7.0\ntime_settings 120 0 0\ncgos-opponent_name gnugo-l1\n\
         cgos-opponent_rating 1800?\nclear_board\ntime_left b 120 0\ngenmove b\nplay w e5\ntime_left b 119 0\n\
         genmove b\ncgos-gameover W+22.0\nget_komi\n",
    );
    assert_eq!((replies[8].as_str(), replies[13].as_str()), ("= C3", "= 7"));
}

#[test]
fn gtp2ogs() {
    let replies = successes(
        "list_commands\r\nboardsize 9\r\nclear_board\r\nkomi 6.5\r\nplay black e5\r\nplay white c4\r\n\
         kgs-time_settings byoyomi 600 30 5\r\ntime_left black 600 0\r\ntime_left white 25 4\r\ngenmove black\r\n\
         kata-time_settings fischer-capped 120 10 240 -1\r\ntime_left black 100 0\r\ngenmove white\r\n\
         boardsize 9 7\r\nclear_board\r\nplace_free_handicap 2\r\nfinal_score\r\nshowboard\r\n",
    );
    assert_eq!((replies[9].as_str(), replies[12].as_str()), ("= C3", "= D4"));
    assert_eq!(replies[15], "= C3 G5");
}

#[test]
fn kgs_gtp() {
    let replies = successes(
        "list_commands\nname\nversion\nboardsize 9\nclear_board\nkomi 0.5\nkgs-rules japanese\n\
         kgs-time_settings canadian 600 300 25\ntime_left b 600 0\nplace_free_handicap 2\nkgs-rules chinese\nplay w e5\n\
         genmove b\nundo\nfinal_status_list dead\nkgs-genmove_cleanup b\nkgs-game_over\nlist_stones w\n",
    );
    assert!(!replies[0].contains("kgs-chat"));
    assert_eq!(replies[17], "= E5");
}

#[test]
fn q5go() {
    let replies = successes(
        "1 protocol_version\n2 boardsize 9\n3 clear_board\n4 komi 6.5\n5 known_command lz-analyze\n\
         6 known_command kata-set-rules\n7 kata-set-rules tromp-taylor\n8 time_settings 1 1 0\n9 time_left white 10 0\n\
         10 play black G7\n11 play black C3\n12 play white pass\n13  genmove black\n14 undo\n\
         15 known_command known_command\n16 known_command final_score\n17 final_score\n18 komi 1e+06\n",
    );
    assert_eq!(replies[0], "=1 2");
    // C3 is taken, so the puppet's move is refused and becomes a pass; what matters is the id behind two spaces.
    assert_eq!(replies[12], "=13 pass");
    assert_eq!(replies[14], "=15 true");
}

#[test]
fn qgo() {
    successes(
        "protocol_version\nboardsize 9\nclear_board\nknown_command level\nfixed_handicap 2\nplay white E5\n\
         play black pass\ngenmove white\nundo\nfinal_status E5\nfinal_status_list alive\nshowboard\n",
    );
}

/// Kigo 22.12 starts the engine once to see whether it works, then tells the strength of each player before each of its moves.
#[test]
fn kigo() {
    let look = "list_stones black\nlist_stones white\ncaptures white\ncaptures black\n";
    let replies = successes(&format!(
        "name\nversion\nclear_board\n{look}boardsize 9\n{look}fixed_handicap 4\n{look}komi 4.5\nlevel 1\ngenmove white\n{look}\
         level 10\nplay black E5\n{look}level 1\ngenmove white\n{look}undo\n{look}final_score\n",
    ));
    assert_eq!(replies[9], "= ", "an empty list of stones");
    assert!(replies[13].starts_with("= ") && replies[13].len() > 8, "the handicap stones: {}", replies[13]);
}
