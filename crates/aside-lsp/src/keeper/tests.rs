//! Real conversations with a small server that speaks the protocol, in all the ways that go wrong.

use std::time::Duration;

use aside_core::{FileKind, LanguageServer, Problem, SandboxLevel};
use aside_doc::{Access, PeerId, TextDocument};
use aside_store::{DataFolder, Store, StoreOptions};
use aside_workspace::{Document, DocumentFrame, Workspace, WorkspaceEvent};
use tokio::sync::broadcast;

use super::*;
use crate::{Following, LanguageServers};

/// How long something may take on a busy machine before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The system's Python, if it has one: that of a version manager lies in a home which a sandbox need not show.
fn python() -> &'static str {
    let own = "/usr/bin/python3";
    if std::path::Path::new(own).exists() { own } else { "python3" }
}

struct Bench {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
    servers: Arc<LanguageServers>,
    events: broadcast::Receiver<WorkspaceEvent>,
}

impl Bench {
    /// With a server that behaves in one way.
    fn new(mode: &str) -> Self {
        let python = python();
        Self::with(|own| format!("[servers.python]\ncommand = [\"{python}\", \"{own}/server.py\", \"{mode}\"]\n"))
    }

    /// With another configuration; it is told where the workspace is.
    fn with(configuration: impl FnOnce(&str) -> String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("work");
        std::fs::DirBuilder::new().create(&own).unwrap();
        let store = Store::open(&own.join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(&own, store).unwrap();
        let data = DataFolder::at(folder.path().join("data"));
        let text = configuration(workspace.folder().to_str().unwrap());
        write(&data.file("language-servers.toml", 1 << 20), &text);
        put(&workspace, "server.py", include_str!("fake_server.py"));
        let short = Duration::from_millis(5);
        let patience = Patience { typing: short, rest: Duration::from_millis(1), unused: short, ..Patience::default() };
        let servers = LanguageServers::with(workspace.clone(), Some(&data), patience);
        let events = workspace.events();
        Self { folder, workspace, servers, events }
    }

    fn configure(&self, text: &str) {
        write(&DataFolder::at(self.folder.path().join("data")).file("language-servers.toml", 1 << 20), text);
    }

    /// Opens a document, as an editor does.
    fn open(&self, name: &str, text: &str) -> (Arc<Document>, Option<Following>) {
        put(&self.workspace, name, text);
        let document = self.workspace.document(&path(name)).unwrap();
        let following = self.servers.follow(&document, FileKind::Python);
        (document, following)
    }

    fn problems(&self) -> Vec<Problem> {
        self.workspace.problems(None).unwrap()
    }

    fn messages(&self) -> Vec<String> {
        self.problems().into_iter().map(|problem| problem.message).collect()
    }

    fn server(&self) -> LanguageServer {
        self.servers.overview().servers.remove(0)
    }

    /// Waits until something holds; it is looked again when the workspace says that something has changed.
    async fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let waited = tokio::time::timeout(PATIENCE, async {
            while !holds(self) {
                let _ = self.events.recv().await;
            }
        });
        if waited.await.is_err() {
            panic!("{what} did not come: {:?} {:?}", self.server(), self.messages());
        }
    }
}

fn path(name: &str) -> WorkspacePath {
    WorkspacePath::new(name).unwrap()
}

fn write(file: &aside_store::TextFile, text: &str) {
    file.change(|_| Ok::<_, std::io::Error>(text.to_owned())).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "sets the scene")]
fn put(workspace: &Workspace, name: &str, text: &str) {
    std::fs::write(workspace.folder().join(name), text).unwrap();
}

/// Types, as an editor does.
fn type_in(document: &Arc<Document>, change: impl FnOnce(&str) -> String) {
    let (peer, mut frames) = document.connect();
    let mut copy = TextDocument::from_updates::<&[u8]>([]).unwrap();
    for frame in copy.replica().greet() {
        peer.receive(&frame).unwrap();
    }
    while let Ok(DocumentFrame::Message(message)) = frames.try_recv() {
        copy.replica_mut().receive(PeerId(0), Access::Write, &message).unwrap();
    }
    let typed = copy.replace_text(&change(&copy.text()), "typing").unwrap();
    peer.receive(&typed.frame()).unwrap();
}

