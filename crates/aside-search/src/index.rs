//! The index of a workspace's texts.

use std::{ops::Range, path::Path};

use aside_store::{
    open_tables,
    sql::{Connection, OptionalExtension as _, Row, Transaction, params},
};
use serde::Serialize;

use crate::{
    Document, Query, SearchError,
    excerpt::excerpt,
    filters::{Conditions, tag_field},
    lexical::{Ranked, ranked},
    schema::{MIGRATIONS, SEPARATOR},
    text::terms,
};

/// An open index. One thread at a time writes and reads it.
#[derive(Debug)]
pub struct Index {
    tables: Connection,
}

/// Why a hit was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// By its words.
    Words,
    /// By its meaning.
    Meaning,
    /// By both.
    Both,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// The document.
    pub path: String,
    /// Its kind.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// The line, from 1; in a notebook the cell.
    pub line: u32,
    /// The headings above it.
    pub headings: Vec<String>,
    /// An excerpt.
    pub text: String,
    /// Bytes of `text` that were found.
    pub marks: Vec<Range<usize>>,
    /// Why.
    pub why: Why,
}

impl Index {
    /// Opens an index, making it if it is not there.
    ///
    /// # Errors
    ///
    /// If it is damaged or of a later version: then it can be deleted and made again.
    pub fn open(path: &Path) -> Result<Self, SearchError> {
        Ok(Self { tables: open_tables(path, MIGRATIONS)? })
    }

    /// Puts documents in, in place of what was there under their paths; all of them or none.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn put(&mut self, documents: &[Document]) -> Result<(), SearchError> {
        let change = self.tables.transaction()?;
        for document in documents {
            remove(&change, &document.path)?;
            insert(&change, document)?;
        }
        Ok(change.commit()?)
    }

    /// Takes documents out; those that are not there stay so.
    ///
    /// # Errors
    ///
    /// If the index can't be written.
    pub fn remove(&mut self, paths: &[String]) -> Result<(), SearchError> {
        let change = self.tables.transaction()?;
        for path in paths {
            remove(&change, path)?;
        }
        Ok(change.commit()?)
    }

    /// Finds the best places for a query, best first.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn search(&self, query: &Query, limit: usize) -> Result<Vec<Hit>, SearchError> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let conditions = Conditions::of(&query.filters);
        if query.only_filters() {
            return self.newest(&conditions, limit);
        }
        let found = ranked(&self.tables, query, &conditions)?;
        let pieces = found.pieces.iter().take(limit);
        pieces.filter_map(|(piece, _)| self.hit(*piece, &found).transpose()).collect()
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
        pieces.into_iter().filter_map(|piece| self.hit(piece, &Ranked::default()).transpose()).collect()
    }

    fn hit(&self, piece: i64, found: &Ranked) -> Result<Option<Hit>, SearchError> {
        let mut read = self.tables.prepare_cached(
            "SELECT document.path, document.kind, document.title, chunk.line, chunk.headings, chunk.text, chunk.text_line, chunk.end
             FROM chunk JOIN document ON document.id = chunk.document WHERE chunk.id = ?",
        )?;
        Ok(read.query_row([piece], |row| shown(row, found)).optional()?)
    }
}

fn shown(row: &Row<'_>, found: &Ranked) -> Result<Hit, aside_store::sql::Error> {
    let (text, headings): (String, String) = (row.get(5)?, row.get(4)?);
    let excerpt = excerpt(&text, &found.terms, &found.phrases);
    let (line, text_line, end): (u32, u32, u32) = (row.get(3)?, row.get(6)?, row.get(7)?);
    // Found in its title or headings alone: then these are the place.
    let line = if excerpt.marks.is_empty() { line } else { (text_line + excerpt.lines_before).min(end) };
    Ok(Hit {
        path: row.get(0)?,
        kind: row.get(1)?,
        title: row.get(2)?,
        line,
        headings: headings.split(SEPARATOR).filter(|heading| !heading.is_empty()).map(str::to_owned).collect(),
        text: excerpt.text,
        marks: excerpt.marks,
        why: Why::Words,
    })
}

fn remove(change: &Transaction<'_>, path: &str) -> Result<(), SearchError> {
    let mut find = change.prepare_cached("SELECT id FROM document WHERE path = ?")?;
    let Some(id): Option<i64> = find.query_row([path], |row| row.get(0)).optional()? else { return Ok(()) };
    change
        .prepare_cached("DELETE FROM word WHERE rowid IN (SELECT id FROM chunk WHERE document = ?)")?
        .execute([id])?;
    change
        .prepare_cached("DELETE FROM spelled WHERE rowid IN (SELECT id FROM chunk WHERE document = ?)")?
        .execute([id])?;
    change.prepare_cached("DELETE FROM chunk WHERE document = ?")?.execute([id])?;
    change.prepare_cached("DELETE FROM document WHERE id = ?")?.execute([id])?;
    Ok(())
}

fn insert(change: &Transaction<'_>, document: &Document) -> Result<(), SearchError> {
    let Document { path, kind, title, tags, day, has_todo, chunks } = document;
    change
        .prepare_cached("INSERT INTO document (path, kind, title, tags, day, todo) VALUES (?, ?, ?, ?, ?, ?)")?
        .execute(params![path, kind, title, tag_field(tags), day, has_todo])?;
    let id = change.last_insert_rowid();
    for chunk in chunks {
        change
            .prepare_cached(
                "INSERT INTO chunk (document, line, end, headings, text, text_line) VALUES (?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![id, chunk.line, chunk.end, chunk.headings.join(SEPARATOR), chunk.text, chunk.text_line])?;
        let row = change.last_insert_rowid();
        let fields = [title, &chunk.headings.join(" "), &tags.join(" "), path, &chunk.text].map(|text| in_terms(text));
        let [title, headings, tags, path, text] = &fields;
        change
            .prepare_cached("INSERT INTO word (rowid, title, heading, tag, path, text) VALUES (?, ?, ?, ?, ?, ?)")?
            .execute(params![row, title, headings, tags, path, text])?;
        change
            .prepare_cached("INSERT INTO spelled (rowid, text) VALUES (?, ?)")?
            .execute(params![row, fields.join(" ")])?;
    }
    Ok(())
}

fn in_terms(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for term in terms(text) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(&term);
    }
    all
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
        let hits = index.search(&Query::parse(query).unwrap(), 10).unwrap();
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
        assert_eq!(index.search(&query, 5).unwrap().len(), 1);
    }
}
