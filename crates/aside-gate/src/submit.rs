//! The way in: from a request to an action that ran, waits, or was refused.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionRecord, ActionRequest, ActionState, AuditKind, Envelope, Risks, Ruling, Sha256, Verdict,
};
use aside_macros::boxed;
use aside_store::Durability;

use crate::{
    Gate, GateError, Handler, Submission, Submitted,
    approval::{Findings, Look, Stopped, refused},
    audit,
    commit::Commit,
    gate::carried_through,
    idempotency::{self, Key},
    intake::{ArgsReading, Refusal, intake},
    place::check_place,
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
    #[boxed]
    pub async fn submit(
        self: &Arc<Self>,
        request: ActionRequest,
        submission: Submission,
    ) -> Result<Submitted, GateError> {
        self.submit_as(self.new_id(), request, submission).await
    }

    /// The same under an id from [`Gate::new_id`], for one who listens to what it puts out. A request that is answered
    /// with a stored action has the id of that one.
    #[boxed]
    pub async fn submit_as(
        self: &Arc<Self>,
        id: ActionId,
        request: ActionRequest,
        submission: Submission,
    ) -> Result<Submitted, GateError> {
        let gate = self.clone();
        carried_through(async move { gate.take_in(id, Ask { request, submission, undoes: None }).await }).await
    }

    /// Says what would become of a request, with the preview, and does nothing. `proposed` means that it would run at
    /// once. The action is not kept: its id names nothing.
    #[boxed]
    pub async fn dry_run(
        self: &Arc<Self>,
        request: ActionRequest,
        submission: Submission,
    ) -> Result<ActionRecord, GateError> {
        let gate = self.clone();
        carried_through(async move { gate.only_look(Ask { request, submission, undoes: None }).await }).await
    }

    pub(crate) async fn take_in(&self, id: ActionId, ask: Ask) -> Result<Submitted, GateError> {
        let mut action = self.draft_as(id, &ask);
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
                if ruling == Ruling::Confirm {
                    action.record.state = ActionState::AwaitingConfirmation;
                }
            }
            Err(stopped) => action.stop(*stopped, self.store.now()),
        }
        self.note(vec![audit::entry(AuditKind::DryRun, self.store.now(), &action)]).await?;
        Ok(action.record)
    }

    /// Catalog, schema, and whether the grant covers this kind of action at all.
    pub(crate) fn admit(&self, action: &mut StoredAction, ask: &Ask) -> Result<Arc<dyn Handler>, Box<Stopped>> {
        let reading = match ask.submission.origin.script() {
            Some(_) => ArgsReading::Strict,
            None => ArgsReading::Lenient,
        };
        let (handler, args) = intake(&self.catalog, &ask.request, reading).map_err(|refusal| stopped_by(&refusal))?;
        action.record.envelope.args = args;
        action.record.envelope.hash = envelope_hash(&action.record.envelope);
        check_place(&action.record.origin, handler.descriptor()).map_err(|refusal| stopped_by(&refusal))?;
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
            Ruling::Confirm | Ruling::Deny => match self.approved_class(&action)? {
                Some(decision) => {
                    let before = vec![self.decided_by_class(&mut action, &decision)];
                    self.carry_out(action, handler, before, key).await
                }
                None => self.ask(action, key).await,
            },
        }
    }

    async fn ask(&self, mut action: StoredAction, key: Option<Key>) -> Result<StoredAction, GateError> {
        action.record.state = ActionState::AwaitingConfirmation;
        let entry = audit::entry(AuditKind::Submitted, self.store.now(), &action);
        let mut commit = Commit::new(Durability::Soon, &action, vec![entry]);
        commit.key = key.map(|key| (key, action.id().clone()));
        self.commit(commit).await?;
        Ok(action)
    }

    /// Ends an action that does not run.
    pub(crate) async fn conclude(&self, mut action: StoredAction, stopped: Stopped) -> Result<StoredAction, GateError> {
        let now = self.store.now();
        action.stop(stopped, now);
        let kind = if action.record.state == ActionState::Refused { AuditKind::Refused } else { AuditKind::Failed };
        let entry = audit::entry(kind, now, &action);
        self.commit(Commit::new(Durability::Soon, &action, vec![entry])).await?;
        Ok(action)
    }

    pub(crate) fn draft(&self, ask: &Ask) -> StoredAction {
        self.draft_as(self.new_id(), ask)
    }

    fn draft_as(&self, id: ActionId, ask: &Ask) -> StoredAction {
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
        StoredAction::new(envelope, &ask.submission, ask.undoes.clone(), self.store.now())
    }
}

