//! `aside task …`: plans that are shown whole, confirmed once and carried out step by step.

use std::{
    io::{IsTerminal as _, Read as _},
    path::Path,
};

use anyhow::Context as _;
use aside_core::{ActionRequest, Choice, Failure, Sha256, TaskDecision, TaskId, TaskState};
use aside_protocol::{ListedTasks, NewTask, RunAgain, TaskDetail, UndoTask};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use super::decide::{Consent, prompt};
use crate::{
    arguments::{self, How, TaskFilter, Where},
    client::{Client, new_key, until_answered},
    ended::Ended,
    output::Output,
    task_text::{listed, plan_text, state_text, task_text},
    workspace,
};

/// Runs one of them.
pub async fn task(what: arguments::Task, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = run(&client, what, output).await;
    client.finish().await;
    result
}

async fn run(client: &Client, what: arguments::Task, output: &Output) -> anyhow::Result<Ended> {
    use arguments::Task as T;
    match what {
        T::List(filter) => list(client, filter, output).await,
        T::Show { id } => {
            let detail: TaskDetail = client.get(&path(&id)).await?;
            output.result(&detail, || task_text(&detail, output));
            Ok(Ended::Done)
        }
        T::Run { file, how } => {
            let new: NewTask = read_json(&file)?;
            let idempotency_key = new.idempotency_key.or_else(|| Some(new_key()));
            make(client, "tasks", &NewTask { idempotency_key, dry_run: how.dry_run, ..new }, how, output).await
        }
        T::Approve { id, hash, steps, parts, action, yes } => {
            let which =
                TaskDecision { decision: Choice::Approve, hash, action_type: action, steps, parts, reason: None };
            approve(client, &id, which, yes, output).await
        }
        T::Reject { id, steps, parts, hash, action, reason } => {
            let decision = TaskDecision { decision: Choice::Reject, hash, action_type: action, steps, parts, reason };
            let whole = decision.steps.is_none() && decision.action_type.is_none();
            let detail: TaskDetail = client.post(&format!("{}/decision", path(&id)), &decision).await?;
            let ended = say(&detail, output);
            // Saying no was what was asked for.
            Ok(if whole { Ended::Done } else { ended })
        }
        T::Pause { id } => steer(client, &id, "pause", output).await.map(|_| Ended::Done),
        T::Cancel { id } => steer(client, &id, "cancel", output).await.map(|_| Ended::Done),
        T::Resume { id } => {
            client.post::<TaskDetail>(&format!("{}/resume", path(&id)), &json!({})).await?;
            Ok(say(&settled(client, &id).await?, output))
        }
        T::Undo { id, partly, how } => {
            let undo = UndoTask { idempotency_key: Some(new_key()), dry_run: how.dry_run, partly };
            make(client, &format!("{}/undo", path(&id)), &undo, how, output).await
        }
        T::Again { id, steps, goal, how } => {
            let steps: Option<Vec<ActionRequest>> = steps.as_deref().map(read_json).transpose()?;
            let again = RunAgain { steps, goal, idempotency_key: Some(new_key()), dry_run: how.dry_run };
            make(client, &format!("{}/run_again", path(&id)), &again, how, output).await
        }
    }
}

/// Makes a task, whose request has a key, and carries it out if somebody says yes to what is shown.
pub async fn make(
    client: &Client,
    path: &str,
    body: &impl Serialize,
    how: How,
    output: &Output,
) -> anyhow::Result<Ended> {
    let shown: TaskDetail = until_answered(|| client.post(path, body)).await?;
    if how.dry_run {
        output.result(&shown, || {
            shown.plan.as_ref().map(|plan| plan_text(plan, &shown.provenance, output)).unwrap_or_default()
        });
        return Ok(match shown.plan.as_ref().is_some_and(|plan| plan.next().is_some()) {
            true => Ended::Done,
            false => Ended::Failed,
        });
    }
    let detail = answered(client, shown, Consent::new(how.yes, output), output).await?;
    Ok(say(&detail, output))
}

/// Gets the answers that a plan needs. A yes given beforehand counts for what is shown first, and for nothing else.
async fn answered(
    client: &Client,
    mut shown: TaskDetail,
    mut consent: Consent,
    output: &Output,
) -> anyhow::Result<TaskDetail> {
    while let (TaskState::AwaitingConfirmation, Some(plan)) = (shown.task.state, &shown.plan) {
        let decision = match consent {
            Consent::Nobody => return Ok(shown),
            Consent::Given(choice, _) => choice,
            Consent::Asked => match ask(&plan_text(plan, &shown.provenance, output), output).await? {
                Some(choice) => choice,
                None => return Ok(shown),
            },
        };
        if let Consent::Given(..) = consent {
            consent = Consent::Nobody;
        }
        let hash = Some(plan.hash.clone());
        let decision = TaskDecision { decision, hash, action_type: None, steps: None, parts: None, reason: None };
        shown = decided(client, &shown.task.id, &decision).await?;
    }
    Ok(shown)
}

