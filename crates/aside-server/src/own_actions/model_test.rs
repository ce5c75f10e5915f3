//! `model.test`: asks a model for one word and one tool call.

use std::sync::{Arc, Weak};

use aside_agent::{Agents, try_model};
use aside_core::{
    Assessment, EffectScope, Failure, InvalidModelRef, ModelRef, Observation, Place, Preview, Risk, Risks, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_llm::Models;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object};

/// Arguments of `model.test`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TestArgs {
    /// The model, as `provider/name`.
    model: String,
}

/// `model.test`.
pub(crate) struct ModelTest {
    pub(super) models: Arc<Models>,
    pub(super) agents: Weak<Agents>,
}

impl Action for ModelTest {
    type Args = TestArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "model.test",
            summary: "Test a model",
            description: "Asks a model for one word and one tool call, and returns its answer with the time and the \
                cost. A remote model needs the permission of its provider. Only the user can request this.",
            preconditions: &["the user requests it", "Aside knows the provider"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Test a local model", json!({"model": "ollama/qwen3:4b"}))],
            phrases: &["test the model", "does this model answer"],
            tags: &["model", "test", "try", "check", "tools", "latency"],
            safety: &["A remote model costs money."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &TestArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let model = args.model()?;
        let provider = self.models.provider(&model).map_err(|error| Failure::from(&error))?;
        let host = provider.info().elsewhere();
        let risks = if host.is_some() { [Risk::Billing, Risk::Network].into() } else { Risks::default() };
        let targets = vec![object("model", model)];
        Ok(Assessment { risks, targets, hosts: host.into_iter().collect(), ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &TestArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Ask {} for one word", args.model()?)))
    }

    async fn run(&self, _context: &ActionContext, args: &TestArgs) -> Result<Run, Failure> {
        let model = args.model()?;
        let agents = self.agents.upgrade().ok_or_else(ending)?;
        let trial = try_model(&self.models, agents.spending(), &model).await?;
        let tools = match trial.called_tool {
            Some(true) => "and calls tools",
            Some(false) => "and did not call its tool",
            None => "and takes no tools",
        };
        let first = trial.first.map_or_else(String::new, |first| format!(" after {} ms", first.as_millis()));
        let data = json!({ "text": trial.text, "called_tool": trial.called_tool, "cost": trial.cost });
        Ok(Run::observed(Observation::with(format!("{model} answers{first}, {tools}"), data)))
    }
}

impl TestArgs {
    fn model(&self) -> Result<ModelRef, Failure> {
        self.model.parse().map_err(|error: InvalidModelRef| Failure::new("invalid_args", error.to_string()))
    }
}
