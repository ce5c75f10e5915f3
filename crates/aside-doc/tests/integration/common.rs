//! Edits in few words, and what becomes of them.

#![allow(dead_code, reason = "each test program uses a part of it")]

use aside_core::Version;
use aside_doc::{AnchoredEdit, BaseText, Level, Plan, Reason, Report, plan};

pub fn edit(range: impl Into<Range>, old: impl Into<Option<&'static str>>, new: &str) -> AnchoredEdit {
    let Range(start, end) = range.into();
    AnchoredEdit { start, end, old: old.into().map(str::to_owned), new: new.to_owned() }
}

pub struct Range(pub Option<u32>, pub Option<u32>);

impl From<(u32, u32)> for Range {
    fn from((start, end): (u32, u32)) -> Self {
        Self(Some(start), Some(end))
    }
}

impl From<u32> for Range {
    fn from(start: u32) -> Self {
        Self(Some(start), None)
    }
}

impl From<()> for Range {
    fn from((): ()) -> Self {
        Self(None, None)
    }
}

pub fn planned(current: &str, base: Option<&str>, edits: &[AnchoredEdit]) -> Result<Plan, Report> {
    let base = base.map(|text| BaseText { version: Version::of(text), text });
    plan(current, &Version::of(current), base.as_ref(), edits)
}

/// The text after, with the level of the first edit; or why the first failing edit fails.
pub fn outcome(current: &str, base: Option<&str>, edits: &[AnchoredEdit]) -> Result<(String, Level), Reason> {
    match planned(current, base, edits) {
        Ok(plan) => Ok((plan.text_after(current), plan.report.applied[0].level)),
        Err(report) => Err(report.failed[0].reason),
    }
}

pub fn becomes(text: &str, level: Level) -> Result<(String, Level), Reason> {
    Ok((text.to_owned(), level))
}

/// Planned against the version the author saw.
pub fn now(current: &str, edit: AnchoredEdit) -> Result<(String, Level), Reason> {
    outcome(current, Some(current), &[edit])
}

/// Planned against a later text than the author saw.
pub fn since(base: &str, current: &str, edit: AnchoredEdit) -> Result<(String, Level), Reason> {
    outcome(current, Some(base), &[edit])
}

/// The text has it already.
pub fn is_already(current: &str, base: Option<&str>, edit: AnchoredEdit) -> bool {
    planned(current, base, &[edit]).is_ok_and(|plan| plan.changes_nothing() && plan.report.applied[0].already)
}

pub const ABC: &str = "a\nb\nc\n";
