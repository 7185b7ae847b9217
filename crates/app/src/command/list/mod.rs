//! `tengen list`: every family, variant and parameter, and everything else that has a name.
//!
//! Reading order: this file (options, sections, JSON), `find` (what goes by a name), `place` (keys of families), `overview`
//! (all names at a glance), `markdown` (the tables of the documentation).

mod find;
mod markdown;
mod overview;
mod place;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use goban::Rules;
use mcts::ROOT;
use player::recipes::{self, SHELF};
use recipe::{Family, Listing, Param, ParamKind, Recipe, Variant};
use serde_json::{Map, Value, json};

use crate::options::parse_recipe;

/// List every variant and parameter that recipes can name
///
/// A recipe is a line of key=value pairs, such as `select=uct select.c=0.9`; keys of a chosen variant follow its
/// place and a dot. It may begin with the name of a recipe to start from.
#[derive(Args)]
pub(crate) struct Options {
    /// Only entries of this name: a family, a variant, a parameter, a recipe, a rule set, or one of search,
    /// recipes, rules; or what stands at a recipe's key, such as leaf.policy, models.lwr.kernel or select.c
    name: Option<String>,
    /// Print this recipe in full instead, with every value it leaves to its default
    #[arg(long, conflicts_with = "name")]
    recipe: Option<String>,
    /// Everything, with the meaning and range of every parameter; an entry that is named is shown so anyway
    #[arg(long, conflicts_with = "recipe")]
    all: bool,
    /// Print the tables of docs/methods, or bring those in the .md files of this folder up to date
    #[arg(long, value_name = "DIR", num_args = 0..=1, conflicts_with_all = ["name", "recipe", "all", "json"])]
    markdown: Option<Option<PathBuf>>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let text = match (&self.markdown, &self.recipe, &self.name) {
            (Some(Some(path)), ..) => refresh(path)?,
            (Some(None), ..) => markdown::all(),
            (None, Some(text), _) => self.one_recipe(text)?,
            (None, None, Some(name)) => self.one_section(name)?,
            (None, None, None) if self.all || self.json => self.everything()?,
            (None, None, None) => overview::text(),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", text.trim_end())?;
        Ok(ExitCode::SUCCESS)
    }

    fn one_recipe(&self, text: &str) -> Result<String> {
        let recipe = parse_recipe(text)?;
        Ok(if self.json { recipe_json(&recipe).to_string() } else { recipe.to_string() })
    }

    fn everything(&self) -> Result<String> {
        let sections = sections()?;
        if self.json {
            let all: Map<_, _> =
                sections.iter().map(|section| (section.name.to_string(), section.json.clone())).collect();
            return Ok(Value::Object(all).to_string());
        }
        Ok(sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n"))
    }

    fn one_section(&self, name: &str) -> Result<String> {
        let found = find::find(name)?;
        if self.json {
            return Ok(match found.as_slice() {
                [only] => only.json.to_string(),
                _ => found.iter().map(|section| section.json.clone()).collect::<Value>().to_string(),
            });
        }
        Ok(found.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n"))
    }
}

/// Brings the tables in the documents of a folder up to date.
fn refresh(dir: &Path) -> Result<String> {
    let name = dir.display();
    let entries = fs::read_dir(dir).with_context(|| format!("{name}: expected a folder of .md files"))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).with_context(|| path.display().to_string());
    let before = paths.iter().map(read).collect::<Result<Vec<_>>>()?;
    let after = markdown::refresh(&before).with_context(|| name.to_string())?;
    let stale = paths.iter().zip(&before).zip(&after).filter(|((_, before), after)| before != after);
    let mut n_stale = 0;
    for ((path, _), text) in stale {
        fs::write(path, text).with_context(|| path.display().to_string())?;
        n_stale += 1;
    }
    Ok(match n_stale {
        0 => format!("{name}: all {} tables are up to date", markdown::tables().len()),
        1 => format!("{name}: one file was brought up to date"),
        n => format!("{name}: {n} files were brought up to date"),
    })
}

/// A part of the list, for people and for programs.
struct Section {
    name: &'static str,
    text: String,
    json: Value,
}

fn sections() -> Result<Vec<Section>> {
    let listing = Listing::new(&ROOT);
    let mut sections = vec![Section {
        name: ROOT.name,
        text: format!("{}: {}\n{}", ROOT.name, ROOT.summary(), params_text(&ROOT)),
        json: variant_json(&ROOT),
    }];
    sections.extend(listing.families.iter().map(|family| family_section(family)));
    sections.push(recipes_section()?);
    sections.push(rules_section());
    Ok(sections)
}

fn family_section(family: &'static Family) -> Section {
    let mut text = format!("{}: {}\n", family.name, family.doc.trim());
    for variant in family.variants {
        let _ = writeln!(text, "  {:<18} {}", variant.name, short(variant));
        text += &params_text(variant);
    }
    let variants: Value = family.variants.iter().map(|variant| variant_json(variant)).collect();
    let json = json!({ "name": family.name, "doc": family.doc.trim(), "variants": variants });
    Section { name: family.name, text, json }
}

/// A variant with its documentation in full.
fn variant_section(family: &Family, variant: &'static Variant) -> Section {
    let doc = indent(variant.doc.trim());
    let text = format!("{} {}\n{doc}\n{}", family.name, variant.name, params_text(variant));
    Section { name: variant.name, text, json: variant_json(variant) }
}

/// The recipes that come with the program; what a file says of itself stands in its first line.
fn recipes_section() -> Result<Section> {
    let mut text = "recipes: engines by name, to play or to start from\n".to_string();
    let mut all = Vec::new();
    for (name, source) in SHELF.recipes {
        let recipe = recipes::parse(name).with_context(|| format!("recipe {name}"))?;
        let about = about(name, source);
        let _ = writeln!(text, "  {name:<20} {about}");
        all.push(json!({ "name": name, "doc": about, "recipe": recipe.to_string() }));
    }
    Ok(Section { name: "recipes", text, json: Value::Array(all) })
}

/// The first sentence of a variant's documentation, which may go over more than one line.
fn short(variant: &Variant) -> String {
    let doc = variant.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    match doc.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => doc,
    }
}

