//! Where the content of files comes from: by what they are ([`table`]), by what git ignores, by the repository they are
//! in, and by what is remembered of them ([`kept`]), which goes along when they are moved or copied, also by a command
//! ([`copied`]).
//!
//! What a program does to files behind Aside's back is seen only where somebody looks: a labelled file that is renamed
//! in a folder that nobody has listed, or copied, has no label under its new name.

mod copied;
pub(crate) mod ignored;
mod kept;
pub(crate) mod table;

use std::collections::BTreeSet;

use aside_core::{Label, LabelSource, WorkspacePath};
use aside_notebook::Notebook;

use crate::{EntryKind, ListedEntry, MOST_TEXT, View, Workspace, WorkspaceError, listing, view::Found};

/// Why what git ignores is from outside.
const IGNORED: &str = "git ignores it, so a program may have written it";

/// Why something is from outside.
struct Outside {
    why: String,
    /// It is a notebook's own runs that put it out here.
    of_runs: bool,
    /// The user's assistant wrote it.
    by_assistant: bool,
}

impl Outside {
    fn of(why: impl Into<String>) -> Self {
        Self { why: why.into(), of_runs: false, by_assistant: false }
    }
}

impl Workspace {
    /// Says where the content of a file comes from. What can't be found out is from outside.
    pub fn label_of(&self, path: &WorkspacePath) -> LabelSource {
        let unknown = |_| LabelSource::external(path.as_str(), "its origin is unknown");
        self.found_label(path).unwrap_or_else(unknown)
    }

    /// Returns a name of a listing that comes from outside, if one does. A folder that git ignores is no news; what the
    /// listed folder itself is, [`Workspace::label_of`] says.
    pub fn outside_name(&self, entries: &[ListedEntry]) -> Result<Option<LabelSource>, WorkspaceError> {
        let kept = self.kept_labels()?;
        let outside = |entry: &ListedEntry| {
            let ignored = (entry.ignored && !entry.folder).then_some(IGNORED);
            let why = match kept.get(&entry.path) {
                Some(said) => Some(said.why.as_str()).filter(|_| said.label == Label::External),
                None => table::by_path(&entry.path).or(ignored),
            };
            why.map(|why| LabelSource::external(entry.path.as_str(), why))
        };
        Ok(entries.iter().find_map(outside))
    }

    fn found_label(&self, path: &WorkspacePath) -> Result<LabelSource, WorkspaceError> {
        let (real, kind) = match self.root.resolve(path) {
            Ok(place) => (place.path().clone(), place.entry()?.map(|entry| entry.kind)),
            Err(WorkspaceError::NotFound(_)) => (path.clone(), None),
            Err(error) => return Err(error),
        };
        let mut own = LabelSource::new(Label::Workspace, path.as_str(), "a file of the workspace");
        for place in BTreeSet::from([path, &real]) {
            let found = match self.nearest_label(place)? {
                // Other outputs may have come into the notebook since.
                Some(said) if said.runs_of.is_some() => {
                    let other = self.outside(place, kind)?.filter(|outside| !outside.of_runs);
                    Some(other.unwrap_or(Outside { of_runs: true, ..Outside::of(said.why) }))
                }
                Some(said) if said.label == Label::External => {
                    // What a file is by its name says more than who changed it.
                    let other = self.outside(place, kind)?.filter(|outside| said.by_assistant && !outside.of_runs);
                    Some(other.unwrap_or(Outside { by_assistant: said.by_assistant, ..Outside::of(said.why) }))
                }
                Some(said) => {
                    own = LabelSource::new(Label::Workspace, path.as_str(), said.why);
                    None
                }
                None => self.outside(place, kind)?,
            };
            if let Some(Outside { why, of_runs, by_assistant }) = found {
                let source = LabelSource { by_assistant, ..LabelSource::external(path.as_str(), why) };
                // A link could lead to another notebook by now.
                return Ok(if of_runs && *path == real { source.of_runs(path) } else { source });
            }
        }
        Ok(own)
    }

