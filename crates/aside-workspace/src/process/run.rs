//! Starts the helper for one command, hears what it puts out, and waits for the end.

use std::{
    collections::BTreeMap,
    fs, io,
    io::{Read, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use aside_core::SandboxLevel;

use super::{
    Processes, environment,
    helper::HELPER,
    plan::{CommandEnd, Limits, PRIVATE, Plan, Report},
    reach,
    tail::Captured,
    terminal::Terminal,
};

/// How often what came is passed on.
const PASS_ON_EVERY: Duration = Duration::from_millis(100);
/// Bytes that are read at once, and how many of these may wait.
const PIECE: usize = 64 * 1024;
const PIECES: usize = 16;
/// Bytes that are shown between two of these moments: nobody reads faster.
const MOST_LIVE: usize = 256 * 1024;
/// How much longer than the limit the helper may take to end it.
const GRACE: Duration = Duration::from_secs(10);
/// What may still come after the helper has said how it ended.
const AFTERMATH: Duration = Duration::from_millis(500);

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The folder it runs in; absolute, in the workspace.
    pub cwd: PathBuf,
    /// It may use the network.
    pub network: bool,
    /// How much it may use.
    pub limits: Limits,
    /// Folders beside the workspace that it may write; absolute, without links, and there.
    pub write: Vec<PathBuf>,
    /// Folders beside the workspace and the system's that it may read; absolute.
    pub read: Vec<PathBuf>,
    /// It may write nothing in the workspace.
    pub read_only: bool,
    /// Names and values that its environment has beside the usual ones.
    pub environment: BTreeMap<String, String>,
}

impl CommandLine {
    /// A line for the shell.
    pub fn shell(line: &str, cwd: &Path) -> Self {
        Self::new(["/bin/sh", "-c", line].map(str::to_owned).to_vec(), cwd)
    }

    /// A program and its arguments.
    pub fn new(argv: Vec<String>, cwd: &Path) -> Self {
        let (write, read, environment) = (Vec::new(), Vec::new(), BTreeMap::new());
        let (cwd, limits) = (cwd.to_owned(), Limits::default());
        Self { argv, cwd, network: false, limits, write, read, read_only: false, environment }
    }
}

/// A piece of what a terminal would show: everything from `offset` on, in UTF-16 units, is replaced by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// Where the piece belongs.
    pub offset: usize,
    /// The piece.
    pub text: String,
}

/// Stops a command from another thread. Clones stop the same one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the command and everything that it started.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Why.
    pub why: CommandEnd,
    /// Its exit status, if it ended by itself.
    pub status: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// How long it ran.
    pub duration: Duration,
    /// What it put out, on both streams, in the order it came.
    pub output: Captured,
    /// Processes that it left behind; they were ended with it.
    pub left_behind: u32,
    /// Processes that would not end.
    pub still_there: u32,
}

/// Why a command could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The helper, its folder or its pipes.
    #[error("cannot start a command: {0}")]
    Start(#[from] io::Error),
    /// It wants a network, and *Local only* is on.
    #[error("no command gets a network while Local only is on")]
    LocalOnly,
    /// The helper said why.
    #[error("cannot start the command: {0}")]
    NotStarted(String),
    /// The helper ended without a word.
    #[error("the sandbox helper stopped; the command's effects until then remain")]
    Lost,
}

enum Heard {
    Output(Vec<u8>),
    Report(String),
}

impl Processes {
    /// Runs a command at the level that holds here. Blocks until its end. One that has a network is ended when *Local
    /// only* is turned on.
    pub fn run(&self, line: &CommandLine, stop: &Stop, live: impl FnMut(Live)) -> Result<Finished, ProcessError> {
        self.run_at(self.found().level, line, stop, live)
    }

    pub(crate) fn run_at(
        &self,
        level: SandboxLevel,
        line: &CommandLine,
        stop: &Stop,
        live: impl FnMut(Live),
    ) -> Result<Finished, ProcessError> {
        if line.network && self.is_local_only() {
            return Err(ProcessError::LocalOnly);
        }
        let temporary = temporary_folder()?;
        let plan = self.plan(level, line, &temporary.path().canonicalize()?);
        let helper = Helper::start(&plan)?;
        let ended = || stop.is_set() || (line.network && self.is_local_only());
        let finished = Hearing::new(helper, ended, live).until_the_end(plan.limits.time);
        // What a command made unreadable for us stays in the system's temporary folder.
        let _ = temporary.close();
        finished
    }
}

