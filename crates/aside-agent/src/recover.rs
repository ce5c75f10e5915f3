//! Weak models print a call instead of making it. It is taken for a call only if the whole answer is
//! nothing else and names a known tool; it then still asks a person for anything but reading.

use aside_core::ToolCall;
use serde_json::{Map, Value};

/// What the ids of such calls start with.
const PREFIX: &str = "recovered_";

/// Reads an answer that is nothing but printed calls of known tools.
pub fn recover(text: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<ToolCall>> {
    let values = values(text.trim())?;
    let calls = values.into_iter().enumerate().map(|(index, value)| call(index, value, &is_known));
    calls.collect::<Option<Vec<_>>>().filter(|calls| !calls.is_empty())
}

/// Tells whether a call was recovered, so that nothing above reading may run without a person.
pub fn is_recovered(call: &ToolCall) -> bool {
    call.from_text && call.id.starts_with(PREFIX)
}

/// JSON alone, JSON in one fence, or any number of `<tool_call>` elements.
fn values(text: &str) -> Option<Vec<Value>> {
    if text.starts_with("<tool_call>") {
        return tagged(text);
    }
    let inner = fenced(text).unwrap_or(text);
    match serde_json::from_str(inner).ok()? {
        Value::Array(values) => Some(values),
        value => Some(vec![value]),
    }
}

fn tagged(mut text: &str) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    while !text.is_empty() {
        let (inner, rest) = text.strip_prefix("<tool_call>")?.split_once("</tool_call>")?;
        values.push(serde_json::from_str(inner.trim()).ok()?);
        text = rest.trim_start();
    }
    Some(values)
}

fn fenced(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    let (info, body) = inner.split_once('\n')?;
    matches!(info.trim(), "" | "json" | "tool" | "tool_call").then(|| body.trim())
}

fn call(index: usize, value: Value, is_known: &impl Fn(&str) -> bool) -> Option<ToolCall> {
    let Value::Object(mut fields) = value else { return None };
    if let Some(Value::Object(function)) = fields.remove("function") {
        fields = function;
    }
    let name = fields.remove("name")?.as_str()?.to_owned();
    let args = args(&mut fields)?;
    is_known(&name).then(|| ToolCall {
        id: format!("{PREFIX}{}", index + 1),
        name,
        args,
        problem: None,
        from_text: true,
    })
}

fn args(fields: &mut Map<String, Value>) -> Option<Value> {
    let found = ["arguments", "args", "parameters"].iter().find_map(|key| fields.remove(*key));
    match found {
        Some(Value::String(text)) => serde_json::from_str(&text).ok().filter(Value::is_object),
        Some(value) => value.is_object().then_some(value),
        None => Some(Value::Object(Map::new())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn known(name: &str) -> bool {
        name == "doc_read"
    }

    #[test]
    fn whole_answers_that_are_calls_are_calls() {
        let call = r#"{"name": "doc_read", "arguments": {"path": "a.py"}}"#;
        for text in [
            call.to_owned(),
            format!("  {call}\n"),
            format!("[{call}]"),
            format!("```json\n{call}\n```"),
            format!("<tool_call>\n{call}\n</tool_call>"),
            r#"{"name": "doc_read", "parameters": "{\"path\": \"a.py\"}"}"#.to_owned(),
            r#"{"type": "function", "function": {"name": "doc_read", "args": {"path": "a.py"}}}"#.to_owned(),
        ] {
            let calls = recover(&text, known).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(calls[0].args, json!({"path": "a.py"}));
            assert!(is_recovered(&calls[0]));
        }
        let two = format!("<tool_call>{call}</tool_call>\n<tool_call>{call}</tool_call>");
        assert_eq!(recover(&two, known).unwrap().len(), 2);
    }

    #[test]
    fn anything_else_stays_text() {
        let call = r#"{"name": "doc_read", "arguments": {}}"#;
        for text in [
            format!("I would call {call}"),
            format!("{call} and then"),
            format!("```json\n{call}\n```\nThis reads the file."),
            r#"{"name": "rm_rf", "arguments": {}}"#.to_owned(),
            r#"{"name": "doc_read", "arguments": [1]}"#.to_owned(),
            r#"{"package": "demo"}"#.to_owned(),
            "[]".to_owned(),
            "42".to_owned(),
            String::new(),
        ] {
            assert_eq!(recover(&text, known), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(?s)[`<>{}\"a-z_:\\[\\] \n]{0,80}") {
            recover(&text, |_| true);
        }
    }
}
