//! One server a workspace: `.aside/server.lock` is held as long as the process lives, `.aside/server.json`
//! says where it listens. The lock is the kernel's, so a killed server leaves none behind.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use aside_protocol::Serving;
use aside_store::DataFolder;
use rustix::fs::{FlockOperation, flock};

use crate::own_folder;

/// The folder in a workspace that is Aside's.
pub const FOLDER: &str = ".aside";

/// The file in it with the port of the last server.
const PORT: &str = "port";

/// A held lock; dropping it takes the address away and lets go.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    _file: File,
}

/// What asking for the lock led to.
#[derive(Debug)]
pub enum Asked {
    /// It is ours.
    Held(Lock),
    /// A server of this workspace is running, or starting (then without an address yet).
    Taken(Option<Serving>),
}

impl Lock {
    /// Takes the lock of a workspace, or finds who has it. The folder for it is there.
    pub fn take(workspace: &Path) -> io::Result<Asked> {
        let folder = workspace.join(FOLDER);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(folder.join("server.lock"))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Asked::Held(Self { folder, _file: file })),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(Asked::Taken(address(&folder))),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the port of this workspace's last server. A browser keeps unsynced text, bookmarks and cookies by address, so the
    /// next server takes the same one if it can.
    #[expect(clippy::disallowed_methods, reason = "the lock is the server's own, not a document")]
    pub fn last_port(&self) -> Option<u16> {
        std::fs::read_to_string(self.folder.join(PORT)).ok()?.trim().parse().ok().filter(|port| *port != 0)
    }

    /// Says where this server listens, and keeps the port for the next one. Written aside and renamed, so that nobody reads half of it.
    #[expect(clippy::disallowed_methods, reason = "the lock is the server's own, not a document")]
    pub fn announce(&self, serving: &Serving, port: u16) -> io::Result<()> {
        std::fs::write(self.folder.join(PORT), format!("{port}\n"))?;
        let (new, name) = (self.folder.join("server.json.new"), self.folder.join("server.json"));
        let _ = std::fs::remove_file(&new);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec(serving)?)?;
        std::fs::rename(new, name)
    }
}

impl Drop for Lock {
    #[expect(clippy::disallowed_methods, reason = "the lock is the server's own, not a document")]
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.folder.join("server.json"));
    }
}

/// Returns where the running server of exactly this workspace listens. `data` is the person's own folder.
pub fn running(workspace: &Path, data: Option<&DataFolder>) -> Option<Serving> {
    let folder = workspace.join(FOLDER);
    own_folder::check(&folder, data).ok()?;
    let file = OpenOptions::new().read(true).open(folder.join("server.lock")).ok()?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Err(rustix::io::Errno::WOULDBLOCK) => address(&folder),
        _ => None,
    }
}

#[expect(clippy::disallowed_methods, reason = "the lock is the server's own, not a document")]
fn address(folder: &Path) -> Option<Serving> {
    serde_json::from_slice(&std::fs::read(folder.join("server.json")).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a broken file of a test")]
    fn damage(path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
    }

    fn serving() -> Serving {
        Serving { url: "http://127.0.0.1:1/".into(), token: "t".into(), pid: 1, workspace: "/w".into() }
    }

    fn workspace() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        own_folder::prepare(&folder.path().join(FOLDER), Some(&data(&folder))).unwrap();
        folder
    }

    fn data(folder: &tempfile::TempDir) -> DataFolder {
        DataFolder::at(folder.path().join("data"))
    }

    #[test]
    fn the_second_learns_where_the_first_is() {
        let folder = workspace();
        let Asked::Held(lock) = Lock::take(folder.path()).unwrap() else { panic!("free") };
        assert!(matches!(Lock::take(folder.path()).unwrap(), Asked::Taken(None)), "it has not announced itself");
        lock.announce(&serving(), 1).unwrap();
        assert!(matches!(Lock::take(folder.path()).unwrap(), Asked::Taken(Some(found)) if found == serving()));
        assert_eq!(running(folder.path(), Some(&data(&folder))), Some(serving()));
        drop(lock);
        assert_eq!(running(folder.path(), Some(&data(&folder))), None);
        assert!(matches!(Lock::take(folder.path()).unwrap(), Asked::Held(_)));
    }

    #[test]
    fn an_address_without_a_lock_is_stale() {
        let folder = workspace();
        let Asked::Held(lock) = Lock::take(folder.path()).unwrap() else { panic!("free") };
        lock.announce(&serving(), 1).unwrap();
        // As after `kill -9`: the lock goes with the process, the file stays.
        flock(&lock._file, FlockOperation::Unlock).unwrap();
        assert_eq!(running(folder.path(), Some(&data(&folder))), None);
        assert!(matches!(Lock::take(folder.path()).unwrap(), Asked::Held(_)));
    }

    #[test]
    fn the_port_is_known_to_the_next_server() {
        let folder = workspace();
        let Asked::Held(lock) = Lock::take(folder.path()).unwrap() else { panic!("free") };
        assert_eq!(lock.last_port(), None);
        lock.announce(&serving(), 4190).unwrap();
        drop(lock);
        let Asked::Held(lock) = Lock::take(folder.path()).unwrap() else { panic!("free") };
        assert_eq!(lock.last_port(), Some(4190));
        for broken in ["", "no number", "0", "70000"] {
            damage(&folder.path().join(".aside/port"), broken);
            assert_eq!(lock.last_port(), None, "{broken}");
        }
    }

    #[test]
    fn the_address_is_for_its_owner_alone() {
        let folder = workspace();
        let Asked::Held(lock) = Lock::take(folder.path()).unwrap() else { panic!("free") };
        lock.announce(&serving(), 1).unwrap();
        let mode = folder.path().join(".aside/server.json").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
