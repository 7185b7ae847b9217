//! A run as a file: which game, which network, which search, and tables of declared parameters. What the file leaves out has its
//! default; what nobody declared is refused with the nearest known word.
//!
//! In reading order: this file · [`game`] the game · [`play`] · [`learn`] · [`optimise`] · [`trial`] · [`machine`] · [`stop`] the tables.

pub mod game;
pub mod learn;
pub mod machine;
pub mod optimise;
pub mod play;
pub mod stop;
pub mod trial;

use std::path::Path;

use mcts::Settings;
use player::boardgame::Tabletop;
use player::recipes;
use recipe::error::Suggestion;
use recipe::{ParamValue, Recipe, Shelf, Variant};
use toml::{Table, Value};

use crate::{Error, ErrorPlace, Result};
pub use game::GameSettings;
pub use learn::LearnSettings;
pub use machine::MachineSettings;
pub use optimise::OptimiseSettings;
pub use play::{PlaySettings, Target};
pub use stop::StopSettings;
pub use trial::TrialSettings;

/// Everything that a run is told.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// What the run is called.
    pub title: String,
    /// What is said about it.
    pub text: String,
    /// The game.
    pub game: GameSettings,
    /// The network's shape, such as b4c32.
    pub net: String,
    /// The recipe of the search.
    pub recipe: String,
    /// Everything random begins with it.
    pub seed: u64,
    /// How games are played.
    pub play: PlaySettings,
    /// How much is learned of which games.
    pub learn: LearnSettings,
    /// How a step is made.
    pub optimise: OptimiseSettings,
    /// Games between networks.
    pub trial: TrialSettings,
    /// What of the machine is used.
    pub machine: MachineSettings,
    /// When the run ends by itself.
    pub stop: StopSettings,
    /// The tables as they were read, in the order of [`TABLES`].
    tables: Vec<Recipe>,
}

/// The keys and tables of a file.
const KEYS: [&str; 15] = [
    "title", "text", "game", "size", "komi", "rules", "net", "recipe", "seed", "play", "learn", "optimise",
    "trial", "machine", "stop",
];

/// The tables of a file.
static TABLES: [&Variant; 6] =
    [&play::VARIANT, &learn::VARIANT, &optimise::VARIANT, &trial::VARIANT, &machine::VARIANT, &stop::VARIANT];

/// The recipe of the search when the file names none: AlphaZero's, with noise at the root, and positions turned at random.
const RECIPE: &str = "zero select.noise=0.25 net=loaded net.symmetries=random";

/// The shape of the network when the file names none.
const NET: &str = "b4c32";

