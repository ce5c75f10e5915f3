//! What is taken away is kept: a file, a link or a folder as blobs and one manifest that names them.

use std::{
    ffi::{OsStr, OsString},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::ffi::OsStrExt as _,
    },
};

use aside_core::{Sha256, WorkspacePath};
use aside_store::Store;
use rustix::{
    fs::{AtFlags, Dir, Mode, mkdirat, readlinkat, statat, symlinkat, unlinkat},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use crate::{
    ConfinedPath, EntryKind, WorkspaceError,
    confined::entry,
    root::{is_private, open_folder},
};

/// The most bytes that are kept for one undo.
pub const MOST_KEPT: u64 = 200 * 1024 * 1024;

/// The most entries of a folder that are kept or shown.
pub const MOST_ENTRIES: usize = 5_000;

/// The most bytes of a text whose later changes are shown line by line.
pub(crate) const MOST_SHOWN_BYTES: u64 = 64 * 1024;

/// Names what was kept: the hash of its manifest.
pub type KeptId = Sha256;

/// What was taken away, entry by entry, folders before what is in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Where it was.
    pub path: WorkspacePath,
    /// The entries.
    pub entries: Vec<KeptEntry>,
}

/// One file, folder or link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptEntry {
    /// Its path.
    pub path: WorkspacePath,
    /// What it was.
    pub what: KeptWhat,
}

/// What an entry was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum KeptWhat {
    /// A file.
    File {
        /// Its bytes; none in a survey.
        blob: Option<Sha256>,
        /// How many.
        size: u64,
        /// Its permission bits.
        mode: u32,
    },
    /// A folder.
    Folder {
        /// Its permission bits.
        mode: u32,
    },
    /// A symbolic link.
    Link {
        /// Where it leads.
        target: String,
    },
}

/// What is at a place, without its bytes: what would go, or be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The entries, folders before what is in them.
    pub entries: Vec<KeptEntry>,
    /// Bytes of all files.
    pub bytes: u64,
}

impl Survey {
    /// How many files and links there are.
    pub fn files(&self) -> usize {
        self.entries.iter().filter(|entry| !matches!(entry.what, KeptWhat::Folder { .. })).count()
    }

    /// Tells whether it is small enough to be kept.
    pub fn can_be_kept(&self) -> bool {
        self.bytes <= MOST_KEPT && self.entries.len() <= MOST_ENTRIES
    }
}

/// Says what is at a place. Stops a little after [`MOST_ENTRIES`].
pub(crate) fn survey(place: &ConfinedPath) -> Result<Survey, WorkspaceError> {
    survey_up_to(place, MOST_ENTRIES)
}

/// The same with another limit.
pub(crate) fn survey_up_to(place: &ConfinedPath, most: usize) -> Result<Survey, WorkspaceError> {
    let mut survey = Survey { entries: Vec::new(), bytes: 0 };
    walk(place.folder(), place.name(), place.path(), &mut |_, _, entry| {
        if let KeptWhat::File { size, .. } = &entry.what {
            survey.bytes += size;
        }
        survey.entries.push(entry);
        Ok(survey.entries.len() <= most)
    })?;
    Ok(survey)
}

/// Keeps what is at a place; none if it is too much.
pub(crate) fn keep(place: &ConfinedPath, store: &Store) -> Result<Option<KeptId>, WorkspaceError> {
    if !survey(place)?.can_be_kept() {
        return Ok(None);
    }
    let mut entries = Vec::new();
    walk(place.folder(), place.name(), place.path(), &mut |folder, name, mut entry| {
        if let KeptWhat::File { blob, .. } = &mut entry.what {
            let folder = folder.try_clone_to_owned().map_err(|error| WorkspaceError::io("keep", &entry.path, error))?;
            let bytes = ConfinedPath::new(folder, name.to_owned(), entry.path.clone()).read(MOST_KEPT)?;
            *blob = Some(store.put_blob(&bytes)?);
        }
        entries.push(entry);
        Ok(true)
    })?;
    let kept = Kept { path: place.path().clone(), entries };
    let manifest = serde_json::to_vec(&kept).expect("manifests serialise");
    Ok(Some(store.put_blob(&manifest)?))
}

/// Returns a manifest.
pub(crate) fn manifest(id: &KeptId, store: &Store) -> Result<Kept, WorkspaceError> {
    let not_kept = || WorkspaceError::NotKept(id.to_string());
    let bytes = store.get_blob(id)?.ok_or_else(not_kept)?;
    serde_json::from_slice(&bytes).map_err(|_| not_kept())
}

