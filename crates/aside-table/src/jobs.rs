//! Work on a thread of its own: its progress, its result as far as it is known, and its end.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use aside_core::Failure;

use crate::TableError;

/// Rows between two looks at whether the work is still wanted.
const ROWS: u64 = 1024;

/// Work that goes on, or has ended.
pub(crate) struct Job<T> {
    value: Mutex<T>,
    standing: Mutex<Standing>,
    ended: Condvar,
    cancelled: AtomicBool,
}

/// How far work is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Standing {
    pub progress: f64,
    pub done: bool,
    pub failure: Option<Failure>,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work on a thread. It runs until its end, or until it is cancelled.
    pub fn start(value: T, work: impl FnOnce(&Self) -> Result<(), TableError> + Send + 'static) -> Arc<Self> {
        let job = Arc::new(Self {
            value: Mutex::new(value),
            standing: Mutex::default(),
            ended: Condvar::new(),
            cancelled: AtomicBool::new(false),
        });
        let runs = Arc::clone(&job);
        let started = thread::Builder::new().name("table".to_owned()).spawn(move || {
            let failure = work(&runs).err().map(|error| error.failure());
            runs.end(failure);
        });
        if let Err(source) = started {
            job.end(Some(TableError::Io { attempt: "start work on the table", source }.failure()));
        }
        job
    }
}

impl<T> Job<T> {
    /// The result as far as it is known.
    pub fn value(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn standing(&self) -> Standing {
        self.locked().clone()
    }

    /// Waits for the end, but not longer than that.
    pub fn wait(&self, most: Duration) -> Standing {
        let waited = self.ended.wait_timeout_while(self.locked(), most, |standing| !standing.done);
        waited.map_or_else(|error| error.into_inner().0.clone(), |(standing, _)| standing.clone())
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn cancelled(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// Notes the progress now and then; fails once nobody wants the work.
    pub fn goes_on(&self, row: u64, progress: f64) -> Result<(), TableError> {
        if row.is_multiple_of(ROWS) {
            if self.cancelled.load(Ordering::Relaxed) {
                return Err(TableError::Cancelled);
            }
            self.locked().progress = progress;
        }
        Ok(())
    }

    fn end(&self, failure: Option<Failure>) {
        let mut standing = self.locked();
        (standing.done, standing.failure, standing.progress) = (true, failure, 1.0);
        self.ended.notify_all();
    }

    fn locked(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latest jobs by what they are for. An older one that makes room is cancelled.
pub(crate) struct Latest<K, T> {
    jobs: Vec<(K, Arc<Job<T>>)>,
    most: usize,
}

impl<K: PartialEq, T: Send + 'static> Latest<K, T> {
    pub fn new(most: usize) -> Self {
        Self { jobs: Vec::new(), most }
    }

    /// Returns the job for a key, started if there is none or if it failed.
    pub fn get(
        &mut self,
        key: K,
        start: impl FnOnce() -> Result<Arc<Job<T>>, TableError>,
    ) -> Result<Arc<Job<T>>, TableError> {
        let at = self.jobs.iter().position(|(known, _)| *known == key);
        let known = at.map(|at| self.jobs.remove(at)).filter(|(_, job)| job.standing().failure.is_none());
        let job = known.map_or_else(start, |(_, job)| Ok(job))?;
        self.jobs.push((key, Arc::clone(&job)));
        while self.jobs.len() > self.most {
            self.jobs.remove(0).1.cancel();
        }
        Ok(job)
    }
}

impl<K, T> Drop for Latest<K, T> {
    fn drop(&mut self) {
        self.jobs.iter().for_each(|(_, job)| job.cancel());
    }
}
