//! Tests of the reader of Codex.

use super::*;
use crate::{Mode, Reader, Source};

const META: &str = r#"{"timestamp":"2026-06-30T10:00:00.000Z","type":"session_meta","payload":{"id":"thread","cwd":"/w","originator":"codex_cli_rs","git":{"branch":"main"}}}"#;
const TURN: &str = r#"{"type":"turn_context","payload":{"model":"gpt-5-codex"}}"#;

fn read(lines: &[&str]) -> Found {
    let mut found = Found::default();
    let log = lines.join("\n") + "\n";
    Reader::new(Source::Codex, &FileFacts { session: "file".to_owned(), document: false }).read(
        log.as_bytes(),
        0,
        &mut found,
    );
    found.match_endings();
    found
}

fn usage(of: [u64; 3]) -> String {
    let [input, cached, output] = of;
    format!(
        r#"{{"input_tokens":{input},"cached_input_tokens":{cached},"output_tokens":{output},"reasoning_output_tokens":0,"total_tokens":{}}}"#,
        input + output
    )
}

fn count(second: u32, total: [u64; 3], last: Option<[u64; 3]>) -> String {
    let last = last.map_or_else(String::new, |last| format!(r#","last_token_usage":{}"#, usage(last)));
    format!(
        r#"{{"timestamp":"2026-06-30T10:00:{second:02}.000Z","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{}{last}}}}}}}"#,
        usage(total)
    )
}

fn used(found: &Found) -> Vec<(u64, u64, u64)> {
    found.responses.iter().map(|one| (one.tokens.input, one.tokens.cache_read, one.tokens.output)).collect()
}

#[test]
fn what_was_used_is_counted_once() {
    let first = count(1, [100, 40, 10], Some([100, 40, 10]));
    let again = count(2, [100, 40, 10], Some([100, 40, 10]));
    let only_totals = count(3, [300, 140, 30], None);
    let empty = r#"{"type":"event_msg","payload":{"type":"token_count","info":null}}"#;
    let found = read(&[META, TURN, empty, &first, &again, &only_totals]);
    assert_eq!(used(&found), [(60, 40, 10), (100, 100, 20)]);
    assert_eq!(found.responses[0].model.as_deref(), Some("gpt-5-codex"));
    assert_eq!((found.sessions[0].id.as_str(), found.sessions[0].branch.as_deref()), ("thread", Some("main")));
    assert!(!found.responses[0].assumed);
}

#[test]
fn a_started_session_does_not_count_what_it_replays() {
    let meta = META.replace(r#""git""#, r#""source":{"subagent":{"thread_spawn":{"depth":1}}},"git""#);
    let replay = count(5, [100, 40, 10], Some([100, 40, 10]));
    let own = count(7, [150, 60, 15], None);
    assert_eq!(used(&read(&[&meta, TURN, &replay, &own])), [(30, 20, 5)]);
    // One that was told what to do and answered later replays nothing.
    let said = |second: u32| {
        format!(
            r#"{{"timestamp":"2026-06-30T10:00:{second:02}.000Z","type":"response_item","payload":{{"type":"message","role":"user","content":"do it"}}}}"#
        )
    };
    assert_eq!(used(&read(&[&meta, TURN, &said(2), &replay, &own])), [(60, 40, 10), (30, 20, 5)]);
    assert_eq!(used(&read(&[&meta, TURN, &said(5), &replay, &own])), [(30, 20, 5)]);
}

#[test]
fn form_decides_and_not_who_ran_it() {
    let first = count(1, [100, 40, 10], None);
    for program in ["Codex Desktop", "Xcode", "zed", "cc-sdk", ""] {
        assert_eq!(used(&read(&[&META.replace("codex_cli_rs", program), &first])), [(60, 40, 10)], "{program}");
    }
    assert!(read(&[&first]).responses.is_empty());
    let old = read(&[r#"{"id":"x","timestamp":"2025-05-01T00:00:00Z","git":null}"#, &first]);
    assert_eq!(used(&old), [(60, 40, 10)]);
    assert!(old.responses[0].assumed);
}

#[test]
fn fork_counts_only_its_own_responses() {
    let meta = META.replace(r#""git""#, r#""forked_from_id":"parent","git""#);
    let said = |second: u32, text: &str| {
        format!(
            r#"{{"timestamp":"2026-06-30T10:00:{second:02}.000Z","type":"response_item","payload":{{"type":"message","role":"user","content":"{text}"}}}}"#
        )
    };
    let replay = [said(1, "sort"), count(1, [100, 40, 10], Some([100, 40, 10]))];
    let own = [said(30, "group"), count(33, [150, 60, 15], Some([50, 20, 5]))];
    let found = read(&[&meta, META, TURN, &replay[0], &replay[1], &own[0], &own[1]]);
    assert_eq!(used(&found), [(30, 20, 5)]);
    assert_eq!((found.sessions[0].id.as_str(), found.messages.len(), found.repeated.messages), ("thread", 2, 1));
    assert!(found.messages.iter().all(|one| !one.side));
}

#[test]
fn replay_ends_at_the_sessions_own_turn() {
    let meta = META.replace(r#""git""#, r#""source":{"subagent":{"thread_spawn":{"depth":1}}},"git""#);
    let turn = r#"{"timestamp":"2026-06-30T10:00:09.000Z","type":"event_msg","payload":{"type":"task_started"}}"#;
    let replayed: Vec<String> = (1..7).map(|n| count(n, [n.into(), 0, 1], Some([1, 0, 1]))).collect();
    let own = count(9, [50, 20, 5], Some([44, 20, 4]));
    let lines: Vec<&str> = [meta.as_str(), TURN].into_iter().chain(replayed.iter().map(String::as_str)).collect();
    assert_eq!(used(&read(&[&lines[..], &[turn, &own]].concat())), [(24, 20, 4)]);
    // A first answer that comes at once is its own.
    assert_eq!(used(&read(&[&meta, turn, &own])), [(24, 20, 4)]);
    assert!(read(&[&meta, turn, &own]).responses[0].side);
    let numbered = |n: u32, line: &str| line.replacen('{', &format!(r#"{{"ordinal":{n},"#), 1);
    let first = meta.replace(r#""git""#, r#""subagent_history_start_ordinal":"5","git""#);
    let lines = [numbered(0, &first), numbered(4, &count(1, [9, 0, 1], None)), numbered(5, &own)];
    assert_eq!(used(&read(&[&lines[0], &lines[1], &lines[2]])), [(24, 20, 4)]);
}

#[test]
fn answer_told_twice_counts_once() {
    let record = |id: &str, of: [u64; 3]| {
        format!(
            r#"{{"timestamp":"2026-06-30T10:00:05.000Z","type":"token_usage_record","payload":{{"response_id":"{id}","usage":{}}}}}"#,
            usage(of)
        )
    };
    let (first, second) = ([100, 40, 10], [50, 20, 5]);
    let totals = [count(1, first, Some(first)), count(2, [150, 60, 15], Some(second))];
    let once = [(60, 40, 10), (30, 20, 5)];
    assert_eq!(used(&read(&[META, &record("a", first), &totals[0], &record("b", second), &totals[1]])), once);
    assert_eq!(used(&read(&[META, &totals[0], &record("a", first), &totals[1], &record("b", second)])), once);
    assert_eq!(used(&read(&[META, &record("a", first), &record("b", second)])), once);
    let written = record("a", first).replace(r#""output_tokens""#, r#""cache_write_input_tokens":25,"output_tokens""#);
    let tokens = read(&[META, &written]).responses[0].tokens;
    assert_eq!((tokens.input, tokens.cache_read, tokens.cache_write), (35, 40, 25));
}

#[test]
fn events_tell_of_calls_that_code_made() {
    let event = |kind: &str, more: &str| {
        format!(r#"{{"timestamp":"2026-06-30T10:00:05.000Z","type":"event_msg","payload":{{"type":"{kind}",{more}}}}}"#)
    };
    let code = |text: &str| {
        let call = serde_json::json!({ "type": "response_item", "payload": { "type": "custom_tool_call", "name": "exec", "call_id": "c1", "input": text } });
        call.to_string()
    };
    let tests = r#""item":{"type":"CommandExecution","id":"e1","command":["bash","-lc","cargo test"],"cwd":"/w","exit_code":101,"status":"failed"}"#;
    let change = r#""/w/a.rs":{"type":"update","unified_diff":"@@ -1 +1 @@\n-x\n+y\n","move_path":null},"b.rs":{"type":"delete","content":"z"}"#;
    let files = format!(r#""item":{{"type":"FileChange","id":"e2","changes":{{{change}}},"status":"completed"}}"#);
    let lines = [code("await run()"), event("item_completed", tests), event("item_completed", &files)];
    let found = read(&[META, &lines[0], &lines[1], &lines[2]]);
    let told: Vec<_> = found.calls.iter().map(|call| (&*call.name, call.command.as_deref(), call.ok)).collect();
    assert_eq!(
        told,
        [("exec", None, None), ("exec_command", Some("cargo test"), Some(false)), ("apply_patch", None, Some(true))]
    );
    let touch = |path: &str, mode| crate::Touch { path: path.to_owned(), mode };
    assert_eq!(found.calls[2].touches, [touch("/w/a.rs", Mode::Write), touch("/w/b.rs", Mode::Delete)]);
    // The older events tell the same.
    let ended = event("exec_command_end", r#""call_id":"e1","command":["bash","-lc","make"],"cwd":"/w","exit_code":0"#);
    let patched = event("patch_apply_end", &format!(r#""call_id":"e2","success":true,"changes":{{{change}}}"#));
    let older = read(&[META, &ended, &patched]);
    assert_eq!(older.calls.iter().map(|call| call.ok).collect::<Vec<_>>(), [Some(true); 2]);
    assert_eq!(older.calls[1].edited, found.calls[2].edited);
    // Two changes of one file are two calls.
    let again = event("patch_apply_end", &format!(r#""call_id":"e4","success":true,"changes":{{{change}}}"#));
    assert_eq!(read(&[META, &patched, &again, &again]).calls.len(), 2);
    // So do lists, and names that are written in another way.
    let listed = r#"{"path":"/w/a.rs","kind":{"type":"update","move_path":null},"diff":"@@ -1 +1 @@\n-x\n+y\n"},{"path":"b.rs","kind":"delete","diff":"z"}"#;
    let items = [
        event(
            "item_completed",
            r#""item":{"type":"commandExecution","id":"e1","command":"make","exitCode":2,"status":"failed"}"#,
        ),
        event(
            "item_completed",
            &format!(r#""item":{{"type":"fileChange","id":"e2","changes":[{listed}],"status":"completed"}}"#),
        ),
        event(
            "item_completed",
            r#""item":{"type":"McpToolCall","id":"e3","server":"s","tool":"look","status":"failed"}"#,
        ),
        event(
            "mcp_tool_call_end",
            r#""call_id":"e4","invocation":{"server":"s","tool":"look"},"result":{"Ok":{"isError":true}}"#,
        ),
        event(
            "mcp_tool_call_end",
            r#""call_id":"e5","invocation":{"server":"s","tool":"look"},"result":{"Ok":{"content":[]}}"#,
        ),
    ];
    let written = read(&[META, &items[0], &items[1], &items[2], &items[3], &items[4]]);
    let told: Vec<_> = written.calls.iter().map(|call| (&*call.name, call.ok)).collect();
    let tool = "mcp__s__look";
    let expected = [("exec_command", false), ("apply_patch", true), (tool, false), (tool, false), (tool, true)];
    assert_eq!(told, expected.map(|(name, ok)| (name, Some(ok))));
    assert_eq!((&written.calls[1].touches, written.calls[1].edited), (&found.calls[2].touches, older.calls[1].edited));
    // An event of a call that the code names, or that an item told, is how that call ended.
    let named = read(&[META, &code("tools.exec_command({ cmd: 'cargo test' })"), &lines[1], &lines[1]]);
    assert_eq!(
        named.calls.iter().map(|call| (call.command.as_deref(), call.ok)).collect::<Vec<_>>(),
        [(Some("cargo test"), Some(false))]
    );
    let shell = r#"{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"e1","arguments":"{\"cmd\":\"make\"}"}}"#;
    assert_eq!(read(&[META, shell, &ended]).calls.iter().map(|call| call.ok).collect::<Vec<_>>(), [Some(true)]);
}
#[test]
fn items_of_very_old_logs_stand_in_the_line_itself() {
    let begun = r#"{"id":"old","timestamp":"2025-05-07T17:24:21.123Z","instructions":null,"git":{"branch":"main"}}"#;
    let told = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\nCurrent working directory: /w\nApproval policy: never"}]}"#;
    let said = r#"{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"fix it"}]}"#;
    let call = r#"{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}","call_id":"c"}"#;
    let output =
        r#"{"type":"function_call_output","call_id":"c","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":0}}"}"#;
    let found = read(&[begun, r#"{"record_type":"state"}"#, told, said, call, output]);
    let session = &found.sessions[0];
    let known = (session.id.as_str(), session.branch.as_deref(), session.workspace.as_deref(), session.first.is_some());
    assert_eq!(known, ("old", Some("main"), Some("/w"), true));
    assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["fix it"]);
    let calls: Vec<_> = found.calls.iter().map(|call| (call.command.as_deref(), call.ok)).collect();
    assert_eq!(calls, [(Some("make"), Some(true))]);
    // Lines of another program that name no session are none.
    assert!(read(&[said]).messages.is_empty());
}

#[test]
fn what_a_call_was_told_is_its_own_whatever_stands_before_it() {
    let call = |id: &str, path: &str| {
        let arguments = serde_json::json!({ "path": path }).to_string();
        serde_json::json!({ "type": "response_item", "payload": { "type": "function_call", "name": "read_file",
            "call_id": id, "arguments": arguments } })
    };
    let log = [call("c0", "early").to_string(), META.to_owned(), call("c1", "late").to_string()].join("\n") + "\n";
    let mut found = Found { details: Some(Details::default()), ..Found::default() };
    Reader::new(Source::Codex, &FileFacts::default()).read(log.as_bytes(), 0, &mut found);
    assert_eq!(found.calls.len(), 1);
    assert_eq!(found.calls[0].arguments, Some(serde_json::json!({ "path": "late" })));
}

#[test]
fn what_nobody_typed_is_no_message_of_the_person() {
    let said = |blocks: &[&str]| {
        let content: Vec<Value> =
            blocks.iter().map(|text| serde_json::json!({ "type": "input_text", "text": text })).collect();
        let payload = serde_json::json!({ "type": "message", "role": "user", "content": content });
        serde_json::json!({ "type": "response_item", "payload": payload }).to_string()
    };
    let lines = [
        said(&["# AGENTS.md instructions for /w\n\nnever revert", "<environment_context>\n  <cwd>/w</cwd>"]),
        said(&["<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"]),
        said(&["<environment_context>\n</environment_context>", "fix it"]),
    ];
    let found = read(&[META, &lines[0], &lines[1], &lines[2]]);
    assert_eq!(found.messages.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["fix it"]);
}

#[test]
fn calls_have_their_files_commands_and_endings() {
    let patch = r#"{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"*** Begin Patch\n*** Update File: a.rs\n*** End Patch"}}"#;
    let shell = r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c2","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}"}}"#;
    let failed = r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}"}}"#;
    let found = read(&[META, patch, shell, failed]);
    assert_eq!(found.calls[0].touches[0], crate::Touch { path: "/w/a.rs".to_owned(), mode: Mode::Write });
    assert_eq!((found.calls[1].command.as_deref(), found.calls[1].ok), (Some("make"), Some(false)));
    let pieces = r#"{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":[{"type":"input_text","text":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess"}]}}"#;
    assert_eq!(read(&[META, patch, pieces]).calls[0].ok, Some(true));
    let line = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.rs\n+x\n*** End Patch\nEOF";
    let local = serde_json::json!({ "type": "response_item", "payload": { "type": "local_shell_call", "call_id": "c3",
        "action": { "type": "exec", "command": ["bash", "-lc", line], "working_directory": "/w/src" } } });
    let call = &read(&[META, &local.to_string()]).calls[0];
    assert_eq!((&*call.name, call.command.as_deref()), ("local_shell", Some(line)));
    assert_eq!(call.touches[0], crate::Touch { path: "/w/src/b.rs".to_owned(), mode: Mode::Write });
}
