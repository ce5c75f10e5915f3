//! Terminals are opened by a person without a question; everybody else asks, and lines are asked about always.

use std::{sync::Arc, time::Duration};

use aside_core::{ActionRecord, ActionState, Guard, Label, Outcome, PreviewBody, ReviewMode, Risk};
use aside_gate::GateError;
use aside_terminal::{Terminal, Terminals};
use serde_json::{Value, json};

use crate::common::{Bench, failure, model, request, words};

/// How long something may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);

struct World {
    bench: Bench,
    terminals: Arc<Terminals>,
}

impl Drop for World {
    fn drop(&mut self) {
        self.terminals.close_all();
    }
}

impl World {
    fn new() -> Self {
        let bench = Bench::new(&[("src/a.txt", "one\n")]);
        let terminals = Arc::new(Terminals::default());
        let actions = aside_actions::terminal_actions(&bench.workspace, &bench.store, &terminals);
        bench.gate.catalog().replace(|_| false, actions).unwrap();
        Self { bench, terminals }
    }

    async fn open(&self) -> (ActionRecord, Arc<Terminal>) {
        let record = self.bench.ask("terminal.open", json!({"shell": "sh", "cwd": "src"})).await;
        assert_eq!(record.state, ActionState::Done, "{:?}", record.outcome);
        let terminal = self.terminals.find_named("sh").unwrap();
        (record, terminal)
    }

    async fn by_model(&self, name: &str, args: Value) -> Result<ActionRecord, GateError> {
        self.bench
            .gate
            .submit(request(name, args), model(ReviewMode::AutoApply))
            .await
            .map(|submitted| submitted.record)
    }
}

fn data(record: &ActionRecord) -> &Value {
    match &record.outcome {
        Some(Outcome::Done { observation }) => &observation.data,
        other => panic!("not done: {other:?}"),
    }
}

#[tokio::test]
async fn person_uses_terminals_without_a_question() {
    let world = World::new();
    let (opened, terminal) = world.open().await;
    let state = &data(&opened)["terminal"];
    assert_eq!((&state["name"], &state["cwd"]), (&json!("sh"), &json!("src")));
    assert_eq!(opened.verdict.rule, "person/terminal.open");
    terminal.type_in(b"echo $((40 + 2)); exit\r".to_vec()).unwrap();
    terminal.wait(PATIENCE).unwrap();
    let read = world.bench.ask("terminal.read", json!({"terminal": "sh"})).await;
    let Some(Outcome::Done { observation }) = &read.outcome else { panic!("{read:?}") };
    assert_eq!(observation.label, Label::External);
    assert!(words(&read).starts_with("sh (ended with exit status 0)\n") && words(&read).contains("\n42"), "{read:?}");
    let listed = world.bench.ask("terminal.list", json!({})).await;
    assert_eq!(data(&listed)["terminals"][0]["exit"]["status"], json!(0));
    let closed = world.bench.ask("terminal.close", json!({"terminal": state["id"]})).await;
    assert_eq!((closed.state, closed.verdict.rule.as_str()), (ActionState::Done, "person/terminal.close"));
    let gone = world.bench.ask("terminal.read", json!({"terminal": "sh"})).await;
    assert_eq!(failure(&gone).code, "not_found");
}

#[tokio::test]
async fn a_line_is_asked_about_and_typed_alone() {
    let world = World::new();
    let (_, terminal) = world.open().await;
    // Half a line that the person has typed does not become part of it.
    terminal.type_in(b"rm -rf ".to_vec()).unwrap();
    let line = json!({"terminal": "sh", "text": "cat a.txt; echo $((40 + 2))"});
    let asked = world.bench.ask("terminal.send", line).await;
    assert_eq!((asked.state, asked.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "builtin/no-sandbox"));
    assert_eq!(asked.assessment.command.as_deref(), Some("cat a.txt; echo $((40 + 2))"));
    for risk in [Risk::Network, Risk::Access, Risk::Install, Risk::Destructive] {
        assert!(asked.envelope.risk_level.contains(risk), "{risk}");
    }
    let preview = asked.preview.as_ref().unwrap();
    let PreviewBody::Command { argv, cwd, notes, .. } = &preview.body else { panic!("{preview:?}") };
    assert_eq!((argv.join(" "), cwd.as_str()), ("cat a.txt; echo $((40 + 2))".to_owned(), "src"));
    assert!(notes[0].starts_with("The shell reads it"), "{notes:?}");
    assert!(preview.warnings.iter().any(|warning| warning.guard == Guard::NoSandbox));
    let sent = world.bench.approve(&asked).await;
    let output = data(&sent)["output"].as_str().unwrap().to_owned();
    assert!(output.contains("\none\n42") && !output.contains("rm -rf cat"), "{output}");
    let Some(Outcome::Done { observation }) = &sent.outcome else { panic!("{sent:?}") };
    assert_eq!(observation.label, Label::External);
    assert_eq!(terminal.exit(), None);
}

#[tokio::test]
async fn a_key_interrupts_the_program() {
    let world = World::new();
    let (_, terminal) = world.open().await;
    world.bench.act("terminal.send", json!({"terminal": "sh", "text": "sleep 1000", "wait": 0})).await;
    tokio::time::timeout(PATIENCE, async {
        while terminal.running().as_deref() != Some("sleep") {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    let asked = world.bench.ask("terminal.send", json!({"terminal": "sh", "key": "ctrl_c", "wait": 1})).await;
    assert_eq!(asked.preview.as_ref().unwrap().summary, "Press Ctrl+C in the terminal sh (running sleep)");
    assert_eq!(asked.verdict.rule, "default/destructive");
    let sent = world.bench.approve(&asked).await;
    assert!(data(&sent)["terminal"].get("running").is_none(), "{sent:?}");
}

#[tokio::test]
async fn a_model_asks_for_everything_but_the_list() {
    let world = World::new();
    world.open().await;
    for (name, args, rule) in [
        ("terminal.open", json!({}), "builtin/no-sandbox"),
        ("terminal.read", json!({"terminal": "sh"}), "default/terminal.read"),
        ("terminal.send", json!({"terminal": "sh", "text": "ls"}), "builtin/no-sandbox"),
        ("terminal.send", json!({"terminal": "sh", "key": "ctrl_d"}), "default/destructive"),
        ("terminal.close", json!({"terminal": "sh"}), "default/destructive"),
    ] {
        let record = world.by_model(name, args).await.unwrap();
        assert_eq!((record.state, record.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, rule), "{name}");
    }
    assert_eq!(world.by_model("terminal.list", json!({})).await.unwrap().state, ActionState::Done);
}

#[tokio::test]
async fn wrong_arguments_are_named() {
    let world = World::new();
    world.open().await;
    for (name, args, code) in [
        ("terminal.open", json!({"shell": "/bin/rm"}), "unknown_shell"),
        ("terminal.open", json!({"cwd": "nowhere"}), "not_found"),
        ("terminal.open", json!({"cwd": "../.."}), "invalid_args"),
        ("terminal.open", json!({"name": "a\u{1b}[2J"}), "invalid_args"),
        ("terminal.read", json!({"terminal": "other"}), "not_found"),
        ("terminal.send", json!({"terminal": "sh", "text": "a\u{15}b"}), "invalid_args"),
        ("terminal.send", json!({"terminal": "sh"}), "invalid_args"),
    ] {
        let record = world.bench.ask(name, args.clone()).await;
        assert_eq!(failure(&record).code, code, "{name} {args}");
    }
}
