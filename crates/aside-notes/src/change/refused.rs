//! The reasons for which a note is not changed.

use aside_core::{Failure, WorkspacePath};

/// Says why a note is not changed. Nothing of it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeRefused {
    /// The file is not UTF-8.
    #[error("`{path}` is not UTF-8, so it is never written")]
    NotUtf8 {
        /// The note.
        path: WorkspacePath,
    },
    /// The front matter is no YAML.
    #[error("the front matter of `{path}` is broken at line {line}, so its tags can't be changed")]
    BrokenFrontMatter {
        /// The note.
        path: WorkspacePath,
        /// The line of the problem.
        line: u32,
    },
    /// The tags of the front matter are neither a list nor a text.
    #[error("the tags of `{path}` are neither a list nor a text, so they can't be changed")]
    OddTags {
        /// The note.
        path: WorkspacePath,
    },
    /// The word can't be a tag.
    #[error("`{tag}` can't be a tag")]
    NoTag {
        /// The word.
        tag: String,
    },
    /// No todo has the text.
    #[error("`{path}` has no todo `{text}` at line {line} or elsewhere{}", now_there(now.as_deref()))]
    TodoNotFound {
        /// The note.
        path: WorkspacePath,
        /// The line of the handle.
        line: u32,
        /// The text of the handle.
        text: String,
        /// The todo that the line has now.
        now: Option<String>,
    },
    /// Several todos have the text, and none of them stands at the line.
    #[error("`{path}` has {count} todos `{text}`, and none of them is at line {line}")]
    TodoAmbiguous {
        /// The note.
        path: WorkspacePath,
        /// The line of the handle.
        line: u32,
        /// The text of the handle.
        text: String,
        /// How many there are.
        count: usize,
    },
    /// A text of one line has several.
    #[error("the text of a todo is one line, and this one has a line break")]
    LineBreak,
    /// A todo without words.
    #[error("a todo needs a text")]
    NoText,
    /// A rule of repetition that can't be read.
    #[error("`{rule}` is no rule of repetition")]
    NoRepeat {
        /// The rule.
        rule: String,
    },
    /// The note has no such heading.
    #[error("`{path}` has no heading `{heading}`")]
    NoHeading {
        /// The note.
        path: WorkspacePath,
        /// The heading.
        heading: String,
    },
    /// The words of a link are not at the line.
    #[error("line {line} of `{path}` does not have the words `{words}`")]
    NoWords {
        /// The note.
        path: WorkspacePath,
        /// The line.
        line: u32,
        /// The words.
        words: String,
    },
    /// The note has no such line.
    #[error("`{path}` has no line {line}")]
    NoLine {
        /// The note.
        path: WorkspacePath,
        /// The line.
        line: u32,
    },
    /// A title of which no file name can be made.
    #[error("`{title}` can't be the title of a new note")]
    NoTitle {
        /// The title.
        title: String,
    },
    /// Two changes of one request are about the same bytes.
    #[error("two changes of one request overlap at byte {at}")]
    Overlap {
        /// The first byte of both.
        at: usize,
    },
}

fn now_there(now: Option<&str>) -> String {
    now.map(|text| format!(": that line is now `{text}`")).unwrap_or_default()
}

impl ChangeRefused {
    /// Returns the failure with a code, and a hint where there is one.
    pub fn failure(&self) -> Failure {
        let (code, hint) = match self {
            Self::NotUtf8 { .. } => ("not_utf8", "convert the file to UTF-8 first"),
            Self::BrokenFrontMatter { .. } => ("broken_front_matter", "repair the lines between the `---` first"),
            Self::OddTags { .. } => ("broken_front_matter", "make `tags` a list first"),
            Self::NoTag { .. } => ("invalid_args", "a tag has at least one letter and no line break"),
            Self::TodoNotFound { .. } => ("todo_not_found", "`todo.list` returns path, line and text of each todo"),
            Self::TodoAmbiguous { .. } => ("todo_ambiguous", "give the line that `todo.list` returns now"),
            Self::LineBreak | Self::NoText => ("invalid_args", "write one line for each todo"),
            Self::NoRepeat { .. } => ("invalid_args", "write `every week`, `every 2 months` or `every day when done`"),
            Self::NoHeading { .. } => ("no_heading", "`note.read` returns the headings"),
            Self::NoWords { .. } | Self::NoLine { .. } => ("no_match", "`note.read` returns the text with its lines"),
            Self::NoTitle { .. } => ("invalid_args", "give a path"),
            Self::Overlap { .. } => ("overlap", "make these changes in separate requests"),
        };
        Failure::new(code, self.to_string()).hint(hint)
    }
}
