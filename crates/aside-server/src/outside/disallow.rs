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
    /// The provider, such as `openai`.
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
            summary: "Stop sending content to a remote provider",
            description: "Nothing more is sent to this provider, at any host, and a running answer is stopped. Only \
                the user can request this.",
            preconditions: &["the user requests it"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Stop using OpenAI's models", json!({"provider": "openai"}))],
            phrases: &["disallow this provider", "send nothing more to"],
            tags: &["model", "provider", "consent", "network"],
            safety: &["Content that was already sent can't be recalled."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        check_word("provider", &args.provider)?;
        Ok(Assessment { targets: vec![provider(&args.provider)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Stop sending content to {}", args.provider)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (outside, id) = (self.outside.clone(), args.provider.clone());
        blocking(move || outside.disallow(&id)).await??;
        let observation = Observation::text(format!("nothing more is sent to {}", args.provider));
        Ok(Run { observation, inverse: None, changed: vec![provider(&args.provider)] })
    }
}
