//! The files as the steps of a plan would leave them: what is different from the disk, place by place.
//!
//! Pure bookkeeping; who reads through it is `aside-workspace`. Paths are without links on the way.

use std::{collections::BTreeMap, sync::Arc};

use crate::{ObjectRef, ObjectVersion, Sha256, Version, WorkspacePath};

/// What is different from the files as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WouldBe {
    places: BTreeMap<WorkspacePath, WouldBePlace>,
    /// Contents that were replaced on the way; edits may refer to them.
    earlier: Vec<WouldBeFile>,
}

/// What would be at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum WouldBePlace {
    /// Nothing.
    Absent,
    /// A folder; what is in it has places of its own.
    Folder,
    /// A file.
    File(WouldBeFile),
    /// A symbolic link.
    Link {
        /// Where it leads.
        target: String,
    },
    /// What is at this path now, with all that is below it.
    Now(WorkspacePath),
}

/// What would be in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum WouldBeFile {
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// The bytes that are kept under this hash.
    Kept {
        /// SHA-256 of the bytes.
        blob: Sha256,
        /// How many.
        size: u64,
    },
}

impl WouldBeFile {
    /// SHA-256 of the bytes.
    pub fn version(&self) -> Version {
        match self {
            Self::Bytes(bytes) => Version::of(bytes),
            Self::Kept { blob, .. } => blob.clone(),
        }
    }

    /// How many bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Kept { size, .. } => *size,
        }
    }
}

/// What an action would leave.
#[derive(Clone, Debug, PartialEq)]
pub enum Effects {
    /// These changes and no others, in order.
    Known(Vec<FileEffect>),
    /// It can't be known before it runs.
    Unknown,
}

impl Effects {
    /// No file is different afterwards.
    pub fn none() -> Self {
        Self::Known(Vec::new())
    }
}

/// One place that would be different.
#[derive(Clone, Debug, PartialEq)]
pub struct FileEffect {
    /// Which place.
    pub path: WorkspacePath,
    /// What would be there.
    pub place: WouldBePlace,
    /// Its version then; none if nothing would be there.
    pub version: Option<Version>,
}

impl FileEffect {
    /// A file with these bytes.
    pub fn bytes(path: WorkspacePath, bytes: impl Into<Arc<[u8]>>) -> Self {
        let file = WouldBeFile::Bytes(bytes.into());
        Self { version: Some(file.version()), place: WouldBePlace::File(file), path }
    }

    /// Nothing.
    pub fn absent(path: WorkspacePath) -> Self {
        Self { path, place: WouldBePlace::Absent, version: None }
    }

    /// What it leaves, for the hash of a plan.
    pub fn leaves(&self) -> ObjectVersion {
        ObjectVersion { object: ObjectRef::file(&self.path), version: self.version.clone() }
    }
}

impl WouldBe {
    /// Tells whether nothing is different.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Takes in what a step would leave.
    pub fn apply(&mut self, effects: &[FileEffect]) {
        for FileEffect { path, place, .. } in effects {
            let gone: Vec<_> = self.below(path).map(|(below, _)| below.clone()).collect();
            for below in gone {
                self.places.remove(&below);
            }
            if let Some(WouldBePlace::File(file)) = self.places.insert(path.clone(), place.clone()) {
                self.earlier.push(file);
            }
        }
    }

    /// Returns what would be at a path; none if it is untouched.
    pub fn at(&self, path: &WorkspacePath) -> Option<WouldBePlace> {
        if let Some(place) = self.places.get(path) {
            return Some(place.clone());
        }
        let above = std::iter::successors(path.parent(), WorkspacePath::parent);
        let (above, place) = above.into_iter().find_map(|above| Some((above.clone(), self.places.get(&above)?)))?;
        Some(match place {
            WouldBePlace::Now(source) => WouldBePlace::Now(rebased(path, &above, source)),
            _ => WouldBePlace::Absent,
        })
    }

    /// Returns all places that are different, by path.
    pub fn places(&self) -> impl Iterator<Item = (&WorkspacePath, &WouldBePlace)> {
        self.places.iter()
    }

    /// Returns the places below a path that are different, by path.
    pub fn below(&self, path: &WorkspacePath) -> impl Iterator<Item = (&WorkspacePath, &WouldBePlace)> {
        self.places.iter().filter(move |(below, _)| *below != path && below.is_within(path))
    }

    /// Returns what would be at `to`, and below it, if what is at `from` were there too.
    pub fn carried(&self, from: &WorkspacePath, to: &WorkspacePath) -> Vec<(WorkspacePath, WouldBePlace)> {
        let top = self.at(from).unwrap_or_else(|| WouldBePlace::Now(from.clone()));
        let below = self.below(from).map(|(path, place)| (rebased(path, from, to), place.clone()));
        std::iter::once((to.clone(), top)).chain(below).collect()
    }

    /// Contents that were replaced on the way, the oldest first.
    pub fn earlier(&self) -> &[WouldBeFile] {
        &self.earlier
    }
}

/// Returns `path`, which is within `from`, as it is called below `to`.
fn rebased(path: &WorkspacePath, from: &WorkspacePath, to: &WorkspacePath) -> WorkspacePath {
    let below = path.as_str().strip_prefix(from.as_str()).unwrap_or_default();
    WorkspacePath::new(&format!("{to}{below}")).expect("two paths of the workspace make one")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> WorkspacePath {
        WorkspacePath::new(text).unwrap()
    }

    fn moved(would_be: &mut WouldBe, from: &str, to: &str) {
        let mut effects: Vec<_> = would_be
            .carried(&path(from), &path(to))
            .into_iter()
            .map(|(path, place)| FileEffect { path, place, version: None })
            .collect();
        effects.push(FileEffect::absent(path(from)));
        would_be.apply(&effects);
    }

    #[test]
    fn what_is_in_a_moved_folder_is_found_where_it_was() {
        let mut would_be = WouldBe::default();
        would_be.apply(&[FileEffect::bytes(path("a/x"), *b"new")]);
        moved(&mut would_be, "a", "b/c");
        assert_eq!(would_be.at(&path("b/c/y/z")), Some(WouldBePlace::Now(path("a/y/z"))));
        assert_eq!(would_be.at(&path("b/c/x")), Some(WouldBePlace::File(WouldBeFile::Bytes((*b"new").into()))));
        assert_eq!(would_be.at(&path("a/x")), Some(WouldBePlace::Absent));
        assert_eq!(would_be.at(&path("a-b")), None);
        moved(&mut would_be, "b/c", "a");
        assert_eq!(would_be.at(&path("a/y")), Some(WouldBePlace::Now(path("a/y"))));
        assert!(matches!(would_be.at(&path("a/x")), Some(WouldBePlace::File(_))));
        assert_eq!(would_be.at(&path("b/c/x")), Some(WouldBePlace::Absent));
    }

    #[test]
    fn what_replaces_a_folder_hides_what_was_in_it() {
        let mut would_be = WouldBe::default();
        would_be.apply(&[FileEffect::bytes(path("a/x"), *b"1"), FileEffect::absent(path("a"))]);
        assert_eq!(would_be.at(&path("a/x")), Some(WouldBePlace::Absent));
        would_be.apply(&[FileEffect::bytes(path("a"), *b"2"), FileEffect::bytes(path("a"), *b"3")]);
        assert_eq!(would_be.at(&path("a/x")), Some(WouldBePlace::Absent));
        assert_eq!(would_be.earlier(), [WouldBeFile::Bytes((*b"2").into())]);
    }
}
