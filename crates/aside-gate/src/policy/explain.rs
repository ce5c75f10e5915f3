//! Why a request is ruled on as it is, rule by rule, and what all rules are.

use aside_core::{
    Guard, LayerView, PolicyLayer, PolicyView, Protection, ReviewMode, RuleAction, RuleCheck, RuleView, RunMode,
};

use crate::policy::{
    Policy, Question, Rule,
    facts::Facts,
    is_written_allow,
    matching::unmet,
    not_allowed, offer,
    rule::{AskedBy, Condition, DefaultOf, Tier},
};

impl Policy {
    /// Says of every rule whether it matches, and what of it does not if not.
    pub(crate) fn checks(&self, question: &Question<'_>, of_turn: &[Rule]) -> Vec<RuleCheck> {
        let facts = Facts::new(question);
        let matched = self.matching(&facts, of_turn);
        let partly: Vec<_> = self.named(of_turn).filter(|rule| unmet(&rule.when, &facts).is_none()).collect();
        let defaults = self.default_rules(&facts);
        let decided = match matched.first() {
            Some(rule) => Some(*rule),
            None => defaults.iter().flatten().copied().max_by_key(|rule| rule.ruling),
        };
        let is = |rule: &Rule, others: &[&Rule]| others.iter().any(|other| std::ptr::eq(*other, rule));
        let known: Vec<_> = defaults.iter().flatten().copied().collect();
        let check = |rule: &Rule| {
            let matches = is(rule, &matched) || is(rule, &known);
            RuleCheck {
                layer: rule.layer,
                rule: rule.name.clone(),
                ruling: rule.ruling,
                default: rule.tier == Tier::Default,
                matched: matches,
                decided: decided.is_some_and(|decided| std::ptr::eq(decided, rule)),
                unmet: (!matches).then(|| why_not(rule, &facts, &partly)),
            }
        };
        self.named(of_turn).chain(self.rules.defaults()).map(check).collect()
    }

    /// All rules, layer by layer. `exists` tells whether there is an action that a rule could be about.
    pub(crate) fn view(&self, exists: impl Fn(&RuleAction) -> bool) -> PolicyView {
        let of = |layer: PolicyLayer| self.rules.iter().filter(move |rule| rule.layer == layer);
        let view = |layer, file: Option<String>, problem| LayerView {
            layer,
            file,
            problem,
            rules: of(layer).map(|rule| rule_view(rule, &exists)).collect(),
        };
        let files = self.files.iter().map(|file| {
            let problem = (!file.problems.is_empty()).then(|| file.problems.join("\n"));
            view(file.layer, Some(file.file.clone()), problem)
        });
        PolicyView { layers: [view(PolicyLayer::Builtin, None, None)].into_iter().chain(files).collect() }
    }
}

fn why_not(rule: &Rule, facts: &Facts<'_>, partly: &[&Rule]) -> String {
    if let Some(inactive) = rule.inactive {
        return inactive.to_owned();
    }
    if let Some(unmet) = unmet(&rule.when, facts) {
        return unmet.to_string();
    }
    if let Some(of) = rule.when.default_of {
        return match of {
            DefaultOf::Risk(risk) if facts.risks.contains(risk) => {
                "another default for this risk comes first".to_owned()
            }
            DefaultOf::Risk(_) => "no matching risk".to_owned(),
            DefaultOf::Shell if facts.commands.is_some() => "another rule comes first".to_owned(),
            DefaultOf::Shell => "no command runs".to_owned(),
        };
    }
    match not_allowed(partly, facts).filter(|_| is_written_allow(rule)) {
        Some(unmet) => unmet.to_string(),
        None => "it does not match".to_owned(),
    }
}

fn rule_view(rule: &Rule, exists: &impl Fn(&RuleAction) -> bool) -> RuleView {
    let missing = rule.when.action.as_ref().is_some_and(|action| !exists(action));
    let inactive = rule.inactive.or(missing.then_some("there is no such action"));
    RuleView {
        name: rule.name.clone(),
        ruling: rule.ruling,
        default: rule.tier == Tier::Default,
        when: rule.written.as_ref().map_or_else(|| words(&rule.when), offer::sentence),
        reason: if rule.written.is_some() { rule.reason.to_string() } else { in_general(&rule.reason) },
        inactive: inactive.map(str::to_owned),
        written: rule.written.clone(),
    }
}

