//! What was spent in each session, by folder and model: sums of the responses that count, so that a question about a folder reads those and
//! not its responses.
//!
//! Whatever adds, removes or changes responses says of which sessions they are, and these are summed up anew before its transaction ends.

use std::collections::{BTreeMap, BTreeSet};

use aside_store::sql::{Error, Transaction, params};

/// The sums of one folder and model.
#[derive(Default)]
struct Sums {
    responses: i64,
    picodollars: i64,
    estimated: i64,
    unpriced: i64,
    dearest: i64,
}

impl Sums {
    /// What a log says it cost counts before what it would cost by a list.
    fn add(&mut self, recorded: Option<i64>, priced: Option<i64>, estimated: bool) {
        let cost = recorded.or(priced);
        self.responses += 1;
        self.picodollars = self.picodollars.saturating_add(cost.unwrap_or(0));
        self.dearest = self.dearest.max(cost.unwrap_or(0));
        match cost {
            None => self.unpriced += 1,
            Some(cost) if estimated && recorded.is_none() => self.estimated = self.estimated.saturating_add(cost),
            Some(_) => {}
        }
    }
}

/// Sums up some sessions anew.
pub fn sum_up(transaction: &Transaction<'_>, sessions: BTreeSet<i64>) -> Result<(), Error> {
    let mut forget = transaction.prepare_cached("DELETE FROM spent WHERE session = ?")?;
    let mut put = transaction.prepare_cached("INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    for session in sessions {
        forget.execute([session])?;
        for ((workspace, model), sums) in of_session(transaction, session)? {
            let Sums { responses, picodollars, estimated, unpriced, dearest } = sums;
            put.execute(params![session, workspace, model, responses, picodollars, estimated, unpriced, dearest])?;
        }
    }
    Ok(())
}

/// The sums of a session, by the numbers of folder and model; 0 where none is named.
fn of_session(transaction: &Transaction<'_>, session: i64) -> Result<BTreeMap<(i64, i64), Sums>, Error> {
    let mut find = transaction.prepare_cached(
        "SELECT COALESCE(workspace, 0), COALESCE(model, 0), recorded, priced, estimated FROM response WHERE session = ? AND counts = 1",
    )?;
    let mut rows = find.query([session])?;
    let mut found: BTreeMap<(i64, i64), Sums> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        found.entry((row.get(0)?, row.get(1)?)).or_default().add(row.get(2)?, row.get(3)?, row.get(4)?);
    }
    Ok(found)
}
