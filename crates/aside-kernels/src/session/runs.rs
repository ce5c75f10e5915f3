//! Runs cells one after the other, and takes what they put out.

use aside_core::{CellExecution, ExecutionId, ExecutionState, InputAsked, KernelState, NextInput};
use aside_jupyter::{Execution, KernelError, KernelEvent, Raised, ReplyStatus, RunCode};
use aside_notebook::CellKey;
use futures_util::FutureExt as _;
use tokio::time::Instant;

use super::{
    Runner, Shared, blame,
    interrupt::UNHEEDED,
    runner::Current,
    widgets::take_for_widgets,
    write::{PAUSE, SETTLED},
};
use crate::{
    Output, OutputEvent, file,
    record::{self, ExecutionRecord},
    why_not,
};

/// Bytes that are taken at once at most.
pub(super) const MOST_AT_ONCE: usize = 1 << 20;

/// Bytes of a text that code may have written into a cell.
const LONGEST_INPUT: usize = 1 << 20;

/// What came at once.
#[derive(Default)]
pub(super) struct Taken {
    pub outputs: Vec<OutputEvent>,
    pub bytes: usize,
    /// Of what came last.
    pub number: u64,
    ended: Option<ExecutionState>,
}

impl Runner {
    pub(super) async fn run(&mut self, executions: Vec<ExecutionId>) {
        let new: Vec<_> = executions.into_iter().filter(|id| !self.queue.contains(id)).collect();
        self.queue.extend(new);
        if self.running.is_none() && self.change.is_none() {
            self.deaths = 0;
            let known = self.shared.lock().kernel.kernel.as_ref().map(|kernel| kernel.name.clone());
            self.begin(known, KernelState::Starting, None);
        }
        self.next().await;
    }

    /// Begins what comes next, if nothing is under way.
    pub(super) async fn next(&mut self) {
        let Self { running: Some(running), queue, shared, .. } = self else { return };
        if running.current.is_some() {
            return;
        }
        let request = running.kernel.new_request();
        let mut waiting = std::iter::from_fn(|| queue.pop_front());
        let Some(begun) = waiting.find_map(|id| shared.begin(&id, request.clone())) else { return };
        self.settled = None;
        if self.dirty.is_empty() {
            self.next_write = Instant::now() + PAUSE;
        }
        let code = match begun.sql.as_ref().map(|sql| (sql, cannot(shared))) {
            None => begun.code,
            Some((_, Some(why))) => return Box::pin(self.refuse(begun.execution, why)).await,
            Some((sql, None)) => sql.python(&begun.code),
        };
        let run = RunCode { code: &code, may_ask: true, stop_on_error: begun.stop_on_error };
        // Without one the kernel is dead, which is told as news.
        let execution = running.kernel.run_as(request, &run).await.ok();
        let (id, cell) = (begun.execution.id, CellKey(begun.execution.cell));
        running.current = Some(Current::new(id, cell, execution));
    }

    /// Ends what this kernel can't run, and goes on with what comes next.
    async fn refuse(&mut self, execution: CellExecution, why: String) {
        let CellExecution { id, cell, .. } = execution;
        let raised = Raised { name: "KernelError".to_owned(), value: why, traceback: Vec::new() };
        self.echo(&id, OutputEvent::Error(raised));
        let Some(running) = self.running.as_mut() else { return };
        let cell = CellKey(cell);
        running.current = Some(Current { raised: true, ..Current::new(id, cell, None) });
        self.finish(ExecutionState::Failed);
        self.next().await;
    }

    /// Takes what the run that is under way says, and all of it that has come meanwhile.
    pub(super) async fn said(&mut self, mut said: Option<Result<KernelEvent, KernelError>>) {
        let Some(current) = self.running.as_mut().and_then(|running| running.current.as_mut()) else { return };
        let mut taken = Taken::default();
        loop {
            taken.number = current.execution.as_ref().map_or(0, Execution::number);
            match said {
                Some(Ok(event)) => take(&self.shared, current, event, &mut taken),
                Some(Err(error)) => broken(current, &error, &mut taken),
                None => taken.ended = Some(how(current)),
            }
            let Some(execution) = current.execution.as_mut().filter(|_| taken.ended.is_none()) else { break };
            // What is taken from it has to be kept: so it is not asked when there is no room.
            let next = (taken.bytes < MOST_AT_ONCE).then(|| execution.next().now_or_never()).flatten();
            match next {
                Some(next) => said = next,
                None => break,
            }
        }
        self.put_out(taken).await;
        self.kept();
    }

