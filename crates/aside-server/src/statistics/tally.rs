//! Counts records of the activity log. Pure.

use std::collections::{BTreeMap, HashMap, HashSet};

use aside_core::{ActionId, AuditEnd, AuditKind, AuditRecord, Choice, Origin, RefusedBy, Risk, Timestamp};
use aside_protocol::{ClassCounts, ConfirmationCounts, RefusalCounts, Statistics, UndoCounts};

/// Milliseconds after which an undo does not count as the undo of a mistake.
const MINUTE: i64 = 60 * 1000;

/// The counts so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    classes: BTreeMap<Option<Risk>, ClassCounts>,
    refusals: RefusalCounts,
    undos: UndoCounts,
    ended: HashMap<ActionId, Timestamp>,
    waiting: HashMap<ActionId, Timestamp>,
    asked: HashSet<ActionId>,
    approved: HashSet<ActionId>,
    rejected: HashSet<ActionId>,
    waits: Vec<i64>,
}

impl Tally {
    /// Adds a record; they come in the order of the log.
    pub(super) fn add(&mut self, record: &AuditRecord) {
        if is_noted(record) || is_focus(&record.origin) {
            return;
        }
        match record.kind {
            AuditKind::Submitted | AuditKind::Stale => {
                self.asked.insert(record.action.clone());
                self.waiting.insert(record.action.clone(), record.at);
            }
            AuditKind::Decision => self.decide(record),
            AuditKind::Outcome | AuditKind::Refused | AuditKind::Failed | AuditKind::Interrupted => self.end(record),
            AuditKind::DryRun | AuditKind::Replayed | AuditKind::Remembered | AuditKind::Intent => {}
        }
    }

    /// Returns the counts.
    pub(super) fn finish(mut self) -> Statistics {
        self.waits.sort_unstable();
        let confirmations = ConfirmationCounts {
            asked: number(self.asked.len()),
            approved: number(self.approved.len()),
            rejected: number(self.rejected.difference(&self.approved).count()),
            median_wait: self.waits.get(self.waits.len() / 2).copied(),
        };
        Statistics {
            classes: self.classes.into_values().collect(),
            confirmations,
            refusals: self.refusals,
            undos: self.undos,
            ..Statistics::default()
        }
    }

    fn decide(&mut self, record: &AuditRecord) {
        let Some(answer) = &record.answer else { return };
        if let Some(asked) = self.waiting.remove(&record.action) {
            self.waits.push(record.at.0.saturating_sub(asked.0));
        }
        match answer.decision {
            Choice::Approve => self.approved.insert(record.action.clone()),
            Choice::Reject => self.rejected.insert(record.action.clone()),
        };
    }

    fn end(&mut self, record: &AuditRecord) {
        let Some(outcome) = &record.outcome else { return };
        let risk = class(record);
        let counts = self.classes.entry(risk).or_insert_with(|| ClassCounts { risk, ..ClassCounts::default() });
        match outcome.kind {
            AuditEnd::Done if outcome.code.is_none() => counts.done += 1,
            AuditEnd::Done | AuditEnd::Failed => counts.failed += 1,
            AuditEnd::Refused => counts.refused += 1,
            AuditEnd::Interrupted => counts.interrupted += 1,
        }
        match outcome.by {
            Some(RefusedBy::Policy) => self.refusals.policy += 1,
            Some(RefusedBy::Grant) => self.refusals.grant += 1,
            Some(RefusedBy::Person) => self.refusals.person += 1,
            Some(RefusedBy::Request) => self.refusals.request += 1,
            None => {}
        }
        if outcome.kind == AuditEnd::Done {
            self.undo(record);
            self.ended.insert(record.action.clone(), record.at);
        }
    }

    fn undo(&mut self, record: &AuditRecord) {
        let Some(undone) = &record.undoes else { return };
        match self.ended.get(undone) {
            Some(ended) if record.at.0 - ended.0 <= MINUTE => self.undos.within_minute += 1,
            // An action that was done before the days that are counted, too.
            _ => self.undos.later += 1,
        }
    }
}

/// Tells whether an action that was asked for in words has done it: by a model, by rules, or as a step of a task.
pub(super) fn is_asked_success(record: &AuditRecord) -> bool {
    let context = |name: &str| record.audit_context.as_ref().is_some_and(|context| context[name].is_string());
    let by_words = matches!(record.origin, Origin::Turn { .. }) || context("said") || context("task");
    let is_done =
        record.outcome.as_ref().is_some_and(|outcome| outcome.kind == AuditEnd::Done && outcome.code.is_none());
    record.kind == AuditKind::Outcome && by_words && is_done && !is_focus(&record.origin)
}

