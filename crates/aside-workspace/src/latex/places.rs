//! Where a line of the source is in the PDF of its last good build, and the other way.

use std::{
    fs::File,
    io::{Read as _, Write as _},
};

use aside_core::{PageArea, WorkspacePath};
use aside_latex::{SyncTex, parse_synctex};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use super::{
    document::{LatexError, LatexWishes},
    knitted::Knitted,
};
use crate::{Workspace, WorkspaceError};

/// Bytes of a SyncTeX file, unpacked.
const MOST_UNPACKED: u64 = 256 << 20;
/// Rectangles that are shown of one line.
const MOST_AREAS: usize = 200;

impl Workspace {
    /// Returns the PDF of the document that a source file belongs to, and the places in it that come from a line.
    pub fn latex_areas(&self, path: &WorkspacePath, line: u32) -> Result<(WorkspacePath, Vec<PageArea>), LatexError> {
        let main = self.latex_document(path, LatexWishes::default())?.main;
        let pdf = self.latex_build(&main)?.and_then(|build| build.pdf);
        let pdf = pdf.ok_or_else(|| LatexError::NotBuilt(main.clone()))?;
        let synctex = self.synctex(&main)?;
        let real = self.real_path(path)?;
        let (real, line) = match Knitted::of(self, &main).filter(|_| real == main) {
            Some(Knitted { file, lines }) => (file, lines.made_of(line).unwrap_or(line)),
            None => (real, line),
        };
        let named = synctex.files().find(|file| self.source_path(&main, file).as_ref() == Some(&real));
        let areas = named.map(|file| synctex.areas(file, line)).unwrap_or_default();
        Ok((pdf, areas.into_iter().take(MOST_AREAS).map(told).collect()))
    }

    /// Returns the source of what is at a point of a page, in points from its upper left corner. None if that is nothing of
    /// the workspace.
    pub fn latex_source(
        &self,
        pdf: &WorkspacePath,
        page: u32,
        x: f64,
        y: f64,
    ) -> Result<Option<(WorkspacePath, u32)>, LatexError> {
        let build = self.latex_build_of_pdf(&self.real_path(pdf)?)?;
        let main = build.ok_or_else(|| LatexError::NotBuilt(pdf.clone()))?.main;
        let place = self.synctex(&main)?.source(page, x, y);
        let found = place.and_then(|place| Some((self.source_path(&main, &place.file)?, place.line)));
        let found = found.map(|(path, line)| match Knitted::of(self, &main).filter(|knitted| knitted.file == path) {
            Some(Knitted { lines, .. }) => (main.clone(), lines.source(line).unwrap_or(line)),
            None => (path, line),
        });
        Ok(found.filter(|(path, _)| self.real_path(path).is_ok()))
    }

    /// Keeps the SyncTeX file of a build.
    #[expect(clippy::disallowed_methods, reason = "Aside's own folder")]
    pub(super) fn keep_synctex(&self, main: &WorkspacePath, packed: &[u8]) -> Result<(), WorkspaceError> {
        let failed =
            |source| WorkspaceError::Io { attempt: "store the line positions of", path: main.to_string(), source };
        let file = self.synctex_file(main);
        let folder = file.parent().expect("it is in a folder");
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut written = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        written.write_all(packed).map_err(failed)?;
        written.persist(file).map_err(|error| failed(error.error))?;
        Ok(())
    }

    fn synctex(&self, main: &WorkspacePath) -> Result<SyncTex, LatexError> {
        let text = self.synctex_text(main).and_then(|text| parse_synctex(&text).ok());
        text.ok_or_else(|| LatexError::NotBuilt(main.clone()))
    }

    #[expect(clippy::disallowed_methods, reason = "Aside's own folder")]
    fn synctex_text(&self, main: &WorkspacePath) -> Option<String> {
        let file = File::open(self.synctex_file(main)).ok()?;
        let mut text = Vec::new();
        GzDecoder::new(file).take(MOST_UNPACKED).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// Keeps the SyncTeX file of a document, whose files have other names now, under the name of its main file.
    #[expect(clippy::disallowed_methods, reason = "Aside's own folder")]
    pub(super) fn carry_synctex(
        &self,
        before: &WorkspacePath,
        after: &WorkspacePath,
        moved: impl Fn(&WorkspacePath) -> WorkspacePath,
    ) -> Result<(), WorkspaceError> {
        let Some(text) = self.synctex_text(before) else { return Ok(()) };
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        let failed =
            |source| WorkspaceError::Io { attempt: "store the line positions of", path: after.to_string(), source };
        for line in text.split_inclusive('\n') {
            let named = line.strip_prefix("Input:").and_then(|rest| rest.trim_end().split_once(':'));
            let own = named.and_then(|(number, file)| Some((number, self.source_path(before, file)?)));
            match own {
                Some((number, path)) => {
                    writeln!(packed, "Input:{number}:{}", self.root.place_of(&moved(&path)).display())
                }
                None => packed.write_all(line.as_bytes()),
            }
            .map_err(failed)?;
        }
        self.keep_synctex(after, &packed.finish().map_err(failed)?)?;
        if before != after {
            // What stays of it is never read again.
            let _ = std::fs::remove_file(self.synctex_file(before));
        }
        Ok(())
    }

    /// The path of a file as TeX named it: mostly absolute, else from the main file's folder.
    pub(super) fn source_path(&self, main: &WorkspacePath, file: &str) -> Option<WorkspacePath> {
        self.path_as_told(main.parent().as_ref(), file)
    }

    /// The path of a file as a program named it that ran in a folder; none if it is not within the workspace.
    pub(crate) fn path_as_told(&self, ran_in: Option<&WorkspacePath>, file: &str) -> Option<WorkspacePath> {
        let folder = self.folder().to_str()?;
        let at_home =
            file.strip_prefix("~/").and_then(|rest| Some(format!("{}/{rest}", std::env::home_dir()?.to_str()?)));
        let file = at_home.as_deref().unwrap_or(file);
        let within = match file.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
            Some(within) => within.to_owned(),
            None if file.starts_with('/') => return None,
            None => match ran_in {
                Some(parent) => format!("{parent}/{file}"),
                None => file.to_owned(),
            },
        };
        WorkspacePath::new(&lexical(&within)?).ok()
    }
}

/// A path without `.` and `..`; none if it leaves the workspace.
fn lexical(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn told(area: aside_latex::Area) -> PageArea {
    let aside_latex::Area { page, x, y, width, height } = area;
    PageArea { page, x, y, width, height }
}
