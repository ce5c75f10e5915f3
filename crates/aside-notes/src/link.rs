//! Links as they are written in a note.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// How a link is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LinkKind {
    /// `[[note]]`.
    Wiki,
    /// `![[note]]`.
    Embed,
    /// `[words](note.md)`.
    Markdown,
    /// `![words](picture.png)`.
    Image,
    /// `[label]: note.md`.
    Reference,
}

impl LinkKind {
    /// Returns the word of wire and tests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wiki => "wiki",
            Self::Embed => "embed",
            Self::Markdown => "markdown",
            Self::Image => "image",
            Self::Reference => "reference",
        }
    }

    /// Tells whether it is `[[…]]`, which finds notes by their names.
    pub const fn is_wiki(self) -> bool {
        matches!(self, Self::Wiki | Self::Embed)
    }
}

impl Link {
    /// Returns the link that a target with its anchor would be, outside any text: the part between `[[` and `]]` or between
    /// `](` and `)`; none if it leads out of the files.
    pub fn of_target(target: &str, is_markdown: bool) -> Option<Self> {
        crate::scan::link_of_target(target, is_markdown)
    }
}

/// A link as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// How it is written.
    pub kind: LinkKind,
    /// Its line, from 1.
    pub line: u32,
    /// The bytes of the whole link, its `!` included; of a reference, the definition without its title.
    pub range: Range<usize>,
    /// The bytes of its target as written, without anchor, alias, `<…>` and the white space around it; empty in `[[#Heading]]`.
    pub target_range: Range<usize>,
    /// The target: of a Markdown link percent-decoded, of a wiki link as it stands.
    pub target: String,
    /// The part behind `#`: `Heading`, `A#B` or `^block`; of a Markdown link percent-decoded.
    pub anchor: Option<String>,
    /// The bytes of the anchor as written, without its first `#`.
    pub anchor_range: Option<Range<usize>>,
    /// The part behind `|` of a wiki link.
    pub alias: Option<String>,
    /// The target of a Markdown link is written as `<…>`.
    pub angle: bool,
}
