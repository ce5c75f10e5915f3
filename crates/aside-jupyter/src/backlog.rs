//! How much was received that nobody has taken yet.
//!
//! A kernel sends what it puts out to whoever listens, and drops what does not fit into the pipe: who reads slowly loses.
//! So everything is read at once, and a kernel that is too far ahead is stopped until it was heard. Where a relay keeps what
//! was not taken, it is simply not read.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use rustix::process::Signal;
use tokio::sync::Notify;

use crate::process::Group;

/// Bytes that wait in memory, above which the kernel is stopped.
pub(crate) const IN_MEMORY: usize = 64 << 20;

#[derive(Debug)]
pub(crate) struct Backlog {
    bytes: AtomicUsize,
    stopped: Mutex<bool>,
    /// None if it is not stopped, but read from no further.
    group: Option<Group>,
    /// Bytes above which the kernel is stopped; it goes on below a quarter.
    most: usize,
    /// There is room again.
    room: Notify,
}

impl Backlog {
    pub fn new(group: Option<Group>, most: usize) -> Self {
        Self { bytes: AtomicUsize::new(0), stopped: Mutex::new(false), group, most, room: Notify::new() }
    }

    /// Waits until there is room for more.
    pub async fn room(&self) {
        while self.is_stopped() {
            self.room.notified().await;
        }
    }

    /// Something came.
    pub fn add(&self, bytes: usize) {
        if self.bytes.fetch_add(bytes, Ordering::AcqRel) + bytes > self.most {
            self.decide();
        }
    }

    /// Somebody has taken it, or nobody wants it.
    pub fn take(&self, bytes: usize) {
        let before = self.bytes.fetch_sub(bytes, Ordering::AcqRel);
        if before > self.enough() && before - bytes <= self.enough() {
            self.decide();
        }
    }

    /// Tells whether the kernel waits until it was heard.
    pub fn is_stopped(&self) -> bool {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enough(&self) -> usize {
        self.most / 4
    }

    fn decide(&self) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.bytes.load(Ordering::Acquire);
        if !*stopped && bytes > self.most {
            *stopped = true;
            self.group.iter().for_each(|group| group.signal(Signal::STOP));
        } else if *stopped && bytes <= self.enough() {
            *stopped = false;
            self.group.iter().for_each(|group| group.signal(Signal::CONT));
            self.room.notify_one();
        }
    }
}
