//! The index of a workspace's texts.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use aside_store::{open_tables, sql::Connection};

use crate::{
    Condition, Document, Hit, Query, SearchError, Why,
    changes::{insert, remove},
    filters::Conditions,
    fusion::{fused, weight_of_meaning},
    hits::hit,
    lexical::{MOST, Ranked, documents_with, ranked},
    meaning::Meaning,
    schema::MIGRATIONS,
};

/// Hits of a document at most, unless the query says how many.
const PER_DOCUMENT: usize = 3;

/// An open index. One thread at a time writes and reads it.
#[derive(Debug)]
pub struct Index {
    pub(crate) tables: Connection,
    pub(crate) meaning: Meaning,
}

impl Index {
    /// Opens an index, making it if it is not there. It answers by words until [`Index::use_model`].
    ///
    /// # Errors
    ///
    /// If it is damaged or of a later version: then it can be deleted and made again.
    pub fn open(path: &Path) -> Result<Self, SearchError> {
        Ok(Self { tables: open_tables(path, MIGRATIONS)?, meaning: Meaning::default() })
    }

    /// Puts documents in, in place of what was there under their paths; all of them or none.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn put(&mut self, documents: &[Document]) -> Result<(), SearchError> {
        let change = self.tables.transaction()?;
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for document in documents {
            gone.extend(remove(&change, &document.path)?);
            new.extend(insert(&change, document)?);
        }
        change.commit()?;
        self.follow(&gone, &new)
    }

    /// Takes documents out; those that are not there stay so.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn remove(&mut self, paths: &[String]) -> Result<(), SearchError> {
        let change = self.tables.transaction()?;
        let mut gone = Vec::new();
        for path in paths {
            gone.extend(remove(&change, path)?);
        }
        change.commit()?;
        self.follow(&gone, &[])
    }

    /// Returns the stamp of each document by its path.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn stamps(&self) -> Result<HashMap<String, String>, SearchError> {
        let mut read = self.tables.prepare_cached("SELECT path, stamp FROM document")?;
        let rows = read.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Finds the best places for a query, best first; by meaning too, if the vector is one of the model that answers ([`Index::answering`]).
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn search(&self, query: &Query, meaning: Option<&[f32]>, limit: usize) -> Result<Vec<Hit>, SearchError> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(path) = query.only_related() {
            return self.related(path, limit);
        }
        let conditions = Conditions::of(query);
        if query.only_filters() {
            return self.newest(&conditions, limit);
        }
        let found = ranked(&self.tables, query, &conditions)?;
        let weight = weight_of_meaning(query, &found);
        let meaning = meaning.filter(|_| weight > 0.0);
        let near = meaning.map(|vector| self.near(vector, query, &conditions)).transpose()?.unwrap_or_default();
        let pieces = fused(&found, &near, weight);
        self.hits(pieces, &found, query.per_document.unwrap_or(PER_DOCUMENT), limit)
    }

    /// The pieces of the nearest meaning that the filters let through.
    pub(crate) fn near(
        &self,
        vector: &[f32],
        query: &Query,
        conditions: &Conditions,
    ) -> Result<Vec<(i64, f32)>, SearchError> {
        let mut without = HashSet::new();
        for filter in &query.filters {
            if let (true, Condition::Text(text)) = (filter.without, &filter.what) {
                without.extend(documents_with(&self.tables, text)?);
            }
        }
        let only = (!conditions.sql.is_empty()).then(|| conditions.documents(&self.tables)).transpose()?;
        let may =
            |document: &i64| !without.contains(document) && only.as_ref().is_none_or(|only| only.contains(document));
        let near = self.meaning.vectors.nearest(vector, MOST, |piece| may(&piece.document));
        Ok(near.into_iter().map(|(piece, near)| (piece.id, near)).collect())
    }

    /// Reads pieces as hits, as many as are wanted in all and of each document.
    pub(crate) fn hits(
        &self,
        pieces: impl IntoIterator<Item = (i64, Why)>,
        found: &Ranked,
        per_document: usize,
        limit: usize,
    ) -> Result<Vec<Hit>, SearchError> {
        let mut document = self.tables.prepare_cached("SELECT document FROM chunk WHERE id = ?")?;
        let mut counts: HashMap<i64, usize> = HashMap::new();
        let mut hits = Vec::new();
        for (piece, why) in pieces {
            if hits.len() == limit {
                break;
            }
            let count = counts.entry(document.query_row([piece], |row| row.get(0))?).or_default();
            if *count < per_document {
                *count += 1;
                hits.extend(hit(&self.tables, piece, why, found)?);
            }
        }
        Ok(hits)
    }

    /// Returns the documents that the filters of a query let through.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn admitted(&self, query: &Query) -> Result<HashSet<String>, SearchError> {
        let conditions = Conditions::of(query);
        let mut read =
            self.tables.prepare_cached(&format!("SELECT path FROM document WHERE 1 = 1{}", conditions.sql))?;
        let rows = read.query_map(conditions.values(&[]).as_slice(), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The documents that the filters let through, newest first.
    fn newest(&self, conditions: &Conditions, limit: usize) -> Result<Vec<Hit>, SearchError> {
        let sql = format!(
            "SELECT min(chunk.id) FROM document JOIN chunk ON chunk.document = document.id WHERE 1 = 1{}
             GROUP BY document.id ORDER BY document.day DESC, document.path LIMIT {limit}",
            conditions.sql
        );
        let mut read = self.tables.prepare_cached(&sql)?;
        let pieces: Vec<i64> =
            read.query_map(conditions.values(&[]).as_slice(), |row| row.get(0))?.collect::<Result<_, _>>()?;
        self.hits(pieces.into_iter().map(|piece| (piece, Why::Words)), &Ranked::default(), 1, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{markdown, plain};

    fn note(path: &str, text: &str) -> Document {
        let title = path.trim_end_matches(".md").to_owned();
        Document {
            path: path.to_owned(),
            kind: "note".to_owned(),
            title,
            chunks: markdown(text),
            ..Document::default()
        }
    }

    fn index(documents: &[Document]) -> (tempfile::TempDir, Index) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&folder.path().join("search.db")).unwrap();
        index.put(documents).unwrap();
        (folder, index)
    }

    fn found(index: &Index, query: &str) -> Vec<String> {
        let hits = index.search(&Query::parse(query).unwrap(), None, 10).unwrap();
        hits.into_iter().map(|hit| format!("{}:{}", hit.path, hit.line)).collect()
    }

    #[test]
    fn places_are_found_by_words_forms_and_mistakes() {
        let (_folder, index) = index(&[
            note("tides.md", "# Tides\n\nThe moon raises the water.\n\n## Harbour\n\nBoats rise twice a day.\n"),
            note("größe.md", "Die Größe der Häfen.\n"),
            note("所有権.md", "所有権とは何か\n"),
            note("code.md", "Call `read_csv(path)` first.\n"),
        ]);
        assert_eq!(found(&index, "boat rising"), ["tides.md:7"]);
        assert_eq!(found(&index, "harbuor"), ["tides.md:5"]);
        assert_eq!(found(&index, "hafen GROSSE"), ["größe.md:1"]);
        assert_eq!(found(&index, "所有"), ["所有権.md:1"]);
        assert_eq!(found(&index, "csv"), ["code.md:1"]);
        assert_eq!(found(&index, "submarine"), [""; 0]);
    }

    #[test]
    fn title_precedes_text_with_the_same_words() {
        let (_folder, index) = index(&[
            note("log.md", "The sea level rises. Sea level, sea level, sea level!\n"),
            note("Sea level.md", "How it is measured.\n"),
            note("b.md", "# Other\n\nx\n\n## Sea level\n\nIt rises.\n"),
        ]);
        assert_eq!(found(&index, "sea level")[2], "log.md:1");
    }

    #[test]
    fn phrases_have_to_be_there() {
        let (_folder, index) = index(&[note("a.md", "sea level and more\n"), note("b.md", "level of the sea\n")]);
        assert_eq!(found(&index, "\"sea level\""), ["a.md:1"]);
        assert_eq!(found(&index, "sea level"), ["a.md:1", "b.md:1"]);
        assert_eq!(found(&index, "sea -more"), ["b.md:1"]);
    }

    #[test]
    fn filters_hold_alone_and_with_words() {
        let work =
            Document { tags: vec!["work/sea".into()], day: 20_261_101, has_todo: true, ..note("in/a.md", "tide\n") };
        let later = Document { day: 20_261_201, ..note("b.md", "tide\n") };
        let code = Document { kind: "code".into(), chunks: plain("tide = 1\n"), ..note("c.py", "") };
        let (_folder, index) = index(&[work, later, code]);
        assert_eq!(found(&index, "tide tag:work"), ["in/a.md:1"]);
        assert_eq!(found(&index, "tide tag:wor"), [""; 0]);
        assert_eq!(found(&index, "tag:work/sea"), ["in/a.md:1"]);
        assert_eq!(found(&index, "path:IN/"), ["in/a.md:1"]);
        assert_eq!(found(&index, "has:todo"), ["in/a.md:1"]);
        assert_eq!(found(&index, "kind:code tide"), ["c.py:1"]);
        assert_eq!(found(&index, "-kind:code before:2027-01-01"), ["b.md:1", "in/a.md:1"]);
        assert_eq!(found(&index, "after:2026-12-01"), ["b.md:1"]);
        assert_eq!(found(&index, "  "), [""; 0]);
    }

    #[test]
    fn replaced_and_removed_documents_are_gone() {
        let (_folder, mut index) = index(&[note("a.md", "oldword\n")]);
        index.put(&[note("a.md", "newword\n")]).unwrap();
        assert_eq!((found(&index, "oldword"), found(&index, "newword")), (Vec::new(), vec!["a.md:1".to_owned()]));
        index.remove(&["a.md".to_owned(), "none.md".to_owned()]).unwrap();
        assert_eq!(found(&index, "newword"), [""; 0]);
        assert_eq!(found(&index, "newwodr"), [""; 0], "it is no word that may have been meant either");
    }

    #[test]
    fn an_unfinished_word_is_a_beginning() {
        let (_folder, index) = index(&[note("a.md", "evaporation\n")]);
        let query = Query { typing: true, ..Query::parse("evap").unwrap() };
        assert_eq!(index.search(&query, None, 5).unwrap().len(), 1);
    }
}
