//! The threads of a terminal, and the state that they share with its windows.

use std::{
    io::{ErrorKind, Read, Write},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use aside_core::{TerminalExit, TerminalSize, harmless};
use portable_pty::Child;
use tokio::sync::watch;

use crate::{Scrollback, Viewers};

/// Bytes that are read at once.
const READ: usize = 64 << 10;
/// Bytes of a thread's stack: it holds no more than a few calls.
const STACK: usize = 256 << 10;
/// How long the last output of a shell that has ended is waited for: another program may still hold its terminal.
const LAST_OUTPUT: Duration = Duration::from_millis(300);
/// Lines and bytes of a shell's last words.
const LAST_LINES: usize = 20;
const LAST_BYTES: usize = 4_000;

/// TerminalState that the threads of a terminal share with its windows.
pub(super) struct Shared {
    pub state: Mutex<TerminalState>,
    /// Woken when all output is read, and at the end.
    pub ended: Condvar,
    pub changes: watch::Sender<()>,
    /// Of the list that this is in.
    pub list: watch::Sender<()>,
}

#[derive(Default)]
pub(super) struct TerminalState {
    pub scrollback: Scrollback,
    pub title: String,
    pub viewers: Viewers,
    pub size: Option<TerminalSize>,
    pub all_read: bool,
    pub exit: Option<TerminalExit>,
}

impl Shared {
    pub fn state(&self) -> MutexGuard<'_, TerminalState> {
        lock(&self.state)
    }

    fn add(&self, output: &[u8]) {
        let mut state = self.state();
        state.scrollback.push(output);
        let title = harmless(state.scrollback.title());
        let is_new = title != state.title.as_str();
        if is_new {
            state.title = title.into_owned();
        }
        drop(state);
        self.changes.send_replace(());
        if is_new {
            self.list.send_replace(());
        }
    }

    /// Notes the end, once all is read that was put out before.
    fn end(&self, exit: TerminalExit) {
        let state = self.state();
        let waited = self.ended.wait_timeout_while(state, LAST_OUTPUT, |state| !state.all_read);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let mut said = state.scrollback.text(state.size(), LAST_LINES).lines.join("\n");
        said.drain(..said.ceil_char_boundary(said.len().saturating_sub(LAST_BYTES)));
        state.exit = Some(TerminalExit { said, ..exit });
        drop(state);
        self.ended.notify_all();
        self.changes.send_replace(());
        self.list.send_replace(());
    }
}

impl TerminalState {
    pub fn size(&self) -> TerminalSize {
        self.size.unwrap_or(TerminalSize::USUAL)
    }
}

pub(super) fn read(mut reader: Box<dyn Read + Send>, shared: &Shared) {
    let mut buffer = vec![0; READ];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => shared.add(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                tracing::debug!("a terminal can't be read any more: {error}");
                break;
            }
        }
    }
    shared.state().all_read = true;
    shared.ended.notify_all();
}

pub(super) fn write(mut writer: Box<dyn Write + Send>, queue: &mpsc::Receiver<Vec<u8>>, waiting: &AtomicUsize) {
    while let Ok(input) = queue.recv() {
        let written = writer.write_all(&input).and_then(|()| writer.flush());
        waiting.fetch_sub(input.len(), Ordering::AcqRel);
        if let Err(error) = written {
            return tracing::debug!("a terminal takes no input any more: {error}");
        }
    }
}

pub(super) fn wait(mut child: Box<dyn Child + Send + Sync>, shared: &Shared) {
    let exit = match child.wait() {
        Ok(status) => {
            let signal = status.signal().map(str::to_owned);
            let status = signal.is_none().then(|| status.exit_code());
            TerminalExit { status, signal, said: String::new() }
        }
        Err(error) => {
            tracing::warn!("cannot wait for a terminal's shell: {error}");
            TerminalExit { status: None, signal: None, said: String::new() }
        }
    };
    shared.end(exit);
}

pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let spawned = thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work);
    spawned.map(drop).map_err(|error| error.to_string())
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
