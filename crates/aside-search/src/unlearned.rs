//! Texts without a vector: the work that is left for a model.

use std::collections::HashSet;

use aside_store::sql::params;
use sha2::{Digest as _, Sha256};

use crate::{Index, SearchError, schema::SEPARATOR};

/// The first eight bytes of the SHA-256 of a text with its title and headings. Equal texts have one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextHash(pub i64);

/// A text that has no vector of a model yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlearned {
    /// The key of its vector.
    pub hash: TextHash,
    /// The text as a model reads it: title and headings in a line, then the piece.
    pub text: String,
}

impl Index {
    /// Returns texts without a vector of a model: first those of some documents, in their order, then the newest.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn wanted(&self, model: &str, first: &[String], most: usize) -> Result<Vec<Unlearned>, SearchError> {
        self.unlearned(model, first.iter().map(Some).chain([None]), most)
    }

    /// Returns texts of some documents without a vector of a model, in the order of the documents.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn wanted_of(&self, model: &str, documents: &[String], most: usize) -> Result<Vec<Unlearned>, SearchError> {
        self.unlearned(model, documents.iter().map(Some), most)
    }

    /// The texts of documents; none stands for all.
    fn unlearned<'a>(
        &self,
        model: &str,
        documents: impl Iterator<Item = Option<&'a String>>,
        most: usize,
    ) -> Result<Vec<Unlearned>, SearchError> {
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        for path in documents {
            if wanted.len() < most {
                self.unlearned_of(model, path, most - wanted.len(), |one| {
                    if seen.insert(one.hash) {
                        wanted.push(one);
                    }
                })?;
            }
        }
        Ok(wanted)
    }

    fn unlearned_of(
        &self,
        model: &str,
        path: Option<&String>,
        most: usize,
        mut put: impl FnMut(Unlearned),
    ) -> Result<(), SearchError> {
        let (only, order) = match path {
            Some(_) => ("document.path = ?3 AND", "chunk.id"),
            None => ("?3 IS NULL AND", "document.day DESC, document.id, chunk.id"),
        };
        // The pieces are chosen first, without their texts: a sort carries all that it is given.
        let mut read = self.tables.prepare_cached(&format!(
            "SELECT chunk.hash, document.title, chunk.headings, chunk.text FROM (
                SELECT chunk.id AS wanted FROM chunk JOIN document ON document.id = chunk.document
                WHERE {only} chunk.hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vector
                    WHERE vector.model = (SELECT id FROM model WHERE name = ?1) AND vector.hash = chunk.hash)
                ORDER BY {order} LIMIT ?2
             ) JOIN chunk ON chunk.id = wanted JOIN document ON document.id = chunk.document"
        ))?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = read.query_map(params![model, most, path], |row| {
            let (title, headings, text): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(Unlearned { hash: TextHash(row.get(0)?), text: readable_text(&title, headings.split(SEPARATOR), &text) })
        })?;
        for row in rows {
            put(row?);
        }
        Ok(())
    }
}

/// The text of a piece as a model reads it.
pub(crate) fn readable_text<'a>(title: &str, headings: impl IntoIterator<Item = &'a str>, text: &str) -> String {
    let mut all = title.to_owned();
    for heading in headings.into_iter().filter(|heading| !heading.is_empty() && *heading != title) {
        all += " > ";
        all += heading;
    }
    all.push('\n');
    all + text
}

/// The key of a piece's vector; none if there is nothing to read in it but a title.
pub(crate) fn hash_of(title: &str, headings: &[String], text: &str) -> Option<TextHash> {
    if headings.is_empty() && text.trim().is_empty() {
        return None;
    }
    let digest = Sha256::digest(readable_text(title, headings.iter().map(String::as_str), text));
    digest.first_chunk().map(|bytes| TextHash(i64::from_le_bytes(*bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chunk, Document, Small, VectorProgress, markdown};

    fn index() -> (tempfile::TempDir, Index) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&folder.path().join("search.db")).unwrap();
        let note = |path: &str, text: &str, day| Document {
            path: path.to_owned(),
            chunks: markdown(text),
            day,
            ..Document::default()
        };
        index.put(&[note("a.md", "alpha\n", 1), note("b.md", "beta\n", 3), note("c.md", "gamma\n", 2)]).unwrap();
        index.use_model(Some("m")).unwrap();
        (folder, index)
    }

    fn texts(wanted: &[Unlearned]) -> Vec<&str> {
        wanted.iter().map(|one| one.text.trim()).collect()
    }

    #[test]
    fn open_documents_then_newest_are_learned_first() {
        let (_folder, mut index) = index();
        let wanted = index.wanted("m", &["a.md".to_owned()], 9).unwrap();
        assert_eq!(texts(&wanted), ["alpha", "beta", "gamma"]);
        assert_eq!(texts(&index.wanted("m", &[], 2).unwrap()), ["beta", "gamma"]);
        assert_eq!(texts(&index.wanted_of("m", &["c.md".to_owned()], 9).unwrap()), ["gamma"], "no others");
        let learned: Vec<_> = wanted.iter().map(|one| (one.hash, Small::of(&[1.0]))).collect();
        index.learn("m", &learned).unwrap();
        assert_eq!(
            (index.wanted("m", &[], 9).unwrap(), index.progress("m")),
            (vec![], VectorProgress { done: 3, of: 3 })
        );
    }

    #[test]
    fn pieces_without_text_are_not_wanted() {
        let (_folder, mut index) = index();
        let chunks = vec![Chunk { line: 1, end: 1, text_line: 1, ..Chunk::default() }];
        index.put(&[Document { path: "big.bin".into(), chunks, ..Document::default() }]).unwrap();
        assert_eq!(index.progress("m").of, 3);
    }

    #[test]
    fn equal_texts_are_wanted_once() {
        let (_folder, mut index) = index();
        index.put(&[Document { path: "copy.md".into(), chunks: markdown("alpha\n"), ..Document::default() }]).unwrap();
        assert_eq!((index.wanted("m", &[], 9).unwrap().len(), index.progress("m").of), (3, 4));
    }
}
