//! `scripts`: programs that call actions. A run is a task; its start and each of its calls go through the Gate.

use std::sync::Arc;

use aside_core::{
    ActionRequest, Failure, Outcome, ProblemSeverity, ProblemSource, ScriptFinding, TaskId, WorkspacePath,
};
use aside_gate::Submission;
use aside_macros::boxed;
use aside_protocol::{CheckScript, NewScript, ScriptFindings, TaskDetail};
use axum::{Extension, Json, extract::State};
use serde_json::json;

use super::tasks::answer;
use crate::{
    access::Shown,
    app::App,
    problem::{Body, Problem},
};

/// Starts a script and returns its task at once.
#[boxed]
pub async fn start(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(new): Body<NewScript>,
) -> Result<Json<TaskDetail>, Problem> {
    let NewScript { source, path, args, dry_run, place, limits, shown: seen, idempotency_key } = new;
    let mut wanted = json!({ "wait": false });
    let given = [
        ("source", json!(source)),
        ("path", json!(path)),
        ("args", json!(args)),
        ("dry_run", json!(dry_run.then_some(true))),
        ("place", json!(place)),
        ("limits", json!(limits)),
        ("shown", json!(seen)),
    ];
    for (name, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        wanted[name] = value;
    }
    let run = ActionRequest::new("script.run".parse().expect("it is `noun.verb`"), wanted);
    let request = ActionRequest { idempotency_key, ..run };
    started(&app, request, able_to_start(app.submission(shown))).await
}

/// A script does nothing by itself, and its calls are held against the grant one by one: a grant for some actions is enough to start one.
fn able_to_start(mut submission: Submission) -> Submission {
    if let Some(actions) = &mut submission.grant.actions {
        actions.push("script.run".parse().expect("the name of an action is a pattern"));
    }
    submission
}

/// Starts a script by its action and returns its task.
#[boxed]
pub async fn started(
    app: &Arc<App>,
    request: ActionRequest,
    submission: Submission,
) -> Result<Json<TaskDetail>, Problem> {
    let record = app.gate.submit(request, submission).await?.record;
    let started = match record.outcome {
        Some(Outcome::Done { observation }) => observation.data["task"].clone(),
        Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => return Err(failure.into()),
        Some(Outcome::Interrupted { reason }) => return Err(Failure::new("interrupted", reason).into()),
        None => {
            let hint = format!("decide action {} first, then start the script again", record.envelope.id);
            return Err(Failure::new("conflict", "the start of a script needs approval here").hint(hint).into());
        }
    };
    let id: TaskId = serde_json::from_value(started).map_err(|_| Failure::new("internal", "the run has no task"))?;
    Ok(Json(answer(app.tasks.detail(&id)?)))
}

/// Finds mistakes in a script before it runs. Those that a person looks for in a file show as problems of the file.
#[boxed]
pub async fn check(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(script): Body<CheckScript>,
) -> Json<ScriptFindings> {
    let CheckScript { source, path } = script;
    let mut findings: Vec<ScriptFinding> = app.tasks.check_script(&source);
    findings.sort_by_key(|finding| (finding.line, finding.column));
    if let Some(path) = path.filter(|_| shown.grant().is_none()) {
        let problems = findings.iter().map(|finding| problem(&path, &source, finding)).collect();
        app.workspace.show_problems("aside", &path, problems);
    }
    Json(ScriptFindings { findings })
}

fn problem(path: &WorkspacePath, source: &str, finding: &ScriptFinding) -> aside_core::Problem {
    let line = source.lines().nth(finding.line.saturating_sub(1) as usize).unwrap_or_default();
    aside_core::Problem {
        path: Some(path.clone()),
        line: Some(finding.line),
        end_line: None,
        column: Some(characters(line, finding.column)),
        end_column: finding.end_column.map(|column| characters(line, column)),
        severity: ProblemSeverity::Error,
        message: message(finding),
        source: ProblemSource::Script,
        program: Some("aside".to_owned()),
        detail: None,
        version: None,
        found_line: None,
    }
}

fn message(finding: &ScriptFinding) -> String {
    let message = finding.message.trim_end_matches('.');
    match &finding.hint {
        Some(hint) => format!("{message}. {hint}"),
        None => format!("{message}."),
    }
}

/// The column in characters of a column in UTF-16 units, both from 1.
fn characters(line: &str, column: u32) -> u32 {
    let mut units = 1;
    let before = line.chars().take_while(|character| {
        let is_before = units < column;
        units += u32::try_from(character.len_utf16()).expect("a character has one or two units");
        is_before
    });
    1 + u32::try_from(before.count()).unwrap_or(u32::MAX - 1)
}

/// Returns the text of `aside.d.ts`: the actions that the asker may call.
#[boxed]
pub async fn types(State(app): State<Arc<App>>, Extension(shown): Extension<Shown>) -> String {
    app.tasks.script_types(shown.grant())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_findings_count_characters() {
        let finding =
            ScriptFinding { line: 2, column: 6, end_column: Some(8), message: "no".into(), hint: Some("do".into()) };
        let problem = problem(&WorkspacePath::new("a.ts").unwrap(), "one\n\u{1f30a}\u{1f30a}ab c", &finding);
        assert_eq!((problem.line, problem.column, problem.end_column), (Some(2), Some(4), Some(6)));
        assert_eq!(problem.message, "no. do");
    }
}
