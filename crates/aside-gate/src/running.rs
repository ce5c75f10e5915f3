//! The actions that run now: how others hear of their output, and how they are stopped.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aside_core::{ActionId, ActionRecord, ActionState, Failure, LiveDelta, Origin, TurnId};
use aside_macros::boxed;
use futures_util::{FutureExt as _, future::BoxFuture};
use tokio::{
    sync::broadcast,
    time::{MissedTickBehavior, interval},
};

use crate::{Gate, GateError, OutputPiece, Progress, Run, record::StoredAction};

/// How often what runs is listened to.
const LISTEN_EVERY: Duration = Duration::from_millis(100);
/// Pieces that a slow listener may fall behind.
const PIECES: usize = 256;
/// How long [`Gate::stop`] waits for the end.
const ENDS_WITHIN: Duration = Duration::from_secs(2);
/// Words to stop that are remembered for what has not begun by then.
const MOST_WORDS: usize = 1_000;

/// A piece of output of a running action.
#[derive(Clone, Debug)]
pub struct ActionOutput {
    /// Which action.
    pub action: ActionId,
    /// The piece.
    pub piece: OutputPiece,
}

/// Those that run, and those that are to stop before they do.
pub(crate) struct Running {
    now: Mutex<Now>,
    output: broadcast::Sender<Arc<ActionOutput>>,
}

#[derive(Default)]
struct Now {
    actions: HashMap<ActionId, (Origin, Progress)>,
    /// What somebody said to stop, and who; the latest last.
    words: VecDeque<(Meant, String)>,
}

/// What is to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meant {
    Action(ActionId),
    Turn(TurnId),
}

impl Meant {
    fn is(&self, id: &ActionId, origin: &Origin) -> bool {
        match self {
            Self::Action(meant) => meant == id,
            Self::Turn(meant) => matches!(origin, Origin::Turn { turn, .. } if turn == meant),
        }
    }
}

impl Now {
    /// Who said that an action is to stop. A plan that a person confirmed goes on when the turn that made it is stopped.
    fn stopped_by(&self, action: &StoredAction) -> Option<&str> {
        let is_meant = |meant: &Meant| match meant {
            Meant::Turn(_) if action.is_step() => false,
            meant => meant.is(action.id(), &action.record.origin),
        };
        self.words.iter().rev().find(|(meant, _)| is_meant(meant)).map(|(_, by)| &**by)
    }
}

impl Default for Running {
    fn default() -> Self {
        Self { now: Mutex::default(), output: broadcast::Sender::new(PIECES) }
    }
}

impl Running {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers an action as long as what is returned lives.
    fn enter(&self, action: &StoredAction, progress: &Progress) -> Entered<'_> {
        let entry = (action.record.origin.clone(), progress.clone());
        let mut now = self.now();
        if let Some(by) = now.stopped_by(action) {
            progress.stop(by);
        }
        now.actions.insert(action.id().clone(), entry);
        Entered { running: self, action: action.id().clone() }
    }

    /// Says that something is to stop: what runs hears of it, what begins later does not begin.
    fn stop(&self, meant: Meant, by: &str) {
        let mut now = self.now();
        let running = now.actions.iter().filter(|(id, (origin, _))| meant.is(id, origin));
        running.for_each(|(_, (_, progress))| progress.stop(by));
        if now.words.iter().all(|(known, _)| *known != meant) {
            now.words.push_back((meant, by.to_owned()));
        }
        if now.words.len() > MOST_WORDS {
            now.words.pop_front();
        }
    }
}

struct Entered<'a> {
    running: &'a Running,
    action: ActionId,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.running.now().actions.remove(&self.action);
    }
}

impl Gate {
    /// Listens to what running actions put out. One who falls behind asks for [`Gate::output_so_far`] again.
    pub fn output(&self) -> broadcast::Receiver<Arc<ActionOutput>> {
        self.running.output.subscribe()
    }

