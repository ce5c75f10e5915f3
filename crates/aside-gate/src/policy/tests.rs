//! What the built-in rules say, and how those of people go with them.

use std::path::Path;

use aside_core::{Guard, OriginKind, PolicyLayer, Risk, ThreadId, TurnId, WorkspacePath};
use proptest::prelude::*;

use super::*;
use crate::testing::{model, person};

struct Ask {
    action: &'static str,
    risks: Risks,
    path: &'static str,
    command: Option<&'static str>,
    origin: Origin,
    review: Option<ReviewMode>,
    guarded: bool,
    undo: bool,
    provenance: Provenance,
    hosts: &'static [String],
    recovered: bool,
}

impl Default for Ask {
    fn default() -> Self {
        let risks = [Risk::Write].into();
        let provenance = Provenance::default();
        Self {
            action: "doc.edit",
            risks,
            path: "a.py",
            command: None,
            origin: model(),
            review: None,
            guarded: false,
            undo: false,
            provenance,
            hosts: &[],
            recovered: false,
        }
    }
}

fn rule(ask: Ask) -> (Ruling, String) {
    rule_of(&Policy::builtin(), ask)
}

fn rule_of(policy: &Policy, ask: Ask) -> (Ruling, String) {
    let verdict = verdict_of(policy, ask);
    (verdict.ruling, verdict.rule)
}

fn verdict_of(policy: &Policy, ask: Ask) -> Verdict {
    let targets = [ObjectRef::file(&WorkspacePath::new(ask.path).unwrap())];
    let warning = Warning { guard: Guard::Emptying, text: "The file would be empty.".to_owned() };
    let question = Question {
        action: &ask.action.parse().unwrap(),
        risks: &ask.risks,
        args: &serde_json::Value::Null,
        targets: &targets,
        command: ask.command,
        origin: &ask.origin,
        review: ask.review,
        runs: Default::default(),
        runs_after_outputs: None,
        warnings: if ask.guarded { &[warning] } else { &[] },
        undo: ask.undo,
        provenance: &ask.provenance,
        hosts: ask.hosts,
        typed_hosts: &[],
        recovered: ask.recovered,
        now: Timestamp(0),
    };
    policy.evaluate(&question)
}

#[test]
fn reason_names_only_a_protected_file() {
    let reason = |path| {
        let ask = Ask { risks: [Risk::Access].into(), path, origin: person(), ..Ask::default() };
        verdict_of(&Policy::builtin(), ask).reason
    };
    assert_eq!(reason("a.py"), "It changes or reveals access rights.");
    assert_eq!(reason(".vscode/tasks.json"), "It changes or reveals access rights: .vscode/tasks.json");
}

#[track_caller]
fn check(ask: Ask, ruling: Ruling, name: &str) {
    assert_eq!(rule(ask), (ruling, name.to_owned()));
}

#[test]
fn a_folder_of_the_person_s_that_lies_in_the_workspace_is_no_model_s_and_no_program_s() {
    let policy = Policy::builtin().with_own_folder(".local/share/aside");
    let grant = aside_core::Id::from_parts(Timestamp(1), 1);
    let program = Origin::Client { user: "ada".to_owned(), grant };
    for path in [".local/share/aside/policy.toml", ".LOCAL/share/aside/workspaces/x.json", ".local/share/aside"] {
        for risk in [Risk::Read, Risk::Write] {
            let ask = |origin: &Origin| Ask { risks: [risk].into(), path, origin: origin.clone(), ..Ask::default() };
            assert_eq!(rule_of(&policy, ask(&model())), (Ruling::Deny, "builtin/own-folder".to_owned()), "{path}");
            for origin in [&program, &person()] {
                assert_eq!(rule_of(&policy, ask(origin)), (Ruling::Confirm, "builtin/own-folder-asks".to_owned()));
            }
        }
    }
    for above in [".local", ".LOCAL/share"] {
        let ask = |origin: &Origin| Ask { path: above, origin: origin.clone(), ..Ask::default() };
        assert_eq!(rule_of(&policy, ask(&model())).0, Ruling::Deny, "{above}");
        assert_eq!(rule_of(&policy, ask(&program)).0, Ruling::Confirm, "{above}");
    }
    let beside = Ask { path: ".local/share/aside-notes", origin: program, ..Ask::default() };
    assert_eq!(rule_of(&policy, beside).0, Ruling::Allow);
}

