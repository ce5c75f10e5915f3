//! News of files for an owner of something that is made from them, such as a search index: places on the disk that may have
//! changed, and edits of open documents. And the walk over all files that such an owner reads first.

use std::{
    ops::ControlFlow,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use aside_core::{Timestamp, WorkspacePath};

use crate::{Workspace, listing};

/// Something happened to files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileNews {
    /// Files or folders at these absolute paths may have changed, come or gone.
    Touched(Vec<PathBuf>),
    /// The live text of this document has changed.
    Edited(WorkspacePath),
}

/// Receives the news; must return at once.
pub(crate) type OnFileNews = Box<dyn Fn(FileNews) + Send + Sync>;

/// A file that a walk came to, or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walked {
    /// A file.
    File {
        /// Its path.
        path: WorkspacePath,
        /// Its bytes.
        size: u64,
        /// The time of its last change.
        modified: Timestamp,
    },
    /// A folder.
    Folder(PathBuf),
}

impl Workspace {
    /// Sets the listener for news of files. Called once, at the start.
    pub fn on_file_news(&self, listener: impl Fn(FileNews) + Send + Sync + 'static) {
        assert!(self.on_file_news.set(Box::new(listener)).is_ok(), "one listener gets the news of files");
    }

    pub(crate) fn tell_file_news(&self, news: FileNews) {
        match &news {
            FileNews::Touched(places) => self.notes_touched(places.iter().cloned()),
            FileNews::Edited(path) => self.note_edited(path.clone()),
        }
        if let Some(listener) = self.on_file_news.get() {
            listener(news);
        }
    }

    /// Notices changes in a folder from now on, but not in those below it.
    pub fn watch_folder(&self, folder: &Path) {
        self.watcher.watch(folder);
    }

    /// Walks over the files of a folder (the top one if none is named) that [`Self::is_searched`] admits; breaks when told.
    /// Files and folders that can't be read are passed over.
    pub fn walk_files(&self, folder: Option<&WorkspacePath>, mut each: impl FnMut(Walked) -> ControlFlow<()>) {
        let start = folder.map_or_else(|| self.folder().to_owned(), |folder| self.root.place_of(folder));
        for entry in listing::visible(&start).flatten() {
            let Some(kind) = entry.file_type() else { continue };
            let walked =
                if kind.is_dir() { Some(Walked::Folder(entry.path().to_owned())) } else { self.walked(&entry) };
            if walked.is_some_and(|walked| each(walked).is_break()) {
                return;
            }
        }
    }

    fn walked(&self, entry: &ignore::DirEntry) -> Option<Walked> {
        let relative = entry.path().strip_prefix(self.folder()).ok()?;
        let path = WorkspacePath::of_disk(relative).ok().filter(|path| !self.root.is_in_own(path))?;
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let modified = Timestamp(metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000);
        Some(Walked::File { path, size: metadata.size(), modified })
    }

    /// Tells whether searches look into a file: git does not ignore it, no part of its path begins with a dot, it is not Aside's
    /// own, and no link leads there.
    pub fn is_searched(&self, file: &WorkspacePath) -> bool {
        self.is_open_to_search(file, false)
    }

    /// Tells whether searches look into a folder.
    pub fn is_searched_folder(&self, folder: &WorkspacePath) -> bool {
        self.is_open_to_search(folder, true)
    }

    fn is_open_to_search(&self, path: &WorkspacePath, is_folder: bool) -> bool {
        let is_hidden = path.as_str().split('/').any(|part| part.starts_with('.'));
        !is_hidden
            && !self.root.is_in_own(path)
            && self.real_path(path).is_ok_and(|real| real == *path)
            && !listing::is_ignored(&self.root, path, is_folder)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::{
        fs,
        os::unix::fs::symlink,
        sync::{Arc, mpsc},
        time::Duration,
    };

    use aside_store::{Store, StoreOptions};

    use super::*;

    fn opened(folder: &Path) -> Arc<Workspace> {
        let store = Store::open(&folder.join(".aside"), StoreOptions::for_tests()).unwrap();
        Workspace::open(folder, store).unwrap()
    }

    #[test]
    fn walk_leaves_out_ignored_hidden_and_linked_files() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("a.md", "1234"),
            (".env", "KEY=1"),
            (".gitignore", "out/\n"),
            ("out/b.md", ""),
            ("x/.git/config", ""),
            ("x/c.py", ""),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        symlink("a.md", folder.path().join("link.md")).unwrap();
        symlink("/etc", folder.path().join("etc")).unwrap();
        let workspace = opened(folder.path());
        let mut walked = Vec::new();
        workspace.walk_files(None, |place| {
            if let Walked::File { path, size, .. } = place {
                walked.push((path.to_string(), size));
            }
            ControlFlow::Continue(())
        });
        walked.sort();
        assert_eq!(walked, [("a.md".to_owned(), 4), ("x/c.py".to_owned(), 0)]);
        let searched = |path: &str| workspace.is_searched(&path.parse().unwrap());
        assert_eq!(
            ["a.md", "x/c.py", ".env", "out/b.md", "link.md", "x/.git/config", "etc/passwd"].map(searched),
            [true, true, false, false, false, false, false]
        );
        assert!(workspace.is_searched_folder(&"x".parse().unwrap()));
        assert!(!workspace.is_searched_folder(&"out".parse().unwrap()));
        let mut below = Vec::new();
        workspace.walk_files(Some(&"x".parse().unwrap()), |place| {
            below.push(place);
            ControlFlow::Break(())
        });
        assert_eq!(below, [Walked::Folder(workspace.folder().join("x"))]);
    }

    #[test]
    fn listener_gets_edits_and_changes_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "old").unwrap();
        let workspace = opened(folder.path());
        let (news, inbox) = mpsc::channel();
        workspace.on_file_news(move |some| drop(news.send(some)));
        workspace.watch_folder(workspace.folder());
        let document = workspace.document(&"a.md".parse().unwrap()).unwrap();
        let edit = aside_doc::AnchoredEdit { old: Some("old".to_owned()), new: "new".to_owned(), ..Default::default() };
        document.apply(None, &[edit], &workspace.store.new_id(), None).unwrap();
        let wait = Duration::from_secs(60);
        while inbox.recv_timeout(wait).unwrap() != FileNews::Edited("a.md".parse().unwrap()) {}
        let made = workspace.folder().join("b.md");
        fs::write(&made, "b").unwrap();
        let has = |news: FileNews| matches!(news, FileNews::Touched(places) if places.contains(&made));
        while !has(inbox.recv_timeout(wait).unwrap()) {}
    }
}
