//! Gomoku: `a1` is the cell at the bottom left, letters are columns, numbers rows from the bottom. The number of stones in a row
//! that win is the switch `row`. Records have the private game number 105, with moves as they are written here: SGF's own Gomoku
//! writes them otherwise.

use mcts::games::gomoku::{Gomoku, MAX_SIDE, MIN_SIDE};
use mcts::{Action, Side};

use super::tabletop::{GameOnBoard, Tabletop};
use super::{BoardGame, GameEntry, no_cell, no_switch, wrong_size};

pub(super) static ENTRY: GameEntry = GameEntry {
    name: "gomoku",
    about: "3x3 to 19x19; gomoku,row=3 if three in a row win",
    gm: Gomoku::GM,
    recipe: "uct",
    open,
};

/// Cells a side when nobody says.
const SIDE: usize = 15;
/// Stones in a row that win when nobody says.
const ROW: usize = 5;

fn open(size: Option<[usize; 2]>, switches: &[(&str, &str)]) -> Result<Box<dyn Tabletop>, String> {
    let mut row = None;
    for &(key, value) in switches {
        row = match (key, value.parse()) {
            ("row", Ok(row)) => Some(row),
            ("row", Err(_)) => return Err(format!("row={value}: expected a number of stones")),
            _ => return Err(no_switch("gomoku", key, "row=5 or another number")),
        };
    }
    let [width, height] = size.unwrap_or([SIDE; 2]);
    let game = Gomoku::new(width, height, row.unwrap_or(ROW)).ok_or_else(|| {
        let sides = MIN_SIDE..=MAX_SIDE;
        let most = width.max(height);
        match row {
            _ if !sides.contains(&width) || !sides.contains(&height) => {
                wrong_size("gomoku", [MIN_SIDE, MAX_SIDE], [width, height])
            }
            Some(row) => {
                format!("row={row}: expected {MIN_SIDE} to {most} stones on a board of {width}x{height}")
            }
            None => format!(
                "{ROW} stones in a row do not fit on a board of {width}x{height}; expected a larger board, or fewer \
                 stones: gomoku,row={most}"
            ),
        }
    })?;
    let row = row.unwrap_or(ROW);
    Ok(Box::new(GameOnBoard::new(&ENTRY, format!("gomoku,row={row}"), game)))
}

/// The letter of a column.
fn letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// The action of a cell, its row counted from the top.
fn action(game: &Gomoku, column: usize, row: usize) -> Action {
    Action((row * game.size()[0] + column) as u16)
}

impl BoardGame for Gomoku {
    const GM: u32 = 105;

    fn size(&self) -> [usize; 2] {
        Gomoku::size(self)
    }

    fn is_legal(&self, action: Action) -> bool {
        Gomoku::is_legal(self, action)
    }

    fn show(&self, action: Action) -> String {
        let [width, height] = self.size();
        format!("{}{}", letter(action.idx() % width), height - action.idx() / width)
    }

    fn parse(&self, text: &str) -> Result<Action, String> {
        let word = text.trim().to_ascii_lowercase();
        let [width, height] = self.size();
        let mut cells = (0..width * height).map(|idx| Action(idx as u16));
        cells.find(|&action| self.show(action) == word).ok_or_else(|| {
            let last = letter(width - 1);
            no_cell(text, &format!("{last}{height}"))
        })
    }

    fn draw(&self) -> String {
        let [width, height] = self.size();
        let row = |row: usize| {
            let cells = (0..width).map(|column| match self.stone(action(self, column, row)) {
                Some(Side::First) => "X",
                Some(Side::Second) => "O",
                None => ".",
            });
            format!("{:>2} {}", height - row, cells.collect::<Vec<_>>().join(" "))
        };
        let mut lines: Vec<String> = (0..height).map(row).collect();
        let letters: Vec<String> = (0..width).map(|column| letter(column).to_string()).collect();
        lines.push(format!("   {}", letters.join(" ")));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use mcts::Game;

    use super::*;

    #[test]
    fn cells_are_read_and_drawn() {
        let mut game = Gomoku::new(4, 3, 3).unwrap();
        for (text, expected) in [("a3", 0), (" D1", 11), ("b2", 5)] {
            let action = game.parse(text).unwrap();
            assert_eq!(action, Action(expected), "{text}");
            game.play(action);
        }
        assert_eq!(game.draw(), " 3 X . . .\n 2 . X . .\n 1 . . . O\n   a b c d");
        for text in ["", "a", "a0", "a4", "e1", "1a", "a01", "a+1", "é1"] {
            let error = game.parse(text).unwrap_err();
            assert_eq!(error, no_cell(text, "d3"));
        }
    }

    #[test]
    fn sizes_and_switches_are_refused_by_name() {
        for (size, switch, expected) in [
            (Some([2, 9]), None, "3x3 to 19x19, not 2x9"),
            (Some([3, 3]), None, "expected a larger board, or fewer stones: gomoku,row=3"),
            (Some([3, 3]), Some(("row", "4")), "row=4: expected 3 to 3 stones"),
            (None, Some(("row", "x")), "row=x: expected a number of stones"),
            (None, Some(("row", "16")), "row=16: expected 3 to 15 stones"),
            (None, Some(("swap", "true")), "gomoku has no switch \"swap\""),
        ] {
            let error = open(size, switch.as_slice()).err().unwrap_or_default();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(open(Some([3, 3]), &[("row", "3")]).unwrap().text(), "gomoku,row=3");
    }
}
