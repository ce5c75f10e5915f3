//! The live widgets of a kernel: what each was last said to be, put together from the messages that tell of them. Pure.
//!
//! Source: "Jupyter widgets messaging protocol", version 2. Parts of a state replace those of the same name before; binary
//! parts come beside the JSON, with the paths where they belong. A widget whose `msg_id` names a request catches what that
//! request puts out.
//!
//! ```text
//! comm_open {comm_id, data: {state, buffer_paths}}  ->  comm_msg {method: update, state}*  ->  comm_close
//! ```

use std::collections::BTreeMap;

use aside_core::{WidgetBuffer, WidgetModel};
use aside_notebook::CellKey;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{OutputEvent, Outputs, bounded::shown};

mod saved;

/// What comms of widgets are opened for.
const TARGET: &str = "jupyter.widget";
/// Bytes of the binary parts of one widget that are kept.
const MOST_BYTES: usize = 16 << 20;

/// The widgets that a kernel has.
#[derive(Debug, Default)]
pub struct Widgets {
    all: BTreeMap<String, Widget>,
    /// What widgets caught, by their ids.
    caught: Outputs,
    /// Those that are gone, and when, as the caller counts.
    gone: Vec<(String, u64)>,
}

#[derive(Debug, Default)]
struct Widget {
    state: Map<String, Value>,
    buffers: Vec<(Vec<Value>, Bytes)>,
    changed: u64,
    /// The kernel does not know what was caught last.
    is_ahead: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Comm {
    comm_id: String,
    target_name: String,
    data: Data,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    method: String,
    state: Map<String, Value>,
    states: BTreeMap<String, OfOne>,
    buffer_paths: Vec<Vec<Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OfOne {
    state: Map<String, Value>,
}

impl Widgets {
    /// Takes a message of a kernel at a time. What belongs to no widget changes nothing.
    pub fn hear(&mut self, kind: &str, content: &str, buffers: Vec<Bytes>, now: u64) {
        let Ok(Comm { comm_id, target_name, data }) = serde_json::from_str::<Comm>(content) else { return };
        match (kind, &*data.method) {
            ("comm_open", _) if target_name == TARGET => {
                self.all.insert(comm_id.clone(), Widget::default());
                self.update(&comm_id, data.state, zip(data.buffer_paths, buffers), now);
            }
            ("comm_msg", "update") => self.update(&comm_id, data.state, zip(data.buffer_paths, buffers), now),
            ("comm_msg", "update_states") => self.learn(data, buffers, now),
            ("comm_close", _) => self.close(&comm_id, now),
            _ => (),
        }
    }

    /// Takes what a person did to a widget, which the kernel hears of too. None such: false.
    pub fn set(&mut self, id: &str, state: Map<String, Value>, now: u64) -> bool {
        self.update(id, state, Vec::new(), now);
        self.all.contains_key(id)
    }

    /// Tells whether there is such a widget.
    pub fn has(&self, id: &str) -> bool {
        self.all.contains_key(id)
    }

    /// The widget that catches what a request puts out.
    pub fn catcher(&self, request: &str) -> Option<String> {
        let catches = |widget: &Widget| widget.state.get("msg_id").and_then(Value::as_str) == Some(request);
        self.all.iter().find(|(_, widget)| catches(widget)).map(|(id, _)| id.clone())
    }

    /// Takes what a widget catches.
    pub fn catch(&mut self, id: &str, event: OutputEvent, now: u64) {
        self.caught.take(&CellKey(id.to_owned()), event, now);
        if let Some(widget) = self.all.get_mut(id) {
            (widget.changed, widget.is_ahead) = (now, true);
        }
    }

    /// What has to be said to the kernel, so that it knows what its widgets caught.
    pub fn take_caught(&mut self) -> Vec<Value> {
        let ahead = self.all.iter_mut().filter(|(_, widget)| widget.is_ahead);
        let told = ahead.map(|(id, widget)| {
            widget.is_ahead = false;
            let outputs = self.caught.written_of(&CellKey(id.clone()));
            let outputs: Value = outputs.and_then(|raw| serde_json::from_str(raw.as_str()).ok()).unwrap_or(json!([]));
            widget.state.insert("outputs".to_owned(), outputs.clone());
            update_message(id, json!({ "outputs": outputs }), Vec::new())
        });
        told.collect()
    }

    /// All are gone, with their kernel.
    pub fn clear(&mut self, now: u64) {
        for id in self.all.keys().cloned().collect::<Vec<_>>() {
            self.close(&id, now);
        }
    }

    /// Those that changed since a time, as they are shown.
    pub fn changed_since(&self, then: u64) -> Vec<WidgetModel> {
        let changed = self.all.iter().filter(|(_, widget)| widget.changed > then);
        changed.map(|(id, widget)| self.model(id, widget)).collect()
    }

    /// Those that have gone since a time.
    pub fn gone_since(&self, then: u64) -> Vec<String> {
        let gone = self.gone.iter().filter(|(id, at)| *at > then && !self.all.contains_key(id));
        gone.map(|(id, _)| id.clone()).collect()
    }

    fn model(&self, id: &str, widget: &Widget) -> WidgetModel {
        let outputs = shown(self.caught.of_cell(&CellKey(id.to_owned())));
        let buffer = |(path, bytes): &(Vec<Value>, Bytes)| WidgetBuffer {
            path: path.iter().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned)).collect(),
            base64: BASE64_STANDARD.encode(bytes),
        };
        let state = widget.state.iter().filter(|(name, _)| *name != "outputs");
        WidgetModel {
            id: id.to_owned(),
            state: state.map(|(name, value)| (name.clone(), value.clone())).collect(),
            buffers: widget.buffers.iter().map(buffer).collect(),
            outputs,
        }
    }

