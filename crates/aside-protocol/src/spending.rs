//! What models have cost, and what may be spent.

use aside_core::TS;
use aside_core::{Cost, ModelRef, Usage};
use serde::{Deserialize, Serialize};

/// The answer of `GET spending`: the account of this workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendingView {
    /// Today, in UTC.
    pub today: Cost,
    /// Since the first call.
    pub total: Cost,
    /// The days with calls, the latest first; at most 31.
    pub days: Vec<DaySpending>,
    /// The models that were called, the dearest first.
    pub models: Vec<ModelSpending>,
    /// What the person has limited.
    pub limits: SpendingLimits,
    /// Why nothing that costs money is asked now: the file of limits has a mistake.
    pub problem: Option<String>,
    /// What the person should know before it stops them: today is close to its limit.
    pub warning: Option<String>,
    /// The file of limits and prices, if there can be one.
    pub file: Option<String>,
    /// Where the prices are from; the first list that knows a model counts.
    pub prices: Vec<PriceList>,
}

/// What calls are added up by, in `GET spending/sums?by=…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SumsBy {
    /// By turn, the latest first.
    Turn,
    /// By thread, the latest first.
    Thread,
    /// By task, the latest first; what belongs to no task is left out.
    Task,
    /// By day of UTC, the latest first.
    Day,
    /// By model, the dearest first.
    Model,
    /// All in one.
    Workspace,
}

/// What some calls used and cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SpendingSum {
    /// The id of the turn, thread or task, the day, the model's name; `all` for the workspace.
    pub of: String,
    /// Its name for people: the title of the thread or the turn's thread, the task's goal.
    pub name: String,
    /// How many.
    pub calls: u32,
    /// What they used.
    pub usage: Usage,
    /// What they cost.
    pub cost: Cost,
}

/// The answer of `GET models/prices`, and of `POST`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PriceLists {
    /// The lists that have models; the first that knows a model counts.
    pub lists: Vec<PriceList>,
    /// What is wrong with the list that was fetched last.
    pub problem: Option<String>,
}

/// The body of `POST models/prices`: gets a newer list of prices. Only a person asks for it. With both or a list that is
/// not to be believed, it is a `400`, and nothing is changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RefreshPrices {
    /// The address of a list in the form of LiteLLM's; LiteLLM's own if absent. Https, unless it is on this machine.
    #[serde(default)]
    #[ts(optional)]
    pub from: Option<String>,
    /// The list itself, in the form of LiteLLM's, instead of fetching one.
    #[serde(default)]
    #[ts(optional, type = "unknown")]
    pub list: Option<serde_json::Value>,
}

/// A list of prices. The first that knows a model counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PriceList {
    /// Where it is from.
    pub source: String,
    /// The day it is of, such as `2026-11-21`; empty for the person's own.
    pub date: String,
    /// How many models it has.
    pub models: u32,
}

/// One day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DaySpending {
    /// Such as `2026-11-21`, in UTC.
    pub day: String,
    /// What it cost.
    pub cost: Cost,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelSpending {
    /// Which.
    pub model: ModelRef,
    /// How often it was called.
    pub calls: u32,
    /// What it used.
    pub usage: Usage,
    /// What it cost.
    pub cost: Cost,
}

/// Limits in US dollars of 10⁻¹²; absent is without limit. `PUT spending/limits` writes all of them into the person's file,
/// whose comments and prices stay, and answers with the [`SpendingView`]; while the file has a mistake it is a `400`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SpendingLimits {
    /// Of one turn.
    #[ts(type = "number | null")]
    pub turn: Option<u64>,
    /// Of one task: a turn, and those that went on with it.
    #[ts(type = "number | null")]
    pub task: Option<u64>,
    /// Of one thread.
    #[ts(type = "number | null")]
    pub thread: Option<u64>,
    /// Of one day.
    #[ts(type = "number | null")]
    pub day: Option<u64>,
    /// Of the workspace, since it is there.
    #[ts(type = "number | null")]
    pub workspace: Option<u64>,
}

impl SpendingLimits {
    /// Those that are set, each with what it is the limit of.
    pub fn set(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let Self { turn, task, thread, day, workspace } = *self;
        let all = [("turn", turn), ("task", task), ("thread", thread), ("day", day), ("workspace", workspace)];
        all.into_iter().filter_map(|(of, limit)| Some((of, limit?)))
    }
}

/// The body of `POST models/test`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct TestModel {
    /// Which.
    pub model: ModelRef,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelTested {
    /// What it answered.
    pub text: String,
    /// It called the tool that it was asked to call; absent if it takes no tools.
    pub called_tool: Option<bool>,
    /// Milliseconds until something came.
    pub first_ms: Option<u32>,
    /// What it used.
    pub usage: Usage,
    /// What it cost, in money and time.
    pub cost: Cost,
}
