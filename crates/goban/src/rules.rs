//! Rule sets: by name, by single switches, and as text again.
//!
//! The text form is a name followed by switches, `chinese,ko=positional,suicide=true`; a switch is a key and
//! a value of [`Rules::set`], which also understands the spellings of KataGo's JSON form, so that a caller who
//! reads JSON needs only a loop.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A family of values that rules are made of, each with the names it is known by; the first is printed.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $first:literal $(| $other:literal)*),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$value_doc])* $value),* }

        impl $name {
            /// The names of all values.
            pub const NAMES: &'static [&'static str] = &[$($first),*];

            /// The name, in lower case.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $first),* }
            }

            fn parse(text: &str) -> Option<Self> {
                match text { $($first $(| $other)* => Some(Self::$value),)* _ => None }
            }
        }
    };
}

switch!(/// Which repetitions are forbidden.
    Ko {
        /// A ko may not be retaken at once; longer cycles are allowed.
        Simple = "simple",
        /// No move may leave the stones as they were at any earlier time of the game.
        Positional = "positional",
        /// No move may leave the stones as they were at any earlier time with the same player to move.
        Situational = "situational",
    }
);
switch!(/// The points that count at the end.
    Scoring {
        /// Stones on the board and the empty points they surround.
        Area = "area",
        /// Surrounded empty points and prisoners.
        Territory = "territory",
    }
);
switch!(/// Which surrounded points do not count.
    Tax {
        /// All count.
        None = "none",
        /// Those of groups in seki do not count.
        Seki = "seki",
        /// Each group pays for the two eyes it needs.
        All = "all",
    }
);
switch!(/// The points that White receives for Black's handicap stones, besides komi.
    HandicapBonus {
        /// Nothing.
        Zero = "0" | "zero",
        /// A point for each stone.
        N = "n",
        /// A point for each stone but the first.
        NMinusOne = "n-1",
    }
);

impl HandicapBonus {
    /// The points for White when Black has `handicap` stones; a single stone is no handicap.
    pub fn points(self, handicap: usize) -> usize {
        match self {
            _ if handicap < 2 => 0,
            Self::Zero => 0,
            Self::N => handicap,
            Self::NMinusOne => handicap - 1,
        }
    }
}

/// The rules of a game; komi is not part of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// True if a player may take his own stones' last liberty. A single stone that dies leaves the board as it
    /// was, so positional superko still forbids it.
    pub suicide: bool,
    /// The points that count at the end.
    pub scoring: Scoring,
    /// Which surrounded points do not count.
    pub tax: Tax,
    /// The points that White receives for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// True if the first player to pass receives half a point.
    pub button: bool,
    /// True if players may pass before all dead stones are captured and agree on them.
    pub friendly_pass: bool,
}

const AREA: Rules = Rules {
    ko: Ko::Simple,
    suicide: false,
    scoring: Scoring::Area,
    tax: Tax::None,
    handicap_bonus: HandicapBonus::Zero,
    button: false,
    friendly_pass: true,
};

impl Rules {
    /// Tromp and Taylor's: everything on the board is alive, positional superko, suicide allowed.
    pub const TROMP_TAYLOR: Self = Self { ko: Ko::Positional, suicide: true, friendly_pass: false, ..AREA };
    /// Chinese rules as they are applied: simple ko, a point for each handicap stone.
    pub const CHINESE: Self = Self { handicap_bonus: HandicapBonus::N, ..AREA };
    /// Chinese rules of the servers OGS and KGS: positional superko.
    pub const CHINESE_SERVER: Self = Self { ko: Ko::Positional, ..Self::CHINESE };
    /// Japanese and Korean rules: territory, none in seki.
    pub const JAPANESE: Self =
        Self { scoring: Scoring::Territory, tax: Tax::Seki, friendly_pass: false, ..AREA };
    /// Rules of the American and British associations.
    pub const AGA: Self = Self { ko: Ko::Situational, handicap_bonus: HandicapBonus::NMinusOne, ..AREA };
    /// Rules of New Zealand: situational superko, suicide allowed.
    pub const NEW_ZEALAND: Self = Self { ko: Ko::Situational, suicide: true, ..AREA };
    /// Only stones count: each group needs two points it cannot fill.
    pub const STONE_SCORING: Self = Self { tax: Tax::All, ..AREA };

