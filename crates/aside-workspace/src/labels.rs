//! Where the content of files comes from: by what they are ([`table`]), by what git ignores, by the repository they are
//! in, and by what was written into them from outside, which is kept with their path and goes along when they are moved
//! or copied.
//!
//! Only `external` is kept. What a program does to files behind Aside's back is not seen: a labelled file that is renamed
//! in a shell has no label under its new name.

mod table;

use std::collections::{BTreeMap, BTreeSet};

use aside_core::{Label, LabelSource, WorkspacePath};
use aside_store::Durability;
use serde::{Deserialize, Serialize};

use crate::{EntryKind, ListedEntry, MOST_TEXT, View, Workspace, WorkspaceError, listing, view::Found};

/// The kind of the records: one a path, for the file or everything in the folder.
const KIND: &str = "file_label";
/// Why what git ignores is from outside.
const IGNORED: &str = "git ignores it, so a program may have written it";

/// Content from outside at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileLabel {
    path: WorkspacePath,
    source: LabelSource,
}

impl Workspace {
    /// Says where the content of a file comes from. What can't be found out is from outside.
    pub fn label_of(&self, path: &WorkspacePath) -> LabelSource {
        let outside = self.outside(path).unwrap_or_else(|_| Some("nobody knows whose it is".to_owned()));
        match outside {
            Some(why) => LabelSource::external(path.as_str(), why),
            None => LabelSource::new(Label::Workspace, path.as_str(), "a file of the workspace"),
        }
    }

    /// Returns a name of a listing that comes from outside, if one does. A folder that git ignores is no news; what the
    /// listed folder itself is, [`Workspace::label_of`] says.
    pub fn outside_name(&self, entries: &[ListedEntry]) -> Result<Option<LabelSource>, WorkspaceError> {
        let kept: Vec<FileLabel> = self.store.list(KIND)?;
        let kept: BTreeMap<_, _> = kept.iter().map(|label| (&label.path, label.source.why.as_str())).collect();
        let why = |entry: &ListedEntry| {
            let ignored = (entry.ignored && !entry.folder).then_some(IGNORED);
            kept.get(&entry.path).copied().or_else(|| table::by_path(&entry.path)).or(ignored)
        };
        let found = entries.iter().find_map(|entry| Some((entry, why(entry)?)));
        Ok(found.map(|(entry, why)| LabelSource::external(entry.path.as_str(), why)))
    }

    /// Remembers that files hold content from outside; returns those that were not known to.
    pub fn mark_external(
        &self,
        paths: &[WorkspacePath],
        source: &LabelSource,
    ) -> Result<Vec<WorkspacePath>, WorkspaceError> {
        let why = format!("it holds content of `{}`: {}", source.what, source.why);
        let marked = self.store.transaction(Durability::Normal, |transaction| {
            let mut marked = Vec::new();
            for path in paths {
                if transaction.get::<FileLabel>(KIND, path.as_str())?.is_none() {
                    let source =
                        LabelSource { action: source.action.clone(), ..LabelSource::external(path.as_str(), &why) };
                    transaction.put(KIND, path.as_str(), None, &FileLabel { path: path.clone(), source })?;
                    marked.push(path.clone());
                }
            }
            Ok(marked)
        })?;
        Ok(marked)
    }

    /// Forgets that files, or what is in folders, hold content from outside: on a person's word, or because nothing
    /// was written after all. Returns what was forgotten, with why.
    pub fn unmark(&self, paths: &[WorkspacePath]) -> Result<Vec<LabelSource>, WorkspaceError> {
        let known: Vec<FileLabel> = self.store.list(KIND)?;
        let within = |label: &FileLabel| paths.iter().any(|path| label.path.is_within(path));
        let gone: Vec<_> = known.into_iter().filter(within).collect();
        self.store.transaction(Durability::Normal, |transaction| {
            gone.iter().try_for_each(|label| transaction.delete(KIND, label.path.as_str()).map(drop))
        })?;
        Ok(gone.into_iter().map(|label| label.source).collect())
    }

    /// What is known of a place goes along with what is moved or copied from it.
    pub(crate) fn carry_labels(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let source = self.label_of(from);
        if source.label == Label::External {
            self.mark_external(std::slice::from_ref(to), &source)?;
        }
        let known: Vec<FileLabel> = self.store.list(KIND)?;
        for label in known.iter().filter(|label| label.path != *from && label.path.is_within(from)) {
            let below = &label.path.as_str()[from.as_str().len()..];
            let path = WorkspacePath::new(&format!("{to}{below}")).expect("two paths of the workspace make one");
            self.mark_external(&[path], &label.source)?;
        }
        Ok(())
    }

    /// Why a place is from outside, if it is.
    fn outside(&self, path: &WorkspacePath) -> Result<Option<String>, WorkspaceError> {
        let (real, kind) = match self.root.resolve(path) {
            Ok(place) => (place.path().clone(), place.entry()?.map(|entry| entry.kind)),
            Err(WorkspaceError::NotFound(_)) => (path.clone(), None),
            Err(error) => return Err(error),
        };
        let folder = kind == Some(EntryKind::Folder);
        for path in BTreeSet::from([path, &real]) {
            let by_path = || table::by_path(path).or_else(|| table::by_folder(path).filter(|_| folder));
            if let Some(why) = self.kept_label(path)?.or_else(|| by_path().map(str::to_owned)) {
                return Ok(Some(why));
            }
        }
        if listing::is_ignored(&self.root, &real, folder) {
            return Ok(Some(IGNORED.to_owned()));
        }
        if self.is_in_other_repository(&real)? {
            return Ok(Some("a file of another repository in the workspace".to_owned()));
        }
        if kind == Some(EntryKind::File) && table::is_notebook(&real) {
            return match self.content(&real, MOST_TEXT) {
                Ok(bytes) => Ok(table::by_cells(&bytes).map(str::to_owned)),
                Err(WorkspaceError::NotFound(_)) => Ok(None),
                Err(error) => Err(error),
            };
        }
        Ok(None)
    }

    /// Tells whether a folder of the workspace that holds this, or is it, has a git repository of its own.
    fn is_in_other_repository(&self, real: &WorkspacePath) -> Result<bool, WorkspaceError> {
        let mut place = Some(real.clone());
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

    /// What was kept for a path, or for a folder above it.
    fn kept_label(&self, path: &WorkspacePath) -> Result<Option<String>, WorkspaceError> {
        let mut place = Some(path.clone());
        while let Some(path) = place {
            if let Some(label) = self.store.get::<FileLabel>(KIND, path.as_str())? {
                return Ok(Some(label.source.why));
            }
            place = path.parent();
        }
        Ok(None)
    }
}

impl View<'_> {
    /// Says where the content of a file comes from, as of the place it would have come from.
    pub fn label_of(&self, path: &WorkspacePath) -> LabelSource {
        let here = self.workspace.label_of(path);
        match self.real_path(path).map(|real| self.found(&real)) {
            Ok(Found::Now(source)) if here.label != Label::External && source != *path => {
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
        assert_eq!(workspace.mark_external(&[path("a/one.md")], &log).unwrap(), [path("a/one.md")]);
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
        assert_eq!(workspace.unmark(&[path("b")]).unwrap().len(), 1);
        assert!(!is_external(&workspace, "b/one.md"));
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
