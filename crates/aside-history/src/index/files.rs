//! The files that the index knows.

use aside_store::sql::{Error, OptionalExtension as _, Row};

use super::{FileState, Index, Known};
use crate::{FileFacts, HistoryError, Places, Reader, Source, import::Sums, places::twin};

/// A file that the index knows, as far as tells whether there is something new in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its number.
    pub id: i64,
    /// Its path.
    pub path: String,
    /// Bytes of it.
    pub size: u64,
    /// When it was last written to, in nanoseconds since 1970.
    pub modified: i64,
    /// Its number on the disk; 0 where there are none.
    pub inode: u64,
    /// It was not there the last time.
    pub gone: bool,
    /// An older version of the reader read it.
    pub stale: bool,
}

const STAMPS: &str = "SELECT id, path, size, modified, inode, gone, reader = '', source FROM file";

impl Index {
    /// All files that were ever read.
    pub(crate) fn files(&self) -> Result<Vec<Stamp>, HistoryError> {
        let mut all = self.connection.prepare_cached(STAMPS)?;
        let files = all.query_map((), stamp)?.collect::<Result<Vec<_>, _>>()?;
        Ok(files.into_iter().flatten().collect())
    }

    /// Those of some files that were read before, and those that may have been moved to where they are now.
    pub(crate) fn files_among(&self, places: &Places) -> Result<Vec<Stamp>, HistoryError> {
        let mut here = self.connection.prepare_cached(&format!("{STAMPS} WHERE path = ?"))?;
        let mut moved = self.connection.prepare_cached(&format!("{STAMPS} WHERE inode = ?1 AND ?1 != 0"))?;
        let mut found = Vec::new();
        for log in &places.files {
            let rows = here.query_map([log.path.to_string_lossy()], stamp)?.collect::<Result<Vec<_>, _>>()?;
            if rows.is_empty() {
                let before = twin(&log.path.to_string_lossy());
                found.extend(here.query_map([before], stamp)?.collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
                let number = i64::try_from(log.inode).unwrap_or(i64::MAX);
                found.extend(moved.query_map([number], stamp)?.collect::<Result<Vec<_>, _>>()?.into_iter().flatten());
            }
            found.extend(rows.into_iter().flatten());
        }
        Ok(found)
    }

    /// All that is known of a file; none if it was forgotten meanwhile.
    pub(crate) fn file(&self, id: i64) -> Result<Option<Known>, HistoryError> {
        let mut find = self.connection.prepare_cached(
            "SELECT id, source, path, size, modified, inode, position, head, tail, reader, sums FROM file WHERE id = ?",
        )?;
        Ok(find.query_row([id], known).optional()?.flatten())
    }

    /// Tells whether nothing was ever read.
    pub fn is_empty(&self) -> Result<bool, HistoryError> {
        Ok(self.connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM file)", (), |row| row.get(0))?)
    }

    /// How many logs are known, and how many lines, files and folders could not be read. Aside's own threads are a log once something was
    /// said in them.
    pub fn counts(&self) -> Result<(usize, usize), HistoryError> {
        let sql = "SELECT (SELECT COUNT(*) FROM file WHERE source != 'aside' OR id IN (SELECT file FROM session_log)),
             (SELECT COUNT(*) FROM problem) + (SELECT COUNT(*) FROM unreadable)";
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

fn number(row: &Row<'_>, index: usize) -> Result<u64, Error> {
    row.get::<_, i64>(index).map(|number| u64::try_from(number).unwrap_or(0))
}

/// None of programs that only a newer version knows: their files are not ours to judge.
fn stamp(row: &Row<'_>) -> Result<Option<Stamp>, Error> {
    let is_ours = row.get_ref(7)?.as_str().is_ok_and(|source| source.parse::<Source>().is_ok());
    let stamp = || {
        Ok(Stamp {
            id: row.get(0)?,
            path: row.get(1)?,
            size: number(row, 2)?,
            modified: row.get(3)?,
            inode: number(row, 4)?,
            gone: row.get(5)?,
            stale: row.get(6)?,
        })
    };
    is_ours.then(stamp).transpose()
}

fn known(row: &Row<'_>) -> Result<Option<Known>, Error> {
    let Ok(source) = row.get::<_, String>(1)?.parse() else { return Ok(None) };
    let reader = serde_json::from_str(&row.get::<_, String>(9)?).ok();
    let stale = reader.is_none();
    let position = number(row, 6)?;
    let state = FileState {
        path: row.get(2)?,
        size: number(row, 3)?,
        modified: row.get(4)?,
        inode: number(row, 5)?,
        position,
        head: row.get(7)?,
        tail: row.get(8)?,
        sums: row.get::<_, Option<Vec<u8>>>(10)?.and_then(|kept| Sums::read(&kept, position)),
        reader: reader.unwrap_or_else(|| Reader::new(source, &FileFacts::default())),
    };
    Ok(Some(Known { id: row.get(0)?, source, state, stale }))
}

#[cfg(test)]
mod tests {
    use aside_store::DataFolder;

    use crate::Index;

    #[test]
    fn a_folder_of_aside_in_which_nothing_was_said_is_no_log() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let put = "INSERT INTO file (source, path, size, modified, inode, position, head, tail, reader)
                   VALUES ('aside', '/w/.aside/aside.db', 1, 1, 1, 1, '', '', '{}')";
        index.connection().execute(put, ()).unwrap();
        assert_eq!(index.counts().unwrap(), (0, 0));
        index.connection().execute("INSERT INTO session_log (session, file) VALUES (1, 1)", ()).unwrap();
        assert_eq!(index.counts().unwrap(), (1, 0));
    }
}
