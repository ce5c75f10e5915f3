//! The files as they are, or as they would be after some steps of a plan: one way to read both.
//!
//! Open documents count as written, since they are before their files are moved, copied or deleted.

use std::sync::Arc;

use aside_core::{Version, WorkspacePath, WouldBe, WouldBeFile, WouldBePlace};
use aside_doc::{AnchoredEdit, BaseText, TextShape, decode};

use crate::{
    EditRefused, KeptEntry, KeptWhat, MOST_TEXT, PlannedEdit, Survey, Workspace, WorkspaceError,
    document::{planned, without_anchors},
    save::not_text,
};

/// Permission bits of a file or folder that is not there yet, for lists; nothing depends on them.
const MODE: u32 = 0o644;
/// Entries of a folder whose bytes are part of its version.
const MOST_READ: usize = 1_000;

/// A workspace to read from, with what would be different.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) would_be: &'a WouldBe,
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// What is at this path now.
    Now(WorkspacePath),
    /// Something else, or nothing.
    Other(WouldBePlace),
}

impl Workspace {
    /// Reads as if these changes had been made.
    pub fn view<'a>(&'a self, would_be: &'a WouldBe) -> View<'a> {
        View { workspace: self, would_be }
    }

    /// Returns the bytes that a file has once its open document is written.
    pub(crate) fn content(&self, path: &WorkspacePath, limit: u64) -> Result<Vec<u8>, WorkspaceError> {
        let open = self.open_document(&self.real_path(path)?);
        match open.and_then(|document| document.unwritten()) {
            Some(bytes) if bytes.len() as u64 <= limit => Ok(bytes),
            _ => self.read_file(path, limit),
        }
    }
}

