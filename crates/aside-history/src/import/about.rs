//! Facts of a session that stand beside its log and not in it: the folder, the name, the model and the times.

use std::{collections::HashMap, path::Path, sync::Arc};

use aside_core::Timestamp;
use aside_store::TextFile;
use md5::{Digest as _, Md5};
use serde_json::Value;

use crate::{
    LogFile, Source,
    reader::{Reader, escapes, json},
    record::{Found, Role},
    touch::absolute,
};

/// Bytes of a file beside a log, and of what Grok showed.
const LONGEST: u64 = 16 << 20;

/// Programs that keep something beside their logs, and no time in some of them.
const PROGRAMS: [Source; 5] = [Source::Kimi, Source::Droid, Source::Grok, Source::Codebuff, Source::Cowork];

/// The facts that are known of a session without its log.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The folder that it ran in.
    pub workspace: Option<String>,
    /// A folder of the program's own, in which it ran in truth: what ran there counts as done in `workspace`.
    stage: Option<fn(&str) -> bool>,
    branch: Option<String>,
    title: Option<String>,
    /// The model that was chosen.
    pub model: Option<String>,
    began: Option<Timestamp>,
    /// When the log was written to: of what has no time.
    written: Option<Timestamp>,
    /// It is of a model that another started.
    side: bool,
    updates: GrokUpdates,
}

/// Times of questions and calls, and endings of calls, where only Grok's `updates.jsonl` tells them.
#[derive(Clone, Debug, Default)]
struct GrokUpdates {
    prompts: Vec<Timestamp>,
    calls: HashMap<String, (Option<Timestamp>, Option<bool>)>,
}

impl About {
    /// Reads the files beside a log; nothing for most programs.
    pub fn of(source: Source, log: &Path) -> Self {
        match source {
            Source::Kimi => kimi(log),
            Source::Droid => droid(log),
            Source::Grok => grok(log),
            Source::Codebuff => codebuff(log),
            Source::Cowork => cowork(log),
            _ => Self::default(),
        }
    }

    /// The same of a log that is known to have been written to then.
    pub fn of_log(log: &LogFile) -> Self {
        let written = (log.modified > 0).then_some(Timestamp(log.modified / 1_000_000));
        Self { written: written.filter(|_| PROGRAMS.contains(&log.source)), ..Self::of(log.source, &log.path) }
    }

    /// Gives a reader that begins what it will need.
    pub fn tell(&self, reader: &mut Reader) {
        reader.know(self.workspace.as_deref(), self.model.as_deref());
    }

    /// Adds to what was found.
    pub fn complete(&self, found: &mut Found) {
        self.complete_times(found);
        for session in &mut found.sessions {
            if let Some(folder) = self.folder(session.workspace.as_ref()) {
                session.workspace = Some(folder);
            }
            session.branch = session.branch.take().or_else(|| self.branch.clone());
            session.title = self.title.clone().or(session.title.take());
            session.saw(self.began);
        }
        for response in &mut found.responses {
            response.at = response.at.or(self.began).or(self.written);
            if let Some(folder) = self.folder(response.workspace.as_ref()) {
                response.workspace = Some(folder);
            }
            response.side |= self.side;
        }
        found.messages.iter_mut().for_each(|one| one.side |= self.side);
        found.calls.iter_mut().for_each(|one| one.side |= self.side);
    }

    /// The folder that counts in place of the one that is told, if another does.
    fn folder(&self, told: Option<&Arc<str>>) -> Option<Arc<str>> {
        let is_stage = told.is_none_or(|told| self.stage.is_some_and(|is_stage| is_stage(told)));
        self.workspace.as_deref().filter(|_| is_stage).map(Arc::from)
    }

