//! What is typed and printed: options, tables and names of fields, as people know them from ccusage.

use std::fs;

use serde_json::{Value, json};

use crate::common::{code, stderr, stdout};
use crate::history::{answer, statusline, with_log};

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
fn a_week_begins_on_the_day_that_is_asked_for() {
    let home = with_log(&answer("a", "2026-06-30T10:00:00Z".parse().unwrap(), 1.0, None));
    for (day, week) in [("sunday", "2026-06-28"), ("tuesday", "2026-06-30"), ("Wednesday", "2026-06-24")] {
        let (_, found) = home.json(&["report", "weekly", "-z", "UTC", "-w", day]);
        assert_eq!(found["weekly"][0]["week"], week, "{day}");
    }
    let wrong = home.run(&["report", "weekly", "--start-of-week", "noday"]);
    assert!(code(&wrong) == 2 && stderr(&wrong).contains("expected one of monday, tuesday"), "{wrong:?}");
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
