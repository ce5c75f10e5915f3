//! How long to wait for a model server, and how much to take from it.

use std::time::Duration;

/// Bounds on one exchange with a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until the answer starts; a local server may have to load the model first.
    pub start: Duration,
    /// Between two pieces of an answer.
    pub idle: Duration,
    /// The same from a server that says meanwhile that it is at work, in comments that are no piece of an answer.
    pub working: Duration,
    /// For a question about models, from start to end.
    pub question: Duration,
    /// Bytes in one line or one event.
    pub line: usize,
    /// Bytes in one answer.
    pub answer: usize,
    /// How often a busy server is asked again before anything was answered.
    pub retries: u32,
    /// The wait before the first of these, doubled each time, unless the server says when.
    pub first_wait: Duration,
    /// The longest wait before asking again; a server that wants more is reported as busy. Limits of so much a minute are
    /// the usual ones.
    pub longest_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            working: Duration::from_secs(600),
            question: Duration::from_secs(5),
            line: 16 << 20,
            answer: 64 << 20,
            retries: 2,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(65),
        }
    }
}
