//! What is wrong in a document, as a gutter, a list and a prompt need it, whoever found it.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{Version, WorkspacePath};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Problem {
    /// The file. None where nobody knows.
    pub path: Option<WorkspacePath>,
    /// The line, from 1, where it stands by now.
    pub line: Option<u32>,
    /// The last line, where a range is known.
    pub end_line: Option<u32>,
    /// The column, from 1, in characters.
    pub column: Option<u32>,
    /// The column after its last character, where a range is known.
    pub end_column: Option<u32>,
    /// How grave it is.
    pub severity: ProblemSeverity,
    /// What it means, in plain words.
    pub message: String,
    /// Who found it.
    pub source: ProblemSource,
    /// What the program that found it calls itself.
    pub program: Option<String>,
    /// The program's own words, bounded.
    pub detail: Option<String>,
    /// The version of the file's text in which it was found, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<Version>,
    /// Its line in that version, where it stands in another one by now. With the version it tells a problem from others,
    /// wherever its line goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found_line: Option<u32>,
}

/// How grave a problem is, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProblemSeverity {
    /// Something is broken.
    Error,
    /// The result is not what was meant.
    Warning,
    /// Good to know.
    Info,
    /// A box of TeX that is too full or too empty: a matter of looks.
    Badbox,
}

/// Who found a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProblemSource {
    /// A build of a LaTeX document.
    Latex,
    /// A kernel that ran a cell.
    Kernel,
    /// A command.
    Shell,
    /// A language server, while the text was written.
    LanguageServer,
    /// A check of a script, while the text was written.
    Script,
}
