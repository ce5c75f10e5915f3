//! What finds messages, calls and responses by the number that all copies of one have. These numbers are hashes: written one by one they
//! would go to all ends of the index, so that those of a transaction wait for its end, and are written in their order.

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
pub struct Waiting(Vec<Row>);

static NUMBERED: Rows<3> = Rows::of("INSERT OR IGNORE INTO numbered VALUES");

impl Waiting {
    /// Adds one.
    pub fn add(&mut self, kind: Kind, uid: i64, id: i64, may_be_known: bool) {
        self.0.push(Row { uid, kind, id, may_be_known });
    }

    /// Writes them; returns which have copies.
    pub fn write(&mut self, transaction: &Transaction<'_>) -> Result<Vec<(Kind, i64)>, Error> {
        let mut rows = std::mem::take(&mut self.0);
        rows.sort_unstable();
        let mut copied = Vec::new();
        for same in rows.chunk_by(|one, two| (one.uid, one.kind) == (two.uid, two.kind)) {
            let Row { uid, kind, .. } = same[0];
            if same.len() > 1 || same[0].may_be_known && kind.is_known(transaction, uid)? {
                copied.push((kind, uid));
            }
        }
        let row = |row: usize| Ok([rows[row].uid, rows[row].kind.number(), rows[row].id].map(Cell::from));
        NUMBERED.put(transaction, rows.len(), row)?;
        Ok(copied)
    }
}
