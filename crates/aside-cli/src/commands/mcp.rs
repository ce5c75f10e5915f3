//! `aside mcp`: the workspace for another program, over standard input and output.

use anyhow::Context as _;
use aside_protocol::{Serving, Status};
use serde_json::json;

use crate::{arguments::Where, client::Client, ended::Ended, output::Output, workspace};

/// Carries the program's messages to the server of the workspace, until the program closes its end. With the token of a
/// grant the program can do no more than that allows.
pub async fn mcp(place: &Where, token: Option<String>) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let carried = carry(client.serving(), token).await;
    client.finish().await;
    carried?;
    Ok(Ended::Done)
}

async fn carry(serving: &Serving, token: Option<String>) -> anyhow::Result<()> {
    let token = token.unwrap_or_else(|| serving.token.clone());
    // Said here, where a person reads it: what the protocol makes of it is for programs.
    let holder = Client::to(Serving { token: token.clone(), ..serving.clone() })?;
    let _: Status = holder.get("status").await.context("the server rejects this token")?;
    let url = format!("{}mcp", serving.url);
    Ok(aside_server::mcp_bridge(&url, &token, tokio::io::stdin(), tokio::io::stdout()).await?)
}

/// Serves what the conformance suite asks for, until a signal ends the process.
pub async fn fixtures(port: u16, output: &Output) -> anyhow::Result<Ended> {
    let (url, mut tasks) = aside_server::serve_mcp_fixtures(port).await.context("cannot listen")?;
    output.result(&json!({ "url": url }), || format!("fixtures at {url}"));
    while let Some(ended) = tasks.join_next().await {
        ended.context("the server failed")?.context("the server ended")?;
    }
    Ok(Ended::Done)
}
