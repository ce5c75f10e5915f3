//! What can be done with files and folders as a whole. Open documents go along, and what is taken
//! away or overwritten is kept.

use std::sync::Arc;

use aside_core::{Sha256, Version, WorkspacePath};
use aside_doc::decode;
use rustix::{
    fs::{Mode, RenameFlags, mkdirat, renameat, renameat_with, symlinkat},
    io::Errno,
};

use crate::{
    ConfinedPath, EntryKind, Expected, KeptEntry, KeptId, KeptWhat, Survey, Workspace, WorkspaceError,
    kept::{self, MOST_KEPT},
    save::not_text,
};

mod new_folders;

/// What to do when something is at the place already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    Refuse,
    /// Take its place, and keep it. Only files are overwritten, and only by files.
    Overwrite,
}

impl Existing {
    /// A folder takes nothing's place.
    pub(crate) fn by(self, kind: EntryKind) -> Self {
        if kind == EntryKind::Folder { Self::Refuse } else { self }
    }
}

/// What came of putting something at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// What was overwritten, if anything was and it could be kept.
    pub overwritten: Option<KeptId>,
    /// The topmost folder that was made for it.
    pub made_folder: Option<WorkspacePath>,
    /// The state of the place then; none if it could not be read.
    pub left: Option<Expected>,
}

impl Workspace {
    /// Puts a new file at a place that is free, with the folders it needs.
    pub fn create_file(&self, path: &WorkspacePath, bytes: &[u8]) -> Result<Placed, WorkspaceError> {
        let _disk = self.disk();
        let placed = self.in_new_folders(path, || {
            self.root.resolve(path)?.create(bytes, None)?;
            Ok(None)
        })?;
        self.disk_changed(&[&self.real_path(path).unwrap_or_else(|_| path.clone())]);
        Ok(placed)
    }

    /// Makes a new text document: its file, with the folders it needs, and its first version. All of it or nothing.
    pub fn create_document(
        &self,
        path: &WorkspacePath,
        text: &str,
    ) -> Result<(Placed, Version, Arc<str>), WorkspaceError> {
        decode(text.as_bytes()).map_err(|problem| not_text(problem, path))?;
        let placed = self.create_file(path, text.as_bytes())?;
        match self.document(path).and_then(|document| document.show()) {
            Ok((version, text)) => Ok((placed, version, text)),
            Err(error) => {
                self.remove_new(path, &placed);
                Err(error)
            }
        }
    }

    /// Takes a new file away again that something else failed for, unless somebody has written it since.
    fn remove_new(&self, path: &WorkspacePath, placed: &Placed) {
        let _disk = self.disk();
        let removed = self.check_as_left(path, placed.left.as_ref());
        let removed = removed.and_then(|()| kept::remove(&self.root.resolve_entry(path)?));
        if let Err(error) = removed {
            tracing::warn!(%path, %error, "could not remove a new file of an action that failed");
            return;
        }
        self.remove_empty_folders(path, placed.made_folder.as_ref());
        self.disk_changed(&[path]);
    }

    /// Refuses a place where no file can be written; one whose folder is still to be made is not looked at.
    pub fn check_writable(&self, path: &WorkspacePath) -> Result<(), WorkspaceError> {
        match self.root.resolve(path) {
            Err(WorkspaceError::NotFound(_)) => Ok(()),
            place => place?.check_writable(),
        }
    }

    /// Puts a file's bytes at a place in one step, with the folders it needs. What was there is kept, if it may be overwritten.
    pub fn put_file(&self, path: &WorkspacePath, bytes: &[u8], existing: Existing) -> Result<Placed, WorkspaceError> {
        self.save_within(path);
        let _disk = self.disk();
        let placed = self.in_new_folders(path, || {
            let place = self.root.resolve(path)?;
            place.check_writable()?;
            let there = place.entry()?.is_some();
            let overwritten = self.make_way(&place, existing)?;
            if there {
                place.replace(bytes)?
            } else {
                place.create(bytes, None)?
            }
            Ok(overwritten)
        })?;
        self.disk_changed(&[&self.real_path(path).unwrap_or_else(|_| path.clone())]);
        Ok(placed)
    }

