//! The engine of one run: a thread with a fresh QuickJS, which alternates between the script and the answers to its calls.
//!
//! ```text
//! jobs of the script until none is left -> the next recorded end, else the next answer of the host -> its promise settles -> jobs …
//! ```

mod globals;
mod result;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, mpsc};
use std::thread;

use rquickjs::context::intrinsic;
use rquickjs::{CatchResultExt, Context, Ctx, Function, Persistent, Runtime, Value as JsValue};
use tokio::sync::mpsc::UnboundedSender;

use crate::console::Console;
use crate::control::Control;
use crate::journal::{CallEnd, Replay};
use crate::{CallNumber, ConsoleLog, Program, ScriptError, ScriptLimits};

/// The stack of scripts, and the stack of their thread: the engine's own frames need the difference.
const SCRIPT_STACK: usize = 1 << 20;
const THREAD_STACK: usize = 6 << 20;

type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// A message of the engine to the caller's task.
#[derive(Debug)]
pub(crate) enum EngineMessage {
    /// The script has called an action.
    Call(CallRequest),
    /// The run is over.
    Finished(Box<EngineEnd>),
}

/// A call that the journal does not answer.
#[derive(Debug)]
pub(crate) struct CallRequest {
    pub number: CallNumber,
    pub action: String,
    pub args: serde_json::Value,
    pub args_hash: String,
    /// It had begun in an earlier run.
    pub interrupted: bool,
}

/// The end of a run, as the engine knows it.
#[derive(Debug)]
pub(crate) struct EngineEnd {
    pub result: Result<serde_json::Value, ScriptError>,
    pub console: ConsoleLog,
    pub calls: u32,
}

/// The input of an engine.
pub(crate) struct EngineInput {
    pub program: Program,
    pub args: String,
    pub actions: Vec<String>,
    pub limits: ScriptLimits,
    pub replay: Replay,
    pub control: Arc<Control>,
    pub messages: UnboundedSender<EngineMessage>,
    pub answers: mpsc::Receiver<CallEnd>,
}

/// Starts the engine's thread.
pub(crate) fn start(input: EngineInput) -> std::io::Result<()> {
    thread::Builder::new().name("script".to_owned()).stack_size(THREAD_STACK).spawn(move || {
        let (messages, ending) = (input.messages.clone(), EndOfThread(input.control.clone()));
        let end = Run::new(input).finish();
        drop(ending);
        let _ = messages.send(EngineMessage::Finished(Box::new(end)));
    })?;
    Ok(())
}

/// Notes the end of an engine's thread, also after a panic.
struct EndOfThread(Arc<Control>);

impl Drop for EndOfThread {
    fn drop(&mut self) {
        self.0.engine.end();
    }
}

/// The settled promise of the script's body.
#[derive(Debug)]
enum Settled {
    Done(String),
    Bad(String),
    Failed(String),
}

/// The state of a run on its thread. The functions of the globals share it.
struct Run {
    input: EngineInput,
    replay: RefCell<Replay>,
    clock: Cell<i64>,
    issued: Cell<u32>,
    /// Bytes of the arguments of the calls under way.
    open: RefCell<BTreeMap<CallNumber, usize>>,
    console: RefCell<Console>,
    settled: RefCell<Option<Settled>>,
    /// The script has failed: it gets no more calls, also not while its error is described.
    over: Cell<bool>,
    rejections: RefCell<Vec<(Persistent<JsValue<'static>>, Persistent<JsValue<'static>>)>>,
}

impl Run {
    fn new(mut input: EngineInput) -> Rc<Self> {
        let replay = std::mem::take(&mut input.replay);
        Rc::new(Self {
            clock: Cell::new(replay.at),
            replay: RefCell::new(replay),
            issued: Cell::new(0),
            open: RefCell::default(),
            console: RefCell::new(Console::new(input.limits.console)),
            settled: RefCell::default(),
            over: Cell::new(false),
            rejections: RefCell::default(),
            input,
        })
    }

    fn finish(self: Rc<Self>) -> EngineEnd {
        self.input.control.enter();
        let result = self.clone().evaluate();
        let stopped = self.input.control.must_stop();
        self.input.control.leave();
        let result =
            if stopped { Err(self.input.control.reason().expect("a stopped run has its reason")) } else { result };
        EngineEnd { result, console: self.console.borrow().log(), calls: self.issued.get() }
    }

