//! What hosts of repositories say of pull requests, reviews, runs and commits: from their JSON, by webhook or asked for, to facts. Pure.

mod generic;
mod github;
mod gitlab;
mod words;

use aside_core::Timestamp;
use serde_json::Value;

/// A kind of host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// GitHub, at its own address or at that of a company.
    GitHub,
    /// GitLab, likewise.
    GitLab,
    /// Any other program that runs tests and says so.
    Generic,
}

/// Something that a host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// How a pull request stands.
    PullRequest(PullRequest),
    /// What somebody said of one.
    Review(Review),
    /// How a run stands.
    Run(Run),
    /// A commit that was pushed.
    Commit(Commit),
}

/// How a pull request stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PullRequest {
    /// `owner/name`.
    pub repo: String,
    /// Its number there.
    pub number: i64,
    /// Its title.
    pub title: String,
    /// `open`, `merged` or `closed`.
    pub state: &'static str,
    /// When it was merged.
    pub merged: Option<Timestamp>,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// When it last changed.
    pub updated: Option<Timestamp>,
    /// Whose it is.
    pub author: Option<String>,
    /// Its last commit.
    pub head: Option<String>,
    /// The branch that it takes in.
    pub branch: Option<String>,
    /// The commit by which it was merged.
    pub merge_commit: Option<String>,
    /// The pull request that it takes back.
    pub reverts: Option<i64>,
    /// The address of its page.
    pub page: Option<String>,
}

/// What somebody said of a pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// `owner/name`.
    pub repo: String,
    /// The number of the pull request.
    pub number: i64,
    /// The host's own id of the review.
    pub id: String,
    /// Who said it.
    pub author: Option<String>,
    /// `approved`, `changes_requested`, `commented` or `dismissed`.
    pub state: String,
    /// When.
    pub at: Option<Timestamp>,
}

/// How a run of continuous integration stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// `owner/name`.
    pub repo: String,
    /// The host's own id of it, with its kind before it where numbers of several kinds could be the same.
    pub id: String,
    /// The commit that it is of.
    pub commit: Option<String>,
    /// `success`, `failure`, `cancelled`, `skipped`, `pending` or `in_progress`.
    pub status: &'static str,
    /// What it is called.
    pub workflow: Option<String>,
    /// When it began.
    pub started: Option<Timestamp>,
    /// When it ended.
    pub completed: Option<Timestamp>,
    /// When it last changed.
    pub updated: Option<Timestamp>,
    /// Which attempt it is: a later one counts, whatever became of an earlier one.
    pub attempt: i64,
    /// The address of its page.
    pub page: Option<String>,
}

/// A commit that was pushed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// `owner/name`.
    pub repo: String,
    /// Its hash.
    pub sha: String,
    /// The first line of what is said of it.
    pub title: String,
    /// The branch that it was pushed to.
    pub branch: Option<String>,
    /// When it was made.
    pub at: Option<Timestamp>,
    /// The commit that it takes back.
    pub reverts: Option<String>,
    /// Files that it changed, from the root of the repository.
    pub files: Vec<String>,
}

impl Host {
    /// The word for it in the index.
    pub fn word(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Generic => "generic-ci",
        }
    }

    /// What an event says; nothing if it is of a kind that is not looked at. `event` is its name where the host sends one beside the body.
    pub fn heard(self, event: &str, body: &Value) -> Vec<Fact> {
        match self {
            Self::GitHub => github::heard(event, body),
            Self::GitLab => gitlab::heard(body),
            Self::Generic => generic::heard(body),
        }
    }

    /// What a page of pull requests says.
    pub fn pull_requests(self, repo: &str, page: &Value) -> Vec<Fact> {
        let read = match self {
            Self::GitHub => github::pull_request,
            Self::GitLab => gitlab::listed_merge_request,
            Self::Generic => return Vec::new(),
        };
        list(page, "none").filter_map(|one| read(repo, one)).collect()
    }

    /// What a page of runs says.
    pub fn runs(self, repo: &str, page: &Value) -> Vec<Fact> {
        match self {
            Self::GitHub => list(page, "workflow_runs").filter_map(|one| github::workflow_run(repo, one)).collect(),
            Self::GitLab => list(page, "none").filter_map(|one| gitlab::listed_pipeline(repo, one)).collect(),
            Self::Generic => Vec::new(),
        }
    }

    /// What a page of reviews says. Of GitLab they are not told so.
    pub fn reviews(self, repo: &str, page: &Value) -> Vec<Fact> {
        match self {
            Self::GitHub => list(page, "none").filter_map(|one| github::listed_review(repo, one)).collect(),
            Self::GitLab | Self::Generic => Vec::new(),
        }
    }

    /// The files of which a page of a commit's changes tells, by all the names that they have in it.
    pub fn changed_files(self, page: &Value) -> Vec<String> {
        match self {
            Self::GitLab => list(page, "none").flat_map(gitlab::names_of_change).collect(),
            Self::GitHub | Self::Generic => Vec::new(),
        }
    }

    /// What a page of commits, or one of them with its files, says.
    pub fn commits(self, repo: &str, page: &Value) -> Vec<Fact> {
        let read = match self {
            Self::GitHub => github::commit,
            Self::GitLab => gitlab::listed_commit,
            Self::Generic => return Vec::new(),
        };
        match page {
            Value::Object(_) => read(repo, page).into_iter().collect(),
            _ => list(page, "none").filter_map(|one| read(repo, one)).collect(),
        }
    }
}

/// The elements of a list, or of the list that an object has under a name.
fn list<'a>(page: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    page.as_array().or_else(|| page.get(name)?.as_array()).into_iter().flatten()
}
