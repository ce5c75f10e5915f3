//! One output as the notebook format has it, and back.

use aside_jupyter::Raised;
use aside_notebook::{Member, Raw, joined, multiline};
use serde_json::{Value, json, value::RawValue};

use super::Output;
use crate::{OutputEvent, Shown};

impl Output {
    /// Reads one as the format has it.
    pub fn read(raw: &Raw) -> Self {
        read(raw).unwrap_or_else(|| Self::Other(raw.clone()))
    }

    /// As a kernel would say it again; none of what no kernel says.
    pub(crate) fn event(&self) -> Option<OutputEvent> {
        Some(match self.clone() {
            Self::Stream { name, text } => OutputEvent::Stream { name, text },
            Self::Shown { shown, is_result: true } => OutputEvent::Result(shown),
            Self::Shown { shown, is_result: false } => OutputEvent::Display(shown),
            Self::Error(raised) => OutputEvent::Error(raised),
            Self::Other(_) => return None,
        })
    }

    /// Writes it as the format has it.
    pub fn write(&self) -> Raw {
        match self {
            Self::Stream { name, text } => {
                let text = multiline(text);
                object(&[("name", Raw::of_text(name)), ("output_type", Raw::of_text("stream")), ("text", text)])
            }
            Self::Error(Raised { name, value, traceback }) => {
                Raw::of(&json!({ "output_type": "error", "ename": name, "evalue": value, "traceback": traceback }))
            }
            Self::Shown { shown, is_result } => {
                let kind = if *is_result { "execute_result" } else { "display_data" };
                let mut members = vec![
                    ("data", data(shown.data.get())),
                    ("metadata", parsed(shown.metadata.get())),
                    ("output_type", Raw::of_text(kind)),
                ];
                if *is_result {
                    members.push(("execution_count", Raw::of(&shown.count.map_or(Value::Null, Value::from))));
                }
                object(&members)
            }
            Self::Other(raw) => raw.clone(),
        }
    }
}

fn read(raw: &Raw) -> Option<Output> {
    let text = |name: &str| raw.get(name).as_ref().and_then(joined);
    Some(match &*text("output_type")? {
        "stream" => Output::Stream { name: text("name").unwrap_or_else(|| "stdout".to_owned()), text: text("text")? },
        "error" => Output::Error(Raised {
            name: text("ename").unwrap_or_default(),
            value: text("evalue").unwrap_or_default(),
            traceback: raw.get("traceback")?.items()?.iter().map(|line| line.text().unwrap_or_default()).collect(),
        }),
        kind @ ("display_data" | "execute_result") => {
            let count = raw.get("execution_count").as_ref().and_then(Raw::number);
            let metadata = raw.get("metadata").filter(|metadata| metadata.members().is_some());
            let metadata = metadata.map_or_else(|| "{}".to_owned(), |metadata| metadata.as_str().to_owned());
            let data = joined_data(&raw.get("data")?)?;
            let shown = Shown { data: kept(data)?, metadata: kept(metadata)?, id: None, count };
            Output::Shown { shown, is_result: kind == "execute_result" }
        }
        _ => return None,
    })
}

fn kept(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

/// As a kernel would have sent it: texts in one piece.
fn joined_data(data: &Raw) -> Option<String> {
    let member = |member: Member| match joined(&member.value).filter(|_| has_lines(&member.name)) {
        Some(text) => (member.name, Raw::of_text(&text)),
        None => (member.name, member.value),
    };
    let members: Vec<(String, Raw)> = data.members()?.into_iter().map(member).collect();
    Some(object_of(&members).as_str().to_owned())
}

/// Texts of several lines are lists of lines, as the format's own writer has them; JSON and base64 stay.
fn data(text: &str) -> Raw {
    let members = parsed(text).members().unwrap_or_default();
    let members: Vec<(String, Raw)> = members
        .into_iter()
        .map(|member| match member.value.text().filter(|_| has_lines(&member.name)) {
            Some(text) => (member.name, multiline(&text)),
            None => (member.name, member.value),
        })
        .collect();
    object_of(&members)
}

fn has_lines(mime: &str) -> bool {
    mime.starts_with("text/") || matches!(mime, "application/javascript" | "image/svg+xml")
}

/// What a kernel sent as JSON is JSON.
fn parsed(text: &str) -> Raw {
    Raw::parse(text).unwrap_or_else(|_| Raw::of_text(text))
}

fn object_of(members: &[(String, Raw)]) -> Raw {
    object(&members.iter().map(|(name, value)| (name.as_str(), value.clone())).collect::<Vec<_>>())
}

/// Writes an object.
fn object(members: &[(&str, Raw)]) -> Raw {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{}", Raw::of_text(name).as_str(), value.as_str())).collect();
    parsed(&format!("{{{}}}", members.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_from_a_file_is_written_as_it_was() {
        for text in [
            r#"{"name":"stdout","output_type":"stream","text":["a\n","b"]}"#,
            r#"{"data":{"text/plain":["a\n","b"],"application/json":{"x":1.0}},"metadata":{"a":1},"output_type":"display_data"}"#,
            r#"{"output_type":"new","x":1e400}"#,
        ] {
            assert_eq!(Output::read(&Raw::parse(text).unwrap()).write().as_str(), text);
        }
    }
}
