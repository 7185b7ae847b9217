//! Files and folders, packed or not.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

/// How a file holds its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// SGF.
    Record,
    /// A game per line.
    List,
}

/// A file with games, open for reading.
pub struct Input {
    /// The file as it was asked for.
    pub name: String,
    /// How it holds its games.
    pub kind: FileKind,
    /// The bytes, unpacked.
    pub reader: Box<dyn BufRead>,
}

/// What may be named, in words.
const EXPECTED: &str = "expected an SGF file, a list of games or a folder of them";

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BUFFER: usize = 1 << 18;

impl Input {
    /// Opens a file and finds out what it holds: by its name if that ends in .sgf, otherwise by its beginning.
    ///
    /// # Errors
    /// When it cannot be read; the text names the file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| in_file(path, &error);
        let file = File::open(path).map_err(|why| in_file(path, &format_args!("{why}; {EXPECTED}")))?;
        let mut raw = BufReader::with_capacity(BUFFER, file);
        let mut reader: Box<dyn BufRead> = if raw.fill_buf().map_err(named)?.starts_with(&GZIP_MAGIC) {
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(raw)))
        } else {
            Box::new(raw)
        };
        let name = path.display().to_string();
        let plain = name.to_ascii_lowercase();
        let is_record = plain.ends_with(".sgf") || plain.ends_with(".sgf.gz") || {
            let beginning = reader.fill_buf().map_err(named)?;
            beginning.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(')
        };
        Ok(Self { name, kind: if is_record { FileKind::Record } else { FileKind::List }, reader })
    }
}

/// The file itself, or the .sgf and .gz files of a folder and the folders in it, by name. What cannot be read comes
/// as an error with its name.
pub fn expand(path: &Path) -> Vec<io::Result<PathBuf>> {
    if !path.is_dir() {
        return vec![Ok(path.to_path_buf())];
    }
    let mut found = Vec::new();
    walk(path, &mut found);
    if found.is_empty() {
        found.push(Err(in_file(path, &"the folder holds no .sgf or .gz file")));
    }
    found
}

fn walk(folder: &Path, found: &mut Vec<io::Result<PathBuf>>) {
    let entries = match fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(in_file(folder, &error))),
    };
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let is_wanted = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("sgf") || end.eq_ignore_ascii_case("gz"));
        // A link to a folder is not followed: it could lead in a circle.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, found);
        } else if is_wanted && path.is_file() {
            found.push(Ok(path));
        }
    }
}

/// An error that names its file.
fn in_file(path: &Path, what: &dyn Display) -> io::Error {
    io::Error::other(format!("{}: {what}", path.display()))
}
