//! A LaTeX document and its builds, as they are shown.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{ActionId, Timestamp, WorkspacePath};

/// The last build of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LatexBuild {
    /// The main file.
    pub main: WorkspacePath,
    /// The action that built it.
    pub action: ActionId,
    /// How it ended.
    pub end: LatexEnd,
    /// When it ended.
    pub at: Timestamp,
    /// Milliseconds that its programs took.
    #[ts(type = "number")]
    pub duration_ms: u64,
    /// Problems that broke it.
    pub errors: u32,
    /// Problems that did not.
    pub warnings: u32,
    /// The PDF of the last build that succeeded.
    pub pdf: Option<WorkspacePath>,
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LatexEnd {
    /// With a PDF.
    Done,
    /// With errors, or because it took or wrote too much.
    Failed,
    /// Somebody stopped it.
    Stopped,
}

/// A program that a document needs and that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LatexMissing {
    /// The program.
    pub program: String,
    /// Without it nothing can be built; else something in the document stays as it was.
    pub required: bool,
    /// How to install it on Debian and its kin.
    pub debian: String,
    /// How to install it on macOS.
    pub macos: String,
    /// How to install it on Windows.
    pub windows: String,
}

/// A rectangle on a page of a PDF, in points (1/72 inch) from the page's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PageArea {
    /// The page, from 1.
    pub page: u32,
    /// The left side.
    pub x: f64,
    /// The upper side.
    pub y: f64,
    /// To the right.
    pub width: f64,
    /// Downward.
    pub height: f64,
}
