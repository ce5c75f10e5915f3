//! The way in: from a request to an action that ran, waits, or was refused.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionRecord, ActionRequest, ActionState, Assessment, Envelope, Risks, Ruling, Sha256, Timestamp, Verdict,
};
use aside_store::Durability;

use crate::{
    Gate, GateError, Handler, Submission, Submitted,
    approval::{Findings, Look, Stopped, refused},
    audit::{self, Kind},
    gate::{NEW, carried_through},
    idempotency::{self, Key, UsedKey},
    intake::{Refusal, intake},
    journal::Commit,
    record::{StoredAction, envelope_hash},
};

/// What is submitted: by its author directly, or as the inverse of another action.
pub(crate) struct Ask {
    pub(crate) request: ActionRequest,
    pub(crate) submission: Submission,
    pub(crate) undoes: Option<ActionId>,
}

impl Gate {
    /// Takes a request in and carries it out, unless it is refused or a person has to decide.
    pub async fn submit(
        self: &Arc<Self>,
        request: ActionRequest,
        submission: Submission,
    ) -> Result<Submitted, GateError> {
        let gate = self.clone();
        carried_through(async move { gate.take_in(Ask { request, submission, undoes: None }).await }).await
    }

    /// Says what would become of a request, with the preview, and does nothing. `proposed` means that it would run at
    /// once. The action is not kept: its id names nothing.
    pub async fn dry_run(
        self: &Arc<Self>,
        request: ActionRequest,
        submission: Submission,
    ) -> Result<ActionRecord, GateError> {
        let gate = self.clone();
        carried_through(async move { gate.only_look(Ask { request, submission, undoes: None }).await }).await
    }

    pub(crate) async fn take_in(&self, ask: Ask) -> Result<Submitted, GateError> {
        let mut action = self.draft(&ask);
        let handler = match self.admit(&mut action, &ask) {
            Ok(handler) => handler,
            Err(stopped) => return self.conclude(action, *stopped).await.map(submitted),
        };
        let key = idempotency::key(&ask, &action.record.envelope.args);
        // Held to the end, so that a duplicate finds the outcome.
        let _pass = match &key {
            Some(key) => Some(self.in_flight.enter(format!("key:{}", key.scoped)).await),
            None => None,
        };
        if let Some(key) = &key {
            action.record.envelope.idempotency_key = key.text.clone();
            if let Some(answer) = self.replay(&action, key).await? {
                return Ok(answer);
            }
        }
        match self.look(&action, &*handler, Look::AsNeeded).await {
            Ok(found) => self.proceed(action, &*handler, found, key).await.map(submitted),
            Err(stopped) => self.conclude(action, *stopped).await.map(submitted),
        }
    }

    async fn only_look(&self, ask: Ask) -> Result<ActionRecord, GateError> {
        let mut action = self.draft(&ask);
        let looked = match self.admit(&mut action, &ask) {
            Ok(handler) => self.look(&action, &*handler, Look::Closely).await,
            Err(stopped) => Err(stopped),
        };
        match looked {
            Ok(found) => {
                let ruling = action.take_findings(found);
                action.record.state = if ruling == Ruling::Confirm { ActionState::AwaitingConfirmation } else { NEW };
            }
            Err(stopped) => action.stop(*stopped, self.store.now()),
        }
        self.note(vec![audit::entry(Kind::DryRun, self.store.now(), &action.record)]).await?;
        Ok(action.record)
    }

    /// Catalog, schema, and whether the grant covers this kind of action at all.
    fn admit(&self, action: &mut StoredAction, ask: &Ask) -> Result<Arc<dyn Handler>, Box<Stopped>> {
        let (handler, args) = intake(&self.catalog, &ask.request).map_err(stopped_by)?;
        action.record.envelope.args = args;
        action.record.envelope.hash = envelope_hash(&action.record.envelope);
        self.check_grant(action, &handler.descriptor().risks)?;
        Ok(handler)
    }

    /// Runs it or asks for it, as the verdict says.
    async fn proceed(
        &self,
        mut action: StoredAction,
        handler: &dyn Handler,
        found: Findings,
        key: Option<Key>,
    ) -> Result<StoredAction, GateError> {
        match action.take_findings(found) {
            Ruling::Allow => self.carry_out(action, handler, Vec::new(), key).await,
            Ruling::Confirm | Ruling::Deny => self.ask(action, key).await,
        }
    }

