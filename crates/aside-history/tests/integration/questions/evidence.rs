//! Every answer says where it stands, and all of it can be had.

use super::*;

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
#[test]
fn sessions_that_only_name_a_file_come_after_those_that_touched_it() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "touches", 1, &[]);
    let talk = |name: &str, cwd: &str, text: &str| {
        let line = json!({ "type": "user", "timestamp": "2026-06-30T11:00:00.000Z", "cwd": cwd, "message": { "content": text } });
        std::fs::write(folder.path().join(format!(".claude/projects/-w/{name}.jsonl")), format!("{line}\n")).unwrap();
    };
    talk("names", "/w", "what does src/cost.py do?");
    talk("elsewhere", "/v", "what does src/cost.py do?");
    talk("another", "/w", "what does src/cost.py.bak do?");
    let index = read(folder.path());
    let found = ask(&index, "find_sessions_touching_file", json!({ "file": "/w/src/cost.py" }));
    let sessions: Vec<_> = found["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["session_id"].as_str().unwrap(), one["by"].as_str()))
        .collect();
    assert_eq!(sessions, [("touches", None), ("names", Some("text"))], "{found}");
    assert!(found["sessions"][1]["snippet"].as_str().unwrap().contains("src/cost.py"));
    assert!(line_at(&evidence(&found["evidence"][1])).contains("what does src/cost.py do?"));
    for mode in ["read", "write"] {
        let found = ask(&index, "find_sessions_touching_file", json!({ "file": "/w/src/cost.py", "mode": mode }));
        assert!(!ids(&found["sessions"]).contains(&"names".to_owned()), "{found}");
    }
    let later = json!({ "file": "/w/src/cost.py", "since": "2026-06-30T10:30:00Z" });
    assert_eq!(ids(&ask(&index, "find_sessions_touching_file", later)["sessions"]), ["names"]);
}

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
