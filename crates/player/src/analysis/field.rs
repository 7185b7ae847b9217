//! The fields of an object: each is read once, by name, and what nobody read is known in the end.

use std::time::Duration;

use goban::Rules;
use serde_json::{Map, Value};

use super::ask::Fault;
use crate::engine::rules::from_fields;

/// Characters of a value that an error repeats.
const QUOTE: usize = 60;
/// The longest time that is waited for, in seconds.
const MAX_SECONDS: f64 = 1e9;
/// The shortest time between two reports, in seconds.
const MIN_SECONDS: f64 = 0.001;

/// The fields of a question, or of an object in it.
pub(super) struct Fields<'a> {
    id: &'a str,
    object: &'a Map<String, Value>,
    /// The object's own name and a point, for one that stands in a field itself.
    prefix: &'static str,
    read: Vec<&'static str>,
    /// What is passed over although it was read, with the reason.
    noted: Vec<(String, String)>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(id: &'a str, object: &'a Map<String, Value>) -> Self {
        let read = vec!["id", "action"];
        Self { id, object, prefix: "", read, noted: Vec::new() }
    }

    /// The fields of an object within this one.
    pub(super) fn below<'b>(&self, name: &'static str, object: &'b Map<String, Value>) -> Fields<'b>
    where
        'a: 'b,
    {
        Fields { id: self.id, object, prefix: name, read: Vec::new(), noted: Vec::new() }
    }

    fn full(&self, name: &str) -> String {
        if self.prefix.is_empty() { name.to_string() } else { format!("{}.{name}", self.prefix) }
    }

    /// What is wrong with a field.
    pub(super) fn fault(&self, name: &str, why: &str) -> Fault {
        Fault::new(Some(self.id.to_string()), &self.full(name), why)
    }

    /// A field that may be missing; null is as good as that.
    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        self.read.push(name);
        match self.object.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match read(value) {
                Some(read) => Ok(Some(read)),
                None => Err(self.fault(name, &format!("expected {expected}, got {}", quote(value)))),
            },
        }
    }

    /// A field that must be there.
    pub(super) fn required<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, Fault> {
        let value = self.optional(name, expected, read)?;
        value.ok_or_else(|| self.fault(name, &format!("missing: expected {expected}")))
    }

    /// A time in seconds, more than none.
    pub(super) fn seconds(&mut self, name: &'static str) -> Result<Option<Duration>, Fault> {
        self.optional(name, "a positive number of seconds", |value| {
            let seconds = value.as_f64().filter(|&seconds| seconds > 0.0)?;
            Some(Duration::from_secs_f64(seconds.clamp(MIN_SECONDS, MAX_SECONDS)))
        })
    }

    /// A number of visits, at least 1; some tools write whole numbers with a point.
    pub(super) fn visits(&mut self, name: &'static str, most: u64) -> Result<Option<u64>, Fault> {
        self.optional(name, "a whole number, at least 1", |value| {
            let n = value.as_f64().filter(|n| *n >= 1.0 && n.fract() == 0.0)?;
            Some((n as u64).min(most))
        })
    }

    /// A whole number.
    pub(super) fn count(&mut self, name: &'static str) -> Result<Option<usize>, Fault> {
        self.optional(name, "a whole number", |value| usize::try_from(value.as_u64()?).ok())
    }

    /// The rules, by name or by switches, and White's compensation for handicap stones, which may stand apart.
    pub(super) fn rules(&mut self) -> Result<Rules, Fault> {
        let value =
            self.required("rules", "a name such as \"chinese\", or an object", |v| Some(v.clone()))?;
        let read = match &value {
            Value::String(name) => name.parse(),
            Value::Object(fields) => from_fields(fields),
            other => {
                let why = format!("expected a name such as \"chinese\", or an object, got {}", quote(other));
                return Err(self.fault("rules", &why));
            }
        };
        let mut rules: Rules = read.map_err(|error| self.fault("rules", &error.to_string()))?;
        let bonus = self.optional("whiteHandicapBonus", "\"0\", \"N\" or \"N-1\"", |value| {
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_string))
        })?;
        if let Some(bonus) = bonus {
            let name = "whiteHandicapBonus";
            rules.set(name, &bonus).map_err(|error| self.fault(name, &error.to_string()))?;
        }
        Ok(rules)
    }

    /// Notes that a field is not taken as it was meant.
    pub(super) fn pass_over(&mut self, name: &str, why: &str) {
        let name = self.full(name);
        self.noted.push((name, why.to_string()));
    }

    /// Takes over what another part passed over.
    pub(super) fn adopt(&mut self, noted: Vec<(String, String)>) {
        self.noted.extend(noted);
    }

    /// What is passed over: the fields that nobody has read, and what was noted; each with the reason.
    pub(super) fn passed_over(&self) -> Vec<(String, String)> {
        let unread = self.object.keys().filter(|name| !self.read.contains(&name.as_str()));
        let why = "this engine does not use it; it is ignored".to_string();
        let unread = unread.map(|name| (short(&self.full(name)), why.clone()));
        unread.chain(self.noted.iter().cloned()).collect()
    }

    /// The same as a value of its own.
    pub(super) fn into_passed_over(self) -> Vec<(String, String)> {
        self.passed_over()
    }
}

/// A value as an error repeats it.
pub(super) fn quote(value: &Value) -> String {
    short(&value.to_string())
}

/// The beginning of a text that may be very long.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(QUOTE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
