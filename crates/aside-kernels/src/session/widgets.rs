//! Controls that code makes: what the kernel says of them, and what persons do to them.

use aside_core::{ExecutionId, WidgetBuffer};
use aside_jupyter::{Kernel, KernelEvent};
use aside_notebook::CellKey;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::{Runner, Shared};
use crate::{
    OutputEvent, SessionError,
    widgets::{custom_message, place_in, update_message},
};

/// What a person did to a control.
#[derive(Clone, Debug, PartialEq)]
pub enum WidgetSaid {
    /// Parts of its state are these now.
    Set {
        /// What is JSON.
        state: Map<String, Value>,
        /// What is not, such as the content of files.
        buffers: Vec<WidgetBuffer>,
    },
    /// Something that is no state, such as that it was pressed.
    Custom(Value),
}

/// Requests whose late outputs are still brought to the cell of the control.
const REMEMBERED: usize = 200;

impl Runner {
    pub(super) async fn tell_widget(&mut self, id: &str, cell: &CellKey, said: WidgetSaid) -> Result<(), SessionError> {
        let none = || SessionError::NoWidget(id.to_owned());
        let kernel = self.running.as_ref().map(|running| running.kernel.clone()).ok_or_else(none)?;
        if !self.shared.lock().widgets.has(id) {
            return Err(none());
        }
        let (content, parts) = match said {
            WidgetSaid::Set { state, buffers } => {
                let parts = buffers.iter().map(bytes_of).collect::<Result<Vec<_>, _>>()?;
                let paths = buffers.iter().map(|buffer| place_in(&state, &buffer.path)).collect();
                let content = update_message(id, Value::Object(state.clone()), paths);
                // The kernel alone has use for what is binary: windows show that it is there.
                self.shared.change(|known| known.widgets.set(id, state, known.now));
                (content, parts)
            }
            WidgetSaid::Custom(custom) => (custom_message(id, custom), Vec::new()),
        };
        let run = self.shared.lock().shown_of(cell).map(|record| record.execution.id.clone());
        let request = kernel.say_with("comm_msg", &content, parts).await?;
        if let Some(run) = run {
            self.pressed.push_back((request, run));
            if self.pressed.len() > REMEMBERED {
                self.pressed.pop_front();
            }
        }
        Ok(())
    }

    /// The run whose cell shows the control that a request told of.
    pub(super) fn pressed_in(&self, request: &str) -> Option<ExecutionId> {
        self.pressed.iter().find(|(id, _)| id == request).map(|(_, run)| run.clone())
    }

    /// Says to the kernel what its widgets caught.
    pub(super) async fn tell_caught(&mut self) {
        let Some(kernel) = self.running.as_ref().map(|running| running.kernel.clone()) else { return };
        let told = self.shared.lock().widgets.take_caught();
        for content in told {
            // That it is dead is told as news.
            let _ = kernel.say("comm_msg", &content).await;
        }
    }
}

fn bytes_of(buffer: &WidgetBuffer) -> Result<Bytes, SessionError> {
    BASE64_STANDARD.decode(&buffer.base64).map(Bytes::from).map_err(|_| SessionError::NotBase64)
}

/// Asks a kernel that was found again for all its widgets; the answer comes as news. One that has none does not answer.
pub(super) async fn ask_for_widgets(kernel: &Kernel) {
    let id = "aside-widgets";
    let ask = json!({ "comm_id": id, "data": { "method": "request_states" } });
    // That it is dead is told as news. Without this version the library of widgets does not answer.
    let _ = kernel.open_comm(id, "jupyter.widget.control", "1.0.0").await;
    let _ = kernel.say("comm_msg", &ask).await;
}

/// Takes what is about widgets: messages of theirs, and what one of them catches. Gives everything else back.
pub(super) fn take_for_widgets(shared: &Shared, request: Option<&str>, event: KernelEvent) -> Option<KernelEvent> {
    match event {
        KernelEvent::Other { kind, content, buffers, .. } if kind.starts_with("comm_") => {
            shared.change(|state| state.widgets.hear(&kind, &content, buffers, state.now));
            None
        }
        event => {
            let Some(id) = request.and_then(|request| shared.lock().widgets.catcher(request)) else {
                return Some(event);
            };
            match OutputEvent::of(event) {
                Ok(event) => {
                    shared.change(|state| state.widgets.catch(&id, event, state.now));
                    None
                }
                Err(event) => Some(event),
            }
        }
    }
}
