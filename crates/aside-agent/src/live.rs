//! Listens to a model: every piece goes on at once, the text so far is kept for a crash, Stop is heard.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aside_core::{Failure, LiveDelta, StepStop, ThreadId, ToolCall, TurnId, Usage};
use aside_llm::{ModelEvent, ModelStream, ProviderError};
use aside_store::{Store, StoreError, Transaction};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    sync::watch,
    task::{JoinHandle, spawn_blocking},
    time::{MissedTickBehavior, interval},
};

use crate::turn::Answer;

/// How often the text so far is kept.
const KEEP_EVERY: Duration = Duration::from_millis(300);
/// Bytes of text and thinking in one step; a model that says more has lost its way.
const LONGEST: usize = 1 << 20;
/// Calls in one step, made or written.
pub const MOST_CALLS: usize = 64;

const KIND: &str = "partial";

/// What had come of a step that is still running.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partial {
    /// Of the answer.
    pub text: String,
    /// Of what it thinks aloud.
    pub thinking: String,
}

impl Partial {
    /// Reads what was kept of a thread's running step.
    pub fn kept(store: &Store, thread: &ThreadId) -> Result<Option<Self>, StoreError> {
        store.get(KIND, thread.as_str())
    }

    /// Forgets it, in the moment in which the step is written into the log.
    pub fn forget(transaction: &Transaction<'_>, thread: &ThreadId) -> Result<(), StoreError> {
        transaction.delete(KIND, thread.as_str()).map(drop)
    }
}

/// The running step of a thread, as far as it was heard.
#[derive(Debug, Default)]
pub struct SoFar(Mutex<Option<(TurnId, u32, Partial)>>);

impl SoFar {
    /// Returns it as if it came in one piece.
    pub fn deltas(&self) -> Vec<LiveDelta> {
        let held = self.held();
        let Some((turn, step, Partial { text, thinking })) = &*held else { return Vec::new() };
        let thinking = (!thinking.is_empty()).then(|| LiveDelta::Thinking {
            turn: turn.clone(),
            step: *step,
            offset: 0,
            text: thinking.clone(),
        });
        let text = (!text.is_empty()).then(|| LiveDelta::Text {
            turn: turn.clone(),
            step: *step,
            offset: 0,
            text: text.clone(),
        });
        thinking.into_iter().chain(text).collect()
    }

    /// The text so far.
    pub fn text(&self) -> String {
        self.held().as_ref().map(|(_, _, partial)| partial.text.clone()).unwrap_or_default()
    }

    /// Forgets it, once it stands in the log.
    pub fn clear(&self) {
        *self.held() = None;
    }

    fn begin(&self, turn: &TurnId, step: u32) {
        *self.held() = Some((turn.clone(), step, Partial::default()));
    }

    fn add(&self, delta: &LiveDelta) {
        if let Some((_, _, partial)) = &mut *self.held() {
            match delta {
                LiveDelta::Text { text, .. } => partial.text.push_str(text),
                LiveDelta::Thinking { text, .. } => partial.thinking.push_str(text),
                LiveDelta::Waiting { .. } | LiveDelta::Output { .. } => {}
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, Option<(TurnId, u32, Partial)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the pieces go.
pub struct Listener<'a> {
    /// The store whose tail the browsers follow.
    pub store: &'a Arc<Store>,
    /// The thread.
    pub thread: &'a ThreadId,
    /// The turn.
    pub turn: TurnId,
    /// The step.
    pub step: u32,
    /// Kept up for those who come late.
    pub so_far: &'a SoFar,
}

/// Listens until the answer ends, fails or is stopped. Returning drops the stream, which ends the call.
pub async fn listen(listener: Listener<'_>, mut stream: ModelStream, stop: &mut watch::Receiver<bool>) -> Answer {
    let mut hearing = Hearing::new(listener);
    let mut tick = interval(KEEP_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while hearing.answer.stop == StepStop::Interrupted {
        tokio::select! {
            biased;
            () = stopped(stop) => hearing.answer.stop = StepStop::Stopped,
            event = stream.next() => hearing.hear(event),
            _ = tick.tick() => hearing.keep(),
        }
    }
    hearing.ended().await
}

/// Returns when Stop was pressed.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        // Nobody can press it any more.
        std::future::pending::<()>().await;
    }
}

struct Hearing<'a> {
    listener: Listener<'a>,
    /// `Interrupted` as long as it has not ended.
    answer: Answer,
    /// What was used when it began.
    so_far: Usage,
    text_units: u32,
    thinking_units: u32,
    kept: usize,
    /// What is being kept right now, beside the stream: a piece never waits for the disk.
    keeping: JoinHandle<()>,
}

impl<'a> Hearing<'a> {
    fn new(listener: Listener<'a>) -> Self {
        listener.so_far.begin(&listener.turn, listener.step);
        let answer = Answer::cut_off(String::new(), String::new(), StepStop::Interrupted);
        let keeping = tokio::spawn(std::future::ready(()));
        Self { listener, answer, so_far: Usage::default(), text_units: 0, thinking_units: 0, kept: 0, keeping }
    }

