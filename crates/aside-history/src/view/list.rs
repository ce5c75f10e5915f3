//! Sessions, a page at a time.

use std::collections::HashMap;

use aside_core::Timestamp;
use aside_store::sql::params;

use crate::{
    HistoryError, Index, Source,
    again::Logs,
    tool::{SESSION, SessionMatch, Within, found_in, session, within},
};

/// Which sessions, and which page of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Words that were said in them.
    pub query: Option<String>,
    /// Of this program.
    pub source: Option<Source>,
    /// In this folder or below, or in those of this name.
    pub workspace: Option<String>,
    /// That went on after then.
    pub since: Option<Timestamp>,
    /// That began before then.
    pub until: Option<Timestamp>,
    /// The first of the page, from 0.
    pub from: usize,
    /// How many.
    pub most: usize,
}

/// Characters of what the person said first.
const BEGINNING: usize = 200;

/// The sessions of a page, the newest first, and whether there are more; each with what was found in it, or with how it began.
pub fn list(index: &Index, listing: &Listing) -> Result<(Vec<SessionMatch>, bool), HistoryError> {
    let query = listing.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
    let folders = listing.workspace.as_deref().map(|asked| within(index, asked)).transpose()?;
    let folders: Option<Vec<i64>> = folders.map(|all| all.into_iter().map(|(number, _)| number).collect());
    let Listing { source, since, until, .. } = *listing;
    let of = Within { folders: folders.as_deref(), source, since, until };
    let found = query.map(|query| found_in(index, query, of)).transpose()?;
    let wanted: Vec<i64> = found.iter().flat_map(|found| found.keys().copied()).collect();
    let sql = format!(
        "{SESSION} WHERE (?1 OR session.id IN (SELECT value FROM json_each(?2))) AND (?3 IS NULL OR source = ?3)
         AND (?4 IS NULL OR session.workspace IN (SELECT value FROM json_each(?4)))
         AND COALESCE(last, 0) >= ?5 AND COALESCE(first, 0) < ?6 ORDER BY last DESC, session.id LIMIT ?7 OFFSET ?8"
    );
    let mut all = index.connection().prepare_cached(&sql)?;
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let rows = all.query_map(
        params![
            found.is_none(),
            serde_json::to_string(&wanted).unwrap_or_default(),
            source.map(Source::word),
            folders.as_ref().map(|folders| serde_json::to_string(folders).unwrap_or_default()),
            since.map_or(i64::MIN, |at| at.0),
            until.map_or(i64::MAX, |at| at.0),
            number(listing.most + 1),
            number(listing.from),
        ],
        session,
    )?;
    let mut sessions = rows.collect::<Result<Vec<_>, _>>()?;
    let more = sessions.len() > listing.most;
    sessions.truncate(listing.most);
    match found {
        Some(found) => {
            for session in &mut sessions {
                session.snippet = found.get(&session.id).map(|hit| hit.snippet(index)).transpose()?.flatten();
            }
        }
        None => begin(index, &mut sessions)?,
    }
    Ok((sessions, more))
}

/// Gives each session the beginning of what the person said first in it, in one line; nothing where the log is gone.
fn begin(index: &Index, sessions: &mut [SessionMatch]) -> Result<(), HistoryError> {
    // Messages have no index by session, and a log may have those of many: each log is gone through once.
    let mut find = index.connection().prepare_cached(
        "WITH wanted AS (SELECT value FROM json_each(?1))
         SELECT session, id, MIN(COALESCE(at, 0)) FROM message
         WHERE file IN (SELECT file FROM session_log WHERE session IN wanted)
           AND session IN wanted AND role = 0 AND side = 0 AND counts = 1 GROUP BY session",
    )?;
    let wanted: Vec<i64> = sessions.iter().map(|session| session.id).collect();
    let wanted = serde_json::to_string(&wanted).unwrap_or_default();
    let first = find.query_map([wanted], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let first = first.collect::<Result<HashMap<i64, i64>, _>>()?;
    let mut logs = Logs::default();
    for session in sessions {
        let Some(message) = first.get(&session.id) else { continue };
        session.snippet = logs.text(index.connection(), *message)?.and_then(|text| beginning(&text));
    }
    Ok(())
}

fn beginning(text: &str) -> Option<String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = words.chars().take(BEGINNING).collect();
    (!cut.is_empty()).then(|| if cut.len() < words.len() { cut + "…" } else { cut })
}