#[tokio::test]
async fn what_it_finds_is_shown_follows_the_text_and_goes_with_the_document() {
    let mut bench = Bench::new("good");
    assert_eq!(bench.server().state, LanguageServerState::Resting);
    let (document, following) = bench.open("ä b.py", "ok\n😀 bad\n");
    let again = bench.servers.follow(&document, FileKind::Python);
    bench.until("the first problem", |bench| bench.messages() == ["😀 bad"]).await;
    let problem = bench.problems().remove(0);
    assert_eq!((problem.path.unwrap().as_str(), problem.line), ("ä b.py", Some(2)));
    assert_eq!((problem.column, problem.end_column, problem.program.as_deref()), (Some(3), Some(6), Some("Fake")));
    assert_eq!(bench.server().state, LanguageServerState::Ready);
    for number in 0..20 {
        type_in(&document, |text| text.replacen("ok\n", &format!("ok\n{number} 😀 x\n"), 1));
    }
    type_in(&document, |text| format!("😁 very bad\n{text}"));
    bench.until("both", |bench| bench.messages() == ["😁 very bad", "😀 bad"]).await;
    let lines: Vec<_> = bench.problems().into_iter().map(|problem| problem.line.unwrap()).collect();
    assert_eq!(lines, [1, 23]);
    drop(again);
    assert_eq!(bench.messages().len(), 2, "somebody still has it open");
    drop(following);
    bench.until("nothing", |bench| bench.messages().is_empty()).await;
    bench.until("its rest", |bench| bench.server().state == LanguageServerState::Resting).await;
    let (_document, _following) = bench.open("c.py", "bad again\n");
    bench.until("the next start", |bench| bench.messages() == ["bad again"]).await;
    bench.servers.close().await;
    assert!(bench.messages().is_empty());
}

#[tokio::test]
async fn one_that_dies_is_given_up_with_its_last_words_and_tried_again_with_the_next_document() {
    let mut bench = Bench::new("crash");
    let (_document, _following) = bench.open("a.py", "bad\n");
    bench.until("its failure", |bench| bench.server().state == LanguageServerState::Failed).await;
    let server = bench.server();
    let said = server.said.unwrap();
    assert!(said.starts_with("it ended: ") && said.ends_with("boom: out of ideas"), "{said}");
    assert!(server.todo.unwrap().contains("open the file again"));
    let (_other, _following) = bench.open("b.py", "bad\n");
    bench.until("another try", |bench| bench.server().state == LanguageServerState::Starting).await;
    bench.until("another failure", |bench| bench.server().state == LanguageServerState::Failed).await;
}

#[tokio::test]
async fn one_that_was_given_up_is_started_anew_when_a_person_asks_and_so_is_one_that_works() {
    let mut bench = Bench::new("moody");
    let (_document, _following) = bench.open("a.py", "bad\n");
    bench.until("its failure", |bench| bench.server().state == LanguageServerState::Failed).await;
    put(&bench.workspace, "mended", "");
    assert!(bench.servers.restart("python") && !bench.servers.restart("nobody"));
    bench.until("its problem", |bench| bench.messages() == ["bad"]).await;
    assert_eq!(bench.server().state, LanguageServerState::Ready);
    bench.servers.restart("python");
    bench.until("its end", |bench| bench.messages().is_empty()).await;
    bench.until("its problem again", |bench| bench.messages() == ["bad"]).await;
    assert_eq!(bench.server().state, LanguageServerState::Ready);
}

#[tokio::test]
async fn what_is_no_protocol_is_said() {
    for (mode, words) in [("wrong", "of the wrong length"), ("unwilling", "it failed to start: no licence")] {
        let mut bench = Bench::new(mode);
        let (document, _following) = bench.open("a.py", "bad\n");
        bench.until(mode, |bench| bench.server().state == LanguageServerState::Failed).await;
        let said = bench.server().said.unwrap();
        assert!(said.contains(words), "{said}");
        type_in(&document, |text| text.replace("bad", "good"));
        assert_eq!(&*document.text(), "good\n", "the document goes on");
    }
}