/// The description of a recipe: the sentences of its first line, without its name if it begins with it. A sentence that
/// goes on in the next line is left out.
fn about<'a>(name: &str, source: &'a str) -> &'a str {
    let comment = source.lines().next().and_then(|line| line.strip_prefix('#')).unwrap_or_default().trim();
    let about = comment.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')).unwrap_or(comment).trim();
    match about.rfind(". ") {
        Some(end) if !about.ends_with('.') => &about[..=end],
        _ => about,
    }
}

fn rules_section() -> Section {
    let mut text = "rules: rule sets by name, and the switches they are made of\n".to_string();
    let mut all = Vec::new();
    for (name, rules) in Rules::NAMED {
        let (line, json) = rule_set(name, &rules);
        text += &line;
        all.push(json);
    }
    Section { name: "rules", text, json: Value::Array(all) }
}

fn rule_set_section((name, rules): &(&'static str, Rules)) -> Section {
    let (text, json) = rule_set(name, rules);
    Section { name, text: format!("rules {name}\n{text}"), json }
}

/// One line for a rule set: its name and switches.
fn rule_set(name: &str, rules: &Rules) -> (String, Value) {
    let switches = rules.switches();
    let words: Vec<String> = switches.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let switches: Map<_, _> = switches.iter().map(|(key, value)| (key.to_string(), json!(value))).collect();
    (format!("  {name:<20} {}\n", words.join(" ")), json!({ "name": name, "switches": switches }))
}

/// A parameter alone, with the variant that has it.
fn param_section(owner: &Variant, param: &'static Param) -> Section {
    let mut json = param_json(param);
    json["of"] = json!(owner.name);
    let text = format!("parameter {} of {}\n{}", param.key, owner.name, param_text(param));
    Section { name: param.key, text, json }
}

fn params_text(variant: &Variant) -> String {
    variant.params.iter().map(param_text).collect()
}

/// One line for a parameter: key and default, meaning, range.
fn param_text(param: &Param) -> String {
    let default = format!("{}={}", param.key, param.kind.default_text());
    format!("      {default:<22} {} [{}]\n", param.doc, range_text(param))
}

/// The values a parameter takes; a choice names the family that lists them.
fn range_text(param: &Param) -> String {
    match &param.kind {
        ParamKind::Choice { family, .. } => format!("any {}", family.name),
        ParamKind::List { family, .. } => format!("any {}, several joined by +", family.name),
        kind => kind.to_string(),
    }
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}

fn variant_json(variant: &Variant) -> Value {
    let params: Value = variant.params.iter().map(param_json).collect();
    json!({ "name": variant.name, "doc": variant.doc.trim(), "params": params })
}

fn param_json(param: &Param) -> Value {
    let values = match &param.kind {
        ParamKind::Float { default, min, max } => {
            json!({ "type": "float", "default": default, "min": min, "max": max })
        }
        ParamKind::Int { default, min, max } => {
            json!({ "type": "int", "default": default, "min": min, "max": max })
        }
        ParamKind::Flag { default } => json!({ "type": "flag", "default": default }),
        ParamKind::Word { default, words } => json!({ "type": "word", "default": default, "words": words }),
        ParamKind::Choice { family, default } => {
            json!({ "type": "choice", "default": default, "family": family.name })
        }
        ParamKind::List { family, default } => {
            json!({ "type": "list", "default": default, "family": family.name })
        }
    };
    let mut json = json!({ "key": param.key, "doc": param.doc });
    if let (Value::Object(all), Value::Object(values)) = (&mut json, values) {
        all.extend(values);
    }
    json
}

fn recipe_json(recipe: &Recipe) -> Value {
    let values: Map<_, _> =
        recipe.entries().iter().map(|entry| (entry.key.clone(), json!(entry.value.to_string()))).collect();
    json!({ "recipe": recipe.to_string(), "brief": recipe.brief(), "values": values })
}
