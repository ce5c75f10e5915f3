//! The open windows of the person, and the actions that run in one of them.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aside_actions::{Browser, WindowAnswer, WindowCall};
use aside_core::{ActionId, Failure, WindowId};
use aside_protocol::ServerFrame;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::connection::Outbox;

/// How long a window may take. Tests don't wait for one that never answers.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });
/// The same for one that did not answer the last time: its browser may have put it to sleep.
const SHORT_PATIENCE: Duration = Duration::from_millis(500);

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
    /// A reload of the page keeps it, so two may have one for a moment.
    id: WindowId,
    outbox: Outbox,
    attention: u64,
    /// It did not answer the last call.
    is_silent: bool,
}

#[derive(Debug)]
struct Waiting {
    window: u64,
    answer: oneshot::Sender<Result<Value, Failure>>,
}

/// A call on its way.
struct Sent {
    window: WindowId,
    open: Vec<WindowId>,
    answer: oneshot::Receiver<Result<Value, Failure>>,
    number: u64,
    patience: Duration,
}

/// One connected window; gone when this is dropped.
#[derive(Debug)]
pub struct Window {
    windows: Windows,
    number: u64,
}

impl Browser for Windows {
    fn perform<'a>(&'a self, call: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        Box::pin(self.call(call))
    }
}

impl Windows {
    /// Adds a window. It gets actions only if none has had the person's attention since, or if they name it.
    pub fn connect(&self, outbox: Outbox, id: Option<WindowId>) -> Window {
        let mut inner = self.lock();
        inner.last += 1;
        let number = inner.last;
        let id = id.unwrap_or_else(|| format!("window-{number}").parse().expect("it is short and plain"));
        inner.windows.insert(number, Open { id, outbox, attention: 0, is_silent: false });
        Window { windows: self.clone(), number }
    }

    /// Tells whether a window is open.
    pub fn is_any_open(&self) -> bool {
        !self.lock().windows.is_empty()
    }

    async fn call(&self, call: WindowCall<'_>) -> Result<WindowAnswer, Failure> {
        let Sent { window, open, answer, number, patience } = self.send(call)?;
        let answered = tokio::time::timeout(patience, answer).await;
        self.lock().waiting.remove(call.action);
        match answered {
            Ok(Ok(answer)) => Ok(WindowAnswer { window, open, result: answer? }),
            Ok(Err(_)) => Err(Failure::new(
                "window_closed",
                "the window was closed before it answered, so nobody knows whether it did the action",
            )
            .hint("look at the open windows before you do it again")),
            Err(_) => {
                self.lock().set_silent(number, true);
                Err(Failure::new("window_silent", "the window did not confirm the action in time")
                    .hint("look at the window: its browser may have put it to sleep"))
            }
        }
    }

