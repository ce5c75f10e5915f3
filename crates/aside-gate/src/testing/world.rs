//! A file of lines in memory, and the actions on it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use aside_core::{
    ActionRequest, Assessment, Confidence, EffectScope, Failure, FileChange, FileDiff, Guard, Hunk, NoteRow, ObjectRef,
    ObjectVersion, Observation, Place, Preview, PreviewBody, Risk, Risks, Sha256, UndoSupport, Warning, WorkspacePath,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{Action, ActionContext, Catalog, Declaration, Run, handler};

/// What the actions act on.
pub(crate) struct World {
    pub(crate) lines: Mutex<Vec<String>>,
    /// A risk that every assessment adds.
    pub(crate) extra_risk: Mutex<Option<Risk>>,
    /// How many handlers have started to run.
    pub(crate) runs: AtomicUsize,
    /// Lets one run with the text `<wait>` go on.
    pub(crate) go: Semaphore,
    /// Says that such a run has begun.
    pub(crate) begun: Semaphore,
}

impl World {
    pub(crate) fn new(text: &str) -> Arc<Self> {
        Arc::new(Self {
            lines: Mutex::new(text.split_whitespace().map(str::to_owned).collect()),
            extra_risk: Mutex::default(),
            runs: AtomicUsize::new(0),
            go: Semaphore::new(0),
            begun: Semaphore::new(0),
        })
    }

    pub(crate) fn text(&self) -> String {
        self.lines.lock().unwrap().join(" ")
    }

    pub(crate) fn set(&self, text: &str) {
        *self.lines.lock().unwrap() = text.split_whitespace().map(str::to_owned).collect();
    }

    /// Says that it has begun, and waits until it may go on.
    async fn wait(&self) {
        self.begun.add_permits(1);
        self.go.acquire().await.expect("it stays open").forget();
    }

    fn assessment(&self, path: &str, mut risks: Risks) -> Assessment {
        risks.0.extend(*self.extra_risk.lock().unwrap());
        let file = ObjectRef::file(&WorkspacePath::new(path).unwrap());
        let version = ObjectVersion { object: file.clone(), version: Some(Sha256::of(self.text())) };
        Assessment { risks, targets: vec![file], versions: vec![version], ..Assessment::default() }
    }
}

fn declared(name: &'static str, risks: Risks, example: Value) -> Declaration {
    Declaration {
        name,
        summary: "For tests",
        description: "",
        preconditions: &[],
        effect: EffectScope::Workspace,
        risks,
        place: Place::Workspace,
        undo: UndoSupport::Inverse,
        examples: vec![("an example", example)],
        phrases: &[],
        tags: &[],
        safety: &[],
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

struct Read(Arc<World>);

impl Action for Read {
    type Args = Nothing;

    fn declare(&self) -> Declaration {
        declared("text.read", [Risk::Read].into(), json!({}))
    }

    async fn assess(&self, _: &ActionContext, _: &Nothing) -> Result<Assessment, Failure> {
        Ok(self.0.assessment("text.txt", Risks::default()))
    }

    async fn preview(&self, _: &ActionContext, _: &Nothing) -> Result<Preview, Failure> {
        Ok(Preview::summary("Read text.txt"))
    }

    async fn run(&self, _: &ActionContext, _: &Nothing) -> Result<Run, Failure> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        Ok(Run::observed(Observation::text(self.0.text())))
    }
}

/// Replaces whole lines. Some texts of `to` misbehave: `<panic>`, `<hang>`, `<wait>`, `<talk>`, `<fail>`,
/// `<unseeable>`, `<wait-shown>`, and `<swapped>` as one of several parts.
struct Replace(Arc<World>);

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    pub(crate) from: String,
    pub(crate) to: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReplaceArgs {
    from: String,
    to: String,
    #[serde(default)]
    also: Vec<Pair>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    network: bool,
    /// Shows a table with checkboxes.
    #[serde(default)]
    table: bool,
}

impl ReplaceArgs {
    fn pairs(&self) -> impl DoubleEndedIterator<Item = Pair> {
        let first = Pair { from: self.from.clone(), to: self.to.clone() };
        std::iter::once(first).chain(self.also.clone())
    }

    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or("text.txt")
    }
}

