//! What hosts of repositories tell, with the payloads of GitHub's webhooks that others publish.
#![expect(clippy::disallowed_methods, reason = "reads payloads and makes a log")]

use std::path::Path;

use aside_core::Timestamp;
use aside_history::{
    Asking, Delivery, Effort, Index, Origin, Source, answer, find,
    hosts::{Fact, Host},
    import, risk_line, zone,
};
use aside_prices::Prices;
use aside_store::DataFolder;
use serde_json::{Value, json};

/// Where facts come from that no webhook told.
const ASKED: Origin<'static> = Origin::Address("https://api.github.com/repos/octo/shop/pulls?page=1");

fn asking() -> Asking {
    Asking { now: "2026-07-01".parse().unwrap(), zone: zone(Some("UTC")).unwrap(), workspace: None, plan: None }
}

fn index() -> (tempfile::TempDir, Index) {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(&DataFolder::at(folder.path())).unwrap();
    (folder, index)
}

/// The published payloads by the name of their event; none where they are not installed.
fn payloads() -> Option<Vec<(String, Vec<Value>)>> {
    let named = std::env::var("ASIDE_TEST_WEBHOOKS").ok();
    let usual =
        concat!(env!("CARGO_MANIFEST_DIR"), "/suite/node_modules/@octokit/webhooks-examples/api.github.com/index.json");
    let path = named.clone().unwrap_or_else(|| usual.to_owned());
    if named.is_none() && !Path::new(usual).exists() {
        println!("NOT TESTED: payloads of webhooks, which `npm install` in crates/aside-history/suite gets");
        return None;
    }
    let all: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let one = |event: &Value| {
        let examples = event["examples"].as_array().unwrap().clone();
        (event["name"].as_str().unwrap().to_owned(), examples)
    };
    Some(all.iter().map(one).collect())
}

#[test]
fn published_payloads_are_read_and_those_of_other_kinds_passed_over() {
    let Some(payloads) = payloads() else { return };
    let (_folder, mut index) = index();
    let mut heard: Vec<(String, usize, usize)> = Vec::new();
    for (event, examples) in &payloads {
        let facts: Vec<Fact> = examples.iter().flat_map(|body| Host::GitHub.heard(event, body)).collect();
        index.note(Host::GitHub, &facts, &ASKED).unwrap();
        if !facts.is_empty() {
            heard.push((event.clone(), examples.len(), facts.len()));
        }
    }
    heard.sort();
    let told: Vec<(&str, usize, usize)> = heard.iter().map(|(name, all, facts)| (&**name, *all, *facts)).collect();
    // Of seven pushes five are of tags or delete something; a review tells of its pull request, too.
    assert_eq!(
        told,
        [
            ("check_run", 9, 9),
            ("check_suite", 9, 9),
            ("pull_request", 29, 29),
            ("pull_request_review", 4, 8),
            ("push", 7, 2),
            ("status", 4, 4),
            ("workflow_job", 8, 8),
            ("workflow_run", 5, 5),
        ]
    );
    let told = answer(&index, &asking(), "get_pr_outcomes", &json!({ "repo": "codertocat/hello-world" }));
    let pull = &told["pr_outcomes"][0];
    // The last two kinds of payload are of the same second.
    assert_eq!((&pull["pr_number"], &pull["state"]), (&json!(2), &json!("open")), "{told}");
    assert_eq!((&pull["author"], &pull["provider"]), (&json!("Codertocat"), &json!("github")));
    let sha = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";
    let runs = answer(&index, &asking(), "get_ci_runs", &json!({ "commit_sha": &sha[..8] }));
    assert_eq!((&runs["count"], &runs["ci_runs"][0]["status"]), (&json!(1), &json!("success")), "{runs}");
}

