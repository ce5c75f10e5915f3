//! The rules of who may come in, against the real router over real TCP.

use serde_json::json;

use crate::harness::{Answer, Server, TOKEN};

const JSON: (&str, &str) = ("content-type", "application/json");
const SAME: (&str, &str) = ("sec-fetch-site", "same-origin");

/// Every route, as far as a stranger can tell.
const ROUTES: &[(&str, &str)] = &[
    ("GET", "session"),
    ("POST", "session/once"),
    ("GET", "status"),
    ("GET", "models"),
    ("PUT", "models/chosen"),
    ("GET", "catalog"),
    ("GET", "catalog/search"),
    ("GET", "catalog/doc.read"),
    ("POST", "actions"),
    ("GET", "actions"),
    ("POST", "actions/undo"),
    ("GET", "actions/act_00000000000000000000000000"),
    ("POST", "actions/act_00000000000000000000000000/decision"),
    ("POST", "actions/act_00000000000000000000000000/undo"),
    ("GET", "actions/act_00000000000000000000000000/rule"),
    ("POST", "actions/act_00000000000000000000000000/rule"),
    ("GET", "threads"),
    ("POST", "threads"),
    ("GET", "threads/thr_00000000000000000000000000"),
    ("PATCH", "threads/thr_00000000000000000000000000"),
    ("POST", "threads/thr_00000000000000000000000000/turns"),
    ("GET", "threads/thr_00000000000000000000000000/events"),
    ("POST", "threads/thr_00000000000000000000000000/stop"),
    ("GET", "files"),
    ("GET", "files/names"),
    ("GET", "labels"),
    ("GET", "files/bytes?path=a.pdf"),
    ("POST", "tables/rows"),
    ("GET", "latex?path=a.tex"),
    ("GET", "latex/output?path=a.tex"),
    ("GET", "latex/areas?path=a.tex&line=1"),
    ("GET", "latex/source?path=a.pdf&page=1&x=1&y=1"),
    ("GET", "language-servers"),
    ("POST", "language-servers/python/restart"),
    ("GET", "slash"),
    ("GET", "problems"),
    ("GET", "assistant"),
    ("PUT", "assistant"),
    ("GET", "audit"),
    ("POST", "audit/verify"),
    ("GET", "blobs/0000000000000000000000000000000000000000000000000000000000000000"),
    ("GET", "nothing"),
];

struct Page {
    host: String,
    origin: String,
    cookie: String,
    csrf: String,
}

impl Page {
    async fn open(server: &Server) -> Self {
        let host = format!("localhost:{}", server.port());
        let body = json!({ "token": TOKEN }).to_string();
        let answer = server.raw("POST", "/api/v1/session", &[("host", &host), JSON], &body).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let cookie = answer.head.split("set-cookie: ").nth(1).and_then(|rest| rest.split(';').next());
        let session: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        Self {
            origin: format!("http://{host}"),
            host,
            cookie: cookie.expect("a cookie is set").to_owned(),
            csrf: session["csrf"].as_str().unwrap().to_owned(),
        }
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        vec![
            ("host", &self.host),
            ("origin", &self.origin),
            ("cookie", &self.cookie),
            ("x-aside-csrf", &self.csrf),
            SAME,
            JSON,
        ]
    }

    fn with<'a>(&'a self, name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
        let mut headers = self.without(name);
        headers.push((name, value));
        headers
    }

    fn without(&self, name: &str) -> Vec<(&str, &str)> {
        self.headers().into_iter().filter(|(found, _)| *found != name).collect()
    }
}

