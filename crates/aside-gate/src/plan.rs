//! Plans: several requests previewed in order, each over the state that the ones before it would leave; and one
//! step of a plan carried out, if it is exactly what a person saw and said yes to.

use std::sync::Arc;

use aside_core::{
    ActionId, ActionRequest, AuditKind, Decision, EffectScope, Effects, Failure, Outcome, Plan, PlanStep, Ruling,
    Sha256, StepState, TaskId, WouldBe,
};
use aside_macros::boxed;
use serde_json::json;

use crate::{
    ActionContext, Gate, GateError, Handler, Submission, Submitted,
    approval::{Findings, Look, Stopped},
    audit, call,
    gate::carried_through,
    idempotency,
    policy::with_protection,
    record::StoredAction,
    submit::{Ask, submitted},
};

/// One request of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its number in the plan.
    pub number: u32,
    /// What is asked for.
    pub request: ActionRequest,
    /// The action that it takes back, if it is an undo.
    pub undoes: Option<ActionId>,
}

/// A yes to a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The person who said it; absent if nobody was asked, because the rules allow each step as they would by itself.
    pub by: Option<String>,
    /// The task whose plan it is.
    pub task: TaskId,
    /// The plan's hash.
    pub plan: Sha256,
    /// The id of the action that carries the step out, so that whoever started it can follow and stop it. A step that
    /// ran before keeps the id that it had then.
    pub action: ActionId,
    /// The action that made the plan, if one did.
    pub parent: Option<ActionId>,
}

/// What is known while a plan is looked through.
#[derive(Default)]
struct Foreseeing {
    would_be: Arc<WouldBe>,
    /// The first step of which nobody can know what it changes.
    unknown: Option<u32>,
    steps: Vec<PlanStep>,
    audit: Vec<serde_json::Value>,
}

impl Gate {
    /// Says what would become of some requests, in order, and does nothing.
    ///
    /// What can't or may not be done is in the plan with its reason, and left out of the state after it.
    #[boxed]
    pub async fn foresee(self: &Arc<Self>, calls: Vec<Call>, submission: Submission) -> Result<Plan, GateError> {
        let gate = self.clone();
        carried_through(async move {
            let mut seen = Foreseeing::default();
            for call in calls {
                gate.foresee_step(call, &submission, &mut seen).await;
            }
            gate.note(seen.audit).await?;
            Ok(Plan::new(seen.steps, gate.store.now()))
        })
        .await
    }

    /// Returns the request that takes an action back, if it can be taken back.
    pub fn way_back(&self, id: &ActionId) -> Result<ActionRequest, GateError> {
        let action = self.stored(id)?;
        match &action.inverse {
            Some(inverse) if action.record.can_undo => Ok(inverse.request.clone()),
            _ => Err(crate::undo::not_undoable(&action)),
        }
    }

    /// Returns what asks for the same as an action, another day: without versions and places of that moment.
    pub fn again(&self, request: &ActionRequest) -> ActionRequest {
        let catalog = self.catalog();
        let args = catalog.entry(&request.action_type).map(|entry| entry.handler.again(&request.args));
        ActionRequest {
            args: args.unwrap_or_else(|| request.args.clone()),
            idempotency_key: None,
            audit_context: None,
            ..request.clone()
        }
    }

    /// Returns what asks for a step of a plan without some parts of what it shows. What that would do is shown anew like
    /// any other request.
    pub fn without(&self, step: &PlanStep, parts: &[u32]) -> Result<ActionRequest, Failure> {
        let name = &step.request.action_type;
        let entry = self.catalog.entry(name);
        let entry = entry.ok_or_else(|| Failure::new("unknown_action", format!("there is no action `{name}`")))?;
        let preview = step.preview.as_ref().ok_or_else(|| crate::all_or_nothing(parts))?;
        let rest: Vec<u32> = preview.parts().into_iter().filter(|part| !parts.contains(part)).collect();
        let args = call::parts(&*entry.handler, &step.request.args, preview, &rest)?;
        Ok(ActionRequest { args, ..step.request.clone() })
    }

    /// Carries out one step of a plan to which a person said yes, or which the rules allow by itself. If it would read or
    /// do anything else than what was shown, or is no longer allowed, it does not run: [`GateError::Differs`]. The same
    /// step of the same plan runs once.
    ///
    /// Never name a person in `confirmed` for a model: that is their word.
    #[boxed]
    pub async fn run_step(
        self: &Arc<Self>,
        step: PlanStep,
        submission: Submission,
        confirmed: Confirmed,
    ) -> Result<Submitted, GateError> {
        let gate = self.clone();
        carried_through(async move { gate.take_step(step, submission, confirmed).await }).await
    }

