//! A file of rules. With a mistake in any file no written rule allows anything, those that forbid or ask and are right in
//! themselves still do, and every change asks until the file is mended. If a rule that forbids or asks may be among what
//! can't be read, those that the file had before stay, and models are asked about for reading too.

use std::{borrow::Cow, collections::BTreeSet, path::Path};

use aside_core::{AiRestriction, PolicyLayer, PolicyRule, Ruling};
use serde::Deserialize;
use toml::Spanned;

use crate::policy::{
    Policy, assistant, example,
    rule::{AskedBy, Condition, Rule, Tier, layer_word},
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
    /// A rule that forbids or asks may be among what is wrong.
    pub(crate) lost: bool,
    /// What it says of AI, or why that can't be told.
    pub(crate) restrictions: Result<Vec<AiRestriction>, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    rule: Vec<Spanned<PolicyRule>>,
    /// Read apart, so that a mistake in a rule leaves them known.
    #[serde(default, rename = "assistant")]
    _assistant: Vec<assistant::Written>,
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
        let (rules, mut problems, lost) = match read.clone().and_then(|text| parse(&file, text)) {
            Ok(written) => compile(&file, &written, layer),
            Err(problems) => (Vec::new(), problems, true),
        };
        let restrictions = read.map_err(|_| "it can't be read".to_owned()).and_then(assistant::restrictions);
        if let (Err(problem), true) = (&restrictions, problems.is_empty()) {
            problems.push(format!("{file}: {problem}"));
        }
        self.files.push(FileLayer { layer, file, problems, lost, restrictions });
        self.settle(rules.into_iter().map(|rule| placed(rule, workspace)).collect());
        self
    }

    /// Keeps what a file forbade and asked about before a mistake came into it.
    #[must_use]
    pub(crate) fn keeping(mut self, before: &Self) -> Self {
        let lost = |layer| self.files.iter().any(|file| file.layer == layer && file.lost);
        let known = |rule: &Rule| self.rules.iter().any(|known| known.name == rule.name);
        let kept = before
            .rules
            .iter()
            .filter(|rule| rule.written.is_some() && rule.ruling != Ruling::Allow && lost(rule.layer) && !known(rule));
        let kept: Vec<_> = kept.cloned().collect();
        self.rules.change(|rules| rules.extend(kept));
        self.keep_restrictions(before);
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

    /// Takes in the rules of the last file, and takes back what must not hold beside a mistake.
    fn settle(&mut self, mut more: Vec<Rule>) {
        if let Some(broken) = self.files.last().filter(|file| !file.problems.is_empty()) {
            more.extend(questions(broken));
        }
        let is_whole = self.is_whole();
        self.rules.change(|rules| {
            rules.extend(more);
            let allowing = |rule: &&mut Rule| rule.tier == Tier::Allow && rule.written.is_some();
            for rule in rules.iter_mut().filter(|_| !is_whole).filter(allowing) {
                rule.inactive = Some(OTHER_MISTAKE);
            }
        });
    }
}

/// Asks about every change, and about all that models do if a rule may be lost. Says which file is the reason, and what is
/// wrong with it, unless that would repeat a stranger's words.
fn questions(broken: &FileLayer) -> Vec<Rule> {
    let first = broken.problems.first().map(String::as_str).unwrap_or_default();
    let (whose, what) = match broken.layer {
        PolicyLayer::Organisation => ("The organisation's policy", first),
        PolicyLayer::Workspace => ("The policy that comes with this folder", "see `aside policy show`"),
        PolicyLayer::Builtin | PolicyLayer::User | PolicyLayer::Turn => ("Your policy", first),
    };
    let ask = |name, when, about| Rule {
        layer: broken.layer,
        tier: Tier::Confirm,
        name: format!("{}/{name}", layer_word(broken.layer)),
        ruling: Ruling::Confirm,
        when,
        reason: Cow::Owned(format!("{whose} has a mistake, so {about} needs approval until it is fixed: {what}")),
        written: None,
        inactive: None,
    };
    let changes = Condition { changes: true, ..Condition::default() };
    let by_model = Condition { asked_by: Some(AskedBy::Model), ..Condition::default() };
    let mut questions = vec![ask("mistake", changes, "every change")];
    questions.extend(broken.lost.then(|| ask("lost-rules", by_model, "every action of a model")));
    questions
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
    of_rule.find_map(|line| quoted(line.trim().strip_prefix("name")?.trim_start().strip_prefix('=')?.trim_start()))
}

