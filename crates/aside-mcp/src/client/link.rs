//! The connection to one server: made when it is needed, given up when it breaks, and not made again at once when it
//! keeps breaking.
//!
//! ```text
//! none ──needed──> starting ──> connected ──broke──> none, rests before the next start
//!                      └──failed──> rests, then tried again by itself: MOST_TRIES times, each rest twice as long
//! ```

mod counted_http;
mod reason;
mod said;
mod session;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use aside_core::{Failure, McpLaunch, McpServerName, Switch};
use tokio::sync::watch;

use super::{
    kept::Files,
    servers::{ClientLimits, Servers},
};

use said::Said;
pub(crate) use session::{Lost, Session};

/// The longest rest between two starts, in first rests.
const LONGEST_REST: u32 = 60;
/// Starts in a row after which it is not tried by itself any more.
const MOST_TRIES: u32 = 10;

/// One server's connection, if there is one.
#[derive(Default)]
pub(crate) struct Link {
    slot: tokio::sync::Mutex<Slot>,
    seen: Mutex<Seen>,
    said: Said,
    closed: watch::Sender<bool>,
    /// Somebody tries it again and again.
    tried: AtomicBool,
}

#[derive(Default)]
struct Slot {
    session: Option<Arc<Session>>,
    /// Starts in a row that led to nothing.
    failures: u32,
    rest_until: Option<Instant>,
}

/// What is told of a connection without waiting for it.
#[derive(Default)]
struct Seen {
    failure: Option<String>,
    failures: u32,
    rest_until: Option<Instant>,
}

/// What is told of a connection.
#[derive(Default)]
pub(crate) struct LinkState {
    pub(crate) running: bool,
    /// Why it could not be reached last.
    pub(crate) failure: Option<String>,
    /// Starts in a row that led to nothing.
    pub(crate) failures: u32,
    /// How long until it is tried again by itself; none if it is not.
    pub(crate) retry_in: Option<Duration>,
    pub(crate) said: Vec<String>,
}

/// What is needed to make a connection.
pub(crate) struct Reach<'a> {
    pub(crate) server: &'a McpServerName,
    pub(crate) launch: &'a McpLaunch,
    pub(crate) files: &'a Files,
    pub(crate) limits: ClientLimits,
    /// Whether no other machine is reached.
    pub(crate) local_only: Switch,
    pub(crate) servers: Weak<Servers>,
}

impl Link {
    /// Returns the connection, and makes it first if there is none. Whoever comes meanwhile waits for the same one.
    pub(crate) async fn session(&self, reach: &Reach<'_>) -> Result<Arc<Session>, Failure> {
        // Held while it is started, so that it is started once.
        let mut slot = self.slot.lock().await;
        if let Some(session) = slot.session.as_ref().filter(|session| !session.is_closed()) {
            return Ok(session.clone());
        }
        slot.session = None;
        if let Some(rest) = slot.rest_until.and_then(|until| until.checked_duration_since(Instant::now())) {
            let message = format!("{} keeps failing; next retry in {} s", reach.server, rest.as_secs() + 1);
            return Err(Failure::new("server_resting", message).hint(self.hint(reach.launch)));
        }
        match self.start(reach).await {
            Ok(session) => {
                let session = Arc::new(session);
                slot.session = Some(session.clone());
                self.note(Seen::default());
                Ok(session)
            }
            Err(problem) => {
                let message = format!("{} could not be reached: {problem}", reach.server);
                self.failed(&mut slot, &message, reach.limits.rest);
                Err(Failure::new("server_unreachable", message).hint(self.hint(reach.launch)))
            }
        }
    }

    /// Returns the connection if there is one.
    pub(crate) async fn running(&self) -> Option<Arc<Session>> {
        self.slot.lock().await.session.clone().filter(|session| !session.is_closed())
    }

    /// Gives a connection up, unless another one was made meanwhile.
    pub(crate) async fn give_up(&self, session: &Arc<Session>, why: &Failure, rest: Duration) {
        let mut slot = self.slot.lock().await;
        if slot.session.as_ref().is_some_and(|current| Arc::ptr_eq(current, session)) {
            slot.session = None;
            self.failed(&mut slot, &why.message, rest);
        }
    }

    /// It did what it was asked for.
    pub(crate) async fn worked(&self) {
        let mut slot = self.slot.lock().await;
        (slot.failures, slot.rest_until) = (0, None);
    }

    /// Its list of tools could not be read, though it is connected; none if it could.
    pub(crate) fn listed(&self, problem: Option<&Failure>) {
        self.seen().failure = problem.map(|failure| failure.message.clone());
    }

