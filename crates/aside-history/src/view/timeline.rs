//! What was said and done in a session, in order, a page at a time. What its log repeats of the session that it goes on from is told there.

use aside_core::Timestamp;
use aside_store::sql::{Row, params};

use crate::{HistoryError, Index, Role, SessionMatch, again::Logs};

/// A page of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// What happened.
    pub entries: Vec<Entry>,
    /// There is more after it.
    pub more: bool,
}

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When.
    pub at: Option<Timestamp>,
    /// The log that it stands in.
    pub file: String,
    /// Bytes before it.
    pub offset: i64,
    /// By or to a model that another had started.
    pub side: bool,
    /// What it was.
    pub what: Said,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Something was said.
    Message {
        /// By whom.
        role: Role,
        /// What; none if the log is gone or was written anew.
        text: Option<String>,
        /// There is more of it than is told.
        cut: bool,
    },
    /// Something was done.
    Call {
        /// What the program calls it.
        name: String,
        /// The line of a shell.
        command: Option<String>,
        /// The files that it is about.
        paths: Vec<String>,
        /// Whether it went well, as far as is known.
        ok: Option<bool>,
    },
}

/// Characters of a message.
const LONGEST: usize = 20_000;

/// A row: the message's number, or that of the call.
struct Found {
    number: i64,
    is_message: bool,
    at: Option<i64>,
    role: i64,
    side: bool,
    offset: i64,
    file: String,
    name: Option<String>,
    command: Option<String>,
    ok: Option<bool>,
}

/// What happened in a session, from an entry on.
pub fn timeline(index: &Index, session: &SessionMatch, from: usize, most: usize) -> Result<Timeline, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "WITH logs AS (SELECT file AS id FROM session_log WHERE session = ?1)
         SELECT message.id, 1, at, role, side, message.position, path, NULL, NULL, NULL FROM message JOIN file ON file.id = message.file
         WHERE message.file IN logs AND session = ?1 AND counts = 1
         UNION ALL SELECT call.id, 0, at, 0, side, call.position, path, name, command, ok FROM call JOIN file ON file.id = call.file
         WHERE call.file IN logs AND session = ?1 AND counts = 1
         ORDER BY 3, 7, 6, 2 DESC LIMIT ?2 OFFSET ?3",
    )?;
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let rows = find.query_map(params![session.id, number(most + 1), number(from)], read)?;
    let mut rows = rows.collect::<Result<Vec<_>, _>>()?;
    let more = rows.len() > most;
    rows.truncate(most);
    let mut logs = Logs::default();
    let entries = rows.into_iter().map(|found| entry(index, found, &mut logs)).collect::<Result<_, _>>()?;
    Ok(Timeline { entries, more })
}

fn read(row: &Row<'_>) -> Result<Found, aside_store::sql::Error> {
    Ok(Found {
        number: row.get(0)?,
        is_message: row.get(1)?,
        at: row.get(2)?,
        role: row.get(3)?,
        side: row.get(4)?,
        offset: row.get(5)?,
        file: row.get(6)?,
        name: row.get(7)?,
        command: row.get(8)?,
        ok: row.get(9)?,
    })
}

fn entry(index: &Index, found: Found, logs: &mut Logs) -> Result<Entry, HistoryError> {
    let what = if found.is_message {
        let text = logs.text(index.connection(), found.number)?;
        let cut = text.as_ref().is_some_and(|text| text.chars().nth(LONGEST).is_some());
        let text = text.map(|text| if cut { text.chars().take(LONGEST).collect() } else { text });
        Said::Message { role: if found.role == 0 { Role::User } else { Role::Assistant }, text, cut }
    } else {
        let mut paths = index.connection().prepare_cached(
            "SELECT path.path FROM touch JOIN path ON path.id = touch.path WHERE touch.call = ? ORDER BY path.path",
        )?;
        let paths = paths.query_map([found.number], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Said::Call { name: found.name.unwrap_or_default(), command: found.command, paths, ok: found.ok }
    };
    Ok(Entry { at: found.at.map(Timestamp), file: found.file, offset: found.offset, side: found.side, what })
}
