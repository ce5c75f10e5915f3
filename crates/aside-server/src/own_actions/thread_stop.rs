//! `thread.stop`: stops the answer that is coming in a thread.

use std::sync::Weak;

use aside_agent::Agents;
use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, ThreadId, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object};

/// Arguments of `thread.stop`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopArgs {
    /// The thread's id.
    thread: String,
}

/// `thread.stop`.
pub(crate) struct ThreadStop {
    pub(super) agents: Weak<Agents>,
}

impl Action for ThreadStop {
    type Args = StopArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "thread.stop",
            summary: "Stop the assistant",
            description: "Stops the answer that is coming in a thread, also at the model. The steps that are done \
                stay. Only the user can request this.",
            preconditions: &["the user requests it", "the thread exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Stop the answer in a thread", json!({"thread": "thr_01kahz8v9k0000000000000000"}))],
            phrases: &["stop the assistant", "stop answering"],
            tags: &["thread", "assistant", "stop", "answer", "cancel"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &StopArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let id = args.thread()?;
        self.agents.upgrade().ok_or_else(ending)?.thread(&id)?;
        Ok(Assessment { targets: vec![object("thread", id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, _args: &StopArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary("Stop the assistant".to_owned()))
    }

    async fn run(&self, _context: &ActionContext, args: &StopArgs) -> Result<Run, Failure> {
        let stopped = self.agents.upgrade().ok_or_else(ending)?.stop(&args.thread()?);
        let text = if stopped { "stopped the assistant" } else { "the assistant was not answering" };
        Ok(Run::observed(Observation { unchanged: !stopped, ..Observation::with(text, json!({ "stopped": stopped })) }))
    }
}

impl StopArgs {
    fn thread(&self) -> Result<ThreadId, Failure> {
        self.thread.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
    }
}