pub(crate) fn pairs_args(mut pairs: impl Iterator<Item = Pair>) -> Value {
    let first = pairs.next().expect("at least one");
    json!({ "from": first.from, "to": first.to, "also": pairs.collect::<Vec<_>>() })
}

impl Replace {
    fn hunks(&self, args: &ReplaceArgs) -> Result<Vec<Hunk>, Failure> {
        let lines = self.0.lines.lock().unwrap();
        let hunk = |(part, pair): (u32, Pair)| {
            let at = lines.iter().position(|line| *line == pair.from);
            let at = at.ok_or_else(|| Failure::new("no_match", format!("there is no line `{}`", pair.from)))?;
            Ok(Hunk {
                part,
                start: u32::try_from(at).unwrap() + 1,
                old: vec![pair.from],
                new: vec![pair.to],
                before: Vec::new(),
                after: Vec::new(),
                confidence: Confidence::Exact,
                anchor: None,
            })
        };
        // A line that stays is no change.
        (0..).zip(args.pairs().filter(|pair| pair.from != pair.to)).map(hunk).collect()
    }
}

impl Action for Replace {
    type Args = ReplaceArgs;

    fn declare(&self) -> Declaration {
        let example = json!({ "from": "a", "to": "b" });
        Declaration { phrases: &["swap words"], ..declared("text.replace", [Risk::Write].into(), example) }
    }

    async fn assess(&self, _: &ActionContext, args: &ReplaceArgs) -> Result<Assessment, Failure> {
        let risks = if args.network { [Risk::Network].into() } else { Risks::default() };
        Ok(self.0.assessment(args.path(), risks))
    }

    async fn preview(&self, _: &ActionContext, args: &ReplaceArgs) -> Result<Preview, Failure> {
        assert_ne!(args.to, "<unseeable>", "on purpose");
        if args.to == "<wait-shown>" {
            self.0.wait().await;
        }
        let file = FileDiff {
            path: WorkspacePath::new(args.path()).unwrap(),
            change: FileChange::Edited,
            base: Some(Sha256::of(self.0.text())),
            hunks: self.hunks(args)?,
            note: None,
            cell: None,
        };
        if args.table {
            return Ok(Preview { body: table(file), ..Preview::summary("Edit text.txt") });
        }
        let empty = Warning { guard: Guard::Emptying, text: "A line would be empty.".to_owned() };
        let warnings = if args.to.is_empty() { vec![empty] } else { Vec::new() };
        Ok(Preview { body: PreviewBody::Diff { files: vec![file] }, warnings, ..Preview::summary("Edit text.txt") })
    }

    async fn cut_off(&self, _: &ActionContext, args: &ReplaceArgs) -> Result<Option<Run>, Failure> {
        if args.from == "<unknown>" {
            return Err(Failure::new("io", "the disk is gone"));
        }
        let back = args.pairs().rev().map(|pair| Pair { from: pair.to, to: pair.from });
        let inverse = Some(ActionRequest::new("text.replace".parse().unwrap(), pairs_args(back)));
        let changed = vec![ObjectRef::file(&WorkspacePath::new("text.txt").expect("it is one"))];
        Ok(Some(Run { observation: Observation::text("It got halfway."), inverse, changed }))
    }

    async fn run(&self, context: &ActionContext, args: &ReplaceArgs) -> Result<Run, Failure> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        match args.to.as_str() {
            "<panic>" => panic!("on purpose"),
            "<fail>" => return Err(Failure::new("io", "the disk is full")),
            "<hang>" => {
                self.0.begun.add_permits(1);
                std::future::pending().await
            }
            "<talk>" => {
                context.progress.line("talking");
                return Err(Failure::new("stopped", format!("{} stopped it", context.progress.stopped().await)));
            }
            "<wait>" => {
                self.0.wait().await;
            }
            _ => {}
        }
        let hunks = self.hunks(args)?;
        let mut lines = self.0.lines.lock().unwrap();
        for hunk in hunks {
            lines[usize::try_from(hunk.start).unwrap() - 1].clone_from(&hunk.new[0]);
        }
        let back = args.pairs().rev().map(|pair| Pair { from: pair.to, to: pair.from });
        Ok(Run {
            observation: Observation::text("replaced"),
            inverse: Some(ActionRequest::new("text.replace".parse().unwrap(), pairs_args(back))),
            changed: vec![ObjectRef::file(&WorkspacePath::new(args.path()).unwrap())],
        })
    }

    fn parts(&self, args: &ReplaceArgs, _: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        let pairs = parts.iter().map(|part| {
            let mut pair = args.pairs().nth(usize::try_from(*part).unwrap()).unwrap();
            if pair.to == "<swapped>" {
                pair.to = "something that was not shown".to_owned();
            }
            pair
        });
        let mut some = pairs_args(pairs);
        some["table"] = args.table.into();
        Ok(some)
    }
}

