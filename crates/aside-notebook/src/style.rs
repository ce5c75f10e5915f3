//! How a file is laid out: what stands between the values.

use crate::Raw;

/// Line ends, indent and separators of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// What ends a line and what one level is indented by; all on one line if absent.
    pub lines: Option<(String, String)>,
    /// Between two values on one line.
    pub comma: String,
    /// Between a name and its value.
    pub colon: String,
}

impl Style {
    /// Returns that of the format's own writer: `json.dumps(indent=1, separators=(",", ": "))`.
    pub fn canonical() -> Self {
        Self { lines: Some(("\n".into(), " ".into())), comma: ",".into(), colon: ": ".into() }
    }

    /// Finds out how an object is written; as the format's own writer where it is too small to tell.
    pub fn of(text: &str, object: &Raw) -> Self {
        let canonical = Self::canonical();
        let Some(members) = object.members().filter(|members| !members.is_empty()) else { return canonical };
        let first = members[0].value.span();
        let start = object.span().start + 1;
        let Some(colon) = text[start..first.start].rfind('"') else { return canonical };
        let before = text[start..].split('"').next().unwrap_or_default();
        let between = members.get(1).and_then(|next| text[first.end..next.value.span().start].split('"').next());
        Self {
            lines: before.rfind('\n').map(|at| (line_end(before), before[at + 1..].to_owned())),
            comma: between.filter(|between| !between.contains('\n')).unwrap_or(",").to_owned(),
            colon: text[start + colon + 1..first.start].to_owned(),
        }
    }

    /// Writes an object from its members, each already written, at this depth.
    pub fn object(&self, members: &[(&str, String)], depth: usize) -> String {
        let mut text = String::new();
        self.bracketed(&mut text, ['{', '}'], depth, members, |text, (name, value)| {
            self.name(text, name);
            text.push_str(value);
        });
        text
    }

    /// Writes an array from its items, each already written, at this depth.
    pub fn array(&self, items: &[String], depth: usize) -> String {
        let mut text = String::new();
        self.bracketed(&mut text, ['[', ']'], depth, items, |text, item| text.push_str(item));
        text
    }

    /// Writes a value at this depth, its names in order as the format's own writer has them. Numbers and strings stay as they are spelled.
    pub fn value(&self, value: &Raw, depth: usize) -> String {
        let mut text = String::with_capacity(value.as_str().len());
        self.add(&mut text, value, depth);
        text
    }

    fn add(&self, text: &mut String, value: &Raw, depth: usize) {
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

    fn name(&self, text: &mut String, name: &str) {
        text.push_str(Raw::of_text(name).as_str());
        text.push_str(&self.colon);
    }

    fn bracketed<Part>(
        &self,
        text: &mut String,
        [open, close]: [char; 2],
        depth: usize,
        parts: &[Part],
        add: impl Fn(&mut String, &Part),
    ) {
        let new_line = |depth: usize| match &self.lines {
            Some((end, indent)) if !parts.is_empty() => format!("{end}{}", indent.repeat(depth)),
            _ => String::new(),
        };
        let comma = if self.lines.is_some() { "," } else { &self.comma };
        let (before, last) = (new_line(depth + 1), new_line(depth));
        text.push(open);
        for (at, part) in parts.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { comma });
            text.push_str(&before);
            add(text, part);
        }
        text.push_str(&last);
        text.push(close);
    }
}

/// What is nested deeper is written as it is spelled: it is no notebook's own structure, and each level reads its text once more.
const DEEPEST: usize = 64;

fn line_end(space: &str) -> String {
    if space.contains("\r\n") { "\r\n".into() } else { "\n".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Style {
        Style::of(text, &Raw::parse(text).unwrap())
    }

    #[test]
    fn layouts_are_recognised() {
        assert_eq!(of("{\n \"a\": 1,\n \"b\": 2\n}\n"), Style::canonical());
        let lines = of("{\r\n\t\"a\" : 1,\r\n\t\"b\": 2\r\n}");
        assert_eq!((lines.lines, lines.colon), (Some(("\r\n".into(), "\t".into())), " : ".into()));
        let compact = of(r#"{"a":1, "b":2}"#);
        assert_eq!((compact.lines, compact.comma, compact.colon), (None, ", ".into(), ":".into()));
        assert_eq!(of("{}"), Style::canonical());
    }

    #[test]
    fn values_are_laid_out_as_python_does() {
        let value = Raw::parse(r#"{"b":[1e5,{}],"a":{"x":[],"é":"\u0001"}}"#).unwrap();
        let python = "{\n \"a\": {\n  \"x\": [],\n  \"é\": \"\\u0001\"\n },\n \"b\": [\n  1e5,\n  {}\n ]\n}";
        assert_eq!(Style::canonical().value(&value, 0), python);
    }
}
