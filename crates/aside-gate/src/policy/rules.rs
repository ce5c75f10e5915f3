//! All rules, in order, and an index of them by what a request must have for a rule to match. A verdict looks only at
//! the rules that the index names: it may name too many, and never too few.

use std::{collections::HashMap, ops::Deref};

use aside_core::{CommandMatcher, RuleAction};

use crate::policy::{
    commands::program,
    facts::Facts,
    rule::{Condition, Rule, Tier},
};

/// The rules, in the order in which they are looked at.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    all: Vec<Rule>,
    /// How many come before the default tier.
    named: usize,
    /// Those by the action that they are about, as it is written; under `*` those about all actions.
    by_action: HashMap<String, Group>,
}

/// Rules about one action or one noun, as positions.
#[derive(Clone, Debug, Default)]
struct Group {
    by_sign: HashMap<Sign, Vec<usize>>,
    /// Those without a sign.
    others: Vec<usize>,
}

/// What a request must have for a rule to match it: one of the rule's signs, if it has any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Sign {
    /// A name in the path of a file that is touched.
    Name(String),
    /// What comes after the last dot of such a name.
    Ending(String),
    /// A program that a shell would run.
    Program(String),
}

impl Rules {
    /// Puts rules in order; those of one tier stay as they are.
    pub(crate) fn new(mut all: Vec<Rule>) -> Self {
        all.sort_by_key(|rule| rule.tier);
        let named = all.partition_point(|rule| rule.tier < Tier::Default);
        let mut by_action: HashMap<String, Group> = HashMap::new();
        for (at, rule) in all[..named].iter().enumerate().filter(|(_, rule)| rule.inactive.is_none()) {
            let about = rule.when.action.as_ref().unwrap_or(&RuleAction::Any).to_string();
            by_action.entry(about).or_default().add(at, &rule.when);
        }
        Self { all, named, by_action }
    }

    /// Changes them, and puts them in order again.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Vec<Rule>)) {
        let mut all = std::mem::take(&mut self.all);
        change(&mut all);
        *self = Self::new(all);
    }

    /// All before the default tier.
    pub(crate) fn named(&self) -> &[Rule] {
        &self.all[..self.named]
    }

    /// The default tier.
    pub(crate) fn defaults(&self) -> &[Rule] {
        &self.all[self.named..]
    }

    /// Those before the default tier that hold here and could match a request, in order.
    pub(crate) fn candidates(&self, facts: &Facts<'_>) -> impl Iterator<Item = &Rule> {
        let (action, signs) = (facts.question.action, signs_of_request(facts));
        let about = ["*", &format!("{}.*", action.noun()), action.as_str()];
        let groups = about.into_iter().filter_map(|about| self.by_action.get(about));
        let mut found: Vec<usize> = match facts.whole {
            // What may be touched has no names to go by.
            true => groups.flat_map(Group::all).collect(),
            false => groups.flat_map(|group| group.with(&signs).collect::<Vec<_>>()).collect(),
        };
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.all[at])
    }
}

impl Deref for Rules {
    type Target = [Rule];

    fn deref(&self) -> &[Rule] {
        &self.all
    }
}

impl Group {
    fn add(&mut self, at: usize, when: &Condition) {
        match signs_of_rule(when) {
            Some(signs) => signs.into_iter().for_each(|sign| self.by_sign.entry(sign).or_default().push(at)),
            None => self.others.push(at),
        }
    }

    fn all(&self) -> Vec<usize> {
        self.by_sign.values().chain([&self.others]).flatten().copied().collect()
    }

    fn with(&self, signs: &[Sign]) -> impl Iterator<Item = usize> {
        signs.iter().filter_map(|sign| self.by_sign.get(sign)).chain([&self.others]).flatten().copied()
    }
}

