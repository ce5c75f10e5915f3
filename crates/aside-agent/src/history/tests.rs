use aside_core::{Cost, Id as _, Provenance, Thread, Timestamp, TurnEnd, Usage};

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    testing::{record, turn_id},
    tools::tests::only_reading,
};

fn blind(_: &ShownImage) -> Option<Image> {
    None
}

fn model() -> ModelRef {
    "rehearsal/demo".parse().unwrap()
}

fn asked(text: &str) -> ThreadEventBody {
    ThreadEventBody::TurnStarted {
        turn: turn_id(),
        text: text.into(),
        focus: None,
        model: model(),
        by: "ada".into(),
        program: None,
        attached: vec![],
    }
}

fn step(number: u32) -> ThreadEventBody {
    ThreadEventBody::StepStarted { turn: turn_id(), step: number, provenance: Provenance::default() }
}

fn call(id: &str, from_text: bool) -> ToolCall {
    ToolCall { id: id.into(), name: "doc.edit".into(), args: json!({"path": "a.py"}), problem: None, from_text }
}

fn answered(number: u32, text: &str, calls: Vec<ToolCall>, stop: StepStop) -> ThreadEventBody {
    ThreadEventBody::StepEnded {
        turn: turn_id(),
        step: number,
        text: text.into(),
        thinking: String::new(),
        calls,
        usage: Usage::default(),
        cost: Cost::default(),
        stop,
        left_out: None,
        echo: json!({"signature": "s"}),
    }
}

fn changed(number: u32, call: &str, state: ActionState) -> ThreadEventBody {
    ThreadEventBody::ActionChanged { record: Box::new(record(number, call, state)) }
}

fn notice(call: Option<&str>, text: &str) -> ThreadEventBody {
    ThreadEventBody::Notice { turn: turn_id(), step: 1, call: call.map(str::to_owned), text: text.into() }
}

fn ended() -> ThreadEventBody {
    ThreadEventBody::TurnEnded { turn: turn_id(), end: TurnEnd::Done, usage: Usage::default(), cost: Cost::default() }
}

/// What the model gets, one line a message.
fn told(log: &[ThreadEventBody]) -> String {
    told_under(log, &Tools::default())
}

