//! Documents are formatted by a real program: rustfmt, which comes with the toolchain of these tests.

use aside_core::{ActionState, PreviewBody};
use aside_workspace::process::find_program;
use serde_json::json;

use crate::common::{Bench, failure, words};

const UGLY: &str = "fn one()->u32{1}\n\nfn two() -> u32 {\n    2\n}\nfn  three() {}\n";
const PLAIN: &str = "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    2\n}\nfn three() {}\n";

#[tokio::test]
async fn a_document_is_formatted_where_it_differs_and_can_be_taken_back() {
    let bench = Bench::new(&[("src/a.rs", UGLY)]);
    let record = bench.act("doc.format", json!({"path": "src/a.rs"})).await;
    assert_eq!(bench.text("src/a.rs"), PLAIN);
    assert!(words(&record).starts_with("Edited src/a.rs, 2 changes: "), "{}", words(&record));
    bench.type_in("src/a.rs", |text| text.replace("    2\n", "    22\n"));
    bench.undo(&record).await;
    assert_eq!(bench.text("src/a.rs"), UGLY.replace("    2\n", "    22\n"));
    let again = bench.act("doc.format", json!({"path": "src/a.rs"})).await;
    let settled = bench.act("doc.format", json!({"path": "src/a.rs"})).await;
    assert!(again.can_undo && !settled.can_undo);
    assert_eq!(words(&settled), "src/a.rs is already formatted (rustfmt).");
}

#[tokio::test]
async fn line_endings_stay_and_the_settings_of_the_workspace_count() {
    let crlf = UGLY.replace('\n', "\r\n");
    let bench = Bench::new(&[("a.rs", &crlf), ("rustfmt.toml", "tab_spaces = 2\n")]);
    bench.act("doc.format", json!({"path": "a.rs"})).await;
    assert_eq!(bench.on_disk("a.rs"), PLAIN.replace("    ", "  ").replace('\n', "\r\n"));
    let mut names: Vec<_> =
        std::fs::read_dir(bench.folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".aside", "a.rs", "rustfmt.toml"], "nothing was left in the workspace");
}

#[tokio::test]
async fn a_text_that_it_cannot_read_stays_as_it_is() {
    let bench = Bench::new(&[("a.rs", "fn one( {\n")]);
    let record = bench.ask("doc.format", json!({"path": "a.rs"})).await;
    let failure = failure(&record);
    assert_eq!(failure.code, "not_formatted");
    assert!(failure.message.starts_with("rustfmt could not format `a.rs`: error"), "{}", failure.message);
    assert_eq!(bench.text("a.rs"), "fn one( {\n");
}

#[tokio::test]
async fn what_is_not_installed_is_named_with_the_way_to_get_it() {
    let bench = Bench::new(&[("a.ml", "let x=1\n"), ("a.txt", "some text\n")]);
    let unknown = bench.ask("doc.format", json!({"path": "a.txt"})).await;
    assert_eq!(failure(&unknown).message, "no formatter is known for `a.txt`");
    if find_program("ocamlformat").is_some() {
        eprintln!("skipped: ocamlformat is installed");
        return;
    }
    let missing = bench.ask("doc.format", json!({"path": "a.ml"})).await;
    let failure = failure(&missing);
    assert_eq!(failure.message, "`a.ml` can't be formatted: ocamlformat is not installed");
    assert_eq!(failure.hint.as_deref(), Some("to get ocamlformat: opam install ocamlformat"));
}

#[tokio::test]
async fn a_program_of_the_project_goes_before_one_of_the_machine_and_can_write_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let script = "#!/bin/sh\necho touched > stolen; echo touched >> a.rs; echo '// by the project'; cat\n";
    let bench = Bench::new(&[("a.rs", PLAIN), ("node_modules/.bin/rustfmt", script)]);
    let program = bench.folder.path().join("node_modules/.bin/rustfmt");
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let record = bench.act("doc.format", json!({"path": "a.rs"})).await;
    if bench.workspace.processes().found().level == aside_core::SandboxLevel::None {
        assert_eq!(words(&record), "a.rs is already formatted (rustfmt).", "that of the machine");
        return;
    }
    assert_eq!(bench.text("a.rs"), format!("// by the project\n{PLAIN}"));
    assert!(!bench.folder.path().join("stolen").exists());
    let again = bench.propose("doc.format", json!({"path": "a.rs"})).await;
    let said = again.preview.clone().unwrap().summary;
    assert_eq!(said, "Format a.rs with node_modules/.bin/rustfmt: 1 change");
}

#[tokio::test]
async fn what_a_model_wants_formatted_is_shown_before() {
    let bench = Bench::new(&[("a.rs", UGLY)]);
    let record = bench.propose("doc.format", json!({"path": "a.rs"})).await;
    assert_eq!(record.state, ActionState::AwaitingConfirmation);
    let preview = record.preview.clone().unwrap();
    assert_eq!(preview.summary, "Format a.rs with rustfmt: 2 changes");
    let PreviewBody::Diff { files } = preview.body else { panic!("a diff") };
    assert_eq!(files[0].hunks.len(), 2);
    assert_eq!(bench.text("a.rs"), UGLY);
    assert_eq!(bench.approve(&record).await.state, ActionState::Done);
    assert_eq!(bench.text("a.rs"), PLAIN);
}
