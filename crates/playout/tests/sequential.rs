//! The policies that try one rule after the other: every move is legal and fills no eye, whatever the position; the same
//! seed gives the same playout; the statistics stay where they were found.

use goban::tactics::Candidates;
use goban::{
    Board, Color, EyeRule, Full, Move, Point, Rng, Setup, Size, SizeClass, Upto9, Upto13, Upto19, Upto25,
};
use playout::policy::mogo::{self, MoGo, MoGoPolicy};
use playout::policy::tengen::{self, MoveReason, Tengen, TengenPolicy};
use playout::rule::View;
use playout::{MovePolicy, Playout, PlayoutRunner, Start};

/// A position after `n` random moves, with the last two.
fn midgame<C: SizeClass>(size: Size, n: usize, rng: &mut Rng) -> (Board<C, Full>, Color, [Move; 2]) {
    let mut board = Board::<C, Full>::new(size);
    let mut color = Color::Black;
    let mut recent = [Move::PASS; 2];
    for _ in 0..n {
        let is_fair =
            |point: &Point| board.is_legal(color, *point) && !board.is_eye(*point, color, EyeRule::Standard);
        let moves: Vec<Point> = board.empties().filter(is_fair).collect();
        let mv = match moves.len() {
            0 => Move::PASS,
            n => Move::at(moves[rng.below(n as u32) as usize]),
        };
        board.play(color, mv);
        color = !color;
        recent = [mv, recent[0]];
    }
    (board, color, recent)
}

/// Plays each rollout from random positions of a size and checks every move.
fn check<C: SizeClass>(
    width: usize,
    height: usize,
    make: &dyn Fn(Size) -> Box<dyn PlayoutRunner<C>>,
    rng: &mut Rng,
) {
    let size = Size::new(width, height).unwrap();
    let mut rollout = make(size);
    for n_before in [0, 1, size.area() / 3, size.area(), 2 * size.area()] {
        let (board, to_play, recent) = midgame::<C>(size, n_before, rng);
        let start = Start { board: &board, to_play, recent };
        let seed = rng.next_u64();
        let mut moves = Vec::new();
        let ending = rollout.run(&start, &mut Rng::new(seed), &mut moves);
        assert_eq!(usize::from(ending.n_moves), moves.len());
        let (mut now, mut color) = (board, to_play);
        for &mv in &moves {
            if let Some(point) = mv.point() {
                assert!(now.is_legal(color, point), "{color:?} {:?} on {now:?}", now.vertex(mv));
                assert!(
                    !now.is_eye(point, color, EyeRule::Standard),
                    "{color:?} {:?} on {now:?}",
                    now.vertex(mv)
                );
            }
            now.play(color, mv);
            color = !color;
        }
        let (black, white) = now.area();
        assert_eq!(ending.area, [black as u16, white as u16]);
        let mut again = Vec::new();
        make(size).run(&start, &mut Rng::new(seed), &mut again);
        assert_eq!(again, moves, "the same seed, another playout");
    }
}

/// All sizes, several positions each.
macro_rules! check_all {
    ($make:expr, $seed:expr) => {{
        let mut rng = Rng::new($seed);
        for (width, height) in [(9, 9), (5, 5), (2, 2), (7, 3), (6, 9)] {
            check::<Upto9>(width, height, &|size| $make(size), &mut rng);
        }
        check::<Upto13>(13, 13, &|size| $make(size), &mut rng);
        check::<Upto13>(12, 10, &|size| $make(size), &mut rng);
        check::<Upto19>(19, 19, &|size| $make(size), &mut rng);
        check::<Upto25>(25, 21, &|size| $make(size), &mut rng);
    }};
}

#[test]
fn mogo_keeps_to_the_rules() {
    for (seed, rate) in [1.0, 0.5, 0.0].into_iter().enumerate() {
        let params = MoGo { save: rate, patterns: rate, capture: rate, ..MoGo::default() };
        check_all!(|size| mogo::build(&params, size).unwrap(), seed as u64);
    }
}

#[test]
fn tengen_keeps_to_the_rules() {
    for (seed, rate) in [1.0, 0.5, 0.0].into_iter().enumerate() {
        let params = Tengen {
            ko: rate,
            atari: rate,
            counter: rate,
            two_liberty: rate,
            race: rate,
            repair: rate,
            nakade: rate,
            patterns: rate,
            patterns_before: rate,
            capture: rate,
            strict: rate,
            cousin: rate,
            restore: rate,
            ..Tengen::default()
        };
        check_all!(|size| tengen::build(&params, size).unwrap(), seed as u64);
    }
    check_all!(|size| tengen::build(&Tengen::default(), size).unwrap(), 9);
    let options = Tengen { mercy: 0.3, length: 1.0, replies: 2, ..Tengen::default() };
    check_all!(|size| tengen::build(&options, size).unwrap(), 10);
}

