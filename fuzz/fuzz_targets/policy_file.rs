//! A file of rules is read, or its mistakes are told; whatever is in it, a built-in denial stays one, and what came with
//! a folder is never milder than nothing.
#![cfg_attr(fuzzing, no_main)]

use std::path::Path;

use aside_core::{
    Id as _, ObjectRef, Origin, PolicyLayer, Provenance, Risk, Risks, Ruling, ThreadId, Timestamp, TurnId,
};
use aside_fuzz::fuzz_target;
use aside_gate::{Policy, Question};

fn ruling(policy: &Policy, path: &str, command: Option<&str>) -> Ruling {
    let risks: Risks = [Risk::Write, Risk::Destructive].into();
    let targets = [ObjectRef { kind: "file".to_owned(), id: path.to_owned() }];
    let origin = Origin::Turn {
        user: "ada".to_owned(),
        thread: ThreadId::from_parts(Timestamp(0), 0),
        turn: TurnId::from_parts(Timestamp(0), 0),
        step: 1,
        call: "call".to_owned(),
    };
    let question = Question {
        action: &"doc.edit".parse().expect("a name"),
        risks: &risks,
        args: &serde_json::json!({ "path": path }),
        targets: &targets,
        command,
        origin: &origin,
        review: None,
        runs: Default::default(),
        runs_after_outputs: None,
        warnings: &[],
        undo: false,
        provenance: &Provenance::default(),
        hosts: &[],
        typed_hosts: &[],
        recovered: false,
        now: Timestamp(0),
    };
    policy.evaluate(&question).ruling
}

fuzz_target!(|text: &str| {
    let read = |layer| Policy::builtin().with_file(layer, Path::new("policy.toml"), Ok(Some(text)), None);
    let user = read(PolicyLayer::User);
    assert_eq!(ruling(&user, ".git/hooks/pre-commit", None), Ruling::Deny);
    let workspace = read(PolicyLayer::Workspace);
    for (path, command) in [("src/a.rs", None), ("a", Some("ls; cargo test"))] {
        let _ = ruling(&user, path, command);
        assert!(ruling(&workspace, path, command) >= ruling(&Policy::builtin(), path, command));
    }
});
