//! The question that a client puts to its person, and what came back.

use aside_core::{ActionRecord, Choice, Decision, Preview, Risk, Sha256};
use rmcp::{
    RoleServer,
    model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, ProtocolVersion},
    service::RequestContext,
};
use serde_json::json;

use super::preview;

/// What may be decided at the other program. It says itself that it can ask, so it could as well answer itself: that is
/// enough for what can be taken back. Anything graver, and every command, is decided where Aside shows it.
const ELSEWHERE: [Risk; 2] = [Risk::Read, Risk::Write];

/// The field that has to be set for a yes.
const APPROVE: &str = "approve";

/// How a client can put a question to its person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is given the question as the result of the call, and calls again (revision 2026-07-28).
    CallAgain,
    /// It is asked in the middle of the call (older revisions).
    MidCall,
}

/// Returns the way to ask this client, if it said at the start that it can ask.
pub(crate) fn way(context: &RequestContext<RoleServer>) -> Option<Way> {
    let asking = context.client_capabilities()?.elicitation?;
    // A client that names neither mode means forms, as the first revision with elicitation did.
    if asking.form.is_none() && asking.url.is_some() {
        return None;
    }
    let version = context.protocol_version()?;
    let stateless = version.as_str() >= ProtocolVersion::V_2026_07_28.as_str();
    Some(if stateless { Way::CallAgain } else { Way::MidCall })
}

/// Returns the question and what a yes is bound to, if this may be asked and answered outside of Aside.
pub(crate) fn question(record: &ActionRecord) -> Option<(ElicitRequestParams, Sha256)> {
    let is_graver = record.envelope.risk_level.0.iter().any(|risk| !ELSEWHERE.contains(risk));
    if is_graver || record.assessment.command.is_some() {
        return None;
    }
    let nothing = Preview::summary(record.envelope.action_type.to_string());
    let message = preview::question(record.preview.as_ref().unwrap_or(&nothing), &record.verdict.reason)?;
    let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: form() };
    Some((params, record.approval_hash.clone()?))
}

fn form() -> ElicitationSchema {
    let schema = json!({
        "type": "object",
        "properties": { APPROVE: {
            "type": "boolean", "title": "Do it", "description": "Aside does exactly what is shown.", "default": false,
        } },
        "required": [APPROVE],
    });
    serde_json::from_value(schema).expect("the form is a schema of elicitation")
}

/// Returns the decision; none if the person put the question away without an answer.
pub(crate) fn decision(answer: &ElicitResult, shown: &Sha256) -> Option<Decision> {
    let yes = || answer.content.as_ref().is_some_and(|content| content[APPROVE] == true);
    let choice = match answer.action {
        ElicitationAction::Accept if yes() => Choice::Approve,
        ElicitationAction::Accept | ElicitationAction::Decline => Choice::Reject,
        _ => return None,
    };
    Some(match choice {
        Choice::Approve => Decision::approve(Some(shown.clone())),
        Choice::Reject => Decision::reject(None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(action: &str, content: serde_json::Value) -> Option<Choice> {
        let answer = serde_json::from_value(json!({ "action": action, "content": content })).unwrap();
        decision(&answer, &Sha256::of("x")).map(|decision| decision.decision)
    }

    #[test]
    fn only_an_explicit_yes_is_one() {
        assert_eq!(decided("accept", json!({ "approve": true })), Some(Choice::Approve));
        for other in [json!({ "approve": false }), json!({ "approve": "true" }), json!({ "approve": 1 }), json!({})] {
            assert_eq!(decided("accept", other), Some(Choice::Reject));
        }
        assert_eq!(decided("decline", json!({ "approve": true })), Some(Choice::Reject));
        assert_eq!(decided("cancel", json!({ "approve": true })), None);
    }

    #[test]
    fn a_yes_is_bound_to_what_was_shown() {
        let answer = serde_json::from_value(json!({ "action": "accept", "content": { "approve": true } })).unwrap();
        assert_eq!(decision(&answer, &Sha256::of("x")).unwrap().hash, Some(Sha256::of("x")));
    }
}
