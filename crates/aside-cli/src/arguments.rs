//! What can be typed.

mod audit;
mod ccusage;
mod history;
mod kernels;
mod models;
mod notebook;
mod servers;
mod tasks;

use std::{net::IpAddr, path::PathBuf};

use aside_core::{
    ActionId, ActionName, ActionPattern, AiLevel, AiRestriction, GrantId, Label, ModelRef, OriginKind, PathGlob,
    ReviewMode, Risk, Timestamp,
};
use aside_server::BasePath;
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
pub use servers::Servers;
pub use tasks::{How, Recipe, Task, TaskFilter};

/// A local-first workspace for code, notes and notebooks, with an assistant beside every document.
#[derive(Debug, Parser)]
#[command(name = "aside", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// Prints JSON, for programs
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
    /// The folder to open; else the one you are in
    pub path: Option<PathBuf>,
    #[command(flatten)]
    pub serve: Serve,
}

/// How to serve.
#[derive(Debug, Args)]
pub struct Serve {
    /// The port; 0 for any. A taken one leads to the next free one [default: 4177]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address to listen on; another than loopback needs ASIDE_TOKEN
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = parse_host)]
    pub host: IpAddr,
    /// Does not open a browser
    #[arg(long)]
    pub no_open: bool,
    /// Serves everything below this path
    #[arg(long, value_name = "PATH", default_value = "")]
    pub base_path: BasePath,
    /// The model to use, such as ollama/qwen2.5-coder:7b
    #[arg(long, value_name = "PROVIDER/NAME")]
    pub model: Option<ModelRef>,
    /// How far AI goes at most: off, partial (explain and hint only) or full, and if you like when, such as
    /// "off 2026-12-01T09:00Z/2026-12-01T11:00Z" (ASIDE_AI)
    #[arg(long, value_name = "LEVEL")]
    pub ai: Option<AiRestriction>,
    /// Opens no connection to another machine, whatever the settings say (ASIDE_LOCAL_ONLY=1)
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
    /// The workspace's folder; else the nearest one above the folder you are in, else that folder
    #[arg(global = true, long, value_name = "PATH")]
    pub workspace: Option<PathBuf>,
}

/// What to say of how far AI goes; without anything, it is shown.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Assistant {
    /// off, partial (explain and hint only) or full; the narrowest word of all who have a say counts
    #[arg(value_name = "LEVEL", conflicts_with = "clear")]
    pub level: Option<AiLevel>,
    /// Takes back what was said
    #[arg(long)]
    pub clear: bool,
    /// For this folder, in its aside-policy.toml; else for you, wherever you are
    #[arg(long)]
    pub here: bool,
    /// From then on, such as 2026-12-01T09:00+01:00
    #[arg(long, value_name = "TIME", requires = "level")]
    pub from: Option<Timestamp>,
    /// Until then
    #[arg(long, value_name = "TIME", requires = "level")]
    pub until: Option<Timestamp>,
}

