//! All questions about trees of logs whose truth is known, and the pages' sums and lists.
#![expect(clippy::disallowed_methods, reason = "makes trees of logs")]

use std::{collections::BTreeSet, path::Path, process::Command};

use aside_core::{Sha256, Timestamp};
use aside_history::{
    Asking, Effort, Evidence, Filter, Index, Listing, Origin, Plan, Playback, Said, Source, TOOLS, answer, by_id,
    dashboard, find, hosts::Host, import, list, timeline, zone,
};
use aside_prices::Prices;
use aside_store::DataFolder;
use serde_json::{Map, Value, json};

/// An index of a generated tree, and the truth about it; none where there is no Python.
fn world(folder: &Path, megabytes: &str, seed: &str) -> Option<(Index, Value)> {
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gen_history.py");
    let made =
        Command::new("python3").args([generator, "--mb", megabytes, "--seed", seed, "--out"]).arg(folder).output();
    let Ok(made) = made else {
        println!("NOT TESTED: questions about generated trees, as there is no python3");
        return None;
    };
    let truth = serde_json::from_slice(&made.stdout).unwrap();
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
    for state in probe["states"].as_array().unwrap() {
        let at: Timestamp = state["at"].as_str().unwrap().parse().unwrap();
        let played = playback.at(Some(at));
        let file = played.files.iter().find(|file| file.path == path).unwrap();
        let text = file.text.as_deref().unwrap();
        assert_eq!(Sha256::of(text).as_str(), state["sha256"], "after {}", state["after"]);
        assert!(file.complete);
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
fn a_model_whose_price_nobody_knows_is_not_the_cheapest() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..4 {
        put(folder.path(), &format!("dear-{number}"), number, &[said("thanks")]);
        let name = format!("new-{number}");
        put(folder.path(), &name, 10 + number, &[said("thanks")]);
        let path = folder.path().join(format!(".claude/projects/-w/{name}.jsonl"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.replace("claude-opus-4-5", "model-of-tomorrow")).unwrap();
    }
    let index = read(folder.path());
    let mode = ask(&index, "recommend_mode", json!({ "prompt": "fix the bug in report.py" }));
    assert_eq!((&mode["similar_session_count"], &mode["recommended_model"]), (&json!(4), &json!("claude-opus-4-5")));
}

#[test]
fn every_question_is_answered_within_its_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let Some((index, truth)) = world(folder.path(), "3", "9") else { return };
    let recent = ask(&index, "list_recent_sessions", json!({ "limit": "25" }));
    let session = recent["sessions"][0]["session_id"].clone();
    for tool in TOOLS {
        let mut arguments = tool.example();
        if arguments.get("session_id").is_some() {
            arguments["session_id"] = session.clone();
        }
        if tool.name == "get_project_summary" {
            arguments["slug"] = recent["sessions"][0]["project_slug"].clone();
        }
        let told = ask(&index, tool.name, arguments);
        assert!(told.get("error").is_none(), "{}: {told}", tool.name);
    }
    assert_eq!((&recent["_truncated"], recent["sessions"].as_array().unwrap().len() < 25), (&json!(true), true));
    let rest = ask(&index, "list_recent_sessions", json!({ "limit": 25, "handle": recent["_handle"] }));
    assert_ne!(rest["sessions"][0]["session_id"], session);
    let burn = ask(&index, "get_burn_projection", json!({}));
    assert_eq!((&burn["plan_set"], &burn["plan"]["monthly_usd"]), (&json!(true), &json!(200.0)));
    // The generator's sessions are all alike enough for some model to be named.
    let mode =
        ask(&index, "recommend_mode", json!({ "prompt": "fix the failing test in src/main.rs", "current_model": "x" }));
    assert!(mode["confidence"].as_f64().unwrap() <= 1.0 && mode["recommended_model"].is_string(), "{mode}");
    let shown = dashboard(&index, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!(Some(shown.totals.responses), truth["dedup_responses"].as_u64());
    let sum = |groups: &[aside_history::Group]| groups.iter().map(|group| group.sums.picodollars).sum::<u64>();
    assert_eq!(
        [&shown.days, &shown.models, &shown.workspaces, &shown.sources].map(|groups| sum(groups)),
        [shown.totals.picodollars; 4]
    );
    assert_eq!(shown.hours.iter().map(|hour| hour.responses).sum::<u64>(), shown.totals.responses);
}

#[test]
fn a_cost_says_what_is_not_in_it_and_what_of_it_is_a_guess() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join(".claude/projects/-w");
    std::fs::create_dir_all(&project).unwrap();
    let line = |id: &str, model: &str, tier: &str| {
        json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": "/w", "requestId": id,
            "message": { "id": id, "model": model, "usage": { "input_tokens": 1_000_000, "output_tokens": 0, "service_tier": tier } } })
    };
    let lines = [
        line("a", "claude-opus-4-5", "standard"),
        line("b", "claude-opus-4-5", "priority"),
        line("c", "model-of-tomorrow", "standard"),
        line("d", "model-of-tomorrow", "standard"),
    ];
    std::fs::write(project.join("s.jsonl"), lines.map(|line| format!("{line}\n")).concat()).unwrap();
    let index = read(folder.path());
    for name in ["get_cost_summary", "get_project_summary"] {
        let told = ask(&index, name, json!({ "period": "all", "slug": "/w" }));
        let known = ["unpriced_messages", "unpriced_models", "estimated_cost_usd"].map(|field| told[field].clone());
        assert_eq!(known, [json!(2), json!({ "model-of-tomorrow": 2 }), json!(5.0)], "{told}");
    }
    let folders = ask(&index, "get_cost_summary", json!({ "period": "all" }));
    let folder = &folders["top_projects"][0];
    assert_eq!((&folder["unpriced_messages"], &folder["estimated_cost_usd"]), (&json!(2), &json!(5.0)));
    let session = &ask(&index, "list_recent_sessions", json!({}))["sessions"][0];
    let known =
        ["cost_usd", "estimated_cost_usd", "unpriced_messages", "unpriced_models"].map(|field| session[field].clone());
    assert_eq!(known, [json!(10.0), json!(5.0), json!(2), json!("model-of-tomorrow")], "{session}");
}

