//! One conversation with a server, from its start to its end: what comes in becomes effects. No I/O and no clock.
//!
//! ```text
//! new ── initialize ──> Greeting ── its answer ──> Ready ── shutdown ──> Leaving ── its answer: exit ──> the end
//!                          └── an error ──> Failed
//! ```
//!
//! Before `Ready` documents are only noted. A server that can be asked for diagnostics is asked after each change; others
//! tell them by themselves, and some do both.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use aside_core::{Problem, WorkspacePath};
use serde_json::{Value, json};

use crate::{configuration::Configured, diagnostic, place::difference, uri};

mod capabilities;
#[cfg(test)]
mod tests;

use capabilities::{Capabilities, Sync};

/// Files that a server may tell problems of.
const MOST_FILES: usize = 200;
/// The error of a request that a server gave up, and wants again.
const CANCELLED: i64 = -32802;
const NO_METHOD: i64 = -32601;

/// What has to be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// A message goes to the server.
    Send(Value),
    /// It is ready, and calls itself so.
    Ready,
    /// It does not want to work, and says why.
    Failed(String),
    /// What is wrong in a file is this now.
    Problems(WorkspacePath, Vec<Problem>),
    /// It has said goodbye.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Greeting,
    Ready,
    Leaving,
}

/// What an answer will be about.
#[derive(Clone, Debug)]
enum Asked {
    Initialize,
    Shutdown,
    Pull { path: WorkspacePath, version: i64 },
}

/// A document as the server knows it.
#[derive(Debug)]
struct Open {
    language: String,
    version: i64,
    text: Arc<str>,
    /// What names the last list that it gave when it was asked.
    result: Option<String>,
}

/// What it found in a file: told by itself, and when it was asked.
#[derive(Debug, Default)]
struct Found {
    pushed: Vec<Problem>,
    pulled: Vec<Problem>,
}

/// One conversation.
#[derive(Debug)]
pub(crate) struct Session {
    name: String,
    folder: PathBuf,
    settings: Value,
    phase: Phase,
    can: Capabilities,
    last: i64,
    asked: HashMap<i64, Asked>,
    open: BTreeMap<WorkspacePath, Open>,
    found: BTreeMap<WorkspacePath, Found>,
}

impl Session {
    /// Begins a conversation about a folder.
    pub fn begin(server: &Configured, folder: &Path) -> (Self, Vec<Effect>) {
        let mut session = Self {
            name: server.name.clone(),
            folder: folder.to_owned(),
            settings: server.settings.clone(),
            phase: Phase::Greeting,
            can: Capabilities::default(),
            last: 0,
            asked: HashMap::new(),
            open: BTreeMap::new(),
            found: BTreeMap::new(),
        };
        let greeting = capabilities::greeting(&uri::of(folder), &folder_name(folder), &server.options);
        let effect = session.ask("initialize", greeting, Asked::Initialize);
        (session, vec![effect])
    }

    /// A document is open.
    pub fn open(&mut self, path: &WorkspacePath, language: String, text: Arc<str>) -> Vec<Effect> {
        // One that took this one's path.
        let mut effects = self.close(path);
        self.open.insert(path.clone(), Open { language, version: 1, text, result: None });
        if self.phase == Phase::Ready {
            effects.extend(self.tell_open(path));
        }
        effects
    }

    /// Its text is another one.
    pub fn change(&mut self, path: &WorkspacePath, text: Arc<str>) -> Vec<Effect> {
        let Some(open) = self.open.get_mut(path) else { return Vec::new() };
        let Some((range, new)) = difference(&open.text, &text) else { return Vec::new() };
        let change = match self.can.sync {
            Sync::Changes => json!({ "range": range, "text": new }),
            Sync::Whole | Sync::None => json!({ "text": &*text }),
        };
        open.text = text.clone();
        if self.phase != Phase::Ready {
            return Vec::new();
        }
        open.version += 1;
        let document = json!({ "uri": self.uri(path), "version": self.open[path].version });
        let mut effects = Vec::new();
        if self.can.sync != Sync::None {
            let params = json!({ "textDocument": document, "contentChanges": [change] });
            effects.push(notify("textDocument/didChange", params));
        }
        effects.extend(self.pull(path));
        effects
    }

