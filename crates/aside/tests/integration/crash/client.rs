//! How a client asks for each kind of thing, answers what it is shown, and goes on after the server was killed.

use std::{sync::Mutex, time::Duration};

use serde_json::{Value, json};

use crate::crash::{
    server::{Gone, Server},
    work::{Item, Kind},
};

/// How often a part that can't be made as things are is said yes to before it is rejected.
const TRIES: usize = 2;

type Done = Mutex<Vec<Step>>;

/// What a client did, or was told.
pub(crate) enum Step {
    Begun(Item, Option<String>),
    /// How the server said that something ended.
    Told(Item, String),
    /// Nothing more is asked about it.
    Ended(Item),
}

/// Works on its items, one after the other, until the server is gone.
pub(crate) fn client(server: &Server, items: Vec<(Item, Option<String>)>) -> impl AsyncFnOnce(&Done) {
    async move |done: &Done| {
        for (item, thread) in items {
            note(done, Step::Begun(item, thread.clone()));
            let ended = match item.kind {
                Kind::Turn | Kind::Parts => turn(server, item, thread, done).await,
                Kind::Plan => plan(server, item, done).await,
                Kind::Undo => undo(server, item, done).await,
                _ => asked(server, item, done).await.map(drop),
            };
            match ended {
                Ok(()) => note(done, Step::Ended(item)),
                Err(Gone) => return,
            }
        }
    }
}

fn note(done: &Done, step: Step) {
    done.lock().unwrap().push(step);
}

/// Asks under the item's key, and decides if it has to be.
async fn asked(server: &Server, item: Item, done: &Done) -> Result<Value, Gone> {
    let mut body = item.request();
    body["idempotency_key"] = json!(item.mark());
    let answer = server.post("actions", body).await?;
    decided(server, item, answer["record"].clone(), done).await
}

async fn decided(server: &Server, item: Item, record: Value, done: &Done) -> Result<Value, Gone> {
    if record["state"] != "awaiting_confirmation" {
        note(done, Step::Told(item, state(&record, item)));
        return Ok(record);
    }
    let id = id(&record);
    let decision = json!({ "decision": item.decision(), "hash": record["approval_hash"] });
    let answer = server.post(&format!("actions/{id}/decision"), decision).await?;
    let record = match answer["error"].is_null() {
        true => answer["record"].clone(),
        // What was shown is no longer what would happen: it is looked at again.
        false => {
            let now = server.get(&format!("actions/{id}")).await?["record"].clone();
            assert_eq!(now["state"], "awaiting_confirmation", "{item:?}: {answer}");
            now
        }
    };
    Box::pin(decided(server, item, record, done)).await
}

fn id(record: &Value) -> &str {
    record["envelope"]["id"].as_str().unwrap_or_else(|| panic!("{record}"))
}

/// How an action ended by itself; that it was taken back is another's end.
fn state(record: &Value, item: Item) -> String {
    let state = record["state"].as_str().unwrap_or_else(|| panic!("{item:?}: {record}"));
    assert!(["done", "undone", "refused", "failed", "interrupted"].contains(&state), "{item:?}: {record}");
    if state == "undone" { "done".to_owned() } else { state.to_owned() }
}

/// Edits, and takes that back; both under keys of their own.
async fn undo(server: &Server, item: Item, done: &Done) -> Result<(), Gone> {
    let record = asked(server, Item::new(Kind::TakenBack, item.number), done).await?;
    if !["done", "undone"].contains(&record["state"].as_str().unwrap()) {
        return Ok(());
    }
    let back = json!({ "idempotency_key": item.mark() });
    let answer = server.post(&format!("actions/{}/undo", id(&record)), back).await?;
    assert!(answer["error"].is_null(), "{item:?}: {answer}");
    decided(server, item, answer["record"].clone(), done).await.map(drop)
}