    /// The rule sets by name. Where two are equal the first name is printed.
    pub const NAMED: [(&'static str, Self); 10] = [
        ("tromp-taylor", Self::TROMP_TAYLOR),
        ("chinese", Self::CHINESE),
        ("chinese-ogs", Self::CHINESE_SERVER),
        ("chinese-kgs", Self::CHINESE_SERVER),
        ("japanese", Self::JAPANESE),
        ("korean", Self::JAPANESE),
        ("aga", Self::AGA),
        ("bga", Self::AGA),
        ("new-zealand", Self::NEW_ZEALAND),
        ("stone-scoring", Self::STONE_SCORING),
    ];

    /// The switches, in the order in which they are printed.
    pub const SWITCHES: [&'static str; 7] =
        ["ko", "suicide", "scoring", "tax", "bonus", "button", "friendly-pass"];

    /// The rule set of that name, in any case and with `-`, `_`, a space or nothing between the words; NZ is New
    /// Zealand's.
    pub fn by_name(name: &str) -> Result<Self, RulesError> {
        let plain = |text: &str| text.replace(['-', '_', ' '], "").to_ascii_lowercase();
        let wanted = match plain(name).as_str() {
            // As records call them.
            "nz" => plain("new-zealand"),
            other => other.to_string(),
        };
        let found = Self::NAMED.into_iter().find(|(known, _)| plain(known) == wanted);
        found.map(|(_, rules)| rules).ok_or_else(|| RulesError::Name {
            name: name.to_string(),
            nearest: nearest(&wanted, Self::NAMED.iter().map(|(known, _)| *known)),
        })
    }

    /// Changes one switch. Keys and values are understood in any case, in our spelling (`bonus`, `n-1`) and in
    /// that of KataGo (`whiteHandicapBonus`, `N-1`).
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let plain = key.trim().replace(['-', '_', ' '], "").to_ascii_lowercase();
        let text = value.trim().to_ascii_lowercase();
        let bad = |expected: &[&str]| RulesError::Value {
            key: key.trim().to_string(),
            value: value.trim().to_string(),
            expected: expected.join(", "),
        };
        let flag = || match text.as_str() {
            "true" | "yes" | "on" | "1" => Ok(true),
            "false" | "no" | "off" | "0" => Ok(false),
            _ => Err(bad(&["true", "false"])),
        };
        match plain.as_str() {
            "ko" | "korule" => self.ko = Ko::parse(&text).ok_or_else(|| bad(Ko::NAMES))?,
            "suicide" | "multistonesuicidelegal" => self.suicide = flag()?,
            "scoring" | "scoringrule" => {
                self.scoring = Scoring::parse(&text).ok_or_else(|| bad(Scoring::NAMES))?;
            }
            "tax" | "taxrule" => self.tax = Tax::parse(&text).ok_or_else(|| bad(Tax::NAMES))?,
            "bonus" | "handicapbonus" | "whitehandicapbonus" => {
                self.handicap_bonus = HandicapBonus::parse(&text).ok_or_else(|| bad(HandicapBonus::NAMES))?;
            }
            "button" | "hasbutton" => self.button = flag()?,
            "friendlypass" | "friendlypassok" => self.friendly_pass = flag()?,
            _ => {
                let nearest = nearest(&plain, Self::SWITCHES.into_iter());
                return Err(RulesError::Key { key: key.trim().to_string(), nearest });
            }
        }
        Ok(())
    }

    /// The value of each switch as text, in the order of [`Rules::SWITCHES`].
    pub fn switches(&self) -> [(&'static str, &'static str); 7] {
        let flag = |value| if value { "true" } else { "false" };
        let values = [
            self.ko.name(),
            flag(self.suicide),
            self.scoring.name(),
            self.tax.name(),
            self.handicap_bonus.name(),
            flag(self.button),
            flag(self.friendly_pass),
        ];
        std::array::from_fn(|i| (Self::SWITCHES[i], values[i]))
    }

    /// The first name of exactly these rules, if they have one.
    pub fn name(&self) -> Option<&'static str> {
        Self::NAMED.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
    }
}

impl Default for Rules {
    /// Chinese rules with positional superko, as most servers apply them.
    fn default() -> Self {
        Self::CHINESE_SERVER
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    /// Reads `name`, `name,key=value,…`, or `key=value,…` as changes to the default rules.
    fn from_str(text: &str) -> Result<Self, RulesError> {
        let mut rules = Self::default();
        for (i, part) in text.split(',').map(str::trim).enumerate() {
            match part.split_once('=') {
                Some((key, value)) => rules.set(key, value)?,
                None if i == 0 => rules = Self::by_name(part)?,
                None => return Err(RulesError::NoValue { part: part.to_string() }),
            }
        }
        Ok(rules)
    }
}

impl fmt::Display for Rules {
    /// The nearest name, and the switches that differ from it; [`Rules::from_str`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mine = self.switches();
        let differing = |other: &Self| {
            mine.into_iter().zip(other.switches()).filter(|(a, b)| a != b).map(|(switch, _)| switch)
        };
        let nearest = Self::NAMED.iter().min_by_key(|(_, rules)| differing(rules).count());
        let (name, base) = nearest.unwrap_or(&Self::NAMED[0]);
        f.write_str(name)?;
        differing(base).try_for_each(|(key, value)| write!(f, ",{key}={value}"))
    }
}

