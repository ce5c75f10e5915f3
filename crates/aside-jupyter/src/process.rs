//! A kernel's process: in a group of its own, so that it outlives this program and is ended whole.

mod identity;
mod log;

use std::{
    collections::BTreeMap,
    io,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{process::Child, sync::watch};

pub(crate) use identity::Identity;
pub(crate) use log::Log;

use crate::{KernelEnd, KernelError};

/// How often a process that is not our child is looked for, and how often a log is cut.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A process group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(pub Pid);

impl Group {
    /// Sends a signal; that it is gone already is no error.
    pub fn signal(self, signal: Signal) {
        let _ = kill_process_group(self.0, signal);
    }
}

/// Starts a program that writes to a log.
#[expect(clippy::disallowed_methods, reason = "processes of kernels belong to this crate")]
pub(crate) fn spawn(
    argv: &[String],
    folder: &Path,
    environment: &BTreeMap<String, String>,
    log: &Log,
) -> Result<(Child, Identity), KernelError> {
    let (program, arguments) = argv.split_first().ok_or_else(|| KernelError::NoProgram { program: String::new() })?;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound if folder.is_dir() => KernelError::NoProgram { program: program.clone() },
        _ => KernelError::io("start", Path::new(program), &error),
    };
    let (output, errors) = log.open().map_err(|error| KernelError::io("write", log.path(), &error))?;
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).current_dir(folder).env_clear().envs(environment).process_group(0);
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let child = command.spawn().map_err(failed)?;
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| failed(io::Error::other("it ended immediately")))?;
    Ok((child, Identity::of(pid)))
}

/// Starts this program with other arguments, to go on when it ends. It gets no variables, and says nothing.
#[expect(clippy::disallowed_methods, reason = "processes of kernels belong to this crate")]
pub(crate) fn spawn_own(arguments: &[String]) -> io::Result<Child> {
    // By this name it is found also when its file was replaced by a newer one.
    let own = Path::new("/proc/self/exe");
    let program = if own.exists() { own.to_owned() } else { std::env::current_exe()? };
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).current_dir("/").env_clear().process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// What is waited for.
#[derive(Debug)]
pub(crate) enum Watched {
    /// A child of ours, whose end the system tells us.
    Child(Child),
    /// The child of a server before us.
    Adopted(Identity),
}

/// Waits for the end, and tells it. Keeps the log short meanwhile.
pub(crate) async fn watch(mut watched: Watched, log: Log, ended: watch::Sender<Option<KernelEnd>>) {
    let status = loop {
        let waited = match &mut watched {
            Watched::Child(child) => tokio::time::timeout(LOOK_EVERY, child.wait()).await.ok().map(Result::ok),
            Watched::Adopted(identity) => {
                tokio::time::sleep(LOOK_EVERY).await;
                (!identity.is_alive()).then_some(None)
            }
        };
        match waited {
            Some(status) => break status,
            None => log.cut(),
        }
    };
    ended.send_replace(Some(end(status, &log)));
}

fn end(status: Option<ExitStatus>, log: &Log) -> KernelEnd {
    KernelEnd {
        code: status.and_then(|status| status.code()),
        signal: status.and_then(|status| status.signal()),
        last_words: log.last_words(),
    }
}

/// Removes a file; that it is gone already is no error.
#[expect(clippy::disallowed_methods, reason = "the files of a kernel belong to this crate")]
pub(crate) fn remove(path: &PathBuf) {
    let _ = std::fs::remove_file(path);
}
