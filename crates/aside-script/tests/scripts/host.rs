//! A host with files in memory, and one check.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

use aside_script::*;
use serde_json::{Value, json};

/// Files in memory, the calls and the journal of a run.
#[derive(Default)]
pub struct MemoryHost {
    pub files: Mutex<BTreeMap<String, String>>,
    pub calls: Mutex<Vec<(u32, String, Value)>>,
    pub interrupted: Mutex<Vec<u32>>,
    pub journal: Mutex<Vec<JournalEntry>>,
    pub clock: AtomicI64,
    /// Entries after which the journal can be stored no more.
    pub most_entries: Option<usize>,
}

pub const ACTIONS: [&str; 10] = [
    "file.copy",
    "file.create",
    "file.list",
    "file.read",
    "grant.end",
    "never.ends",
    "person.asks",
    "test.slow",
    "test.throws",
    "ui.tabs.close",
];

impl MemoryHost {
    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Self { files: Mutex::new(files), ..Self::default() }
    }

    pub fn call_names(&self) -> Vec<String> {
        self.calls.lock().unwrap().iter().map(|(_, action, _)| action.clone()).collect()
    }

    pub fn entries(&self) -> Vec<JournalEntry> {
        [vec![start()], self.journal.lock().unwrap().clone()].concat()
    }

    fn answer(&self, action: &str, args: &Value) -> Result<Value, AsideError> {
        let mut files = self.files.lock().unwrap();
        let path = |key: &str| {
            args[key]
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| AsideError::new("invalid_args", format!("`{key}` is missing")))
        };
        let keys =
            |allowed: &[&str]| match args.as_object().unwrap().keys().find(|key| !allowed.contains(&key.as_str())) {
                Some(key) => Err(AsideError::new("invalid_args", format!("`{key}` is unknown"))),
                None => Ok(()),
            };
        match action {
            "file.list" => Ok(json!({"entries": files.keys().map(|path| json!({"path": path})).collect::<Vec<_>>()})),
            "file.read" => match files.get(&path("path")?) {
                Some(text) => Ok(json!({"text": text})),
                None => Err(AsideError {
                    hint: Some("List the folder.".into()),
                    ..AsideError::new("not_found", "There is no such file")
                }),
            },
            "file.create" => {
                keys(&["path", "text"])?;
                files.insert(path("path")?, args["text"].as_str().unwrap_or_default().to_owned());
                Ok(Value::Null)
            }
            "file.copy" => {
                let (from, to) = (path("from")?, path("to")?);
                if files.contains_key(&to) && args["overwrite"] != true {
                    return Err(AsideError::new("exists", "There is such a file"));
                }
                let text = files.get(&from).cloned().unwrap_or_default();
                files.insert(to, text);
                Ok(Value::Null)
            }
            "test.throws" => Err(AsideError::new("denied", "No")),
            _ => Ok(args.clone()),
        }
    }
}

impl Host for MemoryHost {
    fn call(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>> {
        self.calls.lock().unwrap().push((call.number.0, call.action.clone(), call.args.clone()));
        Box::pin(async move {
            match call.action.as_str() {
                "never.ends" => std::future::pending::<()>().await,
                "grant.end" => return Err(CallFailure::EndsRun(AsideError::new("not_granted", "The grant has ended"))),
                "person.asks" => {
                    let wait = call.person.begin();
                    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
                    drop(wait);
                }
                "test.slow" => {
                    for _ in 0..call.args["turns"].as_u64().unwrap_or(0) {
                        tokio::task::yield_now().await;
                    }
                }
                _ => {}
            }
            Ok(Observation { data: self.answer(&call.action, &call.args)?, text: call.action })
        })
    }

    fn interrupted(&self, call: ScriptCall) -> HostFuture<'_, Result<Observation, CallFailure>> {
        self.interrupted.lock().unwrap().push(call.number.0);
        Box::pin(
            async move { Err(AsideError::new("interrupted", format!("`{}` was interrupted", call.action)).into()) },
        )
    }

    fn sleep(&self, _: u64) -> HostFuture<'_, ()> {
        Box::pin(async {})
    }

    fn record<'a>(&'a self, entries: &'a [JournalEntry]) -> HostFuture<'a, Result<(), AsideError>> {
        let mut journal = self.journal.lock().unwrap();
        let fits = self.most_entries.is_none_or(|most| journal.len() + entries.len() <= most);
        if fits {
            journal.extend_from_slice(entries);
        }
        Box::pin(async move { if fits { Ok(()) } else { Err(AsideError::new("disk", "The disk is full")) } })
    }

    fn now(&self) -> i64 {
        self.clock.fetch_add(10, SeqCst) + 1_800_000_000_000
    }
}

pub fn start() -> JournalEntry {
    JournalEntry::Start { seed: 42, at: 1_700_000_000_000 }
}

/// Runs a script to its end.
pub fn run_with(
    host: &MemoryHost,
    source: &str,
    args: &Value,
    limits: &ScriptLimits,
    journal: &[JournalEntry],
) -> ScriptOutcome {
    let program = match compile(source) {
        Ok(program) => program,
        Err(error) => panic!("{source}: {error:?}"),
    };
    let actions = ACTIONS.map(str::to_owned);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let script = Script { program: &program, args, actions: &actions, journal };
    let cancel = CancelHandle::default();
    runtime.block_on(run(script, host, limits, &cancel))
}

/// Runs a script over an empty host.
pub fn outcome(source: &str) -> ScriptOutcome {
    run_with(&MemoryHost::default(), source, &json!({}), &ScriptLimits::default(), &[start()])
}

/// The result of a script that succeeds.
pub fn result(source: &str) -> Value {
    let outcome = outcome(source);
    outcome.result.unwrap_or_else(|error| panic!("{source}\n{error:?}"))
}

/// The error of a script that fails.
pub fn error(source: &str) -> ScriptError {
    outcome(source).result.expect_err(source)
}
