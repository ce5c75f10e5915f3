//! What policy and handler say about an action now, and whether that is still what a person saw.

use std::sync::Arc;

use aside_core::{
    Assessment, Choice, Completeness, Failure, Hunk, NoteRow, ObjectVersion, Outcome, PartDecision, Preview,
    PreviewBody, RefusedBy, Risk, Risks, Ruling, Sha256, Timestamp, Verdict,
};

use crate::{
    ActionContext, Gate, Handler, Progress, Question, call, content_labels::with_speaker, policy::with_protection,
    record::StoredAction,
};

/// What was found out about an action that could run.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    pub(crate) risks: Risks,
    pub(crate) assessment: Assessment,
    pub(crate) verdict: Verdict,
    pub(crate) preview: Option<Preview>,
}

/// Whether a preview is made when nobody has to see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Only for what changes something or asks.
    AsNeeded,
    /// In any case.
    Closely,
}

/// An action that can't run, and the verdict that goes with it.
pub(crate) struct Stopped {
    pub(crate) verdict: Verdict,
    pub(crate) outcome: Outcome,
    /// What the handler had said by then: the outcome may tell of what is in the files that it names.
    pub(crate) assessment: Option<Assessment>,
}

impl Stopped {
    /// Why it can't run.
    pub(crate) fn failure(&self) -> Failure {
        match &self.outcome {
            Outcome::Refused { failure, .. } | Outcome::Failed { failure } => failure.clone(),
            Outcome::Done { .. } | Outcome::Interrupted { .. } => Failure::new("denied", &self.verdict.reason),
        }
    }
}

impl Gate {
    pub(crate) fn context(&self, action: &StoredAction) -> ActionContext {
        ActionContext {
            id: action.id().clone(),
            origin: action.record.origin.clone(),
            grant: action.grant.clone(),
            now: self.store.now(),
            undoes: action.record.undoes.clone(),
            admits: self.admits(action),
            touches: action.record.assessment.targets.clone(),
            approved: is_bound(action).then(|| essence(action.record.preview.as_ref())).flatten(),
            progress: Progress::default(),
            would_be: Arc::default(),
        }
    }

    /// Assesses, rules, previews and rules again with what the guards saw. Changes nothing.
    pub(crate) async fn look(
        &self,
        action: &StoredAction,
        handler: &dyn Handler,
        look: Look,
    ) -> Result<Findings, Box<Stopped>> {
        self.look_within(action, &self.context(action), handler, look).await
    }

    /// The same in a context of its own, such as the files as they would be.
    pub(crate) async fn look_within(
        &self,
        action: &StoredAction,
        context: &ActionContext,
        handler: &dyn Handler,
        look: Look,
    ) -> Result<Findings, Box<Stopped>> {
        let args = &action.record.envelope.args;
        let assessment = call::assess(handler, context, args).await.map_err(failed)?;
        let assessment = with_speaker(assessment, handler.descriptor());
        let looked = self.look_at(action, context, handler, (&assessment, look)).await;
        let (risks, verdict, preview) = looked.map_err(|mut stopped| {
            stopped.assessment = Some(assessment.clone());
            stopped
        })?;
        Ok(Findings { risks, assessment, verdict, preview })
    }

    async fn look_at(
        &self,
        action: &StoredAction,
        context: &ActionContext,
        handler: &dyn Handler,
        (assessment, look): (&Assessment, Look),
    ) -> Result<(Risks, Verdict, Option<Preview>), Box<Stopped>> {
        let args = &action.record.envelope.args;
        let risks: Risks = handler.descriptor().risks.0.union(&assessment.risks.0).copied().collect();
        let risks = self.policy.with_own_access(risks, &assessment.targets);
        self.check_grant(action, &with_protection(risks.clone(), &assessment.targets))?;
        self.check_paths(action, handler.descriptor().effect, assessment)?;
        let mut verdict = self.rule(action, &risks, assessment, None)?;
        let unseen = risks.is_read_only() && verdict.ruling == Ruling::Allow && look == Look::AsNeeded;
        let preview = match unseen {
            true => None,
            false => Some(call::preview(handler, context, args).await.map_err(failed)?),
        };
        if preview.as_ref().is_some_and(|preview| !preview.warnings.is_empty()) {
            verdict = self.rule(action, &risks, assessment, preview.as_ref())?;
        }
        let only_edits = risks.0.iter().all(|risk| matches!(risk, Risk::Read | Risk::Write));
        if verdict.ruling == Ruling::Confirm && only_edits && preview.as_ref().is_some_and(Preview::changes_nothing) {
            verdict = Verdict::new(Ruling::Allow, NO_CHANGE, "There is nothing to change.".to_owned());
        }
        // To be shown may have taken long.
        self.check_holds(action)?;
        Ok((risks, verdict, preview))
    }

