//! Changes that the page made to a record go into the file it came from, node by node; everything else stays as it is.

use std::collections::BTreeMap;

use goban::{Rules, Size};
use player::record;
use sgf::{Builder, Collection, Coord, EditError, GameResult, GameTree, Header, NodeId};

use super::{Room, invalid, tell};
use crate::protocol::ask::{Edit, EditRecord, NewRecord};
use crate::protocol::spot::{SpotStep, vertex};
use crate::protocol::tell::Markup;
use crate::protocol::{Answer, Kind, Refusal};
use player::record::NO_GAME;

/// The text of the file with the changes: the page's file if there is one, otherwise a new record.
pub(crate) fn write(ask: &EditRecord) -> Answer<String> {
    match (&ask.sgf, &ask.game) {
        (Some(file), None) => {
            let mut collection = Collection::read(&super::bytes(file)?).map_err(|error| invalid(&error))?;
            let first = collection.games.first_mut().ok_or_else(|| invalid(&NO_GAME))?;
            *first = edited(first, &ask.edits)?;
            Ok(collection.to_string())
        }
        (None, Some(game)) => Ok(edited(&new_tree(game)?, &ask.edits)?.to_string()),
        _ => Err(Refusal::invalid(
            "expected either `sgf`, the file that is changed, or `game`, the facts of a new one",
        )),
    }
}

/// A record with a root alone.
fn new_tree(game: &NewRecord) -> Answer<GameTree> {
    let size = Size::new(game.width, game.height).map_err(|error| Refusal::invalid(error.to_string()))?;
    let rules: Rules =
        game.rules.parse().map_err(|error: goban::RulesError| Refusal::invalid(error.to_string()))?;
    if !game.komi.is_finite() || game.handicap > size.area() {
        return Err(Refusal::invalid("expected a komi that is a number and a handicap that fits the board"));
    }
    let name = |name: &str| (!name.is_empty()).then(|| name.to_string());
    let [black, white] =
        [0, 1].map(|idx| sgf::Player { name: name(&game.players[idx]), ..sgf::Player::default() });
    let header = Header {
        width: size.width() as u8,
        height: size.height() as u8,
        komi: Some(record::decimal(game.komi)),
        handicap: game.handicap as u32,
        rules: Some(rules.to_string()),
        black,
        white,
        result: GameResult::from_text(&game.result),
        application: Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION"))),
        ..Header::default()
    };
    let mut tree = Builder::new(&header).map_err(internal)?.finish();
    add_steps(&mut tree, NodeId::ROOT, &game.steps, size)?;
    Ok(tree)
}

/// What is written last on a node; what was written before it in the same message counts for nothing.
#[derive(Default)]
struct Writing<'a> {
    comment: Option<&'a str>,
    name: Option<&'a str>,
    marks: Option<&'a Markup>,
}

/// A copy of the tree with the changes. The work grows with the file and the changes, not with their product: every node is
/// written on once, and compared with what was told of it.
fn edited(before: &GameTree, edits: &[Edit]) -> Answer<GameTree> {
    let told = tell(before, &mut Room::default())?;
    let size = Size::new(told.tree.width, told.tree.height).map_err(|error| invalid(&error))?;
    let mut tree = before.clone();
    // New nodes have the numbers after those that were told.
    let mut ids = told.ids;
    let mut removed = Vec::new();
    let mut written: BTreeMap<usize, Writing<'_>> = BTreeMap::new();
    for edit in edits {
        let find = |node: usize| {
            let n = ids.len();
            ids.get(node).copied().ok_or_else(|| {
                Refusal::invalid(format!("node {node} is not in the record; expected 0 to {}", n - 1))
            })
        };
        match edit {
            Edit::Add { parent, steps } => {
                let node = tree.add_child(find(*parent)?).map_err(internal)?;
                add_steps(&mut tree, node, steps, size)?;
                ids.push(node);
            }
            Edit::Remove { node } => removed.push(find(*node)?),
            Edit::Comment { node, text } => {
                find(*node)?;
                written.entry(*node).or_default().comment = Some(text);
            }
            Edit::Name { node, text } => {
                find(*node)?;
                written.entry(*node).or_default().name = Some(text);
            }
            Edit::Marks { node, marks } => {
                find(*node)?;
                written.entry(*node).or_default().marks = Some(marks);
            }
        }
    }
    for (node, writing) in written {
        let id = ids[node];
        for (ident, text) in [("C", writing.comment), ("N", writing.name)] {
            if let Some(text) = text {
                tree.set_text(id, ident, text).map_err(internal)?;
            }
        }
        if let Some(marks) = writing.marks {
            let old = told.tree.nodes.get(node).and_then(|node| node.marks.as_ref());
            set_marks(&mut tree, id, marks, old.unwrap_or(&Markup::default()), size)?;
        }
    }
    Ok(tree.without(&removed))
}

fn add_steps(tree: &mut GameTree, node: NodeId, steps: &[SpotStep], size: Size) -> Answer<()> {
    steps.iter().try_for_each(|step| tree.add_step(node, &from_step(step, size)?).map_err(internal))
}

