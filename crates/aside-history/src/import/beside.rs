//! Files beside a log that say what the log does not: the folder of a session, its branch, when it was made.

use std::{path::Path, sync::Arc};

use aside_store::TextFile;

use crate::{
    LogFile, Source,
    reader::{claude, continue_dev, json},
    record::Found,
};

/// Adds what stands beside a log to what was found in it.
pub fn complete(log: &LogFile, found: &mut Found) {
    match log.source {
        Source::Copilot => copilot(&log.path, found),
        Source::Continue => dated(&log.path, found),
        Source::Cline => cline(&log.path, found),
        Source::Claude if log.path.ends_with(claude::prompts::FILE) => claude::prompts::keep_old(&log.path, found),
        _ => {}
    }
}

/// Bytes of what Copilot keeps beside a log.
const LONGEST_BESIDE: u64 = 1 << 16;

/// The folder and the branch of a session of Copilot, which stand beside its log: a line each, in a file of YAML.
fn copilot(log: &Path, found: &mut Found) {
    let Ok(Some(text)) = TextFile::new(log.with_file_name("workspace.yaml"), LONGEST_BESIDE).read() else { return };
    let named = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.trim();
        let bare = value.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
        Some(bare.unwrap_or(value)).filter(|value| !value.is_empty()).map(str::to_owned)
    };
    let Some(folder) = named("cwd").map(Arc::<str>::from) else { return };
    let branch = named("branch");
    for session in &mut found.sessions {
        session.workspace.get_or_insert_with(|| folder.clone());
        session.branch = session.branch.take().or_else(|| branch.clone());
    }
    for response in &mut found.responses {
        response.workspace.get_or_insert_with(|| folder.clone());
    }
}

/// The folder and the name of a session of Cline, version 4, which stand in a file of the folder's name.
fn cline(log: &Path, found: &mut Found) {
    let Some(folder) = log.parent() else { return };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok(Some(text)) = TextFile::new(folder.join(format!("{name}.json")), LONGEST_BESIDE).read() else { return };
    let told: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let place = json::text(&told, "cwd").or(json::text(&told, "workspace_root")).map(Arc::<str>::from);
    for session in &mut found.sessions {
        session.workspace = session.workspace.take().or_else(|| place.clone());
        session.title = session.title.take().or_else(|| json::text(&told, "metadata.title").map(str::to_owned));
        session.saw(json::moment(&told, "started_at"));
    }
    for response in &mut found.responses {
        response.workspace = response.workspace.take().or_else(|| place.clone());
        response.model = response.model.take().or_else(|| json::text(&told, "model").map(Arc::from));
    }
}

/// Bytes of Continue's list of its sessions.
const LONGEST_LIST: u64 = 16 << 20;

/// When a session of Continue was made, where only the list of all sessions beside its log says so.
fn dated(log: &Path, found: &mut Found) {
    let [session] = &mut found.sessions[..] else { return };
    if session.first.is_some() {
        return;
    }
    let Ok(Some(text)) = TextFile::new(log.with_file_name("sessions.json"), LONGEST_LIST).read() else { return };
    let list: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap_or_default();
    let named = |entry: &&serde_json::Value| json::text(entry, "sessionId") == Some(&session.id);
    let Some(at) = list.iter().find(named).and_then(continue_dev::created) else { return };
    session.saw(Some(at));
    found.messages.iter_mut().for_each(|one| _ = one.at.get_or_insert(at));
    found.calls.iter_mut().for_each(|one| _ = one.at.get_or_insert(at));
    found.responses.iter_mut().for_each(|one| _ = one.at.get_or_insert(at));
}