    pub(super) async fn news(&mut self, news: Option<(Option<String>, Result<KernelEvent, KernelError>)>) {
        match news {
            Some((about, Ok(event))) => {
                let number = self.running.as_ref().map_or(0, |running| running.news.number());
                self.late(about, event, number).await;
                self.kept();
            }
            Some((_, Err(KernelError::Died(end)))) => self.died(&end),
            Some((_, Err(error))) => tracing::warn!(%error, "a kernel sent an invalid message"),
            None => self.died(&aside_jupyter::KernelEnd::default()),
        }
    }

    async fn put_out(&mut self, taken: Taken) {
        let Some(current) = self.running.as_ref().and_then(|running| running.current.as_ref()) else { return };
        let (id, cell) = (current.id.clone(), current.cell.clone());
        match taken.ended {
            Some(ExecutionState::Ok) => blame::forget(&self.shared),
            _ => blame::show(&self.shared, &taken.outputs),
        }
        self.keep_outputs(&id, &cell, taken.outputs, taken.number);
        self.bound(taken.bytes, taken.number);
        self.tell_caught().await;
        if let Some(state) = taken.ended {
            self.finish(state);
            self.next().await;
        }
    }

    /// Keeps what was put out, then shows it.
    pub(super) fn keep_outputs(&mut self, id: &ExecutionId, cell: &CellKey, outputs: Vec<OutputEvent>, number: u64) {
        if outputs.is_empty() {
            return;
        }
        self.shared.noted(record::append(&self.shared.store, id, &outputs, number));
        let changed = self.shared.change(|state| {
            if let Some(record) = state.executions.get_mut(id) {
                record.number = record.number.max(number);
            }
            let now = state.now;
            let changed: Vec<_> = outputs
                .into_iter()
                .flat_map(|event| state.outputs.take(cell, event, now))
                .chain([cell.clone()])
                .collect();
            changed.iter().for_each(|cell| state.cells.insert(cell.clone(), now));
            changed
        });
        self.dirty.extend(changed);
    }

    /// Adds what the kernel does not say itself.
    pub(super) fn echo(&mut self, id: &ExecutionId, event: OutputEvent) {
        let cell = self.shared.lock().executions.get(id).map(|record| CellKey(record.execution.cell.clone()));
        if let Some(cell) = cell {
            self.keep_outputs(id, &cell, vec![event], 0);
        }
    }

    /// Everything that the kernel said until now is kept, unless the store did not take it: then it is told again by the
    /// relay after a restart, as long as the file does not have it.
    pub(super) fn kept(&self) {
        if !self.shared.lock().is_unkept {
            self.running.iter().for_each(|running| running.kernel.kept());
        }
    }

    pub(super) fn finish(&mut self, state: ExecutionState) {
        let Some(current) = self.running.as_mut().and_then(|running| running.current.take()) else { return };
        self.interrupted = None;
        self.shared.settle(|problem| state == ExecutionState::Ok || problem.code == UNHEEDED);
        let stops = self.shared.end(&current.id, state);
        self.dirty.insert(current.cell);
        if state == ExecutionState::Failed && stops {
            self.abort();
        }
        if self.queue.is_empty() {
            self.settled = Some(Instant::now() + SETTLED);
        }
    }

    /// What waits is not begun.
    pub(super) fn abort(&mut self) {
        let ids: Vec<_> = self.queue.drain(..).collect();
        ids.iter().for_each(|id| _ = self.shared.end(id, ExecutionState::Aborted));
    }

    /// Ends what can't go on: the kernel is not there any more.
    pub(super) fn lose(&mut self) {
        self.finish(ExecutionState::Lost);
        self.queue.clear();
        for CellExecution { id, state, cell, .. } in self.shared.open() {
            match state {
                ExecutionState::Running => {
                    self.shared.end(&id, ExecutionState::Lost);
                    self.dirty.insert(CellKey(cell));
                }
                _ => _ = self.shared.end(&id, ExecutionState::Aborted),
            }
        }
    }

    /// Something that comes after the end of its run, such as what a thread prints.
    pub(super) async fn late(&mut self, about: Option<String>, event: KernelEvent, number: u64) {
        let Some(event) = take_for_widgets(&self.shared, about.as_deref(), event) else {
            return self.tell_caught().await;
        };
        let (Some(about), Ok(event)) = (about, OutputEvent::of(event)) else { return };
        let pressed = self.pressed_in(&about);
        let is_it = |record: &&ExecutionRecord| {
            record.request.as_ref() == Some(&about) || Some(&record.execution.id) == pressed.as_ref()
        };
        let found = self.shared.lock().executions.values().find(is_it).cloned();
        let Some(ExecutionRecord { execution, in_file, number: stored, .. }) = found else { return };
        if number != 0 && number <= stored {
            return;
        }
        let cell = CellKey(execution.cell);
        let has = self.shared.lock().outputs.has(&cell);
        let mut events = Vec::new();
        if !has || in_file {
            let live = self.shared.lock().live_outputs(&cell);
            let before = match live {
                Some(live) => live,
                None => in_file_of(&self.shared, &cell).await,
            };
            events.extend(before.iter().filter_map(Output::event));
            self.shared.change(|state| state.outputs.begin(cell.clone()));
            self.shared.change_execution(&execution.id, |record| record.in_file = false);
        }
        events.push(event);
        self.keep_outputs(&execution.id, &cell, events, number);
    }
}

