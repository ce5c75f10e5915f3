//! Codex: a line an event, with a running total of tokens. A fork and a session that another one started begin with a copy of that one.

mod change;
mod code;
mod ended;
mod event;
mod line;
mod replay;
mod totals;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use aside_core::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{BorrowingReader, FileFacts, escapes, json, moment, typed::is_typed};
use crate::{
    lenient::Object,
    record::{Call, Details, Ending, Found, Message, Place, Response, ResponseKey, Role},
    touch::{Input, of_patch, patched},
};
use event::{CallEvent, Recent};
use line::{Info, Line, Numeral, Payload};
use replay::{LineKind, Replay, Sign, Whose};
use totals::Totals;

/// Very old logs don't name the model.
const ASSUMED: &str = "gpt-5";

/// What has to be remembered between lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The session that the file belongs to.
    pub session: String,
    /// The first record was one of Codex, whoever ran it.
    #[serde(default)]
    ours: Option<bool>,
    #[serde(default)]
    workspace: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    totals: Totals,
    /// The last count, and the kind of its line; the other kind may tell of it again.
    #[serde(default)]
    counted: Option<(CountedBy, Totals)>,
    /// It was started by another session.
    #[serde(default)]
    side: bool,
    #[serde(default)]
    replay: Option<Replay>,
    #[serde(default)]
    recent: Recent,
}

/// The lines that tell of tokens: newer versions write both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CountedBy {
    /// The running total.
    Total,
    /// The record of one response.
    Record,
}

impl State {
    pub fn new(facts: &FileFacts) -> Self {
        Self { session: facts.session.clone(), ..Self::default() }
    }

    /// Knows that Codex wrote what comes, without having seen that it says so.
    pub fn amid(self) -> Self {
        Self { ours: Some(true), ..self }
    }

    /// The first record: its form tells that it is one of Codex, and not the name of the program that ran it.
    fn begin(&mut self, payload: &Payload<'_>, at: Option<Timestamp>, found: &mut Found) {
        self.ours = Some(true);
        if let Some(id) = payload.id.owned() {
            found.sessions[0].id.clone_from(&id);
            self.session = id;
        }
        found.sessions[0].branch = payload.git.0.branch.owned();
        let started_by = &payload.source.0.subagent;
        self.side = started_by.is_some();
        let has_parent = payload.forked_from_id.get().or(payload.parent_thread_id.get()).is_some();
        if has_parent || started_by.as_ref().is_some_and(|by| by.0.thread_spawn.is_some()) {
            let since = moment(&payload.timestamp).or(at).map(|at| at.0);
            let first = number(&payload.subagent_history_start_ordinal);
            self.replay = Some(Replay::new(&self.session, self.side, since, first));
        }
        self.turn(payload, found);
    }

    /// The first record of a very old log.
    fn begin_old(&mut self, line: &Line<'_>, found: &mut Found) {
        let Some(id) = line.bare.id.owned() else { return self.ours = Some(false) };
        self.ours = Some(true);
        found.sessions[0].id.clone_from(&id);
        found.sessions[0].branch = line.bare.git.0.branch.owned();
        self.session = id;
    }

    fn ran_in(&mut self, folder: String, found: &mut Found) {
        found.sessions[0].workspace.get_or_insert_with(|| folder.as_str().into());
        self.workspace = Some(folder);
    }

    fn turn(&mut self, payload: &Payload<'_>, found: &mut Found) {
        if let Some(folder) = payload.cwd.owned() {
            self.ran_in(folder, found);
        }
        if let Some(model) = payload.model.owned() {
            self.model = Some(model);
        }
    }

    /// Tells whose a line is, and takes back what was taken for the session's own and is not.
    fn whose(&mut self, line: &Line<'_>, at: Option<Timestamp>, found: &mut Found) -> Whose {
        let Some(replay) = &mut self.replay else { return Whose::Own };
        let payload = &line.payload.0;
        let kind = match (line.bare.kind.0.as_ref(), payload.kind.0.as_ref()) {
            ("session_meta", _) => LineKind::Session,
            ("event_msg", "task_started" | "turn_started") => {
                LineKind::Turn { started: moment(&payload.started_at).map(|at| at.0), id: payload.turn_id.get() }
            }
            ("turn_context", _) => LineKind::Context { id: payload.turn_id.get() },
            _ => LineKind::Other,
        };
        let was_guess = replay.is_guess();
        let whose = replay.look(Sign { at: at.map(|at| at.0), ordinal: number(&line.ordinal), kind });
        if whose == Whose::OwnFromHere {
            found.only_repeated();
            found.anew |= was_guess;
        }
        whose
    }