/// What to do with grants.
#[derive(Debug, Subcommand)]
pub enum Grants {
    /// Makes one and shows its token, this once
    Create {
        /// For whom or what: "nightly script"
        name: String,
        /// Only these classes of risk, such as read,write [default: read]
        #[arg(long, value_delimiter = ',', default_value = "read")]
        risks: Vec<Risk>,
        /// Only these actions: doc.edit, or doc.* for all of a noun
        #[arg(long, value_delimiter = ',')]
        actions: Vec<ActionPattern>,
        /// Only files under these patterns: 'notes/**'
        #[arg(long, value_delimiter = ',')]
        paths: Vec<PathGlob>,
        /// Until then: a date, or a time such as 2026-11-21T12:00:00Z; else until it is revoked
        #[arg(long, value_name = "TIME")]
        expires: Option<Timestamp>,
    },
    /// Lists them
    List,
    /// Ends one, at once and for ever
    Revoke {
        /// Its id, as the list has it
        id: GrantId,
    },
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Makes a sample workspace and opens it, with a rehearsal model if no other is there
    Demo {
        /// Where to put it
        #[arg(default_value = "aside-demo")]
        folder: PathBuf,
        #[command(flatten)]
        serve: Serve,
    },
    /// Asks the assistant; shows each change it proposes and asks y/n
    Ask {
        /// What you want
        text: String,
        /// The file it is about
        #[arg(long, value_name = "PATH")]
        file: Option<PathBuf>,
        /// The model, such as ollama/qwen2.5-coder:7b
        #[arg(long, value_name = "PROVIDER/NAME")]
        model: Option<ModelRef>,
        /// Says yes to every change
        #[arg(long)]
        yes: bool,
        /// Only says what it would cost, and sends nothing
        #[arg(long)]
        estimate: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Does one action
    Do {
        /// Its name, such as doc.edit
        action: ActionName,
        /// Its arguments
        #[arg(long, value_name = "JSON", default_value = "{}", value_parser = parse_json)]
        args: serde_json::Value,
        /// Only shows what it would do
        #[arg(long)]
        dry_run: bool,
        /// Says yes if a person is asked
        #[arg(long, conflicts_with = "dry_run")]
        yes: bool,
        /// The same key with the same request runs once
        #[arg(long, value_name = "KEY")]
        idempotency_key: Option<String>,
        #[command(flatten)]
        place: Where,
    },
    /// Answers an action that waits for a decision
    Decide {
        /// The action; else the only one that waits
        id: Option<ActionId>,
        /// Says yes
        #[arg(long, conflicts_with = "no")]
        yes: bool,
        /// Says no
        #[arg(long)]
        no: bool,
        /// With a yes, remembers the narrowest rule that would allow such actions: for the rest of the turn, for always in
        /// this workspace, or everywhere
        #[arg(long, value_name = "REACH", requires = "yes", value_parser = parse_word::<Reach>)]
        remember: Option<Reach>,
        /// Changes the rule first: a file, or - for standard input, with its new paths, commands, args or end as JSON,
        /// such as {"paths": ["notes/*.md"], "expires": "2027-01-31"}. What is not named stays as it is offered
        #[arg(long, value_name = "FILE", requires = "remember")]
        rule: Option<PathBuf>,
        #[command(flatten)]
        place: Where,
    },
    /// Takes an action back
    Undo {
        /// The action; else the latest that can be undone
        id: Option<ActionId>,
        /// Says yes if a person is asked
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Lets other programs do some things here, each with a token of its own
    Grants {
        #[command(subcommand)]
        what: Grants,
        #[command(flatten)]
        place: Where,
    },
    /// Shows the models, tries one, and says what they have cost
    Models {
        #[command(subcommand)]
        what: Models,
        #[command(flatten)]
        place: Where,
    },
    /// Runs notebooks
    Notebook {
        #[command(subcommand)]
        what: Notebook,
        #[command(flatten)]
        place: Where,
    },
    /// Lists the versions that are kept of a file, the latest first: what was there before something else took its place
    Versions {
        /// The file
        file: PathBuf,
        #[command(flatten)]
        place: Where,
    },
    /// Shows what runs the code of notebooks
    #[command(visible_alias = "kernel")]
    Kernels {
        #[command(subcommand)]
        what: Kernels,
        #[command(flatten)]
        place: Where,
    },
    /// Shows what actions there are
    Actions {
        #[command(subcommand)]
        what: Actions,
        #[command(flatten)]
        place: Where,
    },
    /// Shows and checks what was done
    Audit {
        #[command(subcommand)]
        what: Audit,
        #[command(flatten)]
        place: Where,
    },
    /// Shows how far AI goes here and whose word that is, or says so
    Assistant {
        #[command(flatten)]
        what: Assistant,
        #[command(flatten)]
        place: Where,
    },
    /// Shows the rules that say what may happen, and what they say of an action
    Policy {
        #[command(subcommand)]
        what: Policy,
        #[command(flatten)]
        place: Where,
    },
    /// Plans of several actions: shown whole, confirmed once, carried out, taken back
    #[command(visible_alias = "tasks")]
    Task {
        #[command(subcommand)]
        what: Task,
        #[command(flatten)]
        place: Where,
    },
    /// What tasks did, to be run again with other values
    Recipe {
        #[command(subcommand)]
        what: Recipe,
        #[command(flatten)]
        place: Where,
    },
    /// Lets another program use the workspace by the Model Context Protocol, over standard input and output; or says
    /// which other programs' tools are used in it
    Mcp {
        #[command(subcommand)]
        what: Option<Servers>,
        #[command(flatten)]
        place: Where,
        /// The token of a grant, which limits what the program can do; else it can do what you can
        #[arg(long, env = "ASIDE_GRANT_TOKEN", hide_env_values = true)]
        token: Option<String>,
        /// Serves the fixtures of the protocol's conformance suite instead, on this port; 0 for any
        #[arg(long, value_name = "PORT", hide = true)]
        conformance_fixtures: Option<u16>,
    },
    /// What AI coding programs did and cost on this machine, by their own logs
    History {
        #[command(subcommand)]
        what: HistoryCommand,
    },
    /// Adds up what AI coding programs took and cost: by day, week, month, session or block
    Report(Report),
    /// Prints one line for Claude Code's status line, from the JSON that it gives on standard input
    Statusline(StatuslineArguments),
    /// Takes the `.aside` of a workspace that you moved, copied or restored as yours, with all that is in it
    Trust {
        /// The workspace's folder
        #[arg(default_value = ".")]
        path: PathBuf,
    },
    /// Says what was found on this machine, and what is missing
    Doctor {
        #[command(flatten)]
        place: Where,
        /// Asks services that are not on this machine for their models, too; nothing is sent but their keys
        #[arg(long)]
        ask: bool,
    },
}

/// How far a remembered answer reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Turn,
    Workspace,
    Everywhere,
}

#[derive(Debug, Subcommand)]
pub enum Policy {
    /// All rules that hold now, layer by layer; ends with 1 if a file of rules has a mistake
    Show,
    /// Why an action would run, be asked about or be refused, rule by rule. Nothing runs
    Check {
        /// Its name, such as doc.edit
        action: ActionName,
        /// Its arguments
        #[arg(long, value_name = "JSON", default_value = "{}", value_parser = parse_json)]
        args: serde_json::Value,
        /// As if this one asked: user, cli, client, turn, mcp or sidebar; else you, at the command line
        #[arg(long = "as", value_name = "KIND", value_parser = parse_word::<OriginKind>)]
        asked_as: Option<OriginKind>,
        /// As if the thread reviewed edits in this way: review_each, review_at_end or auto_apply
        #[arg(long, value_name = "MODE", value_parser = parse_word::<ReviewMode>)]
        review: Option<ReviewMode>,
        /// As if content of this label had led to it: user, workspace, model or external
        #[arg(long, value_name = "LABEL", value_parser = parse_word::<Label>)]
        label: Option<Label>,
    },
}

/// Reads one of a few words.
fn parse_word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}

fn parse_json(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))
}

#[derive(Debug, Subcommand)]
pub enum Actions {
    /// Names and summaries
    List,
    /// Those that fit some words
    Search {
        /// The words; none lists all
        #[arg(default_value = "")]
        query: String,
        /// Only actions of this noun: `doc` for `doc.edit`
        #[arg(long)]
        noun: Option<String>,
        /// Only actions with no other risks than these, with commas between them
        #[arg(long, value_name = "RISK", value_delimiter = ',')]
        risks: Vec<Risk>,
        /// How many at most
        #[arg(long, default_value_t = 20)]
        limit: usize,
    },
    /// All about one
    Describe {
        /// Its name
        name: ActionName,
    },
    /// All about all, as JSON
    Manifest,
    /// All about all, as Markdown pages
    Docs {
        /// The folder to write them into; printed as one text if absent
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
