//! The situation of the person who asks: tabs, files, cells and kernels, as the window or the server knows them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Objects that a sentence can mean. Everything may be absent; fields that are not listed here are ignored.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Situation {
    /// The person's clock, as RFC 3339.
    pub time: String,
    /// The tabs of the window, from left to right.
    pub tabs: Vec<OpenTab>,
    /// The files of the workspace.
    pub files: Vec<SeenFile>,
    /// The folders of the workspace.
    pub folders: Vec<String>,
    /// The cells of notebooks, by path, in order.
    pub cells: BTreeMap<String, Vec<SeenCell>>,
    /// The state of each kernel, by the path of its notebook.
    pub kernels: BTreeMap<String, String>,
    /// The parts of each LaTeX document, by its main file.
    pub documents: BTreeMap<String, Vec<String>>,
    /// The open items of notes.
    pub todos: Vec<SeenTodo>,
    /// The thread at hand.
    pub thread: Option<String>,
    /// The layout of the window.
    pub layout: Layout,
}

/// A tab of the window.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct OpenTab {
    /// The file, or `thread/ID`.
    pub path: String,
    /// `notebook`, `code`, `chat` …
    pub kind: String,
    /// The title, if it is not the file's name.
    pub title: Option<String>,
    /// Whether it is the tab in front.
    pub active: bool,
}

/// A file of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct SeenFile {
    /// Its path.
    pub path: String,
    /// The time of its last change; texts of one form sort like the times.
    pub mtime: String,
}

/// A cell of a notebook.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct SeenCell {
    /// Its key.
    pub key: String,
    /// `code`, `markdown` …
    pub kind: String,
    /// The version of its text.
    pub version: String,
    /// Whether it has outputs.
    pub outputs: bool,
    /// Whether the cursor is in it.
    pub focused: bool,
}

/// An open item of a note.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct SeenTodo {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// The look of the window; parts that can be hidden are `show` or `hide`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Layout {
    /// The list of files.
    pub sidebar: Option<String>,
    /// The assistant.
    pub side: Option<String>,
    /// The theme, `light` or `dark`.
    pub theme: Option<String>,
}

impl Situation {
    /// Returns the tab in front.
    pub fn active(&self) -> Option<&OpenTab> {
        self.tabs.iter().find(|tab| tab.active)
    }

    /// Tells whether a folder is known.
    pub(crate) fn has_folder(&self, path: &str) -> bool {
        self.folders.iter().any(|folder| folder == path)
    }

    /// Tells whether a file or folder is known.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.has_folder(path) || self.files.iter().any(|file| file.path == path)
    }

    /// Returns the notebooks that a sentence without a name can mean: the one in front, else the open ones.
    pub(crate) fn notebooks(&self) -> Vec<&str> {
        let is_notebook = |tab: &&OpenTab| tab.kind == "notebook";
        match self.active().filter(is_notebook) {
            Some(tab) => vec![&tab.path],
            None => self.tabs.iter().filter(is_notebook).map(|tab| tab.path.as_str()).collect(),
        }
    }
}

/// Returns the name of a file or folder.
pub(crate) fn name_of(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// Returns the folder of a path, empty at the top.
pub(crate) fn folder_of(path: &str) -> &str {
    path.trim_end_matches('/').rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns a name without its ending.
pub(crate) fn stem_of(name: &str) -> &str {
    match name.rfind('.') {
        Some(at) if at > 0 => &name[..at],
        _ => name,
    }
}

/// Returns the ending of a name, without the dot.
pub(crate) fn ending_of(path: &str) -> &str {
    let name = name_of(path);
    name.get(stem_of(name).len() + 1..).unwrap_or_default()
}

/// Joins a folder and a name.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match folder.trim_end_matches('/') {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_are_ignored() {
        let text = r#"{"time":"2026-01-02T03:04:05Z","tabs":[{"path":"a.py","kind":"code","used":"x","active":true}],"selection":null}"#;
        let situation: Situation = serde_json::from_str(text).unwrap();
        assert_eq!(situation.active().unwrap().path, "a.py");
    }

    #[test]
    fn names_lose_their_endings() {
        assert_eq!((stem_of("a.b.md"), ending_of("x/a.b.md")), ("a.b", "md"));
        assert_eq!((stem_of(".env"), ending_of(".env"), ending_of("Makefile")), (".env", "", ""));
    }
}
