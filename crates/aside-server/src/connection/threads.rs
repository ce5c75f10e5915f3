//! The threads that one connection listens to.

use std::{collections::HashMap, sync::Arc};

use aside_agent::{AgentError, Agents, DELETED_NEWS};
use aside_core::{Failure, ThreadEventBody, ThreadId};
use aside_protocol::{ServerFrame, StreamLine};
use aside_store::Tail;
use tokio::sync::broadcast::error::RecvError;

use super::outbox::{Gone, Outbox};
use crate::thread_tail::{ThreadTail, event};

/// Threads that may be listened to at once on one connection.
const MOST: usize = 200;

/// What is listened to.
pub struct Subscriptions {
    agents: Arc<Agents>,
    outbox: Outbox,
    threads: HashMap<ThreadId, ThreadTail>,
}

impl Subscriptions {
    /// None yet.
    pub fn new(agents: Arc<Agents>, outbox: Outbox) -> Self {
        Self { agents, outbox, threads: HashMap::new() }
    }

    /// Sends the log of a thread from after a position, and goes on with what comes.
    pub fn subscribe(&mut self, thread: ThreadId, after: u64) -> Result<(), Gone> {
        if self.threads.len() >= MOST && !self.threads.contains_key(&thread) {
            let failure =
                Failure::new("too_many", format!("this connection already listens to {MOST} threads, the maximum"));
            return self.outbox.say(&ServerFrame::ThreadRefused { thread, failure });
        }
        match ThreadTail::begin(self.agents.clone(), thread.clone(), after) {
            Ok((tail, lines)) => {
                send(&self.outbox, &thread, lines)?;
                self.outbox.say(&ServerFrame::ThreadCaughtUp { thread: thread.clone(), seq: tail.last() })?;
                self.threads.insert(thread, tail);
                Ok(())
            }
            Err(error) => self.outbox.say(&ServerFrame::ThreadRefused { thread, failure: error.failure() }),
        }
    }

    /// Says which threads have a turn that is not over.
    pub fn say_running(&self) -> Result<(), Gone> {
        self.outbox.say(&ServerFrame::RunningThreads { threads: self.agents.running_threads() })
    }

    /// Stops listening.
    pub fn unsubscribe(&mut self, thread: &ThreadId) {
        self.threads.remove(thread);
    }

    /// Passes on what was heard.
    pub fn hear(&mut self, heard: &Result<Tail, RecvError>) -> Result<(), Gone> {
        if let Ok(Tail::Entry(entry)) = heard
            && entry.stream.parse::<ThreadId>().is_ok()
            && let Ok(event) = event(entry)
        {
            self.tell_all(event.body)?;
        }
        if let Ok(Tail::Live(live)) = heard
            && *live.stream == *DELETED_NEWS
            && let Ok(thread) = serde_json::from_str(&live.body)
        {
            return self.outbox.say(&ServerFrame::ThreadDeleted { thread });
        }
        let stream = match heard {
            Ok(tail) => tail.stream().clone(),
            Err(RecvError::Lagged(_)) => {
                self.say_running()?;
                return self.all_catch_up(heard);
            }
            Err(RecvError::Closed) => return Err(Gone),
        };
        let Ok(thread) = stream.parse::<ThreadId>() else { return Ok(()) };
        let Some(tail) = self.threads.get_mut(&thread) else { return Ok(()) };
        match tail.hear(heard) {
            Ok(lines) => send(&self.outbox, &thread, lines),
            Err(error) => self.problem(&error),
        }
    }

    /// Passes on what is said of a thread also to who does not listen to it.
    fn tell_all(&self, body: ThreadEventBody) -> Result<(), Gone> {
        match body {
            ThreadEventBody::ThreadChanged { thread } => {
                self.outbox.say(&ServerFrame::ThreadChanged { thread: Box::new(thread) })
            }
            ThreadEventBody::TurnStarted { .. } | ThreadEventBody::TurnEnded { .. } => self.say_running(),
            _ => Ok(()),
        }
    }

    fn all_catch_up(&mut self, heard: &Result<Tail, RecvError>) -> Result<(), Gone> {
        for (thread, tail) in &mut self.threads {
            match tail.hear(heard) {
                Ok(lines) => send(&self.outbox, thread, lines)?,
                Err(error) => self.outbox.say(&ServerFrame::Problem { failure: error.failure() })?,
            }
        }
        Ok(())
    }

    fn problem(&self, error: &AgentError) -> Result<(), Gone> {
        self.outbox.say(&ServerFrame::Problem { failure: error.failure() })
    }
}

fn send(outbox: &Outbox, thread: &ThreadId, lines: Vec<StreamLine>) -> Result<(), Gone> {
    lines.into_iter().try_for_each(|line| {
        let thread = thread.clone();
        outbox.say(&match line {
            StreamLine::Event(event) => ServerFrame::ThreadEvent { thread, event },
            StreamLine::Delta { delta } => ServerFrame::ThreadDelta { thread, delta },
        })
    })
}
