//! GitLab: the bodies of its webhooks, and of what its REST interface lists.

use serde_json::Value;

use super::{
    Commit, Fact, PullRequest, Run, github,
    words::{page, reverted_commit, reverted_number, run_status, title},
};
use crate::reader::json;

/// What a webhook says.
pub fn heard(body: &Value) -> Vec<Fact> {
    let repo = json::text(body, "project.path_with_namespace").unwrap_or_default();
    if repo.is_empty() {
        return Vec::new();
    }
    match json::text(body, "object_kind") {
        Some("merge_request") => merge_request(repo, body).into_iter().collect(),
        Some("pipeline") => pipeline(repo, body).into_iter().collect(),
        Some("push") => github::push(repo, body),
        _ => Vec::new(),
    }
}

fn merge_request(repo: &str, body: &Value) -> Option<Fact> {
    let of = body.get("object_attributes")?;
    let author = json::text(body, "user.username");
    told(repo, of, author, json::text(of, "last_commit.id"))
}

/// A merge request of a list.
pub fn listed_merge_request(repo: &str, value: &Value) -> Option<Fact> {
    told(repo, value, json::text(value, "author.username"), json::text(value, "sha"))
}

fn told(repo: &str, of: &Value, author: Option<&str>, head: Option<&str>) -> Option<Fact> {
    let (name, number) = (json::text(of, "title").unwrap_or_default(), json::at(of, "iid")?.as_i64()?);
    let updated = moment(of, "updated_at");
    let state = match json::text(of, "state") {
        Some("merged") => "merged",
        Some("closed") => "closed",
        _ => "open",
    };
    Some(Fact::PullRequest(PullRequest {
        repo: repo.to_owned(),
        number,
        title: title(name),
        state,
        merged: moment(of, "merged_at").or(updated).filter(|_| state == "merged"),
        created: moment(of, "created_at"),
        updated,
        author: author.map(str::to_owned),
        head: head.map(str::to_owned),
        branch: json::text(of, "source_branch").map(str::to_owned),
        merge_commit: json::text(of, "merge_commit_sha").map(str::to_owned),
        reverts: reverted_number(name, json::text(of, "description").unwrap_or_default()).filter(|of| *of != number),
        page: page(of, &["url", "web_url"]),
    }))
}

fn pipeline(repo: &str, body: &Value) -> Option<Fact> {
    let of = body.get("object_attributes")?;
    let completed = moment(of, "finished_at");
    run(repo, of, completed.or(moment(of, "created_at")), completed)
}

/// A pipeline of a list.
pub fn listed_pipeline(repo: &str, value: &Value) -> Option<Fact> {
    let updated = moment(value, "updated_at");
    run(repo, value, updated, updated)
}

fn run(
    repo: &str,
    of: &Value,
    updated: Option<aside_core::Timestamp>,
    completed: Option<aside_core::Timestamp>,
) -> Option<Fact> {
    let status = run_status(json::text(of, "status")?, None);
    Some(Fact::Run(Run {
        repo: repo.to_owned(),
        id: json::at(of, "id")?.as_i64()?.to_string(),
        commit: json::text(of, "sha").map(str::to_owned),
        status,
        workflow: json::text(of, "name").or(json::text(of, "ref")).map(title),
        started: moment(of, "created_at"),
        completed: completed.filter(|_| !matches!(status, "pending" | "in_progress")),
        updated,
        attempt: 0,
        page: page(of, &["url", "web_url"]),
    }))
}

/// A commit of a list.
pub fn listed_commit(repo: &str, value: &Value) -> Option<Fact> {
    let message = json::text(value, "message").unwrap_or_default();
    Some(Fact::Commit(Commit {
        repo: repo.to_owned(),
        sha: json::text(value, "id")?.to_owned(),
        title: title(message),
        at: moment(value, "committed_date"),
        reverts: reverted_commit(message),
        ..Commit::default()
    }))
}

/// The names of a file in a change of a list: it may have had another one before.
pub fn names_of_change(value: &Value) -> Vec<String> {
    let mut names: Vec<String> =
        ["new_path", "old_path"].iter().filter_map(|name| json::text(value, name)).map(str::to_owned).collect();
    names.dedup();
    names
}

/// A time, which webhooks write as `2026-06-30 10:00:00 UTC`.
fn moment(value: &Value, path: &str) -> Option<aside_core::Timestamp> {
    json::moment(value, path).or_else(|| {
        let text = json::text(value, path)?.strip_suffix(" UTC")?;
        format!("{}Z", text.replacen(' ', "T", 1)).parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::hosts::Host;

    #[test]
    fn a_merge_request_is_told_with_its_commit_and_what_it_takes_back() {
        let body = json!({"object_kind": "merge_request", "user": {"username": "ada"},
            "project": {"path_with_namespace": "shop/site"},
            "object_attributes": {"iid": 8, "title": "Revert \"Add x\"", "description": "This reverts merge request !7",
                "state": "merged", "created_at": "2026-06-30 10:00:00 UTC", "updated_at": "2026-06-30 11:00:00 UTC",
                "merge_commit_sha": "b".repeat(40), "last_commit": {"id": "a".repeat(40)}}});
        let Some(Fact::PullRequest(told)) = Host::GitLab.heard("", &body).pop() else { panic!() };
        assert_eq!((told.number, told.state, told.reverts, &*told.repo), (8, "merged", Some(7), "shop/site"));
        assert_eq!(told.merged, "2026-06-30T11:00:00Z".parse().ok());
        assert_eq!((told.head, told.author.as_deref()), (Some("a".repeat(40)), Some("ada")));
    }

    #[test]
    fn a_pipeline_and_a_push_are_told() {
        let body = json!({"object_kind": "pipeline", "project": {"path_with_namespace": "shop/site"},
            "object_attributes": {"id": 31, "ref": "main", "sha": "c".repeat(40), "status": "canceled",
                "created_at": "2026-06-30 10:00:00 UTC", "finished_at": "2026-06-30 10:05:00 UTC"}});
        let Some(Fact::Run(told)) = Host::GitLab.heard("", &body).pop() else { panic!() };
        assert_eq!((told.status, &*told.id, told.workflow.as_deref()), ("cancelled", "31", Some("main")));
        let body = json!({"object_kind": "push", "ref": "refs/heads/main", "project": {"path_with_namespace": "shop/site"},
            "commits": [{"id": "d".repeat(40), "message": "Add x\n\nMore.", "timestamp": "2026-06-30T10:00:00+02:00",
                "added": ["src/x.rs"], "modified": [], "removed": []}]});
        let Some(Fact::Commit(told)) = Host::GitLab.heard("", &body).pop() else { panic!() };
        assert_eq!((&*told.title, &told.files[..]), ("Add x", &["src/x.rs".to_owned()][..]));
        assert_eq!(Host::GitLab.heard("", &json!({"object_kind": "note"})), []);
    }
}
