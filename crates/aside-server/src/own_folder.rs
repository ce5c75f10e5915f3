//! Whether `.aside` was made here. A folder that was cloned, unpacked or copied may bring one along, with approvals,
//! grants, threads, a rehearsal or links of somebody else's making.
//!
//! The person's own data folder has a record of each that is theirs ([`record`]); one without a record is not used
//! until the person says that it is theirs ([`trust`]). It is for its owner alone.

mod files;
mod record;

use std::{
    fs::{DirBuilder, Metadata, Permissions},
    io,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use aside_store::DataFolder;

pub use files::{SAID_EVERY, Watched};

/// The bits that let others in.
const OTHERS: u32 = 0o077;

/// Why the folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum NotOurs {
    /// Something in it is neither a file nor a folder, or it is itself no folder.
    #[error("{} is a link or a special file, which Aside never creates; move it away", .0.display())]
    Special(PathBuf),
    /// It holds something, and there is no record that it was made here.
    #[error(
        "{folder} was not created on this computer, so it may contain requests, grants and rules from somebody else. \
         If you moved, copied or restored the workspace yourself, run `aside trust '{workspace}'`; otherwise, move it \
         away",
        folder = .0.display(), workspace = .0.parent().unwrap_or(.0).display()
    )]
    Unknown(PathBuf),
    /// A file in it is another one than it was, was written to by somebody else, or holds another history.
    #[error(
        "{file} was changed, replaced or restored while Aside was not running, so it may contain requests, grants and \
         rules from somebody else. If you did that, run `aside trust '{workspace}'`; otherwise, restore the previous \
         file",
        file = .0.display(), workspace = .0.parent().and_then(Path::parent).unwrap_or(.0).display()
    )]
    Replaced(PathBuf),
    /// It is on record, and others could have changed what is in it.
    #[error(
        "other users of this computer can access {}. If nobody else has changed it, run `chmod 700 '{}'`",
        .0.display(), .0.display()
    )]
    OpenToOthers(PathBuf),
    /// There is nowhere to put on record, or to look up, whose it is.
    #[error("cannot check whether {} is yours: there is no data folder; set ASIDE_DATA_DIR", .0.display())]
    NoDataFolder(PathBuf),
    /// The record of it can't be written.
    #[error(
        "cannot record that {} is yours: {source}; set ASIDE_DATA_DIR to a writable folder",
        folder.display()
    )]
    Record {
        /// Which folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It can't be looked at.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// Which folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What a folder is found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// On record.
    Ours,
    /// Nothing is in it that could do anything.
    Blank,
    /// Something is in it, and it is not on record.
    Unknown,
}

/// Makes the folder and puts it on record, or makes sure that it is.
pub fn prepare(folder: &Path, data: Option<&DataFolder>) -> Result<(), NotOurs> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(folder)(error)),
        _ => {}
    }
    let data = data.ok_or_else(|| NotOurs::NoDataFolder(folder.to_owned()))?;
    match look(folder, data)? {
        Found::Ours => closed(folder).and_then(|()| unreplaced(folder, data)),
        Found::Blank => claim(folder, data),
        Found::Unknown => Err(NotOurs::Unknown(folder.to_owned())),
    }
}

/// Makes sure that a folder that is there is on record.
pub fn check(folder: &Path, data: Option<&DataFolder>) -> Result<(), NotOurs> {
    let data = data.ok_or_else(|| NotOurs::NoDataFolder(folder.to_owned()))?;
    match look(folder, data)? {
        Found::Ours => closed(folder).and_then(|()| unreplaced(folder, data)),
        Found::Blank | Found::Unknown => Err(NotOurs::Unknown(folder.to_owned())),
    }
}

/// Takes a folder that is there as the person's own, with all that is in it. To be called at their word only.
/// Returns whether it was on record already.
pub fn trust(folder: &Path, data: Option<&DataFolder>) -> Result<bool, NotOurs> {
    let data = data.ok_or_else(|| NotOurs::NoDataFolder(folder.to_owned()))?;
    let known = look(folder, data)? == Found::Ours;
    // Also if it was known: what was noted of its files holds no more.
    claim(folder, data)?;
    Ok(known)
}

/// Looks at the names first and at the record then: another server may be making the folder right now.
fn look(folder: &Path, data: &DataFolder) -> Result<Found, NotOurs> {
    let found = folder.symlink_metadata().map_err(failed(folder))?;
    if !found.is_dir() {
        return Err(NotOurs::Special(folder.to_owned()));
    }
    let blank = only_ids(folder)?;
    if record::is_known(data, folder, &found).map_err(failed(folder))? {
        return Ok(Found::Ours);
    }
    Ok(if blank { Found::Blank } else { Found::Unknown })
}

/// Tells whether it holds no more than ids; refuses what is neither a file nor a folder.
fn only_ids(folder: &Path) -> Result<bool, NotOurs> {
    let mut only = true;
    for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
        let entry = entry.map_err(failed(folder))?;
        let kind = entry.file_type().map_err(failed(folder))?;
        if !kind.is_file() && !kind.is_dir() {
            return Err(NotOurs::Special(entry.path()));
        }
        only &= kind.is_file() && entry.file_name().as_encoded_bytes().starts_with(record::ID.as_bytes());
    }
    Ok(only)
}

fn claim(folder: &Path, data: &DataFolder) -> Result<(), NotOurs> {
    std::fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(failed(folder))?;
    let found = folder.symlink_metadata().map_err(failed(folder))?;
    record::put(data, folder, &found).map_err(|source| NotOurs::Record { folder: folder.to_owned(), source })
}

/// Makes sure that it is for its owner alone.
fn closed(folder: &Path) -> Result<(), NotOurs> {
    let found = folder.symlink_metadata().map_err(failed(folder))?;
    if is_closed(&found) || !keeps_modes(folder).map_err(failed(folder))? {
        return Ok(());
    }
    Err(NotOurs::OpenToOthers(folder.to_owned()))
}

/// Makes sure that its files are those that were there when they were noted.
fn unreplaced(folder: &Path, data: &DataFolder) -> Result<(), NotOurs> {
    match files::replaced(folder, data).map_err(failed(folder))? {
        Some(path) => Err(NotOurs::Replaced(path)),
        None => Ok(()),
    }
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

fn failed(folder: &Path) -> impl Fn(io::Error) -> NotOurs {
    move |source| NotOurs::Io { path: folder.to_owned(), source }
}

#[cfg(test)]
mod tests;
