//! Commands as actions run them: what they put out is heard while they run, a stop ends them, and that nothing keeps
//! them from the rest of the machine is said before.

use std::sync::Arc;

use aside_core::{Failure, Guard, SandboxLevel, Warning, WorkspacePath};
use aside_gate::Progress;
use aside_workspace::{
    Workspace,
    process::{CommandLine, Finished, Live, ProcessError, Processes, Stop},
};

use crate::files::blocking;

/// Characters of a command in its title; the body has it whole.
const LONGEST_TITLE: usize = 80;

/// Returns the folder of a command; the workspace's own, which is named in several ways, is none.
pub(crate) fn folder_named(cwd: Option<&str>) -> Result<Option<WorkspacePath>, Failure> {
    match cwd {
        None | Some("" | "." | "./") => Ok(None),
        Some(cwd) => {
            let invalid = |error| Failure::new("invalid_args", format!("`cwd`: {error}"));
            WorkspacePath::new(cwd).map(Some).map_err(invalid)
        }
    }
}

/// Returns a command as one short line.
pub(crate) fn title(line: &str) -> String {
    let one_line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

/// The sandbox that holds; looked for the first time, that takes a moment.
pub(crate) async fn sandbox_level(workspace: &Arc<Workspace>) -> Result<SandboxLevel, Failure> {
    blocking(workspace, |workspace| Ok(workspace.processes().found().level)).await
}

/// What a person has to know where there is no sandbox: policy asks because of it. Call [`sandbox_level`] before.
pub(crate) fn no_sandbox(processes: &Processes) -> Option<Warning> {
    let found = processes.found();
    (found.level == SandboxLevel::None).then(|| {
        let why = found.missing.join(" ");
        let text = format!("This command runs without a sandbox: {why}");
        Warning { guard: Guard::NoSandbox, text }
    })
}

/// Returns the warning about input for a terminal: policy asks because of it.
pub(crate) fn outside_sandbox() -> Warning {
    let text = "A terminal runs without a sandbox: it can do anything you can.".to_owned();
    Warning { guard: Guard::NoSandbox, text }
}

/// Runs a command to its end, or until somebody stops the action.
pub(crate) async fn run(workspace: &Workspace, line: CommandLine, progress: &Progress) -> Result<Finished, Failure> {
    let (stop, processes, heard) = (Stop::default(), workspace.processes().clone(), progress.clone());
    let stopping = stop.clone();
    let live = move |live: Live| heard.write(u32::try_from(live.offset).unwrap_or(u32::MAX), &live.text);
    let mut running = tokio::task::spawn_blocking(move || processes.run(&line, &stop, live));
    let finished = tokio::select! {
        finished = &mut running => finished,
        _ = progress.stopped() => {
            stopping.stop();
            running.await
        }
    };
    let finished =
        finished.map_err(|error| Failure::new("internal", format!("the command was interrupted: {error}")))?;
    finished.map_err(|error| failure(&error))
}

fn failure(error: &ProcessError) -> Failure {
    match error {
        ProcessError::NotStarted(_) => Failure::new("not_started", error.to_string())
            .hint("check the program's name; the command sees only the workspace and the system's programs"),
        ProcessError::LocalOnly => Failure::new("local_only", error.to_string()),
        ProcessError::Start(_) => Failure::new("not_started", error.to_string()),
        ProcessError::Lost => Failure::new("interrupted", error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(title("echo a\n  rm -rf b"), "echo a rm -rf b");
        assert_eq!(title(&"é".repeat(200)).chars().count(), LONGEST_TITLE + 1);
    }
}
