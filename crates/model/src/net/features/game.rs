//! The position at the end of a game: history, repetition and passes as KataGo counts them.

use goban::{AnyBoard, Board, Color, Full, Ko, Move, PlayedMove, Position, Scoring, SizeClass, with_board};

use super::{N_GLOBALS, N_PLANES, NetPosition, Past, fill, ko};
use crate::net::EncodedPosition;

/// A game, and what the planes need of its history. It replays the game, so it is for roots and single questions; a
/// search keeps its own boards.
#[derive(Debug, Clone)]
pub struct GameInput<'a> {
    game: &'a Position,
    /// The boards before the last move and before the last two, as far as those are shown.
    before: [Option<AnyBoard>; 2],
    /// The moves shown, the latest first.
    recent: [Option<PlayedMove>; 5],
    passes: Passes,
}

impl<'a> GameInput<'a> {
    /// Looks through the history of the game.
    pub fn new(game: &'a Position) -> Self {
        let passes = Passes::of(game);
        let plays = game.plays_since_setup();
        let mut recent = [None; 5];
        let mut color = !game.to_play();
        for (to, play) in recent.iter_mut().zip(plays.iter().rev().take(passes.n_shown)) {
            if play.color != color {
                break;
            }
            *to = Some(*play);
            color = !color;
        }
        let n_plays = game.plays().len();
        let before = [0, 1].map(|i| recent[i].map(|_| game.board_after(n_plays - 1 - i)));
        Self { game, before, recent, passes }
    }

    /// The position for [`fill`]; `board` is the game's board in its size class.
    pub fn position<C: SizeClass>(&'a self, board: &'a Board<C, Full>) -> NetPosition<'a, C> {
        let past = |before: &'a Option<AnyBoard>| {
            before.as_ref().and_then(AnyBoard::of_class).map_or(Past::Unknown, Past::Board)
        };
        let to_move = |play: PlayedMove| -> Move { board.to_move(play.vertex) };
        NetPosition {
            board,
            before: [past(&self.before[0]), past(&self.before[1])],
            recent: self.recent.map(|play| play.map(to_move)),
            to_play: self.game.to_play(),
            komi: komi(self.game),
            rules: self.game.rules(),
            banned: ko::banned(board, self.game),
            pass_ends: self.passes.next_ends,
            hides_lost_pass: false,
            has_button: self.passes.has_button,
        }
    }

    /// Writes the planes and globals; see [`fill`].
    ///
    /// # Panics
    /// If `planes` does not hold 22 numbers for each point.
    pub fn fill(&self, planes: &mut [f32], globals: &mut [f32; N_GLOBALS]) {
        with_board!(self.game.board(), |board| {
            fill(&self.position(board), planes, globals);
        });
    }
}

/// A position at the end of a game as networks read it, with what is legal in it.
pub fn encode(game: &Position) -> EncodedPosition {
    let (size, rules) = (game.size(), game.rules());
    let mut planes = vec![0.0; N_PLANES * size.area()];
    let mut globals = [0.0; N_GLOBALS];
    GameInput::new(game).fill(&mut planes, &mut globals);
    let is_legal = |vertex| game.is_legal(game.to_play(), vertex);
    EncodedPosition {
        planes,
        globals: globals.to_vec(),
        board: [size.width(), size.height()],
        legal: size.vertices().map(is_legal).chain([true]).collect(),
        may_end_without_result: rules.ko == Ko::Simple || rules.scoring == Scoring::Territory,
    }
}

/// Points that White is given before the board is counted, for [`NetPosition::komi`].
pub fn komi(game: &Position) -> f32 {
    let rules = game.rules();
    let mut komi = game.komi() + rules.handicap_bonus.points(game.handicap()) as f32;
    if rules.button {
        komi += match game.first_to_pass() {
            Some(Color::White) => 0.5,
            Some(Color::Black) => -0.5,
            None => 0.0,
        };
    }
    if rules.scoring == Scoring::Territory {
        // The board has forgotten the stones that were taken before the last setup.
        let n_forgotten = |color| (game.n_captured(color) - game.board().n_captured(color)) as f32;
        komi += n_forgotten(Color::Black) - n_forgotten(Color::White);
    }
    komi
}

