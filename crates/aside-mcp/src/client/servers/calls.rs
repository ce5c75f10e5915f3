//! What is asked of a server: its tools, and the calls of them.

use std::sync::{Arc, Weak};

use aside_core::{Failure, McpServerName, Sha256};
use aside_gate::Progress;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value};

use super::{Servers, another_list};
use crate::client::{
    link::{Link, Lost, Reach, Session},
    list::ToolList,
};

/// One call of a tool.
pub(crate) struct Call<'a> {
    pub(crate) server: &'a McpServerName,
    /// The list that was ruled on.
    pub(crate) list: &'a Sha256,
    pub(crate) tool: &'a str,
    pub(crate) args: &'a Map<String, Value>,
    /// It may be made again when the server ended in the middle of it.
    pub(crate) repeatable: bool,
}

impl Servers {
    /// Asks a server for its tools, and starts it if it does not run. One that can't be reached is tried again by itself.
    pub(crate) async fn refresh(self: &Arc<Self>, name: &McpServerName) -> Result<ToolList, Failure> {
        let list = self.list_of(name).await;
        if list.is_err() {
            self.keep_trying(name);
        }
        list
    }

    /// Ends what runs of a server, forgets that it failed, and asks it for its tools.
    pub(crate) async fn reconnect(self: &Arc<Self>, name: &McpServerName) -> Result<ToolList, Failure> {
        self.get(name)?;
        self.link(name).reset().await;
        self.refresh(name).await
    }

    fn keep_trying(self: &Arc<Self>, name: &McpServerName) {
        if self.get(name).is_err() {
            return;
        }
        let (servers, name, link) = (Arc::downgrade(self), name.clone(), self.link(name));
        tokio::spawn(async move { link.keep_trying(|| is_still_needed(servers.clone(), name.clone())).await });
    }

    async fn list_of(self: &Arc<Self>, name: &McpServerName) -> Result<ToolList, Failure> {
        let mut tried = false;
        loop {
            let (link, session) = self.connected(name).await?;
            match session.tools().await {
                Ok(told) => {
                    let list = ToolList::read(&self.get(name)?.launch, &told);
                    self.saw(name, &list).await?;
                    return Ok(list);
                }
                Err(Lost::Connection(failure)) => {
                    link.give_up(&session, &failure, self.limits.rest).await;
                    // It may have ended while nobody needed it.
                    if std::mem::replace(&mut tried, true) {
                        return Err(of_server(name, failure));
                    }
                }
                Err(Lost::Request(failure)) => return Err(of_server(name, failure)),
            }
        }
    }

    /// A server said that its tools are others now.
    pub(crate) async fn look_again(self: Arc<Self>, name: &McpServerName) {
        if let Err(failure) = self.refresh(name).await {
            tracing::debug!("the new list of tools was not told: {failure}");
        }
    }

    /// Calls a tool, if the list is still the one that was ruled on.
    pub(crate) async fn call(self: &Arc<Self>, call: Call<'_>, progress: &Progress) -> Result<CallToolResult, Failure> {
        tokio::select! {
            by = progress.stopped() => {
                let message = format!("{by} stopped it; what `{}` did until then is not known", call.tool);
                Err(Failure::new("stopped", message))
            }
            result = self.call_through(&call) => result,
        }
    }

    async fn call_through(self: &Arc<Self>, call: &Call<'_>) -> Result<CallToolResult, Failure> {
        let name = call.server;
        let mut again = call.repeatable;
        loop {
            if self.refresh(name).await?.hash != *call.list {
                return Err(another_list(name));
            }
            let (link, session) = self.connected(name).await?;
            match session.call(call.tool, call.args).await {
                Ok(result) => {
                    link.worked().await;
                    return Ok(result);
                }
                Err(Lost::Connection(failure)) => {
                    link.give_up(&session, &failure, self.limits.rest).await;
                    if !std::mem::take(&mut again) {
                        return Err(of_server(name, failure)
                            .hint("whether the tool did its work is not known: look before you ask again"));
                    }
                }
                Err(Lost::Request(failure)) => return Err(of_server(name, failure)),
            }
        }
    }

    async fn connected(self: &Arc<Self>, name: &McpServerName) -> Result<(Arc<Link>, Arc<Session>), Failure> {
        let kept = self.get(name)?;
        let link = self.link(name);
        let reach = Reach {
            server: name,
            launch: &kept.launch,
            files: self.files()?,
            limits: self.limits,
            servers: Arc::downgrade(self),
        };
        let session = link.session(&reach).await?;
        Ok((link, session))
    }
}

/// Tries to reach a server, and tells whether it has to be tried again.
async fn is_still_needed(servers: Weak<Servers>, name: McpServerName) -> bool {
    match servers.upgrade() {
        Some(servers) => servers.list_of(&name).await.is_err(),
        None => false,
    }
}

fn of_server(name: &McpServerName, failure: Failure) -> Failure {
    Failure { message: format!("{name}: {}", failure.message), ..failure }
}
