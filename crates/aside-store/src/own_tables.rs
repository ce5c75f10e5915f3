//! SQLite for another crate's own tables.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use crate::{
    StoreError,
    database::{PAGE, UNSHARED, open_reader, open_writer_with, private_folder},
};

/// SQL for crates that keep tables of their own in a file that the store opened.
pub mod sql {
    pub use rusqlite::{
        CachedStatement, Connection, Error, OptionalExtension, Row, Statement, ToSql, Transaction, TransactionBehavior,
        params, params_from_iter,
        types::{ToSqlOutput, Value, ValueRef},
    };
}

/// How long one waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a file with tables of another crate, which only its owner can read, creating it and bringing it up to date. One
/// migration a format: never change one that was released.
pub fn open_tables(path: &Path, migrations: &[&str]) -> Result<Connection, StoreError> {
    open_tables_in_pages(path, PAGE, migrations)
}

/// The same with pages of so many bytes, if the file is new.
pub fn open_tables_in_pages(path: &Path, page: u32, migrations: &[&str]) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent() {
        let io = |source| StoreError::Io { doing: "create", path: folder.to_owned(), source };
        private_folder(folder).map_err(io)?;
    }
    compiled_once(open_writer_with(path, PATIENCE, page, migrations)?)
}

/// How long one waits for another program, whose file it is.
const SHORT_PATIENCE: Duration = Duration::from_secs(1);

/// Opens a file that another program writes too, and that has to be there. Nothing about it is changed but what is written into it.
pub fn open_shared(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | UNSHARED)?;
    connection.busy_timeout(SHORT_PATIENCE)?;
    Ok(connection)
}

/// Opens such a file to read only.
pub fn read_tables(path: &Path) -> Result<Connection, StoreError> {
    compiled_once(open_reader(path, PATIENCE)?)
}

/// Has each statement compiled once. Else SQLite compiles one again and again, when it is run with a value with which another way to run it
/// might be better.
fn compiled_once(connection: Connection) -> Result<Connection, StoreError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
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
    fn a_new_file_has_pages_as_asked_for_and_one_that_is_there_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.db");
        for page in [8_192, 4_096] {
            let connection = open_tables_in_pages(&path, page, &["CREATE TABLE one (a)"]).unwrap();
            let found: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
            assert_eq!(found, 8_192);
        }
    }

    #[test]
    fn those_who_open_it_first_at_the_same_time_all_find_its_tables() {
        let migrations = ["CREATE TABLE one (a)", "ALTER TABLE one ADD COLUMN b", "CREATE TABLE two (a)"];
        for _ in 0..30 {
            let folder = tempfile::tempdir().unwrap();
            let (path, start) = (folder.path().join("own.db"), std::sync::Barrier::new(8));
            let open = || {
                start.wait();
                open_tables(&path, &migrations)?.execute("INSERT INTO two SELECT count(b) FROM one", ())?;
                Ok::<_, StoreError>(())
            };
            std::thread::scope(|scope| {
                let opening: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
                opening.into_iter().for_each(|one| one.join().unwrap().unwrap());
            });
        }
    }
}
