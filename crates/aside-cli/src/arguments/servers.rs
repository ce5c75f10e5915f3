//! `aside mcp add|list|trust|distrust|reconnect|remove`: other programs whose tools become actions.

use aside_core::{McpServerName, Risks};
use clap::{ArgGroup, Subcommand};

/// Commands about MCP servers.
#[derive(Debug, Subcommand)]
pub enum Servers {
    /// Add an MCP server, whose tools become actions: `aside mcp add files -- npx -y PACKAGE@VERSION FOLDER`
    #[command(group = ArgGroup::new("reached").required(true).args(["url", "argv"]))]
    Add {
        /// A name for the server, in lowercase letters and digits
        name: McpServerName,
        /// An environment variable: NAME takes its value from Aside's environment or secrets file, NAME=VALUE is stored
        /// as plain text
        #[arg(long = "env", value_name = "NAME[=VALUE]", conflicts_with = "url")]
        environment: Vec<String>,
        /// The absolute path of the folder it runs in [default: an empty folder of its own]
        #[arg(long, value_name = "FOLDER", conflicts_with = "url")]
        cwd: Option<String>,
        /// The address of a remote server, instead of a program
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// A header to send, with the name of the variable that holds its value
        #[arg(long = "header", value_name = "HEADER=VARIABLE", value_parser = parse_pair, requires = "url")]
        headers: Vec<(String, String)>,
        /// Says yes if a person is asked
        #[arg(long)]
        yes: bool,
        /// The program and its arguments, after `--`
        #[arg(last = true, value_name = "PROGRAM")]
        argv: Vec<String>,
    },
    /// List MCP servers with their state, and the servers proposed by files of the folder
    List,
    /// Trust a server's tools and set the risks of each; shows the tools first
    Trust {
        /// The server's name
        name: McpServerName,
        /// The risks of a tool, such as echo=read or send=write,network
        #[arg(long, value_name = "TOOL=RISKS", value_parser = parse_risks)]
        tool: Vec<(String, Risks)>,
        /// The risks of all other tools
        #[arg(long, value_name = "RISKS", value_parser = parse_only_risks)]
        all: Option<Risks>,
        /// A tool that may be called again after an interrupted call
        #[arg(long, value_name = "TOOL")]
        idempotent: Vec<String>,
        /// The hash of the tool list that you reviewed, from `aside mcp list` [default: the list shown now]
        #[arg(long, value_name = "HASH")]
        hash: Option<String>,
        /// Says yes if a person is asked
        #[arg(long, requires = "hash")]
        yes: bool,
    },
    /// Restart an MCP server, without waiting for the retry delay
    Reconnect {
        /// The server's name
        name: McpServerName,
        /// Says yes if a person is asked
        #[arg(long)]
        yes: bool,
    },
    /// Stop trusting a server's tools: every call needs approval again
    Distrust {
        /// The server's name
        name: McpServerName,
    },
    /// Stop and remove an MCP server
    Remove {
        /// The server's name
        name: McpServerName,
        /// Says yes if a person is asked
        #[arg(long)]
        yes: bool,
    },
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    pair.map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(|| format!("`{text}` is not NAME=VALUE"))
}

/// The last `=` separates: the name of a tool can hold one.
fn parse_risks(text: &str) -> Result<(String, Risks), String> {
    let (tool, risks) = text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not TOOL=RISKS"))?;
    Ok((tool.to_owned(), parse_only_risks(risks)?))
}

fn parse_only_risks(text: &str) -> Result<Risks, String> {
    text.split(',')
        .map(|risk| risk.trim().parse().map_err(|error: aside_core::InvalidRisk| error.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn parsed(words: &[&str]) -> Result<Servers, clap::Error> {
        let arguments = Arguments::try_parse_from(["aside", "mcp"].iter().chain(words))?;
        match arguments.command {
            Some(Command::Mcp { what: Some(what), .. }) => Ok(what),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_program_comes_after_two_dashes_and_keeps_its_own_options() {
        let Servers::Add { argv, environment, .. } =
            parsed(&["add", "files", "--env", "MODE=ro", "--env", "TOKEN", "--", "npx", "-y", "--yes", "a; b"])
                .unwrap()
        else {
            panic!()
        };
        assert_eq!(argv, ["npx", "-y", "--yes", "a; b"]);
        assert_eq!(environment, ["MODE=ro", "TOKEN"]);
    }

    #[test]
    fn what_does_not_fit_together_is_wrong_usage() {
        for wrong in [
            &["add", "files"][..],
            &["add", "my_files", "--", "npx"],
            &["add", "files", "--url", "https://x", "--", "npx"],
            &["trust", "files", "--yes"],
            &["trust", "files", "--tool", "echo"],
            &["trust", "files", "--tool", "echo=none"],
        ] {
            assert_eq!(parsed(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
        let Servers::Trust { tool, .. } = parsed(&["trust", "files", "--tool", "a=b=read,write"]).unwrap() else {
            panic!()
        };
        assert_eq!((tool[0].0.as_str(), tool[0].1.to_string().as_str()), ("a=b", "read, write"));
    }

    #[test]
    fn without_a_word_it_serves_as_before() {
        let arguments = Arguments::try_parse_from(["aside", "mcp", "--workspace", "/w"]).unwrap();
        assert!(matches!(arguments.command, Some(Command::Mcp { what: None, .. })));
    }
}