#[test]
fn to_touch_the_person_s_own_folder_or_change_one_that_it_lies_in_is_access() {
    let policy = Policy::builtin().with_own_folder(".local/share/aside");
    let is_access = |policy: &Policy, risk: Risk, path: &str| {
        let target = aside_core::ObjectRef { kind: "folder".to_owned(), id: path.to_owned() };
        policy.with_own_access([risk].into(), &[target]).contains(Risk::Access)
    };
    for path in [".local", ".Local/share", ".local/share/aside", ".local/share/aside/policy.toml"] {
        assert!(is_access(&policy, Risk::Write, path), "{path}");
        assert!(!is_access(&Policy::builtin(), Risk::Write, path), "{path}");
    }
    assert!(is_access(&policy, Risk::Read, ".local/share/aside/x") && !is_access(&policy, Risk::Read, ".local"));
    assert!(!is_access(&policy, Risk::Write, ".local/share/aside-notes") && !is_access(&policy, Risk::Write, ".loc"));
}

#[test]
fn a_person_runs_cells_without_a_question_but_installs_nothing_so() {
    let code = Risks::from([Risk::Write, Risk::Destructive, Risk::Access, Risk::Install, Risk::Network]);
    let ask = |action, risks: &Risks| Ask { action, risks: risks.clone(), origin: person(), ..Ask::default() };
    for action in ["cell.run", "cell.clear_outputs", "kernel.start", "kernel.restart", "kernel.shutdown"] {
        check(ask(action, &code), Ruling::Allow, &format!("person/{action}"));
        let by_model = Ask { origin: model(), ..ask(action, &code) };
        assert_eq!(rule(by_model).0, Ruling::Confirm, "{action}");
    }
    let setup = Risks::from([Risk::Install, Risk::Network, Risk::Write]);
    for command in [None, Some("python3 -m venv .venv")] {
        let asked = rule(Ask { command, ..ask("kernel.setup", &setup) });
        assert_eq!(asked.0, Ruling::Confirm, "{asked:?}");
    }
    assert_eq!(rule(ask("kernel.whatever", &code)).0, Ruling::Confirm, "what is not known yet");
}

#[test]
fn a_model_is_reviewed_as_its_thread_says() {
    let auto = Some(ReviewMode::AutoApply);
    check(Ask::default(), Ruling::Confirm, "thread/review-each");
    check(Ask { review: Some(ReviewMode::ReviewAtEnd), ..Ask::default() }, Ruling::Confirm, "thread/review-at-end");
    check(Ask { review: auto, ..Ask::default() }, Ruling::Allow, "default/write");
    check(Ask { review: auto, guarded: true, ..Ask::default() }, Ruling::Confirm, "guard/preview");
    check(Ask { risks: [Risk::Read].into(), ..Ask::default() }, Ruling::Allow, "default/read");
}

#[test]
fn a_thread_says_whether_what_a_model_runs_is_asked_about() {
    let ruled = |action: &str, runs: RunMode, review: ReviewMode, provenance: &Provenance, origin: &Origin| {
        let verdict = Policy::builtin().evaluate(&Question {
            action: &action.parse().unwrap(),
            risks: &[Risk::Write, Risk::Destructive, Risk::Access, Risk::Install, Risk::Network].into(),
            args: &serde_json::Value::Null,
            targets: &[ObjectRef::file(&WorkspacePath::new("a.ipynb").unwrap())],
            command: None,
            origin,
            review: Some(review),
            runs,
            runs_after_outputs: None,
            warnings: &[],
            undo: false,
            provenance,
            hosts: &[],
            typed_hosts: &[],
            recovered: false,
            now: Timestamp(0),
        });
        (verdict.ruling, verdict.rule)
    };
    let (none, each, at_once) = (Provenance::default(), ReviewMode::ReviewEach, ReviewMode::AutoApply);
    let run = |runs, review| ruled("cell.run", runs, review, &none, &model());
    assert_eq!(run(RunMode::Ask, at_once).0, Ruling::Confirm);
    assert_eq!(run(RunMode::Auto, each), (Ruling::Allow, "thread/auto/cell.run".to_owned()));
    assert_eq!(run(RunMode::Auto, at_once).0, Ruling::Allow);
    assert_eq!(run(RunMode::AfterReview, each), (Ruling::Allow, "thread/after-review/cell.run".to_owned()));
    assert_eq!(run(RunMode::AfterReview, at_once).0, Ruling::Confirm, "nobody has looked at it");
    for other in ["notebook.run", "shell.run", "kernel.shutdown", "kernel.setup"] {
        assert_eq!(ruled(other, RunMode::Auto, at_once, &none, &model()).0, Ruling::Confirm, "{other}");
    }
    let outside = Provenance::of(aside_core::LabelSource::external("a page", "somebody else wrote it"));
    assert_eq!(
        ruled("cell.run", RunMode::Auto, each, &outside, &model()),
        (Ruling::Confirm, "label/external".to_owned())
    );
    let program = Origin::Mcp { user: "ada".into(), client: "other".into(), session: None };
    assert_eq!(ruled("cell.run", RunMode::Ask, each, &none, &program).0, Ruling::Confirm);
}

