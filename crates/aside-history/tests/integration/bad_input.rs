//! What logs, folders and clocks should not be like: each is survived, told of, and costs its neighbours nothing.
#![expect(clippy::disallowed_methods, reason = "makes logs that are wrong")]

use std::{fs, io::Write as _, os::unix::fs::symlink, path::Path};

use aside_history::{
    Asked, Asking, Effort, Filter, History, HistoryError, Imported, Index, Period, PeriodReport, Source, find, import,
    periods, statusline, zone,
};
use aside_prices::Prices;
use aside_store::{DataFolder, sql::Connection};
use serde_json::json;

fn answer(id: &str, at: &str) -> String {
    let line = json!({ "type": "assistant", "timestamp": at, "requestId": id, "cwd": "/w",
        "message": { "id": id, "model": "claude-opus-4-5", "usage": { "input_tokens": 10, "output_tokens": 5 } } });
    format!("{line}\n")
}

const NOON: &str = "2026-06-30T12:00:00.000Z";

fn put(home: &Path, path: &str, bytes: &[u8]) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn read(home: &Path) -> (Index, Result<Imported, HistoryError>) {
    let home_name = home.display().to_string();
    let all: Vec<Source> = Source::all().collect();
    let places = find(&all, |name| (name == "HOME").then(|| home_name.clone()));
    let mut index = Index::open(&DataFolder::at(home.join("data"))).unwrap();
    let imported = import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ());
    (index, imported)
}

