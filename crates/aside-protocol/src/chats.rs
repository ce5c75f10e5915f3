//! Bodies of the routes `people` and `chats`.

use aside_core::TS;
use aside_core::{Chat, ChatMessage, ChatStanding, MessageId, Person, PersonId, WorkspacePath};
use serde::{Deserialize, Serialize};

/// One line of `GET people`: all who may come in, the owner first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PersonHere {
    /// Who.
    pub person: Person,
    /// They have a window open.
    pub here: bool,
}

/// `PUT people/me`: changes one's own name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RenamePerson {
    /// As everybody will read it.
    pub name: String,
}

/// Answer of `POST people/{id}/link`, which makes the link of a guest whom `guest.invite` let in. `DELETE people/{id}` ends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GuestLink {
    /// The guest who may come in now.
    pub person: Person,
    /// The secret of their link, `…/#token=SECRET`. It is said this once: only its hash is kept.
    pub token: String,
}

/// `GET chats`: all chats, the latest first, each with how far the reader is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Chats {
    /// The reader.
    pub me: PersonId,
    /// The chats.
    pub chats: Vec<ChatStanding>,
}

/// `GET chats/messages?document=PATH[&before=ID][&limit=N]`: the messages before one, or the latest, the oldest first; or
/// with `since=SEQ` those that changed after a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatPage {
    /// The chat and how far the reader is in it; absent if nobody has said anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub standing: Option<ChatStanding>,
    /// The messages.
    pub messages: Vec<ChatMessage>,
    /// There are older ones.
    pub more: bool,
    /// The last change that is in them, for `since`.
    #[ts(type = "number")]
    pub seq: u64,
}

/// `POST chats/messages`: says something beside a document. A program is named as one, whoever's it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SendMessage {
    /// Which document; there has to be such a file, or a chat already.
    pub document: WorkspacePath,
    /// Markdown, at most 16 KB. What can't be seen is spelled out.
    pub text: String,
    /// With the same key it is said once, however often it is sent; at most 64 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<String>,
}

/// `PATCH chats/messages/{id}`: changes what one has said oneself. `DELETE` takes it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct EditMessage {
    /// The new text.
    pub text: String,
}

/// `PUT chats/read`: remembers how far one has read; answered with the [`ChatStanding`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ReadUpTo {
    /// Which document.
    pub document: WorkspacePath,
    /// The last message that was seen.
    pub message: MessageId,
}

/// One line of `GET chats/search?q=WORDS[&document=PATH]`: a message that has all words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatFound {
    /// Where it was said.
    pub chat: Chat,
    /// The message.
    pub message: ChatMessage,
}
