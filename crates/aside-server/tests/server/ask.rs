//! `ask/route`: sentences to actions, with a situation or with what the server knows.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Server;

async fn server() -> Server {
    Server::with(|folder| {
        fs::create_dir_all(folder.join("data")).unwrap();
        fs::write(folder.join("data/tides.csv"), "height\n").unwrap();
        fs::write(folder.join("plan.md"), "# Plan\n").unwrap();
    })
    .await
}

async fn route(server: &Server, body: Value) -> Value {
    server.post("ask/route", body).await
}

#[tokio::test]
async fn sentence_names_files_that_server_knows() {
    let server = server().await;
    let routed = route(&server, json!({ "text": "open tides.csv" })).await;
    assert_eq!(routed["kind"], "action", "{routed}");
    let step = &routed["actions"][0];
    assert_eq!((&step["action_type"], &step["args"]), (&json!("ui.open"), &json!({ "path": "data/tides.csv" })));
    assert_eq!((&step["title"], &step["is_gentle"]), (&json!("Open data/tides.csv"), &json!(true)));
    let routed = route(&server, json!({ "text": "rename plan.md to goals.md" })).await;
    let step = &routed["actions"][0];
    assert_eq!(
        (&step["risks"], &step["is_gentle"], &step["undo"]),
        (&json!(["write"]), &json!(false), &json!("inverse"))
    );
}

#[tokio::test]
async fn context_of_window_counts_instead() {
    let server = server().await;
    let context = json!({ "tabs": [{ "path": "a.ipynb", "kind": "notebook", "active": true }], "selection": null });
    let routed = route(&server, json!({ "text": "restart the kernel", "context": context })).await;
    assert_eq!(routed["actions"][0]["args"], json!({ "path": "a.ipynb" }));
    let routed = route(&server, json!({ "text": "open tides.csv", "context": context })).await;
    assert_eq!(routed["kind"], "model", "the window knows no such file");
}

#[tokio::test]
async fn tabs_of_asking_window_leave_no_trace() {
    let server = server().await;
    let tab = |path: &str, active: bool| json!({ "path": path, "is_file": true, "active": active });
    let window = json!({ "tabs": [tab("plan.md", false), tab("lab.ipynb", true)] });
    let routed = route(&server, json!({ "text": "restart the kernel", "window": window })).await;
    assert_eq!(routed["actions"][0]["args"], json!({ "path": "lab.ipynb" }));
    let routed = route(&server, json!({ "text": "open tides.csv", "window": window })).await;
    assert_eq!(routed["actions"][0]["args"], json!({ "path": "data/tides.csv" }), "the server knows the files");
    let (_, audit) = server.ask("GET", "audit", None).await;
    let audit = audit.to_string();
    assert!(!audit.contains("ui.tabs.list"), "{audit}");
}

#[tokio::test]
async fn cell_and_parts_of_window_are_meant() {
    let server = Server::with(|folder| {
        let cell = |id: &str| json!({ "id": id, "cell_type": "code", "source": "1", "metadata": {}, "outputs": [], "execution_count": null });
        let book = json!({ "cells": [cell("one"), cell("two")], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 });
        fs::write(folder.join("lab.ipynb"), book.to_string()).unwrap();
    })
    .await;
    let window = json!({
        "tabs": [{ "path": "lab.ipynb", "is_file": true, "active": true }],
        "cell": { "path": "lab.ipynb", "key": "two" },
        "layout": { "sidebar": true, "side": false, "dark": true },
        "time": "2026-03-01T23:30:00+09:00",
    });
    let action =
        async |text: &str| route(&server, json!({ "text": text, "window": window })).await["actions"][0].clone();
    let run = action("run this cell").await;
    assert_eq!(run["args"], json!({ "path": "lab.ipynb", "cells": ["two"] }), "{run}");
    let toggle = action("toggle the sidebar").await;
    assert_eq!((&toggle["args"], &toggle["title"]), (&json!({ "sidebar": "hide" }), &json!("Hide the list of files")));
    let theme = action("toggle dark mode").await;
    assert_eq!(theme["args"], json!({ "mode": "light" }));
    let body = json!({ "text": "open lab.ipynb", "window": { "tabs": [], "time": "soon" } });
    assert_eq!(server.ask("POST", "ask/route", Some(body)).await.0, 400);
}

#[tokio::test]
async fn todo_is_ticked_by_a_sentence() {
    let server = Server::with(|folder| {
        fs::write(folder.join("plan.md"), "# Plan\n- [ ] Buy rope\n").unwrap();
    })
    .await;
    // The index of notes reads its files first.
    server.ask("GET", "todos", None).await;
    let routed = route(&server, json!({ "text": "mark 'buy rope' as done" })).await;
    let step = &routed["actions"][0];
    assert_eq!((&step["action_type"], &step["args"]), (&json!("todo.done"), &json!({ "todo": "plan.md:2 Buy rope" })));
    let request = json!({ "action_type": step["action_type"], "args": step["args"] });
    let done = server.post("actions", request).await;
    assert_eq!(done["state"], "done", "{done}");
    let folder = server.stop().await;
    assert_eq!(fs::read_to_string(folder.path().join("plan.md")).unwrap(), "# Plan\n- [x] Buy rope\n");
}

#[tokio::test]
async fn settings_and_programs_have_sentences() {
    let server = server().await;
    let colour = |value: &str| json!({ "key": "workspace.colour", "value": value });
    for (text, action, args) in [
        ("set workspace color to orange", "settings.set", colour("orange")),
        ("Make this project violet", "settings.set", colour("purple")),
        ("reset the workspace colour", "settings.set", colour("none")),
        ("add quick launcher entry for rmd", "settings.set", json!({ "key": "launcher.cards", "add": "rmd" })),
        ("remove the launcher card for .rmd", "settings.set", json!({ "key": "launcher.cards", "remove": ".rmd" })),
        ("launch JupyterLab server", "ui.go", json!({ "beside": "jupyterlab" })),
        ("open in JupyterLab", "ui.go", json!({ "beside": "jupyterlab" })),
    ] {
        let routed = route(&server, json!({ "text": text })).await;
        let step = &routed["actions"][0];
        assert_eq!((&step["action_type"], &step["args"]), (&json!(action), &args), "{text}: {routed}");
        assert_eq!(step["is_gentle"], action == "ui.go", "{text}");
    }
    for text in ["make the workspace nicer", "set workspace color to the sky", "why launch JupyterLab?", "open"] {
        let routed = route(&server, json!({ "text": text })).await;
        assert_eq!(routed["kind"], "model", "{text}: {routed}");
    }
}

#[tokio::test]
async fn routing_does_nothing() {
    let server = server().await;
    let routed = route(&server, json!({ "text": "delete plan.md" })).await;
    assert_eq!(routed["actions"][0]["action_type"], "file.delete");
    assert!(server.folder.path().join("plan.md").exists());
}

#[tokio::test]
async fn unfit_context_is_refused() {
    let server = server().await;
    let body = json!({ "text": "close all tabs", "context": { "tabs": "all" } });
    let (status, refused) = server.ask("POST", "ask/route", Some(body)).await;
    assert_eq!(status, 400);
    assert!(refused.to_string().contains("does not describe a situation"), "{refused}");
}