fn from_step(step: &SpotStep, size: Size) -> Answer<sgf::Step> {
    let color = |side| record::from_color(goban::Color::from(side));
    Ok(match step {
        SpotStep::Play(side, to) => {
            sgf::Step::Move(sgf::Move { color: color(*side), point: record::to_coord(vertex(size, *to)?) })
        }
        SpotStep::Setup(setup) => sgf::Step::Setup(sgf::Setup {
            black: coords(&setup.black, size)?,
            white: coords(&setup.white, size)?,
            empty: coords(&setup.empty, size)?,
            to_play: setup.to_play.map(color),
        }),
    })
}

fn coords(points: &[i32], size: Size) -> Answer<Vec<Coord>> {
    points.iter().map(|&to| coord(to, size)).collect()
}

fn coord(to: i32, size: Size) -> Answer<Coord> {
    record::to_coord(vertex(size, to)?)
        .ok_or_else(|| Refusal::invalid("a pass can be neither a stone nor a mark"))
}

/// Changes the lists that are not what they were; the others keep every letter.
fn set_marks(tree: &mut GameTree, node: NodeId, marks: &Markup, before: &Markup, size: Size) -> Answer<()> {
    for ((ident, points), (_, old)) in marks.lists().into_iter().zip(before.lists()) {
        if points != old {
            tree.set_points(node, ident, &coords(points, size)?).map_err(internal)?;
        }
    }
    if marks.labels != before.labels {
        let label = |(to, text): &(i32, String)| Ok((coord(*to, size)?, text.clone()));
        let labels = marks.labels.iter().map(label).collect::<Answer<Vec<_>>>()?;
        tree.set_labels(node, &labels).map_err(internal)?;
    }
    Ok(())
}