    /// Makes a new folder, with the folders it needs.
    pub fn create_folder(&self, path: &WorkspacePath) -> Result<Placed, WorkspaceError> {
        let _disk = self.disk();
        let placed = self.in_new_folders(path, || {
            let place = self.root.resolve(path)?;
            mkdirat(place.folder(), place.name(), Mode::from(0o777)).map_err(|errno| place.io("create", errno))?;
            Ok(None)
        })?;
        self.disk_changed(&[&self.real_path(path).unwrap_or_else(|_| path.clone())]);
        Ok(placed)
    }

    /// Says what is at a place: the entry itself if it is a link. Open documents count as written.
    pub fn survey(&self, path: &WorkspacePath) -> Result<Survey, WorkspaceError> {
        let mut survey = kept::survey(&self.root.resolve_entry(path)?)?;
        for entry in &mut survey.entries {
            if let KeptWhat::File { size, .. } = &mut entry.what
                && let Some(bytes) = self.open_document(&entry.path).and_then(|document| document.unwritten())
            {
                survey.bytes = survey.bytes - *size + bytes.len() as u64;
                *size = bytes.len() as u64;
            }
        }
        Ok(survey)
    }

    /// Deletes what is at a place (a link itself, not what it leads to) and returns what was kept of it.
    ///
    /// Nothing is deleted if something can't be read, or if the place is not as expected. `tidy` names a folder that goes
    /// too, with all between, if they are empty then.
    pub fn delete(
        &self,
        path: &WorkspacePath,
        tidy: Option<&WorkspacePath>,
        expected: Option<&Expected>,
    ) -> Result<Option<KeptId>, WorkspaceError> {
        self.save_within(path);
        let _disk = self.disk();
        self.check_as_left(path, expected)?;
        let place = self.root.resolve_entry(path)?;
        let kept = kept::keep(&place, &self.store)?;
        if let Err(error) = kept::remove(&place) {
            self.put_back_rest(kept.as_ref());
            self.disk_changed(&[place.path()]);
            return Err(error);
        }
        self.remove_empty_folders(path, tidy);
        self.disk_changed(&[place.path()]);
        Ok(kept)
    }

    /// Puts back what a removal that failed half-way has taken.
    fn put_back_rest(&self, kept: Option<&KeptId>) {
        let Some(id) = kept else { return };
        let whole = self.kept(id);
        let put_back = |kept| kept::put_back_missing(&kept, |path| self.root.resolve_entry(path), &self.store);
        if let Err(error) = whole.and_then(put_back) {
            tracing::warn!(%id, %error, "could not put back what a failed deletion had removed");
        }
    }

    /// Moves a file, a folder or a link; open documents move along. What is overwritten has to be as expected.
    pub fn move_entry(
        &self,
        from: &WorkspacePath,
        to: &WorkspacePath,
        existing: Existing,
        tidy: Option<&WorkspacePath>,
        expected: Option<&Expected>,
    ) -> Result<Placed, WorkspaceError> {
        if to != from && to.is_within(from) {
            return Err(WorkspaceError::IntoItself { from: from.clone(), to: to.clone() });
        }
        self.save_within(from);
        self.save_within(to);
        let _disk = self.disk();
        let source = self.root.resolve_entry(from)?;
        let entry = source.entry()?.ok_or_else(|| WorkspaceError::NotFound(from.clone()))?;
        self.check_as_left(to, expected)?;
        let placed = self.in_new_folders(to, || {
            let target = self.root.resolve_entry(to)?;
            let overwritten = self.make_way(&target, existing.by(entry.kind))?;
            // Before the file is there: a crash between may leave a label too many, never one too few.
            self.carry_labels(source.path(), target.path())?;
            rename(&source, &target, existing)?;
            if let Err(error) = self.carry_along(&source, &target) {
                self.move_back(&source, &target, overwritten.as_ref());
                return Err(error);
            }
            Ok(overwritten)
        })?;
        self.remove_empty_folders(from, tidy);
        let target = self.entry_path(to);
        self.moved(source.path(), &target);
        self.disk_changed(&[source.path(), &target]);
        Ok(placed)
    }

