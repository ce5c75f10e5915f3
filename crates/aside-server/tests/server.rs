//! The server as programs and browsers meet it: over real sockets, one file a subject.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read the workspace's files")]

#[path = "server/actions.rs"]
mod actions;
#[path = "server/ai_cells.rs"]
mod ai_cells;
#[path = "server/ask.rs"]
mod ask;
#[path = "server/assistant.rs"]
mod assistant;
#[path = "server/chats.rs"]
mod chats;
#[path = "server/devices.rs"]
mod devices;
#[path = "server/documents.rs"]
mod documents;
#[path = "server/examples.rs"]
mod examples;
#[path = "server/find.rs"]
mod find;
#[path = "server/grants.rs"]
mod grants;
#[path = "server/harness.rs"]
mod harness;
#[path = "server/history.rs"]
mod history;
#[path = "server/hosts.rs"]
mod hosts;
#[path = "server/instructions.rs"]
mod instructions;
#[path = "server/keys.rs"]
mod keys;
#[path = "server/language_servers.rs"]
mod language_servers;
#[path = "server/limits.rs"]
mod limits;
#[path = "server/local_only.rs"]
mod local_only;
#[path = "server/mcp.rs"]
mod mcp;
#[path = "server/mcp_scripts.rs"]
mod mcp_scripts;
#[path = "server/navigator.rs"]
mod navigator;
#[path = "server/notes.rs"]
mod notes;
#[path = "server/outside.rs"]
mod outside;
#[path = "server/own_actions.rs"]
mod own_actions;
#[path = "server/pages.rs"]
mod pages;
#[path = "server/policy.rs"]
mod policy;
#[path = "server/prices.rs"]
mod prices;
#[path = "server/program.rs"]
mod program;
#[path = "server/prompts.rs"]
mod prompts;
#[path = "server/restrictions.rs"]
mod restrictions;
#[path = "server/review_cards.rs"]
mod review_cards;
#[path = "server/script_dry_runs.rs"]
mod script_dry_runs;
#[path = "server/script_places.rs"]
mod script_places;
#[path = "server/scripts.rs"]
mod scripts;
#[path = "server/search.rs"]
mod search;
#[path = "server/security.rs"]
mod security;
#[path = "server/settings.rs"]
mod settings;
#[path = "server/socket.rs"]
mod socket;
#[path = "server/speech.rs"]
mod speech;
#[path = "server/start.rs"]
mod start;
#[path = "server/statistics.rs"]
mod statistics;
#[path = "server/stop.rs"]
mod stop;
#[path = "server/tables.rs"]
mod tables;
#[path = "server/tasks.rs"]
mod tasks;
#[path = "server/terminals.rs"]
mod terminals;
#[path = "server/thread_edits.rs"]
mod thread_edits;
#[path = "server/threads.rs"]
mod threads;
#[path = "server/writes.rs"]
mod writes;
