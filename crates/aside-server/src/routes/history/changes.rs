//! `history/pulls` and `history/runs`: what became of pull requests and runs, as their hosts told.

use std::sync::Arc;

use aside_core::Timestamp;
use aside_history::{Changes, HistoryError, PullRequestRow, RunRow};
use aside_macros::boxed;
use aside_protocol::{HistoryPullRequest, HistoryPullRequests, HistoryRun, HistoryRuns};
use axum::{Json, extract::State};
use serde::Deserialize;

use super::{PAGE, Which, ask};
use crate::{
    app::App,
    problem::{Asked, Problem},
};

/// Which of them, and from which on.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhichChanges {
    repo: Option<String>,
    /// Of pull requests their state, of runs how they stand.
    state: Option<String>,
    since: Option<String>,
    until: Option<String>,
    timezone: Option<String>,
    #[serde(default)]
    from: usize,
}

impl WhichChanges {
    fn changes(self, now: Timestamp) -> Result<Changes, HistoryError> {
        let Self { repo, state, since, until, timezone, from } = self;
        let (since, until) = Which { since, until, timezone, ..Which::default() }.times(now)?;
        let said = |text: Option<String>| text.filter(|text| !text.is_empty());
        Ok(Changes { repo: said(repo), state: said(state), since, until, from, most: PAGE })
    }
}

/// A page of pull requests.
#[boxed]
pub async fn pulls(
    State(app): State<Arc<App>>,
    Asked(which): Asked<WhichChanges>,
) -> Result<Json<HistoryPullRequests>, Problem> {
    let now = app.gate.now();
    let told = ask(&app, move |_, index| {
        let changes = which.changes(now)?;
        let (pulls, more) =
            index.map_or(Ok((Vec::new(), false)), |index| aside_history::pull_requests(index, &changes))?;
        Ok(HistoryPullRequests { pulls: pulls.into_iter().map(told_pull_request).collect(), more })
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

/// A page of runs.
#[boxed]
pub async fn runs(
    State(app): State<Arc<App>>,
    Asked(which): Asked<WhichChanges>,
) -> Result<Json<HistoryRuns>, Problem> {
    let now = app.gate.now();
    let told = ask(&app, move |_, index| {
        let changes = which.changes(now)?;
        let (runs, more) = index.map_or(Ok((Vec::new(), false)), |index| aside_history::runs(index, &changes))?;
        Ok(HistoryRuns { runs: runs.into_iter().map(told_run).collect(), more })
    });
    Ok(Json(told.await?.unwrap_or_default()))
}

fn told_pull_request(row: PullRequestRow) -> HistoryPullRequest {
    let PullRequestRow { provider, repo, number, title, state, reverted, review, author, at, page } = row;
    let review = review.map(str::to_owned);
    HistoryPullRequest { provider, repo, number, title, state, reverted, review, author, at, page }
}

fn told_run(row: RunRow) -> HistoryRun {
    let RunRow { provider, repo, id, commit, status, workflow, started, completed, page } = row;
    HistoryRun { provider, repo, id, commit, status, workflow, started, completed, page }
}
