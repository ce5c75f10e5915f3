//! Rules on requests: data in, a verdict with the rule that decided out. Pure and total.
//!
//! A matching rule of an earlier tier beats all of the later ones; within a tier the first in the list
//! decides. The default tier looks at each risk on its own, and the strictest answer counts.

use aside_core::{
    ActionName, ObjectRef, Origin, Protection, Provenance, ReviewMode, Risk, Risks, Ruling, Verdict, Warning,
    protection,
};

use crate::label_rules::tightened;

/// What policy is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Which action.
    pub action: &'a ActionName,
    /// Its risks, as declared and assessed; policy adds `access` where a path is protected.
    pub risks: &'a Risks,
    /// The arguments, as the schema has them.
    pub args: &'a serde_json::Value,
    /// What it touches.
    pub targets: &'a [ObjectRef],
    /// The line that a shell would run, if one would.
    pub command: Option<&'a str>,
    /// Who asks.
    pub origin: &'a Origin,
    /// How the thread reviews edits; a model without a mode is reviewed at each.
    pub review: Option<ReviewMode>,
    /// What the guards saw in the preview; empty before there is one.
    pub warnings: &'a [Warning],
    /// It takes another action back.
    pub undo: bool,
    /// What the request was made from.
    pub provenance: &'a Provenance,
    /// The hosts it would reach, as far as they are known.
    pub hosts: &'a [String],
    /// The hosts that the person named in their own words.
    pub typed_hosts: &'a [String],
    /// A call that was read out of a model's text.
    pub recovered: bool,
}

/// The order in which rules are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// What can't be allowed by any other rule.
    Deny,
    /// What asks whatever else allows it.
    Confirm,
    /// What runs although its risk alone would ask.
    Allow,
    /// What holds for a risk when nothing else is said.
    Default,
}

/// Whom a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// A model in a turn.
    Model,
    /// A person, at the UI or the command line.
    Person,
}

/// When a rule matches: every part that is set holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Condition {
    /// Who asks.
    pub(crate) asked_by: Option<AskedBy>,
    /// The risk whose default it is.
    pub(crate) risk: Option<Risk>,
    /// It changes something: it has a risk above `read`.
    pub(crate) changes: bool,
    /// The strongest protection among what it touches is one of these.
    pub(crate) protections: Option<&'static [Protection]>,
    /// How the thread reviews edits.
    pub(crate) review: Option<ReviewMode>,
    /// A guard saw something in the preview.
    pub(crate) guarded: bool,
    /// It takes another action back.
    pub(crate) undo: bool,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// Its name, shown with every verdict: `builtin/agent-config`.
    pub(crate) name: &'static str,
    /// When it is looked at.
    pub(crate) tier: Tier,
    /// When it matches.
    pub(crate) when: Condition,
    /// What it says.
    pub(crate) ruling: Ruling,
    /// One sentence for the person; `{path}` and `{warning}` stand for what was found.
    pub(crate) reason: &'static str,
}

/// The rules, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    rules: Vec<Rule>,
}

impl Policy {
    /// The rules that are built in.
    pub fn builtin() -> Self {
        Self { rules: builtin() }
    }

    /// Returns the verdict on a request.
    pub fn evaluate(&self, question: &Question<'_>) -> Verdict {
        tightened(self.ruled(question), question)
    }

    fn ruled(&self, question: &Question<'_>) -> Verdict {
        let matching =
            |tier: Tier| self.rules.iter().filter(move |rule| rule.tier == tier && matches(&rule.when, question, None));
        [Tier::Deny, Tier::Confirm, Tier::Allow]
            .into_iter()
            .find_map(|tier| matching(tier).next())
            .map_or_else(|| self.default_verdict(question), |rule| verdict(rule, question))
    }

    fn default_verdict(&self, question: &Question<'_>) -> Verdict {
        if question.command.is_some() {
            return shell();
        }
        let of_risk = |risk: &Risk| {
            let mut rules = self.rules.iter().filter(|rule| rule.tier == Tier::Default);
            rules
                .find(|rule| matches(&rule.when, question, Some(*risk)))
                .map_or_else(unknown, |rule| verdict(rule, question))
        };
        let risks = with_protection(question.risks.clone(), question.targets);
        let verdicts = risks.0.iter().map(of_risk);
        // The later risk is the graver one, and `max_by_key` takes the last of equals.
        verdicts.max_by_key(|verdict| verdict.ruling).unwrap_or_else(unknown)
    }
}

/// Adds `access` to the risks of what touches a protected path.
pub(crate) fn with_protection(mut risks: Risks, targets: &[ObjectRef]) -> Risks {
    if let Some((found, _)) = protection(targets)
        && (!risks.is_read_only() || matches!(found, Protection::Own | Protection::Git))
    {
        risks.insert(Risk::Access);
    }
    risks
}

fn matches(condition: &Condition, question: &Question<'_>, risk: Option<Risk>) -> bool {
    let asked_by = if question.origin.is_model() { AskedBy::Model } else { AskedBy::Person };
    condition.asked_by.is_none_or(|wanted| wanted == asked_by)
        && condition.risk.is_none_or(|wanted| risk == Some(wanted))
        && (!condition.changes || !question.risks.is_read_only())
        && condition
            .protections
            .is_none_or(|wanted| protection(question.targets).is_some_and(|(found, _)| wanted.contains(&found)))
        && condition.review.is_none_or(|wanted| wanted == question.review.unwrap_or_default())
        && (!condition.guarded || !question.warnings.is_empty())
        && (!condition.undo || question.undo)
}

