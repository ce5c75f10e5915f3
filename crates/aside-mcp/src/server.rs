//! The catalog for other programs.
//!
//! ```text
//! tools/call -> tool name -> ActionRequest, Origin::Mcp -> Gate::submit
//!     done, refused, failed ------------------------------------------> result (isError unless done)
//!     a person has to decide:
//!         revision 2026-07-28, client can ask --> input_required(sealed state) --> called again with the answer
//!         older revision, client can ask -------> elicitation/create, while Aside's own page can answer too
//!         neither ------------------------------> waits; after some time says with which tool to go on waiting
//!     it runs on ------------------------------------> the same, and says how far it is
//! ```

mod answer;
mod ask;
mod calls;
mod changes;
mod http;
mod preview;
mod resources;
mod result;
mod running;
mod state;
#[cfg(test)]
mod testing;
mod tools;

use std::{sync::Arc, time::Duration};

use aside_core::{Grant, LabelSource, Origin, Provenance, Sha256};
use aside_gate::{Gate, Submission};
use aside_store::Store;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, Extensions, Implementation, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};

use changes::Shown;
use state::Seal;
use tools::Tools;

pub use http::{HttpService, http_service};

/// What a client's own name is cut to.
const LONGEST_NAME: usize = 60;

/// The header by which our bridge tells its clients apart, also where the protocol has no sessions.
pub(crate) const CONNECTION: &str = "aside-connection";

/// Said to every client once.
const INSTRUCTIONS: &str = "Aside is a workspace that the user has open: documents, notes, code. Every tool is an \
    action that permission rules and the user decide on: a change may wait for the user's decision, and a refusal is \
    an answer, not an error. Read with doc_read before doc_edit, and pass its version as `base`. Find other actions \
    with catalog_search, read their descriptions with catalog_describe, and run them with action_run.";

/// Who calls, as whoever took the request in found out. It is put among the request's extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Whose token was shown.
    pub user: String,
    /// What it may do.
    pub grant: Grant,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long one call waits for a person or for the end of a run; many clients give up after 60 s.
    pub patience: Duration,
    /// How often a waiting call says what it waits for.
    pub heartbeat: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { patience: Duration::from_secs(50), heartbeat: Duration::from_secs(5) }
    }
}

/// Serves the catalog of one Gate. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Server {
    gate: Arc<Gate>,
    /// Keeps the images that actions show.
    store: Arc<Store>,
    seal: Arc<Seal>,
    limits: Limits,
}

impl Server {
    /// Makes a server with a key of its own: what one run of the program sealed, another does not open.
    pub fn new(gate: Arc<Gate>, store: Arc<Store>, limits: Limits) -> Result<Self, getrandom::Error> {
        Ok(Self { gate, store, seal: Arc::new(Seal::random()?), limits })
    }

    fn tools(&self, caller: &Caller) -> Tools {
        Tools::new(self.gate.catalog(), &self.gate.restricted(&caller.grant), self.gate.now())
    }

    /// What a client may submit. Its model read things nobody here knows of.
    fn submission(caller: &Caller, context: &RequestContext<RoleServer>) -> Submission {
        let client = client_name(context);
        let elsewhere =
            LabelSource::external(format!("the data read by {client}"), "another program's model requested it");
        let origin = Origin::Mcp { user: caller.user.clone(), client, session: session(context) };
        Submission { provenance: Provenance::of(elsewhere), ..Submission::under(caller.grant.clone(), origin) }
    }
}

/// What the program calls itself: for people to read, never to decide by.
fn client_name(context: &RequestContext<RoleServer>) -> String {
    let name = context.client_info().map(|info| info.name).unwrap_or_default();
    let name: String = name.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
    if name.trim().is_empty() { "an MCP client".to_owned() } else { name }
}

/// Tells connections apart: by what our bridge made up for its own, else by the protocol's session. Its hash is enough
/// for that, and nobody who reads records can use it.
fn session(context: &RequestContext<RoleServer>) -> Option<String> {
    let headers = &context.extensions.get::<::http::request::Parts>()?.headers;
    let named = headers.get(CONNECTION).or_else(|| headers.get("mcp-session-id"))?;
    Some(Sha256::of(named.as_bytes()).short().to_owned())
}

fn caller(context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
    caller_in(&context.extensions).ok_or_else(|| ErrorData::invalid_request("the caller is unknown", None))
}

fn caller_in(extensions: &Extensions) -> Option<Caller> {
    extensions.get::<::http::request::Parts>()?.extensions.get::<Caller>().cloned()
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("aside", env!("CARGO_PKG_VERSION")).with_title("Aside"))
            .with_instructions(INSTRUCTIONS)
    }

    /// A client in a session hears of another list without asking for it (revision 2025-11-25).
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Some(caller) = caller_in(&context.extensions) {
            tokio::spawn(Shown::new(self, caller).tell(context.peer));
        }
    }

    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    /// One without a session asks to hear of it (revision 2026-07-28).
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut shown = Shown::new(self, caller(context.request_context())?);
        loop {
            let changed = tokio::select! {
                changed = shown.changed() => changed.is_ok(),
                () = context.cancelled() => false,
            };
            if !changed || context.sink().notify_tool_list_changed().await.is_err() {
                return Ok(());
            }
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools(&caller(&context)?).shown()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        // Only for checking headers against the schema, before it is known who calls.
        Tools::new(self.gate.catalog(), &Grant::full("any"), self.gate.now()).shown_as(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, &context).await
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.resources(&context).await
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.resource(&request.uri, &context).await
    }
}
