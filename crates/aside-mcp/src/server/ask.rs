//! Waiting for a person: at Aside's own page, or at the client's side where it can ask.

use aside_core::{ActionRecord, ActionState, Decision, Failure};
use aside_gate::GateError;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        ElicitRequest, ElicitRequestParams, ElicitResult, InputRequest, InputRequests, InputRequiredResult,
        InputResponses,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio::time::sleep;

use super::{
    Server, answer,
    calls::Taken,
    running::Beats,
    state::{Call, Question},
};

/// The name of the one question of a call.
const DECISION: &str = "decision";

impl Server {
    /// Returns the question as a result, for a client that calls again with the answer. Nothing if it can't be asked
    /// there.
    pub(super) fn input_required(&self, record: &ActionRecord, call: &Call<'_>) -> Option<InputRequiredResult> {
        let (params, shown) = answer::question(record)?;
        let state = self.seal.seal(&Question { action: record.envelope.id.clone(), shown }, call);
        let asked = InputRequest::Elicitation(ElicitRequest::new(params));
        let requests = InputRequests::from([(DECISION.to_owned(), asked)]);
        Some(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// Takes the answer that a client came back with, and returns the action as it is then.
    pub(super) async fn answered(
        &self,
        sealed: &str,
        responses: Option<&InputResponses>,
        call: &Call<'_>,
    ) -> Result<Result<Taken, Failure>, ErrorData> {
        let Some(question) = self.seal.open(sealed, call) else {
            return Err(ErrorData::invalid_params("this requestState is invalid or expired", None));
        };
        let record = match self.own(&question.action, call) {
            Ok(record) => record,
            Err(failure) => return Ok(Err(failure)),
        };
        let Some(answer) = responses.and_then(|responses| responses.get(DECISION)).and_then(parsed) else {
            return Ok(Ok(Taken::asking(record)));
        };
        Ok(match answer::decision(&answer, &question.shown) {
            Some(decision) => self.decide(&record, decision, call).await.map(Taken::asking),
            None => Ok(Taken { record, ask: false, is_late: false }),
        })
    }

    /// Asks in the middle of the call; whoever answers first, there or at Aside's page, has answered.
    pub(super) async fn ask_mid_call(
        &self,
        mut record: ActionRecord,
        call: &Call<'_>,
        context: &RequestContext<RoleServer>,
    ) -> ActionRecord {
        while record.state == ActionState::AwaitingConfirmation {
            let Some((params, shown)) = answer::question(&record) else { return self.wait(record, context).await };
            let asked = tokio::select! {
                settled = self.gate.settled(&record.envelope.id) => return settled.unwrap_or(record),
                () = context.ct.cancelled() => return self.withdraw(record).await,
                asked = elicited(params, context) => asked,
            };
            let Some(decision) = asked.and_then(|answer| answer::decision(&answer, &shown)) else {
                return self.wait(record, context).await;
            };
            record = match self.decide(&record, decision, call).await {
                Ok(decided) => decided,
                Err(_) => return self.wait(record, context).await,
            };
        }
        self.wait(record, context).await
    }

    /// What would happen may be something else by now: then the action comes back as it is, to be asked again.
    async fn decide(
        &self,
        record: &ActionRecord,
        decision: Decision,
        call: &Call<'_>,
    ) -> Result<ActionRecord, Failure> {
        // Whether anybody was asked there is that program's word.
        let by = format!("{}, which reported that {} agreed", call.client, call.user);
        match self.gate.decide(&record.envelope.id, decision, &by).await {
            Ok(record) => Ok(record),
            Err(GateError::Stale { record, .. } | GateError::AlreadyDecided { record }) => Ok(*record),
            Err(error) => Err(error.failure()),
        }
    }

    /// Waits until nothing more will happen by itself, or patience ends. A call that its client takes back, or whose
    /// client goes away, takes the proposal along: nobody would read what came of it.
    pub(super) async fn wait(&self, record: ActionRecord, context: &RequestContext<RoleServer>) -> ActionRecord {
        if record.state.is_final() {
            return record;
        }
        let id = record.envelope.id.clone();
        let settled = self.gate.settled(&id);
        let patience = sleep(self.limits.patience);
        tokio::pin!(settled, patience);
        let mut beats = Beats::new(self.limits.heartbeat);
        loop {
            tokio::select! {
                settled = &mut settled => return settled.unwrap_or(record),
                () = context.ct.cancelled() => return self.withdraw(record).await,
                () = &mut patience => return self.gate.record(&id).unwrap_or(record),
                count = beats.next() => self.tell_how_far(&id, count, context).await,
            }
        }
    }

    async fn withdraw(&self, record: ActionRecord) -> ActionRecord {
        if record.state != ActionState::AwaitingConfirmation {
            return record;
        }
        let by = match &record.origin {
            aside_core::Origin::Mcp { client, .. } => client.clone(),
            other => other.user().to_owned(),
        };
        let decision = Decision::reject(Some("the requesting program withdrew it".to_owned()));
        self.gate.decide(&record.envelope.id, decision, &by).await.unwrap_or(record)
    }
}

fn parsed(answer: &Value) -> Option<ElicitResult> {
    serde_json::from_value(answer.clone()).ok()
}

async fn elicited(params: ElicitRequestParams, context: &RequestContext<RoleServer>) -> Option<ElicitResult> {
    let asked = context.peer.create_elicitation(params).await;
    asked.inspect_err(|error| tracing::debug!("a client could not ask its user: {error}")).ok()
}
