//! Opens a file below a folder without following a symbolic link on the way.

use std::{
    fs::File,
    io,
    os::fd::{BorrowedFd, OwnedFd},
    path::Path,
};

use rustix::{
    fs::{Mode, OFlags, openat},
    io::Errno,
};

/// A pipe that takes a file's place is opened without waiting for its writer.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK);
const FOLDER: OFlags = FILE.union(OFlags::DIRECTORY);

/// Opens a file by its path below the folder.
pub(crate) fn open_beneath(folder: BorrowedFd<'_>, path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        let confined = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);
        match openat2(folder, path, FILE, Mode::empty(), confined) {
            Ok(file) => return Ok(file.into()),
            // An old kernel, or a container that does not know the call.
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    open_by_parts(folder, path)
}

fn open_by_parts(folder: BorrowedFd<'_>, path: &Path) -> io::Result<File> {
    let name = path.file_name().ok_or(Errno::ISDIR)?;
    let mut here: Option<OwnedFd> = None;
    for part in path.parent().into_iter().flatten() {
        here = Some(match &here {
            Some(here) => openat(here, part, FOLDER, Mode::empty())?,
            None => openat(folder, part, FOLDER, Mode::empty())?,
        });
    }
    let file = match &here {
        Some(here) => openat(here, name, FILE, Mode::empty())?,
        None => openat(folder, name, FILE, Mode::empty())?,
    };
    Ok(file.into())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene and plays the attacker")]
mod tests {
    use std::{fs, io::Read as _, os::fd::AsFd as _, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn links_lead_nowhere() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c"), "inside").unwrap();
        symlink(outside.path(), folder.path().join("a/out")).unwrap();
        symlink(outside.path().join("secret"), folder.path().join("link")).unwrap();
        let root = File::open(folder.path()).unwrap();
        for open in [open_beneath, open_by_parts] {
            let mut text = String::new();
            open(root.as_fd(), "a/b/c".as_ref()).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "inside");
            for path in ["a/out/secret", "link", "nowhere/c", "a/b/none"] {
                assert!(open(root.as_fd(), path.as_ref()).is_err(), "{path}");
            }
        }
    }
}
