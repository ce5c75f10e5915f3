//! Searches the files of a folder, on all processors.

use std::{
    fmt,
    fs::File,
    io,
    ops::ControlFlow,
    os::fd::{AsFd as _, BorrowedFd},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::{FileMatches, LineLimits, Pattern, globs::Globs, open::open_beneath, searcher::FileSearcher};

/// Where the current text of a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// On the disk.
    Disk,
    /// Here: it is not written yet.
    Text(String),
    /// Here, in numbered parts. Found lines have the numbers of their parts.
    Cells(Vec<(u32, String)>),
    /// Nowhere: the file is not searched.
    Skipped,
}

/// The files to search.
pub struct Tree<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Says what git ignores, and whether that counts.
    pub walk: WalkBuilder,
    /// Only this file or folder, by its path below the folder.
    pub within: Option<PathBuf>,
    /// Tells of a path below the folder that it is never searched, nor what is in it.
    pub is_hidden: Arc<dyn Fn(&Path) -> bool + Send + Sync>,
    /// Says where a file's text is.
    pub source: &'a (dyn Fn(&Path) -> Source + Sync),
}

impl fmt::Debug for Tree<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Tree");
        shown.field("folder", &self.folder).field("within", &self.within).finish_non_exhaustive()
    }
}

/// How much was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchTotals {
    /// Files, binary ones too.
    pub files: usize,
    /// Files that could not be read: no permission, or a line without end.
    pub unread: usize,
}

/// Gets each file with matching lines as soon as it is searched, from several threads, and may end the search.
type Each<'a> = &'a (dyn Fn(&Path, FileMatches) -> ControlFlow<()> + Sync);

/// Searches all files, in no order. `stop` ends it within the read of one buffer.
pub fn search(
    tree: Tree<'_>,
    pattern: &Pattern,
    limits: LineLimits,
    stop: &AtomicBool,
    each: Each<'_>,
) -> io::Result<SearchTotals> {
    let job = Job::new(&tree, stop, each)?;
    let walk = walk_of(&tree, pattern.globs.clone());
    walk.build_parallel().run(|| {
        let mut searcher = FileSearcher::new(pattern.clone(), limits, stop);
        let job = &job;
        // What can't be read is not found.
        Box::new(move |entry| entry.map_or(WalkState::Continue, |entry| job.visit(&entry, &mut searcher)))
    });
    Ok(job.totals())
}

/// Searches some files of the tree, in the order they are given.
pub fn search_files<'p>(
    tree: &Tree<'_>,
    paths: impl IntoIterator<Item = &'p Path>,
    pattern: &Pattern,
    limits: LineLimits,
    stop: &AtomicBool,
    each: Each<'_>,
) -> io::Result<SearchTotals> {
    let job = Job::new(tree, stop, each)?;
    let mut searcher = FileSearcher::new(pattern.clone(), limits, stop);
    for path in paths {
        if job.search(path, &mut searcher) == WalkState::Quit {
            break;
        }
    }
    Ok(job.totals())
}

fn walk_of(tree: &Tree<'_>, globs: Globs) -> WalkBuilder {
    let (mut walk, folder) = (tree.walk.clone(), tree.folder.to_owned());
    let (is_hidden, within) = (Arc::clone(&tree.is_hidden), tree.within.clone());
    walk.filter_entry(move |entry| {
        let Some(path) = below(&folder, entry.path()) else { return false };
        let is_on_the_way = within.as_ref().is_none_or(|within| path.starts_with(within) || within.starts_with(path));
        is_on_the_way && !is_hidden(path) && !(is_folder(entry) && globs.exclude(path))
    });
    walk
}

/// A path below the folder; empty for the folder itself.
fn below<'p>(folder: &Path, path: &'p Path) -> Option<&'p Path> {
    path.strip_prefix(folder).ok()
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

struct Job<'a> {
    tree: &'a Tree<'a>,
    folder: File,
    stop: &'a AtomicBool,
    each: Each<'a>,
    files: AtomicUsize,
    unread: AtomicUsize,
}

