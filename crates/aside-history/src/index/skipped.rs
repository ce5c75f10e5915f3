//! Files that look like logs, and records that look like usage, and are not read: their kinds, each with a count and an example.

use aside_store::sql::params;

use super::Index;
use crate::{HistoryError, Source, places::Skipped};

const RECORD: &str =
    "Aside does not know this kind of record, and its tokens are in no sum: report it with the version of the program";

impl Index {
    /// All of it, by program; files before records.
    pub fn skipped(&self) -> Result<Vec<Skipped>, HistoryError> {
        let mut find = self.connection().prepare_cached(
            "SELECT program, kind, count, example, hint, 0 FROM skipped
             UNION ALL SELECT source, kind, SUM(count), MIN(path || ':' || uncounted.position), '', 1
               FROM uncounted JOIN file ON file.id = uncounted.file GROUP BY source, kind ORDER BY 6, 1, 2",
        )?;
        let rows = find.query_map((), |row| {
            let (name, is_record): (String, bool) = (row.get(0)?, row.get(5)?);
            let kind: String = row.get(1)?;
            Ok(Skipped {
                program: name.parse::<Source>().map_or(name, |source| source.name().to_owned()),
                kind: if is_record { format!("record `{kind}` with tokens") } else { kind },
                count: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
                example: row.get(3)?,
                hint: if is_record { RECORD.to_owned() } else { row.get(4)? },
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps which files were skipped, in place of what is known.
    pub(crate) fn keep_skipped(&mut self, skipped: &[Skipped]) -> Result<(), HistoryError> {
        let known: i64 = self.connection().query_row("SELECT COUNT(*) FROM skipped", (), |row| row.get(0))?;
        // Most of the time there is nothing, and nothing is written.
        if skipped.is_empty() && known == 0 {
            return Ok(());
        }
        let transaction = self.connection_mut().transaction()?;
        transaction.execute("DELETE FROM skipped", ())?;
        for Skipped { program, kind, count, example, hint } in skipped {
            transaction.execute(
                "INSERT INTO skipped (program, kind, count, example, hint) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (program, kind) DO UPDATE SET count = count + ?3, example = MIN(example, ?4)",
                params![program, kind, i64::try_from(*count).unwrap_or(i64::MAX), example, hint],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }
}
