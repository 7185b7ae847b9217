//! A game under way, of which nobody needs to know the rules: [`Tabletop`] for all games, `GameOnBoard` for one of them.

use goban::{Color, Rng};
use mcts::evaluate::{EvaluationSample, Rollout};
use mcts::{Action, Outcome, Reward, Search, Settings, Side};
use model::net::symmetry::Turning;
use model::net::{EncodedPosition, InputForm};
use recipe::{Choice, Recipe};
use sgf::GameTree;

use super::record::{self, RecordFacts};
use super::thinker::{Mind, Thinker};
use super::{BoardGame, GameEntry};

/// How a game ended by its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEnding {
    /// Somebody has won.
    Won(Color),
    /// Nobody has.
    Drawn,
}

/// Sums over some playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayoutSums {
    /// Moves of all of them.
    pub n_moves: u64,
    /// Black's wins; a draw is half a win.
    pub wins: f64,
}

/// A game under way, from its empty board on.
pub trait Tabletop: Send + Sync {
    /// The game's entry in the list.
    fn entry(&self) -> &'static GameEntry;

    /// The game's name with every switch: `hex,swap=true`.
    fn text(&self) -> String;

    /// Columns and rows.
    fn size(&self) -> [usize; 2];

    /// Whose turn it is.
    fn to_play(&self) -> Color;

    /// The moves so far.
    fn plays(&self) -> &[Action];

    /// All moves that may be played now.
    fn legal_moves(&self) -> Vec<Action>;

    /// A move as people write it.
    fn show(&self, action: Action) -> String;

    /// Reads a move, legal or not.
    ///
    /// # Errors
    /// Names the text and says what was expected.
    fn parse(&self, text: &str) -> Result<Action, String>;

    /// Plays a move.
    ///
    /// # Errors
    /// Names a move that is illegal.
    fn play(&mut self, action: Action) -> Result<(), String>;

    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;

    /// How the game ended, if it did.
    fn ended(&self) -> Option<BoardEnding>;

    /// The result for Black with its margin if the game has ended, or as the board stands.
    fn outcome(&self) -> Outcome;

    /// Whether the game is decided by points.
    fn is_scored(&self) -> bool;

    /// Whose each point is as the board stands; see [`BoardGame::owners`].
    fn owners(&self) -> Vec<i8>;

    /// Writes the position down as networks read boards.
    fn encode(&self, out: &mut EncodedPosition);

    /// The place of a move in the policy of a network that reads boards.
    fn policy_idx(&self, action: Action) -> usize;

    /// The symmetries of positions as networks read them.
    fn turnings(&self) -> Vec<Turning>;

    /// The board as lines of text.
    fn draw(&self) -> String;

    /// The same game before its first move.
    fn fresh(&self) -> Box<dyn Tabletop>;

    /// The game as a record.
    ///
    /// # Errors
    /// When the record cannot hold it, which no game of ours brings about.
    fn record(&self, facts: &RecordFacts) -> Result<String, sgf::EditError>;

    /// Plays the moves of a record's main line, as far as the move before the given one if it is given.
    ///
    /// # Errors
    /// A record of another game or size, or a move that is illegal.
    fn follow(&mut self, tree: &GameTree, before_move: Option<usize>) -> Result<(), String>;

    /// The search of a recipe over this game, from its empty board on.
    ///
    /// # Errors
    /// What of the recipe does not suit the game.
    fn thinker(&self, recipe: &Recipe, settings: &Settings) -> Result<Box<dyn Thinker>, recipe::Error>;

    /// Plays the position to its end so often.
    ///
    /// # Errors
    /// A policy of which the game knows nothing.
    fn playouts(&self, policy: &Choice, n: u64, seed: u64) -> Result<PlayoutSums, recipe::Error>;

    /// The size as text: `11x11`.
    fn size_text(&self) -> String {
        let [width, height] = self.size();
        format!("{width}x{height}")
    }

    /// The cells of the board.
    fn area(&self) -> usize {
        self.size().iter().product()
    }

    /// The last move, in words: `Black d4`.
    fn last(&self) -> Option<String> {
        let last = self.plays().last()?;
        Some(format!("{} {}", !self.to_play(), self.show(*last)))
    }
}

/// One game under way.
#[derive(Clone)]
pub(super) struct GameOnBoard<G> {
    entry: &'static GameEntry,
    text: String,
    start: G,
    now: G,
    plays: Vec<Action>,
}

impl<G: BoardGame> GameOnBoard<G> {
    /// The beginning of a game.
    pub(super) fn new(entry: &'static GameEntry, text: String, start: G) -> Self {
        Self { entry, text, now: start.clone(), start, plays: Vec::new() }
    }
}