impl<'a> Job<'a> {
    fn new(tree: &'a Tree<'a>, stop: &'a AtomicBool, each: Each<'a>) -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "the workspace's own folder, of which files are searched")]
        let folder = File::open(tree.folder)?;
        Ok(Self { tree, folder, stop, each, files: AtomicUsize::new(0), unread: AtomicUsize::new(0) })
    }

    fn totals(&self) -> SearchTotals {
        SearchTotals { files: self.files.load(Ordering::Relaxed), unread: self.unread.load(Ordering::Relaxed) }
    }

    fn visit(&self, entry: &DirEntry, searcher: &mut FileSearcher<'_>) -> WalkState {
        if searcher.is_stopped() {
            return WalkState::Quit;
        }
        // A link is searched where it leads to, if that is inside.
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        match below(self.tree.folder, entry.path()).filter(|_| is_file) {
            Some(path) => self.search(path, searcher),
            None => WalkState::Continue,
        }
    }

    fn search(&self, path: &Path, searcher: &mut FileSearcher<'_>) -> WalkState {
        let is_inside = self.tree.within.as_ref().is_none_or(|within| path.starts_with(within));
        if !is_inside || !searcher.pattern().admits(path) {
            return WalkState::Continue;
        }
        let found = match (self.tree.source)(path) {
            Source::Skipped => return WalkState::Continue,
            Source::Disk => self.open(path).and_then(|file| searcher.file(file)),
            Source::Text(text) => searcher.text(&text),
            Source::Cells(cells) => searcher.cells(&cells),
        };
        if searcher.is_stopped() {
            return WalkState::Quit;
        }
        self.files.fetch_add(1, Ordering::Relaxed);
        match found {
            Ok(found) if found.is_empty() => WalkState::Continue,
            Ok(found) => match (self.each)(path, found) {
                ControlFlow::Continue(()) => WalkState::Continue,
                ControlFlow::Break(()) => self.quit(),
            },
            Err(_) => {
                self.unread.fetch_add(1, Ordering::Relaxed);
                WalkState::Continue
            }
        }
    }

    fn quit(&self) -> WalkState {
        self.stop.store(true, Ordering::Relaxed);
        WalkState::Quit
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        let folder: BorrowedFd<'_> = self.folder.as_fd();
        open_beneath(folder, path)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::{
        ffi::OsStr,
        fs,
        os::unix::{ffi::OsStrExt as _, fs::symlink},
        sync::Mutex,
    };

    use super::*;
    use crate::FindQuery;

    const LIMITS: LineLimits = LineLimits { lines: 10, width: 200 };

    struct Scene {
        folder: tempfile::TempDir,
        query: FindQuery,
        within: Option<&'static str>,
        live: Vec<(&'static str, &'static str)>,
    }

    fn scene(files: &[(&str, &str)]) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let query = FindQuery { text: "tide".to_owned(), ..FindQuery::default() };
        Scene { folder, query, within: None, live: Vec::new() }
    }

    impl Scene {
        fn search(&self, stop: &AtomicBool, each: Each<'_>) -> SearchTotals {
            let mut walk = WalkBuilder::new(self.folder.path());
            walk.hidden(false).require_git(false).follow_links(false);
            let source = |path: &Path| match self.live.iter().find(|live| path == live.0) {
                Some((_, "")) => Source::Skipped,
                Some((_, text)) => Source::Text((*text).to_owned()),
                None => Source::Disk,
            };
            let is_hidden = Arc::new(|path: &Path| path.ends_with(".git"));
            let within = self.within.map(PathBuf::from);
            let tree = Tree { folder: self.folder.path(), walk, within, is_hidden, source: &source };
            search(tree, &Pattern::new(&self.query).unwrap(), LIMITS, stop, each).unwrap()
        }

        fn found(&self) -> Vec<String> {
            let found = Mutex::new(Vec::new());
            self.search(&AtomicBool::new(false), &|path, _| {
                found.lock().unwrap().push(path.display().to_string());
                ControlFlow::Continue(())
            });
            let mut found = found.into_inner().unwrap();
            found.sort();
            found
        }
    }

    const FILES: [(&str, &str); 7] = [
        ("a.py", "tide"),
        (".github/b.py", "tide"),
        (".git/c.py", "tide"),
        ("out/d.py", "tide"),
        (".gitignore", "out/"),
        ("src/e.py", "tide"),
        ("src2/f.py", "no"),
    ];

    #[test]
    fn ignored_and_hidden_files_are_left_out() {
        assert_eq!(scene(&FILES).found(), [".github/b.py", "a.py", "src/e.py"]);
    }

    #[test]
    fn live_texts_replace_files() {
        let live = vec![("src2/f.py", "tide now"), ("a.py", "no more"), (".github/b.py", "")];
        assert_eq!(Scene { live, ..scene(&FILES) }.found(), ["src/e.py", "src2/f.py"]);
    }

    #[test]
    fn within_names_a_folder_or_file() {
        let within = |path| Scene { within: Some(path), ..scene(&FILES) }.found();
        assert_eq!(within("src"), ["src/e.py"]);
        assert_eq!(within("src/e.py"), ["src/e.py"]);
        assert_eq!(within("out"), [""; 0], "git ignores it");
    }

    #[test]
    fn excluded_folders_are_not_entered() {
        let query = FindQuery { text: "tide".to_owned(), exclude: vec!["src".to_owned()], ..FindQuery::default() };
        let scene = Scene { query, ..scene(&FILES) };
        assert_eq!(scene.found(), [".github/b.py", "a.py"]);
        let totals = scene.search(&AtomicBool::new(false), &|_, _| ControlFlow::Continue(()));
        assert_eq!(totals, SearchTotals { files: 4, unread: 0 });
    }

    #[test]
    fn names_need_not_be_text() {
        let scene = scene(&[("a.py", "tide")]);
        let folder = scene.folder.path().join(OsStr::from_bytes(b"caf\xe9"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("new\nline"), "tide").unwrap();
        assert_eq!(scene.found(), ["a.py", "caf\u{fffd}/new\nline"]);
    }

    #[test]
    fn links_and_special_files_are_not_read() {
        let scene = scene(&[("a.py", "tide")]);
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "tide").unwrap();
        symlink(outside.path(), scene.folder.path().join("out")).unwrap();
        symlink(outside.path().join("secret"), scene.folder.path().join("link")).unwrap();
        let pipe = scene.folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600), 0)
            .unwrap();
        assert_eq!(scene.found(), ["a.py"]);
    }

    #[test]
    fn callback_ends_the_search() {
        let files: Vec<_> = (0..500).map(|number| (format!("f{number}"), "tide")).collect();
        let scene = scene(&files.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
        let stop = AtomicBool::new(false);
        let totals = scene.search(&stop, &|_, _| ControlFlow::Break(()));
        assert!(totals.files < 500 && stop.load(Ordering::Relaxed), "{totals:?}");
    }

    #[test]
    fn unreadable_files_are_counted() {
        let scene = scene(&[("a.py", "tide")]);
        fs::write(scene.folder.path().join("long"), "x".repeat(70 << 20)).unwrap();
        let totals = scene.search(&AtomicBool::new(false), &|_, _| ControlFlow::Continue(()));
        assert_eq!(totals, SearchTotals { files: 2, unread: 1 });
    }

    #[test]
    fn named_files_are_searched_in_order() {
        let scene = scene(&FILES);
        let source = |_: &Path| Source::Disk;
        let walk = WalkBuilder::new(scene.folder.path());
        let tree =
            Tree { folder: scene.folder.path(), walk, within: None, is_hidden: Arc::new(|_| false), source: &source };
        let (pattern, found) = (Pattern::new(&scene.query).unwrap(), Mutex::new(Vec::new()));
        let each = |path: &Path, _: FileMatches| {
            found.lock().unwrap().push(path.display().to_string());
            ControlFlow::Continue(())
        };
        let paths = ["src/e.py", "gone", "a.py"].map(Path::new);
        search_files(&tree, paths, &pattern, LIMITS, &AtomicBool::new(false), &each).unwrap();
        assert_eq!(*found.lock().unwrap(), ["src/e.py", "a.py"]);
    }
}