/// Rules that we cannot read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// No rule set of that name.
    #[error("no rules \"{name}\"; {}", hint(*.nearest, &Rules::NAMED.map(|(name, _)| name)))]
    Name {
        /// The name given.
        name: String,
        /// The known name that looks like it, if one does.
        nearest: Option<&'static str>,
    },
    /// No switch of that name.
    #[error("no rule \"{key}\"; {}", hint(*.nearest, &Rules::SWITCHES))]
    Key {
        /// The key given.
        key: String,
        /// The known key that looks like it, if one does.
        nearest: Option<&'static str>,
    },
    /// A value that the switch does not have.
    #[error("rule {key}={value}: expected one of {expected}")]
    Value {
        /// The switch.
        key: String,
        /// The value given.
        value: String,
        /// The values it has.
        expected: String,
    },
    /// Something after the name that is no `key=value`.
    #[error("\"{part}\" in the rules: expected key=value after the name, like suicide=true")]
    NoValue {
        /// The word without a value.
        part: String,
    },
}

fn hint(nearest: Option<&str>, known: &[&str]) -> String {
    let known = known.join(", ");
    match nearest {
        Some(nearest) => format!("did you mean {nearest}? Known: {known}"),
        None => format!("known: {known}"),
    }
}

/// The known name that may have been meant: it begins like this, or few of its letters differ.
fn nearest(text: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let likeness = |name: &str| {
        let begins = text.len() >= 2 && name.starts_with(text);
        if begins { 1.0 } else { strsim::normalized_damerau_levenshtein(text, name) }
    };
    let like = known.map(|name| (likeness(name), name)).filter(|(likeness, _)| *likeness >= 0.6);
    // Of equals the first.
    like.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_every_spelling() {
        let spellings = ["Tromp_Taylor", "tromp taylor", "TROMP-TAYLOR", "tromptaylor"];
        assert!(spellings.iter().all(|name| name.parse() == Ok(Rules::TROMP_TAYLOR)));
        assert_eq!("new zealand".parse(), Ok(Rules::NEW_ZEALAND));
        assert_eq!("NZ".parse(), Ok(Rules::NEW_ZEALAND));
        assert_eq!("stone_scoring".parse(), Ok(Rules::STONE_SCORING));
        for (name, rules) in Rules::NAMED {
            assert_eq!(name.parse(), Ok(rules));
        }
    }

    #[test]
    fn every_combination_survives_printing() {
        let mut n = 0;
        let flags = ["true", "false"].as_slice();
        let values = [Ko::NAMES, flags, Scoring::NAMES, Tax::NAMES, HandicapBonus::NAMES, flags, flags];
        let n_combinations: usize = values.iter().map(|values| values.len()).product();
        for mut combination in 0..n_combinations {
            let mut rules = Rules::default();
            for (key, values) in Rules::SWITCHES.into_iter().zip(values) {
                rules.set(key, values[combination % values.len()]).unwrap();
                combination /= values.len();
            }
            assert_eq!(rules.to_string().parse(), Ok(rules), "{rules}");
            n += 1;
        }
        assert_eq!(n, 432);
    }

    #[test]
    fn switches_stand_alone() {
        let rules: Rules = "chinese, ko=positional, suicide=true".parse().unwrap();
        assert_eq!((rules.ko, rules.suicide), (Ko::Positional, true));
        assert_eq!(rules.to_string(), "chinese-ogs,suicide=true");
        let katago = [
            ("ko", "SITUATIONAL"),
            ("scoring", "AREA"),
            ("tax", "NONE"),
            ("suicide", "true"),
            ("hasButton", "false"),
            ("whiteHandicapBonus", "0"),
            ("friendlyPassOk", "true"),
        ];
        let mut rules = Rules::JAPANESE;
        katago.iter().for_each(|(key, value)| rules.set(key, value).unwrap());
        assert_eq!(rules.name(), Some("new-zealand"));
    }

    #[test]
    fn errors_name_the_nearest() {
        let text = |rules: &str| rules.parse::<Rules>().unwrap_err().to_string();
        assert!(
            text("japanes").starts_with("no rules \"japanes\"; did you mean japanese? Known: tromp-taylor, ")
        );
        assert!(text("tromp").contains("did you mean tromp-taylor?"));
        for unlike in ["foo", "goe", "x", ""] {
            assert!(text(unlike).starts_with(&format!("no rules \"{unlike}\"; known: tromp-taylor, ")));
        }
        assert!(text("aga,suicid=1").starts_with("no rule \"suicid\"; did you mean suicide?"));
        assert_eq!(text("aga,ko=super"), "rule ko=super: expected one of simple, positional, situational");
        assert!(text("aga,bga").contains("expected key=value"));
    }

    #[test]
    fn bonus_is_for_two_stones_and_more() {
        let points = |bonus: HandicapBonus| [0, 1, 2, 9].map(|n| bonus.points(n));
        assert_eq!(points(HandicapBonus::N), [0, 0, 2, 9]);
        assert_eq!(points(HandicapBonus::NMinusOne), [0, 0, 1, 8]);
        assert_eq!(points(HandicapBonus::Zero), [0; 4]);
    }
}
