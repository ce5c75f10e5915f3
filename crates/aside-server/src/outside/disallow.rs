//! `model.disallow`: a person takes back that content may go to a provider.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Outside, check_person, check_word, provider};
use crate::app::blocking;

/// Arguments of `model.disallow`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Which provider, such as `openai`.
    provider: String,
}

/// `model.disallow`.
pub(crate) struct Disallow {
    pub(super) outside: Arc<Outside>,
}

impl Action for Disallow {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "model.disallow",
            summary: "Let no more content go to a provider of models elsewhere",
            description: "Nothing is sent to this provider any more, at any host; an answer that is coming ends. Only \
                a person can say so.",
            preconditions: &["a person asks"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("No longer use OpenAI's models", json!({"provider": "openai"}))],
            phrases: &["disallow this provider", "send nothing more to"],
            tags: &["model", "provider", "consent", "network"],
            safety: &["what was sent before can't be called back"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        check_word("provider", &args.provider)?;
        Ok(Assessment { targets: vec![provider(&args.provider)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Let no more content go to {}", args.provider)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (outside, id) = (self.outside.clone(), args.provider.clone());
        blocking(move || outside.disallow(&id)).await??;
        let observation = Observation::text(format!("no more content goes to {}", args.provider));
        Ok(Run { observation, inverse: None, changed: vec![provider(&args.provider)] })
    }
}
