//! The index of a workspace's texts.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    path::Path,
};

use aside_store::{open_tables, sql::Connection};

use crate::{
    Condition, Document, Hit, Query, SearchError, Why,
    changes::{PieceChanges, insert, put_recent, remove},
    filters::Conditions,
    fusion::{fused, weight_of_meaning},
    hits::hit,
    lexical::{Lexicon, MOST, Ranked, stems},
    meaning::Meaning,
    postings::{Segments, holding},
    schema::MIGRATIONS,
};

/// Hits of a document at most, unless the query says how many.
const PER_DOCUMENT: usize = 3;

/// Tells whether a document with a path and a kind may be found.
pub type MayFind<'a> = &'a dyn Fn(&str, &str) -> bool;

/// An open index. One thread at a time writes and reads it.
#[derive(Debug)]
pub struct Index {
    pub(crate) tables: Connection,
    pub(crate) segments: Segments,
    pub(crate) meaning: Meaning,
}

impl Index {
    /// Opens an index, making it if it is not there. It answers by words until [`Index::use_model`].
    ///
    /// # Errors
    ///
    /// If it is damaged or of a later version: then it can be deleted and made again.
    pub fn open(path: &Path) -> Result<Self, SearchError> {
        let tables = open_tables(path, MIGRATIONS)?;
        let mut segments = Segments::open(&tables)?;
        put_recent(&tables, &mut segments)?;
        let meaning = Meaning::of(&tables)?;
        Ok(Self { tables, segments, meaning })
    }

