//! The state of widgets as notebooks keep it, so that other programs show them without a kernel. As nbclient writes it.

use aside_notebook::Raw;
use serde_json::{Map, Value, json};

use super::{Widget, Widgets};

/// Under this name in `widgets` of the notebook's metadata.
const MIME: &str = "application/vnd.jupyter.widget-state+json";

impl Widgets {
    /// Returns `widgets` of a notebook's metadata; none if the kernel has made no widget.
    pub fn saved(&self) -> Option<Raw> {
        let is_model = |widget: &Widget| widget.state.contains_key("_model_name");
        let all = self.all.iter().filter(|(_, widget)| is_model(widget));
        let state: Map<String, Value> = all.map(|(id, widget)| (id.clone(), saved(widget))).collect();
        let saved = json!({ MIME: { "state": state, "version_major": 2, "version_minor": 0 } });
        (!state.is_empty()).then(|| Raw::of(&saved))
    }
}

fn saved(widget: &Widget) -> Value {
    let of = |name: &str| widget.state.get(name).cloned().unwrap_or_default();
    let mut saved = json!({
        "model_name": of("_model_name"), "model_module": of("_model_module"),
        "model_module_version": of("_model_module_version"), "state": widget.state,
    });
    if !widget.buffers.is_empty() {
        let buffer = |(path, bytes): &(Vec<Value>, bytes::Bytes)| {
            use base64::{Engine as _, prelude::BASE64_STANDARD};
            json!({ "data": BASE64_STANDARD.encode(bytes), "encoding": "base64", "path": path })
        };
        saved["buffers"] = widget.buffers.iter().map(buffer).collect();
    }
    saved
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn state_is_saved_as_nbclient_writes_it() {
        let mut widgets = Widgets::default();
        assert_eq!(widgets.saved(), None);
        let state = json!({ "_model_name": "ImageModel", "_model_module": "@jupyter-widgets/controls",
            "_model_module_version": "2.0.0", "format": "png" });
        let opened = json!({ "comm_id": "a", "target_name": "jupyter.widget",
            "data": { "state": state, "buffer_paths": [["value"]] } });
        widgets.hear("comm_open", &opened.to_string(), vec![Bytes::from_static(b"one")], 1);
        let other = json!({ "comm_id": "b", "target_name": "jupyter.widget", "data": { "state": { "x": 1 } } });
        widgets.hear("comm_open", &other.to_string(), Vec::new(), 2);
        let saved: Value = serde_json::from_str(widgets.saved().unwrap().as_str()).unwrap();
        let wanted = json!({ "model_name": "ImageModel", "model_module": "@jupyter-widgets/controls",
            "model_module_version": "2.0.0", "state": state,
            "buffers": [{ "data": "b25l", "encoding": "base64", "path": ["value"] }] });
        assert_eq!(saved, json!({ MIME: { "state": { "a": wanted }, "version_major": 2, "version_minor": 0 } }));
    }
}