    fn update(&mut self, id: &str, state: Map<String, Value>, buffers: Vec<(Vec<Value>, Bytes)>, now: u64) {
        let Some(widget) = self.all.get_mut(id) else { return };
        widget.changed = now;
        let replaces = |path: &[Value]| {
            let first = path.first().and_then(Value::as_str);
            first.is_some_and(|name| {
                state.contains_key(name)
                    || buffers.iter().any(|(new, _)| new.first().and_then(Value::as_str) == Some(name))
            })
        };
        widget.buffers.retain(|(path, _)| !replaces(path));
        let mut room = MOST_BYTES;
        let fitting = buffers.into_iter().filter(|(_, bytes)| {
            room = room.saturating_sub(bytes.len());
            room > 0
        });
        widget.buffers.extend(fitting);
        let outputs = state.get("outputs").cloned();
        widget.state.extend(state);
        if let Some(outputs) = outputs {
            self.caught.read(CellKey(id.to_owned()), &outputs);
        }
    }

    /// What a kernel that was found again says of all its widgets.
    fn learn(&mut self, data: Data, buffers: Vec<Bytes>, now: u64) {
        let mut parts = zip(data.buffer_paths, buffers);
        for (id, OfOne { state }) in data.states {
            // Their paths begin with the widget and the word `state`.
            let is_its = |path: &[Value]| path.len() > 2 && path[0].as_str() == Some(&id);
            let (its, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(path, _)| is_its(path));
            parts = others;
            self.all.entry(id.clone()).or_default();
            self.update(&id, state, its.into_iter().map(|(path, bytes)| (path[2..].to_vec(), bytes)).collect(), now);
        }
    }

    fn close(&mut self, id: &str, now: u64) {
        if self.all.remove(id).is_some() {
            self.caught.remove(&CellKey(id.to_owned()));
            self.gone.retain(|(gone, _)| gone != id);
            self.gone.push((id.to_owned(), now));
        }
    }
}

/// The content of a message that sets parts of a widget's state; binary parts of it come beside, for these places.
pub(crate) fn update_message(id: &str, state: Value, buffer_paths: Vec<Vec<Value>>) -> Value {
    json!({ "comm_id": id, "data": { "method": "update", "state": state, "buffer_paths": buffer_paths } })
}

/// A place in a state as kernels name it: in a list by number.
pub(crate) fn place_in(state: &Map<String, Value>, path: &[String]) -> Vec<Value> {
    let mut within = path.first().and_then(|name| state.get(name));
    let first = path.first().map(|name| Value::from(name.as_str()));
    let rest = path.iter().skip(1).map(|step| {
        let number = within.and_then(Value::as_array).and_then(|_| step.parse::<usize>().ok());
        within = within.and_then(|value| number.map_or_else(|| value.get(step), |at| value.get(at)));
        number.map_or_else(|| Value::from(step.as_str()), Value::from)
    });
    first.into_iter().chain(rest).collect()
}

/// The content of a message that says something to a widget, such as that it was pressed.
pub(crate) fn custom_message(id: &str, content: Value) -> Value {
    json!({ "comm_id": id, "data": { "method": "custom", "content": content } })
}