    fn send(&self, call: WindowCall<'_>) -> Result<Sent, Failure> {
        let mut inner = self.lock();
        let mut windows: Vec<_> = inner.windows.iter().collect();
        windows.sort_by_key(|(number, open)| Reverse((open.attention, **number)));
        if windows.is_empty() {
            return Err(Failure::new("no_window", "no window is open to run this action")
                .hint("open the workspace in a browser with the link that `aside` prints"));
        }
        let wanted = windows.iter().find(|(_, open)| call.window.is_none_or(|window| *window == open.id));
        let Some((number, open)) = wanted else {
            return Err(Failure::new("window_closed", "the window that was named is not open any more")
                .hint("leave `window` out to use the window that was used last"));
        };
        let frame = ServerFrame::UiAction {
            action: call.action.clone(),
            action_type: call.name.clone(),
            args: call.args.clone(),
        };
        open.outbox.say(&frame).map_err(|_| Failure::new("window_closed", "the window is closing"))?;
        let patience = if open.is_silent { SHORT_PATIENCE } else { PATIENCE };
        let (number, window) = (**number, open.id.clone());
        let mut open: Vec<WindowId> = Vec::new();
        for (_, other) in windows {
            if !open.contains(&other.id) {
                open.push(other.id.clone());
            }
        }
        let (sender, answer) = oneshot::channel();
        inner.waiting.insert(call.action.clone(), Waiting { window: number, answer: sender });
        Ok(Sent { window, open, answer, number, patience })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn set_silent(&mut self, number: u64, is_silent: bool) {
        if let Some(open) = self.windows.get_mut(&number) {
            open.is_silent = is_silent;
        }
    }
}

impl Window {
    /// Says that the person looks at this window now.
    pub fn focus(&self) {
        let mut inner = self.windows.lock();
        inner.last += 1;
        let now = inner.last;
        if let Some(open) = inner.windows.get_mut(&self.number) {
            (open.attention, open.is_silent) = (now, false);
        }
    }
}

impl Window {
    /// Takes the answer of this window. Another one than was asked has no say.
    pub fn answer(&self, action: &ActionId, result: Option<Value>, failure: Option<Failure>) {
        let mut inner = self.windows.lock();
        inner.set_silent(self.number, false);
        if inner.waiting.get(action).is_none_or(|waiting| waiting.window != self.number) {
            return;
        }
        if let Some(waiting) = inner.waiting.remove(action) {
            let answer = failure.map_or_else(|| Ok(result.unwrap_or_default()), Err);
            // The asker may have given up.
            let _ = waiting.answer.send(answer);
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
    use aside_core::{ActionName, Id as _, Timestamp};
    use serde_json::json;

    use super::*;
    use crate::connection::{Outgoing, outbox};

    fn named(name: &str) -> Option<WindowId> {
        Some(name.parse().unwrap())
    }

    /// Windows `one` and `two`; the person looked at `one` last.
    fn two(windows: &Windows) -> [(Window, Outgoing); 2] {
        let connect = |name| {
            let (outbox, outgoing) = outbox();
            (windows.connect(outbox, named(name)), outgoing)
        };
        let both = [connect("one"), connect("two")];
        both[0].0.focus();
        both
    }

    fn id() -> ActionId {
        ActionId::from_parts(Timestamp(1), 1)
    }

    async fn call(windows: &Windows, window: Option<&WindowId>) -> Result<WindowAnswer, Failure> {
        let (action, name, args) = (id(), "ui.open".parse::<ActionName>().unwrap(), json!({}));
        windows.call(WindowCall { action: &action, name: &name, args: &args, window }).await
    }

    #[tokio::test]
    async fn without_a_window_it_says_so() {
        assert_eq!(call(&Windows::default(), None).await.unwrap_err().code, "no_window");
    }

    #[tokio::test]
    async fn the_window_with_attention_does_it() {
        let windows = Windows::default();
        let [(one, mut to_one), (_two, mut to_two)] = two(&windows);
        let answer = async {
            assert!(to_one.next().await.is_some());
            one.answer(&id(), Some(json!({ "opened": true })), None);
        };
        let (result, ()) = tokio::join!(call(&windows, None), answer);
        let result = result.unwrap();
        assert_eq!((result.window.as_str(), result.result), ("one", json!({ "opened": true })));
        assert_eq!(result.open.iter().map(WindowId::as_str).collect::<Vec<_>>(), ["one", "two"]);
        assert!(to_two.next_now().is_none());
    }

    #[tokio::test]
    async fn named_window_does_it() {
        let windows = Windows::default();
        let [(_one, mut to_one), (two, mut to_two)] = two(&windows);
        let answer = async {
            assert!(to_two.next().await.is_some());
            two.answer(&id(), None, None);
        };
        let name = named("two");
        let (result, ()) = tokio::join!(call(&windows, name.as_ref()), answer);
        assert_eq!(result.unwrap().window.as_str(), "two");
        assert!(to_one.next_now().is_none());
        assert_eq!(call(&windows, named("gone").as_ref()).await.unwrap_err().code, "window_closed");
    }

    #[tokio::test]
    async fn answer_of_another_window_is_ignored() {
        let windows = Windows::default();
        let [(one, mut to_one), (two, _to_two)] = two(&windows);
        let answer = async {
            assert!(to_one.next().await.is_some());
            two.answer(&id(), Some(json!("of two")), None);
            one.answer(&id(), Some(json!("of one")), None);
            one.answer(&id(), Some(json!("again")), None);
        };
        let (result, ()) = tokio::join!(call(&windows, None), answer);
        assert_eq!(result.unwrap().result, json!("of one"));
    }

    #[tokio::test]
    async fn silent_windows_are_waited_for_once() {
        let windows = Windows::default();
        let [(one, _to_one), (_two, _to_two)] = two(&windows);
        let (action, name, args) = (id(), "ui.open".parse::<ActionName>().unwrap(), json!({}));
        let patience =
            || windows.send(WindowCall { action: &action, name: &name, args: &args, window: None }).unwrap().patience;
        assert_eq!(patience(), PATIENCE);
        assert_eq!(call(&windows, None).await.unwrap_err().code, "window_silent");
        assert_eq!(patience(), SHORT_PATIENCE, "it may sleep");
        one.answer(&id(), None, None);
        assert_eq!(patience(), PATIENCE, "it is awake");
    }

    #[tokio::test]
    async fn a_window_that_closes_ends_the_wait() {
        let windows = Windows::default();
        let [(one, mut to_one), (_two, _to_two)] = two(&windows);
        let close = async {
            assert!(to_one.next().await.is_some());
            drop(one);
        };
        let (result, ()) = tokio::join!(call(&windows, None), close);
        assert_eq!(result.unwrap_err().code, "window_closed");
    }
}