    /// What policy is asked about an action.
    pub(crate) fn question<'a>(
        &self,
        action: &'a StoredAction,
        risks: &'a Risks,
        assessment: &'a Assessment,
        preview: Option<&'a Preview>,
    ) -> Question<'a> {
        asked(action, risks, assessment, preview, self.store.now())
    }

    pub(crate) fn rule(
        &self,
        action: &StoredAction,
        risks: &Risks,
        assessment: &Assessment,
        preview: Option<&Preview>,
    ) -> Result<Verdict, Box<Stopped>> {
        let verdict = self.verdict(&self.question(action, risks, assessment, preview));
        if verdict.ruling != Ruling::Deny {
            return Ok(verdict);
        }
        let failure = Failure::new("denied", verdict.reason.clone()).data(&verdict.rule);
        Err(refused(verdict, RefusedBy::Policy, failure))
    }
}

/// The rule for an edit that would change nothing: nobody is asked about it.
const NO_CHANGE: &str = "preview/no-change";

/// Tells whether the run has to do what the preview shows: a person has said yes to it, or nobody was asked about it.
fn is_bound(action: &StoredAction) -> bool {
    action.record.decided_by.is_some() || action.record.verdict.rule == NO_CHANGE
}

/// What policy is asked about an action at a time.
pub(crate) fn asked<'a>(
    action: &'a StoredAction,
    risks: &'a Risks,
    assessment: &'a Assessment,
    preview: Option<&'a Preview>,
    now: Timestamp,
) -> Question<'a> {
    Question {
        action: &action.record.envelope.action_type,
        risks,
        args: &action.record.envelope.args,
        targets: &assessment.targets,
        command: assessment.command.as_deref(),
        origin: &action.record.origin,
        review: action.review,
        runs: action.runs,
        runs_after_outputs: action.runs_after_outputs.as_ref(),
        warnings: preview.map(|preview| preview.warnings.as_slice()).unwrap_or_default(),
        undo: action.record.undoes.is_some(),
        provenance: &action.record.provenance,
        hosts: &assessment.hosts,
        typed_hosts: &action.typed_hosts,
        recovered: action.recovered,
        now,
    }
}

/// Tells whether a person's approval of what was shown covers what would happen now: the same change, to the same
/// versions of what it is made from, with no other risks.
pub(crate) fn covers(action: &StoredAction, found: &Findings) -> bool {
    let record = &action.record;
    let same = essence(record.preview.as_ref()) == essence(found.preview.as_ref());
    let versions = |assessment| bound_versions(assessment, found.preview.as_ref());
    let risks = with_protection(found.risks.clone(), &found.assessment.targets);
    same && versions(&record.assessment) == versions(&found.assessment) && risks.is_subset(&record.envelope.risk_level)
}

/// The versions that an approval is bound to. Where the preview shows line by line all that changes of an object, its
/// other lines may have changed since: nothing was decided about them. Anything else is shown by its name or its size
/// only, so that it has to be the very thing that was there.
fn bound_versions<'a>(assessment: &'a Assessment, preview: Option<&Preview>) -> Vec<&'a ObjectVersion> {
    let is_bound = |version: &&ObjectVersion| !preview.is_some_and(|preview| is_shown_by_lines(preview, version));
    assessment.versions.iter().filter(is_bound).collect()
}

fn is_shown_by_lines(preview: &Preview, version: &ObjectVersion) -> bool {
    let PreviewBody::Diff { files } = &preview.body else { return false };
    let mut diffs = files.iter().filter(|file| file.path.as_str() == version.object.id).peekable();
    preview.completeness == Completeness::Full && diffs.peek().is_some() && diffs.all(|file| !file.hunks.is_empty())
}

