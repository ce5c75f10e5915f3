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
            true => format!("{folder} is already trusted, and its current contents are now accepted."),
            false => format!(
                "{folder} is now trusted. Its threads, grants and waiting requests stay valid: check them with `aside \
                 grants list` and `aside decide`."
            ),
        }
    });
    Ok(Ended::Done)
}
