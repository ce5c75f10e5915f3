//! The edge of a turn: does what the state machine says, one thing at a time, and tells it what came of it. What goes
//! along with a message is read in [`focus`].

mod asking;
mod focus;
mod navigator;

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use aside_core::{
    ActionId, ActionRequest, AiLevel, ContextChip, Decision, Failure, Grant, ModelRef, Origin, ReviewMode, StepStop,
    ThinkingEffort, ThreadEventBody, ThreadId, ToolCall, TurnEnd, TurnId,
};
use aside_gate::{Gate, GateError, Submission, Submitted, read_args};
use aside_llm::{Models, ToolSpec};
use aside_store::{Store, StoreError};
use tokio::{sync::watch, time::timeout};

pub(crate) use navigator::worked_before;

use crate::{
    book::{Able, Book, Page},
    instructions::Instructions,
    live::{SoFar, stopped},
    marked::marked,
    numbered::with_base,
    profile::{ActionAccess, AgentProfile},
    provenance::Known,
    recover::is_recovered,
    shown::Shown,
    spending::Spending,
    thread_log::ThreadLog,
    threads,
    tools::Tools,
    turn::{Answer, Input, Next, Reaction, State, handle},
};

/// How long Stop waits for an action that is being taken in; it goes on by itself after that.
const PATIENCE: Duration = Duration::from_millis(500);

/// One running turn.
pub(crate) struct Drive {
    pub store: Arc<Store>,
    pub gate: Arc<Gate>,
    pub models: Arc<Models>,
    pub profile: AgentProfile,
    pub grant: Grant,
    pub thread: ThreadId,
    pub log: ThreadLog,
    pub turn: TurnId,
    pub user: String,
    pub model: ModelRef,
    pub state: State,
    /// What the model was shown in its last call.
    pub known: Known,
    pub stop: watch::Receiver<bool>,
    /// Why it is stopped, unless a person stopped it.
    pub why_stopped: Arc<OnceLock<Failure>>,
    /// Hints and no solutions, whatever else is restricted.
    pub hint: bool,
    /// Knows where standing instructions are.
    pub instructions: Option<Arc<dyn Instructions>>,
    /// The most minutes of work, if they are limited.
    pub minutes: Option<u32>,
    /// The time of work so far, without the time that the turn waited for a person. A restart goes on from it.
    pub worked: Duration,
    /// The results of reads of a step that were made together, by call.
    pub ahead: HashMap<String, Input>,
    /// How much the model thinks.
    pub thinking: ThinkingEffort,
    /// What the message is about beside what the person looks at.
    pub seeds: Vec<ContextChip>,
    pub so_far: Arc<SoFar>,
    pub spending: Arc<Spending>,
    /// Where the conversation stands, if not in the log.
    pub book: Option<Arc<dyn Book>>,
    /// Tokens that a request of this turn may have, if the server said that it was sent too much.
    pub most: Option<u32>,
}

impl Drive {
    /// Carries a turn on until it ends. `write` appends events to the thread log; it is handed the last ones with
    /// `Next::End`, so that the turn can be closed in the same moment.
    pub async fn run(mut self, mut reaction: Reaction, write: impl Fn(&Reaction) -> Result<(), StoreError>) {
        match self.log() {
            // After a restart, calls go on that were made of what was shown before.
            Ok(log) => {
                self.known = Known::fold(&*log);
                self.known.provenance.join(&self.tools().provenance());
                self.know_page().await;
            }
            Err(error) => {
                tracing::error!(%error, thread = %self.thread, "a turn was abandoned: cannot read its log");
                return;
            }
        }
        loop {
            let written = write(&reaction);
            self.so_far.clear();
            if let Err(error) = written {
                // It can't be said in the thread: the next start finds the turn open and says it was interrupted.
                tracing::error!(%error, thread = %self.thread, "a turn was abandoned: cannot write its log");
                return;
            }
            self.write_book().await;
            if reaction.next == Next::End {
                return;
            }
            let (begun, waits) = (Instant::now(), matches!(reaction.next, Next::Settle(_)));
            let input = self.perform(reaction.next).await;
            if !waits {
                self.add_work(begun.elapsed());
            }
            self.hear_modes();
            reaction = handle(&mut self.state, input);
            self.say_why(&mut reaction);
        }
    }