/// Pull requests and runs of a repository, as many as an answer may have.
fn changes(index: &mut Index) {
    for number in 1..=50 {
        let page = format!("https://github.com/octo/shop/pull/{number}");
        let pull = json!({ "pull_request": { "number": number, "title": "Change", "state": "open", "html_url": page,
            "updated_at": "2026-06-01T00:00:00Z", "base": { "repo": { "full_name": "octo/shop" } } } });
        let run = json!({ "repository": { "full_name": "octo/shop" }, "workflow_run": { "id": number, "name": "Tests",
            "status": "completed", "conclusion": "success", "created_at": "2026-06-01T00:00:00Z" } });
        let origin = Origin::Address("https://api.github.com/repos/octo/shop");
        let heard =
            [("pull_request", pull), ("workflow_run", run)].map(|(event, body)| Host::GitHub.heard(event, &body));
        index.note(Host::GitHub, &heard.concat(), &origin).unwrap();
    }
}

/// All rows of all lists of an answer, the rest fetched by its handles; how many parts there were.
fn whole(index: &Index, name: &str, arguments: &Value) -> (Map<String, Value>, usize) {
    let (mut lists, mut parts, mut arguments) = (Map::new(), 0, arguments.clone());
    loop {
        let told = ask(index, name, arguments.clone());
        assert!(told.get("error").is_none(), "{name}: {told}");
        let handle = told.get("_handle").cloned();
        assert_eq!(told.get("_truncated"), handle.as_ref().map(|_| &Value::Bool(true)), "{name}: {told}");
        let before = parts;
        parts += 1;
        for (list, rows) in told.as_object().unwrap() {
            let Some(rows) = rows.as_array() else {
                lists.insert(list.clone(), rows.clone());
                continue;
            };
            // A list that was whole is told with each part again.
            let was_cut = arguments["handle"].as_str().is_some_and(|handle| handle.contains(&format!("{list}:")));
            let all = lists.entry(list.clone()).or_insert_with(|| json!([])).as_array_mut().unwrap();
            if before == 0 || was_cut {
                all.extend(rows.iter().cloned());
            }
        }
        let Some(handle) = handle else { return (lists, parts) };
        arguments["handle"] = handle;
    }
}

