//! Which sessions something was said in.

mod across;
mod words;

use std::collections::HashMap;

use aside_core::Timestamp;
use aside_store::sql::{self, Row, params};
use serde::Serialize;
use serde_json::Value;

use super::{
    Asking, Evidence,
    args::Arguments,
    is_nothing,
    sessions::{SESSION, SessionMatch, session},
    told,
};
use crate::{HistoryError, Index, Source, again::Logs};
use words::expression;
pub use words::{snippet, words};

/// Places that are looked at, the latest that were read first. Where there are more, those in the newest sessions are looked at before, for
/// an old log may have been read last.
const MOST_HITS: i64 = 4_000;
/// Sessions in which they are looked for.
const NEWEST: i64 = 500;
/// Places that are looked at of each log of a session, the last first.
const LAST_OF_LOG: i64 = 4;
/// Sessions that are enough for a page, which tells of those that it has anyway.
const ENOUGH: usize = 20;
#[derive(Serialize)]
struct Found<'a> {
    query: &'a str,
    count: usize,
    sessions: Vec<SessionMatch>,
    evidence: Vec<Evidence>,
    /// Messages that are not in the index of words yet.
    #[serde(skip_serializing_if = "is_nothing")]
    not_read_yet: usize,
}

/// The newest place in a session.
#[derive(Clone, Copy)]
struct Hit {
    at: i64,
    message: i64,
}

/// The newest place in a session, for a page.
pub struct FoundIn {
    message: i64,
    words: Vec<String>,
}

impl FoundIn {
    /// What stands around the words; none if the log is gone.
    pub fn snippet(&self, index: &Index) -> Result<Option<String>, HistoryError> {
        let text = Logs::default().text(index.connection(), self.message)?;
        Ok(text.map(|text| snippet(&text, &self.words)))
    }
}

/// In which sessions it is looked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Within<'a> {
    /// Of these folders, by their numbers.
    pub folders: Option<&'a [i64]>,
    /// Of this program.
    pub source: Option<Source>,
    /// That went on after then.
    pub since: Option<Timestamp>,
    /// That began before then.
    pub until: Option<Timestamp>,
}

/// The sessions of some in which all words of a query were said, by their numbers.
pub fn found_in(index: &Index, query: &str, within: Within<'_>) -> Result<HashMap<i64, FoundIn>, HistoryError> {
    let words = words(query);
    let mut hits =
        if words.is_empty() { HashMap::new() } else { all(index, &Asked::new(index, &words, i64::MIN, within)?)? };
    across::add(index, &words, (i64::MIN, within), &mut hits)?;
    Ok(hits
        .into_iter()
        .map(|(session, hit)| (session, FoundIn { message: hit.message, words: words.clone() }))
        .collect())
}

/// Sessions in which all words of the query were said, each once; the newest first.
pub fn past(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let query = arguments.required("query")?;
    let words = words(query);
    let since = arguments.since(asking)?.map_or(i64::MIN, |at| at.0);
    let folders = arguments.folders("project", index, asking)?;
    let within = Within { folders: folders.as_deref(), ..Within::default() };
    let most = usize::try_from(arguments.limit(5, 20)).unwrap_or(1);
    let asked = || Asked::new(index, &words, since, within);
    let mut hits = if words.is_empty() { HashMap::new() } else { newest(index, &asked()?, most)? };
    across::add(index, &words, (since, within), &mut hits)?;
    let mut about = index.connection().prepare_cached(&format!("{SESSION} WHERE session.id = ?"))?;
    let mut newest: Vec<(i64, Hit)> = hits.into_iter().collect();
    newest.sort_by_key(|(session, hit)| std::cmp::Reverse((hit.at, *session)));
    let (mut sessions, mut evidence, mut logs) = (Vec::new(), Vec::new(), Logs::default());
    for (number, hit) in newest {
        if sessions.len() == most {
            break;
        }
        let found = about.query_map([number], session)?.next().transpose()?;
        let Some(mut found) = found else { continue };
        let text = logs.text(index.connection(), hit.message)?;
        found.snippet = text.map(|text| snippet(&text, &words));
        evidence.push(place(index, &found.session_id, hit.message)?);
        sessions.push(found);
    }
    told(&Found { query, count: sessions.len(), sessions, evidence, not_read_yet: index.texts_left()? })
}

/// The newest place in each session, of what was said since then in these; what a log repeats of another is found there only. Where there
/// are too many places, those of some sessions, the newest among them.
fn all(index: &Index, asked: &Asked) -> Result<HashMap<i64, Hit>, HistoryError> {
    let mut hits = if asked.is_everywhere(index)? { in_newest(index, asked, ENOUGH)? } else { HashMap::new() };
    take(&mut hits, read_last(index, asked)?);
    Ok(hits)
}

/// The same, of at least so many sessions, none of the others newer.
fn newest(index: &Index, asked: &Asked, enough: usize) -> Result<HashMap<i64, Hit>, HistoryError> {
    let mut hits = if asked.is_everywhere(index)? { in_newest(index, asked, enough)? } else { HashMap::new() };
    if hits.len() < enough {
        take(&mut hits, read_last(index, asked)?);
    }
    Ok(hits)
}