pub(crate) fn stopped_by(refusal: &Refusal) -> Box<Stopped> {
    let Refusal { by, rule, failure } = refusal.clone();
    let verdict = Verdict::new(Ruling::Deny, rule, failure.message.clone());
    refused(verdict, by, failure)
}

pub(crate) fn submitted(action: StoredAction) -> Submitted {
    Submitted { record: action.record, replayed: false }
}

#[cfg(test)]
mod tests {
    use aside_core::{Outcome, RefusedBy, ReviewMode, Risk, ThreadEventBody};
    use serde_json::json;

    use super::*;
    use crate::testing::{Bench, model, person, replace, request, thread};

    fn refusal(record: &ActionRecord) -> (RefusedBy, &str) {
        match &record.outcome {
            Some(Outcome::Refused { by, failure }) => (*by, &failure.code),
            other => panic!("not refused: {other:?}"),
        }
    }

    #[tokio::test]
    async fn what_is_allowed_runs_with_its_intent_before_and_its_outcome_after() {
        let bench = Bench::new("one two");
        let record = bench.order(replace("one", "1")).await;
        assert_eq!((record.state, bench.world.text().as_str()), (ActionState::Done, "1 two"));
        assert!(record.can_undo);
        assert!(record.preview.is_some());
        assert_eq!(bench.audited(), ["intent", "outcome"]);
        assert_eq!(bench.audit()[1]["changed"][0]["id"], "text.txt");
        assert_eq!(bench.audit()[0]["rule"], "default/write");
        assert_eq!(bench.gate.audit_verify(None).unwrap().count, 2);
        assert_eq!(bench.now(&record), record);
    }

    #[tokio::test]
    async fn what_only_looks_needs_no_preview_and_is_audited() {
        let bench = Bench::new("one");
        let record = bench.propose(request("text.read", json!({}))).await;
        assert_eq!((record.state, record.preview), (ActionState::Done, None));
        assert_eq!(bench.audited(), ["intent", "outcome"]);
    }

    #[tokio::test]
    async fn a_proposal_waits_and_nothing_runs() {
        let bench = Bench::new("one");
        let record = bench.propose(replace("one", "1")).await;
        assert_eq!((record.state, bench.runs()), (ActionState::AwaitingConfirmation, 0));
        assert!(record.envelope.requires_confirmation);
        assert_eq!(record.verdict.rule, "thread/review-each");
        assert_eq!(bench.audited(), ["submitted"]);
    }

    #[tokio::test]
    async fn edit_that_changes_nothing_asks_nobody() {
        let bench = Bench::new("one");
        let record = bench.propose(replace("one", "one")).await;
        assert_eq!((record.state, bench.world.text().as_str()), (ActionState::Done, "one"));
        assert_eq!((record.verdict.rule.as_str(), record.decided_by), ("preview/no-change", None));
        let network = json!({ "from": "one", "to": "one", "network": true });
        let record = bench.propose(request("text.replace", network)).await;
        assert_eq!(record.state, ActionState::AwaitingConfirmation, "it has an effect beyond the text");
    }

