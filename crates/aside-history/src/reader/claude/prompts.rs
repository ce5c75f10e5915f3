//! `history.jsonl`: what was typed in all folders. Of folders whose logs are there it says nothing that these don't; of those of very old
//! versions, which kept no logs, it is all that is left.

use std::{collections::HashSet, fs, path::Path, sync::Arc};

use super::{Line, time_of};
use crate::record::{Found, Message, Place, Role, Session};

/// The name of the file.
pub const FILE: &str = "history.jsonl";
/// What those versions left in a folder of logs.
const LEFT: &str = ".continuation_cache.json";

/// Takes in what was typed; false if a line is none of that file.
pub fn take(line: &Line<'_>, place: Place, found: &mut Found) -> bool {
    let (Some(text), Some(project)) = (line.display.get(), line.project.get()) else { return false };
    let id = line.session.owned().unwrap_or_else(|| format!("history of {project}"));
    let at = time_of(line);
    let session = found.sessions.iter().position(|session| session.id == id).unwrap_or_else(|| {
        found.sessions.push(Session::new(id));
        found.sessions.len() - 1
    });
    found.sessions[session].saw(at);
    found.sessions[session].workspace.get_or_insert_with(|| project.into());
    let text = text.to_owned();
    found.messages.push(Message { session, role: Role::User, at, id: None, side: false, text, place });
    true
}

/// Leaves out what was typed in folders that have logs, or never had what those versions left. `path` is that of the file, which lies beside the
/// folders of logs.
pub fn keep_old(path: &Path, found: &mut Found) {
    let logs = path.with_file_name("projects");
    let mut old: HashSet<Arc<str>> = HashSet::new();
    let folders: HashSet<Arc<str>> = found.sessions.iter().filter_map(|session| session.workspace.clone()).collect();
    old.extend(folders.into_iter().filter(|folder| has_no_logs(&logs.join(slug(folder)))));
    let is_old = |session: &Session| session.workspace.as_ref().is_some_and(|folder| old.contains(folder));
    let sessions = &found.sessions;
    found.messages.retain(|message| is_old(&sessions[message.session]));
    for session in found.sessions.iter_mut().filter(|session| !is_old(session)) {
        *session = Session::new(std::mem::take(&mut session.id));
    }
}

fn has_no_logs(folder: &Path) -> bool {
    let names = || fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names().any(|name| name == LEFT)
        && !names().any(|name| Path::new(&name).extension().is_some_and(|end| end == "jsonl"))
}

/// How Claude Code calls the logs of a folder: by its path, with a dash for all that is no letter or digit.
fn slug(folder: &str) -> String {
    let dashes = |character: char| {
        if character.is_ascii_alphanumeric() { String::from(character) } else { "-".repeat(character.len_utf16()) }
    };
    folder.chars().map(dashes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_called_by_its_path() {
        assert_eq!(slug("/home/me/my_app.v2"), "-home-me-my-app-v2");
        assert_eq!(slug("/w/é😀"), "-w----");
    }
}