    /// What a person says of how the thread reviews, and of what it runs, holds from the next call on.
    fn hear_modes(&mut self) {
        if let Ok(thread) = threads::get(&self.store, &self.thread) {
            self.state.apply(&ThreadEventBody::ThreadChanged { thread });
        }
    }

    /// Tells a turn that was stopped by nobody's hand from one that a person stopped.
    fn say_why(&self, reaction: &mut Reaction) {
        let Some(failure) = self.why_stopped.get() else { return };
        for event in &mut reaction.events {
            if let ThreadEventBody::TurnEnded { end, .. } = event
                && *end == TurnEnd::Stopped
            {
                *end = TurnEnd::Failed { failure: failure.clone() };
            }
        }
    }

    async fn perform(&mut self, next: Next) -> Input {
        if *self.stop.borrow() && !matches!(next, Next::Cancel(_)) {
            self.gate.stop_turn(&self.turn, &self.user);
            return Input::Stop;
        }
        match next {
            Next::ReadFocus(focus) => {
                let mut stop = self.stop.clone();
                tokio::select! {
                    input = self.read_focus(focus) => input,
                    () = stopped(&mut stop) => {
                        self.gate.stop_turn(&self.turn, &self.user);
                        Input::Stop
                    }
                }
            }
            Next::CallModel if self.is_time_up() => Input::TimeUp,
            Next::CallModel => self.call_model().await,
            Next::Submit(call) => self.submit(call).await,
            Next::Settle(id) => self.settle(&id).await,
            Next::Cancel(ids) => self.cancel(&ids).await,
            Next::End => Input::Cancelled,
        }
    }

    fn step(&self) -> u32 {
        self.state.turn.as_ref().map_or(0, |turn| turn.step)
    }

    fn submission(&self, call: &str, review: ReviewMode) -> Submission {
        let origin = Origin::Turn {
            user: self.user.clone(),
            thread: self.thread.clone(),
            turn: self.turn.clone(),
            step: self.step(),
            call: call.to_owned(),
        };
        let provenance = self.known.request_of(&self.model);
        let typed_hosts = self.known.typed_hosts.iter().cloned().collect();
        Submission {
            review: Some(review),
            runs: self.state.runs,
            runs_after_outputs: self.state.runs_after_outputs.clone(),
            provenance,
            typed_hosts,
            ..Submission::under(self.grant.clone(), origin)
        }
    }

    /// What the grant covers under the restrictions of now: the same at the Gate and in the list that the model gets.
    fn tools(&self) -> Tools {
        let all = self.gate.catalog().descriptors();
        Tools::new(self.gate.offered(&self.grant)).with_access(self.profile.access).in_catalog(all)
    }

    /// Whether the model is to nudge and not to solve.
    fn hints_only(&self) -> bool {
        self.hint || self.gate.assistant().level < AiLevel::Full
    }

    async fn submit(&mut self, call: ToolCall) -> Input {
        if self.profile.access == ActionAccess::Catalog
            && let Some(input) = self.navigate(&call).await
        {
            return input;
        }
        let request = match &self.book {
            Some(book) => book.request(&self.read_for(&**book, call.clone())),
            // Blocks were held against it when they were read.
            None => self.tools().request(&call).and_then(|request| self.with_base(request)),
        };
        match request {
            Ok(request) => self.submit_request(&call, request).await,
            Err(text) => Input::NotAsked { call: call.id, text },
        }
    }

    async fn submit_request(&mut self, call: &ToolCall, request: ActionRequest) -> Input {
        let submission = self.submission_for(call, &request);
        let gate = self.gate.clone();
        let submitting = gate.submit(request, submission);
        tokio::pin!(submitting);
        let submitted = tokio::select! {
            submitted = &mut submitting => Some(submitted),
            () = stopped(&mut self.stop) => {
                self.gate.stop_turn(&self.turn, &self.user);
                timeout(PATIENCE, &mut submitting).await.ok()
            }
        };
        submitted.map_or(Input::Stop, |submitted| taken_in(&call.id, submitted))
    }

