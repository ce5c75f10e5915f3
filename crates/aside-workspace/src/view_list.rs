//! The list of a folder, as it is or as it would be after some steps of a plan.

use std::collections::BTreeMap;

use aside_core::{WorkspacePath, WouldBePlace};

use crate::{
    KeptWhat, ListedEntry, View, WorkspaceError,
    listing::{by_folder_and_name, is_ignored},
    view::Found,
};

impl View<'_> {
    /// Returns what is in a folder (the top one if none is named): folders first, then by name.
    pub fn list(&self, folder: Option<&WorkspacePath>) -> Result<Vec<ListedEntry>, WorkspaceError> {
        let touched = self.touched_children(folder);
        if touched.is_empty() && folder.is_none_or(|folder| self.would_be.at(folder).is_none()) {
            return self.workspace.list(folder);
        }
        let mut entries = self.listed_before(folder, touched.values().any(|is_there| *is_there))?;
        for (child, is_there) in touched {
            entries.retain(|entry| entry.path != child);
            entries.extend(self.listed_child(child, is_there)?);
        }
        entries.sort_by(by_folder_and_name);
        Ok(entries)
    }

    /// The children of a folder that are or hold something different, each with whether something would be below it.
    fn touched_children(&self, folder: Option<&WorkspacePath>) -> BTreeMap<WorkspacePath, bool> {
        let mut touched = BTreeMap::new();
        for (path, place) in self.would_be.places() {
            let Some(below) = below(folder, path) else { continue };
            let name = below.split('/').next().unwrap_or(below);
            let child = match folder {
                Some(folder) => WorkspacePath::new(&format!("{folder}/{name}")),
                None => WorkspacePath::new(name),
            };
            let Ok(child) = child else { continue };
            let is_there = touched.entry(child).or_insert(false);
            *is_there |= *place != WouldBePlace::Absent;
        }
        touched
    }

    /// The list of the folder without its differences.
    fn listed_before(&self, folder: Option<&WorkspacePath>, is_made: bool) -> Result<Vec<ListedEntry>, WorkspaceError> {
        let Some(folder) = folder else { return self.workspace.list(None) };
        let source = match self.found(&self.real_path(folder)?) {
            Found::Now(source) => source,
            Found::Other(WouldBePlace::Folder) => return Ok(Vec::new()),
            Found::Other(_) if is_made => return Ok(Vec::new()),
            Found::Other(WouldBePlace::Absent) => return Err(WorkspaceError::NotFound(folder.clone())),
            Found::Other(_) => return Err(WorkspaceError::NotFolder(folder.clone())),
        };
        let mut entries = match self.workspace.list(Some(&source)) {
            // Its files are there only in the would-be state.
            Err(WorkspaceError::NotFound(_)) if is_made => return Ok(Vec::new()),
            entries => entries?,
        };
        for entry in &mut entries {
            let name = entry.path.name().to_owned();
            entry.path = WorkspacePath::new(&format!("{folder}/{name}")).expect("a folder and a name make a path");
        }
        Ok(entries)
    }

    fn listed_child(&self, path: WorkspacePath, is_there: bool) -> Result<Option<ListedEntry>, WorkspaceError> {
        let what = match self.survey(&path) {
            Ok(survey) => survey.entries.into_iter().find(|entry| entry.path == path).map(|entry| entry.what),
            Err(WorkspaceError::NotFound(_)) => None,
            Err(error) => return Err(error),
        };
        let (folder, size, link) = match what {
            Some(KeptWhat::File { size, .. }) => (false, size, false),
            Some(KeptWhat::Folder { .. }) => (true, 0, false),
            Some(KeptWhat::Link { .. }) => (false, 0, true),
            // A folder without a place of its own: something would be in it.
            None if is_there => (true, 0, false),
            None => return Ok(None),
        };
        let ignored = is_ignored(&self.workspace.root, &path, folder);
        Ok(Some(ListedEntry { path, folder, size, ignored, link }))
    }
}

/// The part of a path below a folder.
fn below<'a>(folder: Option<&WorkspacePath>, path: &'a WorkspacePath) -> Option<&'a str> {
    match folder {
        Some(folder) => path.as_str().strip_prefix(folder.as_str())?.strip_prefix('/'),
        None => Some(path.as_str()),
    }
}
