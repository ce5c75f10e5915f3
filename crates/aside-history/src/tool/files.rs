//! Which sessions read or wrote a file, by the parsed arguments of their calls, and which only named it.

use std::collections::HashSet;

use aside_store::sql::params;
use serde::Serialize;
use serde_json::Value;

use super::{
    Asking, Evidence,
    args::Arguments,
    is_nothing,
    mentions::{Mention, mentions},
    search::place,
    sessions::{SESSION, SessionMatch, session},
    told,
};
use crate::{HistoryError, Index};

/// Paths with this text at their end: itself, or after a `/` where no folder is known. `?1` is the path, `?2` its pattern.
pub const PATHS: &str =
    "SELECT id FROM path WHERE path = ?1 OR (substr(?1, 1, 1) != '/' AND path LIKE '%/' || ?2 ESCAPE '\\')";

#[derive(Serialize)]
struct Found {
    file: String,
    mode: String,
    count: usize,
    sessions: Vec<Touched>,
    evidence: Vec<Touching>,
    /// Messages that are not in the index of words yet.
    #[serde(skip_serializing_if = "is_nothing")]
    not_read_yet: usize,
}

/// A session that touched the file, or named it.
#[derive(Serialize)]
struct Touched {
    #[serde(flatten)]
    session: SessionMatch,
    /// `text` if the file was only named there.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
}

/// A call that touched the file, or a message that names it.
#[derive(Serialize)]
struct Touching {
    session_id: String,
    file: String,
    offset: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
}

/// A path as `LIKE` takes it.
pub fn pattern(path: &str) -> String {
    path.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// A path as it is asked about: a bare name stays one, what has folders is taken from the project or the workspace.
pub fn asked(arguments: &Arguments, name: &str, index: &Index, asking: &Asking) -> Result<String, HistoryError> {
    let given = arguments.required(name)?;
    if given.contains(['/', '\\']) || given.starts_with('~') {
        arguments.path(name, index, asking)
    } else {
        Ok(given.to_owned())
    }
}

/// Sessions that touched a file: this path exactly, or any path that ends with it where no folder is known. If any way will do, then those
/// that only named it, after them.
pub fn touching(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let file = asked(arguments, "file", index, asking)?;
    let mode = arguments.text("mode").unwrap_or("any");
    let modes = match mode {
        "any" => "0, 1, 2",
        "read" => "0",
        "write" => "1, 2",
        other => return Err(HistoryError::Asked(format!("unknown mode `{other}`: any, read or write"))),
    };
    let since = arguments.since(asking)?.map_or(i64::MIN, |at| at.0);
    let pattern = pattern(&file);
    let of = format!(
        "session.id IN (SELECT touch.session FROM touch JOIN call ON call.id = touch.call
         WHERE mode IN ({modes}) AND touch.path IN ({PATHS}) AND call.counts = 1)"
    );
    let sql = format!("{SESSION} WHERE {of} AND COALESCE(last, 0) >= ?3 ORDER BY last DESC LIMIT ?4");
    let mut all = index.connection().prepare_cached(&sql)?;
    let found = all.query_map(params![file, pattern, since, arguments.limit(5, 20)], session)?;
    let sessions = found.collect::<Result<Vec<_>, _>>()?;
    let known: HashSet<i64> = sessions.iter().map(|session| session.id).collect();
    let mut sessions: Vec<_> = sessions.into_iter().map(|session| Touched { session, by: None }).collect();
    let evidence = format!(
        "SELECT session.name, file.path, call.position, call.name FROM touch JOIN call ON call.id = touch.call
         JOIN session ON session.id = touch.session JOIN file ON file.id = call.file
         WHERE mode IN ({modes}) AND touch.path IN ({PATHS}) AND call.counts = 1 AND COALESCE(call.at, 0) >= ?3 ORDER BY call.at DESC LIMIT ?4"
    );
    let mut evidence = index.connection().prepare_cached(&evidence)?;
    let rows = evidence.query_map(params![file, pattern, since, arguments.limit(5, 20)], |row| {
        Ok(Touching { session_id: row.get(0)?, file: row.get(1)?, offset: row.get(2)?, call: Some(row.get(3)?) })
    })?;
    let mut evidence = rows.collect::<Result<Vec<_>, _>>()?;
    let mut not_read_yet = 0;
    if mode == "any" {
        let left = usize::try_from(arguments.limit(5, 20)).unwrap_or(0).saturating_sub(sessions.len());
        for Mention { session, message } in mentions(index, &file, since, &known, left)? {
            let Evidence { session_id, file, offset } = place(index, &session.session_id, message)?;
            evidence.push(Touching { session_id, file, offset, call: None });
            sessions.push(Touched { session, by: Some("text") });
        }
        not_read_yet = index.texts_left()?;
    }
    told(&Found { file, mode: mode.to_owned(), count: sessions.len(), sessions, evidence, not_read_yet })
}
