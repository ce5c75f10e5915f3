//! The agents of one workspace: threads, and the turns that run in them.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use aside_core::{
    ActionGroup, AiLevel, ContextChip, Grant, GrantRef, LiveDelta, ModelRef, Risk, ThinkingEffort, Thread, ThreadCard,
    ThreadEvent, ThreadEventBody, ThreadId, TurnId, WorkspacePath,
};
use aside_gate::Gate;
use aside_llm::{Models, first_usable};
use aside_macros::boxed;
use aside_store::{Durability, Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    book::{Book, Books},
    cards::cards,
    drive::{Drive, worked_before},
    error::AgentError,
    instructions::Instructions,
    live::{Partial, SoFar},
    message::{Message, check, check_key},
    profile::{AI_CELL, ActionAccess, AgentProfile, NAVIGATOR, agent_beside},
    provenance::Known,
    seed,
    sent::{self, Sent},
    situation,
    spending::{Call, CallRecord, Spending},
    thread_log::ThreadLog,
    threads::{self, FoundThread, NewThread, ThreadChange, ThreadEdit},
    title::{title_about, title_of},
    turn::{Input, Next, Reaction, State, handle},
};

/// The kind of record that a turn has while it is not over.
pub(crate) const OPEN_TURN: &str = "turn";

/// All threads of a workspace and their running turns.
pub struct Agents {
    pub(crate) store: Arc<Store>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) models: Arc<Models>,
    /// The agent in all threads, if not the one for what they are beside.
    only: Option<AgentProfile>,
    preferred: OnceLock<ModelRef>,
    pub(crate) instructions: OnceLock<Arc<dyn Instructions>>,
    books: OnceLock<Arc<dyn Books>>,
    spending: Arc<Spending>,
    /// The threads with a turn that is not over. Held while a turn's end is written, so that nobody who hears of
    /// the end finds the thread busy.
    running: Mutex<HashMap<ThreadId, Running>>,
}

/// A turn that is not over.
struct Running {
    turn: TurnId,
    stop: watch::Sender<bool>,
    so_far: Arc<SoFar>,
}

/// What a restart needs to find a turn again; the rest is in the log.
#[derive(Serialize, Deserialize)]
struct OpenTurn {
    thread: ThreadId,
    turn: TurnId,
    user: String,
    model: ModelRef,
    /// The grant of the program that sent the message, if a program did.
    #[serde(default)]
    under: Option<Grant>,
}

impl OpenTurn {
    /// The grant of the program that sent the message; one that no stored grant stands behind is a person's own.
    fn program(&self) -> Option<GrantRef> {
        self.under.as_ref().filter(|under| under.stands_on().next().is_some()).map(Grant::reference)
    }
}

impl Agents {
    /// Opens the threads of a workspace. Nothing runs before [`Agents::resume`] or the first message.
    pub fn new(store: Arc<Store>, gate: Arc<Gate>, models: Arc<Models>) -> Arc<Self> {
        Self::open(None, store, gate, models)
    }

    /// The same with this agent in all threads.
    pub fn of(only: AgentProfile, store: Arc<Store>, gate: Arc<Gate>, models: Arc<Models>) -> Arc<Self> {
        Self::open(Some(only), store, gate, models)
    }

    fn open(only: Option<AgentProfile>, store: Arc<Store>, gate: Arc<Gate>, models: Arc<Models>) -> Arc<Self> {
        let (running, spending) = (Mutex::default(), Spending::new(store.clone()));
        let (preferred, instructions, books) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let agents = Arc::new(Self { store, gate, models, only, preferred, instructions, books, running, spending });
        let named = |name: &aside_core::ActionName| threads::NAMES.contains(&name.as_str());
        // They do not keep the agents, which keep the catalog that they are in.
        let weak = Arc::downgrade(&agents);
        let protected: threads::Protected =
            Arc::new(move || weak.upgrade().map(|agents| agents.protected()).unwrap_or_default());
        let added = agents.gate.catalog().replace(named, threads::actions(&agents.store, &protected));
        added.expect("the actions of threads are declared well: their own tests run them");
        agents
    }

    /// The account of what the models cost.
    pub fn spending(&self) -> &Arc<Spending> {
        &self.spending
    }

    /// Names the model that goes before the workspace's choice until the server ends (`--model`).
    pub fn prefer(&self, model: ModelRef) {
        // Asked once at the start; a second word changes nothing.
        let _ = self.preferred.set(model);
    }