fn code(answer: &Answer) -> (u16, String) {
    let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap_or_default();
    (answer.status, body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn every_route_needs_the_token() {
    let server = Server::new().await;
    let host = format!("127.0.0.1:{}", server.port());
    let origin = format!("http://{host}");
    for (method, path) in ROUTES {
        let path = format!("/api/v1/{path}");
        for headers in [
            vec![("host", &*host), JSON],
            vec![("host", &*host), ("origin", &*origin), SAME, JSON],
            vec![("host", &*host), ("authorization", "Bearer wrong"), JSON],
            vec![("host", &*host), ("cookie", "aside-session=x; token=y"), JSON],
        ] {
            let answer = server.raw(method, &path, &headers, "{}").await;
            assert_eq!(code(&answer), (401, "no_token".to_owned()), "{method} {path} {headers:?}");
        }
    }
}

#[tokio::test]
async fn a_foreign_host_is_answered_nothing() {
    let server = Server::new().await;
    let port = server.port();
    let bearer = format!("Bearer {TOKEN}");
    let foreign = [
        "evil.com".to_owned(),
        format!("evil.com:{port}"),
        format!("localhost.evil.com:{port}"),
        format!("127.0.0.1.nip.io:{port}"),
        format!("0.0.0.0:{port}"),
        format!("2130706433:{port}"),
        format!("localhost.:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        "localhost".to_owned(),
    ];
    for host in &foreign {
        for path in ["/", "/api/v1/status"] {
            let answer = server.raw("GET", path, &[("host", host), ("authorization", &bearer)], "").await;
            assert_eq!(code(&answer), (421, "wrong_host".to_owned()), "{path} {host}");
        }
    }
    let missing = server.raw("GET", "/api/v1/status", &[("authorization", &bearer)], "").await;
    assert!(matches!(missing.status, 400 | 421), "{missing:?}");
}

#[tokio::test]
async fn a_wrong_token_opens_no_session() {
    let server = Server::new().await;
    let host = format!("localhost:{}", server.port());
    let body = json!({ "token": "wrong" }).to_string();
    let answer = server.raw("POST", "/api/v1/session", &[("host", &host), JSON], &body).await;
    assert_eq!(answer.status, 401);
    assert!(!answer.head.contains("set-cookie"));
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let body = json!({ "token": TOKEN }).to_string();
        let answer = server.raw("POST", "/api/v1/session", &[("host", &host), ("content-type", kind)], &body).await;
        assert_eq!(answer.status, 415, "{kind}");
    }
}

#[tokio::test]
async fn the_cookie_is_hidden_from_scripts_and_other_sites() {
    let server = Server::new().await;
    let host = format!("localhost:{}", server.port());
    let body = json!({ "token": TOKEN }).to_string();
    let head = server.raw("POST", "/api/v1/session", &[("host", &host), JSON], &body).await.head;
    assert!(head.contains(&format!("set-cookie: aside-session-{}=", server.port())), "{head}");
    assert!(head.contains("; path=/; httponly; samesite=strict"), "{head}");
    assert!(!head.contains(TOKEN), "the cookie is not the token");
}

#[tokio::test]
async fn a_change_by_cookie_needs_every_mark_of_our_page() {
    let server = Server::new().await;
    let page = Page::open(&server).await;
    let change =
        async |headers: Vec<(&str, &str)>| code(&server.raw("POST", "/api/v1/audit/verify", &headers, "{}").await);
    assert_eq!(change(page.headers()).await.0, 200);
    let cases = [
        (page.without("x-aside-csrf"), 403, "no_csrf"),
        (page.with("x-aside-csrf", "wrong"), 403, "no_csrf"),
        (page.without("sec-fetch-site"), 403, "foreign_page"),
        (page.with("sec-fetch-site", "cross-site"), 403, "foreign_page"),
        (page.with("sec-fetch-site", "same-site"), 403, "foreign_page"),
        (page.with("sec-fetch-site", "none"), 403, "foreign_page"),
        (page.with("sec-fetch-mode", "no-cors"), 403, "foreign_page"),
        (page.with("origin", "null"), 403, "foreign_origin"),
        (page.with("origin", "http://localhost:1"), 403, "foreign_origin"),
        (page.with("origin", "https://evil.com"), 403, "foreign_origin"),
        (page.with("content-type", "text/plain"), 415, "not_json"),
        (page.with("content-type", "multipart/form-data"), 415, "not_json"),
        (page.without("content-type"), 415, "not_json"),
        (page.without("cookie"), 401, "no_token"),
    ];
    for (headers, status, word) in cases {
        assert_eq!(change(headers.clone()).await, (status, word.to_owned()), "{headers:?}");
    }
}

#[tokio::test]
async fn another_page_of_this_machine_reads_nothing() {
    let server = Server::new().await;
    let page = Page::open(&server).await;
    for site in ["same-site", "cross-site"] {
        let answer = server.raw("GET", "/api/v1/status", &page.with("sec-fetch-site", site), "").await;
        assert_eq!(code(&answer), (403, "foreign_page".to_owned()), "{site}");
    }
}

#[tokio::test]
async fn an_upgrade_needs_the_token_and_the_exact_origin() {
    let server = Server::new().await;
    let page = Page::open(&server).await;
    let bearer = format!("Bearer {TOKEN}");
    let twin = format!("http://127.0.0.1:{}", server.port());
    let cases: Vec<(Vec<(&str, &str)>, u16)> = vec![
        (vec![("cookie", &page.cookie), ("origin", &page.origin)], 101),
        (vec![("authorization", &bearer)], 101),
        (vec![("authorization", &bearer), ("origin", &page.origin)], 101),
        (vec![("origin", &page.origin)], 401),
        (vec![("cookie", &page.cookie)], 403),
        (vec![("cookie", &page.cookie), ("origin", "null")], 403),
        (vec![("cookie", &page.cookie), ("origin", &twin)], 403),
        (vec![("cookie", &page.cookie), ("origin", "http://localhost:1")], 403),
        (vec![("cookie", &page.cookie), ("origin", "http://evil.com")], 403),
        (vec![("authorization", &bearer), ("origin", "http://evil.com")], 403),
    ];
    for (marks, status) in cases {
        let mut headers = vec![
            ("host", &*page.host),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        headers.extend(&marks);
        let answer = server.raw("GET", "/api/v1/connection", &headers, "").await;
        assert_eq!(answer.status, status, "{marks:?} {answer:?}");
    }
}

#[tokio::test]
async fn a_new_token_makes_old_cookies_worthless() {
    let server = Server::new().await;
    let page = Page::open(&server).await;
    let port = server.port();
    let folder = server.stop().await;
    let options = aside_server::ServeOptions {
        port: Some(port),
        token: Some("another token".to_owned()),
        ..crate::harness::options(folder.path())
    };
    let running = crate::harness::started(aside_server::serve(options).await.unwrap());
    let server = Server { folder, running };
    let host = format!("localhost:{}", server.port());
    let name = format!("aside-session-{}", server.port());
    let cookie = format!("{name}={}", page.cookie.split_once('=').unwrap().1);
    let answer = server.raw("GET", "/api/v1/status", &[("host", &host), ("cookie", &cookie)], "").await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn a_large_body_is_refused() {
    let server = Server::new().await;
    let large = format!("{{\"token\": \"{}\"}}", "x".repeat(3 << 20));
    let host = format!("localhost:{}", server.port());
    let answer = server.raw("POST", "/api/v1/session", &[("host", &host), JSON], &large).await;
    assert_eq!(answer.status, 413, "{answer:?}");
}

#[tokio::test]
async fn the_token_stands_in_no_answer() {
    let server = Server::new().await;
    for path in ["status", "models", "audit", "session", "nothing"] {
        let (_, body) = server.ask("GET", path, None).await;
        assert!(!body.to_string().contains(TOKEN), "{path}");
    }
}
