//! What of a server others see: its tools in the catalog, and where it stands.

use std::sync::Arc;

use aside_core::{McpServer, McpServerName, McpState, McpTool};
use aside_gate::{CatalogError, Handler};

use super::Servers;
use crate::client::{
    kept::Kept,
    list::ToolList,
    names,
    tool::{Stand, ToolAction},
};

impl Servers {
    /// Puts the tools of a server into the catalog in place of those that are there. One that the catalog does not
    /// take is left out.
    pub(super) fn offer(self: &Arc<Self>, name: &McpServerName) {
        let mut tools = self.tool_actions(name);
        loop {
            let handlers = tools.iter().map(|tool| tool.clone() as Arc<dyn Handler>);
            match self.catalog.replace(|action| names::belongs(action, name), handlers) {
                Ok(()) => return,
                Err(error) => {
                    tracing::warn!("a tool of {name} is omitted: {error}");
                    let (CatalogError::Duplicate(wrong)
                    | CatalogError::NoRisk(wrong)
                    | CatalogError::Schema { name: wrong, .. }
                    | CatalogError::Example { name: wrong, .. }) = error;
                    let before = tools.len();
                    tools.retain(|tool| tool.descriptor().name != wrong);
                    if tools.len() == before {
                        return;
                    }
                }
            }
        }
    }

    fn tool_actions(self: &Arc<Self>, name: &McpServerName) -> Vec<Arc<ToolAction>> {
        let Ok(kept) = self.get(name) else { return Vec::new() };
        let Some(list) = kept.offered() else { return Vec::new() };
        let tools: Vec<_> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
        let stand = match kept.state() {
            McpState::Trusted => Stand::Trusted,
            McpState::Changed => Stand::Changed,
            McpState::Unseen | McpState::Untrusted => Stand::Untrusted,
        };
        let named = names::actions(name, &tools).into_iter().zip(&list.tools);
        named.map(|(action, text)| Arc::new(ToolAction::new(self, name, &kept, (action, text), stand))).collect()
    }

    /// All that is known of a server.
    pub(super) fn view(&self, name: &McpServerName, kept: &Kept) -> McpServer {
        let link = self.links().get(name).cloned();
        let state = link.map(|link| link.state()).unwrap_or_default();
        let list = kept.list.as_ref();
        let looked_at = kept.trust.as_ref();
        let changes = list.zip(looked_at).map(|(list, trust)| list.changes_since(&trust.list)).unwrap_or_default();
        McpServer {
            name: name.clone(),
            launch: kept.launch.clone(),
            added_by: kept.added_by.clone(),
            added: kept.added,
            state: kept.state(),
            hash: list.map(|list| list.hash.clone()),
            tools: list.map(|list| tools(name, kept, list)).unwrap_or_default(),
            changes,
            problems: list.map(|list| list.problems.clone()).unwrap_or_default(),
            trusted_by: looked_at.map(|trust| trust.by.clone()),
            trusted: looked_at.map(|trust| trust.at),
            running: state.running,
            started_by_hand: self.is_started_by_hand(&kept.launch),
            failure: state.failure,
            tries: state.failures,
            retry_in: state.retry_in.map(|rest| u32::try_from(rest.as_secs()).unwrap_or(u32::MAX)),
            said: state.said,
        }
    }
}

fn tools(server: &McpServerName, kept: &Kept, list: &ToolList) -> Vec<McpTool> {
    let names: Vec<_> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
    let named = names::actions(server, &names).into_iter().zip(&list.tools);
    named
        .map(|(action, text)| McpTool {
            action,
            tool: text.name.clone(),
            title: text.title.clone(),
            description: text.description.clone(),
            args_schema: text.args_schema.clone(),
            hints: text.hints,
            choice: kept.choice(&text.name),
        })
        .collect()
}
