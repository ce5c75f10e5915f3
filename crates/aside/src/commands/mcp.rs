//! `aside mcp`: the workspace for another program, over standard input and output.

use anyhow::Context as _;
use serde_json::json;

use crate::{arguments::Where, ended::Ended, output::Output, workspace};

/// Carries the program's messages to the server of the workspace, until the program closes its end.
pub async fn mcp(place: &Where) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let url = format!("{}mcp", client.serving().url);
    let token = client.serving().token.clone();
    let carried = aside_server::mcp_bridge(&url, &token, tokio::io::stdin(), tokio::io::stdout()).await;
    client.finish().await;
    carried?;
    Ok(Ended::Done)
}

/// Serves what the conformance suite asks for, until a signal ends the process.
pub async fn fixtures(port: u16, output: &Output) -> anyhow::Result<Ended> {
    let (url, mut tasks) = aside_server::serve_mcp_fixtures(port).await.context("cannot listen")?;
    output.result(&json!({ "url": url }), || format!("fixtures at {url}"));
    while let Some(ended) = tasks.join_next().await {
        ended.context("the server broke off")?.context("the server ended")?;
    }
    Ok(Ended::Done)
}
