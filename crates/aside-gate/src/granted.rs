//! Whether the grant of an action covers what it would do, and still holds.

use aside_core::{Assessment, EffectScope, Failure, RefusedBy, Risks, Ruling, Verdict};

use crate::{
    Gate,
    approval::{Stopped, refused},
    record::StoredAction,
};

impl Gate {
    /// Whether such an action is covered at all, and the grant still holds.
    pub(crate) fn check_grant(&self, action: &StoredAction, risks: &Risks) -> Result<(), Box<Stopped>> {
        self.check_assistant(action, risks)?;
        self.check_holds(action)?;
        let (name, grant) = (&action.record.envelope.action_type, &action.grant);
        if grant.covers(name, risks, self.store.now()) {
            return Ok(());
        }
        if let Some(group) = grant.turned_off(name) {
            let message = format!("the group “{group}” is off in this thread, so `{name}` is refused");
            let failure = Failure::new("group_off", message);
            return Err(not_granted(failure.hint(format!("the user can turn it on, or write @{group} in a message"))));
        }
        let message = format!("{} may not do `{name}` (risks: {risks})", grant.name);
        Err(not_granted(Failure::new("not_granted", message)))
    }

    /// Whether all that is touched lies under the grant's paths. What can't be told from the assessment does not: a
    /// command, code in a kernel, another program, or a change that names nothing.
    pub(crate) fn check_paths(
        &self,
        action: &StoredAction,
        effect: EffectScope,
        assessment: &Assessment,
    ) -> Result<(), Box<Stopped>> {
        let (name, grant) = (&action.record.envelope.action_type, &action.grant);
        if !grant.has_paths() {
            return Ok(());
        }
        let problem = if let Some(target) = grant.first_outside(&assessment.targets) {
            format!("it would touch the {} `{}`", target.kind, target.id)
        } else if assessment.command.is_some() {
            "the files that a command touches are unknown".to_owned()
        } else if effect == EffectScope::System {
            "the files that its code and programs touch are unknown".to_owned()
        } else if assessment.targets.is_empty() && effect != EffectScope::Ui {
            "it does not name the files it touches".to_owned()
        } else {
            return Ok(());
        };
        let message = format!("{} may do `{name}` only under some paths: {problem}", grant.name);
        Err(not_granted(Failure::new("not_granted", message)))
    }

    /// Whether none of the stored grants that it stands on was revoked or has expired, and AI was not restricted since.
    pub(crate) fn check_holds(&self, action: &StoredAction) -> Result<(), Box<Stopped>> {
        self.check_assistant(action, &action.record.envelope.risk_level)?;
        match self.grants.ended(&action.grant) {
            Ok(None) => Ok(()),
            Ok(Some(failure)) => Err(not_granted(failure)),
            Err(error) => Err(not_granted(error.failure())),
        }
    }
}

