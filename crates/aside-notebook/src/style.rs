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
        let name = |name: &str| Raw::of_text(name).as_str().to_owned();
        let members = members.iter().map(|(key, value)| format!("{}{}{value}", name(key), self.colon));
        self.bracketed('{', members.collect(), '}', depth)
    }

    /// Writes an array from its items, each already written, at this depth.
    pub fn array(&self, items: Vec<String>, depth: usize) -> String {
        self.bracketed('[', items, ']', depth)
    }

    fn bracketed(&self, open: char, parts: Vec<String>, close: char, depth: usize) -> String {
        if parts.is_empty() {
            return format!("{open}{close}");
        }
        match &self.lines {
            None => format!("{open}{}{close}", parts.join(&self.comma)),
            Some((end, indent)) => {
                let inner = format!("{end}{}", indent.repeat(depth + 1));
                format!("{open}{inner}{}{end}{}{close}", parts.join(&format!(",{inner}")), indent.repeat(depth))
            }
        }
    }

    /// Writes a value at this depth, its names in order as the format's own writer has them. Numbers and strings stay as they are spelled.
    pub fn value(&self, value: &Raw, depth: usize) -> String {
        if depth > DEEPEST {
            return value.as_str().to_owned();
        }
        if let Some(items) = value.items() {
            return self.array(items.iter().map(|item| self.value(item, depth + 1)).collect(), depth);
        }
        let Some(mut members) = value.members() else { return value.as_str().to_owned() };
        members.sort_by(|a, b| a.name.cmp(&b.name));
        let members: Vec<_> =
            members.iter().map(|member| (member.name.as_str(), self.value(&member.value, depth + 1))).collect();
        self.object(&members, depth)
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