    async fn foresee_step(&self, call: Call, submission: &Submission, seen: &mut Foreseeing) {
        let Call { number, request, undoes } = call;
        let ask = Ask { request: request.clone(), submission: submission.clone(), undoes: undoes.clone() };
        let mut action = self.draft(&ask);
        let looked = self.look_ahead(&mut action, &ask, seen.would_be.clone()).await;
        let before = seen.unknown;
        let mut leaves = Vec::new();
        match looked {
            Ok((found, effects)) => {
                action.take_findings(found);
                match effects {
                    Effects::Known(effects) => {
                        Arc::make_mut(&mut seen.would_be).apply(&effects);
                        leaves = effects.iter().map(aside_core::FileEffect::leaves).collect();
                    }
                    Effects::Unknown => seen.unknown = seen.unknown.or(Some(number)),
                }
            }
            Err(stopped) => action.stop(*stopped, self.store.now()),
        }
        seen.audit.push(audit::entry(AuditKind::DryRun, self.store.now(), &action));
        let record = action.record;
        let problem = record.outcome.and_then(problem);
        seen.steps.push(PlanStep {
            number,
            request,
            undoes,
            risks: record.envelope.risk_level,
            verdict: record.verdict,
            assessment: record.assessment,
            preview: record.preview,
            leaves,
            as_if_without: before,
            changed: None,
            state: if problem.is_some() { StepState::LeftOut } else { StepState::Waiting },
            problem,
            accepted: Vec::new(),
            rejected: Vec::new(),
            approved_by: None,
            action: None,
            outcome: None,
        });
    }

    /// Looks at a step over the state before it, and at what it would leave.
    async fn look_ahead(
        &self,
        action: &mut StoredAction,
        ask: &Ask,
        would_be: Arc<WouldBe>,
    ) -> Result<(Findings, Effects), Box<Stopped>> {
        let handler = self.admit(action, ask)?;
        let context = ActionContext { would_be, ..self.context(action) };
        let found = self.look_within(action, &context, &*handler, Look::Closely).await?;
        let effects = effects(&*handler, &context, action, &found).await;
        Ok((found, effects))
    }

    async fn take_step(
        &self,
        step: PlanStep,
        submission: Submission,
        confirmed: Confirmed,
    ) -> Result<Submitted, GateError> {
        let Confirmed { by, task, plan, action: id, parent } = confirmed;
        let mut request = step.request.clone();
        request.idempotency_key = Some(format!("{task}:{}:{}", plan.short(), step.number));
        request.audit_context = Some(json!({ "task": task, "plan": plan, "step": step.number }));
        let _undo = match &step.undoes {
            Some(original) => Some(self.in_flight.enter(format!("undo:{original}")).await),
            None => None,
        };
        let ask = Ask { request, submission, undoes: step.undoes.clone() };
        let mut action = self.draft(&ask);
        action.record.envelope.id = id;
        action.record.parent = parent;
        let handler = match self.admit(&mut action, &ask) {
            Ok(handler) => handler,
            Err(stopped) => return self.conclude(action, *stopped).await.map(submitted),
        };
        let key = idempotency::key(&ask, &action.record.envelope.args).expect("the request has a key of its own");
        let _pass = self.in_flight.enter(format!("key:{}", key.scoped)).await;
        if let Some(answer) = self.replay(&action, &key).await? {
            return Ok(answer);
        }
        self.check_way_back(&step)?;
        let found = match self.look(&action, &*handler, Look::Closely).await {
            Ok(found) => found,
            Err(stopped) if matches!(stopped.outcome, Outcome::Refused { .. }) => {
                return self.conclude(action, *stopped).await.map(submitted);
            }
            Err(stopped) => return Err(self.differs(&action, &step, stopped.failure().message).await?),
        };
        let risks = with_protection(found.risks.clone(), &found.assessment.targets);
        if let Some(reason) = step.difference(&risks, &found.assessment, found.preview.as_ref()) {
            return Err(self.differs(&action, &step, reason).await?);
        }
        let reason = found.verdict.reason.clone();
        let ruling = action.take_findings(found);
        let Some(by) = by else {
            if ruling != Ruling::Allow {
                return Err(self.differs(&action, &step, reason).await?);
            }
            return self.carry_out(action, &*handler, Vec::new(), Some(key)).await.map(submitted);
        };
        action.record.decided_by = Some(by.clone());
        let reason = format!("step {} of plan {} of {task}", step.number, plan.short());
        let decision = Decision { reason: Some(reason), ..Decision::approve(None) };
        let entry = audit::decision(self.store.now(), &action, &decision, None, &by);
        self.carry_out(action, &*handler, vec![entry], Some(key)).await.map(submitted)
    }

    /// An undo is the recorded way back of an action that is still done, and nothing else.
    fn check_way_back(&self, step: &PlanStep) -> Result<(), GateError> {
        match &step.undoes {
            Some(original) if self.way_back(original)?.args != step.request.args => {
                let reason = "it is not the recorded undo action".to_owned();
                Err(GateError::Differs { step: step.number, reason })
            }
            _ => Ok(()),
        }
    }

    async fn differs(&self, action: &StoredAction, step: &PlanStep, reason: String) -> Result<GateError, GateError> {
        self.note(vec![audit::entry(AuditKind::Stale, self.store.now(), action)]).await?;
        Ok(GateError::Differs { step: step.number, reason })
    }
}

/// What a step that could be looked at would leave.
pub(crate) async fn effects(
    handler: &dyn Handler,
    context: &ActionContext,
    action: &StoredAction,
    found: &Findings,
) -> Effects {
    let reaches_files = matches!(handler.descriptor().effect, EffectScope::Workspace | EffectScope::System);
    if found.risks.is_read_only() || !reaches_files {
        return Effects::none();
    }
    call::effects(handler, context, &action.record.envelope.args).await.unwrap_or(Effects::Unknown)
}

fn problem(outcome: Outcome) -> Option<Failure> {
    match outcome {
        Outcome::Refused { failure, .. } | Outcome::Failed { failure } => Some(failure),
        Outcome::Done { .. } | Outcome::Interrupted { .. } => None,
    }
}
