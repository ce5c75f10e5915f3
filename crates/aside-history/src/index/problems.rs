//! What could not be read: lines, with their place, and whole files and folders.

use std::path::{Path, PathBuf};

use aside_store::sql::params;
use serde::Serialize;

use super::Index;
use crate::HistoryError;

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The log, or a folder.
    pub path: String,
    /// Bytes before the line, in a database the number of the row; none if it is the whole file or folder.
    pub offset: Option<i64>,
    /// What is wrong with it.
    pub reason: String,
}

impl Index {
    /// What could not be read: files and folders first, then lines, those of the file that was read last first.
    pub fn unread(&self, from: usize, most: usize) -> Result<Vec<Unread>, HistoryError> {
        let mut find = self.connection().prepare_cached(
            "SELECT path, NULL, reason, 1 AS whole, 0 AS file FROM unreadable
             UNION ALL SELECT path, problem.position, reason, 0, file.id FROM problem JOIN file ON file.id = problem.file
             ORDER BY 4 DESC, 5 DESC, 1, 2 LIMIT ? OFFSET ?",
        )?;
        let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let rows = find.query_map(params![number(most), number(from)], |row| {
            Ok(Unread { path: row.get(0)?, offset: row.get(1)?, reason: row.get(2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps which files and folders could not be read, in place of what is known of `looked_at`; of all if that is none.
    pub(crate) fn keep_unreadable(
        &mut self,
        looked_at: Option<&[PathBuf]>,
        unreadable: &[(PathBuf, String)],
    ) -> Result<(), HistoryError> {
        let told = |(path, reason): &(PathBuf, String)| (path.display().to_string(), reason.clone());
        let mut new: Vec<(String, String)> = unreadable.iter().map(told).collect();
        new.sort();
        new.dedup_by(|one, two| one.0 == two.0);
        let is_meant = |path: &str| looked_at.is_none_or(|paths| paths.iter().any(|one| one == Path::new(path)));
        let known: Vec<(String, String)> = {
            let mut all = self.connection().prepare_cached("SELECT path, reason FROM unreadable ORDER BY path")?;
            let rows = all.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        let old: Vec<(String, String)> = known.into_iter().filter(|(path, _)| is_meant(path)).collect();
        // Most of the time nothing is wrong, and nothing is written.
        if old == new {
            return Ok(());
        }
        let transaction = self.connection_mut().transaction()?;
        for (path, _) in &old {
            transaction.execute("DELETE FROM unreadable WHERE path = ?", [path])?;
        }
        for (path, reason) in &new {
            transaction.execute("INSERT OR REPLACE INTO unreadable (path, reason) VALUES (?, ?)", [path, reason])?;
        }
        transaction.commit()?;
        Ok(())
    }
}
