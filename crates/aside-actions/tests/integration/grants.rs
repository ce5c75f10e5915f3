//! Grants are made and ended by actions: only narrower than the asker's own, and never by a model.

use aside_core::{
    ActionRecord, ActionState, Grant, GrantId, GrantLimits, GrantRecord, Origin, ReviewMode, Risk, Ruling,
};
use aside_gate::Submission;
use serde_json::{Value, json};

use crate::common::{self, Bench, failure, request};

fn id(record: &GrantRecord) -> GrantId {
    record.grant.id.clone().unwrap()
}

/// A program asks under a grant, and a person says yes if asked.
async fn asked_under(bench: &Bench, grant: &Grant, name: &str, args: Value) -> ActionRecord {
    let origin = Origin::Client { user: "ada".to_owned(), grant: grant.id.clone().unwrap() };
    let submission = Submission::under(grant.clone(), origin);
    let record = bench.gate.submit(request(name, args), submission).await.unwrap().record;
    if record.state == ActionState::AwaitingConfirmation { bench.approve(&record).await } else { record }
}

fn made(bench: &Bench, record: &ActionRecord) -> GrantRecord {
    let Some(aside_core::Outcome::Done { observation }) = &record.outcome else { panic!("{:?}", record.outcome) };
    bench.gate.grants().get(&observation.data["id"].as_str().unwrap().parse().unwrap()).unwrap()
}

#[tokio::test]
async fn a_person_makes_a_grant_and_takes_it_back() {
    let bench = Bench::new(&[]);
    let limits = json!({ "risks": ["read"], "actions": ["doc.*"], "paths": ["notes/**"] });
    let record = bench.act("grant.create", json!({ "name": "script", "limits": limits })).await;
    let grant = made(&bench, &record);
    assert_eq!((grant.by.as_str(), grant.grant.name.as_str(), grant.token), ("ada", "script", None));
    assert_eq!(grant.grant.risks, [Risk::Read].into());
    bench.undo(&record).await;
    assert!(bench.gate.grants().get(&grant.grant.id.unwrap()).unwrap().revoked.is_some());
}

#[tokio::test]
async fn a_model_neither_makes_nor_ends_a_grant() {
    let bench = Bench::new(&[]);
    let stored = bench.gate.grants().create(Grant::full("theirs"), "ada").unwrap();
    let mcp = Origin::Mcp { user: "ada".to_owned(), client: "helper".to_owned(), session: None };
    for (name, args) in [("grant.create", json!({ "name": "mine" })), ("grant.revoke", json!({ "grant": id(&stored) }))]
    {
        for submission in [
            common::model(ReviewMode::AutoApply),
            Submission { grant: Grant::full("any"), ..common::model(ReviewMode::AutoApply) },
            Submission::under(Grant::full("any"), mcp.clone()),
        ] {
            let record = bench.gate.submit(request(name, args.clone()), submission).await.unwrap().record;
            assert_eq!((record.state, record.verdict.ruling), (ActionState::Refused, Ruling::Deny), "{name}");
        }
    }
    assert_eq!(bench.gate.grants().list().unwrap(), [stored]);
}

#[tokio::test]
async fn a_grant_that_is_made_under_another_is_never_wider_and_ends_with_it() {
    let bench = Bench::new(&[]);
    let limits = GrantLimits {
        risks: Some([Risk::Read, Risk::Access].into()),
        actions: Some(vec!["grant.*".parse().unwrap(), "doc.read".parse().unwrap()]),
        expires: Some(bench.gate.now().plus(3_600_000)),
        ..GrantLimits::default()
    };
    let outer = bench.gate.grants().create(Grant::limited("outer", limits), "ada").unwrap();
    let record = asked_under(&bench, &outer.grant, "grant.create", json!({ "name": "inner" })).await;
    let inner = made(&bench, &record);
    assert_eq!((&inner.grant.risks, &inner.grant.actions), (&outer.grant.risks, &outer.grant.actions));
    assert_eq!((inner.grant.expires, &inner.grant.within), (outer.grant.expires, &vec![id(&outer)]));
    let wide = json!({ "name": "wide", "limits": { "risks": ["write"], "actions": ["doc.edit"] } });
    let record = asked_under(&bench, &outer.grant, "grant.create", wide).await;
    assert_eq!(failure(&record).code, "invalid_args", "nothing of it is left");
    bench.gate.grants().revoke(&id(&outer)).unwrap();
    assert_eq!(bench.gate.grants().ended(&inner.grant).unwrap().unwrap().code, "grant_revoked");
}

