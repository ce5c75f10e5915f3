//! `aside script …`: small programs that call actions.

use std::{io::Read as _, path::Path, time::Duration};

use anyhow::Context as _;
use aside_core::{
    ActionId, Choice, Completeness, Decision, DecisionScope, Failure, Pause, PendingCall, ScriptBounds, ScriptChange,
    ScriptConsole, ScriptFault, TaskId, TaskState, TaskStatus, TimelineEntry, harmless,
};
use aside_protocol::{CheckScript, NewScript, ScriptFindings, TaskDetail};
use serde::Serialize;
use serde_json::Value;

use super::decide::{Consent, prompt};
use crate::{
    arguments::{Script, ScriptToRun, Where},
    client::{Client, new_key, until_answered},
    ended::Ended,
    output::{Colour, Output},
    preview::render,
    workspace,
};

/// The pause before a task is looked at again that has not taken in a decision yet.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs one of them.
pub async fn script(what: Script, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    match what {
        Script::Run(wanted) => {
            let new = new_script(&wanted, place)?;
            let client = workspace::open(place).await?;
            let ended = run(&client, &new, output).await;
            client.finish().await;
            ended
        }
        Script::Check { file } => {
            let source = read(&file)?;
            let client = workspace::open(place).await?;
            let found: anyhow::Result<ScriptFindings> =
                client.post("scripts/check", &CheckScript { source, path: None }).await;
            client.finish().await;
            let found = found?;
            output.result(&found, || findings(&file, &found));
            Ok(if found.findings.is_empty() { Ended::Done } else { Ended::Failed })
        }
        Script::Types => {
            let client = workspace::open(place).await?;
            let types = client.text("scripts/types").await;
            client.finish().await;
            output.line(types?.trim_end());
            Ok(Ended::Done)
        }
    }
}

/// How a run stands, for programs.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<TaskId>,
    state: TaskStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ScriptFault>,
    console: ScriptConsole,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<ScriptChange>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completeness: Option<Completeness>,
    replayed: u32,
    calls_done: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<PendingCall>,
    /// Why it does not go on by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused: Option<String>,
}

fn new_script(wanted: &ScriptToRun, place: &Where) -> anyhow::Result<NewScript> {
    let limits = ScriptBounds { compute_s: wanted.compute, wall_s: wanted.time, memory_mb: wanted.memory, calls: None };
    Ok(NewScript {
        source: Some(read(&wanted.file)?),
        path: workspace::file(place, &wanted.file).ok(),
        args: wanted.args.clone().map(Value::Object),
        dry_run: wanted.dry_run,
        place: wanted.place,
        shown: wanted.shown.clone(),
        limits: (limits != ScriptBounds::default()).then_some(limits),
        idempotency_key: Some(wanted.key.clone().unwrap_or_else(new_key)),
    })
}

async fn run(client: &Client, new: &NewScript, output: &Output) -> anyhow::Result<Ended> {
    let started: anyhow::Result<TaskDetail> = until_answered(|| client.post("scripts", new)).await;
    let started = match started {
        Ok(started) => started,
        Err(error) => match error.downcast_ref::<Failure>() {
            // For programs, a script that was refused is a run that has failed.
            Some(failure) if output.json => {
                output.result(&refused(failure), String::new);
                return Ok(Ended::Failed);
            }
            Some(failure) => return Err(with_line(failure).into()),
            None => return Err(error),
        },
    };
    follow(client, started, output).await
}

/// Follows a run that has started, and prints how it ended.
pub async fn follow(client: &Client, started: TaskDetail, output: &Output) -> anyhow::Result<Ended> {
    let ended = followed(client, started.id, output).await?;
    let report = report(ended);
    output.result(&report, || words(&report, output));
    Ok(match report.state {
        TaskStatus::Is(TaskState::Completed) => Ended::Done,
        TaskStatus::Is(TaskState::Failed) => Ended::Failed,
        TaskStatus::Is(TaskState::Cancelled) => Ended::Refused,
        _ => Ended::NeedsDecision,
    })
}