// Taken by value, as `map_err` gives it.
#[allow(clippy::needless_pass_by_value)]
fn internal(error: EditError) -> Refusal {
    Refusal::new(Kind::Internal, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RICH: &str = "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]SZ[9]KM[6.5]PB[Anna]BR[3d]PW[Ben]WR[2k]EV[Cup]RO[1]DT[2020-01-02]\
        PC[Here]TM[600]OT[5x30 byo-yomi]RE[B+R]GC[a \\] game]XX[un][known]KGSDE[aa]\
        ;B[ee]BL[598.5]OB[5]C[first\\: move]TR[aa][bb:cc]LB[dd:A][ff:1]N[start]GB[1]V[0.5]\
        (;W[cc]WL[590]CR[ee]SQ[dd]MA[aa]SL[bb]DD[aa:cc]AR[aa:bb]LN[cc:dd]FG[257:x]HO[1]\
        ;B[gc]TB[hh:ii]TW[aa][ab]UC[1])(;W[gg]DM[1]BM[2]C[bad]))(;GM[1]SZ[5]GN[second];B[cc]Q[z])";

    /// Every property of every node, by the node's place among its siblings.
    type Properties = BTreeMap<String, Vec<(String, Vec<String>)>>;

    fn properties(text: &str) -> Properties {
        properties_of(&Collection::parse(text).unwrap())
    }

    fn properties_of(collection: &Collection) -> Properties {
        let mut all = BTreeMap::new();
        for (idx, game) in collection.games.iter().enumerate() {
            let mut waiting = vec![(NodeId::ROOT, idx.to_string())];
            while let Some((node, place)) = waiting.pop() {
                for (idx, child) in game.children(node).enumerate() {
                    waiting.push((child, format!("{place}.{idx}")));
                }
                let values = |property: sgf::Property<'_>| {
                    property.values().map(|value| value.raw().to_string()).collect()
                };
                let own =
                    game.properties(node).map(|property| (property.ident().to_string(), values(property)));
                all.insert(place, own.collect());
            }
        }
        all
    }

    fn ask(edits: Vec<Edit>) -> EditRecord {
        use base64::Engine;
        let file = base64::engine::general_purpose::STANDARD.encode(RICH);
        EditRecord { sgf: Some(file), game: None, edits }
    }

    #[test]
    fn a_record_without_changes_keeps_every_property() {
        let written = write(&ask(vec![])).unwrap();
        assert_eq!(properties(&written), {
            let mut before = properties(RICH);
            // What the second game does not say of its form is written.
            let form =
                [("FF", "4"), ("CA", "UTF-8")].map(|(ident, value)| (ident.into(), vec![value.into()]));
            before.get_mut("1").unwrap().splice(0..0, form);
            before
        });
    }

    /// All files with the ending `.sgf` below a folder.
    fn records_below(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                records_below(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "sgf") {
                found.push(path);
            }
        }
    }

    #[test]
    fn files_of_other_programs_keep_every_property() {
        let Some(data) = std::env::var_os("TENGEN_DATA") else {
            return println!("skipped: TENGEN_DATA is not set, it should name the data folder");
        };
        let mut files = Vec::new();
        records_below(&std::path::Path::new(&data).join("sgf-torture"), &mut files);
        let mut n_compared = 0;
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            let Ok(told) = super::super::read(&bytes) else { continue };
            let last = told.nodes.len() - 1;
            let edits = vec![Edit::Name { node: last, text: "changed".into() }];
            let ask = EditRecord { sgf: Some(super::super::base64(&bytes)), game: None, edits };
            let mut after = properties(&write(&ask).unwrap());
            let mut before = properties_of(&Collection::read(&bytes).unwrap());
            for all in [&mut before, &mut after] {
                for (place, own) in all.iter_mut() {
                    own.retain(|(ident, _)| {
                        ident != "N" && (place.contains('.') || !matches!(ident.as_str(), "FF" | "CA"))
                    });
                }
            }
            assert!(before == after, "{}", file.display());
            n_compared += 1;
        }
        assert!(n_compared > 20, "{n_compared} files");
    }

    #[test]
    fn changes_touch_what_they_name_and_nothing_else() {
        let told = super::super::read(RICH.as_bytes()).unwrap();
        let mut marks = told.nodes[1].marks.clone().unwrap();
        marks.labels.push((80, "b".into()));
        marks.circle.push(0);
        let written = write(&ask(vec![
            Edit::Add { parent: 3, steps: vec![SpotStep::Play(crate::protocol::ask::Side::White, -1)] },
            Edit::Comment { node: 5, text: "new ]\\".into() },
            Edit::Marks { node: 1, marks },
            Edit::Comment { node: 0, text: "hello".into() },
            Edit::Name { node: 2, text: "two".into() },
            Edit::Remove { node: 4 },
        ]))
        .unwrap();
        let (before, after) = (properties(RICH), properties(&written));
        let difference = |place: &str| -> Vec<String> {
            let none = Vec::new();
            let (old, new) = (before.get(place).unwrap_or(&none), after.get(place).unwrap_or(&none));
            let gone = old.iter().filter(|one| !new.contains(one)).map(|(ident, _)| format!("-{ident}"));
            let come = new
                .iter()
                .filter(|one| !old.contains(one))
                .map(|(ident, values)| format!("+{ident}{values:?}"));
            gone.chain(come).collect()
        };
        assert_eq!(difference("0"), [r#"+C["hello"]"#]);
        assert_eq!(difference("0.0"), ["-LB", r#"+CR["aa"]"#, r#"+LB["dd:A", "ff:1", "ii:b"]"#]);
        assert_eq!(difference("0.0.0"), [r#"+N["two"]"#]);
        assert_eq!(difference("0.0.0.0"), [""; 0]);
        assert_eq!(difference("0.0.0.0.0"), [r#"+W[""]"#, r#"+C["new \\]\\\\"]"#]);
        assert!(!after.contains_key("0.0.1") && before.contains_key("0.0.1"));
        assert_eq!(difference("1.0"), [""; 0]);
    }

    #[test]
    fn of_several_changes_of_a_node_the_last_counts() {
        let marks = |point| Markup { cross: vec![point], ..Markup::default() };
        let written = write(&ask(vec![
            Edit::Comment { node: 2, text: "first".into() },
            Edit::Marks { node: 2, marks: marks(0) },
            Edit::Comment { node: 2, text: "last".into() },
            Edit::Marks { node: 2, marks: marks(1) },
        ]))
        .unwrap();
        let all = properties(&written);
        let of = |ident: &str| {
            all["0.0.0"].iter().find(|(name, _)| name == ident).map(|(_, values)| values.concat())
        };
        assert_eq!((of("C").as_deref(), of("MA").as_deref(), of("CR")), (Some("last"), Some("ba"), None));
    }

    #[test]
    fn new_records_and_bad_changes() {
        let game = NewRecord {
            width: 9,
            height: 9,
            komi: 6.7,
            rules: "japanese".into(),
            handicap: 0,
            players: ["A]".into(), String::new()],
            result: "W+R".into(),
            steps: vec![],
        };
        let add = Edit::Add { parent: 0, steps: vec![SpotStep::Play(crate::protocol::ask::Side::Black, 40)] };
        let new = |edits| write(&EditRecord { sgf: None, game: Some(game.clone()), edits });
        let written = new(vec![add]).unwrap();
        for part in ["SZ[9]", "KM[6.7]", "RU[japanese]", "PB[A\\]]", "RE[W+R]", ";B[ee])"] {
            assert!(written.contains(part), "{part} in {written}");
        }
        let bad = |edit| new(vec![edit]).unwrap_err().message;
        assert!(bad(Edit::Remove { node: 1 }).contains("node 1 is not in the record"));
        assert!(
            bad(Edit::Marks { node: 0, marks: Markup { cross: vec![-1], ..Markup::default() } })
                .contains("pass")
        );
        assert!(
            bad(Edit::Marks { node: 0, marks: Markup { cross: vec![81], ..Markup::default() } })
                .contains("81")
        );
        assert!(write(&EditRecord { sgf: None, game: None, edits: vec![] }).is_err());
        // The root stays whatever is asked.
        assert!(new(vec![Edit::Remove { node: 0 }]).unwrap().contains("SZ[9]"));
    }
}
