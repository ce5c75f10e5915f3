//! `text.put`: changes a text in memory, and shows the change before.

use std::sync::{Mutex, PoisonError};

use aside_core::ActionRequest;
use aside_core::{
    Assessment, Confidence, EffectScope, Failure, FileChange, FileDiff, Hunk, ObjectRef, ObjectVersion, Observation,
    Place, Preview, PreviewBody, Risk, Sha256, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    text: String,
}

#[derive(Default)]
pub(crate) struct Put(Mutex<String>);

impl Put {
    fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn path() -> WorkspacePath {
    WorkspacePath::new("text.txt").expect("a path")
}

impl Action for Put {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "text.put",
            summary: "Change the text",
            description: "",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Change it", json!({ "text": "new" }))],
            phrases: &[],
            tags: &[],
            safety: &[],
        }
    }

    async fn assess(&self, _: &ActionContext, _: &Args) -> Result<Assessment, Failure> {
        let file = ObjectRef::file(&path());
        let version = ObjectVersion { object: file.clone(), version: Some(Sha256::of(self.text())) };
        Ok(Assessment { targets: vec![file], versions: vec![version], ..Assessment::default() })
    }

    async fn preview(&self, _: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let hunk = Hunk {
            part: 0,
            start: 1,
            old: vec![self.text()],
            new: vec![args.text.clone()],
            before: Vec::new(),
            after: Vec::new(),
            confidence: Confidence::Exact,
            anchor: None,
        };
        let base = Some(Sha256::of(self.text()));
        let file =
            FileDiff { path: path(), change: FileChange::Edited, base, hunks: vec![hunk], note: None, cell: None };
        Ok(Preview { body: PreviewBody::Diff { files: vec![file] }, ..Preview::summary("Edit text.txt") })
    }

    async fn run(&self, _: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), args.text.clone());
        let inverse = ActionRequest::new("text.put".parse().expect("a name"), json!({ "text": before }));
        let (observation, changed) = (Observation::text("It is changed."), vec![ObjectRef::file(&path())]);
        Ok(Run { inverse: Some(inverse), changed, ..Run::observed(observation) })
    }
}