pub(crate) fn not_granted(failure: Failure) -> Box<Stopped> {
    let verdict = Verdict::new(Ruling::Deny, "grant", format!("{}.", failure.message));
    refused(verdict, RefusedBy::Grant, failure)
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionRecord, ActionState, Grant, GrantLimits, Outcome, ReviewMode, Risk};
    use serde_json::json;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, person, replace, request},
    };

    fn refusal(record: &ActionRecord) -> &str {
        match &record.outcome {
            Some(Outcome::Refused { by: RefusedBy::Grant, failure }) => &failure.code,
            other => panic!("{other:?}"),
        }
    }

    fn under(grant: &Grant) -> Submission {
        Submission { grant: grant.clone(), ..Submission::person(person()) }
    }

    #[tokio::test]
    async fn every_file_that_is_touched_has_to_lie_under_its_paths() {
        let bench = Bench::new("one two");
        let paths = Some(vec!["notes/**".parse().unwrap()]);
        let grant = Grant::limited("notes", GrantLimits { paths, ..GrantLimits::default() });
        let at = |path| request("text.replace", json!({ "from": "one", "to": "1", "path": path }));
        for outside in ["text.txt", "notes-evil/a", "Notes/a"] {
            let record = bench.submit(at(outside), under(&grant)).await.record;
            assert_eq!(refusal(&record), "not_granted", "{outside}");
            assert!(record.preview.is_none(), "nothing of it is shown");
        }
        assert_eq!(bench.runs(), 0);
        let record = bench.submit(at("notes/a.md"), under(&grant)).await.record;
        assert_eq!((record.state, record.grant.name.as_str()), (ActionState::Done, "notes"));
        assert_eq!(bench.audit().last().unwrap()["grant"]["name"], "notes");
    }

    #[tokio::test]
    async fn what_does_not_say_what_it_touches_is_not_under_any_path() {
        let bench = Bench::new("");
        let paths = Some(vec!["**".parse().unwrap()]);
        let grant = Grant::limited("files", GrantLimits { paths, ..GrantLimits::default() });
        let action = bench.draft(request("text.read", json!({})), under(&grant));
        let check = |effect, assessment: &Assessment| bench.gate.check_paths(&action, effect, assessment).is_ok();
        let nothing = Assessment::default();
        assert!(!check(EffectScope::Workspace, &nothing));
        assert!(check(EffectScope::Ui, &nothing), "it only shows something");
        let file = aside_core::ObjectRef { kind: "file".to_owned(), id: "a".to_owned() };
        let mut assessment = Assessment { targets: vec![file], ..nothing };
        assert!(check(EffectScope::Workspace, &assessment));
        assert!(!check(EffectScope::System, &assessment), "what code does that runs is not told by its notebook");
        assessment.command = Some("ls".to_owned());
        assert!(!check(EffectScope::Workspace, &assessment));
    }

    #[tokio::test]
    async fn nothing_runs_under_a_revoked_grant_whatever_was_asked_or_approved_before() {
        let bench = Bench::new("one two");
        let stored = bench.gate.grants().create(Grant::full("nightly"), "ada").unwrap();
        let grant = Grant::full("Coding Agent").narrowed(&stored.grant);
        let submission = Submission { grant: grant.clone(), ..bench.turn(ReviewMode::ReviewEach) };
        let asked = bench.submit(replace("one", "1"), submission).await.record;
        assert_eq!((asked.state, &asked.grant.id), (ActionState::AwaitingConfirmation, &stored.grant.id));
        bench.gate.grants().revoke(stored.grant.id.as_ref().unwrap()).unwrap();
        assert_eq!(refusal(&bench.approve(&asked.envelope.id).await.unwrap()), "grant_revoked");
        assert_eq!(refusal(&bench.submit(replace("two", "2"), under(&grant)).await.record), "grant_revoked");
        assert_eq!(bench.runs(), 0);
        assert_eq!(bench.audited(), ["submitted", "refused", "refused"]);
    }

    #[tokio::test]
    async fn a_grant_that_ends_while_it_is_being_shown_ends_it() {
        let bench = Bench::new("one");
        let stored = bench.gate.grants().create(Grant::full("nightly"), "ada").unwrap();
        let submission = under(&stored.grant);
        let submitting = bench.gate.submit(replace("one", "<wait-shown>"), submission);
        let revoking = async {
            bench.world.begun.acquire().await.unwrap().forget();
            bench.gate.grants().revoke(stored.grant.id.as_ref().unwrap()).unwrap();
            bench.world.go.add_permits(1);
        };
        let (submitted, ()) = tokio::join!(submitting, revoking);
        assert_eq!((refusal(&submitted.unwrap().record), bench.runs()), ("grant_revoked", 0));
    }

    #[tokio::test]
    async fn a_grant_of_risks_is_held_against_protected_paths_too() {
        let bench = Bench::new("one");
        let limits = GrantLimits { risks: Some([Risk::Read, Risk::Write].into()), ..GrantLimits::default() };
        let grant = Grant::limited("writing", limits);
        let wanted = request("text.replace", json!({ "from": "one", "to": "1", "path": ".envrc" }));
        assert_eq!(refusal(&bench.submit(wanted, under(&grant)).await.record), "not_granted");
    }
}
