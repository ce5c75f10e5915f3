//! What is kept of servers: in the person's own folder, one file for each workspace, so that nothing that comes with
//! the workspace's files can add a server or trust one.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use aside_core::{McpLaunch, McpServerName, McpState, McpToolChoice, Sha256, Timestamp};
use aside_store::{DataFolder, TextFile};
use serde::{Deserialize, Serialize};

use super::list::ToolList;

/// Bytes of one workspace's file, and of the file of secrets.
const MOST: u64 = 32 << 20;
const MOST_SECRETS: u64 = 1 << 20;

/// All servers of one workspace.
pub(crate) type AllKept = BTreeMap<McpServerName, Kept>;

/// One server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) launch: McpLaunch,
    pub(crate) added_by: String,
    pub(crate) added: Timestamp,
    /// The list as last seen.
    pub(crate) list: Option<ToolList>,
    /// The list as last looked at, with what was chosen then.
    pub(crate) trust: Option<Trust>,
}

/// What a person said of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trust {
    pub(crate) list: ToolList,
    /// By the tool's own name; one that is not named keeps the default.
    pub(crate) choices: BTreeMap<String, McpToolChoice>,
    pub(crate) by: String,
    pub(crate) at: Timestamp,
}

impl Kept {
    pub(crate) fn state(&self) -> McpState {
        match (&self.list, &self.trust) {
            (None, _) => McpState::Unseen,
            (Some(_), None) => McpState::Untrusted,
            (Some(list), Some(trust)) if list.hash == trust.list.hash => McpState::Trusted,
            (Some(_), Some(_)) => McpState::Changed,
        }
    }

    /// The list whose tools are actions: of a changed one, what was looked at.
    pub(crate) fn offered(&self) -> Option<&ToolList> {
        self.trust.as_ref().map(|trust| &trust.list).or(self.list.as_ref())
    }

    /// What holds for a tool.
    pub(crate) fn choice(&self, tool: &str) -> McpToolChoice {
        let trust = self.trust.as_ref().filter(|_| self.state() != McpState::Untrusted);
        trust.and_then(|trust| trust.choices.get(tool).cloned()).unwrap_or_default()
    }
}

#[derive(Serialize, Deserialize)]
struct Contents {
    /// The folder it is about, for people.
    workspace: PathBuf,
    servers: AllKept,
}

/// The files.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    workspace: PathBuf,
    servers: TextFile,
    secrets: TextFile,
}

impl Files {
    pub(crate) fn new(data: &DataFolder, workspace: &Path) -> Self {
        let key = Sha256::of(workspace.as_os_str().as_encoded_bytes());
        Self {
            folder: data.path().join("mcp"),
            workspace: workspace.to_owned(),
            servers: data.file(&format!("mcp/{}.json", &key.as_str()[..16]), MOST),
            secrets: data.file("mcp/secrets.env", MOST_SECRETS),
        }
    }

    /// The folder a server runs in that has none of its own choice.
    pub(crate) fn own_folder(&self, server: &McpServerName) -> PathBuf {
        self.folder.join("run").join(server.as_str())
    }

    /// The file in which a person keeps values that are nobody else's business.
    pub(crate) fn secrets_path(&self) -> &Path {
        self.secrets.path()
    }

    pub(crate) fn read(&self) -> io::Result<AllKept> {
        let Some(text) = self.servers.read()? else { return Ok(AllKept::new()) };
        let contents: Contents = serde_json::from_str(&text).map_err(io::Error::other)?;
        Ok(contents.servers)
    }

    pub(crate) fn write(&self, servers: &AllKept) -> io::Result<()> {
        let contents = Contents { workspace: self.workspace.clone(), servers: servers.clone() };
        let text = serde_json::to_string_pretty(&contents).map_err(io::Error::other)?;
        self.servers.change(|_| Ok(text))
    }

    /// The person's secrets: lines of `NAME=value`.
    pub(crate) fn secrets(&self) -> io::Result<BTreeMap<String, String>> {
        let text = self.secrets.read()?.unwrap_or_default();
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        let split = lines.filter_map(|line| line.split_once('='));
        Ok(split.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect())
    }
}
