//! A small catalog, for tests.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, Risks, UndoSupport};
use aside_gate::{Action, ActionContext, Catalog, Declaration, Run, handler};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    #[serde(default)]
    text: Option<String>,
}

struct Named(&'static str, Risk);

impl Action for Named {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: self.0,
            summary: "Do it",
            description: "It is done.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: Risks::from([self.1]),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Do it", json!({ "text": "new" }))],
            phrases: &[],
            tags: &[],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Do {:?}", args.text)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        Ok(Run::observed(Observation::text(format!("did {:?}", args.text))))
    }
}

pub(crate) fn catalog() -> Catalog {
    let actions = [("doc.read", Risk::Read), ("doc.edit", Risk::Write), ("file.delete", Risk::Destructive)];
    Catalog::new(actions.map(|(name, risk)| handler(Named(name, risk)))).expect("the catalog is well declared")
}
