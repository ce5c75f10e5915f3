//! How a file is laid out: what stands between the values.

use crate::{Member, Raw};

/// Line ends, indents and separators of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    line_end: String,
    /// The indent of the parts of a value on each level, from the parts of the whole on; none for all on one line.
    levels: Vec<Option<String>>,
    /// Between two values on one line.
    pub comma: String,
    /// Between a name and its value.
    pub colon: String,
}

/// So many values of a file are looked at.
const MOST_LOOKED_AT: usize = 300;

/// Values that are nested deeper are written as they are spelled: that is no notebook's own structure, and each level reads its text once more.
const DEEPEST: usize = 64;

impl Style {
    /// Returns that of the format's own writer: `json.dumps(indent=1, separators=(",", ": "))`.
    pub fn canonical() -> Self {
        Self { line_end: "\n".into(), levels: vec![Some(" ".into())], comma: ",".into(), colon: ": ".into() }
    }

    /// Finds out how the member of an object is written, as far as one level goes on like another; as the format's own
    /// writer where there is too little to tell.
    pub fn of(text: &str, object: &Raw, member: &str) -> Self {
        let members = object.members().unwrap_or_default();
        let (first, other): (Vec<&Member>, Vec<&Member>) = members.iter().partition(|part| part.name == member);
        let mut seen =
            Seen { text, levels: Vec::new(), comma: None, colon: None, left: MOST_LOOKED_AT, is_other: false };
        seen.look_at_whole(object);
        for part in first {
            seen.look_at(&part.value, 1);
        }
        (seen.left, seen.is_other) = (MOST_LOOKED_AT, true);
        for part in other {
            seen.look_at(&part.value, 1);
        }
        seen.style()
    }

    /// The indent of a part of a value on this level, on a line of its own; none if it stands on the value's line.
    /// Levels that were not seen go on as those above do.
    pub fn indent(&self, level: usize) -> Option<String> {
        let Some(at) = level.checked_sub(1) else { return Some(String::new()) };
        if let Some(indent) = self.levels.get(at) {
            return indent.clone();
        }
        let (last, above) = (self.levels.last()?.as_deref()?, self.levels.iter().rev().nth(1));
        let above = above.map_or(Some(""), Option::as_deref);
        let step = above.and_then(|above| last.strip_prefix(above)).filter(|step| !step.is_empty()).unwrap_or(" ");
        Some(last.to_owned() + &step.repeat(level - self.levels.len()))
    }

    /// Writes an object from its members, each already written, at this depth.
    pub fn object(&self, members: &[(&str, String)], depth: usize) -> String {
        Writer { style: self, depth, line: None, inline: false }.object(members)
    }

    /// Writes an array from its items, each already written, at this depth.
    pub fn array(&self, items: &[String], depth: usize) -> String {
        let mut text = String::new();
        let writer = Writer { style: self, depth, line: None, inline: false };
        writer.bracketed(&mut text, ['[', ']'], depth, items, |text, item| text.push_str(item));
        text
    }

    /// Writes a value at this depth, its names in order as the format's own writer has them. Numbers and strings stay as they are spelled.
    pub fn value(&self, value: &Raw, depth: usize) -> String {
        Writer { style: self, depth, line: None, inline: false }.value(value)
    }
}

/// Writes a value at a depth.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    pub style: &'a Style,
    pub depth: usize,
    /// The beginning of the line on which it stands, where a file has it.
    pub line: Option<&'a str>,
    /// All of it comes on that line.
    pub inline: bool,
}

impl Writer<'_> {
    /// Writes a value, its names in order.
    pub fn value(self, value: &Raw) -> String {
        let mut text = String::with_capacity(value.as_str().len());
        self.add(&mut text, value, self.depth);
        text
    }

    /// Writes an object from its members, each already written.
    pub fn object(self, members: &[(&str, String)]) -> String {
        let mut text = String::new();
        self.bracketed(&mut text, ['{', '}'], self.depth, members, |text, (name, value)| {
            self.name(text, name);
            text.push_str(value);
        });
        text
    }

    fn add(self, text: &mut String, value: &Raw, depth: usize) {
        if depth > DEEPEST {
            text.push_str(value.as_str());
        } else if let Some(items) = value.items() {
            self.bracketed(text, ['[', ']'], depth, &items, |text, item| self.add(text, item, depth + 1));
        } else if let Some(mut members) = value.members() {
            members.sort_by(|a, b| a.name.cmp(&b.name));
            self.bracketed(text, ['{', '}'], depth, &members, |text, member| {
                self.name(text, &member.name);
                self.add(text, &member.value, depth + 1);
            });
        } else {
            text.push_str(value.as_str());
        }
    }

    fn name(self, text: &mut String, name: &str) {
        text.push_str(Raw::of_text(name).as_str());
        text.push_str(&self.style.colon);
    }

    fn bracketed<Part>(
        self,
        text: &mut String,
        [open, close]: [char; 2],
        depth: usize,
        parts: &[Part],
        add: impl Fn(&mut String, &Part),
    ) {
        text.push(open);
        let indent = self.style.indent(depth + 1).filter(|_| !parts.is_empty() && !self.inline);
        let between = indent.as_ref().map(|_| self.new_line(depth + 1));
        let comma = if indent.is_some() { "," } else { &self.style.comma };
        for (at, part) in parts.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { comma });
            text.push_str(between.as_deref().unwrap_or_default());
            add(text, part);
        }
        if indent.is_some() {
            text.push_str(&self.new_line(depth));
        }
        text.push(close);
    }

    /// Begins a line on this level, as much deeper than the line it began with as the style has it.
    fn new_line(self, level: usize) -> String {
        // What stands on its container's line ends on a line that begins like that one.
        let indent = (0..=level).rev().find_map(|level| self.style.indent(level)).unwrap_or_default();
        let own = (0..=self.depth).rev().find_map(|level| self.style.indent(level)).unwrap_or_default();
        match self.line.and_then(|line| Some(line.to_owned() + indent.strip_prefix(&own)?)) {
            Some(indent) => self.style.line_end.clone() + &indent,
            None => self.style.line_end.clone() + &indent,
        }
    }
}

