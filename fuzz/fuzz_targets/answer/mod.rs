//! What holds for the bytes of any answer: they are read without harm, the same wherever they are cut, and what is
//! over says so once.

use aside_llm::{
    ModelEvent,
    bytes::{Format, read},
};

/// Reads the bytes whole and cut in two; the first byte says where.
pub fn check(format: Format, input: &[u8]) {
    let Some((place, bytes)) = input.split_first() else { return };
    let whole = read(format, [bytes]);
    let (one, two) = bytes.split_at(bytes.len() * usize::from(*place) / 255);
    assert_eq!(read(format, [one, two]), whole);
    let is_stop = |event: &&ModelEvent| matches!(event, ModelEvent::Stop(_));
    let stops = whole.events.iter().filter(is_stop).count();
    assert_eq!(stops, usize::from(whole.problem.is_none()));
    assert_eq!(stops, whole.events.last().iter().filter(|event| is_stop(event)).count());
}
