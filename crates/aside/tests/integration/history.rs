//! Reports, questions and the status line as they are typed, over homes with logs.
#![allow(clippy::disallowed_methods, reason = "makes logs and starts the program")]

mod blocks;
#[path = "../../../aside-history/tests/integration/generated.rs"]
mod generated;
mod status_line;
mod words;

use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

use aside_core::Timestamp;
use serde_json::{Value, json};

use crate::common::{self, Workspace, code, stdout};

const MINUTE: i64 = 60_000;

/// A home with a generated tree of logs, and the truth about it; none where there is no Python.
fn generated() -> Option<(Workspace, Value)> {
    let home = Workspace::new();
    let truth = generated::tree(home.path(), "0.5", "7")?;
    Some((home, truth))
}

/// An answer of a model in Claude Code's log: a million tokens of input cost five dollars.
fn answer(id: &str, at: Timestamp, million: f64, logged: Option<f64>) -> String {
    let usage = json!({ "input_tokens": million * 1e6, "output_tokens": 0 });
    let message = json!({ "id": id, "model": "claude-opus-4-5", "usage": usage, "content": [{ "type": "text", "text": "Well" }] });
    let mut line =
        json!({ "type": "assistant", "timestamp": at.to_string(), "cwd": "/w", "requestId": id, "message": message });
    if let Some(dollars) = logged {
        line["costUSD"] = dollars.into();
    }
    format!("{line}\n")
}

/// A home with one session of Claude Code.
fn with_log(text: &str) -> Workspace {
    let home = Workspace::new();
    let folder = home.path().join(".claude/projects/-w");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("one.jsonl"), text).unwrap();
    home
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp(i64::try_from(since.as_millis()).unwrap())
}

fn statusline(home: &Workspace, args: &[&str], input: &str) -> (i32, String) {
    ask(home.command(&[&["statusline"], args].concat()), input)
}

/// Gives a command something on standard input; returns its exit code and what it printed.
fn ask(command: Command, input: &str) -> (i32, String) {
    ask_bytes(command, input.as_bytes())
}

fn ask_bytes(mut command: Command, input: &[u8]) -> (i32, String) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    (code(&output), stdout(&output))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("{value}")).keys().map(String::as_str).collect()
}

#[track_caller]
fn has(value: &Value, names: &str) {
    let known = keys(value);
    names.split_whitespace().for_each(|name| assert!(known.contains(&name), "{name} is missing in {value}"));
}

const SUMS: &str =
    "inputTokens outputTokens cacheCreationTokens cacheReadTokens totalTokens totalCost modelsUsed modelBreakdowns";

#[test]
fn models_without_a_price_and_those_that_are_served_no_more_are_named() {
    let line = |id: &str, model: &str| answer(id, now(), 1.0, None).replace("claude-opus-4-5", model);
    let home = with_log(
        &(line("a", "claude-3-opus-20240229") + &line("b", "claude-of-tomorrow") + &line("c", "claude-opus-4-5")),
    );
    for report in ["daily", "session"] {
        let said = stdout(&home.command(&["report", report]).output().unwrap());
        assert!(said.contains("claude-3-opus-20240229 is retired: its last published price applies"), "{said}");
        assert!(said.contains("? 1 response of claude-of-tomorrow without a known price, not in the cost"), "{said}");
        assert_eq!(said.matches("is retired").count(), 1, "{said}");
        assert!(said.contains("$20.00"), "{said}");
    }
    for report in ["daily", "session", "blocks"] {
        let (_, said) = home.json(&["report", report]);
        assert_eq!(said["retiredModels"], serde_json::json!(["claude-3-opus-20240229"]), "{said}");
    }
}

