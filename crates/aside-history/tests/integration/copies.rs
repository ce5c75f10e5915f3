//! What logs repeat counts once: in numbers, in searches, in how changes turned out. What moves stays what it was.
#![expect(clippy::disallowed_methods, reason = "makes logs and moves them")]

use std::{fs, path::Path};

use aside_history::{
    Asking, Effort, Filter, History, Index, Period, Places, Playback, Said, Source, answer, by_id, find, import,
    periods, resumed_from, risk_line, timeline, zone,
};
use aside_prices::Prices;
use aside_store::{DataFolder, sql::Connection};
use serde_json::{Value, json};

use crate::{recount, rollouts::SESSIONS};

/// A home with logs, its index beside it.
pub struct Home(tempfile::TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn put(&self, path: &str, lines: &[Value]) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }

    pub fn read(&self) -> Index {
        let home = self.path().display().to_string();
        let all: Vec<Source> = Source::all().collect();
        let places = find(&all, |name| (name == "HOME").then(|| home.clone()));
        let mut index = Index::open(&DataFolder::at(self.path().join("data"))).unwrap();
        import(&mut index, places, &Prices::default(), Effort::Idle, &mut |_| ()).unwrap();
        while index.read_texts(500).unwrap() > 0 {}
        recount::check(&self.path().join("data"));
        index
    }
}

pub fn ask(index: &Index, name: &str, arguments: Value) -> Value {
    let now = "2026-07-01".parse().unwrap();
    let asking = Asking { now, zone: zone(Some("UTC")).unwrap(), workspace: None, plan: None };
    answer(index, &asking, name, &arguments)
}

/// What an index knows of sessions, and which copies of what they say count.
fn known(data: &Path) -> Vec<String> {
    recount::check(data);
    let index = Connection::open(data.join("history.db")).unwrap();
    let mut told = Vec::new();
    for sql in [
        "SELECT concat_ws(' ', name, path, branch, title, first, last, messages) FROM session
         LEFT JOIN workspace ON workspace.id = session.workspace ORDER BY 1",
        "SELECT concat_ws(' ', path, message.position, counts) FROM message JOIN file ON file.id = message.file ORDER BY 1",
        "SELECT concat_ws(' ', path, call.position, counts) FROM call JOIN file ON file.id = call.file ORDER BY 1",
        "SELECT concat_ws(' ', path, response.position, counts) FROM response JOIN file ON file.id = response.file ORDER BY 1",
    ] {
        let mut find = index.prepare(sql).unwrap();
        told.extend(find.query_map((), |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap));
    }
    told
}

#[test]
fn what_is_known_does_not_depend_on_the_order_in_which_logs_are_read() {
    let home = resumed(["a", "b"]);
    // A model that was started in the first session works in another folder, long after it, on another branch.
    let mut side =
        with_place(json!({ "type": "user", "isSidechain": true, "message": { "content": "look" } }), "a", 59);
    (side["cwd"], side["gitBranch"]) = ("/w/below".into(), "side".into());
    home.put(".claude/projects/-w/a/subagents/agent-1.jsonl", &[side.clone()]);
    side["timestamp"] = "2026-06-30T09:00:00.000Z".into();
    home.put(".claude/projects/-w/a/subagents/agent-2.jsonl", &[side]);
    home.put(".claude/projects/-w/empty.jsonl", &[]);
    let environment = |name: &str| (name == "HOME").then(|| home.path().display().to_string());
    let all: Vec<Source> = Source::all().collect();
    let files = find(&all, environment).files;
    assert_eq!(files.len(), 5);
    let read = |order: &[usize], at_once: bool| {
        let data = tempfile::tempdir().unwrap();
        let mut index = Index::open(&DataFolder::at(data.path())).unwrap();
        let steps: Vec<Vec<usize>> =
            if at_once { vec![order.to_vec()] } else { order.iter().map(|at| vec![*at]).collect() };
        for step in steps {
            let files = step.into_iter().map(|at| files[at].clone()).collect();
            let places = Places { files, partial: true, ..Places::default() };
            import(&mut index, places, &Prices::default(), Effort::Idle, &mut |_| ()).unwrap();
        }
        drop(index);
        known(data.path())
    };
    let first = read(&[0, 1, 2, 3, 4], true);
    assert!(first[0].starts_with("a /w side 1782810000000 1782813659000 "), "{first:?}");
    assert!(!first.iter().any(|line| line.starts_with("empty")), "{first:?}");
    let mut order = [0, 1, 2, 3, 4];
    for round in 0..60 {
        order.swap(round % 4, (round * 7 + 3) % 5);
        assert_eq!(read(&order, round % 3 == 0), first, "{order:?}");
    }
}