    async fn ask(&self, mut action: StoredAction, key: Option<Key>) -> Result<StoredAction, GateError> {
        action.record.state = ActionState::AwaitingConfirmation;
        let entry = audit::entry(Kind::Submitted, self.store.now(), &action.record);
        let mut commit = Commit::new(Durability::Normal, &action, vec![entry]);
        commit.key = key.map(|key| (key, action.id().clone()));
        self.commit(commit).await?;
        Ok(action)
    }

    /// Ends an action that does not run.
    pub(crate) async fn conclude(&self, mut action: StoredAction, stopped: Stopped) -> Result<StoredAction, GateError> {
        let now = self.store.now();
        action.stop(stopped, now);
        let kind = if action.record.state == ActionState::Refused { Kind::Refused } else { Kind::Failed };
        let entry = audit::entry(kind, now, &action.record);
        self.commit(Commit::new(Durability::Normal, &action, vec![entry])).await?;
        Ok(action)
    }

    /// Returns the stored action for a key that is known. What is not allowed any more is not replayed either.
    async fn replay(&self, action: &StoredAction, key: &Key) -> Result<Option<Submitted>, GateError> {
        let Some(used) = self.store.get::<UsedKey>(idempotency::KIND, key.scoped.as_str())? else { return Ok(None) };
        if used.request != key.request {
            return Err(self.reused(action.clone(), key, used.action).await?);
        }
        let known = self.stored(&used.action)?.record;
        let allowed = self
            .check_grant(action, &known.envelope.risk_level)
            .and_then(|()| self.rule(action, &known.envelope.risk_level, &known.assessment, known.preview.as_ref()));
        if let Err(stopped) = allowed {
            return self.conclude(action.clone(), *stopped).await.map(|action| Some(submitted(action)));
        }
        self.note(vec![audit::entry(Kind::Replayed, self.store.now(), &known)]).await?;
        Ok(Some(Submitted { record: known, replayed: true }))
    }

    async fn reused(&self, mut action: StoredAction, key: &Key, used: ActionId) -> Result<GateError, GateError> {
        let error = GateError::KeyReused { key: key.text.clone(), action: used };
        let refusal = Refusal::request("request/key-reused", error.failure());
        action.stop(*stopped_by(refusal), self.store.now());
        self.note(vec![audit::entry(Kind::Refused, self.store.now(), &action.record)]).await?;
        Ok(error)
    }

    fn draft(&self, ask: &Ask) -> StoredAction {
        let id: ActionId = self.store.new_id();
        let request = ask.request.clone();
        let envelope = Envelope {
            idempotency_key: request.idempotency_key.unwrap_or_else(|| id.to_string()),
            id,
            hash: Sha256::of(""),
            action_type: request.action_type,
            target: request.target,
            args: request.args,
            risk_level: Risks::default(),
            requires_confirmation: false,
            audit_context: request.audit_context,
        };
        self.new_action(envelope, &ask.submission, ask.undoes.clone())
    }

    pub(crate) fn new_action(
        &self,
        mut envelope: Envelope,
        submission: &Submission,
        undoes: Option<ActionId>,
    ) -> StoredAction {
        envelope.hash = envelope_hash(&envelope);
        let now = self.store.now();
        let Submission { origin, grant, review } = submission.clone();
        let reason = "Nobody has ruled on it yet.".to_owned();
        let record = ActionRecord {
            envelope,
            origin,
            state: NEW,
            verdict: Verdict { ruling: Ruling::Deny, rule: "none".to_owned(), reason },
            assessment: Assessment::default(),
            preview: None,
            approval_hash: None,
            parts: Vec::new(),
            decided_by: None,
            outcome: None,
            can_undo: false,
            parent: None,
            undoes,
            undone_by: None,
            created: now,
            ended: None,
        };
        StoredAction { record, inverse: None, grant, review, shown: now, rejections: Default::default() }
    }
}

impl StoredAction {
    /// Takes over what was found out; returns the ruling.
    pub(crate) fn take_findings(&mut self, found: Findings) -> Ruling {
        let ruling = found.verdict.ruling;
        self.rule(found.risks, found.assessment, found.verdict, found.preview);
        ruling
    }

    fn stop(&mut self, stopped: Stopped, now: Timestamp) {
        self.record.verdict = stopped.verdict;
        self.end(stopped.outcome, now);
    }
}

fn stopped_by(refusal: Box<Refusal>) -> Box<Stopped> {
    let Refusal { by, rule, failure } = *refusal;
    let verdict = Verdict { ruling: Ruling::Deny, rule, reason: failure.message.clone() };
    refused(verdict, by, failure)
}

fn submitted(action: StoredAction) -> Submitted {
    Submitted { record: action.record, replayed: false }
}
