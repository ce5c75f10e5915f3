//! One terminal: a shell behind a pseudo terminal, with a thread that reads, one that writes, and one that waits for
//! its end.

mod threads;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use aside_core::{OpenTerminal, TerminalExit, TerminalId, TerminalSize, Timestamp, harmless};
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::sync::watch;

use crate::{ScreenText, Scrollback, TerminalError, ViewerId, shell::name};
use threads::{Shared, TerminalState, lock, read, spawn, wait, write};

/// Bytes of input that wait for a program at most.
const MOST_INPUT: usize = 1 << 20;
/// How long a program may take to end when its terminal is closed.
const END: Duration = Duration::from_secs(1);

/// A terminal to be started.
#[derive(Clone, Debug)]
pub struct Start {
    /// Its id.
    pub id: TerminalId,
    /// Its name; none for that of its shell.
    pub name: Option<String>,
    /// The path of the shell.
    pub shell: String,
    /// The folder to start in; absolute.
    pub folder: PathBuf,
    /// The same, relative to the workspace.
    pub cwd: String,
    /// Columns and rows.
    pub size: TerminalSize,
    /// All variables that the shell gets.
    pub environment: BTreeMap<OsString, OsString>,
    /// The time now.
    pub opened_at: Timestamp,
}

/// A terminal that was started.
pub struct Terminal {
    start: Start,
    /// The process id of the shell, which leads its session.
    process: Option<Pid>,
    master: Mutex<Option<Box<dyn MasterPty + Send>>>,
    input: Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    waiting_input: Arc<AtomicUsize>,
    shared: Arc<Shared>,
}

impl Terminal {
    /// Starts a shell. `list` hears when its title changes and when it ends.
    pub fn start(start: Start, list: watch::Sender<()>) -> Result<Arc<Self>, TerminalError> {
        let failed = |why: String| TerminalError::Start { shell: start.shell.clone(), why };
        let pair = native_pty_system().openpty(pty_size(start.size)).map_err(|error| failed(error.to_string()))?;
        let mut command = CommandBuilder::new(&start.shell);
        if cfg!(target_os = "macos") {
            // Programs of a desktop have no login environment there, so terminals start login shells.
            command.arg("-l");
        }
        command.env_clear();
        start.environment.iter().for_each(|(name, value)| command.env(name, value));
        command.cwd(&start.folder);
        let child = pair.slave.spawn_command(command).map_err(|error| failed(format!("{error:#}")))?;
        // Else the reader would never come to an end.
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().map_err(|error| failed(error.to_string()))?;
        let writer = pair.master.take_writer().map_err(|error| failed(error.to_string()))?;
        let process = child.process_id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let state = Mutex::new(TerminalState { size: Some(start.size), ..TerminalState::default() });
        let shared =
            Arc::new(Shared { state, ended: Condvar::new(), changes: watch::Sender::new(()), list: list.clone() });
        let (input, queue) = mpsc::channel();
        let waiting_input = Arc::new(AtomicUsize::new(0));
        let (of_reader, of_waiter, waiting) = (shared.clone(), shared.clone(), waiting_input.clone());
        spawn("terminal-read", move || read(reader, &of_reader)).map_err(&failed)?;
        spawn("terminal-write", move || write(writer, &queue, &waiting)).map_err(&failed)?;
        spawn("terminal-wait", move || wait(child, &of_waiter)).map_err(&failed)?;
        Ok(Arc::new(Self {
            start,
            process,
            master: Mutex::new(Some(pair.master)),
            input: Mutex::new(Some(input)),
            waiting_input,
            shared,
        }))
    }

    /// Returns what is known of it now.
    pub fn state(&self) -> OpenTerminal {
        let running = self.running();
        let state = self.shared.state();
        OpenTerminal {
            id: self.start.id.clone(),
            name: self.start.name.clone().unwrap_or_else(|| name(&self.start.shell).to_owned()),
            title: Some(state.title.clone()).filter(|title| !title.is_empty()),
            shell: self.start.shell.clone(),
            cwd: self.start.cwd.clone(),
            size: state.size(),
            seq: state.scrollback.end(),
            opened_at: self.start.opened_at,
            running: running.filter(|_| state.exit.is_none()),
            exit: state.exit.clone(),
        }
    }

