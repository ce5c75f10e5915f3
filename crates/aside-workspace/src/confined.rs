//! A place below the workspace's folder, proven to be there: an opened folder and a name in it.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
};

use aside_core::{Timestamp, WorkspacePath};
use rustix::{
    fs::{
        Access, AtFlags, FallocateFlags, FileType, Mode, OFlags, RenameFlags, Stat, accessat, fallocate, fchmod,
        fchown, fstat, fsync, openat, renameat, renameat_with, statat, unlinkat,
    },
    io::Errno,
};
use serde::{Deserialize, Serialize};

use crate::{
    WorkspaceError,
    root::{is_private, open_folder},
};

/// A place below the workspace's folder. Made just before use, not kept: it pins the folder, not the path.
#[derive(Debug)]
pub struct ConfinedPath {
    folder: OwnedFd,
    name: OsString,
    path: WorkspacePath,
}

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which kind of thing.
    pub kind: EntryKind,
    /// Bytes, for a file.
    pub size: u64,
    /// Permission bits.
    pub mode: u32,
}

/// Kinds of thing at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, where the place is the link itself.
    Link,
    /// A device, a socket, a pipe.
    Special,
}

impl ConfinedPath {
    pub(crate) fn new(folder: OwnedFd, name: OsString, path: WorkspacePath) -> Self {
        Self { folder, name, path }
    }

