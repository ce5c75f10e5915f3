//! `aside actions list|search|describe|manifest`: what can be done.

use std::path::Path;

use anyhow::Context as _;
use aside_core::{Descriptor, Risks};
use aside_protocol::CatalogHit;

use crate::{
    action_pages::{Page, pages},
    arguments::{Actions, Where},
    client::Client,
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// Shows the catalog.
pub async fn actions(what: Actions, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = show(&client, what, output).await;
    client.finish().await;
    result.map(|()| Ended::Done)
}

async fn show(client: &Client, what: Actions, output: &Output) -> anyhow::Result<()> {
    match what {
        Actions::List => {
            let all: Vec<Descriptor> = client.get("catalog").await?;
            let hits: Vec<CatalogHit> = all
                .into_iter()
                .map(|found| CatalogHit { name: found.name, summary: found.summary, risks: found.risks })
                .collect();
            output.result(&hits, || table(&hits, output));
        }
        Actions::Search { query, noun, risks, limit } => {
            let mut wanted = format!("catalog/search?q={}&limit={limit}", encode(&query));
            if let Some(noun) = noun {
                wanted += &format!("&noun={}", encode(&noun));
            }
            if !risks.is_empty() {
                wanted += &format!("&risks={}", Risks::from_iter(risks).to_string().replace(' ', ""));
            }
            let hits: Vec<CatalogHit> = client.get(&wanted).await?;
            output.result(&hits, || table(&hits, output));
        }
        Actions::Describe { name } => {
            let found: Descriptor = client.get(&format!("catalog/{name}")).await?;
            output.result(&found, || describe(&found, output));
        }
        Actions::Manifest => {
            let all: Vec<Descriptor> = client.get("catalog").await?;
            output.result(&all, || serde_json::to_string_pretty(&all).expect("descriptors serialise to JSON"));
        }
        Actions::Docs { folder } => {
            let pages = pages(&client.get::<Vec<Descriptor>>("catalog").await?);
            match folder {
                Some(folder) => {
                    write(&folder, &pages)?;
                    output.result(&folder, || format!("{} pages are in {}\n", pages.len(), folder.display()));
                }
                None => print!("{}", pages.iter().map(|page| page.text.as_str()).collect::<Vec<_>>().join("\n")),
            }
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "writes where the person at the command line says")]
fn write(folder: &Path, pages: &[Page]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for page in pages {
        let path = folder.join(&page.file);
        std::fs::write(&path, &page.text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn table(hits: &[CatalogHit], output: &Output) -> String {
    let width = hits.iter().map(|hit| hit.name.as_str().len()).max().unwrap_or_default();
    let row = |hit: &CatalogHit| {
        let name = output.paint(Colour::Bold, &format!("{:width$}", hit.name.as_str()));
        format!("{name}  {}  {}\n", hit.summary, output.paint(Colour::Dim, &format!("[{}]", hit.risks)))
    };
    match hits.is_empty() {
        true => "no matching actions; `aside actions list` shows all".to_owned(),
        false => hits.iter().map(row).collect(),
    }
}

fn describe(found: &Descriptor, output: &Output) -> String {
    let mut text =
        format!("{}  {}\n\n{}\n", output.paint(Colour::Bold, found.name.as_str()), found.summary, found.description);
    text += &format!("\nRisks: {}\nGrant: {}\n", found.risks, found.grant_needed);
    for (title, lines) in [("Requires", &found.preconditions), ("Caution", &found.safety)] {
        for line in lines {
            text += &format!("{title}: {line}\n");
        }
    }
    for example in &found.examples {
        text += &format!("\n{}:\n  aside do {} --args '{}'\n", example.title, found.name, example.args);
    }
    let schema = serde_json::to_string_pretty(&found.args_schema).expect("schemas serialise to JSON");
    text + &format!("\nArguments:\n{schema}\n")
}

/// Percent-encodes a query value.
fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_survives_the_address() {
        assert_eq!(encode("edit a&b ü?"), "edit%20a%26b%20%C3%BC%3F");
    }
}