/// Puts one kept entry at a place that is free.
pub(crate) fn put_back(entry: &KeptEntry, place: &ConfinedPath, store: &Store) -> Result<(), WorkspaceError> {
    match &entry.what {
        KeptWhat::File { blob, mode, .. } => {
            let lost = || WorkspaceError::NotKept(entry.path.to_string());
            let bytes = store.get_blob(blob.as_ref().ok_or_else(lost)?)?.ok_or_else(lost)?;
            place.create(&bytes, Some(*mode))
        }
        KeptWhat::Folder { mode } => {
            mkdirat(place.folder(), place.name(), Mode::from(mode & 0o7777)).map_err(|errno| place.io("create", errno))
        }
        KeptWhat::Link { target } => {
            symlinkat(target.as_str(), place.folder(), place.name()).map_err(|errno| place.io("create", errno))
        }
    }
}

/// Puts back what is missing of a kept thing, as after a removal that failed half-way.
pub(crate) fn put_back_missing(
    kept: &Kept,
    place: impl Fn(&WorkspacePath) -> Result<ConfinedPath, WorkspaceError>,
    store: &Store,
) -> Result<(), WorkspaceError> {
    for entry in &kept.entries {
        let place = place(&entry.path)?;
        if place.entry()?.is_none() {
            put_back(entry, &place, store)?;
        }
    }
    Ok(())
}

/// Removes what is at a place, links themselves rather than what they lead to.
pub(crate) fn remove(place: &ConfinedPath) -> Result<(), WorkspaceError> {
    remove_entry(place.folder(), place.name()).map_err(|errno| place.io("delete", errno))
}

fn remove_entry(folder: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    match unlinkat(folder, name, AtFlags::empty()) {
        // Linux says "is a folder", POSIX "not permitted".
        Err(Errno::ISDIR | Errno::PERM) => {}
        done => return done,
    }
    let inner = open_folder(folder, name)?;
    for item in Dir::read_from(&inner)? {
        let item = item?;
        let name = item.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        remove_entry(inner.as_fd(), OsStr::from_bytes(name.to_bytes()))?;
    }
    unlinkat(folder, name, AtFlags::REMOVEDIR)
}

/// Called with the opened folder, the name in it, and what is there; `false` ends the walk.
type Visit<'a> = dyn FnMut(BorrowedFd<'_>, &OsStr, KeptEntry) -> Result<bool, WorkspaceError> + 'a;

fn walk(
    folder: BorrowedFd<'_>,
    name: &OsStr,
    path: &WorkspacePath,
    visit: &mut Visit<'_>,
) -> Result<bool, WorkspaceError> {
    if is_private(name) {
        return Err(WorkspaceError::Private(path.clone()));
    }
    let failed = |errno: Errno| WorkspaceError::io("read", path, errno);
    let stat = entry(&statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?);
    let what = match stat.kind {
        EntryKind::File => KeptWhat::File { blob: None, size: stat.size, mode: stat.mode },
        EntryKind::Folder => KeptWhat::Folder { mode: stat.mode },
        EntryKind::Link => {
            let target = readlinkat(folder, name, Vec::new()).map_err(failed)?;
            let target = target.into_string().map_err(|_| WorkspaceError::Special(path.clone()))?;
            KeptWhat::Link { target }
        }
        EntryKind::Special => return Err(WorkspaceError::Special(path.clone())),
    };
    let go_on = visit(folder, name, KeptEntry { path: path.clone(), what })?;
    if !go_on || stat.kind != EntryKind::Folder {
        return Ok(go_on);
    }
    let inner = open_folder(folder, name).map_err(failed)?;
    for name in sorted_names(&inner, path)? {
        let path = path.child(&name).map_err(|_| WorkspaceError::Special(path.clone()))?;
        if !walk(inner.as_fd(), &name, &path, visit)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn sorted_names(folder: impl AsFd, path: &WorkspacePath) -> Result<Vec<OsString>, WorkspaceError> {
    let failed = |errno: Errno| WorkspaceError::io("read", path, errno);
    let mut names = Vec::new();
    for item in Dir::read_from(folder).map_err(failed)? {
        let item = item.map_err(failed)?;
        let name = OsStr::from_bytes(item.file_name().to_bytes());
        if name != "." && name != ".." {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
