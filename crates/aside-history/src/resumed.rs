//! What a session's log repeats of the session that it goes on from: each record is told once, at its first place. That holds whatever part
//! of the index a question may look at.

use std::collections::HashMap;

use aside_store::sql::{OptionalExtension as _, params};

use crate::{
    HistoryError, Index,
    tool::{Evidence, SessionMatch},
};

/// A call that a log repeats, by where it stands there and what is the same in all copies of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Copied {
    /// Bytes before it.
    pub offset: i64,
    /// What is the same in all copies; none where the log itself tells that it is one.
    pub uid: Option<i64>,
}

/// Whose a call is that a log repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// That of the same session, told elsewhere.
    Own,
    /// That of another session.
    Another,
}

/// The calls of a session that one of its logs repeats. What another log of the session told is told here, too, once that one is gone.
pub fn repeated(index: &Index, session: &SessionMatch, file: i64) -> Result<HashMap<Copied, Whose>, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT one.position, one.uid, other.session = ?1 FROM main.call one JOIN numbered ON numbered.uid = one.uid AND kind = 1
         JOIN main.call other ON other.id = numbered.id AND other.counts = 1 JOIN file ON file.id = other.file
         WHERE one.file = ?2 AND one.session = ?1 AND one.counts = 0 AND (other.session != ?1 OR file.gone = 0)
         UNION ALL SELECT position, uid, 0 FROM main.call WHERE file = ?2 AND session = ?1 AND counts = 0 AND uid IS NULL",
    )?;
    let rows = find.query_map([session.id, file], |row| {
        let whose = if row.get(2)? { Whose::Own } else { Whose::Another };
        Ok((Copied { offset: row.get(0)?, uid: row.get(1)? }, whose))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Where a session was taken up: the last record of another one that its log repeats; none if it began by itself.
pub fn resumed_from(index: &Index, session: &SessionMatch) -> Result<Option<Evidence>, HistoryError> {
    let of = |table: &str, kind: i64| {
        format!(
            "SELECT session.name, file.path, other.position, other.at FROM main.{table} one
             JOIN numbered ON numbered.uid = one.uid AND kind = {kind}
             JOIN main.{table} other ON other.id = numbered.id AND other.counts = 1 AND other.session != one.session
             JOIN main.session ON session.id = other.session JOIN file ON file.id = other.file
             WHERE one.file IN logs AND one.session = ?1 AND one.counts = 0"
        )
    };
    let find = format!(
        "WITH logs AS (SELECT file AS id FROM session_log WHERE session = ?1) {} UNION ALL {} ORDER BY 4 DESC, 3 DESC LIMIT 1",
        of("message", 0),
        of("call", 1)
    );
    let mut find = index.connection().prepare_cached(&find)?;
    let place = find.query_row(params![session.id], |row| {
        Ok(Evidence { session_id: row.get(0)?, file: row.get(1)?, offset: row.get(2)? })
    });
    Ok(place.optional()?)
}
