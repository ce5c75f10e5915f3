//! Windows of a terminal: each from its own place, of one size, and told plainly when it is gone.

use std::{collections::VecDeque, time::Duration};

use aside_protocol::{Serving, TerminalClientFrame, TerminalGone, TerminalServerFrame};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{self, Message, client::IntoClientRequest as _},
};

use crate::harness::{Server, start};

/// How long something may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A window of a terminal.
struct Window {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    frames: VecDeque<TerminalServerFrame>,
    /// All output that has come, and the number of the byte that comes next.
    output: String,
    seq: u64,
    acknowledges: bool,
    closed: Option<u16>,
}

impl Window {
    async fn open(serving: &Serving, id: &str, query: &str) -> Self {
        Self::with(serving, id, query, &[("authorization", &format!("Bearer {}", serving.token))]).await.unwrap()
    }

    async fn with(
        serving: &Serving,
        id: &str,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, tungstenite::Error> {
        let url = format!("{}api/v1/terminals/{id}/socket{query}", serving.url.replace("http://", "ws://"));
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let (stream, _) = connect_async(request).await?;
        let (frames, output) = (VecDeque::new(), String::new());
        Ok(Self { stream, frames, output, seq: 0, acknowledges: true, closed: None })
    }

    /// Takes in one message; false at the end.
    async fn hear(&mut self) -> bool {
        match timeout(PATIENCE, self.stream.next()).await.expect("something is heard") {
            Some(Ok(Message::Text(text))) => {
                let frame = serde_json::from_str(&text).unwrap();
                if let TerminalServerFrame::Start { seq, .. } = &frame {
                    self.seq = *seq;
                }
                self.frames.push_back(frame);
            }
            Some(Ok(Message::Binary(bytes))) => {
                let (seq, output) = bytes.split_first_chunk::<8>().unwrap();
                assert_eq!(u64::from_be_bytes(*seq), self.seq, "no byte is missing");
                assert!(output.len() <= 64 << 10);
                self.seq += output.len() as u64;
                self.output.push_str(&String::from_utf8_lossy(output));
                if self.acknowledges {
                    self.say(&TerminalClientFrame::Ack { seq: self.seq }).await;
                }
            }
            Some(Ok(Message::Close(frame))) => {
                self.closed = frame.map(|frame| frame.code.into());
                return false;
            }
            Some(Err(_)) | None => return false,
            Some(Ok(_)) => {}
        }
        true
    }

    async fn say(&mut self, frame: &TerminalClientFrame) {
        let _ = self.stream.send(Message::Text(serde_json::to_string(frame).unwrap().into())).await;
    }

    async fn type_in(&mut self, keys: &str) {
        self.stream.send(Message::Binary(keys.as_bytes().to_vec().into())).await.unwrap();
    }

    async fn until_output(&mut self, wanted: &str) {
        while !self.output.contains(wanted) {
            assert!(self.hear().await, "closed before `{wanted}`: {:?}", self.output);
        }
    }

    async fn until<T>(&mut self, wanted: impl Fn(&TerminalServerFrame) -> Option<T>) -> T {
        loop {
            while let Some(frame) = self.frames.pop_front() {
                if let Some(found) = wanted(&frame) {
                    return found;
                }
            }
            assert!(self.hear().await, "closed: {:?}", self.closed);
        }
    }

    /// The next place at which output starts: its first byte, whether the window is to be emptied, and the bytes that are gone.
    async fn start(&mut self) -> (u64, bool, u64) {
        self.until(|frame| match frame {
            TerminalServerFrame::Start { seq, reset, omitted, .. } => Some((*seq, *reset, *omitted)),
            _ => None,
        })
        .await
    }

    async fn size(&mut self, cols: u16, rows: u16) {
        self.until(|frame| match frame {
            TerminalServerFrame::Size { size } => ((size.cols, size.rows) == (cols, rows)).then_some(()),
            _ => None,
        })
        .await;
    }

    async fn gone(&mut self) -> TerminalGone {
        let why = self
            .until(|frame| match frame {
                TerminalServerFrame::Gone { why, .. } => Some(*why),
                _ => None,
            })
            .await;
        while self.hear().await {}
        assert_eq!(self.closed, Some(4404));
        why
    }
}

async fn open(server: &Server) -> String {
    let body = json!({ "action_type": "terminal.open", "args": { "shell": "sh" } });
    let done = server.post("actions", body).await;
    assert_eq!(done["state"], "done", "{done}");
    done["record"]["outcome"]["observation"]["data"]["terminal"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_window_comes_back_to_where_it_was() {
    let server = Server::new().await;
    let id = open(&server).await;
    let mut window = Window::open(server.serving(), &id, "").await;
    assert_eq!(window.start().await, (0, true, 0));
    window.type_in("echo $((40 + 2))\r").await;
    window.until_output("\n42\r\n").await;
    let seq = window.seq;
    drop(window);
    let mut again = Window::open(server.serving(), &id, &format!("?from={seq}")).await;
    assert_eq!(again.start().await, (seq, false, 0));
    again.type_in("printf '\\033]0;%s\\007' title; exit 3\r").await;
    let title = again.until(|frame| match frame {
        TerminalServerFrame::Title { title } => Some(title.clone()),
        _ => None,
    });
    assert_eq!(title.await, "title");
    let exit = again.until(|frame| match frame {
        TerminalServerFrame::Exit { exit } => Some(exit.clone()),
        _ => None,
    });
    assert_eq!(exit.await.status, Some(3));
    assert!(!again.output.contains("42"));
    again.type_in("x").await;
    let refused = again.until(|frame| match frame {
        TerminalServerFrame::Problem { failure } => Some(failure.code.clone()),
        _ => None,
    });
    assert_eq!(refused.await, "terminal_ended");
    let mut whole = Window::open(server.serving(), &id, "?from=999999999").await;
    assert_eq!(whole.start().await, (0, true, 0), "a place that was never there is no place");
    whole.until_output("\n42\r\n").await;
    let (status, list) = server.ask("GET", "terminals", None).await;
    assert_eq!((status, &list[0]["exit"]["status"], &list[0]["title"]), (200, &json!(3), &json!("title")));
    server.stop().await;
}

#[tokio::test]
async fn slow_window_goes_on_at_newest_output() {
    let server = Server::new().await;
    let id = open(&server).await;
    let mut slow = Window::open(server.serving(), &id, "").await;
    slow.acknowledges = false;
    slow.start().await;
    slow.type_in("yes $(printf %079d 0) | head -c 6000000; echo; echo $((40 + 2)) over\r").await;
    // Another window is not held up.
    let mut quick = Window::open(server.serving(), &id, "").await;
    quick.until_output("\n42 over").await;
    while slow.seq < 512 << 10 {
        assert!(slow.hear().await);
    }
    assert_eq!(slow.seq, 512 << 10, "no more is on its way than it acknowledges");
    slow.acknowledges = true;
    slow.say(&TerminalClientFrame::Ack { seq: slow.seq }).await;
    let (seq, reset, omitted) = slow.start().await;
    assert!(reset && seq > 5_000_000 && omitted == seq - (512 << 10), "{seq} {omitted}");
    slow.until_output("\n42 over").await;
    server.stop().await;
}

#[tokio::test]
async fn windows_share_the_size_of_who_typed_last() {
    let server = Server::new().await;
    let id = open(&server).await;
    let mut one = Window::open(server.serving(), &id, "?cols=90&rows=30").await;
    one.start().await;
    let mut two = Window::open(server.serving(), &id, "?cols=70&rows=20").await;
    one.size(70, 20).await;
    one.type_in("stty size\r").await;
    two.size(90, 30).await;
    two.until_output("30 90").await;
    two.say(&TerminalClientFrame::Resize { cols: 60, rows: 10 }).await;
    // The answer of a terminal that is not typed in is not passed on, and leaves the size alone.
    two.type_in("\x1b[?1;2c").await;
    two.type_in("stty size\r").await;
    two.until_output("10 60").await;
    assert!(!two.output.contains("1;2c"), "{:?}", two.output);
    one.size(60, 10).await;
    server.stop().await;
}

#[tokio::test]
async fn a_terminal_that_is_gone_says_why() {
    let server = Server::new().await;
    let id = open(&server).await;
    let mut window = Window::open(server.serving(), &id, "").await;
    window.start().await;
    let closed = json!({ "action_type": "terminal.close", "args": { "terminal": id } });
    assert_eq!(server.post("actions", closed).await["state"], "done");
    assert_eq!(window.gone().await, TerminalGone::Closed);
    assert_eq!(Window::open(server.serving(), &id, "").await.gone().await, TerminalGone::Closed);
    let id = open(&server).await;
    let mut window = Window::open(server.serving(), &id, "").await;
    window.start().await;
    let (folder, ()) = tokio::join!(server.stop(), async {
        assert_eq!(window.gone().await, TerminalGone::ServerEnds);
    });
    let running = start(folder.path()).await;
    assert_eq!(Window::open(running.serving(), &id, "").await.gone().await, TerminalGone::ServerRestarted);
    running.stop().await;
}

#[tokio::test]
async fn only_pages_of_ours_open_a_socket() {
    let server = Server::new().await;
    let id = open(&server).await;
    let status = |error: tungstenite::Error| match error {
        tungstenite::Error::Http(response) => response.status().as_u16(),
        other => panic!("{other}"),
    };
    let bearer = format!("Bearer {}", server.serving().token);
    for (headers, wanted) in [
        (vec![], 401),
        (vec![("authorization", "Bearer wrong")], 401),
        (vec![("authorization", bearer.as_str()), ("origin", "http://evil.example")], 403),
    ] {
        let refused = Window::with(server.serving(), &id, "", &headers).await.err().map(status);
        assert_eq!(refused, Some(wanted), "{headers:?}");
    }
    let grant = server.post("grants", json!({ "name": "script", "limits": {} })).await;
    let token = format!("Bearer {}", grant["token"].as_str().unwrap());
    let refused = Window::with(server.serving(), &id, "", &[("authorization", &token)]).await.err().map(status);
    assert_eq!(refused, Some(403));
    let (status, body) = server.ask("GET", "terminals/nonsense/socket", None).await;
    assert_eq!((status, &body["error"]["code"]), (400, &Value::from("bad_request")), "{body}");
    server.stop().await;
}
