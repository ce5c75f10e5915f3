//! What one connection hears of tasks.

use aside_agent::{NEWS, TaskError, TaskQuery, Tasks};
use aside_core::Task;
use aside_protocol::ServerFrame;
use aside_store::Tail;
use tokio::sync::broadcast::error::RecvError;

use super::outbox::{Gone, Outbox};

/// Tasks that are over and are told anew to a connection that has missed some news.
const LATEST: usize = 50;

/// Passes on what of the store's tail is about tasks.
pub fn hear(tasks: &Tasks, outbox: &Outbox, heard: &Result<Tail, RecvError>) -> Result<(), Gone> {
    match heard {
        Ok(Tail::Live(live)) if *live.stream == *NEWS => match serde_json::from_str::<Task>(&live.body) {
            Ok(task) => say(outbox, task),
            Err(error) => {
                tracing::warn!(%error, "cannot read a task update");
                Ok(())
            }
        },
        Err(RecvError::Lagged(_)) => match missed(tasks) {
            Ok(missed) => missed.into_iter().try_for_each(|task| say(outbox, task)),
            Err(error) => outbox.say(&ServerFrame::Problem { failure: error.failure() }),
        },
        Ok(_) | Err(RecvError::Closed) => Ok(()),
    }
}

/// What may have changed: all that is under way, and the newest of the rest.
fn missed(tasks: &Tasks) -> Result<Vec<Task>, TaskError> {
    let open = TaskQuery { open: Some(true), ..TaskQuery::default() };
    let over = TaskQuery { open: Some(false), ..TaskQuery::default() };
    Ok([tasks.list(&open, usize::MAX)?, tasks.list(&over, LATEST)?].concat())
}

fn say(outbox: &Outbox, task: Task) -> Result<(), Gone> {
    outbox.say(&ServerFrame::TaskChanged { task: Box::new(task) })
}
