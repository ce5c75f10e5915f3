//! The windows of a person, and the tabs in them, by name.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{FileEditor, FileIcon, FileKind, WorkspacePath};

/// The most characters of a name that a window chooses.
const LONGEST: usize = 40;

/// Says that a text is not a name that a window chooses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no window or tab: expected 1 to {LONGEST} letters, digits, `-` and `_`")]
pub struct InvalidWindowName(pub String);

macro_rules! chosen_by_window {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(#[schemars(length(min = 1, max = 40), pattern("^[A-Za-z0-9_-]+$"))] String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidWindowName;

            fn from_str(text: &str) -> Result<Self, InvalidWindowName> {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                if (1..=LONGEST).contains(&text.len()) && text.bytes().all(plain) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(InvalidWindowName(text.chars().take(LONGEST).collect()))
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

chosen_by_window!(
    /// One window of a person, for as long as it is open; a reload keeps it.
    WindowId
);
chosen_by_window!(
    /// One tab, or one pane, of a window.
    TabId
);

/// The kind of a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TabKind {
    /// A thread or a chat. These are in the side panel today, so no tab has this kind.
    Chat,
    /// A program.
    Code,
    /// Values and tables.
    Data,
    /// A picture.
    Image,
    /// A LaTeX source.
    Latex,
    /// A Markdown file.
    Markdown,
    /// A notebook.
    Notebook,
    /// A page of Aside, such as the activity log.
    Page,
    /// A PDF.
    Pdf,
    /// A task.
    Task,
    /// Plain text and other prose.
    Text,
    /// A file that can't be shown.
    Other,
}

impl TabKind {
    /// Returns the kind of a tab that shows this file, by the file's name.
    pub fn of_file(path: &WorkspacePath) -> Self {
        let Some(kind) = FileKind::of_name(path.name()) else { return Self::Text };
        let facts = kind.facts();
        match (kind, facts.editor, facts.icon) {
            (FileKind::Markdown, ..) => Self::Markdown,
            (FileKind::Tex, ..) => Self::Latex,
            (FileKind::Bibtex, ..) => Self::Code,
            (_, FileEditor::Notebook, _) => Self::Notebook,
            (_, FileEditor::Pdf, _) => Self::Pdf,
            (_, FileEditor::Image, _) => Self::Image,
            (_, FileEditor::Table | FileEditor::Rows, _) | (_, _, FileIcon::Data) => Self::Data,
            (_, FileEditor::Audio | FileEditor::Video | FileEditor::Bytes, _) => Self::Other,
            (_, _, FileIcon::Code | FileIcon::Shell | FileIcon::Settings) => Self::Code,
            _ => Self::Text,
        }
    }

    /// Returns its word, as in arguments.
    pub fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Code => "code",
            Self::Data => "data",
            Self::Image => "image",
            Self::Latex => "latex",
            Self::Markdown => "markdown",
            Self::Notebook => "notebook",
            Self::Page => "page",
            Self::Pdf => "pdf",
            Self::Task => "task",
            Self::Text => "text",
            Self::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_of_tab_follows_file_name() {
        let kinds = [
            ("a.ipynb", TabKind::Notebook),
            ("src/plot.py", TabKind::Code),
            ("run.sh", TabKind::Code),
            ("Cargo.toml", TabKind::Code),
            ("tides.csv", TabKind::Data),
            ("x.json", TabKind::Data),
            ("plan.md", TabKind::Markdown),
            ("thesis.tex", TabKind::Latex),
            ("refs.bib", TabKind::Code),
            ("fig.png", TabKind::Image),
            ("out.pdf", TabKind::Pdf),
            ("notes.txt", TabKind::Text),
            ("no-ending", TabKind::Text),
            ("a.zip", TabKind::Other),
        ];
        for (path, kind) in kinds {
            assert_eq!(TabKind::of_file(&WorkspacePath::new(path).unwrap()), kind, "{path}");
        }
    }

    #[test]
    fn window_name_has_no_foreign_characters() {
        let read = |text: &str| serde_json::from_value::<WindowId>(text.into()).is_ok();
        assert!(read("tab-1a2b") && read("A_9"));
        assert!(
            ![String::new(), "a b".into(), "ä".into(), "../x".into(), "x".repeat(41)].iter().any(|text| read(text))
        );
    }

    #[test]
    fn word_of_kind_is_its_argument() {
        for kind in [TabKind::Chat, TabKind::Notebook, TabKind::Page, TabKind::Other] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
    }
}
