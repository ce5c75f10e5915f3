//! What is asked of a server: its tools, and the calls of them.

use std::sync::{Arc, Weak};

use aside_core::{Failure, McpLaunch, McpServerName, Sha256};
use aside_gate::Progress;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value};

use super::{Servers, another_list};
use crate::client::{
    launch,
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

/// Who wants a server to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Somebody who was asked about just that, if that has to be asked.
    ByHand,
    /// Somebody who needs it. One that files of the workspace can change is not started for that: a model may have
    /// changed them.
    ByNeed,
}

impl Servers {
    /// Asks a server for its tools, and starts it if it does not run. One that can't be reached is tried again by itself.
    pub(crate) async fn refresh(self: &Arc<Self>, name: &McpServerName) -> Result<ToolList, Failure> {
        let list = self.list_of(name, Wanted::ByNeed).await;
        if list.is_err() {
            self.keep_trying(name);
        }
        list
    }

    /// Ends what runs of a server, forgets that it failed, starts it and asks it for its tools. Whoever calls this has
    /// asked, if [`Servers::is_started_by_hand`].
    pub(crate) async fn start_anew(self: &Arc<Self>, name: &McpServerName) -> Result<ToolList, Failure> {
        self.get(name)?;
        self.link(name).reset().await;
        let list = self.list_of(name, Wanted::ByHand).await;
        if list.is_err() {
            self.keep_trying(name);
        }
        list
    }

    /// Files of the workspace can change what it does, so that it is never started without a question.
    pub(crate) fn is_started_by_hand(&self, launch: &McpLaunch) -> bool {
        launch::is_of_folder(launch, self.workspace())
    }

    fn keep_trying(self: &Arc<Self>, name: &McpServerName) {
        if !self.get(name).is_ok_and(|kept| !self.is_started_by_hand(&kept.launch)) {
            return;
        }
        let (servers, name, link) = (Arc::downgrade(self), name.clone(), self.link(name));
        tokio::spawn(async move { link.keep_trying(|| is_still_needed(servers.clone(), name.clone())).await });
    }

    async fn list_of(self: &Arc<Self>, name: &McpServerName, wanted: Wanted) -> Result<ToolList, Failure> {
        let mut tried = false;
        loop {
            let (link, session) = self.connected(name, wanted).await?;
            match session.tools().await {
                Ok(told) => {
                    link.listed(None);
                    let list = ToolList::read(&self.get(name)?.launch, &told.tools).with_problem(told.problem);
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
                Err(Lost::Request(failure)) => {
                    let failure = of_server(name, failure);
                    link.listed(Some(&failure));
                    return Err(failure);
                }
            }
        }
    }

    /// A server said that its tools are others now.
    pub(crate) async fn look_again(self: Arc<Self>, name: &McpServerName) {
        if let Err(failure) = self.refresh(name).await {
            tracing::debug!("cannot announce the new tool list: {failure}");
        }
    }

    /// Calls a tool, if the list is still the one that was ruled on.
    pub(crate) async fn call(self: &Arc<Self>, call: Call<'_>, progress: &Progress) -> Result<CallToolResult, Failure> {
        tokio::select! {
            by = progress.stopped() => {
                let message = format!("{by} stopped it; the effect of `{}` until then is unknown", call.tool);
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
            let (link, session) = self.connected(name, Wanted::ByNeed).await?;
            match session.call(call.tool, call.args).await {
                Ok(result) => {
                    link.worked().await;
                    return Ok(result);
                }
                Err(Lost::Connection(failure)) => {
                    link.give_up(&session, &failure, self.limits.rest).await;
                    if !std::mem::take(&mut again) {
                        return Err(of_server(name, failure)
                            .hint("it is unknown whether the tool finished: check before you try again"));
                    }
                }
                Err(Lost::Request(failure)) => return Err(of_server(name, failure)),
            }
        }
    }

    async fn connected(
        self: &Arc<Self>,
        name: &McpServerName,
        wanted: Wanted,
    ) -> Result<(Arc<Link>, Arc<Session>), Failure> {
        let kept = self.get(name)?;
        let link = self.link(name);
        if wanted == Wanted::ByNeed && self.is_started_by_hand(&kept.launch) {
            return link.running().await.map(|session| (link, session)).ok_or_else(|| not_started(name));
        }
        let reach = Reach {
            server: name,
            launch: &kept.launch,
            files: self.files()?,
            limits: self.limits,
            local_only: self.local_only.get().cloned().unwrap_or_default(),
            servers: Arc::downgrade(self),
        };
        let session = link.session(&reach).await?;
        Ok((link, session))
    }
}

/// Tries to reach a server, and tells whether it has to be tried again.
async fn is_still_needed(servers: Weak<Servers>, name: McpServerName) -> bool {
    match servers.upgrade() {
        Some(servers) => servers.list_of(&name, Wanted::ByNeed).await.is_err(),
        None => false,
    }
}

fn not_started(name: &McpServerName) -> Failure {
    let message = format!("{name} is not running, and files of the workspace can change what it does");
    Failure::new("not_started", message).hint("start it with mcp.reconnect, which asks the user")
}

fn of_server(name: &McpServerName, failure: Failure) -> Failure {
    Failure { message: format!("{name}: {}", failure.message), ..failure }
}
