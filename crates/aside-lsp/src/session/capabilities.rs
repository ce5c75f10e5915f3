//! What the two sides can do, as they tell each other at the start.

use serde_json::{Value, json};

/// How a server wants to hear of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sync {
    /// Not at all.
    #[default]
    None,
    /// The whole text.
    Whole,
    /// What is different.
    Changes,
}

/// What of a server's abilities matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Capabilities {
    pub sync: Sync,
    /// It wants to hear that a file was written.
    pub save: bool,
    /// It can be asked for diagnostics.
    pub pull: bool,
    /// Under which name it is asked.
    pub identifier: Option<String>,
}

impl Capabilities {
    /// Reads what a server says; what is not said is not there.
    pub fn read(told: &Value) -> Self {
        let sync = &told["textDocumentSync"];
        let kind = if sync.is_object() { &sync["change"] } else { sync };
        let sync_kind = match (kind.as_u64(), sync["openClose"].as_bool()) {
            (Some(2), _) => Sync::Changes,
            (Some(1), _) => Sync::Whole,
            // It hears of the text by its opening only.
            (_, Some(true)) => Sync::Whole,
            _ => Sync::None,
        };
        let save = if sync.is_object() { is_there(&sync["save"]) } else { sync_kind != Sync::None };
        let provider = &told["diagnosticProvider"];
        let identifier = provider["identifier"].as_str().map(str::to_owned);
        Self { sync: sync_kind, save, pull: is_there(provider), identifier }
    }

    /// Takes in what a server only says once it runs.
    pub fn register(&mut self, registrations: &Value) {
        for one in registrations.as_array().map(Vec::as_slice).unwrap_or_default() {
            match one["method"].as_str() {
                Some("textDocument/diagnostic") => {
                    self.pull = true;
                    self.identifier = one["registerOptions"]["identifier"].as_str().map(str::to_owned);
                }
                Some("textDocument/didSave") => self.save = true,
                _ => {}
            }
        }
    }
}

fn is_there(ability: &Value) -> bool {
    ability.is_object() || *ability == true
}

/// What a server is told at its start. We are no process it could watch: its input ends when we do.
pub(super) fn greeting(uri: &str, name: &str, options: &Value) -> Value {
    let mut params = json!({
        "processId": null,
        "clientInfo": { "name": "Aside", "version": env!("CARGO_PKG_VERSION") },
        "rootUri": uri,
        "workspaceFolders": [{ "uri": uri, "name": name }],
        "capabilities": {
            "general": { "positionEncodings": ["utf-16"] },
            "textDocument": {
                "synchronization": { "didSave": true },
                "publishDiagnostics": {
                    "relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true,
                },
                "diagnostic": { "dynamicRegistration": true, "relatedDocumentSupport": false },
            },
            "workspace": {
                "configuration": true, "workspaceFolders": true, "diagnostics": { "refreshSupport": true },
            },
            "window": { "workDoneProgress": false },
        },
    });
    if !options.is_null() {
        params["initializationOptions"] = options.clone();
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_are_read_in_all_their_spellings() {
        let read = |told: Value| {
            let found = Capabilities::read(&told);
            (found.sync, found.save, found.pull)
        };
        assert_eq!(read(json!({})), (Sync::None, false, false));
        assert_eq!(read(json!({"textDocumentSync": 1})), (Sync::Whole, true, false));
        let whole = json!({"openClose": true, "change": 2, "save": {"includeText": false}});
        assert_eq!(read(json!({"textDocumentSync": whole})), (Sync::Changes, true, false));
        let quiet = json!({"openClose": true, "change": 1});
        let pull = json!({"identifier": "x", "interFileDependencies": true, "workspaceDiagnostics": false});
        assert_eq!(read(json!({"textDocumentSync": quiet, "diagnosticProvider": pull})), (Sync::Whole, false, true));
        assert_eq!(read(json!({"textDocumentSync": "x", "diagnosticProvider": 3})), (Sync::None, false, false));
    }

    #[test]
    fn what_is_registered_later_counts_too() {
        let mut can = Capabilities::default();
        can.register(
            &json!([{ "id": "1", "method": "textDocument/diagnostic", "registerOptions": { "identifier": "py" } }, 7]),
        );
        assert_eq!((can.pull, can.identifier.as_deref()), (true, Some("py")));
    }
}
