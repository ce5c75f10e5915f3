//! Kinds of searched documents.

use aside_core::{FileEditor, FileIcon, FileKind, WorkspacePath};
use aside_notes::is_note;
use serde::{Deserialize, Serialize};

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// A Markdown note.
    Note,
    /// A Jupyter notebook: sources and text outputs of its cells.
    Notebook,
    /// A program, a script or a file of settings.
    Code,
    /// Another text.
    Text,
    /// A PDF: the text of its pages.
    Pdf,
    /// A conversation with a model.
    Thread,
    /// Messages between people beside a document.
    Chat,
}

impl DocumentKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Note, Self::Notebook, Self::Code, Self::Text, Self::Pdf, Self::Thread, Self::Chat];

    /// Returns the name, as filters have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Notebook => "notebook",
            Self::Code => "code",
            Self::Text => "text",
            Self::Pdf => "pdf",
            Self::Thread => "thread",
            Self::Chat => "chat",
        }
    }

    /// Returns the kind with a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Tells whether documents of this kind are files.
    pub const fn is_file(self) -> bool {
        !matches!(self, Self::Thread | Self::Chat)
    }

    /// Returns the kind that a file has by its name; none if there is no text in it.
    pub(crate) fn of_file(path: &WorkspacePath) -> Option<Self> {
        if is_note(path) {
            return Some(Self::Note);
        }
        let Some(kind) = FileKind::of_name(path.name()) else { return Some(Self::Text) };
        match (kind.facts().editor, kind.facts().icon) {
            (FileEditor::Notebook, _) => Some(Self::Notebook),
            (editor, FileIcon::Code | FileIcon::Shell | FileIcon::Settings) if editor.is_text() => Some(Self::Code),
            (editor, _) if editor.is_text() => Some(Self::Text),
            (FileEditor::Pdf, _) => Some(Self::Pdf),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_say_their_kind() {
        let kind = |path: &str| DocumentKind::of_file(&path.parse().unwrap()).map(DocumentKind::name);
        let paths = ["a.md", "b.ipynb", "c.rs", "Makefile", "d.csv", "e.unknown", "f.png", "g.zip", "h.mdx", "i.pdf"];
        assert_eq!(
            paths.map(kind),
            [
                Some("note"),
                Some("notebook"),
                Some("code"),
                Some("code"),
                Some("text"),
                Some("text"),
                None,
                None,
                Some("text"),
                Some("pdf")
            ]
        );
    }
}
