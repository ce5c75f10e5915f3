//! Folders of sessions whose logs don't name them, but lie in a folder that is called for them: by a word that the program keeps a list of,
//! or by a hash or by the path with dashes, which those of a folder in which another program worked tell.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use aside_core::Sha256;
use aside_store::{
    TextFile,
    sql::{Error, TransactionBehavior, params},
};
use serde_json::Value;

use super::{Index, spent, write::named};
use crate::{
    HistoryError, Source,
    report::{Names, names, slug},
};

/// The folder of a session.
enum Folder {
    /// By its number.
    Known(i64),
    /// By its path: another program may not have been there.
    Named(String),
}

impl Index {
    /// Finds the folders of sessions of Gemini and Cursor; returns of how many.
    pub(crate) fn find_folders(&mut self) -> Result<usize, HistoryError> {
        let lost = self.without_folder()?;
        if lost.is_empty() {
            return Ok(0);
        }
        let known = names(self, Names::Workspaces)?;
        let by_hash: HashMap<String, i64> =
            known.iter().map(|(number, path)| (Sha256::of(path).to_string(), *number)).collect();
        // Two paths may have one name then: that tells of neither.
        let mut by_slug: HashMap<String, Option<i64>> = HashMap::new();
        for (number, path) in known {
            let name = slug(&path).trim_start_matches('-').to_owned();
            by_slug.entry(name).and_modify(|other| *other = None).or_insert(Some(number));
        }
        // Logs of one folder are many.
        let mut told: HashMap<PathBuf, Option<String>> = HashMap::new();
        let mut find = |log: &Path| {
            let parts = log.iter().filter_map(|part| part.to_str());
            if let Some(folder) = parts.into_iter().find_map(|part| by_hash.get(part)) {
                return Some(Folder::Known(*folder));
            }
            if let Some(transcripts) = log.ancestors().find(|above| above.ends_with("agent-transcripts")) {
                let name = transcripts.parent()?.file_name()?.to_str()?;
                return by_slug.get(name).copied().flatten().map(Folder::Known);
            }
            let project = log.ancestors().find(|above| above.ends_with("chats"))?.parent()?;
            told.entry(project.to_owned()).or_insert_with(|| listed(project)).clone().map(Folder::Named)
        };
        let found = lost.into_iter().filter_map(|(session, log)| Some((session, find(Path::new(&log))?)));
        let found: Vec<(i64, Folder)> = found.collect();
        if found.is_empty() {
            return Ok(0);
        }
        let transaction = self.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (session, folder) in &found {
            let folder = match folder {
                Folder::Known(number) => *number,
                Folder::Named(path) => named(&transaction, "workspace", "path", path)?,
            };
            transaction.execute("UPDATE session SET workspace = ? WHERE id = ?", params![folder, session])?;
            let sql = "UPDATE response SET workspace = ? WHERE session = ? AND workspace IS NULL";
            transaction.execute(sql, params![folder, session])?;
        }
        spent::sum_up(&transaction, found.iter().map(|(session, _)| *session).collect())?;
        transaction.commit()?;
        Ok(found.len())
    }

    /// Sessions of these of which no folder is known, each with its log.
    fn without_folder(&self) -> Result<Vec<(i64, String)>, Error> {
        let mut find = self.connection().prepare_cached(
            "SELECT session.id, file.path FROM session JOIN session_log ON session_log.session = session.id
             JOIN file ON file.id = session_log.file WHERE session.source IN (?, ?) AND session.workspace IS NULL",
        )?;
        find.query_map([Source::Gemini.word(), Source::Cursor.word()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }
}

/// Bytes of such a file.
const LONGEST: u64 = 16 << 20;

fn text(path: PathBuf) -> Option<String> {
    TextFile::new(path, LONGEST).read().ok()?
}

/// Which folder a folder of logs is called for, as Gemini says it: in a file in it, or in the list of all.
fn listed(project: &Path) -> Option<String> {
    if let Some(path) = text(project.join(".project_root"))
        && Path::new(path.trim()).is_absolute()
    {
        return Some(path.trim().to_owned());
    }
    let list = text(project.parent()?.parent()?.join("projects.json"))?;
    let list: Value = serde_json::from_str(&list).ok()?;
    let name = project.file_name()?.to_str()?;
    let found = list.get("projects")?.as_object()?.iter().find(|(_, word)| word.as_str() == Some(name));
    found.map(|(path, _)| path.clone()).filter(|path| Path::new(path).is_absolute())
}
