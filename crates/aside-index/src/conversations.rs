//! Documents that are no files.

use aside_search::Document;

/// Gives the index conversations, which are kept elsewhere. Called on the thread of the index; may block on a disk.
pub trait Conversations: Send + Sync {
    /// Returns the paths of all conversations, each with a text that changes when the conversation does.
    fn list(&self) -> Vec<(String, String)>;

    /// Tells whether a conversation is still there.
    fn is_there(&self, path: &str) -> bool;

    /// Returns a conversation with that text as its stamp; none if it is gone or empty.
    fn document(&self, path: &str) -> Option<Document>;
}
