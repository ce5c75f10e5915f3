//! How far AI goes, held against every request of a model or a program, before and while it runs.
//!
//! A person's own request is theirs, with or without an assistant. Whatever else asks is taken for an assistant: nobody
//! can tell which model is behind a program's token.

use std::{sync::Arc, time::Duration};

use aside_core::{
    ActionName, AiLevel, AiRestriction, AssistantState, Descriptor, Failure, Grant, Origin, Risks, RuleScope,
};
use aside_macros::boxed;
use futures_util::future::BoxFuture;
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};

use crate::{Gate, GateError, approval::Stopped, granted::not_granted, record::StoredAction};

/// How often it is looked at: a change holds for what is asked at once, and for what is under way within this.
const LOOK_EVERY: Duration = Duration::from_millis(500);

impl Gate {
    /// Returns how far AI goes now.
    pub fn assistant(&self) -> AssistantState {
        let now = self.policy.assistant(self.store.now());
        self.assistant.send_if_modified(|known| {
            let changed = *known != now;
            known.clone_from(&now);
            changed
        });
        now
    }

    /// Tells of changes of that, soon after each.
    pub fn assistant_changes(&self) -> watch::Receiver<AssistantState> {
        self.assistant.subscribe()
    }

    /// Fails if AI goes less far than that now.
    pub fn check_level(&self, needed: AiLevel) -> Result<(), Failure> {
        let now = self.assistant();
        if now.level < needed { Err(ai_restricted(&now)) } else { Ok(()) }
    }

    /// Returns what is left of a grant under the restrictions that hold now.
    pub fn restricted(&self, grant: &Grant) -> Grant {
        match self.assistant().level.grant() {
            Some(left) => grant.narrowed(&left),
            None => grant.clone(),
        }
    }

    /// Returns the actions that a model or a program may ask for now.
    pub fn offered(&self, grant: &Grant) -> Vec<Arc<Descriptor>> {
        self.catalog.granted(&self.restricted(grant), self.store.now())
    }

    /// Writes down how far AI goes, as a person says it: for this workspace, or for all that they open. None takes back
    /// what was said there.
    pub fn restrict(&self, scope: RuleScope, restriction: Option<&AiRestriction>) -> Result<AssistantState, Failure> {
        self.policy.restrict(scope, restriction).map_err(|error| Failure::new("not_kept", error.to_string()))?;
        Ok(self.assistant())
    }

    /// Says so to all who listen as long as the Gate is there, which it does not keep.
    pub fn watch_assistant(self: &Arc<Self>) -> BoxFuture<'static, ()> {
        let gate = Arc::downgrade(self);
        Box::pin(async move {
            let mut tick = interval(LOOK_EVERY);
            tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tick.tick().await;
                let Some(gate) = gate.upgrade() else { return };
                gate.assistant();
            }
        })
    }

    /// Whether the restrictions that hold now leave such an action to who asks.
    pub(crate) fn check_assistant(&self, action: &StoredAction, risks: &Risks) -> Result<(), Box<Stopped>> {
        match self.not_left(&action.record.origin, &action.record.envelope.action_type, risks) {
            Some(failure) => Err(not_granted(failure)),
            None => Ok(()),
        }
    }

    /// Returns why nothing is left of an action that was taken in before.
    pub(crate) fn restricted_away(&self, action: &StoredAction) -> Option<Failure> {
        let envelope = &action.record.envelope;
        self.not_left(&action.record.origin, &envelope.action_type, &envelope.risk_level)
    }

    fn not_left(&self, origin: &Origin, name: &ActionName, risks: &Risks) -> Option<Failure> {
        if origin.is_person() {
            return None;
        }
        let state = self.assistant();
        let left = state.level.grant()?;
        (!left.covers(name, risks, self.store.now())).then(|| ai_restricted(&state))
    }

    /// Waits until AI goes less far than `level`, or is off, and returns why.
    #[boxed]
    pub async fn narrowed(&self, level: AiLevel) -> Failure {
        let mut changes = self.assistant.subscribe();
        loop {
            let now = changes.borrow_and_update().clone();
            if now.level < level || now.level == AiLevel::Off {
                return ai_restricted(&now);
            }
            if changes.changed().await.is_err() {
                return GateError::Ending.failure();
            }
        }
    }
}

