//! What a log says, in one form for all programs: sessions, what was said, what models were asked and used, what was done.

use std::sync::Arc;

use aside_core::Timestamp;

/// Where a record stands in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Bytes before it; in a database the number of its row.
    pub offset: u64,
    /// Bytes of it.
    pub length: u32,
}

/// What a reader found in a file, or in a piece of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The sessions that the other records belong to.
    pub sessions: Vec<Session>,
    /// What people and models said.
    pub messages: Vec<Message>,
    /// What models were asked for, with what it took.
    pub responses: Vec<Response>,
    /// What models did.
    pub calls: Vec<Call>,
    /// How calls ended that may be in an earlier piece.
    pub endings: Vec<Ending>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// Kinds of records with tokens that nobody knows: how many there are, and where the first is.
    pub uncounted: Vec<Uncounted>,
    /// It is one value that can't be read, as while its program writes it: what was known of it before still holds.
    pub broken: bool,
    /// What only a playback needs; none where nobody plays anything back.
    pub details: Option<Details>,
    /// How much of this the log repeats of another session's: it counts there.
    pub repeated: Repeated,
    /// All of the log is to be read again: a line says otherwise than those that were read before.
    pub anew: bool,
}

/// The first of what was found, as far as they are a copy of another session's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeated {
    /// So many messages.
    pub messages: usize,
    /// So many calls.
    pub calls: usize,
}

/// A kind of record with tokens that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncounted {
    /// The record's own name for its kind.
    pub kind: String,
    /// Bytes before the first of them.
    pub offset: u64,
    /// How many there are.
    pub count: u64,
}

/// What came of calls, whole; each call has what it was told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// What came of a call, by its own id.
    pub results: std::collections::HashMap<String, serde_json::Value>,
}

/// A session of another program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The program's own id of it.
    pub id: String,
    /// The folder that it ran in, as the first record has it.
    pub workspace: Option<Arc<str>>,
    /// The branch of git.
    pub branch: Option<String>,
    /// Its name, where the program gives it one.
    pub title: Option<String>,
    /// When its first record was written.
    pub first: Option<Timestamp>,
    /// When its last record was written.
    pub last: Option<Timestamp>,
}

impl Session {
    /// A session of which only the id is known.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Takes note of a record's time.
    pub fn saw(&mut self, at: Option<Timestamp>) {
        let Some(at) = at else { return };
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
    }
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person.
    User,
    /// A model.
    Assistant,
}

/// Something that a person or a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The place of its session in the list.
    pub session: usize,
    /// Who said it.
    pub role: Role,
    /// When.
    pub at: Option<Timestamp>,
    /// The program's own id of it: a copy in another session's file has the same.
    pub id: Option<String>,
    /// It was said by or to a model that another model had started.
    pub side: bool,
    /// What was said.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Tokens of one response. Each is counted in one field only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tokens {
    /// Read for the first time and not written to a cache.
    pub input: u64,
    /// Answered, reasoning included.
    pub output: u64,
    /// Read from a cache.
    pub cache_read: u64,
    /// Written to a cache for some minutes.
    pub cache_write: u64,
    /// Written to a cache for an hour.
    pub cache_write_hour: u64,
}

impl Tokens {
    /// All of them.
    pub fn total(&self) -> u64 {
        let Self { input, output, cache_read, cache_write, cache_write_hour } = *self;
        [output, cache_read, cache_write, cache_write_hour].into_iter().fold(input, u64::saturating_add)
    }
}

/// What tells a response from all others of the same program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResponseKey {
    /// The id of the message, or what stands for it.
    pub message: String,
    /// The id of the request, where there is one.
    pub request: Option<String>,
}

