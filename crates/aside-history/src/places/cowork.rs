//! Where Claude's desktop app keeps the sessions of Cowork: each has a folder of Claude Code of its own, deep below much else.
//!
//! ```text
//! <organisation>/<account>/local_<id>.json                                   its name and its folders
//! <organisation>/<account>/local_<id>/.claude/projects/<slug>/<session>…     logs of Claude Code
//! <organisation>/<account>/local_<id>/audit.jsonl                            the same events once more
//! ```

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{editors::bases, roots::expand};
use crate::FileFacts;

const FOLDER: &str = "Claude/local-agent-mode-sessions";

/// The folders of all systems; that of the app as Windows' store packs it, too.
pub fn roots(home: &Path, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    if let Some(named) = environment("COWORK_SESSIONS_DIR").filter(|path| !path.trim().is_empty()) {
        let named = named.split(',').map(str::trim).filter(|path| !path.is_empty());
        return named.map(|path| expand(path, home)).collect();
    }
    let packed = home.join("AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming");
    bases(home, environment).into_iter().chain([packed]).map(|base| base.join(FOLDER)).collect()
}

/// Reads the facts of a log from its path below the folder; none if it is no log.
pub fn facts(path: &str) -> Option<FileFacts> {
    let mut parts = path.split('/').skip_while(|part| !part.starts_with("local_"));
    let folder = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    match &rest[..] {
        ["audit.jsonl"] => Some(FileFacts { session: folder.to_owned(), document: true }),
        [".claude", "projects", _, session, ..] if path.ends_with(".jsonl") => {
            let session = session.strip_suffix(".jsonl").unwrap_or(session);
            Some(FileFacts { session: session.to_owned(), document: false })
        }
        _ => None,
    }
}

/// Tells whether a folder may hold logs: what a person or a model keeps beside them is not looked through.
pub fn holds_logs(path: &Path) -> bool {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let Some(at) = parts.iter().position(|part| part.starts_with("local_")) else {
        return parts.last().is_none_or(|name| !matches!(&**name, "skills-plugin" | "node_modules" | ".git"));
    };
    parts[at + 1..].iter().zip([".claude", "projects"]).all(|(part, known)| part == known)
}

/// Tells whether a stream of events says nothing but what logs beside it say.
pub fn is_repeated(stream: &Path) -> bool {
    let projects = stream.with_file_name(".claude").join("projects");
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut logs = entries(&projects).flat_map(|project| entries(&project).collect::<Vec<_>>());
    stream.file_name().is_some_and(|name| name == "audit.jsonl")
        && logs.any(|log| log.extension().is_some_and(|ending| ending == "jsonl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_logs_are_looked_through() {
        for (path, looked) in [
            ("org", true),
            ("org/account", true),
            ("org/account/skills-plugin", false),
            ("org/account/local_1", true),
            ("org/account/local_1/outputs", false),
            ("org/account/local_1/.claude", true),
            ("org/account/local_1/.claude/projects/-w/s/subagents", true),
            ("org/account/local_1/.claude/debug", false),
        ] {
            assert_eq!(holds_logs(Path::new(path)), looked, "{path}");
        }
    }
}
