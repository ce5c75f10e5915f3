//! `aside mcp add|list|trust|distrust|reconnect|remove`: actions like any other, with words that are quicker to type.

use std::collections::BTreeMap;

use aside_core::{
    Failure, McpLaunch, McpProposal, McpProposals, McpServer, McpServerName, McpState, McpToolChoice, Risks, harmless,
};
use serde::Serialize;
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
        Servers::Reconnect { name, yes } => ("mcp.reconnect", json!({ "name": name }), yes),
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
        let failure = Failure::new("unseen", format!("{} has not sent its list of tools yet", server.name));
        let hint = format!("`aside mcp list` shows why; restart it with `aside mcp reconnect {}`", server.name);
        return Err(failure.hint(hint).into());
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
    let missing = || Failure::new("not_found", format!("there is no MCP server `{name}`"));
    Ok(found.ok_or_else(|| missing().hint("`aside mcp list` shows all servers"))?)
}

async fn list(place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let servers = client.get::<Vec<McpServer>>("mcp/servers").await;
    let proposals = client.get::<McpProposals>("mcp/proposals").await;
    client.finish().await;
    let listed = Listed { servers: servers?, proposed: proposals? };
    output.result(&listed, || listed.shown());
    Ok(Ended::Done)
}

/// What `aside mcp list` tells.
#[derive(Serialize)]
struct Listed {
    servers: Vec<McpServer>,
    proposed: McpProposals,
}

impl Listed {
    fn shown(&self) -> String {
        let mut parts: Vec<_> = self.servers.iter().map(shown).collect();
        if parts.is_empty() {
            parts.push("no MCP servers; add one with `aside mcp add`".to_owned());
        }
        parts.extend(self.proposed.proposals.iter().map(proposed));
        parts.extend(self.proposed.problems.iter().map(|problem| harmless(problem).into_owned()));
        parts.join("\n")
    }
}

fn proposed(proposal: &McpProposal) -> String {
    let McpProposal { name, given, file, launch, problems } = proposal;
    let mut text = format!("{}: proposed by {file} in this folder; not running\n", harmless(given));
    if let Some(launch) = launch {
        text += &format!("  {}\n  to add it: {}\n", harmless(&reached(launch)), harmless(&add_line(name, launch)));
    }
    for problem in problems {
        text += &format!("  {}\n", harmless(problem));
    }
    text
}

/// What a person types to add it, for a POSIX shell.
fn add_line(name: &McpServerName, launch: &McpLaunch) -> String {
    let mut words = vec!["aside".to_owned(), "mcp".to_owned(), "add".to_owned(), name.to_string()];
    match launch {
        McpLaunch::Program { argv, cwd, environment, inherit } => {
            let open = environment.iter().map(|(name, value)| format!("{name}={value}"));
            words.extend(open.chain(inherit.iter().cloned()).flat_map(|variable| ["--env".to_owned(), variable]));
            words.extend(cwd.iter().flat_map(|cwd| ["--cwd".to_owned(), cwd.clone()]));
            words.push("--".to_owned());
            words.extend(argv.iter().cloned());
        }
        McpLaunch::Http { url, headers } => {
            words.extend(["--url".to_owned(), url.clone()]);
            let headers = headers.iter().map(|(header, variable)| format!("{header}={variable}"));
            words.extend(headers.flat_map(|header| ["--header".to_owned(), header]));
        }
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    match !word.is_empty() && word.bytes().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn reached(launch: &McpLaunch) -> String {
    match launch {
        McpLaunch::Program { argv, .. } => argv.join(" "),
        McpLaunch::Http { url, .. } => url.clone(),
    }
}

fn shown(server: &McpServer) -> String {
    let stand = match server.state {
        McpState::Unseen => "tools not listed yet",
        McpState::Untrusted => "not reviewed, each call needs approval",
        McpState::Trusted => "trusted",
        McpState::Changed => "CHANGED since it was trusted, can't be used",
    };
    let mut text = format!("{}: {stand}\n  {}\n", server.name, harmless(&reached(&server.launch)));
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
    if server.started_by_hand && !server.running {
        text += &format!(
            "  files of this folder can change what it does, so it is not started automatically: run `aside mcp reconnect {}`\n",
            server.name
        );
    } else if server.failure.is_some() {
        let next = server.retry_in.map_or_else(
            || format!("restart it with `aside mcp reconnect {}`", server.name),
            |rest| format!("next retry in {rest} s"),
        );
        text += &format!("  {next}\n");
    }
    text
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_typed_is_read_back_as_it_was_proposed() {
        let launch: McpLaunch = serde_json::from_value(json!({
            "kind": "program", "argv": ["/bin/srv", "it's; rm -rf ~", "$(id)", ""], "cwd": "/w",
            "environment": { "MODE": "r o" }, "inherit": ["KEY"],
        }))
        .unwrap();
        assert_eq!(
            add_line(&"files".parse().unwrap(), &launch),
            r"aside mcp add files --env 'MODE=r o' --env KEY --cwd /w -- /bin/srv 'it'\''s; rm -rf ~' '$(id)' ''"
        );
    }
}
