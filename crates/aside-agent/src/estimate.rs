//! What a message would cost, before it is sent: what would go to the model is put together as it would be, and priced
//! over as many steps as turns like it take. Nothing is sent, and nothing is read but the thread.

mod along;
mod likely;

use std::{collections::BTreeMap, ops::RangeInclusive};

use aside_core::{
    AiLevel, Attached, ContextChip, Cost, Focus, Grant, ModelRef, ShownImage, ThreadEvent, ThreadEventBody, ThreadId,
    Timestamp, TurnId, WorkspacePath,
};
use aside_llm::ModelInfo;
use aside_macros::boxed;

use crate::{
    agents::Agents,
    error::AgentError,
    images,
    request::{Asked, prepare},
    spending::{CallRecord, Planned, Spent, of_steps},
    tools::Tools,
    turn::is_whole,
};
use likely::{Likely, Past, likely};

/// Bytes of a token, as a rule, of what is not known word for word.
const BYTES: u64 = 3;
/// Calls of this workspace that tell how such turns go.
const CALLS: usize = 200;
/// How long providers keep what they have cached, at least, in milliseconds.
const CACHED_FOR: i64 = 5 * 60 * 1000;

/// A message that is not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The thread it would go to; a new one if absent.
    pub thread: Option<ThreadId>,
    /// The model that would answer; else the thread's or the workspace's.
    pub model: Option<ModelRef>,
    /// The message.
    pub text: String,
    /// Where the person is looking.
    pub focus: Option<Focus>,
    /// What goes along beside that, a word with a slash included.
    pub attached: Vec<Attached>,
    /// The texts of the files that it is about ([`Agents::files_along`]), as far as they are known: of others, as much as
    /// ever goes along is counted.
    pub files: BTreeMap<WorkspacePath, String>,
}

/// What a turn would use and cost: from what is likely to what is hardly ever passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Who would answer.
    pub model: ModelRef,
    /// It runs on this machine.
    pub local: bool,
    /// Tokens of the first call's input.
    pub input_tokens: u64,
    /// Of these, what its provider probably has in its cache.
    pub cached_tokens: u64,
    /// How many calls.
    pub steps: RangeInclusive<u64>,
    /// Input of all of them, in tokens.
    pub input: RangeInclusive<u64>,
    /// Their output, in tokens.
    pub output: RangeInclusive<u64>,
    /// In 10⁻¹² dollars; absent if the price is not known, and for a model on this machine.
    pub cost: Option<RangeInclusive<u64>>,
    /// Absent if no earlier call of the model tells.
    pub milliseconds: Option<RangeInclusive<u64>>,
    /// The list that the price is from.
    pub price_source: Option<String>,
    /// A limit that could be passed, or why it would not be asked at all.
    pub warning: Option<String>,
}

impl Agents {
    /// Says what a message would cost. Contacts a provider only if it is on this machine.
    #[boxed]
    pub async fn estimate(&self, draft: Draft, under: Option<&Grant>) -> Result<Estimate, AgentError> {
        self.check_on()?;
        let thread = draft.thread.as_ref().map(|id| self.thread(id)).transpose()?;
        let model = match draft.model.clone().or_else(|| thread.as_ref()?.model.clone()) {
            Some(model) => model,
            None => self.chosen_model().await?.ok_or(AgentError::NoModel)?,
        };
        let provider = self.models.provider(&model)?;
        let info = provider.describe(&model.name).await.unwrap_or_else(|_| ModelInfo::named(&model.name));
        let local = provider.info().local && info.elsewhere.is_none();
        let events = draft.thread.as_ref().map(|id| self.events(id, 0)).transpose()?.unwrap_or_default();
        let past_log: Vec<_> = events.iter().map(|event| event.body.clone()).collect();
        let along = self.would_go_along(&draft, thread.as_ref(), &past_log).await;
        let (thread_id, log) = self.would_be(&draft, &model, past_log, along.chips);
        let tools = Tools::new(self.gate.offered(&self.grant(thread.as_ref(), under)))
            .in_catalog(self.gate.catalog().descriptors());
        let hint = thread.as_ref().is_some_and(|thread| thread.hint) || self.gate.assistant().level < AiLevel::Full;
        let sees = info.vision != Some(false);
        let eyes = |image: &ShownImage| if sees { images::load(&self.store, image) } else { None };
        let thinking = thread.as_ref().map(|thread| thread.thinking).unwrap_or_default();
        let asked = Asked {
            model: &model,
            info: &info,
            thread: &thread_id,
            log: &log,
            eyes: &eyes,
            hint,
            thinking,
            page: None,
            most: None,
        };
        let (tokens, too_large) = match prepare(&self.profile(thread.as_ref()), &*provider, &tools, asked) {
            Ok(prepared) => (prepared.tokens, None),
            Err(error) => (0, Some(error.to_string())),
        };
        let past = self.past(&model, &events, self.profile(thread.as_ref()).step_limit)?;
        let first = tokens + if sees { along.tokens } else { 0 };
        let priced = Priced { model: &model, local, info: &info };
        Ok(self.priced(
            priced,
            likely(first, along.more, &past),
            of_steps(events.iter().map(|event| &event.body)),
            too_large,
        ))
    }

