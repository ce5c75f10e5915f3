//! From what was heard to what it asks for: native calls, printed calls, or blocks.

use aside_core::StepStop;

use crate::{
    grammar,
    recover::recover,
    shown::Shown,
    text_calls::text_calls,
    tools::Tools,
    turn::{Answer, is_whole},
};

/// What is said of blocks in the text of an answer that calls tools.
const BESIDE_CALLS: &str = "The blocks in the text of your answer were not carried out, because the answer also calls \
    tools. If they are still needed, call the tools for them.";

/// Completes an answer with the calls that its text holds, if it made none itself.
pub fn with_text_calls(mut answer: Answer, tools: &Tools, shown: &Shown) -> Answer {
    let is_cut = !answer.problems.is_empty();
    if !is_whole(&answer.stop) || is_cut {
        answer.calls.clear();
        return answer;
    }
    if answer.stop == StepStop::Refusal {
        return answer;
    }
    if !answer.calls.is_empty() {
        // Nobody knows which of the two is to come first.
        if grammar::read(&answer.text).means_something() {
            answer.problems.push(BESIDE_CALLS.to_owned());
        }
        return answer;
    }
    if let Some(calls) = recover(&answer.text, |name| tools.knows(name)) {
        answer.calls = calls;
        return answer;
    }
    let found = text_calls(grammar::read(&answer.text), shown, tools);
    answer.calls = found.calls;
    answer.problems = found.problems;
    answer
}
