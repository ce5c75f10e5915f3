//! `file.label`: a person says whose content is in a file or folder.

use std::sync::Arc;

use aside_core::{
    Assessment, ChangeRow, Completeness, EffectScope, Failure, Label, LabelSource, ObjectRef, Observation, Place,
    Preview, PreviewBody, Risk, UndoSupport, Version, WorkspacePath,
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

/// The source of a file's content, as the user states it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The user's own content.
    Workspace,
    /// Content from an untrusted source.
    External,
}

/// Arguments of `file.label`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file or folder, relative to the workspace.
    path: WorkspacePath,
    /// `workspace`: mine; `external`: from an untrusted source. Absent: removes the label.
    #[serde(default)]
    label: Option<Said>,
    /// The reason, in a few words.
    #[serde(default)]
    why: Option<String>,
    /// The version of the label that the path must have; otherwise nothing is marked. Used by undo.
    #[serde(default)]
    expected: Option<String>,
}

impl Args {
    fn source(&self, person: &str) -> Option<LabelSource> {
        let (label, words) = match self.label? {
            Said::Workspace => (Label::Workspace, "it is their own"),
            Said::External => (Label::External, "it is untrusted"),
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
            summary: "Mark a file or folder as yours or untrusted",
            description: "Once a model has read untrusted content, riskier requests need approval every time. This \
                marks a file, or all unlabelled files in a folder, as yours or as untrusted. Only the user can do \
                this.",
            preconditions: &["it exists", "the user asks"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Mark this file as mine", json!({"path": "data/tides.csv", "label": "workspace"})),
                ("Mark this file as untrusted", json!({"path": "data/tides.csv", "label": "external"})),
            ],
            phrases: &[
                "this is mine",
                "trust this file",
                "do not trust this file",
                "trust (this|current) file => path={file}, label=workspace",
                "this [file] is mine => path={file}, label=workspace",
                "mark (this|this file) as mine => path={file}, label=workspace",
                "mark {path:entry} as mine => label=workspace",
                "trust the file {path:entry} => label=workspace",
                "(do not|don't) trust (this|current) file => path={file}, label=external",
                "mark (this|this file) as (untrusted|external) => path={file}, label=external",
                "mark {path:entry} as (untrusted|external) => label=external",
                "(do not|don't) trust file {path:entry} => label=external",
            ],
            tags: &["file", "folder", "label", "untrusted", "source"],
            safety: &["content marked as yours no longer causes approval requests"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            let message = "only the user can mark a file as trusted or untrusted";
            return Err(Failure::new("invalid_args", message).hint("ask the user to do it"));
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
                Some(Said::Workspace) => format!("Mark {} as yours", args.path),
                Some(Said::External) => format!("Mark {} as untrusted", args.path),
                None => format!("Remove the label of {}", args.path),
            })
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (path, said) = (args.path.clone(), args.source(context.origin.user()));
        let expected = args.expected.clone();
        let marked = blocking(&self.workspace, move |workspace| {
            let before = workspace.kept_label(&path)?;
            if expected.is_some_and(|expected| Version::of_json(&before).as_str() != expected) {
                return Ok(None);
            }
            workspace.keep_label(&path, said)?;
            Ok(Some((before, workspace.kept_label(&path)?, workspace.label_of(&path))))
        });
        let (before, kept, now) = marked.await?.ok_or_else(|| {
            Failure::new("conflict", format!("`{}` has been marked anew since, so its label stays", args.path))
                .hint("`file.label` marks it as you say")
        })?;
        let label = before.as_ref().map(|before| match before.label {
            Label::External => Said::External,
            Label::User | Label::Workspace | Label::Model => Said::Workspace,
        });
        let why = before.map(|before| before.why);
        let inverse = json!({"path": args.path, "label": label, "why": why, "expected": Version::of_json(&kept)});
        let words = match now.written_by() {
            Label::External => format!("{} is untrusted: {}", args.path, now.why),
            Label::Model => format!("{} is the assistant's: {}", args.path, now.why),
            Label::User | Label::Workspace => format!("{} is yours: {}", args.path, now.why),
        };
        let label = now.written_by();
        let observation = Observation::with(words, json!({"path": args.path, "label": label, "why": now.why}));
        Ok(Run {
            observation,
            inverse: Some(request("file.label", inverse)),
            changed: vec![ObjectRef::file(&args.path)],
        })
    }
}
