//! Questions about the history that a model or a person asks by name, each with a small answer and where it stands in the logs.
//!
//! They only read. An answer is a JSON object of at most [`BUDGET`] characters: its longest list is halved until it fits, the best rows
//! first, and then it says `_truncated` and how to ask for the rest. What can't be answered is an object with `error`.

mod args;
mod bounds;
mod burn;
mod cache;
mod changes;
mod dearest;
mod files;
mod fit;
mod folders;
mod list;
mod mentions;
mod mode;
mod money;
mod playback;
mod quality;
mod risk;
mod search;
mod sessions;
mod skills;

use aside_core::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{HistoryError, Index, Plan, zone};
use args::Arguments;
use bounds::Bounds;
pub(crate) use changes::review_state;
pub use fit::BUDGET;
pub(crate) use folders::within;
pub use list::{Kind, Parameter, TOOLS, Tool};
pub use mode::{Cheaper, cheaper};
pub use risk::risk_line;
pub(crate) use search::{Within, found_in};
pub(crate) use sessions::{SESSION, session};
pub use sessions::{SessionMatch, by_id};

/// The time and place in which a question is asked.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The time now.
    pub now: Timestamp,
    /// Whose days count.
    pub zone: TimeZone,
    /// The folder that is meant where none is named.
    pub workspace: Option<String>,
    /// What the person pays a month, if they said so.
    pub plan: Option<Plan>,
}

/// Where something stands in the logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The session.
    pub session_id: String,
    /// The log.
    pub file: String,
    /// Bytes before it.
    pub offset: i64,
}

/// What past sessions speak for: cheaper models, and habits of a folder that are worth writing down as the answer to `recommend_skills` has
/// them. Kept while the index is the same.
pub fn advice(index: &Index, asking: &Asking) -> Result<(Vec<Cheaper>, Value), HistoryError> {
    let skills = answer(index, asking, "recommend_skills", &json!({ "threshold": 3 }));
    Ok((cheaper(index)?, skills))
}

/// Answers a question. It never fails: what is wrong is said in the answer.
pub fn answer(index: &Index, asking: &Asking, name: &str, arguments: &Value) -> Value {
    let found = Arguments::of(arguments).and_then(|arguments| {
        let tool = Tool::named(name)?;
        let arguments = arguments.named_for(tool);
        arguments.check(tool)?;
        let narrowed = Bounds::of(&arguments, asking)?.narrow(index)?;
        let zone = arguments.text("timezone").map(|name| zone(Some(name))).transpose()?;
        let asking = Asking { zone: zone.unwrap_or_else(|| asking.zone.clone()), ..asking.clone() };
        let answer = (tool.answer)(index, &asking, &arguments)?;
        drop(narrowed);
        fit::fitted(answer, arguments.text("handle"))
    });
    found.unwrap_or_else(|error| json!({ "error": error.to_string() }))
}

/// Looks whether what bounds every question, such as `since`, can be understood, before any is asked.
///
/// # Errors
/// If something can't: what, and what could stand there.
pub fn check_bounds(now: Timestamp, arguments: &Value) -> Result<(), HistoryError> {
    let asking = Asking { now, zone: TimeZone::UTC, workspace: None, plan: None };
    Bounds::of(&Arguments::of(arguments)?, &asking).map(drop)
}

/// A typed answer as JSON.
fn told(answer: &impl Serialize) -> Result<Value, HistoryError> {
    serde_json::to_value(answer).map_err(|error| HistoryError::Asked(format!("cannot write the answer: {error}")))
}

/// Tells whether nothing is lost if it is not told.
fn is_nothing<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Dollars with four digits, for people and models.
#[expect(clippy::cast_precision_loss, reason = "for people")]
fn dollars(picodollars: i64) -> f64 {
    rounded(picodollars as f64)
}

/// The same of a sum that may be too large for whole numbers.
fn rounded(picodollars: f64) -> f64 {
    (picodollars / 1e8).round() / 1e4
}
