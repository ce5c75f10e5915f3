//! Programs that say what is wrong in a text while it is written, as the person set them up.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::FileKind;

/// A language server, and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LanguageServer {
    /// What the person calls it.
    pub name: String,
    /// The kinds of files it is asked about.
    pub languages: Vec<FileKind>,
    /// Its program and arguments, as they were written.
    pub command: Vec<String>,
    /// Where its program is; absent if it was not found.
    pub program: Option<String>,
    /// How it stands.
    pub state: LanguageServerState,
    /// What went wrong, with its last words.
    pub said: Option<String>,
    /// What to do about it.
    pub todo: Option<String>,
}

/// How a language server stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LanguageServerState {
    /// Nobody has a file open that it knows.
    Resting,
    /// Its program is not there.
    Missing,
    /// It was started and has not answered yet, or is started again after it died.
    Starting,
    /// It says what it finds.
    Ready,
    /// It died too often; it is tried again when a file is opened.
    Failed,
}
