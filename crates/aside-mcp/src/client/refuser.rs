//! What a server asks of us. It is answered with a no that says why: a server of tools is given work, and gives none.
#![expect(deprecated, reason = "servers of earlier revisions still ask")]

use std::sync::Weak;

use aside_core::McpServerName;
use rmcp::{
    ClientHandler, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
        ElicitResult, ErrorCode, ErrorData, Implementation, ListRootsResult,
    },
    service::{NotificationContext, RequestContext},
};

use super::servers::Servers;

/// Answers one server.
pub(crate) struct Refuser {
    pub(crate) servers: Weak<Servers>,
    pub(crate) server: McpServerName,
}

fn refused(what: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("Aside does not {what} for MCP servers"), None)
}

impl ClientHandler for Refuser {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(ClientCapabilities::default(), Implementation::new("aside", env!("CARGO_PKG_VERSION")))
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(refused("ask a model"))
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Err(refused("list folders"))
    }

    async fn create_elicitation(
        &self,
        _params: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(refused("ask the user"))
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        if let Some(servers) = self.servers.upgrade() {
            // Told from the connection's own task, which the new list has to come through.
            let server = self.server.clone();
            tokio::spawn(async move { servers.look_again(&server).await });
        }
    }
}
