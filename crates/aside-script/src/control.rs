//! The end of a run from outside and from within: limits, cancellation, and the clocks that they read.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::{ScriptError, ScriptLimits, memory::Memory, stuck::EngineLife};

/// Ends a run at once. Calls that have ended stay done.
#[derive(Clone, Debug, Default)]
pub struct CancelHandle(Arc<(AtomicBool, Notify)>);

impl CancelHandle {
    /// Ends the run. The call under way is stopped.
    pub fn cancel(&self) {
        self.0.0.store(true, SeqCst);
        self.0.1.notify_one();
    }

    /// Returns when the run is cancelled.
    pub(crate) async fn cancelled(&self) {
        while !self.0.0.load(SeqCst) {
            self.0.1.notified().await;
        }
    }
}

/// The state that the engine's thread and the caller's task share.
#[derive(Debug)]
pub(crate) struct Control {
    stopped: AtomicBool,
    reason: Mutex<Option<ScriptError>>,
    compute: Mutex<(Duration, Option<Instant>)>,
    limits: ScriptLimits,
    pub memory: Arc<Memory>,
    pub waits: Arc<Waits>,
    pub engine: EngineLife,
}

impl Control {
    pub fn new(limits: &ScriptLimits) -> Arc<Self> {
        Arc::new(Self {
            stopped: AtomicBool::new(false),
            reason: Mutex::default(),
            compute: Mutex::default(),
            limits: limits.clone(),
            memory: Memory::new(limits.memory),
            waits: Arc::default(),
            engine: EngineLife::default(),
        })
    }

    /// Ends the run. The first reason stays.
    pub fn stop(&self, reason: ScriptError) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.stopped.store(true, SeqCst);
    }

    /// Tells whether the run is to end, by a limit or otherwise.
    pub fn must_stop(&self) -> bool {
        if self.stopped.load(SeqCst) {
            return true;
        }
        if self.memory.is_exhausted() {
            let mebibytes = self.limits.memory >> 20;
            self.stop(ScriptError::new("memory_limit", format!("The script used more than {mebibytes} MiB of memory")));
        } else if self.computed() > self.limits.compute {
            let seconds = self.limits.compute.as_secs_f64();
            self.stop(ScriptError::new("time_limit", format!("The script computed for more than {seconds} s")));
        }
        self.stopped.load(SeqCst)
    }

    /// The reason of the end, if the run was stopped.
    pub fn reason(&self) -> Option<ScriptError> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The script computes from here on.
    pub fn enter(&self) {
        self.compute.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(Instant::now());
    }

    /// The script waits from here on.
    pub fn leave(&self) {
        let mut compute = self.compute.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(since) = compute.1.take() {
            compute.0 += since.elapsed();
        }
    }

    /// The computing time so far.
    pub fn computed(&self) -> Duration {
        let (before, since) = *self.compute.lock().unwrap_or_else(PoisonError::into_inner);
        before + since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The time on the clock that is left, waits for people not counted. At zero the run is stopped.
    pub fn wall_left(&self) -> Duration {
        let left = self.limits.wall.saturating_sub(self.waits.elapsed());
        if left.is_zero() {
            let seconds = self.limits.wall.as_secs_f64();
            self.stop(ScriptError::new("time_limit", format!("The run took more than {seconds} s")));
        }
        left
    }
}

/// The clock of a run, which stands still while a person decides.
#[derive(Debug)]
pub(crate) struct Waits(Mutex<Clock>);

#[derive(Debug)]
struct Clock {
    started: Instant,
    paused: Duration,
    waits: u32,
    waits_since: Instant,
}

impl Default for Waits {
    fn default() -> Self {
        let now = Instant::now();
        Self(Mutex::new(Clock { started: now, paused: Duration::ZERO, waits: 0, waits_since: now }))
    }
}

impl Waits {
    pub fn begin(this: &Arc<Self>) -> WaitGuard {
        let mut clock = this.0.lock().unwrap_or_else(PoisonError::into_inner);
        if clock.waits == 0 {
            clock.waits_since = Instant::now();
        }
        clock.waits += 1;
        WaitGuard(this.clone())
    }

    fn elapsed(&self) -> Duration {
        let clock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let waiting = if clock.waits > 0 { now - clock.waits_since } else { Duration::ZERO };
        (now - clock.started).saturating_sub(clock.paused + waiting)
    }
}

pub(crate) struct WaitGuard(Arc<Waits>);

impl Drop for WaitGuard {
    fn drop(&mut self) {
        let mut clock = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        clock.waits -= 1;
        if clock.waits == 0 {
            let waited = clock.waits_since.elapsed();
            clock.paused += waited;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_reason_of_an_end_stays() {
        let control = Control::new(&ScriptLimits::default());
        control.stop(ScriptError::new("cancelled", "one"));
        control.stop(ScriptError::new("time_limit", "two"));
        assert_eq!(control.reason().expect("stopped").code, "cancelled");
    }

    #[test]
    fn clock_stands_still_while_a_person_decides() {
        let waits = Arc::new(Waits::default());
        let (first, second) = (Waits::begin(&waits), Waits::begin(&waits));
        let before = waits.elapsed();
        drop(first);
        assert_eq!((waits.elapsed(), waits.0.lock().expect("free").waits), (before, 1));
        drop(second);
        assert!(waits.elapsed() >= before && waits.0.lock().expect("free").waits == 0);
    }
}
