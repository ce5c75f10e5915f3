//! Work that waits for a disk, in the middle of an action.

use std::panic::resume_unwind;

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::{block_in_place, spawn_blocking},
};

use crate::GateError;

/// Does some work that may wait, while other tasks go on. Its panic is the caller's.
///
/// Where other threads can take over the tasks of this one, it stays on this thread: to hand it to another and the
/// result back takes as long as much of such work.
pub async fn waiting<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, GateError> {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return Ok(block_in_place(work));
    }
    spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => GateError::Ending,
    })
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    async fn works_and_panics() {
        assert_eq!(waiting(|| 1).await.unwrap(), 1);
        let panicked = std::panic::AssertUnwindSafe(waiting(|| panic!("on purpose"))).catch_unwind().await;
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"on purpose"));
    }

    #[tokio::test]
    async fn works_on_one_thread() {
        works_and_panics().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn keeps_others_going_where_there_are_threads_for_them() {
        works_and_panics().await;
        let (said, heard) = std::sync::mpsc::channel();
        let other = tokio::spawn(async move { said.send(()) });
        // Would wait for ever if the only worker were kept.
        let heard = tokio::spawn(waiting(move || heard.recv())).await.unwrap().unwrap();
        assert!(heard.is_ok() && other.await.unwrap().is_ok());
    }
}
