//! The tables that are open, so that the second look at a file costs nothing.

use std::{
    fs::File,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{Table, TableError, TableSource};

/// Tables at most; the one that was not asked for the longest makes room.
const MOST: usize = 4;
/// A table that nobody asks for is closed at the next look at another.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// The open tables.
pub struct Tables {
    open: Mutex<Vec<OpenTable>>,
    scratch: PathBuf,
}

struct OpenTable {
    name: String,
    table: Arc<Table>,
    asked: Instant,
}

impl Tables {
    /// Keeps lists of rows in files without names in a folder, which is there.
    pub fn new(scratch: PathBuf) -> Self {
        Self { open: Mutex::default(), scratch }
    }

    /// Returns the table of a file as it is now. The name tells tables apart, and its ending says how the file is read.
    pub fn open(&self, name: &str, file: File) -> Result<Arc<Table>, TableError> {
        let source = TableSource::File(file);
        let stamp = source.stamp().map_err(TableError::io("read the table"))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|table| table.asked.elapsed() < IDLE);
        let earlier = open.iter().position(|table| table.name == name).map(|at| open.remove(at));
        let table = match earlier.map(|earlier| earlier.table) {
            Some(table) if table.is_of(stamp) => table,
            earlier => Arc::new(Table::open(source, name, &self.scratch, earlier.as_deref())?),
        };
        open.push(OpenTable { name: name.to_owned(), table: Arc::clone(&table), asked: Instant::now() });
        while open.len() > MOST {
            open.remove(0);
        }
        Ok(table)
    }

    /// Returns the table of bytes at hand, which nobody else sees.
    pub fn of_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::open(TableSource::Bytes(bytes.into()), name, &self.scratch, None)
    }
}
