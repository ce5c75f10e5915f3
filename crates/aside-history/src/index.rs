//! The index: a SQLite file in the person's own folder, with what logs say and where they say it. It holds no copy of the logs, and
//! keeps what it knows of those that are gone.

pub mod bigrams;
mod changes;
pub(crate) mod copies;
mod files;
mod folders;
mod fresh;
mod looked;
mod merge;
mod numbered;
mod problems;
mod renumber;
mod reprice;
mod schema;
mod sessions;
mod skipped;
mod spent;
mod texts;
mod write;

use std::path::Path;

use aside_store::{DataFolder, open_tables_in_pages, read_tables, sql::Connection};

pub use changes::{Delivery, Noted, Origin};
pub(crate) use copies::Numbers;
pub(crate) use files::Stamp;
pub use problems::Unread;
pub(crate) use write::{FileState, Ids, Known, Outcome, Writer};

use crate::HistoryError;

/// The name of its file.
const FILE: &str = "history.db";

/// Bytes of a page of a new one: most is written in the order in which it lies there, and larger pages are fewer to find.
const PAGE: u32 = 8_192;

/// The index of one person.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
}

impl Index {
    /// Opens it, and makes it if it is missing.
    pub fn open(folder: &DataFolder) -> Result<Self, HistoryError> {
        Self::open_at(&folder.path().join(FILE))
    }

    /// Tells whether there is one.
    pub fn is_in(folder: &DataFolder) -> bool {
        folder.path().join(FILE).exists()
    }

    /// Opens it to read only; none if there is none.
    pub fn open_to_read(folder: &DataFolder) -> Result<Option<Self>, HistoryError> {
        let path = folder.path().join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        // What an older version made is brought up to date by one that may write.
        let connection = read_tables(&path)?;
        let format: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if usize::try_from(format) == Ok(schema::MIGRATIONS.len()) {
            Ok(Some(Self { connection }))
        } else {
            Self::open_at(&path).map(Some)
        }
    }

    fn open_at(path: &Path) -> Result<Self, HistoryError> {
        let connection = open_tables_in_pages(path, PAGE, schema::MIGRATIONS)?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        let mut index = Self { connection };
        index.hold_less()?;
        index.renumber()?;
        Ok(index)
    }

    /// Holds more of it in memory and in its journal, while many logs are read.
    pub(crate) fn hold_more(&self) -> Result<(), HistoryError> {
        self.hold(96_000, 64_000)
    }

    /// Holds as much as usual.
    pub(crate) fn hold_less(&self) -> Result<(), HistoryError> {
        self.hold(16_000, 16_000)
    }

    /// In kilobytes.
    fn hold(&self, journal: i64, cache: i64) -> Result<(), HistoryError> {
        let page: i64 = self.connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        self.connection.pragma_update(None, "wal_autocheckpoint", journal * 1_024 / page.max(1))?;
        Ok(self.connection.pragma_update(None, "cache_size", -cache)?)
    }

    /// The connection to its file.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The connection, to write with.
    pub(crate) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}
