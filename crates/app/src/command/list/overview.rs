//! All names at a glance: a line each, so that a newcomer sees what there is to choose.

use std::fmt::Write as _;

use goban::Rules;
use mcts::ROOT;
use player::recipes::SHELF;
use recipe::{ParamKind, Variant};

use super::place::{FamilyKey, places};
use super::{about, short};

/// Characters that a line may have before its parameters move to the next one.
const WIDTH: usize = 110;

const HEAD: &str = "\
A recipe is a line of key=value pairs, such as
  models=mc+rave mixer=bma mixer.prior=50 select=ucb1 select.c=0.1 expand.n=6
and may begin with the name of another: goyui-bma mixer.prior=50. What it leaves out has its default.

Below stands every key with the names that it takes, and in brackets the parameters of a name with their defaults.
`tengen list NAME` explains one of them, `tengen list --all` all; formulas and sources are in docs/methods.
";

/// Keys, variants, recipes and rule sets.
pub(super) fn text() -> String {
    let places = places();
    let mut text = HEAD.to_string();
    for param in ROOT.params {
        match param.kind.family() {
            Some(_) => {
                let of_key = |place: &&FamilyKey| place.key.split('.').next() == Some(param.key);
                places.iter().filter(of_key).for_each(|place| text += &family(place));
            }
            None => {
                let default = param.kind.default_text();
                let _ =
                    write!(text, "\n{}=  {} (default: {default})\n  {}\n", param.key, param.doc, param.kind);
            }
        }
    }
    text += &format!("\nrecipes  engines by name, to play or to start from\n{}", recipes());
    let rules: Vec<&str> = Rules::NAMED.iter().map(|(name, _)| *name).collect();
    text + &format!("\nrules  rule sets by name\n  {}\n", rules.join(" "))
}

fn family(place: &FamilyKey) -> String {
    let several =
        if matches!(place.param.kind, ParamKind::List { .. }) { "; several are joined by +" } else { "" };
    let default = place.param.kind.default_text();
    let mut text = format!("\n{}=  {}{several} (default: {default})\n", place.key, place.param.doc);
    let width = place.family.names().map(str::len).max().unwrap_or(0);
    for variant in place.family.variants {
        text += &line(variant, width);
    }
    text
}

/// One variant: its name, what it is, its parameters.
fn line(variant: &Variant, width: usize) -> String {
    let mut line = format!("  {:<width$}  {}", variant.name, short(variant));
    if !variant.params.is_empty() {
        let params: Vec<String> = variant
            .params
            .iter()
            .map(|param| format!("{}={}", param.key, param.kind.default_text()))
            .collect();
        let all = format!("[{}]", params.join(" "));
        let fits = line.chars().count() + 1 + all.chars().count() <= WIDTH;
        line += &if fits { format!(" {all}") } else { folded(&params, width + 4) };
    }
    line + "\n"
}

/// Parameters in brackets on lines of their own, as many on each as fit behind the margin.
fn folded(params: &[String], margin: usize) -> String {
    let mut text = format!("\n{:margin$}[", "");
    let mut column = margin + 1;
    for (idx, param) in params.iter().enumerate() {
        let length = param.chars().count() + 1;
        if idx > 0 && column + length > WIDTH {
            text += &format!("\n{:1$}", "", margin + 1);
            column = margin + 1;
        } else if idx > 0 {
            text.push(' ');
        }
        text += param;
        column += length;
    }
    text + "]"
}

fn recipes() -> String {
    let width = SHELF.recipes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    SHELF
        .recipes
        .iter()
        .map(|(name, source)| format!("  {name:<width$}  {}\n", about(name, source)))
        .collect()
}
