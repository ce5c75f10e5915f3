//! What can be typed.

mod audit;
mod ccusage;
mod history;
mod kernels;
mod models;
mod notebook;
mod notes;
mod scripts;
mod servers;
mod tasks;

use std::{net::IpAddr, path::PathBuf};

use aside_core::{
    ActionId, ActionName, ActionPattern, AiLevel, AiRestriction, GrantId, Label, ModelRef, OriginKind, PathGlob,
    ReviewMode, Risk, Timestamp,
};
use aside_server::{AllowedHost, BasePath};
use clap::{Args, Parser, Subcommand};
use serde::{Deserialize, de::DeserializeOwned};

pub use audit::{Audit, AuditFilter, AuditSubject};
pub use history::{
    CostSource, HistoryCommand, Last, Mode, Order, Part, Report, ReportBy, StatuslineArguments, TokenLimit,
    VisualBurnRate, Which,
};
pub use kernels::Kernels;
pub use models::{By, Key, Models, Prices};
pub use notebook::Notebook;
pub use notes::Notes;
pub use scripts::{Script, ScriptToRun};
pub use servers::Servers;
pub use tasks::{How, Recipe, Task, TaskFilter};

/// A local-first workspace for code, notes and notebooks, with an AI assistant next to every document.
#[derive(Debug, Parser)]
#[command(name = "aside", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// Print JSON
    #[arg(long, short, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub open: Open,
}

/// `aside [PATH]`: serve a folder and open it.
#[derive(Debug, Args)]
pub struct Open {
    /// The folder to open [default: the current folder]
    pub path: Option<PathBuf>,
    #[command(flatten)]
    pub serve: Serve,
}

/// How to serve.
#[derive(Debug, Args)]
pub struct Serve {
    /// The port; 0 for any. If it is in use, the next free port is used [default: 4177]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address to listen on; any address but loopback needs ASIDE_TOKEN
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = parse_host)]
    pub host: IpAddr,
    /// Also answer under this name, such as that of a tunnel or proxy that leads here; may be given several times
    #[arg(long, value_name = "NAME[:PORT]")]
    pub allow_host: Vec<AllowedHost>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// Serve everything under this path
    #[arg(long, value_name = "PATH", default_value = "")]
    pub base_path: BasePath,
    /// The model to use, such as ollama/qwen2.5-coder:7b
    #[arg(long, value_name = "PROVIDER/NAME")]
    pub model: Option<ModelRef>,
    /// Restrict AI: off, partial (explanations and hints only) or full, with an optional period such as "off
    /// 2026-12-01T09:00Z/2026-12-01T11:00Z" (ASIDE_AI)
    #[arg(long, value_name = "LEVEL")]
    pub ai: Option<AiRestriction>,
    /// Connect to no other computer, whatever the settings say (ASIDE_LOCAL_ONLY=1)
    #[arg(long)]
    pub local_only: bool,
}

fn parse_host(text: &str) -> Result<IpAddr, String> {
    let literal = if text == "localhost" { "127.0.0.1" } else { text.trim_matches(['[', ']']) };
    literal.parse().map_err(|_| format!("`{text}` is not an address such as 127.0.0.1 or 0.0.0.0"))
}

/// Which workspace a command is about.
#[derive(Debug, Args)]
pub struct Where {
    /// The workspace's folder [default: the current folder, or the nearest workspace above it]
    #[arg(global = true, long, value_name = "PATH")]
    pub workspace: Option<PathBuf>,
}

/// The AI restriction to set; without arguments, the current one is shown.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Assistant {
    /// off, partial (explanations and hints only) or full; of several restrictions, the strictest applies
    #[arg(value_name = "LEVEL", conflicts_with = "clear")]
    pub level: Option<AiLevel>,
    /// Remove the restriction
    #[arg(long)]
    pub clear: bool,
    /// For this folder, in its aside-policy.toml; by default for you, in every folder
    #[arg(long)]
    pub here: bool,
    /// Start time, such as 2026-12-01T09:00+01:00
    #[arg(long, value_name = "TIME", requires = "level")]
    pub from: Option<Timestamp>,
    /// End time
    #[arg(long, value_name = "TIME", requires = "level")]
    pub until: Option<Timestamp>,
}