#[test]
fn what_opencode_kept_in_files_is_known_and_counts_once_beside_its_database() {
    let home = Home::new();
    let storage = |path: &str| format!(".local/share/opencode/storage/{path}");
    let time = json!({ "created": 1_782_813_600_000_i64 });
    let messages = [
        ("msg_1", json!({ "role": "user", "time": time })),
        (
            "msg_2",
            json!({ "role": "assistant", "time": time, "modelID": "claude-sonnet-4-5", "providerID": "anthropic",
            "cost": 0.5, "tokens": { "input": 1, "output": 2, "reasoning": 3, "cache": { "read": 4, "write": 5 } } }),
        ),
    ];
    let parts = [
        ("msg_1", "prt_1", json!({ "type": "text", "text": "Where is the zebra?" })),
        ("msg_2", "prt_2", json!({ "type": "text", "text": "In the cart." })),
        (
            "msg_2",
            "prt_3",
            json!({ "type": "tool", "tool": "edit", "callID": "c", "state": { "status": "completed",
            "input": { "filePath": "src/cart.rs" } } }),
        ),
    ];
    for (id, message) in &messages {
        let mut message = message.clone();
        (message["id"], message["sessionID"]) = ((*id).into(), "ses_1".into());
        home.put(&storage(&format!("message/ses_1/{id}.json")), &[message]);
    }
    for (message, id, part) in &parts {
        let mut part = part.clone();
        part["id"] = (*id).into();
        home.put(&storage(&format!("part/{message}/{id}.json")), &[part]);
    }
    let session = json!({ "id": "ses_1", "title": "Cart", "directory": "/w", "time": time });
    home.put(&storage("session/project/ses_1.json"), &[session]);
    let check = |index: &Index| {
        let found = ask(index, "search_past_decisions", json!({ "query": "zebra" }));
        let one = &found["sessions"][0];
        assert_eq!(
            (&found["count"], &one["session_id"], &one["title"]),
            (&json!(1), &json!("ses_1"), &json!("Cart")),
            "{found}"
        );
        assert_eq!((&one["project_path"], &one["message_count"]), (&json!("/w"), &json!(2)), "{found}");
        assert!(one["snippet"].as_str().unwrap().contains("Where is the zebra?"), "{found}");
        let found = ask(index, "find_sessions_touching_file", json!({ "file": "/w/src/cart.rs", "mode": "write" }));
        assert_eq!((&found["count"], found["evidence"].as_array().unwrap().len()), (&json!(1), 1), "{found}");
        let days = periods(index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
        assert_eq!((days.totals.responses, days.totals.picodollars), (1, 500_000_000_000));
    };
    check(&home.read());
    let database = Connection::open(home.path().join(".local/share/opencode/opencode.db")).unwrap();
    database
        .execute_batch(
            "CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER);
             CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT, time_created INTEGER);
             CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
             INSERT INTO session VALUES ('ses_1', '/w', 'Cart', 1782813600000);",
        )
        .unwrap();
    for (id, message) in &messages {
        let sql = "INSERT INTO message VALUES (?, 'ses_1', ?, 1782813600000)";
        database.execute(sql, (id, message.to_string())).unwrap();
    }
    for (message, id, part) in &parts {
        database.execute("INSERT INTO part VALUES (?, ?, 'ses_1', ?)", (id, message, part.to_string())).unwrap();
    }
    drop(database);
    check(&home.read());
}

