//! Servers of tools: other programs whose tools become actions, and what a person has said of them.
//!
//! ```text
//! added -> unseen -> untrusted -> trusted -> changed
//!                        ^           ^          |
//!                        |           +----------+   the person looked at the new list
//!                        +----------------------+   the person took the trust back
//! ```

use std::{collections::BTreeMap, fmt, str::FromStr};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{ActionName, Risk, Risks, Sha256, Timestamp, WorkspacePath};

/// The longest name of a server, in characters.
const LONGEST_NAME: usize = 20;

/// The name of an MCP server: letters and digits, the first a letter, all in lower case.
/// It has no `_`, so that `mcp_NAME_TOOL` names exactly one action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("pattern" = "^[a-z][a-z0-9]{0,19}$"))]
#[ts(type = "string")]
pub struct McpServerName(String);

/// Says that a text can't be the name of a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a valid name for an MCP server: expected up to {LONGEST_NAME} lower-case letters and digits, a \
        letter first"
)]
pub struct InvalidMcpServerName(String);

impl McpServerName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for McpServerName {
    type Err = InvalidMcpServerName;

    fn from_str(text: &str) -> Result<Self, InvalidMcpServerName> {
        let letters = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let first = text.starts_with(|first: char| first.is_ascii_lowercase());
        match first && letters && text.len() <= LONGEST_NAME {
            true => Ok(Self(text.to_owned())),
            false => Err(InvalidMcpServerName(text.chars().take(LONGEST_NAME).collect())),
        }
    }
}

impl fmt::Display for McpServerName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for McpServerName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// How to reach an MCP server. Secrets are only named here; their values are read when the server starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum McpLaunch {
    /// A program that communicates over its standard input and output.
    Program {
        /// The program and its arguments, without a shell.
        argv: Vec<String>,
        /// The folder it runs in, absolute. Default: an empty folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        cwd: Option<String>,
        /// Environment variables whose values are not secret.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(as = "Option<BTreeMap<String, String>>", optional)]
        environment: BTreeMap<String, String>,
        /// Names of variables whose values come from Aside's own environment or the user's file of secrets.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<String>>", optional)]
        inherit: Vec<String>,
    },
    /// A remote server, over streamable HTTP.
    Http {
        /// Its address.
        url: String,
        /// Headers, each with the name of the variable that holds its value.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(as = "Option<BTreeMap<String, String>>", optional)]
        headers: BTreeMap<String, String>,
    },
}

/// What a server says of a tool's risks. Shown to the person; nothing else follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct McpHints {
    /// It only looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub read_only: Option<bool>,
    /// It may remove or overwrite something.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub destructive: Option<bool>,
    /// Twice does what once does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub idempotent: Option<bool>,
    /// It reaches the world outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub open_world: Option<bool>,
}

/// The user's settings for a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpToolChoice {
    /// Its risks; at least one.
    pub risks: Risks,
    /// Whether to retry a call if the server ends during the call.
    #[serde(default)]
    pub idempotent: bool,
}

impl Default for McpToolChoice {
    /// What holds until a person says otherwise.
    fn default() -> Self {
        Self { risks: [Risk::Destructive, Risk::Network].into(), idempotent: false }
    }
}

/// A tool of a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct McpTool {
    /// The action it becomes.
    pub action: ActionName,
    /// What the server calls it.
    pub tool: String,
    /// In the server's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// In the server's words.
    pub description: String,
    /// JSON Schema of the arguments.
    #[ts(type = "unknown")]
    pub args_schema: Value,
    /// What the server says of its risks.
    pub hints: McpHints,
    /// What holds for it: the person's choice if the list is trusted.
    pub choice: McpToolChoice,
}

/// Where a server stands with the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum McpState {
    /// It has not told its tools yet.
    Unseen,
    /// Its tools are asked about each time.
    Untrusted,
    /// The person has looked at exactly this list.
    Trusted,
    /// The list is another than the person has looked at. None of its tools can be used until they look again.
    Changed,
}

/// What is different from the list that the person looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct McpToolChange {
    /// What the server calls the tool.
    pub tool: String,
    /// The tool as it was looked at, in lines; none if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub before: Option<String>,
    /// The tool as it is now; none if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub after: Option<String>,
}

/// A server of tools with all that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct McpServer {
    /// What it is called here.
    pub name: McpServerName,
    /// How it is reached.
    pub launch: McpLaunch,
    /// Who added it.
    pub added_by: String,
    /// When.
    pub added: Timestamp,
    /// Where it stands.
    pub state: McpState,
    /// Hash of how it is reached and the list as it was last seen: what `mcp.trust` is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hash: Option<Sha256>,
    /// The tools as last seen.
    pub tools: Vec<McpTool>,
    /// What is different from the list that was looked at.
    pub changes: Vec<McpToolChange>,
    /// Tools that were left out, and other things that are wrong with its list.
    pub problems: Vec<String>,
    /// Who looked at a list last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trusted_by: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trusted: Option<Timestamp>,
    /// It runs or is connected now.
    pub running: bool,
    /// Files of the workspace can change what it does, so that it is only started by `mcp.add` and `mcp.reconnect`,
    /// which ask.
    pub started_by_hand: bool,
    /// Why it could not be reached last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub failure: Option<String>,
    /// Starts in a row that led to nothing.
    pub tries: u32,
    /// Seconds until it is tried again by itself; none if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub retry_in: Option<u32>,
    /// The last lines that it wrote for people, if it is a program of this start.
    pub said: Vec<String>,
}

/// A server that a file of the workspace names. Nobody has added it, and nothing of it is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct McpProposal {
    /// What it would be called here.
    pub name: McpServerName,
    /// What the file calls it.
    pub given: String,
    /// The file.
    pub file: WorkspacePath,
    /// How it would be reached, as `mcp.add` takes it; none if that can't be said in these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub launch: Option<McpLaunch>,
    /// What of the file was not taken over, and why.
    pub problems: Vec<String>,
}

/// What the files of a workspace propose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct McpProposals {
    /// Those that nobody has added yet.
    pub proposals: Vec<McpProposal>,
    /// Files that could not be read, and why.
    pub problems: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_of_an_action() {
        for good in ["everything", "fs2", "a"] {
            assert!(good.parse::<McpServerName>().is_ok(), "{good}");
        }
        for bad in ["", "2fs", "my_fs", "my-fs", "Fs", "a.b", "aaaaaaaaaaaaaaaaaaaaa", "é"] {
            assert!(bad.parse::<McpServerName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn until_a_person_says_otherwise_a_tool_is_grave() {
        let choice = McpToolChoice::default();
        assert_eq!(choice.risks.to_string(), "destructive, network");
        assert!(!choice.idempotent);
        assert!(serde_json::from_str::<McpToolChoice>(r#"{"risks":["read"],"trusted":true}"#).is_err());
    }
}