    #[tokio::test]
    async fn every_change_of_a_turn_s_action_is_in_its_thread_s_log() {
        let bench = Bench::new("one");
        bench.auto(replace("one", "1")).await;
        bench.order(replace("1", "one")).await;
        let states: Vec<_> = bench
            .store
            .read(thread().as_str(), 0)
            .unwrap()
            .iter()
            .map(|entry| match entry.parse().unwrap() {
                ThreadEventBody::ActionChanged { record } => record.state,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(states, [ActionState::Running, ActionState::Done]);
    }

    #[tokio::test]
    async fn a_guard_asks_although_the_thread_applies_at_once() {
        let bench = Bench::new("one");
        let record = bench.auto(replace("one", "")).await;
        assert_eq!(record.state, ActionState::AwaitingConfirmation);
        assert_eq!(record.verdict.reason, "A line would be empty.");
        assert_eq!(bench.order(replace("one", "")).await.state, ActionState::Done);
    }

    #[tokio::test]
    async fn a_grant_that_does_not_cover_it_refuses() {
        let bench = Bench::new("one");
        let looking = aside_core::Grant { risks: [Risk::Read].into(), ..aside_core::Grant::full("hint mode") };
        let submission = Submission { grant: looking, ..bench.turn(ReviewMode::AutoApply) };
        let record = bench.submit(replace("one", "1"), submission).await.record;
        assert_eq!(refusal(&record), (RefusedBy::Grant, "not_granted"));
        assert_eq!((bench.runs(), bench.audited()), (0, vec!["refused".to_owned()]));
    }

    #[tokio::test]
    async fn a_grant_is_held_against_risks_that_come_from_arguments() {
        let bench = Bench::new("one");
        let risks = [Risk::Read, Risk::Write].into();
        let grant = aside_core::Grant { risks, ..aside_core::Grant::full("no network") };
        let submission = Submission { grant, ..Submission::person(person()) };
        let args = json!({ "from": "one", "to": "1", "network": true });
        let record = bench.submit(request("text.replace", args.clone()), submission.clone()).await.record;
        assert_eq!(refusal(&record), (RefusedBy::Grant, "not_granted"));
        let protected = json!({ "from": "one", "to": "1", "path": ".envrc" });
        let record = bench.submit(request("text.replace", protected), submission).await.record;
        assert_eq!(refusal(&record), (RefusedBy::Grant, "not_granted"));
    }

    #[tokio::test]
    async fn a_model_is_denied_what_governs_it_and_a_person_is_asked() {
        let bench = Bench::new("one");
        for path in [".git/hooks/pre-commit", ".VSCODE/tasks.json", "sub/.aside/policy.toml"] {
            let wanted = request("text.replace", json!({ "from": "one", "to": "1", "path": path }));
            let record = bench.auto(wanted.clone()).await;
            assert_eq!(refusal(&record), (RefusedBy::Policy, "denied"), "{path}");
            assert!(record.preview.is_none());
            let record = bench.order(wanted).await;
            assert_eq!(record.state, ActionState::AwaitingConfirmation, "{path}");
            assert!(record.envelope.risk_level.contains(Risk::Access));
        }
        assert_eq!(bench.runs(), 0);
    }

    #[tokio::test]
    async fn what_cannot_be_previewed_fails_and_does_not_run() {
        let bench = Bench::new("one");
        let record = bench.order(replace("none", "1")).await;
        assert!(matches!(&record.outcome, Some(Outcome::Failed { failure }) if failure.code == "no_match"));
        let record = bench.order(replace("one", "<unseeable>")).await;
        assert!(matches!(&record.outcome, Some(Outcome::Failed { failure }) if failure.code == "panicked"));
        assert_eq!((bench.runs(), bench.audited()), (0, vec!["failed".to_owned(), "failed".to_owned()]));
    }

    #[tokio::test]
    async fn a_dry_run_shows_what_would_become_of_it_and_keeps_nothing() {
        let bench = Bench::new("one");
        let dry = async |wanted, submission| bench.gate.dry_run(wanted, submission).await.unwrap();
        let allowed = dry(replace("one", "1"), Submission::person(person())).await;
        assert_eq!(allowed.state, ActionState::Proposed);
        assert_eq!(allowed.preview.unwrap().parts(), [0]);
        let asked = dry(replace("one", "1"), bench.turn(ReviewMode::ReviewEach)).await;
        assert_eq!(asked.state, ActionState::AwaitingConfirmation);
        let unreviewed = Submission { origin: model(), ..Submission::person(person()) };
        assert_eq!(dry(replace("one", "1"), unreviewed).await.state, ActionState::AwaitingConfirmation);
        let failed = dry(replace("none", "1"), Submission::person(person())).await;
        assert_eq!(failed.state, ActionState::Failed);
        assert!(dry(request("text.read", json!({})), Submission::person(person())).await.preview.is_some());
        assert_eq!((bench.world.text().as_str(), bench.runs()), ("one", 0));
        assert!(bench.gate.record(&allowed.envelope.id).is_err());
        assert!(bench.audited().iter().all(|kind| kind == "dry_run"));
    }

    #[tokio::test]
    async fn the_envelope_s_hash_covers_what_it_says() {
        let bench = Bench::new("one two");
        let (one, two) = (bench.propose(replace("one", "1")).await, bench.propose(replace("two", "1")).await);
        assert_ne!(one.envelope.hash, two.envelope.hash);
        assert_eq!(one.envelope.hash, envelope_hash(&one.envelope));
        let swapped = Envelope { args: two.envelope.args.clone(), ..one.envelope.clone() };
        assert_ne!(one.envelope.hash, envelope_hash(&swapped));
    }
}
