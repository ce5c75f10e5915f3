//! Reads YAML front matter: the entries of the top level, with the bytes of each.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::{FrontMatterEntry, Scalar, Value};

/// The reason why a text is no YAML, and the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The byte of the text.
    pub at: usize,
    /// The parser's words.
    pub reason: String,
}

/// Reads the entries of a front matter; none if its top level is no map. Lines count from 1 at the first of `text`.
pub(crate) fn entries(text: &str) -> Result<Option<Vec<FrontMatterEntry>>, Broken> {
    let offsets = Offsets::new(text);
    let (mut reader, mut last) = (Reader::new(text, &offsets), 0);
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        match event {
            Ok((event, span)) => {
                if !matches!(event, Event::StreamStart | Event::DocumentStart(_)) {
                    last = offsets.byte(span.start.index());
                }
                reader.take(event, span);
            }
            Err(error) => {
                let at = offsets.byte(error.marker().index());
                // A quote or bracket that is never closed is found at the end: the problem is where it begins.
                let at = if text[at..].trim().is_empty() { reader.flow_start().unwrap_or(last) } else { at };
                return Err(Broken { at, reason: error.info().to_owned() });
            }
        }
    }
    Ok(reader.result())
}

/// Bytes of characters: the parser counts characters.
struct Offsets<'a> {
    text: &'a str,
    /// Of every character; none if all are one byte long.
    bytes: Option<Vec<usize>>,
}

impl<'a> Offsets<'a> {
    fn new(text: &'a str) -> Self {
        let bytes = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self { text, bytes }
    }

    fn byte(&self, character: usize) -> usize {
        match &self.bytes {
            Some(bytes) => bytes.get(character).copied().unwrap_or(self.text.len()),
            None => character.min(self.text.len()),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    offsets: &'a Offsets<'a>,
    entries: Vec<FrontMatterEntry>,
    /// How many maps and lists are open.
    depth: usize,
    /// The top level is a map.
    is_map: bool,
    /// Something else is there.
    is_other: bool,
    key: Option<(String, Range<usize>)>,
    list: Option<List>,
    /// The first byte of a map that is a value.
    map: Option<usize>,
    /// First bytes of the open `[` and `{`.
    flows: Vec<usize>,
    /// The end of the last scalar.
    end: usize,
}

struct List {
    start: usize,
    is_flow: bool,
    items: Option<Vec<Scalar>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, offsets: &'a Offsets<'a>) -> Self {
        Self {
            text,
            offsets,
            entries: Vec::new(),
            depth: 0,
            is_map: false,
            is_other: false,
            key: None,
            list: None,
            map: None,
            flows: Vec::new(),
            end: 0,
        }
    }

    fn flow_start(&self) -> Option<usize> {
        self.flows.first().copied()
    }

    fn take(&mut self, event: Event<'_>, span: Span) {
        let range = self.offsets.byte(span.start.index())..self.offsets.byte(span.end.index());
        match event {
            Event::Scalar(text, style, ..) => self.scalar(&text, style, range),
            Event::Alias(_) => self.other(range),
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                self.open(matches!(event, Event::MappingStart(..)), range.start);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range),
            _ => {}
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, range: Range<usize>) {
        let mut range = self.trimmed(range);
        if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            // The parser names the lines behind the sign.
            range.start = self.text[..range.start].rfind(['|', '>']).unwrap_or(range.start);
        }
        self.end = self.end.max(range.end);
        let scalar = Scalar { text: text.to_owned(), range, plain: style == ScalarStyle::Plain };
        match (self.depth, &mut self.list, self.key.take()) {
            (0, ..) => self.is_other |= !scalar.text.is_empty(),
            (1, _, None) => self.key = Some((scalar.text, scalar.range)),
            (1, _, Some(key)) => {
                let is_null = scalar.plain && matches!(&*scalar.text, "" | "null" | "Null" | "NULL" | "~");
                let range = if scalar.range.is_empty() { self.behind_colon(&key.1) } else { scalar.range.clone() };
                self.entry(key, range, if is_null { Value::Null } else { Value::Text(scalar) });
            }
            (2, Some(List { items: Some(items), .. }), key) => {
                items.push(scalar);
                self.key = key;
            }
            (_, _, key) => self.key = key,
        }
    }

    fn other(&mut self, range: Range<usize>) {
        self.end = self.end.max(range.end);
        match (self.depth, self.key.take()) {
            (1, Some(key)) => self.entry(key, range, Value::Other),
            (1, None) => self.is_other = true,
            (_, key) => self.key = key,
        }
        if let Some(list) = &mut self.list {
            list.items = None;
        }
    }

    fn open(&mut self, is_map: bool, start: usize) {
        if self.text[start..].starts_with(['[', '{']) {
            self.flows.push(start);
        }
        match self.depth {
            0 if is_map => self.is_map = true,
            0 => self.is_other = true,
            1 if self.key.is_none() => self.is_other = true,
            1 if is_map => self.map = Some(start),
            1 => {
                let is_flow = self.text[start..].starts_with('[');
                let start = if is_flow { start } else { self.dash_before(start) };
                self.list = Some(List { start, is_flow, items: Some(Vec::new()) });
            }
            _ => {
                if let Some(list) = &mut self.list {
                    list.items = None;
                }
            }
        }
        self.depth += 1;
    }

    fn close(&mut self, range: Range<usize>) {
        self.depth -= 1;
        let end = if self.text[range.clone()].ends_with([']', '}']) {
            self.flows.pop();
            range.end
        } else {
            self.end
        };
        self.end = self.end.max(end);
        if self.depth != 1 {
            return;
        }
        let (list, map) = (self.list.take(), self.map.take());
        let Some(key) = self.key.take() else { return };
        match (list, map) {
            (Some(List { start, is_flow, items: Some(items) }), _) => {
                let value = if is_flow { Value::Flow(items) } else { Value::Block(items) };
                self.entry(key, start..end.max(start), value);
            }
            (Some(list), _) => self.entry(key, list.start..end.max(list.start), Value::Other),
            (None, start) => {
                let start = start.unwrap_or(end);
                self.entry(key, start..end.max(start), Value::Other);
            }
        }
    }

    fn entry(&mut self, (key, key_range): (String, Range<usize>), value_range: Range<usize>, value: Value) {
        let line = 1 + self.text[..key_range.start].bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.entries.push(FrontMatterEntry { key, line, key_range, value_range, value });
    }

    /// The place right behind the colon of a key without a value.
    fn behind_colon(&self, key: &Range<usize>) -> Range<usize> {
        let colon = self.text[key.end..].find(':').map_or(key.end, |at| key.end + at + 1);
        colon..colon
    }

    /// The first `-` of a block list: the parser names it or the first item behind it.
    fn dash_before(&self, start: usize) -> usize {
        if self.text[start..].starts_with('-') {
            return start;
        }
        self.text[..start].rfind('-').unwrap_or(start)
    }

    /// A block scalar ends with the line behind it: its own end is before the line end.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        range.start..range.start + self.text[range.clone()].trim_end().len()
    }

    fn result(self) -> Option<Vec<FrontMatterEntry>> {
        (!self.is_other && (self.is_map || self.text.trim().is_empty() || self.entries.is_empty()))
            .then_some(self.entries)
    }
}
