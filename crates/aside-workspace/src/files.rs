//! What can be done with files and folders as a whole. Open documents go along, and what is taken
//! away or overwritten is kept.

use aside_core::{Sha256, WorkspacePath};
use rustix::{
    fs::{AtFlags, Mode, RenameFlags, mkdirat, renameat, renameat_with, symlinkat, unlinkat},
    io::Errno,
};

use crate::{
    ConfinedPath, EntryKind, KeptEntry, KeptId, KeptWhat, Survey, Workspace, WorkspaceError,
    kept::{self, MOST_KEPT},
};

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
}

impl Workspace {
    /// Puts a new file at a place that is free, with the folders it needs.
    pub fn create_file(&self, path: &WorkspacePath, bytes: &[u8]) -> Result<Placed, WorkspaceError> {
        let _disk = self.disk();
        let made_folder = self.make_parents(path)?;
        let place = self.root.resolve(path)?;
        place.create(bytes, None)?;
        self.disk_changed(&[place.path()]);
        Ok(Placed { overwritten: None, made_folder })
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
        let made_folder = self.make_parents(path)?;
        let place = self.root.resolve(path)?;
        place.check_writable()?;
        let there = place.entry()?.is_some();
        let overwritten = self.make_way(&place, existing)?;
        if there {
            place.replace(bytes)?
        } else {
            place.create(bytes, None)?
        }
        self.disk_changed(&[place.path()]);
        Ok(Placed { overwritten, made_folder })
    }

    /// Makes a new folder, with the folders it needs.
    pub fn create_folder(&self, path: &WorkspacePath) -> Result<Placed, WorkspaceError> {
        let _disk = self.disk();
        let made_folder = self.make_parents(path)?;
        let place = self.root.resolve(path)?;
        mkdirat(place.folder(), place.name(), Mode::from(0o777)).map_err(|errno| place.io("create", errno))?;
        self.disk_changed(&[place.path()]);
        Ok(Placed { overwritten: None, made_folder })
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
    /// Nothing is deleted if something can't be read. `tidy` names a folder that goes too, with all
    /// between, if they are empty then.
    pub fn delete(&self, path: &WorkspacePath, tidy: Option<&WorkspacePath>) -> Result<Option<KeptId>, WorkspaceError> {
        self.save_within(path);
        let _disk = self.disk();
        let place = self.root.resolve_entry(path)?;
        let kept = kept::keep(&place, &self.store)?;
        kept::remove(&place)?;
        self.remove_empty_folders(path, tidy);
        self.disk_changed(&[place.path()]);
        Ok(kept)
    }

    /// Moves a file, a folder or a link; open documents move along.
    pub fn move_entry(
        &self,
        from: &WorkspacePath,
        to: &WorkspacePath,
        existing: Existing,
        tidy: Option<&WorkspacePath>,
    ) -> Result<Placed, WorkspaceError> {
        if to != from && to.is_within(from) {
            return Err(WorkspaceError::IntoItself { from: from.clone(), to: to.clone() });
        }
        self.save_within(from);
        self.save_within(to);
        let _disk = self.disk();
        let source = self.root.resolve_entry(from)?;
        let entry = source.entry()?.ok_or_else(|| WorkspaceError::NotFound(from.clone()))?;
        let made_folder = self.make_parents(to)?;
        let target = self.root.resolve_entry(to)?;
        let overwritten = self.make_way(&target, existing.by(entry.kind))?;
        // Before the file is there: a crash between may leave a label too many, never one too few.
        self.carry_labels(source.path(), target.path())?;
        rename(&source, &target, existing)?;
        self.remove_empty_folders(from, tidy);
        self.carry_documents(source.path(), target.path())?;
        self.carry_problems(source.path(), target.path())?;
        self.moved(source.path(), target.path());
        self.disk_changed(&[source.path(), target.path()]);
        Ok(Placed { overwritten, made_folder })
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
        let made_folder = self.make_parents(to)?;
        let target = self.root.resolve_entry(to)?;
        let kind = source.entry()?.map_or(EntryKind::File, |entry| entry.kind);
        let overwritten = self.make_way(&target, existing.by(kind))?;
        self.carry_labels(source.path(), target.path())?;
        for entry in &survey.entries {
            self.copy_entry(entry, source.path(), target.path(), existing)?;
        }
        self.disk_changed(&[target.path()]);
        Ok(Placed { overwritten, made_folder })
    }

    /// Says what a kept thing is.
    pub fn kept(&self, id: &KeptId) -> Result<crate::Kept, WorkspaceError> {
        kept::manifest(id, &self.store)
    }

    /// Puts back what was kept. A file that is there now is overwritten, and kept in turn.
    pub fn restore(&self, id: &KeptId) -> Result<Placed, WorkspaceError> {
        let kept = self.kept(id)?;
        self.save_within(&kept.path);
        let _disk = self.disk();
        let made_folder = self.make_parents(&kept.path)?;
        let target = self.root.resolve_entry(&kept.path)?;
        let is_file = matches!(kept.entries.first().map(|entry| &entry.what), Some(KeptWhat::File { .. }));
        let existing = if is_file { Existing::Overwrite } else { Existing::Refuse };
        let overwritten = self.make_way(&target, existing)?;
        for entry in &kept.entries {
            let place = self.root.resolve_entry(&entry.path)?;
            match &entry.what {
                // In one step, so that no moment has no file.
                KeptWhat::File { blob: Some(blob), .. } if overwritten.is_some() => {
                    place.replace(&self.blob(blob)?)?;
                }
                _ => kept::put_back(entry, &place, &self.store)?,
            }
        }
        self.disk_changed(&[target.path()]);
        Ok(Placed { overwritten, made_folder })
    }

    pub(crate) fn blob(&self, hash: &Sha256) -> Result<Vec<u8>, WorkspaceError> {
        self.store.get_blob(hash)?.ok_or_else(|| WorkspaceError::NotKept(hash.to_string()))
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

    /// Makes the folders a path needs and returns the topmost that was missing.
    pub(crate) fn make_parents(&self, path: &WorkspacePath) -> Result<Option<WorkspacePath>, WorkspaceError> {
        let Some(parent) = path.parent() else { return Ok(None) };
        match self.root.resolve(&parent) {
            Ok(place) => match place.entry()?.map(|entry| entry.kind) {
                Some(EntryKind::Folder) => Ok(None),
                Some(_) => Err(WorkspaceError::NotFolder(parent)),
                None => self.make_folder(&place, parent),
            },
            Err(WorkspaceError::NotFound(_)) => {
                let above = self.make_parents(&parent)?;
                let made = self.make_folder(&self.root.resolve(&parent)?, parent)?;
                Ok(above.or(made))
            }
            Err(error) => Err(error),
        }
    }

    fn make_folder(&self, place: &ConfinedPath, path: WorkspacePath) -> Result<Option<WorkspacePath>, WorkspaceError> {
        mkdirat(place.folder(), place.name(), Mode::from(0o777)).map_err(|errno| place.io("create", errno))?;
        Ok(Some(path))
    }

    fn remove_empty_folders(&self, path: &WorkspacePath, tidy: Option<&WorkspacePath>) {
        let Some(top) = tidy else { return };
        let mut folder = path.parent();
        while let Some(path) = folder.filter(|folder| folder.is_within(top)) {
            let removed = self
                .root
                .resolve_entry(&path)
                .map(|place| unlinkat(place.folder(), place.name(), AtFlags::REMOVEDIR).is_ok());
            // Something else is in it by now, and it stays.
            if !removed.unwrap_or(false) {
                return;
            }
            folder = path.parent();
        }
    }
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
