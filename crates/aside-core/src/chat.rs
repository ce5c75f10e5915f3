//! People and what they say to each other beside a document. No model is shown any of it.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{ChatId, MessageId, PersonId, Timestamp, WorkspacePath};

/// Bytes of one message.
pub const LONGEST_MESSAGE: usize = 16 << 10;

/// One who comes to a workspace with a page of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Person {
    /// The person.
    pub id: PersonId,
    /// As others read it; no two who may come in have the same.
    pub name: String,
    /// The workspace is theirs. Everybody else is a guest: they read and edit documents, and talk beside them.
    pub owner: bool,
    /// They chose the name themselves. Until then a guest has the name that the owner gave.
    #[serde(default)]
    pub named: bool,
    /// Since when they may come in.
    pub since: Timestamp,
    /// Since when they may not any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub removed: Option<Timestamp>,
}

/// Who said something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Author {
    /// The person.
    pub person: PersonId,
    /// Their name when they said it.
    pub name: String,
    /// Sent by a program of theirs, not from a page: it is shown as such, and is not the person's own word.
    #[serde(default)]
    pub program: bool,
}

/// What people say to each other beside one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Chat {
    /// The chat.
    pub id: ChatId,
    /// The document, under the name that it has now.
    pub document: WorkspacePath,
    /// The latest message.
    pub last: MessageId,
    /// When somebody last said something.
    pub updated: Timestamp,
}

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatMessage {
    /// The message; later ones sort after earlier ones.
    pub id: MessageId,
    /// Where it was said.
    pub chat: ChatId,
    /// By whom.
    pub author: Author,
    /// When.
    pub at: Timestamp,
    /// Markdown. Empty once it is deleted.
    pub text: String,
    /// Who is named in it with `@`.
    pub mentions: Vec<PersonId>,
    /// When its author last changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub edited: Option<Timestamp>,
    /// When its author took it back; nothing of its text is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub deleted: Option<Timestamp>,
    /// Chosen by who sent it: the same key of the same author is the same message, sent again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<String>,
}

/// How far one person has read in a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatStanding {
    /// The chat.
    pub chat: Chat,
    /// The last message they have seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub read: Option<MessageId>,
    /// Messages of others after it.
    pub unread: u32,
    /// How many of these name them.
    pub mentions: u32,
}
