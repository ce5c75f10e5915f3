//! The program of a server: where it is, and how it is started.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use aside_core::{LanguageServerState, SandboxLevel};
use aside_workspace::{
    Workspace,
    process::{CommandLine, Limits, find_program},
};

use super::Standing;
use crate::configuration::Configured;

/// What it may use; it stays for hours.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(30 * 24 * 3600),
    memory: 4 << 30,
    processes: 256,
    file: 1 << 30,
    disk: 4 << 30,
    look_every: Duration::from_secs(2),
};

/// Returns the program that a name means: one of the workspace's own goes before one of the machine.
pub(crate) fn find(workspace: &Workspace, name: &str) -> Option<PathBuf> {
    workspace.find_own_program(None, name).or_else(|| find_program(name))
}

/// What is said of a program that is not there, and what to do.
pub(crate) fn not_found(name: &str) -> (String, String) {
    let said = format!("the program `{name}` was not found");
    (
        said,
        "install it, or set its full path as `command` in language-servers.toml; then open the file again".to_owned(),
    )
}

/// What is started, or why nothing is.
pub(super) fn line(workspace: &Workspace, server: &Configured) -> Result<CommandLine, Standing> {
    let name = &server.command[0];
    let Some(program) = find(workspace, name) else {
        let (said, todo) = not_found(name);
        return Err(Standing { state: LanguageServerState::Missing, said: Some(said), todo: Some(todo) });
    };
    let own = program.starts_with(workspace.folder());
    if own && workspace.processes().found().level == SandboxLevel::None {
        let said = format!("`{name}` is in the workspace, and this computer has no sandbox to run it in");
        let todo = Some("install bubblewrap, or use a program outside the workspace".to_owned());
        return Err(Standing { state: LanguageServerState::Failed, said: Some(said), todo });
    }
    let mut argv = server.command.clone();
    argv[0] = program.to_string_lossy().into_owned();
    let mut read = server.read.clone();
    if !own {
        read.extend(places_of(&program));
    }
    Ok(CommandLine { limits: LIMITS, read_only: true, read, ..CommandLine::new(argv, workspace.folder()) })
}

/// Where the files of a program are, by its name and by what that is a link to: the folder around its `bin`. Never a home
/// or one that is everybody's.
fn places_of(program: &Path) -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let around = |program: &Path| {
        let folder = program.parent()?;
        let whole = if folder.ends_with("bin") || folder.ends_with(".bin") { folder.parent()? } else { folder };
        let shared = ["/tmp", "/var/tmp", "/usr", "/home", "/root", "/opt", "/"];
        let is_open = |folder: &Path| {
            shared.iter().any(|shared| Path::new(shared) == folder)
                || home.as_ref().is_some_and(|home| home.starts_with(folder))
        };
        Some(if is_open(whole) { program.to_owned() } else { whole.to_owned() })
    };
    let real = program.canonicalize().ok();
    [Some(program.to_owned()), real].into_iter().flatten().filter_map(|path| around(&path)).collect()
}
