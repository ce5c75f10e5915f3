//! `aside versions FILE`: what is kept of a document after something else took its place.

use std::path::Path;

use aside_core::{WorkspacePath, harmless};
use aside_protocol::DocumentVersion;
use serde_json::json;

use crate::{arguments::Where, client::Client, ended::Ended, output::Output, workspace};

/// Lists the versions, and says how one is brought back.
pub async fn versions(file: &Path, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let file = &workspace::file(place, file)?;
    let client = workspace::open(place).await?;
    let result = list(&client, file, output).await;
    client.finish().await;
    result
}

async fn list(client: &Client, file: &WorkspacePath, output: &Output) -> anyhow::Result<Ended> {
    let versions: Vec<DocumentVersion> = client.find("files/versions", &json!({ "path": file })).await?;
    output.result(&versions, || words(file, &versions));
    Ok(Ended::Done)
}

fn words(file: &WorkspacePath, versions: &[DocumentVersion]) -> String {
    let line = |DocumentVersion { id, at, bytes, made_by }: &DocumentVersion| {
        harmless(&format!("{id}  {at}  {bytes:>9} bytes  {made_by}")).into_owned()
    };
    let Some(latest) = versions.first() else {
        return harmless(&format!(
            "There are no stored versions of {file} yet: one is stored each time its text is replaced."
        ))
        .into_owned();
    };
    let args = json!({ "path": file, "version": latest.id });
    let how = format!(
        "To preview restoring a version, run aside do doc.restore --dry-run --args '{args}'; without --dry-run, it is restored."
    );
    versions.iter().map(line).chain([harmless(&how).into_owned()]).collect::<Vec<_>>().join("\n")
}
