//! Words of a text as the index has them: folded, with pairs of characters where a script puts no spaces between words.

mod fold;
mod stem;
mod words;

pub use fold::fold;
pub(crate) use stem::stem;
pub(crate) use words::is_unspaced;
pub use words::{Word, terms, words};
