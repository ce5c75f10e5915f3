//! All questions about trees of logs whose truth is known, and the pages' sums and lists.
#![expect(clippy::disallowed_methods, reason = "makes trees of logs")]

mod bounds;
mod evidence;
mod risk;

use std::{collections::BTreeSet, path::Path};

use aside_core::{Sha256, Timestamp};
use aside_history::{
    Asking, Effort, Evidence, Filter, Index, Listing, Origin, Plan, Playback, Said, Source, TOOLS, answer, by_id,
    dashboard, find, hosts::Host, import, list, timeline, zone,
};
use aside_prices::Prices;
use aside_store::DataFolder;
use serde_json::{Map, Value, json};

use crate::generated::tree;

/// An index of a generated tree, and the truth about it; none where there is no Python.
fn world(folder: &Path, megabytes: &str, seed: &str) -> Option<(Index, Value)> {
    let truth = tree(folder, megabytes, seed)?;
    Some((read(folder), truth))
}

fn read(folder: &Path) -> Index {
    let home = folder.display().to_string();
    let all: Vec<Source> = Source::all().collect();
    let places = find(&all, |name| (name == "HOME").then(|| home.clone()));
    let mut index = Index::open(&DataFolder::at(folder.join("data"))).unwrap();
    import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ()).unwrap();
    while index.read_texts(500).unwrap() > 0 {}
    index
}

fn asking() -> Asking {
    let plan = Plan { name: "claude-max".to_owned(), monthly_usd: None, reset_day: 1 };
    Asking { now: "2026-07-01".parse().unwrap(), zone: zone(Some("UTC")).unwrap(), workspace: None, plan: Some(plan) }
}

fn ask(index: &Index, name: &str, arguments: Value) -> Value {
    let told = answer(index, &asking(), name, &arguments);
    assert!(told.to_string().chars().count() <= aside_history::BUDGET, "{name}");
    told
}

fn ids(list: &Value) -> Vec<String> {
    let mut ids: Vec<String> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().or(one["session_id"].as_str()).unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

/// Reads the line that evidence names.
fn line_at(evidence: &Evidence) -> String {
    let bytes = std::fs::read(&evidence.file).unwrap();
    let rest = &bytes[usize::try_from(evidence.offset).unwrap()..];
    String::from_utf8_lossy(rest.split(|byte| *byte == b'\n').next().unwrap()).into_owned()
}

fn evidence(one: &Value) -> Evidence {
    Evidence {
        session_id: one["session_id"].as_str().unwrap().to_owned(),
        file: one["file"].as_str().unwrap().to_owned(),
        offset: one["offset"].as_i64().unwrap(),
    }
}

#[test]
fn what_was_said_is_found_by_its_words_and_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let Some((index, truth)) = world(folder.path(), "3", "6") else { return };
    let rare = &truth["probes"]["rare_phrase"];
    let expected = ids(&rare["sessions"]);
    assert!(!expected.is_empty());
    let found = ask(&index, "search_past_decisions", json!({ "query": rare["query"], "limit": 20 }));
    assert_eq!(ids(&found["sessions"]), expected);
    assert!(found["sessions"][0]["snippet"].as_str().unwrap().contains("zebra-quartz"), "{found}");
    for one in found["evidence"].as_array().unwrap() {
        assert!(line_at(&evidence(one)).contains("zebra-quartz"));
    }
    assert_eq!(ask(&index, "search_past_decisions", json!({ "query": "zebra NOT quartzes" }))["count"], 0);
    assert_eq!(ask(&index, "search_past_decisions", json!({ "query": "\" * -" }))["count"], 0);
    let told =
        list(&index, &Listing { query: Some("zebra handshake".into()), most: 50, ..Listing::default() }).unwrap();
    assert_eq!(told.0.len(), expected.len());
    // Another reading of the same logs keeps what was found.
    drop(index);
    let again = read(folder.path());
    let found = ask(&again, "search_past_decisions", json!({ "query": rare["query"], "limit": 20 }));
    assert_eq!(ids(&found["sessions"]), expected);
}

