//! Scripts through the program: checked, run, seen before they run, and stopped at a question.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use serde_json::json;

use crate::common::Workspace;

#[test]
fn script_runs_with_its_input() {
    let workspace = Workspace::new();
    workspace.put(
        "copy.ts",
        "console.log('copying');\nawait aside.file.copy({ from: 'a.txt', to: args.to });\nreturn { to: args.to };",
    );
    let (ended, done) = workspace.json(&["script", "run", "copy.ts", "--args", r#"{"to": "b.txt"}"#]);
    assert_eq!((ended, &done["state"], &done["result"]), (0, &json!("completed"), &json!({ "to": "b.txt" })), "{done}");
    assert_eq!((&done["console"]["text"], workspace.text("b.txt").as_str()), (&json!("copying\n"), "one\ntwo\n"));
    let shown =
        workspace.command(&["script", "run", "copy.ts", "--args", r#"{"to": "c.txt"}"#, "--dry-run"]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("file.copy") && text.contains("Nothing was changed."), "{text}");
    assert_eq!(workspace.text("c.txt"), "(none)");
}

#[test]
fn exit_code_tells_how_the_run_ended() {
    let workspace = Workspace::new();
    let run = |name: &str, source: &str, more: &[&str]| {
        workspace.put(name, source);
        workspace.json(&[&["script", "run", name], more].concat())
    };
    let (ended, thrown) = run("throw.ts", "\nthrow new Error('no');", &[]);
    assert_eq!(
        (ended, &thrown["error"]["code"], &thrown["error"]["line"]),
        (1, &json!("script_error"), &json!(2)),
        "{thrown}"
    );
    let (ended, refused) = run("syntax.ts", "import x from 'y';", &[]);
    assert_eq!((ended, &refused["state"], &refused["error"]["line"]), (1, &json!("failed"), &json!(1)), "{refused}");
    let (ended, endless) = run("endless.ts", "while (true) {}", &["--compute", "0.2"]);
    assert_eq!((ended, &endless["error"]["code"]), (1, &json!("time_limit")), "{endless}");
    let (ended, waits) = run("delete.ts", "await aside.file.delete({ path: 'a.txt' });", &[]);
    assert_eq!(
        (ended, &waits["state"], &waits["pending"]["action_type"]),
        (3, &json!("awaiting_confirmation"), &json!("file.delete"))
    );
    assert!(waits["pending"]["preview"].is_object() && workspace.text("a.txt") == "one\ntwo\n", "{waits}");
}

#[test]
fn finished_script_becomes_a_recipe() {
    let workspace = Workspace::new();
    workspace.put("copy.ts", "await aside.file.copy({ from: 'a.txt', to: args.to });");
    let (_, done) = workspace.json(&["script", "run", "copy.ts", "--args", r#"{"to": "b.txt"}"#]);
    let (_, recipe) = workspace.json(&["recipe", "save", done["task"].as_str().unwrap(), "--name", "copy"]);
    assert_eq!((&recipe["parameters"][0]["name"], &recipe["steps"]), (&json!("to"), &json!([])), "{recipe}");
    let (ended, again) = workspace.json(&["recipe", "run", "copy", "--set", "to=c.txt"]);
    assert_eq!(
        (ended, &again["state"], workspace.text("c.txt").as_str()),
        (0, &json!("completed"), "one\ntwo\n"),
        "{again}"
    );
}

#[test]
fn check_names_the_place_of_a_mistake() {
    let workspace = Workspace::new();
    workspace.put("wrong.ts", "\nawait aside.file.copi({ from: 'a.txt' });");
    let checked = workspace.command(&["script", "check", "wrong.ts"]).output().unwrap();
    let text = String::from_utf8(checked.stdout).unwrap();
    assert_eq!((checked.status.code(), text.starts_with("wrong.ts:2:7: ")), (Some(1), true), "{text}");
    workspace.put("right.ts", "await aside.file.copy({ from: 'a.txt', to: 'b.txt' });");
    assert_eq!(workspace.json(&["script", "check", "right.ts"]), (0, json!({ "findings": [] })));
    let types = workspace.command(&["script", "types"]).output().unwrap();
    assert!(String::from_utf8(types.stdout).unwrap().contains("readonly file: {"));
}

#[test]
fn held_run_says_why_it_pauses() {
    let workspace = Workspace::new();
    workspace.put(
        "copies.ts",
        "for (const name of args.names) await aside.file.copy({ from: 'a.txt', to: `${name}.copy` });",
    );
    let run = |names: &str, more: &[&str]| {
        let args = format!(r#"{{"names": {names}}}"#);
        workspace.command(&[&["script", "run", "copies.ts", "--args", &args], more].concat()).output().unwrap()
    };
    let dry = run(r#"["b"]"#, &["--dry-run", "--json"]);
    let dry: serde_json::Value = serde_json::from_slice(&dry.stdout).unwrap();
    let held = run(r#"["b", "c"]"#, &["--shown", dry["task"].as_str().unwrap()]);
    let text = String::from_utf8(held.stdout).unwrap();
    assert_eq!(held.status.code(), Some(3), "{text}");
    assert!(text.contains("paused: The dry run did not show this call of `file.copy`"), "{text}");
    assert!(text.contains("resume it with: aside task resume tsk_"), "{text}");
    assert_eq!((workspace.text("b.copy").as_str(), workspace.text("c.copy").as_str()), ("one\ntwo\n", "(none)"));
}

#[test]
fn browser_script_without_window_is_refused() {
    let workspace = Workspace::new();
    workspace.put("one.ts", "return 1;");
    let (ended, refused) = workspace.json(&["script", "run", "one.ts", "--place", "browser"]);
    assert_eq!((ended, &refused["error"]["code"]), (1, &json!("no_window")), "{refused}");
    workspace.put("tabs.ts", "\nawait aside.ui.tabs.list();");
    let (ended, refused) = workspace.json(&["script", "run", "tabs.ts", "--place", "host"]);
    assert_eq!((ended, &refused["error"]["line"]), (1, &json!(2)), "{refused}");
}

#[test]
fn answer_covers_all_calls_of_the_run() {
    let workspace = Workspace::new();
    for name in ["x.tmp", "y.tmp", "z.tmp"] {
        workspace.put(name, "x");
    }
    workspace.put("delete.ts", "for (const name of ['x', 'y', 'z']) await aside.file.delete({ path: `${name}.tmp` });");
    let (_, waits) = workspace.json(&["script", "run", "delete.ts"]);
    let (ended, decided) =
        workspace.json(&["decide", waits["pending"]["id"].as_str().unwrap(), "--yes", "--remember", "run"]);
    assert_eq!((ended, &decided["record"]["remembered"]["scope"]), (0, &json!("class")), "{decided}");
    assert_eq!(["x.tmp", "y.tmp", "z.tmp"].map(|name| workspace.text(name)), ["(none)"; 3]);
    let (_, task) = workspace.json(&["task", "show", waits["task"].as_str().unwrap()]);
    assert_eq!(task["state"], "completed", "{task}");
}
