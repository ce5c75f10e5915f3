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
    /// It is trusted as it stands there now, or no longer.
    trusted: bool,
    /// Names what the person looked at, as `GET notebooks/trust` does: if something else stands there now, nothing is said.
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
            summary: "Say that you trust what stands in a notebook",
            description: "Outputs that came with a notebook run their scripts, and what the notebook itself asks of models \
                holds, once a person trusts it. This says so of what stands there now, or takes it back; what other \
                programs write into it later is not trusted. Only a person can say so.",
            preconditions: &["the notebook can be read", "a person asks"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Trust it as it is", json!({"path": "analysis.ipynb", "trusted": true})),
                ("Trust it no longer", json!({"path": "analysis.ipynb", "trusted": false})),
            ],
            phrases: &["trust this notebook", "run the scripts of the outputs", "do not trust this notebook"],
            tags: &["notebook", "outputs", "scripts", "untrusted", "prompt"],
            safety: &["scripts of the outputs run in a frame that reaches neither files nor a network"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            let message = "only a person can say that a notebook is trusted";
            return Err(Failure::new("invalid_args", message).hint("ask the person to do it"));
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
                true => format!("Trust what stands in {}", args.path),
                false => format!("Trust {} no longer", args.path),
            })
        })
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let session = self.0.session(&args.path)?;
        let before = session.trust_now().await.map_err(|error| error.failure())?;
        session.trust(args.trusted, args.seen.as_deref()).await.map_err(|error| error.failure())?;
        let words = match args.trusted {
            true => format!("what stands in {} is trusted", args.path),
            false => format!("{} is trusted no longer", args.path),
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