/// The answers of `policy` to `last` on a drawn board, many times, as names of vertices without repetition.
fn answers<P: MovePolicy>(mut policy: P, drawing: &str, last: &str, color: Color) -> Vec<String> {
    let setup = Setup::parse(drawing).unwrap();
    let size = setup.size();
    let mut board = Board::<Upto9, Full>::new(size);
    for (vertex, color) in setup.stones() {
        board.play(color, board.to_move(vertex));
    }
    let last = board.to_move(size.parse_vertex(last).unwrap());
    let mut found: Vec<String> = Vec::new();
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let mut copy: Board<Upto9, P::Keep> = Board::new(size);
        copy.copy_from(&board);
        policy.start(&copy, [last, Move::PASS]);
        let point = match color {
            Color::Black => policy.choose::<Upto9, true>(&mut copy, &mut rng),
            Color::White => policy.choose::<Upto9, false>(&mut copy, &mut rng),
        };
        let name = size.show(board.vertex(point.map_or(Move::PASS, Move::at))).to_string();
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found.sort();
    found
}

#[track_caller]
fn check_mogo(drawing: &str, last: &str, expected: &str) {
    let found = answers(MoGoPolicy::new(&MoGo::default()), drawing, last, Color::Black);
    assert_eq!(found.join(" "), expected, "{drawing}");
}

#[test]
fn mogo_saves_before_it_makes_shape_before_it_takes() {
    // The last move put D4 in atari: it runs out to D5, or takes the stone that does so.
    check_mogo(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         . . O X O . .
         . . . O . . .
         . . . . . . .
         O X . . . . .",
        "D3",
        "D5",
    );
    check_mogo(
        ". . . . . . .
         . . . . . . .
         . . . X . . .
         . . O X O . .
         . X X O X . .
         . . X . X . .
         O X . X . . .",
        "D3",
        "A2 D2",
    );
    // Nothing is in atari but A1: a hane comes before its capture.
    check_mogo(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         . . . X O . .
         . . . . . . .
         . . . . . . .
         O X . . . . .",
        "E4",
        "D3 D5 E3 E5",
    );
    // No shape around the last move: the capture.
    check_mogo(
        ". . . . . . .
         . . . . . . .
         . . . . . O .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         O X . . . . .",
        "F5",
        "A2",
    );
}

#[test]
fn rules_that_are_switched_off_are_not_used() {
    let drawing = ". . . . .\n. . . . .\n. . X O .\n. . . . .\nO X . . .";
    let all = MoGo { patterns: 0.0, capture: 0.0, ..MoGo::default() };
    // 25 points, 4 stones; A2 takes, all others are free.
    assert_eq!(answers(MoGoPolicy::new(&all), drawing, "D3", Color::Black).len(), 21);
    let capture = MoGo { patterns: 0.0, ..MoGo::default() };
    assert_eq!(answers(MoGoPolicy::new(&capture), drawing, "D3", Color::Black), ["A2"]);
}

/// Mean length and Black's share of wins at komi 7.5 over playouts from the empty 9×9 board.
fn statistics(rollout: &mut dyn PlayoutRunner<Upto9>, n: usize) -> (f64, f64) {
    let board = Board::<Upto9, Full>::new(Size::square(9).unwrap());
    let (mut rng, mut moves) = (Rng::new(7), Vec::new());
    let (mut n_moves, mut n_wins) = (0, 0);
    for _ in 0..n {
        moves.clear();
        let ending = rollout.run(&Start::new(&board, Color::Black), &mut rng, &mut moves);
        n_moves += moves.len();
        n_wins += usize::from(f64::from(ending.margin()) > 7.5);
    }
    (n_moves as f64 / n as f64, n_wins as f64 / n as f64)
}

#[test]
fn statistics_of_mogo() {
    let mut playout = Playout::<Upto9, _>::new(Size::square(9).unwrap(), MoGoPolicy::new(&MoGo::default()));
    let (length, black) = statistics(&mut playout, 20_000);
    println!("mogo: {length:.2} moves, Black wins {black:.4}");
    // A playout varies by about 14 moves, so the mean by 0.1; found 107.1 and 0.446.
    assert!((106.5..107.8).contains(&length), "{length}");
    assert!((0.43..0.46).contains(&black), "{black}");
}

