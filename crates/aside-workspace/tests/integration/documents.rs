//! Documents beside their files, as editors, other programs and crashes leave them.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf, sync::Arc, time::Duration};

use aside_core::{Version, WorkspacePath};
use aside_doc::{Access, PeerId, TextDocument};
use aside_store::{Store, StoreOptions};
use aside_workspace::{
    Document, DocumentFrame, DocumentState, Existing, Frames, Peer, Word, Workspace, WorkspaceEvent,
};

struct Fixture {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        let workspace = open(folder.path().to_owned());
        Self { folder, workspace }
    }

    /// As after `kill -9`: nothing is written, nothing is said.
    fn killed_and_started_again(self) -> Self {
        let Self { folder, workspace } = self;
        drop(workspace);
        let workspace = open(folder.path().to_owned());
        Self { folder, workspace }
    }

    fn document(&self, file: &str) -> Arc<Document> {
        self.workspace.document(&path(file)).unwrap()
    }

    fn on_disk(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap()
    }

    fn put(&self, file: &str, text: &str) {
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    fn refusal(&self, file: &str) -> &'static str {
        self.workspace.document(&path(file)).err().expect("it is refused").code()
    }
}

fn open(folder: PathBuf) -> Arc<Workspace> {
    let store = Store::open(&folder.join(".aside"), StoreOptions::system()).unwrap();
    Workspace::open(&folder, store).unwrap()
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::new(text).unwrap()
}

/// Waits until the state is as wanted; a minute without it is a failure.
async fn until(document: &Document, wanted: impl Fn(&DocumentState) -> bool) -> DocumentState {
    let mut state = document.state();
    let waited = tokio::time::timeout(Duration::from_secs(60), state.wait_for(|state| wanted(state))).await;
    waited.expect("it comes in time").expect("the document lives").clone()
}

async fn until_text(document: &Document, wanted: &str) {
    let mut state = document.state();
    while &*document.text() != wanted {
        let changed = tokio::time::timeout(Duration::from_secs(60), state.changed()).await;
        changed.expect("it comes in time").expect("the document lives");
    }
}

/// A browser's copy of a document.
struct Editor {
    copy: TextDocument,
    peer: Peer,
    frames: Frames,
}

const SERVER: PeerId = PeerId(0);

impl Editor {
    fn connect(document: &Arc<Document>, copy: TextDocument) -> Self {
        let (peer, frames) = document.connect();
        for frame in copy.replica().greet() {
            peer.receive(&frame).unwrap();
        }
        let mut editor = Self { copy, peer, frames };
        editor.hear();
        editor
    }

    fn hear(&mut self) {
        while let Ok(frame) = self.frames.try_recv() {
            let DocumentFrame::Message(message) = frame else { continue };
            let received = self.copy.replica_mut().receive(SERVER, Access::Write, &message).unwrap();
            for reply in received.replies {
                self.peer.receive(&reply).unwrap();
            }
        }
    }

    fn type_text(&mut self, text: &str) {
        let change = self.copy.replace_text(text, "typing").unwrap();
        self.peer.receive(&change.frame()).unwrap();
    }
}

fn editor(document: &Arc<Document>) -> Editor {
    Editor::connect(document, TextDocument::from_updates::<&[u8]>([]).unwrap())
}

#[tokio::test]
async fn two_editors_see_each_other_and_the_file_follows() {
    let fixture = Fixture::new(&[("a.md", "one\ntwo\n")]);
    let document = fixture.document("a.md");
    let (mut anna, mut ben) = (editor(&document), editor(&document));
    anna.type_text("one!\ntwo\n");
    ben.type_text("one\ntwo!\n");
    anna.hear();
    ben.hear();
    assert_eq!((&*anna.copy.text(), &*ben.copy.text()), ("one!\ntwo!\n", "one!\ntwo!\n"));
    assert!(!document.state().borrow().saved);
    until(&document, |state| state.saved).await;
    assert_eq!(fixture.on_disk("a.md"), "one!\ntwo!\n");
}

