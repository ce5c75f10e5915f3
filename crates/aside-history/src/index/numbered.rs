//! What finds messages, calls and responses by the number that all copies of one have. These numbers are hashes: written one by one they
//! would go to all ends of the index, so that those of a transaction wait for its end, and are written in their order. So do times.

use aside_store::sql::{Error, Transaction};

use super::{
    copies::Kind,
    write::{Cell, Rows},
};

/// A row that can't be found by its number yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    uid: i64,
    kind: Kind,
    id: i64,
    /// There may be one with the same number.
    may_be_known: bool,
}

/// The rows that a transaction wrote.
#[derive(Debug, Default)]
pub struct Waiting {
    rows: Vec<Row>,
    /// Times of responses, with their rows.
    times: Vec<[i64; 2]>,
}

static TIMED: Rows<2> = Rows::of("INSERT OR IGNORE INTO timed VALUES");
static NUMBERED: Rows<3> = Rows::of("INSERT OR IGNORE INTO numbered VALUES");

impl Waiting {
    /// Adds one.
    pub fn add(&mut self, kind: Kind, uid: i64, id: i64, may_be_known: bool) {
        self.rows.push(Row { uid, kind, id, may_be_known });
    }

    /// Adds a response that is to be found by its time.
    pub fn add_time(&mut self, at: i64, id: i64) {
        self.times.push([at, id]);
    }

    /// Writes them; returns which have copies, in the order of their rows.
    pub fn write(&mut self, transaction: &Transaction<'_>) -> Result<Vec<(Kind, i64)>, Error> {
        let mut times = std::mem::take(&mut self.times);
        times.sort_unstable();
        TIMED.put(transaction, times.len(), |row| Ok(times[row].map(Cell::from)))?;
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_unstable();
        let mut copied = Vec::new();
        for same in rows.chunk_by(|one, two| (one.uid, one.kind) == (two.uid, two.kind)) {
            let Row { uid, kind, id, .. } = same[0];
            if same.len() > 1 || same[0].may_be_known && kind.is_known(transaction, uid)? {
                copied.push((id, kind, uid));
            }
        }
        let row = |row: usize| Ok([rows[row].uid, rows[row].kind.number(), rows[row].id].map(Cell::from));
        NUMBERED.put(transaction, rows.len(), row)?;
        copied.sort_unstable();
        Ok(copied.into_iter().map(|(_, kind, uid)| (kind, uid)).collect())
    }
}
