//! A file of secrets: made for its owner alone, replaced at once, and not read if others could have.
#![expect(clippy::disallowed_methods, reason = "the store owns the person's own folder")]

use std::{
    fs,
    io::{self, Read as _, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::{fs::OFlags, process::geteuid};

use crate::{DataFolder, Stamp, TextFile};

/// The bits that let others in.
const OTHERS: u32 = 0o077;

/// A file of secrets, which may not be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretFile {
    path: PathBuf,
    longest: u64,
}

/// Why a file of secrets is not used.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    /// Others can read or change it.
    #[error(
        "{} is readable by other users of this computer, so it was not used. Run `chmod 600 '{}'`; if someone else \
            may have read it, replace the keys in it",
        .0.display(), .0.display()
    )]
    OpenToOthers(PathBuf),
    /// It is a link, no file, or somebody else's.
    #[error("{} is a link, not a regular file, or not yours, so it was not used; move it away", .0.display())]
    NotOwn(PathBuf),
    /// The disk.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl SecretFile {
    /// Names a file in the person's own folder; one with more bytes than `longest` is not read.
    pub fn new(data: &DataFolder, name: &str, longest: u64) -> Self {
        Self { path: data.path().join(name), longest }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its state.
    pub fn stamp(&self) -> Stamp {
        TextFile::new(&self.path, self.longest).stamp()
    }

    /// Returns its text; none if there is no such file.
    pub fn read(&self) -> Result<Option<String>, SecretFileError> {
        // To open a pipe would wait for whoever writes to it.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let opened = fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(&self.path);
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(_) if self.path.is_symlink() => return Err(SecretFileError::NotOwn(self.path.clone())),
            Err(error) => return Err(self.failed(error)),
        };
        // Of what was opened, not of what is there by now.
        let found = file.metadata().map_err(|error| self.failed(error))?;
        if !found.is_file() || found.uid() != geteuid().as_raw() {
            return Err(SecretFileError::NotOwn(self.path.clone()));
        }
        if found.mode() & OTHERS != 0 {
            return Err(SecretFileError::OpenToOthers(self.path.clone()));
        }
        let mut text = String::new();
        file.take(self.longest + 1).read_to_string(&mut text).map_err(|error| self.failed(error))?;
        match text.len() as u64 > self.longest {
            true => Err(self.failed(io::Error::other(format!("it is longer than {} bytes", self.longest)))),
            false => Ok(Some(text)),
        }
    }

    /// Replaces its text by what `change` makes of it, at once for everyone who reads it. Others who call this for the
    /// same file wait. What could not be read is not replaced.
    pub fn change(&self, change: impl FnOnce(Option<&str>) -> io::Result<String>) -> Result<(), SecretFileError> {
        let failed = |error| self.failed(error);
        if let Some(folder) = self.path.parent() {
            crate::database::private_folder(folder).map_err(failed)?;
        }
        let lock = crate::database::private_options()
            .create(true)
            .truncate(false)
            .open(self.path.with_extension("lock"))
            .map_err(failed)?;
        lock.lock().map_err(failed)?;
        let text = change(self.read()?.as_deref()).map_err(failed)?;
        self.replace(&text).map_err(failed)
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        let beside = self.path.with_extension("new");
        // Whoever has the lock is alone with this name. What is there was left by a crash, or put there by somebody.
        match fs::remove_file(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = crate::database::private_options().create_new(true).open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &self.path)?;
        if let Some(folder) = self.path.parent() {
            fs::File::open(folder)?.sync_all()?;
        }
        Ok(())
    }

    fn failed(&self, source: io::Error) -> SecretFileError {
        SecretFileError::Io { path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn file(folder: &Path) -> SecretFile {
        SecretFile::new(&DataFolder::at(folder.join("own")), "keys.json", 100)
    }

    fn write(file: &SecretFile, text: &str) -> Result<(), SecretFileError> {
        file.change(|_| Ok(text.to_owned()))
    }

    #[test]
    fn is_for_its_owner_alone_from_the_first_byte() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        assert!(file.read().unwrap().is_none());
        write(&file, "one").unwrap();
        // Left over, or put there to be written through.
        let elsewhere = folder.path().join("elsewhere");
        symlink(&elsewhere, file.path().with_extension("new")).unwrap();
        write(&file, "two").unwrap();
        assert_eq!(file.read().unwrap().as_deref(), Some("two"));
        assert_eq!(fs::metadata(file.path()).unwrap().mode() & 0o777, 0o600);
        assert!(!elsewhere.exists());
    }

    #[test]
    fn what_others_could_read_is_not_read_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        write(&file, "one").unwrap();
        for mode in [0o640, 0o604, 0o620, 0o666] {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
            let error = file.read().unwrap_err();
            assert!(error.to_string().contains("chmod 600"), "{error}");
            write(&file, "two").unwrap_err();
        }
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(file.read().unwrap().as_deref(), Some("one"));
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        write(&file, "one").unwrap();
        let kept = folder.path().join("kept");
        fs::rename(file.path(), &kept).unwrap();
        symlink(&kept, file.path()).unwrap();
        assert!(matches!(file.read(), Err(SecretFileError::NotOwn(_))));
        write(&file, "two").unwrap_err();
        assert_eq!(fs::read_to_string(&kept).unwrap(), "one");
    }
}