fn essence(preview: Option<&Preview>) -> Option<Sha256> {
    preview.map(Preview::essence)
}

/// Tells whether the preview of some parts on their own shows what the whole showed as these parts.
/// Its place may be surer than it was, since a part names the very lines that were found.
pub(crate) fn is_part(whole: &Preview, parts: &[u32], alone: &Preview) -> bool {
    if let (PreviewBody::Rows { rows: shown }, PreviewBody::Rows { rows: found }) = (&whole.body, &alone.body) {
        let shown = shown.iter().filter(|row| parts.contains(&row.part)).map(of_row);
        return shown.eq(found.iter().map(of_row));
    }
    let (shown, found) = (changes(whole, |hunk| parts.contains(&hunk.part)), changes(alone, |_| true));
    let same = |(shown, found): (&Change<'_>, &Change<'_>)| {
        (shown.0, shown.1, shown.2) == (found.0, found.1, found.2) && (shown.3 || !found.3)
    };
    shown.len() == found.len() && shown.iter().zip(&found).all(same)
}

/// File and cell, lines that go, lines that come, and whether the place is sure: what [`Preview::essence`] keeps of a hunk.
type Change<'a> = ((&'a str, Option<&'a str>), &'a [String], &'a [String], bool);

fn changes(preview: &Preview, wanted: impl Fn(&Hunk) -> bool) -> Vec<Change<'_>> {
    let PreviewBody::Diff { files } = &preview.body else { return Vec::new() };
    let hunks = files.iter().flat_map(|file| file.hunks.iter().map(move |hunk| (file, hunk)));
    hunks
        .filter(|(_, hunk)| wanted(hunk))
        .map(|(file, hunk)| {
            let loose = hunk.confidence == aside_core::Confidence::Loose;
            let cell = file.cell.as_ref().map(|cell| cell.key.as_str());
            ((file.path.as_str(), cell), hunk.old.as_slice(), hunk.new.as_slice(), loose)
        })
        .collect()
}

/// Returns the fields of a row that [`Preview::essence`] keeps.
fn of_row(row: &NoteRow) -> (&str, &str, Option<&str>, Option<&str>) {
    (row.path.as_str(), &row.field, row.before.as_deref(), row.after.as_deref())
}

/// Tells whether a part was decided, and how.
pub(crate) fn decided(parts: &[PartDecision], part: u32) -> Option<Choice> {
    parts.iter().find(|decided| decided.part == part).map(|decided| decided.decision)
}

pub(crate) fn refused(verdict: Verdict, by: RefusedBy, failure: Failure) -> Box<Stopped> {
    Box::new(Stopped { verdict, outcome: Outcome::Refused { by, failure }, assessment: None })
}

/// Arguments that only the handler can judge are as wrong as those against the schema.
fn failed(failure: Failure) -> Box<Stopped> {
    let reason = "The request could not be assessed, so it does not run.".to_owned();
    let verdict = Verdict::new(Ruling::Deny, "builtin/not-assessed", reason);
    match failure.code.as_str() {
        "invalid_args" => refused(verdict, RefusedBy::Request, failure),
        _ => Box::new(Stopped { verdict, outcome: Outcome::Failed { failure }, assessment: None }),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionState, Decision};
    use serde_json::json;

    use crate::testing::{Bench, request};

    #[tokio::test]
    async fn what_was_shown_by_its_size_only_is_the_very_thing_that_was_there() {
        let bench = Bench::new("one two");
        let asked = bench.order(request("text.clear", json!({}))).await;
        bench.world.set("six ten");
        let yes = Decision::approve(asked.approval_hash.clone());
        let error = bench.gate.decide(&asked.envelope.id, yes.clone(), "ada").await.unwrap_err();
        assert_eq!((error.failure().code.as_str(), bench.runs()), ("stale", 0));
        let again = bench.now(&asked);
        assert_eq!(again.preview, asked.preview, "it looks the same");
        assert_ne!(again.approval_hash, asked.approval_hash, "and is another one");
        let error = bench.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap_err();
        assert_eq!(error.failure().code, "stale");
        let yes = Decision::approve(again.approval_hash);
        let done = bench.gate.decide(&asked.envelope.id, yes, "ada").await.unwrap();
        assert_eq!((done.state, bench.runs()), (ActionState::Done, 1));
    }
}
