//! A window with tabs, as far as actions know it.

use std::sync::{Arc, Mutex};

use aside_protocol::{ClientFrame, ServerFrame, Serving};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::socket::{Heard, Socket};

/// The paths of its tabs, in order.
pub type Tabs = Arc<Mutex<Vec<Tab>>>;

/// One tab.
#[derive(Clone, Debug)]
pub struct Tab {
    id: String,
    pub path: String,
    is_file: bool,
}

/// The tabs at the start, and more of files; the second is active.
pub fn tabs(more: &[String]) -> Tabs {
    let tab = |(number, path, is_file): (u32, &str, bool)| Tab {
        id: format!("tab-{number}"),
        path: path.to_owned(),
        is_file,
    };
    let all = [(1, "report.md", true), (2, "plan.md", true), (3, "lab.ipynb", true), (4, "audit", false)];
    let more = (5..).zip(more).map(|(number, path)| (number, path.as_str(), true));
    Arc::new(Mutex::new(all.into_iter().chain(more).map(tab).collect()))
}

/// Its part of the situation, as it goes with a sentence.
pub fn told(tabs: &Tabs) -> Value {
    let tabs = tabs.lock().unwrap();
    let tab = |tab: &Tab| json!({ "path": tab.path, "is_file": tab.is_file, "active": tab.id == "tab-2" });
    json!({ "tabs": tabs.iter().map(tab).collect::<Vec<_>>(), "time": "2026-11-28T09:30:00+01:00" })
}

/// Connects it, and answers until the server is gone.
pub async fn open(serving: &Serving, tabs: Tabs) -> JoinHandle<()> {
    let mut socket = Socket::connect(serving).await;
    socket.say(&ClientFrame::Focused).await;
    tokio::spawn(async move {
        loop {
            match socket.hear().await {
                Heard::Frame(ServerFrame::UiAction { action, action_type, args }) => {
                    let result = answer(&tabs, action_type.as_str(), &args);
                    socket.say(&ClientFrame::UiResult { action, result: Some(result), failure: None }).await;
                }
                Heard::Closed => return,
                _ => {}
            }
        }
    })
}

fn answer(tabs: &Tabs, action: &str, args: &Value) -> Value {
    let mut tabs = tabs.lock().unwrap();
    let names = |name: &str| -> Vec<String> {
        args[name].as_array().into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)).collect()
    };
    match action {
        "ui.tabs.list" => json!({ "tabs": tabs.iter().map(row).collect::<Vec<_>>() }),
        "ui.tabs.close" => {
            let closing = names("tabs");
            let closed: Vec<Value> =
                (0..).zip(tabs.iter()).filter(|(_, tab)| closing.contains(&tab.id)).map(placed).collect();
            tabs.retain(|tab| !closing.contains(&tab.id));
            json!({ "closed": closed })
        }
        "ui.tabs.reorder" => {
            let order = names("order");
            tabs.sort_by_key(|tab| order.iter().position(|id| *id == tab.id).unwrap_or(usize::MAX));
            json!({})
        }
        "ui.open" => {
            let path = args["path"].as_str().unwrap_or_default().to_owned();
            add(&mut tabs, path.clone());
            json!({ "opened": path })
        }
        "ui.tabs.open" => {
            let ids: Vec<String> = names("paths").into_iter().filter_map(|path| add(&mut tabs, path)).collect();
            json!({ "opened": ids })
        }
        "ui.split" => json!({ "opened": "tab-99" }),
        "ui.theme" => json!({ "before": "light" }),
        "ui.layout" => {
            let before = json!({ "sidebar": "show", "side": "show" });
            let now = json!({ "sidebar": args["sidebar"].as_str().unwrap_or("show"), "side": args["side"].as_str().unwrap_or("show") });
            json!({ "before": before, "now": now })
        }
        _ => json!({}),
    }
}

/// Opens a file, unless it is open; returns the id of its new tab.
fn add(tabs: &mut Vec<Tab>, path: String) -> Option<String> {
    if tabs.iter().any(|tab| tab.path == path) {
        return None;
    }
    let id = format!("tab-{}", tabs.len() + 10);
    tabs.push(Tab { id: id.clone(), path, is_file: true });
    Some(id)
}

fn row(tab: &Tab) -> Value {
    let shows = if tab.is_file { "file" } else { "page" };
    let active = tab.id == "tab-2";
    json!({ "id": tab.id, "path": tab.path, "shows": shows, "pane": 1, "used": 5, "active": active, "shown": active })
}

fn placed((index, tab): (u32, &Tab)) -> Value {
    let shows = if tab.is_file { "file" } else { "page" };
    json!({ "id": tab.id, "path": tab.path, "shows": shows, "pane": "pane-1", "index": index })
}
