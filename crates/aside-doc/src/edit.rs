//! Anchored edits: the right place or an error, never a third thing.
//!
//! An edit says which lines it saw, and what they become. [`plan`] finds these lines in the text as it
//! is now, by the first of the [`Level`]s that has exactly one answer, and returns what would change.

use aside_core::{Confidence, LineRange, Version};
use serde::{Deserialize, Serialize};

use crate::{Lines, Splice, apply_splices};

mod already;
mod between;
mod build;
mod elision;
mod guard;
mod indent;
mod invert;
mod line_map;
mod nearest;
mod place;
mod punctuation;
mod report;
mod request;
mod search;

pub use between::edits_between;
pub use guard::{guards, text_guards};
pub use invert::invert;
pub use line_map::lines_now;
pub use report::{Applied, Candidate, Failed, Reason, Report};

use place::{Place, Seen};
use request::Request;

/// One change of a text, tied to what its author saw. Lines are counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnchoredEdit {
    /// First line that goes, in the version the author saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
    /// Last line that goes, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// The lines that go, as the author saw them. Absent: those that the version has at `start` to `end`
    /// (none, if `end` is the line before `start`). Empty: nothing goes, the new lines come before line
    /// `start` (one past the last to append), unless they are there already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The lines that come. Empty: none, the old ones are deleted. A newline alone: one blank line.
    pub new: String,
}

/// A version the author of an edit saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseText<'text> {
    /// Its version.
    pub version: Version,
    /// Its text.
    pub text: &'text str,
}

/// How the place of an edit was found, from sure to loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Level {
    /// The named lines of the current version hold the old text.
    #[serde(rename = "a")]
    Named,
    /// The named lines of the version that was seen hold it, and are unchanged since.
    #[serde(rename = "b")]
    Carried,
    /// It is there exactly once, or once near the named lines.
    #[serde(rename = "c")]
    Found,
    /// Equal but for blanks at the ends of lines.
    #[serde(rename = "d")]
    TrailingBlanks,
    /// Equal but for a uniform shift of the indent.
    #[serde(rename = "e")]
    Indent,
    /// Equal but for typographic dashes, quotes and spaces.
    #[serde(rename = "f")]
    Punctuation,
    /// Its pieces between `...` are there, each once and in order.
    #[serde(rename = "g")]
    Elision,
    /// Similar. Never applied: only named as a candidate.
    #[serde(rename = "h")]
    Similar,
}

impl Level {
    /// How sure a place found on this level is.
    pub fn confidence(self) -> Confidence {
        match self {
            Self::Named => Confidence::Exact,
            Self::Carried | Self::Found => Confidence::Moved,
            _ => Confidence::Loose,
        }
    }
}

/// What edits would do to a text. Nothing is changed by making it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The lines that change, in order; the smallest parts that can be decided on their own.
    pub hunks: Vec<PlannedHunk>,
    /// The same for the text, in order and as small as can be.
    pub splices: Vec<Splice>,
    /// Set if the end of the text would gain (true) or lose (false) its newline, which no hunk shows.
    pub final_newline: Option<bool>,
    /// What became of each edit.
    pub report: Report,
}

/// Some lines that become other lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedHunk {
    /// The edit it comes from, from 0.
    pub edit: usize,
    /// Which lines go; the empty place before a line if none does.
    pub range_before: LineRange,
    /// Where the new ones are afterwards.
    pub range_after: LineRange,
    /// The lines that go, without terminators.
    pub old: Vec<String>,
    /// The lines that come.
    pub new: Vec<String>,
    /// How the place was found.
    pub level: Level,
    /// How sure that makes it.
    pub confidence: Confidence,
    /// The bytes of the lines that go, without the last one's terminator: what to anchor.
    pub bytes: std::ops::Range<usize>,
}

impl PlannedHunk {
    /// The hunk as an edit of its own, against the text it was planned for.
    pub fn as_edit(&self) -> AnchoredEdit {
        let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        AnchoredEdit {
            start: Some(self.range_before.start),
            end: Some(self.range_before.end),
            // Without `old` the version's own lines count, here none: the insertion is meant literally.
            old: (!self.old.is_empty()).then(|| text(&self.old)),
            new: text(&self.new),
        }
    }
}

impl Plan {
    /// The text it was made for, changed.
    pub fn text_after(&self, current: &str) -> String {
        apply_splices(current, &self.splices)
    }

    /// Tells whether everything it asks for is there already.
    pub fn changes_nothing(&self) -> bool {
        self.splices.is_empty()
    }

    /// The hunks as a preview shows them, without anchors.
    pub fn preview(&self, current: &str) -> Vec<aside_core::Hunk> {
        let lines = Lines::new(current);
        let shown = |(part, hunk): (usize, &PlannedHunk)| {
            let start = hunk.range_before.start as usize - 1;
            crate::diff::shown_hunk(part, &lines, start..start + hunk.old.len(), hunk.new.clone(), hunk.confidence)
        };
        self.hunks.iter().enumerate().map(shown).collect()
    }
}

/// Finds the place of every edit in the current text. One that has none fails them all.
///
/// Without a base, line numbers are taken to be those of the current text, but never as certain.
pub fn plan(
    current: &str,
    current_version: &Version,
    base: Option<&BaseText>,
    edits: &[AnchoredEdit],
) -> Result<Plan, Report> {
    let lines = Lines::new(current);
    let seen = Seen::new(&lines, current_version, base);
    let find = |edit| Request::new(edit, base.is_some()).and_then(|request| place::find(&request, &lines, &seen));
    let (mut places, mut failed): (Vec<(usize, Place)>, Vec<Failed>) = (Vec::new(), Vec::new());
    for (index, edit) in edits.iter().enumerate() {
        match find(edit) {
            Ok(place) => places.push((index, place)),
            Err(failure) => failed.push(Failed { index, ..failure }),
        }
    }
    failed.extend(build::overlaps(&places));
    build::plan(&lines, current_version, places, failed)
}