#[test]
fn a_session_of_which_no_log_tells_any_more_is_forgotten() {
    let home = Home::new();
    let rollout = |id: &str| {
        [
            json!({ "timestamp": "2026-06-30T10:00:00Z", "type": "session_meta", "payload": { "id": id, "cwd": "/w", "originator": "codex" } }),
        ]
    };
    home.put(SESSIONS, &rollout("one"));
    drop(home.read());
    home.put(SESSIONS, &rollout("two"));
    drop(home.read());
    let sessions = known(&home.path().join("data"));
    assert_eq!(sessions, ["two /w 1782813600000 1782813600000 0"]);
}

#[test]
fn a_session_without_times_is_of_the_time_and_folder_that_are_known_otherwise() {
    let home = Home::new();
    home.put(".claude/projects/-w/a.jsonl", &session("a"));
    let said = json!({ "role": "user", "message": { "content": [{ "type": "text", "text": "hi" }] } });
    home.put(".cursor/projects/w/agent-transcripts/t.jsonl", &[said]);
    let listed = json!([{ "sessionId": "c", "dateCreated": "1782813600000" }]);
    home.put(".continue/sessions/sessions.json", &[listed]);
    let talk = json!({ "sessionId": "c", "history": [{ "message": { "role": "user", "content": "hi" } }] });
    home.put(".continue/sessions/c.json", &[talk]);
    let environment = |name: &str| (name == "HOME").then(|| home.path().display().to_string());
    let mut history = History::open_in(&DataFolder::at(home.path().join("data"))).unwrap();
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    let told = ask(history.index(), "list_recent_sessions", json!({}));
    let of = |id: &str| told["sessions"].as_array().unwrap().iter().find(|one| one["session_id"] == id).unwrap();
    assert_eq!(of("c")["first_ts"], "2026-06-30T10:00:00.000Z");
    assert_eq!(of("t")["project_path"], "/w");
    assert!(of("t")["last_ts"].is_string(), "{told}");
}

#[test]
fn the_files_of_aider_are_played_back_where_they_are() {
    let home = Home::new();
    let log = "# aider chat started at 2026-06-30 10:00:00\n\n#### cart\n> Applied edit to cart.py\n\n# aider chat started at 2026-06-30 11:00:00\n\n#### till\n> Applied edit to till.py\n";
    fs::create_dir_all(home.path().join("shop")).unwrap();
    let path = fs::canonicalize(home.path().join("shop")).unwrap().join(".aider.chat.history.md");
    fs::write(&path, log).unwrap();
    let environment = |name: &str| match name {
        "HOME" => Some(home.path().display().to_string()),
        "AIDER_CHAT_HISTORY_FILE" => Some(path.display().to_string()),
        _ => None,
    };
    let mut history = History::open_in(&DataFolder::at(home.path().join("data"))).unwrap();
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    let told = ask(history.index(), "list_recent_sessions", json!({}));
    for session in told["sessions"].as_array().unwrap() {
        let played = ask(history.index(), "get_session_playback", json!({ "session_id": session["session_id"] }));
        let name = if session["session_id"].as_str().unwrap().contains("10:00") { "cart.py" } else { "till.py" };
        assert_eq!(played["files"][0]["path"], path.with_file_name(name).display().to_string(), "{played}");
        assert_eq!(played["file_count"], 1);
    }
    assert_eq!(told["count"], 2);
}

/// The lines of a session that changes a file, which is then taken back.
fn session(id: &str) -> Vec<Value> {
    let edit = json!({ "type": "tool_use", "id": "toolu_1", "name": "Edit",
        "input": { "file_path": "/w/cost.py", "old_string": "a", "new_string": "b" } });
    let bodies = [
        json!({ "type": "user", "message": { "content": "fix the zebra please" } }),
        json!({ "type": "assistant", "requestId": "r", "message": { "id": "m", "model": "claude-opus-4-5", "content": [edit],
            "usage": { "input_tokens": 5, "output_tokens": 9 } } }),
        json!({ "type": "user", "message": { "content": [{ "type": "tool_result", "tool_use_id": "toolu_1", "content": "ok" }] } }),
        json!({ "type": "user", "message": { "content": "please undo that" } }),
    ];
    (0..).zip(bodies).map(|(second, body)| with_place(body, id, second)).collect()
}

