//! Outputs as they are shown: bounded, however much there is. The whole is in the document and in the store.

use std::collections::BTreeMap;

use aside_core::CellOutput;
use aside_notebook::Raw;
use serde_json::Value;

use crate::Output;

/// Bytes of a stream's beginning and of its end.
const HEAD: usize = 32 << 10;
const TAIL: usize = 32 << 10;
/// How far a cut goes for the end of a line, in bytes.
const LINE: usize = 2 << 10;
/// Bytes of one form of an output.
const FORM: usize = 1 << 20;
/// Bytes of all outputs of a cell.
const CELL: usize = 4 << 20;
/// Bytes of a traceback.
const TRACEBACK: usize = 64 << 10;

/// Returns the outputs of a cell as they are shown.
pub fn shown<'a>(outputs: impl IntoIterator<Item = &'a Output>) -> Vec<CellOutput> {
    shown_from(outputs, 0)
}

/// Returns those from a place on, as they are shown beside those before them.
pub(crate) fn shown_from<'a>(outputs: impl IntoIterator<Item = &'a Output>, from: usize) -> Vec<CellOutput> {
    let mut outputs = outputs.into_iter();
    let before: usize = outputs.by_ref().take(from).map(size).sum();
    let mut room = CELL.saturating_sub(before);
    outputs.map(|output| one(output, &mut room)).collect()
}

/// How many bytes of it are shown, if there is room.
fn size(output: &Output) -> usize {
    match output {
        Output::Stream { text, .. } => text.len().min(HEAD + TAIL),
        Output::Shown { shown, .. } if shown.data.get().len() <= FORM => shown.data.get().len(),
        Output::Shown { shown, .. } => {
            let members = Raw::parse(shown.data.get()).ok().and_then(|data| data.members()).unwrap_or_default();
            members.iter().map(|member| member.value.as_str().len()).filter(|size| *size <= FORM).sum()
        }
        Output::Error(raised) => raised.traceback.iter().map(String::len).sum::<usize>().min(TRACEBACK),
        Output::Other(raw) => Some(raw.as_str().len()).filter(|size| *size <= FORM).unwrap_or_default(),
    }
}

fn one(output: &Output, room: &mut usize) -> CellOutput {
    match output {
        Output::Stream { name, text } => stream(name, text, room),
        Output::Shown { shown, is_result } => {
            let mut display = (BTreeMap::new(), BTreeMap::new());
            let members = Raw::parse(shown.data.get()).ok().and_then(|data| data.members()).unwrap_or_default();
            members.into_iter().for_each(|member| form(member.name, &member.value, &mut display, room));
            let (data, omitted) = display;
            CellOutput::Display { data, metadata: value(shown.metadata.get()), is_result: *is_result, omitted }
        }
        Output::Error(raised) => {
            let traceback = raised.traceback.join("\n");
            let from = ceil(&traceback, traceback.len().saturating_sub(TRACEBACK));
            let value = raised.value[..floor(&raised.value, TRACEBACK)].to_owned();
            *room = room.saturating_sub(traceback.len() - from);
            CellOutput::Error { name: raised.name.clone(), value, traceback: traceback[from..].to_owned() }
        }
        Output::Other(raw) => {
            let mut display = (BTreeMap::new(), BTreeMap::new());
            form("application/json".to_owned(), raw, &mut display, room);
            CellOutput::Display { data: display.0, metadata: Value::Null, is_result: false, omitted: display.1 }
        }
    }
}

type Forms = (BTreeMap<String, Value>, BTreeMap<String, u64>);

fn form(mime: String, raw: &Raw, (data, omitted): &mut Forms, room: &mut usize) {
    let size = raw.as_str().len();
    if size > FORM || size > *room {
        omitted.insert(mime, size as u64);
    } else {
        *room -= size;
        data.insert(mime, value(raw.as_str()));
    }
}

/// What is no JSON for programs of ours, such as a number without bounds, is shown as it is spelled.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