#[tokio::test]
async fn a_search_tells_nothing_of_files_that_may_not_be_read() {
    let bench = Bench::new(&[
        ("notes/a.md", "the tide\n"),
        ("secret.md", "the tide of secrets\n"),
        ("denied/b.md", "the tide\n"),
        ("aside-policy.toml", "[[rule]]\nname = 'd'\nruling = 'deny'\naction = '*'\npaths = ['denied/**']\n"),
    ]);
    let limits = GrantLimits { paths: Some(vec!["notes/**".parse().unwrap()]), ..GrantLimits::default() };
    let grant = bench.gate.grants().create(Grant::limited("notes", limits), "ada").unwrap().grant;
    let record = asked_under(&bench, &grant, "file.search", json!({ "text": "tide" })).await;
    assert_eq!(found(&record), ["notes/a.md"]);
    assert!(!serde_json::to_string(&record).unwrap().contains("secret.md"));
    // Whether it is in there or nowhere makes no difference.
    let ends = async |text| {
        let record = asked_under(&bench, &grant, "file.search", json!({ "text": text })).await;
        (record.state, serde_json::to_string(&record.outcome).unwrap().replace(text, ""))
    };
    assert_eq!(ends("secrets").await, ends("nowhere").await);
    let record = bench.propose("file.search", json!({ "text": "the tide" })).await;
    assert_eq!(found(&record), ["notes/a.md", "secret.md"]);
}

fn found(record: &ActionRecord) -> Vec<&str> {
    let Some(aside_core::Outcome::Done { observation }) = &record.outcome else { panic!("{:?}", record.outcome) };
    observation.data["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_grant_for_some_paths_makes_and_ends_grants_for_fewer() {
    let bench = Bench::new(&[("notes/a.md", "a\n"), ("notes/b.md", "b\n"), ("secret.md", "s\n")]);
    let limits = GrantLimits { paths: Some(vec!["notes/**".parse().unwrap()]), ..GrantLimits::default() };
    let outer = bench.gate.grants().create(Grant::limited("notes", limits), "ada").unwrap();
    let mut read = Vec::new();
    for paths in [json!(["notes/a.md"]), json!(["**"]), json!(["secret.md"]), json!(null)] {
        let args = json!({ "name": "inner", "limits": { "risks": ["read"], "paths": paths } });
        let inner = made(&bench, &asked_under(&bench, &outer.grant, "grant.create", args).await);
        for path in ["notes/a.md", "notes/b.md", "secret.md"] {
            let tried = asked_under(&bench, &inner.grant, "doc.read", json!({ "path": path })).await;
            read.push(tried.state == ActionState::Done);
        }
        let ended = asked_under(&bench, &outer.grant, "grant.revoke", json!({ "grant": id(&inner) })).await;
        assert_eq!(ended.state, ActionState::Done, "{ended:?}");
    }
    let (yes, no) = (true, false);
    assert_eq!(read, [[yes, no, no], [yes, yes, no], [no, no, no], [yes, yes, no]].concat());
}

#[tokio::test]
async fn a_program_ends_no_grant_but_its_own() {
    let bench = Bench::new(&[]);
    let make = |name| bench.gate.grants().create(Grant::full(name), "ada").unwrap();
    let (own, other) = (make("own"), make("other"));
    for named in [id(&other).to_string(), "other".to_owned()] {
        let record = asked_under(&bench, &own.grant, "grant.revoke", json!({ "grant": named })).await;
        assert_eq!(failure(&record).code, "not_found");
    }
    assert!(bench.gate.grants().get(&id(&other)).unwrap().revoked.is_none());
}
