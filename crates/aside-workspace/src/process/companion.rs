//! A program that runs beside the workspace for as long as it is wanted, spoken to over its standard input and output.
//!
//! ```text
//! server ──starts──> helper (this program again) ──starts──> the program
//!    │  stdin: the plan, then what goes to the program │
//!    │  stdout, stderr: the program's own              │  its end ends the program and all that the program started:
//!    │                                                 │  also when the server was killed and can't say so
//! ```
//!
//! It is not kept apart from the machine: it has the person's rights, and a person was asked before it was started.

use std::{
    collections::BTreeMap,
    env,
    fs::DirBuilder,
    io::{self, BufRead as _, Read as _, Write as _},
    os::unix::{
        fs::{DirBuilderExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc::{self, Sender},
    thread,
    time::Duration,
};

use aside_macros::boxed;
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, setsid, wait};
use serde::{Deserialize, Serialize};
use tokio::{
    io::AsyncWriteExt as _,
    process::{ChildStderr, ChildStdin, ChildStdout},
};

use super::{environment, tree};

/// The argument that makes this program the helper of a companion.
pub(crate) const COMPANION: &str = "companion-exec";

/// Bytes of a plan.
const MOST_PLAN: u64 = 1 << 20;
/// How long a program may take to end by itself once its input is at an end.
const GRACE: Duration = Duration::from_secs(2);

/// A program to be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompanionLine {
    /// Program, as an absolute path, and arguments.
    pub argv: Vec<String>,
    /// The folder it runs in; absolute. It is made, for its owner alone, if it is not there.
    pub cwd: PathBuf,
    /// All that it gets in its environment.
    pub environment: BTreeMap<String, String>,
}

/// A program that runs. When `input` is dropped, the program and all that it started are ended.
#[derive(Debug)]
pub struct Companion {
    /// What it reads.
    pub input: ChildStdin,
    /// What it writes for programs.
    pub output: ChildStdout,
    /// What it writes for people.
    pub errors: ChildStderr,
}

impl CompanionLine {
    /// Starts the program. That it can't be started is told by the end of its output, with the reason in `errors`.
    ///
    /// The program that calls this must call [`super::enter_if_helper`] at its start.
    #[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
    #[boxed]
    pub async fn start(&self) -> io::Result<Companion> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.cwd)?;
        let program = if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { env::current_exe()? };
        let mut command = tokio::process::Command::new(program);
        command.arg(COMPANION).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipe = || io::Error::other("a pipe is missing");
        let mut input = child.stdin.take().ok_or_else(pipe)?;
        let output = child.stdout.take().ok_or_else(pipe)?;
        let errors = child.stderr.take().ok_or_else(pipe)?;
        let plan = serde_json::to_string(self).map_err(io::Error::other)?;
        input.write_all(format!("{plan}\n").as_bytes()).await?;
        // The runtime waits for the helper, which ends with its input.
        Ok(Companion { input, output, errors })
    }
}

/// What every companion gets in its environment: where things are, and nothing that can be a secret.
pub fn companion_environment() -> BTreeMap<String, String> {
    let mut environment = environment::let_through();
    for name in ["HOME", "TMPDIR", "SHELL"] {
        if let Ok(value) = env::var(name) {
            environment.insert(name.to_owned(), value);
        }
    }
    environment
}

/// What the program of the keyring gets: where its session is, and nothing that can be a secret.
pub(crate) fn keyring_environment() -> BTreeMap<String, String> {
    let session = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"];
    let found = session.iter().filter_map(|name| Some(((*name).to_owned(), env::var(name).ok()?)));
    companion_environment().into_iter().chain(found).collect()
}

/// Returns where a program is, as a shell would find it, but never in a folder that is named relative to another.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let executable =
        |path: &Path| path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_absolute() && executable(path));
    }
    let path = environment::let_through().remove("PATH")?;
    path.split(':').map(|folder| Path::new(folder).join(name)).find(|path| executable(path))
}

enum Event {
    Exited,
    /// Nobody wants it any more.
    Over,
}

/// Is the helper: starts the program, hands on what is for it, and ends all of it.
pub(crate) fn help() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().take(MOST_PLAN).read_line(&mut line)?;
    let plan: CompanionLine = serde_json::from_str(&line).map_err(io::Error::other)?;
    // A session of its own: keys typed at the server's terminal are not for the program.
    setsid()?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (events, inbox) = mpsc::channel();
    let (group, input) = spawn(&plan)?;
    let exited = events.clone();
    thread::spawn(move || reap(group, &exited));
    thread::spawn(move || {
        hand_on(input);
        let _ = events.send(Event::Over);
    });
    if matches!(inbox.recv(), Ok(Event::Over)) {
        // Ended by itself or not: what follows is the same.
        let _ = inbox.recv_timeout(GRACE);
    }
    let _ = kill_process_group(group, Signal::KILL);
    tree::end_all();
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
fn spawn(plan: &CompanionLine) -> io::Result<(Pid, std::process::ChildStdin)> {
    let (program, arguments) = plan.argv.split_first().ok_or_else(|| io::Error::other("there is no program to run"))?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&plan.cwd).env_clear().envs(&plan.environment).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let mut child = command.spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("the system gave no process id"))?;
    Ok((pid, child.stdin.take().ok_or_else(|| io::Error::other("a pipe is missing"))?))
}

/// Waits for the program, and for all that is left to this process, until there is nobody to wait for.
fn reap(program: Pid, events: &Sender<Event>) {
    while let Ok(Some((pid, _))) = wait(WaitOptions::empty()) {
        if pid == program {
            let _ = events.send(Event::Exited);
        }
    }
}

/// Hands on what is for the program until nothing more comes.
pub(super) fn hand_on(mut program: std::process::ChildStdin) {
    let mut stdin = io::stdin().lock();
    let mut open = true;
    while let Ok(piece @ [_, ..]) = stdin.fill_buf() {
        // A program that reads no more is still wanted for what it writes.
        open = open && program.write_all(piece).is_ok();
        let length = piece.len();
        stdin.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_its_name_or_its_whole_path_only() {
        let sh = find_program("sh").unwrap();
        assert!(sh.is_absolute());
        assert_eq!(find_program(sh.to_str().unwrap()), Some(sh.clone()));
        for not in ["./sh", "bin/sh", "no-such-program-here", "/etc/passwd", "/"] {
            assert_eq!(find_program(not), None, "{not}");
        }
    }

    #[test]
    fn a_companion_gets_no_more_than_where_things_are() {
        assert!(companion_environment().keys().all(|name| !name.contains("KEY") && !name.contains("TOKEN")));
        assert!(companion_environment().contains_key("PATH"));
    }
}
