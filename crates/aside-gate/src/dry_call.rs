//! One call of a dry run: it reads over the files that the calls before would leave, and changes nothing.

use std::sync::Arc;

use aside_core::{ActionRecord, ActionRequest, ActionState, AuditKind, Effects, Outcome, Ruling, UndoSupport, WouldBe};
use aside_macros::boxed;

use crate::{
    ActionContext, DryReading, Gate, GateError, Handler, Submission, approval::Look, audit, call,
    gate::carried_through, plan::effects, record::StoredAction, submit::Ask,
};

/// A call that was only looked at.
#[derive(Clone, Debug)]
pub struct DryCall {
    /// The action: done if it only reads, refused or failed if it would be, and else only proposed.
    pub record: ActionRecord,
    /// The files after it.
    pub would_be: Arc<WouldBe>,
    /// Its effect on files is unknown, so the files after it show nothing of it.
    pub unknown: bool,
    /// It was answered from the files as they are now, although the calls before would change some.
    pub is_stale: bool,
}

impl Gate {
    /// Looks at one call over the files that the calls before would leave. Reads are answered from those files; nothing else runs, and
    /// nobody is asked.
    #[boxed]
    pub async fn dry_call(
        self: &Arc<Self>,
        request: ActionRequest,
        submission: Submission,
        would_be: Arc<WouldBe>,
    ) -> Result<DryCall, GateError> {
        let gate = self.clone();
        carried_through(async move {
            let ask = Ask { request, submission, undoes: None };
            let mut action = gate.draft(&ask);
            let is_changed = !would_be.is_empty();
            let call = gate.look_at_call(&mut action, &ask, would_be).await;
            gate.note(vec![audit::entry(AuditKind::DryRun, gate.store.now(), &action)]).await?;
            let (would_be, unknown) = call;
            let is_stale = is_changed && gate.reads_now(&action);
            Ok(DryCall { record: action.record, would_be, unknown, is_stale })
        })
        .await
    }

    /// Tells whether a call was answered from the files as they are now.
    fn reads_now(&self, action: &StoredAction) -> bool {
        let known = self.catalog.entry(&action.record.envelope.action_type);
        matches!(action.record.outcome, Some(Outcome::Done { .. }))
            && known.is_some_and(|known| known.handler.in_dry_runs() == DryReading::Now)
    }

    async fn look_at_call(&self, action: &mut StoredAction, ask: &Ask, would_be: Arc<WouldBe>) -> (Arc<WouldBe>, bool) {
        let now = self.store.now();
        let handler = match self.admit(action, ask) {
            Ok(handler) => handler,
            Err(stopped) => {
                action.stop(*stopped, now);
                return (would_be, false);
            }
        };
        let context = ActionContext { would_be: would_be.clone(), ..self.context(action) };
        let found = match self.look_within(action, &context, &*handler, Look::Closely).await {
            Ok(found) => found,
            Err(stopped) => {
                action.stop(*stopped, now);
                return (would_be, false);
            }
        };
        let effects = effects(&*handler, &context, action, &found).await;
        let is_allowed = action.take_findings(found) == Ruling::Allow;
        if !is_allowed {
            action.record.state = ActionState::AwaitingConfirmation;
        }
        if is_allowed && only_reads(action, &*handler) {
            // By now it is known what it touches, which is all that it may tell of.
            let context = ActionContext { would_be: would_be.clone(), ..self.context(action) };
            let run = call::run(&*handler, &context, &action.record.envelope.args).await;
            let outcome = match run {
                Ok(run) => Outcome::Done { observation: run.observation },
                Err(failure) => Outcome::Failed { failure },
            };
            action.end(outcome, self.store.now());
        }
        match effects {
            Effects::Known(effects) => {
                let mut after = would_be;
                Arc::make_mut(&mut after).apply(&effects);
                (after, false)
            }
            Effects::Unknown => (would_be, true),
        }
    }
}

/// Tells whether to run it changes nothing. A plan and a script begin tasks, and others move something in a window, although they
/// only read themselves.
fn only_reads(action: &StoredAction, handler: &dyn Handler) -> bool {
    action.record.envelope.risk_level.is_read_only()
        && handler.descriptor().undo == UndoSupport::NotNeeded
        && handler.in_dry_runs() != DryReading::Shown
}
