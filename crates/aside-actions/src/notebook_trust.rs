//! `notebook.trust`: a person says that what stands in a notebook is trusted, or no longer.

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, Observation, Place, Preview, PreviewBody, Risk,
    UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{kernels::NotebookKernels, request};

/// Arguments of `notebook.trust`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// Whether to trust the notebook's current content.
    trusted: bool,
    /// Identifies the content that the user saw, as `GET notebooks/trust` returns it. If the content has changed,
    /// nothing happens.
    #[serde(default)]
    seen: Option<String>,
}

/// `notebook.trust`.
pub(crate) struct NotebookTrust(pub NotebookKernels);

impl Action for NotebookTrust {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "notebook.trust",
            summary: "Trust a notebook",
            description: "Lets the scripts in a notebook's saved outputs run and its custom instructions for models \
                apply. Covers only the current content: later changes by other programs are not trusted. Only the \
                user can set or remove trust.",
            preconditions: &["the notebook can be read", "the user asks"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Trust the current content", json!({"path": "analysis.ipynb", "trusted": true})),
                ("Remove trust", json!({"path": "analysis.ipynb", "trusted": false})),
            ],
            phrases: &[
                "trust this notebook",
                "run the scripts of the outputs",
                "do not trust this notebook",
                "trust (this|the|current) notebook => path={notebook}, trusted=true",
                "trust [notebook] {path:notebook} => trusted=true",
                "(do not|don't) trust (this|the|current) notebook => path={notebook}, trusted=false",
                "(do not|don't) trust [notebook] {path:notebook} => trusted=false",
            ],
            tags: &["notebook", "outputs", "scripts", "untrusted", "prompt"],
            safety: &["scripts in outputs run in a frame without access to files or the network"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            let message = "only the user can trust a notebook";
            return Err(Failure::new("invalid_args", message).hint("ask the user to do it"));
        }
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let said = self.0.session(&args.path)?.trust_now().await.map_err(|error| error.failure())?.said;
        let words = |trusted| if trusted { "trusted" } else { "not trusted" }.to_owned();
        let row =
            ChangeRow { object: args.path.to_string(), before: Some(words(said)), after: Some(words(args.trusted)) };
        Ok(Preview {
            body: PreviewBody::Changes { rows: vec![row] },
            completeness: Completeness::Full,
            ..Preview::summary(match args.trusted {
                true => format!("Trust the content of {}", args.path),
                false => format!("Stop trusting {}", args.path),
            })
        })
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        let before = session.trust_now().await.map_err(|error| error.failure())?;
        session.trust(args.trusted, args.seen.as_deref()).await.map_err(|error| error.failure())?;
        let words = match args.trusted {
            true => format!("the content of {} is trusted", args.path),
            false => format!("{} is no longer trusted", args.path),
        };
        let data = json!({"path": args.path, "trusted": args.trusted, "what": before.seen});
        let inverse = if before.said == args.trusted {
            None
        } else {
            // What another program writes in the meantime is not trusted by an undo.
            let now = session.trust_now().await.map_err(|error| error.failure())?;
            Some(request("notebook.trust", json!({"path": args.path, "trusted": before.said, "seen": now.seen})))
        };
        Ok(Run { observation: Observation::with(words, data), inverse, changed: Vec::new() })
    }
}
