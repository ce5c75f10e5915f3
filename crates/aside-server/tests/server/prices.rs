//! A newer list of prices: taken, kept, believed only whole, and got by a person only.

use serde_json::{Map, Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::{
    harness::{Server, data, start},
    program::Program,
};

/// So many models; a token of each costs `dollars`.
fn list(models: usize, dollars: f64) -> Value {
    let entry = json!({"litellm_provider": "openai", "mode": "chat",
        "input_cost_per_token": dollars, "output_cost_per_token": dollars});
    Value::Object((0..models).map(|number| (format!("m{number}"), entry.clone())).collect::<Map<_, _>>())
}

async fn refresh(server: &Server, body: Value) -> (u16, Value) {
    server.ask("POST", "models/prices", Some(body)).await
}

/// The source and the number of models of each list that holds.
async fn lists(server: &Server) -> Vec<(String, u64)> {
    let (_, found) = server.ask("GET", "models/prices", None).await;
    let row = |list: &Value| (list["source"].as_str().unwrap().to_owned(), list["models"].as_u64().unwrap());
    found["lists"].as_array().unwrap().iter().map(row).collect()
}

#[tokio::test]
async fn a_list_counts_before_the_one_that_comes_along_and_survives_a_start() {
    let server = Server::new().await;
    let before = lists(&server).await;
    assert_eq!(before.len(), 1);
    // Larger than other bodies may be.
    let (status, body) = refresh(&server, json!({ "list": list(30_000, 1e-6) })).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(lists(&server).await[0].1, 30_000);
    assert_eq!(refresh(&server, json!({ "list": list(50, 1e-6) })).await.0, 200);
    let after = lists(&server).await;
    assert_eq!((after[0].1, &after[1..]), (50, &before[..]));

    let folder = server.stop().await;
    let server = Server { running: start(folder.path()).await, folder };
    assert_eq!(lists(&server).await, after);
    let kept = data(server.folder.path()).file("prices.json", 1 << 20);
    kept.change(|_| Ok::<_, std::io::Error>("{".to_owned())).unwrap();
    let (_, found) = server.ask("GET", "models/prices", None).await;
    assert!(found["problem"].as_str().unwrap().contains("prices.json"), "{found}");
    assert_eq!(lists(&server).await, after, "what was read before counts");
}

#[tokio::test]
async fn unreachable_list_is_another_servers_fault() {
    let server = Server::new().await;
    let (status, body) = refresh(&server, json!({ "from": "http://127.0.0.1:1/prices.json" })).await;
    assert_eq!((status, body["error"]["code"].as_str()), (502, Some("provider_unreachable")), "{body}");
    assert!(body["error"]["hint"].as_str().is_some_and(|hint| hint.contains("--from FILE")), "{body}");
    assert_eq!(lists(&server).await.len(), 1);
}

#[tokio::test]
async fn what_a_model_cost_before_a_newer_list_is_kept_with_it() {
    let server = Server::new().await;
    let mut newer = list(50, 1e-6);
    newer["gpt-4o"] = newer["m0"].clone();
    assert_eq!(refresh(&server, json!({ "list": newer })).await.0, 200);
    let text = data(server.folder.path()).file("prices.json", 1 << 20).read().unwrap().unwrap();
    let kept: Value = serde_json::from_str(&text).unwrap();
    let gpt = &kept["models"]["openai/gpt-4o"];
    assert_eq!((&gpt["input"], &gpt["valid_from"]), (&json!(1.0), &kept["date"]));
    assert_eq!((&gpt["before"][0]["input"], gpt["before"].as_array().unwrap().len()), (&json!(2.5), 1));
    assert!(kept["models"]["openai/m0"].get("valid_from").is_none(), "what no list had before always cost that");
}

#[tokio::test]
async fn what_is_not_to_be_believed_changes_nothing() {
    let server = Server::new().await;
    assert_eq!(refresh(&server, json!({ "list": list(50, 1e-6) })).await.0, 200);
    let before = lists(&server).await;
    for wrong in [
        json!({ "list": list(60, -1e-6) }),
        json!({ "list": list(60, 0.5) }),
        json!({ "list": list(5, 1e-6) }),
        json!({ "list": {} }),
        json!({ "list": [] }),
        json!({ "list": list(60, 1e-6), "from": "https://models.example/list.json" }),
        json!({ "from": "http://models.example/list.json" }),
        json!({ "from": "file:///etc/passwd" }),
        json!({ "form": 1 }),
    ] {
        let (status, body) = refresh(&server, wrong).await;
        assert_eq!(status, 400, "{body}");
    }
    assert_eq!(lists(&server).await, before);
}

#[tokio::test]
async fn one_on_this_machine_is_fetched_and_local_only_holds_for_the_rest() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let from = format!("http://{}/prices.json", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let _ = socket.read(&mut [0; 4096]).await;
        let body = list(70, 1e-6).to_string();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        socket.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    });
    let server = Server::new().await;
    server.ask("PUT", "models/local-only", Some(json!({ "on": true }))).await;
    let (status, body) = refresh(&server, json!({ "from": from })).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(lists(&server).await[0], (from, 70));
    let (status, body) = refresh(&server, json!({})).await;
    assert_eq!((status, &body["error"]["code"]), (403, &json!("local_only")));
}

