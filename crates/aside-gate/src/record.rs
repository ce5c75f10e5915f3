//! What the Gate keeps of an action beyond what others see, and the kinds of its records.

use std::collections::BTreeMap;

use aside_core::{
    ActionId, ActionRecord, ActionState, Assessment, Envelope, Grant, Inverse, Origin, Outcome, Preview, ReviewMode,
    Risks, Ruling, RunMode, Sha256, Timestamp, Verdict, WorkspacePath, said_by_program,
};
use aside_store::{Batch, StoreError};
use serde::{Deserialize, Serialize};

use crate::{
    Submission,
    approval::{Findings, Stopped},
    policy::with_protection,
};

/// Every action, as [`StoredAction`].
pub(crate) const ACTIONS: &str = "action";
/// The ids of those that are not at an end, owned by `awaiting` or `running`.
pub(crate) const OPEN: &str = "action_open";
/// The ids of those that `undo` without an id would take back.
pub(crate) const UNDOABLE: &str = "action_undoable";

/// An approval counts for a week after what it is for was shown.
const SHOWN_FOR: i64 = 7 * 24 * 60 * 60 * 1000;

pub(crate) const AWAITING: &str = "awaiting";
pub(crate) const RUNNING: &str = "running";

/// One action as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredAction {
    pub(crate) record: ActionRecord,
    pub(crate) inverse: Option<Inverse>,
    /// What the origin may do; looked at again when a person approves.
    pub(crate) grant: Grant,
    pub(crate) review: Option<ReviewMode>,
    #[serde(default)]
    pub(crate) runs: RunMode,
    #[serde(default)]
    pub(crate) runs_after_outputs: Option<WorkspacePath>,
    /// The hosts that the person named.
    #[serde(default)]
    pub(crate) typed_hosts: Vec<String>,
    /// The call was read out of a model's text.
    #[serde(default)]
    pub(crate) recovered: bool,
    /// When the preview was last made.
    pub(crate) shown: Timestamp,
    /// Why parts were rejected.
    #[serde(default)]
    pub(crate) rejections: BTreeMap<u32, String>,
}

impl StoredAction {
    /// One that nobody has ruled on.
    pub(crate) fn new(
        mut envelope: Envelope,
        submission: &Submission,
        undoes: Option<ActionId>,
        now: Timestamp,
    ) -> Self {
        envelope.hash = envelope_hash(&envelope);
        let Submission { origin, grant, review, runs, runs_after_outputs, .. } = submission.clone();
        let Submission { mut provenance, marked, typed_hosts, recovered, .. } = submission.clone();
        match origin.starter() {
            Origin::Mcp { client, .. } => provenance.add(said_by_program(client)),
            Origin::Client { .. } => provenance.add(said_by_program(&grant.name)),
            Origin::User { .. }
            | Origin::Cli { .. }
            | Origin::Turn { .. }
            | Origin::Sidebar { .. }
            | Origin::Script { .. } => {}
        }
        let reason = "No rule has been applied yet.".to_owned();
        let record = ActionRecord {
            envelope,
            origin,
            grant: grant.reference(),
            provenance,
            marked,
            state: ActionState::Proposed,
            verdict: Verdict::new(Ruling::Deny, "none", reason),
            assessment: Assessment::default(),
            preview: None,
            approval_hash: None,
            expires: None,
            parts: Vec::new(),
            decided_by: None,
            remembered: None,
            outcome: None,
            can_undo: false,
            undo_until: None,
            parent: None,
            undoes,
            undone_by: None,
            created: now,
            ended: None,
        };
        Self {
            record,
            inverse: None,
            grant,
            review,
            runs,
            runs_after_outputs,
            typed_hosts,
            recovered,
            shown: now,
            rejections: BTreeMap::new(),
        }
    }

    /// Who asked, and how far they may go.
    pub(crate) fn submission(&self) -> Submission {
        Submission {
            origin: self.record.origin.clone(),
            grant: self.grant.clone(),
            review: self.review,
            runs: self.runs,
            runs_after_outputs: self.runs_after_outputs.clone(),
            provenance: self.record.provenance.clone(),
            marked: self.record.marked.clone(),
            typed_hosts: self.typed_hosts.clone(),
            recovered: self.recovered,
        }
    }

    pub(crate) fn id(&self) -> &ActionId {
        &self.record.envelope.id
    }

