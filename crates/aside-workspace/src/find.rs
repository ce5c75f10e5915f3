//! Finding text in the workspace's files, as they are in the open editors. Files that git ignores are left out, and so are
//! notebooks, unless their cells are asked for: a cell may be kept from models.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use aside_core::WorkspacePath;
use aside_grep::{FileMatches, LineLimits, Pattern, SearchTotals, Source, Tree};
use aside_notebook::Notebook;

use crate::{
    Document, Workspace, WorkspaceError,
    confined::is_hidden,
    kind::{is_notebook, most_of},
    listing,
};

/// Limits of a search in files.
#[derive(Clone, Debug)]
pub struct FindScope {
    /// Only in this folder or file.
    pub within: Option<WorkspacePath>,
    /// Cells of notebooks are searched too.
    pub notebooks: bool,
    /// How much of each file is returned.
    pub limits: LineLimits,
}

/// Gets each file with matches, from several threads, and may end the search.
type Each<'a> = &'a (dyn Fn(WorkspacePath, FileMatches) -> ControlFlow<()> + Sync);

impl Workspace {
    /// Searches all files that git does not ignore, in no order. `stop` ends the search at once.
    pub fn find(
        &self,
        pattern: &Pattern,
        scope: &FindScope,
        stop: &AtomicBool,
        each: Each<'_>,
    ) -> Result<SearchTotals, WorkspaceError> {
        let named = |path: &Path, found| match WorkspacePath::of_disk(path) {
            Ok(path) => each(path, found),
            Err(_) => ControlFlow::Continue(()),
        };
        let texts = self.newer_texts();
        let source = |path: &Path| self.source(path, &texts, scope);
        let found = aside_grep::search(self.tree(scope, &source)?, pattern, scope.limits, stop, &named);
        found.map_err(|source| self.search_error(source))
    }

    /// Searches some files, in the order they are given. A folder and a file that is gone have no matches.
    pub fn find_in(
        &self,
        paths: &[WorkspacePath],
        pattern: &Pattern,
        scope: &FindScope,
        each: Each<'_>,
    ) -> Result<SearchTotals, WorkspaceError> {
        let texts = self.newer_texts();
        let source = |path: &Path| self.source(path, &texts, scope);
        let tree = self.tree(scope, &source)?;
        // A name with an escape is another one on the disk.
        let names: HashMap<PathBuf, &WorkspacePath> =
            paths.iter().map(|path| (self.root.name_on_disk(path), path)).collect();
        let named =
            |name: &Path, found| names.get(name).map_or(ControlFlow::Continue(()), |path| each((*path).clone(), found));
        let order = paths.iter().map(|path| self.root.name_on_disk(path)).collect::<Vec<_>>();
        let order = order.iter().map(PathBuf::as_path);
        let found = aside_grep::search_files(&tree, order, pattern, scope.limits, &AtomicBool::new(false), &named);
        found.map_err(|source| self.search_error(source))
    }

    fn tree<'a>(
        &'a self,
        scope: &FindScope,
        source: &'a (dyn Fn(&Path) -> Source + Sync),
    ) -> Result<Tree<'a>, WorkspaceError> {
        let within = scope.within.as_ref().map(|within| {
            let place = self.root.resolve(within)?;
            // A path that is not there is an error, not an empty answer.
            place.entry()?.ok_or_else(|| WorkspaceError::NotFound(within.clone()))?;
            Ok::<_, WorkspaceError>(self.root.name_on_disk(place.path()))
        });
        let own = self.root.own().map(|own| self.root.name_on_disk(own));
        let is_hidden = move |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name == ".git" || is_hidden(name) || own.as_ref().is_some_and(|own| own == path)
        };
        let folder = self.root.folder();
        let (walk, within) = (listing::rules_of(folder), within.transpose()?);
        Ok(Tree { folder, walk, within, is_hidden: Arc::new(is_hidden), source })
    }

    /// The open documents whose files are older, or are notebooks.
    fn newer_texts(&self) -> HashMap<PathBuf, Arc<Document>> {
        let open = self.open_documents().into_iter();
        open.map(|document| (self.root.name_on_disk(&document.path()), document)).collect()
    }

    fn source(&self, path: &Path, texts: &HashMap<PathBuf, Arc<Document>>, scope: &FindScope) -> Source {
        if is_notebook_name(path) {
            return if scope.notebooks { self.cells(path) } else { Source::Skipped };
        }
        let newer = texts.get(path).and_then(|document| document.unwritten());
        newer.map_or(Source::Disk, |bytes| match String::from_utf8(bytes) {
            Ok(text) => Source::Text(text),
            Err(_) => Source::Disk,
        })
    }

    /// The sources of a notebook's cells, numbered from 1.
    fn cells(&self, path: &Path) -> Source {
        let read = || {
            let path = WorkspacePath::of_disk(path).ok()?;
            Notebook::read(&self.content(&path, most_of(&path)).ok()?).ok()
        };
        let Some(notebook) = read() else { return Source::Skipped };
        Source::Cells((1..).zip(&notebook.cells).map(|(number, cell)| (number, cell.source())).collect())
    }

    fn search_error(&self, source: std::io::Error) -> WorkspaceError {
        WorkspaceError::Io { attempt: "search", path: "the workspace's folder".to_owned(), source }
    }
}