#[tokio::test]
async fn a_flood_is_bounded_and_keeps_no_document_waiting() {
    let mut bench = Bench::new("flood");
    let (document, _following) = bench.open("a.py", "bad\n");
    type_in(&document, |text| format!("{text}still there\n"));
    assert_eq!(&*document.text(), "bad\nstill there\n");
    let most = crate::diagnostic::MOST_IN_FILE;
    bench.until("its problems", |bench| bench.messages().len() == most).await;
    assert_eq!(bench.server().state, LanguageServerState::Ready);
}

#[tokio::test]
async fn what_is_beyond_the_end_is_at_the_end() {
    let mut bench = Bench::new("far");
    let (_document, _following) = bench.open("a.py", "one\ntwo");
    bench.until("its problem", |bench| bench.messages() == ["far away"]).await;
    assert_eq!((bench.problems()[0].line, bench.problems()[0].column), (Some(2), Some(4)));
}

#[tokio::test]
async fn it_reads_the_workspace_and_nothing_else_happens() {
    let mut bench = Bench::new("nosy");
    if bench.workspace.processes().found().level == SandboxLevel::None {
        eprintln!("not run: nothing keeps programs apart here");
        return;
    }
    let (_document, _following) = bench.open("a.py", "fine\n");
    bench.until("its tries", |bench| bench.messages().len() == 3).await;
    let mut told = bench.messages();
    told.sort();
    assert_eq!(told, ["refused: call", "refused: peek", "refused: write"]);
    assert!(!bench.workspace.folder().join("stolen").exists());
}

#[tokio::test]
async fn one_that_does_not_answer_is_not_waited_for() {
    let bench = Bench::new("deaf");
    let patience =
        Patience { greeting: Duration::from_millis(50), rest: Duration::from_millis(1), ..Patience::default() };
    let data = DataFolder::at(bench.folder.path().join("data"));
    let servers = LanguageServers::with(bench.workspace.clone(), Some(&data), patience);
    let mut bench = Bench { servers, ..bench };
    let (_document, _following) = bench.open("a.py", "x\n");
    bench.until("its failure", |bench| bench.server().state == LanguageServerState::Failed).await;
    assert!(bench.server().said.unwrap().starts_with("it did not answer the first request"));
}

#[tokio::test]
async fn one_that_is_not_installed_is_named_with_what_to_do() {
    let mut bench = Bench::with(|_| "[servers.python]\ncommand = [\"no-such-langserver\"]\n".to_owned());
    assert_eq!(bench.server().state, LanguageServerState::Missing);
    let (_document, _following) = bench.open("a.py", "x\n");
    bench.until("the answer", |bench| bench.server().said.is_some()).await;
    let server = bench.server();
    assert_eq!(server.said.as_deref(), Some("the program `no-such-langserver` was not found"));
    assert!(server.todo.unwrap().starts_with("install it, or set its full path"));
}

#[tokio::test]
async fn nothing_is_followed_without_a_server_for_the_language() {
    let bench = Bench::new("good");
    put(&bench.workspace, "a.rs", "bad\n");
    let document = bench.workspace.document(&path("a.rs")).unwrap();
    assert!(bench.servers.follow(&document, FileKind::Rust).is_none());
    let none = LanguageServers::open(bench.workspace.clone(), None);
    assert!(none.follow(&document, FileKind::Python).is_none() && none.overview().servers.is_empty());
}

#[tokio::test]
async fn a_mistake_in_the_file_is_told_and_what_was_understood_goes_on() {
    let bench = Bench::new("good");
    assert_eq!(bench.servers.overview().servers.len(), 1);
    bench.configure("[servers.python]\ncommand = []\n");
    let overview = bench.servers.overview();
    assert!(overview.problem.unwrap().contains("language-servers.toml, line 2: `command` is a program"));
    assert_eq!(overview.servers.len(), 1);
    bench.configure("");
    let overview = bench.servers.overview();
    assert_eq!((overview.problem, overview.servers.len()), (None, 0));
}