fn days(index: &Index) -> PeriodReport {
    periods(index, Period::Day, &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap()
}

/// Puts something wrong between two good answers; says how many problems are told of, and the reason of the first.
#[track_caller]
fn check(wrong: &[u8], problems: usize, reason: &str) {
    let home = tempfile::tempdir().unwrap();
    let log = [answer("a", NOON).as_bytes(), wrong, answer("b", NOON).as_bytes()].concat();
    put(home.path(), ".claude/projects/-w/s.jsonl", &log);
    let (index, imported) = read(home.path());
    assert_eq!(imported.unwrap().problems, problems);
    assert_eq!(days(&index).totals.responses, 2);
    let unread = index.unread(0, 10).unwrap();
    assert_eq!(unread.len(), problems);
    if let Some(one) = unread.first() {
        assert_eq!(one.offset, i64::try_from(answer("a", NOON).len()).ok());
        assert!(one.reason.contains(reason), "{one:?}");
    }
}

#[test]
fn a_bad_line_is_told_with_its_place_and_its_neighbours_count() {
    check(b"nonsense\n", 1, "not a JSON object");
    check(b"{\"type\":\n", 1, "invalid JSON");
    check(b"\0\0\0\0\n", 1, "not a JSON object");
    check(b"{\"type\":\"user\",\"message\":{\"content\":\"caf\xe9\"}}\n", 1, "UTF-8");
    check(b"\r\n\n   \n", 0, "");
    check(b"{\"type\":\"queue-operation\",\"nobody\":[1,null]}\n", 0, "");
    check(b"{\"type\":\"user\",\"message\":{\"content\":\"\\ud83d\"}}\n", 0, "");
    let deep = [b"{\"a\":".to_vec(), b"[".repeat(5_000), b"\n".to_vec()].concat();
    check(&deep, 1, "invalid JSON");
}

#[test]
fn a_count_that_cannot_be_is_told_and_not_counted() {
    for count in ["1e300", "18446744073709551615", "10000000001"] {
        let odd = answer("odd", NOON).replace("\"input_tokens\":10", &format!("\"input_tokens\":{count}"));
        check(odd.as_bytes(), 1, "tokens is not counted");
    }
}

#[test]
fn costs_whose_sum_is_too_large_for_a_whole_number_are_told() {
    let home = tempfile::tempdir().unwrap();
    let dear = |number: usize| answer(&number.to_string(), NOON).replacen('{', "{\"costUSD\":1000000,", 1);
    put(home.path(), ".claude/projects/-w/s.jsonl", (0..12).map(dear).collect::<String>().as_bytes());
    let (index, imported) = read(home.path());
    assert_eq!(imported.unwrap().problems, 0);
    let utc = zone(Some("UTC")).unwrap();
    let asking = Asking { now: NOON.parse().unwrap(), zone: utc.clone(), workspace: None, plan: None };
    let told = aside_history::answer(&index, &asking, "find_sessions_in_path", &json!({ "path": "/w" }));
    assert_eq!(told["sessions"][0]["cost_usd"], json!(12e6), "{told}");
    let told = aside_history::answer(&index, &asking, "recommend_mode", &json!({ "prompt": "fix it" }));
    assert!(told.get("error").is_none(), "{told}");
    let history = History::open_in(&DataFolder::at(home.path().join("data"))).unwrap();
    let asked = Asked::read(r#"{"session_id":"s","model":{"id":"claude-opus-4-5"}}"#).unwrap();
    let told = statusline(&history, &asked, &Filter::default(), &utc, NOON.parse().unwrap()).unwrap();
    assert_eq!(told.session_cost, Some(12e6));
}

#[test]
fn a_line_of_a_hundred_megabytes_is_read() {
    let mut line = b"{\"type\":\"user\",\"message\":{\"content\":\"".to_vec();
    line.resize(100 << 20, b'x');
    line.extend_from_slice(b"\"}}\n");
    check(&line, 0, "");
}

#[test]
fn a_line_that_is_too_long_to_hold_is_told_and_its_neighbours_count() {
    let home = tempfile::tempdir().unwrap();
    put(home.path(), ".claude/projects/-w/s.jsonl", answer("a", NOON).as_bytes());
    let mut log = fs::OpenOptions::new().append(true).open(home.path().join(".claude/projects/-w/s.jsonl")).unwrap();
    let from = answer("a", NOON).len() as u64;
    // Nothing of it is on the disk.
    log.set_len(from + (300 << 20)).unwrap();
    log.write_all(format!("\n{}", answer("b", NOON)).as_bytes()).unwrap();
    // So is a log that is one value, and a line that has no end yet.
    put(home.path(), ".gemini/tmp/w/chats/session-1.json", b"");
    let whole =
        fs::OpenOptions::new().append(true).open(home.path().join(".gemini/tmp/w/chats/session-1.json")).unwrap();
    whole.set_len(1 << 40).unwrap();
    put(home.path(), ".claude/projects/-w/t.jsonl", answer("c", NOON).as_bytes());
    let open = fs::OpenOptions::new().append(true).open(home.path().join(".claude/projects/-w/t.jsonl")).unwrap();
    open.set_len(from + (300 << 20)).unwrap();
    let (index, imported) = read(home.path());
    let imported = imported.unwrap();
    assert_eq!((days(&index).totals.responses, imported.problems, imported.unreadable.len()), (3, 1, 1));
    let told = index.unread(0, 10).unwrap();
    assert!(told.iter().any(|one| one.offset == i64::try_from(from).ok() && one.reason.contains("300 MB")), "{told:?}");
    assert!(told.iter().any(|one| one.path.ends_with("session-1.json") && one.reason.contains("256 MB")), "{told:?}");
}

#[test]
fn what_is_only_called_as_a_log_is_told_and_nobody_waits_for_it() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".claude/projects/-w");
    put(home.path(), ".claude/projects/-w/s.jsonl", answer("a", NOON).as_bytes());
    let pipe = |path: &Path| rustix::fs::mkfifoat(rustix::fs::CWD, path, 0o600.into()).unwrap();
    pipe(&folder.join("pipe.jsonl"));
    symlink(folder.join("pipe.jsonl"), folder.join("to-pipe.jsonl")).unwrap();
    symlink("/dev/zero", folder.join("device.jsonl")).unwrap();
    symlink(folder.join("loop.jsonl"), folder.join("loop.jsonl")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(folder.join("socket.jsonl")).unwrap();
    // Beside logs, too.
    put(home.path(), ".gemini/tmp/w/chats/session-1.jsonl", b"{}\n");
    put(home.path(), ".copilot/session-state/s/events.jsonl", b"{\"type\":\"session.start\"}\n");
    put(home.path(), ".local/share/opencode/storage/message/s/m.json", b"{\"role\":\"user\"}");
    fs::create_dir_all(home.path().join(".local/share/opencode/storage/part/m")).unwrap();
    for path in [
        ".gemini/projects.json",
        ".gemini/tmp/w/.project_root",
        ".copilot/session-state/s/workspace.yaml",
        ".local/share/opencode/storage/part/m/p.json",
    ] {
        pipe(&home.path().join(path));
    }
    let (index, imported) = read(home.path());
    let unreadable = imported.unwrap().unreadable;
    let mut names: Vec<_> = unreadable.iter().filter_map(|(path, _)| path.file_stem()?.to_str()).collect();
    names.sort_unstable();
    // What is linked in the folder that was read is not read again.
    assert_eq!(names, ["device", "loop", "pipe", "socket"], "{unreadable:?}");
    assert_eq!(days(&index).totals.responses, 1);
    drop(socket);
}

#[test]
fn a_part_of_a_message_that_is_written_after_it_is_read() {
    let home = tempfile::tempdir().unwrap();
    let storage = ".local/share/opencode/storage";
    let part = |number: u32, text: &str| {
        let path = format!("{storage}/part/m/p{number}.json");
        put(home.path(), &path, json!({ "type": "text", "text": text }).to_string().as_bytes());
        // Later than all before, however coarse the disk's clock is.
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(number.into());
        fs::File::options().append(true).open(home.path().join(path)).unwrap().set_modified(later).unwrap();
    };
    let message = json!({ "id": "m", "sessionID": "s", "role": "user", "time": { "created": 1_782_813_600_000_i64 } });
    put(home.path(), &format!("{storage}/message/s/m.json"), message.to_string().as_bytes());
    part(1, "Well");
    let found = |word: &str| {
        let (mut index, imported) = read(home.path());
        while index.read_texts(500).unwrap() > 0 {}
        let asking = Asking {
            now: "2026-07-01".parse().unwrap(),
            zone: zone(Some("UTC")).unwrap(),
            workspace: None,
            plan: None,
        };
        let told = aside_history::answer(&index, &asking, "search_past_decisions", &json!({ "query": word }));
        (imported.unwrap().read, told["count"].clone())
    };
    assert_eq!(found("well"), (1, json!(1)));
    assert_eq!(found("well"), (0, json!(1)), "nothing is new");
    part(2, "Later");
    assert_eq!(found("later"), (1, json!(1)));
    part(3, "Latest");
    fs::rename(
        home.path().join(format!("{storage}/part/m/p3.json")),
        home.path().join(format!("{storage}/part/m/p2.json")),
    )
    .unwrap();
    assert_eq!(found("latest"), (1, json!(1)), "one that was written anew");
    assert_eq!(found("later"), (0, json!(0)));
}

/// What databases of several programs have in rows that are not as they should be.
const ODD_ROWS: &str = r#"
    CREATE TABLE session (id, directory, title, time_created);
    CREATE TABLE message (id, session_id, data, time_created);
    CREATE TABLE part (id, message_id, session_id, data);
    INSERT INTO session VALUES (NULL, 1, 2, 3), (x'FF', x'FF', x'00', 'never'), ('s', '/w', CAST(x'FF41' AS TEXT), 1e300);
    INSERT INTO message VALUES (NULL, 's', '{}', 1), ('m', NULL, '{}', 1), ('n', 's', CAST(x'FF' AS TEXT), 1), ('o', 7.5, 7, 1),
      ('a', 's', '{"role":"assistant","modelID":"x","cost":0.5,"tokens":{"input":9223372036854775807,"output":5}}', 1782813600000),
      ('b', 's', '{"role":"assistant","modelID":"x","cost":0.5,"tokens":{"input":9223372036854775807,"output":9223372036854775807}}', 1782813600000);
    INSERT INTO part VALUES (1, 'a', NULL, CAST(x'FF' AS TEXT)), (NULL, 'a', NULL, NULL);
    CREATE TABLE sessions (id, working_dir, created_at, model_config_json, total_tokens, input_tokens, output_tokens);
    CREATE TABLE messages (session_id, role, content_json, timestamp);
    INSERT INTO sessions VALUES (NULL, 1, 2, 3, 4, 5, 6), ('s', '/w', '2026-06-30 10:00:00', '{"model_name":"x"}', 15, 10, 5);
    INSERT INTO messages VALUES (NULL, 1, '[]', 1), ('s', x'FF', x'FF', x'FF'), ('s', 'user', '[{"type":"text","text":"Well"}]', 1782813600);
    CREATE TABLE cursorDiskKV (key, value);
    INSERT INTO cursorDiskKV VALUES (NULL, '{}'), ('bubbleId:c:0', CAST(x'FF' AS TEXT)), ('bubbleId:c:1', 7),
      ('bubbleId:c:2', '{"type":2,"bubbleId":"2","text":"Well","createdAt":1782813600000,"tokenCount":{"inputTokens":10,"outputTokens":5}}');
"#;

const DATABASES: [(&str, u64); 3] = [
    (".local/share/opencode/opencode.db", 2),
    (".local/share/goose/sessions/sessions.db", 1),
    (".config/Cursor/User/globalStorage/state.vscdb", 1),
];

#[test]
fn rows_that_are_not_as_they_should_be_cost_their_neighbours_nothing() {
    for (path, responses) in DATABASES {
        let home = tempfile::tempdir().unwrap();
        put(home.path(), path, b"");
        Connection::open(home.path().join(path)).unwrap().execute_batch(ODD_ROWS).unwrap();
        let (index, imported) = read(home.path());
        let imported = imported.unwrap();
        assert!(imported.unreadable.is_empty() && imported.problems > 0, "{path}: {imported:?}");
        assert_eq!(days(&index).totals.responses, responses, "{path}");
    }
}

#[test]
fn what_is_no_database_is_told() {
    for (path, _) in DATABASES {
        for wrong in [
            b"no database at all, but long enough to be looked at".repeat(100),
            [b"SQLite format 3\0".as_slice(), &[0; 5000]].concat(),
        ] {
            let home = tempfile::tempdir().unwrap();
            put(home.path(), path, &wrong);
            put(home.path(), ".claude/projects/-w/s.jsonl", answer("a", NOON).as_bytes());
            let (index, imported) = read(home.path());
            let unreadable = imported.unwrap().unreadable;
            assert!(matches!(&unreadable[..], [(_, reason)] if reason.contains("database")), "{path}: {unreadable:?}");
            assert_eq!(days(&index).totals.responses, 1);
        }
    }
}

#[test]
fn what_stands_in_the_place_of_a_database_and_is_no_file_is_told() {
    for (path, _) in DATABASES.into_iter().chain([(".aider.chat.history.md", 0)]) {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join(path)).unwrap();
        put(home.path(), ".claude/projects/-w/s.jsonl", answer("a", NOON).as_bytes());
        let (index, imported) = read(home.path());
        let unreadable = imported.unwrap().unreadable;
        assert!(
            matches!(&unreadable[..], [(told, reason)] if told.ends_with(path) && reason == "it is not a file"),
            "{path}: {unreadable:?}"
        );
        assert_eq!((days(&index).totals.responses, index.unread(0, 10).unwrap().len()), (1, 1));
        fs::remove_dir(home.path().join(path)).unwrap();
        drop(index);
        assert_eq!(read(home.path()).1.unwrap().unreadable, []);
    }
}

