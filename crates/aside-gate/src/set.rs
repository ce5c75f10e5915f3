//! Changes that are no actions: a person or a program made them by a route of its own. They are in the audit like an action
//! that was done. There is nothing to decide about, and no handler.

use aside_core::{ActionName, ActionRequest, AuditKind, Failure, Label, Observation, Outcome, Ruling, Verdict};
use aside_macros::boxed;
use aside_store::Durability;
use serde_json::Value;

use crate::{
    Gate, GateError, Submission, audit,
    commit::Commit,
    intake::Refusal,
    submit::{Ask, stopped_by},
};

/// Which rule let a person do it.
const PERSON: &str = "person/set";
/// Which rule let a program do it, under its grant.
const PROGRAM: &str = "grant/set";

impl Gate {
    /// Writes down what was set: `name` is what it would be called as an action, `words` what it means.
    ///
    /// Never call this for a model.
    #[boxed]
    pub async fn note_set(&self, name: ActionName, args: Value, words: &str, by: Submission) -> Result<(), GateError> {
        let ask = Ask { request: ActionRequest::new(name, args), submission: by, undoes: None };
        let mut action = self.draft(&ask);
        let now = self.store.now();
        let (rule, reason) = match action.record.origin.is_person() {
            true => (PERSON, "The user set it."),
            false => (PROGRAM, "A program set it under its grant."),
        };
        action.record.verdict = Verdict::new(Ruling::Allow, rule, reason.to_owned());
        action.record.decided_by = Some(action.record.origin.user().to_owned());
        let observation = Observation {
            text: words.to_owned(),
            data: Value::Null,
            label: Label::User,
            source: None,
            unchanged: false,
        };
        action.end(Outcome::Done { observation }, now);
        let entry = audit::entry(AuditKind::Outcome, now, &action);
        self.commit(Commit::new(Durability::Soon, &action, vec![entry])).await
    }

    /// Writes down a request that can't be taken in at all, since its own name is not one: `name` stands for it.
    #[boxed]
    pub async fn note_refused(
        &self,
        name: ActionName,
        args: Value,
        failure: Failure,
        by: Submission,
    ) -> Result<(), GateError> {
        let action = self.draft(&Ask { request: ActionRequest::new(name, args), submission: by, undoes: None });
        let refusal = Refusal::request("request/unknown-action", failure);
        self.conclude(action, *stopped_by(&refusal)).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{Bench, person};

    #[tokio::test]
    async fn what_a_person_set_is_in_the_audit_and_is_no_undo_s() {
        let bench = Bench::new("one");
        let name = "spending.set_limits".parse().unwrap();
        let set = bench.gate.note_set(name, json!({"day": 9}), "more may be spent", Submission::person(person()));
        set.await.unwrap();
        let entry = bench.audit().remove(0);
        assert_eq!((&entry["kind"], &entry["action_type"]), (&json!("outcome"), &json!("spending.set_limits")));
        assert_eq!(
            (&entry["decided_by"], &entry["args"]["day"], &entry["rule"]),
            (&json!("ada"), &json!(9), &json!(PERSON))
        );
        assert!(bench.gate.latest_undoable().unwrap().is_none());
    }
}
