//! The Gate itself: what it holds, and what can be asked of it without changing anything.

use std::{
    fmt,
    future::Future,
    sync::{Arc, PoisonError, RwLock},
};

use aside_core::{
    ActionId, ActionRecord, AssistantState, Grant, MarkedArgument, Origin, Provenance, ReviewMode, RunMode, Secrets,
    Timestamp, WorkspacePath,
};
use aside_macros::boxed;
use aside_store::{ChainEntry, ChainHead, ChainProblem, Store};
use futures_util::FutureExt as _;
use tokio::sync::{
    broadcast::{self, error::RecvError},
    watch,
};

use crate::{
    Catalog, GateError, Grants, LivePolicy,
    audit::Unindexed,
    in_flight::InFlight,
    record::{ACTIONS, AWAITING, OPEN, StoredAction, UNDOABLE},
    running::Running,
};

/// How many changes a slow listener may fall behind.
const CHANGES: usize = 1024;
/// Actions among which the last one is looked for that can still be taken back.
const LATEST: usize = 100;

/// Who submits, and how far they may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Who asks.
    pub origin: Origin,
    /// What they may do.
    pub grant: Grant,
    /// How the thread reviews edits; a turn without a mode is reviewed at each.
    pub review: Option<ReviewMode>,
    /// Whether what is run in the thread's notebook is asked about.
    pub runs: RunMode,
    /// The notebook whose cells are run also after what runs of it put out was read.
    pub runs_after_outputs: Option<WorkspacePath>,
    /// What the request was made from: for a model's, all that the model was shown.
    pub provenance: Provenance,
    /// The arguments that hold text from outside.
    pub marked: Vec<MarkedArgument>,
    /// The hosts that the person named in their own words.
    pub typed_hosts: Vec<String>,
    /// A call that was not made but read out of a model's text: nothing above reading runs without a person.
    pub recovered: bool,
}

impl Submission {
    /// A person's own request, who may do everything that policy allows.
    pub fn person(origin: Origin) -> Self {
        let grant = Grant::full(origin.user());
        Self::under(grant, origin)
    }

    /// A request under a grant, made from nothing but what the person typed.
    pub fn under(grant: Grant, origin: Origin) -> Self {
        let (provenance, marked, typed_hosts) = (Provenance::default(), Vec::new(), Vec::new());
        Self {
            origin,
            grant,
            review: None,
            runs: RunMode::Ask,
            runs_after_outputs: None,
            provenance,
            marked,
            typed_hosts,
            recovered: false,
        }
    }
}

/// A request that was taken in.
#[derive(Clone, Debug, PartialEq)]
pub struct Submitted {
    /// The action as it stands: at an end, or waiting for a person.
    pub record: ActionRecord,
    /// Set when a stored action was returned for a key that was used before.
    pub replayed: bool,
}

/// The one way to a side effect. What is submitted or decided is carried through even if the caller goes away.
pub struct Gate {
    pub(crate) store: Arc<Store>,
    pub(crate) catalog: Catalog,
    pub(crate) policy: Arc<LivePolicy>,
    pub(crate) grants: Grants,
    pub(crate) in_flight: InFlight,
    pub(crate) running: Running,
    pub(crate) unindexed: Unindexed,
    pub(crate) secrets: RwLock<Secrets>,
    pub(crate) changes: broadcast::Sender<Arc<ActionRecord>>,
    /// How far AI goes, as it was told last.
    pub(crate) assistant: watch::Sender<AssistantState>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Gate({:?})", self.store)
    }
}

impl Gate {
    /// Builds the Gate. Call [`Gate::recover`] before the first request.
    pub fn new(store: Arc<Store>, catalog: Catalog, policy: impl Into<LivePolicy>) -> Arc<Self> {
        let changes = broadcast::Sender::new(CHANGES);
        let policy = Arc::new(policy.into());
        let (grants, running) = (Grants::new(store.clone()), Running::default());
        let (in_flight, unindexed, secrets) = (InFlight::default(), Unindexed::default(), RwLock::default());
        let assistant = watch::Sender::new(policy.assistant(store.now()));
        Arc::new(Self { store, catalog, policy, grants, in_flight, running, unindexed, secrets, changes, assistant })
    }

    /// Says which more values never get into the audit, from now on.
    pub fn keep_out(&self, secrets: Secrets) {
        self.secrets.write().unwrap_or_else(PoisonError::into_inner).add(secrets);
    }

    /// The stored grants.
    pub fn grants(&self) -> &Grants {
        &self.grants
    }

    /// The time by which grants end.
    pub fn now(&self) -> Timestamp {
        self.store.now()
    }

    /// Returns who asked for an action, and how far they may go: for what is asked for on its behalf.
    pub fn submission_of(&self, id: &ActionId) -> Result<Submission, GateError> {
        Ok(self.stored(id)?.submission())
    }

    /// Makes the id of an action that is about to be asked for.
    pub fn new_id(&self) -> ActionId {
        self.store.new_id()
    }