#[test]
fn what_was_typed_in_folders_without_logs_is_read_where_old_versions_wrote_it() {
    let home = tempfile::tempdir().unwrap();
    for (folder, name) in
        [("-w-old", ".continuation_cache.json"), ("-w-new", "s.jsonl"), ("-w-new", ".continuation_cache.json")]
    {
        put(home.path(), &format!(".claude/projects/{folder}/{name}"), b"");
    }
    let typed = |project: &str, text: &str| {
        json!({ "display": text, "pastedContents": {}, "timestamp": 1_782_813_600_000_i64, "project": project })
            .to_string()
            + "\n"
    };
    let log = [
        &typed("/w/old", "Fix the cart"),
        "{\"display\":\"no project\"}\nnonsense\n",
        &typed("/w/new", "Fix the till"),
        &typed("/w/none", "Fix the door"),
    ];
    put(home.path(), ".claude/history.jsonl", log.concat().as_bytes());
    let known = |problems: usize| {
        let (mut index, imported) = read(home.path());
        assert_eq!(imported.unwrap().problems, problems);
        while index.read_texts(500).unwrap() > 0 {}
        let sessions =
            aside_history::list(&index, &aside_history::Listing { most: 10, ..Default::default() }).unwrap().0;
        let told = |one: &aside_history::SessionMatch| (one.path.clone(), one.first_ts.clone(), one.message_count);
        let asking = Asking {
            now: "2026-07-01".parse().unwrap(),
            zone: zone(Some("UTC")).unwrap(),
            workspace: None,
            plan: None,
        };
        let told_of = aside_history::answer(&index, &asking, "search_past_decisions", &json!({ "query": "fix" }));
        (sessions.iter().map(told).map(|one| format!("{one:?}")).collect::<Vec<_>>(), told_of["count"].clone())
    };
    let (sessions, found) = known(1);
    assert_eq!((sessions.len(), found), (1, json!(1)), "{sessions:?}");
    assert!(
        sessions[0].contains("/w/old") && sessions[0].contains("2026-06-30") && sessions[0].ends_with("1)"),
        "{sessions:?}"
    );
    put(home.path(), ".claude/history.jsonl", (log.concat() + &typed("/w/old", "Fix it again")).as_bytes());
    assert!(known(0).0[0].ends_with("2)"));
}

