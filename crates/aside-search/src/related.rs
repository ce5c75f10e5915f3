//! Documents like a document.

use std::collections::HashMap;

use aside_store::sql::OptionalExtension as _;

use crate::{
    Hit, Index, SearchError, Why,
    lexical::{MOST, Ranked, STOP_WORDS},
    postings::SearchedWord,
    spelling::frequency,
    text::{stem, terms},
};

/// Pieces that are looked at for each hit: a document has several.
const PIECES: usize = 10;
/// Words of a document that stand for it if there are no vectors: the rarest of the most frequent.
const WORDS: usize = 12;
/// Words of a document whose frequency is looked up.
const LOOKED_UP: usize = 300;

impl Index {
    /// Finds documents like one, best first, one hit each: by the mean of its vectors, without these by its rarest words.
    ///
    /// # Errors
    ///
    /// If the index can't be read.
    pub fn related(&self, path: &str, limit: usize) -> Result<Vec<Hit>, SearchError> {
        let mut document = self.tables.prepare_cached("SELECT id FROM document WHERE path = ?")?;
        let Some(document): Option<i64> = document.query_row([path], |row| row.get(0)).optional()? else {
            return Ok(Vec::new());
        };
        let mut read = self.tables.prepare_cached("SELECT id, text FROM chunk WHERE document = ?")?;
        let pieces: Vec<(i64, String)> =
            read.query_map([document], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let vectors = &self.meaning.vectors;
        if let Some(mean) = vectors.mean(pieces.iter().map(|(piece, _)| *piece)) {
            let near = vectors.nearest(&mean, limit.saturating_mul(PIECES), |piece| piece.document != document);
            return self.hits(
                near.into_iter().map(|(piece, _)| (piece.id, Why::Meaning)),
                &Ranked::default(),
                1,
                limit,
            );
        }
        let words = self.rarest_words(pieces.iter().map(|(_, text)| text.as_str()))?;
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let wanted: Vec<_> = words.iter().map(|word| SearchedWord { stems: vec![stem(word)] }).collect();
        let other = |of: i64| of != document;
        let found = self.segments.scored(&self.tables, &wanted, &[], (MOST, 0), other)?.best;
        let others = found.into_iter().map(|(piece, _)| (piece, Why::Words));
        let marked = Ranked { terms: words.into_iter().collect(), ..Ranked::default() };
        self.hits(others, &marked, 1, limit)
    }

    /// The words that tell some texts from others: frequent in these, rare elsewhere, and not in these alone.
    fn rarest_words<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Result<Vec<String>, SearchError> {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for term in texts.flat_map(terms).filter(|term| !STOP_WORDS.contains(&term.as_str())) {
            *counts.entry(term).or_default() += 1;
        }
        let mut frequent: Vec<_> = counts.into_iter().collect();
        frequent.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let mut rated = Vec::new();
        for (term, count) in frequent.into_iter().take(LOOKED_UP) {
            let elsewhere = frequency(&self.tables, &term)?;
            if elsewhere > 1 {
                #[expect(clippy::cast_precision_loss, reason = "counts of pieces")]
                rated.push((f64::from(count).ln_1p() / (elsewhere as f64).ln_1p(), term));
            }
        }
        rated.sort_by(|one, other| other.0.total_cmp(&one.0));
        Ok(rated.into_iter().take(WORDS).map(|(_, term)| term).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, Index, Query, Small, Why, markdown};

    fn note(path: &str, text: &str) -> Document {
        Document { path: path.to_owned(), chunks: markdown(text), ..Document::default() }
    }

    fn index() -> (tempfile::TempDir, Index) {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&folder.path().join("search.db")).unwrap();
        let notes = [
            note("moon.md", "The tide follows the moon.\n"),
            note("harbour.md", "A harbour waits for the tide.\n"),
            note("soup.md", "Boil the leek.\n"),
        ];
        index.put(&notes).unwrap();
        (folder, index)
    }

    fn paths(index: &Index, path: &str) -> Vec<(String, Why)> {
        index.related(path, 5).unwrap().into_iter().map(|hit| (hit.path, hit.why)).collect()
    }

    #[test]
    fn shared_rare_words_relate_documents() {
        let (_folder, index) = index();
        assert_eq!(paths(&index, "moon.md"), [("harbour.md".to_owned(), Why::Words)]);
        assert_eq!(paths(&index, "none.md"), []);
        let query = Query::parse("related:moon.md").unwrap();
        assert_eq!(index.search(&query, None, 5).unwrap()[0].path, "harbour.md");
    }

    #[test]
    fn near_vectors_relate_documents() {
        let (_folder, mut index) = index();
        index.use_model(Some("m")).unwrap();
        let wanted = index.wanted("m", &[], 9).unwrap();
        let vector = |text: &str| if text.contains("harbour") { [0.0, 1.0] } else { [1.0, 0.2] };
        let learned: Vec<_> = wanted.iter().map(|one| (one.hash, Small::of(&vector(&one.text)))).collect();
        index.learn("m", &learned).unwrap();
        let expected = [("soup.md".to_owned(), Why::Meaning), ("harbour.md".to_owned(), Why::Meaning)];
        assert_eq!(paths(&index, "moon.md"), expected);
    }
}