    fn hear(&mut self, event: Option<Result<ModelEvent, ProviderError>>) {
        match event {
            Some(Ok(ModelEvent::Text(text))) => self.text(text),
            Some(Ok(ModelEvent::Thinking(text))) => self.thinking(text),
            Some(Ok(ModelEvent::ToolCall(call))) => self.call(call),
            Some(Ok(ModelEvent::Waiting(wait))) => self.waiting(wait),
            Some(Ok(ModelEvent::UsageSoFar(usage))) => self.so_far = usage,
            Some(Ok(ModelEvent::Usage(usage))) => self.answer.usage = self.answer.usage.plus(&usage),
            Some(Ok(ModelEvent::Echo(echo))) => self.answer.echo = echo,
            Some(Ok(ModelEvent::Stop(stop))) => self.answer.stop = stop,
            Some(Err(error)) => self.failed(Failure::from(&error)),
            None => {
                self.failed(Failure::new("provider_cut_off", "the model's answer was interrupted").hint("try again"))
            }
        }
    }

    fn failed(&mut self, failure: Failure) {
        self.answer.stop = StepStop::Failed { message: failure.message.clone() };
        self.answer.failure = Some(failure);
    }

    fn text(&mut self, text: String) {
        let (turn, step, offset) = (self.listener.turn.clone(), self.listener.step, self.text_units);
        self.answer.text.push_str(&text);
        self.text_units += units(&text);
        self.publish(&LiveDelta::Text { turn, step, offset, text });
    }

    fn thinking(&mut self, text: String) {
        let (turn, step, offset) = (self.listener.turn.clone(), self.listener.step, self.thinking_units);
        self.answer.thinking.push_str(&text);
        self.thinking_units += units(&text);
        self.publish(&LiveDelta::Thinking { turn, step, offset, text });
    }

    fn waiting(&mut self, wait: Duration) {
        let (turn, step) = (self.listener.turn.clone(), self.listener.step);
        let seconds = u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
        self.publish(&LiveDelta::Waiting { turn, step, seconds });
    }

    fn publish(&mut self, delta: &LiveDelta) {
        self.listener.so_far.add(delta);
        if let Err(error) = self.listener.store.publish(self.listener.thread.as_str(), delta) {
            tracing::warn!(%error, "cannot pass on a part of an answer");
        }
        if self.size() > LONGEST {
            self.cut(format!(
                "The answer was cut off after {} kB. None of its requests were carried out.",
                LONGEST >> 10
            ));
        }
    }

    fn call(&mut self, call: ToolCall) {
        self.answer.calls.push(call);
        if self.answer.calls.len() > MOST_CALLS {
            self.cut(format!(
                "The answer was cut off after {MOST_CALLS} calls. None of its requests were carried out."
            ));
        }
    }

    fn cut(&mut self, problem: String) {
        self.answer.stop = StepStop::Length;
        self.answer.calls.clear();
        self.answer.problems.push(problem);
        self.answer.echo = Value::Null;
    }

    fn size(&self) -> usize {
        self.answer.text.len() + self.answer.thinking.len()
    }

    fn keep(&mut self) {
        if self.size() == self.kept || !self.keeping.is_finished() {
            return;
        }
        self.kept = self.size();
        let (store, thread) = (self.listener.store.clone(), self.listener.thread.clone());
        let partial = Partial { text: self.answer.text.clone(), thinking: self.answer.thinking.clone() };
        self.keeping = spawn_blocking(move || {
            if let Err(error) = store.put(KIND, thread.as_str(), Some(thread.as_str()), &partial) {
                tracing::warn!(%error, "cannot store the text so far");
            }
        });
    }

    /// The answer, once nothing is being kept any more: the text so far must not come back after it was forgotten.
    async fn ended(mut self) -> Answer {
        if self.keeping.await.is_err() {
            tracing::warn!("storing the text so far was interrupted");
        }
        if self.answer.usage == Usage::default() {
            // How long the answer became nobody has counted.
            self.answer.usage = Usage { output: None, ..self.so_far };
        }
        self.answer
    }
}

fn units(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};
    use aside_store::{StoreOptions, Tail};
    use futures_util::stream;

    use super::*;

    struct Setting {
        _folder: tempfile::TempDir,
        store: std::sync::Arc<Store>,
        thread: ThreadId,
        so_far: SoFar,
    }

    impl Setting {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
            Self { _folder: folder, store, thread: ThreadId::from_parts(Timestamp(1), 1), so_far: SoFar::default() }
        }

