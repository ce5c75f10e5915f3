//! A tool of a server as an action. What it may do is what the person chose; what the server says of it is shown.

use std::sync::{Arc, Weak};

use aside_core::{
    ActionName, Assessment, ChangeRow, Completeness, Descriptor, EffectScope, Failure, GrantNeeded, Guard, Label,
    McpServerName, McpToolChoice, ObjectRef, Place, Preview, PreviewBody, Provenance, Sha256, UndoSupport, Warning,
    harmless,
};
use aside_gate::{ActionContext, Handler, Run};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::{
    content::{observation, source},
    kept::Kept,
    launch,
    list::ToolText,
    servers::{Call, Servers, another_list},
};

/// Where the list that a tool is from stands with the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    Untrusted,
    Trusted,
    /// It was looked at, and is not the list any more.
    Changed,
}

/// One tool of one list.
pub(crate) struct ToolAction {
    servers: Weak<Servers>,
    server: McpServerName,
    tool: String,
    list: Sha256,
    stand: Stand,
    choice: McpToolChoice,
    /// The host it is called at, if nobody has looked at the list that it is from.
    host: Option<String>,
    descriptor: Descriptor,
}

impl ToolAction {
    pub(crate) fn new(
        servers: &Arc<Servers>,
        server: &McpServerName,
        kept: &Kept,
        (action, text): (ActionName, &ToolText),
        stand: Stand,
    ) -> Self {
        let choice = kept.choice(&text.name);
        let list = kept.offered().map_or_else(|| Sha256::of(""), |list| list.hash.clone());
        // Whoever looked at a list has named the host.
        let host = launch::host(&kept.launch).filter(|_| stand == Stand::Untrusted);
        let descriptor = descriptor(server, action, text, &choice, stand);
        let (servers, server, tool) = (Arc::downgrade(servers), server.clone(), text.name.clone());
        Self { servers, server, tool, list, stand, choice, host, descriptor }
    }

    fn servers(&self) -> Result<Arc<Servers>, Failure> {
        self.servers.upgrade().ok_or_else(|| Failure::new("interrupted", "the workspace's server is shutting down"))
    }

    fn assessed(&self) -> Result<Assessment, Failure> {
        if self.stand == Stand::Changed {
            return Err(another_list(&self.server));
        }
        Ok(Assessment {
            targets: vec![ObjectRef { kind: "mcp_server".to_owned(), id: self.server.to_string() }],
            provenance: Provenance::of(source(&self.server)),
            hosts: self.host.iter().cloned().collect(),
            ..Assessment::default()
        })
    }

    fn shown(&self, args: &Value) -> Preview {
        let row =
            |object: &str, after: String| ChangeRow { object: object.to_owned(), before: None, after: Some(after) };
        let mut rows = vec![
            row("server", self.server.to_string()),
            row("tool", self.tool.clone()),
            row("tool list", self.list.short().to_owned()),
        ];
        let args = args.as_object().into_iter().flatten();
        rows.extend(args.map(|(name, value)| row(&format!("argument {}", harmless(name)), pretty(value))));
        let warning = Warning {
            guard: Guard::UnknownTool,
            text: format!("You have not reviewed the tools of {} yet.", self.server),
        };
        Preview {
            summary: format!("Call `{}` of the MCP server {}", self.tool, self.server),
            body: PreviewBody::Changes { rows },
            completeness: Completeness::Opaque,
            warnings: if self.stand == Stand::Untrusted { vec![warning] } else { Vec::new() },
        }
    }

    async fn called(&self, context: &ActionContext, args: &Value) -> Result<Run, Failure> {
        let empty = Map::new();
        let call = Call {
            server: &self.server,
            list: &self.list,
            tool: &self.tool,
            args: args.as_object().unwrap_or(&empty),
            repeatable: self.choice.idempotent || self.choice.risks.is_read_only(),
        };
        let result = self.servers()?.call(call, &context.progress).await?;
        Ok(Run::observed(observation(&self.server, &result)?))
    }
}

impl Handler for ToolAction {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    fn assess<'a>(
        &'a self,
        _context: &'a ActionContext,
        _args: &'a Value,
    ) -> BoxFuture<'a, Result<Assessment, Failure>> {
        Box::pin(async move { self.assessed() })
    }

    fn preview<'a>(&'a self, _context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Preview, Failure>> {
        Box::pin(async move { Ok(self.shown(args)) })
    }

    fn run<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Run, Failure>> {
        Box::pin(self.called(context, args))
    }
}

fn descriptor(
    server: &McpServerName,
    name: ActionName,
    text: &ToolText,
    choice: &McpToolChoice,
    stand: Stand,
) -> Descriptor {
    let looked_at = match stand {
        Stand::Trusted => "The user has reviewed it.",
        Stand::Untrusted => "The user has not reviewed it yet.",
        Stand::Changed => "The server's tools changed, so it can't be used until the user reviews them.",
    };
    Descriptor {
        grant_needed: GrantNeeded::of(&name, &choice.risks),
        name,
        summary: text.summary(),
        description: text.description.clone(),
        args_schema: text.args_schema.clone(),
        preconditions: vec![format!("the MCP server {server} can be reached")],
        effect: EffectScope::System,
        risks: choice.risks.clone(),
        places: vec![Place::Host],
        undo: UndoSupport::None,
        examples: Vec::new(),
        phrases: Vec::new(),
        tags: vec!["mcp".to_owned(), server.to_string()],
        safety: vec![format!("A tool of the MCP server `{server}`, which wrote its description. {looked_at}")],
        label: Label::External,
    }
}

fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => harmless(text).into_owned(),
        other => harmless(&serde_json::to_string_pretty(other).unwrap_or_default()).into_owned(),
    }
}