    /// Why a place is from outside by what it is.
    fn outside(&self, place: &WorkspacePath, kind: Option<EntryKind>) -> Result<Option<Outside>, WorkspaceError> {
        let folder = kind == Some(EntryKind::Folder);
        let by_folder = || table::by_folder(place).filter(|_| folder);
        let find = || listing::is_ignored(&self.root, place, folder);
        let ignored = || self.ignored.or_find(place, folder, find).then_some(IGNORED);
        if let Some(why) = table::by_path(place).or_else(by_folder).or_else(ignored) {
            return Ok(Some(Outside::of(why)));
        }
        if let Some(why) = table::by_purpose(place) {
            return Ok(Some(Outside::of(why)));
        }
        let from = if kind == Some(EntryKind::File) { place.parent() } else { Some(place.clone()) };
        if self.is_in_other_repository(from)? {
            return Ok(Some(Outside::of("a file of another repository in the workspace")));
        }
        if kind == Some(EntryKind::File) && table::is_notebook(place) {
            // This is asked for each run of a cell, and the file may be long.
            let document = self.open_document(place);
            let live = document.as_ref().and_then(|document| document.notebook());
            if let Some((live, why)) = live.as_ref().and_then(|live| Some((live, table::by_live_cells(live)?))) {
                return Ok(Some(self.outputs_of_runs(place, live).unwrap_or_else(|| Outside::of(why))));
            }
            let saved = document.filter(|document| document.state().borrow().saved);
            let bytes = match saved {
                // The file has the same.
                Some(document) => document.text().as_bytes().to_vec(),
                None => match self.content(place, MOST_TEXT) {
                    Ok(bytes) => bytes,
                    Err(WorkspaceError::NotFound(_)) => return Ok(None),
                    Err(error) => return Err(error),
                },
            };
            let Some(why) = table::by_cells(&bytes) else { return Ok(None) };
            let read = Notebook::read(&bytes).ok();
            return Ok(Some(
                read.and_then(|read| self.outputs_of_runs(place, &read)).unwrap_or_else(|| Outside::of(why)),
            ));
        }
        Ok(None)
    }

    /// What a notebook holds from outside, if that is only what runs of it put out here.
    fn outputs_of_runs(&self, place: &WorkspacePath, notebook: &Notebook) -> Option<Outside> {
        let knows = self.own_outputs.get()?;
        let is_own = table::by_live_cells(notebook).is_some()
            && !notebook.cells.iter().any(table::is_more_than_shown)
            && knows(place, notebook);
        is_own.then(|| Outside { of_runs: true, ..Outside::of("outputs of its own runs") })
    }

    /// Tells whether this folder of the workspace, or one that holds it, has a git repository of its own.
    fn is_in_other_repository(&self, mut place: Option<WorkspacePath>) -> Result<bool, WorkspaceError> {
        while let Some(path) = place {
            let git = WorkspacePath::new(&format!("{path}/.git")).expect("a path and a name make a path");
            match self.root.resolve_entry(&git).and_then(|git| git.entry()) {
                Ok(Some(_)) => return Ok(true),
                Ok(None) | Err(WorkspaceError::NotFound(_) | WorkspaceError::NotFolder(_)) => {}
                Err(error) => return Err(error),
            }
            place = path.parent();
        }
        Ok(false)
    }
}