impl View<'_> {
    /// Returns where a path leads when links are followed.
    pub fn real_path(&self, path: &WorkspacePath) -> Result<WorkspacePath, WorkspaceError> {
        let place = self.place(path)?;
        match self.found(&place) {
            Found::Now(source) if source == place => self.workspace.real_path(&place),
            Found::Now(source) if self.is_link(&source)? => Err(WorkspaceError::Unforeseen(path.clone())),
            Found::Other(WouldBePlace::Link { .. }) => Err(WorkspaceError::Unforeseen(path.clone())),
            _ => Ok(place),
        }
    }

    /// Says what is at a place: the entry itself if it is a link.
    pub fn survey(&self, path: &WorkspacePath) -> Result<Survey, WorkspaceError> {
        let place = self.place(path)?;
        let mut entries = self.entries(&place, self.found(&place))?;
        if entries.is_empty() {
            return Err(WorkspaceError::NotFound(path.clone()));
        }
        for (below, there) in self.would_be.below(&place) {
            entries.retain(|entry| !entry.path.is_within(below));
            entries.extend(self.entries(below, found(there.clone()))?);
        }
        entries.sort_by(|one, two| one.path.as_str().split('/').cmp(two.path.as_str().split('/')));
        Ok(Survey { bytes: entries.iter().map(size).sum(), entries })
    }

    /// Returns the bytes of a file.
    pub fn content(&self, path: &WorkspacePath, limit: u64) -> Result<Vec<u8>, WorkspaceError> {
        let real = self.real_path(path)?;
        match self.found(&real) {
            Found::Now(source) => self.workspace.content(&source, limit),
            Found::Other(WouldBePlace::File(file)) if file.size() > limit => {
                Err(WorkspaceError::TooLarge { path: path.clone(), size: file.size(), limit })
            }
            Found::Other(WouldBePlace::File(file)) => self.bytes(&file),
            Found::Other(WouldBePlace::Folder) => Err(WorkspaceError::IsFolder(path.clone())),
            Found::Other(_) => Err(WorkspaceError::NotFound(path.clone())),
        }
    }

    /// Returns the version of what is at a path: of a file's bytes, or of the list of what is in a folder, with the
    /// bytes of its files unless those are many; none if nothing is there.
    pub fn version(&self, path: &WorkspacePath) -> Result<Option<Version>, WorkspaceError> {
        let survey = match self.survey(path) {
            Ok(survey) => survey,
            Err(WorkspaceError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(self.content(path, MOST_TEXT).map_or_else(|_| self.version_of_list(&survey), Version::of)))
    }

    /// What has the same size need not be the same; to read all of a large folder would take too long, though.
    fn version_of_list(&self, survey: &Survey) -> Version {
        let is_read = survey.bytes <= MOST_TEXT && survey.entries.len() <= MOST_READ;
        let content = |entry: &KeptEntry| match entry.what {
            KeptWhat::File { .. } if is_read => self.content(&entry.path, MOST_TEXT).ok().map(Version::of),
            _ => None,
        };
        let listed: Vec<_> = survey.entries.iter().map(|entry| (listed(entry), content(entry))).collect();
        Version::of_json(&listed)
    }

    /// Returns a text document: where it really is, its text, and how the file spells it.
    pub fn text(&self, path: &WorkspacePath) -> Result<(WorkspacePath, Arc<str>, TextShape), WorkspaceError> {
        let real = self.real_path(path)?;
        match self.found(&real) {
            Found::Now(source) => {
                let (text, shape) = self.workspace.document(&source)?.text_and_shape();
                Ok((real, text, shape))
            }
            Found::Other(_) => {
                let bytes = self.content(&real, MOST_TEXT)?;
                let (text, shape) = decode(&bytes).map_err(|problem| not_text(problem, path))?;
                Ok((real, text.into(), shape))
            }
        }
    }

    /// Returns the same without opening a document, which costs more than to read its file.
    pub fn peek_text(&self, path: &WorkspacePath) -> Result<(WorkspacePath, Arc<str>, TextShape), WorkspaceError> {
        let real = self.real_path(path)?;
        if let Found::Now(source) = self.found(&real)
            && let Some(document) = self.workspace.open_document(&source)
        {
            let (text, shape) = document.text_and_shape();
            return Ok((real, text, shape));
        }
        let bytes = self.content(&real, MOST_TEXT)?;
        let (text, shape) = decode(&bytes).map_err(|problem| not_text(problem, path))?;
        Ok((real, text.into(), shape))
    }

    /// Refuses a place where no file can be written now.
    pub fn check_writable(&self, path: &WorkspacePath) -> Result<(), WorkspaceError> {
        match self.would_be.at(path) {
            Some(_) => Ok(()),
            None => self.workspace.check_writable(path),
        }
    }

    /// Tells whether a file is at a path.
    pub fn is_file(&self, path: &WorkspacePath) -> bool {
        let entry = self.survey(path).ok().and_then(|survey| survey.entries.into_iter().next());
        entry.is_some_and(|entry| matches!(entry.what, KeptWhat::File { .. }))
    }

    /// Says what edits would do to a document.
    pub fn plan(
        &self,
        path: &WorkspacePath,
        base: Option<&str>,
        edits: &[AnchoredEdit],
    ) -> Result<PlannedEdit, EditRefused> {
        let real = self.real_path(path)?;
        if let Found::Now(source) = self.found(&real)
            && source == real
        {
            return self.workspace.document(&real)?.plan(base, edits);
        }
        let (path, text, shape) = self.text(path)?;
        let seen = match base {
            Some(base) => Some(
                self.seen(&text, base)?
                    .ok_or_else(|| EditRefused::UnknownBase { path: path.clone(), version: base.to_owned() })?,
            ),
            None => None,
        };
        let seen = seen.as_ref().map(|(version, text)| BaseText { version: version.clone(), text });
        planned(path, (Version::of(text.as_bytes()), text, shape), seen.as_ref(), edits, without_anchors)
    }

    /// Finds a text that was shown before, by its version: as it is now or was on the way, or in any document.
    fn seen(&self, text: &Arc<str>, base: &str) -> Result<Option<(Version, Arc<str>)>, WorkspaceError> {
        let current = Version::of(text.as_bytes());
        if current.matches(base) {
            return Ok(Some((current, Arc::clone(text))));
        }
        for file in self.would_be.earlier().iter().rev() {
            if let Ok((text, _)) = decode(&self.bytes(file)?)
                && Version::of(&text).matches(base)
            {
                return Ok(Some((Version::of(&text), text.into())));
            }
        }
        for document in self.workspace.open_documents() {
            if let Some(found) = document.text_at(base)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The path without links on the way; the last part stays what it is.
    pub(crate) fn place(&self, path: &WorkspacePath) -> Result<WorkspacePath, WorkspaceError> {
        if self.would_be.at(path).is_some() {
            return Ok(path.clone());
        }
        match (self.workspace.root.resolve_entry(path), path.parent()) {
            (Ok(place), _) => Ok(place.path().clone()),
            (Err(WorkspaceError::NotFound(_)), Some(parent)) => {
                let parent = self.place(&parent)?;
                Ok(WorkspacePath::new(&format!("{parent}/{}", path.name())).expect("two parts of paths make one"))
            }
            (Err(error), _) => Err(error),
        }
    }

    pub(crate) fn found(&self, place: &WorkspacePath) -> Found {
        self.would_be.at(place).map_or_else(|| Found::Now(place.clone()), found)
    }

    fn is_link(&self, path: &WorkspacePath) -> Result<bool, WorkspaceError> {
        let entry = self.workspace.root.resolve_entry(path)?.entry()?;
        Ok(entry.is_some_and(|entry| entry.kind == crate::EntryKind::Link))
    }

    fn bytes(&self, file: &WouldBeFile) -> Result<Vec<u8>, WorkspaceError> {
        match file {
            WouldBeFile::Bytes(bytes) => Ok(bytes.to_vec()),
            WouldBeFile::Kept { blob, .. } => self.workspace.blob(blob),
        }
    }

    /// What is at a place, and below it as far as it is there now; empty if nothing is.
    fn entries(&self, place: &WorkspacePath, found: Found) -> Result<Vec<KeptEntry>, WorkspaceError> {
        let what = match found {
            Found::Now(source) => return self.entries_now(place, &source),
            Found::Other(WouldBePlace::File(file)) => KeptWhat::File { blob: None, size: file.size(), mode: MODE },
            Found::Other(WouldBePlace::Folder) => KeptWhat::Folder { mode: MODE },
            Found::Other(WouldBePlace::Link { target }) => KeptWhat::Link { target },
            Found::Other(_) => return Ok(Vec::new()),
        };
        Ok(vec![KeptEntry { path: place.clone(), what }])
    }

    fn entries_now(&self, place: &WorkspacePath, source: &WorkspacePath) -> Result<Vec<KeptEntry>, WorkspaceError> {
        let mut entries = match self.workspace.survey(source) {
            Ok(survey) => survey.entries,
            Err(WorkspaceError::NotFound(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        for entry in &mut entries {
            let below = entry.path.as_str().strip_prefix(source.as_str()).unwrap_or_default();
            entry.path = WorkspacePath::new(&format!("{place}{below}")).expect("two paths of the workspace make one");
        }
        Ok(entries)
    }
}

fn found(place: WouldBePlace) -> Found {
    match place {
        WouldBePlace::Now(source) => Found::Now(source),
        other => Found::Other(other),
    }
}

fn size(entry: &KeptEntry) -> u64 {
    if let KeptWhat::File { size, .. } = entry.what { size } else { 0 }
}

/// What of an entry makes a folder another one. Permission bits don't: a plan can't know them beforehand.
fn listed(entry: &KeptEntry) -> (&WorkspacePath, &'static str, String) {
    let (kind, detail) = match &entry.what {
        KeptWhat::File { size, .. } => ("file", size.to_string()),
        KeptWhat::Folder { .. } => ("folder", String::new()),
        KeptWhat::Link { target } => ("link", target.clone()),
    };
    (&entry.path, kind, detail)
}
