//! `shell.run`: runs a command in the workspace, kept apart from the rest of the machine.

mod line;
mod shown;
mod told;

use std::{sync::Arc, time::Duration};

use aside_core::{
    ActionRequest, Assessment, EffectScope, Failure, LabelSource, ObjectRef, Observation, Place, Preview,
    ProblemSource, Risk, Risks, SandboxLevel, SnapshotId, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run, hosts_of_line};
use aside_workspace::{
    Compared, KEPT_FOR, Taken, Workspace, WorkspaceError,
    process::{CommandEnd, CommandLine, Finished, Limits, plain_text},
};
use serde_json::json;

pub use line::Args;
use line::Wanted;

use crate::{
    commands::{self, sandbox_level},
    file_diffs::{FileDiffs, Grain, Sides},
    files::blocking,
    request,
};

/// `shell.run`.
pub(crate) struct ShellRun {
    pub workspace: Arc<Workspace>,
}

impl Action for ShellRun {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "shell.run",
            summary: "Run a command in the workspace",
            description: "Runs a shell line (`command`), or a program with arguments (`argv`), and returns its exit \
                status and output. It sees the workspace and the system's programs, not the user's home folder, and \
                has no network unless `network` is set. It can't read input, and all processes it started end with \
                it. To change a file use `doc.edit`, which shows the change first.",
            preconditions: &["the user approves, or a rule allows every command in it"],
            effect: EffectScope::System,
            risks: [Risk::Write, Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Run a shell line", json!({"command": "wc -l src/*.py | tail -n 1"})),
                ("Run a program in a folder", json!({"argv": ["ls", "-l"], "cwd": "data", "timeout": 10})),
            ],
            phrases: &[
                "(run|execute) {command:command} [in the terminal|in the shell|in a shell|in the command line]",
                "(run|execute) (command|shell command) {command:command}",
                "$ {command:command}",
                "(run|execute) [script|file|program] {command:script}",
            ],
            tags: &[
                "build it with make",
                "execute",
                "run this command",
                "run the tests",
                "shell",
                "terminal",
                "bash",
                "program",
                "command",
                "test",
                "build",
            ],
            safety: &[
                "the effects of a command can't be previewed",
                "changes to the workspace's files can be undone; data sent over a network can't be recalled",
            ],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let wanted = args.wanted()?;
        if wanted.network && self.workspace.processes().is_local_only() {
            let message = "no command gets a network while Local only is on";
            return Err(Failure::new("local_only", message)
                .hint("run it without `network`, or ask the user to turn Local only off"));
        }
        let level = sandbox_level(&self.workspace).await?;
        let targets = self.real_folder(&wanted).await?.map(|path| ObjectRef { kind: "folder".to_owned(), id: path });
        Ok(Assessment {
            risks: risks(&wanted, level),
            targets: targets.into_iter().collect(),
            hosts: if wanted.network { hosts_of_line(&wanted.line) } else { Vec::new() },
            command: Some(wanted.line),
            ..Assessment::default()
        })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let wanted = args.wanted()?;
        sandbox_level(&self.workspace).await?;
        let folder = self.real_folder(&wanted).await?.unwrap_or_default();
        let coverage = blocking(&self.workspace, |workspace| workspace.snapshot_coverage()).await?;
        Ok(shown::preview(&wanted, folder, self.workspace.processes(), &coverage))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let wanted = args.wanted()?;
        // Held until the files were compared, so that what has changed was changed by this command.
        let _turn = tokio::select! {
            turn = self.workspace.processes().turn() => turn,
            by = context.progress.stopped() => {
                return Err(Failure::new("stopped", format!("{by} stopped it before it started")));
            }
        };
        let action = context.id.clone();
        let taken = blocking(&self.workspace, move |workspace| {
            workspace.tidy_snapshots();
            workspace.take_snapshot(&action)
        });
        let taken = taken.await?;
        let covered = taken.coverage.is_possible();
        let ended = self.carry_out(context, &wanted).await;
        let (line, cwd, action) = (wanted.line.clone(), wanted.cwd.clone(), context.id.clone());
        let compared = blocking(&self.workspace, move |workspace| {
            let compared = compare(workspace, taken)?;
            if let Ok((_, compared)) = &compared {
                workspace.mark_copied(compared, &line, cwd.as_ref(), &action)?;
            }
            Ok(compared)
        });
        let compared = compared.await?;
        let changed_nothing = compared.as_ref().is_ok_and(|(_, compared)| compared.is_as_before());
        match ended {
            Err(failure) if changed_nothing => Err(failure),
            ended => {
                let unchanged = changed_nothing && covered && self.stays_inside(&wanted).await?;
                let mut run = self.conclude(context, wanted, ended, compared).await?;
                run.observation.unchanged = unchanged;
                Ok(run)
            }
        }
    }

    fn kept_for(&self) -> Option<Duration> {
        Some(KEPT_FOR)
    }

    async fn cut_off(&self, context: &ActionContext, args: &Args) -> Result<Option<Run>, Failure> {
        let (wanted, action) = (args.wanted()?, context.id.clone());
        let (line, cwd) = (wanted.line.clone(), wanted.cwd.clone());
        let compared = blocking(&self.workspace, move |workspace| {
            let compared = workspace.cut_off_snapshot(&action)?;
            if let Some(compared) = &compared {
                workspace.mark_copied(compared, &line, cwd.as_ref(), &action)?;
            }
            Ok(compared)
        });
        let compared = compared.await?;
        let Some(compared) = compared else { return Ok(None) };
        let changed = compared.paths();
        self.label(&wanted, &changed, context).await?;
        let inverse = compared.snapshot.as_ref().map(|snapshot| taking_back(&snapshot.id));
        let changed = changed.iter().map(ObjectRef::file).collect();
        Ok(Some(Run { observation: Observation::text(told::cut_off(&compared)), inverse, changed }))
    }
}

impl ShellRun {
    /// All that it can change is the files that are looked at.
    async fn stays_inside(&self, wanted: &Wanted) -> Result<bool, Failure> {
        Ok(!wanted.network && sandbox_level(&self.workspace).await? != SandboxLevel::None)
    }

    /// The path of the folder, links followed; none for the top one.
    async fn real_folder(&self, wanted: &Wanted) -> Result<Option<String>, Failure> {
        let cwd = wanted.cwd.clone();
        let folder = blocking(&self.workspace, move |workspace| {
            let folder = workspace.folder_of_command(cwd.as_ref())?;
            let below = folder.strip_prefix(workspace.folder()).map(|path| path.display().to_string());
            Ok(below.unwrap_or_default())
        });
        Ok(Some(folder.await?).filter(|path| !path.is_empty()))
    }

    async fn carry_out(&self, context: &ActionContext, wanted: &Wanted) -> Result<Finished, Failure> {
        let cwd = wanted.cwd.clone();
        let cwd = blocking(&self.workspace, move |workspace| workspace.folder_of_command(cwd.as_ref())).await?;
        let limits = Limits { time: wanted.time, ..Limits::default() };
        let line = CommandLine { network: wanted.network, limits, ..CommandLine::new(wanted.argv.clone(), &cwd) };
        commands::run(&self.workspace, line, &context.progress).await
    }

    /// Keeps what it put out, and says what came of it.
    async fn conclude(
        &self,
        context: &ActionContext,
        wanted: Wanted,
        ended: Result<Finished, Failure>,
        compared: Result<(FileDiffs, Compared), NotCompared>,
    ) -> Result<Run, Failure> {
        let cut_off = wanted.network && self.workspace.processes().is_local_only();
        let stopped_by = context.progress.stopped_by().or_else(|| cut_off.then(|| "Local only".to_owned()));
        let level = sandbox_level(&self.workspace).await?;
        let mut told = told::Told::new(&wanted, level, stopped_by);
        match ended {
            Ok(finished) => {
                let bytes = finished.output.bytes();
                let kept = bytes.clone();
                let kept = blocking(&self.workspace, move |workspace| workspace.keep_output(&kept)).await;
                self.blame(&wanted, &finished, &bytes).await?;
                told.ended(&finished, &bytes, kept);
            }
            Err(failure) => told.broke_off(&failure),
        }
        let changed = match compared {
            Ok((diffs, compared)) => told.changed(diffs, compared),
            Err(not_compared) => told.not_compared(not_compared),
        };
        self.label(&wanted, &changed, context).await?;
        let source = LabelSource::external(format!("the output of {}", wanted.line), "output of programs");
        let inverse = told.snapshot().map(taking_back);
        let (words, data) = told.finish();
        let observation = Observation::with(words, data).from_source(source.by(&context.id));
        let changed = changed.iter().map(ObjectRef::file).collect();
        Ok(Run { observation, inverse, changed })
    }

    /// What a command that failed says of lines of files is shown there, until another one fails or the same one ends well.
    async fn blame(&self, wanted: &Wanted, finished: &Finished, output: &[u8]) -> Result<(), Failure> {
        let good = finished.why == CommandEnd::Exited && finished.status == Some(0);
        let (line, cwd, text) = (wanted.line.clone(), wanted.cwd.clone(), plain_text(output));
        let work = move |workspace: &Workspace| {
            match good {
                true => workspace.forget_said(ProblemSource::Shell, &line),
                false => workspace.show_said(ProblemSource::Shell, &line, cwd.as_ref(), &text),
            }
            Ok(())
        };
        blocking(&self.workspace, work).await
    }

    /// What a command with a network has written can be from anywhere.
    async fn label(&self, wanted: &Wanted, paths: &[WorkspacePath], context: &ActionContext) -> Result<(), Failure> {
        if !wanted.network || paths.is_empty() {
            return Ok(());
        }
        let source = LabelSource::external(&wanted.line, "written by a command with network access").by(&context.id);
        let paths = paths.to_vec();
        blocking(&self.workspace, move |workspace| workspace.mark_external(&paths, &source)).await.map(drop)
    }
}

fn taking_back(id: &SnapshotId) -> ActionRequest {
    request("snapshot.restore", json!({"snapshot": id}))
}

/// Nobody could find out what a command changed.
struct NotCompared {
    why: Failure,
    /// What was written meanwhile, by the stamps of the file system.
    touched: Vec<WorkspacePath>,
}

fn compare(workspace: &Workspace, taken: Taken) -> Result<Result<(FileDiffs, Compared), NotCompared>, WorkspaceError> {
    let since = taken.since().clone();
    Ok(match workspace.compare_snapshot(taken) {
        Ok(compared) => Ok((diffs(workspace, &compared), compared)),
        Err(error) => Err(NotCompared { why: error.into(), touched: workspace.touched_since(&since)? }),
    })
}

/// What a command changed, to be looked at afterwards.
fn diffs(workspace: &Workspace, compared: &Compared) -> FileDiffs {
    let mut diffs = FileDiffs::new(Grain::Places);
    for change in compared.changes.iter().filter(|change| !change.is_folder()) {
        let sides = Sides { path: &change.path, before: change.before.as_ref(), after: change.after.as_ref() };
        let snapshot = compared.snapshot.as_ref();
        diffs.add(&sides, || workspace.change_texts(&snapshot?.id, change).ok());
    }
    diffs
}

/// Without a sandbox a command can do whatever the person can.
fn risks(wanted: &Wanted, level: SandboxLevel) -> Risks {
    let mut risks = Risks::default();
    if wanted.network || level == SandboxLevel::None {
        risks.insert(Risk::Network);
    }
    if level == SandboxLevel::None {
        risks.insert(Risk::Access);
        risks.insert(Risk::Install);
    }
    risks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_sandbox_it_may_do_anything() {
        let wanted = |network| Wanted { network, ..Args::shell("ls").wanted().unwrap() };
        assert_eq!(risks(&wanted(false), SandboxLevel::Bubblewrap), Risks::default());
        assert_eq!(risks(&wanted(true), SandboxLevel::Landlock), [Risk::Network].into());
        let anything = [Risk::Network, Risk::Access, Risk::Install].into();
        assert_eq!(risks(&wanted(false), SandboxLevel::None), anything);
    }
}
