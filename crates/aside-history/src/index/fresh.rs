//! What an import has written that began with an empty index: what is not among it is new, and nobody has to look for it in the tables.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
};

use aside_store::sql::{Connection, Error};

/// More is not remembered: from then on everything is looked for.
const MOST: usize = 1 << 20;

/// The numbers of what was written; none if there may be something that others wrote.
#[derive(Debug, Default)]
pub struct Fresh(Option<Written>);

#[derive(Debug)]
struct Written {
    /// It changes when another connection writes.
    version: i64,
    numbers: HashSet<i64, BuildHasherDefault<AsItIs>>,
}

/// The numbers are hashes themselves.
#[derive(Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_i64(&mut self, number: i64) {
        self.0 = number.cast_unsigned();
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Fresh {
    /// Begins to remember if the index is empty.
    pub fn of(connection: &Connection) -> Result<Self, Error> {
        // First: who writes between the two is noticed then.
        let version = version(connection)?;
        let is_empty = connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM file)", (), |row| row.get(0))?;
        Ok(Self(if is_empty { Some(Written { version, numbers: HashSet::default() }) } else { None }))
    }

    /// Remembers nothing more if another connection wrote. To be asked at the start of a transaction, while no other can.
    pub fn check(&mut self, connection: &Connection) -> Result<(), Error> {
        if let Some(written) = &self.0
            && version(connection)? != written.version
        {
            self.0 = None;
        }
        Ok(())
    }

    /// Takes note of a number, and tells whether it may be in the tables already.
    pub fn may_know(&mut self, number: i64) -> bool {
        let Some(written) = &mut self.0 else { return true };
        let known = !written.numbers.insert(number);
        if written.numbers.len() > MOST {
            self.0 = None;
        }
        known
    }
}

fn version(connection: &Connection) -> Result<i64, Error> {
    connection.query_row("PRAGMA data_version", (), |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use aside_store::{DataFolder, sql::TransactionBehavior};

    use super::*;
    use crate::Index;

    #[test]
    fn what_others_wrote_is_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let (mut index, mut other) = (Index::open(&data).unwrap(), Index::open(&data).unwrap());
        let mut fresh = Fresh::of(index.connection()).unwrap();
        let put = |index: &mut Index, fresh: Option<&mut Fresh>| {
            let transaction = index.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
            fresh.into_iter().for_each(|fresh| fresh.check(&transaction).unwrap());
            transaction.execute("INSERT INTO model (name) VALUES (hex(randomblob(4)))", ()).unwrap();
            transaction.commit().unwrap();
        };
        put(&mut index, Some(&mut fresh));
        put(&mut index, Some(&mut fresh));
        assert_eq!([1, 2, 1].map(|number| fresh.may_know(number)), [false, false, true]);
        put(&mut other, None);
        put(&mut index, Some(&mut fresh));
        assert!(fresh.may_know(3));
    }

    #[test]
    fn of_an_index_that_knows_something_everything_is_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(&DataFolder::at(folder.path())).unwrap();
        assert!(!Fresh::of(index.connection()).unwrap().may_know(1));
        let sql = "INSERT INTO file (source, path, size, modified, inode, position, head, tail, reader)
            VALUES ('claude', 'p', 0, 0, 0, 0, x'', x'', '')";
        index.connection().execute(sql, ()).unwrap();
        assert!(Fresh::of(index.connection()).unwrap().may_know(1));
    }
}
