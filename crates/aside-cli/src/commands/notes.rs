//! `aside notes search QUERY`: the best places of the workspace.

use std::time::{Duration, Instant};

use aside_core::harmless;
use aside_protocol::{SearchAnswer, SearchHit, SearchIndexState, SearchQuery};

use crate::{
    arguments::{Notes, Where},
    client::Client,
    ended::Ended,
    output::Output,
    workspace,
};

/// An index that is being made is waited for so long, and asked so often.
const LONGEST: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(50);

/// Searches.
pub async fn notes(what: Notes, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let Notes::Search { query, limit, kind } = what;
    let query = SearchQuery { query: query.join(" "), limit: Some(limit), kinds: kind, typing: false };
    let client = workspace::open(place).await?;
    let found = ready(&client, &query).await;
    client.finish().await;
    let found = found?;
    if found.index.state == SearchIndexState::Reading {
        output.notice("Some files are still being read, so there may be more.");
    }
    if let Some(problem) = &found.index.problem {
        output.notice(problem);
    }
    output.result(&found, || words(&query.query, &found));
    Ok(Ended::Done)
}

/// The answer once all files are read.
async fn ready(client: &Client, query: &SearchQuery) -> anyhow::Result<SearchAnswer> {
    let start = Instant::now();
    loop {
        let found: SearchAnswer = client.post("search", query).await?;
        if found.index.state == SearchIndexState::Ready || start.elapsed() > LONGEST {
            return Ok(found);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn words(query: &str, found: &SearchAnswer) -> String {
    if found.hits.is_empty() {
        return harmless(&format!("Nothing was found for {query}.")).into_owned();
    }
    found.hits.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `path:line  headings: excerpt`.
fn line(hit: &SearchHit) -> String {
    let headings = if hit.headings.is_empty() { hit.title.clone() } else { hit.headings.join(" > ") };
    let text = hit.text.split_whitespace().collect::<Vec<_>>().join(" ");
    harmless(&format!("{}:{}  {headings}: {text}", hit.path, hit.line)).into_owned()
}
