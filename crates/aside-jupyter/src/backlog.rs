//! How much was received that nobody has taken yet.
//!
//! A kernel sends what it puts out to whoever listens, and drops what does not fit into the pipe: who reads slowly loses.
//! So everything is read at once, and a kernel that is too far ahead is stopped until it was heard.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use rustix::process::Signal;

use crate::process::Group;

/// Bytes above which the kernel is stopped, and below which it goes on.
const MOST: usize = 64 << 20;
const ENOUGH: usize = 16 << 20;

#[derive(Debug)]
pub(crate) struct Backlog {
    bytes: AtomicUsize,
    stopped: Mutex<bool>,
    group: Group,
}

impl Backlog {
    pub fn new(group: Group) -> Self {
        Self { bytes: AtomicUsize::new(0), stopped: Mutex::new(false), group }
    }

    /// Something came.
    pub fn add(&self, bytes: usize) {
        if self.bytes.fetch_add(bytes, Ordering::AcqRel) + bytes > MOST {
            self.decide();
        }
    }

    /// Somebody has taken it, or nobody wants it.
    pub fn take(&self, bytes: usize) {
        let before = self.bytes.fetch_sub(bytes, Ordering::AcqRel);
        if before > ENOUGH && before - bytes <= ENOUGH {
            self.decide();
        }
    }

    /// Tells whether the kernel is stopped until it was heard.
    pub fn is_stopped(&self) -> bool {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn decide(&self) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.bytes.load(Ordering::Acquire);
        if !*stopped && bytes > MOST {
            *stopped = true;
            self.group.signal(Signal::STOP);
        } else if *stopped && bytes <= ENOUGH {
            *stopped = false;
            self.group.signal(Signal::CONT);
        }
    }
}