/// The reason of a built-in rule where there is no request that it could speak of.
fn in_general(reason: &str) -> String {
    without_file(reason).replace("{warning}", "")
}

/// The same where no file is protected that it could name.
pub(super) fn without_file(reason: &str) -> String {
    reason.replace("`{path}`", "The file").replace(": {path}", ".")
}

fn touched(kind: Protection) -> &'static str {
    match kind {
        Protection::Runs => "a file that programs run or read settings from is touched",
        Protection::Git => "one of git's own files is touched",
        Protection::AgentConfig => "a file that controls what agents may do is touched",
        Protection::Own => "Aside's own state is touched",
    }
}

fn seen(guard: Guard) -> &'static str {
    match guard {
        Guard::LargeDeletion => "much of a file would be deleted",
        Guard::Emptying => "a file would be empty",
        Guard::WholeFile => "a whole file would be replaced",
        Guard::Elision => "the new text seems to leave something out",
        Guard::HiddenCharacters => "invisible characters would be added",
        Guard::Unbalanced => "brackets would no longer be balanced",
        Guard::LooseMatch => "the position of an edit is uncertain",
        Guard::NoSandbox => "the program would run without a sandbox",
        Guard::UnknownTool => "the tool has not been reviewed yet",
        Guard::ExternalContent => "the script has read untrusted content",
    }
}

fn reviewed(mode: ReviewMode) -> &'static str {
    match mode {
        ReviewMode::ReviewEach => "you review each edit",
        ReviewMode::ReviewAtEnd => "you review edits at the end",
        ReviewMode::AutoApply => "edits are applied immediately",
    }
}

fn runs(mode: RunMode) -> &'static str {
    match mode {
        RunMode::Ask => "the thread asks before each run",
        RunMode::AfterReview => "the thread runs reviewed code without asking",
        RunMode::Auto => "the thread runs cells without asking",
    }
}

/// When a built-in rule matches, in words.
fn words(when: &Condition) -> String {
    let mut words = Vec::new();
    match when.asked_by {
        Some(AskedBy::Model) => words.push("a model asks".to_owned()),
        Some(AskedBy::NoPerson) => words.push("a model or a program asks".to_owned()),
        Some(AskedBy::NoPage) => words.push("a model, a program or the command line asks".to_owned()),
        Some(AskedBy::Person) => words.push("the user asks".to_owned()),
        None => {}
    }
    words.extend(when.action.iter().map(|action| format!("the action `{action}`")));
    match when.default_of {
        Some(DefaultOf::Risk(risk)) => words.push(format!("the risk `{risk}`")),
        Some(DefaultOf::Shell) => words.push("a command runs".to_owned()),
        None => {}
    }
    words.extend(when.changes.then(|| "something is changed".to_owned()));
    words.extend(when.protections.into_iter().flatten().map(|kind| touched(*kind).to_owned()));
    words.extend((!when.paths.is_empty()).then(|| "Aside's own folder is touched".to_owned()));
    words.extend(when.review.map(|mode| reviewed(mode).to_owned()));
    words.extend(when.runs.map(|mode| runs(mode).to_owned()));
    words.extend(when.guarded.then(|| "the preview has a warning".to_owned()));
    words.extend(when.guard.map(|guard| seen(guard).to_owned()));
    words.extend(when.undo.then(|| "an action is undone".to_owned()));
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_rules_are_told_without_a_request_to_speak_of() {
        let view = Policy::builtin().view(|_| true);
        let told = |name: &str| {
            let rule = view.layers[0].rules.iter().find(|rule| rule.name == name).unwrap();
            (rule.when.clone(), rule.reason.clone())
        };
        let (when, reason) = told("builtin/git-internals");
        assert_eq!(when, "a model or a program asks, something is changed, one of git's own files is touched");
        assert_eq!(reason, "The file belongs to git and can run programs, so only the user may change it.");
        assert_eq!(told("default/access").1, "It changes or reveals access rights.");
        assert_eq!(
            told("guard/preview"),
            ("a model, a program or the command line asks, the preview has a warning".to_owned(), String::new())
        );
        for rule in &view.layers[0].rules {
            assert!(!rule.reason.contains('{') && !rule.when.contains('{'), "{rule:?}");
        }
    }
}
