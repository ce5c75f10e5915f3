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
    /// The id of the snapshot from before a command, as `shell.run` returned it.
    snapshot: String,
    /// Only these files. Default: all files that the command changed.
    #[serde(default)]
    paths: Option<Vec<WorkspacePath>>,
    /// Skips files with later changes in the same lines and restores the others. Without it, such a conflict stops the
    /// whole restore.
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
            summary: "Undo the changes of a command",
            description: "Restores files to their state before a command ran. Later changes in other lines stay. If \
                the same lines have changed since, nothing is restored, unless `leave_changed` is set. The restore \
                can itself be undone. Snapshots are kept for 7 days.",
            preconditions: &["the snapshot is still stored"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write, Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Undo all changes", json!({"snapshot": "snp_00000000000000000000000001"}))],
            phrases: &["undo the command", "put the files back as they were before", "take back what the command did"],
            tags: &["snapshot", "undo", "revert", "rollback", "shell"],
            safety: &["files that git ignores are not in the snapshot"],
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
    let message = format!("this would overwrite later changes in {}{more}; nothing was changed", named.join(", "));
    let hint = "set `leave_changed` to restore the other files, or name some in `paths`";
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
        0 => "Undo the changes of a command: nothing is left of them".to_owned(),
        count => format!("Undo the changes of a command in {}", counted(count, "file")),
    };
    let completeness = if diffs.cut { Completeness::Partial } else { Completeness::Full };
    Preview { body: PreviewBody::Diff { files: diffs.files }, completeness, ..Preview::summary(summary) }
}

fn made(restored: Restored) -> Run {
    let mut lines = vec![match restored.paths.len() {
        0 => "No changes were left to undo.".to_owned(),
        count => format!("Undid the changes of a command in {}.", counted(count, "file")),
    }];
    lines.extend(restored.left.iter().take(20).map(|(path, why)| format!("Not changed: {path}, {why}.")));
    let left: Vec<Value> = restored.left.iter().map(|(path, why)| json!({"path": path, "why": why})).collect();
    let data = json!({"paths": restored.paths, "left": left, "snapshot": restored.snapshot});
    let inverse =
        (!restored.paths.is_empty()).then(|| request("snapshot.restore", json!({"snapshot": restored.snapshot})));
    let changed = restored.paths.iter().map(ObjectRef::file).collect();
    Run { observation: Observation::with(lines.join("\n"), data), inverse, changed }
}