    /// Ends what runs and forgets what went wrong, so that it is started anew.
    pub(crate) async fn reset(&self) {
        let ended = std::mem::take(&mut *self.slot.lock().await);
        self.note(Seen::default());
        drop(ended);
    }

    /// Ends it for good, also while it is being started.
    pub(crate) async fn close(&self) {
        self.closed.send_replace(true);
        self.reset().await;
    }

    /// How it stands.
    pub(crate) fn state(&self) -> LinkState {
        // One that is being started is none that runs; one that ended unnoticed neither.
        let (running, ended) = match self.slot.try_lock().as_ref().map(|slot| slot.session.as_ref()) {
            Ok(Some(session)) => (!session.is_closed(), session.ended_for()),
            Ok(None) | Err(_) => (false, None),
        };
        let seen = self.seen();
        let tried = self.tried.load(Ordering::SeqCst);
        let retry_in = seen.rest_until.filter(|_| tried).map(|until| until.saturating_duration_since(Instant::now()));
        LinkState {
            running,
            failure: seen.failure.clone().or(ended),
            failures: seen.failures,
            retry_in,
            said: self.said.lines(),
        }
    }

    /// Tries again and again, each time after its rest, until `attempt` says that there is no need any more.
    /// Does nothing if that is done already.
    pub(crate) async fn keep_trying<Attempt: Future<Output = bool>>(&self, mut attempt: impl FnMut() -> Attempt) {
        if self.tried.swap(true, Ordering::SeqCst) {
            return;
        }
        let mut closed = self.closed.subscribe();
        let trying = async {
            while let Some(rest) = self.next_try().await {
                tokio::time::sleep(rest).await;
                if !attempt().await {
                    break;
                }
            }
        };
        // An error can't be: the sender is ours.
        tokio::select! {
            () = trying => {}
            _ = closed.wait_for(|closed| *closed) => {}
        }
        self.tried.store(false, Ordering::SeqCst);
    }

    /// How long to rest before it is tried again; none if it should not be.
    async fn next_try(&self) -> Option<Duration> {
        let slot = self.slot.lock().await;
        let wanted = slot.session.is_none() && (1..MOST_TRIES).contains(&slot.failures);
        wanted.then(|| slot.rest_until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now())))
    }

    async fn start(&self, reach: &Reach<'_>) -> Result<Session, String> {
        let mut closed = self.closed.subscribe();
        tokio::select! {
            started = tokio::time::timeout(reach.limits.start, Session::open(reach, &self.said)) => {
                started.unwrap_or_else(|_| Err(format!("it did not answer within {} s", reach.limits.start.as_secs())))
            }
            _ = closed.wait_for(|closed| *closed) => Err("it is no longer needed".to_owned()),
        }
    }

    /// Where to look for what is wrong.
    fn hint(&self, launch: &McpLaunch) -> String {
        match launch {
            McpLaunch::Program { .. } => self.said.last_words(),
            McpLaunch::Http { .. } => "check that it is running, and check its address and headers".to_owned(),
        }
    }

    fn failed(&self, slot: &mut Slot, why: &str, first_rest: Duration) {
        slot.failures = slot.failures.saturating_add(1);
        slot.rest_until = Some(Instant::now() + rest_after(slot.failures, first_rest));
        let (failures, rest_until) = (slot.failures, slot.rest_until);
        self.note(Seen { failure: Some(why.to_owned()), failures, rest_until });
    }

    fn note(&self, seen: Seen) {
        *self.seen() = seen;
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first failure may be an accident; after that each rest is twice as long.
fn rest_after(failures: u32, first: Duration) -> Duration {
    match failures {
        0 | 1 => Duration::ZERO,
        more => first * (1 << (more - 2).min(6)).min(LONGEST_REST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_and_end() {
        let second = Duration::from_secs(1);
        let rests: Vec<_> = (0..10).map(|failures| rest_after(failures, second).as_secs()).collect();
        assert_eq!(rests, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(rest_after(u32::MAX, second), second * LONGEST_REST);
    }

    #[tokio::test]
    async fn what_keeps_failing_is_tried_so_often_and_no_more() {
        let link = Link::default();
        let mut tries = 0;
        link.failed(&mut *link.slot.lock().await, "no", Duration::ZERO);
        link.keep_trying(|| {
            tries += 1;
            async {
                link.failed(&mut *link.slot.lock().await, "no", Duration::ZERO);
                true
            }
        })
        .await;
        assert_eq!((tries, link.state().failures), (MOST_TRIES - 1, MOST_TRIES));
        assert!(link.state().retry_in.is_none());
        link.reset().await;
        link.keep_trying(|| -> std::future::Ready<bool> { unreachable!("nothing failed") }).await;
    }
}
