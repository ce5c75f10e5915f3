//! One file that people write by hand and Aside adds to: read whole, replaced at once, changed under a lock.
#![expect(clippy::disallowed_methods, reason = "the store owns the person's own folder")]

use std::{
    fs,
    io::{self, Read as _, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

/// A file of text, which may not be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    path: PathBuf,
    longest: u64,
}

/// What tells one state of a file from another without reading it. Compare it, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// There is no such file.
    Absent,
    /// It can't be looked at.
    Unknown,
    /// Device, file, length, when it was written, and when anything about it changed.
    Present([i64; 7]),
}

impl TextFile {
    /// Names a file; one with more bytes than `longest` is not read.
    pub fn new(path: impl Into<PathBuf>, longest: u64) -> Self {
        Self { path: path.into(), longest }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its text; none if there is no such file.
    pub fn read(&self) -> io::Result<Option<String>> {
        match fs::metadata(&self.path) {
            Ok(found) if found.is_file() => {}
            // To open a pipe would wait for whoever writes to it.
            Ok(_) => return Err(io::Error::other("it is not a file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let file = fs::File::open(&self.path)?;
        let mut text = String::new();
        file.take(self.longest + 1).read_to_string(&mut text)?;
        if text.len() as u64 > self.longest {
            return Err(io::Error::other(format!("it is longer than {} bytes", self.longest)));
        }
        Ok(Some(text))
    }

    /// Returns its state.
    pub fn stamp(&self) -> Stamp {
        match fs::metadata(&self.path) {
            Ok(found) => Stamp::Present([
                found.dev().cast_signed(),
                found.ino().cast_signed(),
                found.size().cast_signed(),
                found.mtime(),
                found.mtime_nsec(),
                found.ctime(),
                found.ctime_nsec(),
            ]),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stamp::Absent,
            Err(_) => Stamp::Unknown,
        }
    }

    /// Replaces its text by what `change` makes of it, at once for everyone who reads it. Others who call this for the
    /// same file wait. Makes the folder, which like the file is for its owner alone. A link is followed.
    pub fn change<E: From<io::Error>>(&self, change: impl FnOnce(Option<&str>) -> Result<String, E>) -> Result<(), E> {
        if let Some(folder) = self.path.parent() {
            crate::database::private_folder(folder)?;
        }
        let target = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let lock = owned().truncate(false).open(target.with_extension("lock"))?;
        lock.lock()?;
        let text = change(self.read()?.as_deref())?;
        Ok(replace(&target, &text)?)
    }

    /// The same for a file among others' files: nothing is left beside it, it keeps who may read it, and a link is refused,
    /// because it may have come with the folder and lead anywhere.
    pub fn change_shared<E: From<io::Error>>(
        &self,
        change: impl FnOnce(Option<&str>) -> Result<String, E>,
    ) -> Result<(), E> {
        if fs::symlink_metadata(&self.path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it is not a regular file").into());
        }
        let text = change(self.read()?.as_deref())?;
        let beside = self.path.with_extension("new");
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o644).open(&beside)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        let kept = fs::metadata(&self.path).map_or(Ok(()), |found| fs::set_permissions(&beside, found.permissions()));
        if let Err(error) = written.and(kept).and_then(|()| fs::rename(&beside, &self.path)) {
            // What could not be put in place is of no use.
            let _ = fs::remove_file(&beside);
            return Err(error.into());
        }
        Ok(())
    }
}

fn owned() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options
}

fn replace(target: &Path, text: &str) -> io::Result<()> {
    // Whoever has the lock is alone with this name; one left over from a crash is written over.
    let beside = target.with_extension("new");
    let mut file = owned().truncate(true).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, target)?;
    if let Some(folder) = target.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn add(file: &TextFile, line: &str) -> io::Result<()> {
        file.change(|text| Ok::<_, io::Error>(format!("{}{line}\n", text.unwrap_or_default())))
    }

    #[test]
    fn is_made_for_its_owner_alone_and_tells_its_states_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = TextFile::new(folder.path().join("data/aside/policy.toml"), 100);
        assert_eq!((file.read().unwrap(), file.stamp()), (None, Stamp::Absent));
        add(&file, "one").unwrap();
        let before = file.stamp();
        add(&file, "two").unwrap();
        assert_ne!(file.stamp(), before);
        assert_eq!(file.read().unwrap().as_deref(), Some("one\ntwo\n"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(file.path()), mode(file.path().parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn nobody_s_line_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let file = TextFile::new(folder.path().join("policy.toml"), 10_000);
        std::thread::scope(|scope| {
            for number in 0..20 {
                let file = &file;
                scope.spawn(move || add(file, &number.to_string()).unwrap());
            }
        });
        assert_eq!(file.read().unwrap().unwrap().lines().count(), 20);
    }

    #[test]
    fn a_change_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = TextFile::new(folder.path().join("policy.toml"), 100);
        add(&file, "one").unwrap();
        file.change(|_| Err::<String, _>(io::Error::other("no"))).unwrap_err();
        assert_eq!(file.read().unwrap().as_deref(), Some("one\n"));
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept.toml");
        add(&TextFile::new(&kept, 100), "one").unwrap();
        symlink(&kept, folder.path().join("policy.toml")).unwrap();
        add(&TextFile::new(folder.path().join("policy.toml"), 100), "two").unwrap();
        assert_eq!(TextFile::new(&kept, 100).read().unwrap().as_deref(), Some("one\ntwo\n"));
        assert!(folder.path().join("policy.toml").is_symlink());
    }

    #[test]
    fn among_others_files_nothing_is_left_and_no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let file = TextFile::new(folder.path().join("aside-policy.toml"), 100);
        let write = |text: &str| file.change_shared(|_| Ok::<_, io::Error>(text.to_owned()));
        write("one").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o640)).unwrap();
        write("two").unwrap();
        assert_eq!(file.read().unwrap().as_deref(), Some("two"));
        assert_eq!(fs::metadata(file.path()).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::remove_file(file.path()).unwrap();
        symlink(folder.path().join("elsewhere"), file.path()).unwrap();
        write("three").unwrap_err();
        assert!(!folder.path().join("elsewhere").exists());
    }

    #[test]
    fn what_is_too_long_or_no_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        add(&TextFile::new(folder.path().join("long"), 100), &"x".repeat(50)).unwrap();
        assert!(TextFile::new(folder.path().join("long"), 50).read().is_err());
        assert!(TextFile::new(folder.path(), 50).read().is_err());
    }
}