fn with_place(mut line: Value, session: &str, second: u32) -> Value {
    line["uuid"] = format!("u{second}").into();
    line["sessionId"] = session.into();
    line["cwd"] = "/w".into();
    line["timestamp"] = format!("2026-06-30T10:00:{second:02}.000Z").into();
    line
}

/// A session that was taken up by another one, whose log begins with its lines.
fn resumed(names: [&str; 2]) -> Home {
    let home = Home::new();
    let [first, second] = names;
    home.put(&format!(".claude/projects/-w/{first}.jsonl"), &session(first));
    let more = json!({ "type": "user", "message": { "content": "now something else" } });
    let lines = [session(second), vec![with_place(more, second, 40)]].concat();
    home.put(&format!(".claude/projects/-w/{second}.jsonl"), &lines);
    home
}

#[test]
fn what_a_resumed_session_repeats_counts_once() {
    for names in [["first", "second"], ["second", "first"]] {
        let home = resumed(names);
        let index = home.read();
        let risk = ask(&index, "get_file_risk", json!({ "path": "/w/cost.py" }));
        assert_eq!((&risk["total_sessions"], &risk["reverted"]), (&json!(1), &json!(1)), "{risk}");
        let (now, utc) = ("2026-07-01".parse().unwrap(), zone(Some("UTC")).unwrap());
        let line = risk_line(&index, "/w/cost.py", now, &utc).unwrap();
        assert_eq!(line.as_deref(), Some("reverted once in June"));
        let found = ask(&index, "search_past_decisions", json!({ "query": "zebra" }));
        assert_eq!(found["count"], 1, "{found}");
        let found = ask(&index, "find_sessions_touching_file", json!({ "file": "/w/cost.py" }));
        assert_eq!((&found["count"], found["evidence"].as_array().unwrap().len()), (&json!(1), 1), "{found}");
        let recent = ask(&index, "list_recent_sessions", json!({}));
        let counts: Vec<i64> =
            recent["sessions"].as_array().unwrap().iter().map(|one| one["message_count"].as_i64().unwrap()).collect();
        assert_eq!(counts.iter().sum::<i64>(), 3, "{recent}");
        let days = periods(&index, Period::Day, &Filter::default(), &utc).unwrap();
        assert_eq!(days.totals.responses, 1);
    }
}

#[test]
fn what_is_said_in_the_session_that_goes_on_tells_of_the_change_before_it() {
    let home = Home::new();
    home.put(".claude/projects/-w/a.jsonl", &session("a")[..3]);
    home.put(".claude/projects/-w/b.jsonl", &session("b"));
    let risk = ask(&home.read(), "get_file_risk", json!({ "path": "/w/cost.py" }));
    assert_eq!((&risk["total_sessions"], &risk["reverted"]), (&json!(1), &json!(1)), "{risk}");
}

#[test]
fn when_the_log_that_counted_is_written_anew_its_copy_counts() {
    let home = resumed(["first", "second"]);
    drop(home.read());
    home.put(".claude/projects/-w/first.jsonl", &[json!({ "type": "user", "message": { "content": "none of that" } })]);
    let index = home.read();
    assert_eq!(
        ask(&index, "search_past_decisions", json!({ "query": "zebra" }))["sessions"][0]["session_id"],
        "second"
    );
    assert_eq!(ask(&index, "get_file_risk", json!({ "path": "/w/cost.py" }))["reverted"], 1);
    let recent = ask(&index, "list_recent_sessions", json!({}));
    let counts = recent["sessions"].as_array().unwrap().iter().map(|one| one["message_count"].as_i64().unwrap());
    assert_eq!(counts.sum::<i64>(), 4, "{recent}");
}

