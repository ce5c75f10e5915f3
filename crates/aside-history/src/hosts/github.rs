//! GitHub: the bodies of its webhooks, and of what its REST interface lists.

use aside_core::Timestamp;
use serde_json::Value;

use super::{
    Commit, Fact, PullRequest, Review, Run,
    words::{page, reverted_commit, reverted_number, run_status, title},
};
use crate::reader::json;

/// What a webhook says.
pub fn heard(event: &str, body: &Value) -> Vec<Fact> {
    let repo = json::text(body, "repository.full_name").unwrap_or_default();
    let one = |name: &str, read: fn(&str, &Value) -> Option<Fact>| {
        body.get(name).and_then(|value| read(repo, value)).into_iter().collect::<Vec<_>>()
    };
    match event {
        "pull_request" => one("pull_request", pull_request),
        "pull_request_review" => {
            let mut found = one("pull_request", pull_request);
            found.extend(review(repo, body));
            found
        }
        "workflow_run" => one("workflow_run", workflow_run),
        "workflow_job" => one("workflow_job", workflow_job),
        "check_run" => one("check_run", check_run),
        "check_suite" => one("check_suite", check_suite),
        "status" => status(repo, body).into_iter().collect(),
        "push" => push(repo, body),
        _ => Vec::new(),
    }
}

/// A pull request as all of GitHub's bodies have it; those that are beside something else lack some of it.
pub fn pull_request(repo: &str, value: &Value) -> Option<Fact> {
    let repo = json::text(value, "base.repo.full_name").unwrap_or(repo);
    let merged = json::moment(value, "merged_at");
    let is_merged = merged.is_some() || value.get("merged") == Some(&Value::Bool(true));
    let is_open = json::text(value, "state") == Some("open");
    let name = json::text(value, "title").unwrap_or_default();
    let number = number(value, "number").filter(|_| !repo.is_empty())?;
    Some(Fact::PullRequest(PullRequest {
        repo: repo.to_owned(),
        number,
        title: title(name),
        state: if is_merged {
            "merged"
        } else if is_open {
            "open"
        } else {
            "closed"
        },
        merged: merged.or_else(|| json::moment(value, "closed_at").filter(|_| is_merged)),
        created: json::moment(value, "created_at"),
        updated: json::moment(value, "updated_at"),
        author: json::text(value, "user.login").map(str::to_owned),
        head: json::text(value, "head.sha").map(str::to_owned),
        branch: json::text(value, "head.ref").map(str::to_owned),
        // Of one that is open it is only a trial.
        merge_commit: json::text(value, "merge_commit_sha").filter(|_| is_merged).map(str::to_owned),
        reverts: reverted_number(name, json::text(value, "body").unwrap_or_default()).filter(|of| *of != number),
        page: page(value, &["html_url"]),
    }))
}

fn review(repo: &str, body: &Value) -> Option<Fact> {
    Some(Fact::Review(Review {
        repo: Some(repo).filter(|repo| !repo.is_empty())?.to_owned(),
        number: number(body, "pull_request.number")?,
        id: number(body, "review.id")?.to_string(),
        author: json::text(body, "review.user.login").map(str::to_owned),
        state: json::text(body, "review.state")?.to_ascii_lowercase(),
        at: json::moment(body, "review.submitted_at"),
    }))
}

/// A review of a list, which names its pull request by an address.
pub fn listed_review(repo: &str, value: &Value) -> Option<Fact> {
    Some(Fact::Review(Review {
        repo: repo.to_owned(),
        number: json::text(value, "pull_request_url")?.rsplit('/').next()?.parse().ok()?,
        id: number(value, "id")?.to_string(),
        author: json::text(value, "user.login").map(str::to_owned),
        state: json::text(value, "state")?.to_ascii_lowercase(),
        at: json::moment(value, "submitted_at"),
    }))
}

/// A run of a workflow.
pub fn workflow_run(repo: &str, value: &Value) -> Option<Fact> {
    let repo = json::text(value, "repository.full_name").unwrap_or(repo);
    let updated = json::moment(value, "updated_at");
    let started = json::moment(value, "run_started_at").or(json::moment(value, "created_at"));
    run(repo, value, "", json::text(value, "name"), [started, updated, updated])
}

