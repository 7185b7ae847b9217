//! Hex: `a1` is the cell at the top left, letters are columns, numbers rows from the top. Black connects top and bottom,
//! White left and right. `swap-pieces` is the second player's answer to a first stone that is too good.

use mcts::games::hex::{Cell, HexGame};
use mcts::{Action, Side};

use super::tabletop::{GameOnBoard, Tabletop};
use super::{BoardGame, GameEntry, no_cell, no_switch, wrong_size};

pub(super) static ENTRY: GameEntry = GameEntry {
    name: "hex",
    about: "2x2 to 19x19; hex,swap=false without the swap rule",
    gm: HexGame::GM,
    recipe: "hex",
    open,
};

/// Cells a side when nobody says.
const SIDE: usize = 11;

/// The name of the swap in records and in the protocol.
const SWAP: &str = "swap-pieces";

fn open(size: Option<[usize; 2]>, switches: &[(&str, &str)]) -> Result<Box<dyn Tabletop>, String> {
    let mut has_swap = true;
    for &(key, value) in switches {
        has_swap = match (key, value) {
            ("swap", "true") => true,
            ("swap", "false") => false,
            ("swap", _) => return Err(format!("swap={value}: expected true or false")),
            _ => return Err(no_switch("hex", key, "swap=true or swap=false")),
        };
    }
    let [width, height] = size.unwrap_or([SIDE; 2]);
    let game = HexGame::new(width, has_swap).filter(|_| width == height);
    let game = game.ok_or_else(|| wrong_size("hex", [2, 19], [width, height]))?;
    Ok(Box::new(GameOnBoard::new(&ENTRY, format!("hex,swap={has_swap}"), game)))
}

impl BoardGame for HexGame {
    const GM: u32 = 11;

    fn size(&self) -> [usize; 2] {
        [self.side(); 2]
    }

    fn is_legal(&self, action: Action) -> bool {
        HexGame::is_legal(self, action)
    }

    fn show(&self, action: Action) -> String {
        let Some(cell) = self.cell(action) else { return SWAP.to_string() };
        format!("{}{}", char::from(b'a' + cell.col), cell.row + 1)
    }

    fn parse(&self, text: &str) -> Result<Action, String> {
        let word = text.trim().to_ascii_lowercase();
        if let (SWAP | "swap", Some(swap)) = (word.as_str(), self.swap()) {
            return Ok(swap);
        }
        let side = self.side();
        let cell = word.bytes().next().and_then(|letter| {
            let col = letter.checked_sub(b'a').filter(|&col| usize::from(col) < side)?;
            let digits = word.get(1..)?;
            let row = digits.parse::<u8>().ok().filter(|&row| (1..=side).contains(&usize::from(row)))?;
            // The parser of numbers takes a sign, too.
            digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
            Some(Cell { row: row - 1, col })
        });
        let last = char::from(b'a' + (side - 1) as u8);
        let swap = if self.has_swap() { format!(" or {SWAP}") } else { String::new() };
        cell.map(|cell| self.action(cell)).ok_or_else(|| no_cell(text, &format!("{last}{side}{swap}")))
    }

    /// Rows are shifted as they lie: the neighbours of a cell are beside it and on the two nearer diagonals.
    fn draw(&self) -> String {
        let side = self.side();
        let letters: Vec<String> = (0..side).map(|col| char::from(b'a' + col as u8).to_string()).collect();
        let mut text = format!("   {}\n", letters.join(" "));
        for row in 0..side {
            let cells = (0..side).map(|col| match self.stone(Cell { row: row as u8, col: col as u8 }) {
                Some(Side::First) => "X",
                Some(Side::Second) => "O",
                None => ".",
            });
            let cells = cells.collect::<Vec<_>>().join(" ");
            text += &format!("{}{:>2} {cells} {}\n", " ".repeat(row), row + 1, row + 1);
        }
        text + &format!("{}{}", " ".repeat(side + 3), letters.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use mcts::Game;

    use super::*;

    #[test]
    fn cells_are_read_and_drawn_as_programs_have_them() {
        let mut game = HexGame::new(3, true).unwrap();
        for (text, expected) in [("a1", 0), ("C1", 2), ("b3", 7), (" swap-pieces ", 9), ("swap", 9)] {
            assert_eq!(game.parse(text), Ok(Action(expected)), "{text}");
        }
        for text in ["", "a", "a0", "a4", "d1", "1a", "a1x", "aa1", "pass", "é1", "a256", "a+1"] {
            let error = game.parse(text).unwrap_err();
            assert!(error.ends_with("expected a1 to c3 or swap-pieces"), "{text}: {error}");
        }
        game.play(Action(2));
        game.play(Action(3));
        assert_eq!(game.draw(), "   a b c\n 1 . . X 1\n  2 O . . 2\n   3 . . . 3\n      a b c");
        assert!(HexGame::new(3, false).unwrap().parse("swap-pieces").unwrap_err().ends_with("a1 to c3"));
    }
}
