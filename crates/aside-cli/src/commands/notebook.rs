//! `aside notebook run FILE` and `aside notebook upgrade FILE`: the actions `notebook.run` and `doc.checkpoint`, through the Gate like
//! any other. That it was typed is the person's word for it; a rule that forbids it holds all the same.

use aside_protocol::Submitted;
use serde_json::json;

use super::{
    decide::{Consent, settle},
    do_action::{request, show},
};
use crate::{
    arguments::{Notebook, Where},
    client::{Client, until_answered},
    ended::Ended,
    follow::follow,
    output::Output,
    workspace,
};

/// Runs or upgrades it.
pub async fn notebook(what: Notebook, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let (name, args) = match what {
        Notebook::Run { file, output: target, allow_errors, timeout, kernel } => {
            let file = workspace::file(place, &file)?;
            let target = target.map(|target| workspace::file(place, &target)).transpose()?;
            let args = json!({
                "path": file, "output": target, "allow_errors": allow_errors, "timeout": timeout, "kernel": kernel,
            });
            ("notebook.run", args)
        }
        Notebook::Upgrade { file } => {
            ("doc.checkpoint", json!({ "path": workspace::file(place, &file)?, "upgrade": true }))
        }
    };
    let name = name.parse().expect("it is `noun.verb`");
    let client = workspace::open(place).await?;
    let submitted = run(&client, &request(name, args, None, false), output).await;
    client.finish().await;
    let submitted = submitted?;
    output.result(&submitted, || show(&submitted, false, output));
    Ok(Ended::of(&submitted))
}

async fn run(client: &Client, request: &aside_protocol::SubmitAction, output: &Output) -> anyhow::Result<Submitted> {
    let submitted = until_answered(|| follow(client, "actions", request, output)).await?;
    settle(client, submitted, Consent::new(true, output), output).await
}
