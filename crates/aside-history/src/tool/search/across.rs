//! Sessions in which all words of a question were said, but no message has all of them: one may be a person's, another the model's answer.

use std::{cmp::Reverse, collections::HashMap, slice};

use aside_store::sql::{OptionalExtension as _, Statement, params};

use super::{Asked, HITS, Hit, Within, all, hit};
use crate::{HistoryError, Index};

/// Sessions that are looked through for the other words.
const MOST_SESSIONS: usize = 200;

/// Adds such sessions to those that are known, with the place of the rarest word in each.
pub fn add(
    index: &Index,
    words: &[String],
    (since, within): (i64, Within<'_>),
    hits: &mut HashMap<i64, Hit>,
) -> Result<(), HistoryError> {
    if words.len() < 2 {
        return Ok(());
    }
    let counted = |word: &String| {
        let asked = Asked::new(index, slice::from_ref(word), since, within)?;
        Ok((asked.count(index)?, asked))
    };
    let mut each = words.iter().map(counted).collect::<Result<Vec<_>, HistoryError>>()?;
    each.sort_by_key(|(count, _)| *count);
    let Some(((count, rarest), others)) = each.split_first() else { return Ok(()) };
    if *count == 0 {
        return Ok(());
    }
    let found = all(index, rarest)?.into_iter().filter(|(session, _)| !hits.contains_key(session));
    let mut found: Vec<(i64, Hit)> = found.collect();
    found.sort_by_key(|(session, hit)| Reverse((hit.at, *session)));
    let mut said = Said::new(index)?;
    for (session, place) in found.into_iter().take(MOST_SESSIONS) {
        let mut has_all = true;
        for (_, other) in others {
            has_all = has_all && said.is_in(session, other)?;
        }
        if has_all {
            hits.insert(session, place);
        }
    }
    Ok(())
}

/// Finds a word in a session, log by log: what others say may stand between two of them.
struct Said<'i> {
    logs: Statement<'i>,
    find: Statement<'i>,
}

impl<'i> Said<'i> {
    fn new(index: &'i Index) -> Result<Self, HistoryError> {
        let logs = index.connection().prepare(
            "SELECT (SELECT MIN(id) FROM main.message WHERE file = session_log.file AND session = ?1),
               (SELECT MAX(id) FROM main.message WHERE file = session_log.file AND session = ?1)
             FROM session_log WHERE session_log.session = ?1",
        )?;
        let find = index
            .connection()
            .prepare(&format!("{HITS} AND message.session = ?3 AND said.rowid BETWEEN ?4 AND ?5 LIMIT 1"))?;
        Ok(Self { logs, find })
    }

    fn is_in(&mut self, session: i64, asked: &Asked) -> Result<bool, HistoryError> {
        let ranges = self.logs.query_map([session], |row| Ok(row.get::<_, Option<i64>>(0)?.zip(row.get(1)?)))?;
        let ranges: Vec<Option<(i64, i64)>> = ranges.collect::<Result<_, _>>()?;
        for (first, last) in ranges.into_iter().flatten() {
            let place = params![asked.words, asked.since, session, first, last];
            if self.find.query_row(place, hit).optional()?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
