//! Vectors of pieces in memory, one byte a number: 384 numbers of 100,000 pieces are 38 MB, and are looked through in some milliseconds.

use std::{cmp::Reverse, collections::BinaryHeap, collections::HashMap};

/// A vector as it is kept: each number times `scale` is near the original's.
#[derive(Clone, Debug, PartialEq)]
pub struct Small {
    /// The numbers, from -127 to 127.
    pub numbers: Vec<i8>,
    /// By which they are to be multiplied.
    pub scale: f32,
}

impl Small {
    /// Makes a vector small.
    pub fn of(vector: &[f32]) -> Self {
        let most = vector.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        let scale = if most > 0.0 { most / 127.0 } else { 1.0 };
        #[expect(clippy::cast_possible_truncation, reason = "from -127 to 127; what is no number becomes 0")]
        let numbers = vector.iter().map(|number| (number / scale).round() as i8).collect();
        Self { numbers, scale }
    }
}

/// Vectors of pieces, all of one length.
#[derive(Debug, Default)]
pub struct Vectors {
    length: usize,
    numbers: Vec<i8>,
    scales: Vec<f32>,
    pieces: Vec<i64>,
    rows: HashMap<i64, usize>,
}

impl Vectors {
    /// Makes room for vectors of a length.
    pub fn new(length: usize) -> Self {
        Self { length, ..Self::default() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Puts a piece's vector in; one of another length is left out.
    pub fn put(&mut self, piece: i64, vector: &Small) {
        if vector.numbers.len() != self.length {
            return;
        }
        self.remove(piece);
        self.rows.insert(piece, self.pieces.len());
        self.pieces.push(piece);
        self.scales.push(vector.scale);
        self.numbers.extend(&vector.numbers);
    }

    /// Takes a piece's vector out, if it has one. The last one takes its row.
    pub fn remove(&mut self, piece: i64) {
        let Some(row) = self.rows.remove(&piece) else { return };
        let last = self.pieces.len() - 1;
        self.pieces.swap_remove(row);
        self.scales.swap_remove(row);
        self.numbers.copy_within(last * self.length.., row * self.length);
        self.numbers.truncate(last * self.length);
        if let Some(moved) = self.pieces.get(row) {
            self.rows.insert(*moved, row);
        }
    }

    /// Returns the nearest pieces that may be found, best first, with the cosine of the angle between the two.
    pub fn nearest(&self, vector: &[f32], most: usize, may: impl Fn(i64) -> bool) -> Vec<(i64, f32)> {
        if vector.len() != self.length || most == 0 || self.length == 0 {
            return Vec::new();
        }
        let wanted = Small::of(vector);
        let mut best: BinaryHeap<Reverse<(Ordered, Reverse<i64>)>> = BinaryHeap::with_capacity(most + 1);
        for ((row, scale), piece) in self.numbers.chunks_exact(self.length).zip(&self.scales).zip(&self.pieces) {
            #[expect(clippy::cast_precision_loss, reason = "a rounding below that of the numbers")]
            let near = Ordered(dot(row, &wanted.numbers) as f32 * scale * wanted.scale);
            let worse = best.len() == most && best.peek().is_some_and(|Reverse((worst, _))| near <= *worst);
            if worse || !may(*piece) {
                continue;
            }
            best.push(Reverse((near, Reverse(*piece))));
            if best.len() > most {
                best.pop();
            }
        }
        let mut found: Vec<_> = best.into_iter().map(|Reverse((near, Reverse(piece)))| (piece, near.0)).collect();
        found.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        found
    }
}

/// A number with an order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ordered(f32);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Written so that compilers make vector instructions of it.
fn dot(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_come_first_and_removed_never() {
        let mut vectors = Vectors::new(2);
        for (piece, vector) in [(1, [1.0, 0.0]), (2, [0.6, 0.8]), (3, [0.0, 1.0]), (4, [-1.0, 0.0])] {
            vectors.put(piece, &Small::of(&vector));
        }
        let found = |vectors: &Vectors, most| -> Vec<i64> {
            vectors.nearest(&[1.0, 0.1], most, |piece| piece != 3).into_iter().map(|(piece, _)| piece).collect()
        };
        assert_eq!(found(&vectors, 2), [1, 2]);
        vectors.remove(1);
        assert_eq!(found(&vectors, 9), [2, 4]);
        vectors.put(2, &Small::of(&[-1.0, -1.0]));
        vectors.put(5, &Small::of(&[1.0]));
        assert_eq!(found(&vectors, 9), [4, 2]);
        assert_eq!(vectors.count(), 3);
    }

    proptest::proptest! {
        #[test]
        fn small_vectors_keep_their_angles(one in proptest::collection::vec(-1.0f32..1.0, 32), other in proptest::collection::vec(-1.0f32..1.0, 32)) {
            let length = |vector: &[f32]| vector.iter().map(|number| number * number).sum::<f32>().sqrt();
            let exact: f32 = one.iter().zip(&other).map(|(a, b)| a * b).sum();
            let mut vectors = Vectors::new(32);
            vectors.put(1, &Small::of(&other));
            let found = vectors.nearest(&one, 1, |_| true)[0].1;
            proptest::prop_assert!((found - exact).abs() <= 0.02 * length(&one) * length(&other) + 0.01);
        }
    }
}
