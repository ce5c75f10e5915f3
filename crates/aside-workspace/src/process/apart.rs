//! A program that is spoken to over its standard input and output for as long as it is wanted, and kept apart like a
//! command.
//!
//! ```text
//! server ──starts──> helper ──restricts a thread of its own, starts──> bwrap or the program
//!    │  stdin: the plan, then what goes to the program                  │
//!    │  stdout, stderr: the program's own                               │  its input's end ends the program and all that
//!    │                                                                  │  it started, also when the server was killed
//! ```

use std::{io, path::PathBuf, process::Stdio};

use aside_macros::boxed;
use tokio::{
    io::AsyncWriteExt as _,
    process::{ChildStderr, ChildStdin, ChildStdout},
};

use super::{CommandLine, Processes, helper::HELPER, plan::PRIVATE};
use crate::scratch::Scratch;

/// A program that runs. When `input` is dropped, the program and all that it started are ended.
#[derive(Debug)]
pub struct Apart {
    /// What it reads.
    pub input: ChildStdin,
    /// What it writes for programs; at its end the program has ended.
    pub output: ChildStdout,
    /// What it writes for people.
    pub errors: ChildStderr,
    /// Its own folders, which go when nobody holds this.
    pub own: OwnFolders,
}

/// The temporary folders of one program.
#[derive(Debug)]
pub struct OwnFolders(#[expect(dead_code, reason = "held until the program has ended")] Scratch);

impl Processes {
    /// Starts a program at the level that holds here. That it can't be started is told by the end of its output, with the
    /// reason in `errors`. It never gets a network, whatever the line says.
    ///
    /// The program that calls this must call [`super::enter_if_helper`] at its start.
    #[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
    #[boxed]
    pub async fn start(&self, line: &CommandLine) -> io::Result<Apart> {
        let (processes, line) = (self.clone(), CommandLine { network: false, ..line.clone() });
        let planned = tokio::task::spawn_blocking(move || processes.plan_apart(&line));
        let (plan, scratch) = planned.await.map_err(io::Error::other)??;
        let program = if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
        let mut command = tokio::process::Command::new(program);
        command.arg(HELPER).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipe = || io::Error::other("a pipe is missing");
        let mut input = child.stdin.take().ok_or_else(pipe)?;
        let output = child.stdout.take().ok_or_else(pipe)?;
        let errors = child.stderr.take().ok_or_else(pipe)?;
        input.write_all(format!("{plan}\n").as_bytes()).await?;
        // The runtime waits for the helper, which ends with its input.
        Ok(Apart { input, output, errors, own: OwnFolders(scratch) })
    }

    #[expect(clippy::disallowed_methods, reason = "temporary folders of our own")]
    fn plan_apart(&self, line: &CommandLine) -> io::Result<(String, Scratch)> {
        let scratch = Scratch::make("aside-apart-")?;
        let own: PathBuf = scratch.path()?.join("own");
        for name in [""].iter().chain(&PRIVATE) {
            std::fs::create_dir(own.join(name))?;
        }
        let mut plan = self.plan(self.found().level, line, &own);
        plan.spoken_to = true;
        Ok((serde_json::to_string(&plan).map_err(io::Error::other)?, scratch))
    }
}