    /// The path with all links resolved: what rules have to look at.
    pub fn path(&self) -> &WorkspacePath {
        &self.path
    }

    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    pub(crate) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Returns what is there; none if nothing is.
    pub fn entry(&self) -> Result<Option<Entry>, WorkspaceError> {
        match statat(&self.folder, self.name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(entry(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(self.io("inspect", errno)),
        }
    }

    /// Returns the time of the last change of what is there; none if nothing is.
    pub fn modified(&self) -> Result<Option<Timestamp>, WorkspaceError> {
        match statat(&self.folder, self.name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Timestamp(stat.st_mtime * 1000 + stat.st_mtime_nsec.cast_signed() / 1_000_000))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(self.io("inspect", errno)),
        }
    }

    /// Returns the file's bytes, unless it has more than `limit`.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, WorkspaceError> {
        let (file, size) = self.open_file()?;
        let too_large = |size| WorkspaceError::TooLarge { path: self.path.clone(), size, limit };
        if size > limit {
            return Err(too_large(size));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        // One more than allowed, in case it grows while it is read.
        file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| self.io("read", error))?;
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64));
        }
        Ok(bytes)
    }

    /// Returns up to `most` of the file's bytes after `from`, and how many it has.
    pub fn read_part(&self, from: u64, most: usize) -> Result<(Vec<u8>, u64), WorkspaceError> {
        let (mut file, size) = self.open_file()?;
        let failed = |error| self.io("read", error);
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(most as u64).read_to_end(&mut bytes).map_err(failed)?;
        Ok((bytes, size))
    }

    /// Opens the file for reading and returns its size.
    pub(crate) fn open_file(&self) -> Result<(File, u64), WorkspaceError> {
        // Not blocking, so that a pipe without a writer does not hold us.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.folder, self.name.as_os_str(), flags, Mode::empty()).map_err(|errno| match errno {
            Errno::LOOP => self.swapped(),
            Errno::NXIO => WorkspaceError::Special(self.path.clone()),
            errno => self.io("read", errno),
        })?;
        let entry = entry(&fstat(&file).map_err(|errno| self.io("read", errno))?);
        match entry.kind {
            EntryKind::File => Ok((File::from(file), entry.size)),
            EntryKind::Folder => Err(WorkspaceError::IsFolder(self.path.clone())),
            EntryKind::Link | EntryKind::Special => Err(WorkspaceError::Special(self.path.clone())),
        }
    }

    /// Opens the folder itself.
    pub(crate) fn open_folder(&self) -> Result<OwnedFd, WorkspaceError> {
        open_folder(self.folder(), &self.name).map_err(|errno| match errno {
            Errno::NOTDIR => WorkspaceError::NotFolder(self.path.clone()),
            Errno::LOOP => self.swapped(),
            errno => self.io("open", errno),
        })
    }

    /// Refuses where a file can't be put, and where one is that may not be written: to replace it would ask only its folder.
    pub(crate) fn check_writable(&self) -> Result<(), WorkspaceError> {
        let may = |name: &OsStr, access| match accessat(&self.folder, name, access, AtFlags::EACCESS) {
            Err(errno @ (Errno::ACCESS | Errno::PERM | Errno::ROFS)) => Err(self.io("write", errno)),
            _ => Ok(()),
        };
        may(".".as_ref(), Access::WRITE_OK | Access::EXEC_OK)?;
        may(&self.name, Access::WRITE_OK)
    }

    /// Puts a file with these bytes here, whole or not at all. Mode and owner of a file that is there stay.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), WorkspaceError> {
        let old = match statat(&self.folder, self.name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
                return Err(WorkspaceError::IsFolder(self.path.clone()));
            }
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => Some(stat),
            Ok(_) | Err(Errno::NOENT) => None,
            Err(errno) => return Err(self.io("write", errno)),
        };
        self.replace_like(bytes, old.as_ref())
    }

    /// Puts a new file with these bytes and this mode here, whole or not at all; refuses if something is there.
    pub fn create(&self, bytes: &[u8], mode: Option<u32>) -> Result<(), WorkspaceError> {
        if self.entry()?.is_some() {
            return Err(WorkspaceError::Exists(self.path.clone()));
        }
        let (temporary, file) = self.temporary("create")?;
        let filled = match mode {
            Some(mode) => fchmod(&file, Mode::from(mode & 0o7777)).map_err(io::Error::from),
            None => Ok(()),
        };
        let placed = filled.and_then(|()| fill(file, bytes, None)).and_then(|()| self.place_new(&temporary));
        if let Err(error) = placed {
            let _ = unlinkat(&self.folder, temporary.as_str(), AtFlags::empty());
            return Err(self.io("create", error));
        }
        let _ = fsync(&self.folder);
        Ok(())
    }

    /// Gives a whole new file its name, unless somebody was faster.
    fn place_new(&self, temporary: &str) -> io::Result<()> {
        let name = self.name.as_os_str();
        match renameat_with(&self.folder, temporary, &self.folder, name, RenameFlags::NOREPLACE) {
            // This file system can't promise it; that the place is free was checked just before.
            Err(Errno::INVAL | Errno::NOSYS) => Ok(renameat(&self.folder, temporary, &self.folder, name)?),
            done => Ok(done?),
        }
    }

    fn replace_like(&self, bytes: &[u8], old: Option<&Stat>) -> Result<(), WorkspaceError> {
        if old.is_some_and(|stat| stat.st_nlink > 1) {
            // Another file in its place would leave the other names behind with the old content.
            return self.write_in_place(bytes).map_err(|error| self.io("write", error));
        }
        let (temporary, file) = self.temporary("write")?;
        let placed = fill(file, bytes, old).and_then(|()| {
            renameat(&self.folder, temporary.as_str(), &self.folder, self.name.as_os_str()).map_err(io::Error::from)
        });
        if let Err(error) = placed {
            let _ = unlinkat(&self.folder, temporary.as_str(), AtFlags::empty());
            return Err(match error.raw_os_error() == Some(Errno::ISDIR.raw_os_error()) {
                true => WorkspaceError::IsFolder(self.path.clone()),
                false => self.io("write", error),
            });
        }
        // The rename is done; that some file systems can't sync a folder is no failure of the write.
        let _ = fsync(&self.folder);
        Ok(())
    }

    /// Writes into the file that is there, which has other names too. Room is made first, so that a full disk changes nothing.
    fn write_in_place(&self, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&self.folder, self.name.as_os_str(), flags, Mode::empty())?;
        let (length, before) = (bytes.len() as u64, u64::try_from(fstat(&file)?.st_size).unwrap_or_default());
        // Not every file system can.
        if let Err(errno @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) =
            fallocate(&file, FallocateFlags::KEEP_SIZE, 0, length.max(1))
        {
            return Err(errno.into());
        }
        let mut file = File::from(file);
        file.write_all(bytes)?;
        if before > length {
            file.set_len(length)?;
        }
        file.sync_all()
    }

    fn temporary(&self, attempt: &'static str) -> Result<(String, OwnedFd), WorkspaceError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = temporary_name();
            match openat(&self.folder, name.as_str(), flags, Mode::from(0o666)) {
                Ok(file) => return Ok((name, file)),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(self.io(attempt, errno)),
            }
        }
    }

    fn swapped(&self) -> WorkspaceError {
        WorkspaceError::Outside { path: self.path.clone(), reason: "it was replaced by a link".to_owned() }
    }

    pub(crate) fn io(&self, attempt: &'static str, source: impl Into<io::Error>) -> WorkspaceError {
        WorkspaceError::io(attempt, &self.path, source)
    }
}