    /// Has the documents and problems of a file or folder go along with it.
    fn carry_along(&self, source: &ConfinedPath, target: &ConfinedPath) -> Result<(), WorkspaceError> {
        self.carry_documents(source.path(), target.path())?;
        self.carry_problems(source.path(), target.path())
    }

    /// Takes a move back that failed after the file was there.
    fn move_back(&self, source: &ConfinedPath, target: &ConfinedPath, overwritten: Option<&KeptId>) {
        let moved = rename(target, source, Existing::Refuse);
        let moved = moved.and_then(|()| self.carry_along(target, source));
        if let Err(error) = moved {
            tracing::warn!(path = %target.path(), %error, "could not take back a move that failed");
        }
        self.put_back_rest(overwritten);
        self.disk_changed(&[source.path(), target.path()]);
    }

    /// Copies a file or a folder; what a link leads to, not the link.
    pub fn copy(&self, from: &WorkspacePath, to: &WorkspacePath, existing: Existing) -> Result<Placed, WorkspaceError> {
        self.save_within(from);
        self.save_within(to);
        let _disk = self.disk();
        let source = self.root.resolve(from)?;
        if to.is_within(source.path()) {
            return Err(WorkspaceError::IntoItself { from: from.clone(), to: to.clone() });
        }
        let survey = kept::survey(&source)?;
        if !survey.can_be_kept() {
            return Err(WorkspaceError::TooLarge { path: from.clone(), size: survey.bytes, limit: MOST_KEPT });
        }
        let kind = source.entry()?.map_or(EntryKind::File, |entry| entry.kind);
        let placed = self.in_new_folders(to, || {
            let target = self.root.resolve_entry(to)?;
            let overwritten = self.make_way(&target, existing.by(kind))?;
            self.carry_labels(source.path(), target.path())?;
            whole_or_none(&survey.entries, &target, |entry| {
                self.copy_entry(entry, source.path(), target.path(), existing)
            })?;
            Ok(overwritten)
        })?;
        self.disk_changed(&[&self.entry_path(to)]);
        Ok(placed)
    }

    /// Says what a kept thing is.
    pub fn kept(&self, id: &KeptId) -> Result<crate::Kept, WorkspaceError> {
        kept::manifest(id, &self.store)
    }

    /// Puts back what was kept. A file that is there now is overwritten, and kept in turn, if it is as expected.
    pub fn restore(&self, id: &KeptId, expected: Option<&Expected>) -> Result<Placed, WorkspaceError> {
        let kept = self.kept(id)?;
        self.save_within(&kept.path);
        let _disk = self.disk();
        self.check_as_left(&kept.path, expected)?;
        let is_file = matches!(kept.entries.first().map(|entry| &entry.what), Some(KeptWhat::File { .. }));
        let existing = if is_file { Existing::Overwrite } else { Existing::Refuse };
        let placed = self.in_new_folders(&kept.path, || {
            let target = self.root.resolve_entry(&kept.path)?;
            let overwritten = self.make_way(&target, existing)?;
            let put_back = |entry: &KeptEntry| {
                let place = self.root.resolve_entry(&entry.path)?;
                match &entry.what {
                    // In one step, so that no moment has no file.
                    KeptWhat::File { blob: Some(blob), .. } if overwritten.is_some() => {
                        place.replace(&self.blob(blob)?)
                    }
                    _ => kept::put_back(entry, &place, &self.store),
                }
            };
            whole_or_none(&kept.entries, &target, put_back)?;
            Ok(overwritten)
        })?;
        self.disk_changed(&[&self.entry_path(&kept.path)]);
        Ok(placed)
    }

