//! The calls that the service makes for one answer: of the model itself, whose sum is the total, and beside it of an advisor, or to sum up what was
//! said before.

use super::{Usage, tokens};
use crate::{lenient::Content, record::Tokens};

/// A call of another model for advice.
pub const ADVISOR: &str = "advisor_message";
const OWN: &str = "message";

fn calls<'u>(usage: &'u Usage<'u>) -> impl Iterator<Item = &'u Usage<'u>> {
    let calls: &[_] = match &usage.iterations {
        Content::Blocks(calls) => calls,
        Content::Text(_) => &[],
    };
    calls.iter().map(|call| &call.0)
}

/// The calls that are not in the total, each with its tokens.
pub fn beside<'u>(usage: &'u Usage<'u>, total: Tokens) -> Vec<(&'u Usage<'u>, Tokens)> {
    let others = || calls(usage).filter(|call| call.kind.0 != OWN);
    let sum =
        |of: &mut dyn Iterator<Item = &'u Usage<'u>>| of.map(|call| tokens(call).total()).fold(0, u64::saturating_add);
    let without_advice = sum(&mut calls(usage).filter(|call| call.kind.0 != ADVISOR));
    // A summary is in the total where the total says so.
    let has_rest = without_advice <= total.total();
    let is_beside = |call: &&Usage<'u>| call.kind.0 == ADVISOR || !has_rest;
    let told = others().filter(is_beside).map(|call| (call, tokens(call)));
    told.filter(|(_, tokens)| tokens.total() > 0).collect()
}

/// The input of the longest call of the model itself, if there were several.
pub fn longest<'u>(usage: &'u Usage<'u>) -> Option<u64> {
    let own = || calls(usage).filter(|call| call.kind.0 == OWN).map(tokens);
    let input = |tokens: Tokens| tokens.total().saturating_sub(tokens.output);
    own().map(input).max().filter(|_| own().count() > 1)
}
