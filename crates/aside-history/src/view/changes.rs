//! Pull requests and runs as their hosts told of them, a page at a time.

use aside_core::Timestamp;
use aside_store::sql::params;

use crate::{HistoryError, Index, tool::review_state};

/// Which pull requests or runs, and which page of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Of this repository.
    pub repo: Option<String>,
    /// Of pull requests `open`, `merged`, `closed` or `reverted`, of runs how they stand.
    pub state: Option<String>,
    /// From then on.
    pub since: Option<Timestamp>,
    /// Before then.
    pub until: Option<Timestamp>,
    /// The first of the page, from 0.
    pub from: usize,
    /// How many.
    pub most: usize,
}

/// How a pull request stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequestRow {
    /// The kind of host.
    pub provider: String,
    /// `owner/name`.
    pub repo: String,
    /// Its number there.
    pub number: i64,
    /// Its title.
    pub title: String,
    /// `open`, `merged` or `closed`.
    pub state: String,
    /// It was taken back.
    pub reverted: bool,
    /// The worst of what its reviewers said last.
    pub review: Option<&'static str>,
    /// Whose it is.
    pub author: Option<String>,
    /// When it was merged, else when it last changed.
    pub at: Option<Timestamp>,
    /// The address of its page.
    pub page: Option<String>,
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// The kind of host.
    pub provider: String,
    /// `owner/name`.
    pub repo: String,
    /// The host's own id of it.
    pub id: String,
    /// The commit that it is of.
    pub commit: Option<String>,
    /// How it stands.
    pub status: String,
    /// What it is called.
    pub workflow: Option<String>,
    /// When it began.
    pub started: Option<Timestamp>,
    /// When it ended.
    pub completed: Option<Timestamp>,
    /// The address of its page.
    pub page: Option<String>,
}

const STATES: &[&str] = &["open", "merged", "closed", "reverted"];
const STATUSES: &[&str] = &["success", "failure", "cancelled", "skipped", "pending", "in_progress"];

/// The pull requests of a page, the one that changed last first, and whether there are more.
pub fn pull_requests(index: &Index, of: &Changes) -> Result<(Vec<PullRequestRow>, bool), HistoryError> {
    let state = one_of(of, STATES)?;
    let mut all = index.connection().prepare_cached(
        "SELECT provider, repo, number, title, state, reverted IS NOT NULL, author, COALESCE(merged, updated, created) AS at, page
         FROM pull_request WHERE (?1 IS NULL OR repo = ?1) AND (?2 IS NULL OR state = ?2 OR (?2 = 'reverted' AND reverted IS NOT NULL))
         AND COALESCE(at, 0) >= ?3 AND COALESCE(at, 0) < ?4 ORDER BY at DESC, repo, number DESC LIMIT ?5 OFFSET ?6",
    )?;
    let (since, until) = times(of);
    let found = all.query_map(params![of.repo, state, since, until, number(of.most + 1), number(of.from)], |row| {
        Ok(PullRequestRow {
            provider: row.get(0)?,
            repo: row.get(1)?,
            number: row.get(2)?,
            title: row.get(3)?,
            state: row.get(4)?,
            reverted: row.get(5)?,
            review: None,
            author: row.get(6)?,
            at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
            page: row.get(8)?,
        })
    })?;
    let (mut rows, more) = page(found.collect::<Result<_, _>>()?, of.most);
    for one in &mut rows {
        one.review = review_state(index, (&one.provider, &one.repo, one.number))?;
    }
    Ok((rows, more))
}

/// The runs of a page, the one that began last first, and whether there are more.
pub fn runs(index: &Index, of: &Changes) -> Result<(Vec<RunRow>, bool), HistoryError> {
    let status = one_of(of, STATUSES)?;
    let mut all = index.connection().prepare_cached(
        "SELECT provider, repo, run, commit_sha, status, workflow, started, completed, page, COALESCE(started, completed) AS at
         FROM ci_run WHERE (?1 IS NULL OR repo = ?1) AND (?2 IS NULL OR status = ?2)
         AND COALESCE(at, 0) >= ?3 AND COALESCE(at, 0) < ?4 ORDER BY at DESC, repo, run DESC LIMIT ?5 OFFSET ?6",
    )?;
    let (since, until) = times(of);
    let found = all.query_map(params![of.repo, status, since, until, number(of.most + 1), number(of.from)], |row| {
        Ok(RunRow {
            provider: row.get(0)?,
            repo: row.get(1)?,
            id: row.get(2)?,
            commit: row.get(3)?,
            status: row.get(4)?,
            workflow: row.get(5)?,
            started: row.get::<_, Option<i64>>(6)?.map(Timestamp),
            completed: row.get::<_, Option<i64>>(7)?.map(Timestamp),
            page: row.get(8)?,
        })
    })?;
    Ok(page(found.collect::<Result<_, _>>()?, of.most))
}

/// The state that is asked for, if it is one of these.
fn one_of<'a>(of: &'a Changes, known: &[&str]) -> Result<Option<&'a str>, HistoryError> {
    match of.state.as_deref() {
        Some(state) if !known.contains(&state) => {
            Err(HistoryError::Asked(format!("unknown state `{state}`: use {}", known.join(", "))))
        }
        state => Ok(state),
    }
}

fn times(of: &Changes) -> (i64, i64) {
    (of.since.map_or(i64::MIN, |at| at.0), of.until.map_or(i64::MAX, |at| at.0))
}

fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The rows of a page of which one more was asked for, and whether that came.
fn page<Row>(mut rows: Vec<Row>, most: usize) -> (Vec<Row>, bool) {
    let more = rows.len() > most;
    rows.truncate(most);
    (rows, more)
}
