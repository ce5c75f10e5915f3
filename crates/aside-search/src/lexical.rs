//! Ranking by words.

use std::collections::{HashMap, HashSet};

use aside_store::sql::{Connection, OptionalExtension as _};

use crate::{
    SearchError,
    postings::{SearchedWord, Segments},
    query::Query,
    schema::SEPARATOR,
    spelling::{beginning, frequency, meant},
    text::{fold, stem, terms},
};

/// Pieces that a ranking has at most.
pub const MOST: usize = 100;
/// Terms of a search that are looked up at most: the rarest.
const MOST_TERMS: usize = 8;
/// Words of a search up to which it is also taken for a phrase.
const PHRASE_WORDS: usize = 6;
/// The gain of a piece that has a phrase as it was written: more than words can bring.
const PHRASE_GAIN: f64 = 25.0;
/// Pieces in which a phrase is looked for letter by letter.
const MOST_PHRASES: usize = 400;

/// Words that say nothing about what is looked for, if others are there.
pub const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could",
    "did", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "me", "my", "no", "not", "of", "on", "one", "only", "or", "our", "out", "should", "so", "some", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "up", "was", "we", "were",
    "what", "when", "where", "which", "while", "who", "why", "will", "with", "without", "would", "you", "your", "der",
    "die", "das", "und", "ein", "eine", "ist", "im", "von", "zu", "mit", "le", "la", "les", "des", "du", "un", "une",
    "et", "est", "de", "en", "el", "los", "y",
];

/// The best pieces by words, best first, and the terms that were found.
#[derive(Debug, Default)]
pub struct Ranked {
    /// Pieces with their scores.
    pub pieces: Vec<(i64, f64)>,
    /// The terms they have, for marks.
    pub terms: HashSet<String>,
    /// The phrases they may have.
    pub phrases: Vec<String>,
    /// The pieces that have a phrase letter by letter.
    pub literal: HashSet<i64>,
    /// The pieces among them whose title or last heading is the phrase.
    pub named: HashSet<i64>,
    /// A word was nowhere, and others near it were looked for.
    pub corrected: bool,
}

/// The words of an index.
#[derive(Clone, Copy, Debug)]
pub struct Lexicon<'a> {
    /// Texts of pieces, and words as they are written.
    pub tables: &'a Connection,
    /// Pieces by their stems.
    pub segments: &'a Segments,
}

