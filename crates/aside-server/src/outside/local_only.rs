//! `model.local_only`: a person says whether any other machine is reached.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Outside, check_person};
use crate::app::blocking;

/// Arguments of `model.local_only`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Whether Local only is on.
    on: bool,
}

/// `model.local_only`.
pub(crate) struct SetLocalOnly {
    pub(super) outside: Arc<Outside>,
}

impl Action for SetLocalOnly {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "model.local_only",
            summary: "Turn Local only on or off",
            description: "While Local only is on, Aside connects to no other computer: no remote models, MCP servers \
                or price lists, and no network for commands. Only the user can request this.",
            preconditions: &["the user requests it"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Turn Local only on", json!({"on": true}))],
            phrases: &[
                "local only",
                "work offline",
                "reach no other machine",
                "(work|go|stay) offline => on=true",
                "(turn on|enable|switch on|activate) local only [mode] => on=true",
                "(turn|switch) local only [mode] on => on=true",
                "local only [mode] [on] => on=true",
                "(turn off|disable|switch off|deactivate) local only [mode] => on=false",
                "(turn|switch) local only [mode] off => on=false",
                "local only [mode] off => on=false",
                "reach no other machine => on=true",
            ],
            tags: &["model", "network", "offline", "local"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        Ok(Assessment { targets: vec![switch()], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(words(args.on).to_owned()))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (outside, on) = (self.outside.clone(), args.on);
        blocking(move || outside.keep_local_only(on)).await??;
        Ok(Run { observation: Observation::text(words(on)), inverse: None, changed: vec![switch()] })
    }
}

fn switch() -> ObjectRef {
    ObjectRef { kind: "setting".to_owned(), id: "local_only".to_owned() }
}

fn words(on: bool) -> &'static str {
    if on { "Turn Local only on" } else { "Turn Local only off" }
}
