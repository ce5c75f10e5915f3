//! The rules that are part of Aside.

use std::borrow::Cow;

use aside_core::{
    ActionPattern, Guard, ObjectRef, OriginKind, PolicyLayer, Protection, ReviewMode, Risk, Risks, RuleAction, Ruling,
    RunMode,
};

use crate::policy::{
    Policy,
    facts::{Touched, touched},
    rule::{AskedBy, Condition, DefaultOf, Paths, Rule, Tier},
};

/// Returns them in the order in which they are looked at.
pub(crate) fn rules() -> Vec<Rule> {
    denials()
        .into_iter()
        .chain(questions())
        .chain([undo_by_a_person()])
        .chain(runs_by_a_person())
        .chain(runs_in_a_thread())
        .chain(reviews())
        .chain([builds_by_a_person(), reads_of_terminals()])
        .chain(defaults())
        .collect()
}

fn rule(name: &str, tier: Tier, ruling: Ruling, when: Condition, reason: &'static str) -> Rule {
    let (name, reason) = (name.to_owned(), Cow::Borrowed(reason));
    Rule { layer: PolicyLayer::Builtin, tier, name, ruling, when, reason, written: None, inactive: None }
}

fn model() -> Condition {
    Condition { asked_by: Some(AskedBy::Model), ..Condition::default() }
}

/// A model, or a program: nobody looks at what it asks for.
fn no_person() -> Condition {
    Condition { asked_by: Some(AskedBy::NoPerson), ..Condition::default() }
}

fn grants() -> ActionPattern {
    "grant.*".parse().expect("it is `noun.*`")
}

fn trusting_tools() -> ActionPattern {
    "mcp.trust".parse().expect("it is `noun.verb`")
}

fn adding_tools() -> ActionPattern {
    "mcp.add".parse().expect("it is `noun.verb`")
}

fn starting_tools() -> ActionPattern {
    "mcp.reconnect".parse().expect("it is `noun.verb`")
}

fn denials() -> [Rule; 5] {
    let deny = |name, when, reason| rule(name, Tier::Deny(PolicyLayer::Builtin), Ruling::Deny, when, reason);
    [
        deny(
            "builtin/own-state",
            Condition { protections: Some(&[Protection::Own]), ..no_person() },
            "`{path}` is Aside's own state, which only the user may read or change.",
        ),
        deny(
            "builtin/agent-config",
            Condition { protections: Some(&[Protection::AgentConfig]), changes: true, ..no_person() },
            "`{path}` controls what agents may do, so only the user may change it.",
        ),
        deny(
            "builtin/git-internals",
            Condition { protections: Some(&[Protection::Git]), changes: true, ..no_person() },
            "`{path}` belongs to git and can run programs, so only the user may change it.",
        ),
        deny(
            "builtin/grants",
            Condition { action: Some(RuleAction::Named(grants())), changes: true, ..model() },
            "Grants control what agents and programs may do, so a model can't create or revoke one.",
        ),
        deny(
            "builtin/mcp-trust",
            Condition { action: Some(RuleAction::Named(trusting_tools())), ..model() },
            "Only the user may set the permissions of other programs' tools.",
        ),
    ]
}

impl Policy {
    /// Keeps models out of the person's own folder, which lies in the workspace, and programs from it unless a person
    /// says so each time: it has their rules, secrets and records. `folder` is its path there.
    #[must_use]
    pub(crate) fn with_own_folder(mut self, folder: &str) -> Self {
        let everything = folder.is_empty().then_some("**");
        let paths: Vec<_> = Paths::folded(everything.unwrap_or(folder)).into_iter().collect();
        let by_model = Condition { paths: paths.clone(), kept_from_commands: true, ..model() };
        let by_others = Condition { paths: paths.clone(), kept_from_commands: true, ..Condition::default() };
        let denied = "This is Aside's own folder, which a model can't read or change.";
        let asked = "This is Aside's own folder, with your rules and secrets. This needs approval every time.";
        let deny = Tier::Deny(PolicyLayer::Builtin);
        let own = [
            rule("builtin/own-folder", deny, Ruling::Deny, by_model, denied),
            rule("builtin/own-folder-asks", Tier::Confirm, Ruling::Confirm, by_others, asked),
        ];
        self.rules.change(|rules| drop(rules.splice(0..0, own)));
        self.own_folder = paths;
        self
    }

    /// Adds `access` to the risks of what touches the person's own folder, or changes one that it lies in.
    pub(crate) fn with_own_access(&self, mut risks: Risks, targets: &[ObjectRef]) -> Risks {
        let changes = !risks.is_read_only();
        let reaches = |file: &Touched<'_>| {
            let is_meant = |own: &Paths| own.cover(&file.folded) || (changes && own.begin_in(&file.folded.text));
            self.own_folder.iter().any(is_meant)
        };
        if !self.own_folder.is_empty() && targets.iter().filter_map(touched).any(|file| reaches(&file)) {
            risks.insert(Risk::Access);
        }
        risks
    }
}

