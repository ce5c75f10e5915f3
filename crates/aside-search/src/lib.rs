//! Search by words and by meaning. The index is a file of its own, which can be thrown away and made again.
//!
//! Words: an inverted index over folded terms ([`text`]), so that accents, width, Chinese, Japanese and Korean, identifiers and their parts are found;
//! terms that are nowhere are taken for mistyped ones. Meaning: vectors of the pieces, by whichever model the caller asks ([`Index::wanted`],
//! [`Index::learn`]), looked through in memory. This crate reads no files and calls no model: [`Document`]s and vectors are given to it.

mod best;
mod changes;
mod chunk;
mod document;
mod dot;
mod error;
mod excerpt;
mod filters;
mod fusion;
mod hits;
mod index;
mod lexical;
mod meaning;
mod near;
mod postings;
mod query;
mod related;
mod schema;
mod spelling;
pub mod text;
mod unlearned;
mod vectors;

pub use chunk::{cells, markdown, plain};
pub use document::{Chunk, Document};
pub use error::SearchError;
pub use excerpt::Excerpt;
pub use hits::{Hit, Why};
pub use index::{Index, MayFind};
pub use meaning::VectorProgress;
pub use query::{Condition, Filter, Query, QueryError};
pub use unlearned::{TextHash, Unlearned};
pub use vectors::Small;
