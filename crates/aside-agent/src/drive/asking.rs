//! One call of a model: what it is asked with, what it may cost, and what it is asked instead when its server refuses that.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use aside_core::{Cost, Failure, ShownImage, StepStop, ThreadEventBody, Usage};
use aside_llm::{ModelInfo, ModelRequest, ModelStream, Provider, ProviderError};
use futures_util::StreamExt as _;

use super::Drive;
use crate::{
    answer::with_text_calls,
    book::Able,
    budget::{self, MOST_ANSWER},
    images,
    live::{Listener, listen, stopped},
    mentions::named_image,
    provenance::Known,
    request::{Asked, Prepared, prepare},
    shown::Shown,
    spending::{Call, Planned, Promise, Spent, most_tokens, of_steps},
    tasks::{cost_of_turns, turns_of_task},
    turn::Answer,
};

/// How often a request that was too long is made half as long.
const MOST_HALVINGS: u32 = 3;
/// Tokens that an answer is asked for at least, however full the context is.
const LEAST_ANSWER: u64 = 1024;
/// How often a book shows more of an answer.
const LOOK: Duration = Duration::from_millis(50);

/// What came of one request.
struct Heard {
    answer: Answer,
    /// Why its server did not answer to the end.
    error: Option<ProviderError>,
    /// It had tools.
    with_tools: bool,
    /// Tokens of the same with half as much said.
    half: u32,
    promise: Promise,
}

impl Drive {
    /// Asks the model. A request whose tools or whose length is refused is made anew, and sent once more: without tools,
    /// which the provider keeps in mind, or half as long.
    pub(super) async fn ask(&mut self) -> Result<Answer, Failure> {
        let provider = self.models.provider(&self.model).map_err(|error| Failure::from(&error))?;
        let (mut refused, mut notice): (Option<Answer>, Option<String>) = (None, None);
        let mut halvings = 0;
        loop {
            let Some(info) = self.describe(&*provider).await else {
                return Ok(Answer::cut_off(String::new(), String::new(), StepStop::Stopped));
            };
            let mut heard = match (self.request(&*provider, &info).await, refused.take()) {
                (Ok(Some(heard)), _) => heard,
                (Ok(None), _) => return Ok(Answer::cut_off(String::new(), String::new(), StepStop::Stopped)),
                // It can't be said in less: what the server said counts.
                (Err(failure), Some(answer)) if failure.code == budget::TOO_LARGE => return Ok(answer),
                (Err(failure), _) => return Err(failure),
            };
            if !self.can_mend(&heard, &mut halvings) {
                heard.answer.notices.extend(notice);
                return Ok(heard.answer);
            }
            if heard.error.as_ref().is_some_and(ProviderError::refuses_tools) {
                notice = Some(format!("{} doesn't support tools here, so Aside uses plain text.", self.model));
            }
            // It was not billed, and must not stand in the way of the next.
            let withdrawn = self.spending.record_alone(&heard.promise, &Usage::default(), Cost::default());
            withdrawn.map_err(|error| error.failure())?;
            refused = Some(heard.answer);
        }
    }

    /// What is known of the model; none if the turn was stopped meanwhile.
    async fn describe(&mut self, provider: &dyn Provider) -> Option<ModelInfo> {
        tokio::select! {
            info = provider.describe(&self.model.name) => {
                Some(info.unwrap_or_else(|_| ModelInfo::named(&self.model.name)))
            }
            () = stopped(&mut self.stop) => None,
        }
    }

    /// Tells whether another request may succeed where this one was refused before anything was answered.
    fn can_mend(&mut self, heard: &Heard, halvings: &mut u32) -> bool {
        let Heard { answer, error: Some(error), with_tools, .. } = heard else { return false };
        if !answer.text.is_empty() || !answer.thinking.is_empty() || !answer.calls.is_empty() {
            return false;
        }
        if *with_tools && error.refuses_tools() {
            return true;
        }
        let may_halve = *halvings < MOST_HALVINGS && error.refuses_length();
        if may_halve {
            *halvings += 1;
            self.most = Some(heard.half);
        }
        may_halve
    }

