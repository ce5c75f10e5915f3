//! `aside mcp add|list|trust|distrust|remove`: actions like any other, with words that are quicker to type.

use std::collections::BTreeMap;

use aside_core::{Failure, McpLaunch, McpServer, McpServerName, McpState, McpToolChoice, Risks, harmless};
use serde_json::{Value, json};

use super::do_action;
use crate::{
    arguments::{Servers, Where},
    ended::Ended,
    output::Output,
    workspace,
};

/// Does what was typed.
pub async fn servers(what: Servers, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let (action, args, yes) = match what {
        Servers::List => return list(place, output).await,
        Servers::Add { name, environment, cwd, url, headers, yes, argv } => {
            let launch = match url {
                Some(url) => McpLaunch::Http { url, headers: headers.into_iter().collect() },
                None => program(argv, cwd, environment),
            };
            ("mcp.add", json!({ "name": name, "launch": launch }), yes)
        }
        Servers::Trust { name, tool, all, idempotent, hash, yes } => {
            let args = trust(find(&name, place).await?, (tool, all, idempotent), hash)?;
            ("mcp.trust", args, yes)
        }
        Servers::Distrust { name } => ("mcp.distrust", json!({ "name": name }), false),
        Servers::Remove { name, yes } => ("mcp.remove", json!({ "name": name }), yes),
    };
    let action = action.parse()?;
    do_action::do_action(&do_action::request(action, args, None, false), yes, place, output).await
}

fn program(argv: Vec<String>, cwd: Option<String>, variables: Vec<String>) -> McpLaunch {
    let (mut environment, mut inherit) = (BTreeMap::new(), Vec::new());
    for variable in variables {
        match variable.split_once('=') {
            Some((name, value)) => _ = environment.insert(name.to_owned(), value.to_owned()),
            None => inherit.push(variable),
        }
    }
    McpLaunch::Program { argv, cwd, environment, inherit }
}

type Said = (Vec<(String, Risks)>, Option<Risks>, Vec<String>);

fn trust(server: McpServer, (named, all, idempotent): Said, hash: Option<String>) -> anyhow::Result<Value> {
    let Some(seen) = server.hash else {
        let failure = Failure::new("unseen", format!("{} has not told its tools yet", server.name));
        return Err(failure
            .hint("see `aside mcp list` for the reason; mend it, remove the server and add it again")
            .into());
    };
    let everywhere = server.tools.iter().filter_map(|tool| Some((tool.tool.clone(), all.clone()?)));
    let mut choices: BTreeMap<String, McpToolChoice> = BTreeMap::new();
    for (tool, risks) in everywhere.chain(named) {
        choices.insert(tool, McpToolChoice { risks, idempotent: false });
    }
    for tool in idempotent {
        choices.entry(tool).or_default().idempotent = true;
    }
    let hash = hash.unwrap_or_else(|| seen.to_string());
    Ok(json!({ "name": server.name, "hash": hash, "tools": choices }))
}

async fn find(name: &McpServerName, place: &Where) -> anyhow::Result<McpServer> {
    let client = workspace::open(place).await?;
    let servers = client.get::<Vec<McpServer>>("mcp/servers").await;
    client.finish().await;
    let found = servers?.into_iter().find(|server| server.name == *name);
    let missing = || Failure::new("not_found", format!("there is no server of tools `{name}`"));
    Ok(found.ok_or_else(|| missing().hint("`aside mcp list` shows those there are"))?)
}

async fn list(place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let servers = client.get::<Vec<McpServer>>("mcp/servers").await;
    client.finish().await;
    let servers = servers?;
    output.result(&servers, || match servers.is_empty() {
        true => "there are no servers of tools; `aside mcp add` adds one".to_owned(),
        false => servers.iter().map(shown).collect::<Vec<_>>().join("\n"),
    });
    Ok(Ended::Done)
}

fn shown(server: &McpServer) -> String {
    let stand = match server.state {
        McpState::Unseen => "has not told its tools",
        McpState::Untrusted => "not looked at, each call asks",
        McpState::Trusted => "looked at",
        McpState::Changed => "CHANGED since it was looked at, can't be used",
    };
    let reached = match &server.launch {
        McpLaunch::Program { argv, .. } => argv.join(" "),
        McpLaunch::Http { url, .. } => url.clone(),
    };
    let mut text = format!("{}: {stand}\n  {}\n", server.name, harmless(&reached));
    if let Some(hash) = &server.hash {
        text += &format!("  list {hash}\n");
    }
    for tool in &server.tools {
        text += &format!("  {} ({}): {}\n", tool.action, tool.choice.risks, first_line(&tool.description));
    }
    for change in &server.changes {
        let what = match (&change.before, &change.after) {
            (None, _) => "new",
            (_, None) => "gone",
            _ => "other",
        };
        text += &format!("  {what}: {}\n", change.tool);
    }
    for problem in server.problems.iter().chain(&server.failure) {
        text += &format!("  {}\n", harmless(problem));
    }
    text
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(100).collect()
}