    /// Returns a signal of every change: output, title, size, end.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.shared.changes.subscribe()
    }

    /// Reads its output.
    pub fn output<R>(&self, read: impl FnOnce(&Scrollback) -> R) -> R {
        read(&self.shared.state().scrollback)
    }

    /// Returns its last lines, at most so many.
    pub fn text(&self, most: usize) -> ScreenText {
        let state = self.shared.state();
        state.scrollback.text(state.size(), most)
    }

    /// Returns the lines from a byte on, at most so many of the last.
    pub fn text_from(&self, from: u64, most: usize) -> ScreenText {
        let state = self.shared.state();
        state.scrollback.text_from(from, state.size(), most)
    }

    /// Returns the number of the byte that it puts out next.
    pub fn end(&self) -> u64 {
        self.shared.state().scrollback.end()
    }

    /// Returns the title that its program set last, harmless.
    pub fn title(&self) -> String {
        self.shared.state().title.clone()
    }

    /// Returns its size.
    pub fn size(&self) -> TerminalSize {
        self.shared.state().size()
    }

    /// Returns how it ended, if it has.
    pub fn exit(&self) -> Option<TerminalExit> {
        self.shared.state().exit.clone()
    }

    /// Gives input to its program. It waits until the program reads it, up to a megabyte; more is refused as a whole.
    pub fn type_in(&self, input: Vec<u8>) -> Result<(), TerminalError> {
        if input.is_empty() {
            return Ok(());
        }
        if self.exit().is_some() {
            return Err(TerminalError::Ended);
        }
        let size = input.len();
        if self.waiting_input.fetch_add(size, Ordering::AcqRel) + size > MOST_INPUT {
            self.waiting_input.fetch_sub(size, Ordering::AcqRel);
            return Err(TerminalError::InputFull(size));
        }
        let sender = lock(&self.input).clone();
        sender.and_then(|sender| sender.send(input).ok()).ok_or(TerminalError::Ended)
    }

    /// Adds a window of this size.
    pub fn come(&self, size: TerminalSize) -> ViewerId {
        let (viewer, now) = self.shared.state().viewers.come(size);
        self.set_size(Some(now));
        viewer
    }

    /// Takes a window away.
    pub fn leave(&self, viewer: ViewerId) {
        let now = self.shared.state().viewers.leave(viewer);
        self.set_size(now);
    }

    /// Notes the size of a window, which holds if it is the one that sets the size.
    pub fn resize(&self, viewer: ViewerId, size: TerminalSize) {
        let now = self.shared.state().viewers.resize(viewer, size);
        self.set_size(now);
    }

    /// Notes that somebody types in a window.
    pub fn typed_in(&self, viewer: ViewerId) {
        let now = self.shared.state().viewers.type_in(viewer);
        self.set_size(now);
    }

    /// Tells whether the answers of a window's terminal count.
    pub fn leads(&self, viewer: ViewerId) -> bool {
        self.shared.state().viewers.leads(viewer)
    }

    /// Has a full-screen program draw itself again, by a size that it has for a moment.
    pub fn redraw(&self) {
        let size = self.size();
        let other = TerminalSize { rows: if size.rows > 1 { size.rows - 1 } else { 2 }, ..size };
        let master = lock(&self.master);
        if let Some(master) = &*master {
            let _ = master.resize(pty_size(other)).and_then(|()| master.resize(pty_size(size)));
        }
    }

    /// Returns the name of the program in the foreground, unless that is the shell; none where nobody can tell.
    pub fn running(&self) -> Option<String> {
        let group = self.foreground()?;
        (Some(group) != self.process).then(|| program_name(group))
    }

    /// Ends its programs: by a hang-up, as when a window of a desktop is closed, and by force those that stay.
    pub fn hang_up(self: &Arc<Self>) {
        self.signal(Signal::HUP);
        self.signal(Signal::CONT);
        let terminal = self.clone();
        let end = spawn("terminal-end", move || terminal.end_by_force());
        if let Err(why) = end {
            tracing::warn!("cannot wait for the end of a terminal: {why}");
            self.signal(Signal::KILL);
        }
    }

    /// Waits until it has ended, at most so long.
    pub fn wait(&self, most: Duration) -> Option<TerminalExit> {
        let state = self.shared.state();
        let waited = self.shared.ended.wait_timeout_while(state, most, |state| state.exit.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.exit.clone()
    }

    fn end_by_force(&self) {
        if self.wait(END).is_none() {
            self.signal(Signal::KILL);
        }
        // The threads end with these.
        drop(lock(&self.input).take());
        drop(lock(&self.master).take());
    }

    /// Signals the shell and the program in the foreground, unless the shell has ended: its number may be another's.
    fn signal(&self, signal: Signal) {
        if self.exit().is_some() {
            return;
        }
        let foreground = self.foreground().filter(|group| Some(*group) != self.process);
        for group in foreground.into_iter().chain(self.process) {
            let _ = kill_process_group(group, signal);
        }
    }

    fn foreground(&self) -> Option<Pid> {
        Pid::from_raw(lock(&self.master).as_ref()?.process_group_leader()?)
    }

    fn set_size(&self, size: Option<TerminalSize>) {
        let Some(size) = size.filter(|size| *size != self.size()) else { return };
        let master = lock(&self.master);
        let Some(master) = &*master else { return };
        match master.resize(pty_size(size)) {
            Ok(()) => {
                self.shared.state().size = Some(size);
                self.shared.changes.send_replace(());
            }
            Err(error) => tracing::debug!("{}", TerminalError::Resize(error.to_string())),
        }
    }
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Terminal({})", self.start.id)
    }
}

#[expect(clippy::disallowed_methods, reason = "a file that the system makes up, in no workspace")]
fn program_name(process: Pid) -> String {
    let path = format!("/proc/{}/comm", process.as_raw_nonzero());
    let name = std::fs::read_to_string(path).unwrap_or_default();
    match name.trim() {
        "" => "a program".to_owned(),
        name => harmless(name).chars().take(40).collect(),
    }
}

fn pty_size(size: TerminalSize) -> PtySize {
    PtySize { rows: size.rows, cols: size.cols, pixel_width: 0, pixel_height: 0 }
}
