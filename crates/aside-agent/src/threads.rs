//! The list of threads: records beside the logs. What is too much is put away; only a person deletes ([`deletion`]).

mod actions;
mod archive;
mod changes;
mod create;
mod deletion;
mod edits;
mod moved;
mod rename;
mod search;
mod set_model;

use std::collections::HashSet;

use aside_core::{
    ActionGroup, ActionRecord, Grant, InstructionsAt, ModelRef, NavigatorBudget, ReviewMode, RunMode, ThinkingEffort,
    Thread, ThreadEvent, ThreadEventBody, ThreadId, WorkspacePath,
};
use aside_store::{Durability, LogEntry, Store, StoreError, Transaction};

use crate::{error::AgentError, sent};

pub(crate) use actions::{NAMES, Protected, actions};
pub use deletion::DELETED_NEWS;
pub use edits::ThreadEdit;
pub(crate) use edits::edits;
pub(crate) use moved::follow;
pub use search::FoundThread;
pub(crate) use search::search;

/// Threads beside one document that are in the list at once; those of AI cells, which no list shows, are counted apart.
const MOST: usize = 100;
/// The title until there is a message.
pub(crate) const UNTITLED: &str = "New thread";
pub(crate) const KIND: &str = "thread";

/// What a new thread starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewThread {
    /// Started beside this document.
    pub document: Option<WorkspacePath>,
    /// A title; else the first words of the first message.
    pub title: Option<String>,
    /// How edits reach the document.
    pub mode: Option<ReviewMode>,
    /// Whether what is run in the notebook is asked about.
    pub runs: Option<RunMode>,
    /// The notebook whose cells are run also after what runs of it put out was read.
    pub runs_after_outputs: Option<WorkspacePath>,
    /// The AI cell whose answers are made in it.
    pub cell: Option<String>,
    /// The model; else the workspace's choice.
    pub model: Option<ModelRef>,
    /// What agents may do in it at most.
    pub grant: Option<Grant>,
    /// Hints and no solutions.
    pub hint: bool,
    /// The Navigator answers in it, within this budget.
    pub navigator: Option<NavigatorBudget>,
    /// How much the model thinks.
    pub thinking: ThinkingEffort,
    /// Standing instructions that don't go along.
    pub without: Vec<InstructionsAt>,
    /// Groups of actions that are off.
    pub off: Vec<ActionGroup>,
    /// Asked for again under the same key it is the thread that was begun, as long as that is one of the newest.
    pub key: Option<String>,
}

/// What is to be different about a thread; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadChange {
    /// The new title.
    pub title: Option<String>,
    /// The new mode.
    pub mode: Option<ReviewMode>,
    /// Whether what is run in the notebook is asked about.
    pub runs: Option<RunMode>,
    /// The notebook whose cells are run also after what runs of it put out was read; none any more if that is `None`.
    pub runs_after_outputs: Option<Option<WorkspacePath>>,
    /// The new model; that of the workspace if that is `None`.
    pub model: Option<Option<ModelRef>>,
    /// How much the model thinks.
    pub thinking: Option<ThinkingEffort>,
    /// Put away or taken back.
    pub archived: Option<bool>,
    /// All standing instructions that don't go along.
    pub without: Option<Vec<InstructionsAt>>,
    /// All groups of actions that are off.
    pub off: Option<Vec<ActionGroup>>,
}

pub(crate) fn get(store: &Store, id: &ThreadId) -> Result<Thread, AgentError> {
    store.get(KIND, id.as_str())?.ok_or_else(|| AgentError::NotFound(id.clone()))
}

/// Returns the threads beside a document, or all; the one that was busy last comes first.
pub(crate) fn list(store: &Store, document: Option<&WorkspacePath>) -> Result<Vec<Thread>, StoreError> {
    let mut threads: Vec<Thread> = match document {
        Some(path) => store.list_owned(KIND, path.as_str())?,
        None => store.list(KIND)?,
    };
    threads.sort_by(|one, two| two.updated.cmp(&one.updated).then_with(|| two.id.cmp(&one.id)));
    Ok(threads)
}

/// Returns the log of a thread after a position.
pub(crate) fn events(store: &Store, id: &ThreadId, after: u64) -> Result<Vec<ThreadEvent>, StoreError> {
    store.read(id.as_str(), after)?.iter().map(event).collect()
}