fn stream(name: &str, text: &str, room: &mut usize) -> CellOutput {
    let (most_head, most_tail) = (HEAD.min(*room / 2), TAIL.min(*room / 2));
    let (head, tail) = if text.len() <= most_head + most_tail {
        (text.len(), text.len())
    } else {
        (line_before(text, most_head), line_after(text, text.len() - most_tail))
    };
    *room = room.saturating_sub(head + text.len() - tail);
    CellOutput::Stream {
        name: name.to_owned(),
        text: text[..head].to_owned(),
        omitted: (tail - head) as u64,
        tail: text[tail..].to_owned(),
    }
}

/// A place at or before `at`, after the end of a line if there is one near.
fn line_before(text: &str, at: usize) -> usize {
    let at = floor(text, at);
    let from = floor(text, at.saturating_sub(LINE));
    text[from..at].rfind('\n').map_or(at, |end| from + end + 1)
}

/// A place at or after `at`, after the end of a line if there is one near.
fn line_after(text: &str, at: usize) -> usize {
    let at = ceil(text, at);
    let to = ceil(text, at + LINE);
    text[at..to].find('\n').map_or(at, |end| at + end + 1)
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

fn ceil(text: &str, at: usize) -> usize {
    (at.min(text.len())..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use aside_jupyter::Raised;
    use serde_json::value::RawValue;

    use super::*;
    use crate::Shown;

    #[test]
    fn a_long_stream_is_shown_by_both_ends_in_whole_lines() {
        let text: String = (0..20_000).map(|line| format!("é line {line}\n")).collect();
        let output = Output::Stream { name: "stdout".into(), text: text.clone() };
        let [CellOutput::Stream { text: head, omitted, tail, .. }] = &shown([&output])[..] else { panic!() };
        assert!(head.len() <= HEAD && tail.len() <= TAIL && head.len() > HEAD - 100);
        assert!(head.ends_with('\n') && tail.starts_with("é line ") && tail.ends_with("19999\n"));
        assert_eq!(head.len() as u64 + omitted + tail.len() as u64, text.len() as u64);
    }

    #[test]
    fn a_short_stream_is_whole() {
        let output = Output::Stream { name: "stdout".into(), text: "a\r\nb".into() };
        let [CellOutput::Stream { text, omitted: 0, tail, .. }] = &shown([&output])[..] else { panic!() };
        assert_eq!((text.as_str(), tail.as_str()), ("a\r\nb", ""));
    }

    #[test]
    fn what_is_too_large_is_named_with_its_size_and_all_of_a_cell_is_bounded() {
        let raw = |text: String| RawValue::from_string(text).unwrap();
        let image = |size: usize| Output::Shown {
            shown: Shown {
                data: raw(format!(r#"{{"image/png":"{}","text/plain":"x"}}"#, "A".repeat(size))),
                metadata: raw("{}".into()),
                id: None,
                count: None,
            },
            is_result: false,
        };
        let outputs: Vec<Output> = [FORM + 1].into_iter().chain([FORM - 10; 6]).map(image).collect();
        let has_image: Vec<bool> = shown(&outputs)
            .iter()
            .map(|output| match output {
                CellOutput::Display { data, omitted, .. } => {
                    assert_eq!(data.contains_key("image/png"), omitted.is_empty());
                    data.contains_key("image/png")
                }
                _ => panic!(),
            })
            .collect();
        assert_eq!(has_image, [false, true, true, true, true, false, false]);
        for from in 0..outputs.len() {
            let later: Vec<bool> = shown_from(&outputs, from)
                .iter()
                .map(|output| matches!(output, CellOutput::Display { data, .. } if data.contains_key("image/png")))
                .collect();
            assert_eq!(later, has_image[from..], "from {from}");
        }
    }

    #[test]
    fn the_last_line_of_a_traceback_is_always_there() {
        let raised =
            Raised { name: "E".into(), value: "v".into(), traceback: vec!["x".repeat(1 << 20), "E: v".into()] };
        let [CellOutput::Error { traceback, .. }] = &shown([&Output::Error(raised)])[..] else { panic!() };
        assert!(traceback.len() <= TRACEBACK && traceback.ends_with("\nE: v"));
    }
}