    /// Names what knows where standing instructions are; without it there are none.
    pub fn instruct(&self, instructions: Arc<dyn Instructions>) {
        // Asked once at the start; a second word changes nothing.
        let _ = self.instructions.set(instructions);
    }

    /// Names what knows which threads have a book; without it none has.
    pub fn keep_books(&self, books: Arc<dyn Books>) {
        // Asked once at the start; a second word changes nothing.
        let _ = self.books.set(books);
    }

    fn book(&self, thread: &Thread) -> Option<Arc<dyn Book>> {
        self.books.get()?.book(thread)
    }

    /// Returns the model of threads that name none: the preferred one, the workspace's choice, or the first usable.
    #[boxed]
    pub async fn chosen_model(&self) -> Result<Option<ModelRef>, AgentError> {
        if let Some(model) = self.preferred.get() {
            return Ok(Some(model.clone()));
        }
        match self.store.get("setting", "model")? {
            Some(model) => Ok(Some(model)),
            None => Ok(first_usable(&self.models.status().await)),
        }
    }

    /// Fails if no provider has such a model's name.
    pub fn check_provider(&self, model: &ModelRef) -> Result<(), AgentError> {
        self.models.provider(model)?;
        Ok(())
    }

    /// Starts a thread; the oldest beside the same document are put away when there are more than 100.
    pub fn create_thread(&self, new: NewThread) -> Result<Thread, AgentError> {
        check_key(new.key.as_deref())?;
        Ok(threads::create(&self.store, new, &self.protected())?)
    }

    /// The threads that are not put away to make room: something runs in them, or waits for a person.
    fn protected(&self) -> HashSet<ThreadId> {
        let mut protected = threads::waiting(&self.gate.pending().unwrap_or_default());
        protected.extend(crate::tasks::waiting_threads(&self.store).unwrap_or_default());
        protected.extend(self.running().keys().cloned());
        protected
    }

    /// Renames a thread, changes its mode or model, puts it away or takes it back.
    pub fn change_thread(&self, id: &ThreadId, change: ThreadChange) -> Result<Thread, AgentError> {
        threads::change(&self.store, id, change, &self.protected())
    }

    /// Returns the tool calls of a thread with the words of their lives.
    pub fn cards(&self, id: &ThreadId) -> Result<Vec<ThreadCard>, AgentError> {
        self.thread(id)?;
        let events = threads::events(&self.store, id, 0)?;
        Ok(cards(events.iter().map(|event| &event.body)))
    }

    /// Returns the threads beside a document, or all, put-away ones too; the latest first.
    pub fn threads(&self, document: Option<&WorkspacePath>) -> Result<Vec<Thread>, AgentError> {
        Ok(threads::list(&self.store, document)?)
    }

    /// Returns threads in which one message or answer, or the title, has all words; the one that was busy last first.
    pub fn search(&self, query: &str) -> Result<Vec<FoundThread>, AgentError> {
        Ok(threads::search(&self.store, query)?)
    }

    /// Returns the edits of a file that were made in threads and not taken back, the latest first.
    pub fn edits(&self, path: &WorkspacePath) -> Result<Vec<ThreadEdit>, AgentError> {
        Ok(threads::edits(&self.store, path)?)
    }

    /// Takes the threads beside a file or folder along when it is moved.
    pub fn moved(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), AgentError> {
        Ok(threads::follow(&self.store, from, to, &self.protected())?)
    }

    /// Returns one thread.
    pub fn thread(&self, id: &ThreadId) -> Result<Thread, AgentError> {
        threads::get(&self.store, id)
    }

    /// Returns the log of a thread from after a position; 0 for all of it.
    pub fn events(&self, id: &ThreadId, after: u64) -> Result<Vec<ThreadEvent>, AgentError> {
        self.thread(id)?;
        Ok(threads::events(&self.store, id, after)?)
    }

    /// Tells whether a turn of this thread runs or waits for a decision.
    pub fn is_busy(&self, id: &ThreadId) -> bool {
        self.running().contains_key(id)
    }

    /// Returns what was heard so far of the running step, for one who comes late.
    pub fn running_step(&self, id: &ThreadId) -> Vec<LiveDelta> {
        self.running().get(id).map(|running| running.so_far.deltas()).unwrap_or_default()
    }

