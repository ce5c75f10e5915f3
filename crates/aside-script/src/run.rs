//! One run: the caller's task, which does the calls of the engine's thread, keeps the journal and watches the clock.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::control::{CancelHandle, Control};
use crate::engine::{self, CallRequest, EngineInput, EngineMessage};
use crate::journal::{CallEnd, Replay};
use crate::stuck::refuse_if_many_stuck;
use crate::{
    AsideError, CallFailure, CallNumber, ConsoleLog, Host, HostFuture, JournalEntry, Observation, PersonWait, Program,
    ScriptCall, ScriptError, ScriptLimits,
};

/// The time that an engine gets to end itself before the run goes on without it.
const GRACE: Duration = Duration::from_secs(2);
/// The clock is read at most this often.
const TICK: Duration = Duration::from_millis(20);

/// A script with its input.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    /// The compiled text.
    pub program: &'a Program,
    /// The global `args`: an object.
    pub args: &'a Value,
    /// The names of the actions in `aside`.
    pub actions: &'a [String],
    /// The entries of the run so far. The first is a start; a new run has only that.
    pub journal: &'a [JournalEntry],
}

/// The end of a run. What its calls did stays done.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptOutcome {
    /// The script's return value, or the reason why it did not reach it.
    pub result: Result<Value, ScriptError>,
    /// The printed lines.
    pub console: ConsoleLog,
    /// Calls that the script made, those from the journal included.
    pub calls: u32,
    /// Time in which the script computed.
    pub computed: Duration,
}

/// Runs a script, or continues its run from the journal. Needs a tokio runtime with timers.
pub fn run<'a>(
    script: Script<'a>,
    host: &'a dyn Host,
    limits: &'a ScriptLimits,
    cancel: &'a CancelHandle,
) -> HostFuture<'a, ScriptOutcome> {
    Box::pin(async move {
        let control = Control::new(limits);
        let stop_with_caller = StopOnDrop(control.clone());
        let (messages, received) = unbounded_channel();
        let (answers, answered) = mpsc::channel();
        let replay = Replay::new(script.journal)
            .map_err(|problem| ScriptError::new("bad_journal", format!("The run can't go on: {problem}")));
        let started = refuse_if_many_stuck().and(replay).and_then(|replay| {
            let input = EngineInput {
                program: script.program.clone(),
                args: script.args.to_string(),
                actions: script.actions.to_vec(),
                limits: limits.clone(),
                replay,
                control: control.clone(),
                messages,
                answers: answered,
            };
            engine::start(input)
                .map_err(|error| ScriptError::new("engine_failed", format!("The engine can't start: {error}")))
        });
        let outcome = match started {
            Ok(()) => {
                let driver = Driver { host, control: control.clone(), answers, unrecorded: Vec::new() };
                driver.drive(received, cancel).await
            }
            Err(error) => {
                control.engine.end();
                ended(error)
            }
        };
        drop(stop_with_caller);
        ScriptOutcome { computed: control.computed(), ..outcome }
    })
}

/// Ends the engine when the caller drops the run.
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop(cancelled());
        self.0.engine.leave();
    }
}

fn cancelled() -> ScriptError {
    ScriptError::new("cancelled", "The run was cancelled")
}

fn ended(error: ScriptError) -> ScriptOutcome {
    ScriptOutcome { result: Err(error), console: ConsoleLog::default(), calls: 0, computed: Duration::ZERO }
}

/// The caller's side of one run.
struct Driver<'a> {
    host: &'a dyn Host,
    control: Arc<Control>,
    answers: mpsc::Sender<CallEnd>,
    /// Ends of calls that the script knows and the journal does not: they are stored with the next call that begins. Until
    /// then the script has done nothing that depends on them, and a run that is continued asks the host for their ends.
    unrecorded: Vec<JournalEntry>,
}

type Answer = (CallNumber, Result<Observation, CallFailure>);

