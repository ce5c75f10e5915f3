//! Totals against trees of logs whose truth is known: to the cent for every seed and size, also in pieces and in any order.
#![expect(clippy::disallowed_methods, reason = "makes trees of logs and changes them")]

use std::{fs, path::Path};

use aside_history::{
    Asking, Effort, Filter, History, Imported, Index, Period, Source, answer, dashboard, find, import, periods,
    sessions, zone,
};
use aside_prices::Prices;
use aside_store::{DataFolder, sql::Connection};
use serde_json::Value;

use crate::generated::tree;
use crate::recount;

fn read(home: &Path, data: &DataFolder) -> (Index, Imported) {
    let home = home.display().to_string();
    let all: Vec<Source> = Source::all().collect();
    let places = find(&all, |name| (name == "HOME").then(|| home.clone()));
    let mut index = Index::open(data).unwrap();
    let imported = import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ()).unwrap();
    recount::check(data.path());
    (index, imported)
}

#[track_caller]
fn close(ours: f64, truth: &Value, what: &str) {
    let truth = truth.as_f64().unwrap();
    assert!((ours - truth).abs() < 0.005, "{what}: ours ${ours}, the truth ${truth}");
}

#[expect(clippy::cast_precision_loss, reason = "dollars")]
fn dollars(picodollars: u64) -> f64 {
    picodollars as f64 / 1e12
}

#[track_caller]
fn check(index: &Index, truth: &Value) {
    let utc = zone(Some("UTC")).unwrap();
    let filter = Filter::default();
    let days = periods(index, Period::Day, &filter, &utc).unwrap();
    close(dollars(days.totals.picodollars), &truth["cost_total"], "in all");
    assert_eq!(Some(days.totals.responses), truth["dedup_responses"].as_u64());
    assert_eq!(days.totals.unpriced, 0);
    let tokens = &truth["tokens_total"];
    let written = tokens["cache_write_5m"].as_u64().unwrap() + tokens["cache_write_1h"].as_u64().unwrap();
    let sums = [
        days.totals.input_tokens,
        days.totals.output_tokens,
        days.totals.cache_read_tokens,
        days.totals.cache_creation_tokens,
    ];
    let expected = ["input", "output", "cache_read"].map(|kind| tokens[kind].as_u64().unwrap());
    assert_eq!(sums, [expected[0], expected[1], expected[2], written]);
    assert_eq!(days.rows.len(), truth["by_day_utc"].as_object().unwrap().len());
    for row in &days.rows {
        let day = &truth["by_day_utc"][&row.period];
        assert_eq!(Some(row.sums.total_tokens), day["tokens"].as_u64(), "{}", row.period);
        close(dollars(row.sums.picodollars), &day["cost"], &row.period);
    }
    for (folder, rows) in &days.workspaces {
        let sum: u64 = rows.iter().map(|row| row.sums.picodollars).sum();
        close(dollars(sum), &truth["cost_by_project"][folder]["cost"], folder);
    }
    for source in Source::all() {
        let filter = Filter { sources: vec![source], ..Filter::default() };
        let found = sessions(index, &filter).unwrap();
        let Some(truth) = truth["sessions"].get(source.word()) else { continue };
        close(dollars(found.totals.picodollars), &truth["cost"], source.word());
        assert_eq!(Some(found.totals.responses), truth["responses"].as_u64());
    }
}

#[test]
fn totals_equal_the_truth_for_every_seed() {
    for (seed, megabytes) in [("1", "1.5"), ("2", "0.4"), ("3", "2"), ("4", "0.1"), ("5", "3"), ("6", "1")] {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path().join("data"));
        let Some(truth) = tree(folder.path(), megabytes, seed) else { return };
        let (index, imported) = read(folder.path(), &data);
        check(&index, &truth);
        drop(index);
        let known = Connection::open(folder.path().join("data/history.db")).unwrap();
        let codex = "SELECT COUNT(*), SUM(ok IS 1) FROM call JOIN file ON file.id = call.file WHERE source = 'codex'";
        let (calls, worked): (i64, i64) = known.query_row(codex, (), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert!(calls > 0 && calls == worked, "{worked} of {calls} calls of Codex are known to have worked");
        assert_eq!(imported.files, usize::try_from(truth["files"].as_u64().unwrap()).unwrap());
        let (index, again) = read(folder.path(), &data);
        assert_eq!((again.read, again.bytes, again.gone), (0, 0, 0));
        check(&index, &truth);
    }
}