    /// The actions there are. What waits for a person runs only if its action is still there then.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns an action as it is now.
    pub fn record(&self, id: &ActionId) -> Result<ActionRecord, GateError> {
        Ok(self.stored(id)?.record)
    }

    /// Returns what waits for a person, oldest first.
    pub fn pending(&self) -> Result<Vec<ActionRecord>, GateError> {
        self.open(AWAITING)?.iter().map(|id| self.record(id)).collect()
    }

    /// Returns the last action that can be taken back and is not itself an undo.
    pub fn latest_undoable(&self) -> Result<Option<ActionRecord>, GateError> {
        for id in self.store.latest::<ActionId>(UNDOABLE, LATEST)? {
            let record = self.record(&id)?;
            if record.can_undo {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Listens to every change of every action, in order, after it was written.
    /// One who falls too far behind gets `Lagged` and asks for the records again.
    pub fn changes(&self) -> broadcast::Receiver<Arc<ActionRecord>> {
        self.changes.subscribe()
    }

    /// Waits until nothing more will happen to an action by itself, and returns it.
    #[boxed]
    pub async fn settled(&self, id: &ActionId) -> Result<ActionRecord, GateError> {
        let mut changes = self.changes();
        loop {
            let record = self.record(id)?;
            if record.state.is_final() {
                return Ok(record);
            }
            if let Some(record) = next_final(&mut changes, id).await? {
                return Ok(record);
            }
        }
    }

    /// Returns up to `limit` entries of the audit after a position.
    pub fn audit_entries(&self, after: u64, limit: usize) -> Result<Vec<ChainEntry>, GateError> {
        Ok(self.store.chain_read(after, limit)?)
    }

    /// Checks the whole audit; returns its last hash, or the first thing that is wrong. `noted` is a hash that was the last one
    /// at some time.
    pub fn audit_verify(&self, noted: Option<&str>) -> Result<ChainHead, ChainProblem> {
        self.store.chain_verify(noted)
    }

    pub(crate) fn stored(&self, id: &ActionId) -> Result<StoredAction, GateError> {
        let stored: Option<StoredAction> = self.store.get(ACTIONS, id.as_str())?;
        let mut action = stored.ok_or_else(|| GateError::NotFound(id.clone()))?;
        // What its way back needs may have been given up since it was written.
        if action.record.undo_until.is_some_and(|until| until <= self.store.now()) {
            action.record.can_undo = false;
        }
        Ok(action)
    }

    pub(crate) fn open(&self, state: &str) -> Result<Vec<ActionId>, GateError> {
        Ok(self.store.list_owned(OPEN, state)?)
    }
}

/// Returns the final record when it comes, or none if some changes were missed.
async fn next_final(
    changes: &mut broadcast::Receiver<Arc<ActionRecord>>,
    id: &ActionId,
) -> Result<Option<ActionRecord>, GateError> {
    loop {
        match changes.recv().await {
            Ok(record) if record.envelope.id == *id && record.state.is_final() => return Ok(Some((*record).clone())),
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return Ok(None),
            Err(RecvError::Closed) => return Err(GateError::Ending),
        }
    }
}

/// Carries some work through to its end whatever becomes of the caller.
pub(crate) async fn carried_through<T: Send + 'static>(
    work: impl Future<Output = Result<T, GateError>> + Send + 'static,
) -> Result<T, GateError> {
    // Boxed, so that a task is compiled once for a kind of result, and not for each kind of work.
    tokio::spawn(work.boxed()).await.unwrap_or(Err(GateError::Ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, replace};
    use aside_core::ActionState;

    #[tokio::test]
    async fn what_waits_is_listed_and_waiting_for_it_ends_with_the_decision() {
        let bench = Bench::new("one two");
        let asked = bench.propose(replace("one", "1")).await;
        let id = asked.envelope.id.clone();
        assert_eq!(bench.gate.pending().unwrap(), [asked]);
        let mut settled = Box::pin(bench.gate.settled(&id));
        assert!((&mut settled).now_or_never().is_none());
        bench.approve(&id).await.unwrap();
        assert_eq!(settled.await.unwrap().state, ActionState::Done);
        assert!(bench.gate.pending().unwrap().is_empty());
    }

    #[tokio::test]
    async fn waiting_survives_more_changes_than_are_kept() {
        let bench = Bench::new("one two");
        let asked = bench.propose(replace("one", "1")).await;
        let id = asked.envelope.id.clone();
        let mut settled = Box::pin(bench.gate.settled(&id));
        assert!((&mut settled).now_or_never().is_none());
        bench.approve(&id).await.unwrap();
        let other = Arc::new(crate::testing::record());
        for _ in 0..=CHANGES {
            bench.gate.changes.send(other.clone()).unwrap();
        }
        assert_eq!(settled.await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn an_unknown_id_is_not_found() {
        let bench = Bench::new("");
        let id = crate::testing::record().envelope.id;
        assert_eq!(bench.gate.settled(&id).await.unwrap_err().failure().code, "not_found");
    }
}
