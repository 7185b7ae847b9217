//! Connect Four: a move is the letter of a column, `a` to `g` from the left. In records, too, which have the private game
//! number 104 (SGF knows no Connect Four) and `SZ[7:6]`: `(;FF[4]GM[104]SZ[7:6];B[d];W[d];B[c])`.

use mcts::games::connect_four::{ConnectFour, HEIGHT, WIDTH};
use mcts::{Action, Side};

use super::tabletop::{GameOnBoard, Tabletop};
use super::{BoardGame, GameEntry};

pub(super) static ENTRY: GameEntry =
    GameEntry { name: "connect-four", about: "7x6", gm: ConnectFour::GM, recipe: "connect-four", open };

fn open(size: Option<[usize; 2]>, switches: &[(&str, &str)]) -> Result<Box<dyn Tabletop>, String> {
    if let Some((key, _)) = switches.first() {
        return Err(format!("connect-four has no switch \"{key}\""));
    }
    match size {
        None | Some([WIDTH, HEIGHT]) => {
            Ok(Box::new(GameOnBoard::new(&ENTRY, ENTRY.name.to_string(), ConnectFour::new())))
        }
        Some([width, height]) => {
            Err(format!("connect-four is played on a board of {WIDTH}x{HEIGHT}, not {width}x{height}"))
        }
    }
}

/// The letter of a column.
fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

impl BoardGame for ConnectFour {
    const GM: u32 = 104;

    fn size(&self) -> [usize; 2] {
        [WIDTH, HEIGHT]
    }

    fn is_legal(&self, action: Action) -> bool {
        ConnectFour::is_legal(self, action)
    }

    fn show(&self, action: Action) -> String {
        letter(action.idx()).to_string()
    }

    fn parse(&self, text: &str) -> Result<Action, String> {
        let word = text.trim().to_ascii_lowercase();
        let column = (0..WIDTH).find(|&column| word == letter(column).to_string());
        column
            .map(|column| Action(column as u16))
            .ok_or_else(|| format!("\"{text}\" is not a column; expected a to {}", letter(WIDTH - 1)))
    }

    fn draw(&self) -> String {
        let row = |row: usize| {
            let cells = (0..WIDTH).map(|column| match self.stone(column, row) {
                Some(Side::First) => "X",
                Some(Side::Second) => "O",
                None => ".",
            });
            cells.collect::<Vec<_>>().join(" ")
        };
        let mut lines: Vec<String> = (0..HEIGHT).rev().map(row).collect();
        lines.push((0..WIDTH).map(|column| letter(column).to_string()).collect::<Vec<_>>().join(" "));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use mcts::Game;

    use super::*;

    #[test]
    fn columns_are_letters_and_stones_fall() {
        let mut game = ConnectFour::new();
        assert_eq!((game.parse("d"), game.parse("G ")), (Ok(Action(3)), Ok(Action(6))));
        for text in ["", "h", "4", "dd", "d1"] {
            let error = game.parse(text).unwrap_err();
            assert!(error.starts_with(&format!("\"{text}\"")) && error.ends_with("a to g"), "{error}");
        }
        for text in ["d", "d", "a"] {
            let action = game.parse(text).unwrap();
            game.play(action);
        }
        assert!(game.draw().ends_with(". . . O . . .\nX . . X . . .\na b c d e f g"), "{}", game.draw());
    }
}
