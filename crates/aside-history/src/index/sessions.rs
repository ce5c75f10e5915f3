//! What is known of a session, by what each log says of it: the same in whatever order the logs are read.

use std::collections::BTreeSet;

use aside_store::sql::{Error, OptionalExtension as _, Transaction, params};

use crate::{record::Session, source::Source};

/// What a log says of a session.
#[derive(Clone, Copy, Debug)]
pub struct Told<'s> {
    /// The number of the log.
    pub file: i64,
    /// The session, with what its records say of it.
    pub session: &'s Session,
    /// The number of its folder.
    pub workspace: Option<i64>,
    /// A person spoke to a model in it; else it is of a model that another started.
    pub main: bool,
    /// When the log was written to, if that is all that is known of the session's time.
    pub written: Option<i64>,
}

impl Told<'_> {
    /// When it began and ended.
    fn times(&self) -> (Option<i64>, Option<i64>) {
        let Session { first, last, .. } = self.session;
        (first.map(|at| at.0).or(self.written), last.map(|at| at.0).or(self.written))
    }
}

/// Whether a log tells of a session first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// No log has told of it.
    Never,
    /// Another one has, or this one.
    Before,
}

/// The number of a session; of one that is new this log alone tells.
pub fn number(transaction: &Transaction<'_>, source: Source, told: Told<'_>) -> Result<(i64, Seen), Error> {
    let name = &told.session.id;
    let mut find = transaction.prepare_cached("SELECT id FROM session WHERE source = ? AND name = ?")?;
    if let Some(id) = find.query_row(params![source.word(), name], |row| row.get(0)).optional()? {
        return Ok((id, Seen::Before));
    }
    let (first, last) = told.times();
    let Session { branch, title, .. } = told.session;
    transaction
        .prepare_cached(
            "INSERT INTO session (source, name, workspace, branch, title, first, last) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![source.word(), name, told.workspace, branch, title, first, last])?;
    Ok((transaction.last_insert_rowid(), Seen::Never))
}

/// Takes note of what a log says of a session, beside what it said before.
pub fn keep(transaction: &Transaction<'_>, session: i64, told: Told<'_>) -> Result<(), Error> {
    let Told { file, session: Session { branch, title, .. }, workspace, main, .. } = told;
    let (first, last) = told.times();
    let mut put = transaction.prepare_cached(
        "INSERT INTO session_log (session, file, workspace, branch, title, first, last, main) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (session, file) DO UPDATE SET workspace = COALESCE(workspace, ?3), branch = COALESCE(branch, ?4),
         title = COALESCE(?5, title), first = MIN(COALESCE(first, ?6), COALESCE(?6, first)),
         last = MAX(COALESCE(last, ?7), COALESCE(?7, last)), main = MAX(main, ?8)",
    )?;
    put.execute(params![session, file, workspace, branch, title, first, last, main])?;
    Ok(())
}

/// Sums up what all logs say of a session: the one in which a person spoke counts first, then the one that began first; of names, which change,
/// the last. Returns whether it may now stand elsewhere among those that ended before and after it. What no log says any more stays known.
pub fn sum_up(transaction: &Transaction<'_>, session: i64) -> Result<bool, Error> {
    let last = || -> Result<(String, Option<i64>), Error> {
        let mut find = transaction.prepare_cached("SELECT source, last FROM session WHERE id = ?")?;
        find.query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let of = |column: &str, order: &str| {
        format!(
            "{column} = COALESCE((SELECT one.{column} FROM session_log one JOIN file ON file.id = one.file
               WHERE one.session = ?1 AND one.{column} IS NOT NULL ORDER BY main DESC, {order}, file.path LIMIT 1), {column})"
        )
    };
    let (source, before) = last()?;
    let earliest = "one.first IS NULL, one.first";
    let sql = format!(
        "UPDATE session SET {}, {}, {}, first = COALESCE((SELECT MIN(first) FROM session_log WHERE session = ?1), first),
         last = COALESCE((SELECT MAX(last) FROM session_log WHERE session = ?1), last) WHERE id = ?1",
        of("workspace", earliest),
        of("branch", earliest),
        of("title", "one.last DESC")
    );
    transaction.prepare_cached(&sql)?.execute([session])?;
    let (_, after) = last()?;
    if before == after {
        return Ok(false);
    }
    let [low, high] = [before.min(after), before.max(after)].map(|at| at.unwrap_or(i64::MIN));
    transaction
        .prepare_cached("SELECT 1 FROM session WHERE source = ? AND id != ? AND last BETWEEN ? AND ?")?
        .exists(params![source, session, low, high])
}

/// The sessions that a log tells of.
pub fn of_file(transaction: &Transaction<'_>, file: i64) -> Result<BTreeSet<i64>, Error> {
    let mut find = transaction.prepare_cached("SELECT session FROM session_log WHERE file = ?")?;
    find.query_map([file], |row| row.get(0))?.collect()
}

/// The logs that tell of a session.
pub fn logs(transaction: &Transaction<'_>, session: i64) -> Result<Vec<i64>, Error> {
    let mut find = transaction.prepare_cached("SELECT file FROM session_log WHERE session = ?")?;
    find.query_map([session], |row| row.get(0))?.collect()
}

/// Forgets a session of which no log tells.
pub fn forget_lost(transaction: &Transaction<'_>, session: i64) -> Result<(), Error> {
    let sql = "DELETE FROM session WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM session_log WHERE session = ?1)";
    transaction.prepare_cached(sql)?.execute([session])?;
    Ok(())
}
