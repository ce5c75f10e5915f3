//! What hosts of repositories tell by webhooks, and are asked for: by whom, how much, how often.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use aside_server::{ServeOptions, serve};
use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::harness::{Answer, Server, options, started};

const SECRET: &str = "secret-canary-of-the-test";

async fn world(variables: &[(&str, &str)]) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let logs: BTreeMap<String, String> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let running = started(serve(ServeOptions { logs: Some(logs), ..options(folder.path()) }).await.unwrap());
    Server { folder, running }
}

fn signed(body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(body.as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// Sends a message as GitHub does, without a session.
async fn hook(server: &Server, event: &str, id: &str, signature: &str, body: &str) -> Answer {
    let host = format!("127.0.0.1:{}", server.port());
    let headers = [
        ("host", &*host),
        ("content-type", "application/json"),
        ("x-github-event", event),
        ("x-github-delivery", id),
        ("x-hub-signature-256", signature),
    ];
    server.raw("POST", "/api/webhooks/github", &headers, body).await
}

fn pull(state: &str, updated: &str) -> String {
    json!({ "pull_request": { "number": 7, "title": "Cart", "state": state, "updated_at": updated, "user": { "login": "ada" },
        "base": { "repo": { "full_name": "octo/shop" } } } })
    .to_string()
}

async fn outcomes(server: &Server) -> Value {
    let question = json!({ "action_type": "history.get_pr_outcomes", "args": { "repo": "octo/shop" } });
    let (_, asked) = server.ask("POST", "actions", Some(question)).await;
    asked["outcome"]["observation"]["data"].clone()
}

#[tokio::test]
async fn a_webhook_is_heard_if_it_is_signed_and_once() {
    let server = world(&[("ASIDE_GITHUB_WEBHOOK_SECRET", SECRET)]).await;
    let open = pull("open", "2026-06-01T00:00:00Z");
    let told = hook(&server, "pull_request", "one", &signed(&open), &open).await;
    assert_eq!(told.status, 200, "{told:?}");
    let body: Value = serde_json::from_str(&told.body).unwrap();
    assert_eq!(body, json!({ "status": "ok", "kind": "pr", "verb": "inserted", "pr_number": 7 }));
    let again = hook(&server, "pull_request", "one", &signed(&open), &open).await;
    assert!(again.body.contains("already received"), "{again:?}");
    let closed = pull("closed", "2026-06-02T00:00:00Z");
    assert!(hook(&server, "pull_request", "two", &signed(&closed), &closed).await.body.contains("updated"));
    // What is played again under another id does not open it again.
    assert!(hook(&server, "pull_request", "three", &signed(&open), &open).await.body.contains("already received"));
    assert_eq!(outcomes(&server).await["pr_outcomes"][0]["state"], "closed");
    let ping = json!({ "zen": "x" }).to_string();
    assert!(hook(&server, "ping", "four", &signed(&ping), &ping).await.body.contains("pong"));
    assert!(hook(&server, "star", "five", &signed(&ping), &ping).await.body.contains("ignored"));
}

#[tokio::test]
async fn nothing_is_heard_of_whoever_does_not_have_the_secret() {
    let server = world(&[("ASIDE_GITHUB_WEBHOOK_SECRET", SECRET)]).await;
    let body = pull("open", "2026-06-01T00:00:00Z");
    let other = signed(&format!("{body} "));
    for signature in ["", "sha256=", "sha1=00", &other, &signed(&body)[..70], &signed(&body).replace("sha256=", "")] {
        let told = hook(&server, "pull_request", "one", signature, &body).await;
        assert_eq!(told.status, 403, "{signature}: {told:?}");
        assert!(!told.body.contains(SECRET));
    }
    for (text, status) in [("[]", 400), ("not json", 400), ("payload=%7B%7D", 400)] {
        assert_eq!(hook(&server, "pull_request", "one", &signed(text), text).await.status, status, "{text}");
    }
    let long = "x".repeat((8 << 20) + 1);
    assert_eq!(hook(&server, "pull_request", "one", &signed(&body), &long).await.status, 413);
    let host = format!("127.0.0.1:{}", server.port());
    let foreign =
        [("host", "evil.example"), ("x-hub-signature-256", &*signed(&body)), ("x-github-event", "pull_request")];
    assert_eq!(server.raw("POST", "/api/webhooks/github", &foreign, &body).await.status, 421);
    // Not set up, not there, and nothing else of the API is open.
    assert_eq!(server.raw("POST", "/api/webhooks/gitlab", &[("host", &*host)], "{}").await.status, 503);
    assert_eq!(server.raw("POST", "/api/webhooks/other", &[("host", &*host)], "{}").await.status, 404);
    assert_eq!(server.raw("GET", "/api/webhooks/github", &[("host", &*host)], "").await.status, 405);
    assert_eq!(server.raw("GET", "/api/v1/history", &[("host", &*host)], "").await.status, 401);
    assert_eq!(outcomes(&server).await["count"], Value::Null);
}

#[tokio::test]
async fn a_kept_secret_is_taken_at_once_and_never_told() {
    // Keys are not kept in a workspace.
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let data_folder = Some(aside_store::DataFolder::at(elsewhere.path()));
    let running = started(serve(ServeOptions { data_folder, ..options(folder.path()) }).await.unwrap());
    let server = Server { folder, running };
    let (status, _) = server.ask("PUT", "models/keys/gitlab-webhook", Some(json!({ "key": SECRET }))).await;
    assert_eq!(status, 200);
    let host = format!("127.0.0.1:{}", server.port());
    let body = json!({ "object_kind": "merge_request", "project": { "path_with_namespace": "octo/shop" },
        "object_attributes": { "iid": 3, "title": "Cart", "state": "opened", "updated_at": "2026-06-01 00:00:00 UTC" } });
    let headers = |token: &'static str| [("host", &*host), ("x-gitlab-token", token), ("idempotency-key", "one")];
    assert_eq!(server.raw("POST", "/api/webhooks/gitlab", &headers("wrong"), &body.to_string()).await.status, 403);
    let told = server.raw("POST", "/api/webhooks/gitlab", &headers(SECRET), &body.to_string()).await;
    assert_eq!(told.status, 200, "{told:?}");
    assert_eq!(outcomes(&server).await["pr_outcomes"][0]["provider"], "gitlab");
    let (_, keys) = server.ask("GET", "models/keys", None).await;
    assert!(!keys.to_string().contains(SECRET) && keys.to_string().contains("gitlab-webhook"), "{keys}");
}

/// A message of which only the head has come: its body waits until the server asks for it.
async fn half(server: &Server, id: &str, body: &str) -> TcpStream {
    let mut socket = TcpStream::connect(("127.0.0.1", server.port())).await.unwrap();
    let (port, length, signature) = (server.port(), body.len(), signed(body));
    let head = format!(
        "POST /api/webhooks/github HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-length: {length}\r\nexpect: 100-continue\r\nx-github-event: pull_request\r\n\
         x-github-delivery: {id}\r\nx-hub-signature-256: {signature}\r\nconnection: close\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

async fn is_asked_for(socket: &mut TcpStream) {
    let mut told = [0; 25];
    socket.read_exact(&mut told).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&told), "HTTP/1.1 100 Continue\r\n\r\n");
}

async fn finish(mut socket: TcpStream, body: &str) {
    socket.write_all(body.as_bytes()).await.unwrap();
    let mut told = String::new();
    socket.read_to_string(&mut told).await.unwrap();
    assert!(told.starts_with("HTTP/1.1 200"), "{told}");
}

#[tokio::test]
async fn messages_that_come_at_once_wait_for_each_other() {
    let server = world(&[("ASIDE_GITHUB_WEBHOOK_SECRET", SECRET)]).await;
    let body =
        |number: u32| pull("open", "2026-06-01T00:00:00Z").replace("\"number\":7", &format!("\"number\":{number}"));
    let mut reading = Vec::new();
    for number in 1..=4 {
        let mut socket = half(&server, &number.to_string(), &body(number)).await;
        is_asked_for(&mut socket).await;
        reading.push(socket);
    }
    let mut fifth = half(&server, "5", &body(5)).await;
    // Time for being refused at once.
    assert_eq!(outcomes(&server).await["count"], Value::Null);
    for (number, socket) in (1..).zip(reading) {
        finish(socket, &body(number)).await;
    }
    is_asked_for(&mut fifth).await;
    finish(fifth, &body(5)).await;
    assert_eq!(outcomes(&server).await["count"], 5);
}

/// A host that answers each address with what is said of it, and keeps how it was asked.
async fn host(answers: Vec<(&'static str, String)>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let keeping = asked.clone();
    tokio::spawn(async move {
        loop {
            let Ok((mut socket, _)) = listener.accept().await else { return };
            let (mut head, mut buffer) = (String::new(), [0; 8192]);
            while !head.contains("\r\n\r\n") {
                let read = socket.read(&mut buffer).await.unwrap_or(0);
                if read == 0 {
                    break;
                }
                head.push_str(&String::from_utf8_lossy(&buffer[..read]));
            }
            let line = head.lines().next().unwrap_or_default().to_owned();
            keeping.lock().unwrap().push(head.to_ascii_lowercase());
            let found = answers.iter().find(|(address, _)| line.contains(address));
            let answer = match found {
                _ if head.to_ascii_lowercase().contains("if-none-match: \"same\"") => http("304 Not Modified", "", ""),
                Some((_, answer)) => answer.clone(),
                None => http("404 Not Found", "", "{\"message\":\"Not Found\"}"),
            };
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    (address, asked)
}

fn http(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn listed(number: i64) -> Value {
    let pull: Value = serde_json::from_str(&pull("closed", "2026-06-01T00:00:00Z")).unwrap();
    let mut pull = pull["pull_request"].clone();
    pull["number"] = number.into();
    pull
}

async fn ask_for(server: &Server, address: &str) -> (u16, Value) {
    server.ask("POST", "history/pull", Some(json!({ "repo": "octo/shop", "host": address }))).await
}

#[tokio::test]
async fn a_repository_is_asked_for_page_by_page_and_not_twice() {
    let first = http("200 OK", "etag: \"same\"\r\nlink: <x?page=2>; rel=\"next\"\r\n", &json!([listed(1)]).to_string());
    let failed = json!({ "workflow_runs": [{ "id": 5, "name": "Tests", "status": "completed", "conclusion": "failure",
        "head_sha": "c".repeat(40), "updated_at": "2026-06-01T00:00:00Z" }] });
    let one = json!({ "sha": "c".repeat(40), "commit": { "message": "Cart", "committer": { "date": "2026-06-01T00:00:00Z" } },
        "files": [{ "filename": "src/cart.rs" }] });
    let review = json!([{ "id": 9, "user": { "login": "ada" }, "state": "APPROVED", "submitted_at": "2026-06-01T00:00:00Z",
        "pull_request_url": "https://api.github.com/repos/octo/shop/pulls/2" }]);
    let (address, asked) = host(vec![
        ("/pulls?state=all&sort=updated&direction=desc&per_page=100&page=1 ", first),
        (
            "/pulls?state=all&sort=updated&direction=desc&per_page=100&page=2 ",
            http("200 OK", "", &json!([listed(2)]).to_string()),
        ),
        ("/actions/runs?", http("200 OK", "etag: \"same\"\r\n", &failed.to_string())),
        ("/commits?", http("200 OK", "etag: \"same\"\r\n", "[]")),
        ("/commits/ccccccc", http("200 OK", "", &one.to_string())),
        ("/pulls/2/reviews?", http("200 OK", "etag: \"same\"\r\n", &review.to_string())),
    ])
    .await;
    let server = world(&[("GITHUB_TOKEN", "token-of-github"), ("GH_ENTERPRISE_TOKEN", "token-of-elsewhere")]).await;
    std::fs::create_dir(server.folder.path().join(".git")).unwrap();
    let origin = "[remote \"origin\"]\n\turl = git@github.com:octo/shop.git\n";
    std::fs::write(server.folder.path().join(".git/config"), origin).unwrap();
    assert_eq!(
        server.ask("GET", "history", None).await.1["clone"],
        json!({ "repo": "octo/shop", "host": "github.com" })
    );
    let (status, told) = ask_for(&server, &address).await;
    assert_eq!(status, 200, "{told}");
    let counts = ["pull_requests", "runs", "commits", "new", "unchanged"].map(|name| told[name].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 5, 0], "{told}");
    let heads = asked.lock().unwrap().clone();
    assert!(heads.iter().all(|head| head.contains("authorization: bearer token-of-elsewhere")), "{heads:?}");
    assert!(heads.iter().all(|head| !head.contains("token-of-github")));
    let known = outcomes(&server).await;
    assert_eq!(known["count"], 2);
    let second = known["pr_outcomes"].as_array().unwrap().iter().find(|one| one["pr_number"] == 2).unwrap();
    assert_eq!(second["review_state"], "approved");
    let (_, again) = ask_for(&server, &address).await;
    assert_eq!((&again["unchanged"], &again["new"]), (&json!(3), &json!(0)), "{again}");
}

#[tokio::test]
async fn a_page_shows_what_hosts_told() {
    let server = world(&[("ASIDE_GITHUB_WEBHOOK_SECRET", SECRET)]).await;
    let told = |state: &str, number: u64| {
        let mut body: Value = serde_json::from_str(&pull(state, &format!("2026-06-0{number}T00:00:00Z"))).unwrap();
        body["pull_request"]["number"] = number.into();
        body["pull_request"]["html_url"] = format!("https://github.com/octo/shop/pull/{number}").into();
        body.to_string()
    };
    let run = json!({ "workflow_run": { "id": 5, "name": "Tests", "status": "completed", "conclusion": "failure",
        "head_sha": "c".repeat(40), "run_started_at": "2026-06-01T00:00:00Z", "html_url": "https://github.com/octo/shop/actions/runs/5" },
        "repository": { "full_name": "octo/shop" } });
    for (event, id, body) in [
        ("pull_request", "one", told("open", 1)),
        ("pull_request", "two", told("closed", 2)),
        ("workflow_run", "three", run.to_string()),
    ] {
        let heard = hook(&server, event, id, &signed(&body), &body).await;
        assert_eq!(heard.status, 200, "{heard:?}");
    }
    let pulls = async |query: &str| {
        let (status, told) = server.ask("GET", &format!("history/pulls?{query}"), None).await;
        assert_eq!(status, 200, "{query}: {told}");
        told["pulls"].as_array().unwrap().iter().map(|one| one["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(pulls("").await, [2, 1]);
    assert_eq!(pulls("state=open&repo=Octo/Shop").await, [1]);
    assert_eq!(pulls("since=2026-06-02&until=2026-06-02&timezone=UTC").await, [2]);
    assert!(pulls("repo=octo/site").await.is_empty() && pulls("state=reverted").await.is_empty());
    assert_eq!(pulls("from=1").await, [1]);
    let (_, told) = server.ask("GET", "history/pulls?state=open", None).await;
    let known = json!({ "provider": "github", "repo": "octo/shop", "number": 1, "title": "Cart", "state": "open", "reverted": false,
        "author": "ada", "at": 1_780_272_000_000_u64, "page": "https://github.com/octo/shop/pull/1" });
    assert_eq!(told, json!({ "pulls": [known], "more": false }));
    let (_, told) = server.ask("GET", "history/runs?state=failure", None).await;
    let run = &told["runs"][0];
    assert_eq!(
        [&run["id"], &run["workflow"], &run["status"], &run["page"]].map(|field| field.as_str().unwrap()),
        ["5", "Tests", "failure", "https://github.com/octo/shop/actions/runs/5"]
    );
    let (status, refused) = server.ask("GET", "history/runs?state=merged", None).await;
    assert!(status == 400 && refused.to_string().contains("unknown state `merged`: use success, failure"), "{refused}");
    assert_eq!(server.ask("GET", "history", None).await.1["repos"], json!(["octo/shop"]));
}

#[tokio::test]
async fn the_files_of_a_commit_of_gitlab_are_asked_for_page_by_page() {
    let failed = json!([{ "id": 5, "status": "failed", "sha": "c".repeat(40), "updated_at": "2026-06-01T00:00:00Z" }]);
    let commit = json!({ "id": "c".repeat(40), "message": "Cart", "committed_date": "2026-06-01T00:00:00Z" });
    let changed = |name: &str| json!([{ "old_path": name, "new_path": name }]).to_string();
    let (address, asked) = host(vec![
        ("/merge_requests?", http("200 OK", "", "[]")),
        ("/pipelines?", http("200 OK", "", &failed.to_string())),
        ("/diff?per_page=100&page=1 ", http("200 OK", "link: <x?page=2>; rel=\"next\"\r\n", &changed("src/cart.rs"))),
        ("/diff?per_page=100&page=2 ", http("200 OK", "", &changed("src/till.rs"))),
        ("/repository/commits/ccccccc", http("200 OK", "", &commit.to_string())),
        ("/repository/commits?", http("200 OK", "", "[]")),
    ])
    .await;
    let server = world(&[]).await;
    let (status, told) = ask_for(&server, &format!("{address}/api/v4")).await;
    assert_eq!((status, &told["commits"]), (200, &json!(1)), "{told}");
    let before = asked.lock().unwrap().len();
    ask_for(&server, &format!("{address}/api/v4")).await;
    // Its files are known by now.
    let heads = asked.lock().unwrap().clone();
    assert!(heads[..before].iter().any(|head| head.contains("page=2 ")), "{heads:?}");
    assert!(!heads[before..].iter().any(|head| head.contains("/diff")), "{heads:?}");
}

#[tokio::test]
async fn what_came_before_a_limit_is_kept_and_the_rest_is_asked_for_again() {
    let limit = "x-ratelimit-remaining: 0\r\nx-ratelimit-reset: 1782813600\r\n";
    let first = http("200 OK", "etag: \"same\"\r\nlink: <x?page=2>; rel=\"next\"\r\n", &json!([listed(1)]).to_string());
    let (address, asked) = host(vec![
        ("/pulls?state=all&sort=updated&direction=desc&per_page=100&page=1 ", first),
        ("/pulls?", http("403 Forbidden", limit, "{\"message\":\"API rate limit exceeded\"}")),
    ])
    .await;
    let server = world(&[]).await;
    let (status, told) = ask_for(&server, &address).await;
    assert_eq!((status, &told["pull_requests"]), (200, &json!(1)), "{told}");
    assert!(told["stopped"].as_str().unwrap().contains("2026-06-30T10:00:00"), "{told}");
    assert_eq!(outcomes(&server).await["count"], 1);
    ask_for(&server, &address).await;
    assert!(asked.lock().unwrap().iter().all(|head| !head.contains("if-none-match")));
    // What is not there, and what is refused, is said with what to try.
    let (address, _) = host(Vec::new()).await;
    let (status, told) = ask_for(&server, &address).await;
    assert!(status >= 400 && told["error"]["hint"].as_str().unwrap().contains("token"), "{told}");
}

#[tokio::test]
async fn what_a_host_refuses_keeps_nothing_else_back() {
    let commit = json!([{ "sha": "c".repeat(40), "commit": { "message": "Cart\n\nThis reverts commit ddddddd.", "committer": { "date": "2026-06-01T00:00:00Z" } } },
        { "sha": "d".repeat(40), "commit": { "message": "Shop", "committer": { "date": "2026-05-01T00:00:00Z" } } }]);
    let endless = http("200 OK", "link: <x>; rel=\"next\"\r\n", &json!([listed(1)]).to_string());
    let (address, asked) = host(vec![
        ("/pulls?", endless),
        ("/actions/runs?", http("403 Forbidden", "", "{\"message\":\"Resource not accessible by this token\"}")),
        ("/commits?", http("200 OK", "", &commit.to_string())),
    ])
    .await;
    let server = world(&[]).await;
    let (status, told) = ask_for(&server, &address).await;
    assert_eq!((status, &told["commits"], &told["longer"]), (200, &json!(2), &json!(["pull requests"])), "{told}");
    let refused = &told["refused"][0];
    assert_eq!((&refused["list"], told["refused"].as_array().unwrap().len()), (&json!("runs"), 1), "{told}");
    let reason = refused["reason"].as_str().unwrap();
    assert!(reason.contains("not accessible") && reason.contains("Check the token"), "{told}");
    // The commit that was taken back is asked for; that it is gone by now is no failure.
    assert!(asked.lock().unwrap().iter().any(|head| head.contains("/commits/ddddddd")), "{told}");
}

#[tokio::test]
async fn a_host_says_when_to_come_back_and_where_a_repository_went() {
    let both = "retry-after: 60\r\nx-ratelimit-remaining: 0\r\nx-ratelimit-reset: 4102444800\r\n";
    let (address, _) = host(vec![("/pulls?", http("403 Forbidden", both, "{}"))]).await;
    let server = world(&[]).await;
    let (_, told) = ask_for(&server, &address).await;
    let stopped = told["stopped"].as_str().unwrap();
    assert!(stopped.contains("accepts requests again at") && !stopped.contains("2100"), "{told}");
    let moved =
        http("301 Moved Permanently", "location: /repositories/7/pulls\r\n", "{\"message\":\"Moved Permanently\"}");
    let (address, _) = host(vec![("/repos/", moved)]).await;
    let (status, told) = ask_for(&server, &address).await;
    assert!(status >= 400 && told["error"]["hint"].as_str().unwrap().contains("renamed or moved"), "{told}");
}

#[tokio::test]
async fn no_other_machine_is_asked_before_the_person_says_so() {
    let server = world(&[]).await;
    let (status, told) = server.ask("POST", "history/pull", Some(json!({ "repo": "octo/shop" }))).await;
    assert_eq!((status, &told["error"]["code"]), (403, &json!("needs_consent")), "{told}");
    for wrong in ["http://api.example", "ftp://x", "x"] {
        let (status, _) = ask_for(&server, wrong).await;
        assert_eq!(status, 400, "{wrong}");
    }
    assert_eq!(server.ask("PUT", "models/local-only", Some(json!({ "on": true }))).await.0, 200);
    let (status, told) = server.ask("POST", "history/pull", Some(json!({ "repo": "octo/shop", "allow": true }))).await;
    assert_eq!((status, &told["error"]["code"]), (403, &json!("local_only")), "{told}");
    let (status, _) = server.ask("POST", "history/pull", Some(json!({ "repo": "../../x" }))).await;
    assert_eq!(status, 400);
}