/// Asks a question, and returns the ids of the sessions in its answer.
fn sessions_of(index: &Index, name: &str, arguments: &Value) -> Vec<String> {
    let now = "2026-07-01".parse().unwrap();
    let asking = Asking { now, zone: zone(Some("UTC")).unwrap(), workspace: None, plan: None };
    let found = answer(index, &asking, name, arguments);
    let ids = found["sessions"].as_array().unwrap_or_else(|| panic!("{found}")).iter();
    let mut ids: Vec<String> = ids.map(|one| one["session_id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn questions_about_files_and_folders_are_answered_from_the_logs() {
    let folder = tempfile::tempdir().unwrap();
    let Some(truth) = tree(folder.path(), "1.5", "21") else { return };
    let (index, _) = read(folder.path(), &DataFolder::at(folder.path().join("data")));
    let risk = &truth["probes"]["risk"];
    let lists = ["worked", "failed", "reverted"].map(|kind| risk[kind].as_array().unwrap());
    let mut expected: Vec<String> = lists.into_iter().flatten().map(|id| id.as_str().unwrap().to_owned()).collect();
    expected.sort();
    assert!(!expected.is_empty());
    let touching = |mode: &str, file: &Value| {
        sessions_of(
            &index,
            "find_sessions_touching_file",
            &serde_json::json!({ "file": file, "mode": mode, "limit": 20 }),
        )
    };
    assert_eq!(touching("write", &risk["path"]), expected);
    assert_eq!(touching("read", &risk["path"]), [""; 0]);
    let longer = serde_json::json!(format!("{}.bak", risk["path"].as_str().unwrap()));
    assert_eq!(touching("any", &longer), [""; 0]);
    let playback = &truth["probes"]["playback"];
    assert_eq!(touching("write", &playback["path"]), [playback["session_id"].as_str().unwrap()]);
    // A file inside the folder finds the session; the folder above does so only if it is asked to.
    let path = playback["path"].as_str().unwrap();
    let in_path = |path: &str, descendants: bool| {
        let arguments = serde_json::json!({ "path": path, "descendants": descendants, "limit": 20 }).to_string();
        sessions_of(&index, "find_sessions_in_path", &arguments.into())
    };
    assert!(!in_path(path, false).is_empty());
    assert!(in_path("/home/dev", false).is_empty() && !in_path("/home/dev", true).is_empty());
    let now = "2026-07-01".parse().unwrap();
    let asking = Asking { now, zone: zone(Some("UTC")).unwrap(), workspace: None, plan: None };
    let all = answer(&index, &asking, "get_cost_summary", &serde_json::json!({ "period": "all" }));
    close(all["total_cost_usd"].as_f64().unwrap(), &truth["cost_total"], "the summary");
    for (name, arguments, said) in [
        ("find_sessions_in_path", "{}", "path is required"),
        ("get_cost_summary", r#"{"period":"year"}"#, "Unknown period"),
        ("find_sessions_in_path", r#"{"path":"/a","since":"soon"}"#, "invalid since"),
        ("get_project_summary", "{}", "slug is required"),
        ("guess", "{}", "list_recent_sessions"),
        ("list_recent_sessions", r#"{"colour":"red"}"#, "which takes project, limit"),
        ("find_sessions_in_path", r#"{"path":"/a","descendants":"maybe"}"#, "neither true nor false"),
        ("get_cost_summary", r#"{"since":"2026-06-02","until":"2026-06-01"}"#, "swap them"),
        ("list_recent_sessions", "[1]", "not an object"),
        ("list_recent_sessions", "{", "not JSON"),
    ] {
        let told = answer(&index, &asking, name, &arguments.into());
        assert!(told["error"].as_str().unwrap().contains(said), "{told}");
    }
}

/// All logs below a folder.
fn logs(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            logs(&entry.path(), found);
        } else if entry.path().extension().is_some_and(|ending| ending == "jsonl") {
            found.push(entry.path());
        }
    }
}

#[test]
fn totals_hold_when_logs_grow_are_written_anew_move_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let data = DataFolder::at(folder.path().join("data"));
    let Some(truth) = tree(folder.path(), "1.5", "11") else { return };
    let mut files = Vec::new();
    logs(folder.path(), &mut files);
    files.sort();
    let whole: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    // Half of each, cut wherever it falls; then the rest, of every third after it was written anew.
    for (file, bytes) in files.iter().zip(&whole) {
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }
    drop(read(folder.path(), &data));
    for (number, (file, bytes)) in files.iter().zip(&whole).enumerate() {
        if number % 3 == 0 {
            fs::remove_file(file).unwrap();
        }
        fs::write(file, bytes).unwrap();
    }
    let (index, imported) = read(folder.path(), &data);
    assert_eq!(imported.read, files.len());
    check(&index, &truth);
    drop(index);
    // One is shorter for a while, and one has other bytes of the same length.
    fs::write(&files[0], &whole[0][..10]).unwrap();
    drop(read(folder.path(), &data));
    fs::write(&files[0], &whole[0]).unwrap();
    check(&read(folder.path(), &data).0, &truth);
    // What moves is not read again, and what goes is remembered.
    let (claude, codex) = (folder.path().join(".claude/projects"), folder.path().join(".codex"));
    fs::rename(&claude, folder.path().join("moved")).unwrap();
    fs::create_dir_all(folder.path().join(".config/claude")).unwrap();
    fs::rename(folder.path().join("moved"), folder.path().join(".config/claude/projects")).unwrap();
    let (index, imported) = read(folder.path(), &data);
    assert_eq!((imported.bytes, imported.gone), (0, 0));
    check(&index, &truth);
    drop(index);
    fs::remove_dir_all(codex).unwrap();
    let (index, imported) = read(folder.path(), &data);
    assert!(imported.gone > 0);
    check(&index, &truth);
}

#[test]
fn databases_and_files_of_other_programs_are_found_read_once_and_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let data = DataFolder::at(home.join("data"));
    let put = |path: &str, text: &str| {
        fs::create_dir_all(home.join(path).parent().unwrap()).unwrap();
        fs::write(home.join(path), text).unwrap();
    };
    put(
        "shop/.aider.chat.history.md",
        "# aider chat started at 2026-06-30 10:00:00\n\n#### cart\n> Tokens: 10 sent, 5 received.\n",
    );
    put(
        ".continue/sessions/s.json",
        r#"{"sessionId":"c","workspaceDirectory":"/w","history":[{"message":{"role":"user","content":"hi"}}]}"#,
    );
    put(".continue/sessions/sessions.json", "[]");
    let database = home.join(".local/share/goose/sessions/sessions.db");
    fs::create_dir_all(database.parent().unwrap()).unwrap();
    let goose = Connection::open(&database).unwrap();
    goose
        .execute_batch(
            r#"PRAGMA journal_mode = WAL;
            CREATE TABLE sessions (id TEXT PRIMARY KEY, working_dir TEXT, created_at TEXT, total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER);
            CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
            INSERT INTO sessions VALUES ('g', 'SHOP', '2026-06-30 10:00:00', 30, 20, 10);
            INSERT INTO messages VALUES (1, 'g', 'user', '[{"type":"text","text":"quartz"}]', 1782813600);"#,
        )
        .unwrap();
    let shop = home.join("shop").display().to_string();
    goose.execute("UPDATE sessions SET working_dir = ?", [&shop]).unwrap();
    let beside = || fs::read_dir(database.parent().unwrap()).unwrap().count();
    let before = (beside(), fs::read(&database).unwrap());
    let environment = |name: &str| match name {
        "HOME" => Some(home.display().to_string()),
        "ASIDE_DATA_DIR" => Some(home.join("data").display().to_string()),
        _ => None,
    };
    let mut history = History::open_in(&data).unwrap();
    history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    // Its folder is known from the database by now; the log in it is found.
    let again = history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    assert_eq!((again.read, again.unreadable), (1, vec![]));
    assert_eq!((beside(), fs::read(&database).unwrap()), before);
    let programs = |history: &History| -> Vec<(String, u64)> {
        let sums = dashboard(history.index(), &Filter::default(), &zone(Some("UTC")).unwrap()).unwrap().sources;
        let mut all: Vec<_> = sums.into_iter().map(|one| (one.name, one.sums.total_tokens)).collect();
        all.sort();
        all
    };
    assert_eq!(programs(&history), [("Aider".to_owned(), 15), ("Goose".to_owned(), 30)]);
    history.read_texts().unwrap();
    assert_eq!(sessions_of(history.index(), "search_past_decisions", &serde_json::json!({ "query": "quartz" })), ["g"]);
    // One that is in the middle of a change is told of and tried again; what is known stays.
    goose.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE sessions SET total_tokens = 300, input_tokens = 290").unwrap();
    for number in 10..2000 {
        goose.execute("INSERT INTO messages VALUES (?, 'g', 'user', hex(randomblob(200)), 1)", [number]).unwrap();
    }
    let busy = history.update(environment, Effort::Idle, &mut |_| ()).unwrap();
    assert!(busy.unreadable[0].1.contains("read again later"), "{busy:?}");
    assert_eq!(programs(&history)[1].1, 30);
    goose.execute_batch("COMMIT").unwrap();
    assert_eq!(history.update(environment, Effort::Idle, &mut |_| ()).unwrap().unreadable, []);
    assert_eq!(programs(&history)[1].1, 300);
}
