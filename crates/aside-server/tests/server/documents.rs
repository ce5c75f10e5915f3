//! Documents over the connection: two editors, the file beside them, what can't be opened.

use std::fs;

use aside_core::{FileKind, WorkspacePath};
use aside_protocol::{ClientFrame, DocumentName, ServerFrame};
use tokio_tungstenite::tungstenite::Message;

use crate::{
    harness::{self, Server},
    socket::{Editor, Heard, Socket, open_document},
};

fn with_file(name: &'static str, text: &'static str) -> impl FnOnce(&std::path::Path) {
    move |folder| fs::write(folder.join(name), text).unwrap()
}

#[tokio::test]
async fn two_editors_converge_and_the_file_follows() {
    let server = Server::with(with_file("a.txt", "one\ntwo\n")).await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    let mut bob = Editor::open(server.serving(), "a.txt").await;
    ada.wait_for("one\ntwo\n").await;
    bob.wait_for("one\ntwo\n").await;
    assert_eq!(ada.epoch, bob.epoch);
    ada.insert(0, "A").await;
    bob.insert(8, "B").await;
    ada.wait_for("Aone\ntwo\nB").await;
    bob.wait_for("Aone\ntwo\nB").await;
    let folder = server.stop().await;
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "Aone\ntwo\nB");
}

#[tokio::test]
async fn an_editor_that_was_away_brings_what_it_typed() {
    let server = Server::with(with_file("a.txt", "one\n")).await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    ada.wait_for("one\n").await;
    let Editor { mut document, socket, epoch, .. } = ada;
    drop(socket);
    let away = aside_doc::Splice { range: 4..4, insert: "typed away\n".to_owned() };
    document.apply(&[away], "typing").unwrap();
    let folder = server.stop().await;
    let running = harness::start(folder.path()).await;
    let mut ada = Editor::reopen(running.serving(), "a.txt", document).await;
    assert_eq!(ada.epoch, epoch, "the history goes on over a restart");
    let mut bob = Editor::open(running.serving(), "a.txt").await;
    bob.wait_for("one\ntyped away\n").await;
    bob.insert(0, "zero\n").await;
    ada.wait_for("zero\none\ntyped away\n").await;
    running.stop().await;
}

#[tokio::test]
async fn pong_follows_the_earlier_changes() {
    let server = Server::with(with_file("a.txt", "one\n")).await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    ada.wait_for("one\n").await;
    ada.insert(4, "two\n").await;
    ada.socket.say(&ClientFrame::Ping { ping: 9 }).await;
    let pong = ada.socket.until(|frame| match frame {
        ServerFrame::Pong { ping } => Some(ping),
        _ => None,
    });
    assert_eq!(pong.await, 9);
    let mut bob = Editor::open(server.serving(), "a.txt").await;
    bob.wait_for("one\ntwo\n").await;
}

#[tokio::test]
async fn what_another_program_writes_reaches_the_editor() {
    let server = Server::with(with_file("a.txt", "one\ntwo\n")).await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    ada.wait_for("one\ntwo\n").await;
    fs::write(server.folder.path().join("a.txt"), "one\n2\n").unwrap();
    ada.wait_for("one\n2\n").await;
}

#[tokio::test]
async fn what_is_no_text_is_refused_with_the_reason() {
    let server = Server::with(|folder| {
        fs::write(folder.join("image.png"), b"\x89PNG\r\n\0\0").unwrap();
        fs::write(folder.join("latin1.txt"), b"caf\xe9\n").unwrap();
        fs::create_dir(folder.join("sub")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.join("out")).unwrap();
    })
    .await;
    let mut socket = Socket::connect(server.serving()).await;
    for (path, code, told) in [
        ("image.png", "binary", Some(FileKind::Image)),
        ("latin1.txt", "not_utf8", Some(FileKind::Plain)),
        ("sub", "is_folder", None),
        ("gone.txt", "not_found", Some(FileKind::Plain)),
        ("out", "outside", None),
        (".aside/aside.db", "private", Some(FileKind::Binary)),
    ] {
        socket.say(&open_document(path)).await;
        let (failure, kind) = socket
            .until(|frame| match frame {
                ServerFrame::DocumentRefused { request: 7, failure, kind } => Some((failure, kind)),
                _ => None,
            })
            .await;
        assert_eq!((failure.code.as_str(), kind), (code, told), "{path}: {failure}");
    }
    socket.say(&ClientFrame::OpenDocument { request: 8, document: DocumentName::Layout, epoch: None }).await;
    socket.until(|frame| matches!(frame, ServerFrame::DocumentOpened { request: 8, .. }).then_some(())).await;
}

#[tokio::test]
async fn a_path_that_leaves_is_no_path() {
    let server = Server::new().await;
    assert!(WorkspacePath::new("../x").is_err());
    let mut socket = Socket::connect(server.serving()).await;
    let frame = r#"{"type":"open_document","request":1,"document":{"kind":"file","path":"../x"},"epoch":null}"#;
    socket.send(Message::Text(frame.into())).await;
    let failure = problem(&mut socket).await;
    assert_eq!(failure, "bad_frame");
}

#[tokio::test]
async fn nonsense_is_answered_and_the_connection_goes_on() {
    let server = Server::with(with_file("a.txt", "one\n")).await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    let number = u8::try_from(ada.number).unwrap();
    for nonsense in
        [vec![], vec![0x80], vec![99, 0, 0], vec![number, 0, 2, 255, 255], vec![number, 0, 7], vec![number, 9]]
    {
        ada.socket.send(Message::Binary(nonsense.clone().into())).await;
        problem(&mut ada.socket).await;
    }
    ada.socket.send(Message::Text("{".into())).await;
    assert_eq!(problem(&mut ada.socket).await, "bad_frame");
    let mut bob = Editor::open(server.serving(), "a.txt").await;
    bob.wait_for("one\n").await;
}

#[tokio::test]
async fn a_closed_document_sends_nothing_more() {
    let server = Server::with(with_file("a.txt", "one\n")).await;
    let mut ada = Editor::open(server.serving(), "a.txt").await;
    ada.wait_for("one\n").await;
    let number = ada.number;
    ada.socket.say(&ClientFrame::CloseDocument { number }).await;
    ada.socket.send(Message::Text("{".into())).await;
    problem(&mut ada.socket).await;
    let mut bob = Editor::open(server.serving(), "a.txt").await;
    bob.wait_for("one\n").await;
    bob.insert(0, "zero\n").await;
    ada.socket.send(Message::Text("{".into())).await;
    loop {
        match ada.socket.hear().await {
            Heard::Frame(ServerFrame::Problem { .. }) => break,
            Heard::Sync(..) => panic!("it was closed"),
            Heard::Frame(_) => {}
            Heard::Closed => panic!("the connection was closed"),
        }
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_connection() {
    let server = Server::new().await;
    let mut socket = Socket::connect(server.serving()).await;
    socket.send(Message::Binary(vec![0; 17 << 20].into())).await;
    loop {
        if matches!(socket.hear().await, Heard::Closed) {
            break;
        }
    }
}

#[tokio::test]
async fn the_end_of_the_server_ends_the_connection() {
    let server = Server::new().await;
    let mut socket = Socket::connect(server.serving()).await;
    let stopped = server.stop();
    let closed = async { while !matches!(socket.hear().await, Heard::Closed) {} };
    tokio::join!(stopped, closed);
}

async fn problem(socket: &mut Socket) -> String {
    socket
        .until(|frame| match frame {
            ServerFrame::Problem { failure } => Some(failure.code),
            _ => None,
        })
        .await
}
