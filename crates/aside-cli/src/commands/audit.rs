//! `aside audit list|show|verify|export`: what was done, and whether the record of it is whole.

use anyhow::anyhow;
use aside_core::{ActionId, Failure, Timestamp, harmless};
use aside_protocol::{AuditCheck, AuditEntry, FindAudit, Submitted, VerifyAudit};
use serde_json::{Value, json};

use crate::{
    arguments::{Audit, AuditFilter, AuditSubject, Where},
    client::Client,
    ended::Ended,
    output::Output,
    preview::render,
    workspace,
};

/// Shows or checks the audit.
pub async fn audit(what: Audit, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = match what {
        Audit::List(filter) => list(&client, filter, output).await,
        Audit::Show { what } => show(&client, what, output).await,
        Audit::Verify { head } => verify(&client, head, output).await,
        Audit::Export { format, from, to } => export(&client, &format, from, to).await,
    };
    client.finish().await;
    result
}

async fn list(client: &Client, filter: AuditFilter, output: &Output) -> anyhow::Result<Ended> {
    let question = question(filter);
    let entries: Vec<AuditEntry> = client.find("audit", &question).await?;
    // Whether nothing fits or there is nothing at all is another answer.
    let any = !entries.is_empty() || !client.find::<Vec<AuditEntry>>("audit", &one()).await?.is_empty();
    output.result(&entries, || match (entries.is_empty(), any) {
        (true, false) => "the activity log is empty".to_owned(),
        (true, true) => "no matching entries; `aside audit list` without filters shows the latest".to_owned(),
        (false, _) => entries.iter().map(line).collect(),
    });
    Ok(Ended::Done)
}

fn one() -> FindAudit {
    FindAudit { limit: Some(1), ..FindAudit::default() }
}

fn question(filter: AuditFilter) -> FindAudit {
    let time = |time: Option<Timestamp>| time.map(|time| time.0.to_string());
    FindAudit {
        by: filter.by,
        origin: filter.origin,
        object: filter.object,
        action: filter.action,
        state: filter.state,
        text: filter.text,
        from: time(filter.from),
        to: time(filter.to),
        before: filter.before,
        after: filter.after,
        limit: Some(filter.limit),
    }
}

async fn show(client: &Client, what: AuditSubject, output: &Output) -> anyhow::Result<Ended> {
    let id = match what {
        AuditSubject::Action(id) => id,
        AuditSubject::Entry(seq) => action_at(client, seq).await?,
    };
    let wanted = FindAudit { action: Some(id.to_string()), after: Some(0), limit: Some(1000), ..FindAudit::default() };
    let entries: Vec<AuditEntry> = client.find("audit", &wanted).await?;
    if entries.is_empty() {
        return Err(Failure::new("not_found", format!("the activity log has no entry about {id}")).into());
    }
    // A dry run leaves an entry and no action.
    let action: Option<Submitted> = client.get(&format!("actions/{id}")).await.ok();
    output.result(&json!({ "entries": entries, "record": action.as_ref().map(|found| &found.record) }), || {
        let mut text: String = entries.iter().map(|entry| line(entry) + &details(&entry.body)).collect();
        if let Some(preview) = action.as_ref().and_then(|found| found.preview.as_ref()) {
            text += "\n";
            text += &render(preview, output);
        }
        text
    });
    Ok(Ended::Done)
}

async fn action_at(client: &Client, seq: u64) -> anyhow::Result<ActionId> {
    let before = seq.checked_add(1);
    let wanted = FindAudit { before, limit: Some(1), ..FindAudit::default() };
    let entries: Vec<AuditEntry> = client.find("audit", &wanted).await?;
    let found = entries.first().filter(|entry| entry.seq == seq);
    let entry = found.ok_or_else(|| Failure::new("not_found", format!("the activity log has no entry {seq}")))?;
    serde_json::from_value(entry.body["action"].clone())
        .map_err(|_| anyhow!("entry {seq} does not belong to an action"))
}

async fn verify(client: &Client, head: Option<String>, output: &Output) -> anyhow::Result<Ended> {
    let check: AuditCheck = client.post("audit/verify", &VerifyAudit { head }).await?;
    output.result(&check, || match (&check.problem, &check.head) {
        (Some(problem), _) => format!("{} entries are intact, then: {problem}", check.entries),
        (None, Some(head)) => format!("all {} entries are intact; the last hash is {head}", check.entries),
        (None, None) => format!("all {} entries are intact", check.entries),
    });
    Ok(if check.problem.is_none() { Ended::Done } else { Ended::Failed })
}