/// Why the kernel can't run SQL cells, if it can't.
fn cannot(shared: &Shared) -> Option<String> {
    why_not(&shared.lock().kernel.kernel.as_ref()?.language)
}

/// What a cell has put out, as its file has it.
async fn in_file_of(shared: &Shared, cell: &CellKey) -> Vec<Output> {
    let path = shared.lock().path.clone();
    let notebook = file::read(&shared.workspace, &path).await.ok();
    let cell = notebook.as_ref().and_then(|notebook| notebook.cell(cell));
    cell.map(|cell| cell.outputs().iter().map(Output::read).collect()).unwrap_or_default()
}

pub(super) fn take(shared: &Shared, current: &mut Current, event: KernelEvent, taken: &mut Taken) {
    let Some(event) = take_for_widgets(shared, current.execution.as_ref().map(Execution::id), event) else { return };
    match OutputEvent::of(event) {
        Ok(event) => {
            current.raised |= matches!(event, OutputEvent::Error(_));
            // A server before this one has kept it; it is told again.
            if taken.number != 0 && taken.number <= current.stored {
                return;
            }
            taken.bytes += event.size();
            if !current.flood.is_left_out || matches!(event, OutputEvent::Error(_)) {
                taken.outputs.push(event);
            }
        }
        // A server that was killed meanwhile hears it with the reply.
        Err(KernelEvent::Begun { count: Some(count), .. }) => {
            shared.show_execution(&current.id, |record| record.execution.count = Some(count));
        }
        Err(KernelEvent::Reply(reply)) => {
            // Not every kernel says the number when it begins.
            let is_unknown =
                shared.lock().executions.get(&current.id).is_some_and(|record| record.execution.count.is_none());
            if is_unknown && reply.count.is_some() && reply.status != ReplyStatus::Aborted {
                shared.change_execution(&current.id, |record| record.execution.count = reply.count);
            }
            if taken.number == 0 || taken.number > current.stored {
                let pages = reply.pages().into_iter().map(|page| OutputEvent::Display(page.into()));
                taken.outputs.extend(pages.inspect(|page| taken.bytes += page.size()));
            }
            if let Some(next) = reply.next_input().filter(|_| reply.status == ReplyStatus::Ok) {
                take_next_input(shared, current, next, taken);
            }
            current.reply = Some(reply.status);
        }
        Err(KernelEvent::AsksInput { prompt, password }) => {
            // The relay's numbers go on after a restart of the server; without one the run does not.
            current.question = taken.number.max(current.question + 1);
            let (execution, question) = (current.id.clone(), current.question);
            let asks = InputAsked { execution, question, prompt, password };
            shared.change_kernel(|kernel| kernel.asks = Some(asks));
        }
        Err(_) => (),
    }
}

/// Keeps what the code wants to have written next, for the window that ran it.
fn take_next_input(shared: &Shared, current: &Current, next: NextInput, taken: &mut Taken) {
    if next.text.len() <= LONGEST_INPUT {
        return shared.change_execution(&current.id, |record| record.execution.next_input = Some(Box::new(next)));
    }
    let text = format!("The text that the code would write into a cell is too long: {} bytes.\n", next.text.len());
    taken.outputs.push(OutputEvent::Stream { name: "stderr".to_owned(), text });
}

fn broken(current: &mut Current, error: &KernelError, taken: &mut Taken) {
    current.execution = None;
    // That it died is told as news.
    if matches!(error, KernelError::Missed) {
        taken.ended = Some(ExecutionState::Lost);
    } else if !matches!(error, KernelError::Died(_)) {
        let raised = Raised { name: "KernelError".to_owned(), value: error.to_string(), traceback: Vec::new() };
        taken.outputs.push(OutputEvent::Error(raised));
        taken.ended = Some(ExecutionState::Failed);
    }
}

pub(super) fn how(current: &Current) -> ExecutionState {
    match &current.reply {
        Some(ReplyStatus::Failed(_)) => ExecutionState::Failed,
        Some(ReplyStatus::Aborted) => ExecutionState::Aborted,
        None if current.raised => ExecutionState::Failed,
        Some(ReplyStatus::Ok) | None => ExecutionState::Ok,
    }
}