/// Follows a run to its end, or to a question that nobody is there to answer.
async fn followed(client: &Client, id: TaskId, output: &Output) -> anyhow::Result<TaskDetail> {
    let mut answered: Option<ActionId> = None;
    loop {
        let detail: TaskDetail = client.get(&format!("tasks/{id}?settled=true")).await?;
        let waits = detail.state == TaskStatus::Is(TaskState::AwaitingConfirmation);
        let Some(pending) = detail.pending.as_ref().filter(|_| waits) else {
            if waits {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            return Ok(detail);
        };
        if answered.as_ref() == Some(&pending.id) {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        let decision = match Consent::new(false, output) {
            Consent::Asked => ask(pending, output).await?,
            Consent::Nobody | Consent::Given(..) => None,
        };
        let Some(decision) = decision else { return Ok(detail) };
        answered = Some(pending.id.clone());
        let decided: anyhow::Result<Value> = client.post(&format!("actions/{}/decision", pending.id), &decision).await;
        if let Err(error) = decided {
            // The preview may be out of date: the new one is asked about.
            answered = None;
            eprintln!("{error}");
        }
    }
}

/// Waits until a run is over or asks again after an answer: the end of its server would interrupt it.
pub async fn until_taken_in(client: &Client, task: &TaskId, answered: &ActionId) -> anyhow::Result<()> {
    loop {
        let detail: TaskDetail = client.get(&format!("tasks/{task}?settled=true")).await?;
        let waits = detail.state == TaskStatus::Is(TaskState::AwaitingConfirmation);
        if !waits || detail.pending.is_some_and(|pending| pending.id != *answered) {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn ask(pending: &PendingCall, output: &Output) -> anyhow::Result<Option<Decision>> {
    output.line(&output.paint(Colour::Bold, &format!("{} ({})", pending.action_type, pending.risks)));
    if let Some(preview) = &pending.preview {
        output.line(&render(preview, output));
    }
    output.line(&harmless(&pending.reason));
    loop {
        let question =
            format!("Do it? [y]es, [a]ll {}calls of {} in this run, [n]o: ", coming(pending), pending.action_type);
        let approve = Decision::approve(pending.hash.clone());
        match prompt(&question).await?.as_deref() {
            None => return Ok(None),
            Some("y" | "yes") => return Ok(Some(approve)),
            Some("a" | "all") => return Ok(Some(Decision { scope: DecisionScope::Class, ..approve })),
            Some("n" | "no") => return Ok(Some(Decision { decision: Choice::Reject, ..approve })),
            Some(_) => {}
        }
    }
}

/// The number of calls that an approval of all covers, as far as a dry run has shown it.
fn coming(pending: &PendingCall) -> String {
    pending.coming.as_ref().map(|coming| format!("{} ", coming.calls)).unwrap_or_default()
}

fn report(detail: TaskDetail) -> Report {
    let paused = paused(&detail);
    let script = detail.script.unwrap_or_default();
    Report {
        task: Some(detail.id),
        state: detail.state,
        result: script.result,
        error: script.error,
        console: script.console,
        changes: script.changes,
        completeness: script.completeness,
        replayed: script.replayed,
        calls_done: script.calls_done,
        pending: detail.pending,
        paused,
    }
}

/// The reason of a pause: the last entry of the timeline that is about no call.
fn paused(detail: &TaskDetail) -> Option<String> {
    detail.task.paused?;
    let of_run = |entry: &&TimelineEntry| entry.step.is_none() && entry.action.is_none();
    Some(detail.timeline.iter().rev().find(of_run)?.text.clone())
}

fn refused(failure: &Failure) -> Report {
    let line = failure.data["line"].as_u64().and_then(|line| u32::try_from(line).ok());
    let Failure { code, message, hint, .. } = failure.clone();
    Report {
        task: None,
        state: TaskStatus::Is(TaskState::Failed),
        result: None,
        error: Some(ScriptFault { code, message, hint, line, action_type: None }),
        console: ScriptConsole::default(),
        changes: None,
        completeness: None,
        replayed: 0,
        calls_done: 0,
        pending: None,
        paused: None,
    }
}

/// Names the line of the script in the message.
fn with_line(failure: &Failure) -> Failure {
    let message = match failure.data["line"].as_u64() {
        Some(line) => format!("line {line}: {}", failure.message),
        None => failure.message.clone(),
    };
    Failure { message, ..failure.clone() }
}

fn words(report: &Report, output: &Output) -> String {
    let mut text = harmless(&report.console.text).into_owned();
    for change in report.changes.iter().flatten() {
        text += &change_words(change, output);
    }
    if let Some(changes) = &report.changes {
        text += match (changes.is_empty(), report.completeness) {
            (true, _) => "no changes\n",
            (false, Some(Completeness::Full)) => "The preview is complete. Nothing was changed.\n",
            (false, _) => "! The preview is incomplete. Nothing was changed.\n",
        };
    }
    if let Some(result) = report.result.as_ref().filter(|result| !result.is_null()) {
        text += &format!("{}\n", harmless(&serde_json::to_string_pretty(result).unwrap_or_default()));
    }
    if let Some(error) = &report.error {
        let line = error.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        text += &format!("error: {line}{} ({})\n", harmless(&error.message), error.code);
        if let Some(hint) = &error.hint {
            text += &format!("hint: {}\n", harmless(hint));
        }
    }
    if let Some(pending) = &report.pending {
        if let Some(preview) = &pending.preview {
            text += &render(preview, output);
        }
        let id = &pending.id;
        text += &format!("waiting for a decision about {}: aside decide {id}\n", pending.action_type);
        let all = format!("all {}calls of {} in this run", coming(pending), pending.action_type);
        text += &format!("accept {all}: aside decide {id} --yes --remember run\n");
    }
    if report.state == TaskStatus::Paused(Pause::Interrupted) {
        text += "interrupted\n";
    }
    if let (Some(reason), Some(task)) = (&report.paused, &report.task) {
        text += &format!("paused: {}\nresume it with: aside task resume {task}\n", harmless(reason));
    }
    if let Some(task) = &report.task {
        text += &output.paint(Colour::Dim, &format!("task {task}, {} calls", report.calls_done));
    }
    text
}

fn change_words(change: &ScriptChange, output: &Output) -> String {
    let asks = if change.asks { ", needs approval" } else { "" };
    let shown = match change.completeness {
        Completeness::Full => "",
        Completeness::Partial => ", partly shown",
        Completeness::Opaque => ", not shown",
    };
    let head = output.paint(Colour::Bold, &change.action_type.to_string());
    format!("{head}  {}{}\n", harmless(&change.summary), output.paint(Colour::Dim, &format!("{shown}{asks}")))
}

fn findings(file: &Path, found: &ScriptFindings) -> String {
    let line = |finding: &aside_core::ScriptFinding| {
        let (line, column) = (finding.line, finding.column);
        let hint = finding.hint.as_ref().map(|hint| format!(" {}", harmless(hint))).unwrap_or_default();
        format!("{}:{line}:{column}: {}{hint}\n", file.display(), harmless(&finding.message))
    };
    match found.findings.is_empty() {
        true => "no mistakes found".to_owned(),
        false => found.findings.iter().map(line).collect(),
    }
}

/// Reads a script from a file, or from standard input for `-`.
#[expect(clippy::disallowed_methods, reason = "a file that the person named on the command line")]
fn read(file: &Path) -> anyhow::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}
