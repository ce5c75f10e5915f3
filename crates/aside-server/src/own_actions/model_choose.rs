//! `model.choose`: chooses the model of threads that name none.

use std::sync::{Arc, Weak};

use aside_agent::Agents;
use aside_core::{
    Assessment, ChangeRow, EffectScope, Failure, ModelRef, Observation, Place, Preview, PreviewBody, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_store::Store;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, ending, object, request};

/// Arguments of `model.choose`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChosenModel {
    /// The model, as `provider/name`; absent for the first one that can be used.
    #[serde(default)]
    model: Option<String>,
}

/// `model.choose`.
pub(crate) struct ModelChoose {
    pub(super) store: Arc<Store>,
    pub(super) agents: Weak<Agents>,
}

impl Action for ModelChoose {
    type Args = ChosenModel;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "model.choose",
            summary: "Choose the model of this workspace",
            description: "The model that answers in threads and AI cells that name none. Sending to a remote service \
                still needs its own permission. Only the user can request this.",
            preconditions: &["the user requests it", "Aside knows the provider"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Use a local model", json!({"model": "ollama/qwen3:4b"})),
                ("Use the first model that answers", json!({})),
            ],
            phrases: &["choose the model", "use this model everywhere"],
            tags: &["model", "provider", "default", "choose", "switch"],
            safety: &["The next message may cost more, or go to another service."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &ChosenModel) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        if let Some(model) = args.model()? {
            let agents = self.agents.upgrade().ok_or_else(ending)?;
            agents.check_provider(&model)?;
        }
        Ok(Assessment { targets: vec![object("setting", "model")], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &ChosenModel) -> Result<Preview, Failure> {
        let row = ChangeRow {
            object: "Model of this workspace".to_owned(),
            before: Some(words(self.chosen()?.as_ref())),
            after: Some(words(args.model()?.as_ref())),
        };
        let summary = format!("Choose {} for this workspace", words(args.model()?.as_ref()));
        Ok(Preview { body: PreviewBody::Changes { rows: vec![row] }, ..Preview::summary(summary) })
    }

    async fn run(&self, _context: &ActionContext, args: &ChosenModel) -> Result<Run, Failure> {
        let (before, model) = (self.chosen()?, args.model()?);
        let kept = match &model {
            Some(model) => self.store.put("setting", "model", None, model),
            None => self.store.delete("setting", "model").map(drop),
        };
        kept.map_err(|error| error.failure())?;
        let text = format!("this workspace uses {} now", words(model.as_ref()));
        let args = before.as_ref().map_or_else(|| json!({}), |model| json!({ "model": model }));
        let inverse = (before != model).then(|| request("model.choose", args));
        let observation = Observation { unchanged: before == model, ..Observation::text(text) };
        Ok(Run { observation, inverse, changed: vec![object("setting", "model")] })
    }
}

impl ModelChoose {
    fn chosen(&self) -> Result<Option<ModelRef>, Failure> {
        self.store.get("setting", "model").map_err(|error| error.failure())
    }
}

impl ChosenModel {
    fn model(&self) -> Result<Option<ModelRef>, Failure> {
        let model = self.model.as_deref().map(str::parse).transpose();
        model.map_err(|error: aside_core::InvalidModelRef| Failure::new("invalid_args", error.to_string()))
    }
}

fn words(model: Option<&ModelRef>) -> String {
    model.map_or_else(|| "the first model that can be used".to_owned(), ToString::to_string)
}