impl<'a> Driver<'a> {
    async fn drive(mut self, mut messages: UnboundedReceiver<EngineMessage>, cancel: &CancelHandle) -> ScriptOutcome {
        let mut calls: FuturesUnordered<HostFuture<'a, Answer>> = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => self.control.stop(cancelled()),
                message = messages.recv() => match message {
                    Some(EngineMessage::Call(request)) => calls.extend(self.begin(request).await),
                    Some(EngineMessage::Finished(end)) => {
                        let result = self.record().await.and(end.result);
                        return ScriptOutcome { result, console: end.console, calls: end.calls, computed: Duration::ZERO };
                    }
                    None => return ended(ScriptError::new("engine_failed", "The engine ended without a result")),
                },
                Some((number, result)) = calls.next() => self.end(number, result),
                () = tokio::time::sleep(self.control.wall_left().clamp(TICK, GRACE)) => {}
            }
            self.control.wall_left();
            if self.control.must_stop() {
                drop(calls);
                // The run has its reason to end already.
                let _ = self.record().await;
                return self.stopped(messages).await;
            }
        }
    }

    /// Records a call and begins it.
    async fn begin(&mut self, request: CallRequest) -> Option<HostFuture<'a, Answer>> {
        let CallRequest { number, action, args, args_hash, interrupted } = request;
        if !interrupted {
            self.unrecorded.push(JournalEntry::Begun { number, action: action.clone(), args_hash });
            if let Err(error) = self.record().await {
                self.control.stop(error);
                return None;
            }
        }
        let host = self.host;
        if action == "sleep" {
            return Some(Box::pin(async move { (number, sleep(host, &args).await) }));
        }
        let call = ScriptCall { number, action, args, person: PersonWait(self.control.waits.clone()) };
        let answer = if interrupted { host.interrupted(call) } else { host.call(call) };
        Some(Box::pin(async move { (number, answer.await) }))
    }

    /// Tells the script how a call ended.
    fn end(&mut self, number: CallNumber, result: Result<Observation, CallFailure>) {
        let result = match result {
            Ok(observation) => Ok(observation),
            Err(CallFailure::Catchable(error)) => Err(error),
            Err(CallFailure::EndsRun(AsideError { code, message, hint })) => {
                return self.control.stop(ScriptError { hint, ..ScriptError::new(&code, message) });
            }
        };
        let at = self.host.now();
        self.unrecorded.push(JournalEntry::Ended { number, at, result: result.clone() });
        let _ = self.answers.send((number, at, result));
    }

    /// Stores the entries that the journal does not have. Where that fails, the run ends: a call that no journal has could
    /// be done twice.
    async fn record(&mut self) -> Result<(), ScriptError> {
        if self.unrecorded.is_empty() {
            return Ok(());
        }
        self.host.record(&std::mem::take(&mut self.unrecorded)).await.map_err(|error| {
            let message = format!("The journal of the run can't be stored: {}", error.message);
            ScriptError { hint: error.hint, ..ScriptError::new("journal_failed", message) }
        })
    }

    /// Waits for an engine that has to stop. One that does not is left alone: nobody receives its calls.
    async fn stopped(self, mut messages: UnboundedReceiver<EngineMessage>) -> ScriptOutcome {
        let Self { control, answers, .. } = self;
        drop(answers);
        let last = async {
            loop {
                match messages.recv().await {
                    Some(EngineMessage::Call(_)) => {}
                    Some(EngineMessage::Finished(end)) => return Some(end),
                    None => return None,
                }
            }
        };
        let end = tokio::time::timeout(GRACE, last).await.ok().flatten();
        let error = control.reason().expect("a stopped run has its reason");
        match end {
            Some(end) => {
                ScriptOutcome { result: Err(error), console: end.console, calls: end.calls, computed: Duration::ZERO }
            }
            None => ended(error),
        }
    }
}

/// The longest sleep: a day.
const LONGEST_SLEEP: u64 = 24 * 60 * 60 * 1_000;

async fn sleep(host: &dyn Host, args: &Value) -> Result<Observation, CallFailure> {
    let milliseconds = args["milliseconds"]
        .as_u64()
        .or_else(|| args["milliseconds"].as_f64().filter(|given| *given >= 0.0).map(|given| given as u64));
    match milliseconds.filter(|given| *given <= LONGEST_SLEEP) {
        Some(milliseconds) => host.sleep(milliseconds).await,
        None => return Err(AsideError::new("invalid_args", "`sleep` takes milliseconds, at most a day").into()),
    }
    Ok(Observation { data: Value::Null, text: String::new() })
}