fn pull(number: i64, state: &str, updated: &str, more: Value) -> Value {
    let mut pull = json!({ "number": number, "title": format!("Change {number}"), "state": state, "updated_at": updated,
        "user": { "login": "ada" }, "head": { "sha": "a".repeat(40) }, "base": { "repo": { "full_name": "octo/shop" } } });
    pull.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "pull_request": pull })
}

fn run(status: &str, conclusion: Option<&str>, attempt: i64, updated: &str) -> Value {
    json!({ "repository": { "full_name": "octo/shop" }, "workflow_run": { "id": 7, "name": "Tests", "status": status,
        "conclusion": conclusion, "run_attempt": attempt, "updated_at": updated, "created_at": "2026-06-01T00:00:00Z",
        "head_sha": "c".repeat(40) } })
}

/// All orders of some things.
fn orders<T: Clone>(all: &[T]) -> Vec<Vec<T>> {
    if all.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for first in 0..all.len() {
        let mut rest = all.to_vec();
        let one = rest.remove(first);
        found.extend(orders(&rest).into_iter().map(|rest| [vec![one.clone()], rest].concat()));
    }
    found
}

#[test]
fn the_order_in_which_events_come_does_not_matter() {
    let merged = json!({ "merged": true, "merged_at": "2026-06-03T00:00:00Z", "merge_commit_sha": "b".repeat(40) });
    let taking_back = json!({ "title": "Revert \"Change 1\"", "body": "Reverts octo/shop#1", "merged": true,
        "merged_at": "2026-06-09T00:00:00Z" });
    let events = [
        ("pull_request", pull(1, "open", "2026-06-01T00:00:00Z", json!({}))),
        ("pull_request", pull(1, "closed", "2026-06-03T00:00:00Z", merged)),
        ("pull_request", pull(2, "closed", "2026-06-09T00:00:00Z", taking_back)),
        ("workflow_run", run("in_progress", None, 1, "2026-06-01T00:01:00Z")),
        ("workflow_run", run("completed", Some("failure"), 1, "2026-06-01T00:01:00Z")),
        ("workflow_run", run("completed", Some("success"), 2, "2026-06-01T00:09:00Z")),
    ];
    for order in orders(&events) {
        let (_folder, mut index) = index();
        for (event, body) in &order {
            index.note(Host::GitHub, &Host::GitHub.heard(event, body), &ASKED).unwrap();
        }
        let told = answer(&index, &asking(), "get_pr_outcomes", &json!({ "repo": "octo/shop" }));
        let first = told["pr_outcomes"].as_array().unwrap().iter().find(|one| one["pr_number"] == 1).unwrap();
        assert_eq!((&first["state"], &first["reverted_at"]), (&json!("merged"), &json!("2026-06-09T00:00:00.000Z")));
        let told = answer(&index, &asking(), "get_ci_runs", &json!({ "commit_sha": "c".repeat(40) }));
        assert_eq!((&told["ci_runs"][0]["status"], &told["count"]), (&json!("success"), &json!(1)));
    }
}

#[test]
fn the_worst_of_what_reviewers_said_last_counts() {
    let (_folder, mut index) = index();
    let pull = json!({ "number": 7, "title": "Cart", "state": "open", "updated_at": "2026-06-01T00:00:00Z" });
    index.note(Host::GitHub, &Host::GitHub.pull_requests("octo/shop", &json!([pull])), &ASKED).unwrap();
    let mut told = |reviews: &[(i64, &str, &str)]| {
        let review = |(id, author, state): &(i64, &str, &str)| {
            json!({ "id": id, "user": { "login": author }, "state": state, "submitted_at": format!("2026-06-{id:02}T00:00:00Z"),
                "pull_request_url": "https://api.github.com/repos/octo/shop/pulls/7" })
        };
        let page = Value::from(reviews.iter().map(review).collect::<Vec<_>>());
        index.note(Host::GitHub, &Host::GitHub.reviews("octo/shop", &page), &ASKED).unwrap();
        let told = answer(&index, &asking(), "get_pr_outcomes", &json!({ "repo": "octo/shop" }));
        told["pr_outcomes"][0]["review_state"].as_str().map(str::to_owned)
    };
    let state = |text: &str| Some(text.to_owned());
    assert_eq!(told(&[]), None);
    assert_eq!(told(&[(1, "ada", "COMMENTED")]), state("commented"));
    assert_eq!(told(&[(2, "ada", "CHANGES_REQUESTED"), (3, "bob", "APPROVED")]), state("changes_requested"));
    assert_eq!(told(&[(4, "ada", "COMMENTED")]), state("changes_requested"));
    assert_eq!(told(&[(5, "ada", "APPROVED")]), state("approved"));
    assert_eq!(told(&[(6, "eve", "CHANGES_REQUESTED")]), state("changes_requested"));
    assert_eq!(told(&[(6, "eve", "DISMISSED")]), state("approved"));
}

