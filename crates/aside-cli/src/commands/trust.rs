//! `aside trust [PATH]`: the person says that a workspace's `.aside` is theirs.

use std::path::PathBuf;

use aside_core::harmless;
use aside_server::ServeOptions;
use serde_json::json;

use crate::{ended::Ended, output::Output};

/// Puts it on record.
pub fn trust(path: PathBuf, output: &Output) -> anyhow::Result<Ended> {
    let (folder, known) = aside_server::trust(&ServeOptions::new(path))?;
    output.result(&json!({ "folder": folder, "known": known }), || {
        let folder = harmless(&folder.display().to_string()).into_owned();
        match known {
            true => format!("{folder} is yours, as before, with what is in it now."),
            false => format!(
                "{folder} is yours now. Threads, grants and requests that wait in it hold as where it came from: see \
                 `aside grants list`, `aside decide`."
            ),
        }
    });
    Ok(Ended::Done)
}