    /// Gives times to what has none: that of its question or call, else that of what was before.
    fn complete_times(&self, found: &mut Found) {
        for call in &mut found.calls {
            let Some((at, ok)) = call.id.as_ref().and_then(|id| self.updates.calls.get(id)) else { continue };
            (call.at, call.ok) = (call.at.or(*at), call.ok.or(*ok));
        }
        let mut prompts = self.updates.prompts.iter().copied();
        let mut last = self.began;
        let mut calls = found.calls.iter_mut().peekable();
        for message in &mut found.messages {
            while let Some(call) = calls.next_if(|call| call.place < message.place) {
                last = call.at.or(last);
                call.at = last.or(self.written);
            }
            let asked = if message.role == Role::User { prompts.next() } else { None };
            last = message.at.or(asked).or(last);
            message.at = last.or(self.written);
        }
        for call in calls {
            last = call.at.or(last);
            call.at = last.or(self.written);
        }
    }
}

/// A file as JSON; none if it is not there or no JSON.
fn read(path: &Path) -> Option<Value> {
    escapes::parse(&TextFile::new(path.to_owned(), LONGEST).read().ok()??).ok()
}

fn text(value: Option<&Value>, path: &str) -> Option<String> {
    json::text(value?, path).map(str::to_owned)
}

/// Kimi: the group of a session is the MD5 of its folder; which folders there are stands beside the groups.
fn kimi(log: &Path) -> About {
    let Some(root) = log.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "sessions")) else {
        return About::default();
    };
    let below: Vec<_> = log.strip_prefix(root).into_iter().flatten().map(|part| part.to_string_lossy()).collect();
    let home = root.parent().unwrap_or(root);
    let group = below.first().map(|group| group.rsplit('_').next().unwrap_or(group).to_owned()).unwrap_or_default();
    let known = read(&home.join("kimi.json"));
    let folders =
        known.iter().flat_map(|known| json::list(known, "work_dirs")).filter_map(|one| json::text(one, "path"));
    let digest = |folder: &str| Md5::digest(folder).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let workspace = folders.into_iter().find(|folder| digest(folder) == group).map(str::to_owned);
    let session = below.get(1).map(|session| root.join(&*below[0]).join(&**session));
    let state = session.and_then(|session| read(&session.join("state.json")));
    let side = match &below[..] {
        [_, _, agents, agent, _] => agents == "subagents" || agents == "agents" && agent != "main",
        _ => false,
    };
    About { workspace, model: kimi_model(home), title: text(state.as_ref(), "custom_title"), side, ..About::default() }
}

/// The model that the settings choose, by the name that its maker gives it.
fn kimi_model(home: &Path) -> Option<String> {
    let settings = TextFile::new(home.join("config.toml"), LONGEST).read().ok().flatten();
    let settings: Option<toml::Table> = settings.and_then(|text| text.parse().ok());
    let chosen = settings.as_ref().and_then(|settings| settings.get("default_model")?.as_str().map(str::to_owned));
    let older = || {
        text(read(&home.join("config.json")).as_ref(), "model")
            .or_else(|| text(read(&home.join("config.json")).as_ref(), "default_model"))
    };
    let chosen = chosen.filter(|name| !name.is_empty()).or_else(older)?;
    let named = || settings.as_ref()?.get("models")?.get(&chosen)?.get("model")?.as_str().map(str::to_owned);
    Some(named().unwrap_or(chosen))
}

/// Droid: beside the sums of a session stands its log, whose first line names the folder.
fn droid(log: &Path) -> About {
    let Some(name) = log.file_name().map(|name| name.to_string_lossy()) else { return About::default() };
    let Some(session) = name.strip_suffix(".settings.json") else { return About::default() };
    let first = first_line(&log.with_file_name(format!("{session}.jsonl")));
    let title = text(first.as_ref(), "sessionTitle").or_else(|| text(first.as_ref(), "title"));
    About { workspace: text(first.as_ref(), "cwd"), title, ..About::default() }
}

fn first_line(path: &Path) -> Option<Value> {
    use std::io::{BufRead as _, BufReader, Read as _};
    let mut line = String::new();
    BufReader::new(crate::places::open(path).ok()?.take(LONGEST)).read_line(&mut line).ok()?;
    escapes::parse(&line).ok()
}

