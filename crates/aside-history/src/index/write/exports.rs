//! Sessions of Copilot that two kinds of logs tell of: its own events, and an export of OpenTelemetry, if a person turned that on. Both tell of
//! the same answers, in other pieces: the kind that tells of more counts.

use std::collections::BTreeSet;

use aside_store::sql::{Error, params};

use super::Writer;
use crate::{hash::hash, reader::copilot_otel::REQUEST, source::Source};

impl Writer<'_, '_, '_> {
    /// Says anew which kind counts in the sessions that changed.
    pub(super) fn settle_exports(&mut self) -> Result<(), Error> {
        let export = hash(&[REQUEST]);
        for session in self.ids.spent.clone() {
            let mut sums = self.transaction.prepare_cached(
                "SELECT request_uid IS ?2, SUM(input + output + cache_read + cache_write + cache_write_hour) FROM response
                 WHERE session = ?1 AND (SELECT source FROM session WHERE id = ?1) = ?3 GROUP BY 1 ORDER BY 2 DESC, 1 DESC",
            )?;
            let rows = sums.query_map(params![session, export, Source::Copilot.word()], |row| row.get::<_, bool>(0))?;
            let kinds = rows.collect::<Result<Vec<bool>, _>>()?;
            if let [is_export, _] = kinds[..] {
                self.count_kind(session, export, is_export)?;
            }
        }
        Ok(())
    }

    fn count_kind(&mut self, session: i64, export: i64, is_export: bool) -> Result<(), Error> {
        let mut lose = self.transaction.prepare_cached(
            "UPDATE response SET counts = 0 WHERE session = ?1 AND counts = 1 AND (request_uid IS ?2) != ?3",
        )?;
        lose.execute(params![session, export, is_export])?;
        // Of what lost before and wins now each copy has to be looked at again.
        let mut win = self.transaction.prepare_cached(
            "UPDATE response SET counts = 1 WHERE session = ?1 AND counts = 0 AND (request_uid IS ?2) = ?3 RETURNING uid",
        )?;
        let won = win.query_map(params![session, export, is_export], |row| row.get::<_, Option<i64>>(0))?;
        let won = won.collect::<Result<BTreeSet<Option<i64>>, _>>()?;
        self.settle(&won.into_iter().flatten().collect::<Vec<i64>>())
    }
}