#[test]
fn a_session_that_goes_on_shows_its_own_records_and_where_it_was_taken_up() {
    for names in [["first", "second"], ["second", "first"]] {
        let [first, second] = names;
        let home = Home::new();
        let read = json!({ "type": "tool_use", "id": "toolu_0", "name": "Write", "input": { "file_path": "/w/cost.py", "content": "a" } });
        let seen = json!({ "type": "assistant", "message": { "content": [read] } });
        let before = [vec![with_place(seen, first, 0)], session(first)].concat();
        // The file as the first session left it is what the second one changes.
        let edit = json!({ "type": "tool_use", "id": "toolu_2", "name": "Edit",
            "input": { "file_path": "/w/cost.py", "old_string": "b", "new_string": "c" } });
        let more = [
            with_place(json!({ "type": "user", "message": { "content": "now something else" } }), second, 40),
            with_place(json!({ "type": "assistant", "message": { "content": [edit] } }), second, 41),
        ];
        home.put(&format!(".claude/projects/-w/{first}.jsonl"), &before);
        home.put(&format!(".claude/projects/-w/{second}.jsonl"), &[before.clone(), more.to_vec()].concat());
        let index = home.read();
        let [first, second] = names.map(|name| by_id(&index, name).unwrap());
        let told = |session| timeline(&index, session, 0, 100).unwrap().entries;
        let shown = told(&second);
        assert_eq!((told(&first).len(), shown.len()), (4, 2), "{shown:?}");
        assert!(matches!(&shown[0].what, Said::Message { text: Some(text), .. } if text == "now something else"));
        let place = resumed_from(&index, &second).unwrap().unwrap();
        let log = fs::read(&place.file).unwrap();
        let line = String::from_utf8_lossy(&log[usize::try_from(place.offset).unwrap()..]).into_owned();
        assert_eq!(place.session_id, names[0]);
        assert!(line.contains("please undo that"), "{line}");
        assert_eq!(resumed_from(&index, &first).unwrap(), None);
        let played = Playback::of(&index, &second).unwrap();
        assert_eq!((played.before.len(), played.steps.len()), (2, 1), "{played:?}");
        let files = played.at(None).files;
        let texts = (files[0].before.as_deref(), files[0].text.as_deref(), files[0].complete);
        assert_eq!(texts, (Some("b"), Some("c"), true));
        assert_eq!(files[0].applied, ["Edit#0"]);
        assert!(played.files([]).files.is_empty());
        let told = ask(&index, "get_session_playback", json!({ "session_id": names[1] }));
        assert_eq!((&told["resumed_from"]["session_id"], &told["warnings"]), (&json!(names[0]), &json!([])), "{told}");
        let told = ask(&index, "get_session_playback", json!({ "session_id": names[0] }));
        assert!(told.get("resumed_from").is_none() && told["file_count"] == 1, "{told}");
    }
}

#[test]
fn what_a_log_said_that_is_gone_is_read_where_another_repeats_it() {
    let home = resumed(["first", "second"]);
    drop(home.read());
    fs::remove_file(home.path().join(".claude/projects/-w/first.jsonl")).unwrap();
    let index = home.read();
    let shown = timeline(&index, &by_id(&index, "first").unwrap(), 0, 100).unwrap().entries;
    assert!(matches!(&shown[0].what, Said::Message { text: Some(text), .. } if text.contains("zebra")), "{shown:?}");
}

