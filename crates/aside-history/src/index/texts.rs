//! The words of what was said, in a full-text index without the text. A message's row says where it stands; it is read again for this, after
//! what costs are known by.

use aside_store::sql::{Transaction, TransactionBehavior, params};

use super::{Index, bigrams::indexed};
use crate::{HistoryError, again::Logs};

impl Index {
    /// Takes up to `most` messages into the full-text index; returns how many are left.
    pub fn read_texts(&mut self, most: usize) -> Result<usize, HistoryError> {
        let transaction = self.connection_mut().transaction_with_behavior(TransactionBehavior::Immediate)?;
        let waiting = waiting(&transaction, most)?;
        let mut logs = Logs::default();
        {
            let mut put = transaction.prepare_cached("INSERT OR REPLACE INTO said (rowid, text) VALUES (?, ?)")?;
            for message in &waiting {
                // What can't be read again has no words; it stays counted and placed.
                if let Some(text) = logs.text(&transaction, *message)? {
                    put.execute(params![message, indexed(&text)])?;
                }
            }
        }
        let Some(last) = waiting.last() else { return Ok(0) };
        transaction.execute("UPDATE texted SET message = ?", [last])?;
        let left: i64 = transaction.query_row("SELECT COUNT(*) FROM message WHERE id > ?", [last], |row| row.get(0))?;
        transaction.commit()?;
        Ok(usize::try_from(left).unwrap_or(usize::MAX))
    }

    /// How many messages are not in the full-text index yet.
    pub fn texts_left(&self) -> Result<usize, HistoryError> {
        let sql = "SELECT COUNT(*) FROM message WHERE id > (SELECT message FROM texted)";
        let left: i64 = self.connection().query_row(sql, (), |row| row.get(0))?;
        Ok(usize::try_from(left).unwrap_or(usize::MAX))
    }
}

/// The numbers of the messages that come next.
fn waiting(transaction: &Transaction<'_>, most: usize) -> Result<Vec<i64>, HistoryError> {
    let mut next = transaction
        .prepare_cached("SELECT id FROM message WHERE id > (SELECT message FROM texted) ORDER BY id LIMIT ?")?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let numbers = next.query_map([most], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(numbers)
}
