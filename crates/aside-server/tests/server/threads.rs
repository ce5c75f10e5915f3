//! Threads over the socket and as NDJSON: nothing is missed, nothing comes twice.

use aside_core::{LiveDelta, ThreadEvent, ThreadEventBody, ThreadId};
use aside_llm::Script;
use aside_protocol::{ClientFrame, ServerFrame};
use serde_json::{Value, json};

use crate::{
    harness::{Server, TOKEN},
    program::Program,
    socket::Socket,
};

/// A model that says two dozen words slowly, then is done.
async fn server() -> Server {
    let text = (0..24).map(|word| format!("wörd{word} 😀")).collect::<Vec<_>>().join(" ");
    let script = json!({
        "name": "slow",
        "replies": [
            { "when": "slow", "steps": [{ "text": text, "delay_ms": 2 }] },
            { "when": "endless", "steps": [{ "text": "word ".repeat(4000), "delay_ms": 20 }] },
        ],
        "otherwise": "I only rehearse.",
    });
    Server::rehearsing(Script::parse(&script.to_string()).unwrap()).await
}

async fn thread(server: &Server) -> ThreadId {
    let thread = server.post("threads", json!({ "model": "rehearsal/slow" })).await;
    thread["id"].as_str().unwrap().parse().unwrap()
}

async fn send(server: &Server, thread: &ThreadId, text: &str) {
    server.post(&format!("threads/{thread}/turns"), json!({ "text": text })).await;
}

/// Listens until the turn has ended; returns the events.
pub async fn until_the_end(socket: &mut Socket) -> Vec<ThreadEvent> {
    let mut events = Vec::new();
    socket
        .until(|frame| {
            let ServerFrame::ThreadEvent { event, .. } = frame else { return None };
            let over = matches!(event.body, ThreadEventBody::TurnEnded { .. });
            events.push(*event);
            over.then_some(())
        })
        .await;
    events
}

fn positions(events: &[ThreadEvent]) -> Vec<u64> {
    events.iter().map(|event| event.seq).collect()
}

#[tokio::test]
async fn a_reader_resumes_after_what_it_has() {
    let server = server().await;
    let thread = thread(&server).await;
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: thread.clone(), after: 0 }).await;
    send(&server, &thread, "hello").await;
    let all = until_the_end(&mut socket).await;
    let last = all.last().unwrap().seq;
    assert_eq!(positions(&all), (1..=last).collect::<Vec<_>>());
    for after in 0..=last {
        let mut late = Socket::connect(server.serving()).await;
        late.say(&ClientFrame::Subscribe { thread: thread.clone(), after }).await;
        let mut events = Vec::new();
        let caught_up = late
            .until(|frame| match frame {
                ServerFrame::ThreadEvent { event, .. } => {
                    events.push(*event);
                    None
                }
                ServerFrame::ThreadCaughtUp { seq, .. } => Some(seq),
                _ => None,
            })
            .await;
        assert_eq!(caught_up, last);
        assert_eq!(events, all[usize::try_from(after).unwrap()..]);
    }
}

#[tokio::test]
async fn one_who_comes_in_the_middle_of_an_answer_gets_all_of_it() {
    let server = server().await;
    let thread = thread(&server).await;
    let mut early = Socket::connect(server.serving()).await;
    early.say(&ClientFrame::Subscribe { thread: thread.clone(), after: 0 }).await;
    send(&server, &thread, "slow").await;
    early.until(|frame| matches!(frame, ServerFrame::ThreadDelta { .. }).then_some(())).await;
    let mut late = Socket::connect(server.serving()).await;
    late.say(&ClientFrame::Subscribe { thread, after: 0 }).await;
    let mut heard: Vec<u16> = Vec::new();
    let whole = late
        .until(|frame| match frame {
            ServerFrame::ThreadDelta { delta: LiveDelta::Text { offset, text, .. }, .. } => {
                let offset = usize::try_from(offset).unwrap();
                assert!(offset <= heard.len(), "a piece is missing before {text:?}");
                heard.truncate(offset);
                heard.extend(text.encode_utf16());
                None
            }
            ServerFrame::ThreadEvent { event, .. } => match event.body {
                ThreadEventBody::StepEnded { text, .. } => Some(text),
                _ => None,
            },
            _ => None,
        })
        .await;
    assert_eq!(String::from_utf16(&heard).unwrap(), whole);
    assert!(whole.contains("wörd23 😀"));
}

