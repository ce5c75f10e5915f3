//! The threads that one connection listens to: the log from where the client was, then what comes.
//!
//! The tail is listened to before the log is read, and entries are told apart by their position, so
//! nothing is sent twice and nothing is missed.

use std::{collections::HashMap, sync::Arc};

use aside_core::{LiveDelta, ThreadEvent, ThreadEventBody, ThreadId};
use aside_protocol::ServerFrame;
use aside_store::{LogEntry, StoreError, Tail};
use tokio::sync::broadcast::error::RecvError;

use super::outbox::{Gone, Outbox};
use crate::app::App;

/// What is listened to, with the position of the last entry that was sent.
pub struct Subscriptions {
    app: Arc<App>,
    outbox: Outbox,
    threads: HashMap<ThreadId, u64>,
}

impl Subscriptions {
    /// None yet.
    pub fn new(app: Arc<App>, outbox: Outbox) -> Self {
        Self { app, outbox, threads: HashMap::new() }
    }

    /// Sends the log of a thread from after a position, and goes on with what comes.
    pub fn subscribe(&mut self, thread: ThreadId, after: u64) -> Result<(), Gone> {
        self.threads.insert(thread.clone(), after);
        self.catch_up(&thread)?;
        let seq = self.threads.get(&thread).copied().unwrap_or(after);
        self.outbox.say(&ServerFrame::ThreadCaughtUp { thread, seq })
    }

    /// Stops listening.
    pub fn unsubscribe(&mut self, thread: &ThreadId) {
        self.threads.remove(thread);
    }

    /// Passes on what was heard.
    pub fn tail(&mut self, heard: Result<Tail, RecvError>) -> Result<(), Gone> {
        match heard {
            Ok(Tail::Entry(entry)) => self.entry(&entry),
            Ok(Tail::Live(live)) => match live.stream.parse::<ThreadId>() {
                Ok(thread) if self.threads.contains_key(&thread) => self.live(thread, &live.body),
                _ => Ok(()),
            },
            Err(RecvError::Lagged(_)) => {
                self.threads.keys().cloned().collect::<Vec<_>>().iter().try_for_each(|thread| self.catch_up(thread))
            }
            Err(RecvError::Closed) => Err(Gone),
        }
    }

    fn live(&self, thread: ThreadId, body: &str) -> Result<(), Gone> {
        match serde_json::from_str::<LiveDelta>(body) {
            Ok(delta) => self.outbox.say(&ServerFrame::ThreadDelta { thread, delta }),
            Err(_) => Ok(()),
        }
    }

    fn entry(&mut self, entry: &LogEntry) -> Result<(), Gone> {
        let Ok(thread) = entry.stream.parse::<ThreadId>() else { return Ok(()) };
        let Ok(event) = event(entry) else { return Ok(()) };
        if let ThreadEventBody::ThreadChanged { thread } = &event.body {
            self.outbox.say(&ServerFrame::ThreadChanged { thread: thread.clone() })?;
        }
        match self.threads.get_mut(&thread) {
            Some(last) if *last < entry.seq => {
                *last = entry.seq;
                self.outbox.say(&ServerFrame::ThreadEvent { thread, event: Box::new(event) })
            }
            _ => Ok(()),
        }
    }

    fn catch_up(&mut self, thread: &ThreadId) -> Result<(), Gone> {
        let after = self.threads.get(thread).copied().unwrap_or_default();
        match self.app.store.read(thread.as_str(), after) {
            Ok(entries) => entries.iter().try_for_each(|entry| self.entry(entry)),
            Err(error) => self.outbox.say(&ServerFrame::Problem { failure: error.failure() }),
        }
    }
}

/// Reads an entry of a thread's log.
pub fn event(entry: &LogEntry) -> Result<ThreadEvent, StoreError> {
    Ok(ThreadEvent { seq: entry.seq, at: entry.at, body: entry.parse()? })
}
