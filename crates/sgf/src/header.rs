//! What a record says about a game as a whole: size, komi, players, result. The same struct is read from a tree and
//! written into a new one.

use crate::clock::{Overtime, seconds};
use crate::coord::MAX_SIZE;
use crate::error::{EditError, GameError, GameErrorKind};
use crate::position::{Warning, WarningKind};
use crate::result::GameResult;
use crate::tree::{GameTree, NodeId};
use crate::value::{Value, escape, escape_composed};

/// A game's facts. A text that the file does not hold is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Columns, 1 to 52 (`SZ`; 19 when not given).
    pub width: u8,
    /// Rows, 1 to 52.
    pub height: u8,
    /// Points White gets (`KM`); komi counted in stones is doubled into points.
    pub komi: Option<f64>,
    /// Handicap stones (`HA`), whether or not the file places them; 0 when not given.
    pub handicap: u32,
    /// The rules' name as it stands (`RU`).
    pub rules: Option<String>,
    /// Who played Black.
    pub black: Player,
    /// Who played White.
    pub white: Player,
    /// The result (`RE`).
    pub result: GameResult,
    /// When the game was played (`DT`), normally `YYYY-MM-DD`.
    pub date: Option<String>,
    /// Event (`EV`).
    pub event: Option<String>,
    /// Round (`RO`).
    pub round: Option<String>,
    /// Place (`PC`).
    pub place: Option<String>,
    /// The game's name (`GN`).
    pub name: Option<String>,
    /// Remarks on the game (`GC`).
    pub comment: Option<String>,
    /// Main time in seconds (`TM`).
    pub main_time: Option<f64>,
    /// Overtime (`OT`).
    pub overtime: Option<Overtime>,
    /// The program that wrote the file, as `name:version` (`AP`).
    pub application: Option<String>,
}

/// A player as the record names them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Player {
    /// Name (`PB`, `PW`).
    pub name: Option<String>,
    /// Rank (`BR`, `WR`), such as `3d`.
    pub rank: Option<String>,
    /// Team (`BT`, `WT`).
    pub team: Option<String>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            width: 19,
            height: 19,
            komi: None,
            handicap: 0,
            rules: None,
            black: Player::default(),
            white: Player::default(),
            result: GameResult::Unknown,
            date: None,
            event: None,
            round: None,
            place: None,
            name: None,
            comment: None,
            main_time: None,
            overtime: None,
            application: None,
        }
    }
}

impl Header {
    /// Reads the root, and the main line for facts that stand later, as in merged games.
    pub(crate) fn read(tree: &GameTree, warnings: &mut Vec<Warning>) -> Result<Self, GameError> {
        check_game(tree)?;
        let (width, height) = read_size(tree)?;
        let mut header = Self { width, height, ..Self::default() };
        let mut seen: Vec<&str> = Vec::new();
        for node in tree.main_line() {
            for property in tree.properties(node) {
                let (ident, Some(value)) = (property.ident(), property.value()) else { continue };
                if is_fact(ident) && !seen.contains(&ident) {
                    seen.push(ident);
                    header.take(ident, value, warnings);
                }
            }
        }
        Ok(header)
    }

    fn take(&mut self, ident: &str, value: Value<'_>, warnings: &mut Vec<Warning>) {
        let text = value.simple_text();
        let mut warn = |kind| warnings.push(Warning { position: value.position(), kind });
        match ident {
            "KM" => self.komi = read_komi(&text, (self.width, self.height), warn),
            "HA" => self.handicap = read_handicap(&text, self.width, self.height, warn),
            "RE" => {
                self.result = GameResult::from_text(&text);
                if self.result == GameResult::Unknown && !matches!(text.as_ref(), "" | "?") {
                    warn(ignored(ident, &text, "a result such as `B+3.5`, `W+R`, `0` or `?`"));
                }
            }
            "TM" => {
                self.main_time = seconds(&text);
                if self.main_time.is_none() && !text.is_empty() {
                    warn(ignored(ident, &text, "seconds"));
                }
            }
            "OT" => self.overtime = (!text.is_empty()).then(|| Overtime::from_text(&text)),
            "GC" => self.comment = Some(value.text().into_owned()),
            _ => {
                if let Some((_, field)) = self.texts_mut().into_iter().find(|(name, _)| *name == ident) {
                    *field = Some(text.into_owned());
                }
            }
        }
    }

