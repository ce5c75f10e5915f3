//! Scores of pieces by words: BM25, as SQLite's FTS5 counts it, with the weights of fields.

use aside_store::sql::Connection;

use super::{Segments, places::rows_with, rows::PostingSource, segment::Pieces};
use crate::{SearchError, best::Best};

/// How soon more of a word says no more.
const SATURATION: f32 = 1.2;
/// How much longer pieces count less.
const BY_LENGTH: f32 = 0.75;

/// A word to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedWord {
    /// The stems that stand for it: one, or those of all words that begin with it.
    pub stems: Vec<String>,
}

/// The pieces that have words, and those in which phrases stand.
#[derive(Debug, Default)]
pub struct Scored {
    /// The best by their words.
    pub best: Vec<(i64, f32)>,
    /// The best in which each of the phrases stands.
    pub phrases: Vec<Vec<(i64, f32)>>,
}

impl Segments {
    /// Scores all pieces of the documents that are let through, and returns the best.
    pub fn scored(
        &self,
        tables: &Connection,
        wanted: &[SearchedWord],
        phrases: &[Vec<String>],
        most: (usize, usize),
        admits: impl Fn(i64) -> bool,
    ) -> Result<Scored, SearchError> {
        let (pieces, words) = self.size();
        let mut rarities = Vec::new();
        for word in wanted {
            rarities.push(rarity(self.frequency(tables, &word.stems)?, pieces));
        }
        #[expect(clippy::cast_precision_loss, reason = "counts")]
        let mean = (words as f32 / pieces.max(1) as f32).max(1.0);
        let mut best = Best::new(most.0);
        let mut best_of_phrase: Vec<_> = phrases.iter().map(|_| Best::new(most.1)).collect();
        for (source, pieces) in self.parts() {
            let scores = scores(source, tables, pieces, wanted, &rarities, mean)?;
            let admitted = |row: usize| pieces.live[row] && admits(pieces.documents[row]);
            for (row, score) in scores.iter().enumerate() {
                if *score > 0.0 && best.takes(*score) && admitted(row) {
                    best.put(*score, pieces.ids[row]);
                }
            }
            for (phrase, best) in phrases.iter().zip(&mut best_of_phrase) {
                for row in rows_with(source, tables, phrase)? {
                    let row = row as usize;
                    let score = scores.get(row).copied().unwrap_or_default();
                    if best.takes(score) && row < scores.len() && admitted(row) {
                        best.put(score, pieces.ids[row]);
                    }
                }
            }
        }
        Ok(Scored { best: best.sorted(), phrases: best_of_phrase.into_iter().map(Best::sorted).collect() })
    }

    /// Returns how many pieces have some stems, nearly: those that are gone count until their segment is written again.
    pub fn frequency(&self, tables: &Connection, stems: &[String]) -> Result<u64, SearchError> {
        let mut count = 0;
        for (source, _) in self.parts() {
            for stem in stems {
                count += source.count(tables, stem)?;
            }
        }
        Ok(count)
    }

    /// Tells whether a piece that is not gone has a stem.
    pub fn has(&self, tables: &Connection, stem: &str) -> Result<bool, SearchError> {
        for (source, pieces) in self.parts() {
            let mut found = false;
            source.weights(tables, stem, |(row, _)| found |= pieces.live.get(row as usize) == Some(&true))?;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The weight of a word by the share of pieces that have it; frequent ones have nearly none.
fn rarity(frequency: u64, pieces: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "counts of pieces")]
    let (frequency, pieces) = ((frequency as f32).min(pieces as f32), pieces as f32);
    ((pieces - frequency + 0.5) / (frequency + 0.5)).ln().max(1e-6)
}

/// The score of each row of a segment.
fn scores(
    source: PostingSource<'_>,
    tables: &Connection,
    pieces: &Pieces,
    wanted: &[SearchedWord],
    rarities: &[f32],
    mean: f32,
) -> Result<Vec<f32>, SearchError> {
    let damping: Vec<f32> = pieces
        .lengths
        .iter()
        .map(|length| SATURATION * (1.0 - BY_LENGTH + BY_LENGTH * f32::from(*length) / mean))
        .collect();
    let mut scores = vec![0.0; pieces.ids.len()];
    for (word, rarity) in wanted.iter().zip(rarities) {
        let gain = |weight: f32, damping: f32| rarity * weight * (SATURATION + 1.0) / (weight + damping);
        if let [stem] = word.stems.as_slice() {
            source.weights(tables, stem, |(row, weight)| {
                if let (Some(score), Some(damping)) = (scores.get_mut(row as usize), damping.get(row as usize)) {
                    *score += gain(f32::from(weight), *damping);
                }
            })?;
            continue;
        }
        // A piece that has several of these stems has the word as often.
        let mut sums = vec![0_u16; scores.len()];
        for stem in &word.stems {
            source.weights(tables, stem, |(row, weight)| {
                if let Some(sum) = sums.get_mut(row as usize) {
                    *sum = sum.saturating_add(weight.into());
                }
            })?;
        }
        for ((score, damping), sum) in scores.iter_mut().zip(&damping).zip(sums) {
            if sum > 0 {
                *score += gain(f32::from(sum), *damping);
            }
        }
    }
    Ok(scores)
}
