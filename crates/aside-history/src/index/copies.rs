//! What logs repeat: a session that takes up another one begins with its lines, and a log may be kept twice. Each message and each call
//! counts once, whatever the order in which the logs are read.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use aside_core::Timestamp;
use aside_store::sql::{Error, Transaction, params};

use crate::{
    hash::hash,
    record::{Call, Found, Message, Response, ResponseKey, Role},
    source::Source,
};

/// What is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What was said.
    Message,
    /// What was done.
    Call,
    /// What a model was asked for.
    Response,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Message, Self::Call, Self::Response];

    /// What stands for it in the index.
    pub fn number(self) -> i64 {
        match self {
            Self::Message => 0,
            Self::Call => 1,
            Self::Response => 2,
        }
    }

    fn table(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Call => "call",
            Self::Response => "response",
        }
    }

    /// The rows of a file, each as `one`.
    fn of_file(self) -> String {
        match self {
            Self::Message | Self::Call => format!("{} one WHERE one.file = ?1", self.table()),
            // Its rows are found by their session.
            Self::Response => {
                "session_log JOIN response one ON one.session = session_log.session AND one.file = session_log.file
                WHERE session_log.file = ?1"
                    .to_owned()
            }
        }
    }

    /// The numbers of what a file has and others, too.
    pub fn shared(self, transaction: &Transaction<'_>, file: i64) -> Result<Vec<i64>, Error> {
        let mut find = transaction.prepare_cached(&format!(
            "SELECT DISTINCT one.uid FROM {} AND one.uid IS NOT NULL AND EXISTS
             (SELECT 1 FROM numbered JOIN {} other ON other.id = numbered.id WHERE numbered.uid = one.uid AND kind = {} AND other.file != ?1)",
            self.of_file(),
            self.table(),
            self.number()
        ))?;
        find.query_map([file], |row| row.get(0))?.collect()
    }

    /// Has nothing of a file found by its number any more.
    pub fn forget_numbers(self, transaction: &Transaction<'_>, file: i64) -> Result<(), Error> {
        let (kind, of_file) = (self.number(), self.of_file());
        let sql =
            format!("DELETE FROM numbered WHERE (uid, kind, id) IN (SELECT one.uid, {kind}, one.id FROM {of_file})");
        transaction.execute(&sql, [file]).map(drop)
    }

    /// Tells whether something is known already.
    pub fn is_known(self, transaction: &Transaction<'_>, uid: i64) -> Result<bool, Error> {
        transaction.prepare_cached("SELECT 1 FROM numbered WHERE uid = ? AND kind = ?")?.exists([uid, self.number()])
    }

    /// Says anew which copy of each of some counts: that of the model that a person asked before those of models that it started, then that of the
    /// session that ended first, which the others took up; in a log that is rewritten the last.
    pub fn settle(self, transaction: &Transaction<'_>, uids: &[i64]) -> Result<(), Error> {
        if uids.is_empty() {
            return Ok(());
        }
        let table = self.table();
        let rewriting = Source::all().filter(|source| source.rewrites()).map(|source| format!("'{source}'"));
        let rewriting = rewriting.collect::<Vec<_>>().join(", ");
        let mut find = transaction.prepare_cached(&format!(
            "SELECT one.id, one.session, one.counts FROM numbered JOIN {table} one ON one.id = numbered.id JOIN file ON file.id = one.file
             JOIN session ON session.id = one.session WHERE numbered.uid = ?1 AND kind = {}
             ORDER BY one.side, session.last, session.name, file.path NOT LIKE '%.db', file.path,
               CASE WHEN file.source IN ({rewriting}) THEN -one.position ELSE one.position END, one.id",
            self.number()
        ))?;
        let mut mark = transaction.prepare_cached(&format!("UPDATE {table} SET counts = ? WHERE id = ?"))?;
        let mut count = transaction.prepare_cached("UPDATE session SET messages = messages + ? WHERE id = ?")?;
        for uid in uids {
            let rows = find
                .query_map([uid], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, bool>(2)?)))?;
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            for (place, (id, session, counted)) in rows.into_iter().enumerate() {
                let counts = place == 0;
                if counts == counted {
                    continue;
                }
                mark.execute(params![counts, id])?;
                if self == Self::Message {
                    count.execute(params![if counts { 1 } else { -1 }, session])?;
                }
            }
        }
        Ok(())
    }
}

/// What is the same in all copies of each message, call and response of a log, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub messages: Vec<Option<i64>>,
    pub calls: Vec<Option<i64>>,
    pub responses: Vec<Option<i64>>,
    /// Those of the requests of responses.
    pub requests: Vec<Option<i64>>,
}

impl Numbers {
    /// Takes them of what was found, of which each response is there once then. What was said is needed for nothing else, so that it is let go
    /// at once: there may be a lot of it.
    pub fn take(source: Source, found: &mut Found) -> Self {
        keep_fullest(source, &mut found.responses);
        let Found { messages, calls, responses, sessions, repeated, .. } = found;
        let message = |message: &mut Message| {
            let number = of_message(source, &sessions[message.session].id, message);
            (message.text, message.id) = (String::new(), None);
            number
        };
        let key = |response: &Response| response.key.as_ref().map(|key| hash(&[&key.message]));
        let request = |response: &Response| Some(hash(&[response.key.as_ref()?.request.as_deref()?]));
        // What is known to be a copy counts nowhere, so that it needs no number.
        let own = |(place, number): (usize, Option<i64>), repeated: usize| number.filter(|_| place >= repeated);
        let messages = messages.iter_mut().map(message).enumerate().map(|one| own(one, repeated.messages));
        let calls = of_calls(source, calls).into_iter().enumerate().map(|one| own(one, repeated.calls));
        Self {
            messages: messages.collect(),
            calls: calls.collect(),
            responses: responses.iter().map(key).collect(),
            requests: responses.iter().map(request).collect(),
        }
    }
}

