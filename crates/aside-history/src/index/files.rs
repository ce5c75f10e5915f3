//! The files that the index knows.

use aside_store::sql::{Error, Row};

use super::{FileState, Index, Known};
use crate::{FileFacts, HistoryError, Reader};

impl Index {
    /// All files that were ever read.
    pub(crate) fn files(&self) -> Result<Vec<Known>, HistoryError> {
        let mut all = self.connection.prepare_cached(
            "SELECT id, source, path, size, modified, inode, position, head, tail, reader, gone FROM file",
        )?;
        let files = all.query_map((), known)?.collect::<Result<Vec<_>, _>>()?;
        // Files of programs that only a newer version knows are not ours to judge.
        Ok(files.into_iter().flatten().collect())
    }

    /// Takes note that files are gone. What is known of them stays.
    pub(crate) fn mark_gone(&mut self, files: &[i64]) -> Result<(), HistoryError> {
        if files.is_empty() {
            return Ok(());
        }
        let transaction = self.connection.transaction()?;
        for file in files {
            transaction.prepare_cached("UPDATE file SET gone = 1 WHERE id = ?")?.execute([file])?;
        }
        transaction.commit()?;
        Ok(())
    }
}

fn known(row: &Row<'_>) -> Result<Option<Known>, Error> {
    let number = |index: usize| row.get::<_, i64>(index).map(|number| u64::try_from(number).unwrap_or(0));
    let Ok(source) = row.get::<_, String>(1)?.parse() else { return Ok(None) };
    let reader = serde_json::from_str(&row.get::<_, String>(9)?).ok();
    let stale = reader.is_none();
    let state = FileState {
        path: row.get(2)?,
        size: number(3)?,
        modified: row.get(4)?,
        inode: number(5)?,
        position: number(6)?,
        head: row.get(7)?,
        tail: row.get(8)?,
        reader: reader.unwrap_or_else(|| Reader::new(source, &FileFacts::default())),
    };
    Ok(Some(Known { id: row.get(0)?, source, state, gone: row.get(10)?, stale }))
}
