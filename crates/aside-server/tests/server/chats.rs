//! People beside a document: what each may say and change, what guests reach, and how they are sent away.

use serde_json::{Value, json};

use crate::{
    harness::{Answer, Server, TOKEN, start},
    program::Program,
    socket::{Heard, Socket},
};
use aside_protocol::ServerFrame;

/// A page of ours in front of one person.
pub struct Visitor<'a> {
    server: &'a Server,
    cookie: String,
    csrf: String,
    id: String,
}

impl<'a> Visitor<'a> {
    /// Comes in with a token.
    pub async fn new(server: &'a Server, token: &str) -> Self {
        let host = format!("127.0.0.1:{}", server.port());
        let headers = [("host", &*host), ("content-type", "application/json")];
        let answer = server.raw("POST", "/api/v1/session", &headers, &json!({ "token": token }).to_string()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let cookie = answer.head.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
        // The head was lowered for comparing; a guest's secret is not.
        let cookie = match cookie.split_once("=aside_guest_") {
            Some((name, _)) => format!("{name}={token}"),
            None => cookie.to_owned(),
        };
        let session: Value = serde_json::from_str(&answer.body).unwrap();
        Self {
            server,
            cookie,
            csrf: session["csrf"].as_str().unwrap().to_owned(),
            id: session["person"]["id"].as_str().unwrap().to_owned(),
        }
    }

    pub async fn ask(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let answer = self.answer(method, path, body).await;
        (answer.status, serde_json::from_str(&answer.body).unwrap_or_default())
    }

    /// Asks; returns the answer as it is.
    pub async fn answer(&self, method: &str, path: &str, body: Value) -> Answer {
        let host = format!("127.0.0.1:{}", self.server.port());
        let origin = format!("http://{host}");
        let headers = [
            ("host", &*host),
            ("origin", &*origin),
            ("cookie", &*self.cookie),
            ("x-aside-csrf", &*self.csrf),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/json"),
        ];
        let body = if method == "GET" { String::new() } else { body.to_string() };
        self.server.raw(method, &format!("/api/v1/{path}"), &headers, &body).await
    }

    pub async fn say(&self, text: &str) -> Value {
        let (status, message) = self.ask("POST", "chats/messages", json!({ "document": "a.md", "text": text })).await;
        assert_eq!(status, 200, "{message}");
        message
    }

    async fn unread(&self) -> Value {
        let (_, chats) = self.ask("GET", "chats", Value::Null).await;
        json!([chats["chats"][0]["unread"], chats["chats"][0]["mentions"]])
    }

    /// Invites a guest; returns the person and the token of their link.
    pub async fn invite(&self, name: &str) -> (Value, String) {
        let invite = json!({ "action_type": "guest.invite", "args": { "name": name } });
        let (_, asked) = self.ask("POST", "actions", invite).await;
        assert_eq!(asked["state"], "awaiting_confirmation", "{asked}");
        let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
        let (_, done) = self.ask("POST", &format!("actions/{}/decision", asked["id"].as_str().unwrap()), yes).await;
        let id = done["outcome"]["observation"]["data"]["id"].as_str().unwrap();
        let (status, link) = self.ask("POST", &format!("people/{id}/link"), Value::Null).await;
        assert_eq!(status, 200, "{link}");
        (link["person"].clone(), link["token"].as_str().unwrap().to_owned())
    }
}

async fn server() -> Server {
    Server::with(|folder| {
        std::fs::write(folder.join("a.md"), "one\n").unwrap();
        std::fs::create_dir_all(folder.join(".vscode")).unwrap();
        std::fs::write(folder.join(".vscode/tasks.json"), "{}\n").unwrap();
    })
    .await
}

fn code(body: &Value) -> &str {
    body["error"]["code"].as_str().unwrap_or_default()
}

fn by_id(message: &Value) -> String {
    format!("chats/messages/{}", message["id"].as_str().unwrap())
}

#[tokio::test]
async fn two_people_talk_and_neither_changes_what_the_other_said() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let (_, token) = ada.invite("Ben").await;
    let ben = Visitor::new(&server, &token).await;
    assert_ne!(ada.id, ben.id);
    let said = ada.say("look at line 1, @ben").await;
    assert_eq!((said["author"]["name"].clone(), said["mentions"].clone()), (json!("ada"), json!([ben.id])));
    assert_eq!((ada.unread().await, ben.unread().await), (json!([0, 0]), json!([1, 1])));
    for (method, body) in [("PATCH", json!({ "text": "x" })), ("DELETE", Value::Null)] {
        let (status, body) = ben.ask(method, &by_id(&said), body).await;
        assert_eq!((status, code(&body)), (403, "not_yours"));
    }
    let upto = json!({ "document": "a.md", "message": said["id"] });
    assert_eq!(ben.ask("PUT", "chats/read", upto).await.0, 200);
    assert_eq!(ben.unread().await, json!([0, 0]));
    let second = Visitor::new(&server, TOKEN).await;
    assert_eq!(second.id, ada.id, "two windows of one person are one person");
    assert_eq!(second.ask("DELETE", &by_id(&said), Value::Null).await.0, 200);
}