fn fill(file: OwnedFd, bytes: &[u8], like: Option<&Stat>) -> io::Result<()> {
    if let Some(stat) = like {
        let (uid, gid) = (rustix::fs::Uid::from_raw(stat.st_uid), rustix::fs::Gid::from_raw(stat.st_gid));
        // Only the superuser may give files away; anybody else keeps their own, as any editor does.
        let _ = fchown(&file, Some(uid), Some(gid));
        fchmod(&file, Mode::from_raw_mode(stat.st_mode))?;
    }
    let mut file = File::from(file);
    file.write_all(bytes)?;
    file.sync_all()
}

pub(crate) fn entry(stat: &Stat) -> Entry {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Special,
    };
    let size = if kind == EntryKind::File { u64::try_from(stat.st_size).unwrap_or_default() } else { 0 };
    Entry { kind, size, mode: stat.st_mode & 0o7777 }
}

/// `.aside-<random>.tmp`: never listed, never reported as changed.
fn temporary_name() -> String {
    use std::hash::{BuildHasher as _, RandomState};
    // A fresh `RandomState` is seeded by the system; `O_EXCL` does the rest.
    format!(".aside-{:016x}.tmp", RandomState::new().hash_one(std::process::id()))
}

/// Tells whether a name is never shown: Aside's own folder and half-written files.
pub(crate) fn is_hidden(name: impl AsRef<OsStr>) -> bool {
    let bytes = name.as_ref().as_bytes();
    is_private(name.as_ref()) || (bytes.starts_with(b".aside-") && bytes.ends_with(b".tmp"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::root::Root;

    fn path(text: &str) -> WorkspacePath {
        WorkspacePath::new(text).unwrap()
    }

    #[test]
    fn replacing_keeps_the_mode_and_the_link_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(folder.path()).unwrap();
        root.resolve(&path("run.sh")).unwrap().create(b"one", Some(0o750)).unwrap();
        symlink("run.sh", folder.path().join("link")).unwrap();
        root.resolve(&path("link")).unwrap().replace(b"two").unwrap();
        assert_eq!(root.resolve(&path("run.sh")).unwrap().read(10).unwrap(), b"two");
        let mode = folder.path().join("run.sh").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o750);
        assert!(folder.path().join("link").is_symlink());
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn hard_link_is_written_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(folder.path()).unwrap();
        let place = root.resolve(&path("one")).unwrap();
        place.create(b"long text", Some(0o640)).unwrap();
        std::fs::hard_link(folder.path().join("one"), folder.path().join("two")).unwrap();
        for text in [&b"short"[..], b"a longer text than before", b""] {
            place.replace(text).unwrap();
            assert_eq!(root.resolve(&path("two")).unwrap().read(100).unwrap(), text);
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
        assert_eq!(place.entry().unwrap().unwrap().mode, 0o640);
    }

    #[test]
    fn a_file_that_may_not_be_written_is_not_replaced_by_way_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(folder.path()).unwrap();
        let place = root.resolve(&path("kept")).unwrap();
        place.check_writable().unwrap();
        place.create(b"one", Some(0o444)).unwrap();
        // The superuser may write anything.
        let is_superuser = rustix::process::geteuid().is_root();
        assert_eq!(place.check_writable().err().map(|error| error.code()), (!is_superuser).then_some("permission"));
    }

    #[test]
    fn creating_over_something_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(folder.path()).unwrap();
        let place = root.resolve(&path("a")).unwrap();
        place.create(b"one", None).unwrap();
        assert_eq!(place.create(b"two", None).unwrap_err().code(), "exists");
        assert_eq!(place.read(10).unwrap(), b"one");
        assert_eq!(place.read(2).unwrap_err().code(), "too_large");
    }

    #[test]
    fn a_folder_is_never_replaced_by_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(folder.path()).unwrap();
        rustix::fs::mkdirat(root.descriptor(), "a", Mode::from(0o755)).unwrap();
        assert_eq!(root.resolve(&path("a")).unwrap().replace(b"x").unwrap_err().code(), "is_folder");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }
}