#[tokio::test]
async fn a_file_keeps_its_bytes_and_its_mode() {
    let fixture = Fixture::new(&[("run.bat", "\u{feff}a\r\nb\nc")]);
    let file = fixture.folder.path().join("run.bat");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("run.bat", fixture.folder.path().join("link")).unwrap();
    let document = fixture.document("link");
    assert_eq!(document.path(), path("run.bat"));
    editor(&document).type_text("a\nb\nC");
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(fixture.on_disk("run.bat"), "\u{feff}a\r\nb\nC");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    assert!(fixture.folder.path().join("link").is_symlink());
}

#[tokio::test]
async fn typing_survives_a_kill_and_a_returning_editor_merges() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    let epoch = document.epoch().clone();
    let mut anna = editor(&document);
    anna.type_text("one\ntyped\n");
    let Editor { mut copy, peer, frames } = anna;
    drop((peer, frames, document));
    let fixture = fixture.killed_and_started_again();
    copy.replace_text("one\ntyped\noffline\n", "typing");
    let document = fixture.document("a.md");
    assert_eq!(document.epoch(), &epoch);
    assert_eq!(&*document.text(), "one\ntyped\n");
    Editor::connect(&document, copy);
    assert_eq!(&*document.text(), "one\ntyped\noffline\n");
    until(&document, |state| state.saved).await;
    assert_eq!(fixture.on_disk("a.md"), "one\ntyped\noffline\n");
}

#[tokio::test]
async fn what_was_typed_right_before_a_kill_comes_to_its_file_without_anybody_opening_it() {
    let fixture = Fixture::new(&[("a.md", "one\n"), ("b.md", "two\n")]);
    let (changed, unchanged) = (fixture.document("a.md"), fixture.document("b.md"));
    editor(&changed).type_text("one\ntyped\n");
    drop((changed, unchanged));
    assert_eq!(fixture.on_disk("a.md"), "one\n");
    let fixture = fixture.killed_and_started_again();
    let came = tokio::time::timeout(Duration::from_secs(60), async {
        while fixture.on_disk("a.md") != "one\ntyped\n" {
            tokio::task::yield_now().await;
        }
    });
    came.await.expect("it comes to its file");
    assert!(fixture.workspace.open_document(&path("b.md")).is_none());
}

#[tokio::test]
async fn typing_survives_a_second_kill_after_one_between_a_file_and_its_record() {
    let Fixture { folder, workspace } = Fixture::new(&[("a.md", "one\n")]);
    let document = workspace.document(&path("a.md")).unwrap();
    editor(&document).type_text("one\ntyped\n");
    drop((document, workspace));
    // The file was written, the record still says that it was about to be.
    let store = Store::open(&folder.path().join(".aside"), StoreOptions::system()).unwrap();
    let mut record: serde_json::Value = store.get("document", "a.md").unwrap().unwrap();
    record["writing"] = serde_json::json!(Version::of("one\ntyped\n"));
    store.put("document", "a.md", None, &record).unwrap();
    drop(store);
    fs::write(folder.path().join("a.md"), "one\ntyped\n").unwrap();
    let workspace = open(folder.path().to_owned());
    let fixture = Fixture { folder, workspace };
    let document = fixture.document("a.md");
    editor(&document).type_text("one\ntyped\nmore\n");
    document.show().unwrap();
    drop(document);
    let fixture = fixture.killed_and_started_again();
    assert_eq!(&*fixture.document("a.md").text(), "one\ntyped\nmore\n");
}

#[tokio::test]
async fn what_changed_on_disk_while_the_server_was_down_comes_together_with_what_was_typed() {
    let fixture = Fixture::new(&[("a.md", "one\ntwo\nthree\n")]);
    let document = fixture.document("a.md");
    editor(&document).type_text("ONE\ntwo\nthree\n");
    drop(document);
    fixture.put("a.md", "one\ntwo\nTHREE\n");
    let fixture = fixture.killed_and_started_again();
    let document = fixture.document("a.md");
    assert_eq!(&*document.text(), "ONE\ntwo\nTHREE\n");
    until(&document, |state| state.saved).await;
    assert_eq!(fixture.on_disk("a.md"), "ONE\ntwo\nTHREE\n");
}

