//! The pieces of a segment, each with its row.

use super::code;

/// Pieces of a segment. The rows count from 0 in the order of their numbers.
#[derive(Debug, Default)]
pub struct Pieces {
    /// Their numbers, rising.
    pub ids: Vec<i64>,
    /// The documents that they are of.
    pub documents: Vec<i64>,
    /// How many words they have.
    pub lengths: Vec<u16>,
    /// Whether each is still there.
    pub live: Vec<bool>,
}

impl Pieces {
    /// Adds a piece with a number above all before.
    pub fn add(&mut self, id: i64, document: i64, length: u16) {
        self.ids.push(id);
        self.documents.push(document);
        self.lengths.push(length);
        self.live.push(true);
    }

    /// Returns the row of a piece.
    pub fn row(&self, id: i64) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Returns how many are not gone.
    pub fn live(&self) -> usize {
        self.live.iter().filter(|live| **live).count()
    }

    /// Returns how many words the pieces have that are not gone.
    pub fn words(&self) -> u64 {
        self.lengths.iter().zip(&self.live).filter(|(_, live)| **live).map(|(length, _)| u64::from(*length)).sum()
    }

    /// Adds the pieces of another segment that are not gone, and returns the new row of each.
    pub fn add_live(&mut self, other: &Self) -> Vec<Option<u32>> {
        let mut rows = Vec::with_capacity(other.ids.len());
        for row in 0..other.ids.len() {
            rows.push(other.live[row].then(|| u32::try_from(self.ids.len()).unwrap_or(u32::MAX)));
            if other.live[row] {
                self.add(other.ids[row], other.documents[row], other.lengths[row]);
            }
        }
        rows
    }

    /// Writes them as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (mut last_id, mut last_document) = (0, 0);
        for ((id, document), length) in self.ids.iter().zip(&self.documents).zip(&self.lengths) {
            code::put(&mut bytes, (id - last_id).unsigned_abs());
            code::put(&mut bytes, (document - last_document).unsigned_abs());
            code::put(&mut bytes, u64::from(*length));
            (last_id, last_document) = (*id, *document);
        }
        bytes
    }

    /// Reads them; the rest of torn bytes is left out.
    pub fn of_bytes(mut bytes: &[u8]) -> Self {
        let mut pieces = Self::default();
        let (mut id, mut document) = (0_i64, 0_i64);
        while let Some(number) = code::take(&mut bytes) {
            let (Some(of), Some(length)) = (code::take(&mut bytes), code::take(&mut bytes)) else { break };
            id = id.saturating_add_unsigned(number);
            document = document.saturating_add_unsigned(of);
            pieces.add(id, document, u16::try_from(length).unwrap_or(u16::MAX));
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_survive_as_bytes_without_the_gone() {
        let mut pieces = Pieces::default();
        for (id, document, length) in [(3, 1, 9), (700, 1, 400), (701, 8, 0)] {
            pieces.add(id, document, length);
        }
        pieces.live[1] = false;
        let mut others = Pieces::default();
        assert_eq!(others.add_live(&Pieces::of_bytes(&pieces.to_bytes())), [Some(0), Some(1), Some(2)]);
        let mut next = Pieces::default();
        assert_eq!(next.add_live(&pieces), [Some(0), None, Some(1)]);
        assert_eq!((next.ids, next.documents, pieces.words()), (vec![3, 701], vec![1, 8], 9));
        assert_eq!((others.row(700), others.row(5)), (Some(1), None));
    }
}
