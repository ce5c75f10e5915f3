//! How servers are started, ended and started again.

use std::{path::Path, time::Duration};

use aside_core::{ActionRequest, ActionState, McpState};
use aside_gate::{Catalog, Submission};
use serde_json::{Value, json};

use super::bench::{Bench, failure, person, text};
use crate::client::{
    servers::{ClientLimits, Servers},
    testing,
};

#[tokio::test]
async fn a_call_is_made_again_only_if_a_person_said_that_it_may_be() {
    let (careful, repeating) = (Bench::new(), Bench::new());
    careful.add("dies-once").await;
    careful.trust(json!({ "echo": { "risks": ["write"] } })).await;
    assert_eq!(failure(&careful.order("mcp.fake.echo", json!({})).await).code, "server_ended");
    assert_eq!(careful.calls(), 1);
    // It is started again when it is needed again.
    assert_eq!(text(&careful.order("mcp.fake.echo", json!({})).await), "echo {}");
    repeating.add("dies-once").await;
    repeating.trust(json!({ "echo": { "risks": ["write"], "idempotent": true } })).await;
    assert_eq!(text(&repeating.order("mcp.fake.echo", json!({})).await), "echo {}");
    assert_eq!(repeating.calls(), 2);
}

#[tokio::test]
async fn a_call_with_a_key_is_made_once() {
    let bench = Bench::new();
    bench.add("plain").await;
    bench.trust(json!({ "echo": { "risks": ["read"] } })).await;
    let name = "mcp.fake.echo".parse().unwrap();
    let request = ActionRequest { idempotency_key: Some("k".to_owned()), ..ActionRequest::new(name, json!({})) };
    let submit = || bench.gate.submit(request.clone(), Submission::person(person()));
    assert!(!submit().await.unwrap().replayed);
    assert!(submit().await.unwrap().replayed);
    assert_eq!(bench.calls(), 1);
}

#[tokio::test]
async fn a_server_gets_the_named_variables_and_no_others() {
    let bench = Bench::new();
    bench
        .data
        .file("mcp/secrets.env", 1000)
        .change(|_| Ok::<_, std::io::Error>("# mine\nFAKE_SECRET = s3cret\n".to_owned()))
        .unwrap();
    let mut launch = testing::launch("environment", bench.state());
    launch["inherit"] = json!(["CARGO_PKG_NAME", "FAKE_SECRET"]);
    let added = bench.order("mcp.add", json!({ "name": "fake", "launch": launch })).await;
    assert_eq!(added.state, ActionState::Done);
    assert!(!serde_json::to_string(&added).unwrap().contains("s3cret"));
    let seen: Value = serde_json::from_str(text(&bench.order("mcp.fake.echo", json!({})).await)).unwrap();
    let vars = seen["vars"].as_object().unwrap();
    assert_eq!(
        (&vars["OPEN"], &vars["FAKE_SECRET"], &vars["CARGO_PKG_NAME"]),
        (&json!("value"), &json!("s3cret"), &json!("aside-mcp"))
    );
    assert!(std::env::var("CARGO_MANIFEST_DIR").is_ok() && !vars.contains_key("CARGO_MANIFEST_DIR"));
    assert!(seen["cwd"].as_str().unwrap().ends_with("mcp/run/fake"));
    launch["inherit"] = json!(["NO_SUCH_VARIABLE_HERE"]);
    let unset = bench.order("mcp.add", json!({ "name": "unset", "launch": launch })).await;
    assert!(text(&unset).contains("secrets.env"), "{}", text(&unset));
}

#[tokio::test]
async fn after_a_restart_the_tools_are_there_before_the_server_runs_and_what_waits_can_be_approved() {
    let bench = Bench::new();
    bench.add("plain").await;
    let waiting = bench.propose("mcp.fake.echo", json!({ "text": "later" })).await;
    let bench = bench.again().await;
    assert_eq!(bench.tools().len(), 2);
    assert!(!bench.server().running);
    assert_eq!(text(&bench.approve(&waiting).await), r#"echo {"text":"later"}"#);
    assert!(bench.server().running);
    // Another folder knows nothing of it.
    let other = Servers::open(Catalog::new([]).unwrap(), Path::new("/elsewhere"), Some(&bench.data), bench.limits);
    assert!(other.unwrap().list().is_empty());
}

#[tokio::test]
async fn without_a_folder_of_the_person_nothing_is_added() {
    let catalog = Catalog::new([]).unwrap();
    let servers = Servers::open(catalog, Path::new("/w"), None, ClientLimits::default()).unwrap();
    assert_eq!(servers.check_free(&"fake".parse().unwrap()).unwrap_err().code, "no_folder");
}

#[tokio::test]
async fn a_removed_server_takes_its_tools_and_its_processes_along() {
    let bench = Bench::new();
    bench.add("stubborn").await;
    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    let pid = std::fs::read_to_string(bench.state().join("pid")).unwrap();
    let process = Path::new("/proc").join(pid);
    assert!(process.exists() && bench.server().running);
    let removed = bench.order("mcp.remove", json!({ "name": "fake" })).await;
    assert!(bench.tools().is_empty() && bench.servers.list().is_empty());
    // It ends within its grace of two seconds, or this runs into the limit of the test.
    while process.exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Taken back, it is asked about again.
    let back = bench.gate.undo(&removed.envelope.id, Submission::person(person()), None).await.unwrap().record;
    assert_eq!((back.state, back.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "builtin/mcp-add"));
}

#[tokio::test]
async fn a_server_that_could_not_be_reached_is_tried_again_by_itself() {
    let bench = Bench::with(ClientLimits { rest: Duration::from_millis(1), ..ClientLimits::default() });
    let added = bench.add("late").await;
    assert!(text(&added).contains("could not be reached: it ended before the handshake"), "{}", text(&added));
    // It comes with its fourth start, or this runs into the limit of the test.
    while bench.tools().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(bench.tools(), ["mcp.fake.again", "mcp.fake.echo"]);
    assert_eq!((bench.server().failure, bench.server().tries), (None, 0));
}

#[tokio::test]
async fn a_person_need_not_wait_for_the_rest_of_a_server() {
    let bench = Bench::with(ClientLimits { rest: Duration::from_secs(1000), ..ClientLimits::default() });
    bench.add("late").await;
    // The first failure may be an accident, so it was tried once more; now it rests.
    while bench.server().tries < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let resting = bench.server();
    assert!(resting.retry_in.is_some_and(|rest| rest > 900), "{:?}", resting.retry_in);
    let again = json!({ "name": "fake" });
    assert_eq!(failure(&bench.order("mcp.reconnect", again.clone()).await).code, "server_unreachable");
    assert_eq!(bench.order("mcp.reconnect", again).await.state, ActionState::Done);
    assert_eq!((bench.server().state, bench.server().running), (McpState::Untrusted, true));
}

#[tokio::test]
async fn a_server_that_runs_is_started_anew_when_a_person_wants_it() {
    let bench = Bench::new();
    bench.add("plain").await;
    bench.trust(json!({ "echo": { "risks": ["read"] } })).await;
    bench.note("changed", "");
    let done = bench.order("mcp.reconnect", json!({ "name": "fake" })).await;
    assert!(text(&done).contains("tools changed since they were trusted"), "{}", text(&done));
    assert_eq!(bench.server().state, McpState::Changed);
}
