//! Postings as rows of the index file, and those in memory, read in one way.

use std::collections::HashMap;

use aside_store::sql::{Connection, Error, OptionalExtension as _, Transaction, params};

use super::growing::{Growing, Weights};
use crate::SearchError;

/// The place of a segment's postings.
#[derive(Clone, Copy, Debug)]
pub enum PostingSource<'a> {
    /// Rows with this number.
    Stored(i64),
    /// Memory.
    Recent(&'a HashMap<String, Growing>),
}

impl PostingSource<'_> {
    /// Returns how many pieces have a stem, with those that are gone.
    pub fn count(self, tables: &Connection, stem: &str) -> Result<u64, SearchError> {
        let segment = match self {
            Self::Stored(segment) => segment,
            Self::Recent(stems) => return Ok(stems.get(stem).map_or(0, |postings| postings.count.into())),
        };
        let mut read = tables.prepare_cached("SELECT count FROM posting WHERE segment = ? AND stem = ?")?;
        let count: Option<u32> = read.query_row(params![segment, stem], |row| row.get(0)).optional()?;
        Ok(count.map_or(0, u64::from))
    }

    /// Gives the row and the weight of each piece that has a stem.
    pub fn weights(self, tables: &Connection, stem: &str, each: impl FnMut((u32, u8))) -> Result<(), SearchError> {
        let segment = match self {
            Self::Stored(segment) => segment,
            Self::Recent(stems) => {
                stems.get(stem).into_iter().flat_map(|postings| Weights::of(&postings.pieces)).for_each(each);
                return Ok(());
            }
        };
        let mut read = tables.prepare_cached("SELECT pieces FROM posting WHERE segment = ? AND stem = ?")?;
        let mut rows = read.query(params![segment, stem])?;
        if let Some(row) = rows.next()? {
            let pieces = row.get_ref(0)?.as_blob().map_err(Error::from)?;
            Weights::of(pieces).for_each(each);
        }
        Ok(())
    }

    /// Returns the postings of a stem with their places.
    pub fn whole(self, tables: &Connection, stem: &str) -> Result<Option<Growing>, SearchError> {
        let segment = match self {
            Self::Stored(segment) => segment,
            Self::Recent(stems) => return Ok(stems.get(stem).cloned()),
        };
        let mut read =
            tables.prepare_cached("SELECT count, pieces, places FROM posting WHERE segment = ? AND stem = ?")?;
        let postings = |row: &aside_store::sql::Row<'_>| {
            Ok(Growing { count: row.get(0)?, pieces: row.get(1)?, places: row.get(2)?, ..Growing::default() })
        };
        Ok(read.query_row(params![segment, stem], postings).optional()?)
    }
}

/// Writes the postings of a stem.
pub fn write(change: &Transaction<'_>, segment: i64, stem: &str, postings: &Growing) -> Result<(), SearchError> {
    change
        .prepare_cached("INSERT INTO posting (segment, stem, count, pieces, places) VALUES (?, ?, ?, ?, ?)")?
        .execute(params![segment, stem, postings.count, postings.pieces, postings.places])?;
    Ok(())
}
