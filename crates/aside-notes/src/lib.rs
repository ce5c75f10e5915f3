//! Markdown notes: front matter, titles, tags, links and todos with their byte ranges, and how links find their notes.
//!
//! Pure: no disk, no clock. Ranges are bytes of the parsed text. The workspace reads the files and keeps a vault current.

mod change;
mod day;
mod facts;
mod front_matter;
mod link;
mod note;
mod parse;
mod ranges;
mod scan;
mod tag;
mod todo;
mod todo_filter;
mod vault;

pub use change::*;
pub use day::{date_at_start, day_of_name, day_of_words, todo_date_at_start};
pub use facts::*;
pub use front_matter::{FrontMatter, FrontMatterEntry as Entry, FrontMatterKind, Scalar, Value};
pub use link::*;
pub use note::*;
pub use parse::{is_note, parse, parse_text, stem};
pub use tag::{folded, is_tag_within, nfc};
pub use todo::*;
pub use todo_filter::{TodoFilter, tags_of};
pub use vault::*;
