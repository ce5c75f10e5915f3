//! Codex: a line an event, with a running total of tokens. A session that was started by another begins with that one's totals.

mod ended;
mod line;

use std::sync::Arc;

use aside_core::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{BorrowingReader, FileFacts, escapes, json, moment, typed::is_typed};
use crate::{
    lenient::Object,
    record::{Call, Details, Ending, Found, Message, Place, Response, ResponseKey, Role, Tokens},
    touch::{Input, of_patch, patched},
};
use line::{Counts, Info, Line, Payload};

/// Counts that come within this many milliseconds of a started session's first one are those of the session that started it.
const REPLAY: i64 = 1000;
/// Very old logs don't name the model.
const ASSUMED: &str = "gpt-5";

/// What has to be remembered between lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The session that the file belongs to.
    pub session: String,
    /// The first record said that Codex wrote this.
    #[serde(default)]
    ours: Option<bool>,
    #[serde(default)]
    workspace: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    totals: Totals,
    /// It was started by another session, and its first count came then, if one came.
    #[serde(default)]
    started: Option<Option<i64>>,
    /// When something was first said or done in a session that was started by another.
    #[serde(default)]
    begun: Option<i64>,
}

/// Counts as Codex has them: the input with what was cached of it, the output with the reasoning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Totals {
    input: u64,
    cached: u64,
    output: u64,
    reasoning: u64,
    total: u64,
}

impl Totals {
    fn since(&self, before: &Self) -> Self {
        Self {
            input: self.input.saturating_sub(before.input),
            cached: self.cached.saturating_sub(before.cached),
            output: self.output.saturating_sub(before.output),
            reasoning: self.reasoning.saturating_sub(before.reasoning),
            total: self.total.saturating_sub(before.total),
        }
    }

    fn tokens(&self) -> Tokens {
        let cache_read = self.cached.min(self.input);
        // Where only the sum is known, what is not input is output.
        let output = if self.output == 0 { self.total.saturating_sub(self.input) } else { self.output };
        Tokens { input: self.input - cache_read, output, cache_read, ..Tokens::default() }
    }
}

impl From<&Counts> for Totals {
    fn from(counts: &Counts) -> Self {
        Self {
            input: counts.input_tokens.or_zero(),
            cached: counts.cached_input_tokens.or_zero(),
            output: counts.output_tokens.or_zero(),
            reasoning: counts.reasoning_output_tokens.or_zero(),
            total: counts.total_tokens.or_zero(),
        }
    }
}

impl State {
    pub fn new(facts: &FileFacts) -> Self {
        Self { session: facts.session.clone(), ..Self::default() }
    }

    /// Knows that Codex wrote what comes, without having seen that it says so.
    pub fn amid(self) -> Self {
        Self { ours: Some(true), ..self }
    }