fn event(entry: &LogEntry) -> Result<ThreadEvent, StoreError> {
    Ok(ThreadEvent { seq: entry.seq, at: entry.at, body: entry.parse()? })
}

/// Starts a thread, and puts the oldest ones away when there are too many. `protected` ones stay.
pub(crate) fn create(store: &Store, new: NewThread, protected: &HashSet<ThreadId>) -> Result<Thread, StoreError> {
    store.transaction(Durability::Normal, |transaction| {
        if let Some(begun) = sent::thread_of(transaction, new.key.as_deref())? {
            return Ok(begun);
        }
        let now = transaction.now();
        let thread = Thread {
            id: transaction.new_id(),
            title: new.title.as_deref().map(clean).filter(|title| !title.is_empty()).unwrap_or_else(|| UNTITLED.into()),
            document: new.document,
            mode: new.mode.unwrap_or_default(),
            runs: new.runs.unwrap_or_default(),
            runs_after_outputs: new.runs_after_outputs.filter(|_| new.runs.unwrap_or_default() != RunMode::Ask),
            model: new.model,
            created: now,
            updated: now,
            archived: false,
            grant: match (new.hint, new.grant) {
                (true, grant) => {
                    let hints = Grant::explaining("hint mode");
                    Some(grant.map_or(hints.clone(), |grant| grant.narrowed(&hints)))
                }
                (false, grant) => grant,
            },
            hint: new.hint,
            navigator: new.navigator.map(NavigatorBudget::bounded),
            cell: new.cell,
            thinking: new.thinking,
            without: new.without,
            off: new.off,
        };
        make_room(transaction, &thread, protected)?;
        write(transaction, &thread)?;
        sent::note_begun(transaction, &thread.id, new.key)?;
        Ok(thread)
    })
}

/// Changes a thread; one that is taken back takes the place of the oldest one, if there are too many.
pub(crate) fn change(
    store: &Store,
    id: &ThreadId,
    change: ThreadChange,
    protected: &HashSet<ThreadId>,
) -> Result<Thread, AgentError> {
    let changed = store.transaction(Durability::Normal, |transaction| {
        let Some(mut thread) = transaction.get::<Thread>(KIND, id.as_str())? else { return Ok(None) };
        let title = change.title.as_deref().map(clean).filter(|title| !title.is_empty());
        thread.title = title.unwrap_or(thread.title);
        thread.mode = change.mode.unwrap_or(thread.mode);
        thread.runs = change.runs.unwrap_or(thread.runs);
        let wished = change.runs_after_outputs.unwrap_or(thread.runs_after_outputs);
        thread.runs_after_outputs = wished.filter(|_| thread.runs != RunMode::Ask);
        thread.model = change.model.unwrap_or(thread.model);
        thread.thinking = change.thinking.unwrap_or(thread.thinking);
        let was_away = thread.archived;
        thread.archived = change.archived.unwrap_or(was_away);
        if was_away && !thread.archived {
            make_room(transaction, &thread, protected)?;
        }
        thread.without = change.without.unwrap_or(thread.without);
        thread.off = change.off.unwrap_or(thread.off);
        thread.updated = transaction.now();
        write(transaction, &thread)?;
        Ok(Some(thread))
    })?;
    changed.ok_or_else(|| AgentError::NotFound(id.clone()))
}

/// Notes that something happened in a thread, without an entry in its log.
pub(crate) fn touch(transaction: &Transaction<'_>, id: &ThreadId) -> Result<(), StoreError> {
    if let Some(mut thread) = transaction.get::<Thread>(KIND, id.as_str())? {
        thread.updated = transaction.now();
        put(transaction, &thread)?;
    }
    Ok(())
}

/// Writes a thread and says so in its log.
pub(crate) fn write(transaction: &Transaction<'_>, thread: &Thread) -> Result<(), StoreError> {
    put(transaction, thread)?;
    transaction.append(thread.id.as_str(), &ThreadEventBody::ThreadChanged { thread: thread.clone() }).map(drop)
}

fn put(transaction: &Transaction<'_>, thread: &Thread) -> Result<(), StoreError> {
    let owner = thread.document.as_ref().map(WorkspacePath::as_str);
    transaction.put(KIND, thread.id.as_str(), owner, thread)
}

