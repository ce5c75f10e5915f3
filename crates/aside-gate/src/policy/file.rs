//! A file of rules. It holds as a whole or not at all: with a mistake in it none of its rules allows anything, those
//! that forbid or ask and are right in themselves still do, and every change asks until the file is mended.

use std::{borrow::Cow, collections::BTreeSet, path::Path};

use aside_core::{PolicyLayer, PolicyRule, Ruling};
use serde::Deserialize;
use toml::Spanned;

use crate::policy::{
    Policy, example,
    rule::{Condition, Rule, Tier, layer_word},
};

/// The longest file, in bytes.
pub(crate) const LONGEST: usize = 1 << 20;

const OTHER_WORKSPACE: &str = "it is for another workspace";
const OTHER_MISTAKE: &str = "a policy file has a mistake, so no rule allows anything";

/// What is wrong with a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyProblem {
    /// Whose file it is.
    pub layer: PolicyLayer,
    /// File, line, rule and what is wrong: `/etc/aside/policy.toml:12: rule `tests`: …`.
    pub text: String,
}

/// A file that rules come from.
#[derive(Clone, Debug)]
pub(crate) struct FileLayer {
    pub(crate) layer: PolicyLayer,
    pub(crate) file: String,
    pub(crate) problems: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    rule: Vec<Spanned<PolicyRule>>,
}

impl Policy {
    /// Adds the rules of a file, which may not be there. `text` is what the file holds, or why it can't be read;
    /// `workspace` is the folder that is open, as far as one is.
    #[must_use]
    pub fn with_file(
        mut self,
        layer: PolicyLayer,
        file: &Path,
        text: Result<Option<&str>, String>,
        workspace: Option<&Path>,
    ) -> Self {
        let file = file.display().to_string();
        let read = text.map(Option::unwrap_or_default).map_err(|problem| vec![format!("{file}: {problem}")]);
        let (rules, problems) = match read.and_then(|text| parse(&file, text)) {
            Ok(written) => compile(&file, &written, layer),
            Err(problems) => (Vec::new(), problems),
        };
        self.rules.extend(rules.into_iter().map(|rule| placed(rule, workspace)));
        self.files.push(FileLayer { layer, file, problems });
        self.settle();
        self
    }

    /// What is wrong with the files.
    pub fn problems(&self) -> Vec<PolicyProblem> {
        let of = |file: &FileLayer| {
            let layer = file.layer;
            file.problems.iter().map(move |text| PolicyProblem { layer, text: text.clone() }).collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of).collect()
    }

    /// Tells whether no file has a mistake.
    pub(crate) fn is_whole(&self) -> bool {
        self.files.iter().all(|file| file.problems.is_empty())
    }

    /// Orders the rules, and takes back what must not hold beside a mistake.
    fn settle(&mut self) {
        if let Some(broken) = self.files.last().filter(|file| !file.problems.is_empty()) {
            self.rules.push(question(broken));
        }
        if !self.is_whole() {
            for rule in self.rules.iter_mut().filter(|rule| rule.tier == Tier::Allow && rule.written.is_some()) {
                rule.inactive = Some(OTHER_MISTAKE);
            }
        }
        self.rules.sort_by_key(|rule| rule.tier);
    }
}

/// Asks about every change, and says which mistake is the reason.
fn question(broken: &FileLayer) -> Rule {
    let first = broken.problems.first().map(String::as_str).unwrap_or_default();
    let whose = if broken.layer == PolicyLayer::Organisation { "The organisation's" } else { "Your" };
    Rule {
        layer: broken.layer,
        tier: Tier::Confirm,
        name: format!("{}/mistake", layer_word(broken.layer)),
        ruling: Ruling::Confirm,
        when: Condition { changes: true, ..Condition::default() },
        reason: Cow::Owned(format!("{whose} policy has a mistake, so every change is asked about: {first}")),
        written: None,
        inactive: None,
    }
}

fn placed(rule: Rule, workspace: Option<&Path>) -> Rule {
    let scope = rule.written.as_ref().map(|written| written.workspaces.as_slice()).unwrap_or_default();
    let here = |folder: &String| workspace.is_some_and(|open| open.starts_with(folder));
    let elsewhere = !scope.is_empty() && !scope.iter().any(here);
    Rule { inactive: rule.inactive.or(elsewhere.then_some(OTHER_WORKSPACE)), ..rule }
}

/// Reads the form of a file; each rule comes with its line, from 1.
fn parse(file: &str, text: &str) -> Result<Vec<(usize, PolicyRule)>, Vec<String>> {
    if text.len() > LONGEST {
        return Err(vec![format!("{file}: it is longer than {LONGEST} bytes")]);
    }
    let written: Written = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| line_of(text, span.start));
        let rule =
            line.and_then(|line| rule_before(text, line)).map(|name| format!(" rule `{name}`:")).unwrap_or_default();
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        vec![format!("{file}{line}:{rule} {}", error.message())]
    })?;
    Ok(written.rule.into_iter().map(|rule| (line_of(text, rule.span().start), rule.into_inner())).collect())
}

fn line_of(text: &str, position: usize) -> usize {
    text.as_bytes().iter().take(position).filter(|byte| **byte == b'\n').count() + 1
}

/// The name of the rule that a line belongs to, as far as it can be made out of a text that can't be read.
fn rule_before(text: &str, line: usize) -> Option<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().take(line).rposition(|line| line.trim_start().starts_with("[[rule]]"))?;
    let end = lines.iter().skip(start + 1).position(|line| line.trim_start().starts_with("[[rule]]"));
    let mut of_rule = lines[start..].iter().take(end.map_or(usize::MAX, |end| end + 1));
    of_rule.find_map(|line| line.trim().strip_prefix("name")?.trim_start().strip_prefix('=')?.trim().split('"').nth(1))
}

fn compile(file: &str, written: &[(usize, PolicyRule)], layer: PolicyLayer) -> (Vec<Rule>, Vec<String>) {
    let (mut rules, mut problems, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (line, rule) in written {
        let checked = match names.insert(&rule.name) {
            true => check(rule, layer),
            false => Err("there is a rule of this name before it".to_owned()),
        };
        match checked {
            Ok(rule) => rules.push(rule),
            Err(problem) => problems.push(format!("{file}:{line}: rule `{}`: {problem}", rule.name)),
        }
    }
    (rules, problems)
}

fn check(written: &PolicyRule, layer: PolicyLayer) -> Result<Rule, String> {
    let relative = written.workspaces.iter().find(|folder| !Path::new(folder).is_absolute());
    if let Some(folder) = relative {
        return Err(format!("the workspace `{folder}` is no absolute path"));
    }
    let rule = Rule::compile(written, layer)?;
    example::check(&rule, written)?;
    Ok(rule)
}
