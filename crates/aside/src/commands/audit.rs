//! `aside audit list|show|verify`: what was done, and whether the record of it is whole.

use aside_core::harmless;
use aside_protocol::{AuditCheck, AuditEntry};
use serde_json::Value;

use crate::{
    arguments::{Audit, Where},
    client::Client,
    ended::Ended,
    output::Output,
    workspace,
};

/// Shows or checks the audit.
pub async fn audit(what: Audit, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = show(&client, what, output).await;
    client.finish().await;
    result
}

async fn show(client: &Client, what: Audit, output: &Output) -> anyhow::Result<Ended> {
    match what {
        Audit::List { after } => {
            let entries = all(client, after).await?;
            output.result(&entries, || entries.iter().map(line).collect());
        }
        Audit::Show { id } => {
            let entries: Vec<AuditEntry> = client.get(&format!("audit?action={id}")).await?;
            output.result(&entries, || serde_json::to_string_pretty(&entries).expect("entries serialise to JSON"));
        }
        Audit::Verify => {
            let check: AuditCheck = client.post("audit/verify", &serde_json::json!({})).await?;
            output.result(&check, || match &check.problem {
                None => format!("{} entries hold together", check.entries),
                Some(problem) => format!("{} entries hold together, then: {problem}", check.entries),
            });
            return Ok(if check.problem.is_none() { Ended::Done } else { Ended::Failed });
        }
    }
    Ok(Ended::Done)
}

/// Reads all pages.
async fn all(client: &Client, mut after: u64) -> anyhow::Result<Vec<AuditEntry>> {
    let mut entries: Vec<AuditEntry> = Vec::new();
    loop {
        let page: Vec<AuditEntry> = client.get(&format!("audit?after={after}")).await?;
        let Some(last) = page.last() else { return Ok(entries) };
        after = last.seq;
        entries.extend(page);
    }
}

fn line(entry: &AuditEntry) -> String {
    let word = |name: &str| match &entry.body[name] {
        Value::String(text) => harmless(text).into_owned(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    format!("{:>6}  {:9}  {:16}  {}  {}\n", entry.seq, word("kind"), word("action_type"), word("action"), word("rule"))
}
