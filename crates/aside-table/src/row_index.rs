//! Where rows begin: a mark now and then, from which the rows behind it are counted.

/// Marks at most; then every second one is forgotten.
const MOST_MARKS: usize = 1 << 20;
/// A mark is set after so many rows, or so many units.
const ROWS: u64 = 128;
const UNITS: u64 = 256 << 10;

/// A row, and the unit where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub row: u64,
    pub at: u64,
}

/// The marks of a text as far as it has been read.
#[derive(Clone, Debug)]
pub(crate) struct RowIndex {
    marks: Vec<Mark>,
    spacing: u64,
    /// Rows that are known.
    pub rows: u64,
    /// The unit that has been read up to.
    pub end: u64,
    pub done: bool,
    /// The first row that is not UTF-8, from 0.
    pub not_utf8: Option<u64>,
    /// The first row with a quote that never ends.
    pub open_quote: Option<u64>,
    /// The first row that is longer than the part that is read.
    pub cut: Option<u64>,
}

impl RowIndex {
    pub fn new(start: u64) -> Self {
        Self {
            marks: vec![Mark { row: 0, at: start }],
            spacing: 1,
            rows: 0,
            end: start,
            done: false,
            not_utf8: None,
            open_quote: None,
            cut: None,
        }
    }

    /// Goes on from the last mark of an index whose text has grown: the last rows may have been cut then.
    pub fn continued(mut self) -> Self {
        let last = self.last();
        (self.rows, self.end, self.done) = (last.row, last.at, false);
        for problem in [&mut self.not_utf8, &mut self.open_quote, &mut self.cut] {
            *problem = problem.filter(|row| *row < last.row);
        }
        self
    }

    pub fn last(&self) -> Mark {
        *self.marks.last().expect("there is one from the beginning")
    }

    /// Notes that a row begins at a unit.
    pub fn add(&mut self, row: u64, at: u64) {
        let last = self.last();
        let is_far = row - last.row >= ROWS * self.spacing || at - last.at >= UNITS * self.spacing;
        if row == last.row || !is_far {
            return;
        }
        self.marks.push(Mark { row, at });
        if self.marks.len() >= MOST_MARKS {
            let mut keep = false;
            self.marks.retain(|_| {
                keep = !keep;
                keep
            });
            self.spacing *= 2;
        }
    }

    /// The last mark that is not after a row.
    pub fn before(&self, row: u64) -> Mark {
        let after = self.marks.partition_point(|mark| mark.row <= row);
        self.marks[after.saturating_sub(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_bounded() {
        let mut index = RowIndex::new(0);
        for row in 0..4 * MOST_MARKS as u64 {
            index.add(row, row * UNITS);
        }
        assert!(index.marks.len() < MOST_MARKS);
        assert_eq!(index.before(0), Mark { row: 0, at: 0 });
        let mark = index.before(1_000_001);
        assert!(mark.row <= 1_000_001 && 1_000_001 - mark.row <= 2 * index.spacing);
    }

    #[test]
    fn short_rows_share_a_mark() {
        let mut index = RowIndex::new(3);
        for row in 0..1_000 {
            index.add(row, 3 + row * 2);
        }
        assert_eq!(index.marks.len(), 8);
        assert_eq!(index.before(130), Mark { row: 128, at: 259 });
    }
}