    /// Takes a message of a person, or of a program `under` its grant, and returns at once; the answer comes in the
    /// thread's log. If the grant ends, so does the turn.
    #[boxed]
    pub async fn start_turn(
        self: &Arc<Self>,
        id: &ThreadId,
        message: Message,
        user: &str,
        under: Option<Grant>,
    ) -> Result<TurnId, AgentError> {
        check(&message)?;
        if let Some(turn) = sent::turn_of(&self.store, id, &message)? {
            return Ok(turn);
        }
        let mut seeds = message.seed.as_ref().map(seed::chips).unwrap_or_default();
        let thread = self.with_mentioned_groups(self.thread(id)?, &message.text)?;
        if thread.navigator.is_some() {
            seeds.extend(message.situation.as_deref().map(situation::chip));
        }
        self.check_on()?;
        let model = match &thread.model {
            Some(model) => model.clone(),
            None => self.chosen_model().await?.ok_or(AgentError::NoModel)?,
        };
        self.models.provider(&model)?;
        let turn: TurnId = self.store.new_id();
        let open = OpenTurn { thread: id.clone(), turn: turn.clone(), user: user.to_owned(), model, under };
        let grant = self.grant(Some(&thread), open.under.as_ref());
        let stop = self.reserve(&open)?;
        let log = ThreadLog::default();
        match self.begin(thread, &open, message, &log) {
            Ok((state, next)) => {
                self.spawn(open, grant, Ready { state, log, seeds }, stop, Reaction { events: Vec::new(), next });
            }
            Err(error) => {
                self.release(&mut self.running(), &open);
                return Err(error);
            }
        }
        Ok(turn)
    }

    /// Turns on the groups of actions that a message mentions.
    fn with_mentioned_groups(&self, thread: Thread, text: &str) -> Result<Thread, AgentError> {
        let mentioned = ActionGroup::mentioned(text);
        let off: Vec<_> = thread.off.iter().copied().filter(|group| !mentioned.contains(group)).collect();
        if off.len() == thread.off.len() {
            return Ok(thread);
        }
        self.change_thread(&thread.id, ThreadChange { off: Some(off), ..ThreadChange::default() })
    }

    /// Fails if AI is off.
    pub(crate) fn check_on(&self) -> Result<(), AgentError> {
        self.gate.check_level(AiLevel::Partial).map_err(AgentError::Off)
    }

    /// Returns the threads with a turn that is not over.
    pub fn running_threads(&self) -> Vec<ThreadId> {
        self.running().keys().cloned().collect()
    }

    /// Stops the turn of a thread. Returns false if none is running.
    pub fn stop(&self, id: &ThreadId) -> bool {
        self.running().get(id).is_some_and(|running| running.stop.send(true).is_ok())
    }

    /// Carries on after a start of the server: turns that wait for a decision wait again, all others are said to be
    /// interrupted. Call it once, inside the runtime, after the Gate's own recovery.
    pub fn resume(self: &Arc<Self>) -> Result<(), AgentError> {
        for open in self.store.list::<OpenTurn>(OPEN_TURN)? {
            let Ok(stop) = self.reserve(&open) else { continue };
            let log = ThreadLog::default();
            let mut state = self.folded(&open.thread, &log)?;
            let partial = Partial::kept(&self.store, &open.thread)?.unwrap_or_default();
            let input = self.resumed(&open.thread, &state, partial)?;
            let reaction = handle(&mut state, input);
            let grant = self.grant(Some(&self.thread(&open.thread)?), open.under.as_ref());
            self.spawn(open, grant, Ready { state, log, seeds: Vec::new() }, stop, reaction);
        }
        let open: Vec<_> = self.running().values().map(|running| running.turn.clone()).collect();
        Ok(self.spending.settle(|turn| open.contains(turn))?)
    }

    /// What is known of a step that was cut off.
    fn resumed(&self, thread: &ThreadId, state: &State, partial: Partial) -> Result<Input, StoreError> {
        let running = state.turn.as_ref().map(|turn| (turn.id.clone(), turn.step));
        let call = running.map(|(turn, step)| Call { thread: Some(thread.clone()), turn, step });
        let promise = call.map(|call| self.spending.promised(&call)).transpose()?.flatten();
        let cost = promise.map(|promise| promise.unfinished()).unwrap_or_default();
        Ok(Input::Resumed { text: partial.text, thinking: partial.thinking, cost })
    }

