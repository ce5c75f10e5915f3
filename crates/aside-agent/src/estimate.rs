//! What a message would cost, before it is sent: what would go to the model is put together as it would be, and priced
//! over as many steps as turns like it take. Nothing is sent, and nothing is read but the thread.

mod likely;

use std::ops::RangeInclusive;

use aside_core::{
    AiLevel, Cost, Focus, FocusScope, Grant, ModelRef, ShownImage, ThreadEvent, ThreadEventBody, ThreadId, Timestamp,
    TurnId,
};
use aside_llm::{Message, ModelInfo, ModelRequest};

use crate::{
    agents::Agents,
    budget::IMAGE,
    context::WHOLE_BYTES,
    error::AgentError,
    images,
    request::{Asked, prepare},
    spending::{CallRecord, Planned, of_steps},
    tools::Tools,
    turn::is_whole,
};
use likely::{Likely, Past, likely};

/// Bytes of a token, as a rule: prose has more, code and other scripts have fewer.
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
    /// Bytes of what they look at; as much as ever goes along if it is not known.
    pub focus_bytes: Option<u64>,
}

impl Draft {
    /// Tokens of the file in focus: those that go along for certain, and how many more it may be.
    fn context(&self) -> (u64, u64) {
        let Some(focus) = &self.focus else { return (0, 0) };
        let most = self.focus_bytes.unwrap_or(u64::MAX).min(WHOLE_BYTES as u64) / BYTES;
        match focus.scope {
            Some(FocusScope::Nothing) => (0, 0),
            None | Some(FocusScope::Whole) if self.focus_bytes.is_some() => (most, 0),
            _ => (0, most),
        }
    }
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
        let (thread_id, log) = self.would_be(&draft, &model, &events);
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
        };
        let (request, too_large) = match prepare(&self.profile(thread.as_ref()), &*provider, &tools, asked) {
            Ok(prepared) => (prepared.request, None),
            Err(error) => (ModelRequest::default(), Some(error.to_string())),
        };
        let past = self.past(&model, &events, self.profile(thread.as_ref()).step_limit)?;
        let (context, more) = draft.context();
        let priced = Priced { model: &model, local, info: &info };
        Ok(self.priced(
            priced,
            likely(size(&request) + context, more, &past),
            of_steps(events.iter().map(|event| &event.body)),
            too_large,
        ))
    }

    /// The thread's log as it would be when the model is asked.
    fn would_be(&self, draft: &Draft, model: &ModelRef, events: &[ThreadEvent]) -> (ThreadId, Vec<ThreadEventBody>) {
        let (turn, model, by) = (self.store.new_id::<TurnId>(), model.clone(), String::new());
        let started = ThreadEventBody::TurnStarted {
            turn,
            text: draft.text.clone(),
            focus: draft.focus.clone(),
            model,
            by,
            attached: Vec::new(),
        };
        let log = events.iter().map(|event| event.body.clone()).chain([started]).collect();
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
        let prices = self.spending().prices();
        let found = prices.find(model).filter(|_| !local);
        let cost = found.and_then(|(price, _)| likely.cost(price));
        let call = self.spending().nobody();
        let output = info.max_output.unwrap_or(u32::MAX);
        let planned = Planned { call: &call, model, local, input: 0, output, turn: Cost::default(), thread };
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
            price_source: found.map(|(_, list)| list.named()),
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

fn size(request: &ModelRequest) -> u64 {
    let shown = request.messages.iter().filter_map(|message| match message {
        Message::User { images, .. } => Some(images),
        _ => None,
    });
    let images: Vec<usize> = shown.flatten().map(|image| image.base64.len()).collect();
    let text = serde_json::to_string(request).map_or(0, |text| text.len() - images.iter().sum::<usize>());
    text as u64 / BYTES + IMAGE as u64 * images.len() as u64
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