/// A file's layout, as far as it was seen.
struct Seen<'text> {
    text: &'text str,
    levels: Vec<Option<Option<String>>>,
    comma: Option<String>,
    colon: Option<String>,
    left: usize,
    /// Another member is looked at, which tells only of levels that were not seen.
    is_other: bool,
}

impl Seen<'_> {
    fn look_at_whole(&mut self, object: &Raw) {
        let spans: Vec<_> = object.members().unwrap_or_default().iter().map(|member| member.value.span()).collect();
        self.note(object, &spans, 0);
    }

    fn look_at(&mut self, value: &Raw, level: usize) {
        if self.left == 0 || level > DEEPEST {
            return;
        }
        self.left -= 1;
        let members = value.members().map(|members| members.into_iter().map(|member| member.value).collect());
        let Some(parts): Option<Vec<Raw>> = members.or_else(|| value.items()) else { return };
        let spans: Vec<_> = parts.iter().map(Raw::span).collect();
        self.note(value, &spans, level);
        parts.iter().for_each(|part| self.look_at(part, level + 1));
    }

    fn note(&mut self, value: &Raw, parts: &[std::ops::Range<usize>], level: usize) {
        let Some(first) = parts.first() else { return };
        let start = value.span().start + 1;
        let is_object = value.as_str().starts_with('{');
        let head = &self.text[start..first.start];
        let before = if is_object { head.split('"').next().unwrap_or_default() } else { head };
        if self.levels.len() <= level {
            self.levels.resize(level + 1, None);
        }
        // Among values on one line and such on several, the latter show how the level is indented.
        let indent = before.rfind('\n').map(|at| before[at + 1..].to_owned());
        let shows_more = self.levels[level] == Some(None) && indent.is_some() && !self.is_other;
        if self.levels[level].is_none() || shows_more {
            self.levels[level] = Some(indent);
        }
        if is_object && let Some(name_end) = head.rfind('"') {
            self.colon.get_or_insert_with(|| head[name_end + 1..].to_owned());
        }
        if !before.contains('\n')
            && let Some(next) = parts.get(1)
        {
            let between = &self.text[first.end..next.start];
            let between = if is_object { between.split('"').next().unwrap_or_default() } else { between };
            if !between.contains('\n') {
                self.comma.get_or_insert_with(|| between.to_owned());
            }
        }
    }

    fn style(self) -> Style {
        let canonical = Style::canonical();
        let levels: Vec<Option<String>> = self.levels.into_iter().map_while(|level| level).collect();
        let line_end = match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n".to_owned(),
            _ => canonical.line_end,
        };
        Style {
            line_end,
            levels: if levels.is_empty() { canonical.levels } else { levels },
            comma: self.comma.unwrap_or(canonical.comma),
            colon: self.colon.unwrap_or(canonical.colon),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Style {
        Style::of(text, &Raw::parse(text).unwrap(), "cells")
    }

    #[test]
    fn layouts_are_recognised() {
        assert_eq!(of("{\n \"a\": 1,\n \"b\": 2\n}\n"), Style::canonical());
        let lines = of("{\r\n\t\"a\" : 1,\r\n\t\"b\": 2\r\n}");
        assert_eq!(
            (lines.line_end.as_str(), lines.indent(2).as_deref(), lines.colon.as_str()),
            ("\r\n", Some("\t\t"), " : ")
        );
        let compact = of(r#"{"a":1, "b":2}"#);
        assert_eq!((compact.indent(3), compact.comma.as_str(), compact.colon.as_str()), (None, ", ", ":"));
        assert_eq!(of("{}"), Style::canonical());
    }

    #[test]
    fn levels_may_have_steps_of_their_own() {
        let style = of("{\n    \"x\": {\"y\": [1, 2]},\n    \"cells\": [\n     {\n      \"a\": 1}]}");
        let indents: Vec<_> = (1..5).map(|level| style.indent(level).unwrap()).collect();
        assert_eq!(indents, ["    ", "     ", "      ", "       "]);
        let inline = of("{\n    \"x\": {},\n    \"cells\": [\n        {\"a\": [], \"b\": 1}]}");
        assert_eq!((inline.indent(2).as_deref(), inline.indent(3), inline.indent(4)), (Some("        "), None, None));
        assert_eq!(inline.comma, ", ");
    }

    #[test]
    fn values_are_laid_out_as_python_does() {
        let value = Raw::parse(r#"{"b":[1e5,{}],"a":{"x":[],"é":"\u0001"}}"#).unwrap();
        let python = "{\n \"a\": {\n  \"x\": [],\n  \"é\": \"\\u0001\"\n },\n \"b\": [\n  1e5,\n  {}\n ]\n}";
        assert_eq!(Style::canonical().value(&value, 0), python);
    }
}
