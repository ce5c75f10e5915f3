//! Servers of tools from the Gate to the other program and back, with programs that misbehave.

mod bench;
mod hostile;
mod http;
mod reaching;

use aside_core::{
    ActionState, Decision, Guard, Label, McpState, Origin, Outcome, PreviewBody, RefusedBy, Risk, Timestamp,
};
use aside_gate::Submission;
use serde_json::json;

use super::testing;
use bench::{Bench, failure, person, text, turn};

#[tokio::test]
async fn a_server_is_asked_about_each_time_and_then_each_call_of_its_tools() {
    let bench = Bench::new();
    let args = json!({ "name": "fake", "launch": testing::launch("plain", bench.state()) });
    for submission in [Submission::person(person()), turn("call-0")] {
        let asked = bench.submit("mcp.add", args.clone(), submission).await;
        assert_eq!((asked.state, asked.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "builtin/mcp-add"));
        assert!(asked.verdict.could_add.is_none() && asked.envelope.risk_level.contains(Risk::Install));
        let Some(PreviewBody::Command { argv, environment, .. }) = asked.preview.map(|preview| preview.body) else {
            panic!()
        };
        assert_eq!((argv[1].as_str(), environment), ("fake-server-of-tools", vec!["OPEN=value".to_owned()]));
    }
    let added = bench.add("plain").await;
    assert!(text(&added).contains("mcp.fake.echo") && !text(&added).contains("Echoes"), "{}", text(&added));
    assert_eq!(bench.server().state, McpState::Untrusted);
    assert_eq!(bench.tools(), ["mcp.fake.again", "mcp.fake.echo"]);

    let asked = bench.propose("mcp.fake.echo", json!({ "text": "hi" })).await;
    assert_eq!((asked.state, asked.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "guard/preview"));
    assert!(asked.verdict.could_add.is_none());
    assert_eq!(asked.envelope.risk_level.to_string(), "destructive, network");
    assert_eq!(asked.preview.as_ref().unwrap().warnings[0].guard, Guard::UnknownTool);
    let done = bench.approve(&asked).await;
    assert_eq!(text(&done), r#"echo {"text":"hi"}"#);
    assert!(matches!(&done.outcome, Some(Outcome::Done { observation }) if observation.label == Label::External));
    assert_eq!(failure(&bench.propose("mcp.fake.echo", json!({ "text": [5] })).await).code, "invalid_args");
    bench.gate.audit_verify(None).unwrap();
}

/// What the examples start is somebody else's: they are asked for as they stand, and run with a server that is here.
#[tokio::test]
async fn every_example_of_what_is_done_with_servers_runs() {
    let bench = Bench::new();
    for name in ["mcp.add", "mcp.trust", "mcp.distrust", "mcp.reconnect", "mcp.list", "mcp.remove"] {
        let descriptor = bench.catalog.describe(&name.parse().unwrap()).unwrap();
        assert!(!descriptor.examples.is_empty());
        for example in &descriptor.examples {
            let mut args = example.args.clone();
            if args.get("launch").is_some() {
                let asked = bench.submit(name, args.clone(), Submission::person(person())).await;
                assert_eq!(asked.state, ActionState::AwaitingConfirmation, "{}: {:?}", example.title, asked.outcome);
                args["launch"] = testing::launch("files", bench.state());
            }
            if args.get("hash").is_some() {
                args["hash"] = json!(bench.server().hash);
            }
            let done = bench.order(name, args).await;
            assert_eq!(done.state, ActionState::Done, "{name}, {}: {:?}", example.title, done.outcome);
        }
    }
}

#[tokio::test]
async fn only_a_person_can_trust_and_only_the_list_that_was_looked_at() {
    let bench = Bench::new();
    bench.add("plain").await;
    let hash = bench.server().hash.unwrap();
    let trust = json!({ "name": "fake", "hash": hash, "tools": { "echo": { "risks": ["read"] } } });
    let refused = bench.propose("mcp.trust", trust.clone()).await;
    assert!(matches!(refused.outcome, Some(Outcome::Refused { by: RefusedBy::Policy, .. })));
    let grant = aside_core::Id::from_parts(Timestamp(1), 7);
    let client = Submission::person(Origin::Client { user: "ada".to_owned(), grant });
    assert_eq!(failure(&bench.submit("mcp.trust", trust.clone(), client).await).code, "person_only");
    for (wrong, code) in [
        (json!({ "name": "fake", "hash": "0".repeat(64) }), "tools_changed"),
        (json!({ "name": "fake", "hash": hash, "tools": { "none": { "risks": ["read"] } } }), "invalid_args"),
        (json!({ "name": "fake", "hash": hash, "tools": { "echo": { "risks": [] } } }), "invalid_args"),
        (json!({ "name": "other", "hash": hash }), "not_found"),
    ] {
        assert_eq!(failure(&bench.order("mcp.trust", wrong).await).code, code);
    }
    let trusted = bench.order("mcp.trust", trust).await;
    assert_eq!(trusted.state, ActionState::Done);
    assert_eq!(bench.server().state, McpState::Trusted);
    // Nothing but what was chosen, for the tool it was chosen for.
    assert_eq!(text(&bench.propose("mcp.fake.echo", json!({})).await), "echo {}");
    let other = bench.submit("mcp.fake.again", json!({}), turn("call-2")).await;
    assert_eq!(other.state, ActionState::AwaitingConfirmation);
    bench.order("mcp.distrust", json!({ "name": "fake" })).await;
    let asked = bench.submit("mcp.fake.echo", json!({}), turn("call-3")).await;
    assert_eq!((asked.state, bench.server().state), (ActionState::AwaitingConfirmation, McpState::Untrusted));
}

#[tokio::test]
async fn a_list_that_changes_after_it_was_trusted_can_not_be_used_until_it_is_looked_at() {
    let bench = Bench::new();
    bench.add("plain").await;
    bench.trust(json!({ "echo": { "risks": ["read"] } })).await;
    let waiting = bench.submit("mcp.fake.again", json!({}), turn("call-0")).await;
    bench.note("changed", "");
    let pulled = bench.propose("mcp.fake.echo", json!({ "text": "secret" })).await;
    assert_eq!((failure(&pulled).code.as_str(), bench.calls()), ("tools_changed", 0));
    let server = bench.server();
    assert_eq!((server.state, server.changes.len()), (McpState::Changed, 1));
    assert!(server.changes[0].after.as_ref().unwrap().contains("evil.example"));
    // Models still see the words that were looked at.
    let described = bench.catalog.describe(&"mcp.fake.echo".parse().unwrap()).unwrap();
    assert_eq!(described.description, "Echoes");
    let again = bench.submit("mcp.fake.echo", json!({}), turn("call-2")).await;
    assert_eq!((failure(&again).code.as_str(), bench.calls()), ("tools_changed", 0));
    let yes = Decision::approve(waiting.approval_hash.clone());
    assert!(bench.gate.decide(&waiting.envelope.id, yes, "ada").await.is_err());

    let asked = bench
        .submit("mcp.trust", json!({ "name": "fake", "hash": server.hash, "tools": {} }), Submission::person(person()))
        .await;
    let Some(PreviewBody::Changes { rows }) = asked.preview.clone().map(|preview| preview.body) else { panic!() };
    let echo = rows.iter().find(|row| row.object == "echo").unwrap();
    assert!(echo.before.as_ref().unwrap().starts_with("risks: read\n"));
    assert!(echo.after.as_ref().unwrap().starts_with("risks: destructive, network\n"));
    bench.approve(&asked).await;
    // What was chosen for the old list does not hold for the new one.
    let asked = bench.submit("mcp.fake.echo", json!({}), turn("call-3")).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    assert_eq!(text(&bench.approve(&asked).await), "echo {}");
}
