//! The terminals of a workspace.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use aside_core::{OpenTerminal, TerminalId};
use tokio::sync::watch;

use crate::{Start, Terminal, TerminalError, shell};

/// Terminals at once.
const MOST: usize = 50;
/// Ids of closed terminals that are remembered.
const MOST_CLOSED: usize = 200;
/// How long all may take to end, when the server does.
const END: Duration = Duration::from_millis(1_500);

/// The terminals of a workspace, in the order in which they were opened. They end with the server.
#[derive(Debug)]
pub struct Terminals {
    all: Mutex<All>,
    changes: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct All {
    open: BTreeMap<TerminalId, Arc<Terminal>>,
    closed: VecDeque<TerminalId>,
}

/// The result of a search for a terminal.
#[derive(Debug)]
pub enum FoundTerminal {
    /// It is there; its program may have ended.
    Open(Arc<Terminal>),
    /// Somebody has closed it.
    Closed,
    /// No terminal of this server has had this id: an earlier server may have.
    Unknown,
}

impl Default for Terminals {
    fn default() -> Self {
        Self { all: Mutex::default(), changes: watch::Sender::new(()) }
    }
}

impl Terminals {
    /// Starts a terminal. Blocks while the system starts the shell.
    pub fn open(&self, mut start: Start) -> Result<Arc<Terminal>, TerminalError> {
        let mut all = self.all();
        all.make_room()?;
        start.name = Some(all.unique_name(start.name.as_deref().unwrap_or_else(|| shell::name(&start.shell))));
        let id = start.id.clone();
        let terminal = Terminal::start(start, self.changes.clone())?;
        all.open.insert(id, terminal.clone());
        drop(all);
        self.changes.send_replace(());
        Ok(terminal)
    }

    /// Looks for one.
    pub fn find(&self, id: &TerminalId) -> FoundTerminal {
        let all = self.all();
        match all.open.get(id) {
            Some(terminal) => FoundTerminal::Open(terminal.clone()),
            None if all.closed.contains(id) => FoundTerminal::Closed,
            None => FoundTerminal::Unknown,
        }
    }

    /// Looks for one by its id or its name.
    pub fn find_named(&self, named: &str) -> Option<Arc<Terminal>> {
        if let Ok(id) = named.parse() {
            return self.all().open.get(&id).cloned();
        }
        let all: Vec<_> = self.all().open.values().cloned().collect();
        all.into_iter().find(|terminal| terminal.state().name == named)
    }

    /// Returns all, the oldest first.
    pub fn list(&self) -> Vec<OpenTerminal> {
        let all: Vec<_> = self.all().open.values().cloned().collect();
        all.iter().map(|terminal| terminal.state()).collect()
    }

    /// Closes one, and ends its programs; returns it as it was.
    pub fn close(&self, id: &TerminalId) -> Option<OpenTerminal> {
        let terminal = {
            let mut all = self.all();
            let terminal = all.open.remove(id)?;
            all.closed.push_back(id.clone());
            if all.closed.len() > MOST_CLOSED {
                all.closed.pop_front();
            }
            terminal
        };
        let was = terminal.state();
        terminal.hang_up();
        self.changes.send_replace(());
        Some(was)
    }

    /// Ends all, and waits for that a moment.
    pub fn close_all(&self) {
        let open = std::mem::take(&mut self.all().open);
        open.values().for_each(Terminal::hang_up);
        let end = Instant::now() + END;
        for terminal in open.values() {
            terminal.wait(end.saturating_duration_since(Instant::now()));
        }
    }

    /// Returns a signal of every change of the list: one opens, ends, is closed, or has another title.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    /// Takes the oldest that has ended away where there are as many as there may be.
    fn make_room(&mut self) -> Result<(), TerminalError> {
        if self.open.len() < MOST {
            return Ok(());
        }
        let ended = self.open.iter().find(|(_, terminal)| terminal.exit().is_some());
        let ended = ended.map(|(id, _)| id.clone()).ok_or(TerminalError::TooMany(MOST))?;
        self.open.remove(&ended).iter().for_each(Terminal::hang_up);
        Ok(())
    }

    fn unique_name(&self, wanted: &str) -> String {
        let names: Vec<_> = self.open.values().map(|terminal| terminal.state().name).collect();
        let numbered = (2..).map(|number| format!("{wanted} {number}"));
        let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
        all.find(|name| !names.contains(name)).expect("there is always another number")
    }
}
