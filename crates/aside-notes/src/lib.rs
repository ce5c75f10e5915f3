//! Markdown notes: front matter, titles, tags, links and todos with their byte ranges, and how links find their notes.
//!
//! Pure: no disk, no clock. Ranges are bytes of the parsed text. The workspace reads the files and keeps a vault current.

mod day;
mod front_matter;
mod link;
mod note;
mod todo;

pub use day::{date_at_start, day_of_name, day_of_words, todo_date_at_start};
pub use front_matter::*;
pub use link::*;
pub use note::*;
pub use todo::*;