#[test]
fn a_line_that_is_written_over_in_the_middle_is_noticed() {
    let home = tempfile::tempdir().unwrap();
    let path = ".claude/projects/-w/s.jsonl";
    let lines = ["a", "b", "c", "d"].map(|id| answer(id, NOON));
    put(home.path(), path, lines.concat().as_bytes());
    assert_eq!(days(&read(home.path()).0).totals.responses, 4);
    put(home.path(), path, lines.concat().replace(&lines[1], &(" ".repeat(lines[1].len() - 1) + "\n")).as_bytes());
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(1);
    fs::File::options().append(true).open(home.path().join(path)).unwrap().set_modified(later).unwrap();
    assert_eq!(days(&read(home.path()).0).totals.responses, 3);
}

#[test]
fn a_line_in_the_middle_that_is_written_over_is_noticed_also_when_more_was_added() {
    for other in ["", "x"] {
        let home = tempfile::tempdir().unwrap();
        let path = ".claude/projects/-w/s.jsonl";
        // What stands at the beginning and at the end is the same before and after.
        let lines = ["a", "b", "c", "d"].map(|id| answer(id, NOON));
        put(home.path(), path, lines.concat().as_bytes());
        assert_eq!(days(&read(home.path()).0).totals.responses, 4);
        let blank = " ".repeat(lines[1].len() - 1) + other + "\n";
        let changed = lines.concat().replace(&lines[1], &blank) + &answer("e", NOON);
        put(home.path(), path, changed.as_bytes());
        let (index, imported) = read(home.path());
        assert_eq!((days(&index).totals.responses, imported.unwrap().bytes), (4, changed.len() as u64));
        drop(index);
        put(home.path(), path, (changed.clone() + &answer("f", NOON)).as_bytes());
        let (index, imported) = read(home.path());
        let added = answer("f", NOON).len() as u64;
        assert_eq!((days(&index).totals.responses, imported.unwrap().bytes), (5, added), "only what is new is read");
    }
}

