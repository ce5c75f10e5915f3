//! CRDT documents on the Yjs protocol and anchored edits.
//!
//! Pure: no disk, no network, no clock. Bytes become text in [`decode`], a model's edit becomes
//! splices in [`plan`], splices become CRDT operations in [`TextDocument`].

mod diff;
mod edit;
mod encoding;
mod lines;
mod live_content;
mod live_notebook;
mod notebook_document;
mod replica;
mod splice;
mod state_document;
mod text_document;

pub use diff::*;
pub use edit::*;
pub use encoding::*;
pub use lines::*;
pub use live_content::*;
pub use live_notebook::*;
pub use notebook_document::*;
pub use replica::*;
pub use splice::*;
pub use state_document::*;
pub use text_document::*;
