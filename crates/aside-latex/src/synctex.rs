//! Where a line of the source is in the PDF, and the other way: the file TeX writes with `-synctex=1`, unpacked by the caller.
//!
//! Only horizontal boxes give places: the reference points of vertical ones differ between engines. Engines write no columns.

mod look_up;
mod read;

use serde::{Deserialize, Serialize};

pub use read::parse_synctex;

/// A document's source and its pages.
#[derive(Clone, Debug)]
pub struct SyncTex {
    /// Files by the number TeX gave them, as it named them.
    inputs: Vec<(u32, String)>,
    boxes: Vec<Horizontal>,
    points: Vec<Point>,
    /// Big points for each unit of the file.
    scale: f64,
    offset: (f64, f64),
    /// Whether the file ends as it should; a run that was stopped leaves it short.
    pub complete: bool,
}

/// A horizontal box; lengths in the file's units, `y` down to the baseline.
#[derive(Clone, Debug)]
struct Horizontal {
    page: u32,
    tag: u32,
    line: u32,
    x: i64,
    y: i64,
    width: i64,
    height: i64,
    depth: i64,
    /// It is around columns or the like, and has no text of its own.
    frame: bool,
    /// The box around it that is a line: nearest to a vertical one. Itself, if it is one.
    outer: usize,
}

/// A place in a box where a source line was read.
#[derive(Clone, Copy, Debug)]
struct Point {
    tag: u32,
    line: u32,
    x: i64,
    within: usize,
    /// Its line says little: it is that of its box, which is where the paragraph ended, though others in it are earlier or it is a
    /// frame; or it is a later one.
    weak: bool,
}

/// A rectangle on a page, in big points (1/72 inch) from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
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

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file, as TeX named it, mostly absolute.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Why a SyncTeX file can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyncTexError {
    /// It does not begin as one.
    #[error("not a SyncTeX file: it does not begin with `SyncTeX Version:`")]
    NotSyncTex,
    /// Its version is another.
    #[error("SyncTeX version {0} is not supported, only version 1")]
    Version(String),
    /// A line can't be read.
    #[error("line {0} of the SyncTeX file can't be read: {1}")]
    Malformed(usize, &'static str),
}

#[cfg(test)]
mod tests;