#[test]
fn what_cannot_be_opened_is_told_until_it_can() {
    let home = tempfile::tempdir().unwrap();
    put(home.path(), ".claude/projects/-w/s.jsonl", answer("a", NOON).as_bytes());
    // A file where a folder should be.
    put(home.path(), ".codex/sessions", b"");
    let (index, imported) = read(home.path());
    let imported = imported.unwrap();
    assert!(imported.unreadable[0].0.ends_with(".codex/sessions"), "{imported:?}");
    let unread = index.unread(0, 10).unwrap();
    assert!(unread[0].path.ends_with(".codex/sessions") && unread[0].offset.is_none(), "{unread:?}");
    assert_eq!((index.counts().unwrap(), days(&index).totals.responses), ((1, 1), 1));
    drop(index);
    fs::remove_file(home.path().join(".codex/sessions")).unwrap();
    let (index, imported) = read(home.path());
    assert_eq!((imported.unwrap().unreadable, index.counts().unwrap()), (vec![], (1, 0)));
}

#[test]
fn clocks_that_are_wrong_and_sessions_over_midnight_keep_their_days() {
    let home = tempfile::tempdir().unwrap();
    let times = [
        "2026-06-30T23:59:59.999Z",
        "2026-07-01T00:00:00.000Z",
        "2999-01-01T00:00:00.000Z",
        "no time",
        "1969-12-31T23:59:59Z",
    ];
    let log: String = times.iter().enumerate().map(|(number, at)| answer(&number.to_string(), at)).collect();
    put(home.path(), ".claude/projects/-w/s.jsonl", log.as_bytes());
    let (index, _) = read(home.path());
    let found: Vec<(String, u64)> = days(&index).rows.into_iter().map(|row| (row.period, row.sums.responses)).collect();
    let expected = ["1969-12-31", "2026-06-30", "2026-07-01", "2999-01-01", "unknown"];
    assert_eq!(found, expected.map(|day| (day.to_owned(), 1)));
    let sessions = aside_history::sessions(&index, &Filter::default()).unwrap();
    assert_eq!((sessions.rows.len(), sessions.rows[0].sums.responses), (1, 5));
}

