//! `language_server.restart`: starts a language server anew.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_lsp::LanguageServers;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, object};
use crate::app::blocking;

/// Arguments of `language_server.restart`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RestartArgs {
    /// The name of the language server, as the user's file has it.
    name: String,
}

/// `language_server.restart`.
pub(crate) struct Restart {
    pub(super) language_servers: Arc<LanguageServers>,
}

impl Action for Restart {
    type Args = RestartArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "language_server.restart",
            summary: "Restart a language server",
            description: "Ends a language server that the user has set up and starts it anew. Its problems are \
                reported again. Only the user can request this.",
            preconditions: &["the user requests it", "the language server is in the user's list"],
            effect: EffectScope::System,
            risks: [Risk::Install].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![("Restart a language server", json!({"name": "pyright"}))],
            phrases: &["restart the language server", "start the linter again"],
            tags: &["language", "server", "restart", "problems", "lsp"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &RestartArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let (servers, name) = (self.language_servers.clone(), args.name.clone());
        let known = blocking(move || servers.overview().servers.iter().any(|server| server.name == name)).await?;
        match known {
            true => Ok(Assessment { targets: vec![object("language_server", &args.name)], ..Assessment::default() }),
            false => Err(nothing(&args.name)),
        }
    }

    async fn preview(&self, _context: &ActionContext, args: &RestartArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Restart the language server {}", args.name)))
    }

    async fn run(&self, _context: &ActionContext, args: &RestartArgs) -> Result<Run, Failure> {
        let (servers, name) = (self.language_servers.clone(), args.name.clone());
        match blocking(move || servers.restart(&name)).await? {
            true => Ok(Run::observed(Observation::text(format!("restarted the language server {}", args.name)))),
            false => Err(nothing(&args.name)),
        }
    }
}

fn nothing(name: &str) -> Failure {
    Failure::new("not_found", format!("there is no language server “{name}”"))
        .hint("*Problems* lists the language servers and names the file that sets them up")
}