/// Of the records of one response in a log the fullest stays; of a log that is rewritten the last.
fn keep_fullest(source: Source, responses: &mut Vec<Response>) {
    let mut kept: HashMap<(&ResponseKey, bool), usize> = HashMap::new();
    let mut lost = Vec::new();
    for (index, response) in responses.iter().enumerate() {
        let Some(key) = &response.key else { continue };
        let size = |response: &Response| (response.tokens.total(), response.fast);
        match kept.entry((key, response.side)) {
            Entry::Vacant(none) => _ = none.insert(index),
            Entry::Occupied(known) if size(response) <= size(&responses[*known.get()]) && !source.rewrites() => {
                lost.push(index);
            }
            Entry::Occupied(mut known) => lost.push(known.insert(index)),
        }
    }
    if !lost.is_empty() {
        let lost: HashSet<usize> = lost.into_iter().collect();
        let mut index = 0..;
        responses.retain(|_| index.next().is_none_or(|index| !lost.contains(&index)));
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

/// Letters of an id that no program gives twice: shorter ones may be counted anew.
const UNIQUE: usize = 16;

/// What is the same in all copies of each call of a log. Its id alone would not do: some programs begin to count anew. Claude Code does not; it
/// writes calls again at a later time, where a session is taken up.
pub fn of_calls(source: Source, calls: &[Call]) -> Vec<Option<i64>> {
    let mut first: HashMap<(&str, &str, Option<&str>, Option<i64>, Option<&str>), Option<Timestamp>> = HashMap::new();
    let number = |call: &'_ Call, at: Option<Timestamp>| {
        Some(hash(&[source.word(), &call.name, call.id.as_deref()?, &at?.0.to_string()]))
    };
    let mut numbers = Vec::with_capacity(calls.len());
    for call in calls {
        let id = call.id.as_deref().unwrap_or_default();
        numbers.push(match source {
            Source::Claude if id.len() >= UNIQUE => Some(hash(&[source.word(), &call.name, id])),
            Source::Claude => {
                let path = call.touches.iter().map(|touch| touch.path.as_str()).min();
                let same = (&*call.name, id, call.command.as_deref(), call.edited, path);
                number(call, *first.entry(same).or_insert(call.at))
            }
            _ => number(call, call.at),
        });
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Tokens;

    #[test]
    fn of_the_records_of_one_response_the_fullest_stays_or_where_logs_are_rewritten_the_last() {
        let check = |source: Source, expected: &[u64]| {
            let records = [
                ("a", None, 5),
                ("a", Some("r"), 1),
                ("b", None, 2),
                ("a", None, 9),
                ("", None, 3),
                ("", None, 4),
                ("a", None, 6),
            ];
            let mut responses: Vec<Response> = records
                .into_iter()
                .map(|(message, request, output)| Response {
                    session: 0,
                    at: None,
                    model: None,
                    provider: None,
                    assumed: false,
                    fast: false,
                    tokens: Tokens { output, ..Tokens::default() },
                    longest: None,
                    searches: 0,
                    recorded: None,
                    key: (!message.is_empty())
                        .then(|| ResponseKey { message: message.to_owned(), request: request.map(str::to_owned) }),
                    side: false,
                    workspace: None,
                    place: crate::record::Place::default(),
                })
                .collect();
            keep_fullest(source, &mut responses);
            assert_eq!(responses.iter().map(|one| one.tokens.output).collect::<Vec<_>>(), expected);
        };
        check(Source::Claude, &[1, 2, 9, 3, 4]);
        check(Source::Gemini, &[1, 2, 3, 4, 6]);
    }

    #[test]
    fn call_that_is_written_again_later_is_the_same() {
        let call = |id: &str, at: i64, path: &str| Call {
            session: 0,
            at: Some(Timestamp(at)),
            name: "Edit".into(),
            id: Some(id.to_owned()),
            command: None,
            touches: vec![crate::Touch { path: path.to_owned(), mode: crate::Mode::Write }],
            edited: None,
            arguments: None,
            ok: None,
            side: false,
            place: crate::record::Place::default(),
        };
        let calls = [call("t1", 1, "/a"), call("t1", 2, "/a"), call("t1", 2, "/b"), call("t2", 1, "/a")];
        let groups = |source| {
            let numbers = of_calls(source, &calls);
            numbers.iter().map(|one| numbers.iter().position(|two| one == two).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!((groups(Source::Claude), groups(Source::Codex)), (vec![0, 0, 2, 3], vec![0, 1, 1, 3]));
        let long = "toolu_0123456789abcdef";
        assert_eq!(of_calls(Source::Claude, &[call(long, 1, "/a")]), of_calls(Source::Claude, &[call(long, 9, "/b")]));
    }
}
