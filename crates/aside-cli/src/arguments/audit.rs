//! `aside audit list|show|verify|export`.

use std::str::FromStr;

use aside_core::{ActionId, Timestamp};
use clap::{Args, Subcommand};

/// What to do with the record of what was done.
#[derive(Debug, Subcommand)]
pub enum Audit {
    /// One line an entry, the newest first
    List(AuditFilter),
    /// All entries of one action, and what it changed
    Show {
        /// The action's id, or the position of an entry
        what: AuditSubject,
    },
    /// Checks that no entry was changed or removed, and prints the last hash
    Verify {
        /// A last hash noted earlier: it has to be in the chain still
        #[arg(long, value_name = "HASH", value_parser = parse_hash)]
        head: Option<String>,
    },
    /// Writes all entries to standard output, the oldest first, one JSON value a line
    Export {
        /// As Aside keeps them, or as OpenTelemetry log records
        #[arg(long, value_name = "FORMAT", default_value = "jsonl", value_parser = ["jsonl", "otlp"])]
        format: String,
        /// Not before this time
        #[arg(long, value_name = "TIME")]
        from: Option<Timestamp>,
        /// Before this time
        #[arg(long, value_name = "TIME")]
        to: Option<Timestamp>,
    },
}

/// Which entries are listed.
#[derive(Debug, Args)]
pub struct AuditFilter {
    /// The person who asked or decided
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// The kind of origin: user, cli, turn …
    #[arg(long, value_name = "KIND")]
    pub origin: Option<String>,
    /// A path or id of what it touches or changed; `src/` stands for all below it
    #[arg(long, value_name = "PATH")]
    pub object: Option<String>,
    /// An action's id, or a name such as doc.edit
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,
    /// One or several states with commas between, such as done,failed
    #[arg(long, value_name = "STATE")]
    pub state: Option<String>,
    /// Whole words that all occur
    #[arg(long, value_name = "WORDS")]
    pub text: Option<String>,
    /// Not before this time, such as 2026-11-21 or 2026-11-21T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub from: Option<Timestamp>,
    /// Before this time
    #[arg(long, value_name = "TIME")]
    pub to: Option<Timestamp>,
    /// Only entries before this position
    #[arg(long, value_name = "SEQ")]
    pub before: Option<u64>,
    /// Only entries after this position, the oldest first
    #[arg(long, value_name = "SEQ")]
    pub after: Option<u64>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
}

/// What is shown of the audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditSubject {
    /// An action.
    Action(ActionId),
    /// The action of the entry at this position.
    Entry(u64),
}

impl FromStr for AuditSubject {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text.parse(), text.parse()) {
            (Ok(seq), _) => Ok(Self::Entry(seq)),
            (_, Ok(action)) => Ok(Self::Action(action)),
            _ => Err(format!("`{text}` is neither an action's id nor the position of an entry")),
        }
    }
}

fn parse_hash(text: &str) -> Result<String, String> {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    match (12..=64).contains(&text.len()) && text.bytes().all(hex) {
        true => Ok(text.to_owned()),
        false => {
            Err("a hash has 64 hexadecimal digits in lower case, of which the first 12 or more are needed".to_owned())
        }
    }
}
