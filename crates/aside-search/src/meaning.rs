//! The vectors of an index: one set answers, and while a model is changed, the set of the new one grows beside it.

use std::collections::HashMap;

use crate::{
    Index, SearchError, Small, TextHash,
    changes::PieceChanges,
    vectors::{ChunkKey, Vectors},
};
use aside_store::sql::{Connection, OptionalExtension as _, Transaction, params};

/// How many pieces have a vector of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorProgress {
    /// Pieces with a vector.
    pub done: usize,
    /// Pieces that a model can read.
    pub of: usize,
}

/// The vectors that answer, and the model whose set is being made.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    /// The model of `vectors`.
    pub(crate) answering: Option<String>,
    pub(crate) vectors: Vectors,
    /// The model that answers once its set is whole, and the pieces that it knows.
    next: Option<(String, usize)>,
    /// Pieces that a model can read.
    of: usize,
}

impl Index {
    /// Sets the model of the workspace; none turns meaning off. If there is a whole or partial set of another model, that one answers until the new
    /// set is whole: see [`Index::answering`]. Reads all vectors, which takes some tenths of a second for 100,000.
    ///
    /// # Errors
    ///
    /// If the index can't be read or written.
    pub fn use_model(&mut self, model: Option<&str>) -> Result<(), SearchError> {
        self.meaning = Meaning { of: self.meaning.of, ..Meaning::default() };
        let Some(model) = model else { return Ok(()) };
        let done = with_vectors(&self.tables, model)?;
        let older = self.tables.prepare_cached(
            "SELECT name FROM model WHERE name <> ? AND EXISTS (SELECT 1 FROM vector WHERE vector.model = model.id) ORDER BY id DESC LIMIT 1",
        )?.query_row([model], |row| row.get::<_, String>(0)).optional()?;
        match older.filter(|_| done < self.meaning.of) {
            Some(older) => {
                self.load(&older)?;
                self.meaning.next = Some((model.to_owned(), done));
                Ok(())
            }
            None => self.answer_with(model),
        }
    }

    /// Lets a model answer at once with the vectors that it has, and deletes those of all others: for when the older model is not there any more.
    ///
    /// # Errors
    ///
    /// If the index can't be read or written.
    pub fn answer_with(&mut self, model: &str) -> Result<(), SearchError> {
        let change = self.tables.transaction()?;
        change.execute("DELETE FROM vector WHERE model NOT IN (SELECT id FROM model WHERE name = ?)", [model])?;
        change.execute("DELETE FROM model WHERE name <> ?", [model])?;
        change.commit()?;
        self.meaning.next = None;
        self.load(model)
    }

    /// The model whose vectors answer. A query has to be embedded by it.
    pub fn answering(&self) -> Option<&str> {
        self.meaning.answering.as_deref()
    }