/// What the passes of a game have led to.
#[derive(Debug, Clone, Copy)]
struct Passes {
    /// Number of moves that a network is shown, at most.
    n_shown: usize,
    /// True if the network learns that the next pass ends the game.
    next_ends: bool,
    has_button: bool,
}

impl Passes {
    /// Walks through the game. Two passes end it, and so does, under the simple ko rule, a pass by a player who has passed
    /// with the same stones on the board before; the pass that takes the button counts for neither. A position that comes
    /// up a third time ends the game too under that rule. Of a game that is over one move is shown, and the moves that
    /// follow as they come. Where players may pass before dead stones are captured, nothing is shown after the first pass.
    fn of(game: &Position) -> Self {
        let rules = game.rules();
        let plays = game.plays_since_setup();
        let hashes = &game.hashes()[game.plays().len() - plays.len()..];
        // Without a move since the setup that the button belongs to, whoever passed before has it.
        let n_before = game.plays().len() - plays.len();
        let mut has_button =
            rules.button && game.plays()[..n_before].iter().all(|play| !play.vertex.is_pass());
        let (mut n_passes, mut n_shown) = (0, 0);
        let mut is_over = false;
        // The first play at which a pass, or the repetition of a position, still counts.
        let (mut passes_from, mut repetitions_from) = (0, 0);
        let repeats_pass = |n: usize, color: Color, from: usize| {
            let is_same =
                |i: usize| plays[i].vertex.is_pass() && plays[i].color == color && hashes[i] == hashes[n];
            rules.ko == Ko::Simple && (from..n).any(is_same)
        };
        for (n, play) in plays.iter().enumerate() {
            if is_over {
                n_shown = n_shown.min(1);
            }
            n_shown += 1;
            is_over = false;
            if !play.vertex.is_pass() {
                n_passes = 0;
                let is_same = |i: &usize| hashes[*i] == hashes[n + 1] && mover(game, plays, *i) != play.color;
                let n_before = || (repetitions_from..=n).filter(is_same).count();
                is_over = rules.ko == Ko::Simple && n_before() >= 2;
            } else if has_button {
                has_button = false;
                n_passes = 0;
                (passes_from, repetitions_from) = (n + 1, n + 1);
            } else {
                n_passes += 1;
                repetitions_from = n + 1;
                is_over = n_passes >= 2 || repeats_pass(n, play.color, passes_from);
                if is_over && rules.scoring == Scoring::Territory {
                    n_shown = n_shown.min(1);
                }
            }
        }
        let is_repeated = repeats_pass(plays.len(), game.to_play(), passes_from);
        let next_ends = !has_button && n_passes >= 1 || is_repeated;
        let is_friendly = rules.friendly_pass && rules.scoring == Scoring::Area;
        if next_ends && is_friendly && n_passes == 1 && !is_repeated {
            return Self { n_shown: 0, next_ends: false, has_button };
        }
        Self { n_shown: if is_over { 1 } else { n_shown.min(5) }, next_ends, has_button }
    }
}

