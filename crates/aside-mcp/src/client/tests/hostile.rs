//! Servers that do what they should not: it is the failure of a call, and of nothing else.

use std::time::Duration;

use aside_core::{ActionState, Decision, Label, McpState};
use aside_gate::Submission;
use serde_json::json;

use super::bench::{Bench, failure, person, text, turn};
use crate::client::{servers::ClientLimits, testing};

#[tokio::test]
async fn a_hostile_list_takes_no_name_but_its_own_and_says_what_was_left_out() {
    let bench = Bench::new();
    bench.add("odd").await;
    assert_eq!(bench.tools(), ["mcp.fake.doc_edit", "mcp.fake.liar", "mcp.fake.ok"]);
    let server = bench.server();
    assert_eq!(server.problems.len(), 5, "{:?}", server.problems);
    let described = |name: &str| bench.catalog.describe(&name.parse().unwrap()).unwrap();
    assert_eq!(described("mcp.fake.liar").risks.to_string(), "destructive, network");
    assert!(described("mcp.fake.ok").description.contains("\\u{e0041}"));
    assert_eq!(described("mcp.fake.ok").label, Label::External);
}

#[tokio::test]
async fn what_a_server_does_wrong_is_the_failure_of_a_call_and_of_nothing_else() {
    let limits = ClientLimits { call: Duration::from_millis(300), ..ClientLimits::default() };
    for (mode, code) in
        [("hangs", "timeout"), ("drowns", "flooded"), ("dies", "server_ended"), ("huge", "answer_too_long")]
    {
        let limits = if code == "timeout" { limits } else { ClientLimits::default() };
        let bench = Bench::with(limits);
        bench.add(mode).await;
        let record = bench.order("mcp.fake.echo", json!({})).await;
        assert_eq!(failure(&record).code, code, "{mode}: {}", failure(&record));
    }
    for (mode, answer) in [("floods", "after the flood"), ("garbage", "after the garbage")] {
        let bench = Bench::new();
        bench.add(mode).await;
        assert_eq!(text(&bench.order("mcp.fake.echo", json!({})).await), answer);
        assert!(bench.server().said.len() <= 40);
    }
}

#[tokio::test]
async fn list_without_proper_end_keeps_its_tools() {
    let cases = [
        ("stuck", 2, "its list repeats a cursor"),
        ("blank", 2, "its list ends with an empty cursor"),
        ("endless", 50, "too many pages"),
        ("torn", 1, "its error: no second page"),
    ];
    for (mode, count, problem) in cases {
        let bench = Bench::new();
        bench.add(mode).await;
        let server = bench.server();
        assert_eq!((server.tools.len(), bench.tools().len()), (count, count), "{mode}");
        assert!(server.problems.len() == 1 && server.problems[0].contains(problem), "{mode}: {:?}", server.problems);
        assert_eq!(server.failure, None, "{mode}");
    }
}

#[tokio::test]
async fn sloppy_messages_are_read() {
    // A byte order mark, words that are no messages, and ids that come back as texts.
    for mode in ["marked", "chatty", "texted"] {
        let bench = Bench::new();
        bench.add(mode).await;
        assert_eq!(text(&bench.order("mcp.fake.echo", json!({})).await), "echo {}", "{mode}");
    }
}

#[tokio::test]
async fn unreadable_list_is_a_failure_that_is_told() {
    let bench = Bench::new();
    assert!(text(&bench.add("unlisted").await).contains("no database"));
    let server = bench.server();
    assert_eq!((server.state, server.running), (McpState::Unseen, true));
    assert!(server.failure.as_ref().is_some_and(|failure| failure.contains("no database")), "{:?}", server.failure);
}

#[tokio::test]
async fn a_server_that_asks_for_a_model_folders_or_the_person_gets_a_clear_no() {
    let bench = Bench::new();
    bench.add("asks").await;
    let done = bench.order("mcp.fake.echo", json!({})).await;
    for no in ["does not ask a model", "does not list folders", "does not ask the user"] {
        assert!(text(&done).contains(no), "{}", text(&done));
    }
}

#[tokio::test]
async fn what_a_server_writes_for_people_without_end_holds_nothing_up() {
    let bench = Bench::new();
    bench.add("mutters").await;
    assert_eq!(text(&bench.order("mcp.fake.echo", json!({})).await), "echo {}");
    assert!(bench.server().said.len() <= 40);
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_and_says_so() {
    let bench = Bench::with(ClientLimits { start: Duration::from_millis(100), ..ClientLimits::default() });
    assert!(text(&bench.add("mute").await).contains("did not answer"));
    let server = bench.server();
    assert_eq!((server.state, server.running), (McpState::Unseen, false));
    assert!(server.failure.unwrap().contains("did not answer") && server.tries >= 1);
    // Not even its start has to be waited for to be rid of it.
    assert_eq!(bench.order("mcp.remove", json!({ "name": "fake" })).await.state, ActionState::Done);
}

#[tokio::test]
async fn of_a_huge_list_some_tools_can_be_used_and_the_rest_is_counted() {
    let bench = Bench::new();
    bench.add("crowd").await;
    let server = bench.server();
    assert_eq!((server.tools.len(), bench.tools().len()), (200, 200));
    assert_eq!(server.problems, ["250 of its 450 tools are omitted"]);
    assert!(server.tools.iter().all(|tool| tool.description.chars().count() < 4100));
}

#[tokio::test]
async fn a_list_that_changes_while_the_person_looks_is_not_trusted() {
    let bench = Bench::new();
    bench.add("plain").await;
    let hash = bench.server().hash.unwrap();
    let trust = json!({ "name": "fake", "hash": hash, "tools": { "echo": { "risks": ["read"] } } });
    let asked = bench.submit("mcp.trust", trust, Submission::person(person())).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    bench.note("changed", "");
    bench.servers.refresh(&"fake".parse().unwrap()).await.unwrap();
    let yes = Decision::approve(asked.approval_hash.clone());
    assert!(bench.gate.decide(&asked.envelope.id, yes, "ada").await.is_err());
    assert_eq!(bench.server().state, McpState::Untrusted);
}

#[tokio::test]
async fn a_program_of_the_workspace_is_started_only_when_a_person_was_asked() {
    let bench = Bench::new();
    let mut launch = testing::launch("plain", bench.state());
    launch["cwd"] = json!(bench.workspace());
    bench.order("mcp.add", json!({ "name": "fake", "launch": launch })).await;
    bench.trust(json!({ "echo": { "risks": ["read"] } })).await;
    assert_eq!(text(&bench.propose("mcp.fake.echo", json!({})).await), "echo {}");
    // After the end of Aside, what would be started may be what a model wrote.
    let bench = bench.again().await;
    let server = bench.server();
    assert!(server.started_by_hand && !server.running);
    let call = bench.submit("mcp.fake.echo", json!({}), turn("call-2")).await;
    assert_eq!((failure(&call).code.as_str(), bench.server().running), ("not_started", false));
    for submission in [Submission::person(person()), turn("call-3")] {
        let asked = bench.submit("mcp.reconnect", json!({ "name": "fake" }), submission).await;
        assert_eq!(
            (asked.state, asked.verdict.rule.as_str()),
            (ActionState::AwaitingConfirmation, "builtin/mcp-start")
        );
        assert!(asked.verdict.could_add.is_none());
    }
    bench.order("mcp.reconnect", json!({ "name": "fake" })).await;
    assert_eq!(text(&bench.submit("mcp.fake.echo", json!({}), turn("call-4")).await), "echo {}");
}