#[test]
fn files_are_as_they_were_at_each_moment() {
    let folder = tempfile::tempdir().unwrap();
    let Some((index, truth)) = world(folder.path(), "1.5", "21") else { return };
    let probe = &truth["probes"]["playback"];
    let session = by_id(&index, probe["session_id"].as_str().unwrap()).unwrap();
    let playback = Playback::of(&index, &session).unwrap();
    let path = probe["path"].as_str().unwrap();
    let states = probe["states"].as_array().unwrap();
    for (place, state) in states.iter().enumerate() {
        let at: Timestamp = state["at"].as_str().unwrap().parse().unwrap();
        let played = playback.at(Some(at));
        let file = played.files.iter().find(|file| file.path == path).unwrap();
        let text = file.text.as_deref().unwrap();
        assert_eq!(Sha256::of(text).as_str(), state["sha256"], "after {}", state["after"]);
        // The last of them has an edit whose text is not there.
        assert_eq!(file.complete, place + 1 < states.len());
    }
    let end = playback.at(None);
    assert_eq!(
        end.warnings
            .iter()
            .filter(|warning| warning.contains("playback_probe") && warning.contains("not found"))
            .count(),
        1
    );
    assert!(playback.at(Some(Timestamp(0))).files.is_empty());
    let told = ask(&index, "get_session_playback", json!({ "session_id": session.session_id }));
    assert!(told["file_count"].as_u64().unwrap() >= 1, "{told}");
    let wrong = ask(&index, "get_session_playback", json!({ "session_id": "none" }));
    assert_eq!(wrong["error"], "session not found");
    let wrong = ask(&index, "get_session_playback", json!({ "session_id": session.session_id, "at": "soon" }));
    assert!(wrong["error"].as_str().unwrap().contains("invalid at"));
}

/// Writes the log of a session that changes `/w/src/cost.py`, and what follows.
fn put(home: &Path, session: &str, minute: u32, after: &[Value]) {
    let folder = home.join(".claude/projects/-w");
    std::fs::create_dir_all(&folder).unwrap();
    let change = json!({ "type": "assistant", "message": { "id": format!("m-{session}"), "model": "claude-opus-4-5", "usage": { "input_tokens": 5, "output_tokens": 9 },
        "content": [{ "type": "tool_use", "id": "w", "name": "Edit", "input": { "file_path": "/w/src/cost.py", "old_string": "a", "new_string": "b" } }] } });
    let mut lines = vec![json!({ "type": "user", "message": { "content": "fix cost.py please" } }), change];
    lines.push(json!({ "type": "user", "message": { "content": [{ "type": "tool_result", "tool_use_id": "w", "content": "ok" }] } }));
    lines.extend(after.iter().cloned());
    let mut text = String::new();
    for (second, mut line) in lines.into_iter().enumerate() {
        line["timestamp"] = format!("2026-06-30T10:{minute:02}:{second:02}.000Z").into();
        line["cwd"] = "/w".into();
        text += &format!("{line}\n");
    }
    std::fs::write(folder.join(format!("{session}.jsonl")), text).unwrap();
}

fn said(text: &str) -> Value {
    json!({ "type": "user", "message": { "content": text } })
}

fn ran(command: &str, failed: bool) -> [Value; 2] {
    [
        json!({ "type": "assistant", "message": { "content": [{ "type": "tool_use", "id": command, "name": "Bash", "input": { "command": command } }] } }),
        json!({ "type": "user", "message": { "content": [{ "type": "tool_result", "tool_use_id": command, "content": "", "is_error": failed }] } }),
    ]
}

