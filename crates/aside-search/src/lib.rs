//! Search by words and by meaning. The index is a file of its own, which can be thrown away and made again.
//!
//! Words: SQLite's FTS5 over folded terms ([`text`]), so that accents, width, Chinese, Japanese and Korean, identifiers and their parts are found;
//! terms that are nowhere are taken for mistyped ones. This crate reads no files: [`Document`]s are given to it.

mod chunk;
mod document;
mod error;
mod excerpt;
mod filters;
mod index;
mod lexical;
mod near;
mod query;
mod schema;
pub mod text;
mod vectors;

pub use chunk::{cells, markdown, plain};
pub use document::{Chunk, Document};
pub use error::SearchError;
pub use excerpt::Excerpt;
pub use index::{Hit, Index, Why};
pub use query::{Condition, Filter, Query, QueryError};
pub use vectors::{Small, Vectors};
