//! The actions about servers of tools.

mod add;
mod distrust;
mod list;
mod reconnect;
mod remove;
mod trust;

use std::sync::{Arc, Weak};

use aside_core::{ActionRequest, Failure, McpServer, McpServerName, McpState, ObjectRef, Origin};
use aside_gate::{Handler, handler};
use serde_json::Value;

use super::servers::Servers;

/// Returns all of them.
pub(crate) fn all(servers: &Arc<Servers>) -> Vec<Arc<dyn Handler>> {
    let servers = || Held(Arc::downgrade(servers));
    vec![
        handler(add::Add { servers: servers() }),
        handler(list::List { servers: servers() }),
        handler(reconnect::Reconnect { servers: servers() }),
        handler(trust::Trust { servers: servers() }),
        handler(distrust::Distrust { servers: servers() }),
        handler(remove::Remove { servers: servers() }),
    ]
}

/// The servers, which hold the catalog that holds these actions.
struct Held(Weak<Servers>);

impl Held {
    fn get(&self) -> Result<Arc<Servers>, Failure> {
        self.0.upgrade().ok_or_else(|| Failure::new("interrupted", "the workspace's server is shutting down"))
    }
}

fn target(server: &McpServerName) -> ObjectRef {
    ObjectRef { kind: "mcp_server".to_owned(), id: server.to_string() }
}

/// An inverse: one of these actions with arguments made here.
fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse().expect("our action names are well formed"), args)
}

fn check_person(origin: &Origin) -> Result<(), Failure> {
    match origin.is_person() {
        true => Ok(()),
        false => Err(Failure::new("person_only", "only the user can set what tools may do")),
    }
}

/// Where a server stands, in a line without any of its own words.
fn line(server: &McpServer) -> String {
    let stand = match server.state {
        McpState::Unseen => "tools not listed yet",
        McpState::Untrusted => "tools not reviewed, each call needs approval",
        McpState::Trusted => "tools trusted",
        McpState::Changed => "tools changed since they were trusted, none can be used",
    };
    let failure = server.failure.as_ref().map(|failure| format!("; {failure}")).unwrap_or_default();
    let tools: Vec<_> = server.tools.iter().map(|tool| tool.action.to_string()).collect();
    let tools = if tools.is_empty() { String::new() } else { format!(": {}", tools.join(", ")) };
    format!("{}: {stand}{tools}{failure}", server.name)
}