    /// The latest of what a running action has put out; none if it does not run.
    pub fn output_so_far(&self, id: &ActionId) -> Option<OutputPiece> {
        self.running.now().actions.get(id).map(|(_, progress)| progress.so_far())
    }

    /// Asks a running action to stop, waits a moment for its end, and returns it as it is then. What it did so far
    /// stays, and can be taken back if it says how. One that is still being looked at does not begin; one that waits for
    /// a person goes on waiting.
    #[boxed]
    pub async fn stop(&self, id: &ActionId, by: &str) -> Result<ActionRecord, GateError> {
        let waits = |record: &ActionRecord| record.state == ActionState::AwaitingConfirmation;
        if !self.record(id).is_ok_and(|record| waits(&record) || record.state.is_final()) {
            self.running.stop(Meant::Action(id.clone()), by);
        }
        match tokio::time::timeout(ENDS_WITHIN, self.settled(id)).await {
            Ok(settled) => settled,
            Err(_) => self.record(id),
        }
    }

    /// Asks everything that runs for a turn to stop. Nothing begins for it any more.
    pub fn stop_turn(&self, turn: &TurnId, by: &str) {
        self.running.stop(Meant::Turn(turn.clone()), by);
    }

    /// Who said that an action is to stop, before it began.
    pub(crate) fn stopped_before(&self, action: &StoredAction) -> Option<String> {
        self.running.now().stopped_by(action).map(str::to_owned)
    }

