//! Starting other programs. Each step is told on one line, and its time is kept for the summary.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The steps that have ended, in that order.
static ENDED: Mutex<Vec<StepTime>> = Mutex::new(Vec::new());

/// A step that has ended.
#[derive(Clone, Debug)]
pub struct StepTime {
    pub name: String,
    pub took: Duration,
}

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
    // Build scripts (ring's) that see variables of this task's own package run again, and with them minutes of compiling.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            command.env_remove(name);
        }
    }
    command
}

/// Returns cargo, in the repository.
pub fn cargo() -> Command {
    let mut cargo = command(env!("CARGO"), ".");
    if is_ci() {
        // Nobody compiles a second time there: what a second time would need, and lines in stack traces, only cost.
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "none");
    }
    cargo
}

/// Tells whether this is a run of continuous integration, which begins with a clean clone and ends with it.
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

/// Runs a command with its output shown; `name` is printed first and named when it fails.
pub fn step(name: &str, command: &mut Command) -> Result<(), String> {
    timed(name, || {
        let status = command.status().map_err(|error| format!("{name}: cannot start {command:?}: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("{name} failed ({status})")) }
    })
}

/// The same for a step beside others: its output is shown only when it fails.
pub fn quiet_step(name: &str, command: &mut Command) -> Result<(), String> {
    timed(name, || quiet(name, command).map(drop))
}

/// Does some work as a step.
pub fn timed<T>(name: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    eprintln!("==> {name}");
    let started = Instant::now();
    let result = work();
    let took = started.elapsed();
    let state = if result.is_ok() { "" } else { "failed after " };
    eprintln!("    {name}: {state}{:.1} s", took.as_secs_f32());
    ENDED.lock().unwrap_or_else(PoisonError::into_inner).push(StepTime { name: name.to_owned(), took });
    result
}

/// Returns the steps that have ended since this was called last.
pub fn take_steps() -> Vec<StepTime> {
    std::mem::take(&mut ENDED.lock().unwrap_or_else(PoisonError::into_inner))
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