    /// Keeps vectors of texts. A text that is not in the index any more is left out. The set that becomes whole by this answers from now on.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn learn(&mut self, model: &str, learned: &[(TextHash, Small)]) -> Result<(), SearchError> {
        let change = self.tables.transaction()?;
        change.execute("INSERT OR IGNORE INTO model (name) VALUES (?)", [model])?;
        let id: i64 = change.query_row("SELECT id FROM model WHERE name = ?", [model], |row| row.get(0))?;
        let mut put = Vec::new();
        for (hash, small) in learned {
            let pieces = pieces_with(&change, *hash)?;
            if pieces.is_empty() {
                continue;
            }
            change
                .prepare_cached("INSERT OR REPLACE INTO vector (model, hash, scale, numbers) VALUES (?, ?, ?, ?)")?
                .execute(params![id, hash.0, small.scale, as_bytes(&small.numbers)])?;
            put.extend(pieces.into_iter().map(|piece| (piece, small)));
        }
        change.commit()?;
        if self.meaning.answering.as_deref() == Some(model) {
            put.into_iter().for_each(|(piece, small)| self.meaning.vectors.put(piece, small));
        }
        self.count()?;
        match &self.meaning.next {
            Some((next, done)) if next == model && *done >= self.meaning.of => self.answer_with(model),
            _ => Ok(()),
        }
    }

    /// How far a model is: the one that answers, or the one that will.
    pub fn progress(&self, model: &str) -> VectorProgress {
        let Meaning { answering, vectors, next, of } = &self.meaning;
        let done = match next {
            Some((next, done)) if next == model => *done,
            _ if answering.as_deref() == Some(model) => vectors.count(),
            _ => 0,
        };
        VectorProgress { done, of: *of }
    }

    /// Deletes the vectors of texts that are in no document any more. A text that moves to another document within the time between two of these calls needs no model.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn forget_unused(&mut self) -> Result<(), SearchError> {
        self.tables
            .execute("DELETE FROM vector WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.hash = vector.hash)", ())?;
        Ok(())
    }

    /// Counts the vectors of the next model again after a change.
    fn count(&mut self) -> Result<(), SearchError> {
        if let Some((model, done)) = &mut self.meaning.next {
            *done = with_vectors(&self.tables, model)?;
        }
        Ok(())
    }

    /// Puts the vectors of a model into memory.
    fn load(&mut self, model: &str) -> Result<(), SearchError> {
        self.meaning.vectors = Vectors::with_room(with_vectors(&self.tables, model)?);
        self.meaning.answering = Some(model.to_owned());
        // The index of hashes has all that is read of a piece: its text stays on the disk.
        let mut read = self.tables.prepare_cached(
            "SELECT chunk.id, vector.scale, vector.numbers FROM vector JOIN chunk ON chunk.hash = vector.hash
             WHERE vector.model = (SELECT id FROM model WHERE name = ?)",
        )?;
        let mut rows = read.query([model])?;
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let Some(document) = self.segments.document(id) else { continue };
            let numbers = row.get_ref(2)?.as_blob().map_err(aside_store::sql::Error::from)?;
            let small = Small { scale: row.get(1)?, numbers: numbers.iter().map(|byte| byte.cast_signed()).collect() };
            self.meaning.vectors.put(ChunkKey { id, document }, &small);
        }
        Ok(())
    }

    /// Follows a change of documents: takes out the vectors of pieces that are gone, puts in those of texts that were there before.
    pub(crate) fn follow(&mut self, changes: &PieceChanges) -> Result<(), SearchError> {
        changes.gone.iter().for_each(|piece| self.meaning.vectors.remove(*piece));
        let readable = || changes.new.iter().filter_map(|piece| Some((piece.key, piece.hash?)));
        self.meaning.of = (self.meaning.of + readable().count()).saturating_sub(changes.gone_readable);
        if let Some(model) = &self.meaning.answering {
            let mut known = HashMap::new();
            for (piece, hash) in readable() {
                if let Some(small) = vector_of(&self.tables, model, hash)? {
                    known.insert(piece, small);
                }
            }
            known.iter().for_each(|(piece, small)| self.meaning.vectors.put(*piece, small));
        }
        self.count()
    }
}

impl Meaning {
    /// Counts the pieces that a model can read. No model answers yet.
    pub(crate) fn of(tables: &Connection) -> Result<Self, SearchError> {
        Ok(Self { of: readable(tables)?, ..Self::default() })
    }
}

