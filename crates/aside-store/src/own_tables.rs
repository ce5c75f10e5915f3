//! SQLite for another crate's own tables, and files of SQLite that other programs own.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags};

use crate::{
    StoreError,
    database::{open_reader, open_writer_with, private_folder},
};

/// SQL for crates that keep tables of their own in a file that the store opened.
pub mod sql {
    pub use rusqlite::{
        CachedStatement, Connection, Error, OptionalExtension, Row, Statement, Transaction, TransactionBehavior,
        params, params_from_iter, types::Value,
    };
}

/// How long one waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a file with tables of another crate, which only its owner can read, creating it and bringing it up to date. One
/// migration a format: never change one that was released.
pub fn open_tables(path: &Path, migrations: &[&str]) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent() {
        let io = |source| StoreError::Io { doing: "create", path: folder.to_owned(), source };
        private_folder(folder).map_err(io)?;
    }
    open_writer_with(path, PATIENCE, migrations)
}

/// Opens such a file to read only.
pub fn read_tables(path: &Path) -> Result<Connection, StoreError> {
    open_reader(path, PATIENCE)
}

/// Opens a file of SQLite that another program owns: nothing is written beside it, and no lock of its owner is waited for
/// long. While its owner runs, what the owner wrote last may not be seen.
pub fn read_foreign(path: &Path) -> Result<Connection, StoreError> {
    let has_log = path.with_file_name(format!("{}-wal", path.file_name().unwrap_or_default().display())).exists();
    let shared = path.with_file_name(format!("{}-shm", path.file_name().unwrap_or_default().display())).exists();
    // With a log of its owner and no index for it, reading would have to make one: the file is taken as it is instead.
    let immutable = if has_log && shared { "" } else { "&immutable=1" };
    let name: String = path.display().to_string().bytes().map(escaped).collect();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(format!("file:{name}?mode=ro{immutable}"), flags)?;
    connection.busy_timeout(Duration::from_millis(250))?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn escaped(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_another_crate_are_made_once_and_a_newer_format_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/own.db");
        let migrations = ["CREATE TABLE one (a)", "CREATE TABLE two (a)"];
        open_tables(&path, &migrations[..1]).unwrap().execute("INSERT INTO one VALUES (7)", ()).unwrap();
        let connection = open_tables(&path, &migrations).unwrap();
        connection.execute("INSERT INTO two SELECT a FROM one", ()).unwrap();
        let read: i64 = read_tables(&path).unwrap().query_row("SELECT a FROM two", (), |row| row.get(0)).unwrap();
        assert_eq!(read, 7);
        drop(connection);
        assert!(matches!(open_tables(&path, &migrations[..1]), Err(StoreError::Newer { found: 2, known: 1, .. })));
    }

    #[test]
    fn a_file_of_another_program_is_read_and_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a ?#%.db");
        let owner = Connection::open(&path).unwrap();
        owner.pragma_update(None, "journal_mode", "WAL").unwrap();
        owner.execute_batch("CREATE TABLE one (a); INSERT INTO one VALUES (7)").unwrap();
        let read =
            || -> i64 { read_foreign(&path).unwrap().query_row("SELECT a FROM one", (), |row| row.get(0)).unwrap() };
        assert_eq!(read(), 7);
        owner.execute_batch("BEGIN EXCLUSIVE; INSERT INTO one VALUES (8)").unwrap();
        assert_eq!(read(), 7);
        assert!(read_foreign(&path).unwrap().execute("DELETE FROM one", ()).is_err());
        drop(owner);
        assert_eq!(read(), 7);
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "nothing was left beside it");
    }
}