/// Who was to move before play `n` since the setup.
fn mover(game: &Position, plays: &[PlayedMove], n: usize) -> Color {
    match n.checked_sub(1) {
        Some(last) => !plays[last].color,
        None => plays.first().map_or(game.to_play(), |play| play.color),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::features::tests::{Told, drawn, play};
    use crate::net::features::{global, plane};
    use goban::{Rules, Size};

    /// Whether a pass is said to end the game, and the number of moves shown.
    fn ending(rules: Rules, moves: &str) -> (bool, usize) {
        let mut game = Position::new(Size::square(9).unwrap(), rules);
        play(&mut game, moves);
        let told = Told::of(&game);
        let is_shown =
            |n: &usize| told.globals[global::PASSES + n] == 1.0 || !told.points(plane::MOVES + n).is_empty();
        (told.globals[global::PASS_ENDS] == 1.0, (0..5).filter(is_shown).count())
    }

    #[test]
    fn the_second_pass_ends_the_game() {
        assert_eq!(ending(Rules::TROMP_TAYLOR, "E5 C3"), (false, 2));
        assert_eq!(ending(Rules::TROMP_TAYLOR, "E5 C3 pass"), (true, 3));
        assert_eq!(ending(Rules::JAPANESE, "E5 C3 pass"), (true, 3));
        // Of a game that is over the last pass is shown.
        assert_eq!(ending(Rules::TROMP_TAYLOR, "E5 C3 pass pass"), (true, 1));
        assert_eq!(ending(Rules::JAPANESE, "E5 C3 pass pass"), (true, 1));
        // And the moves after it if it goes on.
        assert_eq!(ending(Rules::TROMP_TAYLOR, "E5 C3 pass pass D4"), (false, 2));
        assert_eq!(ending(Rules::TROMP_TAYLOR, "E5 C3 pass pass D4 F4 G4"), (false, 4));
        assert_eq!(ending(Rules::JAPANESE, "E5 C3 pass pass D4"), (false, 2));
    }

    #[test]
    fn a_friendly_pass_is_not_seen() {
        for rules in [Rules::CHINESE, Rules::AGA] {
            assert_eq!(ending(rules, "E5 C3 pass"), (false, 0));
            assert_eq!(ending(rules, "E5 C3 pass pass"), (true, 1));
            assert_eq!(ending(rules, "E5 C3 pass D4"), (false, 4));
        }
    }

    #[test]
    fn passing_twice_on_the_same_board_ends_the_game_under_simple_ko() {
        // The stones after the sixth move are those of the first pass, with White to move again.
        let cycle = ". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .";
        let after = |rules: Rules| {
            let mut game = drawn(cycle, Color::Black, rules);
            play(&mut game, "pass E1 C4 pass pass B4 pass");
            let told = Told::of(&game);
            told.globals[global::PASS_ENDS]
        };
        let simple = Rules { friendly_pass: false, ..Rules::CHINESE };
        assert_eq!(after(simple), 1.0);
        let mut game = drawn(cycle, Color::Black, simple);
        play(&mut game, "E1 pass C4 pass A1 B4");
        assert_eq!(Told::of(&game).globals[global::PASS_ENDS], 0.0);
    }

    #[test]
    fn the_button_takes_a_pass() {
        let rules = Rules { button: true, friendly_pass: false, ..Rules::CHINESE };
        let button = |moves: &str| {
            let mut game = Position::new(Size::square(9).unwrap(), rules);
            game.set_komi(7.0).unwrap();
            play(&mut game, moves);
            let globals = Told::of(&game).globals;
            (globals[global::BUTTON], globals[global::PASS_ENDS], globals[global::KOMI] * 20.0)
        };
        assert_eq!(button("E5"), (1.0, 0.0, 7.0));
        assert_eq!(button("E5 pass"), (0.0, 0.0, -7.5));
        assert_eq!(button("pass"), (0.0, 0.0, 6.5));
        assert_eq!(button("E5 pass pass"), (0.0, 1.0, 7.5));
    }

    #[test]
    fn territory_scoring_charges_stones() {
        let komi = |game: &Position| Told::of(game).globals[global::KOMI] * 20.0;
        let mut game = Position::new(Size::square(9).unwrap(), Rules::JAPANESE);
        game.set_komi(6.5).unwrap();
        assert_eq!(komi(&game), -6.5);
        play(&mut game, "E5");
        assert_eq!(komi(&game), 7.5);
        play(&mut game, "pass");
        assert_eq!(komi(&game), -7.5);
        play(&mut game, "E4 E6");
        assert_eq!(komi(&game), -7.5);
        // Captured stones stay paid, also if the board is set up anew after.
        let mut game =
            drawn("O X . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", Color::Black, Rules::JAPANESE);
        assert_eq!(komi(&game), 0.0);
        play(&mut game, "A4");
        assert_eq!(komi(&game), 1.0);
        game.setup(&[], Color::White).unwrap();
        assert_eq!(komi(&game), 1.0);
    }

    #[test]
    fn handicap_is_paid_for() {
        let mut game = Position::new(Size::square(9).unwrap(), Rules::CHINESE);
        game.set_komi(0.5).unwrap();
        game.set_handicap(3);
        assert_eq!(komi(&game), 3.5);
        game.set_rules(Rules::AGA);
        assert_eq!(komi(&game), 2.5);
    }
}