    /// Waits for a run while passing on what it puts out.
    pub(crate) async fn listen(
        &self,
        action: &StoredAction,
        progress: &Progress,
        mut run: BoxFuture<'_, Result<Run, Failure>>,
    ) -> Result<Run, Failure> {
        let _entered = self.running.enter(action, progress);
        // Most are at their end before anyone could listen.
        if let Some(result) = run.as_mut().now_or_never() {
            self.pass_on(action, progress);
            return result;
        }
        let grant_ends = self.grants.end(&action.grant);
        tokio::pin!(grant_ends);
        let mut granted = true;
        let mut assistant = self.assistant_changes();
        let mut tick = interval(LISTEN_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                result = &mut run => {
                    self.pass_on(action, progress);
                    return result;
                }
                _ = &mut grant_ends, if granted => {
                    granted = false;
                    progress.stop("the end of its grant");
                }
                Ok(()) = assistant.changed(), if !action.record.origin.is_person() => {
                    if self.restricted_away(action).is_some() {
                        progress.stop("the AI restriction");
                    }
                }
                _ = tick.tick() => self.pass_on(action, progress),
            }
        }
    }

    fn pass_on(&self, action: &StoredAction, progress: &Progress) {
        let Some(piece) = progress.news() else { return };
        if let Origin::Turn { thread, turn, .. } = &action.record.origin {
            let (turn, action) = (turn.clone(), action.id().clone());
            let delta = LiveDelta::Output { turn, action, offset: piece.offset, text: piece.text.clone() };
            if let Err(error) = self.store.publish(thread.as_str(), &delta) {
                tracing::warn!(%error, "could not pass on output of an action");
            }
        }
        // Nobody may be listening.
        let _ = self.running.output.send(Arc::new(ActionOutput { action: action.id().clone(), piece }));
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Grant, Outcome, ReviewMode};
    use aside_store::Tail;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, replace},
    };

    #[tokio::test]
    async fn what_runs_is_heard_and_stopped() {
        let bench = Bench::new("one");
        let (mut output, mut tail) = (bench.gate.output(), bench.gate.store.tail());
        let running = bench.auto(replace("one", "<talk>"));
        let watching = async {
            let heard = output.recv().await.unwrap();
            assert_eq!(heard.piece.text, "talking\n");
            assert_eq!(bench.gate.output_so_far(&heard.action).unwrap().text, "talking\n");
            bench.gate.stop(&heard.action, "ada").await.unwrap()
        };
        let (record, stopped) = tokio::join!(running, watching);
        assert_eq!(stopped, record);
        assert!(matches!(&record.outcome, Some(Outcome::Failed { failure }) if failure.message == "ada stopped it"));
        assert!(bench.gate.output_so_far(&record.envelope.id).is_none());
        let live = std::iter::from_fn(|| tail.try_recv().ok()).any(|heard| matches!(heard, Tail::Live(_)));
        assert!(live, "those who follow the thread hear it too");
    }

    #[tokio::test]
    async fn stopping_a_turn_stops_what_runs_for_it() {
        let bench = Bench::new("one");
        let mut output = bench.gate.output();
        let submission = bench.turn(ReviewMode::AutoApply);
        let Origin::Turn { turn, .. } = submission.origin.clone() else { unreachable!() };
        let stopping = async {
            output.recv().await.unwrap();
            bench.gate.stop_turn(&turn, "ada");
        };
        let (done, ()) = tokio::join!(bench.submit(replace("one", "<talk>"), submission), stopping);
        assert_eq!(done.record.state, ActionState::Failed);
    }

    #[tokio::test]
    async fn what_is_still_looked_at_when_its_turn_is_stopped_does_not_begin() {
        let bench = Bench::new("one two");
        let submission = bench.turn(ReviewMode::AutoApply);
        let Origin::Turn { turn, .. } = submission.origin.clone() else { unreachable!() };
        let stopping = async {
            bench.world.begun.acquire().await.unwrap().forget();
            bench.gate.stop_turn(&turn, "ada");
            bench.world.go.add_permits(1);
        };
        let (ended, ()) = tokio::join!(bench.submit(replace("one", "<wait-shown>"), submission), stopping);
        let Some(Outcome::Failed { failure }) = &ended.record.outcome else { panic!("{ended:?}") };
        assert_eq!((&*failure.code, &*failure.message), ("stopped", "ada stopped it before it started"));
        assert_eq!((bench.runs(), bench.audited()), (0, vec!["failed".to_owned()]));
        assert_eq!(bench.order(replace("two", "2")).await.state, ActionState::Done, "others are not meant");
    }

    #[tokio::test]
    async fn to_stop_what_waits_for_a_person_leaves_it_to_them() {
        let bench = Bench::new("one");
        let asked = bench.propose(replace("one", "1")).await;
        bench.gate.stop(&asked.envelope.id, "ada").await.unwrap();
        assert_eq!(bench.approve(&asked.envelope.id).await.unwrap().state, ActionState::Done);
    }

    #[tokio::test]
    async fn what_runs_under_a_grant_is_stopped_with_it_and_says_so() {
        let bench = Bench::new("one");
        let mut output = bench.gate.output();
        let stored = bench.gate.grants().create(Grant::full("nightly"), "ada").unwrap();
        let narrowed = Grant::full("Coding Agent").narrowed(&stored.grant);
        let submission = Submission { grant: narrowed, ..bench.turn(ReviewMode::AutoApply) };
        let revoking = async {
            output.recv().await.unwrap();
            bench.gate.grants().revoke(stored.grant.id.as_ref().unwrap()).unwrap();
        };
        let (ended, ()) = tokio::join!(bench.submit(replace("one", "<talk>"), submission), revoking);
        let Some(Outcome::Failed { failure }) = &ended.record.outcome else { panic!("{ended:?}") };
        assert_eq!(failure.message, "the end of its grant stopped it");
        assert_eq!(bench.audited(), ["intent", "outcome"]);
        assert_eq!(bench.audit()[1]["outcome"]["code"], "stopped");
    }

    #[tokio::test]
    async fn what_does_not_run_is_left_as_it_is() {
        let bench = Bench::new("one");
        let done = bench.order(replace("one", "1")).await;
        assert_eq!(bench.gate.stop(&done.envelope.id, "ada").await.unwrap(), done);
    }
}