impl Lexicon<'_> {
    /// Ranks the pieces of the documents that are let through by the words and phrases of a query.
    pub fn ranked(&self, query: &Query, admits: impl Fn(i64) -> bool) -> Result<Ranked, SearchError> {
        let (terms, corrected) = self.wanted(query)?;
        let phrases: Vec<_> = phrases_of(query).into_iter().filter(|(phrase, _)| !stems(phrase).is_empty()).collect();
        let in_a_row: Vec<_> = phrases.iter().map(|(phrase, _)| stems(phrase)).collect();
        let wanted: Vec<_> = terms.iter().map(|term| SearchedWord { stems: term.stems.clone() }).collect();
        let scored = self.segments.scored(self.tables, &wanted, &in_a_row, (MOST, MOST_PHRASES), admits)?;
        let mut scores: HashMap<i64, f64> =
            scored.best.into_iter().map(|(piece, score)| (piece, score.into())).collect();
        let (mut literal, mut named) = (HashMap::new(), HashSet::new());
        for ((phrase, must), pieces) in phrases.iter().zip(scored.phrases) {
            let found = self.gain(phrase, *must, pieces, &mut scores)?;
            named.extend(found.iter().filter(|(_, is_name)| *is_name).map(|(piece, _)| *piece));
            literal.insert(phrase.as_str(), found.into_iter().map(|(piece, _)| piece).collect::<HashSet<_>>());
        }
        if !query.phrases.is_empty() {
            let only = self.having_all(&query.phrases, &scores, &literal)?;
            scores.retain(|piece, _| only.contains(piece));
        }
        let literal = literal.into_values().flatten().collect();
        let mut pieces: Vec<_> = scores.into_iter().collect();
        pieces.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        pieces.truncate(MOST);
        let phrases = phrases.into_iter().map(|(phrase, _)| phrase).collect();
        Ok(Ranked {
            pieces,
            terms: terms.into_iter().map(|term| term.text).collect(),
            phrases,
            literal,
            named,
            corrected,
        })
    }

    /// The terms of a query that pieces have, the rarest; for one that none has, those that may have been meant.
    fn wanted(&self, query: &Query) -> Result<(Vec<Term>, bool), SearchError> {
        let quoted = query.phrases.iter().flat_map(|phrase| terms(phrase));
        let mut all: Vec<String> = terms(&query.text).chain(quoted).collect();
        let last = all.last().cloned().filter(|_| query.typing);
        let mut seen = HashSet::new();
        all.retain(|term| seen.insert(term.clone()));
        if all.iter().any(|term| !STOP_WORDS.contains(&term.as_str())) {
            all.retain(|term| !STOP_WORDS.contains(&term.as_str()));
        }
        let (mut found, mut corrected) = (Vec::new(), false);
        for term in all {
            if last.as_ref() == Some(&term) {
                found.push(self.unfinished(term)?);
                continue;
            }
            let count = frequency(self.tables, &term)?;
            // `slides` is no mistake where `slide` is known.
            if count > 0 || self.segments.has(self.tables, &stem(&term))? {
                found.push((count, Term::of(term)));
                continue;
            }
            for other in meant(self.tables, &term)? {
                corrected = true;
                found.push((frequency(self.tables, &other)?, Term::of(other)));
            }
        }
        found.sort_by_key(|(count, _)| *count);
        found.truncate(MOST_TERMS);
        Ok((found.into_iter().map(|(_, term)| term).collect(), corrected))
    }

    /// The words that begin as a term, and its stem.
    fn unfinished(&self, term: String) -> Result<(i64, Term), SearchError> {
        let words = beginning(self.tables, &term)?;
        let count = words.iter().map(|(_, count)| count).sum();
        let mut stems: Vec<_> = words.iter().map(|(word, _)| stem(word)).chain([stem(&term)]).collect();
        stems.sort_unstable();
        stems.dedup();
        Ok((count, Term { text: term, stems }))
    }

    /// Lifts pieces in which a phrase stands letter by letter, and returns them, each with whether the phrase is its name.
    fn gain(
        &self,
        phrase: &str,
        must: bool,
        pieces: Vec<(i64, f32)>,
        scores: &mut HashMap<i64, f64>,
    ) -> Result<Vec<(i64, bool)>, SearchError> {
        let wanted = fold(phrase);
        let mut literal = Vec::new();
        for (piece, score) in pieces {
            // They come best first: the others would be behind these.
            if literal.len() == MOST {
                break;
            }
            let found = self.standing(piece, &wanted)?;
            literal.extend(found.map(|is_name| (piece, is_name)));
            if must || found.is_some() {
                let gained = if found.is_some() { PHRASE_GAIN } else { 0.0 };
                *scores.entry(piece).or_insert_with(|| score.into()) += gained;
            }
        }
        Ok(literal)
    }

    /// Tells whether a piece or its headings have a folded text, and if so, whether that is the title or the last heading.
    fn standing(&self, piece: i64, folded: &str) -> Result<Option<bool>, SearchError> {
        let mut read = self.tables.prepare_cached(
            "SELECT document.title, chunk.headings, document.path || char(10) || chunk.text
             FROM chunk JOIN document ON document.id = chunk.document WHERE chunk.id = ?",
        )?;
        let fields: Option<[String; 3]> =
            read.query_row([piece], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?])).optional()?;
        let Some([title, headings, text]) = fields.map(|fields| fields.map(|field| fold(&field))) else {
            return Ok(None);
        };
        let is_name = [Some(title.as_str()), headings.rsplit(SEPARATOR).next()].contains(&Some(folded.trim()));
        let is_there = [title, headings, text].iter().any(|field| field.contains(folded));
        Ok(is_there.then_some(is_name))
    }

    /// The pieces that have all phrases letter by letter; of some that is known.
    fn having_all(
        &self,
        phrases: &[String],
        scores: &HashMap<i64, f64>,
        literal: &HashMap<&str, HashSet<i64>>,
    ) -> Result<HashSet<i64>, SearchError> {
        let mut kept: HashSet<i64> = scores.keys().copied().collect();
        for phrase in phrases {
            let (known, folded) = (literal.get(phrase.as_str()), fold(phrase));
            let mut having = HashSet::new();
            for piece in kept {
                if known.is_some_and(|known| known.contains(&piece)) || self.standing(piece, &folded)?.is_some() {
                    having.insert(piece);
                }
            }
            kept = having;
        }
        Ok(kept)
    }
}

/// A term to look for.
struct Term {
    text: String,
    stems: Vec<String>,
}

impl Term {
    fn of(text: String) -> Self {
        Self { stems: vec![stem(&text)], text }
    }
}

/// The stems of a text in order.
pub fn stems(text: &str) -> Vec<String> {
    terms(text).map(|term| stem(&term)).collect()
}

/// Texts that are looked for as they stand; whether they have to be there.
fn phrases_of(query: &Query) -> Vec<(String, bool)> {
    let quoted = query.phrases.iter().map(|phrase| (phrase.clone(), true));
    let whole =
        (1..=PHRASE_WORDS).contains(&query.text.split_whitespace().count()).then(|| (query.text.clone(), false));
    quoted.chain(whole).collect()
}