#[test]
fn only_a_person_opens_terminals_without_a_question() {
    let ask = |action, risk: Risk, origin| Ask { action, risks: [risk].into(), origin, ..Ask::default() };
    for (action, risk) in [("terminal.open", Risk::Install), ("terminal.close", Risk::Destructive)] {
        check(ask(action, risk, person()), Ruling::Allow, &format!("person/{action}"));
        check(ask(action, risk, model()), Ruling::Confirm, &format!("default/{risk}"));
    }
    check(ask("terminal.read", Risk::Read, person()), Ruling::Allow, "default/read");
    check(ask("terminal.read", Risk::Read, model()), Ruling::Confirm, "default/terminal.read");
    check(ask("terminal.list", Risk::Read, model()), Ruling::Allow, "default/read");
}

#[test]
fn a_person_is_asked_about_grave_risks_only() {
    check(Ask { origin: person(), ..Ask::default() }, Ruling::Allow, "default/write");
    check(Ask { origin: person(), guarded: true, ..Ask::default() }, Ruling::Allow, "default/write");
    for risk in [Risk::Destructive, Risk::Access, Risk::Billing, Risk::Network, Risk::Install] {
        let name = format!("default/{risk}");
        check(Ask { origin: person(), risks: [Risk::Write, risk].into(), ..Ask::default() }, Ruling::Confirm, &name);
    }
    check(Ask { origin: person(), risks: [].into(), ..Ask::default() }, Ruling::Confirm, "default/unknown");
}

#[test]
fn a_command_is_asked_about_whatever_the_risks_of_its_action() {
    let run = || Ask { risks: [Risk::Read].into(), command: Some("ls"), ..Ask::default() };
    check(run(), Ruling::Confirm, "default/shell");
    check(Ask { origin: person(), ..run() }, Ruling::Confirm, "default/shell");
}

#[test]
fn a_command_without_a_sandbox_is_asked_about_also_where_a_rule_allows_it() {
    let text = "[[rule]]\nname = \"listing\"\nruling = \"allow\"\naction = \"shell.run\"\ncommands = [[\"ls\"]]\n";
    let rules = Policy::builtin().with_file(PolicyLayer::User, Path::new("policy.toml"), Ok(Some(text)), None);
    let ruled = |origin: &Origin, warnings: &[Warning]| {
        rules
            .evaluate(&Question {
                action: &"shell.run".parse().unwrap(),
                risks: &[Risk::Write].into(),
                args: &serde_json::Value::Null,
                targets: &[],
                command: Some("ls -l"),
                origin,
                review: Some(ReviewMode::AutoApply),
                runs: Default::default(),
                runs_after_outputs: None,
                warnings,
                undo: false,
                provenance: &Provenance::default(),
                hosts: &[],
                typed_hosts: &[],
                recovered: false,
                now: Timestamp(0),
            })
            .rule
    };
    let none = [Warning { guard: Guard::NoSandbox, text: "Nothing keeps it from the rest.".to_owned() }];
    for origin in [person(), model()] {
        assert_eq!(ruled(&origin, &[]), "user/listing");
        assert_eq!(ruled(&origin, &none), "builtin/no-sandbox");
    }
}

/// Everybody who can ask, by kind.
fn everybody() -> Vec<Origin> {
    [OriginKind::User, OriginKind::Cli, OriginKind::Client, OriginKind::Turn, OriginKind::Mcp, OriginKind::Sidebar]
        .map(|kind| example::origin(kind, "ada".to_owned()))
        .to_vec()
}

