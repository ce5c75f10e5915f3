//! The faults of the executor that Aside's Gate stands in place of, each as a test that it does not have it. The end at a
//! limit (X8) is tested where turns and tasks are, a lost answer (X3) where HTTP is: `cargo test x3_ x8_` finds them.

use aside_core::{ActionRequest, ActionState, Decision, Outcome, RefusedBy, ReviewMode, Risk, Sha256};
use serde_json::json;

use crate::{
    GateError, Submission,
    testing::{Bench, keyed, person, replace, request},
};

/// X1: `requiresConfirmation: false` and a risk in a model's JSON overrode the descriptor.
#[tokio::test]
async fn x1_a_request_cannot_say_how_risky_it_is() {
    for field in [json!({ "requires_confirmation": false }), json!({ "risk_level": ["read"] })] {
        let mut wanted = json!({ "action_type": "text.clear", "args": {} });
        wanted.as_object_mut().unwrap().extend(field.as_object().unwrap().clone());
        assert!(serde_json::from_value::<ActionRequest>(wanted).is_err());
        let bench = Bench::new("one");
        let record = bench.auto(request("text.clear", field)).await;
        assert_eq!((record.state, bench.runs()), (ActionState::Refused, 0));
    }
    let bench = Bench::new("one");
    let record = bench.auto(request("text.clear", json!({}))).await;
    assert!(record.envelope.risk_level.contains(Risk::Destructive));
    assert!(record.envelope.requires_confirmation);
}

/// X2: any non-empty string confirmed anything, any number of times.
#[tokio::test]
async fn x2_a_decision_is_bound_to_what_was_shown_and_used_once() {
    let bench = Bench::new("one one");
    let asked = bench.propose(replace("one", "1")).await;
    let made_up = Decision::approve(Some(Sha256::of("anything")));
    let error = bench.gate.decide(&asked.envelope.id, made_up, "ada").await.unwrap_err();
    assert!(matches!(error, GateError::Stale { .. }));
    for _ in 0..3 {
        let decision = Decision::approve(asked.approval_hash.clone());
        bench.gate.decide(&asked.envelope.id, decision, "ada").await.unwrap();
    }
    assert_eq!((bench.runs(), bench.world.text().as_str()), (1, "1 one"));
}

/// X3: the replay was looked up before policy, by the key alone, without a lock.
#[tokio::test]
async fn x3_a_key_is_a_person_s_and_replays_nothing_that_is_not_allowed() {
    let bench = Bench::new("one one");
    let wanted = || keyed(replace("one", "1"), "k");
    bench.order(wanted()).await;
    let other = aside_core::Origin::User { user: "bob".to_owned() };
    let theirs = bench.submit(wanted(), Submission::person(other)).await;
    assert_eq!((theirs.replayed, bench.runs()), (false, 2));
    let narrow = aside_core::Grant::actions("narrow", ["text.read"]);
    let submission = Submission { grant: narrow, ..Submission::person(person()) };
    let refused = bench.submit(wanted(), submission).await;
    assert!(!refused.replayed);
    assert!(matches!(refused.record.outcome, Some(Outcome::Refused { by: RefusedBy::Grant, .. })));
}

/// X3: what the stored action risked counts, not only what every action of its kind does.
#[tokio::test]
async fn x3_a_replay_is_held_against_the_risks_of_what_was_done() {
    let bench = Bench::new("one");
    let wanted = keyed(request("text.replace", json!({ "from": "one", "to": "1", "network": true })), "k");
    bench.order(wanted.clone()).await;
    let risks = [Risk::Read, Risk::Write].into();
    let offline = aside_core::Grant { risks, ..aside_core::Grant::full("offline") };
    let answer = bench.submit(wanted, Submission { grant: offline, ..Submission::person(person()) }).await;
    assert!(!answer.replayed);
    assert!(matches!(answer.record.outcome, Some(Outcome::Refused { by: RefusedBy::Grant, .. })));
}

/// X4: arguments were checked after asking; an unknown action and a replay were not audited.
#[tokio::test]
async fn x4_arguments_are_checked_before_asking_and_every_submission_is_audited() {
    let bench = Bench::new("one");
    let wrong = bench.propose(request("text.replace", json!({ "from": 1 }))).await;
    assert_eq!(wrong.state, ActionState::Refused);
    let unknown = bench.propose(request("no.such", json!({}))).await;
    assert!(matches!(&unknown.outcome, Some(Outcome::Refused { by: RefusedBy::Request, failure })
        if failure.code == "unknown_action"));
    bench.order(keyed(replace("one", "1"), "k")).await;
    bench.order(keyed(replace("one", "1"), "k")).await;
    assert_eq!(bench.audited(), ["refused", "refused", "intent", "outcome", "replayed"]);
    assert_eq!(bench.audit()[1]["action_type"], "no.such");
}

/// X5: a dry run was up to each handler, and the preview of a write was a number of bytes.
#[tokio::test]
async fn x5_a_dry_run_never_runs_and_shows_the_lines_that_a_run_changes() {
    let bench = Bench::new("one");
    let dry = bench.gate.dry_run(replace("one", "1"), Submission::person(person())).await.unwrap();
    assert_eq!(bench.runs(), 0);
    let run = bench.order(replace("one", "1")).await;
    assert_eq!(dry.preview.unwrap().essence(), run.preview.unwrap().essence());
}

/// X6: state and manifest came from the client, so that the resumed action could be swapped.
#[tokio::test]
async fn x6_what_is_approved_after_a_restart_is_what_was_stored() {
    let bench = Bench::new("one two");
    let asked = bench.propose(replace("one", "1")).await;
    let bench = bench.reopened();
    let decision = Decision::approve(asked.approval_hash.clone());
    let done = bench.gate.decide(&asked.envelope.id, decision, "ada").await.unwrap();
    assert_eq!((&done.envelope, bench.world.text().as_str()), (&asked.envelope, "1 two"));
}

/// X7: what costs money or overwrites files was a plain write.
#[tokio::test]
async fn x7_risks_come_from_the_arguments_and_the_target_too() {
    let bench = Bench::new("one");
    let network = json!({ "from": "one", "to": "1", "network": true });
    let record = bench.auto(request("text.replace", network)).await;
    assert_eq!(record.envelope.risk_level, [Risk::Write, Risk::Network].into());
    assert_eq!(record.verdict.rule, "default/network");
    let target = json!({ "from": "one", "to": "1", "path": ".github/workflows/ci.yml" });
    let record = bench.auto(request("text.replace", target)).await;
    assert_eq!(record.envelope.risk_level, [Risk::Write, Risk::Access].into());
    assert_eq!(record.state, ActionState::AwaitingConfirmation);
}

/// X8: the whole manifest went into every prompt.
#[tokio::test]
async fn x8_actions_are_found_by_words_and_narrowed_by_a_grant() {
    let bench = Bench::new("");
    let found = bench.gate.catalog().search(&crate::Query::words("swap some words", 1));
    assert_eq!(found[0].name.as_str(), "text.replace");
    let submission = bench.turn(ReviewMode::ReviewEach);
    let narrow = aside_core::Grant::actions("narrow", ["text.read"]);
    assert_eq!(bench.gate.catalog().granted(&submission.grant, bench.store.now()).len(), 4);
    assert_eq!(bench.gate.catalog().granted(&narrow, bench.store.now()).len(), 1);
}
