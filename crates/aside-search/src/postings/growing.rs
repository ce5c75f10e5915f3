//! The postings of one stem in one segment.
//!
//! ```text
//! pieces: (row - row before, weight) …      weight: one byte
//! places: (bytes of the places, place - place before …) …      for each of the pieces
//! ```

use super::code;

/// Postings to which pieces are added, in rising rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growing {
    /// How many pieces there are.
    pub count: u32,
    /// Rows and weights.
    pub pieces: Vec<u8>,
    /// Where the stem stands in each of them.
    pub places: Vec<u8>,
    /// The last row, while pieces are added.
    pub last: u32,
}

impl Growing {
    /// Adds a piece; its row is above all before.
    pub fn add(&mut self, row: u32, weight: u8, places: &[u8]) {
        code::put(&mut self.pieces, u64::from(row - self.last));
        self.pieces.push(weight);
        code::put(&mut self.places, places.len() as u64);
        self.places.extend_from_slice(places);
        self.last = row;
        self.count += 1;
    }

    /// Adds the pieces of other postings that have a row here.
    pub fn add_all(&mut self, pieces: &[u8], mut places: &[u8], row_of: &[Option<u32>]) {
        for (row, weight) in Weights::of(pieces) {
            let Some(bytes) = next_places(&mut places) else { return };
            if let Some(row) = row_of.get(row as usize).copied().flatten() {
                self.add(row, weight, bytes);
            }
        }
    }
}

/// Takes the places of the next piece, as bytes.
#[inline]
pub fn next_places<'a>(places: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(code::take(places)?).ok()?;
    code::take_bytes(places, length)
}

/// Writes places in rising order as bytes.
pub fn place_bytes(places: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(places.len());
    let mut last = 0;
    for place in places {
        code::put(&mut bytes, u64::from(place - last));
        last = *place;
    }
    bytes
}

/// Reads places.
pub fn read_places(mut bytes: &[u8], places: &mut Vec<u32>) {
    places.clear();
    let mut last = 0;
    while let Some(place) = code::take_row(&mut bytes, last) {
        places.push(place);
        last = place;
    }
}

/// The rows and weights of some pieces.
pub struct Weights<'a> {
    rest: &'a [u8],
    last: u32,
}

impl<'a> Weights<'a> {
    /// Reads them.
    pub fn of(pieces: &'a [u8]) -> Self {
        Self { rest: pieces, last: 0 }
    }
}

impl Iterator for Weights<'_> {
    type Item = (u32, u8);

    #[inline]
    fn next(&mut self) -> Option<(u32, u8)> {
        self.last = code::take_row(&mut self.rest, self.last)?;
        let (weight, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some((self.last, *weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gone_pieces_are_left_out_of_the_next() {
        let mut old = Growing::default();
        old.add(0, 1, &place_bytes(&[4, 900]));
        old.add(3, 2, &place_bytes(&[7]));
        old.add(300, 3, &[]);
        let mut row_of = vec![None; 301];
        (row_of[3], row_of[300]) = (Some(5), Some(6));
        let mut new = Growing::default();
        new.add_all(&old.pieces, &old.places, &row_of);
        assert_eq!(Weights::of(&new.pieces).collect::<Vec<_>>(), [(5, 2), (6, 3)]);
        let mut places = Vec::new();
        read_places(next_places(&mut new.places.as_slice()).unwrap(), &mut places);
        assert_eq!((places, new.count), (vec![7], 2));
    }

    #[test]
    fn torn_postings_end() {
        assert_eq!(Weights::of(&[5]).count() + Weights::of(&[0x80]).count(), 0);
        assert_eq!(next_places(&mut [9, 1].as_slice()), None);
    }
}