/// What stands in the quotes that a text begins with.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    text[1..].split_once(quote).map(|(inside, _)| inside)
}

/// Returns the rules that are right, what is wrong with the others, and whether one of those forbids or asks.
fn compile(file: &str, written: &[(usize, PolicyRule)], layer: PolicyLayer) -> (Vec<Rule>, Vec<String>, bool) {
    let (mut rules, mut problems, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut lost = false;
    for (line, rule) in written {
        let checked = match names.insert(&rule.name) {
            true => check(rule, layer),
            false => Err("an earlier rule has this name".to_owned()),
        };
        match checked {
            Ok(rule) => rules.push(rule),
            Err(problem) => {
                lost |= rule.ruling != Ruling::Allow;
                problems.push(format!("{file}:{line}: rule `{}`: {problem}", rule.name));
            }
        }
    }
    (rules, problems, lost)
}

fn check(written: &PolicyRule, layer: PolicyLayer) -> Result<Rule, String> {
    let relative = written.workspaces.iter().find(|folder| !Path::new(folder).is_absolute());
    if let Some(folder) = relative {
        return Err(format!("the workspace `{folder}` is not an absolute path"));
    }
    let rule = Rule::compile(written, layer)?;
    example::check(&rule, written)?;
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FILE: &str = "/home/ada/policy.toml";

    fn read(layer: PolicyLayer, text: &str) -> Policy {
        Policy::builtin().with_file(layer, Path::new(FILE), Ok(Some(text)), None)
    }

    #[track_caller]
    fn mistake(text: &str, expected: &str) {
        let problems = read(PolicyLayer::User, text).problems();
        assert_eq!(problems.iter().map(|problem| problem.text.as_str()).collect::<Vec<_>>(), [expected]);
    }

    /// A rule that allows, with some more lines.
    fn allow(lines: &str) -> String {
        format!("# mine\n[[rule]]\nname = 'r'\nruling = 'allow'\naction = 'doc.edit'\n{lines}\n")
    }

    #[test]
    fn a_rule_is_held_against_its_own_examples() {
        mistake(
            &allow("paths = ['notes/**']\nmatch = ['draft/a.md']"),
            "/home/ada/policy.toml:2: rule `r`: it does not match its example `draft/a.md`: its paths do not cover \
             `draft/a.md`; fix the rule or the example",
        );
        mistake(
            &allow("paths = ['notes/**']\nnot_match = ['notes/a.md']"),
            "/home/ada/policy.toml:2: rule `r`: it matches `notes/a.md`, which it must not; fix the rule or the example",
        );
        mistake(
            &allow("commands = [['cargo', 'test']]\nmatch = ['cargo test && rm x']"),
            "/home/ada/policy.toml:2: rule `r`: it does not match its example `cargo test && rm x`: no rule allows `rm x`, which also runs; fix the rule or the example",
        );
    }

    #[test]
    fn examples_that_hold_are_no_mistake() {
        for lines in [
            "paths = ['notes/**']\nmatch = ['notes/a.md', { paths = ['notes/a', 'notes/b'] }]\n\
             not_match = ['notes-evil/a', { paths = ['notes/a', 'b'] }, { paths = ['notes/a'], risks = ['access'] }]",
            "commands = [['cargo', 'test']]\nmatch = ['cargo test -p x 2>&1']\n\
             not_match = ['cargo test; ls', 'cargo test $(id)', 'env cargo test', '/tmp/cargo test', 'cargo testx']",
            "origins = ['turn']\nmatch = ['doc.edit']\nnot_match = [{ origin = 'mcp' }, 'doc.read']",
            "args.path = { prefix = 'a' }\nmatch = [{ args = { path = 'ab' } }]\nnot_match = [{ args = { path = 'b' } }, { args = {} }]",
            "expires = '2020-01-01'\nmatch = ['doc.edit']",
        ] {
            assert_eq!(read(PolicyLayer::User, &allow(lines)).problems(), [], "{lines}");
        }
    }

    #[test]
    fn what_a_rule_can_not_say_is_told_with_its_line() {
        for (lines, part) in [
            ("oops = 1", ":6: rule `r`: unknown field `oops`"),
            ("paths = ['../x']", ":6: rule `r`: "),
            ("risks = ['fun']", ":6: rule `r`: unknown variant `fun`"),
            ("expires = 'tomorrow'", ":2: rule `r`: `tomorrow` is not a time"),
            ("workspaces = ['notes']", ":2: rule `r`: the workspace `notes` is not an absolute path"),
            ("commands = [['env', 'ls']]", ":2: rule `r`: `env` can run anything"),
            ("commands = [['python3']]", ":2: rule `r`: the arguments of `python3` decide what it does"),
            ("commands = [['python3', '-c']]", ":2: rule `r`: the arguments of `python3` decide what it does"),
            ("commands = [['sed', 's/a/b/']]", ":2: rule `r`: any argument of `sed` can change what it does"),
            ("commands = [['uv', 'run']]", ":2: rule `r`: `uv run` starts another program"),
            ("commands = [['uv', 'run', 'sh']]", ":2: rule `r`: `sh` can run anything"),
            ("commands = [['git', '-C', 'x']]", ":2: rule `r`: `git -C` can run or write anything"),
            ("args.path = { glob = '[' }", ":2: rule `r`: `[` is not a pattern"),
        ] {
            let problems = read(PolicyLayer::User, &allow(lines)).problems();
            assert!(problems.len() == 1 && problems[0].text.contains(part), "{lines}: {problems:?}");
        }
    }

    #[test]
    fn a_rule_for_everything_and_a_name_twice_are_mistakes() {
        mistake(
            "[[rule]]\nname = 'all'\nruling = 'allow'\naction = '*'\n",
            "/home/ada/policy.toml:1: rule `all`: it would allow everything: name its actions, risks, paths or commands",
        );
        let twice = format!("{}{}", allow(""), allow(""));
        mistake(&twice, "/home/ada/policy.toml:8: rule `r`: an earlier rule has this name");
    }

    #[test]
    fn a_file_that_can_t_be_read_asks_models_about_everything() {
        let broken =
            Policy::builtin().with_file(PolicyLayer::User, Path::new(FILE), Err("it is not a file".into()), None);
        assert_eq!(broken.problems()[0].text, "/home/ada/policy.toml: it is not a file");
        let asked: Vec<_> = broken.rules.iter().filter(|rule| rule.layer == PolicyLayer::User).collect();
        assert_eq!(
            asked.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>(),
            ["user/mistake", "user/lost-rules"]
        );
    }

    #[test]
    fn what_was_forbidden_before_a_mistake_still_is() {
        let deny = "[[rule]]\nname = 'no'\nruling = 'deny'\naction = 'shell.*'\n";
        let before = read(PolicyLayer::User, &format!("{deny}{}", allow("")));
        for text in ["[[rule]", &deny.replace("shell.*", "shell*")] {
            let after = read(PolicyLayer::User, text).keeping(&before);
            let kept: Vec<_> =
                after.rules.iter().filter(|rule| rule.written.is_some()).map(|rule| &rule.name).collect();
            assert_eq!(kept, ["user/no"], "{text}");
            assert!(after.rules.is_sorted_by_key(|rule| rule.tier));
        }
        let taken_out = read(PolicyLayer::User, "").keeping(&before);
        assert!(taken_out.rules.iter().all(|rule| rule.written.is_none()), "a file without mistakes says it all");
    }

    proptest! {
        #[test]
        fn never_panics_and_never_allows_by_a_mistake(text in "[\\[\\]a-z='\"{}#,.0-9 \n*/\\-_]{0,300}") {
            let policy = read(PolicyLayer::User, &text);
            let allows = policy.rules.iter().any(|rule| {
                rule.written.is_some() && rule.ruling == Ruling::Allow && rule.inactive.is_none()
            });
            prop_assert!(!allows || policy.is_whole());
        }

        /// A change of one byte is a mistake that is told, or still a file of rules.
        #[test]
        fn a_changed_byte_does_no_harm(at in 0_usize..400, byte in 0_u8..128) {
            let mut bytes = allow("paths = ['notes/**']\nmatch = ['notes/a.md']\nrisks = ['write']").into_bytes();
            let at = at % bytes.len();
            bytes[at] = byte;
            let policy = read(PolicyLayer::User, &String::from_utf8(bytes).unwrap());
            prop_assert_eq!(policy.is_whole(), policy.problems().is_empty());
        }
    }
}