/// What people's prompts and scripts read of each answer, and of the rows of its list: the names that others gave them.
const FIELDS: &[(&str, &str, &str, &str)] = &[
    ("search_past_decisions", "query count sessions", "sessions", MATCH),
    ("find_sessions_in_path", "path count sessions", "sessions", MATCH),
    ("find_sessions_touching_file", "file mode count sessions", "sessions", MATCH),
    (
        "get_project_summary",
        "slug provider display_name path sessions messages cost_usd first_message_ts last_message_ts",
        "",
        "",
    ),
    (
        "get_cost_summary",
        "period label since until total_cost_usd total_messages total_sessions top_projects",
        "top_projects",
        "slug cost_usd messages sessions",
    ),
    (
        "get_session_playback",
        "session_id snapshot_ts file_count files warnings",
        "files",
        "path byte_count last_modified_ts operations_applied reconstruction_complete",
    ),
    (
        "recommend_mode",
        "recommended_model current_model confidence cost_delta_usd similar_session_count evidence_session_ids features \
            task_pattern_hash rationale cache_hit",
        "",
        "",
    ),
    (
        "get_burn_projection",
        "plan_set plan period_start period_end days_so_far days_in_period used_usd remaining_usd pct_used status \
            projected_month_end_usd projection_method daily_burn_usd days_to_limit thresholds crossed_threshold alert",
        "",
        "",
    ),
    ("list_recent_sessions", "count sessions", "sessions", "session_id slug provider first_ts last_ts message_count"),
    (
        "recommend_skills",
        "recommendations project threshold window_days generated_at cache_status filtered_already_installed",
        "recommendations",
        "pattern_id pattern_kind suggested_skill_name description occurrences sessions last_seen_ts project_slug \
            accept_command normalized_command",
    ),
    (
        "get_pr_outcomes",
        "repo state since count pr_outcomes",
        "pr_outcomes",
        "provider repo_slug pr_number title state merged_at reverted_at author",
    ),
    (
        "get_ci_runs",
        "commit_sha status repo count ci_runs",
        "ci_runs",
        "provider repo_slug run_id commit_sha status workflow_name started_ts completed_ts",
    ),
    ("get_file_risk", "path since total_sessions reverted failed worked recent_session_ids", "", ""),
    (
        "get_session_quality",
        "session_id findings summary",
        "findings",
        "file_path language ts metric pre_value post_value delta details",
    ),
];
const MATCH: &str = "session_id project_slug project_path provider first_ts last_ts message_count cost_usd snippet";

