//! The wire format of OpenAI's transcriptions: a form with a file, answered by JSON.

use serde_json::{Value, json};

use super::script::{Answer, Part};

/// Reads a form as JSON: its fields by name, and of the file its name, type and length. None if it is no form.
pub fn form(kind: Option<&str>, body: &[u8]) -> Option<Value> {
    let boundary = kind?.strip_prefix("multipart/form-data; boundary=")?;
    let mut fields = json!({});
    let mut rest = after(body, format!("--{boundary}\r\n").as_bytes())?;
    loop {
        let end = find(rest, format!("\r\n--{boundary}").as_bytes())?;
        let (head, content) = split(&rest[..end], b"\r\n\r\n")?;
        let head = std::str::from_utf8(head).ok()?;
        let attribute = |name: &str| head.split(&format!(" {name}=\"")).nth(1)?.split('"').next();
        let name = attribute("name")?;
        fields[name] = match attribute("filename") {
            Some(file) => {
                let kind = head.to_lowercase().split("content-type: ").nth(1)?.to_owned();
                json!({ "filename": file, "type": kind, "bytes": content.len() })
            }
            None => String::from_utf8_lossy(content).into(),
        };
        let next = &rest[end + boundary.len() + 4..];
        if next.starts_with(b"--") {
            return (fields["model"].is_string() && fields["file"].is_object()).then_some(fields);
        }
        rest = next.strip_prefix(b"\r\n")?;
    }
}

/// Returns the answer for a recording with these words.
pub fn answer(answer: &Answer) -> Value {
    let words = answer.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let usage = answer
        .counts
        .as_ref()
        .map(|counts| json!({ "type": "tokens", "input_tokens": counts.input, "output_tokens": counts.output }));
    json!({ "text": words.collect::<String>(), "usage": usage })
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn after<'a>(bytes: &'a [u8], start: &[u8]) -> Option<&'a [u8]> {
    bytes.strip_prefix(start)
}

fn split<'a>(bytes: &'a [u8], between: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = find(bytes, between)?;
    Some((&bytes[..at], &bytes[at + between.len()..]))
}
