//! Servers of tools from the Gate to the other program and back, with programs that misbehave.

use std::{path::Path, sync::Arc, time::Duration};

use aside_core::{
    ActionRecord, ActionRequest, ActionState, Decision, Failure, Guard, Label, McpServer, McpState, Origin, Outcome,
    PreviewBody, RefusedBy, ReviewMode, Risk, Timestamp, TurnId,
};
use aside_gate::{Catalog, Gate, Policy, Submission};
use aside_store::{DataFolder, Store, StoreOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    servers::{ClientLimits, Servers},
    testing,
};

struct Bench {
    folder: TempDir,
    data: DataFolder,
    catalog: Catalog,
    gate: Arc<Gate>,
    servers: Arc<Servers>,
    limits: ClientLimits,
}

impl Bench {
    fn new() -> Self {
        Self::with(ClientLimits::default())
    }

    fn with(limits: ClientLimits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::open(folder, limits)
    }

    fn open(folder: TempDir, limits: ClientLimits) -> Self {
        let store = Store::open(&folder.path().join("state"), StoreOptions::system()).unwrap();
        let data = DataFolder::at(folder.path().join("data"));
        let catalog = Catalog::new([]).unwrap();
        let servers = Servers::open(catalog.clone(), &folder.path().join("workspace"), Some(&data), limits).unwrap();
        let gate = Gate::new(store, catalog.clone(), Policy::builtin());
        Self { folder, data, catalog, gate, servers, limits }
    }

    /// The same after the end of the server.
    async fn again(self) -> Self {
        self.servers.close().await;
        let Self { folder, limits, gate, servers, catalog, .. } = self;
        drop((gate, servers, catalog));
        Self::open(folder, limits)
    }

    fn state(&self) -> &Path {
        self.folder.path()
    }

    async fn submit(&self, name: &str, args: Value, submission: Submission) -> ActionRecord {
        let request = ActionRequest::new(name.parse().unwrap(), args);
        self.gate.submit(request, submission).await.unwrap().record
    }

    async fn propose(&self, name: &str, args: Value) -> ActionRecord {
        self.submit(name, args, turn("call-1")).await
    }

    async fn approve(&self, asked: &ActionRecord) -> ActionRecord {
        let yes = Decision::approve(asked.approval_hash.clone());
        self.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap()
    }

    /// A person asks, and says yes if they are asked.
    async fn order(&self, name: &str, args: Value) -> ActionRecord {
        let record = self.submit(name, args, Submission::person(person())).await;
        if record.state == ActionState::AwaitingConfirmation { self.approve(&record).await } else { record }
    }

    async fn add(&self, mode: &str) -> ActionRecord {
        self.order("mcp.add", json!({ "name": "fake", "launch": testing::launch(mode, self.state()) })).await
    }

    async fn trust(&self, tools: Value) -> ActionRecord {
        let hash = self.server().hash.unwrap();
        self.order("mcp.trust", json!({ "name": "fake", "hash": hash, "tools": tools })).await
    }

    fn server(&self) -> McpServer {
        self.servers.list().remove(0)
    }

    fn tools(&self) -> Vec<String> {
        let names = self.catalog.descriptors().into_iter().map(|found| found.name.to_string());
        names.filter(|name| name.matches('.').count() == 2).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn note(&self, name: &str, text: &str) {
        std::fs::write(self.state().join(name), text).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn calls(&self) -> usize {
        std::fs::read_to_string(self.state().join("calls")).unwrap_or_default().len()
    }
}

fn person() -> Origin {
    Origin::User { user: "ada".to_owned() }
}

fn turn(call: &str) -> Submission {
    let thread = aside_core::Id::from_parts(Timestamp(1), 1);
    let turn: TurnId = aside_core::Id::from_parts(Timestamp(1), 1);
    let origin = Origin::Turn { user: "ada".to_owned(), thread, turn, step: 1, call: call.to_owned() };
    Submission { review: Some(ReviewMode::AutoApply), ..Submission::person(origin) }
}

fn text(record: &ActionRecord) -> &str {
    match &record.outcome {
        Some(Outcome::Done { observation }) => &observation.text,
        other => panic!("not done: {other:?}"),
    }
}

fn failure(record: &ActionRecord) -> &Failure {
    match &record.outcome {
        Some(Outcome::Failed { failure } | Outcome::Refused { failure, .. }) => failure,
        other => panic!("not failed: {other:?}"),
    }
}

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
    assert_eq!(failure(&bench.propose("mcp.fake.echo", json!({ "text": 5 })).await).code, "invalid_args");
    bench.gate.audit_verify(None).unwrap();
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
    assert!(echo.before.as_ref().unwrap().starts_with("may: read\n"));
    assert!(echo.after.as_ref().unwrap().starts_with("may: destructive, network\n"));
    bench.approve(&asked).await;
    // What was chosen for the old list does not hold for the new one.
    let asked = bench.submit("mcp.fake.echo", json!({}), turn("call-3")).await;
    assert_eq!(asked.state, ActionState::AwaitingConfirmation);
    assert_eq!(text(&bench.approve(&asked).await), "echo {}");
}

#[tokio::test]
async fn a_hostile_list_takes_no_name_but_its_own_and_says_what_was_left_out() {
    let bench = Bench::new();
    bench.add("odd").await;
    assert_eq!(bench.tools(), ["mcp.fake.doc_edit", "mcp.fake.liar", "mcp.fake.ok"]);
    let server = bench.server();
    assert_eq!(server.problems.len(), 3, "{:?}", server.problems);
    let described = |name: &str| bench.catalog.describe(&name.parse().unwrap()).unwrap();
    assert_eq!(described("mcp.fake.liar").risks.to_string(), "destructive, network");
    assert!(described("mcp.fake.ok").description.contains("\\u{e0041}"));
    assert_eq!(described("mcp.fake.ok").label, Label::External);
}

#[tokio::test]
async fn what_a_server_does_wrong_is_the_failure_of_a_call_and_of_nothing_else() {
    let limits = ClientLimits { call: Duration::from_millis(300), ..ClientLimits::default() };
    for (mode, code) in [("hangs", "timeout"), ("dies", "server_ended"), ("huge", "answer_too_long")] {
        let limits = if mode == "hangs" { limits } else { ClientLimits::default() };
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
    let endless = Bench::new();
    assert!(text(&endless.add("endless").await).contains("does not end"));
    assert_eq!(endless.server().state, McpState::Unseen);
}

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
async fn a_server_that_asks_for_a_model_folders_or_the_person_gets_a_clear_no() {
    let bench = Bench::new();
    bench.add("asks").await;
    let done = bench.order("mcp.fake.echo", json!({})).await;
    for no in ["does not ask a model", "does not tell folders", "does not ask the person"] {
        assert!(text(&done).contains(no), "{}", text(&done));
    }
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
