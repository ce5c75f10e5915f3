//! Changes of files in the events of Codex: by the paths of the files, each with its text or a unified diff, or in a list.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    lenient::Text,
    reader::json::{at, text},
};

/// A change of one file.
#[derive(Debug, Default, Deserialize)]
pub struct FileChange<'a> {
    /// Its file, in a list.
    #[serde(borrow, default)]
    pub path: Text<'a>,
    #[serde(borrow, default, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow, default)]
    content: Text<'a>,
    #[serde(borrow, default)]
    unified_diff: Text<'a>,
    #[serde(borrow, default)]
    move_path: Text<'a>,
    /// The kind, in a list: a word, or an object that says more.
    #[serde(borrow, default, rename = "kind")]
    said: Said<'a>,
    #[serde(borrow, default)]
    diff: Text<'a>,
}

/// The kind of a change as a list has it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Said<'a> {
    Object {
        #[serde(borrow, default, rename = "type")]
        kind: Text<'a>,
        #[serde(borrow, default)]
        move_path: Text<'a>,
    },
    Word(#[serde(borrow)] Text<'a>),
}

impl Default for Said<'_> {
    fn default() -> Self {
        Self::Word(Text::default())
    }
}

impl FileChange<'_> {
    /// `add`, `delete` or `update`.
    pub fn kind(&self) -> &str {
        let (Said::Object { kind, .. } | Said::Word(kind)) = &self.said;
        self.kind.get().or(kind.get()).unwrap_or_default()
    }

    /// The path that the file has since.
    pub fn moved_to(&self) -> Option<&str> {
        let said = match &self.said {
            Said::Object { move_path, .. } => move_path.get(),
            Said::Word(_) => None,
        };
        self.move_path.get().or(said)
    }

    /// The text of a file that is new or gone.
    pub fn content(&self) -> &str {
        self.content.get().or(self.diff.get()).unwrap_or_default()
    }

    /// The lines that changed.
    pub fn diff(&self) -> &str {
        self.unified_diff.get().or(self.diff.get()).unwrap_or_default()
    }
}

/// Changes as most events tell them: by their paths. Of a list in which a path stands twice, the later change counts.
pub fn by_path(changes: &Value) -> Value {
    let Some(listed) = changes.as_array() else { return changes.clone() };
    let of = |change: &Value| {
        let kind = text(change, "kind.type").or(text(change, "kind"))?;
        let diff = at(change, "diff").cloned().unwrap_or_default();
        let body = if kind == "update" { "unified_diff" } else { "content" };
        let moved = at(change, "kind.move_path").cloned().unwrap_or_default();
        Some((text(change, "path")?.to_owned(), json!({ "type": kind, body: diff, "move_path": moved })))
    };
    Value::Object(listed.iter().filter_map(of).collect::<Map<_, _>>())
}