fn is_notebook_name(path: &Path) -> bool {
    // Few names have this ending, and a path costs more to make than to compare.
    let name = path.as_os_str().as_bytes();
    let ending = name.len().checked_sub(".ipynb".len()).and_then(|at| name.get(at..));
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case(b".ipynb"))
        && WorkspacePath::of_disk(path).is_ok_and(|path| is_notebook(&path))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::{fs, sync::Mutex};

    use aside_core::{ActionId, Id as _, Timestamp};
    use aside_grep::FindQuery;
    use aside_store::{Store, StoreOptions};

    use super::*;

    struct Scene {
        workspace: Arc<Workspace>,
        folder: tempfile::TempDir,
    }

    fn scene(files: &[(&str, &str)]) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        Scene { workspace: Workspace::open(folder.path(), store).unwrap(), folder }
    }

    fn scope(within: Option<&str>) -> FindScope {
        let within = within.map(|path| path.parse().unwrap());
        FindScope { within, notebooks: false, limits: LineLimits { lines: 20, width: 200 } }
    }

    fn pattern() -> Pattern {
        Pattern::new(&FindQuery { text: "TIDE".to_owned(), ..FindQuery::default() }).unwrap()
    }

    type Lines = Vec<(String, Vec<u32>)>;

    fn gathered(
        search: impl FnOnce(Each<'_>) -> Result<SearchTotals, WorkspaceError>,
    ) -> Result<Lines, WorkspaceError> {
        let all = Mutex::new(Lines::new());
        search(&|path, found| {
            all.lock().unwrap().push((path.to_string(), found.lines.iter().map(|line| line.number).collect()));
            ControlFlow::Continue(())
        })?;
        let mut all = all.into_inner().unwrap();
        all.sort();
        Ok(all)
    }

    fn found(scene: &Scene, scope: &FindScope) -> Result<Lines, WorkspaceError> {
        gathered(|each| scene.workspace.find(&pattern(), scope, &AtomicBool::new(false), each))
    }

    const NOTEBOOK: &str = r##"{"cells":[
        {"cell_type":"code","execution_count":null,"id":"a","metadata":{},"outputs":[],"source":["low = 1"]},
        {"cell_type":"markdown","id":"b","metadata":{},"source":["# One\n","the tide\n","a tide"]}],
        "metadata":{"tide":1},"nbformat":4,"nbformat_minor":5}"##;

    const FILES: [(&str, &str); 7] = [
        ("a.py", "tide\nno\nTide tide\n"),
        ("src/b.py", "\u{130}nbetween: tide\n"),
        ("out/c.txt", "tide\n"),
        (".gitignore", "out/\n"),
        ("d.bin", "tide\0"),
        ("e.ipynb", NOTEBOOK),
        (".aside/f.txt", "tide"),
    ];

    #[test]
    fn search_leaves_out_ignored_and_own_files() {
        let scene = scene(&FILES);
        let all = [("a.py".to_owned(), vec![1, 3]), ("src/b.py".to_owned(), vec![1])];
        assert_eq!(found(&scene, &scope(None)).unwrap(), all);
        assert_eq!(found(&scene, &scope(Some("src"))).unwrap(), all[1..]);
        assert_eq!(found(&scene, &scope(Some("nowhere"))).unwrap_err().code(), "not_found");
        fs::create_dir_all(scene.folder.path().join("mine/keys")).unwrap();
        fs::write(scene.folder.path().join("mine/keys/a"), "tide").unwrap();
        scene.workspace.set_own_data(&scene.folder.path().join("mine"));
        assert_eq!(found(&scene, &scope(None)).unwrap(), all);
    }

    #[test]
    fn cells_are_found_by_their_numbers() {
        let scope = FindScope { notebooks: true, ..scope(Some("e.ipynb")) };
        assert_eq!(found(&scene(&FILES), &scope).unwrap(), [("e.ipynb".to_owned(), vec![2, 2])]);
    }

    #[test]
    fn open_document_is_searched_before_its_file() {
        let scene = scene(&FILES);
        let path = "a.py".parse().unwrap();
        let document = scene.workspace.document(&path).unwrap();
        let edit =
            aside_doc::AnchoredEdit { start: None, end: None, old: Some("no".to_owned()), new: "tide".to_owned() };
        document.apply(None, &[edit], &ActionId::from_parts(Timestamp(1), 1), None).unwrap();
        assert!(document.unwritten().is_some(), "the file is older");
        assert_eq!(found(&scene, &scope(Some("a.py"))).unwrap(), [("a.py".to_owned(), vec![1, 2, 3])]);
    }

    #[test]
    fn link_within_the_workspace_is_followed_once() {
        let scene = scene(&FILES);
        std::os::unix::fs::symlink("src", scene.folder.path().join("link")).unwrap();
        assert_eq!(found(&scene, &scope(Some("link"))).unwrap(), [("src/b.py".to_owned(), vec![1])]);
        std::os::unix::fs::symlink("/etc", scene.folder.path().join("out-link")).unwrap();
        assert_eq!(found(&scene, &scope(Some("out-link"))).unwrap_err().code(), "outside");
    }

    #[test]
    fn named_files_are_searched_alone() {
        let scene = scene(&FILES);
        fs::write(scene.folder.path().join("new\nline.py"), "tide").unwrap();
        let paths: Vec<WorkspacePath> =
            ["src", "src/b.py", "gone.py", "new\\nline.py"].iter().map(|path| path.parse().unwrap()).collect();
        let all = gathered(|each| scene.workspace.find_in(&paths, &pattern(), &scope(None), each)).unwrap();
        assert_eq!(all, [("new\\nline.py".to_owned(), vec![1]), ("src/b.py".to_owned(), vec![1])]);
    }
}