#[test]
fn nothing_at_all_is_no_error() {
    let home = tempfile::tempdir().unwrap();
    let (index, imported) = read(home.path());
    assert_eq!((imported.unwrap(), index.is_empty().unwrap()), (Imported::default(), true));
    put(home.path(), ".claude/projects/-w/empty.jsonl", b"");
    let (index, imported) = read(home.path());
    assert_eq!((imported.unwrap().files, index.counts().unwrap(), days(&index).rows.len()), (1, (1, 0), 0));
}

#[test]
fn an_index_that_another_program_holds_is_an_error_and_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    put(home.path(), ".claude/projects/-w/s.jsonl", answer("a", NOON).as_bytes());
    drop(read(home.path()));
    put(home.path(), ".claude/projects/-w/t.jsonl", answer("b", NOON).as_bytes());
    let other = Connection::open(home.path().join("data/history.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut history = History::open_in(&DataFolder::at(home.path().join("data"))).unwrap();
    let environment = |name: &str| (name == "HOME").then(|| home.path().display().to_string());
    let failed = history.update(environment, Effort::All, &mut |_| ()).unwrap_err();
    assert!(failed.to_string().contains("locked"), "{failed}");
    other.execute_batch("COMMIT").unwrap();
    history.update(environment, Effort::All, &mut |_| ()).unwrap();
    assert_eq!(days(history.index()).totals.responses, 2);
}

/// A session of a program that keeps each in one JSON value: where it stands, and what it says.
fn whole_logs() -> [(&'static str, serde_json::Value); 4] {
    let at = 1_782_813_600_000_i64;
    let counts = json!({ "model": "claude-opus-4-5", "inputTokens": 10, "outputTokens": 5 });
    let request = json!({ "tokensIn": 10, "tokensOut": 5, "cost": 0.5 }).to_string();
    [
        (
            ".gemini/tmp/shop/chats/session-1.json",
            json!({ "sessionId": "s", "messages": [{ "id": "g", "type": "gemini", "timestamp": NOON, "content": "Well",
                "model": "gemini-2.5-pro", "tokens": { "input": 10, "output": 5 } }] }),
        ),
        (
            ".local/share/amp/threads/T-1.json",
            json!({ "id": "T-1", "created": at, "messages": [{ "role": "assistant", "messageId": 1, "usage": counts }] }),
        ),
        (
            ".continue/sessions/c.json",
            json!({ "sessionId": "c", "dateCreated": at.to_string(), "usage": { "promptTokens": 10, "completionTokens": 5 } }),
        ),
        (
            ".cline/data/tasks/1700/ui_messages.json",
            json!([{ "ts": at, "type": "say", "say": "text", "text": "Fix it" },
                { "ts": at, "type": "say", "say": "api_req_started", "text": request }]),
        ),
    ]
}

#[test]
fn a_log_that_is_half_written_keeps_what_was_known_of_it() {
    let home = tempfile::tempdir().unwrap();
    for (path, log) in whole_logs() {
        put(home.path(), path, log.to_string().as_bytes());
    }
    let (index, imported) = read(home.path());
    assert_eq!((imported.unwrap().problems, days(&index).totals.responses), (0, 4));
    let all = |index: &Index| (days(index).totals, aside_history::sessions(index, &Filter::default()).unwrap().rows);
    let whole = all(&index);
    drop(index);
    for (path, log) in whole_logs() {
        let bytes = log.to_string().into_bytes();
        put(home.path(), path, &bytes[..bytes.len() / 2]);
    }
    let (index, imported) = read(home.path());
    assert_eq!((imported.unwrap().problems, all(&index)), (4, whole.clone()));
    let told = index.unread(0, 10).unwrap();
    assert!(told.len() == 4 && told.iter().all(|one| one.reason.contains("invalid JSON")), "{told:?}");
    drop(index);
    // Half-written still, and longer: the trouble is told once.
    for (path, log) in whole_logs() {
        let bytes = log.to_string().into_bytes();
        put(home.path(), path, &bytes[..bytes.len() - 1]);
    }
    let (index, _) = read(home.path());
    assert_eq!((index.unread(0, 10).unwrap().len(), all(&index)), (4, whole.clone()));
    drop(index);
    for (path, log) in whole_logs() {
        put(home.path(), path, format!("{log}\n").as_bytes());
    }
    let (index, imported) = read(home.path());
    assert_eq!((imported.unwrap().problems, index.unread(0, 10).unwrap().len(), all(&index)), (0, 0, whole));
}
