//! What changes the servers that are kept: on the disk first, and then in what is offered.

use std::{collections::BTreeMap, sync::Arc};

use aside_core::{Failure, McpLaunch, McpServerName, McpToolChoice, Sha256, Timestamp};

use super::{MOST_SERVERS, Servers, another_list};
use crate::client::{
    kept::{AllKept, Kept, Trust},
    list::ToolList,
};

impl Servers {
    /// Tells whether a server of this name can be added.
    pub(crate) fn check_free(&self, name: &McpServerName) -> Result<(), Failure> {
        self.files()?;
        let kept = self.kept();
        if kept.contains_key(name) {
            let message = format!("there is already an MCP server `{name}`");
            return Err(Failure::new("exists", message).hint("remove it first, or choose another name"));
        }
        match kept.len() < MOST_SERVERS {
            true => Ok(()),
            false => Err(Failure::new("too_many", format!("a workspace can have at most {MOST_SERVERS} MCP servers"))),
        }
    }

    pub(crate) async fn add(
        self: &Arc<Self>,
        name: &McpServerName,
        launch: McpLaunch,
        by: &str,
        now: Timestamp,
    ) -> Result<(), Failure> {
        self.check_free(name)?;
        let kept = Kept { launch, added_by: by.to_owned(), added: now, list: None, trust: None };
        self.change(name, |all, name| drop(all.insert(name.clone(), kept))).await
    }

    pub(crate) async fn remove(self: &Arc<Self>, name: &McpServerName) -> Result<Kept, Failure> {
        let kept = self.get(name)?;
        self.change(name, |all, name| drop(all.remove(name))).await?;
        let link = self.links().remove(name);
        if let Some(link) = link {
            link.close().await;
        }
        Ok(kept)
    }

    /// Writes down what a person said of the list with this hash, if it is still the one that was seen last.
    pub(crate) async fn trust(
        self: &Arc<Self>,
        name: &McpServerName,
        hash: &Sha256,
        choices: BTreeMap<String, McpToolChoice>,
        (by, at): (&str, Timestamp),
    ) -> Result<(), Failure> {
        let list = self.get(name)?.list.filter(|list| list.hash == *hash).ok_or_else(|| another_list(name))?;
        let trust = Trust { list, choices, by: by.to_owned(), at };
        self.change(name, |all, name| {
            if let Some(kept) = all.get_mut(name) {
                kept.trust = Some(trust);
            }
        })
        .await
    }

    pub(crate) async fn distrust(self: &Arc<Self>, name: &McpServerName) -> Result<(), Failure> {
        self.get(name)?;
        self.change(name, |all, name| {
            if let Some(kept) = all.get_mut(name) {
                kept.trust = None;
            }
        })
        .await
    }

    /// Keeps a list that was told.
    pub(super) async fn saw(self: &Arc<Self>, name: &McpServerName, list: &ToolList) -> Result<(), Failure> {
        if self.get(name)?.list.as_ref() == Some(list) {
            return Ok(());
        }
        let list = list.clone();
        self.change(name, |all, name| {
            if let Some(kept) = all.get_mut(name) {
                kept.list = Some(list);
            }
        })
        .await
    }

    /// Changes what is kept, on the disk first, and then what is offered.
    async fn change(
        self: &Arc<Self>,
        name: &McpServerName,
        change: impl FnOnce(&mut AllKept, &McpServerName) + Send + 'static,
    ) -> Result<(), Failure> {
        let (servers, name) = (self.clone(), name.clone());
        let changed = tokio::task::spawn_blocking(move || {
            let mut kept = servers.kept();
            let mut all = kept.clone();
            change(&mut all, &name);
            let files = servers.files()?;
            files.write(&all).map_err(|error| Failure::new("io", format!("cannot store the MCP servers: {error}")))?;
            *kept = all;
            drop(kept);
            servers.offer(&name);
            servers.changes.send_replace(());
            Ok(())
        });
        changed.await.unwrap_or_else(|_| Err(Failure::new("interrupted", "the workspace's server is shutting down")))
    }
}