impl RunSettings {
    /// Reads the file of a run.
    ///
    /// # Errors
    /// Names the file, what of it is not understood, and what was expected.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(Error::unread(path, "the TOML file of a run, such as experiments/zero-*.toml"))?;
        Self::parse(&text).at(path.display())
    }

    /// Reads the text of a run's file.
    ///
    /// # Errors
    /// Names what is not understood, and what was expected.
    pub fn parse(text: &str) -> Result<Self> {
        let table: Table =
            text.parse().map_err(|why: toml::de::Error| Error::input(why.to_string().trim_end()))?;
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Error::input(format!("unknown key `{key}`{}", Suggestion::new(key, KEYS))));
        }
        let word = |key: &str, usual: &str| match table.get(key) {
            None => Ok(usual.to_string()),
            Some(Value::String(text)) => Ok(text.trim().to_string()),
            Some(other) => Err(Error::input(format!("{key} = {other}: expected a text in quotes"))),
        };
        let tables = TABLES.map(|variant| section(&table, variant));
        let tables: Vec<Recipe> = tables.into_iter().collect::<Result<_>>()?;
        let settings = Self {
            title: word("title", "")?,
            text: word("text", "")?,
            game: GameSettings::parse(&table)?,
            net: word("net", NET)?,
            recipe: word("recipe", RECIPE)?,
            seed: match table.get("seed") {
                None => 1,
                Some(Value::Integer(seed)) if *seed >= 0 => *seed as u64,
                Some(other) => {
                    return Err(Error::input(format!("seed = {other}: expected a whole number from 0 on")));
                }
            },
            play: PlaySettings::from(tables[0].root()),
            learn: LearnSettings::from(tables[1].root()),
            optimise: OptimiseSettings::from(tables[2].root()),
            trial: TrialSettings::from(tables[3].root()),
            machine: MachineSettings::from(tables[4].root()),
            stop: StopSettings::from(tables[5].root()),
            tables,
        };
        settings.check()?;
        Ok(settings)
    }

    /// Refuses what does not fit together.
    fn check(&self) -> Result<()> {
        let board = self.game.board()?;
        let recipe = self.recipe()?;
        // A search that is never run needs next to no memory, and any network will do that reads boards.
        let settings = Settings { memory: 1 << 16, net: Some(recipes::stand_in()), ..Settings::default() };
        board.thinker(&recipe, &settings).at("recipe")?;
        crate::target::PolicyTarget::new(self.play.target, &recipe)?;
        train::net::NetShape::parse(&self.net)
            .map_err(|why| Error::input(format!("net = \"{}\": {why}", self.net)))?;
        self.trial.test().at("[trial]")?;
        Ok(())
    }

    /// The recipe of the search.
    ///
    /// # Errors
    /// What of it does not fit; that it asks no network.
    pub fn recipe(&self) -> Result<Recipe> {
        let recipe = recipes::parse(&self.recipe).at("recipe")?;
        match recipes::asks_net(&recipe) {
            true => Ok(recipe),
            false => Err(Error::input(format!("recipe = {}", recipes::asks_no_net(&self.recipe, "zero")))),
        }
    }

    /// The board before the first move.
    ///
    /// # Errors
    /// A game that does not exist, or not on such a board.
    pub fn board(&self) -> Result<Box<dyn Tabletop>> {
        self.game.board()
    }

    /// The settings as a file, every parameter with its value and its meaning.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        for (key, value) in self.heads() {
            out += &format!("{key} = {value}\n");
        }
        for table in &self.tables {
            out += &format!("\n[{}]\n", table.root().name());
            for (param, value) in table.root().pairs() {
                out += &format!("{} = {}  # {}\n", param.key, shown(value), param.doc);
            }
        }
        out
    }

    /// What stands above the tables, as TOML.
    fn heads(&self) -> Vec<(&'static str, String)> {
        let quoted = |text: &str| Value::String(text.to_string()).to_string();
        let mut heads = vec![("title", quoted(&self.title)), ("text", quoted(&self.text))];
        heads.extend(self.game.heads());
        heads.extend([
            ("net", quoted(&self.net)),
            ("recipe", quoted(&self.recipe)),
            ("seed", self.seed.to_string()),
        ]);
        heads
    }

    /// The settings that a run cannot have taken over from another, with both values. What is said about it, its machine and its end
    /// may differ.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let lines = |settings: &Self| {
            let heads = settings.heads().into_iter().filter(|(key, _)| !["title", "text"].contains(key));
            let mut lines: Vec<(String, String)> =
                heads.map(|(key, value)| (key.to_string(), value)).collect();
            let tables =
                settings.tables.iter().filter(|table| !["machine", "stop"].contains(&table.root().name()));
            for table in tables {
                let name = table.root().name();
                let pairs = table.root().pairs();
                lines.extend(pairs.map(|(param, value)| (format!("{name}.{}", param.key), shown(value))));
            }
            lines
        };
        let (ours, theirs) = (lines(self), lines(other));
        let changed = ours.iter().filter(|line| !theirs.contains(line));
        let value = |lines: &[(String, String)], key: &str| {
            lines
                .iter()
                .find(|(other, _)| other == key)
                .map_or("nothing".to_string(), |(_, value)| value.clone())
        };
        changed.map(|(key, ours)| format!("{key} is {} there and {ours} here", value(&theirs, key))).collect()
    }
}

/// A value as TOML has it.
fn shown(value: &ParamValue) -> String {
    match value {
        ParamValue::Float(number) => format!("{number:?}"),
        ParamValue::Int(number) => number.to_string(),
        ParamValue::Flag(flag) => flag.to_string(),
        ParamValue::Word(word) => Value::String((*word).to_string()).to_string(),
        // No table declares such.
        ParamValue::Choice(_) | ParamValue::List(_) => String::new(),
    }
}

