//! `file.label`: a person says whose content is in a file or folder.

use std::sync::Arc;

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, Label, LabelSource, ObjectRef, Observation, Place,
    Preview, PreviewBody, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::{blocking, touching},
    request,
};

/// What a person can say of content.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// It is the person's own.
    Workspace,
    /// It is somebody else's.
    External,
}

/// Arguments of `file.label`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file or folder, relative to the workspace.
    path: WorkspacePath,
    /// `workspace`: it is mine; `external`: it is from outside. Absent: nothing is said of it any more.
    #[serde(default)]
    label: Option<Said>,
    /// Why, in a few words.
    #[serde(default)]
    why: Option<String>,
}

impl Args {
    fn source(&self, person: &str) -> Option<LabelSource> {
        let (label, words) = match self.label? {
            Said::Workspace => (Label::Workspace, "it is their own"),
            Said::External => (Label::External, "it is from outside"),
        };
        let why = self.why.clone().unwrap_or_else(|| format!("{person} says that {words}"));
        Some(LabelSource::new(label, self.path.as_str(), why))
    }
}

/// `file.label`.
pub(crate) struct FileLabel {
    pub workspace: Arc<Workspace>,
}

impl Action for FileLabel {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.label",
            summary: "Say whether a file or folder is yours or from outside",
            description: "What a model has read from outside makes graver requests ask each time. This says of a file, \
                or of all in a folder that has no word of its own, that its content is yours, or that it is from \
                outside. Only a person can say so.",
            preconditions: &["it exists", "a person asks"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("This log is mine", json!({"path": "data/tides.csv", "label": "workspace"})),
                ("This came from somewhere else", json!({"path": "data/tides.csv", "label": "external"})),
            ],
            phrases: &["this is mine", "trust this file", "do not trust this file"],
            tags: &["file", "folder", "label", "untrusted", "source"],
            safety: &["what is said to be yours is no longer a reason to ask"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            let message = "only a person can say whose content is in a file";
            return Err(Failure::new("invalid_args", message).hint("ask the person to do it"));
        }
        let path = args.path.clone();
        let there = blocking(&self.workspace, move |workspace| workspace.confine(&path)?.entry()).await?;
        if there.is_none() {
            return Err(WorkspaceError::NotFound(args.path.clone()).failure());
        }
        Ok(touching(&self.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let path = args.path.clone();
        let now = blocking(&self.workspace, move |workspace| Ok(workspace.label_of(&path))).await?;
        let after = args.source(context.origin.user()).map(|source| source.why);
        let row = ChangeRow { object: args.path.to_string(), before: Some(now.why), after };
        Ok(Preview {
            body: PreviewBody::Changes { rows: vec![row] },
            completeness: Completeness::Full,
            ..Preview::summary(match args.label {
                Some(Said::Workspace) => format!("Say that {} is yours", args.path),
                Some(Said::External) => format!("Say that {} is from outside", args.path),
                None => format!("Say nothing of whose {} is", args.path),
            })
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (path, said) = (args.path.clone(), args.source(context.origin.user()));
        let (before, now) = blocking(&self.workspace, move |workspace| {
            let before = workspace.kept_label(&path)?;
            workspace.keep_label(&path, said)?;
            Ok((before, workspace.label_of(&path)))
        })
        .await?;
        let label = before.as_ref().map(|before| match before.label {
            Label::External => Said::External,
            Label::User | Label::Workspace | Label::Model => Said::Workspace,
        });
        let inverse = json!({"path": args.path, "label": label, "why": before.map(|before| before.why)});
        let words = match now.label {
            Label::External => format!("{} is from outside: {}", args.path, now.why),
            Label::User | Label::Workspace | Label::Model => format!("{} is yours: {}", args.path, now.why),
        };
        let observation = Observation::with(words, json!({"path": args.path, "label": now.label, "why": now.why}));
        Ok(Run {
            observation,
            inverse: Some(request("file.label", inverse)),
            changed: vec![ObjectRef::file(&args.path)],
        })
    }
}