#[tokio::test]
async fn every_window_hears_of_a_new_thread() {
    let server = server().await;
    let mut socket = Socket::connect(server.serving()).await;
    let id = thread(&server).await;
    let heard = socket
        .until(|frame| match frame {
            ServerFrame::ThreadChanged { thread } => Some(thread),
            _ => None,
        })
        .await;
    assert_eq!(heard.id, id);
}

async fn lines(server: &Server, method: &str, path: &str, body: &str) -> Vec<Value> {
    let host = format!("127.0.0.1:{}", server.port());
    let bearer = format!("Bearer {TOKEN}");
    let headers = [("host", &*host), ("authorization", &*bearer), ("content-type", "application/json")];
    let answer = server.raw(method, &format!("/api/v1/{path}"), &headers, body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.head.contains("application/x-ndjson"), "{}", answer.head);
    answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_turn_streams_to_its_end() {
    let server = server().await;
    let thread = thread(&server).await;
    send(&server, &thread, "hello").await;
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: thread.clone(), after: 0 }).await;
    until_the_end(&mut socket).await;
    let body = json!({ "text": "slow" }).to_string();
    let turn = lines(&server, "POST", &format!("threads/{thread}/turns?stream=true&deltas=true"), &body).await;
    assert_eq!(turn[0]["body"]["type"], "turn_started");
    assert_eq!(turn[0]["body"]["text"], "slow", "the turn before is left out");
    assert_eq!(turn.last().unwrap()["body"]["type"], "turn_ended");
    assert!(turn.iter().any(|line| line["delta"]["type"] == "text"));
    let log = lines(&server, "GET", &format!("threads/{thread}/events?after=0"), "").await;
    let positions: Vec<u64> = log.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(positions, (1..=log.len() as u64).collect::<Vec<_>>());
    let later = lines(&server, "GET", &format!("threads/{thread}/events?after=3"), "").await;
    assert_eq!(later, log[3..]);
}

#[tokio::test]
async fn a_thread_that_is_not_there_is_not_found() {
    let server = server().await;
    let id = "thr_00000000000000000000000000";
    for (method, path) in [
        ("GET", format!("threads/{id}")),
        ("GET", format!("threads/{id}/events")),
        ("POST", format!("threads/{id}/stop")),
    ] {
        let (status, body) = server.ask(method, &path, None).await;
        assert_eq!((status, &body["error"]["code"]), (404, &json!("not_found")), "{path}");
    }
    let (status, _) = server.ask("GET", "threads/nonsense", None).await;
    assert_eq!(status, 400);
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: id.parse().unwrap(), after: 0 }).await;
    let refused = socket.until(|frame| match frame {
        ServerFrame::ThreadRefused { thread, failure } => Some((thread.to_string(), failure.code)),
        _ => None,
    });
    assert_eq!(refused.await, (id.to_owned(), "not_found".to_owned()));
}

#[tokio::test]
async fn a_thread_can_be_changed() {
    let server = server().await;
    let id = thread(&server).await;
    let change = json!({ "title": "Mine", "mode": "auto_apply", "archived": true });
    let (status, changed) = server.ask("PATCH", &format!("threads/{id}"), Some(change)).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!(
        (&changed["title"], &changed["mode"], &changed["archived"]),
        (&json!("Mine"), &json!("auto_apply"), &json!(true))
    );
    let (status, body) = server.ask("PATCH", &format!("threads/{id}"), Some(json!({ "owner": "x" }))).await;
    assert_eq!((status, &body["error"]["code"]), (400, &json!("bad_request")));
}

