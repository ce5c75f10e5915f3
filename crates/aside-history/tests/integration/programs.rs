//! Programs that keep their logs in ways of their own: each is found where it lies, with its tokens, folder, words and files, and counted once.
#![expect(clippy::disallowed_methods, reason = "makes logs")]

use std::{fs, path::Path};

use aside_history::{Effort, Imported, Index, Source, find, import};
use aside_prices::Prices;
use aside_store::{DataFolder, sql::Connection};

use crate::recount;

fn put(home: &Path, path: &str, bytes: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn database(home: &Path, path: &str, statements: &str) {
    put(home, path, "");
    Connection::open(home.join(path)).unwrap().execute_batch(statements).unwrap();
}

fn read_with(home: &Path, variables: &[(&str, &str)]) -> Imported {
    let name = home.display().to_string();
    let of = |variable: &str| {
        let named = variables.iter().find(|(one, _)| *one == variable).map(|(_, value)| value.replace("HOME", &name));
        named.or((variable == "HOME").then(|| name.clone()))
    };
    let places = find(&Source::all().collect::<Vec<_>>(), of);
    let mut index = Index::open(&DataFolder::at(home.join("data"))).unwrap();
    let imported = import(&mut index, places, &Prices::default(), Effort::All, &mut |_| ()).unwrap();
    recount::check(&home.join("data"));
    imported
}

/// A line a session: program, id, folder, name; tokens in, out, from a cache, into one; messages; files that were written; calls that failed.
fn sessions(home: &Path) -> Vec<String> {
    let index = Connection::open(home.join("data/history.db")).unwrap();
    let sql = "SELECT source || ' ' || name || ' ' || COALESCE((SELECT path FROM workspace WHERE id = workspace), '-') || ' ' || COALESCE(title, '-')
        || ' | ' || (SELECT SUM(input) || ' ' || SUM(output) || ' ' || SUM(cache_read) || ' ' || SUM(cache_write) FROM response
          WHERE session = session.id AND counts = 1)
        || ' | ' || messages || ' | ' || COALESCE((SELECT group_concat(DISTINCT path.path) FROM touch JOIN path ON path.id = touch.path
          WHERE session = session.id AND mode = 1), '-') || ' | ' || (SELECT COUNT(*) FROM call WHERE session = session.id AND ok = 0)
        FROM session ORDER BY source, name";
    let mut find = index.prepare(&sql.replace("WHERE id = workspace", "WHERE id = session.workspace")).unwrap();
    let rows = find.query_map((), |row| row.get::<_, String>(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[track_caller]
fn check(home: &Path, expected: &[&str]) {
    let imported = read_with(home, &[]);
    assert_eq!((imported.problems, &imported.unreadable[..]), (0, &[][..]));
    assert_eq!(sessions(home), expected);
    let again = read_with(home, &[]);
    assert_eq!(
        (again.read, &sessions(home)[..]),
        (0, &expected.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()[..])
    );
}

/// The MD5 of `/w`.
const GROUP: &str = "1cce3e60ac2d51100ef178d6509a4972";

fn status(id: &str, input: u32) -> String {
    format!(
        r#"{{"timestamp":1782813604,"message":{{"type":"StatusUpdate","payload":{{"token_usage":{{"input_other":{input},"output":20,"input_cache_read":300,"input_cache_creation":4}},"message_id":"{id}"}}}}}}"#
    )
}

#[test]
fn kimi_sessions_have_folder_model_and_subagents() {
    let home = tempfile::tempdir().unwrap();
    let session = format!(".kimi/sessions/{GROUP}/k1");
    put(home.path(), ".kimi/kimi.json", r#"{"work_dirs":[{"path":"/v"},{"path":"/w","kaos":"local"}]}"#);
    put(
        home.path(),
        ".kimi/config.toml",
        "default_model = \"k\"\n[models.k]\nprovider = \"p\"\nmodel = \"kimi-k2.6\"\n",
    );
    let ask = r#"{"timestamp":1782813600,"message":{"type":"TurnBegin","payload":{"user_input":"Fix it"}}}"#;
    let write = r#"{"timestamp":1782813602,"message":{"type":"ToolCall","payload":{"id":"t1","function":{"name":"WriteFile","arguments":"{\"path\":\"a.rs\",\"content\":\"x\"}"}}}}"#;
    let nested = status("m2", 7).replace(
        r#""message":{"type":"StatusUpdate""#,
        r#""message":{"type":"SubagentEvent","payload":{"agent_id":"s","event":{"type":"StatusUpdate""#,
    ) + "}}";
    put(home.path(), &format!("{session}/wire.jsonl"), &[ask, write, &status("m1", 100), &nested, ""].join("\n"));
    put(home.path(), &format!("{session}/subagents/s/wire.jsonl"), &[ask, &status("m2", 7), ""].join("\n"));
    put(home.path(), &format!("{session}/context.jsonl"), "{}\n");
    check(home.path(), &["kimi k1 /w - | 107 40 600 8 | 2 | /w/a.rs | 0"]);
    let index = Connection::open(home.path().join("data/history.db")).unwrap();
    let sides = "SELECT group_concat(side || role) FROM (SELECT side, role FROM message ORDER BY side)";
    assert_eq!(index.query_row(sides, (), |row| row.get::<_, String>(0)).unwrap(), "00,10");
    let models = "SELECT DISTINCT name FROM response JOIN model ON model.id = model";
    assert_eq!(index.query_row(models, (), |row| row.get::<_, String>(0)).unwrap(), "kimi-k2.6");
}

#[test]
fn kimi_code_sessions_are_found_by_their_variable() {
    let home = tempfile::tempdir().unwrap();
    let record = r#"{"type":"config.update","cwd":"/w"}
{"type":"usage.record","time":1782813600000,"model":"kimi-k2.6","usage":{"inputOther":10,"output":2,"inputCacheRead":3,"inputCacheCreation":1}}
"#;
    put(home.path(), "k/sessions/wd_w_0123456789ab/session_1/agents/main/wire.jsonl", record);
    read_with(home.path(), &[("KIMI_CODE_HOME", "HOME/k")]);
    assert_eq!(sessions(home.path()), ["kimi session_1 /w - | 10 2 3 1 | 0 | - | 0"]);
}

#[test]
fn droid_sums_and_messages_are_one_session() {
    let home = tempfile::tempdir().unwrap();
    let log = r#"{"type":"session_start","id":"d1","title":"Cart","cwd":"/w"}
{"type":"message","id":"m1","timestamp":"2026-06-30T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"Fix it"}]}}
{"type":"message","id":"m2","timestamp":"2026-06-30T10:00:01.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"a.rs","old_str":"x","new_str":"y"}}]}}
{"type":"message","id":"m3","timestamp":"2026-06-30T10:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"no"}]}}
"#;
    put(home.path(), ".factory/sessions/-w/d1.jsonl", log);
    let sums = |input: u32| {
        format!(
            r#"{{"model":"claude-opus-4-5","providerLockTimestamp":"2026-06-30T10:00:00.000Z","tokenUsage":{{"inputTokens":{input},"outputTokens":5,"cacheReadTokens":6,"cacheCreationTokens":7}}}}"#
        )
    };
    put(home.path(), ".factory/sessions/-w/d1.settings.json", &sums(100));
    check(home.path(), &["droid d1 /w Cart | 100 5 6 7 | 1 | /w/a.rs | 1"]);
    // The sums grow: the later ones take the place of those before.
    put(home.path(), ".factory/sessions/-w/d1.settings.json", &sums(2000));
    check(home.path(), &["droid d1 /w Cart | 2000 5 6 7 | 1 | /w/a.rs | 1"]);
}

#[test]
fn openclaw_archives_and_databases_are_read() {
    let home = tempfile::tempdir().unwrap();
    let event = |id: &str| {
        format!(
            r#"{{"type":"message","id":"{id}","timestamp":"2026-06-30T10:00:02.000Z","message":{{"role":"assistant","model":"claude-opus-4-5","content":[{{"type":"text","text":"Well"}}],"usage":{{"input":5,"output":6,"cacheRead":7,"cacheWrite":8}}}}}}"#
        )
    };
    let log = format!("{{\"type\":\"session\",\"id\":\"o1\",\"cwd\":\"/w\"}}\n{}\n", event("a"));
    put(home.path(), ".openclaw/agents/main/sessions/o1.jsonl", &log);
    put(home.path(), ".openclaw/agents/main/sessions/o1.jsonl.reset.2026-06-30T11-00-00.000Z", &log);
    let old = log.replace("o1", "o2").replace("\"a\"", "\"b\"");
    put(home.path(), ".openclaw/agents/main/sessions/o2.jsonl.deleted.2026-06-30T11-00-00.000Z", &old);
    let rows = format!(
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, PRIMARY KEY (session_id, seq));
         INSERT INTO transcript_events VALUES ('o3', 1, '{}', 1782813602000);",
        event("c")
    );
    database(home.path(), ".openclaw/agents/main/agent/openclaw-agent.sqlite", &rows);
    check(
        home.path(),
        &[
            "openclaw o1 /w - | 5 6 7 8 | 1 | - | 0",
            "openclaw o2 /w - | 5 6 7 8 | 1 | - | 0",
            "openclaw o3 - - | 5 6 7 8 | 1 | - | 0",
        ],
    );
}

#[test]
fn grok_sessions_have_words_times_and_costs() {
    let home = tempfile::tempdir().unwrap();
    let session = ".grok/sessions/%2Fw/019f6000-0000-7000-8000-000000000001";
    put(
        home.path(),
        &format!("{session}/summary.json"),
        r#"{"info":{"cwd":"/w"},"generated_title":"Cart","created_at":"2026-06-30T10:00:00Z","current_model_id":"grok-4.5"}"#,
    );
    let chat = r#"{"type":"user","content":[{"type":"text","text":"Fix it"}]}
{"type":"assistant","content":"Well","tool_calls":[{"id":"c1","name":"Write","arguments":"{\"path\":\"a.rs\",\"contents\":\"x\"}"}],"model_id":"grok-4.5"}
{"type":"tool_result","tool_call_id":"c1","content":"no"}
"#;
    put(home.path(), &format!("{session}/chat_history.jsonl"), chat);
    let shown = r#"{"timestamp":1782813660,"params":{"update":{"sessionUpdate":"user_message_chunk","_meta":{"promptIndex":0}}}}
{"timestamp":1782813670,"params":{"update":{"sessionUpdate":"tool_call","toolCallId":"c1","status":"pending"}}}
{"timestamp":1782813671,"params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed"}}}
{"timestamp":1782813680,"params":{"update":{"sessionUpdate":"turn_completed","prompt_id":"p1","usage":{"inputTokens":110,"outputTokens":5,"cachedReadTokens":10,"costUsdTicks":5000000000}}}}
"#;
    put(home.path(), &format!("{session}/updates.jsonl"), shown);
    database(
        home.path(),
        ".grok/grok.db",
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, model TEXT, cwd_at_start TEXT, created_at TEXT);
         CREATE TABLE usage_events (id INTEGER PRIMARY KEY, session_id TEXT, model TEXT, input_tokens INTEGER, output_tokens INTEGER, total_tokens INTEGER, created_at TEXT);
         INSERT INTO sessions VALUES ('g2', 'Till', 'grok-4.5', '/v', '2026-06-30T10:00:00.000Z');
         INSERT INTO usage_events VALUES (1, 'g2', 'grok-4.5', 30, 4, 34, '2026-06-30T10:00:03.000Z');",
    );
    check(
        home.path(),
        &[
            "grok 019f6000-0000-7000-8000-000000000001 /w Cart | 100 5 10 0 | 2 | /w/a.rs | 1",
            "grok g2 /v Till | 30 4 0 0 | 0 | - | 0",
        ],
    );
    let index = Connection::open(home.path().join("data/history.db")).unwrap();
    let times = "SELECT group_concat(at / 1000) FROM (SELECT at FROM message UNION ALL SELECT at FROM call)";
    assert_eq!(index.query_row(times, (), |row| row.get::<_, String>(0)).unwrap(), "1782813660,1782813660,1782813670");
    let costs = "SELECT group_concat(recorded) FROM response WHERE recorded IS NOT NULL";
    assert_eq!(index.query_row(costs, (), |row| row.get::<_, String>(0)).unwrap(), "500000000000");
}

#[test]
fn hermes_and_codebuff_sessions_have_their_folders() {
    let home = tempfile::tempdir().unwrap();
    let sessions = "CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, started_at REAL, input_tokens INTEGER, output_tokens INTEGER, title TEXT, cwd TEXT);";
    let of = |id: &str| {
        format!("{sessions} INSERT INTO sessions VALUES ('{id}', 'gpt-5', 1782813600, 10, 2, 'Cart', '/w');")
    };
    database(home.path(), ".hermes/state.db", &of("h1"));
    database(home.path(), ".hermes/profiles/work/state.db", &of("h2"));
    let chat = ".config/manicode/projects/shop/chats/2026-06-30T10-00-00.000Z";
    put(home.path(), &format!("{chat}/run-state.json"), r#"{"sessionState":{"fileContext":{"cwd":"/w"}}}"#);
    let messages = r#"[{"id":"u","variant":"user","content":"Fix it","timestamp":"3:04 PM"},{"id":"a","variant":"ai","metadata":{"model":"gpt-5","usage":{"inputTokens":9,"outputTokens":3}},
        "blocks":[{"type":"tool","toolCallId":"t","toolName":"write_file","input":{"path":"a.rs","content":"x"}}]}]"#;
    put(home.path(), &format!("{chat}/chat-messages.json"), messages);
    check(
        home.path(),
        &[
            "codebuff 2026-06-30T10-00-00.000Z /w - | 9 3 0 0 | 1 | /w/a.rs | 0",
            "hermes h1 /w Cart | 10 2 0 0 | 0 | - | 0",
            "hermes h2 /w Cart | 10 2 0 0 | 0 | - | 0",
        ],
    );
}

#[test]
fn cowork_events_replace_missing_logs() {
    let home = tempfile::tempdir().unwrap();
    let folder = ".config/Claude/local-agent-mode-sessions/org/account";
    let answer = r#"{"type":"assistant","timestamp":"2026-06-30T10:00:01.000Z","sessionId":"c1","cwd":"/sessions/calm-fox","requestId":"r","message":{"id":"m","model":"claude-opus-4-5","content":[{"type":"text","text":"Well"}],"usage":{"input_tokens":10,"output_tokens":5}}}"#;
    put(
        home.path(),
        &format!("{folder}/local_1.json"),
        r#"{"sessionId":"local_1","title":"Letters","userSelectedFolders":["/w"],"createdAt":1782813600000}"#,
    );
    put(home.path(), &format!("{folder}/local_1/.claude/projects/-sessions-calm-fox/c1.jsonl"), &format!("{answer}\n"));
    let result = r#"{"type":"result","_audit_timestamp":"2026-06-30T10:00:02.000Z","modelUsage":{"claude-opus-4-5":{"inputTokens":10,"outputTokens":5}}}"#;
    put(home.path(), &format!("{folder}/local_1/audit.jsonl"), &format!("{answer}\n{result}\n"));
    put(home.path(), &format!("{folder}/local_1/outputs/node_modules/x/log.jsonl"), "{}\n");
    put(home.path(), &format!("{folder}/local_2.json"), r#"{"title":"Sums"}"#);
    put(
        home.path(),
        &format!("{folder}/local_2/audit.jsonl"),
        &format!("{{\"type\":\"user\",\"message\":{{\"content\":\"Go\"}}}}\n{result}\n"),
    );
    check(
        home.path(),
        &["cowork c1 /w Letters | 10 5 0 0 | 1 | - | 0", "cowork local_2 - Sums | 10 5 0 0 | 1 | - | 0"],
    );
}

#[test]
fn copilot_export_and_events_count_once() {
    let home = tempfile::tempdir().unwrap();
    let span = |id: &str, output: u32| {
        format!(
            r#"{{"type":"span","name":"chat gpt-5","traceId":"t","spanId":"{id}","endTime":[1782813600,0],"attributes":{{"gen_ai.operation.name":"chat","gen_ai.conversation.id":"c1","gen_ai.response.id":"{id}","gen_ai.response.model":"gpt-5","gen_ai.usage.input_tokens":100,"gen_ai.usage.output_tokens":{output}}}}}"#
        )
    };
    let events = r#"{"type":"session.start","timestamp":"2026-06-30T10:00:00.000Z","data":{"context":{"cwd":"/w"},"selectedModel":"gpt-5"}}
{"type":"user.message","timestamp":"2026-06-30T10:00:01.000Z","data":{"content":"Fix it"}}
{"type":"assistant.message","timestamp":"2026-06-30T10:00:02.000Z","data":{"messageId":"m","content":"Well","outputTokens":9}}
"#;
    put(home.path(), ".copilot/session-state/c1/events.jsonl", events);
    check(home.path(), &["copilot c1 /w - | 0 9 0 0 | 2 | - | 0"]);
    put(home.path(), ".copilot/otel/export.jsonl", &format!("{}\n", span("s1", 9)));
    check(home.path(), &["copilot c1 /w - | 100 9 0 0 | 2 | - | 0"]);
    // Another answer, which no export has: more is told by the events then.
    let more = r#"{"type":"assistant.message","timestamp":"2026-06-30T10:01:02.000Z","data":{"messageId":"n","content":"So","inputTokens":500,"outputTokens":9}}"#;
    put(home.path(), ".copilot/session-state/c1/events.jsonl", &format!("{events}{more}\n"));
    check(home.path(), &["copilot c1 /w - | 500 18 0 0 | 3 | - | 0"]);
    put(home.path(), ".copilot/otel/export.jsonl", &format!("{}\n{}\n", span("s1", 9), span("s2", 900)));
    check(home.path(), &["copilot c1 /w - | 200 909 0 0 | 3 | - | 0"]);
}

#[test]
fn skipped_logs_are_named_with_count_and_example() {
    let home = tempfile::tempdir().unwrap();
    put(home.path(), ".claude/projects/-w/s.jsonl.gz", "x");
    put(home.path(), ".claude/projects/-w/t.jsonl.gz", "x");
    put(home.path(), ".kiro/sessions/cli/a.jsonl", "{}\n");
    put(home.path(), ".local/share/goose/sessions/1.jsonl", "{}\n");
    put(home.path(), ".local/share/opencode/opencode.db.bak", "x");
    put(home.path(), ".grok/sessions/%2Fw/g/odd.jsonl", "{\"usage\":{\"inputTokens\":5,\"outputTokens\":2}}\n");
    put(home.path(), ".grok/sessions/%2Fw/g/rewind_points.jsonl", "{}\n");
    put(
        home.path(),
        ".gemini/tmp/w/chats/session-1.json",
        r#"{"sessionId":"g","messages":[{"id":"1","type":"router","tokens":{"input":5,"output":2}}]}"#,
    );
    database(
        home.path(),
        ".local/share/opencode/opencode.db",
        r#"CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, data TEXT);
        INSERT INTO session_message VALUES ('m', 's', 'judge', '{"tokens":{"input":5,"output":2}}');"#,
    );
    let usage = r#""usage":{"input_tokens":5,"output_tokens":2}"#;
    let odd = format!("{{\"type\":\"advice\",\"message\":{{{usage}}}}}\n");
    put(home.path(), ".claude/projects/-w/u.jsonl", &odd.repeat(3));
    put(
        home.path(),
        ".copilot/session-state/c/events.jsonl",
        "{\"type\":\"new.usage\",\"data\":{\"usage\":{\"inputTokens\":5,\"outputTokens\":2}}}\n",
    );
    let told = || {
        read_with(home.path(), &[]);
        let index = Index::open(&DataFolder::at(home.path().join("data"))).unwrap();
        let all = index.skipped().unwrap().into_iter();
        let name = home.path().display().to_string();
        all.map(|one| format!("{} | {} | {} | {}", one.program, one.kind, one.count, one.example.replace(&name, "")))
            .collect::<Vec<_>>()
    };
    let expected = [
        "Claude Code | compressed log (.gz) | 2 | /.claude/projects/-w/s.jsonl.gz",
        "Goose | log of an older version | 1 | /.local/share/goose/sessions/1.jsonl",
        "Grok CLI | unknown file (.jsonl) | 1 | /.grok/sessions/%2Fw/g/odd.jsonl",
        "Kiro | log of a program that is not read | 1 | /.kiro/sessions/cli/a.jsonl",
        "opencode | copy of a log (.bak) | 1 | /.local/share/opencode/opencode.db.bak",
        "Claude Code | record `advice` with tokens | 3 | /.claude/projects/-w/u.jsonl:0",
        "Copilot CLI | record `new.usage` with tokens | 1 | /.copilot/session-state/c/events.jsonl:0",
        "Gemini CLI | record `router` with tokens | 1 | /.gemini/tmp/w/chats/session-1.json:29",
        "opencode | record `judge` with tokens | 1 | /.local/share/opencode/opencode.db:1",
    ];
    assert_eq!(told(), expected);
    // It is named once, and no longer when it is gone.
    fs::remove_dir_all(home.path().join(".kiro")).unwrap();
    put(home.path(), ".claude/projects/-w/u.jsonl", "{}\n");
    let kept = expected.into_iter().filter(|line| !line.contains("Kiro") && !line.contains("advice"));
    assert_eq!(told(), kept.collect::<Vec<_>>());
}