#[tokio::test]
async fn another_program_writing_in_place_or_by_rename_is_merged_in() {
    let fixture = Fixture::new(&[("a.md", "one\ntwo\n")]);
    let document = fixture.document("a.md");
    fixture.put("a.md", "one\ntwo\nthree\n");
    until_text(&document, "one\ntwo\nthree\n").await;
    fixture.put("a.md~", "zero\none\ntwo\nthree\n");
    fs::rename(fixture.folder.path().join("a.md~"), fixture.folder.path().join("a.md")).unwrap();
    until_text(&document, "zero\none\ntwo\nthree\n").await;
    let state = until(&document, |state| state.saved).await;
    assert!(!state.gone && state.problem.is_none());
}

#[tokio::test]
async fn a_change_on_disk_that_nobody_noticed_is_merged_before_writing() {
    let fixture = Fixture::new(&[("a.md", "one\ntwo\n")]);
    let document = fixture.document("a.md");
    editor(&document).type_text("ONE\ntwo\n");
    fixture.put("a.md", "one\nTWO\n");
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    assert_eq!(fixture.on_disk("a.md"), "ONE\nTWO\n");
}

#[tokio::test]
async fn a_file_that_is_emptied_for_a_moment_loses_nothing_that_was_typed() {
    let fixture = Fixture::new(&[("a.md", "one\ntwo\n")]);
    let document = fixture.document("a.md");
    editor(&document).type_text("ONE\ntwo\n");
    fixture.put("a.md", "");
    assert_eq!(fixture.workspace.save(&document, Word::NotGiven).unwrap_err().code(), "held");
    assert_eq!(&*document.text(), "ONE\ntwo\n");
    fixture.put("a.md", "one\ntwo\n");
    until(&document, |state| state.saved).await;
    assert_eq!(fixture.on_disk("a.md"), "ONE\ntwo\n");
}

#[tokio::test]
async fn a_document_outlives_its_file_and_brings_it_back_only_on_a_word() {
    let fixture = Fixture::new(&[("sub/a.md", "one\n")]);
    let document = fixture.document("sub/a.md");
    fs::remove_dir_all(fixture.folder.path().join("sub")).unwrap();
    until(&document, |state| state.gone).await;
    editor(&document).type_text("one\ntwo\n");
    assert_eq!(fixture.workspace.save(&document, Word::NotGiven).unwrap_err().code(), "held");
    assert!(!fixture.folder.path().join("sub").exists());
    fixture.workspace.save(&document, Word::Given).unwrap();
    assert_eq!(fixture.on_disk("sub/a.md"), "one\ntwo\n");
    assert!(!document.state().borrow().gone);
}

#[tokio::test]
async fn an_emptied_text_waits_for_a_word() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    editor(&document).type_text("");
    until(&document, |state| state.needs_word).await;
    assert_eq!(fixture.on_disk("a.md"), "one\n");
    fixture.workspace.save(&document, Word::Given).unwrap();
    assert_eq!(fixture.on_disk("a.md"), "");
    let state = document.state().borrow().clone();
    assert!(state.saved && !state.needs_word);
}

#[tokio::test]
async fn a_write_that_fails_is_told_and_tried_again() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    fs::remove_file(fixture.folder.path().join("a.md")).unwrap();
    fs::create_dir(fixture.folder.path().join("a.md")).unwrap();
    editor(&document).type_text("one\ntwo\n");
    let state = until(&document, |state| state.problem.is_some()).await;
    assert_eq!(state.problem.unwrap().code, "is_folder");
    fs::remove_dir(fixture.folder.path().join("a.md")).unwrap();
    fixture.put("a.md", "one\n");
    until(&document, |state| state.saved && state.problem.is_none()).await;
    assert_eq!(fixture.on_disk("a.md"), "one\ntwo\n");
}

#[tokio::test]
async fn what_is_not_text_is_refused_with_the_reason() {
    let fixture = Fixture::new(&[("sub/x", ""), ("bin", "a\0b")]);
    fs::write(fixture.folder.path().join("latin"), b"caf\xe9\n").unwrap();
    fs::File::create(fixture.folder.path().join("large")).unwrap().set_len(21 * 1024 * 1024).unwrap();
    let found: Vec<_> = ["bin", "latin", "large", "nothing", "sub", ".aside/aside.db"]
        .iter()
        .map(|file| fixture.refusal(file))
        .collect();
    assert_eq!(found, ["binary", "not_utf8", "too_large", "not_found", "is_folder", "private"]);
}

