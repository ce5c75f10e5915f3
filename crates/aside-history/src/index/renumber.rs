//! Gives responses their numbers that an older version wrote with texts in their place. Their logs may be gone, so that they can't be read again.

use aside_store::sql::{Error, TransactionBehavior, params};

use super::{Index, copies::Kind};
use crate::{HistoryError, hash::hash};

/// Those without a number; an index has them alone, so that it is known at once if there are none.
const OLD: &str = "SELECT id, message, request FROM response WHERE message IS NOT NULL";

impl Index {
    /// Numbers those that have none.
    pub(super) fn renumber(&mut self) -> Result<(), HistoryError> {
        if !self.connection().prepare(OLD)?.exists(())? {
            return Ok(());
        }
        let transaction = self.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        let old = transaction
            .prepare(OLD)?
            .query_map((), |row| {
                let request = row.get::<_, Option<String>>(2)?;
                Ok((hash(&[&row.get::<_, String>(1)?]), row.get(0)?, request.map(|request| hash(&[&request]))))
            })?
            .collect::<Result<Vec<(i64, i64, Option<i64>)>, Error>>()?;
        {
            let mut change = transaction
                .prepare("UPDATE response SET uid = ?, request_uid = ?, message = NULL, request = NULL WHERE id = ?")?;
            let mut put = transaction.prepare("INSERT OR IGNORE INTO numbered VALUES (?, ?, ?)")?;
            for (uid, id, request) in old {
                change.execute(params![uid, request, id])?;
                put.execute([uid, Kind::Response.number(), id])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use aside_store::{DataFolder, open_tables};

    use super::*;
    use crate::index::schema::MIGRATIONS;

    #[test]
    fn what_an_older_version_wrote_is_found_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let before = open_tables(&folder.path().join("history.db"), &MIGRATIONS[..13]).unwrap();
        before
            .execute_batch(
                "INSERT INTO response (file, session, message, request, input, output, cache_read, cache_write, cache_write_hour, estimated,
                   side, fast, counts, position) VALUES (1, 1, 'm', 'r', 0, 0, 0, 0, 0, 0, 0, 0, 1, 0), (2, 1, 'm', NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                   (3, 1, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0);
                 INSERT INTO message (file, session, role, side, position, length, uid) VALUES (1, 1, 0, 0, 0, 1, 7), (1, 1, 0, 0, 2, 1, NULL);
                 INSERT INTO call (file, session, name, side, position, length, uid) VALUES (1, 1, 'Read', 0, 0, 1, 7);",
            )
            .unwrap();
        drop(before);
        let index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let mut find = index.connection().prepare("SELECT kind, id, uid FROM numbered ORDER BY kind, id").unwrap();
        let rows = find.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let rows: Vec<(i64, i64, i64)> = rows.map(Result::unwrap).collect();
        let number = hash(&["m"]);
        assert_eq!(rows, [(0, 1, 7), (1, 1, 7), (2, 1, number), (2, 2, number)]);
        let requests = "SELECT group_concat(COALESCE(request_uid, '-')) FROM response WHERE message IS NULL";
        let requests: String = index.connection().query_row(requests, (), |row| row.get(0)).unwrap();
        assert_eq!(requests, format!("{},-,-", hash(&["r"])));
    }
}
