//! The page's types are written from the Rust types of the messages: `assets/js/types.js` below its mark is what this makes of
//! `src/protocol`. After a change of a message:
//!
//! ```text
//! TENGEN_WRITE_TYPES=1 cargo nextest run -p tengen-web message_types
//! ```
//!
//! In reading order: `parse` (structs and enums of a source file), this file (their names in JavaScript, and the text).

mod parse;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use parse::{Field, Item, Shape, Type, Variant};

/// Everything below this line of the file is written by the test.
const MARK: &str = "// Below: written from the Rust types of the messages by the test `message_types`; not to be changed by hand.\n";

/// Names that mean something else in JavaScript.
const RENAMED: [(&str, &str); 5] = [
    ("Record", "RecordFile"),
    ("SetupStep", "Setup"),
    ("NetView", "NetInfo"),
    ("RecipeView", "RecipeInfo"),
    ("Num", "number"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// All types of the messages; those of `ask.rs` first.
fn items() -> Vec<Item> {
    let protocol = folder().join("src/protocol");
    let mut files = vec![protocol.join("ask.rs"), protocol.join("spot.rs"), protocol.join("mod.rs")];
    let mut tells: Vec<PathBuf> =
        std::fs::read_dir(protocol.join("tell")).unwrap().map(|entry| entry.unwrap().path()).collect();
    tells.sort();
    files.extend(tells);
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        parse::items(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    // A number that is rounded for the page is a number.
    files.iter().flat_map(read).filter(|item| item.name != "Num").chain(score_text()).collect()
}

/// The words of a score, which a message takes from the laboratory as they are.
fn score_text() -> Vec<Item> {
    let text = std::fs::read_to_string(folder().join("../lab/src/stats/score.rs")).unwrap();
    let part = text.split("\n\n").find(|part| part.contains("pub struct ScoreText {"));
    parse::items(part.expect("the struct ScoreText")).unwrap()
}

/// The types of messages by their names in Rust, each of which is one type's alone.
struct Names(BTreeSet<String>);

impl Names {
    fn new(items: &[Item]) -> Self {
        let names: BTreeSet<String> = items.iter().map(|item| item.name.clone()).collect();
        assert_eq!(names.len(), items.len(), "two messages have one name");
        Self(names)
    }

    /// A type's name in JavaScript.
    fn of(&self, name: &str) -> String {
        if let Some((_, other)) = RENAMED.iter().find(|(rust, _)| *rust == name) {
            return (*other).to_string();
        }
        match name.strip_suffix("View") {
            Some(short) if !self.0.contains(short) => short.to_string(),
            _ => name.to_string(),
        }
    }

    fn is_known(&self, name: &str) -> bool {
        name == "Num" || self.0.contains(name)
    }

    fn show(&self, ty: &Type) -> String {
        let list = |types: &[Type]| types.iter().map(|ty| self.show(ty)).collect::<Vec<_>>().join(", ");
        match ty {
            Type::Tuple(parts) => format!("[{}]", list(parts)),
            Type::Array(part, n) => format!("[{}]", vec![self.show(part); *n].join(", ")),
            Type::Path(name, parts) => match (name.as_str(), parts.as_slice()) {
                ("bool", []) => "boolean".to_string(),
                ("String" | "str", []) => "string".to_string(),
                (
                    "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "f32" | "f64",
                    [],
                ) => "number".to_string(),
                ("Option", [part]) => format!("{} | null", self.show(part)),
                ("Box", [part]) => self.show(part),
                ("Vec", [part]) => match self.show(part) {
                    text if text.contains(" | ") && !text.starts_with('[') => format!("({text})[]"),
                    text => format!("{text}[]"),
                },
                ("BTreeMap", [_, part]) => format!("Record<string, {}>", self.show(part)),
                (name, []) if self.is_known(name) => self.of(name),
                _ => panic!("{ty:?} is no type that a message can have; teach it to this test"),
            },
        }
    }
}

/// `SaveGame` as serde writes it with `kebab-case`.
fn kebab(name: &str) -> String {
    let mut text = String::new();
    for (idx, c) in name.char_indices() {
        if c.is_uppercase() && idx > 0 {
            text.push('-');
        }
        text.extend(c.to_lowercase());
    }
    text
}

fn property(names: &Names, field: &Field) -> (String, String, String) {
    // What is left out when it is empty is never null.
    let ty = match &field.ty {
        Type::Path(name, parts) if name == "Option" && field.skips => names.show(&parts[0]),
        ty => names.show(ty),
    };
    let name = if field.skips || field.defaults { format!("[{}]", field.name) } else { field.name.clone() };
    (ty, name, field.doc.clone())
}

/// A variant as a type.
fn variant(names: &Names, item: &Item, variant: &Variant) -> String {
    match (&variant.shape, &item.tag) {
        (Shape::Unit, _) => format!("'{}'", kebab(&variant.name)),
        (Shape::Tuple(parts), _) => match parts.as_slice() {
            [part] => names.show(part),
            parts => names.show(&Type::Tuple(parts.to_vec())),
        },
        (Shape::Struct(fields), Some(tag)) => {
            let fields = fields.iter().map(|field| {
                let (ty, name, _) = property(names, field);
                match name.strip_prefix('[') {
                    Some(name) => format!(", {}?: {ty}", name.trim_end_matches(']')),
                    None => format!(", {name}: {ty}"),
                }
            });
            format!("{{{tag}: '{}'{}}}", kebab(&variant.name), fields.collect::<String>())
        }
        (Shape::Struct(_), None) => panic!("{}::{}: expected a tag", item.name, variant.name),
    }
}

/// The typedef of an item.
fn typedef(names: &Names, item: &Item) -> String {
    let name = names.of(&item.name);
    let mut text = format!("/**\n * {}\n", item.doc);
    match &item.shape {
        parse::Body::Struct(Shape::Struct(fields)) => {
            let _ = writeln!(text, " * @typedef {{object}} {name}");
            for field in fields {
                let (ty, name, doc) = property(names, field);
                let _ = writeln!(text, " * @property {{{ty}}} {name} {doc}");
            }
        }
        parse::Body::Struct(Shape::Tuple(parts)) => {
            let ty = names.show(&Type::Tuple(parts.clone()));
            let _ = writeln!(text, " * @typedef {{{ty}}} {name}");
        }
        parse::Body::Struct(Shape::Unit) => panic!("{}: a message holds something", item.name),
        // The two lists of messages become maps from the name of a message to what it holds.
        parse::Body::Enum(variants) if item.name == "Ask" || item.name == "Tell" => {
            let _ = writeln!(text, " * @typedef {{{{");
            for one in variants {
                let ty = variant(names, item, one);
                let _ = writeln!(text, " *   '{}': {ty},", kebab(&one.name));
            }
            let _ = writeln!(text, " * }}}} {name}s");
        }
        parse::Body::Enum(variants) => {
            let parts: Vec<_> = variants.iter().map(|one| variant(names, item, one)).collect();
            let _ = writeln!(text, " * @typedef {{{}}} {name}", parts.join(" | "));
        }
    }
    text + " */\n"
}

#[test]
fn the_pages_types_are_those_of_the_messages() {
    let items = items();
    let names = Names::new(&items);
    let wanted: String = items.iter().map(|item| typedef(&names, item)).collect();
    let path = folder().join("assets/js/types.js");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, written) = text.split_once(MARK).expect("the mark in types.js");
    if std::env::var_os("TENGEN_WRITE_TYPES").is_some() {
        return std::fs::write(&path, format!("{head}{MARK}{wanted}")).unwrap();
    }
    assert!(
        written == wanted,
        "types.js is not what the messages are: run TENGEN_WRITE_TYPES=1 cargo nextest run -p tengen-web message_types"
    );
}

#[test]
fn every_kind_of_type_is_written() {
    let source = "/// A colour.\n#[derive(Serialize)]\n#[serde(rename_all = \"kebab-case\")]\npub enum Side {\n /// B.\n Black,\n /// W.\n DeepWhite,\n}\n\
        /// Both.\n#[serde(tag = \"edit\", rename_all = \"kebab-case\")]\npub enum Edit {\n /// A.\n Add { /// n\n parent: usize, #[serde(default)] /// t\n text: Option<String> },\n}\n\
        /// A thing.\npub struct Thing {\n /// The first,\n /// long.\n pub a: Vec<Option<Num>>,\n #[serde(skip_serializing_if = \"Option::is_none\")]\n pub b: Option<(Side, [i32; 2])>,\n pub c: std::collections::BTreeMap<i32, Box<Side>>, pub d: &'static str,\n}\n\
        impl Thing { pub fn a(&self) -> usize { 1 } }\n/// Two.\npub struct Two(pub i32, pub Vec<(Num, Num)>);\n";
    let items = parse::items(source).unwrap();
    let names = Names::new(&items);
    let text: String = items.iter().map(|item| typedef(&names, item)).collect();
    for part in [
        "@typedef {'black' | 'deep-white'} Side",
        "@typedef {{edit: 'add', parent: number, text?: string | null}} Edit",
        "@property {(number | null)[]} a The first, long.",
        "@property {[Side, [number, number]]} [b] ",
        "@property {Record<string, Side>} c ",
        "@property {string} d ",
        "@typedef {[number, [number, number][]]} Two",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(parse::items("pub struct Broken { pub a").is_err());
}