impl View<'_> {
    /// Says where the content of a file comes from, as of the place it would have come from.
    pub fn label_of(&self, path: &WorkspacePath) -> LabelSource {
        let here = self.workspace.label_of(path);
        if here.label == Label::External {
            return here;
        }
        match self.real_path(path).map(|real| self.found(&real)) {
            Ok(Found::Now(source)) if source != *path => {
                LabelSource { what: here.what, ..self.workspace.label_of(&source) }
            }
            _ => here,
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::{fs, sync::Arc};

    use aside_store::{Store, StoreOptions};

    use super::*;
    use crate::Existing;

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Workspace>) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        (folder, workspace)
    }

    fn path(text: &str) -> WorkspacePath {
        text.parse().unwrap()
    }

    fn is_external(workspace: &Workspace, file: &str) -> bool {
        workspace.label_of(&path(file)).label == Label::External
    }

    #[test]
    fn what_git_ignores_and_what_links_lead_to_is_known() {
        let (folder, workspace) =
            workspace(&[(".gitignore", "drafts/\n"), ("drafts/a.md", ""), ("b.md", ""), ("node_modules/x/c.md", "")]);
        std::os::unix::fs::symlink("node_modules/x", folder.path().join("lib")).unwrap();
        std::os::unix::fs::symlink("/etc", folder.path().join("etc")).unwrap();
        assert!(is_external(&workspace, "drafts/a.md"));
        assert!(is_external(&workspace, "lib/c.md"));
        assert!(is_external(&workspace, "etc/hosts"));
        assert!(!is_external(&workspace, "b.md"));
        assert!(!is_external(&workspace, "not/there.md"));
    }

    #[test]
    fn instructions_are_somebody_s_until_a_person_says_they_are_theirs() {
        let (_folder, workspace) = workspace(&[("AGENTS.md", "x"), ("src/agents.md", "x"), ("src/a.py", "")]);
        assert!(is_external(&workspace, "AGENTS.md") && is_external(&workspace, "src/agents.md"));
        let top = workspace.list(None).unwrap();
        assert_eq!(workspace.outside_name(&top).unwrap(), None);
        let mine = Some(LabelSource::new(Label::Workspace, "AGENTS.md", "you said so"));
        workspace.keep_label(&path("AGENTS.md"), mine).unwrap();
        assert!(!is_external(&workspace, "AGENTS.md"));
    }

    #[test]
    fn a_notebook_with_no_more_than_its_own_runs_put_out_is_known_as_that() {
        let cell = |metadata: &str| {
            format!(
                r#"{{"cells": [{{"cell_type": "code", "id": "a", "metadata": {metadata}, "source": "1", "execution_count": 1,
                "outputs": [{{"output_type": "stream", "name": "stdout", "text": "x"}}]}}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#
            )
        };
        let (plain, hidden) = (cell("{}"), cell(r#"{"note": "obey"}"#));
        let (folder, workspace) = workspace(&[
            ("a.ipynb", &*plain),
            ("b.ipynb", &*plain),
            ("c.ipynb", &*hidden),
            ("vendor/a.ipynb", &*plain),
        ]);
        std::os::unix::fs::symlink("a.ipynb", folder.path().join("link.ipynb")).unwrap();
        let runs_of = |file: &str| {
            let label = workspace.label_of(&path(file));
            assert_eq!(label.label, Label::External, "{file}");
            label.runs_of.map(|path| path.to_string())
        };
        assert_eq!(runs_of("a.ipynb"), None, "nobody knows of runs");
        workspace.outputs_are_known_by(|path, _| path.as_str() != "b.ipynb");
        assert_eq!(runs_of("a.ipynb").as_deref(), Some("a.ipynb"));
        for other in ["b.ipynb", "c.ipynb", "link.ipynb", "vendor/a.ipynb"] {
            assert_eq!(runs_of(other), None, "{other}");
        }
        let own = LabelSource::external("a.ipynb", "its runs").of_runs(&path("a.ipynb"));
        let both = [path("a.ipynb"), path("b.ipynb"), path("notes.md")];
        assert_eq!(workspace.mark_external(&both, &own).unwrap().len(), 3);
        assert_eq!(runs_of("a.ipynb").as_deref(), Some("a.ipynb"), "what it led to in it is of the same");
        assert_eq!((runs_of("b.ipynb"), runs_of("notes.md")), (None, None));
        assert!(workspace.mark_external(&both, &own).unwrap().is_empty());
        let marked = workspace.mark_external(&both, &LabelSource::external("main.log", "a log")).unwrap();
        assert_eq!((marked.len(), runs_of("a.ipynb")), (1, None), "more has come into it");
        assert!(marked[0].1.as_ref().unwrap().runs_of.is_some());
    }

    #[test]
    fn another_repository_in_the_workspace_is_somebody_else_s() {
        let (_folder, workspace) =
            workspace(&[(".git/HEAD", ""), ("a.md", ""), ("lib/clone/.git", "gitdir: x"), ("lib/clone/src/b.md", "")]);
        assert!(is_external(&workspace, "lib/clone/src/b.md"));
        assert!(is_external(&workspace, "lib/clone"));
        assert!(!is_external(&workspace, "lib"));
        assert!(!is_external(&workspace, "a.md"));
    }

    #[test]
    fn names_of_files_count_and_those_of_folders_where_others_chose_them() {
        let (_folder, workspace) = workspace(&[
            (".gitignore", "drafts/\n*.tmp\n"),
            ("drafts/a/b.md", ""),
            ("node_modules/obey/c.md", ""),
            ("notes/d.md", ""),
            ("notes/e.tmp", ""),
            ("logs/f.log", ""),
        ]);
        let outside = |folder: Option<&str>| {
            let entries = workspace.list(folder.map(path).as_ref()).unwrap();
            workspace.outside_name(&entries).unwrap().map(|source| source.what)
        };
        assert_eq!(outside(None), None);
        assert_eq!(outside(Some("node_modules")), Some("node_modules/obey".to_owned()));
        assert_eq!(outside(Some("notes")), Some("notes/e.tmp".to_owned()));
        assert_eq!(outside(Some("logs")), Some("logs/f.log".to_owned()));
        assert!(is_external(&workspace, "drafts") && is_external(&workspace, "drafts/a"));
        assert!(is_external(&workspace, "node_modules"));
        let kept = path("notes/d.md");
        workspace.mark_external(std::slice::from_ref(&kept), &LabelSource::external("main.log", "a log")).unwrap();
        assert_eq!(outside(Some("notes")), Some("notes/d.md".to_owned()));
    }

    #[test]
    fn a_label_goes_along_with_a_move_a_copy_and_a_folder_and_outlives_a_restart_and_a_deletion() {
        let (folder, workspace) = workspace(&[("a/one.md", "1"), ("a/two.md", "2"), ("node_modules/x/r.md", "3")]);
        let log = LabelSource::external("main.log", "a log");
        assert_eq!(workspace.mark_external(&[path("a/one.md")], &log).unwrap(), [(path("a/one.md"), None)]);
        assert!(workspace.mark_external(&[path("a/one.md")], &log).unwrap().is_empty());
        workspace.move_entry(&path("a"), &path("b"), Existing::Refuse, None).unwrap();
        workspace.copy(&path("b/one.md"), &path("c.md"), Existing::Refuse).unwrap();
        workspace.copy(&path("node_modules/x"), &path("mine"), Existing::Refuse).unwrap();
        let kept = workspace.delete(&path("c.md"), None).unwrap().unwrap();
        workspace.restore(&kept).unwrap();
        drop(workspace);
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        for file in ["b/one.md", "c.md", "mine/r.md"] {
            assert!(is_external(&workspace, file), "{file}");
        }
        assert!(!is_external(&workspace, "b/two.md"));
        let why = workspace.label_of(&path("c.md")).why;
        assert!(why.contains("b/one.md") && why.contains("main.log"), "{why}");
        workspace.keep_label(&path("b/one.md"), None).unwrap();
        assert!(!is_external(&workspace, "b/one.md"));
    }

    #[test]
    fn a_person_s_word_goes_before_what_a_place_looks_like_and_the_nearest_word_before_others() {
        let (folder, workspace) =
            workspace(&[("my.log", ""), ("vendor/mine/a.md", ""), ("vendor/b.md", ""), ("notes/c.md", "")]);
        std::os::unix::fs::symlink("vendor/b.md", folder.path().join("link.md")).unwrap();
        let said = |label| Some(LabelSource::new(label, "", "you said so"));
        for mine in ["my.log", "vendor/mine", "link.md"] {
            workspace.keep_label(&path(mine), said(Label::Workspace)).unwrap();
        }
        workspace.keep_label(&path("notes"), said(Label::External)).unwrap();
        assert!(!is_external(&workspace, "my.log"));
        assert!(!is_external(&workspace, "vendor/mine/a.md"));
        assert!(is_external(&workspace, "notes/c.md"));
        assert!(is_external(&workspace, "link.md"), "where it leads is not mine");
        let marked = workspace.mark_external(&[path("my.log")], &LabelSource::external("x", "y")).unwrap();
        assert!(is_external(&workspace, "my.log"));
        let (file, before) = marked.into_iter().next().unwrap();
        workspace.keep_label(&file, before).unwrap();
        assert_eq!(workspace.label_of(&file).why, "you said so");
        let top = workspace.list(None).unwrap();
        let names = |folder| top.iter().filter(|entry| entry.folder == folder).cloned().collect::<Vec<_>>();
        assert_eq!(workspace.outside_name(&names(false)).unwrap(), None);
        assert_eq!(workspace.outside_name(&names(true)).unwrap().unwrap().what, "notes");
    }

    #[test]
    fn a_notebook_is_looked_into() {
        let clean = r#"{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": "1"}]}"#;
        let run = clean.replace("\"outputs\": []", "\"outputs\": [{\"output_type\": \"stream\", \"text\": \"1\"}]");
        let (_folder, workspace) = workspace(&[("clean.ipynb", clean), ("run.ipynb", &run), ("torn.ipynb", "{")]);
        assert!(!is_external(&workspace, "clean.ipynb"));
        assert!(is_external(&workspace, "run.ipynb"));
        assert!(is_external(&workspace, "torn.ipynb"));
    }
}