    /// Its file holds its text.
    pub fn saved(&mut self, path: &WorkspacePath) -> Vec<Effect> {
        if self.phase != Phase::Ready || !self.open.contains_key(path) || !self.can.save {
            return Vec::new();
        }
        let saved = notify("textDocument/didSave", json!({ "textDocument": { "uri": self.uri(path) } }));
        [saved].into_iter().chain(self.pull(path)).collect()
    }

    /// Nobody has it open any more; what was found in it goes.
    pub fn close(&mut self, path: &WorkspacePath) -> Vec<Effect> {
        if self.open.remove(path).is_none() {
            return Vec::new();
        }
        self.found.remove(path);
        let mut effects = vec![Effect::Problems(path.clone(), Vec::new())];
        if self.phase == Phase::Ready && self.can.sync != Sync::None {
            effects.push(notify("textDocument/didClose", json!({ "textDocument": { "uri": self.uri(path) } })));
        }
        effects
    }

    /// Nobody needs it any more.
    pub fn leave(&mut self) -> Vec<Effect> {
        match std::mem::replace(&mut self.phase, Phase::Leaving) {
            Phase::Ready => vec![self.ask("shutdown", Value::Null, Asked::Shutdown)],
            Phase::Greeting => vec![notify("exit", Value::Null), Effect::Over],
            Phase::Leaving => Vec::new(),
        }
    }

    /// Takes in one message.
    pub fn hear(&mut self, message: &Value) -> Vec<Effect> {
        let id = message.get("id").filter(|id| !id.is_null());
        match (message["method"].as_str(), id) {
            (Some(method), Some(id)) => self.asked_by_server(method, id, &message["params"]),
            (Some(method), None) => self.told(method, &message["params"]),
            (None, Some(id)) => self.answered(id, message),
            (None, None) => Vec::new(),
        }
    }

    fn told(&mut self, method: &str, params: &Value) -> Vec<Effect> {
        if method != "textDocument/publishDiagnostics" || self.phase != Phase::Ready {
            return Vec::new();
        }
        let path = params["uri"].as_str().and_then(|uri| uri::path(uri, &self.folder));
        let (Some(path), Some(list)) = (path, params["diagnostics"].as_array()) else { return Vec::new() };
        let open = self.open.get(&path);
        // What it says of a text that was changed since is told anew in a moment.
        if open.zip(params["version"].as_i64()).is_some_and(|(open, version)| version < open.version) {
            return Vec::new();
        }
        let problems = diagnostic::problems(list, &path, open.map(|open| &*open.text), &self.name);
        self.note(path, |found| found.pushed = problems)
    }

    fn answered(&mut self, id: &Value, message: &Value) -> Vec<Effect> {
        let Some(asked) = id.as_i64().and_then(|id| self.asked.remove(&id)) else { return Vec::new() };
        let error = message.get("error").filter(|error| !error.is_null());
        match asked {
            Asked::Initialize => match error {
                Some(error) => {
                    let said = error["message"].as_str().unwrap_or("no reason given");
                    vec![Effect::Failed(said.chars().take(500).collect())]
                }
                None => self.greeted(&message["result"]),
            },
            Asked::Shutdown => vec![notify("exit", Value::Null), Effect::Over],
            Asked::Pull { path, version } => match error {
                Some(error) if error["code"] == CANCELLED && error["data"]["retriggerRequest"] != false => {
                    self.pull(&path).into_iter().collect()
                }
                Some(_) => Vec::new(),
                None => self.pulled(&path, version, &message["result"]),
            },
        }
    }

    fn greeted(&mut self, result: &Value) -> Vec<Effect> {
        if self.phase != Phase::Greeting {
            return Vec::new();
        }
        self.can = Capabilities::read(&result["capabilities"]);
        self.phase = Phase::Ready;
        let mut effects = vec![Effect::Ready, notify("initialized", json!({}))];
        if !self.settings.is_null() {
            effects.push(notify("workspace/didChangeConfiguration", json!({ "settings": self.settings })));
        }
        let paths: Vec<_> = self.open.keys().cloned().collect();
        effects.extend(paths.iter().flat_map(|path| self.tell_open(path)));
        effects
    }

    fn pulled(&mut self, path: &WorkspacePath, version: i64, report: &Value) -> Vec<Effect> {
        let Some(open) = self.open.get_mut(path) else { return Vec::new() };
        let items = report["items"].as_array().filter(|_| report["kind"] != "unchanged");
        // A text that was changed since was asked about again.
        let Some(items) = items.filter(|_| version == open.version) else { return Vec::new() };
        open.result = report["resultId"].as_str().map(str::to_owned);
        let problems = diagnostic::problems(items, path, Some(&open.text), &self.name);
        self.note(path.clone(), |found| found.pulled = problems)
    }

