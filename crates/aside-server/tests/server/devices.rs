//! Signed-in browsers, and hosts that the person allows, over real sockets.

use aside_server::{ServeOptions, serve};
use serde_json::{Value, json};

use crate::{
    harness::{Server, TOKEN, options, started},
    socket::{Heard, Socket},
};

const FIREFOX: (&str, &str) = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");

/// Signs a browser in; returns the value of its cookie.
async fn sign_in(server: &Server, token: &str) -> String {
    let host = format!("127.0.0.1:{}", server.port());
    let headers = [("host", &*host), ("content-type", "application/json"), FIREFOX];
    let answer = server.raw("POST", "/api/v1/session", &headers, &json!({ "token": token }).to_string()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let cookie = answer.head.split("set-cookie: ").nth(1).unwrap().lines().next().unwrap();
    assert!(cookie.contains("httponly; samesite=strict; max-age="), "{cookie}");
    cookie.split(['=', ';']).nth(1).unwrap().to_owned()
}

/// Asks for the session as a window with the cookie does.
async fn session(server: &Server, cookie: &str) -> (u16, Value) {
    let (host, cookie) = (format!("127.0.0.1:{}", server.port()), cookie_of(server, cookie));
    let headers = [("host", &*host), ("cookie", &*cookie), ("sec-fetch-site", "same-origin")];
    let answer = server.raw("GET", "/api/v1/session", &headers, "").await;
    (answer.status, serde_json::from_str(&answer.body).unwrap_or_default())
}

fn cookie_of(server: &Server, value: &str) -> String {
    format!("aside-session-{}={value}", server.port())
}

async fn restarted(server: Server, token: Option<&str>) -> Server {
    let folder = server.stop().await;
    let options = ServeOptions { token: token.map(str::to_owned), ..options(folder.path()) };
    let running = started(serve(options).await.unwrap());
    Server { folder, running }
}

#[tokio::test]
async fn window_stays_signed_in_after_a_restart() {
    let server = restarted(Server::new().await, None).await;
    let old = server.serving().token.clone();
    let cookie = sign_in(&server, &old).await;
    let server = restarted(server, None).await;
    assert_ne!(server.serving().token, old, "the token is new");
    let (status, session) = session(&server, &cookie).await;
    assert_eq!((status, &session["user"]), (200, &json!("ada")));
    let (_, devices) = server.ask("GET", "devices", None).await;
    assert_eq!(devices["devices"][0]["name"], "Firefox on Linux");
    assert!(devices.get("mine").is_none() && !devices.to_string().contains(&cookie));
}

#[tokio::test]
async fn other_chosen_token_signs_browsers_out() {
    let server = Server::new().await;
    let cookie = sign_in(&server, TOKEN).await;
    let server = restarted(server, Some(TOKEN)).await;
    assert_eq!(session(&server, &cookie).await.0, 200);
    let server = restarted(server, Some("another token of the test")).await;
    assert_eq!(session(&server, &cookie).await.0, 401);
}

#[tokio::test]
async fn revoked_browser_is_signed_out_at_once() {
    let server = Server::new().await;
    let cookie = sign_in(&server, TOKEN).await;
    let mut socket = Socket::of_page(server.serving(), &cookie_of(&server, &cookie)).await;
    let (_, devices) = server.ask("GET", "devices", None).await;
    let path = format!("devices/{}", devices["devices"][0]["id"].as_str().unwrap());
    assert_eq!(server.ask("DELETE", &path, None).await.0, 200);
    while !matches!(socket.hear().await, Heard::Closed) {}
    assert_eq!(session(&server, &cookie).await.0, 401);
    assert_eq!(server.ask("DELETE", &path, None).await.0, 404);
    let (_, audit) = server.ask("GET", "audit?after=0&limit=1000", None).await;
    assert!(audit.to_string().contains("device.revoke"));
}

#[tokio::test]
async fn unknown_host_gets_a_page() {
    let server = Server::new().await;
    let html = ("accept", "text/html,application/xhtml+xml");
    let page = server.raw("GET", "/w/x", &[("host", "my.tunnel.example"), html], "").await;
    assert_eq!(page.status, 421);
    assert!(page.head.contains("text/html") && page.body.contains("aside --allow-host my.tunnel.example"), "{page:?}");
    let program = server.raw("GET", "/api/v1/status", &[("host", "my.tunnel.example")], "").await;
    assert!(program.status == 421 && program.body.contains("wrong_host"), "{program:?}");

    let folder = server.stop().await;
    let allow_hosts = vec!["my.tunnel.example".parse().unwrap()];
    let running = started(serve(ServeOptions { allow_hosts, ..options(folder.path()) }).await.unwrap());
    let server = Server { folder, running };
    let json = ("content-type", "application/json");
    let body = json!({ "token": TOKEN }).to_string();
    let open = async |host: &str, origin: &str| {
        let headers = [("host", host), ("origin", origin), ("sec-fetch-site", "same-origin"), json];
        server.raw("POST", "/api/v1/session", &headers, &body).await.status
    };
    assert_eq!(open("my.tunnel.example", "https://my.tunnel.example").await, 200);
    let local = format!("127.0.0.1:{}", server.port());
    assert_eq!(open(&local, "https://my.tunnel.example").await, 200, "a proxy that changes the Host");
    assert_eq!(open("my.tunnel.example", "https://evil.example").await, 403);
    assert_eq!(open("evil.example", "https://my.tunnel.example").await, 421);
}

#[tokio::test]
async fn action_signs_a_browser_out() {
    let server = Server::new().await;
    let cookie = sign_in(&server, TOKEN).await;
    let (_, devices) = server.ask("GET", "devices", None).await;
    let args = json!({ "device": devices["devices"][0]["id"] });
    let asked = server.post("actions", json!({ "action_type": "device.revoke", "args": args })).await;
    assert_eq!(asked["state"], "awaiting_confirmation", "access is confirmed first: {asked}");
    assert_eq!(asked["preview"]["summary"], "Sign out Firefox on Linux");
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let done = server.post(&format!("actions/{}/decision", asked["id"].as_str().unwrap()), yes).await;
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(session(&server, &cookie).await.0, 401);
}
