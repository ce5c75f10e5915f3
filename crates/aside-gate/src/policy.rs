//! Rules on requests: data in, a verdict with the rule that decided out. Pure and total.
//!
//! ```text
//! built-in deny > organisation's > person's > folder's deny > confirm (any layer) > allow > default of each risk
//! ```
//!
//! A matching rule of an earlier tier beats all of the later ones; within a tier the first decides. The default tier
//! looks at each risk on its own, and the strictest answer counts. An `allow` rule has to cover all of a request, a
//! `deny` or `confirm` rule only to touch it. A line for a shell is allowed if each of its commands is, by any rule.

mod assistant;
mod builtin;
mod commands;
mod example;
mod explain;
mod facts;
mod file;
mod live;
mod matching;
mod offer;
mod rule;
mod rules;

use aside_core::{
    ActionName, MatchedRule, ObjectRef, Origin, Provenance, ReviewMode, Risks, Ruling, RunMode, Timestamp, Verdict,
    Warning, WorkspacePath,
};

pub use commands::{UNNAMED_HOST, Unclear, commands, hosts_of_line};
pub use file::PolicyProblem;
pub use live::{LivePolicy, PolicyFiles};

pub(crate) use example::origin;
pub(crate) use facts::with_protection;
pub(crate) use live::{RuleError, block};
pub(crate) use matching::lets_run;
pub(crate) use offer::sentence;
pub(crate) use rule::Rule;

use crate::label_rules::tightened;
use facts::Facts;
use file::FileLayer;
use matching::{Unmet, covers_command, only_may_touch, unmet};
use rule::{DefaultOf, Paths, Reach, Tier};
use rules::Rules;

/// How many matching rules a verdict names.
const MOST_MATCHED: usize = 20;

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
    /// Whether what is run in the thread's notebook is asked about.
    pub runs: RunMode,
    /// The notebook whose cells the thread runs also after it has read what runs of it put out.
    pub runs_after_outputs: Option<&'a WorkspacePath>,
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
    /// When it is asked: rules end.
    pub now: Timestamp,
}

/// The rules, and the files that they come from.
#[derive(Clone, Debug)]
pub struct Policy {
    rules: Rules,
    files: Vec<FileLayer>,
    /// The person's own folder, if it lies in the workspace.
    own_folder: Vec<Paths>,
}

impl Policy {
    /// The rules that are built in.
    pub fn builtin() -> Self {
        Self { rules: Rules::new(builtin::rules()), files: Vec::new(), own_folder: Vec::new() }
    }

    /// Returns the verdict on a request.
    pub fn evaluate(&self, question: &Question<'_>) -> Verdict {
        self.evaluate_with(question, &[])
    }

    /// Returns the verdict on a request of a turn, in which a person said yes to more than one request.
    pub(crate) fn evaluate_with(&self, question: &Question<'_>, of_turn: &[Rule]) -> Verdict {
        tightened(self.ruled(question, of_turn), question)
    }

    fn ruled(&self, question: &Question<'_>, of_turn: &[Rule]) -> Verdict {
        let facts = Facts::new(question);
        let matched = self.matching(&facts, of_turn);
        match matched.first() {
            Some(decided) => verdict(decided, &matched, &facts),
            None => self.default_verdict(&facts),
        }
    }

    /// Tells whether a rule, if it were the only one, would match a request.
    pub(crate) fn alone(rule: &Rule, question: &Question<'_>) -> bool {
        let facts = Facts::new(question);
        unmet(&rule.when, &facts).is_none() && not_allowed(&[rule], &facts).is_none()
    }

