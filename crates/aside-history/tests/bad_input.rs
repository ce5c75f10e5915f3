//! What logs, folders and clocks should not be like: each is survived, told of, and costs its neighbours nothing.
#![expect(clippy::disallowed_methods, reason = "makes logs that are wrong")]

use std::{fs, path::Path};

use aside_history::{
    Effort, Filter, History, HistoryError, Imported, Index, Period, PeriodReport, Source, find, import, periods, zone,
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
    check(b"{\"type\":\n", 1, "not JSON that can be read");
    check(b"\0\0\0\0\n", 1, "not a JSON object");
    check(b"{\"type\":\"user\",\"message\":{\"content\":\"caf\xe9\"}}\n", 1, "UTF-8");
    check(b"\r\n\n   \n", 0, "");
    check(b"{\"type\":\"queue-operation\",\"nobody\":[1,null]}\n", 0, "");
    check(b"{\"type\":\"user\",\"message\":{\"content\":\"\\ud83d\"}}\n", 0, "");
    let deep = [b"{\"a\":".to_vec(), b"[".repeat(5_000), b"\n".to_vec()].concat();
    check(&deep, 1, "not JSON that can be read");
}

#[test]
fn a_line_of_a_hundred_megabytes_is_read() {
    let mut line = b"{\"type\":\"user\",\"message\":{\"content\":\"".to_vec();
    line.resize(100 << 20, b'x');
    line.extend_from_slice(b"\"}}\n");
    check(&line, 0, "");
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
    assert!(told.len() == 4 && told.iter().all(|one| one.reason.contains("not JSON that can be read")), "{told:?}");
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