    /// Puts documents in, in place of what was there under their paths; all of them or none. Of several with one path the
    /// last counts.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn put(&mut self, documents: &[Document]) -> Result<(), SearchError> {
        let mut paths = HashSet::new();
        let mut last: Vec<_> = documents.iter().rev().filter(|document| paths.insert(&*document.path)).collect();
        last.reverse();
        let paths: Vec<&str> = last.iter().map(|document| document.path.as_str()).collect();
        self.change(&paths, &last)
    }

    /// Takes documents out; those that are not there stay so.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn remove(&mut self, paths: &[String]) -> Result<(), SearchError> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.change(&paths, &[])
    }

    fn change(&mut self, gone: &[&str], new: &[&Document]) -> Result<(), SearchError> {
        let stored_until = self.segments.stored_until();
        let change = self.tables.transaction()?;
        let mut changes = PieceChanges::default();
        for path in gone {
            remove(&change, path, stored_until, &mut changes)?;
        }
        for document in new {
            insert(&change, document, &mut changes)?;
        }
        std::mem::take(&mut changes.spelling).write(&change)?;
        change.commit()?;
        self.segments.remove(&changes.gone);
        for piece in &mut changes.new {
            self.segments.put(piece.key.id, piece.key.document, std::mem::take(&mut piece.terms));
        }
        self.follow(&changes)?;
        self.segments.tidy(&mut self.tables)
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
        self.search_in(query, meaning, limit, None)
    }

    /// The same, among documents that may be found, by their paths and kinds.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn search_in(
        &self,
        query: &Query,
        meaning: Option<&[f32]>,
        limit: usize,
        may: Option<MayFind<'_>>,
    ) -> Result<Vec<Hit>, SearchError> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(path) = query.only_related() {
            return self.related(path, limit);
        }
        let conditions = Conditions::of(query);
        if query.only_filters() {
            return self.newest(&conditions, limit, may);
        }
        let lexicon = Lexicon { tables: &self.tables, segments: &self.segments };
        let without = self.left_out(query)?;
        let only = (!conditions.sql.is_empty()).then(|| conditions.documents(&self.tables)).transpose()?;
        let judged = RefCell::new(HashMap::new());
        let judge = |document: i64, may: MayFind<'_>| {
            *judged.borrow_mut().entry(document).or_insert_with(|| self.may_find(document, may))
        };
        let admits = |document: i64| {
            !without.contains(&document)
                && only.as_ref().is_none_or(|only| only.contains(&document))
                && may.is_none_or(|may| judge(document, may))
        };
        let found = lexicon.ranked(query, admits)?;
        let weight = weight_of_meaning(query, &found);
        let near = match meaning.filter(|_| weight > 0.0) {
            Some(vector) => self.meaning.vectors.nearest(vector, MOST, |piece| admits(piece.document)),
            None => Vec::new(),
        };
        let near: Vec<_> = near.into_iter().map(|(piece, near)| (piece.id, near)).collect();
        let pieces = fused(&found, &near, weight);
        self.hits(pieces, &found, query.per_document.unwrap_or(PER_DOCUMENT), limit)
    }

    /// Tells whether a document may be found; one that can't be read may not.
    fn may_find(&self, document: i64, may: MayFind<'_>) -> bool {
        let read = self.tables.prepare_cached("SELECT path, kind FROM document WHERE id = ?");
        let found = read.and_then(|mut read| {
            read.query_row([document], |row| Ok(may(&row.get::<_, String>(0)?, &row.get::<_, String>(1)?)))
        });
        found.unwrap_or(false)
    }

    /// The documents with a word or phrase that the query leaves out.
    fn left_out(&self, query: &Query) -> Result<HashSet<i64>, SearchError> {
        let mut without = HashSet::new();
        for filter in &query.filters {
            if let (true, Condition::Text(text)) = (filter.without, &filter.what) {
                without.extend(holding(&self.segments, &self.tables, &stems(text))?);
            }
        }
        Ok(without)
    }

    /// Reads pieces as hits, as many as are wanted in all and of each document.
    pub(crate) fn hits(
        &self,
        pieces: impl IntoIterator<Item = (i64, Why)>,
        found: &Ranked,
        per_document: usize,
        limit: usize,
    ) -> Result<Vec<Hit>, SearchError> {
        let mut counts: HashMap<i64, usize> = HashMap::new();
        let mut hits = Vec::new();
        for (piece, why) in pieces {
            if hits.len() == limit {
                break;
            }
            let Some(document) = self.segments.document(piece) else { continue };
            let count = counts.entry(document).or_default();
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
    fn newest(&self, conditions: &Conditions, limit: usize, may: Option<MayFind<'_>>) -> Result<Vec<Hit>, SearchError> {
        let sql = format!(
            "SELECT min(chunk.id), document.id FROM document JOIN chunk ON chunk.document = document.id WHERE 1 = 1{}
             GROUP BY document.id ORDER BY document.day DESC, document.path",
            conditions.sql
        );
        let mut read = self.tables.prepare_cached(&sql)?;
        let mut rows = read.query(conditions.values(&[]).as_slice())?;
        let mut pieces = Vec::new();
        while let Some(row) = rows.next()?.filter(|_| pieces.len() < limit) {
            let (piece, document) = (row.get(0)?, row.get(1)?);
            if may.is_none_or(|may| self.may_find(document, may)) {
                pieces.push((piece, Why::Words));
            }
        }
        self.hits(pieces, &Ranked::default(), 1, limit)
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
    fn document_given_twice_is_there_once() {
        let (_folder, mut index) = index(&[]);
        index.put(&[note("a.md", "oldword\n"), note("b.md", "other\n"), note("a.md", "newword\n")]).unwrap();
        assert_eq!((found(&index, "oldword"), found(&index, "newword")), (Vec::new(), vec!["a.md:1".to_owned()]));
        assert_eq!(found(&index, "other"), ["b.md:1"]);
    }

    #[test]
    fn forbidden_documents_take_no_place() {
        let all: Vec<_> = (0..150).map(|number| note(&format!("{number}.md"), "tide tide tide\n")).collect();
        let (_folder, mut index) = index(&all);
        index.put(&[note("own.md", "the tide of a long and quiet evening\n")]).unwrap();
        let may = |path: &str, _: &str| path == "own.md";
        for query in ["tide", "\"tide\"", "before:2027-01-01"] {
            let hits = index.search_in(&Query::parse(query).unwrap(), None, 10, Some(&may)).unwrap();
            assert_eq!(hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), ["own.md"], "{query}");
        }
    }

    #[test]
    fn an_unfinished_word_is_a_beginning() {
        let (_folder, index) = index(&[note("a.md", "evaporation\n")]);
        for typed in ["evap", "evaporatio"] {
            let query = Query { typing: true, ..Query::parse(typed).unwrap() };
            assert_eq!(index.search(&query, None, 5).unwrap().len(), 1, "{typed}");
        }
    }
}
