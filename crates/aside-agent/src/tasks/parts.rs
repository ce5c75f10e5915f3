//! Answers to parts of one step of a plan. What is rejected is taken out of what the step asks for, and the plan is shown
//! anew; what is accepted is marked, and the marks of all parts are a yes to the step.

use aside_core::{FileDiff, Hunk, Plan, PlanStep, Preview, PreviewBody, StepState, TaskDecision, TaskId};

use super::{
    Tasks,
    decide::{leave, why},
    error::TaskError,
    stored::StoredTask,
};

/// Characters of a changed line that a model is reminded of.
const MOST_CHARACTERS: usize = 120;

impl Tasks {
    /// Takes parts of a step out of a plan. Without them other steps may do something else, so all are shown anew.
    pub(super) async fn take_out(
        &self,
        id: &TaskId,
        stored: &StoredTask,
        (plan, number, parts): (&Plan, u32, &[u32]),
        decision: &TaskDecision,
        by: &str,
    ) -> Result<(), TaskError> {
        let mut plan = plan.clone();
        let mut said = None;
        for step in plan.steps.iter_mut().filter(|step| step.number == number) {
            let taken = step.preview.as_ref().map(|preview| only(preview, parts)).unwrap_or_default();
            said = Some(rejected_words(number, &taken, decision, by));
            if is_all(step, parts) {
                leave(step, by);
                continue;
            }
            let rest = self.gate.without(step, parts).map_err(|failure| TaskError::Invalid(failure.to_string()))?;
            step.request = rest;
            step.accepted.retain(|part| !parts.contains(part));
            step.rejected = joined(&step.rejected, taken);
        }
        self.show_again(id, stored, plan, said).await
    }
}

/// The parts of one step that an answer is about, if it is about parts.
pub(super) fn chosen(plan: &Plan, decision: &TaskDecision) -> Result<Option<Vec<u32>>, TaskError> {
    let Some(wanted) = &decision.parts else { return Ok(None) };
    let invalid = |message: String| Err(TaskError::Invalid(message));
    let (Some([number]), None) = (decision.steps.as_deref(), &decision.action_type) else {
        return invalid("parts belong to one step: name only that step in `steps`".to_owned());
    };
    let step = plan.steps.iter().find(|step| step.number == *number);
    if step.is_some_and(|step| step.undoes.is_some()) {
        return invalid(format!("step {number} undoes an action, which can't be split: reject the whole step"));
    }
    let shown = step.map(parts_of).unwrap_or_default();
    if let Some(unknown) = wanted.iter().find(|part| !shown.contains(part)) {
        return invalid(format!("step {number} has no part {unknown}: its parts are {shown:?}"));
    }
    let mut parts = wanted.clone();
    parts.sort_unstable();
    parts.dedup();
    if parts.is_empty() { invalid("`parts` is empty".to_owned()) } else { Ok(Some(parts)) }
}

/// Notes a yes to some parts.
pub(super) fn accept(step: &mut PlanStep, parts: &[u32]) {
    step.accepted.extend(parts);
    step.accepted.sort_unstable();
    step.accepted.dedup();
}

/// Tells whether a person has said yes to each part of a step.
pub(super) fn are_all_accepted(step: &PlanStep) -> bool {
    !step.accepted.is_empty() && is_all(step, &step.accepted)
}

/// "1 change", "2 changes".
pub(super) fn counted(count: usize) -> String {
    if count == 1 { "1 change".to_owned() } else { format!("{count} changes") }
}

/// What was taken out of a step stays readable when the step is shown anew.
pub(super) fn keep_rejected(before: &Plan, now: &mut Plan) {
    for step in &mut now.steps {
        if let Some(was) = same_step(before, step) {
            step.rejected.clone_from(&was.rejected);
        }
    }
}

/// A yes to a part holds for the same change of the same version, where nothing new warns of the step it is in.
pub(super) fn keep_accepted(before: &Plan, now: &mut Plan) {
    for step in &mut now.steps {
        let Some(was) = same_step(before, step).filter(|was| is_no_graver(step, was)) else { continue };
        let (Some(then), Some(shown)) = (&was.preview, &step.preview) else { continue };
        let known: Vec<_> = changes(then).filter(|(_, hunk)| was.accepted.contains(&hunk.part)).map(change).collect();
        let kept = changes(shown).filter(|each| known.contains(&change(*each)));
        step.accepted = kept.map(|(_, hunk)| hunk.part).collect();
    }
}

