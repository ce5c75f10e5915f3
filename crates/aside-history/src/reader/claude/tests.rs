//! What is read of logs of Claude Code.

use super::*;
use crate::{Mode, Reader, Source};

fn read(log: &[u8]) -> Found {
    let mut found = Found::default();
    Reader::new(Source::Claude, &FileFacts { session: "s".to_owned(), document: false }).read(log, 0, &mut found);
    found.match_endings();
    found
}

fn answer(id: &str, output: u64) -> String {
    format!(
        r#"{{"type" : "assistant","timestamp":"2026-06-30T10:00:00.000Z","cwd":"/w","requestId":"r","message":{{"id":"{id}","model":"claude-x","content":[{{"type":"text","text":"Well"}}],"usage":{{"input_tokens":5,"output_tokens":{output},"cache_creation_input_tokens":9,"cache_creation":{{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5}},"cache_read_input_tokens":7}}}}}}"#
    )
}

#[test]
fn what_nobody_typed_is_no_message_of_the_person() {
    let user = |more: &str| format!("{{\"type\":\"user\",{more}}}\n");
    let log = [
        user(r#""isCompactSummary":true,"message":{"content":"1. Primary request: revert it"}"#),
        user(r#""isMeta":true,"message":{"content":"Caveat"}"#),
        user(r#""message":{"content":"<local-command-stdout>wrong</local-command-stdout>"}"#),
        user(
            r#""message":{"content":[{"type":"text","text":"<system-reminder>no</system-reminder>"},{"type":"text","text":"go on"}]}"#,
        ),
    ];
    let said: Vec<String> = read(log.concat().as_bytes()).messages.into_iter().map(|one| one.text).collect();
    assert_eq!(said, ["go on"]);
}

#[test]
fn the_fullest_line_of_a_response_stands_for_it() {
    let log = [answer("m", 1), answer("m", 90), answer("m", 3), answer("n", 2)].join("\n") + "\n";
    let found = read(log.as_bytes());
    let tokens: Vec<u64> = found.responses.iter().map(|response| response.tokens.output).collect();
    assert_eq!(tokens, [90, 2]);
    let Tokens { input, cache_read, cache_write, cache_write_hour, .. } = found.responses[0].tokens;
    assert_eq!((input, cache_read, cache_write, cache_write_hour), (5, 7, 4, 5));
    assert_eq!(found.sessions[0].workspace.as_deref(), Some("/w"));
    assert_eq!(found.messages.len(), 4);
}

#[test]
fn haste_is_the_priority_tier_or_the_fast_speed_and_no_other_word() {
    let is_fast = |words: &str| {
        let line = answer("m", 5).replace(r#""input_tokens":5"#, &format!(r#""input_tokens":5,{words}"#)) + "\n";
        read(line.as_bytes()).responses[0].fast
    };
    assert!(is_fast(r#""service_tier":"priority""#) && is_fast(r#""service_tier":null,"speed" : "fast""#));
    for usual in [
        r#""service_tier":"standard""#,
        r#""service_tier":"batch","speed":"standard""#,
        r#""service_tier":"fast""#,
        r#""speed":"priority""#,
        r#""service_tier":7,"speed":null"#,
    ] {
        assert!(!is_fast(usual), "{usual}");
    }
}

#[test]
fn a_null_anywhere_loses_nothing() {
    for field in ["id", "cwd", "model", "speed", "costUSD", "version", "sessionId", "requestId", "isApiErrorMessage"] {
        let block = format!(r#"{{"type":"tool_use","id":"t","name":"q","input":{{"{field}" : null}}}}"#);
        let line = answer("m", 50).replace(r#"{"type":"text","text":"Well"}"#, &block) + "\n";
        assert_eq!(read(line.as_bytes()).responses.len(), 1, "{field}");
    }
    let flat =
        answer("m", 50).replace(r#"{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5}"#, "null") + "\n";
    assert_eq!(read(flat.as_bytes()).responses[0].tokens.cache_write, 9);
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_its_neighbours_stay() {
    let (one, two) = (answer("m", 5), answer("n", 6));
    let bad = [&b"{\"type\":"[..], b"\0\0\0", b"[1]", b"7", b"nonsense"];
    for bad in bad {
        let log = [one.as_bytes(), bad, two.as_bytes(), b"{\"half"].join(&b'\n');
        let found = read(&log);
        assert_eq!(found.responses.len(), 2, "{bad:?}");
        assert_eq!(found.problems.len(), 1);
        assert_eq!(found.problems[0].offset, one.len() as u64 + 1);
    }
    let latin = [one.replace("Well", "caf\u{e9}").as_bytes(), b"\n"].concat();
    let latin: Vec<u8> = latin.into_iter().filter(|byte| *byte != 0xC3).collect();
    let found = read(&latin);
    assert_eq!((found.responses.len(), found.problems.len()), (1, 1));
    let twice = one.replacen('{', r#"{"type":"user","#, 1) + "\n";
    let found = read(twice.as_bytes());
    assert_eq!((found.responses.len(), found.problems.len()), (1, 0));
}

#[test]
fn calls_have_their_files_commands_and_endings() {
    let call = r#"{"type":"assistant","cwd":"/w","message":{"content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"a.rs","old_string":"x"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}}]}}"#;
    let ending = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"no"}],"is_error":true},{"type":"tool_result","tool_use_id":"t2","content":"a"}]}}"#;
    let found = read(format!("{call}\n{ending}\n").as_bytes());
    assert_eq!(found.calls[0].touches[0], crate::Touch { path: "/w/a.rs".to_owned(), mode: Mode::Write });
    assert_eq!(found.calls[1].command.as_deref(), Some("ls"));
    assert_eq!((found.calls[0].ok, found.calls[1].ok), (Some(false), Some(true)));
    assert!(found.messages.is_empty() && found.responses.is_empty() && found.endings.is_empty());
}

#[test]
fn an_error_that_no_model_wrote_costs_nothing_and_its_text_stays() {
    let line = answer("m", 50).replace("claude-x", "<synthetic>") + "\n";
    let found = read(line.as_bytes());
    assert_eq!((found.responses.len(), found.messages.len()), (0, 1));
}

#[test]
fn advisor_is_a_call_of_its_own_model() {
    let call = |kind: &str, more: &str, input: u64, output: u64| {
        format!(
            r#"{{"type":"{kind}","input_tokens":{input},"output_tokens":{output},"cache_read_input_tokens":1{more}}}"#
        )
    };
    let advice = call("advisor_message", r#","model":"claude-y""#, 150, 8);
    let line = |calls: &str| {
        let usage = format!(
            r#""usage":{{"input_tokens":30,"output_tokens":7,"cache_read_input_tokens":2,"iterations":[{calls}],"server_tool_use":{{"web_search_requests":3}}}}"#
        );
        format!(r#"{{"type":"assistant","advisorModel":"claude-z","message":{{"id":"m","model":"claude-x",{usage}}}}}"#)
            + "\n"
    };
    let told = |calls: &[String]| {
        let found = read(line(&calls.join(",")).as_bytes());
        let told = |one: &Response| (one.model.as_deref().unwrap().to_owned(), one.tokens.total(), one.searches);
        (found.responses[0].longest, found.responses.iter().map(told).collect::<Vec<_>>())
    };
    let own = [call("message", "", 10, 2), call("message", "", 20, 5)];
    let all = [own[0].clone(), advice.clone(), own[1].clone()];
    let base = ("claude-x".to_owned(), 39, 3);
    assert_eq!(told(&all), (Some(21), vec![base.clone(), ("claude-y".to_owned(), 159, 0)]));
    let unnamed = [own[0].clone(), own[1].clone(), advice.replace(r#","model":"claude-y""#, "")];
    assert_eq!(told(&unnamed).1[1].0, "claude-z");
    // A summary is beside the total, too, unless the total has it.
    let summary = call("compaction", "", 180, 3);
    assert_eq!(told(&[summary.clone(), own[0].clone(), own[1].clone()]).1[1], ("claude-x".to_owned(), 184, 0));
    let with = [call("compaction", "", 10, 2), own[1].clone()];
    assert_eq!(told(&with).1, [base]);
    // Another line of the same answer tells the same again.
    let twice = line(&all.join(",")).repeat(2);
    let mut found = read(twice.as_bytes());
    crate::index::Numbers::take(Source::Claude, &mut found);
    assert_eq!(found.responses.len(), 2);
}