    pub(crate) fn blob(&self, hash: &Sha256) -> Result<Vec<u8>, WorkspaceError> {
        self.store.get_blob(hash)?.ok_or_else(|| WorkspaceError::NotKept(hash.to_string()))
    }

    /// Where an entry is, links on the way followed.
    fn entry_path(&self, path: &WorkspacePath) -> WorkspacePath {
        self.root.resolve_entry(path).map_or_else(|_| path.clone(), |place| place.path().clone())
    }

    /// Refuses if the place is taken, or keeps the file that will be overwritten.
    fn make_way(&self, target: &ConfinedPath, existing: Existing) -> Result<Option<KeptId>, WorkspaceError> {
        match (target.entry()?.map(|entry| entry.kind), existing) {
            (None, _) => Ok(None),
            (Some(EntryKind::File | EntryKind::Link), Existing::Overwrite) => kept::keep(target, &self.store),
            (Some(_), _) => Err(WorkspaceError::Exists(target.path().clone())),
        }
    }

    fn copy_entry(
        &self,
        entry: &KeptEntry,
        from: &WorkspacePath,
        to: &WorkspacePath,
        existing: Existing,
    ) -> Result<(), WorkspaceError> {
        let below = entry.path.as_str().strip_prefix(from.as_str()).unwrap_or_default();
        let path = WorkspacePath::new(&format!("{to}{below}")).expect("two paths of the workspace make one");
        let target = self.root.resolve_entry(&path)?;
        match &entry.what {
            KeptWhat::File { mode, .. } => {
                let bytes = self.root.resolve_entry(&entry.path)?.read(MOST_KEPT)?;
                match existing {
                    Existing::Overwrite if target.entry()?.is_some() => target.replace(&bytes),
                    _ => target.create(&bytes, Some(*mode)),
                }
            }
            KeptWhat::Folder { mode } => mkdirat(target.folder(), target.name(), Mode::from(mode & 0o7777))
                .map_err(|errno| target.io("create", errno)),
            KeptWhat::Link { target: link } => {
                symlinkat(link.as_str(), target.folder(), target.name()).map_err(|errno| target.io("create", errno))
            }
        }
    }
}

/// Puts entries at a place one after the other; takes them away again if one fails, unless something else was there.
fn whole_or_none(
    entries: &[KeptEntry],
    target: &ConfinedPath,
    put: impl Fn(&KeptEntry) -> Result<(), WorkspaceError>,
) -> Result<(), WorkspaceError> {
    for (number, entry) in entries.iter().enumerate() {
        if let Err(error) = put(entry) {
            // The first one is put whole or not at all, and what it could not replace is not ours.
            if number > 0
                && let Err(error) = kept::remove(target)
            {
                tracing::warn!(path = %target.path(), %error, "could not remove a part of what was to be put there");
            }
            return Err(error);
        }
    }
    Ok(())
}

fn rename(source: &ConfinedPath, target: &ConfinedPath, existing: Existing) -> Result<(), WorkspaceError> {
    let (from, to) = ((source.folder(), source.name()), (target.folder(), target.name()));
    let done = match existing {
        Existing::Overwrite => renameat(from.0, from.1, to.0, to.1),
        Existing::Refuse => match renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE) {
            // This file system can't promise it; that the place is free was checked just before.
            Err(Errno::INVAL | Errno::NOSYS) => renameat(from.0, from.1, to.0, to.1),
            done => done,
        },
    };
    match done {
        Err(Errno::EXIST) => Err(WorkspaceError::Exists(target.path().clone())),
        done => done.map_err(|errno| source.io("move", errno)),
    }
}