#[test]
fn a_message_that_comes_again_changes_nothing() {
    let (_folder, mut index) = index();
    let body = pull(1, "open", "2026-06-01T00:00:00Z", json!({}));
    let facts = Host::GitHub.heard("pull_request", &body);
    let bytes = body.to_string();
    let mut note = |id: &str| {
        let delivery = Delivery { id, body: bytes.as_bytes(), at: Timestamp(1) };
        index.note(Host::GitHub, &facts, &Origin::Delivery(delivery)).unwrap()
    };
    assert_eq!((note("one").inserted, note("one").repeated), (1, true));
    // Who overheard it can't send it under another id, either.
    assert!(note("another").repeated);
}

#[test]
fn what_became_of_changes_says_who_told_it() {
    let (_folder, mut index) = index();
    let page = |rest: &str| format!("https://github.com/octo/shop/{rest}");
    let body = pull(1, "open", "2026-06-01T00:00:00Z", json!({ "html_url": page("pull/1") }));
    let delivery = Delivery { id: "72d3162e-cc78", body: b"{}", at: Timestamp(1) };
    let facts = Host::GitHub.heard("pull_request", &body);
    index.note(Host::GitHub, &facts, &Origin::Delivery(delivery)).unwrap();
    let mut body = run("completed", Some("failure"), 1, "2026-06-01T00:01:00Z");
    body["workflow_run"]["html_url"] = "javascript:alert(1)".into();
    index.note(Host::GitHub, &Host::GitHub.heard("workflow_run", &body), &ASKED).unwrap();
    let ask = |name: &str| answer(&index, &asking(), name, &json!({ "repo": "octo/shop" }))["evidence"].clone();
    let told = json!([{ "about": "octo/shop#1", "url": page("pull/1"), "told_by": "delivery 72d3162e-cc78" }]);
    assert_eq!(ask("get_pr_outcomes"), told);
    let Origin::Address(address) = ASKED else { unreachable!() };
    assert_eq!(ask("get_ci_runs"), json!([{ "about": "7", "told_by": address }]));
    // What is told again later says so; what is told too late changes nothing.
    let later = pull(1, "closed", "2026-06-02T00:00:00Z", json!({}));
    index.note(Host::GitHub, &Host::GitHub.heard("pull_request", &later), &ASKED).unwrap();
    index.note(Host::GitHub, &facts, &Origin::Address("late")).unwrap();
    let told = answer(&index, &asking(), "get_pr_outcomes", &json!({ "repo": "octo/shop" }));
    assert_eq!(told["evidence"], json!([{ "about": "octo/shop#1", "url": page("pull/1"), "told_by": address }]));
}

