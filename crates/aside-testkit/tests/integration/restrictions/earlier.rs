//! Turns of a time in which everything could be asked for, written into the log as they would stand there.

use aside_core::{
    ActionRecord, ActionState, Cost, Descriptor, Observation, Origin, Outcome, Provenance, StepStop, ThreadEventBody,
    ThreadId, ToolCall, TurnEnd, TurnId, Usage,
};
use serde_json::Value;

/// A turn in which an action was called as a tool and asked for in a block, had a result and two notices, and was taken
/// back later. `record` is of any action.
pub fn turn(
    turn: TurnId,
    thread: &ThreadId,
    number: u128,
    action: &Descriptor,
    record: &ActionRecord,
) -> Vec<ThreadEventBody> {
    let name = action.name.to_string();
    let args = action.examples.first().map(|example| example.args.clone()).unwrap_or_default();
    let call = |id: &str, name: &str, from_text| ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        args: args.clone(),
        problem: None,
        from_text,
    };
    let calls =
        vec![call("done", &name.replace('.', "_"), false), call("refused", &name, false), call("block", &name, true)];
    let mut done = record.clone();
    done.envelope.id = aside_core::Id::from_parts(record.created, number);
    done.envelope.action_type = action.name.clone();
    done.envelope.args = args;
    done.envelope.risk_level = action.risks.clone();
    done.origin = Origin::Turn {
        user: "ada".to_owned(),
        thread: thread.clone(),
        turn: turn.clone(),
        step: 1,
        call: "done".to_owned(),
    };
    done.state = ActionState::Done;
    done.preview = None;
    // Of what only looks, the result stays: it is what was seen.
    let seen = if action.risks.is_read_only() { "It was seen.".to_owned() } else { format!("{name} did it.") };
    done.outcome = Some(Outcome::Done { observation: Observation::text(seen) });
    let undone = ActionRecord { state: ActionState::Undone, ..done.clone() };
    let notice = |call: Option<&str>| ThreadEventBody::Notice {
        turn: turn.clone(),
        step: 1,
        call: call.map(str::to_owned),
        text: format!("{name} can't be asked for like this."),
    };
    let [started, step, .., ended] = &answered(turn.clone(), "")[..] else { unreachable!("it has four") };
    let block = format!("The answer before.\n<<<ACTION {name} {{}}\n<<<END");
    vec![
        started.clone(),
        step.clone(),
        step_ended(turn.clone(), &block, calls),
        ThreadEventBody::ActionChanged { record: Box::new(done) },
        notice(Some("refused")),
        notice(None),
        ended.clone(),
        ThreadEventBody::ActionChanged { record: Box::new(undone) },
    ]
}

/// A turn in which nothing was called.
pub fn answered(turn: TurnId, text: &str) -> Vec<ThreadEventBody> {
    vec![
        ThreadEventBody::TurnStarted {
            turn: turn.clone(),
            text: "Please do it.".to_owned(),
            focus: None,
            model: "openai/fake".parse().unwrap(),
            by: "ada".to_owned(),
            program: None,
            attached: Vec::new(),
        },
        ThreadEventBody::StepStarted { turn: turn.clone(), step: 1, provenance: Provenance::default() },
        step_ended(turn.clone(), text, Vec::new()),
        ThreadEventBody::TurnEnded { turn, end: TurnEnd::Done, usage: Usage::default(), cost: Cost::default() },
    ]
}

fn step_ended(turn: TurnId, text: &str, calls: Vec<ToolCall>) -> ThreadEventBody {
    ThreadEventBody::StepEnded {
        turn,
        step: 1,
        text: text.to_owned(),
        thinking: String::new(),
        stop: if calls.is_empty() { StepStop::End } else { StepStop::ToolCalls },
        calls,
        usage: Usage::default(),
        cost: Cost::default(),
        left_out: None,
        echo: Value::Null,
    }
}
