//! What an answer is about, and what it says it does not know.

use super::*;

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
    let summaries =
        [("get_cost_summary", json!({ "period": "all" })), ("get_project_summary", json!({ "slug": "/w" }))];
    for (name, arguments) in summaries {
        let told = ask(&index, name, arguments);
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

#[test]
fn what_is_asked_wrongly_is_said_and_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "early", 1, &[said("please undo that")]);
    let index = read(folder.path());
    let wrong =
        |name: &str, arguments: Value| ask(&index, name, arguments)["error"].as_str().unwrap_or_default().to_owned();
    assert!(wrong("get_session_playback", json!({ "session_id": "early", "at": {} })).contains("`at`"));
    assert!(wrong("list_recent_sessions", json!({ "source": ["claude"] })).contains("`source`"));
    assert!(wrong("get_pr_outcomes", json!({ "repo": "a/b", "state": "done" })).contains("open, merged, closed"));
    assert!(wrong("get_ci_runs", json!({ "status": "red" })).contains("failure"));
    let count = |arguments: Value| ask(&index, "list_recent_sessions", arguments)["count"].clone();
    assert_eq!(count(json!({ "since": 20_260_630 })), 1);
    assert_eq!(count(json!({ "since": 20_270_630 })), 0);
    for limit in [json!(-5), json!(1e30), json!("3"), json!(0.5), json!("many"), Value::Null] {
        assert_eq!(count(json!({ "limit": limit })), 1, "{limit}");
    }
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
    assert!(sum["error"].as_str().unwrap().contains("omit `period`"), "{sum}");
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
        (json!({ "timezone": "Mars" }), "not a time zone"),
    ] {
        let told = bound("list_recent_sessions", json!({}), wrong);
        assert!(told["error"].as_str().unwrap().contains(word), "{told}");
    }
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

/// Writes the log of a session in a folder, in which a model answered once.
fn put_in(home: &Path, folder: &str, session: &str) {
    let project = home.join(".claude/projects").join(folder.replace('/', "-"));
    std::fs::create_dir_all(&project).unwrap();
    let answer = json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:01.000Z", "cwd": folder, "requestId": session,
        "message": { "id": session, "model": "claude-opus-4-5", "usage": { "input_tokens": 1_000_000, "output_tokens": 0 } } });
    let said = json!({ "type": "user", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": folder, "message": { "content": "zebra" } });
    std::fs::write(project.join(format!("{session}.jsonl")), format!("{said}\n{answer}\n")).unwrap();
}

#[test]
fn a_question_looks_into_no_other_folder_than_it_is_bound_to() {
    let home = tempfile::tempdir().unwrap();
    for (folder, session) in [("/w/shop", "one"), ("/w/shop/src", "two"), ("/w/shopping", "three"), ("/x", "four")] {
        put_in(home.path(), folder, session);
    }
    let mut index = read(home.path());
    index.keep_clone("/w/shop", "octo/till").unwrap();
    for (repo, run) in [("octo/till", "1"), ("octo/shop", "2"), ("octo/other", "3")] {
        let facts = Host::Generic.heard("", &json!({ "repository": repo, "run_id": run, "status": "failure" }));
        index.note(Host::Generic, &facts, &Origin::Address("https://ci.example")).unwrap();
    }
    for (folder, found) in [("/w/shop", &["one", "two"][..]), ("shop", &["one", "two"]), ("/w/shop/src", &["two"])] {
        let bound = |name: &str, mut arguments: Value| {
            arguments["workspace"] = folder.into();
            ask(&index, name, arguments)
        };
        assert_eq!(ids(&bound("list_recent_sessions", json!({}))["sessions"]), found);
        assert_eq!(ids(&bound("search_past_decisions", json!({ "query": "zebra" }))["sessions"]), found);
        let sum = bound("get_cost_summary", json!({ "period": "all" }));
        assert_eq!(
            (&sum["total_messages"], &sum["total_sessions"]),
            (&json!(found.len()), &json!(found.len())),
            "{sum}"
        );
        assert_eq!(sum["evidence"].as_array().unwrap().len(), found.len());
        // Of the clone, and of the repository that is called as the folder is.
        assert_eq!(bound("get_ci_runs", json!({}))["count"], 2, "{folder}");
    }
    assert_eq!(ask(&index, "list_recent_sessions", json!({}))["count"], 4);
}

#[test]
fn a_folder_is_meant_by_its_name_and_one_that_nobody_worked_in_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    for (folder, session) in [("/w/shop", "one"), ("/w/shop/src", "two"), ("/v/till", "three"), ("/u/till", "four")] {
        put_in(home.path(), folder, session);
    }
    let index = read(home.path());
    let zebra = || ("search_past_decisions", json!({ "query": "zebra" }));
    for name in ["shop", "/w/shop", "-w-shop"] {
        for (question, mut arguments) in [("list_recent_sessions", json!({})), zebra()] {
            arguments["project"] = name.into();
            let found = ask(&index, question, arguments);
            let expected: &[&str] = if name == "-w-shop" { &["one"] } else { &["one", "two"] };
            assert_eq!(ids(&found["sessions"]), expected, "{question} {name}");
        }
        let sum = ask(&index, "get_project_summary", json!({ "slug": name }));
        assert_eq!((&sum["path"], &sum["sessions"]), (&json!("/w/shop"), &json!(1)), "{sum}");
    }
    let told =
        |question: &str, arguments: Value| ask(&index, question, arguments)["error"].as_str().unwrap().to_owned();
    let near = "there are no sessions in a folder `shops`; similar names: /w/shop";
    for (question, mut arguments) in [("list_recent_sessions", json!({})), ("recommend_skills", json!({})), zebra()] {
        arguments["project"] = "shops".into();
        assert_eq!(told(question, arguments), near, "{question}");
    }
    assert_eq!(told("get_project_summary", json!({ "slug": "shops" })), near);
    assert_eq!(told("get_cost_summary", json!({ "workspace": "shops" })), near);
    let several = told("get_project_summary", json!({ "slug": "till" }));
    assert_eq!(several, "`till` is the name of several folders, /u/till and /v/till: pass the path of one");
    assert!(told("list_recent_sessions", json!({ "project": "zzz" })).contains("`list_recent_sessions`"));
}

#[test]
fn what_is_dated_in_the_future_is_not_of_today() {
    let home = tempfile::tempdir().unwrap();
    put_in(home.path(), "/w", "now");
    put_in(home.path(), "/w", "later");
    let path = home.path().join(".claude/projects/-w/later.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text.replace("2026-06-30", "2027-06-30")).unwrap();
    let index = read(home.path());
    for period in ["30days", "all"] {
        let sum = ask(&index, "get_cost_summary", json!({ "period": period }));
        let told = ["total_messages", "total_sessions", "later_messages"].map(|name| sum[name].as_u64());
        assert_eq!(told, [Some(1), Some(1), Some(1)], "{sum}");
        assert_eq!((&sum["top_projects"][0]["messages"], sum["evidence"].as_array().unwrap().len()), (&json!(1), 1));
    }
}