fn workflow_job(repo: &str, value: &Value) -> Option<Fact> {
    let name = match (json::text(value, "workflow_name"), json::text(value, "name")) {
        (Some(workflow), Some(job)) => Some(format!("{workflow} / {job}")),
        (workflow, job) => workflow.or(job).map(str::to_owned),
    };
    let (started, completed) = (json::moment(value, "started_at"), json::moment(value, "completed_at"));
    let updated = completed.or(started).or(json::moment(value, "created_at"));
    run(repo, value, "job/", name.as_deref(), [started, completed, updated])
}

fn check_run(repo: &str, value: &Value) -> Option<Fact> {
    let (started, completed) = (json::moment(value, "started_at"), json::moment(value, "completed_at"));
    run(repo, value, "check_run/", json::text(value, "name"), [started, completed, completed.or(started)])
}

fn check_suite(repo: &str, value: &Value) -> Option<Fact> {
    let (started, updated) = (json::moment(value, "created_at"), json::moment(value, "updated_at"));
    run(repo, value, "check_suite/", json::text(value, "app.name"), [started, updated, updated])
}

/// `times`: when it began, ended if it has, and last changed.
fn run(
    repo: &str,
    value: &Value,
    kind: &str,
    name: Option<&str>,
    [started, ended, updated]: [Option<Timestamp>; 3],
) -> Option<Fact> {
    let status = run_status(json::text(value, "status").unwrap_or_default(), json::text(value, "conclusion"));
    Some(Fact::Run(Run {
        repo: Some(repo).filter(|repo| !repo.is_empty())?.to_owned(),
        id: format!("{kind}{}", number(value, "id")?),
        commit: json::text(value, "head_sha").map(str::to_owned),
        status,
        workflow: name.map(title),
        started,
        completed: ended.filter(|_| !matches!(status, "pending" | "in_progress")),
        updated,
        attempt: number(value, "run_attempt").unwrap_or(0),
        page: page(value, &["html_url", "url"]),
    }))
}

/// A state that another program gave a commit: each has a number of its own, and the highest is the latest.
fn status(repo: &str, body: &Value) -> Option<Fact> {
    let (sha, context) = (json::text(body, "sha")?, json::text(body, "context").unwrap_or("default"));
    let status = run_status(json::text(body, "state")?, None);
    let updated = json::moment(body, "updated_at");
    Some(Fact::Run(Run {
        repo: Some(repo).filter(|repo| !repo.is_empty())?.to_owned(),
        id: format!("status/{sha}/{context}"),
        commit: Some(sha.to_owned()),
        status,
        workflow: Some(title(context)),
        started: json::moment(body, "created_at"),
        completed: updated.filter(|_| !matches!(status, "pending" | "in_progress")),
        updated,
        attempt: number(body, "id").unwrap_or(0),
        page: page(body, &["target_url", "commit.html_url"]),
    }))
}

/// Commits with the files that they changed, as GitHub and GitLab tell of a push.
pub fn push(repo: &str, body: &Value) -> Vec<Fact> {
    // A tag says nothing new of its commits.
    let Some(branch) = json::text(body, "ref").and_then(|name| name.strip_prefix("refs/heads/")) else {
        return Vec::new();
    };
    let files = |commit: &Value| {
        let of = |name: &'static str| {
            json::list(commit, name).filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        [of("added"), of("modified"), of("removed")].concat()
    };
    let read = |commit: &Value| {
        let message = json::text(commit, "message").unwrap_or_default();
        Some(Fact::Commit(Commit {
            repo: Some(repo).filter(|repo| !repo.is_empty())?.to_owned(),
            sha: json::text(commit, "id")?.to_owned(),
            title: title(message),
            branch: Some(branch.to_owned()),
            at: json::moment(commit, "timestamp"),
            reverts: reverted_commit(message),
            files: files(commit),
        }))
    };
    json::list(body, "commits").filter_map(read).collect()
}

/// A commit of a list; asked for by itself it has its files.
pub fn commit(repo: &str, value: &Value) -> Option<Fact> {
    let message = json::text(value, "commit.message").unwrap_or_default();
    Some(Fact::Commit(Commit {
        repo: repo.to_owned(),
        sha: json::text(value, "sha")?.to_owned(),
        title: title(message),
        branch: None,
        at: json::moment(value, "commit.committer.date").or(json::moment(value, "commit.author.date")),
        reverts: reverted_commit(message),
        files: json::list(value, "files").filter_map(|file| json::text(file, "filename")).map(str::to_owned).collect(),
    }))
}

fn number(value: &Value, path: &str) -> Option<i64> {
    json::at(value, path)?.as_i64()
}
