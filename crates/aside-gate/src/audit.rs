//! What is written to the chain: who asked for what, which rule or person decided, what came of it.

use aside_core::{
    ActionId, ActionName, ActionRecord, Choice, Failure, ObjectRef, Origin, Outcome, RefusedBy, Risks, Ruling, Sha256,
    Timestamp, canonical_json,
};
use serde::Serialize;
use serde_json::Value;

use crate::redact::{redacted, redacted_text};

/// Arguments longer than this are kept by their hash alone.
const ARGS: usize = 16 * 1024;
/// The longest text of an outcome.
const SUMMARY: usize = 1000;

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Taken in; waits for a person.
    Submitted,
    /// What would happen was shown, and nothing else done.
    DryRun,
    /// A stored outcome was returned for a known key.
    Replayed,
    /// It will not run.
    Refused,
    /// It could not even be shown.
    Failed,
    /// What was shown is no longer what would happen; asked again.
    Stale,
    /// A person answered.
    Decision,
    /// It is about to run.
    Intent,
    /// It ran.
    Outcome,
    /// It was found without an outcome after a restart.
    Interrupted,
}

/// A person's answer.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Answer<'a> {
    pub(crate) by: &'a str,
    pub(crate) decision: Choice,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<&'a [u32]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Entry<'a> {
    kind: Kind,
    at: Timestamp,
    action: &'a ActionId,
    action_type: &'a ActionName,
    origin: &'a Origin,
    key: &'a str,
    envelope_hash: &'a Sha256,
    risks: &'a Risks,
    targets: &'a [ObjectRef],
    ruling: Ruling,
    rule: &'a str,
    args_hash: Sha256,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit_context: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview_hash: Option<Sha256>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_hash: Option<&'a Sha256>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Answer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Ending<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed: &'a [ObjectRef],
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a ActionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undoes: Option<&'a ActionId>,
}

#[derive(Serialize)]
struct Ending<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<RefusedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    text: String,
}

/// Returns an entry about an action as it is now.
pub(crate) fn entry(kind: Kind, at: Timestamp, record: &ActionRecord) -> Value {
    full_entry(kind, at, record, None, &[])
}

/// Returns an entry about a person's answer.
pub(crate) fn decision(at: Timestamp, record: &ActionRecord, answer: &Answer<'_>) -> Value {
    full_entry(Kind::Decision, at, record, Some(answer), &[])
}

/// Returns an entry about how a run ended and what it changed.
pub(crate) fn outcome(at: Timestamp, record: &ActionRecord, changed: &[ObjectRef]) -> Value {
    full_entry(Kind::Outcome, at, record, None, changed)
}

fn full_entry(
    kind: Kind,
    at: Timestamp,
    record: &ActionRecord,
    answer: Option<&Answer<'_>>,
    changed: &[ObjectRef],
) -> Value {
    let envelope = &record.envelope;
    let args = redacted(&envelope.args);
    let text = canonical_json(&args);
    let entry = Entry {
        kind,
        at,
        action: &envelope.id,
        action_type: &envelope.action_type,
        origin: &record.origin,
        key: &envelope.idempotency_key,
        envelope_hash: &envelope.hash,
        risks: &envelope.risk_level,
        targets: &record.assessment.targets,
        ruling: record.verdict.ruling,
        rule: &record.verdict.rule,
        args_hash: Sha256::of(&text),
        args: (text.len() <= ARGS).then_some(args),
        audit_context: envelope.audit_context.clone(),
        preview_hash: record.preview.as_ref().map(Sha256::of_json),
        approval_hash: record.approval_hash.as_ref(),
        answer,
        outcome: record.outcome.as_ref().map(ending),
        changed,
        parent: record.parent.as_ref(),
        undoes: record.undoes.as_ref(),
    };
    // Once more over the whole: secrets also hide in paths, keys, reasons and messages.
    redacted(&serde_json::to_value(entry).expect("audit entries serialise to JSON"))
}

fn ending(outcome: &Outcome) -> Ending<'_> {
    let failed = |kind, by, failure: &'_ Failure| (kind, by, short(&failure.message));
    let ((kind, by, text), code) = match outcome {
        Outcome::Done { observation } => (("done", None, short(&observation.text)), None),
        Outcome::Refused { by, failure } => (failed("refused", Some(*by), failure), Some(failure.code.as_str())),
        Outcome::Failed { failure } => (failed("failed", None, failure), Some(failure.code.as_str())),
        Outcome::Interrupted { reason } => (("interrupted", None, short(reason)), None),
    };
    Ending { kind, by, code, text }
}

fn short(text: &str) -> String {
    // Masked before it is cut, so that no half of a secret is left.
    let text = redacted_text(text);
    match text.char_indices().nth(SUMMARY) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::record;

    #[test]
    fn long_arguments_are_kept_by_their_hash() {
        let mut long = record();
        long.envelope.args = json!({ "text": "x".repeat(ARGS) });
        let entry = entry(Kind::Intent, Timestamp(1), &long);
        assert!(entry.get("args").is_none());
        assert_eq!(entry["args_hash"], Sha256::of_json(&long.envelope.args).as_str());
    }

    #[test]
    fn secrets_are_masked_everywhere() {
        let secret = format!("ghp_{}", "x1".repeat(20));
        let mut leaky = record();
        leaky.envelope.args = json!({ "text": secret });
        leaky.envelope.audit_context = Some(json!(secret));
        leaky.envelope.idempotency_key = secret.clone();
        leaky.outcome = Some(Outcome::Failed { failure: Failure::new("io", format!("{} {secret}", "x ".repeat(490))) });
        let answer = Answer { by: "ada", decision: Choice::Reject, parts: None, reason: Some(&secret) };
        let text = decision(Timestamp(1), &leaky, &answer).to_string();
        assert!(!text.contains("ghp_"), "{text}");
    }
}
