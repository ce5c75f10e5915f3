//! A kernel that does not start says why, wherever it was wanted.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and looks at the files")]

use std::fs;

use aside_core::{ActionRecord, ActionState};
use serde_json::{Value, json};

use crate::{
    common::{Bench, failure},
    notebooks::with_kernels,
};

/// A notebook for the kernel of a name, and environments with these kernels: what is started for each.
fn bench(kernel: &str, kernels: &[(&str, &[&str])]) -> Bench {
    let notebook = json!({
        "cells": [{"cell_type": "code", "execution_count": null, "id": "c0", "metadata": {}, "outputs": [], "source": ["1"]}],
        "metadata": {"kernelspec": {"display_name": "Lab", "language": "lab", "name": kernel}},
        "nbformat": 4, "nbformat_minor": 5,
    });
    let text = serde_json::to_string_pretty(&notebook).unwrap();
    let bench = Bench::new(&[("analysis.ipynb", &*text), (".venv/pyvenv.cfg", "")]);
    for (name, argv) in kernels {
        let folder = bench.folder.path().join(".venv/share/jupyter/kernels").join(name);
        fs::create_dir_all(&folder).unwrap();
        let spec = json!({"argv": argv, "display_name": name, "language": "lab"});
        fs::write(folder.join("kernel.json"), spec.to_string()).unwrap();
    }
    bench
}

/// Wants the kernel in every way, and returns what each said.
async fn wanted(bench: &Bench) -> Vec<(String, Option<String>)> {
    let _sessions = with_kernels(bench);
    let mut said = Vec::new();
    for (action, args) in
        [("kernel.start", json!({})), ("cell.run", json!({"cells": ["c0"], "wait": true})), ("notebook.run", json!({}))]
    {
        let mut args = args;
        args["path"] = json!("analysis.ipynb");
        said.push(told(&done(bench, action, args).await));
    }
    said
}

async fn done(bench: &Bench, action: &str, args: Value) -> ActionRecord {
    let record = bench.ask(action, args).await;
    if record.state == ActionState::AwaitingConfirmation { bench.approve(&record).await } else { record }
}

fn told(record: &ActionRecord) -> (String, Option<String>) {
    let failure = failure(record);
    (format!("{}: {}", failure.code, failure.message), failure.hint.clone())
}

#[tokio::test]
async fn missing_program_and_early_exit_are_told_alike() {
    for (argv, message) in [
        (
            &["/no/such/program", "{connection_file}"][..],
            "kernel: cannot start the kernel: the program `/no/such/program` was not found",
        ),
        (
            &["/bin/sh", "-c", "echo no module named lab; exit 3"],
            "kernel: the kernel died (exit code 3; its last output: no module named lab)",
        ),
    ] {
        let said = wanted(&bench("lab", &[("lab", argv)])).await;
        assert!(said.iter().all(|(words, _)| words == message), "{said:?}");
    }
}

#[tokio::test]
async fn missing_kernel_asks_which_one_to_take() {
    let bench = bench("the-lab", &[("lab", &["/no/such/program"])]);
    let before = fs::read(bench.folder.path().join("analysis.ipynb")).unwrap();
    for (words, hint) in wanted(&bench).await {
        assert_eq!(words, "no_kernel: there is no kernel named `the-lab`");
        let hint = hint.unwrap();
        assert!(hint.starts_with("choose one that is installed with `kernel.start` and `kernel`: `lab`"), "{hint}");
    }
    assert_eq!(fs::read(bench.folder.path().join("analysis.ipynb")).unwrap(), before, "the notebook keeps its kernel");
}