#[test]
fn runs_of_other_repositories_may_have_the_same_number() {
    let (_folder, mut index) = index();
    let told =
        |repo: &str| json!({ "repository": repo, "run_id": 42, "status": "failed", "commit_sha": "c".repeat(40) });
    let mut note = |repo: &str| index.note(Host::Generic, &Host::Generic.heard("", &told(repo)), &ASKED).unwrap();
    let noted = ["octo/shop", "octo/site", "Octo/Shop"].map(&mut note).map(|noted| (noted.inserted, noted.updated));
    assert_eq!(noted, [(1, 0), (1, 0), (0, 1)]);
    for repo in ["octo/shop", "octo/site", "OCTO/SITE"] {
        let runs = answer(&index, &asking(), "get_ci_runs", &json!({ "repo": repo }));
        assert_eq!((&runs["count"], &runs["ci_runs"][0]["run_id"]), (&json!(1), &json!("42")), "{repo}: {runs}");
    }
}

#[test]
fn the_case_of_a_repository_s_name_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = session(folder.path());
    index.keep_clone("/home/me/shop", "Octo/Shop").unwrap();
    let mut note = |event: &str, body: Value| {
        index.note(Host::GitHub, &Host::GitHub.heard(event, &body), &ASKED).unwrap();
    };
    // The commit by the name that was typed, what became of it by the host's own.
    note("push", push("octo/shop", "Cart", 'c', "2026-06-02T11:00:00Z", "cart"));
    let merged = json!({ "head": { "sha": "c".repeat(40) }, "merged": true, "merged_at": "2026-06-03T00:00:00Z" });
    let mut merged = pull(1, "closed", "2026-06-03T00:00:00Z", merged);
    merged["pull_request"]["base"]["repo"]["full_name"] = "Octo/Shop".into();
    note("pull_request", merged);
    let mut taking_back = pull(
        2,
        "closed",
        "2026-06-09T00:00:00Z",
        json!({ "title": "Revert \"Cart\"", "body": "Reverts Octo/Shop#1",
        "merged": true, "merged_at": "2026-06-09T00:00:00Z" }),
    );
    taking_back["pull_request"]["base"]["repo"]["full_name"] = "OCTO/shop".into();
    note("pull_request", taking_back);
    let told = answer(&index, &asking(), "get_file_risk", &json!({ "path": "/home/me/shop/src/cart.rs" }));
    assert_eq!((&told["reverted"], &told["total_sessions"]), (&json!(1), &json!(1)), "{told}");
}

/// A session that wrote `/home/me/shop/src/cart.rs`, and that nobody said anything about.
fn session(folder: &Path) -> Index {
    let logs = folder.join(".claude/projects/-home-me-shop");
    std::fs::create_dir_all(&logs).unwrap();
    let line = json!({ "type": "assistant", "timestamp": "2026-06-02T10:00:00.000Z", "cwd": "/home/me/shop", "requestId": "r",
        "gitBranch": "cart", "message": { "id": "m", "model": "claude-opus-4-5", "usage": { "input_tokens": 1, "output_tokens": 1 },
        "content": [{ "type": "tool_use", "id": "t", "name": "Write", "input": { "file_path": "/home/me/shop/src/cart.rs", "content": "x" } }] } });
    std::fs::write(logs.join("one.jsonl"), format!("{line}\n")).unwrap();
    let home = folder.display().to_string();
    let places = find(&[Source::Claude], |name| (name == "HOME").then(|| home.clone()));
    let mut index = Index::open(&DataFolder::at(folder.join("data"))).unwrap();
    import(&mut index, places, &Prices::default(), Effort::Idle, &mut |_| ()).unwrap();
    index
}

fn push(repo: &str, message: &str, sha: char, at: &str, branch: &str) -> Value {
    json!({ "ref": format!("refs/heads/{branch}"), "repository": { "full_name": repo }, "commits": [{
        "id": sha.to_string().repeat(40), "message": message, "timestamp": at, "modified": ["src/cart.rs"] }] })
}

