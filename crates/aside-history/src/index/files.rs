//! The files that the index knows.

use aside_store::sql::{Error, Row};

use super::{FileState, Index, Known};
use crate::{FileFacts, HistoryError, Places, Reader, import::Sums};

const FILES: &str =
    "SELECT id, source, path, size, modified, inode, position, head, tail, reader, gone, sums FROM file";

impl Index {
    /// All files that were ever read.
    pub(crate) fn files(&self) -> Result<Vec<Known>, HistoryError> {
        let mut all = self.connection.prepare_cached(FILES)?;
        let files = all.query_map((), known)?.collect::<Result<Vec<_>, _>>()?;
        // Files of programs that only a newer version knows are not ours to judge.
        Ok(files.into_iter().flatten().collect())
    }

    /// Those of some files that were read before, and those that may have been moved to where they are now.
    pub(crate) fn files_among(&self, places: &Places) -> Result<Vec<Known>, HistoryError> {
        let mut here = self.connection.prepare_cached(&format!("{FILES} WHERE path = ?"))?;
        let mut moved = self.connection.prepare_cached(&format!("{FILES} WHERE inode = ?1 AND ?1 != 0"))?;
        let mut found = Vec::new();
        for log in &places.files {
            let rows = here.query_map([log.path.to_string_lossy()], known)?.collect::<Result<Vec<_>, _>>()?;
            if rows.is_empty() {
                let number = i64::try_from(log.inode).unwrap_or(i64::MAX);
                found.extend(moved.query_map([number], known)?.collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
            }
            found.extend(rows.into_iter().flatten());
        }
        Ok(found)
    }

    /// Tells whether nothing was ever read.
    pub fn is_empty(&self) -> Result<bool, HistoryError> {
        Ok(self.connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM file)", (), |row| row.get(0))?)
    }

    /// How many logs are known, and how many lines, files and folders could not be read.
    pub fn counts(&self) -> Result<(usize, usize), HistoryError> {
        let sql =
            "SELECT (SELECT COUNT(*) FROM file), (SELECT COUNT(*) FROM problem) + (SELECT COUNT(*) FROM unreadable)";
        let (files, problems): (i64, i64) = self.connection.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let number = |number: i64| usize::try_from(number).unwrap_or(0);
        Ok((number(files), number(problems)))
    }

    /// How many of the known logs are gone.
    pub fn gone(&self) -> Result<usize, HistoryError> {
        let gone: i64 = self.connection.query_row("SELECT COUNT(*) FROM file WHERE gone = 1", (), |row| row.get(0))?;
        Ok(usize::try_from(gone).unwrap_or(0))
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
    let position = number(6)?;
    let state = FileState {
        path: row.get(2)?,
        size: number(3)?,
        modified: row.get(4)?,
        inode: number(5)?,
        position,
        head: row.get(7)?,
        tail: row.get(8)?,
        sums: row.get::<_, Option<Vec<u8>>>(11)?.and_then(|kept| Sums::read(&kept, position)),
        reader: reader.unwrap_or_else(|| Reader::new(source, &FileFacts::default())),
    };
    Ok(Some(Known { id: row.get(0)?, source, state, gone: row.get(10)?, stale }))
}
