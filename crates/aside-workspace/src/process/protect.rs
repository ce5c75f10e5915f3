//! What in a workspace governs programs and agents: commands may read it and not write it, and Aside's own state they
//! don't even see.

use std::{
    fs,
    path::{Path, PathBuf},
};

use aside_core::{Protection, path_protection};

/// Entries that are looked at; what is further on is looked after when the command has ended.
const MOST: usize = 200_000;

/// Folders of other people's programs, which are many and govern nobody.
pub(crate) const NOT_SEARCHED: &[&str] = &["node_modules", "target", ".venv", "venv", "__pycache__", "site-packages"];

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protected {
    pub read_only: Vec<PathBuf>,
    pub hidden: Vec<PathBuf>,
}

/// Tells whether a command may not write a path of the workspace, whether something is there or not.
pub(crate) fn is_protected(path: &str) -> bool {
    match path_protection(path) {
        Some(Protection::Git) => git_runs(path),
        Some(Protection::Own | Protection::AgentConfig | Protection::Runs) => true,
        None => false,
    }
}

/// Of git's own folder, what names programs to run. The rest is history, which a commit has to write.
fn git_runs(path: &str) -> bool {
    let parts: Vec<String> = path.split('/').map(str::to_lowercase).collect();
    let Some(at) = parts.iter().position(|part| part == ".git") else { return true };
    let inside = &parts[at + 1..];
    let last = inside.last().map_or("", String::as_str);
    match inside {
        [] => false,
        _ if inside.iter().any(|part| part == "hooks") => !last.ends_with(".sample"),
        [first, ..] if first == "info" => last == "attributes",
        _ => matches!(last, "config" | "config.worktree"),
    }
}

/// Finds what is protected and there. Links are not followed.
pub(crate) fn scan(workspace: &Path) -> Protected {
    let mut found = Protected::default();
    let mut ahead = vec![workspace.to_owned()];
    let mut seen = 0;
    while let Some(folder) = ahead.pop() {
        // What can't be read by us can't be read by a command either.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > MOST {
                return found;
            }
            look(workspace, &entry, &mut found, &mut ahead);
        }
    }
    found
}

fn look(workspace: &Path, entry: &fs::DirEntry, found: &mut Protected, ahead: &mut Vec<PathBuf>) {
    let (path, name) = (entry.path(), entry.file_name());
    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
    let relative = path.strip_prefix(workspace).unwrap_or(&path).to_string_lossy().into_owned();
    let name = name.to_string_lossy();
    if path_protection(&relative) == Some(Protection::Own) {
        found.hidden.push(path);
    } else if is_protected(&relative) || name == ".git" && !is_folder || name == "hooks" && in_git(&relative) {
        found.read_only.push(path);
    } else if is_folder && !NOT_SEARCHED.contains(&&*name) && !is_git_history(&relative) {
        ahead.push(path);
    }
}

fn in_git(relative: &str) -> bool {
    relative.split('/').any(|part| part == ".git")
}

/// Thousands of small folders that hold nothing else.
fn is_git_history(relative: &str) -> bool {
    in_git(relative)
        && [".git/objects", ".git/logs", ".git/refs", "/objects", "/lfs"].iter().any(|end| relative.ends_with(end))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use super::*;

    #[test]
    fn of_git_only_what_runs_is_protected() {
        for path in [
            ".git/hooks/pre-commit",
            ".git/config",
            ".git/modules/sub/config",
            ".git/modules/sub/hooks/x",
            ".git/info/attributes",
            "sub/.git/hooks/post-merge",
            ".envrc",
            ".vscode/tasks.json",
            ".aside/x",
            "AGENTS.md",
            ".GIT./config",
        ] {
            assert!(is_protected(path), "{path}");
        }
        for path in [".git/index", ".git/refs/heads/main", ".git/COMMIT_EDITMSG", ".git/hooks/a.sample", "src/config"] {
            assert!(!is_protected(path), "{path}");
        }
    }

    #[test]
    fn finds_what_is_there_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        for path in [".git/hooks", ".git/objects/ab", ".aside", "sub/.aside", "sub/.vscode", "node_modules/x/.github"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        fs::write(folder.path().join(".git/config"), "").unwrap();
        fs::write(folder.path().join("sub/.envrc"), "").unwrap();
        let found = scan(folder.path());
        let shown = |paths: &[PathBuf]| {
            let mut shown: Vec<String> =
                paths.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect();
            shown.sort();
            shown
        };
        assert_eq!(shown(&found.read_only), [".git/config", ".git/hooks", "sub/.envrc", "sub/.vscode"]);
        assert_eq!(shown(&found.hidden), [".aside", "sub/.aside"]);
    }
}