    /// The rules that name a request, the one that decides first.
    fn matching<'a>(&'a self, facts: &Facts<'_>, of_turn: &'a [Rule]) -> Vec<&'a Rule> {
        let candidates = self.rules.candidates(facts).chain(self.of_turn(of_turn));
        let mut matched: Vec<&Rule> =
            candidates.filter(|rule| rule.inactive.is_none() && unmet(&rule.when, facts).is_none()).collect();
        // What only may be touched comes with what asks.
        matched.sort_by_key(
            |rule| if only_may_touch(&rule.when, facts) { rule.tier.max(Tier::Confirm) } else { rule.tier },
        );
        if not_allowed(&matched, facts).is_some() {
            matched.retain(|rule| !is_written_allow(rule));
        }
        matched
    }

    /// All rules before the default tier.
    fn named<'a>(&'a self, of_turn: &'a [Rule]) -> impl Iterator<Item = &'a Rule> {
        self.rules.named().iter().chain(self.of_turn(of_turn))
    }

    /// A turn's rules only allow, and allowing is the last of the tiers before the default.
    fn of_turn<'a>(&self, rules: &'a [Rule]) -> &'a [Rule] {
        if self.is_whole() { rules } else { &[] }
    }

    /// The default for each risk, and for a shell.
    fn default_rules<'a>(&'a self, facts: &Facts<'_>) -> Vec<Option<&'a Rule>> {
        let risks = facts.risks.0.iter().map(|risk| DefaultOf::Risk(*risk));
        let shell = facts.commands.is_some().then_some(DefaultOf::Shell);
        let of = |wanted| {
            self.rules
                .defaults()
                .iter()
                .find(|rule| rule.when.default_of == Some(wanted) && unmet(&rule.when, facts).is_none())
        };
        risks.chain(shell).map(of).collect()
    }

    fn default_verdict(&self, facts: &Facts<'_>) -> Verdict {
        let found = self.default_rules(facts);
        let known: Vec<_> = found.iter().flatten().copied().collect();
        // The later risk is the graver one, and `max_by_key` takes the last of equals.
        let decided = known.iter().copied().max_by_key(|rule| rule.ruling);
        let mut verdict = match decided {
            Some(decided) if known.len() == found.len() => verdict(decided, &known, facts),
            _ => unknown(),
        };
        verdict.default_used = true;
        if verdict.ruling == Ruling::Confirm && self.is_whole() {
            verdict.could_add = offer::offer(facts).map(Box::new);
        }
        verdict
    }
}

fn is_written_allow(rule: &Rule) -> bool {
    rule.tier == Tier::Allow && rule.when.reach == Reach::Covers
}

/// Returns a command that no matching rule allows, if one would run.
fn not_allowed<'a>(matched: &[&Rule], facts: &'a Facts<'_>) -> Option<Unmet<'a>> {
    let allowing = || matched.iter().filter(|rule| is_written_allow(rule));
    let Some(Ok(line)) = &facts.commands else { return None };
    let open = line.iter().find(|words| !allowing().any(|rule| covers_command(&rule.when, words)));
    open.map(Unmet::Command)
}

fn verdict(decided: &Rule, matched: &[&Rule], facts: &Facts<'_>) -> Verdict {
    let others = matched.iter().filter(|rule| !std::ptr::eq(**rule, decided));
    let named = |rule: &Rule| MatchedRule { layer: rule.layer, rule: rule.name.clone(), ruling: rule.ruling };
    let matched = [decided].into_iter().chain(others.copied()).take(MOST_MATCHED).map(named).collect();
    let (ruling, reason) = match only_may_touch(&decided.when, facts) {
        true => (Ruling::Confirm, format!("It may touch files that the rule `{}` covers.", decided.name)),
        false => (decided.ruling, reason(decided, facts)),
    };
    Verdict { layer: Some(decided.layer), matched, ..Verdict::new(ruling, &decided.name, reason) }
}

fn reason(rule: &Rule, facts: &Facts<'_>) -> String {
    if rule.written.is_some() {
        return rule.reason.to_string();
    }
    let named = match facts.protection {
        Some((_, path)) => rule.reason.replace("{path}", path),
        None => explain::without_file(&rule.reason),
    };
    let warnings: Vec<_> = facts.question.warnings.iter().map(|warning| warning.text.as_str()).collect();
    let text = named.replace("{warning}", &warnings.join(" "));
    match (&facts.commands, rule.when.default_of) {
        (Some(Err(unclear)), Some(DefaultOf::Shell)) => format!("{text} No rule can allow it: {unclear}."),
        _ => text,
    }
}

fn unknown() -> Verdict {
    Verdict::new(Ruling::Confirm, "default/unknown", "No rule covers this kind of request.")
}

#[cfg(test)]
mod layer_tests;
#[cfg(test)]
mod tests;
