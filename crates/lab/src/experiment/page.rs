//! Reading TOML so that every error names the file, the line and, for a key that is not known, the nearest one that is.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use recipe::error::Suggestion;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::{Error, Result};

/// A TOML file and its text.
#[derive(Clone, Debug)]
pub struct TomlFile {
    /// Where it is; only for messages, and for files that it names beside itself.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
    /// Whether files that it names are read. Those of a page that a store kept may be elsewhere by now.
    pub follow: bool,
}

impl TomlFile {
    /// Reads a file; `expected` says what it should be.
    ///
    /// # Errors
    /// A file that cannot be read or is no text.
    pub fn read(path: &Path, expected: &str) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::unread(path, expected))?;
        Ok(Self { path: path.to_path_buf(), text, follow: true })
    }

    /// The content as `T`, whose structs should refuse unknown fields.
    ///
    /// # Errors
    /// Names the line and what is wrong there.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        toml::from_str(&self.text).map_err(|error| {
            let why = error
                .span()
                .and_then(|span| self.misfit(error.message(), span))
                .unwrap_or_else(|| clearer(error.message()));
            match error.span() {
                // What is missing has no place of its own.
                Some(span) if !(span.start == 0 && why.starts_with("missing")) => self.wrong(span, why),
                _ => self.wrong_somewhere(why),
            }
        })
    }

    /// What serde says about a value of the wrong kind, with the key and the value as they were written: it knows neither,
    /// but names types of the program. None for a message of another form.
    fn misfit(&self, message: &str, span: Range<usize>) -> Option<String> {
        let message = message.trim();
        let known = ["invalid value", "invalid type", "unknown variant"];
        if !known.iter().any(|start| message.starts_with(start)) {
            return None;
        }
        let written = self.text.get(span.clone())?.trim();
        let before = self.text.get(..span.start)?.trim_end().strip_suffix('=')?.trim_end();
        let is_key = |c: char| c.is_alphanumeric() || "-_.\"".contains(c);
        let key = &before[before.trim_end_matches(is_key).len()..];
        let expected = message.rsplit_once("expected ")?.1.trim();
        let is_short = !key.is_empty() && !written.contains('\n');
        is_short.then(|| format!("{key} = {written}: expected {}", in_words(expected)))
    }

    /// The line that a byte is on, from 1.
    pub fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// An error at a place of the text.
    pub fn wrong(&self, span: Range<usize>, why: impl fmt::Display) -> Error {
        Error::input(format!("{}, line {}: {why}", self.path.display(), self.line(span.start)))
    }

    /// An error of the file as a whole.
    pub fn wrong_somewhere(&self, why: impl fmt::Display) -> Error {
        Error::input(format!("{}: {why}", self.path.display()))
    }

    /// A word as it was written: `1e-5`, not 0.00001.
    pub(super) fn written(&self, word: &Spanned<Word>) -> String {
        match self.text.get(word.span()) {
            Some(text) if !word.get_ref().is_text => text.replace('_', ""),
            _ => word.get_ref().text.clone(),
        }
    }

    /// A file that this one names, which is looked for beside it.
    pub fn beside(&self, file: impl AsRef<Path>) -> PathBuf {
        match self.path.parent() {
            Some(folder) => folder.join(file),
            None => file.as_ref().to_path_buf(),
        }
    }
}

/// Serde's expectation without the program's names of types.
fn in_words(expected: &str) -> String {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0".to_string(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_string(),
        "f32" | "f64" => "a number".to_string(),
        "a boolean" => "true or false".to_string(),
        "a string" => "a text in quotes".to_string(),
        "a sequence" => "a list: [ … ]".to_string(),
        // The names of choices, which are texts.
        other => other.trim_start_matches("one of ").replace('`', "\""),
    }
}

/// Serde's message about keys, in our words and with the nearest known one. A message of another form stays as it is.
fn clearer(message: &str) -> String {
    let message = message.trim();
    let words: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.strip_prefix("unknown field"), words.split_first()) {
        (Some(_), Some((unknown, known))) => {
            format!("unknown key `{unknown}`{}", Suggestion::new(unknown, known.iter().copied()))
        }
        _ => message.replace("missing field", "missing key"),
    }
}

/// A number, a flag or a text; all are read by whoever knows what is meant.
#[derive(Clone, Debug)]
pub struct Word {
    /// As text.
    pub text: String,
    /// Whether it was written as a text, in quotes.
    pub is_text: bool,
}

