//! The best of many.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Keeps so many of all that are offered: those with the highest scores, and of equals those with the lower numbers.
#[derive(Debug)]
pub struct Best {
    most: usize,
    heap: BinaryHeap<Reverse<(Ordered, Reverse<i64>)>>,
    least: f32,
}

impl Best {
    /// Keeps so many.
    pub fn new(most: usize) -> Self {
        let least = if most == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { most, heap: BinaryHeap::new(), least }
    }

    /// Tells whether one with this score and no lower number than those before has a chance.
    #[inline]
    pub fn takes(&self, score: f32) -> bool {
        score > self.least
    }

    /// Takes a number with its score, if it is among the best so far.
    pub fn put(&mut self, score: f32, number: i64) {
        if self.most == 0 {
            return;
        }
        self.heap.push(Reverse((Ordered(score), Reverse(number))));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
        if self.heap.len() == self.most {
            self.least = self.heap.peek().map_or(self.least, |Reverse((score, _))| score.0);
        }
    }

    /// Returns them, best first.
    pub fn sorted(self) -> Vec<(i64, f32)> {
        // The order of a heap is that of its last ones.
        self.heap.into_sorted_vec().into_iter().map(|Reverse((score, Reverse(number)))| (number, score.0)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_scores_stay_in_order() {
        let mut best = Best::new(3);
        for (score, number) in [(1.0, 1), (3.0, 2), (2.0, 3), (3.0, 4), (0.5, 5)] {
            if best.takes(score) {
                best.put(score, number);
            }
        }
        assert_eq!(best.sorted(), [(2, 3.0), (4, 3.0), (3, 2.0)]);
        let mut none = Best::new(0);
        none.put(1.0, 1);
        assert_eq!(none.sorted(), []);
    }
}