async fn decided(client: &Client, id: &TaskId, decision: &TaskDecision) -> anyhow::Result<TaskDetail> {
    client.post::<TaskDetail>(&format!("{}/decision", path(id)), decision).await?;
    settled(client, id).await
}

async fn settled(client: &Client, id: &TaskId) -> anyhow::Result<TaskDetail> {
    client.get(&format!("{}?settled=true", path(id))).await
}

async fn approve(
    client: &Client,
    id: &TaskId,
    which: TaskDecision,
    yes: bool,
    output: &Output,
) -> anyhow::Result<Ended> {
    let hash = match &which.hash {
        Some(hash) => Some(hash.clone()),
        None => seen(client, id, yes, output).await?,
    };
    let Some(hash) = hash else { return Ok(Ended::NeedsDecision) };
    let detail = decided(client, id, &TaskDecision { hash: Some(hash), ..which }).await?;
    Ok(say(&detail, output))
}

/// The hash of the plan that waits, if the person has seen it and wants it.
async fn seen(client: &Client, id: &TaskId, yes: bool, output: &Output) -> anyhow::Result<Option<Sha256>> {
    let shown: TaskDetail = client.get(&path(id)).await?;
    let Some(plan) = shown.plan.filter(|_| shown.task.state == TaskState::AwaitingConfirmation) else {
        return Err(Failure::new("not_waiting", format!("task {id} has no plan waiting for a decision")).into());
    };
    let choice = match Consent::new(yes, output) {
        Consent::Given(choice, _) => Some(choice),
        Consent::Asked => ask(&plan_text(&plan, &shown.provenance, output), output).await?,
        Consent::Nobody => {
            let failure = Failure::new("hash_missing", "an approval must name the plan that you reviewed");
            return Err(failure.hint(format!("pass --hash {} if you have reviewed it", plan.hash)).into());
        }
    };
    Ok((choice == Some(Choice::Approve)).then_some(plan.hash))
}

async fn ask(text: &str, output: &Output) -> anyhow::Result<Option<Choice>> {
    output.line(text);
    loop {
        match prompt("Do it? [y]es, [n]o: ").await?.as_deref() {
            None => return Ok(None),
            Some("y" | "yes") => return Ok(Some(Choice::Approve)),
            Some("n" | "no") => return Ok(Some(Choice::Reject)),
            Some(_) => {}
        }
    }
}

async fn steer(client: &Client, id: &TaskId, what: &str, output: &Output) -> anyhow::Result<Ended> {
    Ok(say(&client.post(&format!("{}/{what}", path(id)), &json!({})).await?, output))
}

/// Prints how a task stands; returns how the command ended.
fn say(detail: &TaskDetail, output: &Output) -> Ended {
    output.result(detail, || state_text(detail, output));
    match (detail.task.state, detail.task.paused) {
        (TaskState::Completed, _) => Ended::Done,
        (TaskState::Cancelled, _) => Ended::Refused,
        (TaskState::AwaitingConfirmation, _) | (TaskState::Running, Some(_)) => Ended::NeedsDecision,
        _ => Ended::Failed,
    }
}

/// What `GET tasks` is asked; what is absent does not matter.
#[derive(Serialize)]
struct Question {
    text: Option<String>,
    by: Option<String>,
    object: Option<String>,
    action: Option<String>,
    state: Option<TaskState>,
    before: Option<TaskId>,
    limit: u32,
}

impl Question {
    /// Tells whether it leaves out tasks for another reason than their number.
    fn is_narrow(&self) -> bool {
        let words = [&self.text, &self.by, &self.object, &self.action];
        self.state.is_some() || self.before.is_some() || words.into_iter().any(Option::is_some)
    }
}

async fn list(client: &Client, filter: TaskFilter, output: &Output) -> anyhow::Result<Ended> {
    let TaskFilter { words, by, object, action, state, before, limit } = filter;
    let text = (!words.is_empty()).then(|| words.join(" "));
    let question = Question { text, by, object, action, state, before, limit };
    let ListedTasks { tasks } = client.find("tasks", &question).await?;
    output.result(&tasks, || match (tasks.is_empty(), question.is_narrow()) {
        (true, true) => "no matching tasks; `aside task list` without filters shows the latest".to_owned(),
        (true, false) => "no tasks yet; `aside ask` and `aside task run` create tasks".to_owned(),
        (false, _) => listed(&tasks, output),
    });
    Ok(Ended::Done)
}

fn path(id: &TaskId) -> String {
    format!("tasks/{id}")
}

/// Reads a value from a file, or from standard input for `-`.
#[expect(clippy::disallowed_methods, reason = "a file that the person named on the command line")]
pub fn read_json<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let text = if file == Path::new("-") {
        let mut text = String::new();
        if std::io::stdin().is_terminal() {
            eprintln!("reading JSON from standard input");
        }
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        text
    } else {
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
    };
    serde_json::from_str(&text).with_context(|| format!("{} does not have the expected form", file.display()))
}