#[tokio::test]
async fn a_file_that_became_binary_is_not_overwritten() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    fixture.put("a.md", "\0\0");
    editor(&document).type_text("one\ntwo\n");
    assert_eq!(fixture.workspace.save(&document, Word::Given).unwrap_err().code(), "binary");
    assert_eq!(fixture.on_disk("a.md"), "\0\0");
    assert_eq!(&*document.text(), "one\ntwo\n");
}

#[tokio::test]
async fn what_could_not_be_opened_again_is_not_written() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    let mut editor = editor(&document);
    editor.type_text(&"x".repeat(21 << 20));
    let failure = fixture.workspace.save(&document, Word::Given).unwrap_err().failure();
    assert_eq!((&*failure.code, fixture.on_disk("a.md").as_str()), ("outgrown", "one\n"));
    assert!(failure.message.starts_with("cannot save `a.md`: 22020096 bytes"), "{}", failure.message);
    editor.type_text("two\n");
    fixture.workspace.save(&document, Word::Given).unwrap();
    assert_eq!(fixture.on_disk("a.md"), "two\n");
}

#[tokio::test]
async fn a_moved_folder_takes_its_documents_along() {
    let fixture = Fixture::new(&[("old/a.md", "one\n")]);
    let document = fixture.document("old/a.md");
    let mut anna = editor(&document);
    let mut events = fixture.workspace.events();
    anna.type_text("one\ntwo\n");
    fixture.workspace.move_entry(&path("old"), &path("new/place"), Existing::Refuse, None, None).unwrap();
    assert_eq!(document.path(), path("new/place/a.md"));
    assert_eq!(fixture.on_disk("new/place/a.md"), "one\ntwo\n");
    let moved = WorkspaceEvent::DocumentMoved { from: path("old/a.md"), to: path("new/place/a.md") };
    assert_eq!(events.recv().await.unwrap(), moved);
    anna.type_text("one\ntwo\nthree\n");
    until(&document, |state| state.saved).await;
    assert_eq!(fixture.on_disk("new/place/a.md"), "one\ntwo\nthree\n");
    assert!(!fixture.folder.path().join("old").exists());
    let epoch = document.epoch().clone();
    drop((document, anna));
    let fixture = fixture.killed_and_started_again();
    assert_eq!(fixture.document("new/place/a.md").epoch(), &epoch);
}

#[tokio::test]
async fn what_another_program_renames_keeps_its_document_and_what_is_beside_it() {
    let fixture = Fixture::new(&[("old/a.md", "one\n"), ("b.md", "b\n")]);
    let (heard, hears) = std::sync::mpsc::channel();
    fixture.workspace.on_move(move |from, to| heard.send((from.clone(), to.clone())).unwrap());
    let (document, other) = (fixture.document("old/a.md"), fixture.document("b.md"));
    let mut anna = editor(&document);
    let mut events = fixture.workspace.events();
    let rename = |from: &str, to: &str| {
        fs::rename(fixture.folder.path().join(from), fixture.folder.path().join(to)).unwrap();
    };
    rename("old", "new");
    let moved = async {
        loop {
            if let WorkspaceEvent::DocumentMoved { from, to } = events.recv().await.unwrap() {
                return (from, to);
            }
        }
    };
    let moved = tokio::time::timeout(Duration::from_secs(60), moved).await.expect("it is seen");
    assert_eq!(moved, (path("old/a.md"), path("new/a.md")));
    assert_eq!(hears.recv_timeout(Duration::from_secs(60)).unwrap(), (path("old"), path("new")));
    assert_eq!(document.path(), path("new/a.md"));
    anna.type_text("one\ntwo\n");
    until(&document, |state| state.saved).await;
    assert_eq!(fixture.on_disk("new/a.md"), "one\ntwo\n");

    // As editors do that keep the old text under another name: that is no move.
    rename("b.md", "b.md.before");
    fixture.put("b.md", "b\nmore\n");
    until_text(&other, "b\nmore\n").await;
    assert_eq!((other.path(), hears.try_recv().ok()), (path("b.md"), None));
}

