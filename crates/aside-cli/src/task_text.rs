//! Tasks as text: a line in a list, a plan with all it would do, what happened.

use std::fmt::Write as _;

use aside_core::{
    Completeness, Hunk, Pause, Plan, PlanStep, Provenance, StepState, Task, TaskState, Verdict, harmless,
};
use aside_protocol::TaskDetail;

use crate::{
    output::{Colour, Output},
    preview::{render_file, render_noted},
};

/// Why a person is asked, or why not: the reason, and the name of a rule that a person can change.
pub fn because(verdict: &Verdict) -> String {
    let layer = verdict.rule.split('/').next().unwrap_or_default();
    let reason = harmless(&verdict.reason);
    if matches!(layer, "organisation" | "user" | "workspace") {
        return format!("{reason} ({})", harmless(&verdict.rule));
    }
    reason.into_owned()
}

/// One line a task.
pub fn listed(tasks: &[Task], output: &Output) -> String {
    let line = |task: &Task| {
        let objects: Vec<_> = task.objects.iter().take(3).map(|object| harmless(&object.id)).collect();
        let about = if objects.is_empty() { String::new() } else { format!("  [{}]", objects.join(", ")) };
        format!(
            "{}  {:<22}  {}{}\n",
            task.id,
            state_word(task),
            harmless(&task.goal),
            output.paint(Colour::Dim, &about)
        )
    };
    tasks.iter().map(line).collect()
}

/// Everything a person has to see before they say yes. Nothing is cut.
pub fn plan_text(plan: &Plan, provenance: &Provenance, output: &Output) -> String {
    let mut text = String::new();
    for step in &plan.steps {
        text += &step_text(step, plan.steps.len(), output);
    }
    text += match plan.completeness {
        Completeness::Full => "The preview is complete.",
        Completeness::Partial => "! The preview is incomplete.",
        Completeness::Opaque => "! No preview is available.",
    };
    if provenance.is_external() {
        let led = format!("! prompted by an untrusted source: {}", harmless(&provenance.words()));
        text = format!("{text}\n{}", output.paint(Colour::Yellow, &led));
    }
    text + "\n"
}

fn step_text(step: &PlanStep, total: usize, output: &Output) -> String {
    let head = format!("Step {} of {total}: {} ({})", step.number, step.request.action_type, step.risks);
    let mut text = output.paint(Colour::Bold, &head) + "\n";
    if let Some(problem) = &step.problem {
        let words = format!("! will not run: {}", harmless(&problem.message));
        return text + &output.paint(Colour::Yellow, &words) + "\n" + &rejected_text(step, output) + "\n";
    }
    if step.state != StepState::Waiting {
        let what = step.preview.as_ref().map(|preview| harmless(&preview.summary)).unwrap_or_default();
        let _ = writeln!(text, "{}: {what}", step_word(step));
        return text + &rejected_text(step, output) + "\n";
    }
    if let Some(changed) = &step.changed {
        let words = format!("! changed since the last preview: {}", harmless(changed));
        text += &(output.paint(Colour::Yellow, &words) + "\n");
    }
    match &step.preview {
        Some(preview) => text += &render_noted(preview, |hunk| part_words(step, hunk), output),
        None => text += "! no preview is available\n",
    }
    if let Some(earlier) = step.as_if_without {
        let _ = writeln!(text, "! this preview ignores the changes of step {earlier}, which can't be previewed");
    }
    if step.verdict.ruling == aside_core::Ruling::Confirm {
        let _ = writeln!(text, "{}", because(&step.verdict));
    }
    text + &rejected_text(step, output) + "\n"
}

/// What an answer names a change by, and whether it has one; a change that is all of its step needs neither.
fn part_words(step: &PlanStep, hunk: &Hunk) -> String {
    let parts = step.preview.iter().map(|preview| preview.parts().len()).sum::<usize>();
    let accepted = if step.accepted.contains(&hunk.part) { ", accepted" } else { "" };
    if parts < 2 { String::new() } else { format!("part {}{accepted}", hunk.part) }
}

/// What a person took out of a step stays to be read.
fn rejected_text(step: &PlanStep, output: &Output) -> String {
    step.rejected.iter().map(|file| render_file(file, |_| "rejected".to_owned(), output)).collect()
}

