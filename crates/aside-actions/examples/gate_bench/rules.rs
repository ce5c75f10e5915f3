//! A verdict with many rules of which each has to be looked at.

use std::{fmt::Write as _, path::Path};

use aside_core::{ObjectRef, Origin, PolicyLayer, Provenance, Risk, Risks, Timestamp, WorkspacePath};
use aside_gate::{Policy, Question};
use serde_json::json;

use crate::{figure, median, timed};

const RULES: usize = 1000;
const RUNS: usize = 2001;

pub(crate) fn measure(folder: &Path) {
    let text = rules();
    let policy = Policy::builtin().with_file(PolicyLayer::User, &folder.join("policy.toml"), Ok(Some(&text)), None);
    assert!(policy.problems().is_empty(), "{:?}", policy.problems());
    let line = "cargo test --workspace && git status --short | head -n 5";
    verdict(&policy, "doc.edit", Risk::Write, &["chapters/02/results.md"], None);
    verdict(&policy, "shell.run", Risk::Destructive, &["chapters"], Some(line));
}

/// None of them decides on what is asked: a quarter is about other actions, the rest needs its paths or commands.
fn rules() -> String {
    let mut text = String::new();
    for number in 0..RULES {
        let ruling = ["allow", "confirm", "deny"][number % 3];
        let _ = writeln!(text, "[[rule]]\nname = \"rule-{number}\"\nruling = \"{ruling}\"");
        let _ = match number % 4 {
            0 => writeln!(text, "action = \"note.*\"\npaths = [\"notes/{number}/**\"]"),
            1 => writeln!(text, "action = \"doc.*\"\npaths = [\"project-{number}/**/*.md\", \"*.{number}\"]"),
            2 => writeln!(text, "action = \"*\"\npaths = [\"**/section-{number}/*.tex\"]"),
            _ => writeln!(
                text,
                "action = \"shell.run\"\ncommands = [[\"make\", \"target-{number}\"], [\"tool-{number}\"]]"
            ),
        };
    }
    text
}

fn verdict(policy: &Policy, action: &str, risk: Risk, paths: &[&str], command: Option<&str>) {
    let name = action.parse().expect("a name");
    let origin = Origin::User { user: "bench".to_owned() };
    let path = |path: &&str| ObjectRef::file(&WorkspacePath::new(path).expect("a path"));
    let targets: Vec<_> = paths.iter().map(path).collect();
    let (risks, args, provenance) = (Risks::from([risk]), json!({ "path": paths[0] }), Provenance::default());
    let question = Question {
        action: &name,
        risks: &risks,
        args: &args,
        targets: &targets,
        command,
        origin: &origin,
        review: None,
        runs: Default::default(),
        runs_after_outputs: None,
        warnings: &[],
        undo: false,
        provenance: &provenance,
        hosts: &[],
        typed_hosts: &[],
        recovered: false,
        now: Timestamp(1_700_000_000_000),
    };
    let times = (0..RUNS).map(|_| {
        let (time, verdict) = timed(|| policy.evaluate(&question));
        assert!(verdict.default_used, "{verdict:?}");
        time.as_secs_f64() * 1e6
    });
    figure(&format!("verdict on {action} over {RULES} rules (µs)"), median(times.collect()), "<=50", None);
}
