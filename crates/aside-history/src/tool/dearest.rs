//! Where the answers stand that cost most: the evidence of a sum.

use aside_core::Timestamp;
use aside_store::sql::params;

use super::Evidence;
use crate::{HistoryError, Index};

/// Answers that are named.
const MOST: i64 = 5;

/// Those of a time and, if one is given, of a folder.
pub fn dearest(index: &Index, since: Option<Timestamp>, folder: Option<&str>) -> Result<Vec<Evidence>, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT session.name, file.path, response.position FROM response JOIN session ON session.id = response.session
         JOIN file ON file.id = response.file WHERE counts = 1 AND (?1 IS NULL OR at >= ?1)
         AND (?2 IS NULL OR response.workspace = (SELECT id FROM workspace WHERE path = ?2))
         ORDER BY COALESCE(recorded, priced, 0) DESC LIMIT ?3",
    )?;
    let rows = find.query_map(params![since.map(|at| at.0), folder, MOST], |row| {
        Ok(Evidence { session_id: row.get(0)?, file: row.get(1)?, offset: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