fn table(file: FileDiff) -> PreviewBody {
    let row = |hunk: Hunk| NoteRow {
        part: hunk.part,
        path: file.path.clone(),
        line: Some(hunk.start),
        field: "text".to_owned(),
        before: hunk.old.first().cloned(),
        after: hunk.new.first().cloned(),
        note: None,
        problem: None,
    };
    PreviewBody::Rows { rows: file.hunks.into_iter().map(row).collect() }
}

/// Removes every line; they are kept for a minute, but for a line `<lost>` alone.
struct Clear(Arc<World>);

impl Action for Clear {
    type Args = Nothing;

    fn declare(&self) -> Declaration {
        Declaration { tags: &["destructive"], ..declared("text.clear", [Risk::Destructive].into(), json!({})) }
    }

    async fn assess(&self, _: &ActionContext, _: &Nothing) -> Result<Assessment, Failure> {
        Ok(self.0.assessment("text.txt", Risks::default()))
    }

    async fn preview(&self, _: &ActionContext, _: &Nothing) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Clear {} lines", self.0.lines.lock().unwrap().len())))
    }

    fn kept_for(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn run(&self, _: &ActionContext, _: &Nothing) -> Result<Run, Failure> {
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        let old = std::mem::take(&mut *self.0.lines.lock().unwrap());
        let inverse = ActionRequest::new("text.restore".parse().unwrap(), json!({ "lines": old }));
        Ok(Run { observation: Observation::text("cleared"), inverse: Some(inverse), changed: Vec::new() })
    }
}

struct Restore(Arc<World>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RestoreArgs {
    lines: Vec<String>,
}

impl Action for Restore {
    type Args = RestoreArgs;

    fn declare(&self) -> Declaration {
        declared("text.restore", [Risk::Write, Risk::Destructive].into(), json!({ "lines": [] }))
    }

    async fn assess(&self, _: &ActionContext, _: &RestoreArgs) -> Result<Assessment, Failure> {
        Ok(self.0.assessment("text.txt", Risks::default()))
    }

    async fn preview(&self, _: &ActionContext, args: &RestoreArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Restore {} lines", args.lines.len())))
    }

    async fn run(&self, _: &ActionContext, args: &RestoreArgs) -> Result<Run, Failure> {
        if args.lines == ["<lost>"] {
            return Err(Failure::new("not_kept", "the copy is gone"));
        }
        let old = std::mem::replace(&mut *self.0.lines.lock().unwrap(), args.lines.clone());
        let inverse = ActionRequest::new("text.restore".parse().unwrap(), json!({ "lines": old }));
        Ok(Run { observation: Observation::text("restored"), inverse: Some(inverse), changed: Vec::new() })
    }
}

/// An action that is only declared.
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) risks: Risks,
    pub(crate) example: Value,
}

impl Default for Declared {
    fn default() -> Self {
        Self { name: "test.declared", risks: [Risk::Read].into(), example: json!({}) }
    }
}

impl Action for Declared {
    type Args = Nothing;

    fn declare(&self) -> Declaration {
        declared(self.name, self.risks.clone(), self.example.clone())
    }

    async fn assess(&self, _: &ActionContext, _: &Nothing) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _: &ActionContext, _: &Nothing) -> Result<Preview, Failure> {
        Ok(Preview::summary(""))
    }

    async fn run(&self, _: &ActionContext, _: &Nothing) -> Result<Run, Failure> {
        Ok(Run::observed(Observation::text("")))
    }
}

pub(crate) fn catalog_of(world: &Arc<World>) -> Catalog {
    let world = || world.clone();
    Catalog::new([
        handler(Read(world())),
        handler(Replace(world())),
        handler(Clear(world())),
        handler(Restore(world())),
    ])
    .unwrap()
}