    fn count(&mut self, info: &Info, (whose, at, place): (Whose, Option<Timestamp>, Place), found: &mut Found) {
        let totals = info.total_token_usage.as_ref().map(|counts| Totals::from(&counts.0));
        let last = info.last_token_usage.as_ref().map(|counts| Totals::from(&counts.0));
        // The same totals again are no new usage, whenever they are told.
        if totals.is_none() && last.is_none() || totals.is_some_and(|totals| totals == self.totals) {
            return;
        }
        let before = self.totals;
        self.totals = totals.unwrap_or(before);
        let used = last.or_else(|| totals.map(|totals| totals.since(&before))).unwrap_or_default();
        self.used(CountedBy::Total, (used, None), (whose, at, place), found);
    }

    /// Takes what an answer took, unless the other kind of line told of it just before.
    fn used(
        &mut self,
        by: CountedBy,
        (used, key): (Totals, Option<String>),
        (whose, at, place): (Whose, Option<Timestamp>, Place),
        found: &mut Found,
    ) {
        if self.counted.take_if(|(other, told)| *other != by && *told == used).is_some() {
            return;
        }
        self.counted = Some((by, used));
        if whose != Whose::Copied && used.tokens().total() > 0 {
            found.responses.push(self.response((&used, key), at, place));
        }
    }

    fn response(&self, (used, key): (&Totals, Option<String>), at: Option<Timestamp>, place: Place) -> Response {
        let model = self.model.as_deref().unwrap_or(ASSUMED);
        let Totals { input, cached, output, reasoning, total, .. } = used;
        // A copy of the log elsewhere has the same time, model and counts. The name comes last: it may be any text.
        let same = |at: Timestamp| format!("{} {input} {cached} {output} {reasoning} {total} {model}", at.0);
        let key = key.or_else(|| at.map(same)).map(|message| ResponseKey { message, request: None });
        Response {
            session: 0,
            at,
            model: Some(model.into()),
            provider: None,
            assumed: self.model.is_none(),
            fast: false,
            tokens: used.tokens(),
            longest: None,
            searches: 0,
            recorded: None,
            key,
            side: self.side,
            workspace: self.workspace.as_deref().map(Arc::from),
            place,
        }
    }

    fn item(&mut self, kind: &str, payload: &Payload<'_>, at: Option<Timestamp>, place: Place, found: &mut Found) {
        match kind {
            "message" => found.messages.extend(self.message(payload, at, place)),
            "function_call" | "custom_tool_call" | "local_shell_call" => {
                let call = self.call(payload, at, place);
                self.recent.add(&call, None);
                found.calls.push(call);
            }
            "function_call_output" | "custom_tool_call_output" => {
                let ok = payload.put_out().find_map(ended::went_well);
                let ending = payload.call_id.owned().zip(ok).map(|(id, ok)| Ending { id, ok });
                found.endings.extend(ending);
            }
            _ => {}
        }
    }

    fn call(&self, payload: &Payload<'_>, at: Option<Timestamp>, place: Place) -> Call {
        let text = escapes::whole(&payload.arguments.0);
        let parsed: Object<Input> = serde_json::from_str(&text).unwrap_or_default();
        let is_shell = payload.kind.0 == "local_shell_call";
        let (name, arguments) =
            if is_shell { ("local_shell", &payload.action.0) } else { (payload.name.0.as_ref(), &parsed.0) };
        let mut touches = arguments.touches(name, self.workspace.as_deref());
        let mut edited = arguments.edited();
        let mut command = arguments.command(name);
        let code = Some(&*payload.input.0).filter(|_| is_code(name));
        let patch = match code {
            Some(code) => code::patch(code),
            None => payload.input.owned().filter(|_| name == "apply_patch" && touches.is_empty()),
        };
        if let Some(patch) = patch {
            touches = patched(&patch, self.workspace.as_deref());
            edited = Some(of_patch(&patch)).filter(|change| *change != 0);
        } else if let Some(code) = code {
            command = code::command(code);
        }
        Call {
            session: 0,
            at,
            name: name.into(),
            id: payload.call_id.owned(),
            command,
            touches,
            edited,
            arguments: None,
            ok: None,
            side: self.side,
            place,
        }
    }

    fn message(&self, payload: &Payload<'_>, at: Option<Timestamp>, place: Place) -> Option<Message> {
        let role = match payload.role.0.as_ref() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            // What the program tells the model.
            _ => return None,
        };
        let is_said = |text: &&str| role == Role::Assistant || is_typed(text);
        let text = payload.said().filter(is_said).collect::<Vec<_>>().join("\n");
        let said = !text.trim().is_empty();
        said.then(|| Message { session: 0, role, at, id: payload.id.owned(), side: self.side, text, place })
    }

    /// Takes how a call ended by an event, and the call itself if nothing else told of it.
    fn event(&mut self, event: CallEvent, at: Option<Timestamp>, place: Place, found: &mut Found) {
        match self.recent.find(&event) {
            Some(id) => found.endings.extend(event.ok.map(|ok| Ending { id, ok })),
            None => {
                let call = event.into_call(at, self.side, place);
                self.recent.add(&call, call.id.clone());
                found.calls.push(call);
            }
        }
    }
}

