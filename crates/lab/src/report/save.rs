//! A page as files: `NAME.html`, `NAME.md`, and a file for each of its pictures.

use std::path::{Path, PathBuf};

use crate::{Error, Result};

use super::page::Page;

impl Page {
    /// Writes `NAME.html`, `NAME.md` and the pictures (`NAME-PICTURE.svg`) into the folder, which is made if need be.
    /// Returns the files.
    ///
    /// # Errors
    /// A folder that cannot be made, a file that cannot be written.
    pub fn save(&self, folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
        std::fs::create_dir_all(folder).map_err(Error::file("make the folder", folder))?;
        let prefix = format!("{name}-");
        let mut files = vec![
            (folder.join(format!("{name}.html")), self.html()),
            (folder.join(format!("{name}.md")), self.markdown(&prefix)),
        ];
        let pictures = self.pictures(&prefix).into_iter().zip(self.figures());
        files.extend(pictures.map(|(file, figure)| (folder.join(file), figure.svg.file())));
        for (path, text) in &files {
            std::fs::write(path, text).map_err(Error::file("write", path))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}
