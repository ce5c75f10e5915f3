//! The page, its headers, the base path.

use aside_server::ServeOptions;
use serde_json::json;

use crate::harness::{self, Server};

#[tokio::test]
async fn any_address_that_is_no_file_is_the_page() {
    let server = Server::new().await;
    let host = format!("localhost:{}", server.port());
    for path in ["/", "/index.html", "/w/src/main.rs", "/audit"] {
        let answer = server.raw("GET", path, &[("host", &host)], "").await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains("content-type: text/html"), "{path}");
        assert!(answer.head.contains("cache-control: no-cache"), "{path}");
    }
    assert_eq!(server.raw("GET", "/assets/gone.js", &[("host", &host)], "").await.status, 404);
}

#[tokio::test]
async fn every_answer_says_what_a_page_may_do() {
    let server = Server::new().await;
    let host = format!("localhost:{}", server.port());
    for path in ["/", "/assets/gone.js", "/api/v1/status", "/api/v1/nothing", "/api/else"] {
        let head = server.raw("GET", path, &[("host", &host)], "").await.head;
        for wanted in [
            "require-trusted-types-for 'script';",
            "script-src 'self';",
            "frame-ancestors 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "connect-src 'self'",
            "referrer-policy: no-referrer",
            "x-content-type-options: nosniff",
            "cross-origin-opener-policy: same-origin",
        ] {
            assert!(head.contains(wanted), "{path} lacks {wanted}: {head}");
        }
        let script = head.split("script-src").nth(1).and_then(|rest| rest.split(';').next()).unwrap_or_default();
        assert!(!script.contains("unsafe"), "{script}");
    }
}

#[tokio::test]
async fn outputs_with_scripts_have_a_page_without_origin_and_network() {
    let server = Server::new().await;
    let host = format!("localhost:{}", server.port());
    let head = server.raw("GET", "/output-frame", &[("host", &host)], "").await.head;
    for wanted in ["sandbox allow-scripts; default-src 'none'", "connect-src data: blob:;", "frame-ancestors 'self'"] {
        assert!(head.contains(wanted), "{wanted} is missing: {head}");
    }
    assert!(!head.contains("allow-same-origin") && head.contains("x-frame-options: sameorigin"), "{head}");
    let other = server.raw("GET", "/w/x/f/output-frame", &[("host", &host)], "").await.head;
    assert!(other.contains("frame-ancestors 'none'"), "{other}");
}

#[tokio::test]
async fn an_unknown_route_of_the_api_is_json() {
    let server = Server::new().await;
    for path in ["nothing", "actions/x/y/z"] {
        let (status, body) = server.ask("GET", path, None).await;
        assert_eq!((status, &body["error"]["code"]), (404, &json!("not_found")), "{path}");
    }
    let (status, body) = server.ask("DELETE", "status", None).await;
    assert_eq!((status, &body["error"]["code"]), (405, &json!("wrong_method")));
}

#[tokio::test]
async fn everything_is_below_the_base_path() {
    let folder = tempfile::tempdir().unwrap();
    let base_path = "/user/ada".parse().unwrap();
    let options = ServeOptions { base_path, ..harness::options(folder.path()) };
    let running = harness::started(aside_server::serve(options).await.unwrap());
    assert!(running.serving().url.ends_with("/user/ada/"));
    let server = Server { folder, running };
    let host = format!("127.0.0.1:{}", server.port());
    let bearer = format!("Bearer {}", harness::TOKEN);
    let status =
        async |path: &str| server.raw("GET", path, &[("host", &host), ("authorization", &bearer)], "").await.status;
    assert_eq!(status("/user/ada/").await, 200);
    assert_eq!(status("/user/ada/w/a.py").await, 200);
    assert_eq!(status("/user/ada/api/v1/status").await, 200);
    assert_eq!(status("/user/ada").await, 200);
    assert_eq!(status("/api/v1/status").await, 404);
    assert_eq!(status("/").await, 404);
    assert_eq!(status("/user/adam/").await, 404);
    let body = json!({ "token": harness::TOKEN }).to_string();
    let headers = [("host", &*host), ("content-type", "application/json")];
    let answer = server.raw("POST", "/user/ada/api/v1/session", &headers, &body).await;
    assert!(answer.head.contains("; path=/user/ada/; httponly; samesite=strict"), "{}", answer.head);
}
