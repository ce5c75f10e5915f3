//! Files by the hash of what is in them: `blobs/ab/cdef…`, written beside their place and renamed into it.
//! Small ones that need not be on the disk at once are in the database: no file of its own has to be waited for.
#![expect(clippy::disallowed_methods, reason = "the store owns the `.aside` folder")]

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use aside_core::Sha256;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{
    StoreError,
    database::{private_folder, private_options},
};

/// The longest blob in the database, in bytes.
pub(crate) const SMALL: usize = 64 * 1024;

pub(crate) fn put_small(connection: &Connection, hash: &Sha256, bytes: &[u8]) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO small_blobs (hash, bytes) VALUES (?1, ?2)";
    connection.prepare_cached(sql)?.execute(params![hash.as_str(), bytes])?;
    Ok(())
}

pub(crate) fn get_small(connection: &Connection, hash: &Sha256) -> Result<Option<Vec<u8>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT bytes FROM small_blobs WHERE hash = ?1")?;
    let bytes: Option<Vec<u8>> = statement.query_row([hash.as_str()], |row| row.get(0)).optional()?;
    match bytes {
        Some(bytes) if Sha256::of(&bytes) != *hash => Err(StoreError::DamagedBlob(hash.clone())),
        bytes => Ok(bytes),
    }
}

pub(crate) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps some bytes; on disk when this returns.
    pub(crate) fn put(&self, bytes: &[u8], unique: &str) -> Result<Sha256, StoreError> {
        let hash = Sha256::of(bytes);
        let path = self.path(&hash);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if fs::metadata(&path).is_ok_and(|found| found.len() == length) {
            return Ok(hash);
        }
        let temporary = self.folder.join(format!("{}.{unique}.part", hash.short()));
        write(&path, &temporary, bytes).map_err(|source| {
            // A piece that is left behind would only take up space.
            let _ = fs::remove_file(&temporary);
            StoreError::Io { doing: "write", path, source }
        })?;
        Ok(hash)
    }

    /// Returns the bytes of a blob, if it is kept.
    pub(crate) fn get(&self, hash: &Sha256) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(hash);
        match fs::read(&path) {
            Ok(bytes) if Sha256::of(&bytes) == *hash => Ok(Some(bytes)),
            Ok(_) => Err(StoreError::DamagedBlob(hash.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(StoreError::Io { doing: "read", path, source }),
        }
    }

    fn path(&self, hash: &Sha256) -> PathBuf {
        let (two, rest) = hash.as_str().split_at(2);
        self.folder.join(two).join(rest)
    }
}

fn write(path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    private_folder(parent)?;
    let mut file = private_options().create_new(true).open(temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(temporary, path)?;
    fs::File::open(parent)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_what_was_put_and_keeps_it_once() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path().join("blobs"));
        let hash = blobs.put(b"content", "1").unwrap();
        assert_eq!(blobs.put(b"content", "2").unwrap(), hash);
        assert_eq!(blobs.get(&hash).unwrap().as_deref(), Some(&b"content"[..]));
        assert_eq!(blobs.get(&Sha256::of("other")).unwrap(), None);
        assert_eq!(fs::read_dir(folder.path().join("blobs")).unwrap().count(), 1);
    }

    #[test]
    fn damaged_bytes_are_noticed_and_mended_by_the_next_put() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path().to_owned());
        let hash = blobs.put(b"content", "1").unwrap();
        fs::write(blobs.path(&hash), b"cut").unwrap();
        assert!(matches!(blobs.get(&hash), Err(StoreError::DamagedBlob(_))));
        blobs.put(b"content", "2").unwrap();
        assert_eq!(blobs.get(&hash).unwrap().as_deref(), Some(&b"content"[..]));
    }
}
