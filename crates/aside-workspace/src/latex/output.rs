//! The folder that the programs of a build write to. It lies outside the workspace, so that nothing clutters it, and is kept
//! between builds, so that the next one is quick. What a document did there is not trusted: no link is followed.

use std::path::PathBuf;

use aside_core::{Sha256, WorkspacePath};
use rustix::fs::{AtFlags, CWD, FileType, Mode, mkdirat, statat};

use crate::{
    Workspace, WorkspaceError,
    latex::document::LatexDocument,
    scratch::{Scratch, read_plain},
};

/// The output folder of one main file.
pub(super) struct Output {
    pub folder: PathBuf,
    stem: String,
}

impl Workspace {
    /// Returns the output folder of a document, made if it is not there.
    #[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
    pub(super) fn latex_output(&self, document: &LatexDocument) -> Result<Output, WorkspaceError> {
        let failed =
            |source| WorkspaceError::Io { attempt: "make a folder for", path: document.main.to_string(), source };
        let mut output = self.latex.output();
        let scratch = match output.take() {
            Some(scratch) => scratch,
            None => Scratch::make("aside-latex-").map_err(failed)?,
        };
        let top = output.insert(scratch).path().map_err(failed)?;
        let folder = top.join(&Sha256::of(document.main.as_str()).as_str()[..16]);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let name = document.main.name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        Ok(Output { folder, stem })
    }
}

impl Output {
    /// Makes the folders that TeX needs for chapters that are in folders.
    pub fn make_folders(&self, folders: &[String]) {
        for folder in folders {
            let mut at = self.folder.clone();
            for part in folder.split('/').filter(|part| !part.is_empty() && *part != ".") {
                at.push(part);
                // There already, or TeX will say what it can't write.
                let _ = mkdirat(CWD, &at, Mode::from(0o755));
                let found = statat(CWD, &at, AtFlags::SYMLINK_NOFOLLOW);
                if !found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Directory) {
                    break;
                }
            }
        }
    }

    /// Returns the bytes of a file beside the others, `limit` of them at most; none if there is no such file.
    pub fn read(&self, end: &str, limit: u64) -> Option<Vec<u8>> {
        read_plain(&self.folder.join(format!("{}.{end}", self.stem)), limit)
    }

    /// Returns a file whole; none if it is not there or has more than `limit` bytes.
    pub fn read_whole(&self, end: &str, limit: u64) -> Option<Vec<u8>> {
        self.read(end, limit + 1).filter(|bytes| bytes.len() as u64 <= limit)
    }
}

/// The PDF's place: beside the main file, under its name.
pub(super) fn pdf_path(main: &WorkspacePath) -> WorkspacePath {
    let text = main.as_str();
    let stem = text.rsplit_once('.').map_or(text, |(stem, _)| stem);
    WorkspacePath::new(&format!("{stem}.pdf")).expect("it differs from a path in its last letters only")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use super::*;

    #[test]
    fn no_link_in_it_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output { folder: folder.path().join("out"), stem: "a".to_owned() };
        std::fs::create_dir(&output.folder).unwrap();
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), output.folder.join("a.pdf")).unwrap();
        std::os::unix::fs::symlink(folder.path(), output.folder.join("chapters")).unwrap();
        std::fs::write(output.folder.join("a.log"), "a log").unwrap();
        output.make_folders(&["chapters/one".to_owned(), "parts/two".to_owned()]);
        assert_eq!(output.read("pdf", 10), None);
        assert_eq!((output.read("log", 3).unwrap(), output.read_whole("log", 3)), (b"a l".to_vec(), None));
        assert!(output.folder.join("parts/two").is_dir() && !folder.path().join("one").exists());
    }
}