/// The signs of which a request has to have one; none if it can match without.
fn signs_of_rule(when: &Condition) -> Option<Vec<Sign>> {
    let signs: Vec<_> = if when.commands.is_empty() {
        when.paths.iter().map(|paths| sign_of_paths(paths.glob())).collect()
    } else {
        when.commands.iter().map(sign_of_command).collect()
    };
    if signs.is_empty() { None } else { signs.into_iter().collect() }
}

/// Each name of a pattern but `**` stands for one name of a path that it covers. A folder in which it begins has at least
/// the first name, if that is without a star; else there is no such folder.
fn sign_of_paths(glob: &str) -> Option<Sign> {
    let is_plain = |name: &&str| !name.contains(['*', '?']);
    let first = glob.split('/').next().filter(is_plain);
    let plain = first.or_else(|| glob.split('/').filter(is_plain).max_by_key(|name| name.len()));
    let ending = || glob.split('/').find_map(|name| ending(&name[name.rfind(['*', '?'])? + 1..]));
    plain.map(|name| Sign::Name(name.to_owned())).or_else(ending)
}

fn ending(name: &str) -> Option<Sign> {
    name.rsplit_once('.').map(|(_, ending)| Sign::Ending(ending.to_owned()))
}

/// Whoever names a program by its path, or in other letters, means it too, if the rule says so.
fn sign_of_command(command: &CommandMatcher) -> Option<Sign> {
    let words = match command {
        CommandMatcher::Prefix(words) => words,
        CommandMatcher::Exact(exact) => &exact.exact,
    };
    words.first().map(|first| Sign::Program(program(first)))
}

fn signs_of_request(facts: &Facts<'_>) -> Vec<Sign> {
    let paths = facts.touched.iter().flat_map(|file| [&file.exact.text, &file.folded.text]);
    let names = paths.flat_map(|path| path.split('/'));
    let of_names = names.flat_map(|name| [Some(Sign::Name(name.to_owned())), ending(name)]).flatten();
    let line = facts.commands.as_ref().and_then(|line| line.as_ref().ok());
    let programs = line.into_iter().flatten().filter_map(|words| words.first());
    let mut signs: Vec<_> = of_names.chain(programs.map(|first| Sign::Program(program(first)))).collect();
    signs.sort_unstable();
    signs.dedup();
    signs
}

#[cfg(test)]
mod tests {
    use aside_core::{ExactCommand, ObjectRef, PolicyLayer, PolicyRule, Provenance, Risk, Risks, Ruling, Timestamp};
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;
    use crate::{
        policy::{Question, matching::unmet},
        testing::model,
    };

    const ACTIONS: &[&str] = &["doc.edit", "doc.read", "docs.edit", "shell.run"];
    const PATTERNS: &[&str] = &[
        "**",
        "*",
        "a/**",
        "A/b",
        "a/b/**",
        "*/b",
        "**/b/*.md",
        "*.md",
        "**/*.MD",
        "a?/b",
        "b*.tar.gz",
        "x.",
        "*.",
        "a/*/c",
        "**/x*",
        "?b.md/**",
        "a/b*/c",
    ];
    /// Some are none of the workspace, as what a server of tools says could be.
    const PATHS: &[&str] = &[
        "", "a", "a/b", "A/B", "a/b/c", "b", "x", "x.md", "a/x.MD", "ab/b", "b.tar.gz", "x.", "a/b/x.md", "/a", "a/",
        "a/../b", "./a", "bb.md", "ﬁ.md",
    ];
    const WORDS: &[&str] = &["rm", "RM", "/bin/rm", "bin/rm", "rm.exe", "ls", "-r", "make"];

    fn command() -> impl Strategy<Value = CommandMatcher> {
        let words = vec(select(WORDS).prop_map(str::to_owned), 0..3);
        (words, any::<bool>()).prop_map(|(words, exact)| match exact {
            true => CommandMatcher::Exact(ExactCommand { exact: words }),
            false => CommandMatcher::Prefix(words),
        })
    }

