//! The needs of the actions of the place *browser*: somebody who reaches an open window, and the answers of windows.

use std::sync::Arc;

use aside_core::{ActionId, ActionName, Assessment, Failure, WindowId};
use aside_gate::ActionContext;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The open windows of the person; the server implements it.
pub trait Browser: Send + Sync + 'static {
    /// Asks one window to do something and returns its answer.
    ///
    /// Fails with the code `no_window` if none is open, with `window_closed` if the named one is not open or closes
    /// before it has answered, and with the failure of the window.
    fn perform<'a>(&'a self, call: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>>;
}

/// One thing to do in a window.
#[derive(Clone, Copy, Debug)]
pub struct WindowCall<'a> {
    /// The action it is done for.
    pub action: &'a ActionId,
    /// The word for it, such as `ui.tabs.close`.
    pub name: &'a ActionName,
    /// Its arguments, as the window takes them.
    pub args: &'a Value,
    /// The window; the one that the person used last if absent.
    pub window: Option<&'a WindowId>,
}

/// The answer of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowAnswer {
    /// The window that has done it.
    pub window: WindowId,
    /// All windows that were open then, the one used last first.
    pub open: Vec<WindowId>,
    /// Its answer. The window is a program of its own: this is not trusted to have any form.
    pub result: Value,
}

/// Asks windows on behalf of one action.
#[derive(Clone)]
pub(crate) struct Windows(pub Arc<dyn Browser>);

impl Windows {
    /// Has a window do something.
    pub async fn call(
        &self,
        context: &ActionContext,
        name: &str,
        args: Value,
        window: Option<&WindowId>,
    ) -> Result<WindowAnswer, Failure> {
        let name = name.parse().expect("names of our own actions are well formed");
        self.0.perform(WindowCall { action: &context.id, name: &name, args: &args, window }).await
    }
}

impl WindowAnswer {
    /// Reads the answer.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_value(self.result.clone())
            .map_err(|error| Failure::new("window_answer", format!("the window's answer made no sense: {error}")))
    }

    /// Returns "" if only one window is open, else the words that say in which one it was done.
    pub(crate) fn place(&self, named: Option<&WindowId>) -> String {
        match (self.open.len(), named) {
            (0 | 1, _) => String::new(),
            (open, None) => format!(", in the window that was used last, one of {open}"),
            (open, Some(_)) => format!(", in the window that was named, one of {open}"),
        }
    }
}

/// Returns the assessment of an action that touches nothing but a window.
pub(crate) fn window_only() -> Assessment {
    Assessment::default()
}

/// Returns the failure of arguments that don't go together.
pub(crate) fn invalid(message: impl Into<String>) -> Failure {
    Failure::new("invalid_args", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_names_its_window_among_several() {
        let id = |text: &str| text.parse::<WindowId>().unwrap();
        let answer = |open: &[&str]| WindowAnswer {
            window: id("w1"),
            open: open.iter().map(|open| id(open)).collect(),
            result: Value::Null,
        };
        assert_eq!(answer(&["w1"]).place(None), "");
        assert_eq!(answer(&["w1", "w2"]).place(None), ", in the window that was used last, one of 2");
        assert_eq!(answer(&["w2", "w1"]).place(Some(&id("w1"))), ", in the window that was named, one of 2");
    }
}
