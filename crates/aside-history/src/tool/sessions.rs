//! Which sessions there were: in a folder, or lately.

use aside_core::Timestamp;
use aside_store::sql::{self, Row, params};
use serde_json::{Value, json};

use super::{Asking, args::Arguments};
use crate::{HistoryError, Index};

/// What is told of each session. Its cost is of the responses that count.
pub const SESSION: &str = "SELECT session.name, path, source, first, last,
    (SELECT COUNT(*) FROM message WHERE message.session = session.id),
    (SELECT SUM(COALESCE(recorded, priced)) FROM response WHERE response.session = session.id AND counts = 1),
    session.title FROM session LEFT JOIN workspace ON workspace.id = session.workspace";

/// Reads a row of [`SESSION`].
pub fn session(row: &Row<'_>) -> Result<Value, sql::Error> {
    let at = |index: usize| row.get::<_, Option<i64>>(index).map(|at| at.map(|at| Timestamp(at).to_string()));
    let folder: Option<String> = row.get(1)?;
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let cost = row.get::<_, Option<i64>>(6)?.map(|cost| (cost as f64 / 1e8).round() / 1e4);
    Ok(json!({
        "session_id": row.get::<_, String>(0)?,
        "project_slug": folder.as_deref().map(slug),
        "project_path": folder,
        "provider": row.get::<_, String>(2)?,
        "first_ts": at(3)?,
        "last_ts": at(4)?,
        "message_count": row.get::<_, i64>(5)?,
        "cost_usd": cost,
        "title": row.get::<_, Option<String>>(7)?,
    }))
}

/// The name of a folder in one word, as Claude Code makes it.
pub fn slug(path: &str) -> String {
    path.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect()
}

/// Sessions whose folder is the path or above it; with `descendants` those below it, too.
pub fn in_path(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let path = arguments.path("path", asking)?;
    let since = arguments.since(asking)?.map_or(i64::MIN, |at| at.0);
    let condition = "(?1 = path OR substr(?1, 1, length(path) + 1) = path || '/'
        OR (?4 AND substr(path, 1, length(?1) + 1) = ?1 || '/'))";
    let all = format!("{SESSION} WHERE {condition} AND COALESCE(last, 0) >= ?2 ORDER BY last DESC LIMIT ?3");
    let mut all = index.connection().prepare_cached(&all)?;
    let found = all.query_map(params![path, since, arguments.limit(5, 20), arguments.flag("descendants")], session)?;
    let sessions = found.collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "path": path, "count": sessions.len(), "sessions": sessions }))
}

/// The latest sessions, of one folder if it is named.
pub fn recent(index: &Index, arguments: &Arguments) -> Result<Value, HistoryError> {
    let all = format!("{SESSION} ORDER BY last DESC");
    let mut all = index.connection().prepare_cached(&all)?;
    let wanted = arguments.text("project");
    let fits = |one: &Value| wanted.is_none_or(|name| one["project_slug"] == name || one["project_path"] == name);
    let most = usize::try_from(arguments.limit(10, 25)).unwrap_or(1);
    let mut sessions = Vec::new();
    let mut rows = all.query(())?;
    while sessions.len() < most
        && let Some(row) = rows.next()?
    {
        let one = session(row)?;
        if fits(&one) {
            sessions.push(one);
        }
    }
    Ok(json!({ "count": sessions.len(), "sessions": sessions }))
}