/// Returns the gravest risk; none if only the window changes.
fn class(record: &AuditRecord) -> Option<Risk> {
    let gravest = record.risks.0.last().copied().unwrap_or(Risk::Read);
    let is_window = gravest == Risk::Read && record.action_type.as_str().starts_with("ui.");
    (!is_window).then_some(gravest)
}

/// Tells whether the record is of a change by the person's own hand that is no action.
fn is_noted(record: &AuditRecord) -> bool {
    record.rule.ends_with("/set")
}

/// Tells whether the reading came with a message, and not from the model.
fn is_focus(origin: &Origin) -> bool {
    matches!(origin, Origin::Turn { call, .. } if call == Origin::FOCUS)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use aside_core::Id as _;
    use serde_json::{Value, json};

    use super::*;

    /// A record of the action number `id` at a second, with more fields.
    fn record(second: i64, id: u64, kind: &str, name: &str, more: Value) -> AuditRecord {
        let hash = "0".repeat(64);
        let mut record = json!({
            "kind": kind, "at": second * 1000, "action": ActionId::from_parts(Timestamp(1), id.into()), "action_type": name,
            "origin": { "kind": "user", "user": "ada" }, "key": "k", "envelope_hash": hash, "risks": ["write"],
            "targets": [], "ruling": "allow", "rule": "built-in/write", "args_hash": hash,
        });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(record).unwrap()
    }

    fn done() -> Value {
        json!({ "outcome": { "kind": "done", "text": "done" } })
    }

    fn with(mut one: Value, two: Value) -> Value {
        one.as_object_mut().unwrap().extend(two.as_object().unwrap().clone());
        one
    }

    fn tally(records: &[AuditRecord]) -> Statistics {
        let mut tally = Tally::default();
        records.iter().for_each(|record| tally.add(record));
        tally.finish()
    }

    fn id(number: u64) -> Value {
        json!(ActionId::from_parts(Timestamp(1), number.into()))
    }

    #[test]
    fn ends_are_counted_by_gravest_risk() {
        let failed = json!({ "risks": ["read", "network"], "outcome": { "kind": "failed", "code": "x", "text": "" } });
        let bad_run = json!({ "outcome": { "kind": "done", "code": "ran_badly", "text": "" } });
        let found = tally(&[
            record(1, 1, "outcome", "file.move", done()),
            record(1, 2, "outcome", "ui.layout", with(done(), json!({ "risks": ["read"] }))),
            record(1, 3, "failed", "history.pull", failed),
            record(1, 4, "outcome", "shell.run", bad_run),
            record(1, 5, "outcome", "thread.change", with(done(), json!({ "rule": "person/set" }))),
        ]);
        let counts: Vec<_> = found.classes.iter().map(|of| (of.risk, of.done, of.failed)).collect();
        assert_eq!(counts, [(None, 1, 0), (Some(Risk::Write), 1, 1), (Some(Risk::Network), 0, 1)]);
    }

    #[test]
    fn questions_have_answers_and_waits() {
        let answer = |decision: &str| json!({ "answer": { "by": "ada", "decision": decision } });
        let refused = json!({ "outcome": { "kind": "refused", "by": "person", "code": "rejected", "text": "" } });
        let found = tally(&[
            record(1, 1, "submitted", "file.delete", json!({})),
            record(4, 1, "decision", "file.delete", answer("approve")),
            record(5, 2, "submitted", "file.delete", json!({})),
            record(14, 2, "decision", "file.delete", answer("reject")),
            record(14, 2, "refused", "file.delete", refused),
            record(15, 3, "submitted", "file.delete", json!({})),
        ]);
        let ConfirmationCounts { asked, approved, rejected, median_wait } = found.confirmations;
        assert_eq!((asked, approved, rejected, median_wait), (3, 1, 1, Some(9_000)));
        assert_eq!(found.refusals, RefusalCounts { person: 1, ..RefusalCounts::default() });
    }

    #[test]
    fn quick_undo_is_told_from_late_one() {
        let undo = |of: u64| with(done(), json!({ "undoes": id(of) }));
        let found = tally(&[
            record(1, 1, "outcome", "file.move", done()),
            record(1, 2, "outcome", "file.move", done()),
            record(61, 3, "outcome", "file.move", undo(1)),
            record(62, 4, "outcome", "file.move", undo(2)),
        ]);
        assert_eq!(found.undos, UndoCounts { within_minute: 1, later: 1 });
    }

    #[test]
    fn success_counts_when_asked_in_words() {
        let success = |more: Value| is_asked_success(&record(1, 1, "outcome", "file.move", with(done(), more)));
        assert!(!success(json!({})));
        assert!(success(json!({ "audit_context": { "said": "rename a.md to b.md" } })));
        assert!(success(json!({ "audit_context": { "task": "tsk_1" } })));
        assert!(!success(json!({ "audit_context": { "said": "x" }, "outcome": { "kind": "failed", "text": "" } })));
    }
}
