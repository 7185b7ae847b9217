use super::*;
use crate::protocol::ask::{ClockTerms, Side};

fn terms() -> NewGame {
    NewGame {
        size: 5,
        color: Side::Black,
        komi: 0.5,
        rules: "chinese".to_string(),
        handicap: 0,
        level: 1,
        net: None,
        clock: None,
        teach: false,
    }
}

fn v(text: &str) -> Vertex {
    Size::square(5).unwrap().parse_vertex(text).unwrap()
}

/// Black C3, White C4, and so on.
fn game(moves: &[&str]) -> Table {
    let mut table = Table::new(terms()).unwrap();
    moves.iter().for_each(|text| table.play(v(text)).unwrap());
    table
}

#[test]
fn terms_are_checked() {
    for (change, part) in [
        (NewGame { size: 4, ..terms() }, "expected 5 to 25"),
        (NewGame { size: 26, ..terms() }, "expected 5 to 25"),
        (NewGame { level: 14, ..terms() }, "level 14: expected 1 to 13"),
        (NewGame { rules: "chess".to_string(), ..terms() }, "chess"),
        (NewGame { komi: f32::NAN, ..terms() }, "komi"),
        (NewGame { komi: 1e9, ..terms() }, "komi"),
        (NewGame { handicap: 1, ..terms() }, "one stone is no handicap"),
        (NewGame { handicap: 80, ..terms() }, "80"),
        (NewGame { clock: Some(ClockTerms { main: -1.0, period: 0.0, periods: 0 }), ..terms() }, "clock"),
    ] {
        let error = Table::new(change).unwrap_err();
        assert!(error.message.contains(part), "{error:?}");
    }
}

#[test]
fn a_game_is_played_counted_and_ended() {
    let mut table = game(&["C3"]);
    assert!(table.is_ours());
    assert_eq!(table.visitor_plays(v("A1"), 1).unwrap_err().kind, Kind::State);
    table.play(v("C4")).unwrap();
    assert!(table.visitor_plays(v("A1"), 1).unwrap_err().message.contains("after 1 moves, but 2"));
    assert_eq!(table.visitor_plays(v("C4"), 2).unwrap_err().kind, Kind::Illegal);
    table.visitor_plays(Vertex::PASS, 2).unwrap();
    table.play(Vertex::PASS).unwrap();
    assert!(table.is_counting() && table.accept().is_ok());
    // Nothing surrounds anything: a stone each, and half a point for White.
    assert_eq!(table.view(false).result.as_deref(), Some("W+0.5"));
    assert!(table.play(v("A1")).unwrap_err().message.contains("the game is over"));
}

#[test]
fn dead_chains_change_the_count() {
    let mut table = game(&["C3", "C4", "pass", "pass"]);
    assert_eq!(table.toggle_dead(v("A1")).unwrap_err().kind, Kind::Illegal);
    table.toggle_dead(v("C4")).unwrap();
    let score = table.view(false).score.unwrap();
    assert_eq!((score.result.as_str(), score.black.stones, score.black.territory), ("B+24.5", 1, 24));
    table.toggle_dead(v("C4")).unwrap();
    assert_eq!(table.view(false).score.unwrap().result, "W+0.5");
    table.resume().unwrap();
    assert!(table.is_theirs() && table.position().plays().len() == 2);
}

#[test]
fn whoever_says_that_all_stones_live_is_not_asked_again() {
    let mut table = game(&["C3", "C4", "pass", "pass"]);
    assert!(table.is_unjudged());
    table.judge(vec![v("C4")]);
    table.toggle_dead(v("C4")).unwrap();
    assert!(!table.is_unjudged());
    let again = Table::from_kept(table.to_kept().unwrap().as_bytes()).unwrap();
    assert!(again.is_counting() && !again.is_unjudged());
}