#[test]
fn a_session_is_told_in_order_and_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    let Some((index, _)) = world(folder.path(), "1.5", "21") else { return };
    let (sessions, more) = list(&index, &Listing { most: 3, ..Listing::default() }).unwrap();
    assert!(more && sessions.len() == 3);
    let longest = sessions.iter().max_by_key(|session| session.message_count).unwrap();
    let whole = timeline(&index, longest, 0, 10_000).unwrap();
    let messages = whole.entries.iter().filter(|entry| matches!(entry.what, Said::Message { .. })).count();
    assert_eq!(i64::try_from(messages).unwrap(), longest.message_count);
    assert!(whole.entries.windows(2).all(|pair| pair[0].at <= pair[1].at));
    assert!(whole.entries.iter().all(|entry| !matches!(&entry.what, Said::Message { text: None, .. })));
    let half = whole.entries.len() / 2;
    let (first, second) =
        (timeline(&index, longest, 0, half).unwrap(), timeline(&index, longest, half, 10_000).unwrap());
    assert!(first.more && !second.more);
    assert_eq!([first.entries, second.entries].concat(), whole.entries);
}

#[test]
fn a_folder_in_which_no_model_answered_is_a_project() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join(".claude/projects/-quiet");
    std::fs::create_dir_all(&project).unwrap();
    let line = json!({ "type": "user", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": "/quiet", "message": { "content": "zebra" } });
    std::fs::write(project.join("s.jsonl"), format!("{line}\n")).unwrap();
    let index = read(folder.path());
    let found = ask(&index, "get_project_summary", json!({ "slug": "-quiet" }));
    assert_eq!(
        (&found["path"], &found["sessions"], &found["messages"]),
        (&json!("/quiet"), &json!(1), &json!(0)),
        "{found}"
    );
    assert_eq!(
        ask(&index, "get_project_summary", json!({ "slug": "/none" }))["error"],
        "there are no sessions in a folder `/none`; `list_recent_sessions` lists folders of sessions"
    );
}

#[test]
fn an_old_session_of_a_folder_is_found_behind_many_newer_ones_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, cwd: &str, hour: u32, times: usize| {
        let project = folder.path().join(".claude/projects").join(name);
        std::fs::create_dir_all(&project).unwrap();
        let line = json!({ "type": "user", "timestamp": format!("2026-06-30T{hour}:00:00.000Z"), "cwd": cwd, "message": { "content": "zebra" } });
        std::fs::write(project.join(format!("{name}.jsonl")), format!("{line}\n").repeat(times)).unwrap();
    };
    put("a", "/old", 10, 1);
    drop(read(folder.path()));
    put("b", "/new", 11, 4_001);
    let index = read(folder.path());
    let found = ask(&index, "search_past_decisions", json!({ "query": "zebra", "project": "/old" }));
    assert_eq!((&found["count"], &found["sessions"][0]["project_path"]), (&json!(1), &json!("/old")), "{found}");
    // So it is on a page, whatever it is filtered by.
    let until = "2026-06-30T10:30:00Z".parse().unwrap();
    let folder = |name: &str| Listing { workspace: Some(name.to_owned()), ..Listing::default() };
    for filtered in [folder("/old"), folder("old"), Listing { until: Some(until), ..Listing::default() }] {
        let listing = Listing { query: Some("zebra".into()), most: 50, ..filtered };
        let (found, _) = list(&index, &listing).unwrap();
        assert_eq!(found.iter().map(|one| one.path.as_deref()).collect::<Vec<_>>(), [Some("/old")], "{listing:?}");
    }
}

#[test]
fn the_newest_session_is_found_before_many_older_ones_that_were_read_later() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, hour: u32, times: usize| {
        let project = folder.path().join(".claude/projects").join(name);
        std::fs::create_dir_all(&project).unwrap();
        let line = json!({ "type": "user", "timestamp": format!("2026-06-30T{hour}:00:00.000Z"), "cwd": "/w", "message": { "content": "zebra" } });
        std::fs::write(project.join(format!("{name}.jsonl")), format!("{line}\n").repeat(times)).unwrap();
    };
    put("newest", 20, 1);
    drop(read(folder.path()));
    put("older", 11, 4_001);
    let found = ask(&read(folder.path()), "search_past_decisions", json!({ "query": "zebra", "limit": 1 }));
    assert_eq!(found["sessions"][0]["session_id"], "newest", "{found}");
}
