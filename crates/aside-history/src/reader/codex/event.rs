//! Events that tell how a call ended, with its command or its files. Code that a model runs calls tools of its own: of these calls nothing but
//! such an event tells.

use std::{borrow::Cow, collections::VecDeque};

use aside_core::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    change::{FileChange, by_path},
    line::Payload,
};
use crate::{
    hash::hash,
    reader::json::{at, text},
    record::{Call, Mode, Place, Touch},
    touch::{absolute, heredoc, line_of, of_lines, of_patch, patched},
};

/// Calls that are remembered: an event follows its call soon.
const REMEMBERED: usize = 32;

/// The calls that were told last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recent(VecDeque<Told>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Told {
    id: String,
    /// Its command or its files, in one number.
    about: i64,
    /// Its id in events, where that is another one.
    #[serde(default)]
    event: Option<String>,
}

impl Recent {
    /// Remembers a call; `event` is the id of the event that told of it, if one did.
    pub fn add(&mut self, call: &Call, event: Option<String>) {
        let Some(id) = call.id.clone() else { return };
        let about = about(call.command.as_deref(), &call.touches);
        self.0.push_back(Told { id, about, event });
        if self.0.len() > REMEMBERED {
            self.0.pop_front();
        }
    }

    /// The id of the call that an event is about: the same, or else that of the last call with the same command or files of which no event told.
    pub fn find(&mut self, event: &CallEvent) -> Option<String> {
        let same = |told: &&mut Told| told.id == event.id || told.event.as_ref() == Some(&event.id);
        if let Some(told) = self.0.iter_mut().find(same) {
            told.event = Some(event.id.clone());
            return Some(told.id.clone());
        }
        let wanted = about(event.command.as_deref(), &event.touches);
        let told = self.0.iter_mut().rfind(|told| told.about == wanted && wanted != 0 && told.event.is_none())?;
        told.event = Some(event.id.clone());
        Some(told.id.clone())
    }
}

fn about(command: Option<&str>, touches: &[Touch]) -> i64 {
    let mut paths: Vec<&str> = touches.iter().map(|touch| touch.path.as_str()).collect();
    paths.sort_unstable();
    match command {
        Some(command) => hash(&[command]),
        None if paths.is_empty() => 0,
        None => hash(&paths),
    }
}

/// A call that ended, as an event tells of it.
#[derive(Clone, Debug, Default)]
pub struct CallEvent {
    id: String,
    name: Cow<'static, str>,
    command: Option<String>,
    touches: Vec<Touch>,
    edited: Option<i64>,
    pub ok: Option<bool>,
}

impl CallEvent {
    /// Reads one; none if this is an event of another kind, or of nothing that has an id.
    pub fn of(payload: &Payload<'_>, workspace: Option<&str>) -> Option<Self> {
        let (told, id) = match (payload.kind.0.as_ref(), &payload.item) {
            ("exec_command_end" | "patch_apply_end" | "mcp_tool_call_end", _) => (payload, &payload.call_id),
            ("item_completed", Some(item)) => (&item.0, &item.0.id),
            _ => return None,
        };
        let id = id.owned()?;
        let folder = told.cwd.get().or(workspace);
        match kind(payload.kind.0.as_ref(), told.kind.0.as_ref())? {
            Subject::Command => Some(Self { id, ..Self::command(told, folder) }),
            Subject::Files => Some(Self { id, ..Self::files(told, folder) }),
            Subject::Tool => Some(Self { id, ..Self::tool(told)? }),
        }
    }

    fn command(told: &Payload<'_>, folder: Option<&str>) -> Self {
        let line = line_of(&told.command);
        let patch = line.as_deref().and_then(heredoc);
        let touches = patch.map_or_else(Vec::new, |(below, patch)| {
            let below = below.map(|below| absolute(below, folder));
            patched(patch, below.as_deref().or(folder))
        });
        let edited = patch.map(|(_, patch)| of_patch(patch)).filter(|change| *change != 0);
        let code = told.exit_code.0.map(|code| code == 0.0);
        let command = line.map(std::borrow::Cow::into_owned);
        Self {
            name: "exec_command".into(),
            command,
            touches,
            edited,
            ok: code.or_else(|| went_well(told)),
            ..Self::default()
        }
    }

