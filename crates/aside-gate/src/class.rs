//! A person's yes to a class of calls: one action with no graver risks, in one run of a script. It is stored with the run's task, and
//! ends when a call of the run has returned content from outside.

use std::sync::Arc;

use aside_core::{ActionId, ActionName, ActionRecord, Decision, DecisionScope, Remembered, Risks, Ruling, TaskId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Gate, GateError, audit,
    record::{AWAITING, StoredAction},
};

/// The yeses to classes, each owned by its task.
const CLASS: &str = "script_class";

/// A yes to a class of calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ClassApproval {
    /// The call that the person was asked about.
    call: ActionId,
    action: ActionName,
    risks: Risks,
    by: String,
}

impl ClassApproval {
    fn covers(&self, record: &ActionRecord) -> bool {
        let envelope = &record.envelope;
        self.action == envelope.action_type && envelope.risk_level.is_subset(&self.risks)
    }
}

impl Gate {
    /// Ends every yes to a class of calls of a run: a call has returned content from outside.
    pub fn end_classes(&self, task: &TaskId) -> Result<(), GateError> {
        for approval in self.store.list_owned::<ClassApproval>(CLASS, task.as_str())? {
            self.store.delete(CLASS, approval.call.as_str())?;
        }
        Ok(())
    }

    /// Stores the yes of a person to the class of this call.
    pub(crate) fn approve_class(&self, action: &StoredAction, by: &str) -> Result<Remembered, GateError> {
        let envelope = &action.record.envelope;
        let Some(task) = action.record.origin.script() else {
            return Err(GateError::Scope("the request belongs to no script"));
        };
        let approval = ClassApproval {
            call: envelope.id.clone(),
            action: envelope.action_type.clone(),
            risks: envelope.risk_level.clone(),
            by: by.to_owned(),
        };
        self.store.put(CLASS, envelope.id.as_str(), Some(task.as_str()), &approval)?;
        let rule = format!("script/{}", envelope.action_type);
        Ok(Remembered { scope: DecisionScope::Class, rule_scope: None, rule })
    }

    /// Returns the yes that covers a call which would be asked about.
    pub(crate) fn approved_class(&self, action: &StoredAction) -> Result<Option<ClassApproval>, GateError> {
        let Some(task) = action.record.origin.script() else { return Ok(None) };
        if action.record.verdict.ruling != Ruling::Confirm {
            return Ok(None);
        }
        let approvals = self.store.list_owned::<ClassApproval>(CLASS, task.as_str())?;
        Ok(approvals.into_iter().find(|approval| approval.covers(&action.record)))
    }

    /// Decides a call by the yes to its class; returns the entry for the audit.
    pub(crate) fn decided_by_class(&self, action: &mut StoredAction, approval: &ClassApproval) -> Value {
        action.record.decided_by = Some(approval.by.clone());
        let decision = Decision { reason: Some(reason(approval)), ..Decision::approve(None) };
        audit::decision(self.store.now(), action, &decision, None, &approval.by)
    }

    /// Approves the other waiting calls of a class, each bound to what was shown of it.
    pub(crate) fn approve_rest_of_class(self: &Arc<Self>, decided: &ActionRecord) -> Result<(), GateError> {
        if !decided.remembered.as_ref().is_some_and(|remembered| remembered.scope == DecisionScope::Class) {
            return Ok(());
        }
        for id in self.open(AWAITING)? {
            let action = self.stored(&id)?;
            let same_run = action.record.origin.script() == decided.origin.script();
            let Some(approval) = self.approved_class(&action)?.filter(|_| same_run) else { continue };
            let hash = action.record.approval_hash.clone();
            let decision = Decision { reason: Some(reason(&approval)), ..Decision::approve(hash) };
            let gate = self.clone();
            tokio::spawn(async move {
                // It may have been decided a moment ago, or its preview may be out of date: then it goes on asking.
                let _ = gate.decide(&id, decision, &approval.by).await;
            });
        }
        Ok(())
    }
}

fn reason(approval: &ClassApproval) -> String {
    format!("the approval of {} covers all calls of `{}` in this run", approval.call, approval.action)
}
