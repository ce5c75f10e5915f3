//! `aside audit list|show|verify|export`.

use std::str::FromStr;

use aside_core::{ActionId, Timestamp};
use clap::{Args, Subcommand};

/// Commands about the activity log.
#[derive(Debug, Subcommand)]
pub enum Audit {
    /// List entries, newest first
    List(AuditFilter),
    /// Show all entries of one action, and its changes
    Show {
        /// The action's id, or the position of an entry
        what: AuditSubject,
    },
    /// Verify that no entry was changed or removed, and print the last hash
    Verify {
        /// A hash printed by an earlier verification, which must still be in the chain
        #[arg(long, value_name = "HASH", value_parser = parse_hash)]
        head: Option<String>,
    },
    /// Write all entries to standard output, oldest first, one JSON value per line
    Export {
        /// The format: Aside's own, or OpenTelemetry log records
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

/// Filters of the list.
#[derive(Debug, Args)]
pub struct AuditFilter {
    /// The person who requested or decided the action
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// The origin: user, cli, turn …
    #[arg(long, value_name = "KIND")]
    pub origin: Option<String>,
    /// The path or id of an object that the action touched; `src/` matches everything in that folder
    #[arg(long, value_name = "PATH")]
    pub object: Option<String>,
    /// An action's id, or a name such as doc.edit
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,
    /// One or more states, separated by commas, such as done,failed
    #[arg(long, value_name = "STATE")]
    pub state: Option<String>,
    /// Words that must all occur
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
    /// Only entries after this position, oldest first
    #[arg(long, value_name = "SEQ")]
    pub after: Option<u64>,
    /// Maximum number of entries
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
}

/// The subject of `aside audit show`.
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
        false => Err("expected at least the first 12 of the 64 lowercase hexadecimal digits of a hash".to_owned()),
    }
}
