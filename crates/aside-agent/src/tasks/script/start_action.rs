//! `script.run`: starts a script. It reads only; each call of the script is a request of its own.

use std::sync::Weak;

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, ScriptBounds, ScriptFinding, TaskId,
    TaskState, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    super::{TaskDetail, Tasks},
    start::NewScript,
};

/// Its name.
pub(crate) const NAME: &str = "script.run";

/// Arguments of `script.run`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptArgs {
    /// The script: the body of an async TypeScript function. The file of `path` if absent.
    #[serde(default)]
    source: Option<String>,
    /// The script's file in the workspace.
    #[serde(default)]
    path: Option<WorkspacePath>,
    /// Its name in the list of tasks; the first comment of the script if absent.
    #[serde(default)]
    name: Option<String>,
    /// The input: `args` in the script.
    #[serde(default)]
    args: Option<Map<String, Value>>,
    /// Only shows the changes.
    #[serde(default)]
    dry_run: Option<bool>,
    /// Where the script runs; the workspace if absent.
    #[serde(default)]
    place: Option<Place>,
    /// Lower limits than the usual ones.
    #[serde(default)]
    limits: Option<ScriptBounds>,
    /// The task of the dry run that the user has seen: a change that it did not show pauses the run.
    #[serde(default)]
    shown: Option<String>,
    /// Answers at once with the task if false, else at the end of the run.
    #[serde(default)]
    wait: Option<bool>,
}

/// `script.run`. It does not keep the tasks, which keep the catalog that it is in.
pub(crate) struct ScriptRun {
    pub tasks: Weak<Tasks>,
}

impl Action for ScriptRun {
    type Args = ScriptArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: NAME,
            summary: "Run a script that calls actions",
            description: "Runs a small TypeScript program for work with loops, conditions or many objects. The script is \
                the body of an async function: `await` and `return` work at the top level. `aside.noun.verb(args)` calls \
                the action `noun.verb` and returns `{ok, data, text}`, or throws an `AsideError` with `code`, `message` \
                and `hint`. `args` is the input, `console.log` prints, `await aside.sleep(ms)` waits. There is no \
                import, network, file or clock access outside `aside`. Each call is checked like any other action, \
                and the user approves what needs approval. `dry_run` returns one table of all changes and makes none. \
                `catalog.describe` shows the declaration of one action.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                (
                    "Show which files a script would copy",
                    json!({
                        "source": "for (const entry of (await aside.file.list({})).data.entries) {\n  if \
                            (entry.path.endsWith('.csv')) await aside.file.copy({ from: entry.path, to: \
                            `backup/${entry.path}` });\n}",
                        "dry_run": true,
                    }),
                ),
                ("Compute something", json!({"source": "return args.a + args.b;", "args": {"a": 1, "b": 2}})),
            ],
            phrases: &["run a typescript script"],
            tags: &["script", "typescript", "loop", "condition", "batch", "several", "automate", "program"],
            safety: &["Each call runs under the grant of the starter and is checked on its own."],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &ScriptArgs) -> Result<Assessment, Failure> {
        match (&args.source, &args.path) {
            (None, None) => Err(Failure::new("invalid_args", "a script needs `source` or `path`")),
            _ => Ok(Assessment::default()),
        }
    }

    async fn preview(&self, _context: &ActionContext, args: &ScriptArgs) -> Result<Preview, Failure> {
        let what = match (&args.path, &args.source) {
            (Some(path), _) => path.to_string(),
            (None, Some(source)) => format!("a script of {} lines", source.lines().count()),
            (None, None) => "a script".to_owned(),
        };
        let verb = if args.dry_run == Some(true) { "Dry run of" } else { "Run" };
        Ok(Preview::summary(format!("{verb} {what}")))
    }

    async fn run(&self, context: &ActionContext, args: &ScriptArgs) -> Result<Run, Failure> {
        let tasks = self.tasks.upgrade().ok_or_else(|| Failure::new("shutting_down", "the server is shutting down"))?;
        let mut submission = tasks.gate.submission_of(&context.id).map_err(|error| error.failure())?;
        if submission.origin.script().is_some() {
            return Err(Failure::new("denied", "a script can't start another script"));
        }
        let source = match (&args.source, &args.path) {
            (Some(source), _) => source.clone(),
            (None, Some(path)) => tasks.read_script(path, &mut submission).await?,
            (None, None) => return Err(Failure::new("invalid_args", "a script needs `source` or `path`")),
        };
        let new = NewScript {
            source,
            path: args.path.clone(),
            name: args.name.clone(),
            args: args.args.clone().unwrap_or_default(),
            dry_run: args.dry_run.unwrap_or_default(),
            place: args.place.unwrap_or(Place::Workspace),
            limits: args.limits.clone().unwrap_or_default(),
            shown: args.shown.as_deref().map(task_id).transpose()?,
            started_by: context.id.clone(),
        };
        let id = tasks.start_script(new, submission)?;
        if args.wait == Some(false) {
            let words = format!("Started task {id}.");
            return Ok(Run::observed(Observation::with(words, json!({"task": id, "state": TaskState::Running}))));
        }
        let findings = tasks.check_script(&tasks.stored_script(&id)?.source);
        let detail = ended(&tasks, context, &id).await?;
        Ok(Run::observed(observation(&detail, &findings)))
    }
}

fn task_id(text: &str) -> Result<TaskId, Failure> {
    text.parse().map_err(|_| Failure::new("invalid_args", format!("`shown` must be the id of a task, not `{text}`")))
}

/// Waits for the end of a run, which a stop of this action is, too.
async fn ended(tasks: &Tasks, context: &ActionContext, id: &TaskId) -> Result<TaskDetail, Failure> {
    tokio::select! {
        by = context.progress.stopped() => Ok(tasks.cancel(id, &by).await?),
        ended = tasks.over(id) => Ok(ended?),
    }
}

/// Bytes of a result or a console in the words of an answer; the data has all of it.
const MOST_WORDS: usize = 8_000;

/// The beginning of a long text, with a word on the rest.
fn shortened(text: &str) -> String {
    if text.len() <= MOST_WORDS {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MOST_WORDS);
    format!("{} … ({} more bytes: return less, or in parts)", &text[..end], text.len() - end)
}

/// The end of a run, with the mistakes in the script if it failed.
fn observation(detail: &TaskDetail, findings: &[ScriptFinding]) -> Observation {
    let report = detail.script.clone().unwrap_or_default();
    let mut text = detail.task.summary.clone().unwrap_or_default();
    if let Some(hint) = report.error.as_ref().and_then(|error| error.hint.as_ref()) {
        text.push_str(&format!("\nHint: {hint}"));
    }
    for finding in findings.iter().filter(|_| report.error.is_some()) {
        text.push_str(&format!("\nline {}: {}", finding.line, finding.message));
    }
    for change in report.changes.iter().flatten() {
        text.push_str(&format!("\n{}: {}", change.action_type, change.summary));
    }
    if let Some(result) = report.result.as_ref().filter(|result| !result.is_null()) {
        text.push_str(&format!("\nresult: {}", shortened(&result.to_string())));
    }
    if !report.console.text.is_empty() {
        text.push_str(&format!("\nconsole:\n{}", shortened(report.console.text.trim_end())));
    }
    let data = json!({
        "task": detail.task.id, "state": detail.task.state, "result": report.result, "error": report.error,
        "console": report.console, "changes": report.changes, "completeness": report.completeness,
        "calls_done": report.calls_done,
    });
    let observation = Observation::with(text, data);
    match detail.provenance.outside() {
        Some(source) => observation.from_source(source),
        None => observation,
    }
}