    /// Tells whether it is a step of a plan that a person said yes to.
    pub(crate) fn is_step(&self) -> bool {
        let context = self.record.envelope.audit_context.as_ref();
        self.record.decided_by.is_some() && context.is_some_and(|context| context["task"].is_string())
    }

    /// Takes in what the handler and policy said, and binds the envelope and the approval to it.
    pub(crate) fn rule(&mut self, risks: Risks, assessment: Assessment, verdict: Verdict, preview: Option<Preview>) {
        let record = &mut self.record;
        record.envelope.risk_level = with_protection(risks, &assessment.targets);
        record.envelope.requires_confirmation = verdict.ruling == Ruling::Confirm;
        record.envelope.hash = envelope_hash(&record.envelope);
        record.assessment = assessment;
        record.verdict = verdict;
        record.preview = preview;
        self.bind(self.shown);
    }

    /// Says that it is shown at this time: if a person has to decide, until when an approval counts and what it is
    /// bound to.
    pub(crate) fn bind(&mut self, now: Timestamp) {
        self.shown = now;
        let record = &mut self.record;
        let shown = record.preview.as_ref().filter(|_| record.envelope.requires_confirmation);
        record.expires = shown.map(|_| now.plus(SHOWN_FOR));
        record.approval_hash = shown.map(|preview| {
            Sha256::of_json(&(&record.envelope.hash, preview, &record.assessment.versions, record.expires))
        });
    }

    /// Ends it.
    pub(crate) fn end(&mut self, outcome: Outcome, at: Timestamp) {
        self.record.outcome = Some(outcome);
        self.record.state = self.ended_as();
        self.record.ended = Some(at);
        self.record.can_undo = self.undoable(at);
    }

    /// The state that its outcome means, also when it was taken back and done again.
    pub(crate) fn ended_as(&self) -> ActionState {
        match self.record.outcome {
            Some(Outcome::Refused { .. }) => ActionState::Refused,
            Some(Outcome::Failed { .. }) => ActionState::Failed,
            Some(Outcome::Interrupted { .. }) => ActionState::Interrupted,
            Some(Outcome::Done { .. }) | None => ActionState::Done,
        }
    }

    /// Takes over what was found out; returns the ruling.
    pub(crate) fn take_findings(&mut self, found: Findings) -> Ruling {
        let ruling = found.verdict.ruling;
        self.rule(found.risks, found.assessment, found.verdict, found.preview);
        ruling
    }

    pub(crate) fn stop(&mut self, stopped: Stopped, now: Timestamp) {
        self.record.verdict = stopped.verdict;
        if let Some(assessment) = stopped.assessment {
            self.record.assessment = assessment;
        }
        self.end(stopped.outcome, now);
    }

    pub(crate) fn undoable(&self, now: Timestamp) -> bool {
        let is_kept = self.record.undo_until.is_none_or(|until| until > now);
        matches!(self.record.state, ActionState::Done | ActionState::Interrupted) && self.inverse.is_some() && is_kept
    }

    /// Writes it, with what follows from its state.
    pub(crate) fn write(&self, batch: &mut Batch) -> Result<(), StoreError> {
        let id = self.id().as_str();
        batch.put(ACTIONS, id, self.record.origin.thread().map(|thread| thread.as_str()), self)?;
        match self.record.state {
            ActionState::AwaitingConfirmation => batch.put(OPEN, id, Some(AWAITING), &id)?,
            ActionState::Running => batch.put(OPEN, id, Some(RUNNING), &id)?,
            _ => batch.delete(OPEN, id),
        }
        // An undo is taken back by its id, so that undoing twice takes back two actions.
        if self.record.can_undo && self.record.undoes.is_none() {
            batch.put(UNDOABLE, id, None, &id)?;
        } else {
            batch.delete(UNDOABLE, id);
        }
        Ok(())
    }
}

/// SHA-256 of the canonical JSON of all fields but the id and the hash.
pub(crate) fn envelope_hash(envelope: &Envelope) -> Sha256 {
    let Envelope { id: _, hash: _, action_type, target, args, risk_level, .. } = envelope;
    let rest = (envelope.requires_confirmation, &envelope.idempotency_key, &envelope.audit_context);
    Sha256::of_json(&(action_type, target, args, risk_level, rest))
}
