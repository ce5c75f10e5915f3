//! What is written to the chain: who asked for what, which rule or person decided, what came of it.

mod find;
mod otlp;

use aside_core::{
    AuditAnswer, AuditEnd, AuditKind, AuditOutcome, AuditRecord, Decision, Failure, ObjectRef, Outcome, Provenance,
    RefusedBy, Sha256, Timestamp, canonical_text, redacted, redacted_text,
};
use serde_json::{Value, json};

use crate::record::StoredAction;

pub use find::AuditQuery;
pub(crate) use find::Unindexed;
pub use otlp::logs_data;

/// Arguments longer than this are kept by their hash alone.
const ARGS: usize = 16 * 1024;
/// The longest text of an outcome.
const SUMMARY: usize = 1000;
/// The code of an action that was done, and whose command or code failed.
const RAN_BADLY: &str = "ran_badly";

/// Returns an entry about an action as it is now.
pub(crate) fn entry(kind: AuditKind, at: Timestamp, action: &StoredAction) -> Value {
    masked(record(kind, at, action))
}

/// Returns an entry about a person's answer, to the whole or to some parts.
pub(crate) fn decision(
    at: Timestamp,
    action: &StoredAction,
    decision: &Decision,
    parts: Option<&[u32]>,
    by: &str,
) -> Value {
    let answer = AuditAnswer {
        by: by.to_owned(),
        decision: decision.decision,
        scope: decision.scope,
        rule: action.record.remembered.as_ref().map(|remembered| remembered.rule.clone()),
        parts: parts.map(<[u32]>::to_vec),
        reason: decision.reason.clone(),
    };
    masked(AuditRecord { answer: Some(answer), ..record(AuditKind::Decision, at, action) })
}

/// Returns an entry about a rule that is about to be written down; its text is in `audit_context`.
pub(crate) fn remembered(at: Timestamp, action: &StoredAction, rule: &str, by: &str) -> Value {
    let context = Some(serde_json::json!({ "by": by, "rule": rule }));
    masked(AuditRecord { audit_context: context, ..record(AuditKind::Remembered, at, action) })
}

/// Returns an entry about how a run ended and what it changed: what its intent says, but for what came since.
pub(crate) fn outcome(mut intent: Value, at: Timestamp, action: &StoredAction, changed: &[ObjectRef]) -> Value {
    let mut since = json!({
        "kind": AuditKind::Outcome,
        "at": at,
        "state": action.record.state,
        "outcome": action.record.outcome.as_ref().map(ending),
    });
    if !changed.is_empty() {
        since["changed"] = json!(changed);
    }
    if let (Some(entry), Value::Object(since)) = (intent.as_object_mut(), redacted(since)) {
        entry.extend(since);
    }
    intent
}

/// Returns an entry about a run that the end of the server cut off, and what it is known to have changed.
pub(crate) fn interrupted(at: Timestamp, action: &StoredAction, changed: Vec<ObjectRef>) -> Value {
    masked(AuditRecord { changed, ..record(AuditKind::Interrupted, at, action) })
}

/// Masks once more over the whole: secrets also hide in paths, keys, reasons and messages.
fn masked(record: AuditRecord) -> Value {
    redacted(serde_json::to_value(record).expect("audit records serialise to JSON"))
}

fn record(kind: AuditKind, at: Timestamp, action: &StoredAction) -> AuditRecord {
    let (record, envelope) = (&action.record, &action.record.envelope);
    let args = redacted(envelope.args.clone());
    let text = canonical_text(&args);
    AuditRecord {
        kind,
        at,
        action: envelope.id.clone(),
        action_type: envelope.action_type.clone(),
        state: Some(record.state),
        origin: record.origin.clone(),
        grant: Some(record.grant.clone()),
        key: envelope.idempotency_key.clone(),
        envelope_hash: envelope.hash.clone(),
        risks: envelope.risk_level.clone(),
        targets: record.assessment.targets.clone(),
        ruling: record.verdict.ruling,
        rule: record.verdict.rule.clone(),
        decided_by: record.decided_by.clone(),
        label: Some(record.provenance.label),
        sources: sources(&record.provenance),
        args_hash: Sha256::of(&text),
        args: (text.len() <= ARGS).then_some(args),
        audit_context: envelope.audit_context.clone(),
        preview_hash: record.preview.as_ref().map(Sha256::of_json),
        approval_hash: record.approval_hash.clone(),
        answer: None,
        outcome: record.outcome.as_ref().map(ending),
        changed: Vec::new(),
        parent: record.parent.clone(),
        undoes: record.undoes.clone(),
    }
}

/// What gave the request its label.
fn sources(provenance: &Provenance) -> Vec<String> {
    let gravest = provenance.sources.iter().filter(|source| source.label == provenance.label);
    gravest.map(|source| format!("{}: {}", source.what, source.why)).collect()
}

fn ending(outcome: &Outcome) -> AuditOutcome {
    let failed = |kind, by: Option<RefusedBy>, failure: &Failure| AuditOutcome {
        kind,
        by,
        code: Some(failure.code.clone()),
        text: short(&failure.message),
    };
    let said = |kind, text: &str| AuditOutcome { kind, by: None, code: None, text: short(text) };
    match outcome {
        Outcome::Done { observation } => AuditOutcome {
            code: observation.has_failed().then(|| RAN_BADLY.to_owned()),
            ..said(AuditEnd::Done, &observation.text)
        },
        Outcome::Refused { by, failure } => failed(AuditEnd::Refused, Some(*by), failure),
        Outcome::Failed { failure } => failed(AuditEnd::Failed, None, failure),
        Outcome::Interrupted { reason } => said(AuditEnd::Interrupted, reason),
    }
}

fn short(text: &str) -> String {
    // Masked before it is cut, so that no half of a secret is left.
    let text = redacted_text(text);
    match text.char_indices().nth(SUMMARY) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::stored;

    #[test]
    fn long_arguments_are_kept_by_their_hash() {
        let mut long = stored();
        long.record.envelope.args = json!({ "text": "x".repeat(ARGS) });
        let entry = entry(AuditKind::Intent, Timestamp(1), &long);
        assert!(entry.get("args").is_none());
        assert_eq!(entry["args_hash"], Sha256::of_json(&long.record.envelope.args).as_str());
    }

    #[test]
    fn an_outcome_says_what_its_intent_said_and_how_it_ended() {
        let mut action = stored();
        let intent = entry(AuditKind::Intent, Timestamp(1), &action);
        action.end(Outcome::Failed { failure: Failure::new("io", "no room") }, Timestamp(2));
        let file = ObjectRef { kind: "file".to_owned(), id: "a.txt".to_owned() };
        for changed in [vec![file], Vec::new()] {
            let anew = AuditRecord { changed: changed.clone(), ..record(AuditKind::Outcome, Timestamp(2), &action) };
            assert_eq!(outcome(intent.clone(), Timestamp(2), &action, &changed), masked(anew));
        }
    }

    #[test]
    fn secrets_are_masked_everywhere() {
        let secret = format!("ghp_{}", "x1".repeat(20));
        let mut leaky = stored();
        let record = &mut leaky.record;
        record.envelope.args = json!({ "text": secret });
        record.envelope.audit_context = Some(json!(secret));
        record.envelope.idempotency_key = secret.clone();
        record.outcome =
            Some(Outcome::Failed { failure: Failure::new("io", format!("{} {secret}", "x ".repeat(490))) });
        let answer = Decision::reject(Some(secret));
        let text = decision(Timestamp(1), &leaky, &answer, None, "ada").to_string();
        assert!(!text.contains("ghp_"), "{text}");
    }
}
