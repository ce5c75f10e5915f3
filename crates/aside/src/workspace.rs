//! Which workspace a command is about, and the server that has it open.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use aside_protocol::Serving;
use aside_server::{ServeOptions, Started};

use crate::{arguments::Where, client::Client};

/// Returns a client of the workspace's server; if none is running, one is started for this command.
pub async fn open(place: &Where) -> anyhow::Result<Client> {
    let options = ServeOptions { port: Some(0), ..ServeOptions::new(find(place)?) };
    match aside_server::running(&options.workspace, options.data_folder.as_ref()) {
        Some(serving) => Client::to(serving),
        None => start(options).await,
    }
}

/// Returns the running server of a workspace, if there is one.
pub fn running(place: &Where) -> anyhow::Result<Option<Serving>> {
    let options = ServeOptions::new(find(place)?);
    Ok(aside_server::running(&options.workspace, options.data_folder.as_ref()))
}

/// The named folder, else the nearest workspace above the current folder, else that folder.
pub fn find(place: &Where) -> anyhow::Result<PathBuf> {
    match &place.workspace {
        Some(folder) => folder.canonicalize().with_context(|| format!("cannot open {}", folder.display())),
        None => {
            let here = std::env::current_dir().context("cannot tell the current folder")?;
            Ok(nearest(&here).unwrap_or(&here).to_owned())
        }
    }
}

fn nearest(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".aside").is_dir())
}

async fn start(options: ServeOptions) -> anyhow::Result<Client> {
    match aside_server::serve(options).await? {
        Started::Serving(running) => Client::own(running),
        Started::Joined(serving) => Client::to(serving),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_workspace_above_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::DirBuilder::new().recursive(true).create(&deep).unwrap();
        std::fs::DirBuilder::new().create(folder.path().join(".aside")).unwrap();
        assert_eq!(nearest(&deep), Some(folder.path()));
        std::fs::DirBuilder::new().create(folder.path().join("a/.aside")).unwrap();
        assert_eq!(nearest(&deep), Some(folder.path().join("a").as_path()));
    }
}
