//! Vectors of pieces in memory, one byte a number: 384 numbers of 100,000 pieces are 38 MB, and are looked through in some milliseconds.

use std::collections::HashMap;

use crate::{best::Best, dot::products};

/// A vector as it is kept: each number times `scale` is near the original's.
#[derive(Clone, Debug, PartialEq)]
pub struct Small {
    /// The numbers, from -127 to 127.
    pub numbers: Vec<i8>,
    /// The factor of the numbers.
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

/// A piece and the document that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChunkKey {
    /// The row of the piece.
    pub id: i64,
    /// The row of its document.
    pub document: i64,
}

/// Vectors of pieces, all of one length.
#[derive(Debug, Default)]
pub struct Vectors {
    length: usize,
    numbers: Vec<i8>,
    scales: Vec<f32>,
    pieces: Vec<ChunkKey>,
    rows: HashMap<i64, usize>,
}

impl Vectors {
    /// Makes room for so many.
    pub fn with_room(count: usize) -> Self {
        let (scales, pieces) = (Vec::with_capacity(count), Vec::with_capacity(count));
        Self { scales, pieces, rows: HashMap::with_capacity(count), ..Self::default() }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Puts a piece's vector in. The first one says how long all are; one of another length is left out.
    pub fn put(&mut self, piece: ChunkKey, vector: &Small) {
        if self.pieces.is_empty() {
            self.length = vector.numbers.len();
            self.numbers.reserve_exact(self.length * self.pieces.capacity());
        }
        if vector.numbers.len() != self.length {
            return;
        }
        self.remove(piece.id);
        self.rows.insert(piece.id, self.pieces.len());
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
            self.rows.insert(moved.id, row);
        }
    }

    /// Returns the mean direction of some pieces, as far as they have vectors.
    pub fn mean(&self, pieces: impl IntoIterator<Item = i64>) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.length];
        let mut count = 0;
        for row in pieces.into_iter().filter_map(|piece| self.rows.get(&piece)) {
            let numbers = &self.numbers[row * self.length..(row + 1) * self.length];
            for (sum, number) in sum.iter_mut().zip(numbers) {
                *sum += f32::from(*number) * self.scales[*row];
            }
            count += 1;
        }
        (count > 0).then_some(sum)
    }

    /// Returns the nearest pieces that may be found, best first, with the product of the two vectors: for those of length 1, the cosine of the
    /// angle between them.
    pub fn nearest(&self, vector: &[f32], most: usize, may: impl Fn(ChunkKey) -> bool) -> Vec<(ChunkKey, f32)> {
        if vector.len() != self.length || most == 0 || self.length == 0 {
            return Vec::new();
        }
        let wanted = Small::of(vector);
        let products = products(&self.numbers, &wanted.numbers);
        let mut best = Best::new(most);
        for (row, (product, scale)) in products.into_iter().zip(&self.scales).enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a rounding below that of the numbers")]
            let near = product as f32 * scale;
            if best.takes(near) && may(self.pieces[row]) {
                best.put(near, self.pieces[row].id);
            }
        }
        let piece = |(id, near): (i64, f32)| Some((self.pieces[*self.rows.get(&id)?], near * wanted.scale));
        best.sorted().into_iter().filter_map(piece).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_one(id: i64) -> ChunkKey {
        ChunkKey { id, document: 1 }
    }

    #[test]
    fn nearest_come_first_and_removed_never() {
        let mut vectors = Vectors::default();
        for (piece, vector) in [(1, [1.0, 0.0]), (2, [0.6, 0.8]), (3, [0.0, 1.0]), (4, [-1.0, 0.0])] {
            vectors.put(of_one(piece), &Small::of(&vector));
        }
        let found = |vectors: &Vectors, most| -> Vec<i64> {
            vectors.nearest(&[1.0, 0.1], most, |piece| piece.id != 3).into_iter().map(|(piece, _)| piece.id).collect()
        };
        assert_eq!(found(&vectors, 2), [1, 2]);
        vectors.remove(1);
        assert_eq!(found(&vectors, 9), [2, 4]);
        vectors.put(of_one(2), &Small::of(&[-1.0, -1.0]));
        vectors.put(of_one(5), &Small::of(&[1.0]));
        assert_eq!(found(&vectors, 9), [4, 2]);
        assert_eq!(vectors.count(), 3);
    }

    #[test]
    fn mean_leaves_out_pieces_without_vectors() {
        let mut vectors = Vectors::default();
        vectors.put(of_one(1), &Small::of(&[1.0, 0.0]));
        vectors.put(of_one(2), &Small::of(&[0.0, 1.0]));
        let mean = vectors.mean([1, 2, 7]).unwrap();
        assert!(mean.iter().all(|number| (number - 1.0).abs() < 0.01), "{mean:?}");
        assert_eq!(vectors.mean([7]), None);
    }

    proptest::proptest! {
        #[test]
        fn small_vectors_keep_their_angles(one in proptest::collection::vec(-1.0f32..1.0, 32), other in proptest::collection::vec(-1.0f32..1.0, 32)) {
            let length = |vector: &[f32]| vector.iter().map(|number| number * number).sum::<f32>().sqrt();
            let exact: f32 = one.iter().zip(&other).map(|(a, b)| a * b).sum();
            let mut vectors = Vectors::default();
            vectors.put(of_one(1), &Small::of(&other));
            let found = vectors.nearest(&one, 1, |_| true)[0].1;
            proptest::prop_assert!((found - exact).abs() <= 0.02 * length(&one) * length(&other) + 0.01);
        }
    }
}