#[test]
fn every_report_adds_up_to_the_truth_under_the_names_that_people_know() {
    let Some((home, truth)) = generated() else { return };
    let all = truth["cost_total"].as_f64().unwrap();
    for (by, list, name) in [
        ("daily", "daily", "date"),
        ("weekly", "weekly", "week"),
        ("monthly", "monthly", "month"),
        ("session", "sessions", "sessionId firstActivity lastActivity"),
    ] {
        let (ended, found) = home.json(&["report", by, "--timezone", "UTC", "--offline"]);
        assert_eq!(ended, 0);
        has(&found, &format!("{list} totals"));
        let rows = found[list].as_array().unwrap();
        rows.iter().for_each(|row| has(row, &format!("{name} {SUMS}")));
        let sum: f64 = rows.iter().map(|row| row["totalCost"].as_f64().unwrap()).sum();
        let total = found["totals"]["totalCost"].as_f64().unwrap();
        assert!((sum - all).abs() < 0.005 && (total - all).abs() < 0.005, "{by}: {sum}, {total}, {all}");
        let (_, two) = home.json(&["report", by, "-z", "UTC", "--last", "2"]);
        let kept = two[list].as_array().unwrap();
        let sum: f64 = kept.iter().map(|row| row["totalCost"].as_f64().unwrap()).sum();
        assert_eq!(kept.len(), rows.len().min(2), "{by}");
        assert!((sum - two["totals"]["totalCost"].as_f64().unwrap()).abs() < 1e-6, "{by}");
        let words = stdout(&home.run(&["report", by, "-z", "UTC"]));
        let compact = stdout(&home.run(&["report", by, "-z", "UTC", "--compact"]));
        assert!(words.contains("Cache Read") && words.contains("Total"), "{words}");
        assert!(!compact.contains("Cache Read") && compact.contains("Cost (USD)"), "{compact}");
    }
    let days = truth["by_day_utc"].as_object().unwrap();
    let day = days.keys().next().unwrap();
    let (_, found) = home.json(&["report", "daily", "-z", "UTC", "--since", day, "--until", day]);
    assert_eq!((found["daily"].as_array().unwrap().len(), &found["daily"][0]["date"]), (1, &json!(day)));
    assert_eq!(found["totals"]["totalTokens"], days[day]["tokens"]);
    let (_, found) = home.json(&["report", "daily", "-z", "UTC", "--instances", "--source", "codex"]);
    has(&found, "projects totals");
    let sum = truth["sessions"]["codex"]["cost"].as_f64().unwrap();
    assert!((found["totals"]["totalCost"].as_f64().unwrap() - sum).abs() < 0.005, "{found}");
}

#[test]
fn the_cost_is_that_of_the_log_or_of_the_list_as_asked() {
    let at = "2026-06-30T10:00:00Z".parse().unwrap();
    let home = with_log(&(answer("a", at, 1.0, Some(7.0)) + &answer("b", at, 1.0, None)));
    for (mode, dollars) in [("auto", 12.0), ("calculate", 10.0), ("display", 7.0)] {
        let (_, found) = home.json(&["report", "--mode", mode]);
        assert_eq!(found["totals"]["totalCost"], dollars, "{mode}");
    }
}