impl Processes {
    /// What the helper is told of a command; `temporary` is a folder of its own, with those of [`PRIVATE`] in it.
    pub(super) fn plan(&self, level: SandboxLevel, line: &CommandLine, temporary: &Path) -> Plan {
        let mut reach = reach::reach(&self.shared.folder, &self.shared.private, temporary, line);
        if line.read_only {
            reach.keep_from_writing(&self.shared.folder);
        }
        reach.write.extend(line.write.iter().cloned());
        let mut environment = environment::environment(temporary);
        environment.extend(line.environment.clone());
        Plan {
            level,
            argv: line.argv.clone(),
            cwd: line.cwd.clone(),
            environment,
            network: line.network,
            reach,
            limits: line.limits,
            spoken_to: false,
            running: self.running_file(),
        }
    }
}

/// A folder with a name that nobody can guess, for this person only.
fn temporary_folder() -> io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("aside-").tempdir()?;
    for name in PRIVATE {
        fs::DirBuilder::new().create(folder.path().join(name))?;
    }
    Ok(folder)
}

struct Helper {
    child: Child,
    /// Its end ends the command.
    lifeline: Option<ChildStdin>,
    inbox: mpsc::Receiver<Heard>,
}

impl Helper {
    #[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
    fn start(plan: &Plan) -> io::Result<Self> {
        // This very program, even if its file was replaced meanwhile.
        let program = if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
        let mut command = Command::new(program);
        command.arg(HELPER).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (sender, inbox) = mpsc::sync_channel(PIECES);
        let mut lifeline = child.stdin.take();
        let line = serde_json::to_string(plan).map_err(io::Error::other)?;
        if let Some(stdin) = &mut lifeline {
            writeln!(stdin, "{line}")?;
            stdin.flush()?;
        }
        if let Some(output) = child.stderr.take() {
            let sender = sender.clone();
            thread::Builder::new().name("aside-output".to_owned()).spawn(move || read(output, &sender))?;
        }
        if let Some(report) = child.stdout.take() {
            thread::Builder::new().name("aside-report".to_owned()).spawn(move || {
                let mut text = String::new();
                // Nothing read is a report that is not there.
                let _ = report.take(1 << 20).read_to_string(&mut text);
                let _ = sender.send(Heard::Report(text));
            })?;
        }
        Ok(Self { child, lifeline, inbox })
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.lifeline = None;
        // It has ended, or did not answer to the end of its lifeline.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut output: impl Read, sender: &SyncSender<Heard>) {
    let mut buffer = vec![0; PIECE];
    // An error is the end too.
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        if sender.send(Heard::Output(buffer[..count].to_vec())).is_err() {
            return;
        }
    }
}

struct Hearing<E, F> {
    helper: Helper,
    /// Tells whether it has to end.
    ended: E,
    live: F,
    terminal: Terminal,
    output: Captured,
    passed_on: Instant,
    /// Bytes that came since then.
    fresh: usize,
    begun: Instant,
}

impl<E: Fn() -> bool, F: FnMut(Live)> Hearing<E, F> {
    fn new(helper: Helper, ended: E, live: F) -> Self {
        let now = Instant::now();
        let (terminal, output) = (Terminal::default(), Captured::default());
        Self { helper, ended, live, terminal, output, passed_on: now, fresh: 0, begun: now }
    }

    fn until_the_end(mut self, limit: Duration) -> Result<Finished, ProcessError> {
        let mut deadline = self.begun + limit + GRACE;
        let mut report = None;
        loop {
            if (self.ended)() && self.helper.lifeline.take().is_some() {
                deadline = Instant::now() + GRACE;
            }
            match self.helper.inbox.recv_timeout(PASS_ON_EVERY) {
                Ok(Heard::Output(bytes)) => self.hear(&bytes),
                Ok(Heard::Report(text)) => {
                    report = Some(text);
                    deadline = Instant::now() + AFTERMATH;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.pass_on();
            if Instant::now() > deadline {
                break;
            }
        }
        self.passed_on = self.begun;
        self.pass_on();
        self.finish(report.as_deref())
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.output.push(bytes);
        if self.fresh < MOST_LIVE {
            self.terminal.push(bytes);
        } else if self.fresh < MOST_LIVE + bytes.len() {
            self.terminal.push("\n…\n".as_bytes());
        }
        self.fresh += bytes.len();
    }

    fn pass_on(&mut self) {
        if self.passed_on.elapsed() < PASS_ON_EVERY {
            return;
        }
        if let Some((offset, text)) = self.terminal.take() {
            (self.live)(Live { offset, text });
            (self.passed_on, self.fresh) = (Instant::now(), 0);
        }
    }

    fn finish(self, report: Option<&str>) -> Result<Finished, ProcessError> {
        let report = report.and_then(|text| serde_json::from_str(text.trim()).ok());
        match report {
            Some(Report::Ended { why, status, signal, left_behind, still_there }) => {
                let (duration, output) = (self.begun.elapsed(), self.output);
                Ok(Finished { why, status, signal, duration, output, left_behind, still_there })
            }
            Some(Report::NotStarted { reason }) => Err(ProcessError::NotStarted(reason)),
            None => Err(ProcessError::Lost),
        }
    }
}
