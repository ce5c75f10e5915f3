//! Several stored segments become one.

use std::{iter::Peekable, ops::Range};

use aside_store::sql::{Connection, Error, Row, Statement, Transaction, params};

use super::{growing::Growing, rows::write, segment::Pieces, segments::Stored};
use crate::SearchError;

/// Segments that are merged at least.
const SEVERAL: usize = 4;

/// Returns the segments to merge next, of all with their pieces and those of them that are not gone: the newest ones, if the oldest among these is
/// small beside the others, so that each piece is written a few times only; else one that is mostly gone.
pub fn next_merge(sizes: &[(usize, usize)]) -> Option<Range<usize>> {
    let newest = (0..sizes.len().saturating_sub(SEVERAL - 1)).find(|start| {
        let newer: usize = sizes[start + 1..].iter().map(|(_, live)| live).sum();
        sizes[*start].1 * 2 <= newer
    });
    let wasteful = || sizes.iter().position(|(all, live)| live * 2 < *all).map(|at| at..at + 1);
    newest.map(|start| start..sizes.len()).or_else(wasteful)
}

/// Writes neighbouring segments as one without the pieces that are gone, and deletes them; none is left if all pieces are gone.
pub fn merged(tables: &mut Connection, segments: &[Stored]) -> Result<Option<Stored>, SearchError> {
    let mut pieces = Pieces::default();
    let rows: Vec<_> = segments.iter().map(|segment| pieces.add_live(&segment.pieces)).collect();
    let change = tables.transaction()?;
    change.execute("INSERT INTO segment (pieces) VALUES (?)", params![pieces.to_bytes()])?;
    let id = change.last_insert_rowid();
    write_merged(&change, id, segments, &rows)?;
    for segment in segments {
        let ids = &segment.pieces.ids;
        change.execute("DELETE FROM posting WHERE segment = ?", [segment.id])?;
        change.execute("DELETE FROM segment WHERE id = ?", [segment.id])?;
        change.execute("DELETE FROM gone WHERE piece BETWEEN ? AND ?", params![ids.first(), ids.last()])?;
    }
    if pieces.ids.is_empty() {
        change.execute("DELETE FROM segment WHERE id = ?", [id])?;
    }
    change.commit()?;
    Ok((!pieces.ids.is_empty()).then_some(Stored { id, pieces }))
}

/// Goes through the stems of all segments in their order.
fn write_merged(
    change: &Transaction<'_>,
    id: i64,
    segments: &[Stored],
    rows: &[Vec<Option<u32>>],
) -> Result<(), SearchError> {
    let select = "SELECT stem, pieces, places FROM posting WHERE segment = ? ORDER BY stem";
    let mut statements: Vec<Statement<'_>> =
        segments.iter().map(|_| change.prepare(select)).collect::<Result<_, _>>()?;
    let mut cursors: Vec<Cursor<'_>> = Vec::new();
    for (statement, segment) in statements.iter_mut().zip(segments) {
        let rows = statement.query_map([segment.id], stem_row)?;
        cursors.push((Box::new(rows) as Box<dyn Iterator<Item = _>>).peekable());
    }
    while let Some(stem) = next_stem(&mut cursors)? {
        let mut postings = Growing::default();
        for (cursor, rows) in cursors.iter_mut().zip(rows) {
            if let Some(Ok((_, pieces, places))) =
                cursor.next_if(|row| row.as_ref().is_ok_and(|(other, ..)| *other == stem))
            {
                postings.add_all(&pieces, &places, rows);
            }
        }
        if postings.count > 0 {
            write(change, id, &stem, &postings)?;
        }
    }
    Ok(())
}

type StemRow = (String, Vec<u8>, Vec<u8>);

fn stem_row(row: &Row<'_>) -> Result<StemRow, Error> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

/// The rows of a segment.
type Cursor<'a> = Peekable<Box<dyn Iterator<Item = Result<StemRow, Error>> + 'a>>;

fn next_stem(cursors: &mut [Cursor<'_>]) -> Result<Option<String>, SearchError> {
    let mut first: Option<String> = None;
    for cursor in cursors {
        if let Some(Err(error)) = cursor.next_if(Result::is_err) {
            return Err(error.into());
        }
        if let Some(Ok((stem, ..))) = cursor.peek()
            && first.as_ref().is_none_or(|first| stem < first)
        {
            first = Some(stem.clone());
        }
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_keep_segments_few() {
        let mut sizes: Vec<(usize, usize)> = Vec::new();
        let (mut most, mut written) = (0, 0);
        for _ in 0..1_000 {
            sizes.push((1_000, 1_000));
            while let Some(range) = next_merge(&sizes) {
                let live = sizes[range.clone()].iter().map(|(_, live)| live).sum();
                written += live;
                sizes.splice(range, [(live, live)]);
            }
            most = most.max(sizes.len());
        }
        assert!(most <= 16 && written <= 8 * 1_000_000, "{most} segments, {written} written");
    }

    #[test]
    fn mostly_gone_segments_are_written_again() {
        assert_eq!(next_merge(&[(9_000, 9_000), (4_000, 1_000)]), Some(1..2));
        assert_eq!(next_merge(&[(9_000, 9_000), (4_000, 2_000)]), None);
    }
}
