//! How the layers go together: what nothing overrides, and what only makes stricter.

use std::path::Path;

use aside_core::{PolicyLayer, PolicyRule, Risk, WorkspacePath};
use proptest::prelude::*;

use super::*;
use crate::testing::{model, person};

/// Everything that a rule can allow, said out loud.
const ALL: &str = "[[rule]]\nname = 'all'\nruling = 'allow'\naction = '*'\n\
    risks = ['read', 'write', 'destructive', 'access', 'billing', 'network', 'install']\n";

fn with(policy: Policy, layer: PolicyLayer, text: &str) -> Policy {
    policy.with_file(layer, Path::new("/policy.toml"), Ok(Some(text)), None)
}

fn with_all() -> Policy {
    let policy = with(Policy::builtin(), PolicyLayer::Organisation, ALL);
    with(policy, PolicyLayer::User, ALL)
}

#[derive(Clone, Debug)]
struct Ask {
    /// Empty for the whole workspace, which a command that runs there does not name.
    path: &'static str,
    risks: Vec<Risk>,
    command: Option<&'static str>,
    by_model: bool,
}

impl Ask {
    fn write(path: &'static str) -> Self {
        Self { path, risks: vec![Risk::Write], command: None, by_model: true }
    }

    fn verdict(&self, policy: &Policy, of_turn: &[Rule]) -> Verdict {
        let targets = match (self.path, self.command) {
            ("", None) => vec![ObjectRef { kind: "folder".to_owned(), id: String::new() }],
            ("", Some(_)) => Vec::new(),
            (path, _) => vec![ObjectRef::file(&WorkspacePath::new(path).unwrap())],
        };
        let risks: Risks = self.risks.iter().copied().collect();
        let question = Question {
            action: &"doc.edit".parse().unwrap(),
            risks: &risks,
            args: &serde_json::Value::Null,
            targets: &targets,
            command: self.command,
            origin: &if self.by_model { model() } else { person() },
            review: Some(ReviewMode::AutoApply),
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
        policy.evaluate_with(&question, of_turn)
    }
}

fn ruling(policy: &Policy, ask: &Ask) -> (Ruling, String) {
    let verdict = ask.verdict(policy, &[]);
    (verdict.ruling, verdict.rule)
}

#[test]
fn no_rule_of_anybody_lifts_what_is_built_in() {
    let of_turn: PolicyRule = toml::from_str(&ALL.replace("[[rule]]\n", "")).unwrap();
    let of_turn = [Rule::compile(&of_turn, PolicyLayer::Turn).unwrap()];
    for path in [
        ".git/hooks/pre-commit",
        ".Git/config",
        ".git./hooks/x",
        "sub/.git/hooks/x",
        ".g\u{200c}it/hooks/x",
        ".vscode/tasks.json",
        ".VSCODE /tasks.json",
        ".claude/settings.json",
        ".mcp.json",
        "aside-policy.toml",
        "Aside-Policy.TOML",
        "ſub/aside-policy.toml",
        "a\u{17f}ide-policy.toml",
        ".aside/policy.toml",
        ".aside/data/policy.toml",
        ".a\u{17f}ide/aside.db",
    ] {
        let verdict = Ask::write(path).verdict(&with_all(), &of_turn);
        assert_eq!(verdict.ruling, Ruling::Deny, "{path}: {}", verdict.rule);
        assert_eq!(verdict.layer, Some(PolicyLayer::Builtin));
    }
    assert_eq!(ruling(&with_all(), &Ask::write("src/a.rs")), (Ruling::Allow, "organisation/all".to_owned()));
}

#[test]
fn denials_come_first_then_questions_then_what_allows() {
    let say = |ruling: &str| format!("[[rule]]\nname = '{ruling}'\nruling = '{ruling}'\naction = 'doc.edit'\n");
    let both = |organisation: &str, user: &str, workspace: &str| {
        let mut policy = Policy::builtin();
        for (layer, ruling) in
            [(PolicyLayer::Organisation, organisation), (PolicyLayer::User, user), (PolicyLayer::Workspace, workspace)]
        {
            let text = if ruling.is_empty() { String::new() } else { say(ruling) };
            policy = with(policy, layer, &text);
        }
        ruling(&policy, &Ask::write("a")).1
    };
    assert_eq!(both("deny", "deny", "deny"), "organisation/deny");
    assert_eq!(both("allow", "deny", "deny"), "user/deny");
    assert_eq!(both("allow", "allow", "deny"), "workspace/deny");
    assert_eq!(both("allow", "confirm", ""), "user/confirm");
    assert_eq!(both("confirm", "allow", ""), "organisation/confirm");
    assert_eq!(both("allow", "allow", "confirm"), "workspace/confirm");
    assert_eq!(both("", "allow", ""), "user/allow");
    assert_eq!(both("", "", "allow"), "default/write", "what comes with a folder allows nothing");
}

#[test]
fn what_happens_to_a_folder_happens_to_what_a_rule_protects_in_it() {
    let text = "[[rule]]\nname = 'keep'\nruling = 'deny'\naction = 'doc.*'\npaths = ['notes/private/**']\n";
    let policy = with(Policy::builtin(), PolicyLayer::User, text);
    for path in ["notes", "notes/private", "Notes/PRIVATE/a.md", "notes/private/a/b"] {
        assert_eq!(ruling(&policy, &Ask::write(path)).1, "user/keep", "{path}");
    }
    for path in ["notes/public", "notes-old", "note"] {
        assert_eq!(ruling(&policy, &Ask::write(path)).1, "default/write", "{path}");
    }
    let policy = with(Policy::builtin(), PolicyLayer::User, &text.replace("private/**", "*.key"));
    for (path, rule) in [("notes", "user/keep"), ("notes/a.key", "user/keep"), ("notes/a", "default/write")] {
        assert_eq!(ruling(&policy, &Ask::write(path)).1, rule, "{path}");
    }
}

#[test]
fn what_can_be_anywhere_in_the_workspace_asks_for_what_is_denied_in_a_part_of_it() {
    let text = |paths: &str, commands: &str| {
        format!(
            "[[rule]]\nname = 'no'\nruling = 'deny'\naction = 'doc.edit'\npaths = ['{paths}']\n\
             [[rule]]\nname = 'yes'\nruling = 'allow'\naction = 'doc.edit'\nrisks = ['destructive']\n{commands}"
        )
    };
    let destroys = |command| Ask { path: "", command, risks: vec![Risk::Destructive], by_model: true };
    for (command, commands) in [(None, ""), (Some("make"), "commands = [['make']]\n")] {
        let part = with(Policy::builtin(), PolicyLayer::User, &text("private/**", commands));
        let verdict = destroys(command).verdict(&part, &[]);
        assert_eq!((verdict.ruling, verdict.rule.as_str()), (Ruling::Confirm, "user/no"), "{}", verdict.reason);
        assert_eq!(verdict.reason, "It may touch files that the rule `user/no` covers.");
        assert!(verdict.could_add.is_none(), "no answer is remembered for it");
        let all = with(Policy::builtin(), PolicyLayer::User, &text("**", commands));
        assert_eq!(ruling(&all, &destroys(command)), (Ruling::Deny, "user/no".to_owned()));
        // What only reads is asked about where it reads.
        let looks = Ask { risks: vec![Risk::Read], command: None, ..destroys(None) };
        assert_eq!(ruling(&part, &looks).0, Ruling::Allow);
        assert_eq!(ruling(&all, &looks).0, Ruling::Deny);
        // A rule that denies without a path still comes first.
        let plain = "[[rule]]\nname = 'never'\nruling = 'deny'\naction = 'doc.edit'\n";
        let both = with(Policy::builtin(), PolicyLayer::User, &(text("private/**", commands) + plain));
        assert_eq!(ruling(&both, &destroys(command)), (Ruling::Deny, "user/never".to_owned()));
    }
}

#[test]
fn each_command_of_a_line_has_to_be_allowed() {
    let text = "[[rule]]\nname = 'tests'\nruling = 'allow'\naction = 'doc.edit'\ncommands = [['cargo', 'test']]\n\
        [[rule]]\nname = 'look'\nruling = 'allow'\naction = 'doc.edit'\ncommands = [['ls'], { exact = ['git', 'status'] }]\n";
    let policy = with(Policy::builtin(), PolicyLayer::User, text);
    let run = |command| ruling(&policy, &Ask { command: Some(command), ..Ask::write("a") });
    for command in ["cargo test -p x", "ls -l && cargo test", "git status | ls", "cargo test 2>&1; ls"] {
        assert_eq!(run(command).0, Ruling::Allow, "{command}");
    }
    for command in [
        "cargo test && rm -rf x",
        "cargo test\nrm -rf x",
        "cargo test & rm x",
        "cargo test | sh",
        "cargo test $(rm x)",
        "cargo test `rm x`",
        "cargo test > .git/hooks/x",
        "cargo test <<E\nrm\nE",
        "PATH=/tmp cargo test",
        "env cargo test",
        "xargs cargo test",
        "find . -exec cargo test",
        "git status -s",
        "git -c alias.status=x status",
        "ls &>/dev/null rm x",
        "cargo",
        "./cargo test",
        "с\u{430}rgo test",
    ] {
        assert_eq!(run(command), (Ruling::Confirm, "default/shell".to_owned()), "{command}");
    }
}

fn any_rule() -> impl Strategy<Value = PolicyRule> {
    let ruling = prop::sample::select(vec![Ruling::Allow, Ruling::Confirm, Ruling::Deny]);
    let action = prop::sample::select(vec!["*", "doc.*", "doc.edit", "file.read"]);
    let risks = prop::option::of(prop::collection::btree_set(prop::sample::select(Risk::ALL.to_vec()), 0..4));
    let paths = prop::collection::vec(prop::sample::select(vec!["**", "src/**", "*.toml", ".git/**"]), 0..2);
    let commands = prop::collection::vec(prop::sample::select(vec!["ls", "cargo"]), 0..2);
    (ruling, action, risks, paths, commands).prop_map(|(ruling, action, risks, paths, commands)| PolicyRule {
        risks: risks.map(Risks),
        paths: paths.into_iter().map(|path| path.parse().unwrap()).collect(),
        commands: commands.into_iter().map(|word| aside_core::CommandMatcher::Prefix(vec![word.to_owned()])).collect(),
        ..PolicyRule::new("r", ruling, action.parse().unwrap())
    })
}

fn file_of(rules: Vec<PolicyRule>) -> String {
    let named = rules.into_iter().enumerate().map(|(at, rule)| PolicyRule { name: format!("r{at}"), ..rule });
    named.map(|rule| block(&rule).unwrap()).collect()
}

fn any_file() -> impl Strategy<Value = String> {
    prop::collection::vec(any_rule(), 0..4).prop_map(file_of)
}

fn any_ask() -> impl Strategy<Value = Ask> {
    let path = prop::sample::select(vec!["", "a.toml", "src/a.rs", ".git/config", ".envrc", "aside-policy.toml"]);
    let risks = prop::collection::vec(prop::sample::select(Risk::ALL.to_vec()), 1..3);
    let command = prop::option::of(prop::sample::select(vec!["ls", "cargo test", "ls $x"]));
    (path, risks, command, any::<bool>()).prop_map(|(path, risks, command, by_model)| Ask {
        path,
        risks,
        command,
        by_model,
    })
}

proptest! {
    /// Whatever a folder brings along, nothing is ruled milder than without it.
    #[test]
    fn a_folder_s_file_only_makes_stricter(user in any_file(), workspace in any_file(), ask in any_ask()) {
        let without = with(Policy::builtin(), PolicyLayer::User, &user);
        let before = ask.verdict(&without, &[]).ruling;
        for text in [workspace.as_str(), "[[rule]", "rule = 1"] {
            let after = ask.verdict(&with(without.clone(), PolicyLayer::Workspace, text), &[]).ruling;
            prop_assert!(after >= before, "{text}");
        }
    }

    /// Whatever is written, what is denied by the built-in rules stays denied.
    #[test]
    fn written_rules_never_lift_a_built_in_denial(organisation in any_file(), user in any_file(), ask in any_ask()) {
        let builtin = Policy::builtin();
        let policy = with(with(builtin.clone(), PolicyLayer::Organisation, &organisation), PolicyLayer::User, &user);
        if ask.verdict(&builtin, &[]).ruling == Ruling::Deny {
            prop_assert_eq!(ask.verdict(&policy, &[]).ruling, Ruling::Deny);
        }
    }
}