/// A word with its place, if it is there at all.
pub(crate) type WordEntry = Option<Spanned<Word>>;

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Setting::deserialize(deserializer)? {
            Setting::Word(word) => Ok(word),
            _ => Err(serde::de::Error::custom("expected a number, true, false or a text in quotes")),
        }
    }
}

/// The settings of a table in the order in which they were written.
pub(crate) type SettingList = Vec<(Spanned<String>, Spanned<Setting>)>;

/// Anything that may stand for a value where keys are not known beforehand.
#[derive(Clone, Debug)]
pub(crate) enum Setting {
    /// One value.
    Word(Word),
    /// Several.
    List(Vec<Spanned<Word>>),
    /// A table: `mixer.prior = 10` is a table `mixer`.
    Table(SettingList),
}

impl<'de> Deserialize<'de> for Setting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SettingVisitor)
    }
}

struct SettingVisitor;

impl SettingVisitor {
    fn plain(value: impl fmt::Display) -> Setting {
        Setting::Word(Word { text: value.to_string(), is_text: false })
    }
}

impl<'de> Visitor<'de> for SettingVisitor {
    type Value = Setting;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, true, false, a text, a list of these, or a table")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Setting, E> {
        Ok(Self::plain(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Setting, E> {
        Ok(Self::plain(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Setting, E> {
        Ok(Self::plain(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Setting, E> {
        Ok(Self::plain(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Setting, E> {
        Ok(Setting::Word(Word { text: value.to_string(), is_text: true }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Setting, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = list.next_element()? {
            words.push(word);
        }
        Ok(Setting::List(words))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Setting, A::Error> {
        let mut settings = SettingList::new();
        while let Some(entry) = map.next_entry::<Spanned<String>, _>()? {
            settings.push(entry);
        }
        settings.sort_by_key(|(key, _)| key.span().start);
        Ok(Setting::Table(settings))
    }
}

/// A table whose keys are names that the author chose, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named(pub(crate) SettingList);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Setting::deserialize(deserializer)? {
            Setting::Table(settings) => Ok(Self(settings)),
            _ => Err(serde::de::Error::custom("expected a table: NAME = \"RECIPE\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    struct SmallInt {
        #[allow(dead_code)]
        title: String,
        max_games: Option<u64>,
        list: Option<Named>,
    }

    fn page(text: &str) -> TomlFile {
        TomlFile { path: PathBuf::from("a.toml"), text: text.to_string(), follow: true }
    }

    #[test]
    fn errors_name_the_line_and_the_nearest_key() {
        for (text, expected) in [
            (
                "title = \"x\"\nmax_games = 3\n",
                "a.toml, line 2: unknown key `max_games`; did you mean `max-games`?",
            ),
            (
                "title = \"x\"\n\nzzz = 3\n",
                "a.toml, line 3: unknown key `zzz`; known: title, max-games, list",
            ),
            ("max-games = 3\n", "a.toml: missing key `title`"),
            (
                "title = \"x\"\nmax-games = \"many\"\n",
                "a.toml, line 2: max-games = \"many\": expected a whole number from 0",
            ),
            (
                "title = \"x\"\nmax-games = -3 # few\n",
                "a.toml, line 2: max-games = -3: expected a whole number from 0",
            ),
            (
                "title = \"x\"\nmax-games = 99999999999999999999\n",
                "a.toml, line 2: max-games = 99999999999999999999: expected a whole number from 0",
            ),
            ("title = 3\n", "a.toml, line 1: title = 3: expected a text in quotes"),
        ] {
            assert_eq!(page(text).parse::<SmallInt>().unwrap_err().to_string(), expected, "{text}");
        }
        let broken = page("title = \"x\"\nmax-games = = 3").parse::<SmallInt>().unwrap_err().to_string();
        assert!(broken.starts_with("a.toml, line 2: "), "{broken}");
    }

    #[test]
    fn settings_keep_their_order_and_their_words() {
        let page =
            page("title = \"x\"\nmax-games = 2\n[list]\nz = 1e-5\na = [1, 2.50, \"two\"]\nm.n = true\n");
        let small: SmallInt = page.parse().unwrap();
        assert_eq!(small.max_games, Some(2));
        let Named(settings) = small.list.unwrap();
        let names: Vec<&str> = settings.iter().map(|(name, _)| name.get_ref().as_str()).collect();
        assert_eq!(names, ["z", "a", "m"]);
        let Setting::List(words) = settings[1].1.get_ref() else { panic!("a list") };
        let words: Vec<String> = words.iter().map(|word| page.written(word)).collect();
        assert_eq!(words, ["1", "2.50", "two"]);
        assert_eq!(page.line(settings[1].0.span().start), 5);
    }
}
