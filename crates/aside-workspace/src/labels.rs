//! Where the content of files comes from: by what they are ([`table`]), by what git ignores, by the repository they are
//! in, and by what is remembered of them ([`kept`]), which goes along when they are moved or copied, also by a command
//! ([`copied`]).
//!
//! What a program does to files behind Aside's back is seen only where somebody looks: a labelled file that is renamed
//! in a folder that nobody has listed, or copied, has no label under its new name.

mod copied;
mod kept;
pub(crate) mod table;

use std::collections::BTreeSet;

use aside_core::{Label, LabelSource, WorkspacePath};

use crate::{EntryKind, ListedEntry, MOST_TEXT, View, Workspace, WorkspaceError, listing, view::Found};

/// Why what git ignores is from outside.
const IGNORED: &str = "git ignores it, so a program may have written it";

impl Workspace {
    /// Says where the content of a file comes from. What can't be found out is from outside.
    pub fn label_of(&self, path: &WorkspacePath) -> LabelSource {
        let found = self.found_label(path).unwrap_or_else(|_| (Label::External, "nobody knows whose it is".to_owned()));
        LabelSource::new(found.0, path.as_str(), found.1)
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

    fn found_label(&self, path: &WorkspacePath) -> Result<(Label, String), WorkspaceError> {
        let (real, kind) = match self.root.resolve(path) {
            Ok(place) => (place.path().clone(), place.entry()?.map(|entry| entry.kind)),
            Err(WorkspaceError::NotFound(_)) => (path.clone(), None),
            Err(error) => return Err(error),
        };
        let mut own = (Label::Workspace, "a file of the workspace".to_owned());
        for place in BTreeSet::from([path, &real]) {
            let found = match self.nearest_label(place)? {
                Some(said) if said.label == Label::External => Some(said.why),
                Some(said) => {
                    own.1 = said.why;
                    None
                }
                None => self.outside(place, kind)?,
            };
            if let Some(why) = found {
                return Ok((Label::External, why));
            }
        }
        Ok(own)
    }

    /// Why a place is from outside by what it is.
    fn outside(&self, place: &WorkspacePath, kind: Option<EntryKind>) -> Result<Option<String>, WorkspaceError> {
        let folder = kind == Some(EntryKind::Folder);
        let by_folder = || table::by_folder(place).filter(|_| folder);
        let ignored = || listing::is_ignored(&self.root, place, folder).then_some(IGNORED);
        if let Some(why) = table::by_path(place).or_else(by_folder).or_else(ignored) {
            return Ok(Some(why.to_owned()));
        }
        if let Some(why) = table::by_purpose(place) {
            return Ok(Some(why.to_owned()));
        }
        if self.is_in_other_repository(place)? {
            return Ok(Some("a file of another repository in the workspace".to_owned()));
        }
        if kind == Some(EntryKind::File) && table::is_notebook(place) {
            // This is asked for each run of a cell, and the file may be long.
            let live = self.open_document(place).and_then(|document| document.notebook());
            if let Some(why) = live.as_ref().and_then(table::by_live_cells) {
                return Ok(Some(why.to_owned()));
            }
            return match self.content(place, MOST_TEXT) {
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
