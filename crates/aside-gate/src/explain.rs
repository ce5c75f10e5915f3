//! Why a request would be ruled on as it would be. Nothing runs and nothing is kept but a line of the audit.

use std::sync::Arc;

use aside_core::{
    ActionRequest, ActionState, AuditKind, Explanation, Grant, Label, LabelSource, OriginKind, PolicyView, ReviewMode,
    Risks, RuleAction, RuleCheck, Ruling,
};
use aside_macros::boxed;

use crate::{
    Gate, GateError, Handler, Submission, approval::Look, audit, call, gate::carried_through, policy::origin,
    record::StoredAction, submit::Ask,
};

impl Submission {
    /// As if somebody of a kind asked, on behalf of a user and with a full grant.
    pub fn as_if(kind: OriginKind, user: &str, review: Option<ReviewMode>) -> Self {
        Self { review, ..Self::under(Grant::full(user), origin(kind, user.to_owned())) }
    }

    /// As if it was made from content of this label as well.
    #[must_use]
    pub fn as_if_led_by(mut self, label: Label) -> Self {
        self.provenance.add(LabelSource::new(label, "test content", "assumed by this test"));
        self
    }
}

impl Gate {
    /// Says what would become of a request, and of every rule whether it matches and what of it does not.
    #[boxed]
    pub async fn explain(
        self: &Arc<Self>,
        request: ActionRequest,
        submission: Submission,
    ) -> Result<Explanation, GateError> {
        let gate = self.clone();
        carried_through(async move {
            let ask = Ask { request, submission, undoes: None };
            let mut action = gate.draft(&ask);
            let rules = match gate.admit(&mut action, &ask) {
                Ok(handler) => gate.check_rules(&mut action, &*handler).await,
                Err(stopped) => {
                    action.stop(*stopped, gate.store.now());
                    Vec::new()
                }
            };
            gate.note(vec![audit::entry(AuditKind::DryRun, gate.store.now(), &action)]).await?;
            Ok(Explanation { verdict: action.record.verdict.clone(), rules, record: Box::new(action.record) })
        })
        .await
    }

    /// Rules on an action; the checks are empty if policy was not asked.
    async fn check_rules(&self, action: &mut StoredAction, handler: &dyn Handler) -> Vec<RuleCheck> {
        let assessed = call::assess(handler, &self.context(action), &action.record.envelope.args).await;
        match self.look(action, handler, Look::Closely).await {
            Ok(found) => {
                if action.take_findings(found) == Ruling::Confirm {
                    action.record.state = ActionState::AwaitingConfirmation;
                }
            }
            Err(stopped) => action.stop(*stopped, self.store.now()),
        }
        let (Ok(assessment), Some(_)) = (assessed, action.record.verdict.layer) else { return Vec::new() };
        let risks: Risks = handler.descriptor().risks.0.union(&assessment.risks.0).copied().collect();
        let risks = self.policy.with_own_access(risks, &assessment.targets);
        let question = self.question(action, &risks, &assessment, action.record.preview.as_ref());
        self.policy.current().checks(&question, &self.turn_rules(&action.record.origin))
    }

    /// Returns all rules that hold now.
    pub fn policy(&self) -> PolicyView {
        let known = self.catalog().descriptors();
        let exists = |action: &RuleAction| {
            *action == RuleAction::Any || known.iter().any(|descriptor| action.covers(&descriptor.name))
        };
        self.policy.current().view(exists)
    }
}
