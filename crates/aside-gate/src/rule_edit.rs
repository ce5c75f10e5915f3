//! An offered rule as a person changed it: what becomes of it, and what it allows beyond the one that was offered.

use aside_core::{ArgumentMatcher, CommandMatcher, PathGlob, PolicyLayer, PolicyRule, RuleEdit};

use crate::{
    Question,
    policy::{Policy, Rule},
};

/// Returns the offered rule with a person's changes, or what is wrong with it. It has to allow the request it was offered
/// for: a rule that does not is a slip.
pub(crate) fn edited(offered: &PolicyRule, edit: &RuleEdit, question: &Question<'_>) -> Result<PolicyRule, String> {
    let RuleEdit { paths, commands, args, expires } = edit.clone();
    let rule = PolicyRule { paths, commands, args, expires, ..offered.clone() };
    let compiled = Rule::compile(&rule, PolicyLayer::User)?;
    if Policy::alone(&compiled, question) { Ok(rule) } else { Err("it would not allow this request".to_owned()) }
}

/// What a rule allows that another does not, a sentence each, as far as the two are told apart by their text: what can't
/// be told counts as more.
pub(crate) fn beyond(offered: &PolicyRule, rule: &PolicyRule) -> Vec<String> {
    let mut more = Vec::new();
    if rule.paths.is_empty() && !offered.paths.is_empty() {
        more.push("Any file.".to_owned());
    }
    let wide = rule.paths.iter().filter(|path| !offered.paths.iter().any(|known| lies_in(path, known)));
    more.extend(wide.map(|path| format!("Every file that matches `{path}`.")));
    let wide = rule.commands.iter().filter(|command| !offered.commands.iter().any(|known| begins_so(command, known)));
    more.extend(wide.map(command_words));
    for (name, wanted) in &offered.args {
        match rule.args.get(name) {
            None => more.push(format!("Any value of `{name}`.")),
            Some(matcher) if matcher != wanted => more.push(argument_words(name, matcher)),
            Some(_) => {}
        }
    }
    more
}

fn lies_in(path: &PathGlob, known: &PathGlob) -> bool {
    path.as_str().strip_prefix(known.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn begins_so(command: &CommandMatcher, known: &CommandMatcher) -> bool {
    match (command, known) {
        (CommandMatcher::Exact(exact), CommandMatcher::Prefix(prefix)) => exact.exact.starts_with(prefix),
        (CommandMatcher::Prefix(words), CommandMatcher::Prefix(prefix)) => words.starts_with(prefix),
        (_, CommandMatcher::Exact(_)) => command == known,
    }
}

fn command_words(command: &CommandMatcher) -> String {
    match command {
        CommandMatcher::Exact(exact) => format!("The command `{}`.", exact.exact.join(" ")),
        CommandMatcher::Prefix(words) => format!("Every command that begins with `{}`.", words.join(" ")),
    }
}

fn argument_words(name: &str, matcher: &ArgumentMatcher) -> String {
    match matcher {
        ArgumentMatcher::Equals(value) => format!("`{name}` may be {value}."),
        ArgumentMatcher::Prefix(text) => format!("`{name}` may be anything that begins with `{text}`."),
        ArgumentMatcher::Glob(text) => format!("`{name}` may be anything that matches `{text}`."),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Ruling;
    use serde_json::json;

    use super::*;

    /// A rule for an action, with some more of its parts.
    fn rule(parts: serde_json::Value) -> PolicyRule {
        let mut all = json!({ "name": "r", "ruling": Ruling::Allow, "action": "doc.edit" });
        all.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
        serde_json::from_value(all).unwrap()
    }

    #[track_caller]
    fn check(offered: serde_json::Value, changed: serde_json::Value, expected: &[&str]) {
        assert_eq!(beyond(&rule(offered), &rule(changed)), expected);
    }

    #[test]
    fn what_is_as_narrow_as_it_was_offered_says_nothing() {
        check(json!({ "paths": ["a.md"] }), json!({ "paths": ["a.md"], "expires": "2030-01-01" }), &[]);
        check(json!({ "paths": ["notes"] }), json!({ "paths": ["notes/a.md"] }), &[]);
        let tests = json!({ "commands": [["cargo", "test"]] });
        check(tests.clone(), json!({ "commands": [["cargo", "test", "-p"]] }), &[]);
        check(tests, json!({ "commands": [{ "exact": ["cargo", "test", "-p", "x"] }] }), &[]);
    }

    #[test]
    fn what_is_wider_is_told() {
        let file = || json!({ "paths": ["notes/a.md"] });
        check(file(), json!({ "paths": ["notes/*.md"] }), &["Every file that matches `notes/*.md`."]);
        check(file(), json!({ "paths": ["notes/a.md.bak"] }), &["Every file that matches `notes/a.md.bak`."]);
        check(file(), json!({}), &["Any file."]);
        let status = json!({ "commands": [{ "exact": ["git", "status"] }] });
        check(status, json!({ "commands": [["git"]] }), &["Every command that begins with `git`."]);
        let to = || json!({ "args": { "to": { "equals": "ada" } } });
        check(to(), json!({}), &["Any value of `to`."]);
        check(to(), json!({ "args": { "to": { "prefix": "a" } } }), &["`to` may be anything that begins with `a`."]);
    }
}
