//! The workspace's documents as resources. Reading one is `doc.read`, listing them `file.list`: through the Gate.

use aside_core::{ActionRequest, Outcome};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        ListResourceTemplatesResult, ListResourcesResult, ReadResourceResponse, ReadResourceResult, Resource,
        ResourceContents, ResourceTemplate,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::{Server, caller};

/// What the address of a document begins with; its path in the workspace follows.
const SCHEME: &str = "aside://doc/";

impl Server {
    /// The files of the top folder; deeper ones are read by their path.
    pub(super) async fn resources(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        // A grant may not cover the listing: then there is nothing to list, and that is no error.
        let listed = self.observe("file.list", json!({}), context).await.unwrap_or_default();
        let entries = listed["entries"].as_array().cloned().unwrap_or_default();
        let files = entries.iter().filter(|entry| entry["folder"] == false && entry["ignored"] == false);
        let resources = files.filter_map(|entry| {
            let path = entry["path"].as_str()?;
            Some(Resource::new(format!("{SCHEME}{}", encoded(path)), path).with_size(entry["size"].as_u64()?))
        });
        Ok(ListResourcesResult::with_all_items(resources.collect()))
    }

    /// One document, as it is in the open editors now.
    pub(super) async fn resource(
        &self,
        uri: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let unknown = |why: &str| ErrorData::resource_not_found(why.to_owned(), Some(json!({ "uri": uri })));
        let path = uri.strip_prefix(SCHEME).and_then(decoded).ok_or_else(|| unknown("this resource does not exist"))?;
        let read = self.observe("doc.read", json!({ "path": path }), context).await;
        let read = read.map_err(|why| unknown(&why))?;
        let text = read["text"].as_str().unwrap_or_default();
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]).into())
    }

    async fn observe(&self, action: &str, args: Value, context: &RequestContext<RoleServer>) -> Result<Value, String> {
        let name = action.parse().expect("our action names are well formed");
        let submission = Self::submission(&caller(context).map_err(|error| error.message.into_owned())?, context);
        let submitted = self.gate.submit(ActionRequest::new(name, args), submission).await;
        match submitted.map_err(|error| error.to_string())?.record.outcome {
            Some(Outcome::Done { observation }) => Ok(observation.data),
            Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => Err(failure.message),
            _ => Err(format!("`{action}` returned no result")),
        }
    }
}

/// How the address of any document is made.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{SCHEME}{{+path}}"), "document")
        .with_description("A text document of the workspace, by its path");
    ListResourceTemplatesResult::with_all_items(vec![template])
}

/// Percent-encodes what an address can't hold; `/` stays.
fn encoded(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// The path in an address, if it is well formed.
fn decoded(address: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit(rest.next()?)? * 16 + digit(rest.next()?)?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_being_an_address() {
        for path in ["a.md", "notes/Ü ber#1?.md", "100%.txt"] {
            assert_eq!(decoded(&encoded(path)).as_deref(), Some(path));
        }
        assert_eq!(encoded("a b"), "a%20b");
        for broken in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decoded(broken), None, "{broken}");
        }
    }
}