fn questions() -> [Rule; 5] {
    let confirm = |name, when, reason| rule(name, Tier::Confirm, Ruling::Confirm, when, reason);
    [
        confirm(
            "builtin/mcp-add",
            Condition { action: Some(RuleAction::Named(adding_tools())), ..Condition::default() },
            "It starts or contacts another program, now and whenever its tools are used. This needs approval every \
                time.",
        ),
        confirm(
            "builtin/mcp-start",
            Condition {
                action: Some(RuleAction::Named(starting_tools())),
                risks: Some([Risk::Install].into()),
                ..Condition::default()
            },
            "It starts a program that files in this folder may have changed. This needs approval every time.",
        ),
        confirm("builtin/model-undo", Condition { undo: true, ..model() }, "A model asks to undo an action."),
        confirm("builtin/no-sandbox", Condition { guard: Some(Guard::NoSandbox), ..Condition::default() }, "{warning}"),
        confirm(
            "guard/preview",
            Condition { guarded: true, asked_by: Some(AskedBy::NoPage), ..Condition::default() },
            "{warning}",
        ),
    ]
}

fn undo_by_a_person() -> Rule {
    let when = Condition { asked_by: Some(AskedBy::Person), undo: true, ..Condition::default() };
    rule("person/undo", Tier::Allow, Ruling::Allow, when, "The user asked to undo an action.")
}

/// What a person asks for by a key or a button beside a notebook; a rule of theirs can still say otherwise. Each is
/// named, so that one that comes later is asked about: `kernel.setup` installs programs from the network.
const RUNS: [&str; 8] = [
    "cell.run",
    "cell.clear_outputs",
    "kernel.start",
    "kernel.interrupt",
    "kernel.restart",
    "kernel.shutdown",
    "terminal.open",
    "terminal.close",
];

fn runs_by_a_person() -> [Rule; 8] {
    RUNS.map(|name| {
        let action = name.parse().map(RuleAction::Named).expect("it is `noun.verb`");
        let origins = vec![OriginKind::User, OriginKind::Cli];
        let when = Condition { action: Some(action), origins, ..Condition::default() };
        rule(&format!("person/{name}"), Tier::Allow, Ruling::Allow, when, "The user asked for it directly.")
    })
}

/// A person's own build runs TeX in the sandbox; a document that may do more has other risks, which have their own
/// defaults. A rule about commands can still say otherwise.
fn builds_by_a_person() -> Rule {
    let action = "latex.build".parse().map(RuleAction::Named).expect("it is `noun.verb`");
    let when = Condition {
        action: Some(action),
        origins: vec![OriginKind::User, OriginKind::Cli],
        default_of: Some(DefaultOf::Shell),
        ..Condition::default()
    };
    rule("person/latex.build", Tier::Default, Ruling::Allow, when, "The user asked for it directly.")
}

/// A terminal is a person's own: whoever else reads it asks, unless a rule of the person's says otherwise.
fn reads_of_terminals() -> Rule {
    let action = "terminal.read".parse().map(RuleAction::Named).expect("it is `noun.verb`");
    let default_of = Some(DefaultOf::Risk(Risk::Read));
    let when = Condition { action: Some(action), default_of, ..no_person() };
    let reason = "A terminal can show anything of yours, such as passwords and files outside the workspace.";
    rule("default/terminal.read", Tier::Default, Ruling::Confirm, when, reason)
}

/// What its person has said of a thread holds for what a model runs in it; a rule of theirs can still say otherwise.
fn runs_in_a_thread() -> impl Iterator<Item = Rule> {
    let modes = [
        (RunMode::Auto, "auto", "This thread runs cells without asking."),
        (RunMode::AfterReview, "after-review", "This thread runs reviewed code without asking."),
    ];
    modes.into_iter().flat_map(|(mode, word, reason)| {
        ["cell.run", "kernel.start", "kernel.interrupt"].map(|name| {
            let action = name.parse().map(RuleAction::Named).expect("it is `noun.verb`");
            let when = Condition { action: Some(action), runs: Some(mode), ..model() };
            rule(&format!("thread/{word}/{name}"), Tier::Allow, Ruling::Allow, when, reason)
        })
    })
}

/// How a thread reviews is the default of what a model writes in it, so that a rule can say otherwise.
fn reviews() -> [Rule; 2] {
    let review = |name, mode, reason| {
        let default_of = Some(DefaultOf::Risk(Risk::Write));
        rule(name, Tier::Default, Ruling::Confirm, Condition { review: Some(mode), default_of, ..model() }, reason)
    };
    [
        review("thread/review-each", ReviewMode::ReviewEach, "In this thread you review each edit."),
        review("thread/review-at-end", ReviewMode::ReviewAtEnd, "This thread collects edits for review."),
    ]
}

fn defaults() -> [Rule; 8] {
    let default = |name, of, ruling, reason| {
        rule(name, Tier::Default, ruling, Condition { default_of: Some(of), ..Condition::default() }, reason)
    };
    let of = DefaultOf::Risk;
    let confirm = Ruling::Confirm;
    [
        default("default/read", of(Risk::Read), Ruling::Allow, "It only reads."),
        default("default/write", of(Risk::Write), Ruling::Allow, "It can be undone."),
        default("default/destructive", of(Risk::Destructive), confirm, "It removes or overwrites something."),
        default("default/access", of(Risk::Access), confirm, "It changes or reveals access rights: {path}"),
        default("default/billing", of(Risk::Billing), confirm, "It costs money."),
        default("default/network", of(Risk::Network), confirm, "It sends or fetches data over a network."),
        default("default/install", of(Risk::Install), confirm, "It installs or starts a program."),
        default("default/shell", DefaultOf::Shell, confirm, "It runs a command."),
    ]
}
