//! Ranking by words.

use std::collections::{HashMap, HashSet};

use aside_store::sql::{Connection, OptionalExtension as _, ToSql};

use crate::{
    Condition, SearchError,
    filters::Conditions,
    near::{mistakes, nearest},
    query::Query,
    schema::SEPARATOR,
    text::{fold, terms},
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

/// Weights of title, headings, tags, path and text.
const WEIGHTS: &str = "3.0, 3.0, 3.0, 1.0, 1.0";

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

/// Ranks pieces by the words and phrases of a query.
pub fn ranked(tables: &Connection, query: &Query, conditions: &Conditions) -> Result<Ranked, SearchError> {
    let (wanted, corrected) = wanted(tables, query)?;
    let phrases = phrases_of(query);
    let mut scores = HashMap::new();
    if !wanted.is_empty() {
        let any = wanted.iter().map(|term| term.sql()).collect::<Vec<_>>().join(" OR ");
        scores = matching(tables, &any, conditions, MOST)?.into_iter().collect();
    }
    let (mut literal, mut named) = (HashSet::new(), HashSet::new());
    for (phrase, must) in &phrases {
        for (piece, is_name) in gain(tables, phrase, *must, conditions, &mut scores)? {
            literal.insert(piece);
            named.extend(is_name.then_some(piece));
        }
    }
    if let Some(only) = query.phrases.first().map(|_| having_all(tables, &query.phrases, &scores)).transpose()? {
        scores.retain(|piece, _| only.contains(piece));
    }
    for filter in &query.filters {
        if let (true, Condition::Text(text)) = (filter.without, &filter.what) {
            let without = documents_with(tables, text)?;
            let of = documents_of(tables, scores.keys().copied())?;
            scores.retain(|piece, _| of.get(piece).is_none_or(|document| !without.contains(document)));
        }
    }
    let mut pieces: Vec<_> = scores.into_iter().collect();
    pieces.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    pieces.truncate(MOST);
    let terms = wanted.into_iter().map(|term| term.text).collect();
    Ok(Ranked {
        pieces,
        terms,
        phrases: phrases.into_iter().map(|(phrase, _)| phrase).collect(),
        literal,
        named,
        corrected,
    })
}

/// A term to look for.
struct Term {
    text: String,
    /// Longer ones are meant too.
    prefix: bool,
}

impl Term {
    fn sql(&self) -> String {
        format!("\"{}\"{}", self.text, if self.prefix { "*" } else { "" })
    }
}

/// The terms of a query that pieces have, the rarest; for one that none has, those that may have been meant.
fn wanted(tables: &Connection, query: &Query) -> Result<(Vec<Term>, bool), SearchError> {
    let quoted = query.phrases.iter().flat_map(|phrase| terms(phrase));
    let mut all: Vec<String> = terms(&query.text).chain(quoted).collect();
    let last = all.last().cloned().filter(|_| query.typing);
    let mut seen = HashSet::new();
    all.retain(|term| seen.insert(term.clone()));
    if all.iter().any(|term| !STOP_WORDS.contains(&term.as_str())) {
        all.retain(|term| !STOP_WORDS.contains(&term.as_str()));
    }
    let pieces: i64 = tables.prepare_cached("SELECT count(*) FROM chunk")?.query_row((), |row| row.get(0))?;
    let mut found = Vec::new();
    let mut corrected = false;
    for term in all {
        let typed = last.as_ref() == Some(&term);
        let count = match frequency(tables, &term)? {
            0 => frequency_of_forms(tables, &term)?,
            count => count,
        };
        if count == 0 && !typed {
            for other in meant(tables, &term)? {
                corrected = true;
                found.push((frequency(tables, &other)?, Term { text: other, prefix: false }));
            }
        } else {
            found.push((count, Term { prefix: typed, text: term }));
        }
    }
    found.sort_by_key(|(count, _)| *count);
    let frequent = |count: i64| count > pieces / 10;
    let keep = found.iter().filter(|(count, term)| !frequent(*count) || term.prefix).count().clamp(1, MOST_TERMS);
    found.truncate(if pieces > 2_000 { keep } else { MOST_TERMS });
    Ok((found.into_iter().map(|(_, term)| term).collect(), corrected))
}

/// Returns how many pieces have a term, as it is written.
pub fn frequency(tables: &Connection, term: &str) -> Result<i64, SearchError> {
    let mut count = tables.prepare_cached("SELECT doc FROM vocabulary WHERE term = ?")?;
    Ok(count.query_row([term], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// How many pieces have a word of the same stem, counted up to a bound: `slides` is no mistake where `slide` is known.
fn frequency_of_forms(tables: &Connection, term: &str) -> Result<i64, SearchError> {
    let mut count = tables.prepare_cached(&format!(
        "SELECT count(*) FROM (SELECT 1 FROM word WHERE word MATCH ? LIMIT {MOST_PHRASES})"
    ))?;
    Ok(count.query_row([format!("\"{term}\"")], |row| row.get(0))?)
}

/// Known terms that begin as it, else those that begin with its second letter: the first two may be swapped.
fn meant(tables: &Connection, term: &str) -> Result<Vec<String>, SearchError> {
    if mistakes(term).is_none() || !term.starts_with(|letter: char| letter.is_alphabetic()) {
        return Ok(Vec::new());
    }
    for first in term.chars().take(2) {
        let mut known = tables.prepare_cached("SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?")?;
        let next = char::from_u32(first as u32 + 1).unwrap_or(char::MAX);
        let rows = known.query_map([first.to_string(), next.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let near = nearest(term, rows.collect::<Result<Vec<_>, _>>()?);
        if !near.is_empty() {
            return Ok(near);
        }
    }
    Ok(Vec::new())
}

/// Texts that are looked for as they stand; whether they have to be there.
fn phrases_of(query: &Query) -> Vec<(String, bool)> {
    let quoted = query.phrases.iter().map(|phrase| (phrase.clone(), true));
    let whole =
        (1..=PHRASE_WORDS).contains(&query.text.split_whitespace().count()).then(|| (query.text.clone(), false));
    quoted.chain(whole).collect()
}

/// Pieces that an expression of FTS5 matches, with their scores.
pub fn matching(
    tables: &Connection,
    any: &str,
    conditions: &Conditions,
    most: usize,
) -> Result<Vec<(i64, f64)>, SearchError> {
    let join = if conditions.sql.is_empty() {
        ""
    } else {
        "JOIN chunk ON chunk.id = word.rowid JOIN document ON document.id = chunk.document"
    };
    let sql = format!(
        "SELECT word.rowid, -bm25(word, {WEIGHTS}) AS score FROM word {join} WHERE word MATCH ?{} ORDER BY score DESC, word.rowid LIMIT {most}",
        conditions.sql
    );
    let values = conditions.values(&[&any as &dyn ToSql]);
    let mut found = tables.prepare_cached(&sql)?;
    let rows = found.query_map(values.as_slice(), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Lifts pieces that have a phrase letter by letter, and returns them, each with whether the phrase is its name.
fn gain(
    tables: &Connection,
    phrase: &str,
    must: bool,
    conditions: &Conditions,
    scores: &mut HashMap<i64, f64>,
) -> Result<Vec<(i64, bool)>, SearchError> {
    let row: Vec<String> = terms(phrase).collect();
    let mut literal = Vec::new();
    if row.is_empty() {
        return Ok(literal);
    }
    let sequence = format!("\"{}\"", row.join(" "));
    let wanted = fold(phrase);
    for (piece, score) in matching(tables, &sequence, conditions, MOST_PHRASES)? {
        let known = scores.get(&piece).copied();
        let found = standing(tables, piece, &wanted)?;
        let is_literal = found.is_some();
        literal.extend(found.map(|is_name| (piece, is_name)));
        if must || known.is_some() || is_literal {
            let gained = if is_literal { PHRASE_GAIN } else { 0.0 };
            scores.insert(piece, known.unwrap_or(score) + gained);
        }
    }
    Ok(literal)
}

/// Tells whether a piece or its headings have a folded text, and if so, whether that is the title or the last heading.
fn standing(tables: &Connection, piece: i64, folded: &str) -> Result<Option<bool>, SearchError> {
    let mut read = tables.prepare_cached(
        "SELECT document.title, chunk.headings, document.path || char(10) || chunk.text
         FROM chunk JOIN document ON document.id = chunk.document WHERE chunk.id = ?",
    )?;
    let fields: Option<[String; 3]> =
        read.query_row([piece], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?])).optional()?;
    let Some([title, headings, text]) = fields.map(|fields| fields.map(|field| fold(&field))) else { return Ok(None) };
    let is_name = [Some(title.as_str()), headings.rsplit(SEPARATOR).next()].contains(&Some(folded.trim()));
    let is_there = [title, headings, text].iter().any(|field| field.contains(folded));
    Ok(is_there.then_some(is_name))
}

fn having_all(
    tables: &Connection,
    phrases: &[String],
    scores: &HashMap<i64, f64>,
) -> Result<HashSet<i64>, SearchError> {
    let folded: Vec<_> = phrases.iter().map(|phrase| fold(phrase)).collect();
    let mut kept = HashSet::new();
    for piece in scores.keys() {
        let mut all = true;
        for phrase in &folded {
            all = all && standing(tables, *piece, phrase)?.is_some();
        }
        if all {
            kept.insert(*piece);
        }
    }
    Ok(kept)
}

/// Documents in which a word or phrase stands.
pub fn documents_with(tables: &Connection, text: &str) -> Result<HashSet<i64>, SearchError> {
    let row: Vec<String> = terms(text).collect();
    if row.is_empty() {
        return Ok(HashSet::new());
    }
    let mut read = tables.prepare_cached(
        "SELECT DISTINCT chunk.document FROM word JOIN chunk ON chunk.id = word.rowid WHERE word MATCH ?",
    )?;
    let rows = read.query_map([format!("\"{}\"", row.join(" "))], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn documents_of(tables: &Connection, pieces: impl Iterator<Item = i64>) -> Result<HashMap<i64, i64>, SearchError> {
    let mut read = tables.prepare_cached("SELECT document FROM chunk WHERE id = ?")?;
    let mut all = HashMap::new();
    for piece in pieces {
        all.insert(piece, read.query_row([piece], |row| row.get(0))?);
    }
    Ok(all)
}
