//! Writes what was found in files into the index; a file's records and how far it was read are one transaction.

mod exports;
mod response;
mod rows;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    hash::Hash,
    sync::Arc,
};

use aside_store::sql::{Connection, Error, OptionalExtension as _, Transaction, params};

use super::{
    copies::{Kind, Numbers},
    fresh::Fresh,
    numbered::Waiting,
    sessions::{self, Seen, Told},
    spent,
};
pub use rows::{Cell, Rows};

use crate::{
    cost::Pricer,
    hash::hash,
    import::Sums,
    reader::Reader,
    record::{Call, Found, Message, Mode, Role},
    source::Source,
};

/// How far a file was read, and how it is recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct FileState {
    /// Its path.
    pub path: String,
    /// Bytes of it.
    pub size: u64,
    /// When it was last written to, in nanoseconds since 1970.
    pub modified: i64,
    /// Its number on the disk; 0 where there are none.
    pub inode: u64,
    /// How many bytes were read.
    pub position: u64,
    /// Its first bytes.
    pub head: Vec<u8>,
    /// The last bytes that were read.
    pub tail: Vec<u8>,
    /// The sums of what was read; none of what is read whole each time, and where an older version kept none.
    pub sums: Option<Sums>,
    /// What the reader has to remember.
    pub reader: Reader,
}

/// A file that the index knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Its number.
    pub id: i64,
    /// Whose log it is.
    pub source: Source,
    /// How far it was read.
    pub state: FileState,
    /// Another version of the reader read it: what that one remembered can't be gone on with.
    pub stale: bool,
}

/// What became of what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the index.
    Written,
    /// Another process was quicker: its records are in the index.
    Overtaken,
}

/// Writes in one transaction.
pub struct Writer<'t, 'p, 'm> {
    transaction: &'t Transaction<'t>,
    pricer: &'m mut Pricer<'p>,
    ids: &'m mut Ids,
}

/// The numbers of names that were looked up; forgotten when a transaction fails.
#[derive(Debug, Default)]
pub struct Ids {
    workspaces: HashMap<Arc<str>, i64>,
    models: HashMap<Arc<str>, i64>,
    paths: HashMap<String, i64>,
    /// Sessions that may now stand elsewhere among those that ended before and after them: what they have in common counts elsewhere then.
    moved: BTreeSet<i64>,
    /// Sessions of which responses were added, removed or changed.
    spent: BTreeSet<i64>,
    /// What was written since the index was empty, by its number or that of its name.
    fresh: Fresh,
    /// What was written in this transaction and can't be found by its number yet.
    waiting: Waiting,
    /// What has other copies than before, or may have: by its kind and its number.
    unsettled: Vec<(Kind, i64)>,
}

impl Ids {
    /// For an import that begins.
    pub fn of(connection: &Connection) -> Result<Self, Error> {
        Ok(Self { fresh: Fresh::of(connection)?, ..Self::default() })
    }

    /// For a transaction that begins.
    pub fn begin(&mut self, transaction: &Transaction<'_>) -> Result<(), Error> {
        self.fresh.check(transaction)
    }
}

static CALLS: Rows<13> = Rows::of(
    "INSERT OR FAIL INTO call (file, session, at, name, command, ok, open, side, position, length, uid, edited, counts) VALUES",
);
static TOUCHES: Rows<4> = Rows::of("INSERT OR IGNORE INTO touch VALUES");
static MESSAGES: Rows<9> =
    Rows::of("INSERT OR FAIL INTO message (file, session, at, role, side, position, length, uid, counts) VALUES");

/// Stands for a session of which nothing is said.
const NOBODY: i64 = -1;
/// More paths than that are looked up again.
const MOST_PATHS: usize = 50_000;

impl<'t, 'p, 'm> Writer<'t, 'p, 'm> {
    pub fn new(transaction: &'t Transaction<'t>, pricer: &'m mut Pricer<'p>, ids: &'m mut Ids) -> Self {
        Self { transaction, pricer, ids }
    }

