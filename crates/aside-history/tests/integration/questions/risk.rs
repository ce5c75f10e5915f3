//! How changes turned out.

use super::*;

#[test]
fn a_file_s_risk_is_how_its_changes_turned_out() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    put(home, "thanked", 1, &[said("Perfect, thanks!")]);
    put(home, "back", 2, &[said("what does it do?"), said("please undo that")]);
    put(home, "checkout", 3, &ran("git checkout -- src/cost.py", false));
    put(home, "complaint", 4, &[said("that broke the build")]);
    put(home, "red", 5, &ran("pytest -x", true));
    put(home, "green", 6, &ran("pytest -x", false));
    put(home, "silent", 7, &[said("now something else about the docs")]);
    let index = read(home);
    let risk = |path: &str| ask(&index, "get_file_risk", json!({ "path": path }));
    let found = risk("/w/src/cost.py");
    let counts = ["total_sessions", "reverted", "failed", "worked"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(counts, [7, 2, 2, 2], "{found}");
    assert_eq!(found["recent_session_ids"], json!(["red", "complaint", "checkout", "back"]));
    assert_eq!(risk("cost.py")["total_sessions"], 7);
    assert_eq!(risk("/w/src/cost.py.bak")["total_sessions"], 0);
    assert_eq!(risk("/nowhere/x")["recent_session_ids"], json!([]));
    for one in found["evidence"].as_array().unwrap() {
        assert!(line_at(&evidence(one)).contains("old_string"));
    }
    // Of sessions like the task, those that failed recommend nothing.
    let mode = ask(&index, "recommend_mode", json!({ "prompt": "fix the bug in report.py" }));
    assert_eq!((&mode["similar_session_count"], &mode["recommended_model"]), (&json!(7), &json!("claude-opus-4-5")));
    assert!(mode["rationale"].as_str().unwrap().starts_with("3 of 7"), "{mode}");
    let skills = ask(&index, "recommend_skills", json!({ "project": "/w", "threshold": 2 }));
    assert_eq!(skills["recommendations"][0]["normalized_command"], "pytest -x", "{skills}");
}

#[test]
fn what_has_nothing_to_do_with_a_change_does_not_judge_it() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    put(home, "other-file", 1, &ran("git checkout -- src/other.rs", false));
    put(home, "failed-command", 2, &ran("git checkout -- src/cost.py", true));
    put(home, "stashed", 3, &[ran("git stash", false), ran("git stash pop", false)].concat());
    put(home, "piped", 4, &ran("cargo test 2>&1 | tail", false));
    put(home, "or-true", 5, &ran("pytest || true", false));
    put(home, "request", 6, &[said("add an undo button")]);
    let found = ask(&read(home), "get_file_risk", json!({ "path": "/w/src/cost.py" }));
    let counts = ["total_sessions", "reverted", "failed", "worked"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(counts, [6, 0, 0, 0], "{found}");
}

#[test]
fn a_change_of_a_started_model_is_judged_by_what_its_session_says_then() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "parent", 30, &[said("please undo that")]);
    let project = folder.path().join(".claude/projects/-w");
    let edit = json!({ "type": "assistant", "isSidechain": true, "cwd": "/w", "timestamp": "2026-06-30T10:20:00.000Z",
        "message": { "content": [{ "type": "tool_use", "id": "s", "name": "Edit",
            "input": { "file_path": "/w/src/side.py", "old_string": "a", "new_string": "b" } }] } });
    let below = project.join("parent/subagents");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(below.join("agent-1.jsonl"), format!("{edit}\n")).unwrap();
    let found = ask(&read(folder.path()), "get_file_risk", json!({ "path": "/w/src/side.py" }));
    assert_eq!((&found["total_sessions"], &found["reverted"]), (&json!(1), &json!(1)), "{found}");
}

#[test]
fn a_change_that_a_later_edit_puts_back_was_reverted() {
    let folder = tempfile::tempdir().unwrap();
    let edit = |old: &str, new: &str, id: &str| {
        json!({ "type": "assistant", "message": { "content": [{ "type": "tool_use", "id": id, "name": "Edit",
            "input": { "file_path": "/w/src/cost.py", "old_string": old, "new_string": new } }] } })
    };
    put(folder.path(), "changes", 1, &[said("go on")]);
    let risk = |index: &Index| {
        let found = ask(index, "get_file_risk", json!({ "path": "/w/src/cost.py" }));
        ["total_sessions", "reverted", "worked"].map(|name| found[name].as_u64().unwrap())
    };
    assert_eq!(risk(&read(folder.path())), [1, 0, 0]);
    // In the same session: what counts is that nothing is left of it, whatever is said then.
    put(folder.path(), "back", 2, &[edit("b", "a", "x"), said("thanks")]);
    assert_eq!(risk(&read(folder.path())), [2, 1, 0]);
    put(folder.path(), "again", 3, &[edit("b", "a", "x"), edit("a", "b", "y"), said("thanks")]);
    assert_eq!(risk(&read(folder.path())), [3, 1, 1]);
    // In a later session.
    let other = tempfile::tempdir().unwrap();
    put(other.path(), "changes", 1, &[said("thanks")]);
    assert_eq!(risk(&read(other.path())), [1, 0, 1]);
    let mut line = edit("b", "a", "z");
    line["timestamp"] = "2026-06-30T11:00:00.000Z".into();
    std::fs::write(other.path().join(".claude/projects/-w/later.jsonl"), format!("{line}\n")).unwrap();
    assert_eq!(risk(&read(other.path())), [2, 1, 0]);
}