/// Reads a table by its declaration: its pairs are those of a recipe.
fn section(table: &Table, variant: &'static Variant) -> Result<Recipe> {
    let name = variant.name;
    let pairs = match table.get(name) {
        None => return Ok(Recipe::new(variant)),
        Some(Value::Table(pairs)) => pairs,
        Some(other) => return Err(Error::input(format!("{name} = {other}: expected a table, [{name}]"))),
    };
    let mut text = String::new();
    for (key, value) in pairs {
        let value = match value {
            Value::String(word) if !word.contains(|c: char| c.is_whitespace() || "=#:,".contains(c)) => {
                word.clone()
            }
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => value.to_string(),
            other => {
                return Err(Error::input(format!("[{name}] {key} = {other}: expected a number or a word")));
            }
        };
        text += &format!("{key}={value} ");
    }
    Recipe::parse(variant, &Shelf::default(), &text).at(format!("[{name}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_made_files_are_understood_and_printed_in_full() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        let mut n = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.starts_with("zero-") {
                continue;
            }
            let settings = RunSettings::read(&path).unwrap();
            let again = RunSettings::parse(&settings.to_toml()).unwrap();
            assert_eq!(again, settings, "{name}");
            assert!(!settings.title.is_empty() && settings.differences(&again).is_empty(), "{name}");
            n += 1;
        }
        assert_eq!(n, 5);
    }

    #[test]
    fn what_is_not_understood_is_refused_with_what_was_expected() {
        let cases = [
            ("", "the key `game` is missing"),
            ("game = \"conect-four\"", "game: \"conect-four\" is not a game"),
            ("game = \"go\"\nkomi = 7", "the key `size` is missing"),
            ("game = \"go\"\nsize = 9", "the key `komi` is missing"),
            ("game = \"hex\"\nkomi = 7", "the key `komi` means something in Go alone"),
            ("game = \"hex\"\nsize = \"7x6\"", "not 7x6"),
            ("game = \"hex\"\nsize = -7", "size = -7: expected a side"),
            ("game = 7", "game = 7: expected a name in quotes"),
            ("game = \"hex\"\nseed = -1", "seed = -1: expected a whole number"),
            ("game = \"hex\"\nrecipe = \"uct\"", "recipe = \"uct\" asks no network"),
            ("game = \"hex\"\nplay = 3", "play = 3: expected a table, [play]"),
            (
                "game = \"hex\"\n[play]\nvisits = \"a b\"",
                "[play] visits = \"a b\": expected a number or a word",
            ),
            (
                "game = \"hex\"\n[play]\ntarget = \"policy\"",
                "[play]: unknown target `policy` in `target=policy`; known: visits, improved",
            ),
            ("game = \"hex\"\n[play]\ntarget = \"improved\"", "goes with select=gumbel"),
            ("game = \"hex\"\n[play]\nvisists = 3", "did you mean `visits`?"),
            ("game = \"hex\"\n[trial]\ngate = true\nelo0 = 9\nelo1 = 3", "[trial]: "),
            ("game = \"hex\"\nnet = \"b0c8\"", "net = \"b0c8\": "),
            ("game = \"hex\"\nrecipe = \"zero net.symmetries=rnadom\"", "recipe: "),
            ("game =", "expected"),
        ];
        for (text, expected) in cases {
            let error = RunSettings::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn runs_differ_by_what_they_learn_and_not_by_how_long() {
        let parse = |text: &str| RunSettings::parse(&format!("game = \"hex\"\n{text}")).unwrap();
        let one = parse("size = 5\n[stop]\nhours = 1\n[machine]\nthreads = 1");
        assert!(one.differences(&parse("title = \"other\"\nsize = 5")).is_empty());
        let other = parse("size = 6\n[play]\nfull-share = 0.5");
        assert_eq!(
            one.differences(&other),
            ["size is \"6x6\" there and \"5x5\" here", "play.full-share is 0.5 there and 0.25 here"]
        );
    }
}
