//! `snapshot.restore`: takes back what a command changed in the workspace's files.

use std::{sync::Arc, time::Duration};

use aside_core::{
    Assessment, Completeness, EffectScope, Failure, ObjectRef, Observation, Place, Preview, PreviewBody, Risk,
    SnapshotId, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{ChangedSince, KEPT_FOR, Restored, Restoring, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    file_diffs::{FileDiffs, Grain, Sides},
    files::{blocking, counted},
    request,
};

/// Arguments of `snapshot.restore`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The name of the copy from before a command, as `shell.run` gave it.
    snapshot: String,
    /// Only these files; all that the command changed if absent.
    #[serde(default)]
    paths: Option<Vec<WorkspacePath>>,
    /// Files that somebody has changed since, in the same lines, are left as they are and the others go back. If absent,
    /// nothing is done then.
    #[serde(default)]
    leave_changed: bool,
}

impl Args {
    fn snapshot(&self) -> Result<SnapshotId, Failure> {
        let lost = |_| Failure::from(WorkspaceError::NotKept(self.snapshot.chars().take(80).collect()));
        self.snapshot.parse().map_err(lost)
    }
}

/// `snapshot.restore`.
pub(crate) struct SnapshotRestore {
    pub workspace: Arc<Workspace>,
}

impl SnapshotRestore {
    async fn planned(&self, args: &Args) -> Result<Restoring, Failure> {
        let (id, paths) = (args.snapshot()?, args.paths.clone());
        blocking(&self.workspace, move |workspace| workspace.plan_restore(&id, paths.as_deref())).await
    }
}

impl Action for SnapshotRestore {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "snapshot.restore",
            summary: "Take back what a command changed",
            description: "Makes files as they were before a command ran. Lines that somebody changed since stay; where \
                somebody changed the same lines, nothing is done, unless `leave_changed` is set. Can itself be taken \
                back. The copies are kept for 7 days.",
            preconditions: &["the copy is still kept"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write, Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Take back all of it", json!({"snapshot": "snp_00000000000000000000000001"}))],
            phrases: &["undo the command", "put the files back as they were before"],
            tags: &["snapshot", "undo", "revert", "rollback", "shell"],
            safety: &["what git ignores is not in the copy"],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let planned = self.planned(args).await?;
        let targets = planned.files.iter().map(|file| ObjectRef::file(&file.path)).collect();
        Ok(Assessment { targets, ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let planned = self.planned(args).await?;
        if !args.leave_changed {
            refuse_conflicts(&planned)?;
        }
        blocking(&self.workspace, move |workspace| Ok(shown(workspace, &planned))).await
    }

    async fn run(&self, _context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (id, paths) = (args.snapshot()?, args.paths.clone());
        let changed = if args.leave_changed { ChangedSince::Leave } else { ChangedSince::Refuse };
        // A command that runs meanwhile would take it for its own doing.
        let _turn = self.workspace.processes().turn().await;
        let restored =
            blocking(&self.workspace, move |workspace| workspace.restore_snapshot(&id, paths.as_deref(), changed));
        Ok(made(restored.await?))
    }

    fn kept_for(&self) -> Option<Duration> {
        Some(KEPT_FOR)
    }

    fn parts(&self, args: &Args, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let path = |part: &u32| {
            let PreviewBody::Diff { files } = &preview.body else { return Err(no_part(*part)) };
            let file = files.iter().find(|file| file.hunks.iter().any(|hunk| hunk.part == *part));
            file.map(|file| &file.path).ok_or_else(|| no_part(*part))
        };
        let mut paths = parts.iter().map(path).collect::<Result<Vec<_>, _>>()?;
        paths.dedup();
        Ok(json!({"snapshot": args.snapshot, "paths": paths, "leave_changed": args.leave_changed}))
    }
}

fn no_part(part: u32) -> Failure {
    Failure::new("no_parts", format!("the preview has no change {}", part + 1))
}

/// Why nothing is done, file by file.
fn refuse_conflicts(planned: &Restoring) -> Result<(), Failure> {
    let conflicts: Vec<Value> = planned
        .files
        .iter()
        .filter_map(|file| Some(json!({"path": file.path, "why": file.conflict.as_ref()?})))
        .collect();
    if conflicts.is_empty() {
        return Ok(());
    }
    let named = planned.files.iter().filter_map(|file| Some(format!("`{}` ({})", file.path, file.conflict.as_ref()?)));
    let named: Vec<String> = named.take(10).collect();
    let more = conflicts.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message =
        format!("Going back would lose what was done since in {}{more}; nothing was changed", named.join(", "));
    let hint = "`leave_changed` goes back with all other files; `paths` with some";
    let data = json!({"files": conflicts, "snapshot": planned.snapshot.id});
    Err(Failure::new("conflict", message).hint(hint).data(data))
}

fn shown(workspace: &Workspace, planned: &Restoring) -> Preview {
    let mut diffs = FileDiffs::new(Grain::Files);
    let (id, mut goes_back) = (&planned.snapshot.id, 0);
    for file in &planned.files {
        if let Some(why) = &file.conflict {
            diffs.add_left(&file.path, why);
            continue;
        }
        goes_back += 1;
        let sides = Sides { path: &file.path, before: file.now.as_ref(), after: file.then.as_ref() };
        diffs.add(&sides, || workspace.restore_texts(id, file).ok());
    }
    let summary = match goes_back {
        0 => "Take back what a command changed: nothing is left of it".to_owned(),
        count => format!("Take back what a command changed in {}", counted(count, "file")),
    };
    let completeness = if diffs.cut { Completeness::Partial } else { Completeness::Full };
    Preview { body: PreviewBody::Diff { files: diffs.files }, completeness, ..Preview::summary(summary) }
}

fn made(restored: Restored) -> Run {
    let mut lines = vec![match restored.paths.len() {
        0 => "Nothing was left to take back.".to_owned(),
        count => format!("Took back what a command changed in {}.", counted(count, "file")),
    }];
    lines.extend(restored.left.iter().take(20).map(|(path, why)| format!("Left as it is: {path}, {why}.")));
    let left: Vec<Value> = restored.left.iter().map(|(path, why)| json!({"path": path, "why": why})).collect();
    let data = json!({"paths": restored.paths, "left": left, "snapshot": restored.snapshot});
    let inverse =
        (!restored.paths.is_empty()).then(|| request("snapshot.restore", json!({"snapshot": restored.snapshot})));
    let changed = restored.paths.iter().map(ObjectRef::file).collect();
    Run { observation: Observation::with(lines.join("\n"), data), inverse, changed }
}