#[tokio::test]
async fn words_with_a_slash_are_those_the_thread_may_use_and_go_along_with_the_message() {
    let server = server().await;
    let names = |words: Value| {
        let words = words["words"].as_array().unwrap().clone();
        words.iter().map(|word| word["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = names(server.ask("GET", "slash", None).await.1);
    assert!(all.contains(&"fix".to_owned()) && all.contains(&"explain".to_owned()), "{all:?}");
    let reads = json!({ "model": "rehearsal/slow", "grant": { "risks": ["read"] } });
    let hint: ThreadId = server.post("threads", reads).await["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(names(server.ask("GET", &format!("slash?thread={hint}"), None).await.1), ["explain", "hint", "review"]);
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: hint.clone(), after: 0 }).await;
    send(&server, &hint, "/explain all of it").await;
    let events = until_the_end(&mut socket).await;
    let chips = events.iter().find_map(|event| match &event.body {
        ThreadEventBody::ContextSent { chips, .. } => Some(chips.clone()),
        _ => None,
    });
    assert_eq!(chips.unwrap()[0].label, "/explain");
}

#[tokio::test]
async fn what_was_said_is_found_and_a_thread_follows_its_file() {
    let server = server().await;
    std::fs::write(server.folder.path().join("a.py"), "x = 1\n").unwrap();
    let made = server.post("threads", json!({ "model": "rehearsal/slow", "document": "a.py" })).await;
    let id: ThreadId = made["id"].as_str().unwrap().parse().unwrap();
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: id.clone(), after: 0 }).await;
    send(&server, &id, "Why do the tides come late?").await;
    until_the_end(&mut socket).await;
    let (_, found) = server.ask("GET", "threads/search?q=LATE%20tides", None).await;
    assert_eq!((&found[0]["thread"]["id"], &found[0]["excerpt"]), (&json!(id), &json!("Why do the tides come late?")));
    assert!(found[0]["turn"].is_string());
    let (_, answers) = server.ask("GET", "threads/search?q=rehearse", None).await;
    assert_eq!(answers.as_array().unwrap().len(), 1, "what the model said counts: {answers}");
    let moved =
        server.post("actions", json!({ "action_type": "file.move", "args": { "from": "a.py", "to": "b.py" } })).await;
    assert_eq!(moved["state"], "done", "{moved}");
    let (_, beside) = server.ask("GET", "threads?document=b.py", None).await;
    assert_eq!(beside[0]["id"], json!(id));
}

#[tokio::test]
async fn a_deleted_thread_is_told_to_windows_asks_first_and_comes_back_by_undo() {
    let server = Server::new().await;
    let thread = server.post("threads", json!({ "title": "Old talk" })).await;
    let id = thread["id"].as_str().unwrap().to_owned();
    let mut socket = Socket::connect(server.serving()).await;
    let request = json!({ "action_type": "thread.delete", "args": { "thread": id } });
    let asked = server.post("actions", request.clone()).await;
    assert_eq!(asked["state"], "awaiting_confirmation", "{asked}");
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let action = asked["id"].as_str().unwrap().to_owned();
    let done = server.post(&format!("actions/{action}/decision"), yes).await;
    assert_eq!(done["state"], "done", "{done}");
    let told = socket
        .until(|frame| match frame {
            ServerFrame::ThreadDeleted { thread } => Some(thread),
            _ => None,
        })
        .await;
    assert_eq!(told.as_str(), id);
    assert_eq!(server.ask("GET", &format!("threads/{id}"), None).await.0, 404);
    let undone = server.post(&format!("actions/{action}/undo"), json!({})).await;
    assert_eq!(undone["state"], "done", "{undone}");
    assert_eq!(server.ask("GET", &format!("threads/{id}"), None).await.1["thread"]["title"], "Old talk");
    let program = Program::new(&server, json!({})).await;
    let refused = program.act("thread.delete", json!({ "thread": id })).await;
    assert_eq!(refused["outcome"]["failure"]["code"], "person_only", "{refused}");
}

#[tokio::test]
async fn a_message_takes_a_thread_back_that_was_put_away() {
    let server = server().await;
    let thread = thread(&server).await;
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: thread.clone(), after: 0 }).await;
    send(&server, &thread, "hello").await;
    until_the_end(&mut socket).await;
    let away = json!({ "archived": true });
    assert_eq!(server.ask("PATCH", &format!("threads/{thread}"), Some(away)).await.1["archived"], true);
    send(&server, &thread, "one thing more").await;
    assert_eq!(server.ask("GET", &format!("threads/{thread}"), None).await.1["thread"]["archived"], false);
}

