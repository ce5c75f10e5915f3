//! One call of a tool, from its name to its result.

use aside_core::{ActionId, ActionRecord, ActionRequest, ActionState, Failure, Origin};
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, JsonObject, MetaObject},
    service::RequestContext,
};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Caller, Server,
    answer::{self, Way},
    caller, client_name, result, session,
    state::Call,
    tools::Called,
};

/// Where a request of the protocol says its key: the same key with the same request runs once, also if it is sent again
/// because the answer was lost.
const KEY: &str = "aside/idempotency-key";

/// Arguments of `action_run`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunArgs {
    action_type: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    idempotency_key: Option<String>,
}

/// Arguments of `action_wait`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaitArgs {
    id: ActionId,
}

/// An action that a call is about.
pub(super) struct Taken {
    pub(super) record: ActionRecord,
    /// The client may be given the question; not once its person has put it away.
    pub(super) ask: bool,
    /// It runs, and was waited for as long as clients do.
    pub(super) is_late: bool,
}

impl Taken {
    pub(super) fn asking(record: ActionRecord) -> Self {
        Self { record, ask: true, is_late: false }
    }
}

impl Server {
    /// Carries a call out. A refusal, a failure and a decision that is still open are results; only a call that names
    /// no tool or brings a state that is not ours is an error of the protocol.
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = caller(context)?;
        let (client, session) = (client_name(context), session(context));
        let call = Call {
            user: &caller.user,
            grant: caller.grant.id.as_ref(),
            client: &client,
            session: session.as_deref(),
            tool: &request.name,
            arguments: request.arguments.as_ref(),
        };
        let taken = match &request.request_state {
            Some(sealed) => self.answered(sealed, request.input_responses.as_ref(), &call).await?,
            None => self.take_in(&call, &caller, context).await?,
        };
        Ok(match taken {
            Ok(taken) => self.to_the_end(taken, &call, context).await,
            Err(failure) => result::failed("Not done", &failure).into(),
        })
    }

    async fn take_in(
        &self,
        call: &Call<'_>,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<Result<Taken, Failure>, ErrorData> {
        let called = self.tools(caller).called(call.tool);
        let called = called.ok_or_else(|| ErrorData::invalid_params(format!("unknown tool: {}", call.tool), None))?;
        if called == Called::Wait {
            let own = arguments::<WaitArgs>(call.arguments).and_then(|wanted| self.own(&wanted.id, call));
            return Ok(own.map(Taken::asking));
        }
        let requested = requested(called, call.arguments).and_then(|request| keyed(request, &context.meta));
        let request = match requested {
            Ok(request) => request,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(self.carry_out(request, Self::submission(caller, context), call.client, context).await)
    }

    /// An action that this client asked for on behalf of the same person. What a client calls itself proves nothing:
    /// those with a token of their own are told apart by its grant, those that share the person's by their connection.
    pub(super) fn own(&self, id: &ActionId, call: &Call<'_>) -> Result<ActionRecord, Failure> {
        let record = self.gate.record(id).map_err(|error| error.failure())?;
        match &record.origin {
            Origin::Mcp { user, client, session }
                if user == call.user
                    && client == call.client
                    && record.grant.id.as_ref() == call.grant
                    && (call.grant.is_some() || session.as_deref() == call.session) =>
            {
                Ok(record)
            }
            _ => Err(Failure::new("not_found", format!("you requested no action {id}"))),
        }
    }

    async fn to_the_end(
        &self,
        taken: Taken,
        call: &Call<'_>,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let Taken { record, ask, is_late } = taken;
        if is_late {
            return self.told(&record).into();
        }
        let open = record.state == ActionState::AwaitingConfirmation && ask;
        match answer::way(context).filter(|_| open) {
            Some(Way::CallAgain) => match self.input_required(&record, call) {
                Some(question) => question.into(),
                None => self.told(&self.wait(record, context).await).into(),
            },
            Some(Way::MidCall) => self.told(&self.ask_mid_call(record, call, context).await).into(),
            None => self.told(&self.wait(record, context).await).into(),
        }
    }
}

/// The request that a tool's name and arguments stand for.
fn requested(called: Called, arguments: Option<&JsonObject>) -> Result<ActionRequest, Failure> {
    match called {
        Called::Action(name) => Ok(ActionRequest::new(name, Value::Object(arguments.cloned().unwrap_or_default()))),
        Called::Run | Called::Wait => {
            let RunArgs { action_type, args, idempotency_key } = self::arguments(arguments)?;
            let name = action_type.parse().map_err(|error| invalid(&error))?;
            Ok(ActionRequest { idempotency_key, ..ActionRequest::new(name, args) })
        }
    }
}

/// The same with the key of the request of the protocol, if it has none of its own.
fn keyed(request: ActionRequest, meta: &MetaObject) -> Result<ActionRequest, Failure> {
    let key = match meta.0.get(KEY) {
        None => return Ok(request),
        Some(Value::String(key)) => key.clone(),
        Some(_) => return Err(invalid(&format!("`{KEY}` is not a text"))),
    };
    Ok(ActionRequest { idempotency_key: request.idempotency_key.or(Some(key)), ..request })
}

fn arguments<T: serde::de::DeserializeOwned>(arguments: Option<&JsonObject>) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(arguments.cloned().unwrap_or_default())).map_err(|error| invalid(&error))
}

fn invalid(error: &impl std::fmt::Display) -> Failure {
    Failure::new("invalid_args", error.to_string()).hint("the tool's schema and examples show its arguments")
}
