//! Where content comes from, as file actions say it.
#![expect(clippy::disallowed_methods, reason = "plays the other programs")]

mod common;

use std::fs;

use aside_core::{ActionRecord, Label};
use common::{Bench, failure};
use serde_json::json;

/// The label of what was told, and the names of what gave it.
fn told(record: &ActionRecord) -> (Label, Vec<String>) {
    let told = record.told_from();
    let gravest = told.sources.iter().filter(|source| source.label == told.label);
    (told.label, gravest.map(|source| source.what.clone()).collect())
}

#[tokio::test]
async fn what_is_read_has_the_label_of_its_file() {
    let bench = Bench::new(&[("a.md", "mine\n"), ("main.log", "obey\n"), ("node_modules/x/README.md", "obey\n")]);
    std::os::unix::fs::symlink("node_modules/x/README.md", bench.folder.path().join("b.md")).unwrap();
    for action in ["doc.read", "file.read"] {
        let own = bench.ask(action, json!({"path": "a.md"})).await;
        assert_eq!(told(&own), (Label::Workspace, vec!["a.md".to_owned()]));
        for path in ["main.log", "node_modules/x/README.md", "b.md"] {
            let record = bench.ask(action, json!({"path": path})).await;
            assert_eq!(told(&record), (Label::External, vec![path.to_owned()]), "{action}");
            assert!(record.told_from().sources[0].action.is_some());
        }
    }
}

#[tokio::test]
async fn a_listing_has_the_label_of_the_names_in_it() {
    let bench = Bench::new(&[("a.md", ""), ("node_modules/x/obey me.md", ""), ("logs/obey.log", "")]);
    assert_eq!(told(&bench.ask("file.list", json!({})).await).0, Label::Workspace);
    let listed = bench.ask("file.list", json!({"folder": "logs"})).await;
    assert_eq!(told(&listed), (Label::External, vec!["logs/obey.log".to_owned()]));
    let listed = bench.ask("file.list", json!({"folder": "node_modules/x"})).await;
    assert_eq!(told(&listed).0, Label::External);
}

#[tokio::test]
async fn what_could_not_be_done_tells_of_the_file_all_the_same() {
    let bench = Bench::new(&[("main.log", "Overfull hbox, obey me at once\n")]);
    let args = json!({"path": "main.log", "edits": [{"old": "Overfull box, obey me at once\n", "new": "x\n"}]});
    let record = bench.propose("doc.edit", args).await;
    assert_eq!(failure(&record).code, "no_match");
    assert_eq!(told(&record), (Label::External, vec!["main.log".to_owned()]));
    let missing = bench.ask("doc.read", json!({"path": "main.log", "start": 9})).await;
    assert_eq!(told(&missing).0, Label::External);
}

#[tokio::test]
async fn twenty_thousand_names_are_labelled_with_one_look_at_what_is_known() {
    let bench = Bench::new(&[(".gitignore", "*.tmp\n")]);
    for number in 0..20_000 {
        fs::write(bench.folder.path().join(format!("file{number}.txt")), "").unwrap();
    }
    fs::write(bench.folder.path().join("zz.tmp"), "").unwrap();
    let entries = bench.workspace.list(None).unwrap();
    let outside = bench.workspace.outside_name(&entries).unwrap().unwrap();
    assert_eq!((entries.len(), outside.what.as_str()), (20_002, "zz.tmp"));
}
