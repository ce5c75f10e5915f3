//! Which sessions there were: in a folder, or lately.

use aside_core::Timestamp;
use aside_store::sql::{self, Row, params, params_from_iter};
use serde::Serialize;
use serde_json::Value;

use super::{Asking, Evidence, args::Arguments, is_nothing, rounded, told};
use crate::{HistoryError, Index, report::slug};

/// What is told of each session. Its cost is of the responses that count; whole numbers could not hold the sum of any costs that logs may say.
pub const SESSION: &str = "SELECT session.name, path, source, first, last, messages,
    (SELECT IIF(COUNT(COALESCE(recorded, priced)) > 0, TOTAL(COALESCE(recorded, priced)), NULL)
     FROM response WHERE response.session = session.id AND counts = 1),
    session.title, session.id,
    (SELECT IIF(COUNT(priced) > 0, TOTAL(priced), NULL) FROM response WHERE response.session = session.id AND counts = 1 AND recorded IS NULL AND estimated = 1),
    (SELECT COUNT(*) FROM response WHERE response.session = session.id AND counts = 1 AND COALESCE(recorded, priced) IS NULL),
    (SELECT group_concat(DISTINCT COALESCE(name, 'no model named')) FROM response LEFT JOIN model ON model.id = response.model
     WHERE response.session = session.id AND counts = 1 AND COALESCE(recorded, priced) IS NULL)
    FROM session LEFT JOIN workspace ON workspace.id = session.workspace";

/// A session that fits a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionMatch {
    /// The program's own id of it.
    pub session_id: String,
    /// Its folder in one word.
    #[serde(rename = "project_slug")]
    pub slug: Option<String>,
    /// Its folder.
    #[serde(rename = "project_path")]
    pub path: Option<String>,
    /// The program.
    pub provider: String,
    /// When its first record was written.
    pub first_ts: Option<String>,
    /// When its last record was written.
    pub last_ts: Option<String>,
    /// What people and models said in it.
    pub message_count: i64,
    /// Dollars; none if no price is known.
    pub cost_usd: Option<f64>,
    /// What of that is a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_cost_usd: Option<f64>,
    /// Answers whose cost is not in it: nobody knows the price of their model.
    #[serde(skip_serializing_if = "is_nothing")]
    pub unpriced_messages: u64,
    /// Those models, by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpriced_models: Option<String>,
    /// Its name, where the program gives it one.
    pub title: Option<String>,
    /// What was found in it.
    pub snippet: Option<String>,
    /// Its number in the index.
    #[serde(skip)]
    pub id: i64,
}

/// Sessions, with where they stand.
#[derive(Serialize)]
struct Found<'a, S> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    count: usize,
    sessions: Vec<S>,
    evidence: Vec<Evidence>,
}

/// A late session, whose folder goes by the shorter name, too.
#[derive(Serialize)]
struct Recent {
    slug: Option<String>,
    #[serde(flatten)]
    session: SessionMatch,
}

/// Reads a row of [`SESSION`].
pub fn session(row: &Row<'_>) -> Result<SessionMatch, sql::Error> {
    let at = |index: usize| row.get::<_, Option<i64>>(index).map(|at| at.map(|at| Timestamp(at).to_string()));
    let path: Option<String> = row.get(1)?;
    Ok(SessionMatch {
        session_id: row.get(0)?,
        slug: path.as_deref().map(slug),
        path,
        provider: row.get(2)?,
        first_ts: at(3)?,
        last_ts: at(4)?,
        message_count: row.get(5)?,
        cost_usd: row.get::<_, Option<f64>>(6)?.map(rounded),
        estimated_cost_usd: row.get::<_, Option<f64>>(9)?.map(rounded),
        unpriced_messages: row.get::<_, i64>(10)?.unsigned_abs(),
        unpriced_models: row.get(11)?,
        title: row.get(7)?,
        snippet: None,
        id: row.get(8)?,
    })
}

/// Sessions whose folder is the path or above it; with `descendants` those below it, too.
pub fn in_path(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let path = arguments.path("path", index, asking)?;
    let since = arguments.since(asking)?.map_or(i64::MIN, |at| at.0);
    let condition = "(?1 = path OR substr(?1, 1, length(path) + 1) = path || '/'
        OR (?4 AND substr(path, 1, length(?1) + 1) = ?1 || '/'))";
    let all = format!("{SESSION} WHERE {condition} AND COALESCE(last, 0) >= ?2 ORDER BY last DESC LIMIT ?3");
    let mut all = index.connection().prepare_cached(&all)?;
    let found = all.query_map(params![path, since, arguments.limit(5, 20), arguments.flag("descendants")], session)?;
    let sessions = found.collect::<Result<Vec<_>, _>>()?;
    told(&Found { path: Some(&path), count: sessions.len(), evidence: evidence(index, &sessions)?, sessions })
}

/// The latest sessions, of one folder if it is named.
pub fn recent(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let folders = arguments.folders("project", index, asking)?;
    let condition = match &folders {
        None => String::new(),
        Some(folders) => format!("WHERE session.workspace IN ({})", vec!["?"; folders.len()].join(", ")),
    };
    let most = arguments.limit(10, 25);
    let mut all =
        index.connection().prepare_cached(&format!("{SESSION} {condition} ORDER BY last DESC LIMIT {most}"))?;
    let found = all.query_map(params_from_iter(folders.into_iter().flatten()), session)?;
    let sessions = found.collect::<Result<Vec<_>, _>>()?;
    let evidence = evidence(index, &sessions)?;
    let short = |session: SessionMatch| Recent { slug: session.slug.clone(), session };
    let sessions: Vec<Recent> = sessions.into_iter().map(short).collect();
    told(&Found { path: None, count: sessions.len(), evidence, sessions })
}

/// Where the last answer of each of some sessions stands.
pub fn evidence(index: &Index, sessions: &[SessionMatch]) -> Result<Vec<Evidence>, HistoryError> {
    let mut last = index.connection().prepare_cached(
        "SELECT path, response.position FROM response JOIN file ON file.id = response.file WHERE session = ? ORDER BY at DESC LIMIT 1",
    )?;
    let mut found = Vec::new();
    for session in sessions {
        let session_id = || session.session_id.clone();
        let rows = last.query_map([session.id], |row| {
            Ok(Evidence { session_id: session_id(), file: row.get(0)?, offset: row.get(1)? })
        })?;
        found.extend(rows.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(found)
}

/// The session with an id. Programs may share one: the latest of them.
pub fn by_id(index: &Index, id: &str) -> Result<SessionMatch, HistoryError> {
    let mut find =
        index.connection().prepare_cached(&format!("{SESSION} WHERE session.name = ? ORDER BY last DESC LIMIT 1"))?;
    let mut found = find.query_map([id], session)?;
    found.next().transpose()?.ok_or_else(|| HistoryError::Asked("session not found".to_owned()))
}