/// Grok: a summary has the folder and the name, what was shown has the times; the folder is the name of the folder above, too.
fn grok(log: &Path) -> About {
    let summary = read(&log.with_file_name("summary.json"));
    let summary = summary.as_ref();
    let session = log.parent();
    let above = session.and_then(Path::parent).and_then(Path::file_name).map(|name| decoded(&name.to_string_lossy()));
    let began = summary.and_then(|summary| json::moment(summary, "created_at"));
    let named = session.and_then(Path::file_name).and_then(|name| of_uuid(&name.to_string_lossy()));
    let is_chat = log.file_name().is_some_and(|name| name == "chat_history.jsonl");
    About {
        workspace: text(summary, "info.cwd").or(above),
        branch: text(summary, "head_branch"),
        title: text(summary, "generated_title").or_else(|| text(summary, "session_summary")),
        model: text(summary, "current_model_id"),
        began: began.or(named),
        updates: if is_chat { grok_updates(&log.with_file_name("updates.jsonl")) } else { GrokUpdates::default() },
        ..About::default()
    }
}

fn grok_updates(path: &Path) -> GrokUpdates {
    let mut updates = GrokUpdates::default();
    let Ok(Some(text)) = TextFile::new(path.to_owned(), LONGEST).read() else { return updates };
    let mut asks = None;
    for line in text.lines() {
        let Ok(line) = escapes::parse(line) else { continue };
        let Some(update) = json::at(&line, "params.update").or(line.get("update")) else { continue };
        let at = json::moment(&line, "params._meta.agentTimestampMs").or(json::moment(&line, "timestamp"));
        let kind = json::text(update, "sessionUpdate");
        if kind == Some("user_message_chunk") {
            // The chunks of one question follow each other.
            let index = Some(json::at(update, "_meta.promptIndex").cloned().unwrap_or_default());
            if asks != index {
                updates.prompts.extend(at);
                asks = index;
            }
            continue;
        }
        asks = None;
        let Some(id) = json::text(update, "toolCallId") else { continue };
        let call = updates.calls.entry(id.to_owned()).or_default();
        call.0 = call.0.or(at);
        match json::text(update, "status") {
            Some("completed") => call.1 = Some(true),
            Some("failed") => call.1 = Some(false),
            _ => {}
        }
    }
    updates
}

/// When a UUID of version 7 was made.
fn of_uuid(name: &str) -> Option<Timestamp> {
    let digits: String = name.chars().filter(|char| *char != '-').collect();
    let is_it = digits.len() == 32 && digits.as_bytes()[12] == b'7';
    let milliseconds = i64::from_str_radix(digits.get(..12).filter(|_| is_it)?, 16).ok()?;
    Some(Timestamp(milliseconds))
}

/// A path whose odd characters are written as `%2F`.
fn decoded(name: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), name.as_bytes());
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn codebuff(log: &Path) -> About {
    let state = read(&log.with_file_name("run-state.json"));
    About { workspace: text(state.as_ref(), "sessionState.fileContext.cwd"), ..About::default() }
}

/// Cowork: the app keeps the name of a session and its folders; the session itself runs in a folder of the app's.
fn cowork(log: &Path) -> About {
    let is_session =
        |folder: &&Path| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("local_"));
    let record = log.ancestors().find(is_session).and_then(|folder| read(&folder.with_extension("json")));
    let chosen = record.as_ref().and_then(|record| json::list(record, "userSelectedFolders").find_map(Value::as_str));
    About {
        workspace: chosen.map(|folder| absolute(folder, None)),
        stage: Some(|folder| folder.starts_with("/sessions/") || folder.contains("local-agent-mode-sessions")),
        title: text(record.as_ref(), "title"),
        began: record.as_ref().and_then(|record| json::moment(record, "createdAt")),
        ..About::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_tell_paths_and_times() {
        assert_eq!(decoded("%2Fhome%2Fme%2Fmy%20shop"), "/home/me/my shop");
        assert_eq!(of_uuid("019f6000-0000-7000-8000-000000000001"), Some(Timestamp(0x019f_6000_0000)));
        assert_eq!(of_uuid("019f6000-0000-4000-8000-000000000001"), None);
    }
}
