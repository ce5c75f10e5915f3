//! Prints the cost of scripts: `script_bench FOLDER`, on whose disk it writes. For `cargo xtask bench script`.
//!
//! Each line is `name<TAB>value<TAB>limit<TAB>peer's value<TAB>peer`. Compared values were measured in turn, so that other work hits both.
#![allow(clippy::disallowed_methods, reason = "prepares a workspace and measures its disk")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use aside_actions::{Browser, WindowAnswer, WindowCall};
use aside_agent::{Agents, Tasks};
use aside_core::{ActionRequest, Failure, Origin, Outcome};
use aside_gate::{Gate, Grants, Policy, Submission};
use aside_llm::Models;
use aside_script::{
    ActionSignature, AsideError, CallFailure, CancelHandle, Host, HostFuture, JournalEntry, Observation, Program,
    Script, ScriptCall, ScriptLimits, ScriptOutcome, check, compile, run,
};
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

/// Runs of one measurement.
const ROUNDS: usize = 7;
/// Calls in a round.
const CALLS: usize = 500;
/// Edits of the dry run.
const EDITS: usize = 200;

struct NoWindow;

impl Browser for NoWindow {
    fn perform<'a>(&'a self, _: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        Box::pin(async { Err(Failure::new("no_window", "no window is open")) })
    }
}

struct World {
    gate: Arc<Gate>,
    _tasks: Arc<Tasks>,
}

fn main() {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).expect("a folder on the disk to measure");
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(async {
        engine().await;
        let world = world(&folder);
        calls(&world).await;
        many_reads(&world).await;
        edits(&world).await;
        types(&world);
    });
}

fn world(folder: &Path) -> World {
    fs::write(folder.join("a.txt"), "one\n").expect("the folder can be written");
    for number in 0..EDITS {
        fs::write(folder.join(format!("{number}.txt")), "one\ntwo\nthree\n").expect("the folder can be written");
    }
    let store = Store::open(&folder.join(".aside"), StoreOptions::system()).expect("a store");
    let workspace = Workspace::open(folder, store.clone()).expect("a workspace");
    let catalog =
        aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoWindow)).expect("a catalog");
    let gate = Gate::new(store.clone(), catalog, Policy::builtin());
    let agents = Agents::new(store.clone(), gate.clone(), Arc::new(Models::of([])));
    World { _tasks: Tasks::new(store, gate.clone(), agents, Box::new(|| false)), gate }
}

/// A fresh engine that computes `1 + 1`.
async fn engine() {
    let program = compile("return 1 + 1;").expect("it compiles");
    let mut times = Vec::new();
    for _ in 0..200 {
        let (time, outcome) = timed(at_once(&program)).await;
        assert_eq!(outcome.result, Ok(json!(2)));
        times.push(milliseconds(time));
    }
    figure("fresh engine and 1 + 1 (ms)", median(times), "<=1", None);
}

async fn at_once(program: &Program) -> ScriptOutcome {
    let script = Script { program, args: &json!({}), actions: &[], journal: &[JournalEntry::Start { seed: 1, at: 0 }] };
    run(script, &GateOnly(None), &ScriptLimits::default(), &CancelHandle::default()).await
}

/// A call of a read action in a script, with journal and task, beside the same call in Rust.
async fn calls(world: &World) {
    let source = format!("for (let i = 0; i < {CALLS}; i++) await aside.file.read({{ path: 'a.txt' }});");
    let (mut scripts, mut direct) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (time, ended) = timed(script(world, &source, false)).await;
        assert_eq!(ended["state"], "completed", "{ended}");
        scripts.push(milliseconds(time) / CALLS as f64);
        let (time, ()) = timed(async {
            for _ in 0..CALLS {
                submitted(world, "file.read", json!({ "path": "a.txt" })).await;
            }
        })
        .await;
        direct.push(milliseconds(time) / CALLS as f64);
    }
    let (scripts, direct) = (median(scripts), median(direct));
    figure("a read in a script (ms)", scripts, "", Some((direct, "the same by the Gate")));
    figure("a read in a script / by the Gate", scripts / direct, "<=1.3", None);
}

