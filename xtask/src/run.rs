//! Starting other programs, with what they do said on one line.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// A path in the folder that cargo builds into.
pub fn target(path: &str) -> PathBuf {
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder));
    folder.join(path)
}

/// Returns a command that runs in `folder`, relative to the repository.
pub fn command(program: &str, folder: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root().join(folder)).stdin(Stdio::null());
    // What cargo says of this task's own package would make build scripts run again (ring's asks for it), and with
    // them minutes of compiling.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command with its output shown; `what` is printed first and named when it fails.
pub fn step(what: &str, command: &mut Command) -> Result<(), String> {
    eprintln!("==> {what}");
    let started = Instant::now();
    let status = command.status().map_err(|error| format!("{what}: cannot start {command:?}: {error}"))?;
    if status.success() {
        eprintln!("    {what}: {:.1} s", started.elapsed().as_secs_f32());
        Ok(())
    } else {
        Err(format!("{what} failed ({status})"))
    }
}

/// Runs a command quietly; its output is shown only when it fails.
pub fn quiet(what: &str, command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{what}: cannot start {command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{what} failed ({}):\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}