        fn listener(&self) -> Listener<'_> {
            let turn = TurnId::from_parts(Timestamp(1), 1);
            Listener { store: &self.store, thread: &self.thread, turn, step: 1, so_far: &self.so_far }
        }
    }

    fn text(text: &str) -> Result<ModelEvent, ProviderError> {
        Ok(ModelEvent::Text(text.to_owned()))
    }

    #[tokio::test]
    async fn pieces_are_passed_on_with_offsets_in_utf16_units() {
        let setting = Setting::new();
        let mut tail = setting.store.tail();
        let (_sender, mut stop) = watch::channel(false);
        let events = stream::iter([text("a😀"), text("é"), text("b"), Ok(ModelEvent::Stop(StepStop::End))]).boxed();
        let answer = listen(setting.listener(), events, &mut stop).await;
        assert_eq!((answer.text.as_str(), answer.stop), ("a😀éb", StepStop::End));
        let offsets: Vec<u32> = std::iter::from_fn(|| tail.try_recv().ok())
            .filter_map(|heard| match heard {
                Tail::Live(live) => match serde_json::from_str(&live.body).unwrap() {
                    LiveDelta::Text { offset, .. }
                    | LiveDelta::Thinking { offset, .. }
                    | LiveDelta::Output { offset, .. } => Some(offset),
                    LiveDelta::Waiting { .. } => None,
                },
                Tail::Entry(_) => None,
            })
            .collect();
        assert_eq!(offsets, [0, 3, 4]);
        assert!(matches!(&setting.so_far.deltas()[..], [LiveDelta::Text { offset: 0, text, .. }] if text == "a😀éb"));
    }

    #[tokio::test]
    async fn what_was_used_when_it_began_is_known_until_the_end_says_all() {
        let setting = Setting::new();
        let (_sender, mut stop) = watch::channel(false);
        let begun = Usage { input: Some(900), output: Some(1), cache_read: Some(800), ..Usage::default() };
        let whole = Usage { output: Some(20), ..begun.clone() };
        let said = [Ok(ModelEvent::UsageSoFar(begun.clone())), text("half")];
        let cut_off = listen(setting.listener(), stream::iter(said.clone()).boxed(), &mut stop).await;
        assert_eq!(cut_off.usage, Usage { output: None, ..begun });
        let end = [Ok(ModelEvent::Usage(whole.clone())), Ok(ModelEvent::Stop(StepStop::End))];
        let ended = listen(setting.listener(), stream::iter(said.into_iter().chain(end)).boxed(), &mut stop).await;
        assert_eq!(ended.usage, whole);
    }

    #[tokio::test]
    async fn stop_keeps_the_text_and_drops_the_stream() {
        let setting = Setting::new();
        let (sender, mut stop) = watch::channel(false);
        let dropped = std::sync::Arc::new(());
        let witness = dropped.clone();
        let endless = stream::unfold(witness, |witness| async move {
            tokio::task::yield_now().await;
            Some((text("on "), witness))
        });
        let mut tail = setting.store.tail();
        let press = async {
            tail.recv().await.unwrap();
            sender.send(true).unwrap();
        };
        let (answer, ()) = tokio::join!(listen(setting.listener(), endless.boxed(), &mut stop), press);
        assert_eq!(answer.stop, StepStop::Stopped);
        assert!(answer.text.starts_with("on "));
        assert_eq!(std::sync::Arc::strong_count(&dropped), 1);
    }

    #[tokio::test]
    async fn an_endless_answer_is_cut_and_nothing_it_asks_for_is_done() {
        let setting = Setting::new();
        let (_sender, mut stop) = watch::channel(false);
        let endless = stream::repeat_with(|| text(&"x".repeat(10_000))).boxed();
        let answer = listen(setting.listener(), endless, &mut stop).await;
        assert_eq!(answer.stop, StepStop::Length);
        assert!(answer.text.len() <= LONGEST + 10_000 && answer.calls.is_empty());
        assert!(answer.problems[0].contains("cut off after 1024 kB"));
    }

    #[tokio::test]
    async fn an_answer_without_an_end_has_failed() {
        let setting = Setting::new();
        let (_sender, mut stop) = watch::channel(false);
        let answer = listen(setting.listener(), stream::iter([text("half")]).boxed(), &mut stop).await;
        assert_eq!(answer.text, "half");
        assert!(matches!(answer.stop, StepStop::Failed { .. }));
    }

    #[tokio::test]
    async fn the_text_so_far_is_kept_for_a_crash() {
        let setting = Setting::new();
        let (_sender, mut stop) = watch::channel(false);
        let slow = stream::iter([text("half")]).chain(stream::pending()).boxed();
        let heard = tokio::time::timeout(KEEP_EVERY * 2, listen(setting.listener(), slow, &mut stop)).await;
        assert!(heard.is_err());
        let partial = Partial::kept(&setting.store, &setting.thread).unwrap().unwrap();
        assert_eq!(partial.text, "half");
    }
}