    fn rule() -> impl Strategy<Value = Rule> {
        let action = select(vec!["*", "doc.*", "doc.edit", "shell.*", "shell.run"]);
        let risks = prop::option::of(vec(select(Risk::ALL.to_vec()), 1..3));
        let paths = vec(select(PATTERNS), 0..3);
        let ruling = select(vec![Ruling::Allow, Ruling::Confirm, Ruling::Deny]);
        let commands = prop_oneof![Just(Vec::new()), vec(command(), 1..3)];
        (action, risks, paths, ruling, commands).prop_filter_map(
            "no rule",
            |(action, risks, paths, ruling, commands)| {
                let written = PolicyRule {
                    risks: risks.map(|risks| risks.into_iter().collect()),
                    paths: paths.into_iter().map(|path| path.parse().unwrap()).collect(),
                    commands,
                    ..PolicyRule::new("r", ruling, action.parse().unwrap())
                };
                Rule::compile(&written, PolicyLayer::User).ok()
            },
        )
    }

    type Ask = (&'static str, Vec<Risk>, Vec<&'static str>, Option<String>);

    fn ask() -> impl Strategy<Value = Ask> {
        let line = vec(select(WORDS), 1..4).prop_map(|words| words.join(" "));
        let risks = vec(select(Risk::ALL.to_vec()), 1..3);
        (select(ACTIONS), risks, vec(select(PATHS), 0..3), prop::option::of(line))
    }

    /// Positions of the rules that match, as the index finds them, as all are looked through, and how many it names.
    fn found(rules: &Rules, (action, risks, paths, line): &Ask) -> (Vec<usize>, Vec<usize>, usize) {
        let risks: Risks = risks.iter().copied().collect();
        let file = |id: &&str| ObjectRef { kind: "file".to_owned(), id: (*id).to_owned() };
        let targets: Vec<_> = paths.iter().map(file).collect();
        let question = Question {
            action: &action.parse().unwrap(),
            risks: &risks,
            args: &serde_json::Value::Null,
            targets: &targets,
            command: line.as_deref(),
            origin: &model(),
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
        let facts = Facts::new(&question);
        let matches = |rule: &&Rule| rule.inactive.is_none() && unmet(&rule.when, &facts).is_none();
        let position = |rule: &Rule| rules.iter().position(|other| std::ptr::eq(rule, other)).unwrap();
        let by_index = rules.candidates(&facts).filter(matches).map(position).collect();
        let plainly = rules.named().iter().filter(matches).map(position).collect();
        (by_index, plainly, rules.candidates(&facts).count())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_index_finds_what_looking_through_all_rules_finds(written in vec(rule(), 1..12), ask in ask()) {
            let mut rules = Rules::new(crate::policy::builtin::rules());
            rules.change(|all| all.extend(written));
            let (by_index, plainly, _) = found(&rules, &ask);
            prop_assert_eq!(by_index, plainly);
        }
    }

    #[test]
    fn rules_about_something_else_are_not_looked_at() {
        let written = (0..1000).map(|number| {
            let paths =
                vec![format!("project-{number}/**/*.md").parse().unwrap(), format!("*.{number}").parse().unwrap()];
            let written = PolicyRule { paths, ..PolicyRule::new("r", Ruling::Deny, "doc.*".parse().unwrap()) };
            Rule::compile(&written, PolicyLayer::User).unwrap()
        });
        let rules = Rules::new(written.collect());
        let of = |action, path| found(&rules, &(action, vec![Risk::Write], vec![path], None));
        assert_eq!(of("doc.edit", "project-7/a/b.md"), (vec![7], vec![7], 1));
        assert_eq!(of("doc.edit", "PROJECT-7"), (vec![7], vec![7], 1));
        assert_eq!(of("doc.edit", "a/b.8"), (vec![], vec![], 1));
        assert_eq!(of("doc.edit", "b.8"), (vec![8], vec![8], 1));
        assert_eq!(of("file.edit", "b.8"), (vec![], vec![], 0));
    }
}
