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

/// Tells whether a command may not write a file or link of the workspace, whether something is there or not. Of git's
/// own folder, that is everything but its history.
pub(crate) fn is_protected(path: &str) -> bool {
    match path_protection(path) {
        Some(Protection::Git) => git_part(path) != Some(GitPart::History),
        Some(Protection::Own | Protection::AgentConfig | Protection::Runs) => true,
        None => false,
    }
}

/// Tells whether everything in a folder governs programs or agents; git's own is not such a folder.
pub(crate) fn governs(folder: &str) -> bool {
    matches!(path_protection(folder), Some(Protection::AgentConfig | Protection::Runs))
}

/// What something in git's own folder is to git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GitPart {
    /// What a commit, a merge or a rebase has to write.
    History,
    /// A folder in which there can be both.
    Folder,
    /// What names programs to run, or a place where that is looked up, such as `config`, `hooks` and `commondir`; and
    /// whatever is not known.
    Runs,
}

/// What commits, merges and rebases keep in folders: thousands of small ones that hold nothing else. A rebase that is
/// left half done runs what its list says when somebody goes on with it, which git says before.
const HISTORY: &[&str] = &[
    "objects",
    "refs",
    "logs",
    "reftable",
    "lfs",
    "annex",
    "svn",
    "rr-cache",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
    "lost-found",
];

/// Returns what a path is to git; none outside of its folder, and for a `.git` that is a file or a link.
pub(crate) fn git_part(path: &str) -> Option<GitPart> {
    let parts: Vec<String> = path.split('/').map(str::to_lowercase).collect();
    let at = parts.iter().position(|part| part == ".git")?;
    let inside: Vec<&str> = parts[at + 1..].iter().map(String::as_str).collect();
    (!inside.is_empty()).then(|| part_inside(&inside))
}

fn part_inside(inside: &[&str]) -> GitPart {
    match inside {
        ["worktrees" | "modules" | "info"] | ["worktrees" | "modules", _] => GitPart::Folder,
        ["worktrees", _, "gitdir" | "locked"] | ["info", "exclude" | "refs" | "grafts" | "sparse-checkout"] => {
            GitPart::History
        }
        ["worktrees", _, rest @ ..] => part_inside(rest),
        ["modules", _, rest @ ..] => part_of_module(rest),
        ["hooks", .., last] if last.ends_with(".sample") => GitPart::History,
        [folder, ..] if HISTORY.contains(folder) => GitPart::History,
        [file] if is_state(file) => GitPart::History,
        _ => GitPart::Runs,
    }
}

/// A module is named for its path, so any folder may still be its name.
fn part_of_module(rest: &[&str]) -> GitPart {
    let known = |from: usize| Some(part_inside(&rest[from..])).filter(|part| *part != GitPart::Runs);
    (0..rest.len()).find_map(known).unwrap_or(GitPart::Runs)
}

/// Tells files that say how far git is. Those of an operation have a name in capitals with a bar, such as `MERGE_MSG`
/// and `ORIG_HEAD`.
fn is_state(file: &str) -> bool {
    let file = file.strip_suffix(".lock").unwrap_or(file);
    let of_operation = file.contains('_') && file.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    let names = ["head", "index", "packed-refs", "packed-refs.new", "shallow", "description", "gc.log", "gc.pid"];
    let starts = ["index.", "next-index-", "sharedindex.", "addp-hunk-edit."];
    of_operation || names.contains(&file) || starts.iter().any(|start| file.starts_with(start))
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
    if path_protection(&relative) == Some(Protection::Own) {
        found.hidden.push(path);
    } else if is_folder && holds_both(&relative) {
        ahead.push(path);
    } else if is_protected(&relative) {
        found.read_only.push(path);
    } else if is_folder && git_part(&relative).is_none() && !NOT_SEARCHED.contains(&&*name.to_string_lossy()) {
        ahead.push(path);
    }
}

/// Tells whether a folder is git's own, or one in it in which there can be both: history and what runs.
fn holds_both(relative: &str) -> bool {
    let (above, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    match git_part(relative) {
        Some(GitPart::Folder) => true,
        // A part of a module's name.
        Some(GitPart::Runs) => name != "hooks" && above.to_lowercase().contains(".git/modules/"),
        Some(GitPart::History) => false,
        None => name.to_lowercase() == ".git" && path_protection(above).is_none(),
    }
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
            ".git/commondir",
            ".git/CONFIG",
            ".git/config.lock",
            ".git/config.worktree",
            ".git/e/config",
            ".git/worktrees/x/commondir",
            ".git/modules/lib/sub/config",
            ".git/modules/lib/sub/commondir",
            ".git/branches/x",
            "sub/.git",
        ] {
            assert!(is_protected(path), "{path}");
        }
        for path in [
            ".git/index",
            ".git/index.lock",
            ".git/refs/heads/main",
            ".git/refs/heads/hooks/config",
            ".git/COMMIT_EDITMSG",
            ".git/AUTO_MERGE",
            ".git/packed-refs.lock",
            ".git/rebase-merge/git-rebase-todo",
            ".git/info/exclude",
            ".git/worktrees/x/HEAD",
            ".git/worktrees/x/gitdir",
            ".git/modules/lib/sub/index",
            ".git/hooks/a.sample",
            "src/config",
        ] {
            assert!(!is_protected(path), "{path}");
        }
    }

    #[test]
    fn finds_what_is_there_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            ".git/hooks",
            ".git/objects/ab",
            ".git/e/deep",
            ".git/modules/lib/sub/hooks",
            ".aside",
            "sub/.aside",
            "sub/.vscode",
            "node_modules/x/.github",
        ] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        fs::write(folder.path().join(".git/config"), "").unwrap();
        fs::write(folder.path().join("sub/.envrc"), "").unwrap();
        fs::write(folder.path().join(".git/HEAD"), "").unwrap();
        fs::write(folder.path().join(".git/modules/lib/sub/commondir"), "").unwrap();
        let found = scan(folder.path());
        let shown = |paths: &[PathBuf]| {
            let mut shown: Vec<String> =
                paths.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect();
            shown.sort();
            shown
        };
        let expected = [
            ".git/config",
            ".git/e",
            ".git/hooks",
            ".git/modules/lib/sub/commondir",
            ".git/modules/lib/sub/hooks",
            "sub/.envrc",
            "sub/.vscode",
        ];
        assert_eq!(shown(&found.read_only), expected);
        assert_eq!(shown(&found.hidden), [".aside", "sub/.aside"]);
    }
}
