//! Every example of every declaration does what it says, in a small workspace.

mod common;

use std::os::unix::fs::PermissionsExt as _;

use common::{Bench, path};

const FILES: [(&str, &str); 4] = [
    ("src/model.py", "def one():\n    return 1\n# end\n"),
    ("data/old.csv", "a,b\n"),
    ("data/tides.csv", "time,height\n"),
    ("data/lost.csv", "lost\n"),
];

/// The name under which `data/lost.csv` is kept.
const KEPT: &str = "051765f42de5419074051102ea63b821700037fed59ea2edde679c2cc5573dfd";

#[tokio::test]
async fn every_example_runs() {
    let descriptors: Vec<_> = Bench::new(&[]).gate.catalog().descriptors().cloned().collect();
    assert_eq!(descriptors.len(), 14);
    for descriptor in descriptors {
        for example in descriptor.examples {
            let bench = Bench::new(&FILES);
            let lost = bench.folder.path().join("data/lost.csv");
            std::fs::set_permissions(lost, std::fs::Permissions::from_mode(0o644)).unwrap();
            // What `file.restore` puts back in its example.
            let kept = bench.workspace.delete(&path("data/lost.csv"), None).unwrap();
            assert_eq!(kept.unwrap().as_str(), KEPT);
            let record = bench.act(descriptor.name.as_str(), example.args).await;
            assert!(record.outcome.unwrap().is_done(), "{}: {}", descriptor.name, example.title);
        }
    }
}

#[tokio::test]
async fn the_catalog_finds_and_describes_itself() {
    let bench = Bench::new(&[]);
    let found = common::words(&bench.ask("catalog.search", serde_json::json!({"query": "rename a file"})).await);
    assert!(found.starts_with("file.move: "), "{found}");
    let told = common::words(&bench.ask("catalog.describe", serde_json::json!({"name": "doc.edit"})).await);
    assert!(told.contains("\"edits\"") && told.contains("risks: write"), "{told}");
    let unknown = bench.ask("catalog.describe", serde_json::json!({"name": "file.rename"})).await;
    assert!(common::failure(&unknown).hint.as_deref().unwrap().contains("file.move"));
}