/// The places that were read last.
fn read_last(index: &Index, asked: &Asked) -> Result<Vec<(i64, Hit)>, HistoryError> {
    let sql = format!(
        "{HITS} AND message.session IN (SELECT id FROM session WHERE {}) ORDER BY said.rowid DESC LIMIT {MOST_HITS}",
        fits(3)
    );
    let Asked { words, since, folders, source, from, to } = asked;
    let mut find = index.connection().prepare_cached(&sql)?;
    let rows = find.query_map(params![words, since, folders, source, from, to], hit)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The messages in which all words were said since then, the newest first, each with its session.
pub fn latest(index: &Index, words: &[String], since: i64) -> Result<Vec<(i64, i64)>, HistoryError> {
    let sql = format!("{HITS} AND message.session IN (SELECT id FROM session) ORDER BY 2 DESC LIMIT {MOST_HITS}");
    let mut find = index.connection().prepare_cached(&sql)?;
    let rows = find.query_map(params![expression(index, words)?, since], hit)?;
    let hits = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(hits.into_iter().map(|(session, hit)| (session, hit.message)).collect())
}

/// Takes the newest place of each session.
fn take(hits: &mut HashMap<i64, Hit>, found: Vec<(i64, Hit)>) {
    for (session, hit) in found {
        let known = hits.entry(session).or_insert(hit);
        if hit.at > known.at {
            *known = hit;
        }
    }
}

/// What is asked for, in the words of the index.
struct Asked {
    words: String,
    since: i64,
    folders: Option<String>,
    source: Option<&'static str>,
    from: Option<i64>,
    to: Option<i64>,
}

/// Places of `?1`, said since `?2`.
const HITS: &str = "SELECT message.session, COALESCE(message.at, 0), message.id FROM said CROSS JOIN message ON message.id = said.rowid
     WHERE said MATCH ?1 AND message.counts = 1 AND COALESCE(message.at, 0) >= ?2";

/// Which sessions fit, by the four parameters from this one on.
fn fits(first: usize) -> String {
    let [folders, source, from, to] = [first, first + 1, first + 2, first + 3];
    format!(
        "(?{folders} IS NULL OR workspace IN (SELECT value FROM json_each(?{folders}))) AND (?{source} IS NULL OR source = ?{source})
         AND (?{from} IS NULL OR COALESCE(last, 0) >= ?{from}) AND (?{to} IS NULL OR COALESCE(first, 0) < ?{to})"
    )
}

fn hit(row: &Row<'_>) -> Result<(i64, Hit), sql::Error> {
    Ok((row.get(0)?, Hit { at: row.get(1)?, message: row.get(2)? }))
}

impl Asked {
    fn new(index: &Index, words: &[String], since: i64, within: Within<'_>) -> Result<Self, HistoryError> {
        Ok(Self {
            words: expression(index, words)?,
            since,
            folders: within.folders.map(|folders| serde_json::to_string(folders).unwrap_or_default()),
            source: within.source.map(Source::word),
            from: within.since.map(|at| at.0),
            to: within.until.map(|at| at.0),
        })
    }

    /// Tells whether there are more places than are looked at.
    fn is_everywhere(&self, index: &Index) -> Result<bool, HistoryError> {
        Ok(self.count(index)? == MOST_HITS)
    }

    /// How many places there are, up to so many as are looked at.
    fn count(&self, index: &Index) -> Result<i64, HistoryError> {
        let mut count = index.connection().prepare_cached(
            "SELECT COUNT(*) FROM (SELECT 1 FROM said WHERE said MATCH ? ORDER BY rowid DESC LIMIT ?)",
        )?;
        Ok(count.query_row(params![self.words, MOST_HITS], |row| row.get(0))?)
    }
}

/// The newest place in each of the sessions that went on longest, until there are enough of which none of the others can be newer.
fn in_newest(index: &Index, asked: &Asked, enough: usize) -> Result<HashMap<i64, Hit>, HistoryError> {
    let sessions =
        format!("SELECT id, COALESCE(last, 0) FROM session WHERE {} ORDER BY last DESC LIMIT {NEWEST}", fits(1));
    let mut sessions = index.connection().prepare_cached(&sessions)?;
    // Log by log: what others say may stand between two of them.
    let mut logs = index.connection().prepare_cached(
        "SELECT (SELECT MIN(id) FROM main.message WHERE file = session_log.file AND session = ?1),
           (SELECT MAX(id) FROM main.message WHERE file = session_log.file AND session = ?1)
         FROM session_log WHERE session_log.session = ?1",
    )?;
    let sql = format!(
        "{HITS} AND message.session = ?3 AND said.rowid BETWEEN ?4 AND ?5 ORDER BY said.rowid DESC LIMIT {LAST_OF_LOG}"
    );
    let mut find = index.connection().prepare_cached(&sql)?;
    let mut hits: HashMap<i64, Hit> = HashMap::new();
    let Asked { words, since, folders, source, from, to } = asked;
    let mut rows = sessions.query(params![folders, source, from, to])?;
    while let Some(row) = rows.next()? {
        let (session, last): (i64, i64) = (row.get(0)?, row.get(1)?);
        if hits.values().filter(|hit| hit.at >= last).count() >= enough {
            break;
        }
        let ranges = logs.query_map([session], |row| Ok(row.get::<_, Option<i64>>(0)?.zip(row.get(1)?)))?;
        for (first, last) in ranges.collect::<Result<Vec<Option<(i64, i64)>>, _>>()?.into_iter().flatten() {
            let own = find.query_map(params![words, since, session, first, last], hit)?;
            take(&mut hits, own.collect::<Result<_, _>>()?);
        }
    }
    Ok(hits)
}

/// Where a message stands.
pub fn place(index: &Index, session: &str, message: i64) -> Result<Evidence, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT path, message.position FROM message JOIN file ON file.id = message.file WHERE message.id = ?",
    )?;
    let session_id = session.to_owned();
    Ok(find.query_row([message], |row| Ok(Evidence { session_id, file: row.get(0)?, offset: row.get(1)? }))?)
}
