//! What readers of small logs share: a session that goes on from line to line, and records made from it.

use std::sync::Arc;

use aside_core::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{escapes, json, typed::is_typed};
use crate::{
    record::{Call, Ending, Found, Message, Place, Response, ResponseKey, Role, Tokens},
    touch::Input,
};

/// What has to be remembered between lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The session that the file belongs to.
    pub session: String,
    /// The folder that it runs in.
    #[serde(default)]
    pub workspace: Option<String>,
    /// The model that was chosen last.
    #[serde(default)]
    pub model: Option<String>,
    /// Where it was told last what a step took, and how much that was: some programs tell it twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<(String, [u64; 4])>,
    /// Another session started it.
    #[serde(default)]
    pub side: bool,
    /// Bytes before what was told since the program was started last.
    #[serde(default)]
    pub since: u64,
}

impl Known {
    /// Names the session, as the log does.
    pub fn begin(&mut self, id: Option<&str>, workspace: Option<&str>, found: &mut Found) {
        let session = &mut found.sessions[0];
        if let Some(id) = id {
            id.clone_into(&mut session.id);
            id.clone_into(&mut self.session);
        }
        if let Some(workspace) = workspace {
            session.workspace.get_or_insert_with(|| workspace.into());
            self.workspace = Some(workspace.to_owned());
        }
    }

    /// Takes what was said, if anything was.
    pub fn message(&self, role: Role, text: String, when: (Option<Timestamp>, Place), found: &mut Found) {
        self.message_with_id(None, (role, text), when, found);
    }

    /// The same, where the program has an id of it that all its copies have, too.
    pub fn message_with_id(
        &self,
        id: Option<String>,
        (role, text): (Role, String),
        (at, place): (Option<Timestamp>, Place),
        found: &mut Found,
    ) {
        let is_said = role == Role::Assistant || is_typed(&text);
        if is_said && !text.trim().is_empty() {
            found.messages.push(Message { session: 0, role, at, id, side: self.side, text, place });
        }
    }

    /// Takes what an answer took, if it took anything.
    pub fn response(&self, used: Used<'_>, (at, place): (Option<Timestamp>, Place), found: &mut Found) {
        let Used { tokens, model, provider, key, recorded, longest, assumed } = used;
        if tokens.total() == 0 && recorded.is_none() {
            return;
        }
        found.responses.push(Response {
            session: 0,
            at,
            model: model.or(self.model.as_deref()).map(Arc::from),
            provider: provider.map(Arc::from),
            assumed,
            fast: false,
            tokens,
            longest,
            searches: 0,
            recorded,
            key: key.map(|message| ResponseKey { message, request: None }),
            side: self.side,
            workspace: self.workspace.as_deref().map(Arc::from),
            place,
        });
    }

    /// Takes how a call ended, and what came of it.
    pub fn ended(&self, id: Option<&str>, ok: bool, result: Option<&Value>, found: &mut Found) {
        let Some(id) = id else { return };
        found.endings.push(Ending { id: id.to_owned(), ok });
        if let (Some(details), Some(result)) = (&mut found.details, result) {
            details.results.insert(id.to_owned(), result.clone());
        }
    }

    /// Takes a call of a tool by its name and arguments, which may be JSON in a text.
    pub fn call(
        &self,
        (name, id, arguments): (Option<&str>, Option<&str>, Option<&Value>),
        (at, place): (Option<Timestamp>, Place),
        found: &mut Found,
    ) {
        let Some(name) = name else { return };
        let arguments = match arguments {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        let arguments = escapes::whole(&arguments);
        let whole = found.details.is_some().then(|| serde_json::from_str(&arguments).unwrap_or_default());
        let input: crate::lenient::Object<Input<'_>> = serde_json::from_str(&arguments).unwrap_or_default();
        found.calls.push(Call {
            session: 0,
            at,
            name: name.into(),
            id: id.map(str::to_owned),
            command: input.0.command(name),
            touches: input.0.touches(name, self.workspace.as_deref()),
            edited: input.0.edited(),
            arguments: whole,
            ok: None,
            side: self.side,
            place,
        });
    }
}

/// What an answer took.
#[derive(Debug, Default)]
pub struct Used<'a> {
    pub tokens: Tokens,
    pub model: Option<&'a str>,
    pub provider: Option<&'a str>,
    /// What tells it from all others of the program.
    pub key: Option<String>,
    pub recorded: Option<u64>,
    /// The input of the longest call, where it sums up several.
    pub longest: Option<u64>,
    pub assumed: bool,
}

/// Tokens where the input is told with what was read from a cache.
pub fn with_cached_input(value: &Value, [input, cached, output, thoughts]: [&str; 4]) -> Tokens {
    let cache_read = json::count(value, cached).min(json::count(value, input));
    Tokens {
        input: json::count(value, input) - cache_read,
        output: json::count(value, output).saturating_add(json::count(value, thoughts)),
        cache_read,
        ..Tokens::default()
    }
}

/// Tokens where a log may tell a sum, and no output: what of the sum is in nothing else is output.
pub fn with_rest(tokens: Tokens, value: &Value, [output, total]: [&str; 2]) -> Tokens {
    if json::at(value, output).is_some_and(|told| !told.is_null()) {
        return tokens;
    }
    let rest = json::count(value, total).saturating_sub(tokens.total());
    Tokens { output: tokens.output.saturating_add(rest), ..tokens }
}

/// Tokens where each kind is told apart.
pub fn apart(value: &Value, [input, output, cache_read, cache_write]: [&str; 4]) -> Tokens {
    Tokens {
        input: json::count(value, input),
        output: json::count(value, output),
        cache_read: json::count(value, cache_read),
        cache_write: json::count(value, cache_write),
        cache_write_hour: 0,
    }
}
