//! The inverted index: for each stem the pieces that have it, how much it weighs in each, and where it stands.
//!
//! ```text
//! put    -> recent segment, in memory; made again at a start from the pieces that no stored segment has
//! full   -> stored segment: rows of stem, pieces, places; never changed after that
//! many   -> neighbours of one size become one segment, without the pieces that are gone
//! search -> all segments, each with its own row numbers, which are small and dense
//! ```
//!
//! Pieces have rising numbers which are never used again, so that segments follow each other.

mod code;
mod growing;
mod merge;
mod piece_terms;
mod places;
mod rows;
mod scores;
mod segment;
mod segments;

pub use piece_terms::PieceTerms;
pub use places::holding;
pub use scores::SearchedWord;
pub use segments::Segments;
