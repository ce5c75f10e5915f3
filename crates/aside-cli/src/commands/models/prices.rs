//! `aside models prices`: which lists of prices hold, and getting a newer one.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use aside_core::harmless;
use aside_protocol::{PriceList, PriceLists, RefreshPrices};

use crate::{arguments::Prices, client::Client, output::Output};

/// Bytes of a file that is read.
const LONGEST: u64 = 16 << 20;

/// Shows the lists, after getting a newer one if that is asked for.
pub(super) async fn prices(client: &Client, what: Option<Prices>, output: &Output) -> anyhow::Result<()> {
    let found: PriceLists = match what {
        None => client.get("models/prices").await?,
        Some(Prices::Refresh { from }) => client.post("models/prices", &wanted(from)?).await?,
    };
    output.result(&found, || lines(&found));
    Ok(())
}

/// What has `://` is an address; the rest is a file of ours, which the server need not be able to read.
fn wanted(from: Option<String>) -> anyhow::Result<RefreshPrices> {
    match from {
        Some(file) if !file.contains("://") => {
            let list =
                read(&PathBuf::from(&file)).with_context(|| format!("cannot use {file}; prices were not changed"))?;
            Ok(RefreshPrices { from: None, list: Some(list) })
        }
        from => Ok(RefreshPrices { from, list: None }),
    }
}

#[expect(clippy::disallowed_methods, reason = "the person names a file of theirs, which need not be in the workspace")]
fn read(file: &Path) -> anyhow::Result<serde_json::Value> {
    if !std::fs::metadata(file)?.is_file() {
        bail!("it is not a file");
    }
    let mut text = String::new();
    File::open(file)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        bail!("it is larger than {LONGEST} bytes");
    }
    serde_json::from_str(&text).context("it is not JSON")
}

fn lines(found: &PriceLists) -> String {
    let mut text: String = found.lists.iter().map(|list| format!("{}\n", named(list))).collect();
    text += "For each model, the first list that has it applies.\n";
    text.extend(found.problem.iter().map(|problem| format!("{problem}\n")));
    text
}

/// A list for people.
pub(super) fn named(list: &PriceList) -> String {
    format!("{} {}, {} models", harmless(&list.source), list.date, list.models).replace(" ,", ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "makes the file that is read")]
    #[test]
    fn an_address_is_asked_for_and_a_file_is_read_here() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.json");
        std::fs::write(&file, r#"{"a": 1}"#).unwrap();
        let path = |path: &Path| Some(path.display().to_string());
        assert_eq!(wanted(path(&file)).unwrap().list, Some(serde_json::json!({"a": 1})));
        let address = "https://models.example/list.json".to_owned();
        assert_eq!(wanted(Some(address.clone())).unwrap().from, Some(address));
        assert_eq!(wanted(None).unwrap(), RefreshPrices::default());
        std::fs::write(&file, r#"{"a": NaN}"#).unwrap();
        for wrong in [file.as_path(), folder.path(), Path::new("/nowhere.json")] {
            wanted(path(wrong)).unwrap_err();
        }
    }
}