#[test]
fn a_file_is_risky_when_its_commits_failed_or_were_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = session(folder.path());
    let path = "/home/me/shop/src/cart.rs";
    let counts = |index: &Index| {
        let told = answer(index, &asking(), "get_file_risk", &json!({ "path": path }));
        let counts = ["total_sessions", "reverted", "failed", "worked"].map(|name| told[name].as_u64().unwrap());
        (counts, told["evidence"][0]["excerpt"].as_str().unwrap_or_default().to_owned())
    };
    let line =
        |index: &Index| risk_line(index, path, "2026-07-01".parse().unwrap(), &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!((counts(&index).0, line(&index)), ([1, 0, 0, 0], None));
    let mut note = |event: &str, body: Value| {
        index.note(Host::GitHub, &Host::GitHub.heard(event, &body), &ASKED).unwrap();
    };
    // Of another repository, another branch, another day: not this session's.
    note("push", push("octo/other", "Cart", 'd', "2026-06-02T11:00:00Z", "cart"));
    note("push", push("octo/shop", "Cart", 'e', "2026-06-02T11:00:00Z", "main"));
    note("push", push("octo/shop", "Cart", 'f', "2026-06-05T11:00:00Z", "cart"));
    for sha in ["d", "e", "f"] {
        note("workflow_run", with_commit(run("completed", Some("failure"), 1, "2026-06-02T12:00:00Z"), sha));
    }
    assert_eq!(counts(&index).0, [1, 0, 0, 0]);
    let mut note = |event: &str, body: Value| {
        index.note(Host::GitHub, &Host::GitHub.heard(event, &body), &ASKED).unwrap();
    };
    note("push", push("octo/shop", "Cart", 'c', "2026-06-02T11:00:00Z", "cart"));
    note("workflow_run", run("completed", Some("failure"), 1, "2026-06-02T12:00:00Z"));
    let (told, excerpt) = counts(&index);
    assert_eq!((told, line(&index).as_deref()), ([1, 0, 1, 0], Some("failed once in June")), "{excerpt}");
    assert!(excerpt.contains("Tests failed on ccccccc"), "{excerpt}");
    let message = format!("Revert \"Cart\"\n\nThis reverts commit {}.", "c".repeat(40));
    let taking_back = push("octo/shop", &message, '9', "2026-06-20T11:00:00Z", "main");
    index.note(Host::GitHub, &Host::GitHub.heard("push", &taking_back), &ASKED).unwrap();
    assert_eq!((counts(&index).0, line(&index).as_deref()), ([1, 1, 0, 0], Some("reverted once in June")));
}

#[test]
fn what_was_squashed_into_another_branch_is_of_the_branch_that_its_pull_request_takes_in() {
    let counts = |branch: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut index = session(folder.path());
        let mut note = |event: &str, body: Value| {
            index.note(Host::GitHub, &Host::GitHub.heard(event, &body), &ASKED).unwrap();
        };
        note("push", push("octo/shop", "Cart (#1)", 'b', "2026-06-02T12:00:00Z", "main"));
        let squashed = json!({ "head": { "sha": "a".repeat(40), "ref": branch }, "merged": true,
            "merged_at": "2026-06-02T12:00:00Z", "merge_commit_sha": "b".repeat(40) });
        note("pull_request", pull(1, "closed", "2026-06-02T12:00:00Z", squashed));
        note("workflow_run", with_commit(run("completed", Some("failure"), 1, "2026-06-02T12:30:00Z"), "b"));
        let told = answer(&index, &asking(), "get_file_risk", &json!({ "path": "/home/me/shop/src/cart.rs" }));
        (told["failed"].clone(), told["evidence"][0]["excerpt"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(counts("cart"), (json!(1), "Tests failed on bbbbbbb “Cart (#1)” (#1)".to_owned()));
    assert_eq!(counts("till").0, json!(0));
}

fn with_commit(mut run: Value, sha: &str) -> Value {
    run["workflow_run"]["head_sha"] = sha.repeat(40).into();
    run["workflow_run"]["id"] = json!(u32::from(sha.as_bytes()[0]));
    run
}