fn same_step<'a>(before: &'a Plan, step: &PlanStep) -> Option<&'a PlanStep> {
    before.steps.iter().find(|was| was.number == step.number)
}

fn is_no_graver(step: &PlanStep, was: &PlanStep) -> bool {
    let warnings = |step: &PlanStep| step.preview.clone().map(|preview| preview.warnings).unwrap_or_default();
    let known = warnings(was);
    step.state == StepState::Waiting
        && step.assessment.versions == was.assessment.versions
        && step.as_if_without == was.as_if_without
        && step.risks.is_subset(&was.risks)
        && warnings(step).iter().all(|warning| known.contains(warning))
}

fn parts_of(step: &PlanStep) -> Vec<u32> {
    step.preview.as_ref().map(Preview::parts).unwrap_or_default()
}

fn is_all(step: &PlanStep, parts: &[u32]) -> bool {
    parts_of(step).iter().all(|part| parts.contains(part))
}

fn changes(preview: &Preview) -> impl Iterator<Item = (&FileDiff, &Hunk)> {
    let files = if let PreviewBody::Diff { files } = &preview.body { files.as_slice() } else { &[] };
    files.iter().flat_map(|file| file.hunks.iter().map(move |hunk| (file, hunk)))
}

/// Which lines of which file or cell become which.
fn change<'a>((file, hunk): (&'a FileDiff, &'a Hunk)) -> impl PartialEq + 'a {
    let cell = file.cell.as_ref().map(|cell| cell.key.as_str());
    (&file.path, cell, hunk.start, &hunk.old, &hunk.new)
}

/// What a preview shows of some parts.
fn only(preview: &Preview, parts: &[u32]) -> Vec<FileDiff> {
    let PreviewBody::Diff { files } = &preview.body else { return Vec::new() };
    let hunks = |file: &FileDiff| file.hunks.iter().filter(|hunk| parts.contains(&hunk.part)).cloned().collect();
    let cut = files.iter().map(|file| FileDiff { hunks: hunks(file), note: None, ..file.clone() });
    cut.filter(|file| !file.hunks.is_empty()).collect()
}

/// One entry a file or cell, in the order of its lines, with numbers from 0.
fn joined(before: &[FileDiff], more: Vec<FileDiff>) -> Vec<FileDiff> {
    let mut all = before.to_vec();
    for file in more {
        match all.iter_mut().find(|known| known.path == file.path && known.cell == file.cell) {
            Some(known) => known.hunks.extend(file.hunks),
            None => all.push(file),
        }
    }
    all.iter_mut().for_each(|file| file.hunks.sort_by_key(|hunk| hunk.start));
    for (part, hunk) in (0..).zip(all.iter_mut().flat_map(|file| &mut file.hunks)) {
        hunk.part = part;
    }
    all
}

fn rejected_words(step: u32, taken: &[FileDiff], decision: &TaskDecision, by: &str) -> String {
    let hunks: Vec<_> = taken.iter().flat_map(|file| file.hunks.iter().map(move |hunk| (file, hunk))).collect();
    let each: Vec<_> = hunks.iter().map(|(file, hunk)| words(file, hunk)).collect();
    let count = counted(hunks.len());
    format!("{by} rejected {count} of step {step}: {}.{}", each.join("; "), why(decision))
}

/// The model's own words, and none of what is in the file.
fn words(file: &FileDiff, hunk: &Hunk) -> String {
    let place = match &file.cell {
        Some(cell) => format!("cell {} of {}, line {}", cell.number, file.path, hunk.start),
        None => format!("line {} of {}", hunk.start, file.path),
    };
    match hunk.new.iter().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{place}, `{}`", line.trim().chars().take(MOST_CHARACTERS).collect::<String>()),
        None => format!("{place}, a deletion"),
    }
}
