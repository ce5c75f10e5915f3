//! What a tool answered, as an observation: text, and a word in place of all that is no text.

use aside_core::{Failure, LabelSource, McpServerName, Observation};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value, json};

use super::words::{bytes, fit};

/// Bytes of an answer that are kept, and how many of them are of its end, where errors and sums stand.
const MOST: usize = 256 * 1024;
const MOST_TAIL: usize = MOST / 4;
/// Characters of an error that are told.
const MOST_ERROR: usize = 4000;

/// Where the content of a server comes from.
pub(crate) fn source(server: &McpServerName) -> LabelSource {
    LabelSource::external(format!("the tools of {server}"), "output of another program")
}

/// Returns what came of a call. An error that the tool tells is a failure of the action.
pub(crate) fn observation(server: &McpServerName, result: &CallToolResult) -> Result<Observation, Failure> {
    let blocks = result.content.iter().map(words).collect::<Vec<_>>();
    let mut text = blocks.join("\n");
    let mut structured = result.structured_content.clone().unwrap_or(Value::Null);
    if text.is_empty() && !structured.is_null() {
        text = serde_json::to_string_pretty(&structured).unwrap_or_default();
    }
    if result.is_error == Some(true) {
        return Err(Failure::new("tool_error", format!("{server} says: {}", fit(&text, MOST_ERROR))));
    }
    let cut = text.len() > MOST;
    if cut {
        let head = &text[..text.floor_char_boundary(MOST - MOST_TAIL)];
        let tail = &text[text.ceil_char_boundary(text.len() - MOST_TAIL)..];
        text = format!("{head}\n… (truncated: the full answer has {}) …\n{tail}", bytes(text.len()));
    }
    if structured.to_string().len() > MOST {
        structured = json!("omitted: too long");
    }
    let data = json!({ "structured": structured, "cut": cut });
    Ok(Observation::with(text, data).from_source(source(server)))
}

fn words(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => unshown("image", Some(&image.mime_type), image.data.len()),
        ContentBlock::Audio(audio) => unshown("sound", Some(&audio.mime_type), audio.data.len()),
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{}]\n{text}", fit(uri, 500)),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                format!("[{}] {}", fit(uri, 500), unshown("file", mime_type.as_deref(), blob.len()))
            }
            _ => "[a resource of an unknown kind]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[link: {}]", fit(&link.uri, 500)),
        _ => "[content of an unknown kind]".to_owned(),
    }
}

/// Binary content is base 64: four characters are three bytes.
fn unshown(what: &str, kind: Option<&str>, length: usize) -> String {
    let kind = kind.map(|kind| format!(", {}", fit(kind, 60))).unwrap_or_default();
    format!("[{what}{kind}, {}, not shown]", bytes(length / 4 * 3))
}

#[cfg(test)]
mod tests {
    use aside_core::Label;

    use super::*;

    fn observed(result: Value) -> Result<Observation, Failure> {
        observation(&"srv".parse().unwrap(), &serde_json::from_value(result).unwrap())
    }

    #[test]
    fn all_that_is_no_text_is_said_in_words() {
        let observation = observed(json!({ "content": [
            { "type": "text", "text": "one" },
            { "type": "image", "mimeType": "image/png", "data": "AAAAAAAA" },
            { "type": "resource", "resource": { "uri": "demo://1", "text": "inner" } },
            { "type": "resource_link", "uri": "file:///etc/passwd", "name": "x" },
        ] }))
        .unwrap();
        assert_eq!(
            observation.text,
            "one\n[image, image/png, 6 bytes, not shown]\n[demo://1]\ninner\n[link: file:///etc/passwd]"
        );
        assert_eq!(observation.label, Label::External);
    }

    #[test]
    fn a_long_answer_is_cut_and_an_error_is_a_failure() {
        let long = observed(
            json!({ "content": [{ "type": "text", "text": "é".repeat(MOST) + "THE END" }], "structuredContent": "x".repeat(MOST) }),
        );
        let long = long.unwrap();
        assert!(long.text.len() < MOST + 100 && long.text.contains("\n… (truncated: the full answer has 524 kB) …\né"));
        assert!(long.text.ends_with("éTHE END"));
        assert_eq!(long.data["structured"], "omitted: too long");
        let error =
            observed(json!({ "content": [{ "type": "text", "text": "no\u{1b}[2J" }], "isError": true })).unwrap_err();
        assert_eq!((error.code.as_str(), error.message.as_str()), ("tool_error", "srv says: no\\u{1b}[2J"));
        assert_eq!(observed(json!({ "structuredContent": { "sum": 3 } })).unwrap().text, "{\n  \"sum\": 3\n}");
    }
}
