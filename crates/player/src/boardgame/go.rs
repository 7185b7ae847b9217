//! Go as one board game among others: area scoring of the board as it stands after two passes, no superko, no handicap. Whoever plays Go
//! with people or programs needs more (`crate::game`); whoever treats all games alike, such as self-play, needs no more.

use goban::{Color, Rules, Size, SizeClass, Upto9, Upto13, Upto19, Upto25, Vertex};
use mcts::go::GameBefore;
use mcts::{Action, Game, GoGame, Outcome};

use super::tabletop::{GameOnBoard, Tabletop};
use super::{BoardGame, GameEntry};

static ENTRY: GameEntry = GameEntry {
    name: "go",
    about: "2x2 to 25x25",
    gm: 1,
    recipe: "default",
    open: |size, _| match size.map(|[width, height]| Size::new(width, height)) {
        None => Err("go: expected a size".to_string()),
        Some(Err(why)) => Err(why.to_string()),
        Some(Ok(size)) => Ok(board(size, 7.5, Rules::CHINESE)),
    },
};

/// An empty board. The rules are what networks are told; what the board does not know of them does not hold.
pub fn board(size: Size, komi: f32, rules: Rules) -> Box<dyn Tabletop> {
    match size.width().max(size.height()) {
        0..=9 => of_class::<Upto9>(size, komi, rules),
        10..=13 => of_class::<Upto13>(size, komi, rules),
        14..=19 => of_class::<Upto19>(size, komi, rules),
        _ => of_class::<Upto25>(size, komi, rules),
    }
}

fn of_class<C: SizeClass>(size: Size, komi: f32, rules: Rules) -> Box<dyn Tabletop> {
    let mut start = GoGame::<C>::new(size, komi);
    start.before = Some(Box::new(GameBefore { rules, boards: [None, None] }));
    Box::new(GameOnBoard::new(&ENTRY, format!("go,komi={komi}"), start))
}

impl<C: SizeClass> BoardGame for GoGame<C> {
    const GM: u32 = 1;

    fn size(&self) -> [usize; 2] {
        let size = self.board.size();
        [size.width(), size.height()]
    }

    fn is_legal(&self, action: Action) -> bool {
        if action.idx() >= self.n_actions() {
            return false;
        }
        match Self::to_move(action).point() {
            None => true,
            Some(point) => {
                self.board.size().contains(C::vertex(point)) && self.board.is_legal(self.to_play, point)
            }
        }
    }

    fn show(&self, action: Action) -> String {
        self.board.size().show(Self::vertex(action))
    }

    fn parse(&self, text: &str) -> Result<Action, String> {
        let vertex = self.board.size().parse_vertex(text.trim()).map_err(|why| why.to_string())?;
        Ok(Self::action(self.board.to_move(vertex)))
    }

    fn draw(&self) -> String {
        let size = self.board.size();
        let row = |row: usize| {
            let sign = |col| match self.board.stone(C::point(Vertex::new(col, row))) {
                Some(Color::Black) => "X",
                Some(Color::White) => "O",
                None => ".",
            };
            (0..size.width()).map(sign).collect::<Vec<_>>().join(" ")
        };
        (0..size.height()).map(row).collect::<Vec<_>>().join("\n")
    }

    /// By area, as after two passes.
    fn standing(&self) -> Outcome {
        let mut counted = self.clone();
        counted.n_passes = 2;
        let mut outcome = Outcome::default();
        counted.ended(&mut outcome);
        outcome
    }

    fn owners(&self) -> Vec<i8> {
        let size = self.board.size();
        let mut owners = vec![0; size.area()];
        self.board.each_owner(|point, owner| {
            let vertex = C::vertex(point);
            owners[vertex.row() * size.width() + vertex.col()] = match owner {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
        });
        owners
    }

    fn in_record(&self, action: Action) -> String {
        let vertex = Self::vertex(action);
        let letter = |line: usize| char::from(b'a' + line as u8);
        if vertex.is_pass() {
            String::new()
        } else {
            [letter(vertex.col()), letter(vertex.row())].iter().collect()
        }
    }

    fn of_record(&self, text: &str) -> Result<Action, String> {
        let refuse = || {
            format!(
                "\"{text}\" is not a point of this board; expected two letters such as cd, or nothing for a pass"
            )
        };
        let line = |letter: u8| letter.checked_sub(b'a').map(usize::from);
        let vertex = match text.trim().as_bytes() {
            [] => Vertex::PASS,
            &[col, row] => Vertex::new(line(col).ok_or_else(refuse)?, line(row).ok_or_else(refuse)?),
            _ => return Err(refuse()),
        };
        let is_there = vertex.is_pass() || self.board.size().contains(vertex);
        if is_there { Ok(Self::action(self.board.to_move(vertex))) } else { Err(refuse()) }
    }
}
