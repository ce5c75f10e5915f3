//! What can be typed.

use std::{net::IpAddr, path::PathBuf};

use aside_core::{ActionId, ActionName, ModelRef, Risk, WorkspacePath};
use aside_server::BasePath;
use clap::{Args, Parser, Subcommand};

/// A local-first workspace for code, notes and notebooks, with an assistant beside every document.
#[derive(Debug, Parser)]
#[command(name = "aside", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// Prints JSON, for programs
    #[arg(long, global = true)]
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
}

fn parse_host(text: &str) -> Result<IpAddr, String> {
    let literal = if text == "localhost" { "127.0.0.1" } else { text.trim_matches(['[', ']']) };
    literal.parse().map_err(|_| format!("`{text}` is not an address such as 127.0.0.1 or 0.0.0.0"))
}

/// Which workspace a command is about.
#[derive(Debug, Args)]
pub struct Where {
    /// The workspace's folder; else the nearest one above the folder you are in, else that folder
    #[arg(long, value_name = "PATH")]
    pub workspace: Option<PathBuf>,
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
        /// The file it is about, as path in the workspace
        #[arg(long, value_name = "PATH")]
        file: Option<WorkspacePath>,
        /// The model, such as ollama/qwen2.5-coder:7b
        #[arg(long, value_name = "PROVIDER/NAME")]
        model: Option<ModelRef>,
        /// Says yes to every change
        #[arg(long)]
        yes: bool,
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
    /// Says what was found on this machine, and what is missing
    Doctor {
        #[command(flatten)]
        place: Where,
    },
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

#[derive(Debug, Subcommand)]
pub enum Audit {
    /// One line an entry
    List {
        /// Only entries after this position
        #[arg(long, value_name = "SEQ", default_value_t = 0)]
        after: u64,
    },
    /// All entries of one action
    Show {
        /// The action
        id: ActionId,
    },
    /// Checks that no entry was changed or removed
    Verify,
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
        assert!(audit.json && matches!(audit.command, Some(Command::Audit { what: Audit::List { after: 0 }, .. })));
    }

    #[test]
    fn wrong_arguments_are_wrong_usage() {
        for wrong in [
            &["aside", "do", "doc"][..],
            &["aside", "do", "doc.edit", "--args", "{"],
            &["aside", "--host", "example.org"],
            &["aside", "--model", "qwen"],
            &["aside", "ask", "x", "--file", "../x"],
        ] {
            assert_eq!(Arguments::try_parse_from(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
