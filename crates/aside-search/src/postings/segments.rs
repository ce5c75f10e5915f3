//! All segments of an index.

use std::collections::HashMap;

use aside_store::sql::{Connection, params};

use super::{
    growing::Growing,
    merge::{merged, next_merge},
    piece_terms::PieceTerms,
    rows::{PostingSource, write},
    segment::Pieces,
};
use crate::SearchError;

/// Pieces that the recent segment takes before it is stored. A start reads their texts again, which has to be quick.
const FULL: usize = 1_000;

/// A segment in the index file.
#[derive(Debug)]
pub struct Stored {
    /// Its rows' number.
    pub id: i64,
    /// Its pieces.
    pub pieces: Pieces,
}

/// The segment in memory.
#[derive(Debug, Default)]
struct Recent {
    pieces: Pieces,
    stems: HashMap<String, Growing>,
}

/// The segments of an index, the oldest first.
#[derive(Debug)]
pub struct Segments {
    stored: Vec<Stored>,
    recent: Recent,
    /// Pieces that the recent segment takes.
    full: usize,
}

impl Segments {
    /// Reads the pieces of the stored segments. The later ones have to be put in again: see [`Self::stored_until`].
    pub fn open(tables: &Connection) -> Result<Self, SearchError> {
        let mut read = tables.prepare("SELECT id, pieces FROM segment")?;
        let rows = read.query_map((), |row| {
            let bytes: Vec<u8> = row.get(1)?;
            Ok(Stored { id: row.get(0)?, pieces: Pieces::of_bytes(&bytes) })
        })?;
        let mut stored = rows.collect::<Result<Vec<_>, _>>()?;
        stored.sort_by_key(|segment| segment.pieces.ids.first().copied());
        let mut segments = Self { stored, recent: Recent::default(), full: FULL };
        let mut read = tables.prepare("SELECT piece FROM gone")?;
        let gone: Vec<i64> = read.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
        segments.remove(&gone);
        Ok(segments)
    }

    /// Returns the last piece that is in a stored segment.
    pub fn stored_until(&self) -> i64 {
        self.stored.last().and_then(|segment| segment.pieces.ids.last().copied()).unwrap_or(0)
    }

    /// Puts a piece in, whose number is above all before.
    pub fn put(&mut self, id: i64, document: i64, terms: PieceTerms) {
        let row = u32::try_from(self.recent.pieces.ids.len()).unwrap_or(u32::MAX);
        self.recent.pieces.add(id, document, terms.length);
        for (stem, (weight, places)) in terms.stems {
            self.recent.stems.entry(stem).or_default().add(row, weight, &places);
        }
    }

    /// Takes pieces out.
    pub fn remove(&mut self, pieces: &[i64]) {
        for piece in pieces {
            let all = self.stored.iter_mut().map(|segment| &mut segment.pieces).chain([&mut self.recent.pieces]);
            for segment in all {
                if let Some(row) = segment.row(*piece) {
                    segment.live[row] = false;
                }
            }
        }
    }

    /// Returns the document of a piece that is not gone.
    pub fn document(&self, piece: i64) -> Option<i64> {
        self.parts().find_map(|(_, pieces)| {
            let row = pieces.row(piece).filter(|row| pieces.live[*row])?;
            Some(pieces.documents[row])
        })
    }

    /// All segments.
    pub(super) fn parts(&self) -> impl Iterator<Item = (PostingSource<'_>, &Pieces)> {
        let stored = self.stored.iter().map(|segment| (PostingSource::Stored(segment.id), &segment.pieces));
        stored.chain([(PostingSource::Recent(&self.recent.stems), &self.recent.pieces)])
    }

    /// Returns how many pieces are not gone, and how many words they have.
    pub(super) fn size(&self) -> (usize, u64) {
        self.parts().fold((0, 0), |(pieces, words), (_, part)| (pieces + part.live(), words + part.words()))
    }

