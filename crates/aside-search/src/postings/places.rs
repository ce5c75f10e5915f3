//! Phrases: stems that stand one behind the other.

use std::collections::HashSet;

use aside_store::sql::Connection;

use super::{
    Segments,
    growing::{Growing, Weights, next_places, read_places},
    rows::PostingSource,
};
use crate::SearchError;

/// Returns the documents in which some stems stand one behind the other.
pub fn holding(segments: &Segments, tables: &Connection, stems: &[String]) -> Result<HashSet<i64>, SearchError> {
    let mut documents = HashSet::new();
    for (source, pieces) in segments.parts() {
        for row in rows_with(source, tables, stems)? {
            let row = row as usize;
            if pieces.live.get(row) == Some(&true) {
                documents.insert(pieces.documents[row]);
            }
        }
    }
    Ok(documents)
}

/// Returns the rows of a segment in which some stems stand one behind the other.
pub fn rows_with(source: PostingSource<'_>, tables: &Connection, stems: &[String]) -> Result<Vec<u32>, SearchError> {
    if let [stem] = stems {
        let mut rows = Vec::new();
        source.weights(tables, stem, |(row, _)| rows.push(row))?;
        return Ok(rows);
    }
    let mut postings = Vec::new();
    for stem in stems {
        match source.whole(tables, stem)? {
            Some(some) => postings.push(some),
            None => return Ok(Vec::new()),
        }
    }
    Ok(in_a_row(&postings))
}

/// The rows that all have, in which they stand one behind the other.
fn in_a_row(postings: &[Growing]) -> Vec<u32> {
    let Some(rarest) = (0..postings.len()).min_by_key(|at| postings[*at].count) else { return Vec::new() };
    let mut cursors: Vec<_> = postings.iter().map(Cursor::of).collect();
    let (mut rows, mut starts, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let mut row = 0;
    while let Some(found) = cursors[rarest].advance(row) {
        row = found;
        for cursor in &mut cursors {
            match cursor.advance(row) {
                Some(other) => row = row.max(other),
                None => return rows,
            }
        }
        if cursors.iter().all(|cursor| cursor.row == row) {
            read_places(cursors[0].places, &mut starts);
            for (behind, cursor) in (1..).zip(&cursors[1..]) {
                read_places(cursor.places, &mut next);
                starts.retain(|start| next.binary_search(&start.saturating_add(behind)).is_ok());
            }
            rows.extend((!starts.is_empty()).then_some(row));
            let Some(after) = row.checked_add(1) else { return rows };
            row = after;
        }
    }
    rows
}

/// Goes through the pieces of a stem.
struct Cursor<'a> {
    weights: Weights<'a>,
    rest: &'a [u8],
    row: u32,
    places: &'a [u8],
    is_started: bool,
}

impl<'a> Cursor<'a> {
    fn of(postings: &'a Growing) -> Self {
        Self { weights: Weights::of(&postings.pieces), rest: &postings.places, row: 0, places: &[], is_started: false }
    }

    /// Goes to the first piece with this row or a later one.
    fn advance(&mut self, row: u32) -> Option<u32> {
        while !self.is_started || self.row < row {
            self.is_started = true;
            (self.row, _) = self.weights.next()?;
            self.places = next_places(&mut self.rest)?;
        }
        Some(self.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postings::growing::place_bytes;

    fn postings(pieces: &[(u32, &[u32])]) -> Growing {
        let mut postings = Growing::default();
        pieces.iter().for_each(|(row, places)| postings.add(*row, 1, &place_bytes(places)));
        postings
    }

    #[test]
    fn stems_in_a_row_are_found() {
        let sea = postings(&[(0, &[0, 9]), (1, &[3]), (2, &[1]), (7, &[5])]);
        let level = postings(&[(0, &[4, 10]), (2, &[0]), (7, &[6]), (9, &[1])]);
        let rise = postings(&[(7, &[7])]);
        assert_eq!(in_a_row(&[sea.clone(), level.clone()]), [0, 7]);
        assert_eq!(in_a_row(&[sea.clone(), level, rise]), [7]);
        assert_eq!(in_a_row(&[sea.clone(), sea]), [0; 0]);
    }

    proptest::proptest! {
        #[test]
        fn torn_places_end(pieces: Vec<u8>, places: Vec<u8>) {
            let torn = Growing { pieces, places, ..Growing::default() };
            in_a_row(&[torn.clone(), torn]);
        }
    }
}