    /// Answers what a server asks: its settings and where it is. It may change nothing.
    fn asked_by_server(&mut self, method: &str, id: &Value, params: &Value) -> Vec<Effect> {
        let mut effects = Vec::new();
        let result = match method {
            "workspace/configuration" => {
                let items = params["items"].as_array().map(Vec::as_slice).unwrap_or_default();
                items.iter().map(|item| self.section(item["section"].as_str().unwrap_or_default())).collect()
            }
            "workspace/workspaceFolders" => {
                json!([{ "uri": uri::of(&self.folder), "name": folder_name(&self.folder) }])
            }
            "workspace/applyEdit" => {
                json!({ "applied": false, "failureReason": "Aside makes changes to texts itself" })
            }
            "workspace/diagnostic/refresh" => {
                let paths: Vec<_> = self.open.keys().cloned().collect();
                effects.extend(paths.iter().filter_map(|path| self.pull(path)));
                Value::Null
            }
            "client/registerCapability" => {
                self.can.register(&params["registrations"]);
                Value::Null
            }
            "client/unregisterCapability" | "window/workDoneProgress/create" | "window/showMessageRequest" => {
                Value::Null
            }
            _ => {
                let error = json!({ "code": NO_METHOD, "message": "Aside does not support this" });
                return vec![Effect::Send(json!({ "jsonrpc": "2.0", "id": id, "error": error }))];
            }
        };
        effects.insert(0, Effect::Send(json!({ "jsonrpc": "2.0", "id": id, "result": result })));
        effects
    }

    fn section(&self, section: &str) -> Value {
        let parts = section.split('.').filter(|part| !part.is_empty());
        parts.fold(&self.settings, |settings, part| settings.get(part).unwrap_or(&Value::Null)).clone()
    }

    fn note(&mut self, path: WorkspacePath, change: impl FnOnce(&mut Found)) -> Vec<Effect> {
        if !self.found.contains_key(&path) && !self.open.contains_key(&path) && self.found.len() >= MOST_FILES {
            return Vec::new();
        }
        let found = self.found.entry(path.clone()).or_default();
        change(found);
        let problems: Vec<Problem> = found.pushed.iter().chain(&found.pulled).cloned().collect();
        if problems.is_empty() {
            self.found.remove(&path);
        }
        vec![Effect::Problems(path, problems)]
    }

    fn tell_open(&mut self, path: &WorkspacePath) -> Vec<Effect> {
        let Some(open) = self.open.get(path) else { return Vec::new() };
        let document = json!({
            "uri": self.uri(path), "languageId": open.language, "version": open.version, "text": &*open.text,
        });
        let mut effects = Vec::new();
        if self.can.sync != Sync::None {
            effects.push(notify("textDocument/didOpen", json!({ "textDocument": document })));
        }
        effects.extend(self.pull(path));
        effects
    }

    /// Asks what is wrong in a document, if that can be asked.
    fn pull(&mut self, path: &WorkspacePath) -> Option<Effect> {
        let open = self.open.get(path).filter(|_| self.can.pull)?;
        let mut params = json!({ "textDocument": { "uri": self.uri(path) } });
        if let Some(result) = &open.result {
            params["previousResultId"] = json!(result);
        }
        if let Some(identifier) = &self.can.identifier {
            params["identifier"] = json!(identifier);
        }
        let asked = Asked::Pull { path: path.clone(), version: open.version };
        // Nobody waits for what was asked before.
        self.asked.retain(|_, asked| !matches!(asked, Asked::Pull { path: before, .. } if before == path));
        Some(self.ask("textDocument/diagnostic", params, asked))
    }

    fn ask(&mut self, method: &str, params: Value, asked: Asked) -> Effect {
        self.last += 1;
        self.asked.insert(self.last, asked);
        Effect::Send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }))
    }

    fn uri(&self, path: &WorkspacePath) -> String {
        uri::of(&self.folder.join(path.on_disk()))
    }
}

fn notify(method: &str, params: Value) -> Effect {
    Effect::Send(match params {
        Value::Null => json!({ "jsonrpc": "2.0", "method": method }),
        params => json!({ "jsonrpc": "2.0", "method": method, "params": params }),
    })
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
}