impl BorrowingReader for State {
    type Line<'a> = Line<'a>;

    fn take(&mut self, line: &Line<'_>, place: Place, found: &mut Found) {
        let at = moment(&line.timestamp);
        let payload = &line.payload.0;
        let is_first = self.ours.is_none();
        match line.bare.kind.0.as_ref() {
            "session_meta" if is_first => self.begin(payload, at, found),
            "" if is_first => self.begin_old(line, found),
            _ => {}
        }
        if self.ours != Some(true) {
            return;
        }
        found.sessions[0].saw(at);
        let whose = if is_first { Whose::Own } else { self.whose(line, at, found) };
        match (line.bare.kind.0.as_ref(), payload.kind.0.as_ref()) {
            ("turn_context", _) => self.turn(payload, found),
            ("event_msg", "token_count") => self.count(&payload.info.0, (whose, at, place), found),
            ("token_usage_record", _) => {
                let key = payload.response_id.get().map(|id| format!("response {id}"));
                self.used(CountedBy::Record, (Totals::from(&payload.usage.0), key), (whose, at, place), found);
            }
            ("event_msg", "thread_settings_applied") => {
                let settings = &payload.thread_settings.0;
                self.model = settings.model.owned().or(self.model.take());
                self.workspace = settings.cwd.owned().or(self.workspace.take());
            }
            ("event_msg", _) => {
                if let Some(event) = CallEvent::of(payload, self.workspace.as_deref()) {
                    self.event(event, at, place, found);
                }
            }
            // Very old logs have items without an envelope.
            (kind, "") => {
                if self.workspace.is_none()
                    && let Some(folder) = told_folder(&line.bare)
                {
                    self.ran_in(folder, found);
                }
                self.item(kind, &line.bare, at, place, found);
            }
            ("response_item", kind) => self.item(kind, payload, at, place, found),
            _ => {}
        }
        if whose == Whose::Copied {
            found.only_repeated();
        }
    }

    fn take_details(line: &Value, details: &mut Details) -> Vec<(Option<String>, Value)> {
        let item = match json::text(line, "type") {
            Some("event_msg") => return json::at(line, "payload").and_then(event::arguments).into_iter().collect(),
            Some("response_item") => json::at(line, "payload"),
            _ if json::at(line, "payload").is_none() => Some(line),
            _ => None,
        };
        let Some(item) = item else { return Vec::new() };
        match json::text(item, "type") {
            Some("function_call" | "custom_tool_call" | "local_shell_call") => {
                let parsed = json::text(item, "arguments").and_then(|text| escapes::parse(text).ok());
                let parsed = parsed.or_else(|| json::at(item, "action").cloned());
                // A patch stands beside the arguments, as it is, or in code.
                let is_code = json::text(item, "name").is_some_and(is_code);
                let plain = |input: &str| code::patch(input).filter(|_| is_code).unwrap_or_else(|| input.to_owned());
                let bare = || json::text(item, "input").map(|input| json!({ "input": plain(input) }));
                let id = json::text(item, "call_id").map(str::to_owned);
                return vec![(id, parsed.or_else(bare).unwrap_or_default())];
            }
            Some("function_call_output" | "custom_tool_call_output") => {
                if let (Some(id), Some(output)) = (json::text(item, "call_id"), json::at(item, "output")) {
                    details.results.insert(id.to_owned(), output.clone());
                }
            }
            _ => {}
        }
        Vec::new()
    }
}

/// The folder that a session ran in, as very old logs tell it: in what the model is told first.
fn told_folder(payload: &Payload<'_>) -> Option<String> {
    let told = payload.said().find(|text| text.starts_with("<environment_context>"))?;
    let plain = || told.lines().find_map(|line| line.strip_prefix("Current working directory: "));
    let tagged = told.split_once("<cwd>").and_then(|(_, rest)| rest.split_once("</cwd>")).map(|(folder, _)| folder);
    tagged.or_else(plain).map(str::trim).filter(|folder| !folder.is_empty()).map(str::to_owned)
}

/// Tells whether a tool of this name runs code that calls other tools.
fn is_code(name: &str) -> bool {
    name == "exec"
}

fn number(numeral: &Numeral<'_>) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
    numeral.get().map(|number| number as u64)
}
