//! The front matter of a note: its entries, with the bytes of each.

mod logseq;
mod read;
mod yaml;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub(crate) use read::front_matter;

/// The notation of a front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrontMatterKind {
    /// YAML between `---` and `---` or `...`.
    Yaml,
    /// `key:: value` lines at the top of a note of a Logseq graph.
    Logseq,
}

/// The front matter of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontMatter {
    /// Its notation.
    pub kind: FrontMatterKind,
    /// From the first `-` (after a BOM) to the end of the closing line, its line end included. For Logseq: all its lines.
    pub range: Range<usize>,
    /// The lines between the two fences; empty where there are none. For Logseq: the same as `range`.
    pub content: Range<usize>,
    /// The top-level entries, in order; a key may be there twice, and the last one counts. Empty if it is broken.
    pub entries: Vec<FrontMatterEntry>,
    /// It is no YAML: nothing of it is read, and a tag can't be added to it.
    pub broken: bool,
}

impl FrontMatter {
    /// Returns the entry of a key that counts: the last one.
    pub fn entry(&self, key: &str) -> Option<&FrontMatterEntry> {
        self.entries.iter().rev().find(|entry| entry.key == key)
    }
}

/// One `key: value` of a front matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrontMatterEntry {
    /// The key, unquoted.
    pub key: String,
    /// Its line, from 1.
    pub line: u32,
    /// The bytes of the key as it is written, quotes included.
    pub key_range: Range<usize>,
    /// The bytes of the value: quotes, brackets, all lines of a block list from its first `-` to the end of its last item.
    /// Empty, behind the colon, where there is no value.
    pub value_range: Range<usize>,
    /// The value.
    pub value: Value,
}

/// The value of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// None, `null` or `~`.
    Null,
    /// A text or a number, unquoted.
    Text(Scalar),
    /// `[a, b]`.
    Flow(Vec<Scalar>),
    /// A line `- a` for each item.
    Block(Vec<Scalar>),
    /// A map, or a list with something other than texts in it.
    Other,
}

/// A text or a number in a front matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scalar {
    /// The text, unquoted. A number as it is spelled.
    pub text: String,
    /// The bytes of it as it is written, quotes included.
    pub range: Range<usize>,
    /// It is written without quotes, so that `null` means nothing.
    pub plain: bool,
}