#[tokio::test]
async fn a_chat_outlives_the_server_and_follows_its_file() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let (_, token) = ada.invite("Ben").await;
    ada.say("keep this").await;
    let moved =
        server.post("actions", json!({ "action_type": "file.move", "args": { "from": "a.md", "to": "b/c.md" } }));
    assert_eq!(moved.await["state"], "done");
    let folder = server.stop().await;
    let running = start(folder.path()).await;
    let server = Server { folder, running };
    let ben = Visitor::new(&server, &token).await;
    let (_, page) = ben.ask("GET", "chats/messages?document=b/c.md", Value::Null).await;
    assert_eq!(page["messages"][0]["text"], "keep this");
    let (_, found) = ben.ask("GET", "chats/search?q=KEEP", Value::Null).await;
    assert_eq!(found[0]["chat"]["document"], "b/c.md");
}

#[tokio::test]
async fn a_guest_edits_and_talks_and_reaches_nothing_else() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let (_, token) = ada.invite("Ben").await;
    let ben = Visitor::new(&server, &token).await;
    for path in ["session", "files", "files/names", "people", "chats"] {
        assert_eq!(ben.ask("GET", path, Value::Null).await.0, 200, "{path}");
    }
    let source = include_str!("../../src/routes.rs");
    let paths = source.split(".route(\"/").skip(1).filter_map(|rest| rest.split('"').next());
    let of_guests = ["session", "files", "find", "labels", "latex", "problems", "people", "chats"];
    let others = paths.filter(|path| !path.is_empty() && !path.starts_with("api") && !path.contains('*'));
    let mut turned_away = 0;
    for path in others.filter(|path| *path != "connection") {
        let first = path.split('/').next().unwrap();
        let owners = ["session/once", "files/bytes"].contains(&path) || path.starts_with("people/{");
        let is_theirs = (of_guests.contains(&first) && !owners) || path == "notebooks/output";
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let filled = path.replace("{id}", "psn_00000000000000000000000000").replace("{name}", "doc.read");
            let (status, body) = ben.ask(method, &filled, json!({})).await;
            if !is_theirs && status != 405 {
                assert_eq!((status, code(&body)), (403, "guest"), "{method} {path}");
                turned_away += 1;
            }
        }
    }
    assert!(turned_away > 40, "{turned_away}");
    let output = async |path: &str| {
        let (status, body) =
            ben.ask("GET", &format!("notebooks/output?path={path}&cell=c&output=0"), Value::Null).await;
        (status, code(&body).to_owned())
    };
    assert_eq!(output(".vscode/a.ipynb").await, (403, "protected".to_owned()), "what they can't open puts out nothing");
    assert_eq!(output("none.ipynb").await.0, 404);
    let (host, bearer) = (format!("127.0.0.1:{}", server.port()), format!("Bearer {token}"));
    let answer = server.raw("GET", "/api/v1/chats", &[("host", &host), ("authorization", &bearer)], "").await;
    assert_eq!(answer.status, 401, "the link's secret is no token for programs");
}

#[tokio::test]
async fn a_program_never_speaks_with_a_person_s_voice() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let said = ada.say("mine").await;
    let send = json!({ "document": "a.md", "text": "hello" });
    let program = Program::new(&server, json!({})).await;
    for (method, path) in
        [("POST", "chats/messages"), ("GET", "chats"), ("GET", "chats/search?q=mine"), ("GET", "people")]
    {
        let (status, body) = program.ask(method, path, Some(send.clone())).await;
        assert_eq!((status, code(&body)), (403, "not_granted"), "{method} {path}");
    }
    let by_terminal = server.post("chats/messages", send).await;
    assert_eq!(by_terminal["author"]["program"], true, "what a program with the own token says is marked");
    let (status, body) = server.ask("DELETE", &by_id(&said), None).await;
    assert_eq!((status, code(&body)), (403, "not_yours"));
}

