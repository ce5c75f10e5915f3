//! A rule as a person writes it: data, the same in `policy.toml`, on the wire and in a dialog.

use std::{collections::BTreeMap, fmt, str::FromStr};

use crate::TS;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{ActionName, ActionPattern, InvalidActionPattern, Origin, PathGlob, ReviewMode, Risks, Ruling};

/// One rule. Every part that is there has to hold.
///
/// An `allow` rule has to cover *all* of a request: each of its risks, paths and commands. A `deny` or `confirm` rule
/// matches what it touches anywhere: one risk, one path, one command is enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PolicyRule {
    /// Its name, unique in its file: letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// What it says.
    pub ruling: Ruling,
    /// The action: `doc.edit`, `doc.*` or `*`.
    pub action: RuleAction,
    /// Classes of risk. An `allow` rule without them covers every class but `access`, which has to be named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub risks: Option<Risks>,
    /// Globs over the paths it touches, from the workspace's folder: `notes/**`, `*.md`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<PathGlob>>", optional)]
    pub paths: Vec<PathGlob>,
    /// Commands that a shell would run; one is enough for each. No other `allow` rule covers a shell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<CommandMatcher>>", optional)]
    pub commands: Vec<CommandMatcher>,
    /// Who asks; anyone if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<OriginKind>>", optional)]
    pub origins: Vec<OriginKind>,
    /// How the thread reviews edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub review: Option<ReviewMode>,
    /// The folders of the workspaces it holds in, absolute; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub workspaces: Vec<String>,
    /// When it ends, in UTC: `2026-12-31` or `2026-12-31T18:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expires: Option<String>,
    /// One sentence for the person who is asked or refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// Requests that it has to match, checked when the file is read.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<RuleExample>>", optional)]
    pub matches: Vec<RuleExample>,
    /// Requests that it must not match, checked when the file is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<RuleExample>>", optional)]
    pub not_match: Vec<RuleExample>,
    /// What single arguments have to be.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(as = "Option<BTreeMap<String, ArgumentMatcher>>", optional)]
    pub args: BTreeMap<String, ArgumentMatcher>,
}

impl PolicyRule {
    /// A rule for an action and nothing else.
    pub fn new(name: impl Into<String>, ruling: Ruling, action: RuleAction) -> Self {
        Self {
            name: name.into(),
            ruling,
            action,
            risks: None,
            paths: Vec::new(),
            commands: Vec::new(),
            origins: Vec::new(),
            review: None,
            workspaces: Vec::new(),
            expires: None,
            reason: None,
            matches: Vec::new(),
            not_match: Vec::new(),
            args: BTreeMap::new(),
        }
    }
}

/// Which actions a rule is about: `doc.edit`, `doc.*`, or `*` for every one.
#[derive(Clone, Debug, PartialEq, Eq, TS)]
#[ts(type = "string")]
pub enum RuleAction {
    /// Every action.
    Any,
    /// Some.
    Named(ActionPattern),
}

impl RuleAction {
    /// Tells whether an action is meant.
    pub fn covers(&self, action: &ActionName) -> bool {
        match self {
            Self::Any => true,
            Self::Named(pattern) => pattern.covers(action),
        }
    }
}

impl From<ActionName> for RuleAction {
    fn from(name: ActionName) -> Self {
        Self::Named(name.into())
    }
}

impl FromStr for RuleAction {
    type Err = InvalidActionPattern;

    fn from_str(text: &str) -> Result<Self, InvalidActionPattern> {
        if text == "*" { Ok(Self::Any) } else { text.parse().map(Self::Named) }
    }
}

impl fmt::Display for RuleAction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("*"),
            Self::Named(pattern) => pattern.fmt(formatter),
        }
    }
}

impl Serialize for RuleAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RuleAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What one argument has to be. A text in an argument that is missing or no text is not matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentMatcher {
    /// Exactly this value.
    Equals(#[ts(type = "unknown")] Value),
    /// A text that begins so.
    Prefix(String),
    /// A text of this form; `*` stands for anything but `/`, `**` for anything.
    Glob(String),
}

/// One command of a line, as the words that the shell would pass on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged, expecting = "expected words such as [\"cargo\", \"test\"], or { exact = [\"git\", \"status\"] }")]
pub enum CommandMatcher {
    /// The first words: `["cargo", "test"]`.
    Prefix(Vec<String>),
    /// All words: `{ exact = ["git", "status"] }`.
    Exact(ExactCommand),
}

/// All words of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ExactCommand {
    /// The words.
    pub exact: Vec<String>,
}

/// Who asks, without the particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OriginKind {
    /// A person at the UI.
    User,
    /// A person at the command line.
    Cli,
    /// A program that shows a token of its own.
    Client,
    /// A model in a turn.
    Turn,
    /// Another program over MCP.
    Mcp,
    /// The model that is asked about the AI history.
    Sidebar,
    /// A script, whoever started it. Rules about its starter hold for it, too.
    Script,
}

impl From<&Origin> for OriginKind {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::User { .. } => Self::User,
            Origin::Cli { .. } => Self::Cli,
            Origin::Client { .. } => Self::Client,
            Origin::Turn { .. } => Self::Turn,
            Origin::Mcp { .. } => Self::Mcp,
            Origin::Sidebar { .. } => Self::Sidebar,
            Origin::Script { .. } => Self::Script,
        }
    }
}

impl fmt::Display for OriginKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::User => "user",
            Self::Cli => "cli",
            Self::Client => "client",
            Self::Turn => "turn",
            Self::Mcp => "mcp",
            Self::Sidebar => "sidebar",
            Self::Script => "script",
        })
    }
}

/// A request to try a rule on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(untagged, expecting = "expected a text, or a table of action, risks, paths, command, origin, review, args")]
pub enum RuleExample {
    /// A command line if the rule has commands, else a path if it has paths, else an action.
    Short(String),
    /// Spelled out; what is left out is taken from the rule.
    Full(Box<ExampleRequest>),
}

/// A request to try a rule on, spelled out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ExampleRequest {
    /// The action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action: Option<String>,
    /// Its risks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub risks: Option<Risks>,
    /// The files it touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub paths: Vec<String>,
    /// The line that a shell would run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub command: Option<String>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<OriginKind>,
    /// How the thread reviews edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub review: Option<ReviewMode>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "unknown", optional)]
    pub args: Option<Value>,
}
