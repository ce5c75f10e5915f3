//! Any text compiles or has an error, and each line stays where it is. A compiled script ends within its limits, whatever it does.
#![cfg_attr(fuzzing, no_main)]

use std::time::Duration;

use aside_fuzz::fuzz_target;
use aside_script::{
    AsideError, CallFailure, CancelHandle, Host, HostFuture, JournalEntry, Observation, Script, ScriptCall,
    ScriptLimits, check, compile, run,
};
use serde_json::json;

/// Answers every other call, and refuses the rest.
struct Echo;

impl Host for Echo {
    fn call(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>> {
        Box::pin(async move {
            match call.number.0 % 2 {
                0 => Err(AsideError::new("denied", "no").into()),
                _ => Ok(Observation { data: call.args, text: call.action }),
            }
        })
    }

    fn sleep(&self, _milliseconds: u64) -> HostFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    fn record<'a>(&'a self, _entries: &'a [JournalEntry]) -> HostFuture<'a, Result<(), AsideError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn now(&self) -> i64 {
        0
    }
}

fuzz_target!(|source: &str| {
    let Ok(program) = compile(source) else { return };
    assert_eq!(program.javascript().matches('\n').count(), source.matches('\n').count(), "a line moved");
    check(&program, &[]);
    let actions = ["file.create".to_owned(), "file.read".to_owned()];
    let journal = [JournalEntry::Start { seed: 1, at: 0 }];
    let args = json!({ "text": "a" });
    let limits = ScriptLimits {
        compute: Duration::from_millis(50),
        wall: Duration::from_millis(500),
        memory: 4 << 20,
        calls: 50,
        ..ScriptLimits::default()
    };
    let script = Script { program: &program, args: &args, actions: &actions, journal: &journal };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let outcome = runtime.block_on(run(script, &Echo, &limits, &CancelHandle::default()));
    assert!(outcome.calls <= limits.calls && outcome.console.text.len() <= limits.console, "a limit does not hold");
});
