//! Who comes to a workspace, and what they say to each other beside its documents.
//!
//! The owner is there from the start; guests come by a link of their own that the owner made. What is said is kept
//! here and nowhere else: nothing that calls a model knows this crate, so no model is shown a chat unless a person
//! puts it into a message.

mod chats;
mod error;
mod flood;
mod mentions;
mod people;

pub use chats::{Chats, Found, MOST_KEPT, NewMessage, Page, READ_NEWS, ReadNews};
pub use error::ChatError;
pub use people::{GUEST_PREFIX, People};
