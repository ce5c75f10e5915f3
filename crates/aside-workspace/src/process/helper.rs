//! The helper: this program, started again to keep one command apart and to end everything that the command started.

use std::{
    fs::File,
    io::{self, BufRead as _, Read as _, Write as _},
    os::unix::{
        fs::OpenOptionsExt as _,
        process::{CommandExt as _, ExitStatusExt as _},
    },
    process::{ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Instant,
};

use aside_core::SandboxLevel;
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, setsid, wait};

use super::{
    companion::{self, COMPANION},
    limits,
    plan::{CommandEnd, Limits, Plan, Report},
    tree, wrap,
    written::Written,
};

/// The argument that makes this program the helper.
pub const HELPER: &str = "sandbox-exec";

/// Bytes of a plan.
const MOST_PLAN: u64 = 8 << 20;
/// How many times as often it is asked whether the machine has many more processes than before, which is cheap, as the
/// processes of the command are looked at one by one …
const COUNTS: u32 = 10;
/// … which never takes more than this share of the time, on a machine with very many processes.
const LOOK_SHARE: u32 = 20;
/// How much the command yields to the helper and to the person's other programs; see nice(2).
const NICE: i32 = 5;

/// Becomes the helper and never returns, if that is what this program was started as. To be called first of all in
/// `main`, before any thread is started.
pub fn enter_if_helper() {
    let argument = std::env::args_os().nth(1).filter(|_| std::env::args_os().count() == 2);
    if argument.as_ref().is_some_and(|argument| argument == COMPANION) {
        let status = companion::help().map_err(|error| eprintln!("cannot start the program: {error}"));
        std::process::exit(status.map_or(1, |()| 0));
    }
    if argument.is_some_and(|argument| argument == HELPER) {
        let (spoken_to, report) = match plan().map(|plan| (plan.spoken_to, help(&plan))) {
            Ok((spoken_to, report)) => (spoken_to, report),
            Err(error) => (false, Err(error)),
        };
        let report = report.unwrap_or_else(|error| Report::NotStarted { reason: error.to_string() });
        // The server may be gone; then nobody wants to know.
        let _ = if spoken_to { tell_person(&report) } else { tell_server(&report) };
        std::process::exit(0);
    }
}

enum Event {
    Started(Pid),
    NotStarted(io::Error),
    Exited(ExitStatus),
    /// The lifeline broke.
    Stop,
}

fn tell_server(report: &Report) -> io::Result<()> {
    let line = serde_json::to_string(report).expect("reports serialise");
    writeln!(io::stdout(), "{line}")
}

/// What is spoken to has its output for itself; why it ended otherwise than by itself stands among its last words.
fn tell_person(report: &Report) -> io::Result<()> {
    let words = match report {
        Report::NotStarted { reason } => format!("it can't be started: {reason}"),
        Report::Ended { why: CommandEnd::OutOfMemory, .. } => "it was ended: it used too much memory".to_owned(),
        Report::Ended { why: CommandEnd::TooManyProcesses, .. } => "it was ended: too many processes".to_owned(),
        Report::Ended { why: CommandEnd::TooMuchWritten, .. } => "it was ended: it wrote too much".to_owned(),
        Report::Ended { .. } => return Ok(()),
    };
    writeln!(io::stderr(), "{words}")
}

fn plan() -> io::Result<Plan> {
    let mut line = String::new();
    // What follows it stays in the buffer of the standard input.
    io::stdin().lock().take(MOST_PLAN).read_line(&mut line)?;
    serde_json::from_str(&line).map_err(io::Error::other)
}

fn help(plan: &Plan) -> io::Result<Report> {
    // A session of its own: keys typed at the server's terminal are not for the command.
    setsid()?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let _running = hold(plan);
    limits::apply(&plan.limits)?;
    let shown = MountView::begin(plan);
    let (events, inbox) = mpsc::channel();
    if !plan.spoken_to {
        let lifeline = events.clone();
        thread::spawn(move || watch_lifeline(&lifeline));
    }
    let starting = plan.clone();
    thread::spawn(move || start(&starting, shown, &events));
    Ok(watch(plan, &inbox))
}

/// The files that the helper shows to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MountView {
    /// All files as they are.
    All,
    /// The protected parts can't be written, and the hidden ones are empty.
    Shielded,
}

impl MountView {
    /// Prepares the view, while this process has one thread. Bubblewrap makes its own.
    fn begin(plan: &Plan) -> Self {
        #[cfg(target_os = "linux")]
        if plan.level == SandboxLevel::Landlock && super::mounts::separate(&plan.reach).is_ok() {
            return Self::Shielded;
        }
        let _ = plan;
        Self::All
    }
}

/// Locks the file that says that a command runs, for as long as what is returned lives. Only the start after a crash
/// asks for it, so a command also runs without.
fn hold(plan: &Plan) -> io::Result<File> {
    let file = File::options().create(true).append(true).mode(0o600).open(&plan.running)?;
    file.lock_shared()?;
    Ok(file)
}

fn watch_lifeline(events: &Sender<Event>) {
    // Nothing is ever said; its end is the message.
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    let _ = events.send(Event::Stop);
}

