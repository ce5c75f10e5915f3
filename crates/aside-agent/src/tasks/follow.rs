//! Keeps the tasks of turns up with the logs of their threads.

use std::sync::{Arc, Weak};

use aside_core::{ActionId, AiLevel, Task, TaskSource, ThreadEvent, ThreadEventBody, ThreadId, Timestamp};
use aside_store::{Durability, LogEntry, StoreError};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{
    Tasks,
    error::TaskError,
    script::is_script,
    stored::{StoredTask, TASK, get, put, tell},
    turns::{Folding, Followed},
};

/// The kind of the records that say how far a thread was followed.
const FOLLOWED: &str = "task_thread";

impl Tasks {
    /// Takes in what happened in threads so far, and from now on what happens.
    pub(crate) fn follow(self: &Arc<Self>) -> Result<(), TaskError> {
        let entries = self.store.entries();
        self.catch_up_all()?;
        tokio::spawn(listen(Arc::downgrade(self), entries));
        tokio::spawn(watch_what_is_allowed(Arc::downgrade(self)));
        Ok(())
    }

    /// Takes in what happened in a thread so far.
    pub(crate) fn catch_up(&self, thread: &ThreadId) -> Result<(), TaskError> {
        let grant_of = |action: &ActionId| Some(self.gate.submission_of(action).ok()?.grant);
        let changed = self.store.transaction(Durability::Normal, |transaction| {
            let followed: Option<Followed> = transaction.get(FOLLOWED, thread.as_str())?;
            let mut followed = followed.unwrap_or_default();
            let before = followed.clone();
            let entries = transaction.read(thread.as_str(), followed.seq)?;
            let mut tasks: Vec<StoredTask> = transaction.list_owned(TASK, thread.as_str())?;
            tasks.retain(|stored| stored.task.source == TaskSource::Turn);
            let mut changed = vec![false; tasks.len()];
            for entry in &entries {
                let event = event(entry)?;
                let new_id = transaction.new_id();
                let mut folding = Folding { followed: &mut followed, tasks: &mut tasks, grant_of: &grant_of, new_id };
                let Some(at) = folding.take_in(&event) else { continue };
                changed.resize(tasks.len(), false);
                changed[at] = true;
                tasks[at].task.updated = event.at;
            }
            let changed: Vec<_> = tasks.into_iter().zip(changed).filter(|(_, changed)| *changed).collect();
            for (stored, _) in &changed {
                let mut stored = stored.clone();
                stored.count();
                put(transaction, &stored)?;
            }
            if followed != before {
                transaction.put(FOLLOWED, thread.as_str(), None, &followed)?;
            }
            Ok(changed)
        })?;
        for (mut stored, _) in changed {
            stored.count();
            self.tell_of(stored.task);
        }
        Ok(())
    }

    /// Ends plans that were made under a grant which does not hold any more, or by an assistant that was restricted
    /// since: nobody is asked about them in vain. Returns when the next grant of an open one ends by itself.
    async fn end_ungranted(&self) -> Result<Option<Timestamp>, TaskError> {
        let restricted = self.gate.assistant().level < AiLevel::Full;
        let mut next_end = None;
        for task in self.open()?.into_iter().filter(|task| task.source != TaskSource::Turn) {
            let stored = get(&self.store, &task.id)?;
            if restricted && !stored.origin.is_person() {
                self.cancel(&task.id, "the AI restriction").await?;
            } else if let (true, Some(failure)) = (is_script(&stored), self.gate.grants().ended(&stored.grant)?) {
                self.end_script(&task.id, &failure).await?;
            } else if self.gate.grants().ended(&stored.grant)?.is_some() {
                self.cancel(&task.id, "the end of its grant").await?;
            } else {
                next_end = stored.grant.expires.into_iter().chain(next_end).min();
            }
        }
        Ok(next_end)
    }

    fn tell_of(&self, mut task: Task) {
        task.can_undo = self.can_undo(&task);
        tell(&self.store, &task);
    }

    fn catch_up_all(&self) -> Result<(), TaskError> {
        for thread in self.agents.threads(None)? {
            self.catch_up(&thread.id)?;
        }
        Ok(())
    }
}

fn event(entry: &LogEntry) -> Result<ThreadEvent, StoreError> {
    Ok(ThreadEvent { seq: entry.seq, at: entry.at, body: entry.parse()? })
}

async fn listen(tasks: Weak<Tasks>, mut entries: Receiver<LogEntry>) {
    loop {
        let heard = entries.recv().await;
        let Some(tasks) = tasks.upgrade() else { return };
        let done = match heard {
            Ok(entry) => match entry.stream.parse::<ThreadId>() {
                Ok(thread) if matters(&entry) => in_background(tasks, move |tasks| tasks.catch_up(&thread)).await,
                _ => Ok(()),
            },
            Err(RecvError::Lagged(_)) => in_background(tasks, |tasks| tasks.catch_up_all()).await,
            Err(RecvError::Closed) => return,
        };
        if let Err(error) = done {
            tracing::warn!(%error, "cannot update the tasks of a thread");
        }
    }
}

/// Ends plans when what they were made under ends: a grant, or what the assistant may do.
async fn watch_what_is_allowed(tasks: Weak<Tasks>) {
    let Some(first) = tasks.upgrade() else { return };
    let (grants, mut tail) = (first.gate.grants().clone(), first.store.tail());
    let (mut planned, mut assistant) = (first.planned.subscribe(), first.gate.assistant_changes());
    drop(first);
    loop {
        let Some(tasks) = tasks.upgrade() else { return };
        let next_end = tasks.end_ungranted().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot cancel plans that are no longer allowed");
            None
        });
        drop(tasks);
        tokio::select! {
            () = grants.stirred(&mut tail, next_end) => {}
            planned = planned.changed() => if planned.is_err() { return },
            changed = assistant.changed() => if changed.is_err() { return },
        }
    }
}

/// Most entries of a log are no news for tasks.
fn matters(entry: &LogEntry) -> bool {
    match entry.parse() {
        Ok(ThreadEventBody::ActionChanged { record }) => !record.envelope.risk_level.is_read_only(),
        Ok(ThreadEventBody::TurnStarted { .. } | ThreadEventBody::TurnEnded { .. }) => true,
        _ => false,
    }
}

async fn in_background(
    tasks: Arc<Tasks>,
    work: impl FnOnce(&Tasks) -> Result<(), TaskError> + Send + 'static,
) -> Result<(), TaskError> {
    let done = tokio::task::spawn_blocking(move || work(&tasks)).await;
    done.unwrap_or(Err(aside_gate::GateError::Ending.into()))
}