    fn files(told: &Payload<'_>, folder: Option<&str>) -> Self {
        let (mut touches, mut edited) = (Vec::new(), 0i64);
        for (path, change) in &told.changes.0 {
            let touch = |path: &str, mode| Touch { path: absolute(path, folder), mode };
            let Some(path) = path.get().or(change.0.path.get()) else { continue };
            let gone = change.0.kind() == "delete";
            touches.push(touch(path, if gone { Mode::Delete } else { Mode::Write }));
            touches.extend(change.0.moved_to().map(|to| touch(to, Mode::Write)));
            edited = edited.wrapping_add(number(&change.0));
        }
        touches.sort_by(|one, two| one.path.cmp(&two.path));
        touches.dedup();
        let edited = Some(edited).filter(|change| !matches!(*change, 0 | i64::MIN));
        let ok = told.success.map(|told| told.0).or_else(|| went_well(told));
        Self { name: "apply_patch".into(), touches, edited, ok, ..Self::default() }
    }

    /// A call of another program's tool, named as a model names it.
    fn tool(told: &Payload<'_>) -> Option<Self> {
        let named = told.invocation.as_ref().map(|named| (&named.0.server, &named.0.tool));
        let (server, tool) = named.unwrap_or((&told.server, &told.tool));
        let name = format!("mcp__{}__{}", server.get()?, tool.get()?).into();
        let ended = told.result.as_ref().and_then(|result| {
            let answered = result.0.answer.as_ref().map(|answer| !answer.0.is_error.0);
            answered.or(result.0.error.is_some().then_some(false))
        });
        Some(Self { name, ok: ended.or_else(|| went_well(told)), ..Self::default() })
    }

    /// The call that it is about, where nothing else told of it.
    pub fn into_call(self, at: Option<Timestamp>, side: bool, place: Place) -> Call {
        Call {
            session: 0,
            at,
            name: (&*self.name).into(),
            id: Some(self.id),
            command: self.command,
            touches: self.touches,
            edited: self.edited,
            arguments: None,
            ok: self.ok,
            side,
            place,
        }
    }
}

/// The arguments of its call, for a playback.
pub fn arguments(payload: &Value) -> Option<(Option<String>, Value)> {
    let told = at(payload, "item").unwrap_or(payload);
    let id = text(told, "id").or(text(told, "call_id")).map(str::to_owned);
    match kind(text(payload, "type")?, text(told, "type")?)? {
        Subject::Command => Some((id, json!({ "command": at(told, "command") }))),
        Subject::Files => Some((id, json!({ "changes": at(told, "changes").map(by_path) }))),
        Subject::Tool => {
            let given = at(told, "invocation.arguments").or(at(told, "arguments"));
            Some((id, given.cloned().unwrap_or_default()))
        }
    }
}

enum Subject {
    Command,
    Files,
    /// A tool of another program.
    Tool,
}

fn kind(event: &str, item: &str) -> Option<Subject> {
    match event {
        "exec_command_end" => Some(Subject::Command),
        "patch_apply_end" => Some(Subject::Files),
        "mcp_tool_call_end" => Some(Subject::Tool),
        // Versions write the words of a name together in one way or another.
        "item_completed" => match &*item.replace('_', "").to_ascii_lowercase() {
            "commandexecution" => Some(Subject::Command),
            "filechange" => Some(Subject::Files),
            "mcptoolcall" => Some(Subject::Tool),
            _ => None,
        },
        _ => None,
    }
}

fn went_well(told: &Payload<'_>) -> Option<bool> {
    match told.status.0.as_ref() {
        "completed" => Some(true),
        "failed" | "declined" | "interrupted" => Some(false),
        _ => None,
    }
}

/// The number of the change of a file.
fn number(change: &FileChange<'_>) -> i64 {
    let lines: Vec<&str> = change.content().lines().collect();
    match change.kind() {
        "add" => of_lines(&[], &lines),
        "delete" => of_lines(&lines, &[]),
        _ => {
            let hunks = change.diff().find("@@").map_or("", |start| &change.diff()[start..]);
            of_patch(hunks)
        }
    }
}