/// How many pieces a model can read.
fn readable(tables: &Connection) -> Result<usize, SearchError> {
    let count: i64 =
        tables.prepare_cached("SELECT count(*) FROM chunk WHERE hash IS NOT NULL")?.query_row((), |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// How many pieces have a vector of a model.
fn with_vectors(tables: &Connection, model: &str) -> Result<usize, SearchError> {
    let mut read = tables.prepare_cached(
        "SELECT count(*) FROM chunk JOIN vector ON vector.hash = chunk.hash WHERE vector.model = (SELECT id FROM model WHERE name = ?)",
    )?;
    let count: i64 = read.query_row([model], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

fn pieces_with(change: &Transaction<'_>, hash: TextHash) -> Result<Vec<ChunkKey>, SearchError> {
    let mut read = change.prepare_cached("SELECT id, document FROM chunk WHERE hash = ?")?;
    let rows = read.query_map([hash.0], |row| Ok(ChunkKey { id: row.get(0)?, document: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn vector_of(tables: &Connection, model: &str, hash: TextHash) -> Result<Option<Small>, SearchError> {
    let mut read = tables.prepare_cached(
        "SELECT scale, numbers FROM vector WHERE model = (SELECT id FROM model WHERE name = ?) AND hash = ?",
    )?;
    let small = |row: &aside_store::sql::Row<'_>| {
        let numbers: Vec<u8> = row.get(1)?;
        Ok(Small { scale: row.get(0)?, numbers: numbers.into_iter().map(u8::cast_signed).collect() })
    };
    Ok(read.query_row(params![model, hash.0], small).optional()?)
}

fn as_bytes(numbers: &[i8]) -> Vec<u8> {
    numbers.iter().map(|number| number.cast_unsigned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Query, Unlearned, Why, markdown};

    fn note(path: &str, text: &str, day: u32) -> Document {
        Document { path: path.to_owned(), chunks: markdown(text), day, ..Document::default() }
    }

    fn index() -> (tempfile::TempDir, Index) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&folder.path().join("search.db")).unwrap();
        index.put(&[note("a.md", "alpha\n", 1), note("b.md", "beta\n", 3), note("c.md", "gamma\n", 2)]).unwrap();
        (folder, index)
    }

    fn texts(wanted: &[Unlearned]) -> Vec<&str> {
        wanted.iter().map(|one| one.text.trim()).collect()
    }

    /// Learns everything: alpha lies along the first number, the others along the second.
    fn learn(index: &mut Index, model: &str, most: usize) {
        let wanted = index.wanted(model, &[], most).unwrap();
        let vector = |text: &str| if text.contains("alpha") { [1.0, 0.0] } else { [0.0, 1.0] };
        let learned: Vec<_> = wanted.iter().map(|one| (one.hash, Small::of(&vector(&one.text)))).collect();
        index.learn(model, &learned).unwrap();
    }

    fn found(index: &Index, query: &str) -> Vec<(String, Why)> {
        let hits = index.search(&Query::parse(query).unwrap(), Some(&[1.0, 0.1]), 9).unwrap();
        hits.into_iter().map(|hit| (hit.path, hit.why)).collect()
    }

    #[test]
    fn unchanged_texts_are_never_learned_again() {
        let (folder, mut index) = index();
        index.use_model(Some("m")).unwrap();
        learn(&mut index, "m", 9);
        index.put(&[note("a.md", "# New\n\nnew\n", 1), note("d.md", "beta\n", 1)]).unwrap();
        index.remove(&["b.md".to_owned()]).unwrap();
        assert_eq!(texts(&index.wanted("m", &[], 9).unwrap()), ["> New\nnew"]);
        index.forget_unused().unwrap();
        drop(index);
        let mut index = Index::open(&folder.path().join("search.db")).unwrap();
        index.use_model(Some("m")).unwrap();
        assert_eq!(index.progress("m"), VectorProgress { done: 2, of: 3 });
        index.put(&[note("a.md", "alpha\n", 1)]).unwrap();
        assert_eq!(texts(&index.wanted("m", &[], 9).unwrap()), ["alpha"], "its vector was deleted with its text");
    }

    #[test]
    fn older_model_answers_until_newer_is_whole() {
        let (_folder, mut index) = index();
        index.use_model(Some("old")).unwrap();
        learn(&mut index, "old", 9);
        index.use_model(Some("new")).unwrap();
        learn(&mut index, "new", 2);
        assert_eq!((index.answering(), index.progress("new")), (Some("old"), VectorProgress { done: 2, of: 3 }));
        learn(&mut index, "new", 2);
        assert_eq!(index.answering(), Some("new"));
        let olds: i64 = index.tables.query_row("SELECT count(*) FROM model", (), |row| row.get(0)).unwrap();
        assert_eq!(olds, 1);
        index.use_model(Some("newest")).unwrap();
        index.answer_with("newest").unwrap();
        assert_eq!((index.answering(), index.progress("newest").done), (Some("newest"), 0));
    }

    #[test]
    fn meaning_finds_where_words_do_not() {
        let (_folder, mut index) = index();
        assert_eq!(found(&index, "first letter"), []);
        index.use_model(Some("m")).unwrap();
        learn(&mut index, "m", 9);
        assert_eq!(found(&index, "first letter")[0], ("a.md".to_owned(), Why::Meaning));
        assert_eq!(found(&index, "first alpha")[0], ("a.md".to_owned(), Why::Both));
        assert_eq!(found(&index, "first letter path:c"), [("c.md".to_owned(), Why::Meaning)]);
        assert!(!found(&index, "first letter -alpha").contains(&("a.md".to_owned(), Why::Meaning)));
        index.remove(&["a.md".to_owned()]).unwrap();
        assert!(!found(&index, "first letter").iter().any(|(path, _)| path == "a.md"));
        index.use_model(None).unwrap();
        assert_eq!(found(&index, "first letter"), []);
    }
}
