//! Whether `.aside` was made here. A folder that was cloned or unpacked may bring one along, with approvals,
//! threads, a rehearsal or links of somebody else's making.
//!
//! Aside makes the folder for its owner alone, which version control does not carry over.

use std::{
    fs::{DirBuilder, Metadata, Permissions},
    io,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// The bits that let others in.
const OTHERS: u32 = 0o077;

/// Why the folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum NotOurs {
    /// Something in it is neither a file nor a folder, or it is itself no folder.
    #[error("{} is a link or a special file, which Aside does not make; move it away", .0.display())]
    Special(PathBuf),
    /// It holds something and was not made for its owner alone.
    #[error(
        "{folder} may have come with the files of the workspace, since others can enter it; \
         move it away, or run `chmod 700 '{folder}'` if it is yours",
        folder = .0.display()
    )]
    OpenToOthers(PathBuf),
    /// It can't be looked at.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// Which folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Makes the folder, or makes sure that Aside made it.
pub fn prepare(folder: &Path) -> Result<(), NotOurs> {
    let failed = |source| NotOurs::Io { path: folder.to_owned(), source };
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check(folder),
        made => made.map_err(failed),
    }
}

/// Makes sure that a folder that is there was made by Aside.
pub fn check(folder: &Path) -> Result<(), NotOurs> {
    let failed = |source| NotOurs::Io { path: folder.to_owned(), source };
    let found = folder.symlink_metadata().map_err(failed)?;
    if !found.is_dir() {
        return Err(NotOurs::Special(folder.to_owned()));
    }
    let mut empty = true;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        if !kind.is_file() && !kind.is_dir() {
            return Err(NotOurs::Special(entry.path()));
        }
        empty = false;
    }
    if is_closed(&found) || !keeps_modes(folder).map_err(failed)? {
        return Ok(());
    }
    if !empty {
        return Err(NotOurs::OpenToOthers(folder.to_owned()));
    }
    std::fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(failed)
}

fn is_closed(found: &Metadata) -> bool {
    found.permissions().mode() & OTHERS == 0
}

/// Tells whether the disk knows permissions at all; some show the same for everything.
fn keeps_modes(folder: &Path) -> io::Result<bool> {
    let trial = folder.join(format!("trial-{}", std::process::id()));
    DirBuilder::new().mode(0o700).create(&trial)?;
    let closed = trial.metadata().map(|found| is_closed(&found));
    std::fs::remove_dir(&trial)?;
    closed
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene and plays the attacker")]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    fn folder(mode: u32) -> (tempfile::TempDir, PathBuf) {
        let workspace = tempfile::tempdir().unwrap();
        let folder = workspace.path().join(".aside");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
        (workspace, folder)
    }

    fn mode(folder: &Path) -> u32 {
        folder.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn is_made_for_its_owner_alone_and_known_again() {
        let workspace = tempfile::tempdir().unwrap();
        let folder = workspace.path().join(".aside");
        prepare(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        fs::write(folder.join("aside.db"), "").unwrap();
        prepare(&folder).unwrap();
    }

    #[test]
    fn what_a_clone_brought_along_is_not_used() {
        let (_workspace, folder) = folder(0o755);
        fs::write(folder.join("rehearsal.json"), "{}").unwrap();
        assert!(matches!(prepare(&folder), Err(NotOurs::OpenToOthers(_))));
        assert_eq!((mode(&folder), fs::read_dir(&folder).unwrap().count()), (0o755, 1), "nothing was touched");
    }

    #[test]
    fn an_empty_one_is_closed_to_others() {
        let (_workspace, folder) = folder(0o755);
        prepare(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
    }

    #[test]
    fn links_and_pipes_in_it_are_refused() {
        let (workspace, folder) = folder(0o700);
        symlink(workspace.path().join("outside"), folder.join("aside.db")).unwrap();
        assert!(matches!(prepare(&folder), Err(NotOurs::Special(path)) if path == folder.join("aside.db")));
        fs::remove_file(folder.join("aside.db")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("rehearsal.json"), 0o600.into()).unwrap();
        assert!(matches!(prepare(&folder), Err(NotOurs::Special(_))));
    }

    #[test]
    fn a_link_or_a_file_in_its_place_is_refused() {
        let workspace = tempfile::tempdir().unwrap();
        let folder = workspace.path().join(".aside");
        symlink(workspace.path(), &folder).unwrap();
        assert!(matches!(prepare(&folder), Err(NotOurs::Special(_))));
        fs::remove_file(&folder).unwrap();
        fs::write(&folder, "").unwrap();
        assert!(matches!(prepare(&folder), Err(NotOurs::Special(_))));
    }
}
