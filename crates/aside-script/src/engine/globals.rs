//! The functions behind the globals of a script: `begin` of a call, `print`, `clock`, `finish`.

use std::rc::Rc;

use rquickjs::{Array, CatchResultExt, Ctx, Exception, Function, Object};
use serde_json::Value;

use super::{CallRequest, EngineMessage, Run, Settled, result::lossy};
use crate::journal::{Recorded, args_hash};
use crate::{CallNumber, ScriptError};

const PRELUDE: &str = include_str!("prelude.js");

/// Makes the globals and returns the prelude's functions: start, settle, describe.
pub(super) fn install<'js>(run: &Rc<Run>, ctx: &Ctx<'js>) -> Result<[Function<'js>; 3], ScriptError> {
    make(run, ctx)
        .catch(ctx)
        .map_err(|error| ScriptError::new("engine_failed", format!("The engine can't start: {error}")))
}

fn make<'js>(run: &Rc<Run>, ctx: &Ctx<'js>) -> rquickjs::Result<[Function<'js>; 3]> {
    let mut options = rquickjs::context::EvalOptions::default();
    options.filename = Some("aside".to_owned());
    let prelude: Function = ctx.eval_with_options(PRELUDE, options)?;
    let seed = run.replay.borrow().seed.to_le_bytes();
    let [low, high] =
        [[seed[0], seed[1], seed[2], seed[3]], [seed[4], seed[5], seed[6], seed[7]]].map(i32::from_le_bytes);
    let names = run.input.actions.clone();
    let made: Array = prelude.call((functions(run, ctx)?, names, run.input.args.clone(), high, low))?;
    Ok([made.get(0)?, made.get(1)?, made.get(2)?])
}

fn functions<'js>(run: &Rc<Run>, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
    let native = Object::new(ctx.clone())?;
    let shared = run.clone();
    let begin = move |ctx: Ctx<'js>, action: String, args: String| {
        shared.begin(&action, &args).map_err(|message| Exception::throw_message(&ctx, message))
    };
    native.set("begin", Function::new(ctx.clone(), begin)?)?;
    let shared = run.clone();
    native.set("print", Function::new(ctx.clone(), move |line: String| shared.print(&line))?)?;
    let shared = run.clone();
    native.set("clock", Function::new(ctx.clone(), move || shared.clock.get() as f64)?)?;
    let shared = run.clone();
    native.set(
        "finish",
        Function::new(ctx.clone(), move |kind: String, text: String| shared.settle_body(&kind, text))?,
    )?;
    Ok(native)
}

impl Run {
    /// Begins a call: gives it its number, compares it with the journal, and hands it to the host where the journal has no end.
    fn begin(&self, action: &str, args: &str) -> Result<u32, &'static str> {
        let control = &self.input.control;
        if control.must_stop() || self.over.get() {
            return Err("The run is over");
        }
        let number = CallNumber(self.issued.get() + 1);
        if number.0 > self.input.limits.calls {
            let most = self.input.limits.calls;
            control.stop(ScriptError::new("too_many_calls", format!("The script made more than {most} calls")));
            return Err("The run is over");
        }
        if action != "sleep" && !self.input.actions.iter().any(|name| name == action) {
            return Err("No such action");
        }
        let args: Value = serde_json::from_str(&lossy(args)).map_err(|_| "The arguments are not JSON")?;
        self.issued.set(number.0);
        let args_hash = args_hash(&args);
        let recorded = self.replay.borrow().recorded(number, action, &args_hash);
        let bytes = if recorded == Recorded::Ended { 0 } else { 2 * args.to_string().len() };
        control.memory.add(bytes);
        self.open.borrow_mut().insert(number, bytes);
        match recorded {
            Recorded::Ended => {}
            Recorded::Diverged(difference) => self.diverged(difference),
            Recorded::New | Recorded::Interrupted => {
                let interrupted = recorded == Recorded::Interrupted;
                let call = CallRequest { number, action: action.to_owned(), args, args_hash, interrupted };
                let _ = self.input.messages.send(EngineMessage::Call(call));
            }
        }
        Ok(number.0)
    }

    fn print(&self, line: &str) {
        if !self.input.control.must_stop() {
            self.console.borrow_mut().print(line);
        }
    }

    fn settle_body(&self, kind: &str, text: String) {
        let settled = match kind {
            "over" => return self.over.set(true),
            "done" => Settled::Done(text),
            "bad" => Settled::Bad(text),
            _ => Settled::Failed(text),
        };
        self.settled.borrow_mut().get_or_insert(settled);
    }
}