/// The first player is Black.
pub(super) fn color(side: Side) -> Color {
    match side {
        Side::First => Color::Black,
        Side::Second => Color::White,
    }
}

impl<G: BoardGame> Tabletop for GameOnBoard<G> {
    fn entry(&self) -> &'static GameEntry {
        self.entry
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn size(&self) -> [usize; 2] {
        self.now.size()
    }

    fn to_play(&self) -> Color {
        color(self.now.mover())
    }

    fn plays(&self) -> &[Action] {
        &self.plays
    }

    fn legal_moves(&self) -> Vec<Action> {
        let mut moves = Vec::new();
        if self.ended().is_none() {
            self.now.actions(&mut moves);
        }
        moves
    }

    fn show(&self, action: Action) -> String {
        self.now.show(action)
    }

    fn parse(&self, text: &str) -> Result<Action, String> {
        self.now.parse(text)
    }

    fn play(&mut self, action: Action) -> Result<(), String> {
        if self.ended().is_some() {
            return Err(format!("{} cannot be played: the game is over", self.show(action)));
        }
        if !self.now.is_legal(action) {
            return Err(format!("{} cannot be played now", self.show(action)));
        }
        self.now.play(action);
        self.plays.push(action);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        if self.plays.pop().is_none() {
            return false;
        }
        self.now.clone_from(&self.start);
        self.plays.iter().for_each(|&action| self.now.play(action));
        true
    }

    fn ended(&self) -> Option<BoardEnding> {
        let mut outcome = Outcome::default();
        self.now.ended(&mut outcome).then_some(match outcome.win {
            win if win > 0.5 => BoardEnding::Won(Color::Black),
            win if win < 0.5 => BoardEnding::Won(Color::White),
            _ => BoardEnding::Drawn,
        })
    }

    fn outcome(&self) -> Outcome {
        let mut outcome = Outcome::default();
        if self.now.ended(&mut outcome) { outcome } else { self.now.standing() }
    }

    fn is_scored(&self) -> bool {
        self.now.is_scored()
    }

    fn owners(&self) -> Vec<i8> {
        self.now.owners()
    }

    fn encode(&self, out: &mut EncodedPosition) {
        self.now.encode(InputForm::Board, &self.now, &[], out);
    }

    fn policy_idx(&self, action: Action) -> usize {
        self.now.policy_idx(InputForm::Board, action)
    }

    fn turnings(&self) -> Vec<Turning> {
        self.now.turnings(InputForm::Board)
    }

    fn draw(&self) -> String {
        self.now.draw()
    }

    fn fresh(&self) -> Box<dyn Tabletop> {
        Box::new(Self::new(self.entry, self.text.clone(), self.start.clone()))
    }

    fn record(&self, facts: &RecordFacts) -> Result<String, sgf::EditError> {
        let moves: Vec<String> = self.plays.iter().map(|&action| self.now.in_record(action)).collect();
        record::write(G::GM, &self.now.sgf_size(), &moves, facts)
    }

    fn follow(&mut self, tree: &GameTree, before_move: Option<usize>) -> Result<(), String> {
        record::check(tree, G::GM, &self.now.sgf_size(), self.entry.name)?;
        for (idx, (color, text)) in record::moves(tree).into_iter().enumerate() {
            if before_move.is_some_and(|number| idx + 1 >= number) {
                break;
            }
            let wrong = |why: String| format!("move {}: {why}", idx + 1);
            if color != self.to_play() {
                return Err(wrong(format!("it is {}'s turn, not {color}'s", self.to_play())));
            }
            let action = self.now.of_record(&text).map_err(wrong)?;
            self.play(action).map_err(wrong)?;
        }
        Ok(())
    }

    fn thinker(&self, recipe: &Recipe, settings: &Settings) -> Result<Box<dyn Thinker>, recipe::Error> {
        let search = Search::new(recipe, self.start.clone(), settings)?;
        Ok(Box::new(Mind::new(self.start.clone(), search)))
    }

    fn playouts(&self, policy: &Choice, n: u64, seed: u64) -> Result<PlayoutSums, recipe::Error> {
        let mut rollout: Box<dyn Rollout<G>> = self.now.rollout(policy, Reward::Win)?;
        let mut rng = Rng::new(seed);
        let mut sample = EvaluationSample::default();
        let mut sums = PlayoutSums::default();
        if self.ended().is_some() {
            return Ok(sums);
        }
        for _ in 0..n {
            sample.tail.clear();
            rollout.run(&self.now, &mut rng, false, &mut sample);
            sums.n_moves += u64::from(sample.outcome.length);
            sums.wins += f64::from(sample.outcome.win);
        }
        Ok(sums)
    }
}