    /// The first record: whose log it is.
    fn begin(&mut self, payload: &Payload<'_>, found: &mut Found) {
        let written_by = payload.originator.0.get(..5).unwrap_or_default();
        let ours = payload.originator.get().is_none() || written_by.eq_ignore_ascii_case("codex");
        self.ours = Some(ours);
        if !ours {
            return;
        }
        if let Some(id) = payload.id.owned() {
            found.sessions[0].id.clone_from(&id);
            self.session = id;
        }
        found.sessions[0].branch = payload.git.0.branch.owned();
        if payload.source.0.subagent.0.thread_spawn.is_some() {
            self.started = Some(None);
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

    fn count(&mut self, info: &Info, at: Option<Timestamp>, place: Place, found: &mut Found) {
        let totals = info.total_token_usage.as_ref().map(|counts| Totals::from(&counts.0));
        let last = info.last_token_usage.as_ref().map(|counts| Totals::from(&counts.0));
        // The same totals again are no new usage, whenever they are told.
        if totals.is_none() && last.is_none() || totals.is_some_and(|totals| totals == self.totals) {
            return;
        }
        let before = self.totals;
        self.totals = totals.unwrap_or(before);
        if self.is_replay(at) {
            return;
        }
        let used = last.or_else(|| totals.map(|totals| totals.since(&before))).unwrap_or_default();
        let tokens = used.tokens();
        if tokens.total() > 0 {
            found.responses.push(self.response(&used, tokens, at, place));
        }
    }

    /// A replay is written at once, with all that was said: what is counted later than that is the session's own.
    fn is_replay(&mut self, at: Option<Timestamp>) -> bool {
        let (Some(first), Some(at)) = (&mut self.started, at) else { return false };
        if first.is_none() && self.begun.is_some_and(|begun| at.0 >= begun.saturating_add(REPLAY)) {
            *first = Some(i64::MIN);
        }
        let first = *first.get_or_insert(at.0);
        (first..first.saturating_add(REPLAY)).contains(&at.0)
    }

    fn response(&self, used: &Totals, tokens: Tokens, at: Option<Timestamp>, place: Place) -> Response {
        let model = self.model.as_deref().unwrap_or(ASSUMED);
        let Totals { input, cached, output, reasoning, total } = used;
        // A copy of the log elsewhere has the same time, model and counts. The name comes last: it may be any text.
        let key = at.map(|at| ResponseKey {
            message: format!("{} {input} {cached} {output} {reasoning} {total} {model}", at.0),
            request: None,
        });
        Response {
            session: 0,
            at,
            model: Some(model.into()),
            provider: None,
            assumed: self.model.is_none(),
            fast: false,
            tokens,
            recorded: None,
            key,
            side: false,
            workspace: self.workspace.as_deref().map(Arc::from),
            place,
        }
    }

    fn item(&self, kind: &str, payload: &Payload<'_>, at: Option<Timestamp>, place: Place, found: &mut Found) {
        match kind {
            "message" => found.messages.extend(message(payload, at, place)),
            "function_call" | "custom_tool_call" | "local_shell_call" => {
                found.calls.push(self.call(payload, at, place));
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
        if payload.name.0 == "apply_patch" && touches.is_empty() {
            touches = patched(&payload.input.0, self.workspace.as_deref());
            edited = Some(of_patch(&payload.input.0)).filter(|change| *change != 0);
        }
        Call {
            session: 0,
            at,
            name: name.into(),
            id: payload.call_id.owned(),
            command: arguments.command(name),
            touches,
            edited,
            arguments: None,
            ok: None,
            side: self.started.is_some(),
            place,
        }
    }
}

impl BorrowingReader for State {
    type Line<'a> = Line<'a>;

    fn take(&mut self, line: &Line<'_>, place: Place, found: &mut Found) {
        let at = moment(&line.timestamp);
        let payload = &line.payload.0;
        match line.bare.kind.0.as_ref() {
            "session_meta" if self.ours.is_none() => self.begin(payload, found),
            "" if self.ours.is_none() => self.begin_old(line, found),
            _ => {}
        }
        if self.ours != Some(true) {
            return;
        }
        found.sessions[0].saw(at);
        match (line.bare.kind.0.as_ref(), payload.kind.0.as_ref()) {
            ("turn_context", _) => self.turn(payload, found),
            ("event_msg", "token_count") => self.count(&payload.info.0, at, place, found),
            // Very old logs have items without an envelope.
            (kind, "") => {
                if self.workspace.is_none()
                    && let Some(folder) = told_folder(&line.bare)
                {
                    self.ran_in(folder, found);
                }
                self.item(kind, &line.bare, at, place, found);
            }
            ("response_item", kind) => {
                if self.started.is_some() {
                    self.begun = self.begun.or(at.map(|at| at.0));
                }
                self.item(kind, payload, at, place, found);
            }
            _ => {}
        }
    }

    fn take_details(line: &Value, details: &mut Details) -> Vec<(Option<String>, Value)> {
        let item = match json::text(line, "type") {
            Some("response_item") => json::at(line, "payload"),
            _ if json::at(line, "payload").is_none() => Some(line),
            _ => None,
        };
        let Some(item) = item else { return Vec::new() };
        match json::text(item, "type") {
            Some("function_call" | "custom_tool_call" | "local_shell_call") => {
                let parsed = json::text(item, "arguments").and_then(|text| escapes::parse(text).ok());
                let parsed = parsed.or_else(|| json::at(item, "action").cloned());
                // A patch stands beside the arguments, as it is.
                let bare = || json::text(item, "input").map(|input| serde_json::json!({ "input": input }));
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

fn message(payload: &Payload<'_>, at: Option<Timestamp>, place: Place) -> Option<Message> {
    let role = match payload.role.0.as_ref() {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        // What the program tells the model.
        _ => return None,
    };
    let is_said = |text: &&str| role == Role::Assistant || is_typed(text);
    let text = payload.said().filter(is_said).collect::<Vec<_>>().join("\n");
    let said = !text.trim().is_empty();
    said.then(|| Message { session: 0, role, at, id: payload.id.owned(), side: false, text, place })
}

/// The folder that a session ran in, as very old logs tell it: in what the model is told first.
fn told_folder(payload: &Payload<'_>) -> Option<String> {
    let told = payload.said().find(|text| text.starts_with("<environment_context>"))?;
    let plain = || told.lines().find_map(|line| line.strip_prefix("Current working directory: "));
    let tagged = told.split_once("<cwd>").and_then(|(_, rest)| rest.split_once("</cwd>")).map(|(folder, _)| folder);
    tagged.or_else(plain).map(str::trim).filter(|folder| !folder.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Reader, Source};

    const META: &str = r#"{"timestamp":"2026-06-30T10:00:00.000Z","type":"session_meta","payload":{"id":"thread","cwd":"/w","originator":"codex_cli_rs","git":{"branch":"main"}}}"#;
    const TURN: &str = r#"{"type":"turn_context","payload":{"model":"gpt-5-codex"}}"#;

    fn read(lines: &[&str]) -> Found {
        let mut found = Found::default();
        let log = lines.join("\n") + "\n";
        Reader::new(Source::Codex, &FileFacts { session: "file".to_owned(), document: false }).read(
            log.as_bytes(),
            0,
            &mut found,
        );
        found.match_endings();
        found
    }

    fn usage(of: [u64; 3]) -> String {
        let [input, cached, output] = of;
        format!(
            r#"{{"input_tokens":{input},"cached_input_tokens":{cached},"output_tokens":{output},"reasoning_output_tokens":0,"total_tokens":{}}}"#,
            input + output
        )
    }

    fn count(second: u32, total: [u64; 3], last: Option<[u64; 3]>) -> String {
        let last = last.map_or_else(String::new, |last| format!(r#","last_token_usage":{}"#, usage(last)));
        format!(
            r#"{{"timestamp":"2026-06-30T10:00:{second:02}.000Z","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{}{last}}}}}}}"#,
            usage(total)
        )
    }

    fn used(found: &Found) -> Vec<(u64, u64, u64)> {
        found.responses.iter().map(|one| (one.tokens.input, one.tokens.cache_read, one.tokens.output)).collect()
    }

    #[test]
    fn what_was_used_is_counted_once() {
        let first = count(1, [100, 40, 10], Some([100, 40, 10]));
        let again = count(2, [100, 40, 10], Some([100, 40, 10]));
        let only_totals = count(3, [300, 140, 30], None);
        let empty = r#"{"type":"event_msg","payload":{"type":"token_count","info":null}}"#;
        let found = read(&[META, TURN, empty, &first, &again, &only_totals]);
        assert_eq!(used(&found), [(60, 40, 10), (100, 100, 20)]);
        assert_eq!(found.responses[0].model.as_deref(), Some("gpt-5-codex"));
        assert_eq!((found.sessions[0].id.as_str(), found.sessions[0].branch.as_deref()), ("thread", Some("main")));
        assert!(!found.responses[0].assumed);
    }

    #[test]
    fn a_started_session_does_not_count_what_it_replays() {
        let meta = META.replace(r#""git""#, r#""source":{"subagent":{"thread_spawn":{"depth":1}}},"git""#);
        let replay = count(5, [100, 40, 10], Some([100, 40, 10]));
        let own = count(7, [150, 60, 15], None);
        assert_eq!(used(&read(&[&meta, TURN, &replay, &own])), [(30, 20, 5)]);
        // One that was told what to do and answered later replays nothing.
        let said = |second: u32| {
            format!(
                r#"{{"timestamp":"2026-06-30T10:00:{second:02}.000Z","type":"response_item","payload":{{"type":"message","role":"user","content":"do it"}}}}"#
            )
        };
        assert_eq!(used(&read(&[&meta, TURN, &said(2), &replay, &own])), [(60, 40, 10), (30, 20, 5)]);
        assert_eq!(used(&read(&[&meta, TURN, &said(5), &replay, &own])), [(30, 20, 5)]);
    }

    #[test]
    fn logs_of_other_programs_are_left_and_very_old_ones_are_read() {
        let first = count(1, [100, 40, 10], None);
        assert!(read(&[&META.replace("codex_cli_rs", "another"), &first]).responses.is_empty());
        assert!(read(&[&first]).responses.is_empty());
        let old = read(&[r#"{"id":"x","timestamp":"2025-05-01T00:00:00Z","git":null}"#, &first]);
        assert_eq!(used(&old), [(60, 40, 10)]);
        assert!(old.responses[0].assumed);
    }

    #[test]
    fn items_of_very_old_logs_stand_in_the_line_itself() {
        let begun =
            r#"{"id":"old","timestamp":"2025-05-07T17:24:21.123Z","instructions":null,"git":{"branch":"main"}}"#;
        let told = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\nCurrent working directory: /w\nApproval policy: never"}]}"#;
        let said = r#"{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"fix it"}]}"#;
        let call = r#"{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}","call_id":"c"}"#;
        let output = r#"{"type":"function_call_output","call_id":"c","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":0}}"}"#;
        let found = read(&[begun, r#"{"record_type":"state"}"#, told, said, call, output]);
        let session = &found.sessions[0];
        let known =
            (session.id.as_str(), session.branch.as_deref(), session.workspace.as_deref(), session.first.is_some());
        assert_eq!(known, ("old", Some("main"), Some("/w"), true));
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["fix it"]);
        let calls: Vec<_> = found.calls.iter().map(|call| (call.command.as_deref(), call.ok)).collect();
        assert_eq!(calls, [(Some("make"), Some(true))]);
        // Lines of another program that name no session are none.
        assert!(read(&[said]).messages.is_empty());
    }

    #[test]
    fn what_a_call_was_told_is_its_own_whatever_stands_before_it() {
        let call = |id: &str, path: &str| {
            let arguments = serde_json::json!({ "path": path }).to_string();
            serde_json::json!({ "type": "response_item", "payload": { "type": "function_call", "name": "read_file",
                "call_id": id, "arguments": arguments } })
        };
        let log = [call("c0", "early").to_string(), META.to_owned(), call("c1", "late").to_string()].join("\n") + "\n";
        let mut found = Found { details: Some(Details::default()), ..Found::default() };
        Reader::new(Source::Codex, &FileFacts::default()).read(log.as_bytes(), 0, &mut found);
        assert_eq!(found.calls.len(), 1);
        assert_eq!(found.calls[0].arguments, Some(serde_json::json!({ "path": "late" })));
    }

    #[test]
    fn what_nobody_typed_is_no_message_of_the_person() {
        let said = |blocks: &[&str]| {
            let content: Vec<Value> =
                blocks.iter().map(|text| serde_json::json!({ "type": "input_text", "text": text })).collect();
            let payload = serde_json::json!({ "type": "message", "role": "user", "content": content });
            serde_json::json!({ "type": "response_item", "payload": payload }).to_string()
        };
        let lines = [
            said(&["# AGENTS.md instructions for /w\n\nnever revert", "<environment_context>\n  <cwd>/w</cwd>"]),
            said(&["<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"]),
            said(&["<environment_context>\n</environment_context>", "fix it"]),
        ];
        let found = read(&[META, &lines[0], &lines[1], &lines[2]]);
        assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["fix it"]);
    }

    #[test]
    fn calls_have_their_files_commands_and_endings() {
        let patch = r#"{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"*** Begin Patch\n*** Update File: a.rs\n*** End Patch"}}"#;
        let shell = r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c2","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}"}}"#;
        let failed = r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}"}}"#;
        let found = read(&[META, patch, shell, failed]);
        assert_eq!(found.calls[0].touches[0], crate::Touch { path: "/w/a.rs".to_owned(), mode: Mode::Write });
        assert_eq!((found.calls[1].command.as_deref(), found.calls[1].ok), (Some("make"), Some(false)));
        let pieces = r#"{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":[{"type":"input_text","text":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess"}]}}"#;
        assert_eq!(read(&[META, patch, pieces]).calls[0].ok, Some(true));
        let line = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.rs\n+x\n*** End Patch\nEOF";
        let local = serde_json::json!({ "type": "response_item", "payload": { "type": "local_shell_call", "call_id": "c3",
            "action": { "type": "exec", "command": ["bash", "-lc", line], "working_directory": "/w/src" } } });
        let call = &read(&[META, &local.to_string()]).calls[0];
        assert_eq!((&*call.name, call.command.as_deref()), ("local_shell", Some(line)));
        assert_eq!(call.touches[0], crate::Touch { path: "/w/src/b.rs".to_owned(), mode: Mode::Write });
    }
}
