//! `table.read` as people and models ask for it.

use std::sync::Arc;

use aside_core::{ActionState, Grant, GrantLimits, Label, ReviewMode};
use aside_gate::Submission;
use aside_table::Tables;
use serde_json::json;

use crate::common::{Bench, failure, model, request, words};

const TIDES: &str = "place,height\nKiel,3.1\nHamburg,10\nBremen,\n";

fn bench(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(files);
    let tables = Arc::new(Tables::new(bench.folder.path().join(".aside")));
    let actions = aside_actions::table_actions(&bench.workspace, &tables);
    bench.gate.catalog().replace(|_| false, actions).unwrap();
    bench
}

#[tokio::test]
async fn rows_come_sorted_and_filtered() {
    let bench = bench(&[("tides.csv", TIDES)]);
    let ask = async |args| words(&bench.ask("table.read", args).await);
    assert_eq!(
        ask(json!({ "path": "tides.csv", "sort": "Height", "descending": true, "columns": ["place"] })).await,
        "tides.csv, 3 rows, 2 columns\nrow\tplace\n2\tHamburg\n1\tKiel\n3\tBremen\n"
    );
    let filtered = ask(json!({ "path": "tides.csv", "filters": { "height": ">5" } })).await;
    assert_eq!(filtered, "tides.csv, 3 rows, 2 columns, 1 pass the filters\nrow\tplace\theight\n2\tHamburg\t10\n");
    let part = ask(json!({ "path": "tides.csv", "from": 2, "rows": 1 })).await;
    assert!(part.contains("here are rows 2 to 2, ask for more with `from`"), "{part}");
}

#[tokio::test]
async fn mistakes_are_explained() {
    let bench = bench(&[("tides.csv", TIDES), ("a.bin", "a\0b\0\0\0,\n")]);
    let ask = async |args| failure(&bench.ask("table.read", args).await).clone();
    let unknown = ask(json!({ "path": "tides.csv", "sort": "depth" })).await;
    assert_eq!(
        (unknown.code.as_str(), unknown.hint.as_deref()),
        ("no_such_column", Some("the columns are: `place`, `height`"))
    );
    assert_eq!(ask(json!({ "path": "none.csv" })).await.code, "not_found");
    assert_eq!(ask(json!({ "path": "a.bin" })).await.code, "not_a_table");
}

#[tokio::test]
async fn table_keeps_label_and_grant() {
    let bench = bench(&[("tides.csv", TIDES), ("vendor/tides.csv", TIDES)]);
    let label = async |path: &str| bench.propose("table.read", json!({ "path": path })).await.told_from().label;
    assert_eq!((label("tides.csv").await, label("vendor/tides.csv").await), (Label::Workspace, Label::External));
    let limits = GrantLimits { paths: Some(vec!["vendor/**".parse().unwrap()]), ..GrantLimits::default() };
    let grant = bench.gate.grants().create(Grant::limited("vendor", limits), "ada").unwrap().grant;
    let submission = Submission::under(grant, model(ReviewMode::AutoApply).origin);
    let refused = bench.gate.submit(request("table.read", json!({ "path": "tides.csv" })), submission).await.unwrap();
    assert_eq!(refused.record.state, ActionState::Refused);
}
