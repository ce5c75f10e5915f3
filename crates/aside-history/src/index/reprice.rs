//! Prices what is known anew when the lists of prices are other ones than those that it was priced by.

use std::{collections::BTreeSet, sync::Arc};

use aside_core::Timestamp;
use aside_prices::Prices;
use aside_store::sql::{Connection, Error, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use super::{Index, spent};
use crate::{
    CostKind, HistoryError, Source, Tokens,
    cost::{Pricer, Terms},
};

/// Responses that are looked at before the next ones are asked for.
const PIECE: i64 = 10_000;

/// A response, as far as its price depends on it.
struct Old {
    id: i64,
    session: i64,
    source: Option<Source>,
    model: Option<Arc<str>>,
    provider: Option<Arc<str>>,
    tokens: Tokens,
    terms: Terms,
    priced: Option<i64>,
    estimated: bool,
}

impl Index {
    /// Tells whether all that is known was priced by these lists.
    pub(crate) fn is_priced_by(&self, lists: &str) -> Result<bool, HistoryError> {
        Ok(is_priced_by(self.connection(), lists)?)
    }

    /// Prices all that is known by these lists, at once for whoever asks; returns how many responses cost something else now.
    pub(crate) fn reprice(&mut self, prices: &Prices, lists: &str) -> Result<usize, HistoryError> {
        let transaction = self.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have been quicker.
        if is_priced_by(&transaction, lists)? {
            return Ok(0);
        }
        let mut pricer = Pricer::new(prices);
        let (mut last, mut changed, mut sessions) = (i64::MIN, 0, BTreeSet::new());
        loop {
            let piece = piece(&transaction, last)?;
            let Some(end) = piece.last() else { break };
            last = end.id;
            for old in piece {
                if price(&transaction, &mut pricer, &old)? {
                    changed += 1;
                    sessions.insert(old.session);
                }
            }
        }
        spent::sum_up(&transaction, sessions)?;
        transaction.execute("INSERT OR REPLACE INTO priced_by (one, lists) VALUES (1, ?)", [lists])?;
        transaction.commit()?;
        Ok(changed)
    }
}

fn is_priced_by(connection: &Connection, lists: &str) -> Result<bool, Error> {
    let mut find = connection.prepare_cached("SELECT lists FROM priced_by")?;
    let known: Option<String> = find.query_row((), |row| row.get(0)).optional()?;
    Ok(known.as_deref() == Some(lists))
}

fn piece(transaction: &Transaction<'_>, last: i64) -> Result<Vec<Old>, Error> {
    let mut find = transaction.prepare_cached(
        "SELECT response.id, session.source, model.name, provider, assumed, fast, priced, estimated,
         input, output, cache_read, cache_write, cache_write_hour, at, file.modified, response.session, longest, searches
         FROM response JOIN session ON session.id = response.session LEFT JOIN file ON file.id = response.file LEFT JOIN model ON model.id = response.model
         WHERE response.id > ? ORDER BY response.id LIMIT ?",
    )?;
    find.query_map([last, PIECE], old)?.collect()
}

fn old(row: &Row<'_>) -> Result<Old, Error> {
    let count = |index: usize| row.get::<_, i64>(index).map(|number| u64::try_from(number).unwrap_or(0));
    let name = |index: usize| row.get::<_, Option<String>>(index).map(|name| name.map(Arc::from));
    Ok(Old {
        id: row.get(0)?,
        session: row.get(15)?,
        source: row.get::<_, String>(1)?.parse().ok(),
        model: name(2)?,
        provider: name(3)?,
        terms: Terms {
            assumed: row.get(4)?,
            fast: row.get(5)?,
            at: row.get::<_, Option<i64>>(13)?.map(Timestamp),
            written: row.get::<_, Option<i64>>(14)?.map(|nanoseconds| Timestamp(nanoseconds / 1_000_000)),
            longest: row.get::<_, Option<i64>>(16)?.and_then(|longest| u64::try_from(longest).ok()),
            searches: count(17)?,
        },
        priced: row.get(6)?,
        estimated: row.get(7)?,
        tokens: Tokens {
            input: count(8)?,
            output: count(9)?,
            cache_read: count(10)?,
            cache_write: count(11)?,
            cache_write_hour: count(12)?,
        },
    })
}

/// Prices one response; tells whether that changed something. One of a program that only a newer version knows is left as it is.
fn price(transaction: &Transaction<'_>, pricer: &mut Pricer<'_>, old: &Old) -> Result<bool, Error> {
    let Some(source) = old.source else { return Ok(false) };
    let new = pricer.price_of((source, old.provider.clone(), old.model.clone()), &old.tokens, old.terms);
    let priced = new.picodollars.map(|amount| i64::try_from(amount).unwrap_or(i64::MAX));
    let estimated = new.kind == CostKind::Estimated;
    if (priced, estimated) == (old.priced, old.estimated) {
        return Ok(false);
    }
    let mut put = transaction.prepare_cached("UPDATE response SET priced = ?, estimated = ? WHERE id = ?")?;
    put.execute(params![priced, estimated, old.id])?;
    Ok(true)
}