    /// Writes what was found in a file since it was `before`, or in all of it.
    pub fn write(
        &mut self,
        source: Source,
        before: Option<&Known>,
        from_start: bool,
        state: &FileState,
        (found, numbers): (&Found, &Numbers),
    ) -> Result<Outcome, Error> {
        let Some(file) = self.file(source, before, state)? else { return Ok(Outcome::Overtaken) };
        let mut before_this = BTreeSet::new();
        match before {
            Some(_) if found.broken => {
                self.transaction.execute("DELETE FROM problem WHERE file = ?", [file])?;
            }
            Some(_) if from_start => {
                before_this = sessions::of_file(self.transaction, file)?;
                self.ids.spent.extend(&before_this);
                self.forget(file)?;
            }
            _ => {}
        }
        let sessions = self.sessions(source, file, state, found)?;
        self.ids.spent.extend(found.responses.iter().map(|response| sessions[response.session]));
        let goes_on = before.is_some() && !from_start;
        self.responses(source, (file, state.modified, goes_on), &sessions, (&found.responses, numbers))?;
        self.calls((file, found.repeated.calls), &sessions, (&found.calls, &numbers.calls))?;
        self.messages((file, found.repeated.messages), &sessions, (&found.messages, &numbers.messages))?;
        self.count_messages(&sessions, found)?;
        for ending in &found.endings {
            let mut end = self
                .transaction
                .prepare_cached("UPDATE call SET ok = ?1, open = NULL WHERE open = ?2 AND file = ?3")?;
            end.execute(params![ending.ok, ending.id, file])?;
        }
        for problem in &found.problems {
            let mut note = self.transaction.prepare_cached("INSERT INTO problem VALUES (?, ?, ?)")?;
            note.execute(params![file, signed(problem.offset), problem.reason])?;
        }
        for one in &found.uncounted {
            let mut note = self.transaction.prepare_cached(
                "INSERT INTO uncounted (file, kind, count, position) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (file, kind) DO UPDATE SET count = count + ?3",
            )?;
            note.execute(params![file, one.kind, signed(one.count), signed(one.offset)])?;
        }
        for session in before_this.into_iter().filter(|session| !sessions.contains(session)) {
            self.sum_up(session)?;
            sessions::forget_lost(self.transaction, session)?;
        }
        Ok(Outcome::Written)
    }

    /// Says anew what counts of that which has copies: of what was written, and of what sessions have in common that ended later than was known;
    /// and what was spent in all that changed. To be done before a transaction ends.
    pub fn finish(&mut self) -> Result<(), Error> {
        let copied = self.ids.waiting.write(self.transaction)?;
        self.ids.unsettled.extend(copied);
        for session in std::mem::take(&mut self.ids.moved) {
            for file in sessions::logs(self.transaction, session)? {
                self.unsettle(file)?;
            }
        }
        let unsettled = std::mem::take(&mut self.ids.unsettled);
        for kind in Kind::ALL {
            // In the order in which they lie in their tables, as near as that is known.
            let mut seen = HashSet::new();
            let of_kind = unsettled.iter().filter(|(of, uid)| *of == kind && seen.insert(*uid));
            let uids: Vec<i64> = of_kind.map(|(_, uid)| *uid).collect();
            match kind {
                Kind::Response => self.settle(&uids)?,
                Kind::Message | Kind::Call => kind.settle(self.transaction, &uids)?,
            }
        }
        self.settle_exports()?;
        spent::sum_up(self.transaction, std::mem::take(&mut self.ids.spent))
    }

