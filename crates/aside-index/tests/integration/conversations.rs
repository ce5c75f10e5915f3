//! Conversations are searched like files.

use std::sync::{Arc, Mutex};

use aside_index::Conversations;
use aside_search::{Document, cells};

use crate::common::IndexScene;

#[derive(Default)]
struct FakeConversations(Mutex<Vec<(String, String)>>);

impl Conversations for FakeConversations {
    fn list(&self) -> Vec<(String, String)> {
        self.0.lock().unwrap().iter().map(|(path, text)| (path.clone(), format!("t{}", text.len()))).collect()
    }

    fn is_there(&self, path: &str) -> bool {
        self.0.lock().unwrap().iter().any(|(other, _)| other == path)
    }

    fn document(&self, path: &str) -> Option<Document> {
        let all = self.0.lock().unwrap();
        let (path, text) = all.iter().find(|(other, _)| other == path)?;
        Some(Document {
            path: path.clone(),
            kind: "thread".to_owned(),
            title: "Talk".to_owned(),
            stamp: format!("t{}", text.len()),
            chunks: cells(text.lines()),
            ..Document::default()
        })
    }
}

#[test]
fn conversations_come_change_and_go() {
    let mut scene = IndexScene::with(&[("a.md", b"tide\n")]);
    let said = Arc::new(FakeConversations::default());
    said.0.lock().unwrap().push(("thread/1".to_owned(), "hello\nabout the moon".to_owned()));
    scene.opened().index.add_conversations(said.clone());
    scene.until(|scene| scene.found("moon") == ["thread/1:2"]);
    said.0.lock().unwrap()[0].1 += "\nand the sun";
    scene.opened().index.said("thread/1".to_owned());
    scene.until(|scene| scene.found("sun") == ["thread/1:3"]);
    said.0.lock().unwrap().clear();
    assert_eq!(scene.found("moon"), [""; 0], "before any news of it");
    scene.close();
    scene.open();
    scene.opened().index.add_conversations(said);
    scene.until(|scene| scene.found("moon").is_empty());
    assert_eq!(scene.found("tide"), ["a.md:1"]);
}
