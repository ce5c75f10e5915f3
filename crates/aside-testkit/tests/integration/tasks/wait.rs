//! An action that takes as long as a test wants, and counts its runs over all lives of the server.

use std::sync::{Arc, Mutex};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Handler, Run, handler};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

/// What the test and the action say to each other.
#[derive(Clone)]
pub struct Waiting {
    /// The names of the runs, in order.
    pub runs: Arc<Mutex<Vec<String>>>,
    /// One permit for each run that has begun.
    pub begun: Arc<Semaphore>,
    /// One permit for each run that may end.
    pub go: Arc<Semaphore>,
}

impl Default for Waiting {
    fn default() -> Self {
        Self { runs: Arc::default(), begun: Arc::new(Semaphore::new(0)), go: Arc::new(Semaphore::new(0)) }
    }
}

impl Waiting {
    /// `test.wait`, whose arguments are a name.
    pub fn action(&self) -> Arc<dyn Handler> {
        handler(self.clone())
    }

    /// Returns when a run has begun.
    pub async fn has_begun(&self) {
        self.begun.acquire().await.unwrap().forget();
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    name: String,
}

impl Action for Waiting {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "test.wait",
            summary: "Wait until the test says go",
            description: "",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Wait", json!({"name": "first"}))],
            phrases: &[],
            tags: &[],
            safety: &[],
        }
    }

    async fn assess(&self, _: &ActionContext, _: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Wait: {}", args.name)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        self.runs.lock().unwrap().push(args.name.clone());
        self.begun.add_permits(1);
        tokio::select! {
            _ = self.go.acquire() => Ok(Run::observed(Observation::text(format!("{} is over", args.name)))),
            by = context.progress.stopped() => Err(Failure::new("stopped", format!("{by} stopped it"))),
        }
    }
}
