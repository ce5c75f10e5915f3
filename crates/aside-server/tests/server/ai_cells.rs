//! The threads of AI cells over HTTP: one for each cell, there before the first answer, so that its model can be chosen.

use aside_llm::Script;
use serde_json::{Value, json};

use crate::harness::Server;

const NOTEBOOK: &str = "tides.ipynb";

async fn server() -> Server {
    let folder = tempfile::tempdir().unwrap();
    let cell = |id: &str, metadata: Value| {
        json!({
            "cell_type": "code", "id": id, "metadata": metadata, "source": "how high?", "execution_count": null, "outputs": [],
        })
    };
    let cells = [cell("code", json!({})), cell("ask", json!({"aside": {"cell": "ai"}}))];
    let notebook = json!({ "cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5 });
    std::fs::write(folder.path().join(NOTEBOOK), notebook.to_string()).unwrap();
    let script = json!({ "name": "tides", "replies": [], "otherwise": "Two metres." });
    Server::rehearsing_in(folder, Script::parse(&script.to_string()).unwrap()).await
}

async fn listed(server: &Server) -> Value {
    let (status, list) = server.ask("GET", &format!("notebooks/ai-cells?path={NOTEBOOK}"), None).await;
    assert_eq!(status, 200, "{list}");
    list
}

#[tokio::test]
async fn a_cell_has_one_thread_before_it_is_asked_and_after() {
    let server = server().await;
    assert_eq!(listed(&server).await, json!([]));
    let made = server.post("notebooks/ai-cells", json!({ "path": NOTEBOOK, "cell": "ask" })).await;
    assert_eq!((&made["cell"], &made["thread"]["document"]), (&json!("ask"), &json!(NOTEBOOK)));
    let again = server.post("notebooks/ai-cells", json!({ "path": NOTEBOOK, "cell": "ask" })).await;
    assert_eq!(again["thread"]["id"], made["thread"]["id"]);
    let id = made["thread"]["id"].as_str().unwrap();
    let change = json!({ "model": "rehearsal/tides" });
    let (status, changed) = server.ask("PATCH", &format!("threads/{id}"), Some(change)).await;
    assert_eq!((status, &changed["model"]), (200, &json!("rehearsal/tides")));
    let run = json!({ "action_type": "cell.run", "args": { "path": NOTEBOOK, "cells": ["ask"] } });
    assert_eq!(server.post("actions", run).await["state"], "done");
    let said = async {
        loop {
            let (_, thread) = server.ask("GET", &format!("threads/{id}"), None).await;
            if thread.to_string().contains("turn_ended") {
                return thread.to_string();
            }
        }
    };
    let said = tokio::time::timeout(std::time::Duration::from_secs(30), said).await.unwrap();
    assert!(said.contains("Two metres."), "{said}");
    let list = listed(&server).await;
    assert_eq!((list.as_array().unwrap().len(), &list[0]["thread"]["id"]), (1, &made["thread"]["id"]));
}

#[tokio::test]
async fn what_is_no_ai_cell_gets_no_thread() {
    let server = server().await;
    for cell in ["code", "gone"] {
        let body = json!({ "path": NOTEBOOK, "cell": cell });
        let (status, problem) = server.ask("POST", "notebooks/ai-cells", Some(body)).await;
        assert_eq!((status, &problem["error"]["code"]), (404, &json!("not_found")), "{problem}");
    }
    assert_eq!(listed(&server).await, json!([]));
}
