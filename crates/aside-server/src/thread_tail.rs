//! One thread from a position on: what is in its log, then what comes, without a gap and without a twin.
//!
//! The store's tail must be listened to before [`ThreadTail::begin`] reads the log: an entry that is in
//! both is told by its position.

use std::sync::Arc;

use aside_agent::{AgentError, Agents};
use aside_core::{LiveDelta, ThreadEvent, ThreadId};
use aside_protocol::StreamLine;
use aside_store::{LogEntry, Tail};
use tokio::sync::broadcast::error::RecvError;

/// How far one reader of a thread is.
pub struct ThreadTail {
    agents: Arc<Agents>,
    thread: ThreadId,
    /// Position of the last entry that was passed on.
    last: u64,
}

impl ThreadTail {
    /// Returns what there is after a position, and what goes on from there. Of a running step the text so
    /// far comes as one delta.
    pub fn begin(agents: Arc<Agents>, thread: ThreadId, after: u64) -> Result<(Self, Vec<StreamLine>), AgentError> {
        let mut tail = Self { agents, thread, last: after };
        let mut lines = tail.catch_up()?;
        let so_far = tail.agents.running_step(&tail.thread);
        lines.extend(so_far.into_iter().map(|delta| StreamLine::Delta { delta }));
        Ok((tail, lines))
    }

    /// Position of the last entry that was passed on.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Returns what of the store's tail belongs to this thread and is new.
    pub fn hear(&mut self, heard: &Result<Tail, RecvError>) -> Result<Vec<StreamLine>, AgentError> {
        match heard {
            Ok(Tail::Entry(entry)) if *entry.stream == *self.thread.as_str() => self.entry(entry),
            Ok(Tail::Live(live)) if *live.stream == *self.thread.as_str() => {
                let delta = serde_json::from_str::<LiveDelta>(&live.body);
                Ok(delta.map(|delta| StreamLine::Delta { delta }).into_iter().collect())
            }
            Ok(_) | Err(RecvError::Closed) => Ok(Vec::new()),
            Err(RecvError::Lagged(_)) => self.catch_up(),
        }
    }

    fn entry(&mut self, entry: &LogEntry) -> Result<Vec<StreamLine>, AgentError> {
        if entry.seq <= self.last {
            return Ok(Vec::new());
        }
        let event = event(entry)?;
        self.last = entry.seq;
        Ok(vec![StreamLine::Event(Box::new(event))])
    }

    fn catch_up(&mut self) -> Result<Vec<StreamLine>, AgentError> {
        let events = self.agents.events(&self.thread, self.last)?;
        self.last = events.last().map_or(self.last, |event| event.seq);
        Ok(events.into_iter().map(|event| StreamLine::Event(Box::new(event))).collect())
    }
}

/// Reads an entry of a thread's log.
pub fn event(entry: &LogEntry) -> Result<ThreadEvent, AgentError> {
    Ok(ThreadEvent { seq: entry.seq, at: entry.at, body: entry.parse()? })
}