#[test]
fn undo_goes_back_to_the_visitor() {
    let mut table = game(&["C3", "C4", "C2"]);
    table.undo().unwrap();
    assert!(table.is_theirs() && table.position().plays().len() == 2);
    table.undo().unwrap();
    assert!(table.position().plays().is_empty() && table.undo().is_err());
    let mut over = game(&["C3"]);
    over.resign(Color::Black).unwrap();
    assert_eq!(over.view(false).result.as_deref(), Some("W+R"));
    over.undo().unwrap();
    assert_eq!((over.view(false).result, over.is_theirs()), (None, true));
}

#[test]
fn a_kept_game_comes_back_as_it_was() {
    let mut table = game(&["C3", "C4", "pass", "pass"]);
    table.toggle_dead(v("C4")).unwrap();
    let again = Table::from_kept(table.to_kept().unwrap().as_bytes()).unwrap();
    assert_eq!(
        serde_json::to_string(&again.view(false)).unwrap(),
        serde_json::to_string(&table.view(false)).unwrap()
    );
    let clock = Some(ClockTerms { main: 100.0, period: 10.0, periods: 3 });
    let timed = Table::new(NewGame { clock, ..terms() }).unwrap();
    let again = Table::from_kept(timed.to_kept().unwrap().as_bytes()).unwrap();
    assert!(again.view(false).clock.unwrap().left[1].0 > 99.0);
    // A record for others does not speak of us.
    assert!(!table.to_sgf().unwrap().contains("TENGEN["));
    assert!(Table::from_kept(table.to_sgf().unwrap().as_bytes()).is_err());
}

#[test]
fn records_of_others_are_gone_on_with() {
    let table = Table::from_sgf(b"(;SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc])", Side::White, 2, None).unwrap();
    assert!(table.is_ours() && table.position().komi() == 6.5);
    for (text, part) in [
        ("", "no game"),
        ("hello", "SGF"),
        ("(;SZ[3];B[aa])", "expected a square"),
        ("(;SZ[9];B[aa];W[aa])", "move 2"),
        ("(;SZ[99];B[aa])", "99"),
    ] {
        let error = Table::from_sgf(text.as_bytes(), Side::Black, 1, None).unwrap_err();
        assert!(error.message.contains(part), "{text}: {error}");
    }
}

#[test]
fn time_that_is_over_loses() {
    let clock = Some(ClockTerms { main: 0.02, period: 0.0, periods: 0 });
    let mut table = Table::new(NewGame { clock, ..terms() }).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert!(table.flag());
    let view = table.view(false);
    assert_eq!(view.result.as_deref(), Some("W+T"));
    // The loser's clock stands at nothing, however many periods there were; the winner's is as it was.
    let clock = Some(ClockTerms { main: 0.01, period: 0.01, periods: 2 });
    let mut table = Table::new(NewGame { clock, ..terms() }).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(50));
    table.play(v("C3")).unwrap();
    let clock = table.view(false).clock.unwrap();
    assert_eq!((clock.left[0].0, clock.overtime[0], clock.running), (0.0, 0, None));
    assert!(clock.left[1].0 > 0.0);
}

#[test]
fn a_result_of_others_stands_as_they_counted_it() {
    let text = "(;SZ[9]KM[6.5]PB[Ann]PW[Ben]RE[W+12.5];B[ee];W[cc])";
    let table = Table::from_sgf(text.as_bytes(), Side::White, 2, None).unwrap();
    let view = table.view(false);
    assert_eq!((view.phase, view.result.as_deref()), (Phase::Over, Some("W+12.5")));
    assert!(view.score.is_none(), "nobody said which stones are dead");
    let again = Table::from_kept(table.to_kept().unwrap().as_bytes()).unwrap();
    assert_eq!(again.view(false).players, Some(["Ann".to_string(), "Ben".to_string()]));
    // A record of ours knows which side was the visitor's.
    let ours = game(&["C3", "C4"]).to_sgf().unwrap();
    let read = Table::from_sgf(ours.as_bytes(), Side::White, 1, None).unwrap();
    assert_eq!((read.visitor(), read.view(false).players), (Color::Black, None));
}
