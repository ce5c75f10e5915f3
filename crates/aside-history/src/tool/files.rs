//! Which sessions read or wrote a file, by the parsed arguments of their calls.

use aside_store::sql::params;
use serde_json::{Value, json};

use super::{
    Asking,
    args::Arguments,
    sessions::{SESSION, session},
};
use crate::{HistoryError, Index};

/// Sessions that touched a file: this path exactly, or any path that ends with it where no folder is known.
pub fn touching(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let file = arguments.path("file", asking)?;
    let mode = arguments.text("mode").unwrap_or("any");
    let modes = match mode {
        "any" => "0, 1, 2",
        "read" => "0",
        "write" => "1, 2",
        other => return Err(HistoryError::Asked(format!("unknown mode `{other}`: any, read or write"))),
    };
    let since = arguments.since(asking)?.map_or(i64::MIN, |at| at.0);
    // A bare name is that of any file that is called so; a path with folders is itself, or ends another one at a `/`.
    let paths = "SELECT id FROM path WHERE path = ?1 OR (substr(?1, 1, 1) != '/' AND path LIKE '%/' || ?2 ESCAPE '\\')";
    let pattern = file.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let of = format!("session.id IN (SELECT session FROM touch WHERE mode IN ({modes}) AND path IN ({paths}))");
    let sql = format!("{SESSION} WHERE {of} AND COALESCE(last, 0) >= ?3 ORDER BY last DESC LIMIT ?4");
    let mut all = index.connection().prepare_cached(&sql)?;
    let found = all.query_map(params![file, pattern, since, arguments.limit(5, 20)], session)?;
    let sessions = found.collect::<Result<Vec<_>, _>>()?;
    let evidence = format!(
        "SELECT session.name, file.path, call.position, call.name FROM touch JOIN call ON call.id = touch.call
         JOIN session ON session.id = touch.session JOIN file ON file.id = call.file
         WHERE mode IN ({modes}) AND touch.path IN ({paths}) AND COALESCE(call.at, 0) >= ?3 ORDER BY call.at DESC LIMIT ?4"
    );
    let mut evidence = index.connection().prepare_cached(&evidence)?;
    let rows = evidence.query_map(params![file, pattern, since, arguments.limit(5, 20)], |row| {
        let (session, file) = (row.get::<_, String>(0)?, row.get::<_, String>(1)?);
        Ok(json!({ "session_id": session, "file": file, "offset": row.get::<_, i64>(2)?, "call": row.get::<_, String>(3)? }))
    })?;
    let evidence = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "file": file, "mode": mode, "count": sessions.len(), "sessions": sessions, "evidence": evidence }))
}
