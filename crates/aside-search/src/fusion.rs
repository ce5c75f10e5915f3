//! One ranking out of two: by words and by meaning.

use std::collections::{HashMap, HashSet};

use crate::{Query, Why, lexical::Ranked};

/// The constant of reciprocal rank fusion: small, as both lists are good at their beginnings.
const K: f64 = 10.0;

/// Tells whether meaning has a say in a query: not if quoted words have to be there, or mistyped ones were corrected.
pub fn counts_meaning(query: &Query, found: &Ranked) -> bool {
    query.phrases.is_empty() && !found.corrected
}

/// Joins two rankings, best first: pieces that have the query letter by letter, then all by the sum of their reciprocal ranks.
pub fn fused(found: &Ranked, near: &[(i64, f32)]) -> Vec<(i64, Why)> {
    let mut scores: HashMap<i64, f64> = HashMap::new();
    let words = found.pieces.iter().map(|(piece, _)| *piece);
    let meanings = near.iter().map(|(piece, _)| *piece);
    for (rank, piece) in (1..).zip(words.clone()).chain((1..).zip(meanings.clone())) {
        *scores.entry(piece).or_default() += 1.0 / (K + f64::from(rank));
    }
    let (words, meanings): (HashSet<i64>, HashSet<i64>) = (words.collect(), meanings.collect());
    let mut all: Vec<_> =
        scores.into_iter().map(|(piece, score)| (found.literal.contains(&piece), score, piece)).collect();
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
        let order = fused(&ranked(&[1, 2], &[]), &[(3, 0.9), (2, 0.8)]);
        assert_eq!(order, [(2, Why::Both), (1, Why::Words), (3, Why::Meaning)]);
    }

    #[test]
    fn literal_matches_precede_all_others() {
        let order = fused(&ranked(&[1, 2], &[2]), &[(1, 0.9)]);
        assert_eq!(order[0], (2, Why::Words));
    }

    #[test]
    fn quoted_and_corrected_words_decide_alone() {
        let quoted = Query { phrases: vec!["a".to_owned()], ..Query::default() };
        assert!(!counts_meaning(&quoted, &Ranked::default()));
        assert!(!counts_meaning(&Query::default(), &Ranked { corrected: true, ..Ranked::default() }));
        assert!(counts_meaning(&Query::default(), &Ranked::default()));
    }
}
