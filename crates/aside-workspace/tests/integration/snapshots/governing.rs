//! What governs programs: a command changes none of it, wherever it stands.

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, process::Command};

use aside_core::WorkspacePath;
use aside_workspace::ChangedSince;

use super::{Place, words};

#[test]
fn what_governs_programs_is_put_back_at_once() {
    let place = Place::new(&[
        (".git/config", "[core]"),
        (".git/hooks/pre-commit", "#!/bin/sh"),
        (".envrc", "export A=1"),
        ("a.txt", "one"),
    ]);
    let before = place.tree();
    let compared = place.while_watched(|place| {
        place.put(".git/config", "[core]\nfsmonitor = evil");
        place.put(".git/hooks/post-merge", "evil");
        fs::remove_file(place.at(".git/hooks/pre-commit")).unwrap();
        fs::rename(place.at(".envrc"), place.at("envrc")).unwrap();
        place.put(".vscode/tasks.json", "evil");
        place.put("sub/AGENTS.md", "evil");
    });
    let put_back: Vec<_> = compared.put_back.iter().map(WorkspacePath::as_str).collect();
    let expected = [
        ".envrc",
        ".git/config",
        ".git/hooks/post-merge",
        ".git/hooks/pre-commit",
        ".vscode/tasks.json",
        "sub/AGENTS.md",
    ];
    assert_eq!(put_back, expected);
    assert_eq!(words(&compared), ["added envrc", "added sub"]);
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!(place.tree(), before);
}

#[test]
fn git_is_not_led_to_another_folder_s_settings() {
    let place = Place::new(&[(".git/HEAD", "ref: refs/heads/main"), (".git/config", "[core]"), ("sub/a.txt", "one")]);
    let before = place.tree();
    let elsewhere = format!("gitdir: {}/e\n", place.folder.path().display());
    let compared = place.while_watched(|place| {
        place.put(".git/commondir", "../e\n");
        place.put(".git/e/config", "[core]\n\tfsmonitor = evil");
        place.put(".git/worktrees/w/commondir", "../../../e\n");
        place.put("sub/.git", &elsewhere);
        symlink("../e", place.at(".git/modules")).unwrap();
        fs::create_dir(place.at("linked")).unwrap();
        symlink("../e", place.at("linked/.git")).unwrap();
        place.put("e/config", "[core]\n\tfsmonitor = evil");
    });
    let put_back: Vec<_> = compared.put_back.iter().map(WorkspacePath::as_str).collect();
    let expected =
        [".git/commondir", ".git/e/config", ".git/modules", ".git/worktrees/w/commondir", "linked/.git", "sub/.git"];
    assert_eq!((put_back, compared.not_put_back.len()), (expected.into(), 0));
    assert_eq!(words(&compared), ["added e", "added e/config", "added linked"]);
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    // Git does not look at folders that hold nothing.
    let mut left = place.tree();
    left.retain(|path, kind| !before.contains_key(path) && kind != "folder");
    assert_eq!(left, BTreeMap::new());
}

#[test]
fn what_git_itself_writes_stays() {
    let place = Place::new(&[(".gitignore", "ignored/\n"), ("a.txt", "one\n"), ("ignored/x", "x")]);
    let git = |script: &str| {
        let mut shell = Command::new("sh");
        shell.current_dir(place.folder.path()).args(["-ec", script]).env("GIT_CONFIG_GLOBAL", "/dev/null");
        for who in ["AUTHOR", "COMMITTER"] {
            shell.env(format!("GIT_{who}_NAME"), "A").env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        let said = shell.env("GIT_EDITOR", "true").output().unwrap();
        assert!(said.status.success(), "{script}: {}", String::from_utf8_lossy(&said.stderr));
    };
    git("git init --quiet --initial-branch=main; git add a.txt .gitignore; git commit -qm first; git branch side");
    for script in [
        "echo two > a.txt; git commit -qam second; git branch hooks/config; git tag -m t v1; git notes add -m n",
        "echo three > a.txt; git stash -q; git stash pop -q; git checkout -q a.txt",
        "git switch -q side; echo other > a.txt; git commit -qam third",
        // Both stop at a conflict, with how far they are.
        "! git merge -q main",
        "echo both > a.txt; git commit -qam merged",
        "git reset -q --hard HEAD~1; ! git rebase -q main",
        "echo both > a.txt; git add a.txt; git rebase --continue",
        "! git cherry-pick main~1; git cherry-pick --abort; git bisect start HEAD main~1; git bisect reset",
        "git worktree add -q beside main; cd beside; echo four > a.txt; git commit -qam fourth",
        "git gc -q; git worktree remove beside; git status",
    ] {
        let compared = place.while_watched(|_| git(script));
        assert_eq!((compared.put_back.as_slice(), compared.not_put_back.as_slice()), (&[][..], &[][..]), "{script}");
        git("git status; git fsck --no-progress");
    }
}

#[test]
fn what_governs_programs_is_put_back_in_ignored_folders_too() {
    let place = Place::new(&[
        (".gitignore", "out/\n.idea/\n"),
        ("out/deep/.envrc", "export A=1"),
        ("out/deep/x.o", "object"),
        (".idea/workspace.xml", "<a/>"),
        ("node_modules/x/.npmrc", "a"),
    ]);
    let before = place.tree();
    let compared = place.while_watched(|place| {
        place.put(".gitignore", "out/\n.idea/\n.vscode/\n.claude/\n");
        place.put(".vscode/tasks.json", "evil");
        place.put(".claude/hooks/sub/x.sh", "evil");
        place.put(".idea/workspace.xml", "<evil/>");
        place.put("out/deep/.envrc", "evil");
        place.put("out/new/.cursor/mcp.json", "evil");
        place.put("out/deep/x.o", "other");
        place.put("node_modules/x/.npmrc", "b");
    });
    let put_back: Vec<_> = compared.put_back.iter().map(WorkspacePath::as_str).collect();
    let expected = [
        ".claude/hooks/sub/x.sh",
        ".idea/workspace.xml",
        ".vscode/tasks.json",
        "out/deep/.envrc",
        "out/new/.cursor/mcp.json",
    ];
    assert_eq!((put_back, words(&compared)), (expected.into(), vec!["changed .gitignore".to_owned()]));
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    let mut left = place.tree();
    left.retain(|path, kind| before.get(path) != Some(kind));
    let expected = [("node_modules/x/.npmrc", "644 b"), ("out/deep/x.o", "644 other"), ("out/new", "folder")];
    assert_eq!(left, expected.map(|(path, kind)| (path.to_owned(), kind.to_owned())).into());
}