    fn submission_for(&self, call: &ToolCall, request: &ActionRequest) -> Submission {
        let recovered = is_recovered(call);
        let review = if recovered { ReviewMode::ReviewEach } else { self.state.mode };
        let marked = marked(&request.args, &self.known.outside);
        Submission { recovered, marked, ..self.submission(&call.id, review) }
    }

    /// A call of a book's tool with the arguments as its schema wants them.
    fn read_for(&self, book: &dyn Book, call: ToolCall) -> ToolCall {
        let specs = book.tools(&self.gate.offered(&self.grant));
        match specs.iter().find(|spec| spec.name == call.name) {
            Some(spec) => ToolCall { args: read_args(&call.args, &spec.schema), ..call },
            None => call,
        }
    }

    fn with_base(&self, request: ActionRequest) -> Result<ActionRequest, String> {
        let log = self.log().map_err(|failure| failure.to_string())?;
        with_base(request, &Shown::fold(&*log))
    }

    async fn settle(&mut self, id: &ActionId) -> Input {
        let settled = tokio::select! {
            settled = self.gate.settled(id) => settled,
            () = stopped(&mut self.stop) => {
                self.gate.stop_turn(&self.turn, &self.user);
                return Input::Stop;
            }
        };
        match settled {
            Ok(record) => Input::Acted(Box::new(record)),
            Err(error) => Input::Broken(error.failure()),
        }
    }

    /// What was accepted before stays; what somebody decides at this moment wins.
    async fn cancel(&self, ids: &[ActionId]) -> Input {
        for id in ids {
            // The Gate ends it by itself then, and says why; nobody rejected it.
            if self.why_stopped.get().is_some() && timeout(PATIENCE, self.gate.settled(id)).await.is_ok() {
                continue;
            }
            let decision = Decision::reject(Some("the turn was stopped".to_owned()));
            if let Err(error) = self.gate.decide(id, decision, &self.user).await {
                tracing::debug!(%error, action = %id, "not cancelled");
            }
        }
        Input::Cancelled
    }

    async fn call_model(&mut self) -> Input {
        let answer = match self.ask().await {
            Ok(answer) => answer,
            Err(failure) => Answer {
                failure: Some(failure.clone()),
                ..Answer::cut_off(String::new(), String::new(), StepStop::Failed { message: failure.message })
            },
        };
        Input::Answered(Box::new(answer))
    }

    /// The page of the book, whose sources are known from now on.
    async fn page(&mut self, able: Able) -> Result<Option<(Page, Vec<ToolSpec>)>, Failure> {
        let Some(book) = self.book.clone() else { return Ok(None) };
        let page = book.read(able).await?;
        self.known.heard(&page.sources);
        Ok(Some((page, book.tools(&self.gate.offered(&self.grant)))))
    }

    /// The same, unless the turn is stopped meanwhile.
    async fn page_unless_stopped(&mut self, able: Able) -> Option<Result<Option<(Page, Vec<ToolSpec>)>, Failure>> {
        let mut stop = self.stop.clone();
        tokio::select! {
            page = self.page(able) => Some(page),
            () = stopped(&mut stop) => None,
        }
    }

    async fn know_page(&mut self) {
        // What can't be read is said when the model is to be asked.
        let _ = self.page_unless_stopped(Able { sees: false, calls: false }).await;
    }

    async fn write_book(&self) {
        if let (Some(book), Ok(log)) = (&self.book, self.log()) {
            book.write(&log).await;
        }
    }

    fn log(&self) -> Result<Arc<Vec<ThreadEventBody>>, Failure> {
        self.log.read(&self.store, &self.thread).map_err(|error| error.failure())
    }
}

/// Returns what the machine hears of a request that the Gate has answered.
fn taken_in(call: &str, submitted: Result<Submitted, GateError>) -> Input {
    match submitted {
        Ok(submitted) => Input::Acted(Box::new(submitted.record)),
        Err(error) => Input::NotAsked { call: call.to_owned(), text: error.failure().to_string() },
    }
}
