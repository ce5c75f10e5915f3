//! Search by meaning: a model reads the texts behind the search by words.

use std::{
    future::Future,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use aside_embed::{EmbedError, Embedder};
use aside_index::{LearningProgress, OpenModel, Why};

use crate::common::IndexScene;

/// Knows two subjects: water, and all else. Counts the texts that it reads, and fails on some.
struct Fake {
    id: &'static str,
    read: AtomicUsize,
    first: OnceLock<String>,
    fails: bool,
}

impl Fake {
    fn new(id: &'static str, fails: bool) -> Arc<Self> {
        Arc::new(Self { id, read: AtomicUsize::new(0), first: OnceLock::new(), fails })
    }
}

impl Embedder for Fake {
    fn id(&self) -> &str {
        self.id
    }

    fn batch(&self) -> usize {
        2
    }

    fn passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.fails {
            return Err(EmbedError::Gone("the model is asleep".to_owned()));
        }
        self.read.fetch_add(texts.len(), Ordering::SeqCst);
        self.first.get_or_init(|| texts[0].to_owned());
        let is_water = |text: &&str| ["tide", "harbour", "sea"].iter().any(|word| text.contains(word));
        Ok(texts.iter().map(|text| if is_water(text) { vec![1.0, 0.0] } else { vec![0.1, 1.0] }).collect())
    }

    fn query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(self.passages(&[text])?.swap_remove(0))
    }
}

fn opener(fake: &Arc<Fake>) -> OpenModel {
    let fake = fake.clone();
    Box::new(move || Ok(Some(fake as Arc<dyn Embedder>)))
}

fn done<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn learning(scene: &IndexScene) -> LearningProgress {
    done(scene.opened().index.learning())
}

fn found(scene: &IndexScene) -> Vec<(String, Why)> {
    scene.ask("sea voyage").places.into_iter().map(|place| (place.path, place.why)).collect()
}

#[test]
fn changed_texts_are_found_by_meaning() {
    let scene = IndexScene::with(&[("a.md", b"The tide rises.\n"), ("b.md", b"Boil the leek.\n")]);
    let fake = Fake::new("fake", false);
    scene.opened().index.choose_model(opener(&fake));
    scene.until(|scene| found(scene).first() == Some(&("a.md".to_owned(), Why::Meaning)));
    scene.until(|scene| learning(scene).done == 2);
    scene.write("a.md", b"Boil the onion.\n");
    scene.write("b.md", b"A harbour.\n");
    scene.until(|scene| found(scene).first() == Some(&("b.md".to_owned(), Why::Meaning)));
    scene.until(|scene| {
        let LearningProgress { model, done, of, problem } = learning(scene);
        (model.as_deref(), done, of, problem) == (Some("fake"), 2, 2, None)
    });
}

#[test]
fn next_start_reads_no_text_again() {
    let mut scene = IndexScene::with(&[("a.md", b"The tide rises.\n")]);
    scene.opened().index.choose_model(opener(&Fake::new("fake", false)));
    scene.until(|scene| learning(scene).done == 1);
    scene.close();
    scene.open();
    scene.wait();
    let again = Fake::new("fake", true);
    scene.opened().index.choose_model(opener(&again));
    scene.until(|scene| learning(scene).done == 1);
    assert_eq!(again.read.load(Ordering::SeqCst), 0);
}

#[test]
fn failing_model_leaves_words_and_says_why() {
    let scene = IndexScene::with(&[("a.md", b"The tide rises at sea.\n")]);
    scene.opened().index.choose_model(opener(&Fake::new("fake", true)));
    scene.until(|scene| learning(scene).problem.as_deref() == Some("the model is asleep"));
    assert_eq!(found(&scene), [("a.md".to_owned(), Why::Words)]);
    scene.opened().index.choose_model(Box::new(|| Err("no model there".to_owned())));
    scene.until(|scene| learning(scene).problem.as_deref() == Some("no model there"));
    assert_eq!(learning(&scene).model, None);
}

#[test]
fn open_documents_are_learned_first() {
    let names =
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|name| (format!("{name}.md"), format!("text of {name}\n")));
    let files: Vec<_> = names.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let scene = IndexScene::with(&files);
    let _open = scene.opened().workspace.document(&"g.md".parse().unwrap()).unwrap();
    let fake = Fake::new("fake", false);
    scene.opened().index.choose_model(opener(&fake));
    scene.until(|scene| learning(scene).done == 8);
    let first = fake.first.get().unwrap();
    assert!(first.contains("text of g"), "{first}");
}
