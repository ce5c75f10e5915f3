//! `aside notes`.

use aside_protocol::SearchKind;
use clap::Subcommand;

/// Commands about notes.
#[derive(Debug, Subcommand)]
pub enum Notes {
    /// Search notes, notebooks, code, other texts, threads and chats
    Search {
        /// Words, "a phrase", and filters: path:x tag:x kind:x has:todo before:2026-12-01 after:2026-12-01; a - in front
        /// leaves out
        #[arg(required = true, allow_hyphen_values = true)]
        query: Vec<String>,
        /// Places at most
        #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=100))]
        limit: u32,
        /// Only documents of this kind: note, notebook, code, text, thread or chat; may be given several times
        #[arg(long, value_name = "KIND", value_parser = super::parse_word::<SearchKind>)]
        kind: Vec<SearchKind>,
    },
}
