//! Reports, questions and the status line as they are typed, over homes with logs.
#![allow(clippy::disallowed_methods, reason = "makes logs and starts the program")]

mod common;

use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
    time::{SystemTime, UNIX_EPOCH},
};

use aside_core::Timestamp;
use common::{Workspace, code, stderr, stdout};
use serde_json::{Value, json};

const MINUTE: i64 = 60_000;

/// A home with a generated tree of logs, and the truth about it; none where there is no Python.
fn generated() -> Option<(Workspace, Value)> {
    let home = Workspace::new();
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/../aside-history/tests/gen_history.py");
    let mut make = Command::new("python3");
    make.args([generator, "--mb", "0.5", "--seed", "7", "--out"]).arg(home.path());
    let Ok(made) = make.output() else {
        println!("NOT TESTED: reports of a generated tree, as there is no python3");
        return None;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some((home, serde_json::from_slice(&made.stdout).unwrap()))
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
fn blocks_have_gaps_between_them_and_none_of_the_past_is_active() {
    let Some((home, _)) = generated() else { return };
    let (ended, found) = home.json(&["report", "blocks"]);
    assert_eq!((ended, keys(&found)), (0, vec!["blocks"]));
    let blocks = found["blocks"].as_array().unwrap();
    let names = "id startTime endTime actualEndTime isActive isGap tokenCounts totalTokens costUSD models burnRate projection entries";
    blocks.iter().for_each(|block| has(block, names));
    has(&blocks[0]["tokenCounts"], "inputTokens outputTokens cacheCreationInputTokens cacheReadInputTokens");
    assert!(blocks.iter().any(|block| block["isGap"] == true), "{found}");
    assert!(blocks.iter().all(|block| block["isActive"] == false), "{found}");
    let words = stdout(&home.run(&["report", "blocks"]));
    assert!(words.contains("no model answered until"), "{words}");
    assert_eq!(stdout(&home.run(&["report", "blocks", "--active"])), "no block is active\n");
}

#[test]
fn an_active_block_is_held_against_a_limit() {
    let now = now();
    let log = [("old", -50 * 60, 4.0), ("a", -20, 1.0), ("b", -10, 1.0)]
        .map(|(id, minutes, million)| answer(id, now.plus(minutes * MINUTE), million, None));
    let home = with_log(&log.concat());
    let (_, found) = home.json(&["report", "blocks", "--active", "--token-limit", "max"]);
    let block = &found["blocks"][0];
    assert_eq!((&block["isActive"], &block["totalTokens"]), (&json!(true), &json!(2_000_000)));
    let status = &block["tokenLimitStatus"];
    // Two hundred thousand tokens a minute, for more than three hours to come.
    let (used, projected) = (status["percentUsed"].as_f64().unwrap(), &block["projection"]["totalTokens"]);
    assert_eq!((&status["limit"], &status["projectedUsage"]), (&json!(4_000_000), projected));
    assert!(used > 900.0 && (used - projected.as_f64().unwrap() / 40_000.0).abs() < 1e-6, "{block}");
    assert_eq!(status["status"], "exceeds", "{block}");
    let (_, all) = home.json(&["report", "blocks", "-t", "max"]);
    assert_eq!(keys(&all["blocks"][0]).iter().find(|name| **name == "tokenLimitStatus"), None, "it has ended: {all}");
    has(&block["burnRate"], "tokensPerMinute tokensPerMinuteForIndicator costPerHour");
    has(&block["projection"], "totalTokens totalCost remainingMinutes");
    let words = stdout(&home.run(&["report", "blocks", "-a", "-t", "400000000"]));
    assert!(words.contains("of 400,000,000 tokens 0 % are used") && words.contains("active block:"), "{words}");
    let wrong = home.run(&["report", "blocks", "-t", "many"]);
    assert!(code(&wrong) != 0 && stderr(&wrong).contains("a number of tokens, or max"), "{wrong:?}");
}

#[test]
fn tables_show_the_days_and_hours_of_the_zone() {
    let home = with_log(&answer("a", "2026-06-30T23:30:00Z".parse().unwrap(), 1.0, None));
    for (zone, start, day) in
        [("Asia/Tokyo", "2026-07-01 08:00  ", "  2026-07-01\n"), ("UTC", "2026-06-30 23:00  ", "  2026-06-30\n")]
    {
        let blocks = stdout(&home.run(&["report", "blocks", "-z", zone]));
        assert!(blocks.contains(start), "{zone}: {blocks}");
        let sessions = stdout(&home.run(&["report", "session", "-z", zone]));
        assert!(sessions.contains(day), "{zone}: {sessions}");
    }
    // Programs are told the moment.
    let (_, found) = home.json(&["report", "blocks", "-z", "Asia/Tokyo"]);
    assert_eq!(found["blocks"][0]["startTime"], "2026-06-30T23:00:00.000Z");
}

#[test]
fn a_day_that_is_asked_for_makes_no_other_blocks() {
    let times = ["2026-06-29T23:00:00Z", "2026-06-30T01:00:00Z", "2026-06-30T12:00:00Z", "2026-07-01T09:00:00Z"];
    let home = with_log(&times.map(|at| answer(at, at.parse().unwrap(), 1.0, None)).concat());
    let blocks = |args: &[&str]| {
        let (_, found) = home.json(&[&["report", "blocks", "-z", "UTC"], args].concat());
        let blocks = found["blocks"].as_array().unwrap().clone();
        blocks.iter().filter(|block| block["isGap"] == false).cloned().collect::<Vec<_>>()
    };
    let all = blocks(&[]);
    let starts: Vec<&str> = all.iter().map(|block| block["startTime"].as_str().unwrap()).collect();
    assert_eq!(starts, ["2026-06-29T23:00:00.000Z", "2026-06-30T12:00:00.000Z", "2026-07-01T09:00:00.000Z"]);
    assert_eq!(blocks(&["--since", "2026-06-30", "--until", "2026-06-30"]), all[1..2]);
    assert_eq!(blocks(&["--until", "2026-06-29"]), all[..1]);
}

#[test]
fn what_a_wrong_clock_dated_ahead_is_not_active_now() {
    let home = with_log(&answer("a", "2999-01-01T10:00:00Z".parse().unwrap(), 1.0, None));
    let (_, found) = home.json(&["report", "blocks"]);
    assert_eq!(
        (&found["blocks"][0]["totalTokens"], &found["blocks"][0]["isActive"]),
        (&json!(1_000_000), &json!(false))
    );
    assert_eq!(stdout(&home.run(&["report", "blocks", "-a"])), "no block is active\n");
    let (_, line) = statusline(&home, &[], r#"{"session_id":"one"}"#);
    assert_eq!(line, "🤖 Claude | 💰 $5.00 session / $0.00 today / No active block | 🧠 1,000,000 (500%)\n");
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
fn a_table_fits_its_terminal() {
    let at = "2026-06-30T10:00:00Z".parse().unwrap();
    let home = with_log(&(answer("a", at, 1.0, None) + &answer("b", at, 1.0, None).replace("opus-4-5", "haiku-4-5")));
    let table = |columns: &str, by: &str| {
        let mut command = home.command(&["report", by, "-z", "UTC"]);
        stdout(&command.env("COLUMNS", columns).output().unwrap())
    };
    let narrow = table("80", "daily");
    let (rows, note) = narrow.split_once("\n\n").unwrap();
    assert!(rows.lines().all(|line| line.chars().count() <= 80), "{narrow}");
    assert!(
        !rows.contains("Cache Read") && rows.contains("  opus-4-5 ") && rows.contains("\n            haiku-4-5\n"),
        "{narrow}"
    );
    assert!(note.starts_with("The terminal is narrow: "), "{narrow}");
    assert!(table("80", "session").lines().next().unwrap().ends_with("Cost (USD)  Last Activity"));
    let wide = table("100", "daily");
    assert!(wide.contains("Cache Read") && !wide.contains("narrow"), "{wide}");
}

#[test]
fn what_is_said_to_ccusage_is_understood() {
    let at = "2026-06-30T10:00:00Z".parse().unwrap();
    let home = with_log(&answer("a", at, 1.0, None));
    let (_, plain) = home.json(&["report", "daily", "--since", "2026-06-30", "--until", "2026-06-30"]);
    let same = "report daily -j -s 20260630 -u 20260630 -m auto -l de-DE --debug --debug-samples 3 --config x.json --single-thread --no-offline --no-color --all";
    let said = stdout(&home.run(&same.split(' ').collect::<Vec<_>>()));
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap(), plain);
    let filtered = home.run(&["report", "--jq", ".totals"]);
    assert!(code(&filtered) != 0 && stderr(&filtered).contains("aside report --json | jq '.totals'"), "{filtered:?}");
    for by in ["daily", "session", "blocks"] {
        let (_, found) = home.json(&["report", by, "--no-cost"]);
        assert!(!found.to_string().to_lowercase().contains("cost") && found.to_string().contains("1000000"), "{found}");
        let words = stdout(&home.run(&["report", by, "--no-cost"]));
        assert!(!words.contains('$') && !words.contains("Cost") && words.contains("1,000,000"), "{words}");
    }
    let line = "statusline -O --no-offline --no-cache --cache --refresh-interval 2 -B emoji-text --context-low-threshold 10 --context-medium-threshold 20 --debug --config x";
    let (ended, line) = statusline(&home, &line.split(' ').skip(1).collect::<Vec<_>>(), r#"{"session_id":"one"}"#);
    assert_eq!((ended, line.starts_with("🤖 Claude | 💰 $5.00 session")), (0, true), "{line}");
    assert_ne!(statusline(&home, &["--context-low-threshold", "80"], r#"{"session_id":"one"}"#).0, 0);
}

#[test]
fn sessions_and_folders_are_ordered_and_named_as_asked() {
    let at = "2026-06-30T10:00:00Z".parse().unwrap();
    let home = with_log(&answer("a", at, 1.0, None).replace("\"/w\"", "\"/home/me/shop\""));
    fs::write(home.path().join(".claude/projects/-w/two.jsonl"), answer("b", at, 2.0, None)).unwrap();
    let sessions = |args: &[&str]| {
        let (_, found) = home.json(&[&["report", "session"], args].concat());
        let rows = found["sessions"].as_array().unwrap().clone();
        rows.iter().map(|row| row["sessionId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (sessions(&[]), sessions(&["-o", "asc"])),
        (vec!["two".to_owned(), "one".to_owned()], vec!["one".to_owned(), "two".to_owned()])
    );
    for name in ["shop", "/home/me", "--project=-home-me-shop"] {
        let args = if name.starts_with("--") { vec![name] } else { vec!["-p", name] };
        assert_eq!(sessions(&args), ["one"], "{name}");
    }
    assert!(sessions(&["-p", "sho"]).is_empty() && sessions(&["-p", "./shop"]).is_empty());
}

/// What others print for these two answers, field by field; what Aside says beside it is named apart.
#[test]
fn programs_find_each_number_under_the_name_that_they_know() {
    let usage = json!({ "input_tokens": 2000, "output_tokens": 100, "cache_creation_input_tokens": 400, "cache_read_input_tokens": 8000 });
    let line = |id: &str, model: &str| {
        let message = json!({ "id": id, "model": model, "usage": usage });
        format!(
            "{}\n",
            json!({ "type": "assistant", "timestamp": "2026-06-30T10:00:00Z", "cwd": "/w", "requestId": id, "message": message })
        )
    };
    let home = with_log(&(line("a", "claude-opus-4-5") + &line("b", "claude-haiku-4-5")));
    let ours = |value: &Value, more: &[&str]| {
        let mut value = value.clone();
        for name in more {
            value.as_object_mut().unwrap().remove(*name).unwrap_or_else(|| panic!("{name} is missing in {value}"));
        }
        value
    };
    let sure = ["responses", "exact", "estimated", "unpriced"];
    let model = |name: &str, cost: f64| json!({ "modelName": name, "inputTokens": 2000, "outputTokens": 100, "cacheCreationTokens": 400, "cacheReadTokens": 8000, "cost": cost });
    let (_, found) = home.json(&["report", "daily", "-z", "UTC"]);
    let mut day = ours(&found["daily"][0], &sure);
    let models: Vec<Value> = day["modelBreakdowns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| ours(one, &[&sure[..], &["totalTokens"]].concat()))
        .collect();
    assert_eq!(models, [model("claude-opus-4-5", 0.019), model("claude-haiku-4-5", 0.0038)]);
    day["modelBreakdowns"] = Value::Null;
    let sums = json!({ "inputTokens": 4000, "outputTokens": 200, "cacheCreationTokens": 800, "cacheReadTokens": 16000,
        "totalTokens": 21000, "totalCost": 0.0228 });
    let mut expected =
        json!({ "date": "2026-06-30", "modelsUsed": ["claude-opus-4-5", "claude-haiku-4-5"], "modelBreakdowns": null });
    expected.as_object_mut().unwrap().extend(sums.as_object().unwrap().clone());
    assert_eq!((day, ours(&found["totals"], &sure)), (expected, sums));
    let (_, found) = home.json(&["report", "blocks"]);
    let block = json!({ "id": "2026-06-30T10:00:00.000Z", "startTime": "2026-06-30T10:00:00.000Z", "endTime": "2026-06-30T15:00:00.000Z",
        "actualEndTime": "2026-06-30T10:00:00.000Z", "isActive": false, "isGap": false, "entries": 2, "totalTokens": 21000, "costUSD": 0.0228,
        "tokenCounts": { "inputTokens": 4000, "outputTokens": 200, "cacheCreationInputTokens": 800, "cacheReadInputTokens": 16000 },
        "models": ["claude-opus-4-5", "claude-haiku-4-5"], "burnRate": null, "projection": null });
    assert_eq!(ours(&found["blocks"][0], &["unpriced"]), block);
}

fn statusline(home: &Workspace, args: &[&str], input: &str) -> (i32, String) {
    let mut command = home.command(&[&["statusline"], args].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (code(&output), stdout(&output))
}

#[test]
fn the_status_line_is_made_of_what_claude_code_says_on_standard_input() {
    let now = now();
    let home = with_log(&(answer("a", now.plus(-2 * MINUTE), 0.1, None) + &answer("b", now.plus(-MINUTE), 0.02, None)));
    let log = home.path().join(".claude/projects/-w/one.jsonl");
    let input = json!({ "session_id": "one", "transcript_path": log, "cwd": "/w", "cost": { "total_cost_usd": 0.5 },
        "model": { "id": "claude-opus-4-5", "display_name": "Opus" } });
    let (ended, line) = statusline(&home, &[], &input.to_string());
    assert_eq!(ended, 0);
    // It may be past midnight since the first answer: today is not compared.
    for piece in
        ["🤖 Opus | 💰 $0.60 session / $", " today / $0.60 block (", " left) | 🔥 $", "/hr | 🧠 20,000 (10%)\n"]
    {
        assert!(line.contains(piece), "{piece} is missing in {line}");
    }
    let (_, both) = statusline(&home, &["--cost-source", "both"], &input.to_string());
    assert!(both.contains("($0.50 cc / $0.60 aside) session"), "{both}");
    let (_, elsewhere) = statusline(&home, &["--workspace", "/elsewhere"], &input.to_string());
    assert!(elsewhere.contains("$0.60 session / $0.00 today / No active block"), "{elsewhere}");
    let (ended, told) = statusline(&home, &["--json"], &input.to_string());
    assert_eq!((ended, &serde_json::from_str::<Value>(&told).unwrap()["context_tokens"]), (0, &json!(20_000)));
    assert_eq!(statusline(&home, &[], "{}").0, 1);
}

#[test]
fn the_status_line_has_other_sessions_read_when_they_are_behind() {
    let home = with_log(&answer("a", now(), 1.0, None));
    let log = home.path().join(".claude/projects/-w/one.jsonl");
    let input = json!({ "session_id": "one", "transcript_path": log }).to_string();
    let block = || {
        let (_, told) = statusline(&home, &["--json"], &input);
        serde_json::from_str::<Value>(&told).unwrap()["block"]["cost"].as_f64().unwrap()
    };
    assert_eq!(block(), 5.0);
    fs::write(home.path().join(".claude/projects/-w/two.jsonl"), answer("b", now(), 2.0, None)).unwrap();
    assert_eq!(block(), 5.0, "all logs were looked through just now");
    let index = rusqlite::Connection::open(home.path().join(".local/share/aside/history.db")).unwrap();
    index.execute("UPDATE looked SET at = at - 301000", ()).unwrap();
    assert_eq!(block(), 5.0, "the line waits for nothing");
    common::until("the other session", || (block() > 5.0).then_some(()));
    assert_eq!(block(), 15.0);
    // Who reads logs only when they ask for it is left alone.
    fs::write(home.path().join(".local/share/aside/history.toml"), "import = false\n").unwrap();
    index.execute("UPDATE looked SET at = 7", ()).unwrap();
    assert_eq!(block(), 15.0);
    assert_eq!(index.query_row("SELECT at FROM looked", (), |row| row.get::<_, i64>(0)).unwrap(), 7);
}

#[test]
fn a_home_without_logs_is_no_error() {
    let home = Workspace::new();
    for by in ["daily", "weekly", "monthly", "session", "blocks"] {
        let (ended, found) = home.json(&["report", by]);
        let list = found.as_object().unwrap().values().find_map(Value::as_array).unwrap();
        assert_eq!((ended, list.len()), (0, 0), "{by}");
        let words = stdout(&home.run(&["report", by]));
        assert!(words.contains("no logs of AI coding programs were found here"), "{words}");
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
    let tool = |args: &[&str]| home.json(&[&["history", "tool"], args].concat());
    let (_, found) = tool(&["list_recent_sessions", "--workspace", "/w"]);
    assert_eq!(found["count"], 1);
    assert_eq!(tool(&["list_recent_sessions", "--project", "/v"]).1["count"], 0);
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
    for (wrong, word) in [(["--since", "soon"], "is no day"), (["-z", "Mars"], "no time zone")] {
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