    /// The facts that are one line of text, with their properties, in the order they are written.
    fn texts_mut(&mut self) -> [(&'static str, &mut Option<String>); 13] {
        [
            ("AP", &mut self.application),
            ("RU", &mut self.rules),
            ("PB", &mut self.black.name),
            ("BR", &mut self.black.rank),
            ("BT", &mut self.black.team),
            ("PW", &mut self.white.name),
            ("WR", &mut self.white.rank),
            ("WT", &mut self.white.team),
            ("DT", &mut self.date),
            ("EV", &mut self.event),
            ("RO", &mut self.round),
            ("PC", &mut self.place),
            ("GN", &mut self.name),
        ]
    }

    /// Writes the facts into the root of a new tree.
    pub(crate) fn write(&self, tree: &mut GameTree) -> Result<(), EditError> {
        let (width, height) = (self.width, self.height);
        if !is_possible(width) || !is_possible(height) {
            return Err(EditError::BadSize(width, height));
        }
        let root = tree.root();
        let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
        for (ident, value) in [("GM", "1"), ("FF", "4"), ("CA", "UTF-8"), ("SZ", &size)] {
            tree.add_property(root, ident, [value])?;
        }
        let mut facts = self.clone();
        for (ident, field) in facts.texts_mut() {
            let Some(text) = field else { continue };
            let raw = match text.split_once(':') {
                Some((name, version)) if ident == "AP" => escape_composed(name, version),
                _ => escape(text).into_owned(),
            };
            tree.add_property(root, ident, [raw])?;
        }
        if let Some(komi) = self.komi.filter(|komi| komi.is_finite()) {
            tree.add_text(root, "KM", &komi.to_string())?;
        }
        if self.handicap > 0 {
            tree.add_text(root, "HA", &self.handicap.to_string())?;
        }
        if let Some(time) = self.main_time.filter(|time| time.is_finite()) {
            tree.add_text(root, "TM", &time.to_string())?;
        }
        if let Some(overtime) = &self.overtime {
            tree.add_text(root, "OT", &overtime.to_string())?;
        }
        if let Some(comment) = &self.comment {
            tree.add_text(root, "GC", comment)?;
        }
        if self.result != GameResult::Unknown {
            tree.add_text(root, "RE", &self.result.to_string())?;
        }
        Ok(())
    }
}

fn is_fact(ident: &str) -> bool {
    const FACTS: [&str; 19] = [
        "KM", "HA", "RE", "TM", "OT", "GC", "AP", "RU", "PB", "BR", "BT", "PW", "WR", "WT", "DT", "EV", "RO",
        "PC", "GN",
    ];
    // Every fact's name has two letters; most properties of a record are moves with one.
    ident.len() == 2 && FACTS.contains(&ident)
}

fn check_game(tree: &GameTree) -> Result<(), GameError> {
    let Some(value) = tree.value(NodeId::ROOT, "GM") else { return Ok(()) };
    match value.simple_text().as_ref() {
        "1" | "" => Ok(()),
        other => Err(GameError { position: value.position(), kind: GameErrorKind::NotGo(excerpt(other)) }),
    }
}

fn read_size(tree: &GameTree) -> Result<(u8, u8), GameError> {
    let Some(value) = tree.value(NodeId::ROOT, "SZ") else { return Ok((19, 19)) };
    let text = value.simple_text();
    let number = |text: &str| text.trim().parse().ok().filter(|&size| is_possible(size));
    let size = match text.split_once([':', 'x', 'X']) {
        Some((width, height)) => number(width).zip(number(height)),
        None => number(&text).map(|size| (size, size)),
    };
    let kind = || GameErrorKind::BadSize(excerpt(&text));
    size.ok_or_else(|| GameError { position: value.position(), kind: kind() })
}

fn is_possible(size: u8) -> bool {
    (1..=MAX_SIZE).contains(&size)
}

/// Reads komi in points. Fox writes hundredths, of points or of Chinese stones (one stone is two points); other
/// Chinese records write stones, which show by a quarter that no count of points has.
fn read_komi(text: &str, size: (u8, u8), mut warn: impl FnMut(WarningKind)) -> Option<f64> {
    if text.is_empty() {
        return None;
    }
    let plain = text.replace(',', ".");
    let is_number = plain.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    let Some(number) = plain.parse().ok().filter(|number: &f64| is_number && number.is_finite()) else {
        warn(ignored("KM", text, "a number such as `6.5`"));
        return None;
    };
    let points = match plain.as_str() {
        "275" | "325" | "350" | "375" if size == (19, 19) => number / 50.0,
        "550" | "650" | "700" | "750" if size == (19, 19) => number / 100.0,
        _ if (number * 2.0).fract() != 0.0 && (number * 4.0).fract() == 0.0 => number * 2.0,
        _ => number,
    };
    if points != number || plain != text {
        let (ident, value) = ("KM".to_owned(), excerpt(text));
        warn(WarningKind::OddValue { ident, value, meaning: format!("{points} points") });
    }
    Some(points)
}

fn read_handicap(text: &str, width: u8, height: u8, mut warn: impl FnMut(WarningKind)) -> u32 {
    let max = u32::from(width) * u32::from(height);
    match text.parse() {
        Ok(stones) if stones <= max => stones,
        _ if text.is_empty() => 0,
        _ => {
            warn(ignored("HA", text, "a number of stones that the board can hold"));
            0
        }
    }
}

fn ignored(ident: &str, text: &str, expected: &'static str) -> WarningKind {
    WarningKind::IgnoredValue { ident: ident.to_owned(), value: excerpt(text), expected }
}

/// A value as messages show it: not a whole book.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_in_points_stones_and_hundredths() {
        let cases = [
            ("6.5", 19, Some(6.5), 0),
            ("6,5", 19, Some(6.5), 1),
            ("0", 19, Some(0.0), 0),
            ("-59.5", 19, Some(-59.5), 0),
            ("375", 19, Some(7.5), 1),
            ("325", 19, Some(6.5), 1),
            ("650", 19, Some(6.5), 1),
            ("3.75", 19, Some(7.5), 1),
            ("375", 25, Some(375.0), 0),
            ("6.3", 19, Some(6.3), 0),
            ("", 19, None, 0),
            ("inf", 19, None, 1),
            ("nan", 19, None, 1),
            ("six", 19, None, 1),
            ("1.2.3", 19, None, 1),
        ];
        for (text, size, expected, n_warnings) in cases {
            let mut warnings = Vec::new();
            assert_eq!(read_komi(text, (size, size), |w| warnings.push(w)), expected, "{text:?}");
            assert_eq!(warnings.len(), n_warnings, "{text:?}: {warnings:?}");
        }
    }
}
