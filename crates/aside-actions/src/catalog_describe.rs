//! `catalog.describe`: all that is known of one action.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Listing, Query, Run};
use aside_script::{ActionSignature, declaration};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Arguments of `catalog.describe`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The action's name, `noun.verb`.
    name: String,
}

/// `catalog.describe`.
pub(crate) struct CatalogDescribe {
    pub listing: Listing,
}

impl Action for CatalogDescribe {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "catalog.describe",
            summary: "Describe an action",
            description: "Returns the action's purpose, risks, argument schema, examples, its declaration for scripts, and the grant it needs.",
            preconditions: &["the action exists"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![("Describe an action", json!({"name": "doc.edit"}))],
            phrases: &["how does this action work", "what arguments does it take"],
            tags: &["actions", "schema", "help", "manual"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Describe {}", args.name)))
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let found = self.listing.describe(&args.name).ok_or_else(|| {
            let near = self.listing.search(&Query::words(&args.name, 3));
            let near: Vec<_> = near.iter().map(|near| near.name.to_string()).collect();
            let hint = match near.is_empty() {
                true => "search for actions with `catalog.search`".to_owned(),
                false => format!("did you mean {}?", near.join(", ")),
            };
            Failure::new("unknown_action", format!("there is no action `{}`", args.name)).hint(hint)
        })?;
        let schema = serde_json::to_string_pretty(&found.args_schema).unwrap_or_default();
        let examples: Vec<_> =
            found.examples.iter().map(|example| format!("{}: {}", example.title, example.args)).collect();
        let in_scripts = declaration(&ActionSignature {
            name: found.name.to_string(),
            description: String::new(),
            args_schema: found.args_schema.clone(),
        });
        let text = format!(
            "{}: {}\n{}\nrisks: {}\ngrant needed: {}\narguments:\n{schema}\nexamples:\n{}\nin scripts:\n{in_scripts}",
            found.name,
            found.summary,
            found.description,
            found.risks,
            found.grant_needed,
            examples.join("\n"),
        );
        Ok(Run::observed(Observation { label: found.label, ..Observation::with(text, found) }))
    }
}