fn verdict(rule: &Rule, question: &Question<'_>) -> Verdict {
    let path = protection(question.targets).map(|(_, path)| path).unwrap_or_default();
    let warnings: Vec<_> = question.warnings.iter().map(|warning| warning.text.as_str()).collect();
    let reason = rule.reason.replace("{path}", path).replace("{warning}", &warnings.join(" "));
    Verdict::new(rule.ruling, rule.name, reason)
}

/// What a shell does can't be seen before, whatever the risks of the action that runs it.
fn shell() -> Verdict {
    let reason = "It runs a command.".to_owned();
    Verdict::new(Ruling::Confirm, "default/shell", reason)
}

fn unknown() -> Verdict {
    Verdict::new(Ruling::Confirm, "default/unknown", "No rule knows this kind of request.")
}

fn builtin() -> Vec<Rule> {
    let model = || Condition { asked_by: Some(AskedBy::Model), ..Condition::default() };
    let deny = |name, when, reason| Rule { name, tier: Tier::Deny, when, ruling: Ruling::Deny, reason };
    let confirm = |name, when, reason| Rule { name, tier: Tier::Confirm, when, ruling: Ruling::Confirm, reason };
    let default = |name, risk, ruling, reason| {
        let when = Condition { risk: Some(risk), ..Condition::default() };
        Rule { name, tier: Tier::Default, when, ruling, reason }
    };
    vec![
        deny(
            "builtin/own-state",
            Condition { protections: Some(&[Protection::Own]), ..model() },
            "`{path}` is Aside's own state, which a model can neither read nor change.",
        ),
        deny(
            "builtin/agent-config",
            Condition { protections: Some(&[Protection::AgentConfig]), changes: true, ..model() },
            "`{path}` says what agents may do, so a model can't change it.",
        ),
        deny(
            "builtin/git-internals",
            Condition { protections: Some(&[Protection::Git]), changes: true, ..model() },
            "`{path}` belongs to git and can run programs, so a model can't change it.",
        ),
        confirm("builtin/model-undo", Condition { undo: true, ..model() }, "A model asks to take an action back."),
        confirm("guard/preview", Condition { guarded: true, ..model() }, "{warning}"),
        confirm(
            "thread/review-each",
            Condition { changes: true, review: Some(ReviewMode::ReviewEach), ..model() },
            "This thread reviews each edit before it is made.",
        ),
        confirm(
            "thread/review-at-end",
            Condition { changes: true, review: Some(ReviewMode::ReviewAtEnd), ..model() },
            "This thread collects edits for review.",
        ),
        Rule {
            name: "person/undo",
            tier: Tier::Allow,
            when: Condition { asked_by: Some(AskedBy::Person), undo: true, ..Condition::default() },
            ruling: Ruling::Allow,
            reason: "A person asked to take an action back.",
        },
        default("default/read", Risk::Read, Ruling::Allow, "It only looks."),
        default("default/write", Risk::Write, Ruling::Allow, "It can be undone."),
        default("default/destructive", Risk::Destructive, Ruling::Confirm, "It removes or overwrites something."),
        default(
            "default/access",
            Risk::Access,
            Ruling::Confirm,
            "It changes or reveals who or what may do things: {path}",
        ),
        default("default/billing", Risk::Billing, Ruling::Confirm, "It costs money."),
        default("default/network", Risk::Network, Ruling::Confirm, "It sends or fetches over a network."),
        default("default/install", Risk::Install, Ruling::Confirm, "It brings in or starts a program."),
    ]
}

#[cfg(test)]
mod tests {
    use aside_core::{Guard, ThreadId, TurnId, WorkspacePath};
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{model, person};

    struct Ask {
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
        let targets = [ObjectRef::file(&WorkspacePath::new(ask.path).unwrap())];
        let warning = Warning { guard: Guard::Emptying, text: "The file would be empty.".to_owned() };
        let question = Question {
            action: &"doc.edit".parse().unwrap(),
            risks: &ask.risks,
            args: &serde_json::Value::Null,
            targets: &targets,
            command: ask.command,
            origin: &ask.origin,
            review: ask.review,
            warnings: if ask.guarded { &[warning] } else { &[] },
            undo: ask.undo,
            provenance: &ask.provenance,
            hosts: ask.hosts,
            typed_hosts: &[],
            recovered: ask.recovered,
        };
        let verdict = Policy::builtin().evaluate(&question);
        (verdict.ruling, verdict.rule)
    }

    #[track_caller]
    fn check(ask: Ask, ruling: Ruling, name: &str) {
        assert_eq!(rule(ask), (ruling, name.to_owned()));
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
    fn a_person_is_asked_about_grave_risks_only() {
        check(Ask { origin: person(), ..Ask::default() }, Ruling::Allow, "default/write");
        check(Ask { origin: person(), guarded: true, ..Ask::default() }, Ruling::Allow, "default/write");
        for risk in [Risk::Destructive, Risk::Access, Risk::Billing, Risk::Network, Risk::Install] {
            let name = format!("default/{risk}");
            check(
                Ask { origin: person(), risks: [Risk::Write, risk].into(), ..Ask::default() },
                Ruling::Confirm,
                &name,
            );
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
}
