//! `model.allow`: a person lets content go to a provider that is not on this machine.

use std::sync::Arc;

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, Observation, Place, Preview, PreviewBody, Risk,
    UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Outside, check_person, check_word, provider};
use crate::app::blocking;

/// Arguments of `model.allow`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The provider, such as `openai`.
    provider: String,
    /// Its host, such as `api.openai.com`. Another host needs approval again.
    host: String,
}

/// `model.allow`.
pub(crate) struct Allow {
    pub(super) outside: Arc<Outside>,
}

impl Action for Allow {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "model.allow",
            summary: "Allow sending content to a remote provider",
            description: "Your messages, the files they are about and the content that the model reads to answer may \
                be sent to this provider at this host, in every workspace. Only the user can request this.",
            preconditions: &["the user requests it"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Use OpenAI's models", json!({"provider": "openai", "host": "api.openai.com"}))],
            phrases: &["allow this provider", "let content go to"],
            tags: &["model", "provider", "consent", "network"],
            safety: &["Content leaves this computer. `model.disallow` stops further sending."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        check_word("provider", &args.provider)?;
        check_word("host", &args.host)?;
        Ok(Assessment { targets: vec![provider(&args.provider)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let after = Some("receives your messages to its models, and the content they read".to_owned());
        let row = ChangeRow { object: format!("{} at {}", args.provider, args.host), before: None, after };
        Ok(Preview {
            body: PreviewBody::Changes { rows: vec![row] },
            completeness: Completeness::Full,
            ..Preview::summary(format!("Allow sending content to {} at {}", args.provider, args.host))
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (outside, id, host, now) = (self.outside.clone(), args.provider.clone(), args.host.clone(), context.now);
        blocking(move || outside.allow(&id, &host, now)).await??;
        let observation = Observation::text(format!("content may be sent to {} at {}", args.provider, args.host));
        Ok(Run { observation, inverse: None, changed: vec![provider(&args.provider)] })
    }
}
