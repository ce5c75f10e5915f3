//! Rollouts of Codex: moved, kept twice, compressed, forked.
#![expect(clippy::disallowed_methods, reason = "makes logs and moves them")]

use std::fs;

use aside_history::{Effort, Filter, History, Index, Period, Playback, by_id, periods, zone};
use aside_store::DataFolder;
use serde_json::{Value, json};

use crate::copies::{Home, ask};

/// A log of Codex.
fn rollout() -> Vec<Value> {
    let usage = json!({ "input_tokens": 100, "cached_input_tokens": 0, "output_tokens": 10, "total_tokens": 110 });
    vec![
        json!({ "timestamp": "2026-06-30T10:00:00.000Z", "type": "session_meta", "payload": { "id": "thread", "cwd": "/w", "originator": "codex_cli_rs" } }),
        json!({ "timestamp": "2026-06-30T10:00:01.000Z", "type": "turn_context", "payload": { "model": "gpt-5-codex" } }),
        json!({ "timestamp": "2026-06-30T10:00:02.000Z", "type": "response_item", "payload": { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "the zebra" }] } }),
        json!({ "timestamp": "2026-06-30T10:00:03.000Z", "type": "event_msg", "payload": { "type": "token_count", "info": { "total_token_usage": usage } } }),
    ]
}

pub const SESSIONS: &str = ".codex/sessions/2026/06/30/rollout-2026-06-30T10-00-00-thread.jsonl";
const ARCHIVE: &str = ".codex/archived_sessions/rollout-2026-06-30T10-00-00-thread.jsonl";

#[test]
fn a_log_that_is_moved_while_somebody_watches_stays_one() {
    let home = Home::new();
    home.put(SESSIONS, &rollout());
    let data = DataFolder::at(home.path().join("data"));
    let mut history = History::open_in(&data).unwrap();
    let environment = |name: &str| (name == "HOME").then(|| home.path().display().to_string());
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    let (from, to) = (home.path().join(SESSIONS), home.path().join(ARCHIVE));
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(&from, &to).unwrap();
    // The watcher names both, and only these.
    let watcher = aside_history::Watcher::new(environment, |_| ()).unwrap();
    let moved = history.update_some(watcher.logs(&[from, to])).unwrap();
    assert_eq!((moved.files, moved.bytes), (1, 0), "{moved:?}");
    assert_eq!(history.index().counts().unwrap().0, 1);
    let again = history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    assert_eq!((again.read, again.gone), (0, 0));
    history.read_texts().unwrap();
    let found = ask(history.index(), "search_past_decisions", json!({ "query": "zebra" }));
    assert_eq!((&found["count"], &found["sessions"][0]["message_count"]), (&json!(1), &json!(1)), "{found}");
}