    fn running(&self) -> MutexGuard<'_, HashMap<ThreadId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the thread's one place for a turn.
    fn reserve(&self, open: &OpenTurn) -> Result<watch::Receiver<bool>, AgentError> {
        let mut running = self.running();
        if running.contains_key(&open.thread) {
            return Err(AgentError::Busy);
        }
        let (stop, stopped) = watch::channel(false);
        let entry = Running { turn: open.turn.clone(), stop, so_far: Arc::default() };
        running.insert(open.thread.clone(), entry);
        Ok(stopped)
    }

    /// Gives the place back, unless another turn has it by now.
    fn release(&self, running: &mut HashMap<ThreadId, Running>, open: &OpenTurn) {
        if running.get(&open.thread).is_some_and(|entry| entry.turn == open.turn) {
            running.remove(&open.thread);
        }
    }

    fn folded(&self, id: &ThreadId, log: &ThreadLog) -> Result<State, AgentError> {
        let thread = self.thread(id)?;
        let limit = self.book(&thread).map(|book| book.step_limit());
        let profile = self.profile(Some(&thread));
        let mut state = State {
            wraps_up: profile.access == ActionAccess::Catalog,
            ..State::new(thread.mode, limit.unwrap_or(profile.step_limit))
        };
        log.read(&self.store, id)?.iter().for_each(|body| state.apply(body));
        Ok(state)
    }

    /// Writes the beginning of a turn; a first message also gives the thread its title.
    fn begin(
        &self,
        mut thread: Thread,
        open: &OpenTurn,
        message: Message,
        log: &ThreadLog,
    ) -> Result<(State, Next), AgentError> {
        let sent = Sent::of(&message, &open.turn);
        let Message { text, focus, attached, seed, .. } = message;
        let mut state = self.folded(&open.thread, log)?;
        let input = self.resumed(&open.thread, &state, Partial::default())?;
        let earlier = handle(&mut state, input);
        if earlier.next != Next::End {
            return Err(AgentError::Busy);
        }
        let is_first = thread.title == threads::UNTITLED;
        if is_first {
            thread.title =
                seed.and_then(|seed| seed.problem).map_or_else(|| title_of(&text), |problem| title_about(&problem));
        }
        let (was_away, protected) = (thread.archived, self.protected());
        thread.archived = false;
        let (turn, model, by, program) = (open.turn.clone(), open.model.clone(), open.user.clone(), open.program());
        let reaction = handle(&mut state, Input::Started { turn, text, focus, model, by, program, attached });
        self.store.transaction(Durability::Normal, |transaction| {
            thread.updated = transaction.now();
            transaction.put(OPEN_TURN, open.thread.as_str(), None, open)?;
            self.record_calls(transaction, open, &earlier.events)?;
            append(transaction, &open.thread, &earlier.events)?;
            if was_away {
                threads::make_room(transaction, &thread, &protected)?;
            }
            if is_first || was_away {
                threads::write(transaction, &thread)?;
            }
            append(transaction, &open.thread, &reaction.events)?;
            if let Some(sent) = sent {
                sent::note(transaction, &open.thread, sent)?;
            }
            threads::touch(transaction, &open.thread)
        })?;
        Ok((state, reaction.next))
    }

    /// Tells whether the agent may change anything in a thread, or in a new one, when this grant is spoken under.
    pub fn may_write(&self, thread: Option<&Thread>, under: Option<&Grant>) -> bool {
        let offered = self.gate.offered(&self.grant(thread, under));
        offered.iter().any(|action| action.risks.0.contains(&Risk::Write))
    }

    /// What the agent may do in a turn: what its profile, the thread and who sent the message all allow.
    pub(crate) fn grant(&self, thread: Option<&Thread>, under: Option<&Grant>) -> Grant {
        let limits = [thread.and_then(|thread| thread.grant.as_ref()), under];
        let whole =
            limits.into_iter().flatten().fold(self.profile(thread).grant(), |grant, limit| grant.narrowed(limit));
        whole.without(thread.map(|thread| &*thread.off).unwrap_or_default())
    }

    /// The agent of a thread, by what it is beside.
    pub(crate) fn profile(&self, thread: Option<&Thread>) -> AgentProfile {
        if thread.is_some_and(|thread| self.book(thread).is_some()) {
            return AI_CELL;
        }
        if let Some(budget) = thread.and_then(|thread| thread.navigator) {
            return AgentProfile { step_limit: budget.steps, ..NAVIGATOR };
        }
        self.only.unwrap_or_else(|| agent_beside(thread.and_then(|thread| thread.document.as_ref())))
    }