#[test]
fn only_a_person_counts_as_one_whoever_else_asks() {
    let auto = Some(ReviewMode::AutoApply);
    for origin in everybody() {
        let ruled = |ask: Ask| rule(Ask { origin: origin.clone(), review: auto, ..ask });
        let undo = ruled(Ask { undo: true, risks: [Risk::Destructive].into(), ..Ask::default() });
        let guarded = ruled(Ask { guarded: true, ..Ask::default() });
        let changes = |path| ruled(Ask { path, ..Ask::default() }).0;
        let reads = ruled(Ask { path: ".aside/server.json", risks: [Risk::Read].into(), ..Ask::default() });
        let of_agents = [".git/config", ".vscode/settings.json"].map(changes);
        let at_page = matches!(origin, Origin::User { .. });
        assert_eq!(guarded.0 == Ruling::Allow, at_page, "a script can use the owner's token: {origin:?}");
        if origin.is_person() {
            let undo_of_much = ruled(Ask { undo: true, guarded: true, ..Ask::default() });
            assert_eq!((undo.1.as_str(), undo_of_much.0), ("person/undo", Ruling::Allow), "{origin:?}");
            assert_eq!((of_agents, reads.0), ([Ruling::Confirm; 2], Ruling::Confirm), "{origin:?}");
        } else {
            assert_eq!((undo.0, guarded.1.as_str()), (Ruling::Confirm, "guard/preview"), "{origin:?}");
            assert_eq!((of_agents, reads.0), ([Ruling::Deny; 2], Ruling::Deny), "{origin:?}");
        }
    }
}

#[test]
fn a_program_takes_back_unasked_what_it_could_do_unasked() {
    let undo = |risk: Risk| Ask {
        origin: example::origin(OriginKind::Client, "ada".to_owned()),
        undo: true,
        risks: [risk].into(),
        ..Ask::default()
    };
    check(undo(Risk::Write), Ruling::Allow, "default/write");
    check(undo(Risk::Destructive), Ruling::Confirm, "default/destructive");
}

#[test]
fn what_governs_agents_is_not_for_agents() {
    let auto = Some(ReviewMode::AutoApply);
    let write = |path| Ask { path, review: auto, ..Ask::default() };
    check(write(".git/hooks/pre-commit"), Ruling::Deny, "builtin/git-internals");
    check(write(".VSCode/settings.json"), Ruling::Deny, "builtin/agent-config");
    check(write(".aside/policy.toml"), Ruling::Deny, "builtin/own-state");
    check(write(".envrc"), Ruling::Confirm, "default/access");
    let read = |path| Ask { path, risks: [Risk::Read].into(), ..Ask::default() };
    check(read(".aside/server.json"), Ruling::Deny, "builtin/own-state");
    check(read(".git/config"), Ruling::Confirm, "default/access");
    check(read(".vscode/settings.json"), Ruling::Allow, "default/read");
    check(Ask { origin: person(), ..write(".git/config") }, Ruling::Confirm, "default/access");
}

#[test]
fn a_person_who_asks_for_an_undo_has_decided_and_a_model_has_not() {
    let undo = || Ask { undo: true, risks: [Risk::Destructive].into(), ..Ask::default() };
    check(Ask { origin: person(), ..undo() }, Ruling::Allow, "person/undo");
    check(Ask { review: Some(ReviewMode::AutoApply), ..undo() }, Ruling::Confirm, "builtin/model-undo");
}

fn any_risks() -> impl Strategy<Value = Risks> {
    prop::collection::btree_set(prop::sample::select(Risk::ALL.to_vec()), 0..4).prop_map(Risks)
}

proptest! {
    /// Total, and a risk that is added never makes an answer milder.
    #[test]
    fn more_risk_is_never_ruled_milder(risks in any_risks(), more in any_risks(), by_model: bool, guarded: bool) {
        let origin = if by_model { model() } else { person() };
        let ask = |risks: Risks| rule(Ask { risks, origin: origin.clone(), guarded, review: Some(ReviewMode::AutoApply), ..Ask::default() }).0;
        prop_assume!(!risks.0.is_empty());
        let both: Risks = risks.0.union(&more.0).copied().collect();
        prop_assert!(ask(both) >= ask(risks));
    }
}

#[test]
fn ids_are_only_for_telling_who() {
    let other = Origin::Turn {
        user: "someone".to_owned(),
        thread: "thr_00000000000000000000000009".parse::<ThreadId>().unwrap(),
        turn: "trn_00000000000000000000000009".parse::<TurnId>().unwrap(),
        step: 9,
        call: "x".to_owned(),
    };
    assert_eq!(rule(Ask { origin: other, ..Ask::default() }), rule(Ask::default()));
}