#[test]
fn statistics_of_tengen() {
    let size = Size::square(9).unwrap();
    // The rates with which the rules were written; the defaults were tuned since.
    let params = Tengen { two_liberty: 0.9, patterns_before: 1.0, ..Tengen::default() };
    let policy = TengenPolicy::new(&params, size, Upto9::POINTS);
    let mut playout = Playout::<Upto9, _>::new(size, policy);
    let (length, black) = statistics(&mut playout, 20_000);
    println!("tengen: {length:.2} moves, Black wins {black:.4}");
    assert!((109.0..111.0).contains(&length), "{length}");
    assert!((0.43..0.47).contains(&black), "{black}");
    // The shares found when the rules were written, with room for a fifth more or less: a rule that falls silent or takes
    // over the playout shows here.
    let found = [
        (MoveReason::Reply, 0.0),
        (MoveReason::Ko, 0.0075),
        (MoveReason::Atari, 0.093),
        (MoveReason::TwoLiberty, 0.183),
        (MoveReason::Race, 0.0060),
        (MoveReason::Repair, 0.00025),
        (MoveReason::Nakade, 0.0153),
        (MoveReason::Pattern, 0.287),
        (MoveReason::Capture, 0.0),
        (MoveReason::Random, 0.345),
        (MoveReason::Redirect, 0.0067),
        (MoveReason::Pass, 0.057),
    ];
    for (reason, expected) in found {
        let share = playout.policy().n_by(reason) as f64 / (20_000.0 * length);
        println!("{reason:?} {share:.4}");
        assert!((share - expected).abs() <= 0.2 * expected, "{reason:?}: {share} instead of {expected}");
    }
}

#[test]
fn mercy_and_length_end_playouts() {
    let size = Size::square(9).unwrap();
    let longest = |params: &Tengen| {
        let mut rollout = tengen::build::<Upto9>(params, size).unwrap();
        let board = Board::<Upto9, Full>::new(size);
        let (mut rng, mut longest, mut total) = (Rng::new(2), 0, 0);
        for _ in 0..500 {
            let mut moves = Vec::new();
            rollout.run(&Start::new(&board, Color::Black), &mut rng, &mut moves);
            longest = longest.max(moves.len());
            total += moves.len();
        }
        (longest, total)
    };
    let (_, plain) = longest(&Tengen::default());
    let (_, merciful) = longest(&Tengen { mercy: 0.2, ..Tengen::default() });
    assert!(merciful < plain, "{merciful} against {plain}");
    assert_eq!(longest(&Tengen { length: 1.0, ..Tengen::default() }).0, 81);
}

#[test]
fn tengen_plays_the_last_good_reply() {
    let size = Size::square(9).unwrap();
    let board = Board::<Upto9, Full>::new(size);
    let [attack, answer] = ["D4", "G7"].map(|name| board.to_move(size.parse_vertex(name).unwrap()));
    let mut policy = TengenPolicy::new(&Tengen { replies: 1, ..Tengen::default() }, size, Upto9::POINTS);
    assert!(policy.learns() && !TengenPolicy::new(&Tengen::default(), size, Upto9::POINTS).learns());
    policy.learn(Color::White, &[attack, answer], 1.0);
    let mut now = board;
    now.play(Color::White, attack);
    let choose = |policy: &mut TengenPolicy| {
        let mut copy = now.keeping();
        policy.start(&copy, [attack, Move::PASS]);
        policy.choose::<Upto9, true>(&mut copy, &mut Rng::new(4))
    };
    assert_eq!(choose(&mut policy), answer.point());
    policy.forget();
    assert_ne!(choose(&mut policy), answer.point(), "a shape at the last move comes first");
}

#[test]
fn mogo_plays_its_proposals_and_nothing_else() {
    let (size, mut rng) = (Size::square(9).unwrap(), Rng::new(77));
    let mut rollout = mogo::build::<Upto9>(&MoGo::default(), size).unwrap();
    let mut n_proposals = 0;
    for round in 0..120 {
        let (board, to_play, recent) = midgame::<Upto9>(size, 5 + round % 60, &mut rng);
        let mut proposals = Candidates::new();
        mogo::proposals(&View::new(&board, to_play, recent), &mut proposals);
        let mut played = Candidates::new();
        for _ in 0..60 {
            let mut moves = Vec::new();
            rollout.run(&Start { board: &board, to_play, recent }, &mut rng, &mut moves);
            if let Some(point) = moves.first().and_then(|mv| mv.point()).filter(|_| !proposals.is_empty()) {
                assert!(proposals.contains(point), "{:?} on {board:?}", board.vertex(Move::at(point)));
                played.push(point);
            }
        }
        // Of four moves or fewer each is played once at least in 60 draws.
        if proposals.len() <= 4 {
            assert_eq!(played.len(), proposals.len(), "{board:?}");
        }
        n_proposals += proposals.len();
    }
    assert!(n_proposals > 100, "{n_proposals}");
}
