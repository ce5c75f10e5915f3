//! The task that owns a notebook's kernel and its queue, and waits for whatever comes next.

use std::{
    collections::{BTreeSet, VecDeque},
    future::{Future, pending},
    ops::ControlFlow,
    sync::Arc,
};

use aside_core::{ExecutionId, Failure};
use aside_jupyter::{Execution, Kernel, KernelError, KernelEvent, News, ReplyStatus};
use aside_notebook::CellKey;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::Instant,
};

use super::{
    Shared,
    flood::Flood,
    life::{Change, Ready},
    widgets::WidgetSaid,
    write::{PAUSE, Written},
};
use crate::SessionError;

pub(crate) type Done = oneshot::Sender<Result<(), SessionError>>;

/// What the task is told.
pub(crate) enum Command {
    Start {
        kernel: Option<String>,
        done: Done,
    },
    Run {
        executions: Vec<ExecutionId>,
    },
    /// With runs: those alone.
    Interrupt {
        only: Option<Vec<ExecutionId>>,
        done: Done,
    },
    Restart {
        done: Done,
    },
    ShutDown {
        done: Done,
    },
    Shown {
        cell: CellKey,
        over: bool,
    },
    Answer {
        execution: ExecutionId,
        question: u64,
        value: String,
        done: Done,
    },
    GoOn {
        execution: ExecutionId,
        done: Done,
    },
    Widget {
        id: String,
        cell: CellKey,
        said: WidgetSaid,
        done: Done,
    },
    /// The server ends; the kernel goes on.
    Close {
        done: Done,
    },
}

pub(crate) struct Runner {
    pub(super) shared: Arc<Shared>,
    pub(super) commands: mpsc::UnboundedReceiver<Command>,
    /// The kernel is being started, found or ended.
    pub(super) change: Option<Change>,
    /// Who waits for that.
    pub(super) waiting: Vec<Done>,
    pub(super) running: Option<Running>,
    pub(super) queue: VecDeque<ExecutionId>,
    /// How often it died in a row.
    pub(super) deaths: u32,
    /// Cells whose outputs the document does not have.
    pub(super) dirty: BTreeSet<CellKey>,
    pub(super) writing: Option<JoinHandle<Written>>,
    pub(super) next_write: Instant,
    /// When it is written before that, if nothing is begun until then.
    pub(super) settled: Option<Instant>,
    /// Why it could not be written last, as it is told.
    pub(super) unwritten: Option<Failure>,
    /// The run that was interrupted, and until when it has to heed that.
    pub(super) interrupted: Option<(ExecutionId, Instant)>,
    /// The runs whose outputs take what comes of what a person did to a control, by the request that told the kernel.
    pub(super) pressed: VecDeque<(String, ExecutionId)>,
}

/// A kernel that runs.
pub(super) struct Running {
    pub kernel: Kernel,
    pub news: News,
    pub since: Instant,
    pub current: Option<Current>,
}

/// The run that is under way.
pub(super) struct Current {
    pub id: ExecutionId,
    pub cell: CellKey,
    /// None if the kernel is dead.
    pub execution: Option<Execution>,
    /// Up to which number what it put out was stored by a server before this one.
    pub stored: u64,
    pub reply: Option<ReplyStatus>,
    pub raised: bool,
    /// The number of the last question for input.
    pub question: u64,
    pub flood: Flood,
}

impl Current {
    pub fn new(id: ExecutionId, cell: CellKey, execution: Option<Execution>) -> Self {
        Self { id, cell, execution, stored: 0, reply: None, raised: false, question: 0, flood: Flood::default() }
    }
}

pub(super) enum Heard {
    Command(Option<Command>),
    Changed(Result<Option<Ready>, SessionError>),
    Said(Option<Result<KernelEvent, KernelError>>),
    News(Option<(Option<String>, Result<KernelEvent, KernelError>)>),
    Written(Option<Written>),
    Write,
    Unheeded,
}

impl Runner {
    pub fn new(shared: Arc<Shared>, commands: mpsc::UnboundedReceiver<Command>) -> Self {
        Self {
            shared,
            commands,
            change: None,
            waiting: Vec::new(),
            running: None,
            queue: VecDeque::new(),
            deaths: 0,
            dirty: BTreeSet::new(),
            writing: None,
            next_write: Instant::now(),
            settled: None,
            unwritten: None,
            interrupted: None,
            pressed: VecDeque::new(),
        }
    }

    /// Works until it is told to end, or nobody can tell it anything any more; the kernel goes on.
    pub async fn work(mut self) {
        loop {
            match self.hear().await {
                Heard::Command(Some(command)) => match self.obey(command).await {
                    ControlFlow::Continue(()) => (),
                    ControlFlow::Break(()) => return self.leave(),
                },
                Heard::Command(None) => return self.leave(),
                Heard::Changed(changed) => self.changed(changed).await,
                Heard::Said(said) => self.said(said).await,
                Heard::News(news) => self.news(news).await,
                Heard::Written(written) => self.written(written),
                Heard::Write => self.write(),
                Heard::Unheeded => self.unheeded(),
            }
        }
    }

    async fn hear(&mut self) -> Heard {
        let due = self.settled.map_or(self.next_write, |settled| settled.min(self.next_write));
        let Self { commands, change, running, writing, dirty, interrupted, .. } = self;
        let may_write = writing.is_none() && !dirty.is_empty();
        tokio::select! {
            biased;
            command = commands.recv() => Heard::Command(command),
            changed = if_any(change.as_mut().map(Change::done)) => Heard::Changed(changed),
            written = if_any(writing.as_mut()) => Heard::Written(written.ok()),
            heard = listen(running) => heard,
            () = if_any(interrupted.as_ref().map(|(_, until)| Box::pin(tokio::time::sleep_until(*until)))) => Heard::Unheeded,
            () = tokio::time::sleep_until(due), if may_write => Heard::Write,
        }
    }

    async fn obey(&mut self, command: Command) -> ControlFlow<()> {
        match command {
            Command::Start { kernel, done } => self.start(kernel, done),
            Command::Run { executions } => self.run(executions).await,
            Command::Interrupt { only: None, done } => self.interrupt(done),
            Command::Interrupt { only: Some(runs), done } => self.interrupt_runs(&runs, done),
            Command::Restart { done } => self.restart(done),
            Command::ShutDown { done } => self.shut_down(done),
            Command::GoOn { execution, done } => {
                let _ = done.send(self.more(&execution));
            }
            Command::Widget { id, cell, said, done } => {
                let _ = done.send(self.tell_widget(&id, &cell, said).await);
            }
            Command::Shown { cell, over } => {
                if over {
                    self.next_write = Instant::now();
                } else if self.dirty.is_empty() {
                    self.next_write = Instant::now() + PAUSE;
                }
                self.dirty.insert(cell);
            }
            Command::Answer { execution, question, value, done } => {
                // Who asked may have gone.
                let _ = done.send(self.answer(&execution, question, &value).await);
            }
            Command::Close { done } => {
                self.write_all().await;
                let _ = done.send(Ok(()));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// What the kernel says next: of what runs, and everything else.
async fn listen(running: &mut Option<Running>) -> Heard {
    let Some(Running { news, current, .. }) = running else { return pending().await };
    match current {
        Some(Current { execution: Some(execution), flood, .. }) if !flood.is_held => tokio::select! {
            biased;
            said = execution.next() => Heard::Said(said),
            news = news.next() => Heard::News(news),
        },
        _ => Heard::News(news.next().await),
    }
}

async fn if_any<F: Future + Unpin>(future: Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => pending().await,
    }
}
