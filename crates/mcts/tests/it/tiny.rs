//! Whole searches over games whose answers are known.

use crate::common::{Nim, TicTacToe, parse, search};
use mcts::{Action, Game, Kit, Limits, Outcome, Search, Settings, Side};

fn best<G: Kit>(game: G, simulations: u64) -> (Action, f32) {
    let mut search = search("select.c=0.7", game, 1);
    let report = search.run(&Limits::simulations(simulations));
    let action = search.pick(&report).unwrap();
    (action, report.arm(action).unwrap().value)
}

#[test]
fn tic_tac_toe_tactics() {
    // X wins at once.
    assert_eq!(best(TicTacToe::drawn("XX. OO. ..."), 2000).0, Action(2));
    // O to move must block.
    assert_eq!(best(TicTacToe::drawn("XX. .O. ..."), 2000).0, Action(2));
}

#[test]
fn tic_tac_toe_strategy() {
    // X wins by making two threats at once; X must not fall into the two-corner trap; O likewise.
    for drawn in ["XO. ... ...", "XO. .X. ..O", "X.. .O. ..X", "X.O ... ..X", ".X. O.. ..."] {
        let game = TicTacToe::drawn(drawn);
        let mut next = game.clone();
        next.play(best(game.clone(), 10_000).0);
        assert_eq!(next.solve(), game.solve(), "{drawn}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw_everywhere_along_best_play() {
    let mut game = TicTacToe::default();
    let mut outcome = Outcome::default();
    while !game.ended(&mut outcome) {
        let (action, value) = best(game.clone(), 20_000);
        assert!((value - 0.5).abs() < 0.15, "{game:?}: {value}");
        game.play(action);
        assert_eq!(game.solve(), 0.5, "{game:?} after {action:?}");
    }
    assert_eq!(outcome.win, 0.5);
}

#[test]
fn nim_is_played_perfectly_from_both_sides() {
    for heaps in [[3, 4, 5], [1, 2, 2], [5, 5, 1], [6, 1, 2], [1, 4, 6]] {
        for side in [Side::First, Side::Second] {
            let game = Nim { to_play: side, ..Nim::new(heaps) };
            assert!(!game.is_lost_for_mover(), "{heaps:?}");
            let (action, value) = best(game.clone(), 30_000);
            let mut next = game.clone();
            next.play(action);
            assert!(next.is_lost_for_mover(), "{heaps:?}: {action:?}");
            assert!(value > 0.85, "{heaps:?} {side:?}: {value}");
        }
    }
}

#[test]
fn counts_add_up() {
    let mut search = search("expand.n=3", Nim::new([5, 4, 3]), 3);
    let first = search.run(&Limits::simulations(500));
    assert_eq!((first.simulations, first.samples, first.visits), (500, 500, 500));
    assert_eq!(first.arms.iter().map(|arm| arm.visits).sum::<u32>(), 500);
    assert!(first.arms.iter().all(|arm| arm.models[0].weight == arm.visits as f32));
    let second = search.run(&Limits::simulations(250));
    assert_eq!((second.simulations, second.visits), (250, 750));
    assert!(second.nodes > first.nodes);
    assert_eq!(search.run(&Limits::simulations(0)).simulations, 0);
    // Several playouts per leaf are several visits, and one simulation.
    let mut several = crate::common::search("leaf.n=4", Nim::new([5, 4, 3]), 3);
    let report = several.run(&Limits::simulations(1));
    assert_eq!((report.simulations, report.samples, report.visits), (1, 4, 4));
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let run = |seed| {
        let mut search = search("select.c=1 expand.n=2", TicTacToe::default(), seed);
        [3000, 500].map(|n| search.run(&Limits::simulations(n)).timeless())
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7)[0], run(8)[0]);
}

#[test]
fn advancing_keeps_the_subtree() {
    let mut search = search("", TicTacToe::default(), 5);
    let report = search.run(&Limits::simulations(5000));
    let centre = report.arm(Action(4)).unwrap().clone();
    assert!(search.advance(Action(4)));
    assert_eq!(search.position().stones, [1 << 4, 0]);
    let kept = search.report();
    assert_eq!(kept.mover, Side::Second);
    assert_eq!(kept.arms.len(), 8);
    // The visit that made the node went no further than the node.
    assert_eq!(kept.visits, u64::from(centre.visits) - 1);
    // The two sides see the same position from opposite ends.
    assert!((kept.value - (1.0 - centre.value)).abs() < 0.01, "{} {}", kept.value, centre.value);
    assert!(kept.nodes < report.nodes);
    assert_eq!(search.run(&Limits::simulations(100)).visits, kept.visits + 100);
    search.set_root(TicTacToe::default());
    let fresh = search.report();
    assert_eq!((fresh.visits, fresh.nodes), (0, 1));
}

#[test]
fn barred_root_moves_are_never_tried() {
    let mut search = search("", TicTacToe::default(), 5);
    search.restrict_root(|action| action.0 % 2 == 1);
    let report = search.run(&Limits::simulations(300));
    assert_eq!(report.arms.iter().map(|arm| arm.action.0).collect::<Vec<_>>(), [1, 3, 5, 7]);
    assert_eq!(report.visits, 300);
    search.restrict_root(|_| false);
    assert_eq!(search.report().arms.len(), 9);
}

#[test]
fn an_ended_game_gives_an_empty_report() {
    let mut search = search("", TicTacToe::drawn("XXX OO. ..."), 5);
    let report = search.run(&Limits::simulations(100));
    assert_eq!((report.simulations, report.arms.len()), (0, 0));
    assert_eq!(search.pick(&report), None);
}

#[test]
fn a_full_tree_is_still_searched() {
    let settings = Settings { memory: 1, ..Settings::default() };
    let mut search = Search::new(&parse(""), Nim::new([9, 9, 9]), &settings).unwrap();
    let report = search.run(&Limits::simulations(50_000));
    assert!(report.is_full && report.bytes <= 1 << 16, "{} bytes", report.bytes);
    assert_eq!(report.visits, 50_000);
    assert!(report.nodes > 1);
    // There is room again after a move, even for nodes of another size.
    search.advance(Action(0));
    search.set_root(Nim::new([3, 2, 2]));
    assert_eq!(search.run(&Limits::simulations(1000)).visits, 1000);
}

#[test]
fn a_stop_flag_and_a_deadline_end_the_search() {
    use std::sync::{Arc, atomic::AtomicBool};
    let mut search = search("", TicTacToe::default(), 5);
    let stop = Arc::new(AtomicBool::new(true));
    let report = search.run(&Limits::simulations(1000).or_when(stop));
    assert_eq!(report.simulations, 1);
    let report = search.run(&Limits::until(std::time::Instant::now()));
    assert_eq!(report.simulations, 1);
}

#[test]
fn threads_can_share_the_tree_and_the_pieces() {
    fn shared<T: Sync>() {}
    fn sent<T: Send>() {}
    shared::<mcts::tree::Tree>();
    shared::<mcts::search::Pieces>();
    sent::<Search<Nim>>();
}
