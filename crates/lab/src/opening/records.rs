//! Openings on file: a folder of records, or one file with many.

use std::fs;
use std::path::{Path, PathBuf};

use goban::{Position, Rules};
use player::record;
use sgf::{Collection, Game, Header};

use super::{Opening, Openings};
use crate::game::Terms;
use crate::{Error, ErrorPlace, Result};

/// How deep folders in folders are looked into.
const MAX_DEPTH: usize = 8;

/// Reads the openings of a file, or of a folder and the folders in it, in the order of their names. Each record is followed to
/// the end of its main line. Those of other board sizes are passed over.
///
/// # Errors
/// A file that is no record or holds no sound game, named; no opening of the right size.
pub fn read(path: &Path, terms: &Terms) -> Result<Openings> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, MAX_DEPTH, &mut files)?;
        files.sort();
    } else {
        files.push(path.to_path_buf());
    }
    let (mut list, mut n_other) = (Vec::new(), 0);
    for file in &files {
        let bytes = fs::read(file).map_err(Error::file("read", file))?;
        let name = file.strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty()).unwrap_or(file);
        for opening in parse(&bytes, &name.display().to_string(), terms.rules)? {
            if opening.position.size() != terms.size {
                n_other += 1;
            } else if opening.position.is_over() {
                return Err(Error::input(format!("{}: the game is over already", opening.name)));
            } else {
                list.push(opening);
            }
        }
    }
    if list.is_empty() {
        return Err(Error::input(format!(
            "{} has no opening for a board of {}: expected records (.sgf) of that size, found {n_other} of others",
            path.display(),
            terms.size
        )));
    }
    let openings = Openings::new(String::new(), list);
    let text = format!("{} records, {:016x}", openings.list().len(), openings.fingerprint());
    Ok(Openings { text, ..openings })
}

fn collect(dir: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).map_err(Error::file("read", dir))? {
        let path = entry.map_err(Error::file("read", dir))?.path();
        if path.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            files.push(path);
        }
    }
    Ok(())
}

/// The openings of a file, by its bytes.
pub(super) fn parse(bytes: &[u8], file: &str, rules: Rules) -> Result<Vec<Opening>> {
    let collection = Collection::read(bytes).map_err(Error::other).at(file)?;
    let is_one = collection.games.len() == 1;
    let read = |(idx, tree)| {
        let name = if is_one { file.to_string() } else { format!("{file}, game {}", idx + 1) };
        let game = Game::new(tree).map_err(Error::other).at(&name)?;
        let position: Position = record::position_of(&game, rules, None).map_err(Error::other).at(&name)?;
        let name = if is_one { name } else { game.header.name.clone().unwrap_or(name) };
        Ok(Opening { name, position, comment: game.header.comment.clone() })
    };
    collection.games.iter().enumerate().map(read).collect()
}

impl Openings {
    /// All openings as one file of records.
    ///
    /// # Errors
    /// When a record cannot hold one, which no board of ours brings about.
    pub fn to_sgf(&self) -> Result<String> {
        let show = |opening: &Opening| {
            let header = Header {
                name: Some(opening.name.clone()),
                comment: opening.comment.clone(),
                application: Some(format!("Tengen:{}", env!("CARGO_PKG_VERSION"))),
                ..Header::default()
            };
            let builder = record::record_of(&opening.position, header).map_err(Error::other);
            Ok(builder.at(&opening.name)?.finish().to_string().trim_end().to_string() + "\n")
        };
        self.list.iter().map(show).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Color, Size};

    fn terms(side: usize) -> Terms {
        Terms::new(Size::square(side).unwrap(), 7.5, Rules::CHINESE)
    }

    #[test]
    fn folders_are_read_in_order_and_by_size() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("b.sgf", "(;SZ[5];B[aa];W[bb])");
        write("a/2.SGF", "(;SZ[5]AB[cc]AW[dd]PL[W])");
        write("a/1.sgf", "(;SZ[9];B[cc])(;SZ[5]GN[second];B[ee])");
        write("notes.txt", "no record");
        let openings = read(dir.path(), &terms(5)).unwrap();
        let names: Vec<&str> = openings.list().iter().map(|opening| opening.name.as_str()).collect();
        assert_eq!(names, ["second", "a/2.SGF", "b.sgf"]);
        let set_up = &openings.list()[1].position;
        assert_eq!((set_up.to_play(), set_up.plays().len()), (Color::White, 0));
        assert_eq!(set_up.board().n_on_board(Color::Black), 1);
        assert!(openings.text().starts_with("3 records, "), "{}", openings.text());
        // What is written is read as the same openings.
        let file = dir.path().join("all.sgf");
        fs::write(&file, openings.to_sgf().unwrap()).unwrap();
        let again = read(&file, &terms(5)).unwrap();
        assert_eq!(again.text(), openings.text());
        let none = read(dir.path(), &terms(7)).unwrap_err().to_string();
        assert!(none.contains("no opening for a board of 7") && none.contains("found 7 of others"), "{none}");
    }

    #[test]
    fn what_is_no_opening_is_named() {
        let dir = tempfile::tempdir().unwrap();
        for (text, expected) in
            [("(;SZ[5];B[aa];W[aa])", "bad.sgf"), ("(;SZ[5];B[];W[])", "over already"), ("what", "bad.sgf")]
        {
            fs::write(dir.path().join("bad.sgf"), text).unwrap();
            let error = read(dir.path(), &terms(5)).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let error = read(&dir.path().join("nowhere"), &terms(5)).unwrap_err().to_string();
        assert!(error.starts_with("cannot read") && error.contains("nowhere"), "{error}");
    }
}
