//! Composition root: HTTP, WebSocket, auth, document sync. Wiring only: what is decided is decided below.
//!
//! [`serve`] opens one workspace and answers on a loopback port until it is told to stop; if another server
//! has the workspace open, it says where that one is.

mod access;
mod app;
mod ask;
mod assistant;
mod base_path;
mod connection;
mod conversations;
mod fixtures;
mod guests;
mod headers;
mod history;
mod hosts;
mod instructions;
mod keys;
mod known_secrets;
mod listen;
mod lock;
mod meaning;
mod meta_agent;
mod model_lists;
mod options;
mod output_frame;
mod outside;
mod own_actions;
mod own_folder;
mod own_services;
mod presence;
mod problem;
mod profile;
mod routes;
mod running;
mod settings;
mod situation;
mod statistics;
mod terminal_socket;
mod thread_tail;
mod ui;
mod windows;

/// Keeps one command apart, if this program was started for that. To be called first of all in `main`.
pub use aside_index::enter_if_pdf_reader;
pub use aside_jupyter::enter_if_relay;
pub use aside_workspace::process::enter_if_helper;

pub use access::AllowedHost;
pub use aside_mcp::{BridgeError, bridge as mcp_bridge};
pub use aside_store::DataFolder;
pub use base_path::{BasePath, InvalidBasePath};
pub use fixtures::serve_mcp_fixtures;
pub use hosts::{Cloned, clone_in};
pub use known_secrets::known_secrets;
pub use lock::running;
pub use options::ServeOptions;
pub use own_folder::NotOurs;
pub use running::{Running, ServeError, Started, prepare, serve, trust};
pub use ui::{Ui, UiFile};