#[test]
fn every_question_says_where_its_answer_stands_and_gives_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..40 {
        put(folder.path(), &format!("session-with-a-long-name-{number:02}"), number, &ran("pytest -x", false));
    }
    let today = json!({ "type": "assistant", "timestamp": "2026-07-01T00:00:00.000Z", "cwd": "/w", "requestId": "r",
        "message": { "id": "today", "model": "claude-opus-4-5", "usage": { "input_tokens": 5, "output_tokens": 9 } } });
    std::fs::write(folder.path().join(".claude/projects/-w/today.jsonl"), format!("{today}\n")).unwrap();
    let mut index = read(folder.path());
    changes(&mut index);
    let session = "session-with-a-long-name-00";
    let mut cut = Vec::new();
    for tool in TOOLS {
        let arguments = match tool.name {
            "search_past_decisions" => json!({ "query": "fix", "limit": 20 }),
            "find_sessions_in_path" => json!({ "path": "/w/src", "limit": 20 }),
            "find_sessions_touching_file" => json!({ "file": "/w/src/cost.py", "limit": 20 }),
            "get_project_summary" => json!({ "slug": "-w" }),
            "get_cost_summary" => json!({ "period": "all" }),
            "get_session_playback" | "get_session_quality" => json!({ "session_id": session }),
            "recommend_mode" => json!({ "prompt": "fix the bug in report.py" }),
            "get_burn_projection" => json!({}),
            "list_recent_sessions" => json!({ "limit": 25 }),
            "recommend_skills" => json!({ "project": "/w", "threshold": 2 }),
            "get_pr_outcomes" | "get_ci_runs" => json!({ "repo": "octo/shop", "limit": 50 }),
            "get_file_risk" => json!({ "path": "/w/src/cost.py" }),
            other => panic!("{other} is not asked here"),
        };
        let (told, parts) = whole(&index, tool.name, &arguments);
        if parts > 1 {
            cut.push(tool.name);
        }
        let (_, fields, list, of_rows) = FIELDS.iter().find(|(name, ..)| *name == tool.name).unwrap();
        let missing = |fields: &str, of: &Map<String, Value>| -> Vec<String> {
            fields.split_whitespace().filter(|field| !of.contains_key(*field)).map(str::to_owned).collect()
        };
        assert_eq!(missing(fields, &told), [""; 0], "{}: {told:?}", tool.name);
        if !list.is_empty() {
            assert_eq!(missing(of_rows, told[*list][0].as_object().unwrap()), [""; 0], "{}: {told:?}", tool.name);
        }
        let places = told["evidence"].as_array().unwrap_or_else(|| panic!("{}: no evidence in {told:?}", tool.name));
        assert!(!places.is_empty(), "{}: {told:?}", tool.name);
        for place in places {
            if place.get("file").is_some() {
                serde_json::from_str::<Value>(&line_at(&evidence(place))).unwrap();
            } else {
                assert!(place["about"].is_string() && place["told_by"].is_string(), "{place}");
            }
        }
        if let Some(count) = told.get("count").and_then(Value::as_u64) {
            let rows = ["sessions", "pr_outcomes", "ci_runs"].into_iter().find_map(|list| told.get(list)?.as_array());
            let rows = rows.unwrap();
            let distinct: BTreeSet<String> = rows.iter().map(Value::to_string).collect();
            assert_eq!((rows.len() as u64, distinct.len() as u64), (count, count), "{}", tool.name);
        }
    }
    assert_eq!(
        cut,
        [
            "search_past_decisions",
            "find_sessions_in_path",
            "find_sessions_touching_file",
            "list_recent_sessions",
            "get_pr_outcomes",
            "get_ci_runs",
            "get_file_risk",
        ]
    );
}

