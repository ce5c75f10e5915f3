//! A workspace with files, and questions to its index.
#![allow(clippy::disallowed_methods, reason = "sets the scene")]

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use aside_index::{FoundPlaces, SearchRequest, WorkspaceIndex};
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use tempfile::TempDir;

/// An opened folder.
pub struct IndexScene {
    pub folder: TempDir,
    pub opened: Option<Opened>,
}

/// The workspace and its index.
pub struct Opened {
    pub workspace: Arc<Workspace>,
    pub index: Arc<WorkspaceIndex>,
}

impl IndexScene {
    /// Opens a folder with these files, and waits until they are read.
    pub fn with(files: &[(&str, &[u8])]) -> Self {
        let mut scene = Self { folder: tempfile::tempdir().unwrap(), opened: None };
        for (path, bytes) in files {
            scene.write(path, bytes);
        }
        scene.open();
        scene.wait();
        scene
    }

    pub fn open(&mut self) {
        let store = Store::open(&self.folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(self.folder.path(), store).unwrap();
        let index = WorkspaceIndex::start(&workspace);
        self.opened = Some(Opened { workspace, index });
    }

    pub fn close(&mut self) {
        self.opened.take().unwrap().index.close();
    }

    pub fn opened(&self) -> &Opened {
        self.opened.as_ref().unwrap()
    }

    pub fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn ask(&self, query: &str) -> FoundPlaces {
        let request = SearchRequest { text: query.to_owned(), limit: 20, ..SearchRequest::default() };
        let asked = self.opened().index.search(&request, None);
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(asked).unwrap()
    }

    /// The places of an answer, as `path:line`.
    pub fn found(&self, query: &str) -> Vec<String> {
        self.ask(query).places.iter().map(|place| format!("{}:{}", place.path, place.line)).collect()
    }

    /// Waits until something is so: changes come from the disk.
    pub fn until(&self, is_so: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            assert!(start.elapsed() < Duration::from_secs(60), "it never came to be");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn wait(&self) {
        self.until(|scene| !scene.ask("").progress.reading);
    }
}
