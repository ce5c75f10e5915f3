//! Work that waits for a disk, in the middle of an action.

use std::{
    panic::resume_unwind,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use aside_macros::boxed;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::{block_in_place, spawn_blocking},
};

use crate::GateError;

/// Work that ends within this keeps nobody waiting.
const BRIEF: Duration = Duration::from_millis(2);
/// After so many of them in a row the next is expected to be brief.
const EXPECTED: u32 = 8;

/// How many were brief in a row: what they wait for, the disk, is one for all of them.
static IN_A_ROW: AtomicU32 = AtomicU32::new(0);

/// Work whose result is left where its author looks for it.
type Work = Box<dyn FnOnce() + Send>;

/// Does some work that may wait, while other tasks go on. Its panic is the caller's.
///
/// Where other threads can take over the tasks of this one, it stays on this thread: to hand it to another and the
/// result back takes as long as much of such work.
pub async fn waiting<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, GateError> {
    let (work, result) = erased(work);
    apart(work).await?;
    Ok(result.take())
}

/// Does some work that is brief where the disk is fast: a few reads, or to bring a record to the disk. As long as such work is
/// brief the other tasks of this thread are left where they are, since to hand them on takes as long, and wakes a thread
/// on a processor that a kernel may be using.
pub async fn briefly<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, GateError> {
    let (work, result) = erased(work);
    timed(work).await?;
    Ok(result.take())
}

/// The place of a result, filled when the work has ended.
struct Slot<T>(Arc<Mutex<Option<T>>>);

impl<T> Slot<T> {
    fn take(self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().expect("the work has ended")
    }
}

/// Both functions above are compiled for each kind of work: they do no more than this with its type.
fn erased<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> (Work, Slot<T>) {
    let slot = Arc::new(Mutex::new(None));
    let filled = slot.clone();
    let work = move || {
        let result = work();
        *filled.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    };
    (Box::new(work), Slot(slot))
}

#[boxed]
async fn apart(work: Work) -> Result<(), GateError> {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        block_in_place(work);
        return Ok(());
    }
    spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => GateError::Ending,
    })
}

#[boxed]
async fn timed(work: Work) -> Result<(), GateError> {
    let timed = move || {
        let begun = Instant::now();
        work();
        let is_brief = begun.elapsed() < BRIEF;
        IN_A_ROW
            .store(if is_brief { IN_A_ROW.load(Ordering::Relaxed).saturating_add(1) } else { 0 }, Ordering::Relaxed);
    };
    let stays = Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
    if stays && IN_A_ROW.load(Ordering::Relaxed) >= EXPECTED {
        timed();
        return Ok(());
    }
    apart(Box::new(timed)).await
}

#[cfg(test)]
mod tests {
    use std::{
        panic::AssertUnwindSafe,
        sync::mpsc::{RecvError, channel},
        thread::sleep,
    };

    use futures_util::FutureExt as _;

    use super::*;

    async fn works_and_panics() {
        assert_eq!(waiting(|| 1).await.unwrap(), 1);
        let panicked = AssertUnwindSafe(waiting(|| panic!("on purpose"))).catch_unwind().await;
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"on purpose"));
        for number in 0..2 * EXPECTED {
            assert_eq!(briefly(move || number).await.unwrap(), number);
        }
        let panicked = AssertUnwindSafe(briefly(|| panic!("on purpose"))).catch_unwind().await;
        assert!(panicked.is_err());
    }

    /// Waits for another task, for ever if it is kept from running.
    fn heard() -> impl FnOnce() -> Result<(), RecvError> + Send {
        let (said, heard) = channel();
        tokio::spawn(async move { said.send(()) });
        move || heard.recv()
    }

    #[tokio::test]
    async fn works_on_one_thread() {
        works_and_panics().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn keeps_others_going_where_there_are_threads_for_them() {
        works_and_panics().await;
        tokio::spawn(async { waiting(heard()).await }).await.unwrap().unwrap().unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn after_one_that_was_not_brief_others_are_kept_going_again() {
        let all = async {
            IN_A_ROW.store(EXPECTED, Ordering::Relaxed);
            briefly(|| sleep(2 * BRIEF)).await.unwrap();
            assert_eq!(IN_A_ROW.load(Ordering::Relaxed), 0);
            briefly(heard()).await.unwrap()
        };
        tokio::spawn(all).await.unwrap().unwrap();
    }
}