#[test]
fn a_question_looks_at_no_more_than_it_is_bound_to() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "early", 1, &[said("please undo that")]);
    put(folder.path(), "late", 30, &ran("pytest -x", false));
    let index = read(folder.path());
    let bound = |name: &str, arguments: Value, bounds: Value| {
        let mut arguments = arguments;
        arguments.as_object_mut().unwrap().extend(bounds.as_object().unwrap().clone());
        ask(&index, name, arguments)
    };
    let (early, late) = (json!({ "until": "2026-06-30T10:15:00Z" }), json!({ "since": "2026-06-30T10:15:00Z" }));
    for (bounds, session) in [(&early, "early"), (&late, "late")] {
        for (name, arguments) in [
            ("list_recent_sessions", json!({})),
            ("search_past_decisions", json!({ "query": "fix" })),
            ("find_sessions_in_path", json!({ "path": "/w" })),
            ("find_sessions_touching_file", json!({ "file": "cost.py" })),
        ] {
            let found = bound(name, arguments, bounds.clone());
            assert_eq!(ids(&found["sessions"]), [session], "{name} {found}");
        }
        for period in [json!({}), json!({ "period": "all" })] {
            let sum = bound("get_cost_summary", period, bounds.clone());
            assert_eq!((&sum["total_messages"], &sum["total_sessions"]), (&json!(1), &json!(1)), "{sum}");
        }
    }
    let days = json!({ "since": "2026-06-01", "until": "2026-06-30" });
    let sum = bound("get_cost_summary", json!({}), days.clone());
    let told = ["period", "since", "until"].map(|name| sum[name].as_str().unwrap());
    assert_eq!(told, ["all", "2026-06-01T00:00:00.000Z", "2026-07-01T00:00:00.000Z"]);
    assert_eq!(sum["total_messages"], 2);
    let sum = bound("get_cost_summary", json!({ "period": "month" }), days);
    assert!(sum["error"].as_str().unwrap().contains("leave `period` out"), "{sum}");
    let risk = |bounds: &Value| bound("get_file_risk", json!({ "path": "cost.py" }), bounds.clone());
    assert_eq!(risk(&early)["reverted"], 1);
    assert_eq!((&risk(&late)["reverted"], &risk(&late)["worked"]), (&json!(0), &json!(1)));
    let mode = |bounds: &Value| bound("recommend_mode", json!({ "prompt": "fix cost.py" }), bounds.clone());
    assert_eq!(
        [&mode(&early), &mode(&late), &mode(&json!({}))].map(|told| told["similar_session_count"].clone()),
        [1, 1, 2]
    );
    // The whole of it is there again, and what is kept of an answer is kept for these bounds only.
    assert_eq!(mode(&early)["cache_hit"], true);
    assert_eq!(ask(&index, "list_recent_sessions", json!({}))["count"], 2);
    let none = bound("list_recent_sessions", json!({}), json!({ "source": "codex, aider" }));
    assert_eq!(none["count"], 0);
    for (wrong, word) in [
        (json!({ "until": "soon" }), "invalid until"),
        (json!({ "source": "claud" }), "claud"),
        (json!({ "timezone": "Mars" }), "no time zone"),
    ] {
        let told = bound("list_recent_sessions", json!({}), wrong);
        assert!(told["error"].as_str().unwrap().contains(word), "{told}");
    }
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
fn days_are_those_of_the_calendar_where_clocks_change() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    // In Berlin clocks went forward on 29 March 2026: the 26th begins six calendar days before the 1st of April, and not 144 hours.
    let line = |id: &str, at: &str| {
        json!({ "type": "assistant", "timestamp": at, "cwd": "/w", "requestId": id,
            "message": { "id": id, "model": "claude-opus-4-5", "usage": { "input_tokens": 1_000_000, "output_tokens": 0 } } })
    };
    let project = home.join(".claude/projects/-w");
    std::fs::create_dir_all(&project).unwrap();
    let text =
        format!("{}\n{}\n", line("before", "2026-03-25T22:30:00.000Z"), line("within", "2026-03-25T23:30:00.000Z"));
    std::fs::write(project.join("s.jsonl"), text).unwrap();
    let index = read(home);
    let now = "2026-04-01T12:00:00Z".parse().unwrap();
    let asking = Asking { now, zone: zone(Some("Europe/Berlin")).unwrap(), workspace: None, plan: None };
    let found = answer(&index, &asking, "get_cost_summary", &json!({ "period": "7days" }));
    assert_eq!((&found["total_messages"], &found["since"]), (&json!(1), &json!("2026-03-25T23:00:00.000Z")), "{found}");
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
    assert_eq!(ask(&index, "get_project_summary", json!({ "slug": "/none" }))["error"], "no project `/none`");
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