#[tokio::test]
async fn a_program_can_not_change_prices() {
    let server = Server::new().await;
    let all = json!({ "risks": ["read", "write", "destructive", "access", "billing", "network", "install"] });
    let program = Program::new(&server, all).await;
    let body = json!({ "list": list(50, 0.0) });
    assert_eq!(program.ask("POST", "models/prices", Some(body)).await.0, 403);
    assert_eq!(lists(&server).await.len(), 1);
}

#[tokio::test]
async fn limits_are_changed_by_a_person_and_the_rest_of_their_file_stays() {
    let server = Server::new().await;
    let file = data(server.folder.path()).file("spending.toml", 1 << 20);
    file.change(|_| Ok::<_, std::io::Error>("# mine\n[limits]\nturn = 1 # each\n".to_owned())).unwrap();
    let set = async |turn: Value| {
        let body = json!({ "turn": turn, "thread": null, "day": 10_000_000_000_000u64 });
        server.ask("PUT", "spending/limits", Some(body)).await
    };
    let (status, view) = set(json!(500_000_000_000u64)).await;
    assert_eq!((status, &view["limits"]["turn"]), (200, &json!(500_000_000_000u64)), "{view}");
    let kept = file.read().unwrap().unwrap();
    assert_eq!(kept, "# mine\n[limits]\nturn = 0.5 # each\nday = 10.0\n");
    assert_eq!(set(json!(u64::MAX)).await.0, 400);
    file.change(|_| Ok::<_, std::io::Error>("[limits".to_owned())).unwrap();
    let (status, refused) = set(json!(null)).await;
    assert_eq!((status, file.read().unwrap().as_deref()), (400, Some("[limits")), "{refused}");
}

#[tokio::test]
async fn asking_less_and_other_limits_are_audited() {
    let server = Server::new().await;
    let noted = async || {
        let (_, entries) = server.ask("GET", "audit?after=0&limit=1000", None).await;
        let entries = entries.as_array().unwrap().clone();
        let said = |entry: &Value| {
            let body = &entry["body"];
            let [kind, name, by] = ["kind", "action_type", "decided_by"].map(|field| body[field].as_str());
            let told = matches!(name, Some("thread.set_asking" | "spending.set_limits"));
            told.then(|| Some(format!("{} {} by {}", kind?, name?, by?))).flatten()
        };
        entries.iter().filter_map(said).collect::<Vec<String>>()
    };
    let limit = async |day: Value| {
        let body = json!({ "turn": null, "task": null, "thread": null, "day": day, "workspace": null });
        assert_eq!(server.ask("PUT", "spending/limits", Some(body)).await.0, 200);
    };
    let careful = server.post("threads", json!({ "mode": "review_at_end", "runs": "ask" })).await;
    limit(json!(10_000_000_000_000u64)).await;
    limit(json!(1_000_000_000_000u64)).await;
    assert_eq!(noted().await, ["outcome spending.set_limits by ada"; 2], "the thread asks as before");

    server.post("threads", json!({ "runs": "auto" })).await;
    let path = format!("threads/{}", careful["id"].as_str().unwrap());
    for mode in ["auto_apply", "auto_apply", "review_each"] {
        assert_eq!(server.ask("PATCH", &path, Some(json!({ "mode": mode }))).await.0, 200);
    }
    let wishes = [
        (json!({ "runs_after_outputs": "a.ipynb" }), 400),
        (json!({ "runs": "auto", "runs_after_outputs": "a.py" }), 400),
        (json!({ "runs": "after_review", "runs_after_outputs": "a.ipynb" }), 200),
        (json!({ "runs_after_outputs": "a.ipynb" }), 200),
        (json!({ "runs_after_outputs": null }), 200),
        (json!({ "runs_after_outputs": "b.ipynb" }), 200),
        (json!({ "title": "still" }), 200),
    ];
    for (wish, wanted) in wishes {
        let (status, thread) = server.ask("PATCH", &path, Some(wish.clone())).await;
        assert_eq!(status, wanted, "{wish}: {thread}");
    }
    let wished = async || server.ask("GET", &path, None).await.1["thread"]["runs_after_outputs"].clone();
    assert_eq!(wished().await, "b.ipynb");
    server.ask("PATCH", &path, Some(json!({ "runs": "ask" }))).await;
    assert_eq!(wished().await, Value::Null, "who is asked each time is asked after outputs");
    limit(json!(2_000_000_000_000u64)).await;
    limit(Value::Null).await;
    let person = |name: &str| format!("outcome {name} by ada");
    let limits = vec!["spending.set_limits"; 2];
    let wanted = [limits.clone(), vec!["thread.set_asking"; 4], limits].concat();
    assert_eq!(noted().await, wanted.into_iter().map(person).collect::<Vec<_>>());
}
