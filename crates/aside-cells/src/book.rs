//! The notebook around an AI cell as the book of its thread.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use aside_agent::{
    Able, Book, Page,
    fence::advice,
    history::{Part, Said},
    images::load,
};
use aside_core::{
    ActionRequest, Descriptor, ExecutionId, ExecutionState, Failure, Label, LabelSource, Outcome, Provenance,
    ThreadEventBody, ToolCall, TurnEnd, Version,
};
use aside_kernels::{Output, Session};
use aside_llm::{Message, ToolSpec};
use aside_notebook::{Cell, CellKey, Notebook, Raw};
use aside_store::Store;
use futures_util::{FutureExt as _, future::BoxFuture};
use serde_json::Value;

use crate::{Conversation, Reading, conversation, conversation::around, outputs, outputs::with_images, request, tools};

/// The most model calls in a turn, and where a notebook says otherwise.
const ITERATIONS: u32 = 10;
const MOST_ITERATIONS: u64 = 100;

/// The book of one AI cell.
pub(crate) struct CellBook {
    pub store: Arc<Store>,
    pub session: Arc<Session>,
    pub cell: CellKey,
    pub step_limit: u32,
    /// The versions of the cells as the model was shown them.
    pub seen: Mutex<BTreeMap<String, Version>>,
}

impl CellBook {
    pub fn new(store: Arc<Store>, session: Arc<Session>, cell: CellKey, step_limit: u32) -> Self {
        Self { store, session, cell, step_limit, seen: Mutex::default() }
    }

    /// The answer that is under way in the cell.
    pub fn answer(&self) -> Option<ExecutionId> {
        let open = self.session.open_answers();
        open.into_iter().find(|execution| execution.cell == self.cell.0).map(|execution| execution.id)
    }

    fn show(&self, id: &ExecutionId, outputs: Vec<Value>, kept: bool) {
        let outputs = with_images(outputs, |image| load(&self.store, image));
        let outputs = outputs.iter().map(|output| Output::read(&Raw::of(output))).collect();
        self.session.show_answer(id, outputs, kept);
    }

    fn saw(&self, notebook: &Notebook) {
        let (above, _, below) = around(notebook, &self.cell);
        let versions =
            above.into_iter().chain(below).map(|cell| (cell.key().0.clone(), Version::of(cell.source().as_bytes())));
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(versions);
    }

    /// What came of calls says which version a cell has since.
    fn learn(&self, log: &[ThreadEventBody]) {
        let start = log.iter().rposition(|event| matches!(event, ThreadEventBody::TurnStarted { .. })).unwrap_or(0);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for event in &log[start..] {
            let ThreadEventBody::ActionChanged { record } = event else { continue };
            let Some(Outcome::Done { observation }) = &record.outcome else { continue };
            let data = &observation.data;
            let lists = [&data["cells"], &data["shown"]].into_iter().filter_map(Value::as_array).flatten();
            for one in lists.chain([data]) {
                let version = serde_json::from_value::<Version>(one["version"].clone());
                if let (Some(cell), Ok(version)) = (one["cell"].as_str(), version) {
                    seen.insert(cell.to_owned(), version);
                }
            }
        }
    }
}

/// The most model calls that a notebook allows.
pub(crate) fn step_limit(notebook: &Notebook) -> u32 {
    let said = notebook.get("metadata").and_then(|all| all.get("max_ai_iterations")).as_ref().and_then(Raw::number);
    said.map_or(ITERATIONS, |most| u32::try_from(most.clamp(1, MOST_ITERATIONS)).unwrap_or(ITERATIONS))
}

/// What a notebook asks models for, beside its cells.
fn own_prompt(notebook: &Notebook) -> Option<String> {
    let own = notebook.get("metadata").and_then(|all| all.get("user_saved_prompt")).and_then(|own| own.text());
    own.map(|own| own.trim().to_owned()).filter(|own| !own.is_empty())
}

fn text_of(message: &Message) -> &str {
    match message {
        Message::User { text, .. } | Message::Assistant { text, .. } | Message::ToolResult { text, .. } => text,
    }
}

impl Book for CellBook {
    fn step_limit(&self) -> u32 {
        self.step_limit
    }

    fn read(&self, Able { sees, calls }: Able) -> BoxFuture<'_, Result<Page, Failure>> {
        async move {
            let mut notebook = self.session.notebook_now().await.map_err(|error| error.failure())?;
            if notebook.cell(&self.cell).is_none() {
                return Err(Failure::new("not_found", "the AI cell was deleted"));
            }
            // What is typed in the cell meanwhile is asked when it is run again.
            let own = notebook.cells.iter_mut().find(|cell| *cell.key() == self.cell);
            if let (Some(cell), Some(asked)) = (own, self.session.asked(&self.cell)) {
                cell.set_source(&asked);
            }
            self.saw(&notebook);
            let failed = |error: aside_kernels::SessionError| error.failure();
            let (session, own) = (self.session.clone(), self.cell.clone());
            // Notebooks may be large, and who waits for the disk or the network beside this is not to wait for it.
            let told = tokio::task::spawn_blocking(move || {
                let trusts = |cell: &Cell| session.knows_outputs(cell);
                let told = conversation(&notebook, &own, Reading { sees, calls, trusts: &trusts });
                (notebook, told)
            });
            let ending = |_| Failure::new("ending", "the server is shutting down");
            let (notebook, Conversation { mut said, mut sources }) = told.await.map_err(ending)?;
            // What a file that came from elsewhere has models say is no model's words, whatever it looks like.
            let label = self.session.label().await.map_err(failed)?;
            if label.label == Label::External {
                sources.push((label, said.iter().map(|said| text_of(&said.message)).collect::<Vec<_>>().join("\n")));
            }
            let id = &self.cell;
            let mut instructions = match calls {
                true => {
                    format!("\nYou answer in the cell {id}: use {id} as after_id for the first cell you create.\n")
                }
                false => format!("\nYou answer in the cell {id}.\n"),
            };
            if let Some(own) = own_prompt(&notebook) {
                let source = LabelSource::external(self.session.path().to_string(), "the notebook's own prompt");
                if self.session.is_trusted_here(&notebook) {
                    instructions.insert_str(0, &format!("\nThe notebook's own instructions: {own}\n"));
                } else {
                    let text = advice(&own, &Provenance::of(source.clone()), &id.0);
                    said.insert(0, Said { message: Message::user(text), part: Part::Standing });
                }
                sources.push((source, own));
            }
            Ok(Page { instructions, said, sources })
        }
        .boxed()
    }

    fn write<'a>(&'a self, log: &'a [ThreadEventBody]) -> BoxFuture<'a, ()> {
        self.learn(log);
        if let Some(id) = self.answer() {
            self.show(&id, outputs(log, ""), true);
            if let Some(ThreadEventBody::TurnEnded { end, .. }) = log.last() {
                let is_done = matches!(end, TurnEnd::Done | TurnEnd::StepLimit { .. });
                self.session.end_answer(&id, if is_done { ExecutionState::Ok } else { ExecutionState::Failed });
            }
        }
        std::future::ready(()).boxed()
    }

    fn saying(&self, log: &[ThreadEventBody], text: &str) {
        if let Some(id) = self.answer().filter(|_| !text.is_empty()) {
            self.show(&id, outputs(log, text), false);
        }
    }

    fn tools(&self, offered: &[Arc<Descriptor>]) -> Vec<ToolSpec> {
        tools(offered)
    }

    fn request(&self, call: &ToolCall) -> Result<ActionRequest, String> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        request(call, &self.session.path(), &seen)
    }
}