async fn export(
    client: &Client,
    format: &str,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> anyhow::Result<Ended> {
    let time = |name: &str, time: Option<Timestamp>| time.map(|time| (name.to_owned(), time.0.to_string()));
    let mut question = vec![("format".to_owned(), format.to_owned())];
    question.extend([time("from", from), time("to", to)].into_iter().flatten());
    client.copy("audit/export", &question, &mut std::io::stdout().lock()).await?;
    Ok(Ended::Done)
}

fn line(entry: &AuditEntry) -> String {
    let word = |name: &str| word(&entry.body[name]);
    let at = entry.body["at"].as_i64().map_or_else(String::new, |at| Timestamp(at).to_string());
    let who = who(&entry.body["origin"]);
    let end = if entry.body["outcome"]["code"] == "ran_badly" { "failed".to_owned() } else { word("kind") };
    format!(
        "{:>6}  {at}  {end:11}  {:16}  {who}  {}  {}{}\n",
        entry.seq,
        word("action_type"),
        word("action"),
        word("rule"),
        command(&entry.body["args"])
    )
}

/// Characters of a command in a line.
const LONGEST_COMMAND: usize = 80;

/// "  $ make test" for an entry about a command.
fn command(args: &Value) -> String {
    let line = match (&args["command"], &args["argv"]) {
        (Value::String(line), _) => line.clone(),
        (_, Value::Array(argv)) => argv.iter().map(word).collect::<Vec<_>>().join(" "),
        _ => return String::new(),
    };
    let one_line = harmless(&line).split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(LONGEST_COMMAND) {
        Some((end, _)) => format!("  $ {}…", &one_line[..end]),
        None => format!("  $ {one_line}"),
    }
}

/// "ada/cli", and of another program its name and the connection: "ada/mcp editor#1f3a".
fn who(origin: &Value) -> String {
    let part = |name: &str, before: &str| match word(&origin[name]) {
        text if text.is_empty() => text,
        text => format!("{before}{text}"),
    };
    [part("user", ""), part("kind", "/"), part("client", " "), part("session", "#")].concat()
}

/// What an entry says beyond its line.
fn details(body: &Value) -> String {
    let mut text = String::new();
    for (name, value) in [
        ("program", &body["origin"]["client"]),
        ("MCP session", &body["origin"]["session"]),
        ("decided by", &body["decided_by"]),
        ("answer", &body["answer"]),
        ("outcome", &body["outcome"]["text"]),
        ("touches", &body["targets"]),
        ("changed", &body["changed"]),
        ("arguments", &body["args"]),
        ("why", &body["audit_context"]),
    ] {
        if !matches!(value, Value::Null) && value.as_array().is_none_or(|items| !items.is_empty()) {
            text += &format!("        {name}: {}\n", word(value));
        }
    }
    text
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => harmless(text).into_owned(),
        Value::Null => String::new(),
        other => harmless(&other.to_string()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_about_a_command_shows_the_command() {
        let body = json!({
            "at": 0, "kind": "outcome", "action_type": "shell.run", "action": "act_1", "rule": "person",
            "origin": { "kind": "cli", "user": "ada" },
            "args": { "command": "make\n  test" }, "outcome": { "kind": "done", "code": "ran_badly", "text": "" },
        });
        let shown = line(&AuditEntry { seq: 7, body, hash: aside_core::Sha256::of("") });
        assert!(shown.contains("failed") && shown.ends_with("$ make test\n"), "{shown}");
        assert_eq!(command(&json!({ "argv": ["ls", "-l"] })), "  $ ls -l");
        assert_eq!(command(&json!({ "path": "a.md" })), "");
    }

    #[test]
    fn programs_of_one_name_are_told_apart_by_their_connection() {
        let origin = json!({ "kind": "mcp", "user": "ada", "client": "editor", "session": "1f3a" });
        assert_eq!(who(&origin), "ada/mcp editor#1f3a");
        assert_eq!(who(&json!({ "kind": "mcp", "user": "ada", "client": "editor" })), "ada/mcp editor");
        assert_eq!(who(&json!({ "kind": "cli", "user": "ada" })), "ada/cli");
    }
}