    /// Asks once; none if the turn was stopped before.
    async fn request(&mut self, provider: &dyn Provider, info: &ModelInfo) -> Result<Option<Heard>, Failure> {
        let log = self.log()?;
        let tools = self.tools();
        self.known = Known::fold(&*log);
        self.known.provenance.join(&tools.provenance());
        let sees = info.vision != Some(false);
        if let (false, Some(path)) = (sees, named_image(&log)) {
            return Err(Failure::new(
                "no_vision",
                format!("{} can't see images, and `{path}` is an image", self.model),
            )
            .hint("choose a model that supports images, or remove the image"));
        }
        let Some(page) = self.page_unless_stopped(Able { sees, calls: info.tools != Some(false) }).await else {
            return Ok(None);
        };
        let page = page?;
        let eyes = |image: &ShownImage| if sees { images::load(&self.store, image) } else { None };
        let (hint, most) = (self.hints_only(), self.most);
        let (model, thread, thinking) = (&self.model, &self.thread, self.thinking);
        let asked = Asked { model, info, thread, log: &log, eyes: &eyes, hint, thinking, page, most };
        let prepared = prepare(&self.profile, provider, &tools, asked);
        let Prepared { mut request, tokens, left_out } = prepared?;
        let local = provider.info().local && info.elsewhere.is_none();
        let spent = self.spent(&log)?;
        let promise = self.promise(&request, info, local, spent)?;
        request.max_output = promise.output.map(|most| most.min(room_for_answer(tokens, info)));
        let (with_tools, half) = (!request.tools.is_empty(), budget::with_half_said(&request, tokens));
        let started = Instant::now();
        let (stream, error) = with_its_error(provider.stream(request));
        let mut answer = self.hear(stream).await;
        answer.left_out = left_out;
        answer.cost = self.cost(&answer, &promise, started.elapsed());
        answer.notices = self.spending.came_close(&spent, &answer.cost);
        let answer = if self.book.is_some() { answer } else { with_text_calls(answer, &tools, &Shown::fold(&*log)) };
        Ok(Some(Heard { answer, error: error.get().cloned(), with_tools, half, promise }))
    }

    /// What the turn, its task and the thread have cost so far.
    fn spent(&self, log: &[ThreadEventBody]) -> Result<Spent, Failure> {
        let turn = self.state.turn.as_ref().map(|turn| turn.cost).unwrap_or_default();
        let turns = turns_of_task(&self.store, &self.thread, &self.turn).map_err(|error| error.failure())?;
        Ok(Spent { turn, task: cost_of_turns(log, &turns), thread: of_steps(log) })
    }

    fn promise(&self, request: &ModelRequest, info: &ModelInfo, local: bool, spent: Spent) -> Result<Promise, Failure> {
        let call = Call { thread: Some(self.thread.clone()), turn: self.turn.clone(), step: self.step() };
        let (input, output) = (most_tokens(request), info.max_output.unwrap_or(MOST_ANSWER));
        self.spending.promise(Planned { call: &call, model: &self.model, local, input, output, spent })
    }

    fn cost(&self, answer: &Answer, promise: &Promise, took: Duration) -> Cost {
        let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let silent = answer.text.is_empty() && answer.thinking.is_empty();
        self.spending.cost(promise, &answer.usage, answer.failure.as_ref(), silent, milliseconds)
    }

    async fn hear(&mut self, stream: ModelStream) -> Answer {
        let step = self.step();
        let (turn, so_far) = (self.turn.clone(), &*self.so_far);
        let listener = Listener { store: &self.store, thread: &self.thread, turn, step, so_far };
        let Some(book) = &self.book else { return listen(listener, stream, &mut self.stop).await };
        let log = self.log().unwrap_or_default();
        let mut tick = tokio::time::interval(LOOK);
        let listening = listen(listener, stream, &mut self.stop);
        tokio::pin!(listening);
        loop {
            tokio::select! {
                answer = &mut listening => return answer,
                _ = tick.tick() => book.saying(&log, &so_far.text()),
            }
        }
    }
}

/// Keeps the error that ends a stream.
fn with_its_error(stream: ModelStream) -> (ModelStream, Arc<OnceLock<ProviderError>>) {
    let kept = Arc::new(OnceLock::new());
    let keeping = kept.clone();
    let stream = stream.inspect(move |event| {
        if let Err(error) = event {
            let _ = keeping.set(error.clone());
        }
    });
    (stream.boxed(), kept)
}

/// Tokens that the model can answer beside those that it is sent, as far as that is known.
fn room_for_answer(tokens: u64, info: &ModelInfo) -> u32 {
    let Some(context) = info.context else { return u32::MAX };
    let left = u64::from(context).saturating_sub(tokens).max(LEAST_ANSWER);
    u32::try_from(left).unwrap_or(u32::MAX)
}
