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
    let mut find = index.connection().prepare_cached(
        "SELECT session.name, file.path, response.position FROM response JOIN session ON session.id = response.session
         JOIN file ON file.id = response.file WHERE counts = 1 AND (?1 IS NULL OR at >= ?1)
         AND (?2 IS NULL OR at IS NULL OR at < ?2) AND (?3 IS NULL OR response.workspace = (SELECT id FROM workspace WHERE path = ?3))
         ORDER BY COALESCE(recorded, priced, 0) DESC LIMIT ?4",
    )?;
    let rows = find.query_map(params![since.map(|at| at.0), until.map(|at| at.0), folder, MOST], |row| {
        Ok(Evidence { session_id: row.get(0)?, file: row.get(1)?, offset: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