/// One answer of a model, with what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The place of its session in the list.
    pub session: usize,
    /// When.
    pub at: Option<Timestamp>,
    /// Its name, as the log has it.
    pub model: Option<Arc<str>>,
    /// The service, where the log names it.
    pub provider: Option<Arc<str>>,
    /// What the log does not say outright was filled in: the model, or which tokens they are.
    pub assumed: bool,
    /// Served at the price of haste, which lists don't have.
    pub fast: bool,
    /// What it took.
    pub tokens: Tokens,
    /// The input of the longest of its calls, where it sums up several: a price may depend on how long a call is.
    pub longest: Option<u64>,
    /// Searches of the web that its service made, each for a fee.
    pub searches: u64,
    /// What the log says it cost, in 10⁻¹² dollars.
    pub recorded: Option<u64>,
    /// Without one it is always counted.
    pub key: Option<ResponseKey>,
    /// It was asked for by a model that another model had started.
    pub side: bool,
    /// The folder that it was asked in.
    pub workspace: Option<Arc<str>>,
    /// Where it stands.
    pub place: Place,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// It was read.
    Read,
    /// It was written or changed.
    Write,
    /// It was deleted.
    Delete,
}

/// A file that a call is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Its absolute path, as far as the log tells it.
    pub path: String,
    /// What was done to it.
    pub mode: Mode,
}

/// Something that a model did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The place of its session in the list.
    pub session: usize,
    /// When.
    pub at: Option<Timestamp>,
    /// What the program calls it.
    pub name: Arc<str>,
    /// The program's own id of it, by which its ending is found.
    pub id: Option<String>,
    /// The line of a shell, where it is one.
    pub command: Option<String>,
    /// Files it is about.
    pub touches: Vec<Touch>,
    /// What it replaced by what, in one number; that of the same change backwards is the same below zero.
    pub edited: Option<i64>,
    /// All that it was told, where a playback wants it.
    pub arguments: Option<serde_json::Value>,
    /// Whether it went well, as far as is known.
    pub ok: Option<bool>,
    /// It was done by a model that another model had started.
    pub side: bool,
    /// Where it stands.
    pub place: Place,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The call's own id.
    pub id: String,
    /// Whether it went well.
    pub ok: bool,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Bytes before it.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Tokens of a response: no program counts more, not even where it tells of a whole session at once.
const MOST_TOKENS: u64 = 10_000_000_000;

impl Found {
    /// Takes note of a record with tokens that nobody knows.
    pub fn note_uncounted(&mut self, kind: String, offset: u64) {
        let known = self.uncounted.iter().position(|known| known.kind == kind);
        match known {
            Some(known) => self.uncounted[known].count += 1,
            // A log of that many kinds has names in their place.
            None if self.uncounted.len() > 20 => {}
            None => self.uncounted.push(Uncounted { kind, offset, count: 1 }),
        }
    }

    /// Takes all that was found so far for a copy of another session's, which cost nothing here.
    pub(crate) fn only_repeated(&mut self) {
        self.responses.clear();
        self.repeated = Repeated { messages: self.messages.len(), calls: self.calls.len() };
    }

    /// Lets go of counts that can't be, and says so: one of them would be more than all others together. What the log itself says that the
    /// response cost stays.
    pub fn refuse_impossible(&mut self) {
        let problems = &mut self.problems;
        self.responses.retain_mut(|response| {
            let total = response.tokens.total();
            if total <= MOST_TOKENS {
                return true;
            }
            let reason = format!("a response of {total} tokens is not counted: more than {MOST_TOKENS} is impossible");
            problems.push(Problem { offset: response.place.offset, reason });
            response.tokens = Tokens::default();
            response.recorded.is_some()
        });
    }

    /// Gives the calls their endings; what is left is of calls in an earlier piece.
    pub fn match_endings(&mut self) {
        if self.endings.is_empty() {
            return;
        }
        let open = self.calls.iter().enumerate().filter_map(|(index, call)| Some((call.id.clone()?, index)));
        let open: std::collections::HashMap<String, usize> = open.collect();
        let calls = &mut self.calls;
        self.endings.retain(|ending| match open.get(&ending.id) {
            Some(index) => {
                calls[*index].ok = Some(ending.ok);
                false
            }
            None => true,
        });
    }
}
