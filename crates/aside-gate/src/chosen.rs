//! A person's answer held against what was shown: which of it is decided anew, and whether it still can be.

use aside_core::{ActionRecord, Choice, Decision, Outcome, RefusedBy, Timestamp};

use crate::{GateError, approval::decided, record::StoredAction};

/// What a decision is about.
pub(crate) enum Chosen {
    /// The action as a whole.
    Whole,
    /// Some of its open parts.
    Parts(Vec<u32>),
    /// Nothing that was not decided the same way before.
    Nothing,
}

/// The same answer again is no mistake; another one comes too late.
pub(crate) fn repeated(record: ActionRecord, decision: &Decision) -> Result<ActionRecord, GateError> {
    let same = match &decision.parts {
        Some(parts) if !record.parts.is_empty() => {
            parts.iter().all(|part| decided(&record.parts, *part) == Some(decision.decision))
        }
        _ => {
            let rejected = matches!(record.outcome, Some(Outcome::Refused { by: RefusedBy::Person, .. }));
            record.decided_by.is_some() && rejected == (decision.decision == Choice::Reject)
        }
    };
    if same { Ok(record) } else { Err(GateError::AlreadyDecided { record: Box::new(record) }) }
}

/// Tells whether the decision is about what is shown now. A call of a script whose first preview still stands is named by its id
/// alone; every other approval names the hash.
pub(crate) fn check_shown(action: &StoredAction, decision: &Decision) -> Result<(), GateError> {
    let record = &action.record;
    match &decision.hash {
        None if record.origin.script().is_some() && action.shown == record.created => Ok(()),
        None if decision.decision == Choice::Approve => Err(GateError::HashMissing),
        Some(hash) if record.approval_hash.as_ref() != Some(hash) => Err(GateError::Stale {
            reason: "the decision is for an outdated preview".to_owned(),
            record: Box::new(record.clone()),
        }),
        _ => Ok(()),
    }
}

/// Tells whether what was shown was shown too long ago to be approved.
pub(crate) fn expired(record: &ActionRecord, now: Timestamp) -> bool {
    record.expires.is_some_and(|end| end <= now)
}

pub(crate) fn chosen(record: &ActionRecord, decision: &Decision) -> Result<Chosen, GateError> {
    let all = record.preview.as_ref().map(aside_core::Preview::parts).unwrap_or_default();
    let Some(wanted) = &decision.parts else {
        // A yes to what is shown is none to a row that is shown as out of date.
        let stale = record.preview.as_ref().map(aside_core::Preview::stale_parts).unwrap_or_default();
        let some = record.open_parts().into_iter().filter(|part| !stale.contains(part)).collect();
        let is_whole = record.parts.is_empty() && (stale.is_empty() || decision.decision == Choice::Reject);
        return Ok(if is_whole { Chosen::Whole } else { Chosen::Parts(some) });
    };
    let mut open = Vec::new();
    for part in wanted {
        match decided(&record.parts, *part) {
            _ if !all.contains(part) => {
                return Err(GateError::NoSuchPart { action: record.envelope.id.clone(), part: *part });
            }
            Some(before) if before == decision.decision => {}
            Some(_) => return Err(GateError::AlreadyDecided { record: Box::new(record.clone()) }),
            None if open.contains(part) => {}
            None => open.push(*part),
        }
    }
    Ok(match open.len() {
        0 => Chosen::Nothing,
        length if length == all.len() => Chosen::Whole,
        _ => Chosen::Parts(open),
    })
}
