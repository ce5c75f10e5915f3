//! The words of the index as they are written, with the number of pieces that have each: for mistyped and unfinished words.

use std::{collections::HashMap, ops::RangeInclusive};

use aside_store::sql::{Connection, OptionalExtension as _, Transaction, params};

use crate::{
    SearchError,
    near::{mistakes, nearest},
};

/// Words that stand for an unfinished one at most: the most frequent.
const MOST_ENDINGS: usize = 50;

/// Changes of the numbers of pieces.
#[derive(Debug, Default)]
pub struct SpellingChanges(HashMap<String, i64>);

impl SpellingChanges {
    /// Counts the words of a piece, that comes (1) or goes (-1).
    pub fn count(&mut self, words: impl IntoIterator<Item = String>, by: i64) {
        for word in words {
            *self.0.entry(word).or_default() += by;
        }
    }

    /// Writes them.
    pub fn write(self, change: &Transaction<'_>) -> Result<(), SearchError> {
        let mut add = change.prepare_cached(
            "INSERT INTO spelling (word, pieces) VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET pieces = pieces + excluded.pieces",
        )?;
        let mut forget = change.prepare_cached("DELETE FROM spelling WHERE word = ? AND pieces <= 0")?;
        let mut changes: Vec<_> = self.0.into_iter().filter(|(_, by)| *by != 0).collect();
        // In the order of the table, so that each of its pages is written once.
        changes.sort_unstable();
        for (word, by) in changes {
            add.execute(params![word, by])?;
            if by < 0 {
                forget.execute([word])?;
            }
        }
        Ok(())
    }
}

/// Returns how many pieces have a word, as it is written.
pub fn frequency(tables: &Connection, word: &str) -> Result<i64, SearchError> {
    let mut count = tables.prepare_cached("SELECT pieces FROM spelling WHERE word = ?")?;
    Ok(count.query_row([word], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Returns the most frequent words that begin so, with the numbers of pieces.
pub fn beginning(tables: &Connection, start: &str) -> Result<Vec<(String, i64)>, SearchError> {
    let mut words = between(tables, start, 0..=i64::MAX)?;
    words.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    words.truncate(MOST_ENDINGS);
    Ok(words)
}

/// Returns known words that may have been meant by a mistyped one: those that begin as it, else with its second letter, as the first two may be swapped.
pub fn meant(tables: &Connection, word: &str) -> Result<Vec<String>, SearchError> {
    let Some(most) = mistakes(word).filter(|_| word.starts_with(|letter: char| letter.is_alphabetic())) else {
        return Ok(Vec::new());
    };
    let length = |letters: usize| i64::try_from(letters).unwrap_or(i64::MAX);
    let letters = word.chars().count();
    let lengths = length(letters - most)..=length(letters + most);
    for first in word.chars().take(2) {
        let near = nearest(word, between(tables, first.encode_utf8(&mut [0; 4]), lengths.clone())?);
        if !near.is_empty() {
            return Ok(near);
        }
    }
    Ok(Vec::new())
}

/// The words that begin so and have so many letters.
fn between(tables: &Connection, start: &str, letters: RangeInclusive<i64>) -> Result<Vec<(String, i64)>, SearchError> {
    let mut read = tables.prepare_cached(
        "SELECT word, pieces FROM spelling WHERE word >= ?1 AND word < ?1 || char(1114111) AND length(word) BETWEEN ?2 AND ?3",
    )?;
    let rows = read.query_map(params![start, letters.start(), letters.end()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
