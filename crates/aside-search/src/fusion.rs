//! One ranking out of two: by words and by meaning.

use std::collections::{HashMap, HashSet};

use crate::{Query, Why, lexical::Ranked, text::is_unspaced};

/// The constant of reciprocal rank fusion: small, as both lists are good at their beginnings.
const K: f64 = 5.0;
/// The weight of meaning beside corrected words: a model reads mistyped words as others.
const WEIGHT_OF_MISTYPED: f64 = 0.3;

/// Returns the weight of meaning for a query, beside 1 of words. It has none if quoted words have to be there, and for scripts without spaces,
/// which small models don't read.
pub fn weight_of_meaning(query: &Query, found: &Ranked) -> f64 {
    if !query.phrases.is_empty() || query.text.contains(is_unspaced) {
        return 0.0;
    }
    if found.corrected { WEIGHT_OF_MISTYPED } else { 1.0 }
}

/// Joins two rankings, best first: pieces whose title or heading is the query, those that have it letter by letter, then all by the sum of their
/// reciprocal ranks.
pub fn fused(found: &Ranked, near: &[(i64, f32)], weight: f64) -> Vec<(i64, Why)> {
    let mut scores: HashMap<i64, f64> = HashMap::new();
    let words = found.pieces.iter().map(|(piece, _)| *piece);
    let meanings = near.iter().map(|(piece, _)| *piece);
    for (rank, piece) in (1..).zip(words.clone()) {
        *scores.entry(piece).or_default() += 1.0 / (K + f64::from(rank));
    }
    for (rank, piece) in (1..).zip(meanings.clone()) {
        *scores.entry(piece).or_default() += weight / (K + f64::from(rank));
    }
    let (words, meanings): (HashSet<i64>, HashSet<i64>) = (words.collect(), meanings.collect());
    let certain = |piece: &i64| (found.named.contains(piece), found.literal.contains(piece));
    let mut all: Vec<_> = scores.into_iter().map(|(piece, score)| (certain(&piece), score, piece)).collect();
    all.sort_by(|one, other| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)).then(one.2.cmp(&other.2)));
    let why = |piece: &i64| match (words.contains(piece), meanings.contains(piece)) {
        (true, true) => Why::Both,
        (false, true) => Why::Meaning,
        _ => Why::Words,
    };
    all.into_iter().map(|(_, _, piece)| (piece, why(&piece))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(pieces: &[i64], literal: &[i64]) -> Ranked {
        let pieces = pieces.iter().map(|piece| (*piece, 1.0)).collect();
        Ranked { pieces, literal: literal.iter().copied().collect(), ..Ranked::default() }
    }

    #[test]
    fn pieces_of_both_lists_come_first() {
        let order = fused(&ranked(&[1, 2], &[]), &[(3, 0.9), (2, 0.8)], 1.0);
        assert_eq!(order, [(2, Why::Both), (1, Why::Words), (3, Why::Meaning)]);
    }

    #[test]
    fn literal_matches_precede_all_others() {
        let order = fused(&ranked(&[1, 2], &[2]), &[(1, 0.9)], 1.0);
        assert_eq!(order[0], (2, Why::Words));
        let named = Ranked { named: [3].into(), ..ranked(&[1, 2, 3], &[2, 3]) };
        assert_eq!(fused(&named, &[(1, 0.9)], 1.0)[0], (3, Why::Words));
    }

    #[test]
    fn meaning_has_no_weight_beside_certain_words() {
        let weight = |text: &str, corrected| {
            let found = Ranked { corrected, ..Ranked::default() };
            weight_of_meaning(&Query::parse(text).unwrap(), &found)
        };
        assert_eq!([weight("\"sea level\"", false), weight("Rustの所有権", false)], [0.0; 2]);
        assert_eq!((weight("tidse", true), weight("sea level", false)), (0.3, 1.0));
    }
}
