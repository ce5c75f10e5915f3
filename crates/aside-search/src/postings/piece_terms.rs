//! The words of one piece.

use std::collections::{HashMap, HashSet};

use super::growing::place_bytes;
use crate::text::{stem, terms};

/// Weights of the names of the document, the headings, the tags, the path and the text.
pub const FIELDS: [u8; 5] = [3, 3, 3, 1, 1];

/// The words of a piece, from its fields.
#[derive(Debug, Default)]
pub struct PieceTerms {
    /// How many words there are.
    pub length: u16,
    /// Each stem with its weight and its places.
    pub stems: HashMap<String, (u8, Vec<u8>)>,
    /// The words as they are written, folded.
    pub spelled: HashSet<String>,
}

impl PieceTerms {
    /// Reads the fields, which stand in the order of [`FIELDS`].
    pub fn of(fields: &[&str; FIELDS.len()]) -> Self {
        let mut found: HashMap<String, (u8, Vec<u32>)> = HashMap::new();
        let (mut spelled, mut place, mut length) = (HashSet::new(), 0, 0_u16);
        for (field, weight) in fields.iter().zip(FIELDS) {
            for term in terms(field) {
                let (sum, places) = found.entry(stem(&term)).or_default();
                *sum = sum.saturating_add(weight);
                places.push(place);
                place += 1;
                length = length.saturating_add(1);
                spelled.insert(term);
            }
            // No phrase goes on in the next field.
            place += 1;
        }
        let stems = found.into_iter().map(|(stem, (sum, places))| (stem, (sum, place_bytes(&places)))).collect();
        Self { length, stems, spelled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_weigh_more_than_text() {
        let piece = PieceTerms::of(&["tides", "", "", "tide.md", "the tide"]);
        assert_eq!((piece.length, piece.stems["tide"].0, piece.stems["the"].0), (5, 5, 1));
        assert!(piece.spelled.contains("tides") && !piece.spelled.contains("rides"));
    }
}
