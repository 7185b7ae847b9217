//! The rules of the game, in the words of KataGo and of KGS. Stones, komi and the moves played stay as they are.

use goban::{Rules, RulesError};
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};
use serde_json::{Map, Value, json};

use super::Engine;

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new("kata-get-rules", "", "The rules as JSON.", |engine: &mut Engine, _, _| {
            Ok(to_json(&engine.position.rules()))
        }),
        Entry::new(
            "kata-set-rules",
            "NAME | JSON",
            "Changes the rules: chinese, japanese, {\"ko\":\"SIMPLE\",…}.",
            set,
        ),
        Entry::new("kata-set-rule", "KEY VALUE", "Changes one rule: suicide true.", set_one),
        Entry::new(
            "kgs-rules",
            "NAME",
            "Changes the rules: japanese, chinese, aga or new_zealand.",
            kgs_rules,
        ),
    ];
    registry.group("rules", &commands).map(|_| ())
}

fn set(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let text = args.rest();
    let rules = match text.starts_with('{') {
        true => from_json(text)?,
        false => text.parse().map_err(|error| refusal(&error))?,
    };
    engine.set_rules(rules);
    Ok(String::new())
}

fn set_one(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let (key, value) = (args.word("rule")?, args.word("value")?);
    let mut rules = engine.position.rules();
    rules.set(key, value).map_err(|error| refusal(&error))?;
    engine.set_rules(rules);
    Ok(String::new())
}

fn kgs_rules(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    let rules = match args.word("rules")?.to_ascii_lowercase().as_str() {
        "chinese" => Rules::CHINESE_SERVER,
        name => Rules::by_name(name).map_err(|error| refusal(&error))?,
    };
    engine.set_rules(rules);
    Ok(String::new())
}

impl Engine {
    fn set_rules(&mut self, rules: Rules) {
        self.position.set_rules(rules);
        self.rules_before_file = None;
    }
}

/// The rules as KataGo writes them.
fn to_json(rules: &Rules) -> String {
    let value = json!({
        "friendlyPassOk": rules.friendly_pass,
        "hasButton": rules.button,
        "ko": rules.ko.name().to_ascii_uppercase(),
        "scoring": rules.scoring.name().to_ascii_uppercase(),
        "suicide": rules.suicide,
        "tax": rules.tax.name().to_ascii_uppercase(),
        "whiteHandicapBonus": rules.handicap_bonus.name().to_ascii_uppercase(),
    });
    value.to_string()
}

/// Rules as KataGo writes them. What is not named is as in the default rules.
fn from_json(text: &str) -> Result<Rules, GtpError> {
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        GtpError(format!("syntax error: {error}; expected rules like {}", to_json(&Rules::default())))
    })?;
    from_fields(&fields).map_err(|error| refusal(&error))
}

/// The rules of a JSON object. What it does not name is as in the default rules.
pub(crate) fn from_fields(fields: &Map<String, Value>) -> Result<Rules, RulesError> {
    let mut rules = Rules::default();
    for (key, value) in fields {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        rules.set(key, &text)?;
    }
    Ok(rules)
}

fn refusal(error: &RulesError) -> GtpError {
    GtpError(error.to_string())
}