#[tokio::test]
async fn what_is_said_is_bounded_and_harmless() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let send = |document: &str, text: &str| json!({ "document": document, "text": text });
    for (body, status, wanted) in [
        (send("a.md", ""), 400, "bad_request"),
        (send("a.md", &"x".repeat(20_000)), 413, "too_large"),
        (send("a.md", &"x".repeat(10 << 20)), 413, "too_large"),
        (send("none.md", "x"), 404, "not_found"),
        (send("../a.md", "x"), 400, "bad_request"),
        (send(".aside/aside.db", "x"), 403, "private"),
    ] {
        let (is, answer) = ada.ask("POST", "chats/messages", body).await;
        assert_eq!((is, code(&answer)), (status, wanted));
    }
    assert_eq!(ada.say("<script>x</script>\u{202e}\x07").await["text"], "<script>x</script>\\u{202e}\\u{7}");
    let mut answers = Vec::new();
    for _ in 0..40 {
        answers.push(ada.ask("POST", "chats/messages", send("a.md", "again")).await);
    }
    assert!(answers.iter().any(|(status, body)| (*status, code(body)) == (429, "too_fast")));
}

#[tokio::test]
async fn what_is_said_is_heard_and_a_guest_who_is_sent_away_hears_no_more() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let (person, token) = ada.invite("Ben").await;
    let ben = Visitor::new(&server, &token).await;
    let mut socket = Socket::of_page(server.serving(), &ben.cookie).await;
    ada.say("hello, @Ben").await;
    let (unread, text) = socket
        .until(|frame| match frame {
            ServerFrame::ChatChanged { standing, message: Some(message), .. } => Some((standing.unread, message.text)),
            _ => None,
        })
        .await;
    assert_eq!((unread, &*text), (1, "hello, @Ben"));
    assert_eq!(socket.refused(".vscode/tasks.json").await, "protected");
    let (_, people) = ada.ask("GET", "people", Value::Null).await;
    assert_eq!(people[1]["here"], true);
    let path = format!("people/{}", person["id"].as_str().unwrap());
    assert_eq!(ben.ask("DELETE", &path, Value::Null).await.0, 403, "guests send nobody away");
    assert_eq!(ada.ask("DELETE", &path, Value::Null).await.0, 200);
    while !matches!(socket.hear().await, Heard::Closed) {}
    assert_eq!(ben.ask("GET", "chats", Value::Null).await.0, 401);
    let (_, page) = ada.ask("GET", "chats/messages?document=a.md", Value::Null).await;
    assert_eq!(page["messages"].as_array().unwrap().len(), 1, "what was said stays");
}

#[tokio::test]
async fn guest_chooses_a_name_and_sees_the_others() {
    let server = server().await;
    let ada = Visitor::new(&server, TOKEN).await;
    let (_, token) = ada.invite("Guest 1").await;
    let ben = Visitor::new(&server, &token).await;
    let named = |name: &str| json!({ "name": name });
    let (status, taken) = ben.ask("PUT", "people/me", named("ADA")).await;
    assert_eq!((status, code(&taken)), (400, "bad_request"));
    assert_eq!(ben.ask("PUT", "people/me", named("Ben")).await.1["named"], true);
    assert_eq!(ada.ask("PUT", "people/me", named("Ada L.")).await.0, 200);
    let (_, people) = ben.ask("GET", "people", Value::Null).await;
    let who: Vec<_> = people.as_array().unwrap().iter().map(|one| &one["person"]).collect();
    assert_eq!((&who[0]["name"], &who[0]["owner"]), (&json!("Ada L."), &json!(true)));
    assert_eq!((&who[1]["name"], &who[1]["owner"]), (&json!("Ben"), &json!(false)));
    assert_eq!(ada.say("hello").await["author"]["name"], "Ada L.");
    let folder = server.stop().await;
    let elsewhere = folder.path().join("other");
    std::fs::create_dir(&elsewhere).unwrap();
    let options = aside_server::ServeOptions { workspace: elsewhere, ..crate::harness::options(folder.path()) };
    let running = crate::harness::started(aside_server::serve(options).await.unwrap());
    let server = Server { folder, running };
    let (_, session) = server.ask("GET", "session", None).await;
    assert_eq!(session["user"], "Ada L.", "the owner's name holds in every workspace");
}
