//! A client of the connection, and one of a document that speaks the sync protocol as an editor does.

use aside_core::{EpochId, WorkspacePath};
use aside_doc::{Access, PeerId, Splice, TextDocument};
use aside_protocol::{ClientFrame, DocumentName, ServerFrame, Serving};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest as _},
};

pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// What a client hears.
#[derive(Debug)]
pub enum Heard {
    Frame(ServerFrame),
    Sync(u32, Vec<u8>),
    Closed,
}

impl Socket {
    pub async fn connect(serving: &Serving) -> Self {
        Self::with(serving, &[("authorization", &format!("Bearer {}", serving.token))]).await
    }

    /// Connects as a page does.
    pub async fn of_page(serving: &Serving, cookie: &str) -> Self {
        let origin = serving.url.split('/').take(3).collect::<Vec<_>>().join("/");
        Self::with(serving, &[("cookie", cookie), ("origin", &origin)]).await
    }

    async fn with(serving: &Serving, headers: &[(&'static str, &str)]) -> Self {
        let url = format!("{}api/v1/connection", serving.url.replace("http://", "ws://"));
        let mut request = url.into_client_request().expect("the url is one");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("it is a header value"));
        }
        let (stream, _) = connect_async(request).await.expect("the server takes the connection");
        let mut socket = Self { stream };
        assert!(matches!(socket.hear().await, Heard::Frame(ServerFrame::Hello { .. })), "the first frame is hello");
        socket
    }

    /// Asks for a file that is not given, and returns the code of why.
    pub async fn refused(&mut self, path: &str) -> String {
        let document = DocumentName::File { path: path.parse().expect("it is a path") };
        self.say(&ClientFrame::OpenDocument { request: 1, document, epoch: None }).await;
        self.until(|frame| match frame {
            ServerFrame::DocumentRefused { failure, .. } => Some(failure.code),
            _ => None,
        })
        .await
    }

    pub async fn say(&mut self, frame: &ClientFrame) {
        let text = serde_json::to_string(frame).expect("frames are JSON");
        self.send(Message::Text(text.into())).await;
    }

    pub async fn sync(&mut self, number: u32, message: &[u8]) {
        assert!(number < 128, "one byte is enough for tests");
        let mut frame = vec![u8::try_from(number).expect("it is small")];
        frame.extend_from_slice(message);
        self.send(Message::Binary(frame.into())).await;
    }

    pub async fn send(&mut self, message: Message) {
        // A connection that the server ends is heard of by `hear`.
        let _ = self.stream.send(message).await;
    }

    pub async fn hear(&mut self) -> Heard {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    return Heard::Frame(serde_json::from_str(&text).expect("the server sends its frames"));
                }
                Some(Ok(Message::Binary(bytes))) => return Heard::Sync(u32::from(bytes[0]), bytes[1..].to_vec()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Heard::Closed,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Returns the first frame that `wanted` takes; what comes before it is passed over.
    pub async fn until<T>(&mut self, mut wanted: impl FnMut(ServerFrame) -> Option<T>) -> T {
        loop {
            match self.hear().await {
                Heard::Frame(frame) => {
                    if let Some(found) = wanted(frame) {
                        return found;
                    }
                }
                Heard::Sync(..) => {}
                Heard::Closed => panic!("the connection was closed"),
            }
        }
    }
}

/// An editor with one open document.
pub struct Editor {
    pub socket: Socket,
    pub document: TextDocument,
    pub number: u32,
    pub epoch: EpochId,
}

const SERVER: PeerId = PeerId(1);

impl Editor {
    pub async fn open(serving: &Serving, path: &str) -> Self {
        let document = TextDocument::from_updates(std::iter::empty::<Vec<u8>>()).expect("nothing can't be wrong");
        Self::reopen(serving, path, document).await
    }

    /// Connects with the copy that an editor still has.
    pub async fn reopen(serving: &Serving, path: &str, document: TextDocument) -> Self {
        let mut socket = Socket::connect(serving).await;
        socket.say(&open_document(path)).await;
        let (number, epoch) = socket
            .until(|frame| match frame {
                ServerFrame::DocumentOpened { number, epoch, .. } => Some((number, epoch)),
                ServerFrame::DocumentRefused { failure, .. } => panic!("{failure}"),
                _ => None,
            })
            .await;
        for message in document.replica().greet() {
            socket.sync(number, &message).await;
        }
        let mut editor = Self { socket, document, number, epoch };
        // The server's first message asks for what it lacks.
        while !editor.take_in().await {}
        editor
    }

    pub fn text(&self) -> String {
        self.document.text().to_string()
    }

    pub async fn insert(&mut self, at: usize, text: &str) {
        let splice = Splice { range: at..at, insert: text.to_owned() };
        let change = self.document.apply(&[splice], "typing").expect("it changes something");
        self.socket.sync(self.number, &change.frame()).await;
    }

    /// Takes in what comes until the text is as wanted.
    pub async fn wait_for(&mut self, wanted: &str) {
        while self.text() != wanted {
            self.take_in().await;
        }
    }

    /// Takes in one message; tells whether it was answered.
    async fn take_in(&mut self) -> bool {
        match self.socket.hear().await {
            Heard::Frame(_) => false,
            Heard::Sync(number, message) => {
                assert_eq!(number, self.number);
                let received = self.document.replica_mut().receive(SERVER, Access::Write, &message);
                let replies = received.expect("the server speaks the protocol").replies;
                for reply in &replies {
                    self.socket.sync(self.number, reply).await;
                }
                !replies.is_empty()
            }
            Heard::Closed => panic!("the connection was closed at {:?}", self.text()),
        }
    }
}

pub fn open_document(path: &str) -> ClientFrame {
    let path = WorkspacePath::new(path).expect("a path");
    ClientFrame::OpenDocument { request: 7, document: DocumentName::File { path }, epoch: None }
}