/// Makes the task under the item's key, says yes or no to all that is shown, and lets it go on after a restart.
async fn plan(server: &Server, item: Item, done: &Done) -> Result<(), Gone> {
    let steps: Vec<_> = item.pieces().map(Item::request).collect();
    let wanted = json!({ "goal": item.mark(), "steps": steps, "idempotency_key": item.mark() });
    let mut task = server.post("tasks", wanted).await?;
    let path = format!("tasks/{}", task["task"]["id"].as_str().unwrap_or_else(|| panic!("{item:?}: {task}")));
    loop {
        match task["task"]["state"].as_str().unwrap() {
            "completed" | "failed" | "cancelled" => break,
            "awaiting_confirmation" => {
                let decision = json!({ "decision": item.decision(), "hash": task["plan"]["hash"] });
                // If it is no longer what was shown, it is looked at again.
                server.post(&format!("{path}/decision"), decision).await?;
            }
            _ if task["task"]["paused"] == "interrupted" => {
                let answer = server.post(&format!("{path}/resume"), json!({})).await?;
                assert!(answer["error"].is_null(), "{item:?}: {answer}");
            }
            _ => {}
        }
        task = server.get(&format!("{path}?settled=true")).await?;
    }
    let steps = task["plan"]["steps"].as_array().into_iter().flatten();
    for (piece, step) in item.pieces().zip(steps) {
        let end = match (step["state"].as_str().unwrap(), &step["outcome"]) {
            (state @ ("done" | "failed" | "interrupted"), _) => state,
            (_, Value::Null) => "nothing",
            _ => "refused",
        };
        note(done, Step::Told(piece, end.to_owned()));
    }
    Ok(())
}

/// Sends the message in a thread of its own, unless it is there, and decides on what the model proposes.
async fn turn(server: &Server, item: Item, thread: Option<String>, done: &Done) -> Result<(), Gone> {
    let thread = match thread {
        Some(thread) => thread,
        None => {
            let made = server.post("threads", json!({ "title": item.mark(), "mode": "review_each" })).await?;
            made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
        }
    };
    note(done, Step::Begun(item, Some(thread.clone())));
    let path = format!("threads/{thread}");
    if of_type(&server.get(&path).await?, "turn_started").is_none() {
        let sent = server.post(&format!("{path}/turns"), json!({ "text": item.mark() })).await?;
        assert!(sent["error"].is_null(), "{sent}");
    }
    loop {
        let log = server.get(&path).await?;
        if let Some(changed) = of_type(&log, "action_changed") {
            let record = changed["record"].clone();
            match item.kind {
                _ if record["state"] == "running" => {}
                Kind::Parts => return in_parts(server, item, &record, done).await,
                _ => return decided(server, item, record, done).await.map(drop),
            }
        } else if of_type(&log, "turn_ended").is_some() {
            note(done, Step::Told(item, "nothing".to_owned()));
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Decides part by part. One that can't be made as things are now is rejected in the end.
async fn in_parts(server: &Server, item: Item, record: &Value, done: &Done) -> Result<(), Gone> {
    let path = format!("actions/{}", id(record));
    for (part, number) in item.pieces().zip(0..) {
        for tried in 0.. {
            let record = server.get(&path).await?["record"].clone();
            let decided = record["parts"].as_array().unwrap().iter().any(|decided| decided["part"] == number);
            if decided || record["state"] != "awaiting_confirmation" {
                break;
            }
            let answer = if tried < TRIES { part.decision() } else { "reject" };
            let decision = json!({ "decision": answer, "hash": record["approval_hash"], "parts": [number] });
            server.post(&format!("{path}/decision"), decision).await?;
        }
    }
    let record = server.get(&path).await?["record"].clone();
    note(done, Step::Told(item, state(&record, item)));
    for (part, number) in item.pieces().zip(0..) {
        let decided = record["parts"].as_array().unwrap().iter().find(|decided| decided["part"] == number);
        let end = match decided.and_then(|decided| decided["action"].as_str()) {
            Some(child) => state(&server.get(&format!("actions/{child}")).await?["record"], part),
            None => "nothing".to_owned(),
        };
        note(done, Step::Told(part, end));
    }
    Ok(())
}

/// The last event of a type that is not about a part: those have a record of their own in the log.
fn of_type<'a>(log: &'a Value, wanted: &str) -> Option<&'a Value> {
    let events = log["events"].as_array().unwrap_or_else(|| panic!("{log}"));
    events.iter().map(|event| &event["body"]).rfind(|body| body["type"] == wanted && body["record"]["parent"].is_null())
}