fn zip(paths: Vec<Vec<Value>>, buffers: Vec<Bytes>) -> Vec<(Vec<Value>, Bytes)> {
    paths.into_iter().zip(buffers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(widgets: &mut Widgets, kind: &str, content: &Value, buffers: &[&'static [u8]], now: u64) {
        let buffers = buffers.iter().map(|bytes| Bytes::from_static(bytes)).collect();
        widgets.hear(kind, &content.to_string(), buffers, now);
    }

    fn opened(id: &str, state: Value) -> Value {
        json!({ "comm_id": id, "target_name": "jupyter.widget", "data": { "state": state, "buffer_paths": [] } })
    }

    fn states(widgets: &Widgets, then: u64) -> Vec<(String, Value)> {
        let models = widgets.changed_since(then).into_iter();
        models.map(|model| (model.id, serde_json::to_value(model.state).unwrap())).collect()
    }

    #[test]
    fn what_is_said_of_a_widget_adds_up() {
        let mut widgets = Widgets::default();
        hear(&mut widgets, "comm_open", &opened("a", json!({ "value": 1, "max": 9 })), &[], 1);
        hear(&mut widgets, "comm_open", &json!({ "comm_id": "b", "target_name": "other", "data": {} }), &[], 2);
        hear(&mut widgets, "comm_msg", &update_message("a", json!({ "value": 2 }), Vec::new()), &[], 3);
        hear(&mut widgets, "comm_msg", &update_message("unknown", json!({ "value": 2 }), Vec::new()), &[], 4);
        assert_eq!(states(&widgets, 0), [("a".to_owned(), json!({ "value": 2, "max": 9 }))]);
        assert!(states(&widgets, 3).is_empty());
        hear(&mut widgets, "comm_close", &json!({ "comm_id": "a", "data": {} }), &[], 5);
        assert_eq!((states(&widgets, 0), widgets.gone_since(4)), (Vec::new(), vec!["a".to_owned()]));
    }

    #[test]
    fn binary_parts_come_beside_and_are_replaced_by_name() {
        let mut widgets = Widgets::default();
        let content = json!({ "comm_id": "a", "target_name": "jupyter.widget",
            "data": { "state": { "format": "png" }, "buffer_paths": [["value"]] } });
        hear(&mut widgets, "comm_open", &content, &[b"one"], 1);
        let update =
            json!({ "comm_id": "a", "data": { "method": "update", "state": {}, "buffer_paths": [["value"]] } });
        hear(&mut widgets, "comm_msg", &update, &[b"two"], 2);
        let buffers = widgets.changed_since(0).remove(0).buffers;
        assert_eq!(buffers, [WidgetBuffer { path: vec!["value".into()], base64: "dHdv".into() }]);
    }

    #[test]
    fn a_place_in_a_list_is_named_by_its_number() {
        let Value::Object(state) = json!({ "value": [{ "name": "a.csv" }], "other": { "0": 1 } }) else { panic!() };
        let place = |path: &[&str]| place_in(&state, &path.iter().map(|step| (*step).to_owned()).collect::<Vec<_>>());
        assert_eq!(place(&["value", "0", "content"]), [json!("value"), json!(0), json!("content")]);
        assert_eq!(place(&["other", "0"]), [json!("other"), json!("0")], "a name is no number");
        assert_eq!(place(&["value", "x"]), [json!("value"), json!("x")]);
    }

    #[test]
    fn a_widget_catches_what_the_request_that_it_names_puts_out_and_the_kernel_is_told() {
        let mut widgets = Widgets::default();
        hear(&mut widgets, "comm_open", &opened("out", json!({ "msg_id": "", "outputs": [] })), &[], 1);
        hear(&mut widgets, "comm_msg", &update_message("out", json!({ "msg_id": "m" }), Vec::new()), &[], 2);
        assert_eq!((widgets.catcher("m").as_deref(), widgets.catcher("n")), (Some("out"), None));
        widgets.catch("out", OutputEvent::Stream { name: "stdout".into(), text: "hi".into() }, 3);
        let told = widgets.take_caught();
        assert_eq!(told[0]["data"]["state"]["outputs"][0]["text"], json!(["hi"]));
        assert!(widgets.take_caught().is_empty());
        assert_eq!(widgets.changed_since(2)[0].outputs.len(), 1);
        hear(&mut widgets, "comm_msg", &update_message("out", json!({ "msg_id": "" }), Vec::new()), &[], 4);
        assert_eq!(widgets.catcher("m"), None);
        hear(&mut widgets, "comm_msg", &update_message("out", json!({ "outputs": [] }), Vec::new()), &[], 5);
        assert!(widgets.changed_since(4)[0].outputs.is_empty(), "the code took them away");
    }

    #[test]
    fn a_kernel_that_was_found_again_says_all_of_them() {
        let mut widgets = Widgets::default();
        let states = json!({ "a": { "model_name": "ImageModel", "state": { "format": "png" } } });
        let said = json!({ "comm_id": "c", "data": {
            "method": "update_states", "states": states, "buffer_paths": [["a", "state", "value"]] } });
        hear(&mut widgets, "comm_msg", &said, &[b"one"], 1);
        let model = widgets.changed_since(0).remove(0);
        assert_eq!((model.id.as_str(), model.buffers[0].path.clone()), ("a", vec!["value".to_owned()]));
    }
}