#[test]
fn a_log_that_is_kept_twice_counts_once() {
    let home = Home::new();
    home.put(SESSIONS, &rollout());
    home.put(ARCHIVE, &rollout());
    let index = home.read();
    let recent = ask(&index, "list_recent_sessions", json!({}));
    assert_eq!((&recent["count"], &recent["sessions"][0]["message_count"]), (&json!(1), &json!(1)), "{recent}");
    let days = periods(&index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!(days.totals.responses, 1);
}

/// Looks whether the index knows the log of Codex: its words, its answer, its change.
fn check_rollout(index: &Index) {
    let found = ask(index, "search_past_decisions", json!({ "query": "zebra" }));
    assert!(found["sessions"][0]["snippet"].as_str().unwrap().contains("the zebra"), "{found}");
    assert_eq!((&found["count"], &found["sessions"][0]["message_count"]), (&json!(1), &json!(1)), "{found}");
    let days = periods(index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!(days.totals.responses, 1);
    let played = Playback::of(index, &by_id(index, "thread").unwrap()).unwrap().at(None);
    assert_eq!((played.files.len(), played.files[0].text.as_deref()), (1, Some("x\n")), "{played:?}");
    assert_eq!(played.warnings, [""; 0]);
    assert_eq!((index.counts().unwrap(), index.gone().unwrap()), ((1, 0), 0));
}

#[test]
fn compressed_rollout_keeps_its_words_and_playback() {
    let home = Home::new();
    let mut lines = rollout();
    let patch = json!({ "type": "custom_tool_call", "name": "apply_patch", "call_id": "c",
        "input": "*** Begin Patch\n*** Add File: a.rs\n+x\n*** End Patch" });
    lines.push(json!({ "timestamp": "2026-06-30T10:00:04.000Z", "type": "response_item", "payload": patch }));
    let compress = |path: &str, to: &str| {
        let text = fs::read(home.path().join(path)).unwrap();
        let packed = ruzstd::encoding::compress_to_vec(&text[..], ruzstd::encoding::CompressionLevel::Fastest);
        let to = home.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, packed).unwrap();
    };
    home.put(SESSIONS, &lines);
    check_rollout(&home.read());
    // For a moment there are both.
    compress(SESSIONS, &format!("{SESSIONS}.zst"));
    check_rollout(&home.read());
    fs::remove_file(home.path().join(SESSIONS)).unwrap();
    check_rollout(&home.read());
    check_rollout(&home.read());
    // Unpacked again where somebody went on, then archived and compressed at once.
    home.put(SESSIONS, &lines);
    fs::remove_file(home.path().join(format!("{SESSIONS}.zst"))).unwrap();
    check_rollout(&home.read());
    compress(SESSIONS, &format!("{ARCHIVE}.zst"));
    fs::remove_file(home.path().join(SESSIONS)).unwrap();
    check_rollout(&home.read());
    // The same where it was compressed before anybody read it.
    fs::remove_dir_all(home.path().join("data")).unwrap();
    check_rollout(&home.read());
}

#[test]
fn codex_fork_begins_with_its_parents_files() {
    let home = Home::new();
    let at = |second: u32, mut line: Value| {
        line["timestamp"] = format!("2026-06-30T10:{:02}:{:02}.000Z", second / 60, second % 60).into();
        line
    };
    let meta = |id: &str| json!({ "type": "session_meta", "payload": { "id": id, "cwd": "/w" } });
    let said = |text: &str| json!({ "type": "response_item", "payload": { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": text }] } });
    let patch = |id: &str, patch: &str| {
        let input = format!("*** Begin Patch\n{patch}\n*** End Patch");
        json!({ "type": "response_item", "payload": { "type": "custom_tool_call", "name": "apply_patch", "call_id": id, "input": input } })
    };
    let count = |input: u64, last: u64| {
        let of = |input: u64| json!({ "input_tokens": input, "output_tokens": 1, "total_tokens": input + 1 });
        json!({ "type": "event_msg", "payload": { "type": "token_count", "info": { "total_token_usage": of(input), "last_token_usage": of(last) } } })
    };
    let parent = [said("sort the zebras"), patch("c1", "*** Add File: a.rs\n+one\n+two"), count(100, 100)];
    let own = [said("now the quaggas"), patch("c2", "*** Update File: a.rs\n@@\n-two\n+2"), count(250, 150)];
    let mut lines = vec![at(0, meta("parent"))];
    lines.extend(parent.iter().map(|line| at(20, line.clone())));
    home.put(".codex/sessions/rollout-2026-06-30T10-00-00-parent.jsonl", &lines);
    let mut fork = meta("fork");
    fork["payload"]["forked_from_id"] = "parent".into();
    let mut lines = vec![at(600, fork), at(600, meta("parent"))];
    lines.extend(parent.iter().map(|line| at(600, line.clone())));
    lines.extend(own.iter().map(|line| at(700, line.clone())));
    home.put(".codex/sessions/rollout-2026-06-30T10-10-00-fork.jsonl", &lines);
    let index = home.read();
    let days = periods(&index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!((days.totals.responses, days.totals.input_tokens), (2, 250));
    for (query, session) in [("zebras", "parent"), ("quaggas", "fork")] {
        let found = ask(&index, "search_past_decisions", json!({ "query": query }));
        assert_eq!((&found["count"], &found["sessions"][0]["session_id"]), (&json!(1), &json!(session)), "{found}");
        assert_eq!(found["sessions"][0]["message_count"], 1, "{found}");
    }
    let found = ask(&index, "find_sessions_touching_file", json!({ "file": "/w/a.rs", "mode": "write" }));
    assert_eq!(found["evidence"].as_array().unwrap().len(), 2, "{found}");
    let playback = Playback::of(&index, &by_id(&index, "fork").unwrap()).unwrap();
    assert_eq!((playback.before.len(), playback.steps.len()), (1, 1));
    let played = playback.at(None);
    assert_eq!((played.files[0].text.as_deref(), played.files[0].complete), (Some("one\n2\n"), true));
}