#[tokio::test]
async fn shown_texts_are_found_again_after_a_restart() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    let (version, _) = document.show().unwrap();
    editor(&document).type_text("two\n");
    drop(document);
    let fixture = fixture.killed_and_started_again();
    let document = fixture.document("a.md");
    let (found, text) = document.text_at(version.short()).unwrap().unwrap();
    assert_eq!((found, &*text), (version, "one\n"));
    assert!(document.text_at("0123456789ab").unwrap().is_none());
}

#[tokio::test]
async fn listings_out_of_date_are_told() {
    let fixture = Fixture::new(&[("sub/a.md", "")]);
    fixture.workspace.list(None).unwrap();
    fixture.workspace.list(Some(&path("sub"))).unwrap();
    let mut events = fixture.workspace.events();
    fixture.put("sub/b.md", "");
    let told = tokio::time::timeout(Duration::from_secs(60), events.recv()).await.unwrap().unwrap();
    assert_eq!(told, WorkspaceEvent::FilesChanged { folders: vec!["sub".to_owned()] });
}

#[tokio::test]
async fn a_file_that_is_shown_as_it_is_tells_when_it_is_written() {
    let fixture = Fixture::new(&[("sub/a.pdf", "one")]);
    fixture.workspace.read_followed(&path("sub/a.pdf"), 100).unwrap();
    let mut events = fixture.workspace.events();
    fixture.put("sub/a.pdf", "two");
    let told = tokio::time::timeout(Duration::from_secs(60), events.recv()).await.unwrap().unwrap();
    assert_eq!(told, WorkspaceEvent::FilesChanged { folders: vec!["sub".to_owned()] });
    assert_eq!(fixture.workspace.read_followed(&path("sub/a.pdf"), 100).unwrap(), b"two");
}

#[tokio::test]
async fn our_own_writing_is_not_a_change_of_anybody_else() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    let mut anna = editor(&document);
    anna.type_text("one\ntwo\n");
    fixture.workspace.save(&document, Word::NotGiven).unwrap();
    anna.type_text("one\ntwo\nthree\n");
    until(&document, |state| state.saved).await;
    assert_eq!(&*document.text(), "one\ntwo\nthree\n");
    assert!(anna.frames.try_recv().is_err(), "nothing came back to the one who typed");
}

#[tokio::test]
async fn writing_often_does_not_fill_the_store() {
    let fixture = Fixture::new(&[("a.md", "one\n")]);
    let document = fixture.document("a.md");
    let mut anna = editor(&document);
    for number in 0..20 {
        anna.type_text(&format!("one\n{number}\n"));
        fixture.workspace.save(&document, Word::NotGiven).unwrap();
    }
    assert_eq!(fixture.on_disk("a.md"), "one\n19\n");
    assert_eq!(fs::read_dir(fixture.folder.path().join(".aside/blobs")).unwrap().count(), 0);
}

#[tokio::test]
async fn the_layout_is_shared_and_kept() {
    let fixture = Fixture::new(&[]);
    let layout = fixture.workspace.layout().unwrap();
    let (anna, _) = layout.connect();
    let (_ben, mut heard) = layout.connect();
    heard.recv().await.unwrap();
    // The server keeps the map without looking into it, so any change will do.
    let change = TextDocument::from_updates::<&[u8]>([]).unwrap().replace_text("x", "typing").unwrap();
    anna.receive(&change.frame()).unwrap();
    assert_eq!(heard.recv().await.unwrap(), DocumentFrame::from(change.frame()));
    let epoch = layout.epoch().clone();
    drop((anna, layout));
    let fixture = fixture.killed_and_started_again();
    let layout = fixture.workspace.layout().unwrap();
    assert_eq!(layout.epoch(), &epoch);
    let (_, mut frames) = layout.connect();
    let DocumentFrame::Message(greeting) = frames.recv().await.unwrap() else { panic!("a greeting comes first") };
    assert!(greeting.len() > 4, "it knows the change: {greeting:?}");
}
