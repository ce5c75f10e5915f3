//! The examples of a rule: requests that it has to match, and some that it must not.

use aside_core::{
    ActionName, ExampleRequest, GrantId, Id as _, ObjectRef, Origin, OriginKind, Place, PolicyRule, Provenance, Risk,
    RuleAction, RuleExample, TaskId, ThreadId, Timestamp, TurnId,
};
use serde_json::{Value, json};

use crate::policy::{
    Question,
    facts::Facts,
    matching::{Unmet, covers_command, unmet},
    rule::{Condition, Reach, Rule},
};

/// What to do about it.
const MEND: &str = "fix the rule or the example";

/// Tells whether a rule does to its examples what they say. When it ends does not matter.
pub(crate) fn check(rule: &Rule, written: &PolicyRule) -> Result<(), String> {
    let when = Condition { expires: None, ..rule.when.clone() };
    for example in &written.matches {
        let failing = try_on(&when, written, example, |unmet| unmet.map(|unmet| unmet.to_string()))?;
        if let Some(reason) = failing {
            return Err(format!("it does not match its example {}: {reason}; {MEND}", shown(example)));
        }
    }
    for example in &written.not_match {
        if try_on(&when, written, example, |unmet| unmet.is_none())? {
            return Err(format!("it matches {}, which it must not; {MEND}", shown(example)));
        }
    }
    Ok(())
}

fn shown(example: &RuleExample) -> String {
    match example {
        RuleExample::Short(text) => format!("`{text}`"),
        RuleExample::Full(request) => serde_json::to_string(request).expect("examples serialise to JSON"),
    }
}

fn try_on<T>(
    when: &Condition,
    written: &PolicyRule,
    example: &RuleExample,
    answer: impl FnOnce(Option<Unmet<'_>>) -> T,
) -> Result<T, String> {
    let request = spelled_out(written, example);
    let action = action(written, &request).map_err(|problem| format!("{problem} in the example {}", shown(example)))?;
    let risks = request.risks.or_else(|| written.risks.clone()).unwrap_or_else(|| [Risk::Write].into());
    let file = |path: &String| ObjectRef { kind: "file".to_owned(), id: path.clone() };
    let targets: Vec<_> = request.paths.iter().map(file).collect();
    let kind = request.origin.or_else(|| written.origins.first().copied()).unwrap_or(OriginKind::Turn);
    let origin = origin(kind, String::new());
    let args = request.args.unwrap_or_else(|| given(written));
    let provenance = Provenance::default();
    let question = Question {
        action: &action,
        risks: &risks,
        args: &args,
        targets: &targets,
        command: request.command.as_deref(),
        origin: &origin,
        review: request.review.or(written.review),
        runs: Default::default(),
        runs_after_outputs: None,
        warnings: &[],
        undo: false,
        provenance: &provenance,
        hosts: &[],
        typed_hosts: &[],
        recovered: false,
        now: Timestamp(0),
    };
    let facts = Facts::new(&question);
    let unmet = unmet(when, &facts).or_else(|| alone(when, &facts));
    Ok(answer(unmet))
}

/// A rule that allows is looked at on its own: every command of the line has to be its.
fn alone<'a>(when: &Condition, facts: &'a Facts<'_>) -> Option<Unmet<'a>> {
    let Some(Ok(line)) = facts.commands.as_ref().filter(|_| when.reach == Reach::Covers) else { return None };
    line.iter().find(|words| !covers_command(when, words)).map(Unmet::Command)
}

fn spelled_out(written: &PolicyRule, example: &RuleExample) -> ExampleRequest {
    match example {
        RuleExample::Full(request) => (**request).clone(),
        RuleExample::Short(text) if !written.commands.is_empty() => {
            ExampleRequest { command: Some(text.clone()), ..ExampleRequest::default() }
        }
        RuleExample::Short(text) if !written.paths.is_empty() => {
            ExampleRequest { paths: vec![text.clone()], ..ExampleRequest::default() }
        }
        RuleExample::Short(text) => ExampleRequest { action: Some(text.clone()), ..ExampleRequest::default() },
    }
}

fn action(written: &PolicyRule, request: &ExampleRequest) -> Result<ActionName, String> {
    let name = match (&request.action, &written.action) {
        (Some(name), _) => name.clone(),
        (None, RuleAction::Any) => "any.action".to_owned(),
        (None, RuleAction::Named(pattern)) => pattern.as_str().replace('*', "action"),
    };
    name.parse().map_err(|error: aside_core::InvalidActionName| error.to_string())
}

/// Arguments that are as the rule wants them, as far as it says exactly how.
fn given(written: &PolicyRule) -> Value {
    let exact = written.args.iter().filter_map(|(name, matcher)| match matcher {
        aside_core::ArgumentMatcher::Equals(value) => Some((name.clone(), value.clone())),
        aside_core::ArgumentMatcher::Prefix(text) => Some((name.clone(), json!(text))),
        aside_core::ArgumentMatcher::Glob(_) => None,
    });
    Value::Object(exact.collect())
}

/// Somebody of a kind, for trying rules on.
pub(crate) fn origin(kind: OriginKind, user: String) -> Origin {
    let start = Timestamp(0);
    match kind {
        OriginKind::User => Origin::User { user },
        OriginKind::Cli => Origin::Cli { user },
        OriginKind::Client => Origin::Client { user, grant: GrantId::from_parts(start, 0) },
        OriginKind::Mcp => Origin::Mcp { user, client: String::new(), session: None },
        OriginKind::Sidebar => Origin::Sidebar { user },
        OriginKind::Script => {
            let (task, by) = (TaskId::from_parts(start, 0), Box::new(Origin::Cli { user }));
            Origin::Script { task, call: 1, place: Place::Workspace, by }
        }
        OriginKind::Turn => Origin::Turn {
            user,
            thread: ThreadId::from_parts(start, 0),
            turn: TurnId::from_parts(start, 0),
            step: 1,
            call: String::new(),
        },
    }
}
