//! The SQLite file: how it is created, opened and brought up to date.
#![expect(clippy::disallowed_methods, reason = "the store owns the `.aside` folder")]

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::{StoreError, error::is_damage};

/// One step a format. Never change one that was released: add the next.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE log (stream TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
        UNIQUE (stream, seq));
    CREATE TABLE records (kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT, body TEXT NOT NULL,
        UNIQUE (kind, id));
    CREATE INDEX records_by_owner ON records (kind, owner, id) WHERE owner IS NOT NULL;
    CREATE TABLE bytes (stream TEXT NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (stream, seq));
    CREATE TABLE chain (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL);
    CREATE TABLE chain_head (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL, hash TEXT NOT NULL);
    CREATE TRIGGER chain_keeps_its_entries BEFORE DELETE ON chain
        BEGIN SELECT RAISE(ABORT, 'the chain is append-only'); END;
    CREATE TRIGGER chain_keeps_its_text BEFORE UPDATE ON chain
        BEGIN SELECT RAISE(ABORT, 'the chain is append-only'); END;
",
    "
    CREATE TABLE chain_times (at INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (at, seq)) WITHOUT ROWID;
    CREATE TABLE chain_facets (facet TEXT NOT NULL, value TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (facet, value, seq)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE chain_words USING fts5 (words, content = '', detail = 'none', columnsize = 0);
",
    "
    CREATE TABLE small_blobs (hash TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
",
    "
    CREATE TABLE journal (one INTEGER PRIMARY KEY CHECK (one = 1), database TEXT NOT NULL, position INTEGER NOT NULL);
    INSERT INTO journal VALUES (1, lower(hex(randomblob(16))), 0);
",
];

/// A connection belongs to one thread at a time, which Rust sees to.
pub(crate) const UNSHARED: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

/// Creates the folder, readable by its owner only and invisible to git.
pub(crate) fn create_folder(folder: &Path) -> Result<(), StoreError> {
    let io = |doing, path: &Path| {
        let path = path.to_owned();
        move |source| StoreError::Io { doing, path, source }
    };
    private_folder(folder).map_err(io("create", folder))?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        fs::write(&ignore, "*\n").map_err(io("write", &ignore))?;
    }
    Ok(())
}

/// Opens the connection that writes, creating the file and bringing it up to date.
pub(crate) fn open_writer(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    open_writer_with(path, patience, PAGE, MIGRATIONS)
}

/// Bytes of a page, as SQLite has it.
pub(crate) const PAGE: u32 = 4_096;

/// The same with other tables, in pages of so many bytes if the file is new.
pub(crate) fn open_writer_with(
    path: &Path,
    patience: Duration,
    page: u32,
    migrations: &[&str],
) -> Result<Connection, StoreError> {
    private_file(path).map_err(|source| StoreError::Io { doing: "create", path: path.to_owned(), source })?;
    let open = || -> Result<Connection, StoreError> {
        let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | UNSHARED)?;
        connection.busy_timeout(patience)?;
        // Before anything else: it is of no effect on a file that has a page.
        connection.pragma_update(None, "page_size", page)?;
        keep_a_journal(&connection, patience)?;
        // Who waits for the disk waits for the journal; see `writer.rs`.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // The flusher keeps it shorter than that, unless it never rests. In pages of 4 KiB.
        connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
        connection.set_prepared_statement_cache_capacity(64);
        migrate(&mut connection, path, migrations)?;
        Ok(connection)
    };
    open().map_err(|error| unopened(path, error))
}

/// Opens a connection that only reads.
pub(crate) fn open_reader(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | UNSHARED)?;
    connection.busy_timeout(patience)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Has the file keep its changes in a journal beside it. SQLite does not wait for others who do that at the same time, as it does
/// everywhere else.
fn keep_a_journal(connection: &Connection, patience: Duration) -> Result<(), StoreError> {
    let deadline = Instant::now() + patience;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            done => return Ok(done?),
        }
    }
}

fn migrate(connection: &mut Connection, path: &Path, migrations: &[&str]) -> Result<(), StoreError> {
    let known = i64::try_from(migrations.len()).expect("few migrations");
    let format =
        |connection: &Connection| connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
    let found = format(connection)?;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    for (before, migration) in (0_i64..).zip(migrations).skip(usize::try_from(found).unwrap_or_default()) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another who opened it at the same time may have been first.
        if format(&transaction)? == before {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", before + 1)?;
            transaction.commit()?;
        }
    }
    Ok(())
}

fn unopened(path: &Path, error: StoreError) -> StoreError {
    let StoreError::Database(inner) = error else { return error };
    let (path, detail) = (path.to_owned(), inner.to_string());
    match is_damage(&inner) {
        true => StoreError::Damaged { path, detail },
        false => StoreError::Unopened { path, detail },
    }
}

/// Creates a folder and its parents; the folder itself can be entered by its owner only.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates an empty file that only its owner can read, unless it is there. SQLite gives its other files the same mode.
fn private_file(path: &Path) -> io::Result<()> {
    private_options().create(true).truncate(false).open(path)?.flush()
}

/// The options to create a file that only its owner can read.
pub(crate) fn private_options() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, StoreOptions};

    fn open(folder: &Path) -> Result<std::sync::Arc<Store>, StoreError> {
        Store::open(folder, StoreOptions::for_tests())
    }

    #[test]
    #[cfg(unix)]
    fn is_readable_by_its_owner_only_and_invisible_to_git() {
        use std::os::unix::fs::PermissionsExt as _;
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join(".aside");
        let store = open(&folder).unwrap();
        store.put_blob(b"kept").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&folder.join("aside.db")), 0o600);
        assert_eq!(mode(&folder.join("aside.db-wal")), 0o600);
        assert_eq!(mode(&folder.join("blobs")), 0o700);
        assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
    }

    #[test]
    fn a_damaged_file_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("aside.db"), "this is no database, and long enough to be read as one".repeat(20))
            .unwrap();
        let error = open(folder.path()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
        assert!(error.failure().hint.unwrap().contains("move `aside.db`"));
    }

    #[test]
    fn a_file_that_another_program_holds_is_named_with_what_to_try() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path()).unwrap());
        let other = Connection::open(folder.path().join("aside.db")).unwrap();
        other.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
        let options = StoreOptions { patience: Duration::ZERO, ..StoreOptions::for_tests() };
        let failure = Store::open(folder.path(), options).unwrap_err().failure();
        assert!(failure.message.contains("aside.db`: database is locked"), "{}", failure.message);
        assert!(failure.hint.unwrap().contains("no other program holds the file"));
    }

    #[test]
    fn damage_found_later_says_what_to_do_too() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).unwrap();
        (0..500).for_each(|number| _ = store.append("stream", &"x".repeat(number)).unwrap());
        drop(store);
        let path = folder.path().join("aside.db");
        let mut bytes = fs::read(&path).unwrap();
        bytes[4096..].fill(0xAA);
        fs::write(&path, bytes).unwrap();
        let error = open(folder.path()).and_then(|store| store.read("stream", 0)).unwrap_err();
        assert!(error.failure().hint.unwrap().contains("move `aside.db`"), "{error:?}");
    }

    #[test]
    fn a_file_of_a_later_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path()).unwrap());
        Connection::open(folder.path().join("aside.db")).unwrap().pragma_update(None, "user_version", 99).unwrap();
        let error = open(folder.path()).unwrap_err();
        assert!(matches!(error, StoreError::Newer { found: 99, known: 4, .. }), "{error:?}");
        assert!(error.to_string().contains("format 99"));
    }
}
