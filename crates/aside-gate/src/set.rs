//! What a person sets by a page or a command line of their own, and what takes a question or a limit away: it is in the audit
//! like an action that was done. There is nothing to decide about, and no handler.

use aside_core::{ActionName, ActionRequest, AuditKind, Label, Observation, Outcome, Ruling, Verdict};
use aside_macros::boxed;
use aside_store::Durability;
use serde_json::Value;

use crate::{Gate, GateError, Submission, audit, commit::Commit, submit::Ask};

/// Which rule let it be done.
const RULE: &str = "person/set";

impl Gate {
    /// Writes down what a person has set: `name` is what it would be called as an action, `words` what it means.
    ///
    /// Never call this for a model or for another program.
    #[boxed]
    pub async fn note_set(
        &self,
        name: ActionName,
        args: Value,
        words: &str,
        person: Submission,
    ) -> Result<(), GateError> {
        let ask = Ask { request: ActionRequest::new(name, args), submission: person, undoes: None };
        let mut action = self.draft(&ask);
        let now = self.store.now();
        action.record.verdict = Verdict::new(Ruling::Allow, RULE, "The user set it.".to_owned());
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
            (&json!("ada"), &json!(9), &json!(RULE))
        );
        assert!(bench.gate.latest_undoable().unwrap().is_none());
    }
}