/// Says that AI does not go so far.
pub fn ai_restricted(state: &AssistantState) -> Failure {
    let code = if state.level == AiLevel::Off { "ai_off" } else { "ai_restricted" };
    let failure = Failure::new(code, state.sentence().trim_end_matches('.').to_owned());
    let failure = match state.because.iter().find_map(|reason| reason.mistake.as_ref()) {
        Some(mistake) => failure.hint(format!("fix {mistake}")),
        None => failure.hint("`aside assistant` shows the restrictions and when they end"),
    };
    failure.data(state)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests write the organisation's file")]
mod tests {
    use aside_core::{ActionRecord, ActionState, GrantId, Id as _, Outcome, RefusedBy, ReviewMode, Timestamp};

    use super::*;
    use crate::{
        LivePolicy, PolicyFiles, Submission,
        testing::{Bench, person, replace, request},
    };

    /// A Gate whose restrictions are in a file.
    struct Place {
        bench: Bench,
        folder: tempfile::TempDir,
    }

    impl Place {
        fn new(text: &str) -> Self {
            let (mut bench, folder) = (Bench::new(text), tempfile::tempdir().unwrap());
            let workspace = folder.path().join("work");
            std::fs::create_dir(&workspace).unwrap();
            let organisation = folder.path().join("policy.toml");
            let files = PolicyFiles { organisation, data_folder: None, workspace, assistant: None };
            bench.gate = Gate::new(bench.store.clone(), bench.gate.catalog().clone(), LivePolicy::open(files));
            tokio::spawn(bench.gate.watch_assistant());
            tokio::spawn(bench.gate.watch_grants());
            Self { bench, folder }
        }

        /// The organisation says how far AI goes, in a file.
        fn say(&self, text: &str) {
            std::fs::write(self.folder.path().join("policy.toml"), format!("[[assistant]]\n{text}\n")).unwrap();
        }
    }

    fn refusal(record: &ActionRecord) -> &str {
        match &record.outcome {
            Some(Outcome::Refused { by: RefusedBy::Grant, failure }) => &failure.code,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn only_a_person_s_own_request_is_none_of_an_assistant() {
        let place = Place::new("one two three four");
        let bench = &place.bench;
        place.say("level = 'off'");
        let user = "ada".to_owned();
        let program = Origin::Client { user: user.clone(), grant: GrantId::from_parts(Timestamp(1), 1) };
        let mcp = Origin::Mcp { user: user.clone(), client: "other".to_owned(), session: None };
        for origin in [program, mcp] {
            let submission = Submission::under(Grant::full("all"), origin);
            assert_eq!(
                refusal(&bench.submit(request("text.read", serde_json::json!({})), submission).await.record),
                "ai_off"
            );
        }
        assert_eq!(refusal(&bench.auto(replace("one", "1")).await), "ai_off");
        for origin in [person(), Origin::Cli { user }] {
            let submission = Submission::person(origin);
            assert_eq!(bench.submit(replace("two", "two"), submission).await.record.state, ActionState::Done);
        }
        place.say("level = 'partial'");
        let refused = bench.auto(replace("one", "1")).await;
        assert_eq!(refusal(&refused), "ai_restricted");
        assert_eq!(
            refused.verdict.reason,
            "AI is limited to explanations and hints here: your organisation has set this."
        );
        place.say("level = 'full'");
        assert_eq!(bench.auto(replace("one", "1")).await.state, ActionState::Done);
    }

    #[tokio::test]
    async fn what_waits_leaves_the_list_at_the_time_that_was_set_and_an_approval_comes_too_late() {
        let place = Place::new("one two");
        let bench = &place.bench;
        place.say("level = 'partial'\nfrom = '60000'");
        let asked = bench.propose(replace("one", "1")).await;
        let own = bench.order(request("text.replace", serde_json::json!({ "from": "two", "to": "" }))).await;
        assert_eq!(asked.state, ActionState::AwaitingConfirmation);
        bench.clock.store(60_000, std::sync::atomic::Ordering::SeqCst);
        let ended = bench.gate.settled(&asked.envelope.id).await.unwrap();
        assert_eq!(refusal(&ended), "ai_restricted");
        assert_eq!(bench.runs(), usize::from(own.state == ActionState::Done));
    }

    #[tokio::test]
    async fn an_approval_does_not_lift_it() {
        let place = Place::new("one");
        let bench = &place.bench;
        let asked = bench.propose(replace("one", "1")).await;
        place.say("level = 'off'");
        assert_eq!(refusal(&bench.approve(&asked.envelope.id).await.unwrap()), "ai_off");
        assert_eq!(bench.runs(), 0);
    }

    #[tokio::test]
    async fn who_waits_for_it_hears_of_it_and_of_nothing_else() {
        let place = Place::new("one");
        let gate = place.bench.gate.clone();
        let narrowed = tokio::spawn(async move { gate.narrowed(AiLevel::Partial).await });
        place.say("level = 'partial'");
        let mut changes = place.bench.gate.assistant_changes();
        changes.wait_for(|state| state.level == AiLevel::Partial).await.unwrap();
        assert!(!narrowed.is_finished());
        place.say("level = 'off'");
        assert_eq!(narrowed.await.unwrap().code, "ai_off");
    }

    #[tokio::test]
    async fn what_is_left_is_what_is_offered() {
        let place = Place::new("one");
        let names = |grant: &Grant| place.bench.gate.offered(grant).len();
        assert!(names(&Grant::full("all")) > 0);
        place.say("level = 'off'");
        assert_eq!(names(&Grant::full("all")), 0);
        let submission = Submission { review: Some(ReviewMode::AutoApply), ..place.bench.turn(ReviewMode::AutoApply) };
        let dry = place.bench.gate.dry_run(replace("one", "1"), submission).await.unwrap();
        assert_eq!(refusal(&dry), "ai_off");
    }
}