#[test]
fn a_line_with_half_a_character_or_two_words_for_one_thing_loses_nothing() {
    let home = Home::new();
    let mut lines = session("s");
    lines[1]["message"]["content"][0]["input"] =
        json!({ "file_path": "/w/cost.py", "filename": "cost.py", "command": "ls", "cmd": "ls" });
    home.put(".claude/projects/-w/s.jsonl", &lines);
    let path = home.path().join(".claude/projects/-w/s.jsonl");
    let text = fs::read_to_string(&path).unwrap().replace("fix the zebra", r"fix \ud83d the zebra");
    fs::write(&path, text.replacen("claude-opus-4-5", r"claude-opus-4-5\ude00", 1)).unwrap();
    let index = home.read();
    assert_eq!(index.counts().unwrap(), (1, 0));
    let days = periods(&index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!((days.totals.responses, days.totals.total_tokens), (1, 14));
    let found = ask(&index, "search_past_decisions", json!({ "query": "zebra" }));
    assert!(found["sessions"][0]["snippet"].as_str().unwrap().contains("fix \u{fffd} the zebra"), "{found}");
    let found = ask(&index, "find_sessions_touching_file", json!({ "file": "/w/cost.py", "mode": "write" }));
    assert_eq!(found["count"], 1);
}

#[test]
fn the_folder_of_a_session_is_found_where_its_log_does_not_name_it() {
    let home = Home::new();
    let hash = aside_core::Sha256::of("/home/ada/shop").to_string();
    let message = json!({ "id": "g", "timestamp": "2026-06-30T10:00:00.000Z", "type": "gemini", "content": "Hi", "model": "gemini-2.5-pro",
        "tokens": { "input": 100, "output": 10, "total": 110 } });
    let session = json!({ "sessionId": "gem", "projectHash": hash, "messages": [message] });
    home.put(&format!(".gemini/tmp/{hash}/chats/session-1.json"), &[session]);
    let claude = json!({ "type": "user", "timestamp": "2026-06-30T10:00:00.000Z", "cwd": "/home/ada/shop", "message": { "content": "hi" } });
    home.put(".claude/projects/-home-ada-shop/s.jsonl", &[claude]);
    let copilot =
        [json!({ "type": "user.message", "timestamp": "2026-06-30T10:00:00.000Z", "data": { "content": "go" } })];
    home.put(".copilot/session-state/cop/events.jsonl", &copilot);
    fs::write(
        home.path().join(".copilot/session-state/cop/workspace.yaml"),
        "id: cop\ncwd: \"/home/ada/blog\"\nbranch: main\n",
    )
    .unwrap();
    let mut history = History::open_in(&DataFolder::at(home.path().join("data"))).unwrap();
    let environment = |name: &str| (name == "HOME").then(|| home.path().display().to_string());
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    let found = ask(history.index(), "list_recent_sessions", json!({}));
    let mut folders: Vec<(&str, &str)> = found["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["provider"].as_str().unwrap(), one["project_path"].as_str().unwrap_or("none")))
        .collect();
    folders.sort_unstable();
    assert_eq!(folders, [("claude", "/home/ada/shop"), ("copilot", "/home/ada/blog"), ("gemini", "/home/ada/shop")]);
    let filter = Filter { workspace: Some("/home/ada/shop".to_owned()), ..Filter::default() };
    let days = periods(history.index(), Period::Day, &filter, &zone(Some("UTC")).unwrap()).unwrap();
    assert_eq!(days.totals.total_tokens, 110);
}

#[test]
fn a_folder_that_gemini_calls_by_a_word_is_found_in_its_list() {
    let home = Home::new();
    let line = |session: &str| json!({ "sessionId": session, "id": session, "type": "user", "timestamp": "2026-06-30T10:00:00.000Z", "content": "go" });
    home.put(".gemini/tmp/shop/chats/session-1.jsonl", &[line("listed")]);
    home.put(".gemini/projects.json", &[json!({ "projects": { "/home/ada/blog": "blog", "/home/ada/shop": "shop" } })]);
    home.put(".gemini/tmp/blog-1/chats/session-2.jsonl", &[line("beside")]);
    fs::write(home.path().join(".gemini/tmp/blog-1/.project_root"), "/home/bob/blog\n").unwrap();
    home.put(".gemini/tmp/unknown/chats/session-3.jsonl", &[line("lost")]);
    let mut history = History::open_in(&DataFolder::at(home.path().join("data"))).unwrap();
    let environment = |name: &str| (name == "HOME").then(|| home.path().display().to_string());
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    for (session, folder) in [("listed", Some("/home/ada/shop")), ("beside", Some("/home/bob/blog")), ("lost", None)] {
        assert_eq!(by_id(history.index(), session).unwrap().path.as_deref(), folder, "{session}");
    }
}

#[test]
fn a_message_that_is_written_down_again_takes_the_place_of_the_one_before() {
    let home = Home::new();
    let answer = |text: &str, input: u64, status: &str| {
        json!({ "id": "g", "timestamp": "2026-06-30T10:00:01.000Z", "type": "gemini", "content": text, "model": "gemini-2.5-pro",
            "tokens": { "input": input, "output": 10 },
            "toolCalls": [{ "id": "c", "name": "replace", "args": { "file_path": "/w/a", "old_string": "a", "new_string": "b" }, "status": status }] })
    };
    let user = json!({ "sessionId": "s", "id": "u", "timestamp": "2026-06-30T10:00:00.000Z", "type": "user", "content": "go" });
    let path = ".gemini/tmp/shop/chats/session-1.jsonl";
    let (first, second) = (answer("zebra", 500, "error"), answer("quagga", 100, "success"));
    let check = |index: &Index| {
        let days = periods(index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap();
        assert_eq!((days.totals.responses, days.totals.total_tokens), (1, 110));
        let recent = ask(index, "list_recent_sessions", json!({}));
        assert_eq!(recent["sessions"][0]["message_count"], 2, "{recent}");
        let count = |query: &str| ask(index, "search_past_decisions", json!({ "query": query }))["count"].clone();
        assert_eq!([count("zebra"), count("quagga")], [0, 1]);
        let changed = Playback::of(index, &by_id(index, "s").unwrap()).unwrap();
        assert_eq!(changed.steps.len(), 1);
    };
    home.put(path, &[user.clone(), first.clone(), second.clone()]);
    check(&home.read());
    // The same if they come one after the other.
    let home = Home::new();
    home.put(path, &[user.clone(), first.clone()]);
    drop(home.read());
    home.put(path, &[user, first, second]);
    check(&home.read());
}

#[test]
fn what_a_fork_repeats_counts_once() {
    let home = Home::new();
    let line = |id: &str, second: u32, message: Value| json!({ "type": "message", "id": id, "timestamp": format!("2026-06-30T10:00:{second:02}.000Z"), "message": message });
    let head = |id: &str| json!({ "type": "session", "id": id, "cwd": "/w", "timestamp": "2026-06-30T10:00:00.000Z" });
    let said = line("a1", 1, json!({ "role": "user", "content": "fix the zebra" }));
    let own = line("b2", 30, json!({ "role": "user", "content": "now the other" }));
    home.put(".pi/agent/sessions/w/1_parent.jsonl", &[head("parent"), said.clone()]);
    home.put(".pi/agent/sessions/w/2_fork.jsonl", &[head("fork"), said, own]);
    let index = home.read();
    let counts = ["parent", "fork"].map(|id| by_id(&index, id).unwrap().message_count);
    assert_eq!(counts, [1, 1]);
    let found = ask(&index, "search_past_decisions", json!({ "query": "zebra" }));
    assert_eq!((&found["count"], &found["sessions"][0]["session_id"]), (&json!(1), &json!("parent")), "{found}");
}

#[test]
fn relative_path_is_taken_from_the_named_project() {
    let home = Home::new();
    home.put(".claude/projects/-w/s.jsonl", &session("s"));
    let index = home.read();
    let count = |name: &str, arguments: Value| ask(&index, name, arguments)["count"].clone();
    for project in ["/w", "w", "-w"] {
        for name in ["project", "project_slug", "slug"] {
            let touched = json!({ "file": "./cost.py", "mode": "write", name: project });
            assert_eq!(count("find_sessions_touching_file", touched), 1, "{project}");
            assert_eq!(count("find_sessions_in_path", json!({ "path": ".", name: project })), 1, "{project}");
            assert_eq!(ask(&index, "get_project_summary", json!({ name: project }))["path"], "/w", "{project}");
        }
    }
    assert_eq!(count("find_sessions_in_path", json!({ "path": "/w", "project": "nowhere" })), 1);
    let unknown = ask(&index, "find_sessions_in_path", json!({ "path": "src", "project": "nowhere" }));
    assert!(unknown["error"].as_str().unwrap().contains("nowhere"), "{unknown}");
}
