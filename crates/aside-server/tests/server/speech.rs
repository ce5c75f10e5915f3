//! `speech`: what is refused before a recording goes anywhere.

use serde_json::Value;

use crate::harness::{Server, TOKEN};

async fn send(server: &Server, query: &str, sound: &str) -> (u16, String) {
    let host = format!("127.0.0.1:{}", server.port());
    let bearer = format!("Bearer {TOKEN}");
    let headers = [("host", &*host), ("authorization", &*bearer), ("content-type", "application/octet-stream")];
    let answer = server.raw("POST", &format!("/api/v1/speech?{query}"), &headers, sound).await;
    let error: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    (answer.status, error["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn recordings_without_sense_are_refused() {
    let server = Server::new().await;
    let refused = |status: u16, code: &str| (status, code.to_owned());
    assert_eq!(send(&server, "media_type=audio/webm;codecs=opus", "sound").await, refused(409, "no_transcription"));
    assert_eq!(send(&server, "media_type=text/plain", "sound").await, refused(400, "bad_request"));
    assert_eq!(send(&server, "media_type=audio/webm", "").await, refused(400, "bad_request"));
    assert_eq!(send(&server, "media_type=audio/webm&language=../x", "sound").await, refused(400, "bad_request"));
    assert_eq!(send(&server, "media_type=audio/x%0D%0Aa:b", "sound").await, refused(400, "bad_request"));
    assert_eq!(send(&server, "language=en", "sound").await, refused(400, "bad_request"));
    let large = "s".repeat((4 << 20) + 1);
    assert_eq!(send(&server, "media_type=audio/webm", &large).await, refused(413, "too_large"));
}