/// Ten thousand reads in one script: beyond the limit of calls of a task, so the engine runs over the Gate alone.
async fn many_reads(world: &World) {
    let program = compile(
        "let bytes = 0; for (let i = 0; i < 10000; i++) bytes += (await aside.file.read({ path: 'a.txt' })).data.text.length; return bytes;",
    );
    let program = program.expect("it compiles");
    let actions = ["file.read".to_owned()];
    let journal = [JournalEntry::Start { seed: 1, at: 0 }];
    let script = Script { program: &program, args: &json!({}), actions: &actions, journal: &journal };
    let limits = ScriptLimits { calls: 20_000, ..ScriptLimits::default() };
    let before = resident();
    let outcome = run(script, &GateOnly(Some(world.gate.clone())), &limits, &CancelHandle::default()).await;
    assert_eq!(outcome.result, Ok(json!(40_000)));
    figure("10,000 reads in one script (MiB more)", (resident() - before).max(0.0), "<=64", None);
}

/// A dry run of many edits beside the run itself.
async fn edits(world: &World) {
    let source = |from: &str, to: &str| {
        format!(
            "for (let i = 0; i < {EDITS}; i++) await aside.doc.edit({{ path: `${{i}}.txt`, edits: [{{ old: '{from}', new: '{to}' }}] }});"
        )
    };
    let (mut dry, mut real) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let text = if round % 2 == 0 { source("two", "2") } else { source("2", "two") };
        for (is_dry, times) in [(true, &mut dry), (false, &mut real)] {
            let (time, ended) = timed(script(world, &text, is_dry)).await;
            assert_eq!(ended["state"], "completed", "{ended}");
            times.push(milliseconds(time));
        }
    }
    let (dry, real) = (median(dry), median(real));
    figure("dry run of 200 edits (ms)", dry, "", Some((real, "the run")));
    figure("dry run of 200 edits / the run", dry / real, "<=1.5", None);
}

/// The check of a script of 200 lines against the whole catalog.
fn types(world: &World) {
    let signature = |action: &Arc<aside_core::Descriptor>| ActionSignature {
        name: action.name.to_string(),
        description: action.summary.clone(),
        args_schema: action.args_schema.clone(),
    };
    let actions: Vec<_> = world.gate.catalog().descriptors().iter().map(signature).collect();
    let source = "await aside.file.copy({ from: 'a.txt', to: args.to as string });\n".repeat(200);
    let times = (0..20).map(|_| {
        let started = Instant::now();
        let found = check(&compile(&source).expect("it compiles"), &actions);
        assert!(found.is_empty());
        milliseconds(started.elapsed())
    });
    figure("check of 200 lines (ms)", median(times.collect()), "<=50", None);
}

/// Runs a script as a task, and waits for its end.
async fn script(world: &World, source: &str, dry_run: bool) -> Value {
    submitted(world, "script.run", json!({ "source": source, "dry_run": dry_run })).await
}

async fn submitted(world: &World, name: &str, args: Value) -> Value {
    let request = ActionRequest::new(name.parse().expect("a name"), args);
    let record = world.gate.submit(request, person()).await.expect("it is taken in").record;
    match record.outcome {
        Some(Outcome::Done { observation }) => observation.data,
        other => panic!("{other:?}"),
    }
}

fn person() -> Submission {
    Submission::person(Origin::Cli { user: "ada".to_owned() })
}

/// A host that hands calls to the Gate and keeps no journal.
struct GateOnly(Option<Arc<Gate>>);

impl Host for GateOnly {
    fn call(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>> {
        Box::pin(async move {
            let gate = self.0.as_ref().expect("this script makes no calls");
            let request = ActionRequest::new(call.action.parse().expect("a name"), call.args);
            match gate.submit(request, person()).await.expect("it is taken in").record.outcome {
                Some(Outcome::Done { observation }) => {
                    Ok(Observation { data: observation.data, text: observation.text })
                }
                other => panic!("{other:?}"),
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

/// Memory of this process in MiB.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or_default() / 1024.0
}

/// Prints one figure.
fn figure(name: &str, value: f64, limit: &str, peer: Option<(f64, &str)>) {
    let (peer, who) = peer.map_or_else(Default::default, |(value, who)| (format!("{value:.4}"), who));
    println!("{name}\t{value:.4}\t{limit}\t{peer}\t{who}");
}

async fn timed<T>(work: impl Future<Output = T>) -> (Duration, T) {
    let started = Instant::now();
    let done = work.await;
    (started.elapsed(), done)
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
