//! Where an answer's bytes are cut: at every one of them, nothing changes.

use aside_llm::{
    ModelEvent,
    bytes::{Answer, Format, read},
};
use aside_testkit::fake_models::{Delivery, Quirk, Wire, rendered};

use super::answers::rich;

fn format(wire: Wire) -> Format {
    match wire {
        Wire::Ollama => Format::Ollama,
        Wire::Chat => Format::Chat,
        Wire::Responses => Format::Responses,
        Wire::Anthropic => Format::Messages,
        Wire::Gemini => Format::Gemini,
    }
}

/// Joins pieces of one text: where it is cut is not said again.
fn joined(answer: Answer) -> Vec<ModelEvent> {
    assert_eq!(answer.problem, None);
    answer.events.into_iter().fold(Vec::new(), |mut events, event| {
        match (events.last_mut(), event) {
            (Some(ModelEvent::Text(text)), ModelEvent::Text(more)) => text.push_str(&more),
            (Some(ModelEvent::Thinking(text)), ModelEvent::Thinking(more)) => text.push_str(&more),
            (_, event) => events.push(event),
        }
        events
    })
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    let habits = [vec![], vec![Quirk::CrLf, Quirk::Comments, Quirk::Unknown]];
    for wire in Wire::ALL {
        for quirks in &habits {
            let bytes = rendered(wire, &rich(), &Delivery { fragment: Some(9), ..Delivery::quirks(quirks) });
            let whole = read(format(wire), [&bytes[..]]);
            assert_eq!(whole.problem, None, "{wire:?}");
            for cut in 0..=bytes.len() {
                let (one, two) = bytes.split_at(cut);
                assert_eq!(read(format(wire), [one, two]), whole, "{wire:?} at {cut}");
            }
            assert_eq!(read(format(wire), bytes.chunks(1)), whole, "{wire:?} in single bytes");
        }
    }
}

/// Most messages are one piece of a text, and are read by a shorter way; a field that is there twice keeps them from it.
#[test]
fn the_short_way_and_the_long_way_read_the_same() {
    for wire in Wire::ALL {
        let (field, twice) = match wire {
            Wire::Ollama => (r#""message":{"#, r#""message":{},"message":{"#),
            Wire::Chat => (r#""choices":["#, r#""choices":[],"choices":["#),
            Wire::Responses => (r#""output_index":"#, r#""output_index":0,"output_index":"#),
            Wire::Anthropic => (r#""index":"#, r#""index":0,"index":"#),
            Wire::Gemini => (r#""candidates":["#, r#""candidates":[],"candidates":["#),
        };
        let delivery = Delivery { fragment: Some(9), ..Delivery::default() };
        let usual = String::from_utf8(rendered(wire, &rich(), &delivery)).unwrap();
        let longer = usual.replace(field, twice);
        assert_ne!(longer, usual);
        assert_eq!(read(format(wire), [longer.as_bytes()]), read(format(wire), [usual.as_bytes()]), "{wire:?}");
    }
}

/// An answer that ends early is never taken for a whole one, wherever it ends.
#[test]
fn an_answer_that_ends_at_any_byte_is_cut_off_or_whole() {
    for wire in Wire::ALL {
        let bytes = rendered(wire, &rich(), &Delivery::default());
        let whole = joined(read(format(wire), [&bytes[..]]));
        for end in 0..bytes.len() {
            let answer = read(format(wire), [&bytes[..end]]);
            if answer.problem.is_none() {
                assert_eq!(without_usage(joined(answer)), without_usage(whole.clone()), "{wire:?} at {end}");
            }
        }
    }
}

/// Figures come last on some wires, and may be lost with the end.
fn without_usage(events: Vec<ModelEvent>) -> Vec<ModelEvent> {
    let is_usage = |event: &ModelEvent| matches!(event, ModelEvent::Usage(_) | ModelEvent::UsageSoFar(_));
    events.into_iter().filter(|event| !is_usage(event)).collect()
}

/// Somebody else's server may send as many calls as fit into the limit: they take time, but not the square of it.
#[test]
fn a_hundred_thousand_calls_are_read() {
    let call = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":N,"id":"cN","function":{"name":"f","arguments":""}}]}}]}"#;
    let calls: String = (0..100_000).map(|number| call.replace('N', &number.to_string()) + "\n\n").collect();
    let answer = read(Format::Chat, [calls.as_bytes(), b"data: [DONE]\n\n"]);
    assert_eq!((answer.events.len(), answer.problem), (100_001, None));
}
