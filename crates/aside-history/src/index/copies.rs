//! What logs repeat: a session that takes up another one begins with its lines, and a log may be kept twice. Each message and each call
//! counts once, whatever the order in which the logs are read.

use aside_store::sql::{Error, Transaction, params};

use crate::{
    hash::hash,
    record::{Call, Found, Message, Role},
    source::Source,
};

/// What is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What was said.
    Message,
    /// What was done.
    Call,
}

impl Kind {
    fn table(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Call => "call",
        }
    }

    /// The numbers of what a file has and others, too.
    pub fn shared(self, transaction: &Transaction<'_>, file: i64) -> Result<Vec<i64>, Error> {
        let table = self.table();
        let mut find = transaction.prepare_cached(&format!(
            "SELECT DISTINCT uid FROM {table} one WHERE file = ?1 AND uid IS NOT NULL AND EXISTS
             (SELECT 1 FROM {table} other WHERE other.uid = one.uid AND other.file != ?1)"
        ))?;
        find.query_map([file], |row| row.get(0))?.collect()
    }

    /// Tells whether something is known already.
    pub fn is_known(self, transaction: &Transaction<'_>, uid: i64) -> Result<bool, Error> {
        transaction.prepare_cached(&format!("SELECT 1 FROM {} WHERE uid = ?", self.table()))?.exists([uid])
    }

    /// Says anew which copy counts: that of the model that a person asked before those of models that it started, then that of the session
    /// that ended first, which the others took up; in a log that is rewritten the last.
    pub fn settle(self, transaction: &Transaction<'_>, uid: i64) -> Result<(), Error> {
        let table = self.table();
        let rewriting = Source::all().filter(|source| source.rewrites()).map(|source| format!("'{source}'"));
        let rewriting = rewriting.collect::<Vec<_>>().join(", ");
        let mut find = transaction.prepare_cached(&format!(
            "SELECT one.id, one.session, one.counts FROM {table} one JOIN file ON file.id = one.file
             JOIN session ON session.id = one.session WHERE one.uid = ?
             ORDER BY one.side, session.last, session.name, file.path,
               CASE WHEN file.source IN ({rewriting}) THEN -one.position ELSE one.position END, one.id"
        ))?;
        let rows =
            find.query_map([uid], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, bool>(2)?)))?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        for (place, (id, session, counted)) in rows.into_iter().enumerate() {
            let counts = place == 0;
            if counts == counted {
                continue;
            }
            transaction
                .prepare_cached(&format!("UPDATE {table} SET counts = ? WHERE id = ?"))?
                .execute(params![counts, id])?;
            if self == Self::Message {
                transaction
                    .prepare_cached("UPDATE session SET messages = messages + ? WHERE id = ?")?
                    .execute(params![if counts { 1 } else { -1 }, session])?;
            }
        }
        Ok(())
    }
}

/// What is the same in all copies of each message and each call of a log, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub messages: Vec<Option<i64>>,
    pub calls: Vec<Option<i64>>,
}

impl Numbers {
    /// Takes them of what was found. What was said is needed for nothing else, so that it is let go at once: there may be a lot of it.
    pub fn take(source: Source, found: &mut Found) -> Self {
        let Found { messages, calls, sessions, .. } = found;
        let message = |message: &mut Message| {
            let number = of_message(source, &sessions[message.session].id, message);
            (message.text, message.id) = (String::new(), None);
            number
        };
        Self {
            messages: messages.iter_mut().map(message).collect(),
            calls: calls.iter().map(|call| of_call(source, call)).collect(),
        }
    }
}

/// What is the same in all copies of a message; none if nothing tells.
fn of_message(source: Source, session: &str, message: &Message) -> Option<i64> {
    if let Some(id) = &message.id {
        return Some(hash(&[source.word(), id]));
    }
    // Codex names few messages, and keeps a session twice where it is put into its archive.
    let at = message.at.filter(|_| source == Source::Codex)?.0.to_string();
    let role = if message.role == Role::User { "user" } else { "assistant" };
    Some(hash(&[source.word(), session, role, &at, &message.text]))
}

/// What is the same in all copies of a call. Its id alone would not do: some programs begin to count anew.
pub fn of_call(source: Source, call: &Call) -> Option<i64> {
    let (id, at) = (call.id.as_deref()?, call.at?.0.to_string());
    Some(hash(&[source.word(), &call.name, id, &at]))
}