/// Restricts this thread, starts the command, and waits for it and for all that it leaves behind.
fn start(plan: &Plan, shown: MountView, events: &Sender<Event>) {
    let (started, input) = match spawn(plan, shown) {
        Ok(started) => started,
        Err(error) => return drop(events.send(Event::NotStarted(error))),
    };
    let _ = events.send(Event::Started(started));
    if let Some(input) = input {
        let lifeline = events.clone();
        thread::spawn(move || {
            companion::hand_on(input);
            let _ = lifeline.send(Event::Stop);
        });
    }
    // Until there is nobody to wait for.
    while let Ok(Some((pid, status))) = wait(WaitOptions::empty()) {
        if pid == started {
            let _ = events.send(Event::Exited(ExitStatus::from_raw(status.as_raw())));
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
fn spawn(plan: &Plan, shown: MountView) -> io::Result<(Pid, Option<ChildStdin>)> {
    let argv = wrap::wrapped(plan);
    let (program, arguments) = argv.split_first().ok_or_else(|| io::Error::other("there is no program to run"))?;
    // On Linux this is about the thread and what it starts, and it only gives way: it can't fail.
    let _ = rustix::process::nice(NICE);
    #[cfg(target_os = "linux")]
    super::lock_in::lock_in(plan, shown)?;
    let _ = shown;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&plan.cwd).env_clear().envs(&plan.environment).process_group(0);
    match plan.spoken_to {
        true => command.stdin(Stdio::piped()).stdout(Stdio::inherit()).stderr(Stdio::inherit()),
        false => command.stdin(Stdio::null()).stdout(io::stderr()).stderr(io::stderr()),
    };
    let mut child = command.spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("the system gave no process id"))?;
    Ok((pid, child.stdin.take()))
}

/// Waits for the end of the command, or brings it about.
fn watch(plan: &Plan, inbox: &mpsc::Receiver<Event>) -> Report {
    let deadline = Instant::now() + plan.limits.time;
    let mut watch = Watch::new(plan);
    let mut started = None;
    loop {
        let wait = (plan.limits.look_every / COUNTS).min(deadline.saturating_duration_since(Instant::now()));
        match inbox.recv_timeout(wait) {
            Ok(Event::Started(pid)) => started = Some(pid),
            Ok(Event::NotStarted(error)) => return Report::NotStarted { reason: error.to_string() },
            Ok(Event::Exited(status)) => return end(plan.level, started, CommandEnd::Exited, Some(status)),
            Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => {
                return end(plan.level, started, CommandEnd::Stopped, None);
            }
            Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                return end(plan.level, started, CommandEnd::TimedOut, None);
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(why) = watch.look() {
                    return end(plan.level, started, why, None);
                }
            }
        }
    }
}

/// Looks after all processes of a command together.
struct Watch<'a> {
    limits: &'a Limits,
    /// When they are looked at next.
    next: Instant,
    /// How many threads the machine had when they were looked at last.
    before: u64,
    written: Written,
}

impl<'a> Watch<'a> {
    fn new(plan: &'a Plan) -> Self {
        let (next, before, written) = (Instant::now(), tree::threads_of_machine(), Written::begin(&plan.reach));
        Self { limits: &plan.limits, next, before, written }
    }

    fn look(&mut self) -> Option<CommandEnd> {
        let threads = tree::threads_of_machine();
        let many_more = threads > self.before + u64::from(self.limits.processes) / 2;
        if Instant::now() < self.next && !many_more {
            return None;
        }
        let looked = Instant::now();
        let below = tree::below();
        self.before = threads;
        self.next = Instant::now() + self.limits.look_every.max(looked.elapsed() * LOOK_SHARE);
        if below.alive.len() > self.limits.processes as usize {
            Some(CommandEnd::TooManyProcesses)
        } else if below.memory > self.limits.memory {
            Some(CommandEnd::OutOfMemory)
        } else if self.written.exceeds(self.limits.disk, &below) {
            Some(CommandEnd::TooMuchWritten)
        } else {
            None
        }
    }
}

fn end(level: SandboxLevel, started: Option<Pid>, why: CommandEnd, status: Option<ExitStatus>) -> Report {
    let left_behind = if why == CommandEnd::Exited { still_running(level) } else { 0 };
    if let Some(group) = started {
        // All at once, before they can start others; what has left the group is found one by one.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let still_there = tree::end_all();
    let (status, signal) = (status.and_then(|status| status.code()), status.and_then(|status| status.signal()));
    Report::Ended { why, status, signal, left_behind, still_there }
}

/// How many processes of a command run on after it. Those in bubblewrap end with it, so that some may be gone already.
fn still_running(level: SandboxLevel) -> u32 {
    // Looked at a second time, since one that was at its end is none that it left.
    let of_command = |pid: &Pid| match tree::is_first_of_namespace(*pid) {
        Some(first) => level != SandboxLevel::Bubblewrap || !first,
        None => false,
    };
    u32::try_from(tree::below().alive.iter().filter(|pid| of_command(pid)).count()).unwrap_or(u32::MAX)
}
