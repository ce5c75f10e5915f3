//! Finds the strongest level by running a command that tries to break out of it.

use std::{io::Write as _, time::Duration};

use aside_core::SandboxLevel;

use super::{CommandLine, Found, Limits, ProcessError, Processes, Stop, plain_text, wrap};

/// A probe takes some milliseconds; what takes longer does not work.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a command prints that could do what it should and could not do what it should not.
const HOLDS: &str = "it holds";
/// What is in the file that it should not reach.
const GOT_OUT: &str = "a command could reach files outside the workspace\n";

/// Tries the levels, strongest first.
pub(crate) fn probe(processes: &Processes) -> Found {
    let mut missing = Vec::new();
    let strongest = processes.shared.strongest;
    if strongest == SandboxLevel::Bubblewrap {
        match wrap::bubblewrap() {
            None => missing.push("bubblewrap is not installed (the package `bubblewrap`).".to_owned()),
            Some(_) => match holds(processes, SandboxLevel::Bubblewrap) {
                Ok(()) => return Found { level: SandboxLevel::Bubblewrap, missing },
                Err(reason) => missing.push(format!(
                    "bubblewrap does not work here, perhaps because user namespaces are disabled: {reason}."
                )),
            },
        }
    }
    if strongest != SandboxLevel::None && cfg!(target_os = "linux") {
        match holds(processes, SandboxLevel::Landlock) {
            Ok(()) => return Found { level: SandboxLevel::Landlock, missing },
            Err(reason) => missing.push(format!("Landlock and seccomp do not work here: {reason}.")),
        }
    } else if cfg!(not(target_os = "linux")) {
        missing.push("this system has neither bubblewrap nor Landlock.".to_owned());
    }
    Found { level: SandboxLevel::None, missing }
}

/// Runs a command that reads and writes a file it should not reach, and writes where it may.
fn holds(processes: &Processes, level: SandboxLevel) -> Result<(), String> {
    let said = try_to_get_out(processes, level).map_err(|error| error.to_string())?;
    if said.trim() == HOLDS { Ok(()) } else { Err(first_line(&said)) }
}

fn try_to_get_out(processes: &Processes, level: SandboxLevel) -> Result<String, ProcessError> {
    let mut canary = tempfile::Builder::new().prefix("aside-canary-").tempfile()?;
    canary.write_all(GOT_OUT.as_bytes())?;
    let path = canary.path().canonicalize()?.display().to_string();
    // Where it lies there may be a folder of the command's own: it can write, but not this file.
    let script = format!("cat \"$1\" 2>/dev/null; (echo >> \"$1\") 2>/dev/null; : > \"$TMPDIR/x\" && echo {HOLDS}");
    let argv = ["/bin/sh", "-c", &script, "sh", &path].map(str::to_owned).to_vec();
    let cwd = processes.shared.folder.canonicalize()?;
    let limits = Limits { time: PATIENCE, ..Limits::default() };
    let line = CommandLine { limits, ..CommandLine::new(argv, &cwd) };
    let finished = processes.run_at(level, &line, &Stop::default(), |_| {})?;
    let untouched = canary.as_file().metadata()?.len() == GOT_OUT.len() as u64;
    Ok(if untouched { plain_text(&finished.output.bytes()) } else { GOT_OUT.to_owned() })
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or("it ended without output").trim_end_matches('.');
    line.chars().take(200).collect()
}
