//! `mcp.add`: adds a server of tools. It is asked about each time, whoever asks for it.

use aside_core::{
    Assessment, Completeness, EffectScope, Failure, McpLaunch, McpServerName, Observation, Place, Preview, Provenance,
    Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Held, line, request, target};
use crate::client::{content::source, launch, shown};

/// Arguments of `mcp.add`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Its name: up to 20 lowercase letters and digits, starting with a letter.
    name: McpServerName,
    /// How to start or reach it.
    launch: McpLaunch,
}

/// `mcp.add`.
pub(crate) struct Add {
    pub(super) servers: Held,
}

impl Action for Add {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "mcp.add",
            summary: "Add an MCP server",
            description: "Adds and starts an MCP server (Model Context Protocol), and offers its tools as actions. \
                Program arguments are not read by a shell. Name secrets under `inherit`: their values come from \
                Aside's environment or the user's secrets file, never from arguments.",
            preconditions: &["no server has this name"],
            effect: EffectScope::System,
            risks: [Risk::Access, Risk::Install].into(),
            place: Place::Host,
            undo: UndoSupport::Inverse,
            examples: vec![
                (
                    "Add a program",
                    json!({"name": "files", "launch": {"kind": "program", "argv": ["npx", "-y", "@modelcontextprotocol/server-filesystem@2026.7.10", "/tmp"]}}),
                ),
                (
                    "Add a remote server",
                    json!({"name": "tracker", "launch": {"kind": "http", "url": "https://mcp.example/mcp", "headers": {"Authorization": "TRACKER_AUTH"}}}),
                ),
            ],
            phrases: &["add an mcp server", "connect a tool server"],
            tags: &["mcp", "tools", "server", "connect", "install"],
            safety: &["The program runs with the user's rights."],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let servers = self.servers.get()?;
        servers.check_free(&args.name)?;
        let checked = launch::checked(&args.launch)?;
        let mut assessment = Assessment {
            targets: vec![target(&args.name)],
            provenance: Provenance::of(source(&args.name)),
            hosts: launch::host(&checked).into_iter().collect(),
            ..Assessment::default()
        };
        match &checked {
            McpLaunch::Http { .. } => assessment.risks.insert(Risk::Network),
            // So that rules about commands hold for it as well.
            McpLaunch::Program { argv, .. } => assessment.command = Some(quoted(argv)),
        }
        Ok(assessment)
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let servers = self.servers.get()?;
        let checked = launch::checked(&args.launch)?;
        let name = &args.name;
        let summary = match &checked {
            McpLaunch::Program { .. } => {
                format!("Start a program as MCP server `{name}`, now and whenever its tools are used")
            }
            McpLaunch::Http { .. } => format!("Connect to an MCP server as `{name}`"),
        };
        let body = shown::body(checked, &servers.files()?.own_folder(name), servers.workspace());
        Ok(Preview { summary, body, completeness: Completeness::Opaque, warnings: Vec::new() })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let servers = self.servers.get()?;
        let launch = launch::checked(&args.launch)?;
        servers.add(&args.name, launch.clone(), context.origin.user(), context.now).await?;
        // It is added even if it can't be reached now; what is wrong is part of the answer.
        let reached = tokio::select! {
            reached = servers.start_anew(&args.name) => reached.map(drop),
            by = context.progress.stopped() => Err(Failure::new("stopped", format!("{by} did not wait for its tool list"))),
        };
        let server = servers.one(&args.name)?;
        let failure = reached.err().map(|failure| {
            format!("\n{failure}{}", failure.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default())
        });
        let text = format!("added {}{}", line(&server), failure.unwrap_or_default());
        Ok(Run {
            observation: Observation::with(text, &server).from_source(source(&args.name)),
            inverse: Some(request("mcp.remove", json!({ "name": args.name, "expected": launch }))),
            changed: vec![target(&args.name)],
        })
    }
}

/// Words as a shell would read them back.
fn quoted(argv: &[String]) -> String {
    let quoted = argv.iter().map(|word| format!("'{}'", word.replace('\'', r#"'"'"'"#)));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ruled_on_is_one_command_whatever_its_arguments_hold() {
        let argv = ["/bin/srv", "a'b; rm -rf /", "$(id)", ""].map(str::to_owned);
        let commands = aside_gate::commands(&quoted(&argv)).unwrap();
        assert_eq!(commands.len(), 1);
        assert_eq!(commands[0], argv);
    }
}