#[tokio::test]
async fn a_thread_is_exported_as_markdown() {
    let server = server().await;
    let thread = thread(&server).await;
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Subscribe { thread: thread.clone(), after: 0 }).await;
    send(&server, &thread, "What are *tides*?").await;
    until_the_end(&mut socket).await;
    let bearer = format!("Bearer {TOKEN}");
    let path = format!("/api/v1/threads/{thread}/markdown");
    let host = format!("127.0.0.1:{}", server.port());
    let answer = server.raw("GET", &path, &[("host", &host), ("authorization", &bearer)], "").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.head.to_lowercase().contains("content-type: text/markdown; charset=utf-8"), "{}", answer.head);
    assert!(answer.body.contains("What are *tides*?") && answer.body.contains("I only rehearse."), "{}", answer.body);
    let other = path.replace(thread.as_str(), "thr_00000000000000000000000000");
    assert_eq!(server.raw("GET", &other, &[("host", &host), ("authorization", &bearer)], "").await.status, 404);
}

#[tokio::test]
async fn a_thread_asked_for_again_under_its_key_is_begun_once() {
    let server = server().await;
    let first = server.post("threads", json!({ "title": "one", "key": "a" })).await;
    let again = server.post("threads", json!({ "title": "one", "key": "a" })).await;
    assert_eq!(first["id"], again["id"]);
    let (_, listed) = server.ask("GET", "threads", None).await;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let (status, told) = server.ask("POST", "threads", Some(json!({ "key": "k".repeat(65) }))).await;
    assert_eq!((status, &told["error"]["code"]), (400, &json!("invalid_message")));
}

#[tokio::test]
async fn a_message_sent_again_under_its_key_is_asked_once_and_another_one_is_not_passed_over() {
    let server = server().await;
    let thread = thread(&server).await;
    let path = format!("threads/{thread}/turns");
    let said = async |text: &str, key: Option<&str>| {
        let (_, answer) =
            server.ask("POST", &format!("{path}?stream=true"), Some(json!({ "text": text, "key": key }))).await;
        answer
    };
    let turns = async || {
        let (_, told) = server.ask("GET", &format!("threads/{thread}"), None).await;
        let events = told["events"].as_array().unwrap().iter();
        events
            .filter(|event| event["body"]["type"] == "turn_started")
            .map(|event| event["body"]["turn"].clone())
            .collect::<Vec<_>>()
    };
    said("hello", Some("a")).await;
    let again = server.post(&path, json!({ "text": "hello", "key": "a" })).await;
    assert_eq!(turns().await, [again["turn"].clone()]);
    said("hello", Some("b")).await;
    said("hello", None).await;
    assert_eq!(turns().await.len(), 3);
    let late = server.post(&path, json!({ "text": "hello", "key": "a" })).await;
    assert_eq!((&late["turn"], turns().await.len()), (&again["turn"], 3), "also when others came after it");
    let data = json!([{ "kind": "data", "label": "Problem", "from": "what `make` put out", "text": "x" }]);
    for other in
        [json!({ "text": "something else", "key": "a" }), json!({ "text": "hello", "attached": data, "key": "a" })]
    {
        let (status, told) = server.ask("POST", &path, Some(other)).await;
        assert_eq!((status, &told["error"]["code"]), (409, &json!("key_reused")), "{told}");
    }
    let (status, told) = server.ask("POST", &path, Some(json!({ "text": "hello", "key": "k".repeat(65) }))).await;
    assert_eq!((status, &told["error"]["code"]), (400, &json!("invalid_message")));
}

#[tokio::test]
async fn every_connection_hears_which_threads_run() {
    let server = server().await;
    let thread = thread(&server).await;
    let mut early = Socket::connect(server.serving()).await;
    let running = |frame| match frame {
        ServerFrame::RunningThreads { threads } => Some(threads),
        _ => None,
    };
    assert_eq!(early.until(running).await, []);
    send(&server, &thread, "endless").await;
    assert_eq!(early.until(running).await, std::slice::from_ref(&thread));
    let mut late = Socket::connect(server.serving()).await;
    assert_eq!(late.until(running).await, std::slice::from_ref(&thread));
    server.post(&format!("threads/{thread}/stop"), json!({})).await;
    for socket in [&mut early, &mut late] {
        assert_eq!(socket.until(running).await, []);
    }
}