    fn evaluate(self: Rc<Self>) -> Result<serde_json::Value, ScriptError> {
        let started = Runtime::new_with_alloc(crate::memory::BoundedAllocator(self.input.control.memory.clone()))
            .and_then(|runtime| Ok((Context::custom::<Intrinsics>(&runtime)?, runtime)));
        let Ok((context, runtime)) = started else {
            return Err(ScriptError::new("memory_limit", "The memory limit is too small for a script"));
        };
        runtime.set_max_stack_size(SCRIPT_STACK);
        let control = self.input.control.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || control.must_stop())));
        let run = self.clone();
        runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, handled| {
            run.track_rejection(&ctx, promise, reason, handled);
        })));
        let result = context.with(|ctx| {
            let result = self.script(&ctx);
            // Persistent values must go before their runtime does.
            self.rejections.borrow_mut().clear();
            result
        });
        runtime.set_host_promise_rejection_tracker(None);
        result
    }

    fn script(self: &Rc<Self>, ctx: &Ctx<'_>) -> Result<serde_json::Value, ScriptError> {
        let [start, settle, describe] = globals::install(self, ctx)?;
        let body = self.body(ctx)?;
        start.call::<_, ()>((body,)).catch(ctx).map_err(|error| ScriptError::new("script_error", error.to_string()))?;
        loop {
            while !self.input.control.must_stop() && ctx.execute_pending_job() {}
            if self.input.control.must_stop() {
                return Err(self.input.control.reason().expect("a stopped run has its reason"));
            }
            if self.open.borrow().is_empty() {
                return self.result(ctx, &describe);
            }
            if let Some(end) = self.next_end() {
                self.settle(&settle, end);
            }
        }
    }

    /// Compiles the body. The wrapper adds no line, so that lines of errors are those of the script.
    fn body<'js>(&self, ctx: &Ctx<'js>) -> Result<Function<'js>, ScriptError> {
        let mut options = rquickjs::context::EvalOptions::default();
        options.filename = Some(result::FILE.to_owned());
        let wrapped = format!("(async function () {{\"use strict\";{}\n}})", self.input.program.javascript());
        ctx.eval_with_options(wrapped, options).catch(ctx).map_err(|error| result::syntax_error(&error))
    }

    /// The next end of a call: recorded ones first and in their order, then those of the host.
    fn next_end(&self) -> Option<CallEnd> {
        if let Some(end) = self.replay.borrow_mut().next_end() {
            if self.open.borrow().contains_key(&end.0) {
                return Some(end);
            }
            self.diverged(format!("call {} ended at this place before, and now it has not begun", end.0.0));
            return None;
        }
        self.input.control.leave();
        let end = self.input.answers.recv();
        self.input.control.enter();
        if end.is_err() {
            self.input.control.stop(ScriptError::new("cancelled", "The run was cancelled"));
        }
        end.ok()
    }

    fn settle(&self, settle: &Function<'_>, (number, at, result): CallEnd) {
        self.clock.set(at);
        if let Some(bytes) = self.open.borrow_mut().remove(&number) {
            self.input.control.memory.subtract(bytes);
        }
        let (succeeded, text) = match &result {
            Ok(observation) => (true, serde_json::to_string(observation)),
            Err(error) => (false, serde_json::to_string(error)),
        };
        let text = text.expect("answers serialise to JSON");
        // An error here is one of memory or of a stopped run, and the next check sees both.
        let _ = settle.call::<_, ()>((number.0, succeeded, text)).catch(settle.ctx());
    }

    fn diverged(&self, difference: String) {
        let error = ScriptError::new("diverged", format!("The script does not do the same as before: {difference}"));
        self.input.control.stop(error.hint("Start a new run. Nothing was done twice."));
    }

    /// Keeps rejections that nothing handles. At the end of the run they are its error.
    fn track_rejection<'js>(&self, ctx: &Ctx<'js>, promise: JsValue<'js>, reason: JsValue<'js>, handled: bool) {
        let mut rejections = self.rejections.borrow_mut();
        if !handled {
            rejections.push((Persistent::save(ctx, promise), Persistent::save(ctx, reason)));
            return;
        }
        let same =
            |saved: &Persistent<JsValue<'static>>| saved.clone().restore(ctx).is_ok_and(|saved| saved == promise);
        if let Some(place) = rejections.iter().rposition(|(saved, _)| same(saved)) {
            rejections.remove(place);
        }
    }
}
