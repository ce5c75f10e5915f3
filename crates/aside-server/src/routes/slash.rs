//! `slash`: the words with a slash that a thread knows. A workspace's own are in `.aside/commands`, a person's in
//! `commands` of their own folder, each in a file `NAME.md`.

use std::{path::Path, sync::Arc};

use aside_agent::{SlashCommand, built_in_commands, command_from_file};
use aside_core::{Attached, ThreadId};
use aside_macros::boxed;
use aside_protocol::{SlashWord, SlashWords};
use aside_store::TextFile;
use axum::{Extension, Json, extract::State};
use serde::Deserialize;

use crate::{
    access::Shown,
    app::{App, blocking},
    problem::{Asked, Problem},
};

/// Files of one folder that are looked at, and bytes of each.
const MOST: usize = 200;
const LONGEST: u64 = 32 << 10;

/// Which thread.
#[derive(Debug, Deserialize)]
pub struct Beside {
    thread: Option<ThreadId>,
}

/// Lists the words that are of use in a thread, or in a new one.
#[boxed]
pub async fn list(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(beside): Asked<Beside>,
) -> Result<Json<SlashWords>, Problem> {
    let commands = usable(&app, &shown, beside.thread.as_ref()).await?;
    let word = |command: SlashCommand| SlashWord { name: command.name, summary: command.summary };
    Ok(Json(SlashWords { words: commands.into_iter().map(word).collect() }))
}

/// Returns what goes along with a message that begins with such a word.
#[boxed]
pub async fn expanded(
    app: &Arc<App>,
    shown: &Shown,
    thread: Option<&ThreadId>,
    text: &str,
) -> Result<Option<Attached>, Problem> {
    if !text.trim_start().starts_with('/') {
        return Ok(None);
    }
    Ok(aside_agent::expanded_command(text, &usable(app, shown, thread).await?))
}

async fn usable(app: &Arc<App>, shown: &Shown, thread: Option<&ThreadId>) -> Result<Vec<SlashCommand>, Problem> {
    let thread = thread.map(|id| app.agents.thread(id)).transpose()?;
    if let Some(thread) = &thread {
        shown.check_thread(thread)?;
    }
    let may_write = app.agents.may_write(thread.as_ref(), shown.grant());
    let folders = app.command_folders.clone();
    let mut commands =
        blocking(move || folders.iter().flat_map(|folder| in_folder(folder)).collect::<Vec<_>>()).await?;
    // The nearer one counts, and the built-in ones come last.
    commands.extend(built_in_commands());
    let mut seen = std::collections::BTreeSet::new();
    commands.retain(|command| seen.insert(command.name.clone()) && (may_write || !command.writes));
    commands.sort_by(|one, two| one.name.cmp(&two.name));
    Ok(commands)
}

/// Reads the commands of a folder; what can't be read is no command.
fn in_folder(folder: &Path) -> Vec<SlashCommand> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let command = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let text = TextFile::new(entry.path(), LONGEST).read().ok().flatten().filter(|_| is_file)?;
        command_from_file(name.strip_suffix(".md")?, &text)
    };
    entries.flatten().take(MOST).filter_map(command).collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the test writes what a person would")]
mod tests {
    use super::*;

    #[test]
    fn files_are_commands_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("greet.md"), "# Greets\nHello $ARGUMENTS").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "no").unwrap();
        std::fs::create_dir(folder.path().join("sub.md")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link.md")).unwrap();
        let names: Vec<_> = in_folder(folder.path()).into_iter().map(|command| command.name).collect();
        assert_eq!(names, ["greet"]);
        assert!(in_folder(&folder.path().join("gone")).is_empty());
    }
}
