//! The open windows of the person, and the actions that run in one of them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aside_actions::Browser;
use aside_core::{ActionId, ActionName, Failure};
use aside_protocol::ServerFrame;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::connection::Outbox;

/// How long a window may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// All windows that are connected.
#[derive(Clone, Debug, Default)]
pub struct Windows {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    windows: HashMap<u64, Open>,
    /// Numbers windows and moments of attention.
    last: u64,
    waiting: HashMap<ActionId, Waiting>,
}

#[derive(Debug)]
struct Open {
    outbox: Outbox,
    attention: u64,
}

#[derive(Debug)]
struct Waiting {
    window: u64,
    answer: oneshot::Sender<Result<Value, Failure>>,
}

/// One connected window; gone when this is dropped.
#[derive(Debug)]
pub struct Window {
    windows: Windows,
    number: u64,
}

impl Browser for Windows {
    fn perform<'a>(
        &'a self,
        action: &'a ActionId,
        name: &'a ActionName,
        args: &'a Value,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        Box::pin(self.perform(action, name, args))
    }
}

impl Windows {
    /// Adds a window. It gets actions only if none has had the person's attention since.
    pub fn connect(&self, outbox: Outbox) -> Window {
        let mut inner = self.lock();
        inner.last += 1;
        let number = inner.last;
        inner.windows.insert(number, Open { outbox, attention: 0 });
        Window { windows: self.clone(), number }
    }

    async fn perform(&self, action: &ActionId, name: &ActionName, args: &Value) -> Result<Value, Failure> {
        let answer = self.send(action, name, args)?;
        let answered = tokio::time::timeout(PATIENCE, answer).await;
        self.lock().waiting.remove(action);
        match answered {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Failure::new("window_closed", "the window was closed before the action was finished")),
            Err(_) => Err(Failure::new("window_silent", "the window did not confirm the action within 10 s")),
        }
    }

    /// Takes the answer of a window.
    pub fn answer(&self, action: &ActionId, result: Option<Value>, failure: Option<Failure>) {
        if let Some(waiting) = self.lock().waiting.remove(action) {
            let answer = failure.map_or_else(|| Ok(result.unwrap_or_default()), Err);
            // The one who asked may have given up.
            let _ = waiting.answer.send(answer);
        }
    }

    fn send(
        &self,
        action: &ActionId,
        name: &ActionName,
        args: &Value,
    ) -> Result<oneshot::Receiver<Result<Value, Failure>>, Failure> {
        let mut inner = self.lock();
        let latest = inner.windows.iter().max_by_key(|(number, open)| (open.attention, **number));
        let Some((number, open)) = latest else {
            return Err(Failure::new("no_window", "no window is open to run this action")
                .hint("open the workspace in a browser with the link that `aside` prints"));
        };
        let frame = ServerFrame::UiAction { action: action.clone(), action_type: name.clone(), args: args.clone() };
        open.outbox.say(&frame).map_err(|_| Failure::new("window_closed", "the window is closing"))?;
        let window = *number;
        let (sender, receiver) = oneshot::channel();
        inner.waiting.insert(action.clone(), Waiting { window, answer: sender });
        Ok(receiver)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Window {
    /// Says that the person looks at this window now.
    pub fn focus(&self) {
        let mut inner = self.windows.lock();
        inner.last += 1;
        let now = inner.last;
        if let Some(open) = inner.windows.get_mut(&self.number) {
            open.attention = now;
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let mut inner = self.windows.lock();
        inner.windows.remove(&self.number);
        inner.waiting.retain(|_, waiting| waiting.window != self.number);
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};
    use serde_json::json;

    use super::*;
    use crate::connection::outbox;

    fn ids() -> (ActionId, ActionName) {
        (ActionId::from_parts(Timestamp(1), 1), "ui.open".parse().unwrap())
    }

    #[tokio::test]
    async fn without_a_window_it_says_so() {
        let (id, name) = ids();
        let failure = Windows::default().perform(&id, &name, &json!({})).await.unwrap_err();
        assert_eq!(failure.code, "no_window");
    }

    #[tokio::test]
    async fn the_window_with_attention_does_it() {
        let (windows, (id, name)) = (Windows::default(), ids());
        let (first, mut to_first) = outbox();
        let (second, mut to_second) = outbox();
        let (first, _second) = (windows.connect(first), windows.connect(second));
        first.focus();
        let answer = async {
            assert!(to_first.next().await.is_some());
            windows.answer(&id, Some(json!({ "opened": true })), None);
        };
        let args = json!({});
        let (result, ()) = tokio::join!(windows.perform(&id, &name, &args), answer);
        assert_eq!(result.unwrap(), json!({ "opened": true }));
        assert!(to_second.next_now().is_none());
    }

    #[tokio::test]
    async fn a_window_that_closes_ends_the_wait() {
        let (windows, (id, name)) = (Windows::default(), ids());
        let (only, mut to_only) = outbox();
        let only = windows.connect(only);
        let close = async {
            assert!(to_only.next().await.is_some());
            drop(only);
        };
        let args = json!({});
        let (result, ()) = tokio::join!(windows.perform(&id, &name, &args), close);
        assert_eq!(result.unwrap_err().code, "window_closed");
    }
}
