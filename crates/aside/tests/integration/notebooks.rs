//! Notebooks and their kernels from the command line.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::common::{Workspace, code, stderr, stdout};

/// With a notebook of these cells, and an environment that has a kernel.
fn workspace(sources: &[&str]) -> Option<Workspace> {
    let prefix = aside_testkit::python()?;
    let workspace = Workspace::new();
    symlink(prefix, workspace.path().join(".venv")).unwrap();
    let cell = |(at, source): (usize, &&str)| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {}, "outputs": [], "source": [source]});
    let cells: Vec<Value> = sources.iter().enumerate().map(cell).collect();
    let notebook = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    workspace.put("a.ipynb", &serde_json::to_string_pretty(&notebook).unwrap());
    Some(workspace)
}

fn outputs(workspace: &Workspace, file: &str) -> Value {
    let file: Value = serde_json::from_str(&workspace.text(file)).unwrap();
    file["cells"].as_array().unwrap().iter().map(|cell| cell["outputs"].clone()).collect()
}

#[test]
fn a_notebook_is_run_into_itself_or_beside_and_a_cell_that_fails_is_the_exit_code() {
    let Some(workspace) = workspace(&["x = 41", "print(x + 1)"]) else { return };
    let (ended, done) = workspace.json(&["notebook", "run", "a.ipynb", "--output", "b.ipynb"]);
    assert_eq!((ended, &done["state"]), (0, &json!("done")), "{done}");
    assert_eq!(outputs(&workspace, "b.ipynb")[1][0]["text"], json!(["42\n"]));
    assert_eq!(outputs(&workspace, "a.ipynb"), json!([[], []]));
    workspace.put("a.ipynb", &workspace.text("a.ipynb").replace("print(x + 1)", "1/0"));
    let failed = workspace.run(&["notebook", "run", "a.ipynb"]);
    assert_eq!(code(&failed), 1, "{failed:?}");
    assert!(stdout(&failed).contains("cell 2 of 2 (c1): ZeroDivisionError: division by zero"), "{failed:?}");
    assert_eq!(outputs(&workspace, "a.ipynb")[1][0]["ename"], "ZeroDivisionError");
    let unknown = workspace.run(&["notebook", "run", "a.ipynb", "--kernel", "no-such-kernel"]);
    assert_ne!(code(&unknown), 0);
    assert!(stdout(&unknown).contains("no kernel named `no-such-kernel`"), "{unknown:?}");
}

#[test]
fn a_cell_is_run_in_a_kernel_that_stays_is_listed_and_is_stopped() {
    let Some(workspace) = workspace(&["x = 41", "x + 1", "1/0"]) else { return };
    let server = workspace.serve();
    let run = |cell: &str, code: i32| {
        let args = json!({"path": "a.ipynb", "cells": [cell]}).to_string();
        let (ended, done) = workspace.json(&["do", "cell.run", "--args", &args]);
        assert_eq!((ended, &done["state"]), (code, &json!("done")), "{done}");
        done["record"]["outcome"]["observation"].clone()
    };
    run("c0", 0);
    run("c2", 1);
    let told = run("c1", 0);
    assert!(told["text"].as_str().unwrap().contains("value:\n42"), "what the first defined is there: {told}");
    let (_, listed) = workspace.json(&["kernels", "list"]);
    assert_eq!((&listed["running"][0]["path"], &listed["running"][0]["state"]), (&json!("a.ipynb"), &json!("idle")));
    let names: Vec<_> =
        listed["kernels"].as_array().unwrap().iter().map(|kernel| kernel["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"python3"), "{names:?}");
    assert!(stdout(&workspace.run(&["kernels", "list"])).contains("running: a.ipynb"));
    let other = workspace.run(&["kernels", "stop", "b.ipynb"]);
    assert!(code(&other) != 0 && stderr(&other).contains("no kernel is running for `b.ipynb`"), "{other:?}");
    assert_eq!(stdout(&workspace.run(&["kernels", "stop", "a.ipynb"])).trim(), "stopped 1 kernel");
    let (_, listed) = workspace.json(&["kernels", "list"]);
    assert_eq!(listed["running"], json!([]));
    assert_eq!(stdout(&workspace.run(&["kernels", "stop", "--all"])).trim(), "no kernel is running");
    server.end();
}