/// How a task stands, in a line or two.
pub fn state_text(detail: &TaskDetail, output: &Output) -> String {
    let task = &detail.task;
    let mut text = format!("{}: {}\n", state_word(task), harmless(task.summary.as_deref().unwrap_or(&task.goal)));
    if let (TaskState::AwaitingConfirmation, Some(plan)) = (task.state, &detail.plan) {
        text += &plan_text(plan, &detail.provenance, output);
        let _ = writeln!(text, "waiting for a decision: aside task approve {} --hash {}", task.id, plan.hash);
    } else if task.paused.is_some() {
        let _ = writeln!(text, "to resume: aside task resume {}", task.id);
    } else {
        let _ = writeln!(text, "task {}", task.id);
    }
    text
}

/// All there is to see of a task.
pub fn task_text(detail: &TaskDetail, output: &Output) -> String {
    let mut text = output.paint(Colour::Bold, &harmless(&detail.task.goal)) + "\n";
    for entry in &detail.timeline {
        let step = entry.step.map(|step| format!("{step}. ")).unwrap_or_default();
        let _ = writeln!(text, "{}  {step}{}", entry.at, harmless(&entry.text));
    }
    // While it waits, its plan shows them.
    let over = detail.plan.iter().filter(|_| detail.task.state != TaskState::AwaitingConfirmation);
    for step in over.flat_map(|plan| &plan.steps).filter(|step| !step.rejected.is_empty()) {
        let _ = write!(text, "rejected in step {}:\n{}", step.number, rejected_text(step, output));
    }
    text + &state_text(detail, output)
}

fn state_word(task: &Task) -> String {
    match (task.state, task.paused) {
        (_, Some(Pause::Interrupted)) => "interrupted".to_owned(),
        (_, Some(Pause::Person | Pause::StepLimit)) => "paused".to_owned(),
        (TaskState::AwaitingConfirmation, None) => "waiting for a decision".to_owned(),
        (TaskState::Running, None) => match task.progress.of {
            Some(of) => format!("step {} of {of}", task.progress.step),
            None => "running".to_owned(),
        },
        (state, None) => format!("{state:?}").to_lowercase(),
    }
}

fn step_word(step: &PlanStep) -> &'static str {
    match step.state {
        StepState::Waiting => "waiting",
        StepState::LeftOut => "skipped",
        StepState::Running => "running",
        StepState::Done => "done",
        StepState::Failed => "failed",
        StepState::Interrupted => "interrupted (check what it did)",
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionRequest, Assessment, Failure, LabelSource, Preview, Risk, Ruling, Timestamp, Verdict};
    use serde_json::json;

    use super::*;

    fn step(number: u32, problem: Option<Failure>) -> PlanStep {
        PlanStep {
            number,
            request: ActionRequest::new("file.delete".parse().unwrap(), json!({})),
            undoes: None,
            risks: [Risk::Destructive].into(),
            verdict: Verdict::new(Ruling::Confirm, "default/destructive", "It deletes."),
            assessment: Assessment::default(),
            preview: problem.is_none().then(|| Preview::summary("Delete a\u{1b}[2J")),
            leaves: Vec::new(),
            as_if_without: None,
            changed: None,
            state: if problem.is_some() { StepState::LeftOut } else { StepState::Waiting },
            problem,
            accepted: Vec::new(),
            rejected: Vec::new(),
            approved_by: None,
            action: None,
            outcome: None,
        }
    }

    #[test]
    fn a_plan_shows_each_step_and_why_one_is_not_done() {
        let output = Output { json: false, colour: false };
        let plan =
            Plan::new(vec![step(1, None), step(2, Some(Failure::new("not_found", "no such file")))], Timestamp(0));
        let expected = "Step 1 of 2: file.delete (destructive)\nDelete a\\u{1b}[2J\nIt deletes.\n\n\
                        Step 2 of 2: file.delete (destructive)\n! will not run: no such file\n\nThe preview is complete.\n";
        assert_eq!(plan_text(&plan, &Provenance::default(), &output), expected);
        let led = Provenance::of(LabelSource::external("main.log", "a log"));
        let expected = format!("{expected}! prompted by an untrusted source: `main.log` (a log)\n");
        assert_eq!(plan_text(&plan, &led, &output), expected);
    }
}