    /// The numbers of what sessions there are in what was found, with what it says of them; -1 for one of which it says nothing.
    fn sessions(&mut self, source: Source, file: i64, state: &FileState, found: &Found) -> Result<Vec<i64>, Error> {
        let mut records = vec![(false, false); found.sessions.len()];
        let sides = found.messages.iter().map(|one| (one.session, one.side));
        let sides = sides.chain(found.calls.iter().map(|one| (one.session, one.side)));
        for (session, side) in sides.chain(found.responses.iter().map(|one| (one.session, one.side))) {
            records[session] = (true, records[session].1 || !side);
        }
        let mut numbers = Vec::new();
        for (session, (has_records, main)) in found.sessions.iter().zip(records) {
            let is_bare = session.first.is_none() && session.title.is_none() && session.workspace.is_none();
            if is_bare && !has_records {
                numbers.push(NOBODY);
                continue;
            }
            let workspace = session.workspace.as_ref().map(|path| self.workspace(path)).transpose()?;
            // Of a log of many sessions the file's time tells nothing of one.
            let is_dated = session.last.is_some() || !has_records || found.sessions.len() > 1;
            let written = (!is_dated).then_some(state.modified / 1_000_000);
            let told = Told { file, session, workspace, main, written };
            let (number, seen) = sessions::number(self.transaction, source, told)?;
            sessions::keep(self.transaction, number, told)?;
            if seen == Seen::Before && sessions::sum_up(self.transaction, number)? {
                self.ids.moved.insert(number);
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    fn sum_up(&mut self, session: i64) -> Result<(), Error> {
        if sessions::sum_up(self.transaction, session)? {
            self.ids.moved.insert(session);
        }
        Ok(())
    }

    /// Takes note of how far a file was read. None if another process did meanwhile.
    fn file(&self, source: Source, before: Option<&Known>, state: &FileState) -> Result<Option<i64>, Error> {
        let reader = serde_json::to_string(&state.reader).expect("a reader's memory is plain data");
        let FileState { path, size, modified, inode, position, head, tail, sums, .. } = state;
        let sums = sums.as_ref().map(Sums::bytes);
        let (size, inode, position) = (signed(*size), signed(*inode), signed(*position));
        if let Some(Known { id, state: old, .. }) = before {
            let changed = self.transaction.prepare_cached(
                "UPDATE file SET path = ?3, size = ?4, modified = ?5, inode = ?6, position = ?7, head = ?8, tail = ?9,
                 reader = ?10, sums = ?11, gone = 0 WHERE id = ?1 AND position = ?2",
            )?.execute(params![id, signed(old.position), path, size, modified, inode, position, head, tail, reader, sums])?;
            return Ok((changed == 1).then_some(*id));
        }
        let added = self
            .transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO file (source, path, size, modified, inode, position, head, tail, reader, sums)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![source.word(), path, size, modified, inode, position, head, tail, reader, sums])?;
        Ok((added == 1).then(|| self.transaction.last_insert_rowid()))
    }

    /// What a file has and others, too, is to be settled.
    fn unsettle(&mut self, file: i64) -> Result<(), Error> {
        for kind in Kind::ALL {
            let shared = kind.shared(self.transaction, file)?;
            self.ids.unsettled.extend(shared.into_iter().map(|uid| (kind, uid)));
        }
        Ok(())
    }

    /// Forgets the records of a file that was written anew.
    fn forget(&mut self, file: i64) -> Result<(), Error> {
        self.unsettle(file)?;
        Kind::ALL.iter().try_for_each(|kind| kind.forget_numbers(self.transaction, file))?;
        for statement in [
            "UPDATE session SET messages = messages - (SELECT COUNT(*) FROM message WHERE file = ?1 AND session = session.id AND counts = 1)
             WHERE id IN (SELECT session FROM message WHERE file = ?1)",
            "DELETE FROM said WHERE rowid IN (SELECT id FROM message WHERE file = ?)",
            "DELETE FROM message WHERE file = ?",
            // A number that was taken by one of these may be taken again.
            "UPDATE texted SET message = MIN(message, (SELECT COALESCE(MAX(id), 0) FROM message)) WHERE ?1 = ?1",
            "DELETE FROM touch WHERE call IN (SELECT id FROM call WHERE file = ?)",
            "DELETE FROM call WHERE file = ?",
            "DELETE FROM timed WHERE (at, id) IN (SELECT at, id FROM response
             WHERE session IN (SELECT session FROM session_log WHERE file = ?1) AND file = ?1)",
            "DELETE FROM response WHERE session IN (SELECT session FROM session_log WHERE file = ?1) AND file = ?1",
            "DELETE FROM problem WHERE file = ?",
            "DELETE FROM uncounted WHERE file = ?",
            "DELETE FROM session_log WHERE file = ?",
        ] {
            self.transaction.execute(statement, [file])?;
        }
        Ok(())
    }

    /// Writes calls, of which the first so many are repeated: they count elsewhere, whether that is known or not.
    fn calls(
        &mut self,
        (file, repeated): (i64, usize),
        sessions: &[i64],
        (calls, uids): (&[Call], &[Option<i64>]),
    ) -> Result<(), Error> {
        let first = CALLS.put(self.transaction, calls.len(), |row| {
            let (call, uid) = (&calls[row], uids[row]);
            Ok([
                file.into(),
                sessions[call.session].into(),
                call.at.map(|at| at.0).into(),
                Cell::from(&*call.name),
                call.command.as_deref().into(),
                call.ok.map(i64::from).into(),
                call.id.as_deref().filter(|_| call.ok.is_none()).into(),
                i64::from(call.side).into(),
                signed(call.place.offset).into(),
                i64::from(call.place.length).into(),
                uid.into(),
                call.edited.into(),
                i64::from(row >= repeated).into(),
            ])
        })?;
        self.number(Kind::Call, first, uids);
        let mut touches = Vec::new();
        for (id, call) in (first..).zip(calls) {
            for touch in &call.touches {
                let mode = match touch.mode {
                    Mode::Read => 0,
                    Mode::Write => 1,
                    Mode::Delete => 2,
                };
                touches.push([id, sessions[call.session], self.path(&touch.path)?, mode]);
            }
        }
        TOUCHES.put(self.transaction, touches.len(), |row| Ok(touches[row].map(Cell::from))).map(drop)
    }

    /// Writes messages; those that are repeated likewise.
    fn messages(
        &mut self,
        (file, repeated): (i64, usize),
        sessions: &[i64],
        (messages, uids): (&[Message], &[Option<i64>]),
    ) -> Result<(), Error> {
        let first = MESSAGES.put(self.transaction, messages.len(), |row| {
            let Message { session, role, at, side, place, .. } = &messages[row];
            let role = match role {
                Role::User => 0,
                Role::Assistant => 1,
            };
            Ok([
                file.into(),
                sessions[*session].into(),
                at.map(|at| at.0).into(),
                Cell::from(role),
                i64::from(*side).into(),
                signed(place.offset).into(),
                i64::from(place.length).into(),
                uids[row].into(),
                i64::from(row >= repeated).into(),
            ])
        })?;
        self.number(Kind::Message, first, uids);
        Ok(())
    }

    /// Has rows found by their numbers once the transaction ends.
    fn number(&mut self, kind: Kind, first: i64, uids: &[Option<i64>]) {
        for (id, uid) in (first..).zip(uids) {
            if let Some(uid) = *uid {
                let may_be_known = self.ids.fresh.may_know(uid);
                self.ids.waiting.add(kind, uid, id, may_be_known);
            }
        }
    }

    fn count_messages(&self, sessions: &[i64], found: &Found) -> Result<(), Error> {
        for (number, session) in sessions.iter().enumerate() {
            let own = found.messages.iter().skip(found.repeated.messages);
            let new = own.filter(|message| message.session == number).count();
            let mut count = self
                .transaction
                .prepare_cached("UPDATE session SET messages = messages + ?2 WHERE id = ?1 AND ?2 > 0")?;
            count.execute(params![session, i64::try_from(new).unwrap_or(i64::MAX)])?;
        }
        Ok(())
    }

    fn workspace(&mut self, path: &Arc<str>) -> Result<i64, Error> {
        let transaction = self.transaction;
        number(&mut self.ids.workspaces, path, || named(transaction, "workspace", "path", path))
    }

    fn model(&mut self, name: &Arc<str>) -> Result<i64, Error> {
        let transaction = self.transaction;
        number(&mut self.ids.models, name, || named(transaction, "model", "name", name))
    }

    fn path(&mut self, path: &String) -> Result<i64, Error> {
        let transaction = self.transaction;
        if self.ids.paths.len() > MOST_PATHS {
            self.ids.paths.clear();
        }
        let Ids { paths, fresh, .. } = &mut *self.ids;
        number(paths, path, || {
            if fresh.may_know(hash(&[path])) {
                named(transaction, "path", "path", path)
            } else {
                put_name(transaction, "path", "path", path)
            }
        })
    }
}

fn number<K: Clone + Eq + Hash>(
    known: &mut HashMap<K, i64>,
    key: &K,
    find: impl FnOnce() -> Result<i64, Error>,
) -> Result<i64, Error> {
    if let Some(id) = known.get(key) {
        return Ok(*id);
    }
    let id = find()?;
    known.insert(key.clone(), id);
    Ok(id)
}

/// The number of a name in a table of names, which may be new.
pub fn named(transaction: &Transaction<'_>, table: &str, column: &str, name: &str) -> Result<i64, Error> {
    let mut find = transaction.prepare_cached(&format!("SELECT id FROM {table} WHERE {column} = ?"))?;
    if let Some(id) = find.query_row([name], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    put_name(transaction, table, column, name)
}

fn put_name(transaction: &Transaction<'_>, table: &str, column: &str, name: &str) -> Result<i64, Error> {
    transaction.prepare_cached(&format!("INSERT INTO {table} ({column}) VALUES (?)"))?.execute([name])?;
    Ok(transaction.last_insert_rowid())
}

/// SQLite has signed numbers only; no file and no count is that large.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
