//! The line for Claude Code.

use std::fs;

use serde_json::{Value, json};

use crate::common;
use crate::history::{MINUTE, answer, ask, ask_bytes, now, statusline, with_log};

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
    for part in [["--since", "1h"], ["--until", "2020-01-01"]] {
        let (_, line) = statusline(&home, &part, &input.to_string());
        let shown = if part[0] == "--since" {
            " today / $0.60 block ("
        } else {
            "$0.60 session / $0.00 today / No active block"
        };
        assert!(line.contains(shown), "{line}");
    }
    assert_eq!(statusline(&home, &["--since", "soon"], &input.to_string()).0, 1);
    let (ended, told) = statusline(&home, &["--json"], &input.to_string());
    assert_eq!((ended, &serde_json::from_str::<Value>(&told).unwrap()["context_tokens"]), (0, &json!(20_000)));
    assert_eq!(statusline(&home, &[], "{}").0, 1);
    let lines = json!({ "session_id": "one", "transcript_path": log, "model": { "display_name": "Opus\n\n5" } });
    let (_, line) = statusline(&home, &[], &lines.to_string());
    assert!(line.starts_with("🤖 Opus 5 | ") && line.lines().count() == 1, "{line}");
}

#[test]
fn what_is_not_called_as_a_log_is_not_read_and_a_name_may_be_no_utf_8() {
    let home = with_log(&answer("a", now(), 0.02, None));
    home.run(&["history", "import"]);
    let other = home.path().join("passwords.txt");
    fs::write(&other, "not a log\n").unwrap();
    let input = json!({ "session_id": "one", "transcript_path": other, "cwd": "/?" }).to_string();
    let input: Vec<u8> = input.into_bytes().into_iter().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    let (ended, line) = ask_bytes(home.command(&["statusline"]), &input);
    assert_eq!((ended, line.contains("$0.10 session")), (0, true), "{line}");
    assert_eq!(home.json(&["history", "import"]).1["lines"], json!([]));
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
fn colours_are_those_that_the_environment_asks_for() {
    let home = with_log(&answer("a", now(), 0.02, None));
    home.run(&["history", "import"]);
    let line = |variables: &[(&str, &str)]| {
        let mut command = home.command(&["statusline"]);
        command.envs(variables.iter().copied());
        ask(command, r#"{"session_id":"one"}"#).1
    };
    assert!(line(&[("FORCE_COLOR", "1")]).ends_with("🧠 20,000 (\u{1b}[32m10%\u{1b}[0m)\n"));
    for plain in [&[][..], &[("FORCE_COLOR", "0")], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]] {
        assert!(line(plain).ends_with("🧠 20,000 (10%)\n"), "{plain:?}");
    }
}