/// Commands about grants.
#[derive(Debug, Subcommand)]
pub enum Grants {
    /// Create a grant and show its token once
    Create {
        /// Its name, such as "nightly script"
        name: String,
        /// Allow only these risks, such as read,write [default: read]
        #[arg(long, value_delimiter = ',', default_value = "read")]
        risks: Vec<Risk>,
        /// Allow only these actions, such as doc.edit, or doc.* for all actions on documents
        #[arg(long, value_delimiter = ',')]
        actions: Vec<ActionPattern>,
        /// Allow only files that match these patterns, such as 'notes/**'
        #[arg(long, value_delimiter = ',')]
        paths: Vec<PathGlob>,
        /// Expiry: a date, or a time such as 2026-11-21T12:00:00Z; without it, the grant never expires
        #[arg(long, value_name = "TIME")]
        expires: Option<Timestamp>,
    },
    /// List grants
    List,
    /// Revoke a grant, immediately and permanently
    Revoke {
        /// The grant's id, from the list
        id: GrantId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create a sample workspace and open it, with a rehearsal model if there is no other model
    Demo {
        /// The folder to create
        #[arg(default_value = "aside-demo")]
        folder: PathBuf,
        #[command(flatten)]
        serve: Serve,
    },
    /// Do what a sentence says, or ask the assistant; shows each change and asks y/n
    Ask {
        /// Your message. A command such as `open plan.md` is done without a model
        text: String,
        /// The file that the message is about
        #[arg(long, value_name = "PATH")]
        file: Option<PathBuf>,
        /// Ask a model in any case: this one, such as ollama/qwen2.5-coder:7b, or the workspace's
        #[arg(long, value_name = "PROVIDER/NAME", num_args = 0..=1)]
        model: Option<Option<ModelRef>>,
        /// Approve every change
        #[arg(long)]
        yes: bool,
        /// Estimate the cost and send nothing
        #[arg(long)]
        estimate: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Run one action
    Do {
        /// The action's name, such as doc.edit
        action: ActionName,
        /// The action's arguments
        #[arg(long, value_name = "JSON", default_value = "{}", value_parser = parse_json)]
        args: serde_json::Value,
        /// Show a preview and change nothing
        #[arg(long)]
        dry_run: bool,
        /// Approve the action if approval is needed
        #[arg(long, conflicts_with = "dry_run")]
        yes: bool,
        /// Run a request with this key only once
        #[arg(long, value_name = "KEY")]
        idempotency_key: Option<String>,
        #[command(flatten)]
        place: Where,
    },
    /// Approve or reject an action that waits for a decision
    Decide {
        /// The action's id; may be omitted if only one action waits
        id: Option<ActionId>,
        /// Approve it
        #[arg(long, conflicts_with = "no")]
        yes: bool,
        /// Reject it
        #[arg(long)]
        no: bool,
        /// When approving, also allow similar actions, by the narrowest rule that fits: for the rest of the script's run
        /// or of the turn, in this workspace, or everywhere
        #[arg(long, value_name = "REACH", requires = "yes", value_parser = parse_word::<Reach>)]
        remember: Option<Reach>,
        /// Edit that rule first: a file (or - for standard input) with its new paths, commands, args or expiry as JSON,
        /// such as {"paths": ["notes/*.md"], "expires": "2027-01-31"}. Fields that are not named keep the proposed
        /// value
        #[arg(long, value_name = "FILE", requires = "remember")]
        rule: Option<PathBuf>,
        #[command(flatten)]
        place: Where,
    },
    /// Undo an action
    Undo {
        /// The action's id [default: the latest action that can be undone]
        id: Option<ActionId>,
        /// Approve the action if approval is needed
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Manage the grants of other programs, each with its own access token
    Grants {
        #[command(subcommand)]
        what: Grants,
        #[command(flatten)]
        place: Where,
    },
    /// List and test models, and show their cost
    Models {
        #[command(subcommand)]
        what: Models,
        #[command(flatten)]
        place: Where,
    },
    /// Show how well Aside serves here: nothing of it leaves this machine
    Stats {
        /// The number of days
        #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: u32,
        /// Delete the counts of sentences
        #[arg(long)]
        forget: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Run notebooks
    Notebook {
        #[command(subcommand)]
        what: Notebook,
        #[command(flatten)]
        place: Where,
    },
    /// Search notes and everything else in the workspace
    Notes {
        #[command(subcommand)]
        what: Notes,
        #[command(flatten)]
        place: Where,
    },
    /// List the stored earlier versions of a file, latest first
    Versions {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        place: Where,
    },
    /// List and stop kernels
    #[command(visible_alias = "kernel")]
    Kernels {
        #[command(subcommand)]
        what: Kernels,
        #[command(flatten)]
        place: Where,
    },
    /// List, search and describe actions
    Actions {
        #[command(subcommand)]
        what: Actions,
        #[command(flatten)]
        place: Where,
    },
    /// Show and verify the activity log
    Audit {
        #[command(subcommand)]
        what: Audit,
        #[command(flatten)]
        place: Where,
    },
    /// Show or set AI restrictions
    Assistant {
        #[command(flatten)]
        what: Assistant,
        #[command(flatten)]
        place: Where,
    },
    /// Show permission rules, and the verdict for an action
    Policy {
        #[command(subcommand)]
        what: Policy,
        #[command(flatten)]
        place: Where,
    },
    /// Preview, approve, run and undo plans of several actions
    #[command(visible_alias = "tasks")]
    Task {
        #[command(subcommand)]
        what: Task,
        #[command(flatten)]
        place: Where,
    },
    /// Run small TypeScript programs that call actions, or check them
    Script {
        #[command(subcommand)]
        what: Script,
        #[command(flatten)]
        place: Where,
    },
    /// Save completed tasks as recipes, and run them again with other values
    Recipe {
        #[command(subcommand)]
        what: Recipe,
        #[command(flatten)]
        place: Where,
    },
    /// Serve the workspace to an MCP client over standard input and output, or manage the MCP servers used in it
    Mcp {
        #[command(subcommand)]
        what: Option<Servers>,
        #[command(flatten)]
        place: Where,
        /// The token of a grant, which limits the client; without it, the client can do everything you can
        #[arg(long, env = "ASIDE_GRANT_TOKEN", hide_env_values = true)]
        token: Option<String>,
        /// Serve the fixtures of the MCP conformance suite instead, on this port; 0 for any
        #[arg(long, value_name = "PORT", hide = true)]
        conformance_fixtures: Option<u16>,
    },
    /// Search and analyse the logs of AI coding programs on this computer
    History {
        #[command(subcommand)]
        what: HistoryCommand,
    },
    /// Report tokens and cost of AI coding programs by day, week, month, session or block
    Report(Report),
    /// Print a status line for Claude Code, from its JSON on standard input
    Statusline(StatuslineArguments),
    /// Accept the `.aside` folder of a workspace that you moved, copied or restored
    Trust {
        /// The workspace's folder
        #[arg(default_value = ".")]
        path: PathBuf,
    },
    /// Check this computer for the programs and settings that Aside uses
    Doctor {
        #[command(flatten)]
        place: Where,
        /// Also ask remote providers for their models; only API keys are sent
        #[arg(long)]
        ask: bool,
    },
}

/// The scope of a remembered approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Run,
    Turn,
    Workspace,
    Everywhere,
}

#[derive(Debug, Subcommand)]
pub enum Policy {
    /// List the active rules, layer by layer; exits with 1 if a rules file has a mistake
    Show,
    /// Explain rule by rule why an action would run, need approval or be refused; nothing runs
    Check {
        /// The action's name, such as doc.edit
        action: ActionName,
        /// The action's arguments
        #[arg(long, value_name = "JSON", default_value = "{}", value_parser = parse_json)]
        args: serde_json::Value,
        /// The origin of the request: user, cli, client, turn, mcp or sidebar [default: cli]
        #[arg(long = "as", value_name = "KIND", value_parser = parse_word::<OriginKind>)]
        asked_as: Option<OriginKind>,
        /// The thread's edit mode: review_each, review_at_end or auto_apply
        #[arg(long, value_name = "MODE", value_parser = parse_word::<ReviewMode>)]
        review: Option<ReviewMode>,
        /// The label of the content that led to the request: user, workspace, model or external
        #[arg(long, value_name = "LABEL", value_parser = parse_word::<Label>)]
        label: Option<Label>,
    },
}

/// Reads one of a few words.
fn parse_word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}

fn parse_json(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| format!("not valid JSON: {error}"))
}

#[derive(Debug, Subcommand)]
pub enum Actions {
    /// List names and summaries
    List,
    /// Search actions by words
    Search {
        /// The words; without any, all actions are listed
        #[arg(default_value = "")]
        query: String,
        /// Only actions of this noun, such as `doc` for `doc.edit`
        #[arg(long)]
        noun: Option<String>,
        /// Only actions with no other risks than these, separated by commas
        #[arg(long, value_name = "RISK", value_delimiter = ',')]
        risks: Vec<Risk>,
        /// Maximum number of results
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// Describe an action
    Describe {
        /// The action's name
        name: ActionName,
    },
    /// Print all actions as JSON
    Manifest,
    /// Write the reference pages of all actions in Markdown
    Docs {
        /// The folder to write to; without it, the pages are printed as one text
        folder: Option<PathBuf>,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_hold_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_path_and_a_command_are_told_apart() {
        let open = Arguments::parse_from(["aside", "./notes", "--port", "0", "--no-open", "--json"]);
        assert!(open.json && open.command.is_none());
        assert_eq!(open.open.path, Some("./notes".into()));
        let audit = Arguments::parse_from(["aside", "audit", "list", "--json"]);
        assert!(
            audit.json
                && matches!(
                    audit.command,
                    Some(Command::Audit { what: Audit::List(AuditFilter { limit: 50, .. }), .. })
                )
        );
    }

    #[test]
    fn wrong_arguments_are_wrong_usage() {
        for wrong in [
            &["aside", "audit", "list", "--from", "yesterday"][..],
            &["aside", "audit", "list", "--limit", "0"],
            &["aside", "audit", "show", "act"],
            &["aside", "audit", "verify", "--head", "abc"],
            &["aside", "audit", "export", "--format", "csv"],
            &["aside", "do", "doc"],
            &["aside", "policy", "check", "doc.edit", "--as", "nobody"],
            &["aside", "decide", "--remember", "turn"],
            &["aside", "do", "doc.edit", "--args", "{"],
            &["aside", "--host", "example.org"],
            &["aside", "--allow-host", "https://example.org"],
            &["aside", "--allow-host", "*.example.org"],
            &["aside", "--model", "qwen"],
            &["aside", "assistant", "on"],
            &["aside", "assistant", "off", "--clear"],
            &["aside", "assistant", "--until", "2026-12-01"],
            &["aside", "--ai", "off tomorrow"],
        ] {
            assert_eq!(Arguments::try_parse_from(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