    /// The thread's log as it would be when the model is asked.
    fn would_be(
        &self,
        draft: &Draft,
        model: &ModelRef,
        log: Vec<ThreadEventBody>,
        chips: Vec<ContextChip>,
    ) -> (ThreadId, Vec<ThreadEventBody>) {
        let (turn, model, by) = (self.store.new_id::<TurnId>(), model.clone(), String::new());
        let (text, focus, attached) = (draft.text.clone(), draft.focus.clone(), draft.attached.clone());
        let sent = ThreadEventBody::ContextSent { turn: turn.clone(), chips };
        let started = ThreadEventBody::TurnStarted { turn, text, focus, model, by, program: None, attached };
        let log = log.into_iter().chain([started, sent]).collect();
        (draft.thread.clone().unwrap_or_else(|| self.store.new_id()), log)
    }

    /// How turns went so far: those of the thread, else those of the workspace.
    fn past(&self, model: &ModelRef, events: &[ThreadEvent], limit: u32) -> Result<Past, AgentError> {
        let calls = self.spending().latest(CALLS)?;
        let thread: Vec<&CallRecord> = calls.iter().filter(|call| is_of(call, events)).collect();
        let turns =
            if thread.is_empty() { calls.iter().filter(|call| call.call.thread.is_some()).collect() } else { thread };
        Ok(Past {
            steps: steps(&turns),
            outputs: turns.iter().filter_map(|call| call.usage.output).collect(),
            speed: speed(calls.iter().filter(|call| call.model == *model)),
            cached: cached(model, events, self.store.now()),
            limit: u64::from(limit),
        })
    }

    fn priced(&self, priced: Priced<'_>, likely: Likely, thread: Cost, too_large: Option<String>) -> Estimate {
        let Priced { model, local, info } = priced;
        let (prices, now) = (self.spending().prices(), self.store.now());
        let found = prices.held(model, now).filter(|_| !local);
        let cost = found.and_then(|(price, _)| likely.cost(price));
        let call = self.spending().nobody();
        let output = info.max_output.unwrap_or(u32::MAX);
        let spent = Spent { thread, ..Spent::default() };
        let planned = Planned { call: &call, model, local, input: 0, output, spent };
        let high = cost.as_ref().map(|cost| *cost.end());
        Estimate {
            model: model.clone(),
            local,
            input_tokens: likely.first,
            cached_tokens: likely.cached,
            steps: likely.steps(),
            input: likely.input(),
            output: likely.output(),
            milliseconds: likely.milliseconds(),
            price_source: found.and_then(|_| prices.source(model, now)),
            warning: too_large.or_else(|| self.spending().could_pass(planned, high)),
            cost,
        }
    }
}

/// Whom the price is of.
struct Priced<'a> {
    model: &'a ModelRef,
    local: bool,
    info: &'a ModelInfo,
}

fn is_of(call: &CallRecord, events: &[ThreadEvent]) -> bool {
    events
        .iter()
        .any(|event| matches!(&event.body, ThreadEventBody::TurnStarted { turn, .. } if *turn == call.call.turn))
}

/// The calls of each turn.
fn steps(calls: &[&CallRecord]) -> Vec<u64> {
    let mut turns = std::collections::BTreeMap::new();
    for call in calls {
        *turns.entry(&call.call.turn).or_insert(0) += 1;
    }
    turns.into_values().collect()
}

/// Milliseconds for a token of output, and the tokens that tell.
fn speed<'a>(calls: impl Iterator<Item = &'a CallRecord>) -> Option<(u64, u64)> {
    let measured = calls.filter_map(|call| Some((call.cost.milliseconds, call.usage.output?)));
    let (milliseconds, tokens) = measured.fold((0, 0), |(one, two), (ms, out)| (one + ms, two + out));
    (milliseconds > 0 && tokens > 0).then_some((milliseconds, tokens))
}

/// What the provider probably still has: the input of the thread's last call, if it caches at all and it is not long ago.
fn cached(model: &ModelRef, events: &[ThreadEvent], now: Timestamp) -> u64 {
    let same = events.iter().rev().find_map(|event| match &event.body {
        ThreadEventBody::TurnStarted { model, .. } => Some(model),
        _ => None,
    });
    let last = events.iter().rev().find_map(|event| match &event.body {
        ThreadEventBody::StepEnded { usage, stop, .. } if is_whole(stop) => Some((event.at, usage)),
        _ => None,
    });
    let Some((at, usage)) = last.filter(|_| same == Some(model)) else { return 0 };
    let caches = usage.cache_read.unwrap_or(0) + usage.cache_write.unwrap_or(0) > 0;
    let fresh = now.0.saturating_sub(at.0) < CACHED_FOR;
    if caches && fresh { usage.input.unwrap_or(0) } else { 0 }
}
