//! Blocks of hours: which there are, which is active, how far it is to a limit.

use serde_json::json;

use crate::common::{code, stderr, stdout};
use crate::history::{MINUTE, answer, generated, has, keys, now, statusline, with_log};

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
    assert!(words.contains("(idle until"), "{words}");
    assert_eq!(stdout(&home.run(&["report", "blocks", "--active"])), "no active block\n");
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
    assert!(words.contains("0 % of 400,000,000 tokens used") && words.contains("active block:"), "{words}");
    let wrong = home.run(&["report", "blocks", "-t", "many"]);
    assert!(code(&wrong) != 0 && stderr(&wrong).contains("a number of tokens, or max"), "{wrong:?}");
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
    assert_eq!(stdout(&home.run(&["report", "blocks", "-a"])), "no active block\n");
    let (_, line) = statusline(&home, &[], r#"{"session_id":"one"}"#);
    assert_eq!(line, "🤖 Claude | 💰 $5.00 session / $0.00 today / No active block | 🧠 1,000,000 (500%)\n");
}