/// Puts the oldest threads beside a document away, so that this one can be in the list with the others. `protected` ones
/// stay, and those with a turn that is not over.
pub(crate) fn make_room(
    transaction: &Transaction<'_>,
    thread: &Thread,
    protected: &HashSet<ThreadId>,
) -> Result<(), StoreError> {
    let Some(document) = &thread.document else { return Ok(()) };
    let mut listed: Vec<Thread> = transaction.list_owned(KIND, document.as_str())?;
    let is_alike = |other: &Thread| other.cell.is_some() == thread.cell.is_some();
    listed.retain(|other| !other.archived && other.id != thread.id && is_alike(other));
    listed.sort_by_key(|other| other.updated);
    let mut excess = (listed.len() + 1).saturating_sub(MOST);
    for mut other in listed.into_iter().filter(|other| !protected.contains(&other.id)) {
        if excess == 0 {
            break;
        }
        if !deletion::is_open(transaction, &other.id)? {
            other.archived = true;
            write(transaction, &other)?;
            excess -= 1;
        }
    }
    Ok(())
}

/// One line without control characters, of a bearable length.
fn clean(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ").chars().filter(|c| !c.is_control()).take(200).collect()
}

/// The threads in which something waits for a person.
pub(crate) fn waiting(pending: &[ActionRecord]) -> HashSet<ThreadId> {
    pending.iter().filter_map(|record| record.origin.thread().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use aside_store::StoreOptions;

    use super::*;

    #[test]
    fn the_oldest_unprotected_thread_is_put_away_when_there_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let document: WorkspacePath = "a.py".parse().unwrap();
        let new = || NewThread { document: Some(document.clone()), ..NewThread::default() };
        let first = create(&store, new(), &HashSet::new()).unwrap();
        let second = create(&store, new(), &HashSet::new()).unwrap();
        let protected = HashSet::from([first.id.clone()]);
        for _ in 0..MOST - 1 {
            create(&store, new(), &protected).unwrap();
        }
        assert!(!get(&store, &first.id).unwrap().archived);
        assert!(get(&store, &second.id).unwrap().archived);
        let listed = list(&store, Some(&document)).unwrap();
        assert_eq!(listed.len(), MOST + 1, "nothing is deleted");
        assert_eq!(listed.iter().filter(|thread| !thread.archived).count(), MOST);
    }

    #[test]
    fn running_threads_stay_and_reading_archives_none() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let document: WorkspacePath = "a.py".parse().unwrap();
        let begin = || {
            let new = NewThread { document: Some(document.clone()), ..NewThread::default() };
            create(&store, new, &HashSet::new()).unwrap().id
        };
        let (running, done) = (begin(), begin());
        store.put(crate::agents::OPEN_TURN, running.as_str(), None, &serde_json::json!({})).unwrap();
        (0..MOST - 1).for_each(|_| drop(begin()));
        let is_away = |id: &ThreadId| get(&store, id).unwrap().archived;
        assert_eq!((is_away(&running), is_away(&done)), (false, true), "the oldest that is over goes");
        // One too many, as another version may have left it.
        let mut thread = get(&store, &done).unwrap();
        thread.archived = false;
        store.transaction(Durability::Full, |transaction| put(transaction, &thread)).unwrap();
        let shown = || list(&store, Some(&document)).unwrap().iter().filter(|thread| !thread.archived).count();
        let before = shown();
        assert!(events(&store, &done, 0).is_ok() && list(&store, None).is_ok());
        assert_eq!((before, shown()), (MOST + 1, MOST + 1));
    }

    #[test]
    fn a_thread_that_is_asked_for_again_under_its_key_is_begun_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let begin = |key: Option<&str>| {
            let new = NewThread { key: key.map(str::to_owned), ..NewThread::default() };
            create(&store, new, &HashSet::new()).unwrap().id
        };
        let first = begin(Some("a"));
        assert_ne!(begin(Some("b")), first);
        assert_ne!(begin(None), begin(None));
        assert_eq!(begin(Some("a")), first, "also after another one");
        deletion::delete(&store, &first).unwrap();
        assert_ne!(begin(Some("a")), first, "one that is gone is none");
    }

    #[test]
    fn no_way_into_the_list_makes_it_longer() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let path = |text: &str| -> WorkspacePath { text.parse().unwrap() };
        let beside = |document: &str| {
            let new = NewThread { document: Some(path(document)), ..NewThread::default() };
            create(&store, new, &HashSet::new()).unwrap().id
        };
        let shown = || list(&store, Some(&path("a.py"))).unwrap().iter().filter(|thread| !thread.archived).count();
        let is_away = |id: &ThreadId| get(&store, id).unwrap().archived;
        let first = beside("a.py");
        for _ in 0..MOST {
            beside("a.py");
        }
        assert!(is_away(&first));
        let oldest =
            list(&store, Some(&path("a.py"))).unwrap().into_iter().rfind(|thread| !thread.archived).unwrap().id;
        let taken_back = ThreadChange { archived: Some(false), ..ThreadChange::default() };
        change(&store, &first, taken_back.clone(), &HashSet::new()).unwrap();
        assert_eq!((shown(), is_away(&first), is_away(&oldest)), (MOST, false, true), "taken back");
        // What is in the list already takes no place of another.
        change(&store, &first, taken_back, &HashSet::new()).unwrap();
        assert_eq!(shown(), MOST);
        let moved = beside("b.py");
        moved::follow(&store, &path("b.py"), &path("a.py"), &HashSet::new()).unwrap();
        assert_eq!((shown(), is_away(&moved)), (MOST, false), "moved along");
        let deleted = deletion::delete(&store, &moved).unwrap();
        beside("a.py");
        let oldest =
            list(&store, Some(&path("a.py"))).unwrap().into_iter().rfind(|thread| !thread.archived).unwrap().id;
        deletion::restore(&store, &deleted.id, &HashSet::from([oldest.clone()])).unwrap();
        assert_eq!((shown(), is_away(&moved), is_away(&oldest)), (MOST, false, false), "put back");
    }

    #[test]
    fn the_threads_of_ai_cells_put_no_conversation_away_and_the_other_way_round() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let document: WorkspacePath = "a.ipynb".parse().unwrap();
        let beside = |cell: Option<String>| {
            let new = NewThread { document: Some(document.clone()), cell, ..NewThread::default() };
            create(&store, new, &HashSet::new()).unwrap().id
        };
        let is_away = |id: &ThreadId| get(&store, id).unwrap().archived;
        let (talk, first_cell) = (beside(None), beside(Some("cell".to_owned())));
        for number in 0..MOST - 1 {
            beside(Some(format!("cell{number}")));
            beside(None);
        }
        assert_eq!((is_away(&talk), is_away(&first_cell)), (false, false));
        beside(Some("more".to_owned()));
        assert_eq!((is_away(&talk), is_away(&first_cell)), (false, true), "each kind has its own room");
    }

    #[test]
    fn hint_mode_is_a_grant_that_no_change_of_the_thread_widens() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let new = NewThread { hint: true, grant: Some(Grant::full("wide")), ..NewThread::default() };
        let thread = create(&store, new, &HashSet::new()).unwrap();
        let (mode, thinking) = (Some(ReviewMode::AutoApply), Some(ThinkingEffort::High));
        change(&store, &thread.id, ThreadChange { thinking, ..ThreadChange::default() }, &HashSet::new()).unwrap();
        let changed =
            change(&store, &thread.id, ThreadChange { mode, ..ThreadChange::default() }, &HashSet::new()).unwrap();
        assert_eq!(changed.thinking, ThinkingEffort::High);
        assert!(changed.hint);
        let grant = changed.grant.unwrap();
        let covers = |name: &str, risk| grant.covers(&name.parse().unwrap(), &[risk].into(), aside_core::Timestamp(0));
        assert!(covers("doc.read", aside_core::Risk::Read));
        assert!(
            !covers("doc.edit", aside_core::Risk::Write) && !covers("doc.edit", aside_core::Risk::Read)
                || grant.risks.is_read_only()
        );
    }

    #[test]
    fn a_change_is_in_the_record_and_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let thread = create(&store, NewThread::default(), &HashSet::new()).unwrap();
        let title = Some("  two\nwords\t".to_owned());
        let runs = Some(RunMode::Auto);
        let changed =
            change(&store, &thread.id, ThreadChange { title, runs, ..ThreadChange::default() }, &HashSet::new())
                .unwrap();
        assert_eq!((changed.title.as_str(), changed.runs), ("two words", RunMode::Auto));
        assert_eq!(get(&store, &thread.id).unwrap(), changed);
        let log = events(&store, &thread.id, 1).unwrap();
        assert_eq!(log[0].body, ThreadEventBody::ThreadChanged { thread: changed });
    }
}
