//! `thread.create`: begins a thread.

use std::sync::Arc;

use aside_core::{
    ActionRequest, Assessment, EffectScope, Failure, ModelRef, Observation, Place, Preview, Risk, UndoSupport,
    WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_store::{Store, StoreError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{NewThread, actions::Protected, changes::object, create};
use crate::error::AgentError;

/// Arguments of `thread.create`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateThread {
    /// The title; absent for the first words of the first message.
    #[serde(default)]
    title: Option<String>,
    /// The file that the thread is about.
    #[serde(default)]
    document: Option<WorkspacePath>,
    /// The model, as `provider/name`; absent for the model of the workspace.
    #[serde(default)]
    model: Option<String>,
}

/// `thread.create`.
pub(super) struct ThreadCreate {
    pub(super) store: Arc<Store>,
    pub(super) protected: Protected,
}

impl Action for ThreadCreate {
    type Args = CreateThread;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "thread.create",
            summary: "Start a new thread",
            description: "Starts an empty conversation with the assistant, about a file if one is named. It reviews \
                each edit and asks before it runs anything. Only the user can request this.",
            preconditions: &["the user requests it"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Start a thread", json!({})),
                ("Start a thread about a file", json!({"title": "Speed", "document": "plot.py"})),
            ],
            phrases: &["new thread", "start a new conversation"],
            tags: &["thread", "conversation", "new", "assistant", "start"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &CreateThread) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            return Err(Failure::new("person_only", "only the user can start threads"));
        }
        args.model()?;
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &CreateThread) -> Result<Preview, Failure> {
        let title = args.title.as_ref().map(|title| format!(" “{title}”")).unwrap_or_default();
        let about = args.document.as_ref().map(|document| format!(" about {document}")).unwrap_or_default();
        Ok(Preview::summary(format!("Start a new thread{title}{about}")))
    }

    async fn run(&self, _context: &ActionContext, args: &CreateThread) -> Result<Run, Failure> {
        let new = NewThread {
            title: args.title.clone(),
            document: args.document.clone(),
            model: args.model()?,
            ..NewThread::default()
        };
        let made = create(&self.store, new, &(self.protected)());
        let thread = made.map_err(|error: StoreError| AgentError::from(error).failure())?;
        let name = "thread.delete".parse().expect("it is `noun.verb`");
        let inverse = ActionRequest::new(name, json!({ "thread": thread.id, "expected": thread.updated.0 }));
        let observation = Observation::with(format!("started the thread “{}”", thread.title), &thread);
        Ok(Run { observation, inverse: Some(inverse), changed: vec![object(&thread.id)] })
    }
}

impl CreateThread {
    fn model(&self) -> Result<Option<ModelRef>, Failure> {
        let model = self.model.as_deref().map(str::parse).transpose();
        model.map_err(|error: aside_core::InvalidModelRef| Failure::new("invalid_args", error.to_string()))
    }
}
