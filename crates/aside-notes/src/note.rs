//! A parsed note.

use std::ops::Range;

use aside_core::WorkspacePath;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{FrontMatter, Link, Todo};

/// The program whose rules hold in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Flavour {
    /// Markdown as Obsidian, Amplenote and Jupyter Book write it.
    #[default]
    Markdown,
    /// Inside a folder with `logseq/config.edn`.
    Logseq,
}

/// A parsed note. All ranges are bytes of the parsed text, a BOM included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The file.
    pub path: WorkspacePath,
    /// The rules by which it was read.
    pub flavour: Flavour,
    /// From the front matter, else the first level-1 heading, else the name of the file.
    pub title: String,
    /// The bytes of the title where it stands; none if it is the name of the file.
    pub title_range: Option<Range<usize>>,
    /// Other names, from the front matter.
    pub aliases: Vec<String>,
    /// Every place of a tag: of the front matter first, then of the text.
    pub tags: Vec<TagPlace>,
    /// The front matter, if there is one.
    pub front_matter: Option<FrontMatter>,
    /// The first byte behind the front matter; behind the BOM if there is none.
    pub body: usize,
    /// The headings, in order.
    pub headings: Vec<Heading>,
    /// The ids of blocks (`^id`), in order.
    pub blocks: Vec<NoteBlock>,
    /// The links, in order of their first byte.
    pub links: Vec<Link>,
    /// The todos, in order.
    pub todos: Vec<Todo>,
    /// Problems, in order of their lines.
    pub problems: Vec<NoteProblem>,
    /// The day that the note is for, from its name or its title.
    #[serde(with = "crate::day::option")]
    pub daily: Option<Date>,
    /// `date` or `created` of the front matter, else `daily`.
    #[serde(with = "crate::day::option")]
    pub date: Option<Date>,
    /// The file is no UTF-8: the note has no content, and is never written.
    pub not_utf8: bool,
    /// Bytes of the parsed text.
    pub length: usize,
}

impl Note {
    /// Returns the tags once each, as first spelled.
    pub fn tag_names(&self) -> Vec<&str> {
        let mut seen = std::collections::HashSet::new();
        self.tags.iter().filter(|tag| seen.insert(&*tag.key)).map(|tag| &*tag.name).collect()
    }
}

/// One place of a tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagPlace {
    /// The tag as it is spelled here, without `#`.
    pub name: String,
    /// The name without case, in NFC: two tags with one key are the same.
    pub key: String,
    /// The line, from 1.
    pub line: u32,
    /// The bytes of the name. In the text, the `#` is right before them (`#[[` in a Logseq graph).
    pub range: Range<usize>,
    /// It stands in the front matter.
    pub in_front_matter: bool,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its words, without emphasis, code ticks, link syntax, closing `#`s and `{#id}`.
    pub text: String,
    /// The words as an anchor of a Markdown link: lower case, dashes for spaces.
    pub slug: String,
    /// From 1 to 6.
    pub level: u8,
    /// The line of its words, from 1.
    pub line: u32,
    /// The bytes of its line or lines (an underlined heading has two or more), without the last line end.
    pub range: Range<usize>,
    /// The bytes of its words as they are written, between the `#`s.
    pub words: Range<usize>,
}

/// The id of a block: ` ^id` at the end of a line, or alone on one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteBlock {
    /// Without the `^`.
    pub id: String,
    /// The line on which it stands, from 1.
    pub line: u32,
    /// The bytes of `^id`.
    pub range: Range<usize>,
}

/// A lapse in a note that its reader should know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteProblem {
    /// The line, from 1.
    pub line: u32,
    /// The kind.
    pub kind: NoteProblemKind,
    /// The parser's words, where it has some.
    pub detail: String,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoteProblemKind {
    /// The file is no UTF-8.
    NotUtf8,
    /// The front matter is no YAML.
    BrokenFrontMatter,
    /// A key is twice in the front matter; the last one counts.
    DuplicateKey,
}

impl NoteProblemKind {
    /// Returns the words of a message.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not UTF-8",
            Self::BrokenFrontMatter => "broken front matter",
            Self::DuplicateKey => "duplicate key",
        }
    }
}
