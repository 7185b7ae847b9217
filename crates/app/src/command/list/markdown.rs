//! Tables for the pages in `docs/methods`, made from the declarations so that they cannot say anything else.
//!
//! A table stands between the lines `<!-- table: NAME -->` and `<!-- end -->`. NAME is `search` for the keys of a recipe, a
//! family (`mixer`) for the names in it, a family and a variant (`mixer/bma`) for its parameters, or `recipes`.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use mcts::ROOT;
use player::recipes::SHELF;
use recipe::{Family, Param, ParamKind, Variant};

use super::place::{FamilyKey, places};
use super::{about, short};

const START: &str = "<!-- table: ";
const START_END: &str = " -->";
const END: &str = "<!-- end -->";

/// A table and the name it goes by.
pub(super) struct MarkdownTable {
    pub(super) name: String,
    text: String,
}

/// All tables there are.
pub(super) fn tables() -> Vec<MarkdownTable> {
    let mut tables = vec![MarkdownTable { name: ROOT.name.to_string(), text: params(&ROOT, "") }];
    for place in places() {
        tables.push(MarkdownTable { name: place.family.name.to_string(), text: names(place.family) });
        tables.extend(place.family.variants.iter().map(|variant| of_variant(&place, variant)));
    }
    tables.push(MarkdownTable { name: "recipes".to_string(), text: recipes() });
    tables
}

/// All tables between their markers, for a new document.
pub(super) fn all() -> String {
    tables()
        .iter()
        .map(|table| format!("{START}{}{START_END}\n{}{END}\n\n", table.name, table.text))
        .collect()
}

/// The documents with every table as it is now.
///
/// # Errors
/// Names a table that does not end, one of which nothing is known, and all that stand in none of the documents.
pub(super) fn refresh(documents: &[String]) -> Result<Vec<String>> {
    let tables = tables();
    let mut missing: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let fresh = documents.iter().map(|document| refresh_one(document, &tables, &mut missing));
    let fresh = fresh.collect::<Result<Vec<_>>>()?;
    if !missing.is_empty() {
        bail!(
            "no section has a line `{START}NAME{START_END}`, followed by a line `{END}`, for {}",
            missing.join(", ")
        );
    }
    Ok(fresh)
}

/// One document; the tables that stand in it are taken off the `missing` ones.
fn refresh_one(document: &str, tables: &[MarkdownTable], missing: &mut Vec<&str>) -> Result<String> {
    let (mut text, mut lines) = (String::new(), document.lines());
    while let Some(line) = lines.next() {
        let _ = writeln!(text, "{line}");
        let Some(name) = line.strip_prefix(START).and_then(|rest| rest.strip_suffix(START_END)) else {
            continue;
        };
        let Some(table) = tables.iter().find(|table| table.name == name) else {
            bail!("the table `{name}` is of nothing that is declared; remove its section");
        };
        missing.retain(|known| *known != name);
        if !lines.any(|line| line == END) {
            bail!("the table `{name}` has no end; expected a line `{END}`");
        }
        let _ = writeln!(text, "{}{END}", table.text);
    }
    Ok(text)
}

fn of_variant(place: &FamilyKey, variant: &'static Variant) -> MarkdownTable {
    let name = format!("{}/{}", place.family.name, variant.name);
    MarkdownTable { name, text: params(variant, &place.prefix(variant)) }
}

/// The parameters of a variant, with their keys as recipes write them.
fn params(variant: &Variant, prefix: &str) -> String {
    if variant.params.is_empty() {
        return "No parameters.\n".to_string();
    }
    let mut text = "| key | default | values | meaning |\n|---|---|---|---|\n".to_string();
    for param in variant.params {
        let (key, default) = (param.key, param.kind.default_text());
        let _ = writeln!(text, "| `{prefix}{key}` | `{default}` | {} | {} |", values(param), cell(param.doc));
    }
    text
}

fn values(param: &Param) -> String {
    match &param.kind {
        ParamKind::Float { min, max, .. } => format!("{min} to {max}"),
        ParamKind::Int { min, max, .. } => format!("{min} to {max}, whole"),
        ParamKind::Flag { .. } => "`true`, `false`".to_string(),
        ParamKind::Word { words, .. } => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        ParamKind::Choice { family, .. } => link(family),
        ParamKind::List { family, .. } => format!("{}, several joined by `+`", link(family)),
    }
}

/// Any variant of a family, whose page has the family's name.
fn link(family: &Family) -> String {
    format!("any [{0}]({0}.md)", family.name)
}

/// The variants of a family, each with a link to its section.
fn names(family: &Family) -> String {
    let mut text = "| name | in short |\n|---|---|\n".to_string();
    for variant in family.variants {
        let (name, short) = (variant.name, cell(&short(variant)));
        let _ = writeln!(text, "| [`{name}`](#{}-{name}) | {short} |", family.name);
    }
    text
}

fn recipes() -> String {
    let mut text = "| recipe | what it is |\n|---|---|\n".to_string();
    for (name, source) in SHELF.recipes {
        let _ = writeln!(text, "| `{name}` | {} |", cell(about(name, source)));
    }
    text
}

/// Text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_replaced_and_nothing_else_is() {
        let refreshed = |document: String| refresh(&[document, String::new()]).unwrap().swap_remove(0);
        let fresh = refreshed(format!("# Title\n\n{}text\n", all()));
        assert!(
            fresh.starts_with("# Title\n\n<!-- table: search -->\n| key |") && fresh.ends_with("\ntext\n")
        );
        let stale = fresh.replace("| `select.c` |", "| `select.k` |");
        assert_ne!(stale, fresh);
        assert_eq!(refreshed(stale), fresh);
    }

    #[test]
    fn what_is_missing_or_too_much_is_named() {
        let error = |document: &str| refresh(&[document.to_string()]).unwrap_err().to_string();
        let without = all().replace("<!-- table: mixer/bma -->", "");
        assert!(error(&without).ends_with("for mixer/bma"), "{}", error(&without));
        assert!(error("<!-- table: mixer/nothing -->\n<!-- end -->\n").contains("`mixer/nothing`"));
        assert!(error("<!-- table: mixer/bma -->\n").contains("has no end"));
    }
}
