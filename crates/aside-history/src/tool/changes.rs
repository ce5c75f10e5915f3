//! What became of pull requests and runs of continuous integration, by what their hosts told.

use std::collections::HashMap;

use aside_core::Timestamp;
use aside_store::sql::params;
use serde::Serialize;
use serde_json::Value;

use super::{Asking, args::Arguments, told};
use crate::{HistoryError, Index};

#[derive(Serialize)]
struct PullRequests<'a> {
    repo: &'a str,
    state: Option<&'a str>,
    since: Option<String>,
    count: usize,
    pr_outcomes: Vec<PullRequest>,
    evidence: Vec<Told>,
}

#[derive(Serialize)]
struct PullRequest {
    provider: String,
    repo_slug: String,
    pr_number: i64,
    title: String,
    state: String,
    merged_at: Option<String>,
    reverted_at: Option<String>,
    author: Option<String>,
    /// The worst of what its reviewers said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    review_state: Option<&'static str>,
}

/// What a reviewer may say in the end, the worst first. What is only a comment takes nothing back; what was dismissed counts no more.
const VERDICTS: &[&str] = &["changes_requested", "approved", "commented"];

#[derive(Serialize)]
struct Runs<'a> {
    commit_sha: Option<&'a str>,
    status: Option<&'a str>,
    repo: Option<&'a str>,
    count: usize,
    ci_runs: Vec<Run>,
    evidence: Vec<Told>,
}

/// Where a host told something.
#[derive(Serialize)]
struct Told {
    /// What it is about: `owner/name#2`, or the run's id.
    about: String,
    /// Its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The delivery of a webhook by its id, or the address that was asked. None where an older version took note of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    told_by: Option<String>,
}

#[derive(Serialize)]
struct Run {
    provider: String,
    repo_slug: String,
    run_id: String,
    commit_sha: Option<String>,
    status: String,
    workflow_name: Option<String>,
    started_ts: Option<String>,
    completed_ts: Option<String>,
}

fn time(at: Option<i64>) -> Option<String> {
    at.map(|at| Timestamp(at).to_string())
}

/// Pull requests of a repository, the one that changed last first.
pub fn pull_requests(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let (repo, state) = (arguments.required("repo")?, arguments.one_of("state", &["open", "merged", "closed"])?);
    let since = arguments.since(asking)?;
    let mut all = index.connection().prepare_cached(
        "SELECT provider, repo, number, title, state, merged, reverted, author, page, told_by FROM pull_request
         WHERE repo = ?1 AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR COALESCE(merged, updated, created) >= ?3)
         ORDER BY COALESCE(merged, updated, created) DESC LIMIT ?4",
    )?;
    let found = all.query_map(params![repo, state, since.map(|at| at.0), arguments.limit(10, 50)], |row| {
        let (repo, number): (String, i64) = (row.get(1)?, row.get(2)?);
        let told = Told { about: format!("{repo}#{number}"), url: row.get(8)?, told_by: row.get(9)? };
        let pull = PullRequest {
            provider: row.get(0)?,
            repo_slug: repo,
            pr_number: number,
            title: row.get(3)?,
            state: row.get(4)?,
            merged_at: time(row.get(5)?),
            reverted_at: time(row.get(6)?),
            author: row.get(7)?,
            review_state: None,
        };
        Ok((pull, told))
    })?;
    let (mut pr_outcomes, evidence): (Vec<_>, _) = found.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    for one in &mut pr_outcomes {
        one.review_state = review_state(index, (&one.provider, &one.repo_slug, one.pr_number))?;
    }
    let since = since.map(|at| at.to_string());
    told(&PullRequests { repo, state, since, count: pr_outcomes.len(), pr_outcomes, evidence })
}

/// What came of the reviews of a pull request: of each reviewer the last word counts, and of these the worst.
pub fn review_state(
    index: &Index,
    (provider, repo, number): (&str, &str, i64),
) -> Result<Option<&'static str>, HistoryError> {
    let mut all = index.connection().prepare_cached(
        "SELECT author, state FROM review WHERE provider = ? AND repo = ? AND number = ? ORDER BY COALESCE(at, 0), review",
    )?;
    let said = all.query_map(params![provider, repo, number], |row| {
        Ok((row.get::<_, Option<String>>(0)?, row.get::<_, String>(1)?))
    })?;
    let mut last: HashMap<Option<String>, String> = HashMap::new();
    for one in said {
        let (author, state) = one?;
        match &*state {
            "dismissed" => _ = last.remove(&author),
            "commented" => _ = last.entry(author).or_insert(state),
            _ => _ = last.insert(author, state),
        }
    }
    Ok(VERDICTS.iter().copied().find(|verdict| last.values().any(|state| state == verdict)))
}

/// How a run can stand.
const STATUSES: [&str; 6] = ["success", "failure", "cancelled", "skipped", "pending", "in_progress"];

/// Runs, the one that began last first.
pub fn ci_runs(index: &Index, _asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let (commit_sha, repo) = (arguments.text("commit_sha"), arguments.text("repo"));
    let status = arguments.one_of("status", &STATUSES)?;
    let mut all = index.connection().prepare_cached(
        "SELECT provider, repo, run, commit_sha, status, workflow, started, completed, page, told_by FROM ci_run
         WHERE (?1 IS NULL OR substr(commit_sha, 1, length(?1)) = ?1) AND (?2 IS NULL OR status = ?2)
         AND (?3 IS NULL OR repo = ?3) ORDER BY COALESCE(started, completed) DESC LIMIT ?4",
    )?;
    let found = all.query_map(params![commit_sha, status, repo, arguments.limit(10, 50)], |row| {
        let run_id: String = row.get(2)?;
        let told = Told { about: run_id.clone(), url: row.get(8)?, told_by: row.get(9)? };
        let run = Run {
            provider: row.get(0)?,
            repo_slug: row.get(1)?,
            run_id,
            commit_sha: row.get(3)?,
            status: row.get(4)?,
            workflow_name: row.get(5)?,
            started_ts: time(row.get(6)?),
            completed_ts: time(row.get(7)?),
        };
        Ok((run, told))
    })?;
    let (ci_runs, evidence): (Vec<_>, _) = found.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    told(&Runs { commit_sha, status, repo, count: ci_runs.len(), ci_runs, evidence })
}
