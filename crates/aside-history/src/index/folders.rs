//! Folders of sessions whose program keeps only a hash of them: that of a folder in which another program worked tells it.

use std::{collections::HashMap, path::Path};

use aside_core::Sha256;
use aside_store::sql::{Error, TransactionBehavior, params};

use super::Index;
use crate::{
    HistoryError, Source,
    report::{Names, names},
};

impl Index {
    /// Finds the folders of sessions of Gemini, whose logs lie in a folder that is called as the hash of theirs; returns of how many.
    pub(crate) fn find_folders(&mut self) -> Result<usize, HistoryError> {
        let lost = self.without_folder()?;
        if lost.is_empty() {
            return Ok(0);
        }
        let known = names(self, Names::Workspaces)?;
        let by_hash: HashMap<String, i64> =
            known.into_iter().map(|(number, path)| (Sha256::of(&path).to_string(), number)).collect();
        let found: Vec<(i64, i64)> = lost
            .into_iter()
            .filter_map(|(session, log)| {
                let parts = Path::new(&log).iter().filter_map(|part| part.to_str());
                Some((session, *parts.into_iter().find_map(|part| by_hash.get(part))?))
            })
            .collect();
        if found.is_empty() {
            return Ok(0);
        }
        let transaction = self.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (session, folder) in &found {
            transaction.execute("UPDATE session SET workspace = ? WHERE id = ?", params![folder, session])?;
            let sql = "UPDATE response SET workspace = ? WHERE session = ? AND workspace IS NULL";
            transaction.execute(sql, params![folder, session])?;
        }
        transaction.commit()?;
        Ok(found.len())
    }

    /// Sessions of Gemini of which no folder is known, each with its log.
    fn without_folder(&self) -> Result<Vec<(i64, String)>, Error> {
        let mut find = self.connection().prepare_cached(
            "SELECT session.id, file.path FROM session JOIN session_log ON session_log.session = session.id
             JOIN file ON file.id = session_log.file WHERE session.source = ? AND session.workspace IS NULL",
        )?;
        find.query_map([Source::Gemini.word()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }
}