    /// Stores the recent segment if it is full, and merges stored ones if there are many.
    pub fn tidy(&mut self, tables: &mut Connection) -> Result<(), SearchError> {
        if self.recent.pieces.ids.len() < self.full {
            return Ok(());
        }
        self.recent = self.recent.without_gone();
        // Somebody who types makes many pieces, of which few stay.
        if self.recent.pieces.ids.len() < self.full / 2 {
            return Ok(());
        }
        self.store(tables)?;
        while let Some(range) = next_merge(&self.sizes()) {
            let segment = merged(tables, &self.stored[range.clone()])?;
            self.stored.splice(range, segment);
        }
        Ok(())
    }

    fn store(&mut self, tables: &mut Connection) -> Result<(), SearchError> {
        let change = tables.transaction()?;
        change.execute("INSERT INTO segment (pieces) VALUES (?)", params![self.recent.pieces.to_bytes()])?;
        let id = change.last_insert_rowid();
        // In the order of the table, so that each of its pages is written once.
        let mut stems: Vec<_> = self.recent.stems.iter().collect();
        stems.sort_unstable_by_key(|(stem, _)| *stem);
        for (stem, postings) in stems {
            write(&change, id, stem, postings)?;
        }
        change.commit()?;
        let Recent { pieces, .. } = std::mem::take(&mut self.recent);
        self.stored.push(Stored { id, pieces });
        Ok(())
    }

    /// All and live pieces of each stored segment.
    fn sizes(&self) -> Vec<(usize, usize)> {
        self.stored.iter().map(|segment| (segment.pieces.ids.len(), segment.pieces.live())).collect()
    }
}

impl Recent {
    fn without_gone(&self) -> Self {
        let mut pieces = Pieces::default();
        let rows = pieces.add_live(&self.pieces);
        let mut stems = HashMap::new();
        for (stem, old) in &self.stems {
            let mut postings = Growing::default();
            postings.add_all(&old.pieces, &old.places, &rows);
            if postings.count > 0 {
                stems.insert(stem.clone(), postings);
            }
        }
        Self { pieces, stems }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::{Document, Index, Query, plain};

    fn document(number: usize, text: &str) -> Document {
        Document { path: format!("{number}.txt"), chunks: plain(text), ..Document::default() }
    }

    fn found(index: &Index, query: &str) -> BTreeSet<String> {
        let hits = index.search(&Query::parse(query).unwrap(), None, 100).unwrap();
        hits.into_iter().map(|hit| hit.path).collect()
    }

    #[test]
    fn merged_segments_answer_as_a_fresh_index() {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| Index::open(&folder.path().join(name)).unwrap();
        let mut index = open("changed.db");
        index.segments.full = 4;
        let mut last = std::collections::BTreeMap::new();
        for round in 0..120_usize {
            let number = round * 7 % 23;
            let text = format!("tide{} high water{} of the sea {}", round % 5, round % 11, round % 3);
            index.put(&[document(number, &text)]).unwrap();
            last.insert(number, text);
            if round % 9 == 0 {
                index.remove(&[format!("{}.txt", round % 23)]).unwrap();
                last.remove(&(round % 23));
            }
            if round % 50 == 49 {
                drop(index);
                index = open("changed.db");
                index.segments.full = 4;
            }
        }
        assert!((1..10).contains(&index.segments.stored.len()), "{} segments", index.segments.stored.len());
        let mut fresh = open("fresh.db");
        fresh.put(&last.iter().map(|(number, text)| document(*number, text)).collect::<Vec<_>>()).unwrap();
        for query in
            ["tide0", "water3 tide1", "\"of the sea 2\"", "\"high water7\"", "sea -tide2", "tide4 path:1", "wter5"]
        {
            assert_eq!(found(&index, query), found(&fresh, query), "{query}");
        }
        let words = |index: &Index| -> Vec<(String, i64)> {
            let mut read = index.tables.prepare("SELECT word, pieces FROM spelling ORDER BY word").unwrap();
            read.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
        };
        assert_eq!(words(&index), words(&fresh));
    }
}
