//! `search.find` as people and models ask for it.

use aside_core::{ActionRecord, Grant, GrantLimits, Label, Outcome, ReviewMode};
use aside_gate::Submission;
use serde_json::json;

use crate::common::{Bench, failure, model, request, words};

fn hits(record: &ActionRecord) -> Vec<String> {
    let Some(Outcome::Done { observation }) = &record.outcome else { panic!("{:?}", record.outcome) };
    let hits = observation.data["hits"].as_array().unwrap();
    hits.iter().map(|hit| format!("{}:{}", hit["path"].as_str().unwrap(), hit["line"])).collect()
}

#[tokio::test]
async fn search_finds_no_file_that_may_not_be_read() {
    let bench = Bench::new(&[
        ("notes/a.md", "the tide\n"),
        ("secret.md", "the tide of secrets\n"),
        ("denied/b.md", "the tide\n"),
        ("aside-policy.toml", "[[rule]]\nname = 'd'\nruling = 'deny'\naction = '*'\npaths = ['denied/**']\n"),
    ]);
    let limits = GrantLimits { paths: Some(vec!["notes/**".parse().unwrap()]), ..GrantLimits::default() };
    let grant = bench.gate.grants().create(Grant::limited("notes", limits), "ada").unwrap().grant;
    let asked = async |query: &str| {
        let submission = Submission::under(grant.clone(), model(ReviewMode::AutoApply).origin);
        bench.gate.submit(request("search.find", json!({ "query": query })), submission).await.unwrap().record
    };
    let record = asked("tide").await;
    assert_eq!(hits(&record), ["notes/a.md:1"]);
    assert!(!serde_json::to_string(&record).unwrap().contains("secret.md"));
    // A text of a forbidden file and one of no file make no difference.
    let ends = async |query: &str| {
        let record = asked(query).await;
        (record.state, serde_json::to_string(&record.outcome).unwrap().replace(query, ""))
    };
    assert_eq!(ends("secrets").await, ends("nowhere").await);
}

#[tokio::test]
async fn hidden_cells_are_kept_from_models() {
    let notebook = r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "code", "id": "a", "execution_count": null, "metadata": {"aside": {"ai_hidden": true}}, "source": "tide = 'solution'", "outputs": []},
        {"cell_type": "code", "id": "b", "execution_count": null, "metadata": {}, "source": "tide", "outputs": []}]}"#;
    let bench = Bench::new(&[("n.ipynb", notebook)]);
    let query = json!({ "query": "tide" });
    assert_eq!(hits(&bench.propose("search.find", query.clone()).await), ["n.ipynb:2"]);
    assert_eq!(hits(&bench.ask("search.find", query).await).len(), 2);
    let nothing = bench.propose("search.find", json!({ "query": "solution" })).await;
    assert_eq!(hits(&nothing), [""; 0]);
}

#[tokio::test]
async fn found_content_from_outside_is_labelled() {
    let notebook = r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "code", "id": "a", "execution_count": 1, "metadata": {}, "source": "print()", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": "neap from the web"}]}]}"#;
    let bench = Bench::new(&[("own.md", "the moon\n"), ("main.log", "overfull tide\n"), ("n.ipynb", notebook)]);
    let label = async |query: &str| {
        let record = bench.propose("search.find", json!({ "query": query })).await;
        (hits(&record), record.told_from().label)
    };
    assert_eq!(label("moon").await, (vec!["own.md:1".to_owned()], Label::Workspace));
    assert_eq!(label("overfull").await, (vec!["main.log:1".to_owned()], Label::External));
    assert_eq!(label("neap").await, (vec!["n.ipynb:1".to_owned()], Label::External));
    assert!(words(&bench.propose("search.find", json!({ "query": "moon" })).await).contains("own.md:1\tthe moon"));
}

#[tokio::test]
async fn conversations_are_searched_by_people_only() {
    let bench = Bench::new(&[("a.md", "tide\n")]);
    let record = bench.propose("search.find", json!({ "query": "tide", "kinds": ["thread", "chat"] })).await;
    assert_eq!(failure(&record).code, "person_only");
    let record = bench.propose("search.find", json!({ "query": "tide", "kinds": ["thread", "note"] })).await;
    assert_eq!(hits(&record), ["a.md:1"]);
    let record = bench.ask("search.find", json!({ "query": "before:soon" })).await;
    assert_eq!(failure(&record).code, "invalid_args");
}