    fn spawn(
        self: &Arc<Self>,
        open: OpenTurn,
        grant: Grant,
        ready: Ready,
        stop: watch::Receiver<bool>,
        reaction: Reaction,
    ) {
        let so_far = self.running().get(&open.thread).map(|running| running.so_far.clone()).unwrap_or_default();
        let (level, why_stopped) = (self.gate.assistant().level, Arc::new(OnceLock::new()));
        let thread = self.thread(&open.thread).ok();
        let book = thread.as_ref().and_then(|thread| self.book(thread));
        let drive = Drive {
            store: self.store.clone(),
            gate: self.gate.clone(),
            models: self.models.clone(),
            profile: self.profile(thread.as_ref()),
            grant: grant.clone(),
            thread: open.thread.clone(),
            log: ready.log,
            turn: open.turn.clone(),
            user: open.user.clone(),
            model: open.model.clone(),
            state: ready.state,
            known: Known::default(),
            why_stopped: why_stopped.clone(),
            hint: thread.as_ref().is_some_and(|thread| thread.hint),
            minutes: thread.as_ref().and_then(|thread| thread.navigator).map(|budget| budget.minutes),
            worked: worked_before(&self.store, &open.turn),
            ahead: HashMap::new(),
            thinking: thread.map_or_else(ThinkingEffort::default, |thread| thread.thinking),
            instructions: self.instructions.get().cloned(),
            seeds: ready.seeds,
            stop,
            so_far,
            spending: self.spending.clone(),
            book,
            most: None,
        };
        let place = Place { agents: self.clone(), open };
        tokio::spawn(async move {
            let running = drive.run(reaction, |reaction| place.agents.write(&place.open, reaction));
            tokio::pin!(running);
            let gate = &place.agents.gate;
            let failure = tokio::select! {
                () = &mut running => return,
                failure = gate.grants().end(&grant) => failure,
                failure = gate.narrowed(level) => failure,
            };
            tracing::info!(thread = %place.open.thread, "a turn was stopped: {failure}");
            // Nobody else says why.
            let _ = why_stopped.set(failure);
            place.agents.stop(&place.open.thread);
            running.await;
        });
    }

    fn write(&self, open: &OpenTurn, reaction: &Reaction) -> Result<(), StoreError> {
        let append_all = |transaction: &Transaction<'_>| {
            self.record_calls(transaction, open, &reaction.events)?;
            append(transaction, &open.thread, &reaction.events)
        };
        if reaction.next != Next::End {
            return self.store.transaction(Durability::Normal, append_all);
        }
        let mut running = self.running();
        self.store.transaction(Durability::Normal, |transaction| {
            append_all(transaction)?;
            transaction.delete(OPEN_TURN, open.thread.as_str())?;
            threads::touch(transaction, &open.thread)
        })?;
        self.release(&mut running, open);
        Ok(())
    }

    /// Enters what these events say of calls into the account.
    fn record_calls(
        &self,
        transaction: &Transaction<'_>,
        open: &OpenTurn,
        events: &[ThreadEventBody],
    ) -> Result<(), StoreError> {
        for event in events {
            let ThreadEventBody::StepEnded { turn, step, usage, cost, .. } = event else { continue };
            let call = Call { thread: Some(open.thread.clone()), turn: turn.clone(), step: *step };
            let promise = Spending::promise_of(transaction, &call)?;
            let (at, usage) = (transaction.now(), usage.clone());
            let begun = promise.as_ref().map_or(at, |promise| promise.at);
            let model = promise.map_or_else(|| open.model.clone(), |promise| promise.model);
            let price_source = self.spending.price_source(&model, begun, cost);
            Spending::record(transaction, &CallRecord { at, call, model, usage, cost: *cost, price_source })?;
        }
        Ok(())
    }
}

/// What a turn begins with.
struct Ready {
    state: State,
    /// As it was read for the state.
    log: ThreadLog,
    seeds: Vec<ContextChip>,
}

/// A turn's place among the running ones, given back however its task ends.
struct Place {
    agents: Arc<Agents>,
    open: OpenTurn,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.agents.release(&mut self.agents.running(), &self.open);
    }
}

fn append(transaction: &Transaction<'_>, id: &ThreadId, events: &[ThreadEventBody]) -> Result<(), StoreError> {
    for event in events {
        transaction.append(id.as_str(), event)?;
        if matches!(event, ThreadEventBody::StepEnded { .. }) {
            Partial::forget(transaction, id)?;
        }
    }
    Ok(())
}
