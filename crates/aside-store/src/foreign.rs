//! SQLite files of other programs: looked at as they are at one moment, without a lock that their owner could feel and without a byte
//! written beside them.
#![expect(clippy::disallowed_methods, reason = "copies a file of another program to read it")]

use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use rusqlite::{Connection, OpenFlags};

/// Bytes of a file that is copied, with what its owner has not put into it yet.
const LONGEST_COPY: u64 = 2 << 30;
/// How often a copy is tried that the owner wrote into meanwhile.
const TRIES: u32 = 3;

/// A file of another program at one moment.
#[derive(Debug)]
pub struct ForeignDatabase {
    /// To ask it.
    pub connection: Connection,
    path: PathBuf,
    stamp: Stamp,
    _copy: Option<Copy>,
}

/// What is compared to learn whether somebody wrote: of the file, and of what is beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp([Option<(u64, i64, i64)>; 2]);

/// A folder that is removed when nobody reads from it any more.
#[derive(Debug)]
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        // What stays behind is ours alone, and goes with the folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Opens such a file. What its owner is in the middle of writing is no moment to look at: that is an error of the kind
/// [`io::ErrorKind::WouldBlock`], and goes by.
pub fn open_foreign(path: &Path) -> io::Result<ForeignDatabase> {
    if size(&beside(path, "-journal")) > 0 {
        return Err(busy());
    }
    if size(&beside(path, "-wal")) == 0 {
        let stamp = Stamp::of(path);
        let connection = immutable(path).map_err(io::Error::other)?;
        return Ok(ForeignDatabase { connection, path: path.to_owned(), stamp, _copy: None });
    }
    for _ in 0..TRIES {
        let stamp = Stamp::of(path);
        let copy = copied(path)?;
        if stamp == Stamp::of(path) {
            let file = copy.0.join("copy.db");
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(file, flags).map_err(io::Error::other)?;
            return Ok(ForeignDatabase { connection, path: path.to_owned(), stamp, _copy: Some(copy) });
        }
    }
    Err(busy())
}

impl ForeignDatabase {
    /// Fails if its owner wrote to it since it was opened: what was read may be of two moments.
    pub fn finish(&self) -> io::Result<()> {
        let same =
            self._copy.is_some() || (self.stamp == Stamp::of(&self.path) && size(&beside(&self.path, "-journal")) == 0);
        if same { Ok(()) } else { Err(busy()) }
    }
}

impl Stamp {
    fn of(path: &Path) -> Self {
        let of = |path: &Path| fs::metadata(path).ok().map(|found| (found.size(), found.mtime(), found.mtime_nsec()));
        Self([of(path), of(&beside(path, "-wal"))])
    }
}

/// Without locks: nothing of it changes while it is read, or [`ForeignDatabase::finish`] says that it did.
fn immutable(path: &Path) -> rusqlite::Result<Connection> {
    let text = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{text}?immutable=1"), flags)
}

/// Copies it and what its owner has not put into it yet to a folder of our own.
fn copied(path: &Path) -> io::Result<Copy> {
    static COPIES: AtomicU64 = AtomicU64::new(0);
    let wal = beside(path, "-wal");
    if size(path).saturating_add(size(&wal)) > LONGEST_COPY {
        let reason = "it is too large to copy while its program writes to it; it is read after the program ends";
        return Err(io::Error::new(io::ErrorKind::WouldBlock, reason));
    }
    let number = COPIES.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("aside-copy-{}-{number}", std::process::id()));
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let copy = Copy(folder);
    fs::copy(path, copy.0.join("copy.db"))?;
    fs::copy(&wal, copy.0.join("copy.db-wal"))?;
    Ok(copy)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "its program is writing to it; it is read again later")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(folder: &Path) -> Vec<(OsString, u64)> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut all: Vec<_> = entries.map(|one| (one.file_name(), one.metadata().unwrap().len())).collect();
        all.sort();
        all
    }

    fn count(path: &Path) -> i64 {
        let found = open_foreign(path).unwrap();
        let count = found.connection.query_row("SELECT COUNT(*) FROM one", (), |row| row.get(0)).unwrap();
        found.finish().unwrap();
        count
    }

    #[test]
    fn what_its_owner_has_not_put_in_yet_is_seen_and_nothing_is_written_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b%?#.db");
        let owner = Connection::open(&path).unwrap();
        owner.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE one (a); INSERT INTO one VALUES (1)").unwrap();
        let before = listing(folder.path());
        assert_eq!(before.len(), 3);
        assert_eq!(count(&path), 1);
        assert_eq!(listing(folder.path()), before);
        owner.execute("INSERT INTO one VALUES (2)", ()).unwrap();
        assert_eq!(count(&path), 2);
        drop(owner);
        let before = listing(folder.path());
        assert_eq!((count(&path), before.len()), (2, 1));
        assert_eq!(listing(folder.path()), before);
    }

    #[test]
    fn in_the_middle_of_a_change_it_is_left_alone_and_its_owner_feels_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.db");
        let owner = Connection::open(&path).unwrap();
        owner.execute_batch("CREATE TABLE one (a); BEGIN IMMEDIATE; INSERT INTO one VALUES (1)").unwrap();
        owner.execute_batch("PRAGMA cache_spill = 1; PRAGMA cache_size = 1").unwrap();
        for _ in 0..2000 {
            owner.execute("INSERT INTO one VALUES (hex(randomblob(200)))", ()).unwrap();
        }
        assert_eq!(open_foreign(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        owner.execute_batch("COMMIT").unwrap();
        let reading = open_foreign(&path).unwrap();
        owner.execute("INSERT INTO one VALUES (1)", ()).unwrap();
        assert_eq!(reading.finish().unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(count(&path), 2002);
    }
}
