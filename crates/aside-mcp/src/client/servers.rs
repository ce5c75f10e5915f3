//! All servers of a workspace: what is kept of them, their connections, and their tools in the catalog.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aside_core::{Failure, McpLaunch, McpServer, McpServerName, McpState, McpTool, McpToolChoice, Sha256, Timestamp};
use aside_gate::{Catalog, CatalogError, Handler, Progress};
use aside_store::DataFolder;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value};

use super::{
    actions,
    kept::{AllKept, Files, Kept, Trust},
    link::{Link, Lost, Reach},
    list::ToolList,
    names,
    tool::{Stand, ToolAction},
};

/// Servers of one workspace, at most.
const MOST_SERVERS: usize = 50;

/// How long a server may take, and how much it may say at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLimits {
    /// To start and to say who it is; the first start may fetch a program.
    pub start: Duration,
    /// To tell its tools.
    pub list: Duration,
    /// To answer a call.
    pub call: Duration,
    /// Bytes of one message.
    pub message: usize,
}

impl Default for ClientLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { start: seconds(90), list: seconds(15), call: seconds(300), message: 8 << 20 }
    }
}

/// Why the servers of a workspace can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum ServersError {
    /// The file.
    #[error("cannot read what is kept of servers of tools: {0}")]
    File(#[from] io::Error),
    /// The actions.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// The servers of one workspace.
pub struct Servers {
    catalog: Catalog,
    workspace: PathBuf,
    files: Option<Files>,
    limits: ClientLimits,
    kept: Mutex<AllKept>,
    links: Mutex<BTreeMap<McpServerName, Arc<Link>>>,
}

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
    /// Reads what is kept and puts the actions into the catalog. Starts nothing. Without a folder of the person nothing
    /// can be added.
    pub fn open(
        catalog: Catalog,
        workspace: &Path,
        data: Option<&DataFolder>,
        limits: ClientLimits,
    ) -> Result<Arc<Self>, ServersError> {
        let files = data.map(|data| Files::new(data, workspace));
        let kept = files.as_ref().map(Files::read).transpose()?.unwrap_or_default();
        let (workspace, kept) = (workspace.to_owned(), Mutex::new(kept));
        let servers = Arc::new(Self { catalog, workspace, files, limits, kept, links: Mutex::default() });
        servers.catalog.replace(|_| false, actions::all(&servers))?;
        let names: Vec<_> = servers.kept().keys().cloned().collect();
        names.iter().for_each(|name| servers.offer(name));
        Ok(servers)
    }

    /// All servers, by name.
    pub fn list(&self) -> Vec<McpServer> {
        let kept = self.kept().clone();
        kept.iter().map(|(name, kept)| self.view(name, kept)).collect()
    }

    /// Ends all that runs.
    pub async fn close(&self) {
        let links = std::mem::take(&mut *self.links.lock().unwrap_or_else(PoisonError::into_inner));
        for link in links.values() {
            link.close().await;
        }
    }

    pub(crate) fn workspace(&self) -> &Path {
        &self.workspace
    }

    pub(crate) fn files(&self) -> Result<&Files, Failure> {
        self.files.as_ref().ok_or_else(|| {
            Failure::new("no_folder", "there is no folder in which servers could be kept").hint("set ASIDE_DATA_DIR")
        })
    }

    pub(crate) fn get(&self, name: &McpServerName) -> Result<Kept, Failure> {
        let found = self.kept().get(name).cloned();
        found.ok_or_else(|| {
            let known: Vec<_> = self.kept().keys().map(ToString::to_string).collect();
            let hint =
                if known.is_empty() { "there is none".to_owned() } else { format!("there are: {}", known.join(", ")) };
            Failure::new("not_found", format!("there is no server of tools `{name}`")).hint(hint)
        })
    }

    pub(crate) fn one(&self, name: &McpServerName) -> Result<McpServer, Failure> {
        Ok(self.view(name, &self.get(name)?))
    }

    /// Tells whether a server of this name can be added.
    pub(crate) fn check_free(&self, name: &McpServerName) -> Result<(), Failure> {
        self.files()?;
        let kept = self.kept();
        if kept.contains_key(name) {
            let message = format!("there is a server of tools `{name}` already");
            return Err(Failure::new("exists", message).hint("remove it first, or choose another name"));
        }
        match kept.len() < MOST_SERVERS {
            true => Ok(()),
            false => Err(Failure::new("too_many", format!("a workspace has at most {MOST_SERVERS} servers of tools"))),
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
        let link = self.links.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
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

    /// Asks a server for its tools, and starts it if it does not run.
    pub(crate) async fn refresh(self: &Arc<Self>, name: &McpServerName) -> Result<ToolList, Failure> {
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
                    link.give_up(&session, &failure).await;
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
                    link.give_up(&session, &failure).await;
                    if !std::mem::take(&mut again) {
                        return Err(of_server(name, failure)
                            .hint("whether the tool did its work is not known: look before you ask again"));
                    }
                }
                Err(Lost::Request(failure)) => return Err(of_server(name, failure)),
            }
        }
    }

    async fn connected(
        self: &Arc<Self>,
        name: &McpServerName,
    ) -> Result<(Arc<Link>, Arc<super::link::Session>), Failure> {
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

    fn link(&self, name: &McpServerName) -> Arc<Link> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).entry(name.clone()).or_default().clone()
    }

    /// Keeps a list that was told.
    async fn saw(self: &Arc<Self>, name: &McpServerName, list: &ToolList) -> Result<(), Failure> {
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
            files
                .write(&all)
                .map_err(|error| Failure::new("io", format!("cannot keep what is known of servers: {error}")))?;
            *kept = all;
            drop(kept);
            servers.offer(&name);
            Ok(())
        });
        changed.await.unwrap_or_else(|_| Err(Failure::new("interrupted", "the server of the workspace ends")))
    }

    /// Puts the tools of a server into the catalog in place of those that are there. One that the catalog does not
    /// take is left out.
    fn offer(self: &Arc<Self>, name: &McpServerName) {
        let mut tools = self.tool_actions(name);
        loop {
            let handlers = tools.iter().map(|tool| tool.clone() as Arc<dyn Handler>);
            match self.catalog.replace(|action| names::belongs(action, name), handlers) {
                Ok(()) => return,
                Err(error) => {
                    tracing::warn!("a tool of {name} is left out: {error}");
                    let (CatalogError::Duplicate(wrong)
                    | CatalogError::NoRisk(wrong)
                    | CatalogError::Schema { name: wrong, .. }
                    | CatalogError::Example { name: wrong, .. }) = error;
                    let before = tools.len();
                    tools.retain(|tool| tool.descriptor().name != wrong);
                    if tools.len() == before {
                        return;
                    }
                }
            }
        }
    }

    fn tool_actions(self: &Arc<Self>, name: &McpServerName) -> Vec<Arc<ToolAction>> {
        let Ok(kept) = self.get(name) else { return Vec::new() };
        let Some(list) = kept.offered() else { return Vec::new() };
        let tools: Vec<_> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
        let stand = match kept.state() {
            McpState::Trusted => Stand::Trusted,
            McpState::Changed => Stand::Changed,
            McpState::Unseen | McpState::Untrusted => Stand::Untrusted,
        };
        let named = names::actions(name, &tools).into_iter().zip(&list.tools);
        named.map(|(action, text)| Arc::new(ToolAction::new(self, name, &kept, (action, text), stand))).collect()
    }

    fn view(&self, name: &McpServerName, kept: &Kept) -> McpServer {
        let link = self.links.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let (running, failure, said) = link.map(|link| link.seen()).unwrap_or_default();
        let list = kept.list.as_ref();
        let looked_at = kept.trust.as_ref();
        let changes = list.zip(looked_at).map(|(list, trust)| list.changes_since(&trust.list)).unwrap_or_default();
        McpServer {
            name: name.clone(),
            launch: kept.launch.clone(),
            added_by: kept.added_by.clone(),
            added: kept.added,
            state: kept.state(),
            hash: list.map(|list| list.hash.clone()),
            tools: list.map(|list| tools(name, kept, list)).unwrap_or_default(),
            changes,
            problems: list.map(|list| list.problems.clone()).unwrap_or_default(),
            trusted_by: looked_at.map(|trust| trust.by.clone()),
            trusted: looked_at.map(|trust| trust.at),
            running,
            failure,
            said,
        }
    }

    fn kept(&self) -> MutexGuard<'_, AllKept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn tools(server: &McpServerName, kept: &Kept, list: &ToolList) -> Vec<McpTool> {
    let names: Vec<_> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
    let named = names::actions(server, &names).into_iter().zip(&list.tools);
    named
        .map(|(action, text)| McpTool {
            action,
            tool: text.name.clone(),
            title: text.title.clone(),
            description: text.description.clone(),
            args_schema: text.args_schema.clone(),
            hints: text.hints,
            choice: kept.choice(&text.name),
        })
        .collect()
}

pub(crate) fn another_list(name: &McpServerName) -> Failure {
    let message = format!("the tools of {name} are others than those that were looked at, and none can be used");
    Failure::new("tools_changed", message).hint("a person looks at the new list with mcp.trust; mcp.list shows it")
}

fn of_server(name: &McpServerName, failure: Failure) -> Failure {
    Failure { message: format!("{name}: {}", failure.message), ..failure }
}