fn told_under(log: &[ThreadEventBody], tools: &Tools) -> String {
    let line = |message: Message| match message {
        Message::User { text, .. } => format!("user: {text}"),
        Message::Assistant { text, calls, echo } => {
            let names: Vec<_> = calls.iter().map(|call| format!(" {}({})", call.name, call.args)).collect();
            format!("assistant: {text}{}{}", names.concat(), if echo.is_null() { " [no echo]" } else { "" })
        }
        Message::ToolResult { call, text, failed, .. } => format!("result of {call}, failed {failed}: {text}"),
    };
    messages(log, &model(), &blind, tools).into_iter().map(|said| line(said.message)).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_call_has_one_result_in_its_order() {
    let log = [
        asked("rename it"),
        step(1),
        answered(1, "I do.", vec![call("a", false), call("b", false), call("c", false)], StepStop::ToolCalls),
        changed(1, "b", ActionState::Running),
        changed(1, "b", ActionState::Done),
        notice(Some("a"), "There is no tool."),
        ended(),
        asked("and now?"),
        step(1),
    ];
    insta::assert_snapshot!(told(&log), @r#"
    user: rename it
    assistant: I do. doc_edit({"path":"a.py"}) doc_edit({"path":"a.py"}) doc_edit({"path":"a.py"})
    result of a, failed true: There is no tool.
    result of b, failed false: It is done.
    result of c, failed true: Not carried out: the turn ended first.
    user: and now?
    "#);
}

/// What came of a call, as a byte says it.
fn came(number: u32, id: &str, how: u8) -> Vec<ThreadEventBody> {
    match how % 6 {
        0 => vec![],
        1 => vec![notice(Some(id), "There is no tool.")],
        2 => vec![changed(number, id, ActionState::AwaitingConfirmation)],
        3 => vec![changed(number, id, ActionState::Running), changed(number, id, ActionState::Failed)],
        4 => vec![changed(number, id, ActionState::Refused), notice(None, "It was refused.")],
        _ => vec![changed(number, id, ActionState::Done)],
    }
}

/// Turns of one step or more, each with some calls, as bytes say them; what waits is decided steps later, or never.
fn conversation(steps: &[(bool, Vec<(bool, u8)>)]) -> Vec<ThreadEventBody> {
    let mut log = vec![asked("one"), step(0)];
    let mut open: Vec<(u32, &str)> = Vec::new();
    for (number, (ends, calls)) in (0..).zip(steps) {
        let named: Vec<_> = ["a", "b", "c"].into_iter().zip(calls).collect();
        let made = named.iter().map(|(id, (from_text, _))| call(id, *from_text)).collect();
        log.push(answered(number, if *ends { "I do." } else { "" }, made, StepStop::ToolCalls));
        if let Some((before, id)) = open.pop().filter(|_| *ends) {
            log.push(changed(before, id, ActionState::Done));
        }
        for (id, (_, how)) in &named {
            log.extend(came(number, id, *how));
            open.extend((how % 6 == 2).then_some((number, *id)));
        }
        if *ends {
            log.extend([ended(), asked("and now?")]);
        }
        log.push(step(number + 1));
    }
    log
}

proptest! {
    /// Providers refuse a conversation in which a call has no result, or two, or a result stands elsewhere.
    #[test]
    fn whatever_happens_every_call_is_followed_by_its_result_and_nothing_said_is_taken_back(
        steps in prop::collection::vec(
            (any::<bool>(), prop::collection::vec((any::<bool>(), any::<u8>()), 0..3)), 1..6),
        restricted: bool,
    ) {
        let log = conversation(&steps);
        let tools = if restricted { only_reading() } else { Tools::default() };
        let said = |log: &[ThreadEventBody]| messages(log, &model(), &blind, &tools);
        let all = said(&log);
        let mut owed: Vec<String> = Vec::new();
        for Said { message, .. } in &all {
            match message {
                Message::ToolResult { call, .. } => prop_assert_eq!(&owed.remove(0), call),
                Message::Assistant { calls, .. } => {
                    prop_assert!(owed.is_empty());
                    owed = calls.iter().map(|call| call.id.clone()).collect();
                    prop_assert!(!restricted || owed.is_empty());
                }
                Message::User { .. } => prop_assert!(owed.is_empty()),
            }
        }
        prop_assert!(owed.is_empty());
        for (at, event) in log.iter().enumerate() {
            if matches!(event, ThreadEventBody::StepStarted { .. }) {
                prop_assert!(all.starts_with(&said(&log[..=at])));
            }
        }
    }
}

#[test]
fn what_became_of_a_proposal_later_is_said_once_and_later() {
    let log = [
        asked("rename it"),
        step(1),
        answered(1, "", vec![call("a", false)], StepStop::ToolCalls),
        changed(1, "a", ActionState::AwaitingConfirmation),
        step(2),
        answered(2, "Have a look.", vec![], StepStop::End),
        ended(),
        changed(1, "a", ActionState::Refused),
        asked("why?"),
        step(1),
    ];
    insta::assert_snapshot!(told(&log), @r#"
    user: rename it
    assistant:  doc_edit({"path":"a.py"})
    result of a, failed false: Proposed; the user has not decided yet.
    assistant: Have a look.
    user: [Aside] Since then, “doc.edit”: Not done: keep the name
    user: why?
    "#);
}

#[test]
fn a_person_who_takes_something_back_is_heard() {
    let log = [
        asked("rename it"),
        step(1),
        answered(1, "", vec![call("a", false)], StepStop::ToolCalls),
        changed(1, "a", ActionState::Done),
        step(2),
        answered(2, "Done.", vec![], StepStop::End),
        ended(),
        changed(1, "a", ActionState::Undone),
        asked("again, please"),
        step(1),
    ];
    let again = [&log[..8], &[changed(1, "a", ActionState::Done)], &log[8..]].concat();
    assert!(!told(&again).contains("taken back"), "{}", told(&again));
    assert!(told(&log).contains("“doc.edit”: Done, and then undone by the user.\nuser: again"), "{}", told(&log));
}

#[test]
fn a_model_without_tools_gets_results_as_words() {
    let log = [
        asked("rename it"),
        step(1),
        answered(1, "<<<EDIT …", vec![call("a", true)], StepStop::End),
        changed(1, "a", ActionState::Failed),
        notice(None, "None of the changes was made."),
        step(2),
    ];
    insta::assert_snapshot!(told(&log), @"
    user: rename it
    assistant: <<<EDIT …
    user: [Aside] Results of your blocks:
    doc.edit a.py: Failed: no such text
    user: [Aside] None of the changes was made.
    ");
}

#[test]
fn a_broken_off_answer_keeps_its_text_and_loses_its_calls() {
    let log = [
        asked("rename it"),
        step(1),
        answered(1, "half", vec![call("a", false)], StepStop::Stopped),
        ended(),
        asked("go on"),
        step(1),
    ];
    insta::assert_snapshot!(told(&log), @"
    user: rename it
    assistant: half [no echo]
    user: [Aside] The user stopped your last answer; none of its requests were carried out.
    user: go on
    ");
}

#[test]
fn context_goes_before_the_words_and_stays_as_it_was_sent() {
    let context = |text: &str| ThreadEventBody::ContextSent {
        turn: turn_id(),
        chips: vec![ContextChip {
            label: "Cursor at line 1 of a.py".into(),
            path: None,
            version: None,
            lines: None,
            text: text.into(),
            image: None,
            source: None,
            instructions: None,
        }],
    };
    let earlier = TurnId::from_parts(Timestamp(0), 1);
    let mut old = [asked("one"), context("OLD"), step(1), answered(1, "yes", vec![], StepStop::End), ended()];
    for event in &mut old {
        match event {
            ThreadEventBody::TurnStarted { turn, .. } | ThreadEventBody::ContextSent { turn, .. } => {
                turn.clone_from(&earlier);
            }
            _ => {}
        }
    }
    let log: Vec<_> = old.into_iter().chain([asked("two"), context("NEW"), step(1)]).collect();
    insta::assert_snapshot!(told(&log), @"
    user: OLD
    user: one
    assistant: yes
    user: NEW
    user: two
    ");
}

#[test]
fn standing_instructions_come_first_and_those_of_others_as_advice() {
    let chip = |name: &str, source| ContextChip {
        label: name.into(),
        path: None,
        version: None,
        lines: None,
        text: format!("[Aside] {name}:\nUse tabs."),
        image: None,
        source,
        instructions: Some(aside_core::InstructionsAt::Workspace),
    };
    let outside = aside_core::LabelSource::external("AGENTS.md", "it came along");
    let chips = vec![chip("mine", None), chip("theirs", Some(outside))];
    let log = [asked("one"), ThreadEventBody::ContextSent { turn: turn_id(), chips }, step(1)];
    let said = messages(&log, &model(), &blind, &Tools::default());
    assert_eq!((&said[0].part, &said[1].part), (&Part::Standing, &Part::Words));
    let Message::User { text, .. } = &said[0].message else { panic!("{said:?}") };
    assert!(text.starts_with("[Aside] mine:\nUse tabs.\n\n[Aside] theirs:\n[Aside] The text between"), "{text}");
    assert!(text.contains("is advice from `AGENTS.md` (it came along)"), "{text}");
}

#[test]
fn what_another_model_wants_back_is_not_sent() {
    let log = [asked("one"), step(1), answered(1, "yes", vec![], StepStop::End)];
    let other = "anthropic/other".parse().unwrap();
    assert!(matches!(
        &messages(&log, &other, &blind, &Tools::default())[1].message,
        Message::Assistant { echo: Value::Null, .. }
    ));
}

#[test]
fn a_thread_that_only_has_a_title_says_nothing() {
    let thread = Thread {
        thinking: Default::default(),
        id: aside_core::ThreadId::from_parts(Timestamp(1), 1),
        title: "t".into(),
        document: None,
        mode: aside_core::ReviewMode::default(),
        model: None,
        created: Timestamp(1),
        updated: Timestamp(1),
        archived: false,
        runs: Default::default(),
        runs_after_outputs: None,
        cell: None,
        grant: None,
        hint: false,
        navigator: None,
        without: vec![],
        off: vec![],
    };
    assert!(messages(&[ThreadEventBody::ThreadChanged { thread }], &model(), &blind, &Tools::default()).is_empty());
}

#[test]
fn what_was_said_once_is_said_again_in_the_same_words() {
    let context = ThreadEventBody::ContextSent {
        turn: turn_id(),
        chips: vec![ContextChip {
            label: "a.py".into(),
            path: None,
            version: None,
            lines: None,
            text: "[Aside] The user is looking at `a.py`\n1\tx".into(),
            image: None,
            source: Some(aside_core::LabelSource::external("a.py", "a file from elsewhere")),
            instructions: None,
        }],
    };
    let log = [
        asked("rename it"),
        context.clone(),
        step(1),
        answered(1, "", vec![call("a", false), call("b", false)], StepStop::ToolCalls),
        changed(1, "a", ActionState::AwaitingConfirmation),
        notice(Some("b"), "There is no tool."),
        step(2),
        answered(2, "Have a look.", vec![], StepStop::End),
        ended(),
        changed(1, "a", ActionState::Done),
        asked("and now?"),
        context.clone(),
        step(1),
        answered(1, "half", vec![call("a", false)], StepStop::Stopped),
        ended(),
        changed(1, "a", ActionState::Undone),
        asked("go on"),
        step(1),
        answered(1, "<<<EDIT", vec![call("c", true)], StepStop::End),
        changed(1, "c", ActionState::Failed),
        step(2),
        answered(2, "Done.", vec![], StepStop::End),
        asked("thanks"),
        step(1),
    ];
    let whole = messages(&log, &model(), &blind, &Tools::default());
    let mut steps = 0;
    for (place, event) in log.iter().enumerate() {
        if matches!(event, ThreadEventBody::StepStarted { .. }) {
            let then = messages(&log[..=place], &model(), &blind, &Tools::default());
            assert_eq!(then, whole[..then.len()]);
            steps += 1;
        }
    }
    assert_eq!(steps, 6);
    assert!(whole.len() > 14, "{whole:#?}");
}

#[test]
fn a_thread_that_may_only_read_by_now_is_not_taught_to_write() {
    let log = [
        asked("write"),
        step(1),
        answered(1, "", vec![call("a", false)], StepStop::End),
        changed(1, "a", ActionState::Done),
        step(2),
        answered(2, "So:\n<<<EDIT lines 1-1\nx\n<<<END", vec![call("b", true)], StepStop::End),
        changed(2, "b", ActionState::Refused),
        notice(None, "Write `<<<EDIT lines 3-5`, or call doc_edit."),
        notice(None, "Stopped."),
        step(3),
    ];
    insta::assert_snapshot!(told_under(&log, &only_reading()), @r"
    user: write
    user: [Aside] You made a request there that is no longer possible in this conversation. It was done.
    assistant: So:
    [omitted: a request was here] [no echo]
    user: [Aside] You made a request there that is no longer possible in this conversation. It was not done.
    user: [Aside] Stopped.
    ");
    assert!(told(&log).contains("doc_edit") && told(&log).contains("<<<EDIT lines 3-5"));
}

#[test]
fn of_a_cell_that_prints_much_and_fails_the_model_is_told_why() {
    let mut ran = record(1, "a", ActionState::Done);
    ran.envelope.action_type = "cell.run".parse().unwrap();
    ran.envelope.risk_level = aside_core::Risks::from([aside_core::Risk::Write]);
    let printed = format!("cell c1 failed\nstdout:\n{}ValueError: no tides", "a height\n".repeat(3000));
    let source = aside_core::LabelSource::external("cells of a.ipynb", "their code put it out");
    ran.outcome =
        Some(aside_core::Outcome::Done { observation: aside_core::Observation::text(printed).from_source(source) });
    let log = [
        asked("run it"),
        step(1),
        answered(1, "", vec![call("a", false)], StepStop::ToolCalls),
        ThreadEventBody::ActionChanged { record: Box::new(ran) },
        step(2),
    ];
    let told = told(&log);
    assert!(told.contains("cell c1 failed\nstdout:\na height\n") && told.contains("a height\nValueError: no tides\n"));
    assert!((10_000..20_000).contains(&told.len()), "{}", told.len());
}
