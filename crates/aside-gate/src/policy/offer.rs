//! The rule that a person could remember instead of being asked again: as narrow as the request shows.

use std::collections::BTreeMap;

use aside_core::{
    ArgumentMatcher, CommandMatcher, ExactCommand, OriginKind, PathGlob, PolicyRule, RuleAction, Ruling,
    canonical_json, redacted, redacted_text,
};
use serde_json::Value;

use crate::policy::{commands::Words, facts::Facts};

/// Arguments that are longer than this, in bytes, make no rule.
const LONGEST: usize = 2000;

/// Builds and tests of the open folder: they run its code whatever their arguments are, so that the first words say all.
const BUILDS: &[&[&str]] = &[
    &["cargo", "build"],
    &["cargo", "check"],
    &["cargo", "clippy"],
    &["cargo", "doc"],
    &["cargo", "fmt"],
    &["cargo", "test"],
    &["dotnet", "build"],
    &["dotnet", "test"],
    &["go", "build"],
    &["go", "test"],
    &["go", "vet"],
    &["gradle", "test"],
    &["latexmk"],
    &["mvn", "test"],
    &["npm", "test"],
    &["pnpm", "test"],
    &["pytest"],
    &["ruff", "check"],
    &["tsc"],
    &["yarn", "test"],
];

/// Returns the narrowest useful rule that allows requests like this one, or none if there is no such rule.
pub(crate) fn offer(facts: &Facts<'_>) -> Option<PolicyRule> {
    let question = facts.question;
    if question.undo || facts.risks.0.is_empty() {
        return None;
    }
    let mut rule = PolicyRule::new(question.action.as_str(), Ruling::Allow, RuleAction::from(question.action.clone()));
    rule.risks = Some(facts.risks.clone());
    rule.origins = vec![facts.origin];
    // A secret is not written down a second time.
    if question.command.is_some_and(|line| redacted_text(line) != line)
        || redacted(question.args.clone()) != *question.args
    {
        return None;
    }
    match &facts.commands {
        Some(line) => rule.commands = commands(line.as_ref().ok()?)?,
        None if facts.touched.is_empty() => rule.args = args(question.args)?,
        None => rule.paths = facts.touched.iter().map(|file| exactly(file.path)).collect::<Option<_>>()?,
    }
    Some(rule)
}

fn commands(line: &[Words]) -> Option<Vec<CommandMatcher>> {
    let mut commands = Vec::new();
    for words in line {
        let begins = |build: &&&[&str]| words.iter().take(build.len()).eq(build.iter());
        let build = BUILDS.iter().find(begins);
        let command = match build {
            Some(build) => CommandMatcher::Prefix(build.iter().map(|word| (*word).to_owned()).collect()),
            None => CommandMatcher::Exact(ExactCommand { exact: words.clone() }),
        };
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    (canonical_json(&commands).len() <= LONGEST).then_some(commands)
}

/// All arguments as they are: an action without a file is known by nothing else.
fn args(args: &Value) -> Option<BTreeMap<String, ArgumentMatcher>> {
    let args = match args {
        Value::Object(args) => args,
        _ => return Some(BTreeMap::new()),
    };
    let fits = canonical_json(args).len() <= LONGEST && !args.values().any(has_null);
    let equals = |(name, value): (&String, &Value)| (name.clone(), ArgumentMatcher::Equals(value.clone()));
    fits.then(|| args.iter().map(equals).collect())
}

/// TOML knows no null.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.iter().any(has_null),
        Value::Object(values) => values.values().any(has_null),
        _ => false,
    }
}

fn exactly(path: &str) -> Option<PathGlob> {
    (!path.contains(['*', '?'])).then(|| path.parse().ok())?
}

/// What a rule allows, in a sentence.
pub(crate) fn sentence(rule: &PolicyRule) -> String {
    let quoted = |words: &[String]| words.join(" ");
    let commands = rule.commands.iter().map(|command| match command {
        CommandMatcher::Prefix(words) => format!("`{} …`", quoted(words)),
        CommandMatcher::Exact(exact) => format!("exactly `{}`", quoted(&exact.exact)),
    });
    let paths = rule.paths.iter().map(|path| format!("`{path}`"));
    let args = rule.args.iter().map(|(name, matcher)| match matcher {
        ArgumentMatcher::Equals(value) => format!("{name} = {value}"),
        ArgumentMatcher::Prefix(text) => format!("{name} beginning with `{text}`"),
        ArgumentMatcher::Glob(text) => format!("{name} like `{text}`"),
    });
    let what: Vec<_> = commands.chain(paths).chain(args).collect();
    let who: Vec<_> = rule.origins.iter().copied().map(asker).map(str::to_owned).collect();
    let mut text = format!("{} `{}`", verb(rule.ruling), rule.action);
    for (before, parts, between) in [(": ", what, ", "), (", asked by ", who, " or ")] {
        if !parts.is_empty() {
            text += &format!("{before}{}", parts.join(between));
        }
    }
    match &rule.risks {
        Some(risks) => format!("{text}, with no risks other than {risks}"),
        None => text,
    }
}

fn asker(origin: OriginKind) -> &'static str {
    match origin {
        OriginKind::User => "you in a window",
        OriginKind::Cli => "you in a terminal",
        OriginKind::Client => "a program with a token",
        OriginKind::Turn => "the assistant",
        OriginKind::Mcp => "a program over MCP",
        OriginKind::Sidebar => "the model of the AI history",
        OriginKind::Script => "a script",
    }
}

fn verb(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Allow => "Allow",
        Ruling::Confirm => "Require approval for",
        Ruling::Deny => "Deny",
    }
}
