//! Any other program that runs tests: an object that is shaped like a run.

use serde_json::Value;

use super::{
    Fact, Run,
    words::{page, run_status, title},
};
use crate::reader::json;

/// What it says: `repository` or `repo_slug`, `run_id`, `commit_sha`, `status`, and the times.
pub fn heard(body: &Value) -> Vec<Fact> {
    run(body).into_iter().collect()
}

fn run(body: &Value) -> Option<Fact> {
    let text = |name: &str| json::text(body, name).map(str::to_owned);
    let id = text("run_id").or_else(|| Some(body.get("run_id")?.as_i64()?.to_string()))?;
    let status = run_status(json::text(body, "status")?, json::text(body, "conclusion"));
    let (started, completed) = (json::moment(body, "started_at"), json::moment(body, "completed_at"));
    Some(Fact::Run(Run {
        repo: text("repository").or(text("repo_slug"))?,
        id,
        commit: text("commit_sha").or(text("head_sha")),
        status,
        workflow: text("workflow_name").or(text("name")).as_deref().map(title),
        started,
        completed,
        updated: json::moment(body, "updated_at").or(completed).or(started),
        attempt: json::at(body, "attempt").and_then(Value::as_i64).unwrap_or(0),
        page: page(body, &["html_url", "url"]),
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_run_needs_a_repository_an_id_and_a_status() {
        let whole = json!({"repository": "octo/site", "run_id": 7, "status": "failed", "commit_sha": "abc1234"});
        assert!(matches!(&heard(&whole)[..], [Fact::Run(run)] if run.status == "failure" && run.id == "7"));
        for name in ["repository", "run_id", "status"] {
            let mut less = whole.clone();
            less.as_object_mut().unwrap().remove(name);
            assert_eq!(heard(&less), [], "{name}");
        }
    }
}
