//! Where the answers stand that cost most: the evidence of a sum.

use aside_core::Timestamp;
use aside_store::sql::params;

use super::Evidence;
use crate::{HistoryError, Index};

/// Answers that are named.
const MOST: i64 = 5;

/// Those from a time on and before another, where they are given, and of a folder if one is.
pub fn dearest(
    index: &Index,
    (since, until): (Option<Timestamp>, Option<Timestamp>),
    folder: Option<&str>,
) -> Result<Vec<Evidence>, HistoryError> {
    // What is not dated is not from a time on.
    let (of_time, at) = match since {
        Some(_) => ("timed CROSS JOIN response ON response.id = timed.id AND response.at = timed.at", "timed.at"),
        None => ("response", "COALESCE(at, -9223372036854775808)"),
    };
    let mut find = index.connection().prepare_cached(&format!(
        "SELECT session.name, file.path, response.position FROM {of_time} JOIN session ON session.id = response.session
         JOIN file ON file.id = response.file WHERE counts = 1 AND {at} >= COALESCE(?1, -9223372036854775808)
         AND {at} < COALESCE(?2, 9223372036854775807) AND (?3 IS NULL OR response.workspace = (SELECT id FROM workspace WHERE path = ?3))
         ORDER BY COALESCE(recorded, priced, 0) DESC LIMIT ?4"
    ))?;
    let rows = find.query_map(params![since.map(|at| at.0), until.map(|at| at.0), folder, MOST], |row| {
        Ok(Evidence { session_id: row.get(0)?, file: row.get(1)?, offset: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Those of a folder, of all times. The dearest one of each session is known: those that can't have any of them are passed over.
pub fn dearest_in(index: &Index, folder: &str) -> Result<Vec<Evidence>, HistoryError> {
    let mut sessions = index.connection().prepare_cached(
        "SELECT session, MAX(dearest), workspace FROM spent WHERE workspace = (SELECT id FROM workspace WHERE path = ?)
         GROUP BY session ORDER BY 2 DESC, 1",
    )?;
    let mut find = index.connection().prepare_cached(
        "SELECT COALESCE(recorded, priced, 0), session.name, file.path, response.position FROM response
         JOIN session ON session.id = response.session JOIN file ON file.id = response.file
         WHERE response.session = ? AND response.workspace = ? AND counts = 1 ORDER BY 1 DESC LIMIT ?",
    )?;
    let most = usize::try_from(MOST).unwrap_or(0);
    let mut found: Vec<(i64, Evidence)> = Vec::new();
    let mut rows = sessions.query([folder])?;
    while let Some(row) = rows.next()? {
        let (session, dearest, workspace): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if found.get(most - 1).is_some_and(|(least, _)| *least >= dearest) {
            break;
        }
        let own = find.query_map(params![session, workspace, MOST], |row| {
            Ok((row.get(0)?, Evidence { session_id: row.get(1)?, file: row.get(2)?, offset: row.get(3)? }))
        })?;
        found.extend(own.collect::<Result<Vec<_>, _>>()?);
        found.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        found.truncate(most);
    }
    Ok(found.into_iter().map(|(_, evidence)| evidence).collect())
}