#[test]
fn a_home_without_logs_is_no_error() {
    let home = Workspace::new();
    for by in ["daily", "weekly", "monthly", "session", "blocks"] {
        let (ended, found) = home.json(&["report", by]);
        let list = found.as_object().unwrap().values().find_map(Value::as_array).unwrap();
        assert_eq!((ended, list.len()), (0, 0), "{by}");
        let words = stdout(&home.run(&["report", by]));
        assert!(words.contains("no logs of AI coding programs were found on this computer"), "{words}");
    }
    assert_eq!(home.json(&["history", "import"]).1["files"], 0);
    let (ended, line) = statusline(&home, &[], r#"{"session_id":"x"}"#);
    assert_eq!((ended, line.as_str()), (0, "🤖 Claude | 💰 N/A session / $0.00 today / No active block\n"));
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let at = "2026-06-30T10:00:00Z".parse().unwrap();
    let first = answer("a", at, 1.0, None);
    let home = with_log(&format!("{first}nonsense\n{}", answer("b", at, 1.0, None)));
    let log = home.path().join(".claude/projects/-w/one.jsonl").canonicalize().unwrap();
    let place = format!("{}:{}: not a JSON object", log.display(), first.len());
    let words = stdout(&home.run(&["history", "import"]));
    assert!(words.contains(&place), "{words}");
    let (_, told) = home.json(&["history", "import"]);
    assert_eq!((&told["read"], &told["lines"][0]["offset"]), (&json!(0), &json!(first.len())));
    assert_eq!(told["lines"][0]["reason"], "not a JSON object");
}

#[test]
fn questions_and_imports_take_the_words_of_reports() {
    let at = "2026-06-30T23:30:00Z".parse().unwrap();
    let home = with_log(&answer("a", at, 1.0, None));
    let (_, told) = home.json(&["history", "import", "--source", "codex,aider"]);
    assert_eq!(told["files"], 0);
    let (_, told) = home.json(&["history", "import", "--source", "claude"]);
    assert_eq!((&told["files"], &told["read"]), (&json!(1), &json!(1)));
    // All is read, and the part is added up that is named.
    for (part, count) in [
        (&["--since", "2026-06-30", "-z", "UTC"][..], 1),
        (&["--until", "2026-06-29"], 0),
        (&["--workspace", "/w", "--source", "claude"], 1),
        (&["--workspace", "/v"], 0),
    ] {
        let (ended, told) = home.json(&[&["history", "import"], part].concat());
        assert_eq!(
            (ended, &told["part"]["responses"], &told["part"]["sessions"]),
            (0, &json!(count), &json!(count)),
            "{told}"
        );
        assert_eq!(told["part"]["totalCost"], json!(5.0 * f64::from(count)));
    }
    let words = stdout(&home.run(&["history", "import", "--workspace", "w"]));
    assert!(words.ends_with("in that part: sessions 1, answers 1, cost $5.00\n"), "{words}");
    assert!(home.json(&["history", "import"]).1.get("part").is_none());
    assert_ne!(home.json(&["history", "import", "--since", "soon"]).0, 0);
    let tool = |args: &[&str]| home.json(&[&["history", "tool"], args].concat());
    let (_, found) = tool(&["list_recent_sessions", "--workspace", "/w"]);
    assert_eq!(found["count"], 1);
    assert_eq!(tool(&["list_recent_sessions", "--project", "w"]).1["count"], 1);
    let (ended, wrong) = tool(&["get_cost_summary", "--project", "/v"]);
    assert!(
        ended == 1 && wrong["error"].as_str().unwrap().contains("there are no sessions in a folder `/v`"),
        "{wrong}"
    );
    let (ended, found) = tool(&["get_project_summary", "-p", "/w", "-z", "Europe/Berlin"]);
    assert_eq!((ended, &found["path"]), (0, &json!("/w")));
    let (_, found) = tool(&["find_sessions_in_path", "--args", r#"{"path":"/w/x"}"#, "--since", "2026-07-01"]);
    assert_eq!(found["count"], 0);
    // Whatever the question is, it looks at that part only.
    let spent = |more: &[&str]| {
        let (ended, found) = tool(&[&["get_cost_summary", "--args", r#"{"period":"all"}"#], more].concat());
        assert_eq!(ended, 0, "{found}");
        found["total_cost_usd"].as_f64().unwrap()
    };
    assert_eq!([spent(&[]), spent(&["--source", "claude"]), spent(&["--source", "codex,aider"])], [5.0, 5.0, 0.0]);
    assert_eq!([spent(&["--since", "2026-06-30", "-z", "UTC"]), spent(&["--since", "7d"])], [5.0, 0.0]);
    let until = |zone| spent(&["--until", "2026-06-30", "--timezone", zone]);
    assert_eq!([until("UTC"), until("Europe/Berlin")], [5.0, 0.0]);
    let (_, found) = tool(&["list_recent_sessions", "--until", "2026-06-29"]);
    assert_eq!(found["count"], 0);
    for (wrong, word) in [(["--since", "soon"], "is not a day"), (["-z", "Mars"], "not a time zone")] {
        let (ended, told) = tool(&[&["list_recent_sessions"], &wrong[..]].concat());
        assert!(ended != 0 && told["error"]["message"].as_str().unwrap().contains(word), "{told}");
    }
    // Half past eleven in London is the next day in Berlin.
    let (_, found) = home.json(&["report", "daily", "--timezone", "Europe/Berlin"]);
    assert_eq!(found["daily"][0]["date"], "2026-07-01");
}

#[test]
fn an_import_that_is_killed_loses_and_doubles_nothing() {
    let Some((home, truth)) = generated() else { return };
    let index = home.path().join(".local/share/aside/history.db");
    let mut killed = 0;
    // Each time a little later: the journal of the index is there, then it has so many bytes.
    for bytes in [0, 1 << 15, 1 << 17, 1 << 18] {
        let mut import =
            home.command(&["history", "import"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let journal = home.path().join(".local/share/aside/history.db-wal");
        let written = || fs::metadata(&journal).is_ok_and(|journal| journal.len() > bytes);
        let ended = common::until("the import", || match import.try_wait().unwrap() {
            Some(_) => Some(true),
            None => written().then_some(false),
        });
        killed += u32::from(!ended);
        let _ = import.kill();
        import.wait().unwrap();
    }
    assert!(killed > 0 && index.exists());
    let (ended, found) = home.json(&["report", "session", "-z", "UTC"]);
    let total = found["totals"]["totalCost"].as_f64().unwrap();
    assert_eq!((ended, &found["totals"]["responses"]), (0, &truth["dedup_responses"]));
    assert!((total - truth["cost_total"].as_f64().unwrap()).abs() < 0.005, "{total}");
    // Session by session and message by message it is what an import says that nobody killed.
    let recent = || home.json(&["history", "tool", "list_recent_sessions", "--args", r#"{"limit":25}"#]).1;
    let before = (found, recent());
    fs::remove_dir_all(index.parent().unwrap()).unwrap();
    assert_eq!((home.json(&["report", "session", "-z", "UTC"]).1, recent()), before);
}
