//! A window whose tabs show the logs of a workspace, one each.

use std::path::PathBuf;

use aside_actions::{Browser, WindowAnswer, WindowCall};
use aside_core::Failure;
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, ready},
};
use serde_json::{Value, json};

/// The window, over the folder of the workspace.
pub struct LogTabs(pub PathBuf);

impl Browser for LogTabs {
    fn perform<'a>(&'a self, call: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        let result = match call.name.as_str() {
            "ui.tabs.list" => json!({ "tabs": self.tabs() }),
            "ui.tabs.close" => json!({ "closed": [] }),
            _ => json!({}),
        };
        let window: aside_core::WindowId = "w1".parse().unwrap();
        ready(Ok(WindowAnswer { open: vec![window.clone()], window, result })).boxed()
    }
}

impl LogTabs {
    fn tabs(&self) -> Vec<Value> {
        let Ok(logs) = std::fs::read_dir(self.0.join("logs")) else { return Vec::new() };
        let names = logs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let row = |(number, name)| json!({ "id": format!("tab-{number}"), "path": format!("logs/{name}"), "shows": "file", "pane": 1 });
        (1..).zip(names).map(row).collect()
    }
}
