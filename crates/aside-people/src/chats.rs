//! Chats: one a document, kept as records with a short log beside them that says which message changed.
//!
//! ```text
//! chat          ChatId  -> Chat, owned by the document's path
//! chat_message  MessageId -> ChatMessage, owned by the chat; a deleted one keeps no text
//! chat_read     PERSON/CHAT -> the last message that person has seen
//! log CHAT      { "message": ID }, one for each change: what a reader who was away reads again
//! ```

mod search;

use std::sync::Arc;

use aside_core::{
    Author, Chat, ChatId, ChatMessage, ChatStanding, Id as _, LONGEST_MESSAGE, MessageId, Person, PersonId,
    WorkspacePath, harmless,
};
use aside_store::{Durability, LogEntry, Store, StoreError, Transaction};
use serde::{Deserialize, Serialize};

use crate::{ChatError, People, flood::Flood, mentions::mentioned};

pub use search::Found;

/// Messages that a chat keeps; the oldest go when more are said.
pub const MOST_KEPT: usize = 10_000;
/// Documents with a chat.
const MOST_CHATS: usize = 5_000;
/// Messages of others that are counted; more is said as this many.
const MOST_COUNTED: usize = 100;
/// Changed messages after which a reader who was away reads anew.
const MOST_MISSED: usize = 200;
/// Among so many of the latest messages, one that is sent again is recognised.
const KEYS_KNOWN: usize = 100;
/// Characters of a key.
const LONGEST_KEY: usize = 64;

const CHATS: &str = "chat";
const MESSAGES: &str = "chat_message";
const READS: &str = "chat_read";
/// The stream on which it is said how far a person has read, as [`ReadNews`].
pub const READ_NEWS: &str = "chat_reads";

/// What is to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewMessage {
    /// Markdown.
    pub text: String,
    /// Chosen by who sends it; with the same key it is said once.
    pub key: Option<String>,
}

/// Some messages of a chat, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The chat and how far the reader is in it; none if nobody has said anything.
    pub standing: Option<ChatStanding>,
    /// The messages.
    pub messages: Vec<ChatMessage>,
    /// There are older ones.
    pub more: bool,
    /// The last change that is in them.
    pub seq: u64,
}

/// Said to the windows of a person when they have read on in one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadNews {
    /// Who.
    pub person: PersonId,
    /// How far they are now.
    pub standing: ChatStanding,
}

/// Which message has changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Changed {
    /// None if the chat has another document now.
    message: Option<MessageId>,
}

/// The chats of one workspace.
#[derive(Debug)]
pub struct Chats {
    store: Arc<Store>,
    people: People,
    flood: Flood,
}

impl Chats {
    /// The chats in a store.
    pub fn new(store: Arc<Store>, people: People) -> Self {
        Self { store, people, flood: Flood::default() }
    }

    /// Returns the chat beside a document, if anything was said there.
    pub fn of(&self, document: &WorkspacePath) -> Result<Option<Chat>, StoreError> {
        Ok(latest(self.store.list_owned(CHATS, document.as_str())?))
    }

    /// Returns all chats, each with how far a person is in it; the latest first.
    pub fn standings(&self, person: &Person) -> Result<Vec<ChatStanding>, StoreError> {
        let mut chats: Vec<Chat> = self.store.list(CHATS)?;
        chats.sort_by(|one, two| two.last.cmp(&one.last));
        chats.into_iter().map(|chat| self.standing(chat, person)).collect()
    }

    /// Returns the messages before one, or the latest.
    pub fn page(
        &self,
        document: &WorkspacePath,
        person: &Person,
        before: Option<&MessageId>,
        limit: usize,
    ) -> Result<Page, StoreError> {
        let Some(chat) = self.of(document)? else { return Ok(Page::default()) };
        // Before the messages: a change between the two is read twice, never missed.
        let seq = self.seq(&chat.id)?;
        let before = before.map(MessageId::as_str);
        let mut messages: Vec<ChatMessage> =
            self.store.owned_before(MESSAGES, chat.id.as_str(), before, limit.saturating_add(1))?;
        let more = messages.len() > limit;
        messages.truncate(limit);
        messages.reverse();
        Ok(Page { standing: Some(self.standing(chat, person)?), messages, more, seq })
    }

    /// Returns the messages that changed after a position; none if there are too many of them to be told one by one.
    pub fn since(&self, document: &WorkspacePath, person: &Person, seq: u64) -> Result<Option<Page>, StoreError> {
        let Some(chat) = self.of(document)? else { return Ok(None) };
        let entries = self.store.read(chat.id.as_str(), seq)?;
        if entries.len() > MOST_MISSED {
            return Ok(None);
        }
        let last = entries.last().map_or(seq, |entry| entry.seq);
        let mut changed = Vec::new();
        for entry in &entries {
            changed.extend(entry.parse::<Changed>()?.message);
        }
        changed.sort();
        changed.dedup();
        let messages = changed.iter().filter_map(|id| self.store.get(MESSAGES, id.as_str()).transpose());
        let messages = messages.collect::<Result<_, _>>()?;
        Ok(Some(Page { standing: Some(self.standing(chat, person)?), messages, more: false, seq: last }))
    }

    /// Says something beside a document.
    pub fn say(&self, document: &WorkspacePath, author: Author, new: NewMessage) -> Result<ChatMessage, ChatError> {
        let text = checked(&new.text)?;
        let key = new.key.filter(|key| key.len() <= LONGEST_KEY);
        let people = self.people.list()?;
        let mut mentions = mentioned(&text, &people);
        mentions.retain(|person| *person != author.person);
        self.store.transaction(Durability::Normal, |transaction| {
            let known = chat_of(transaction, document)?;
            if let Some(chat) = &known
                && let Some(before) = said_before(transaction, &chat.id, &author, key.as_deref())?
            {
                return Ok(Ok(before));
            }
            if known.is_none() && transaction.list::<Chat>(CHATS)?.len() >= MOST_CHATS {
                return Ok(Err(ChatError::TooMany("5000 chats")));
            }
            if !self.flood.take(&author.person, transaction.now()) {
                return Ok(Err(ChatError::TooFast));
            }
            let (at, id) = (transaction.now(), transaction.new_id::<MessageId>());
            let chat = match known {
                Some(chat) => Chat { last: id.clone(), updated: at, ..chat },
                None => Chat { id: transaction.new_id(), document: document.clone(), last: id.clone(), updated: at },
            };
            let message =
                ChatMessage { id, chat: chat.id.clone(), author, at, text, mentions, edited: None, deleted: None, key };
            transaction.put(CHATS, chat.id.as_str(), Some(document.as_str()), &chat)?;
            write(transaction, &message)?;
            make_room(transaction, &chat.id)?;
            Ok(Ok(message))
        })?
    }

    /// Changes what somebody said. Only they can.
    pub fn edit(&self, id: &MessageId, by: &Author, text: &str) -> Result<ChatMessage, ChatError> {
        let text = checked(text)?;
        let people = self.people.list()?;
        self.change(id, by, |message, now| {
            message.mentions = mentioned(&text, &people);
            message.mentions.retain(|person| *person != by.person);
            message.text = text;
            message.edited = Some(now);
        })
    }

    /// Takes back what somebody said; only they can. A mark stays, the text does not.
    pub fn delete(&self, id: &MessageId, by: &Author) -> Result<ChatMessage, ChatError> {
        self.change(id, by, |message, now| {
            message.text = String::new();
            message.mentions.clear();
            message.edited = None;
            message.deleted = Some(now);
        })
    }

    /// Remembers how far a person has read; never less far than before.
    pub fn read(&self, document: &WorkspacePath, person: &Person, upto: &MessageId) -> Result<ChatStanding, ChatError> {
        let Some(chat) = self.of(document)? else { return Err(ChatError::NoMessage(upto.clone())) };
        let upto = upto.min(&chat.last);
        if self.read_upto(&chat.id, person)?.is_none_or(|read| read < *upto) {
            let id = read_id(&chat.id, person);
            self.store.put(READS, &id, Some(person.id.as_str()), upto)?;
        }
        let standing = self.standing(chat, person)?;
        self.store.publish(READ_NEWS, &ReadNews { person: person.id.clone(), standing: standing.clone() })?;
        Ok(standing)
    }

    /// Gives the chats of a moved file or folder their new documents. Where that brings two chats together, because a file
    /// was replaced, the one that was busy last is shown; what was said in the other is found by search.
    pub fn moved(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), StoreError> {
        self.store.transaction(Durability::Normal, |transaction| {
            for chat in transaction.list::<Chat>(CHATS)? {
                if !chat.document.is_within(from) {
                    continue;
                }
                let below = &chat.document.as_str()[from.as_str().len()..];
                let document =
                    WorkspacePath::new(&format!("{to}{below}")).expect("two paths of the workspace make one");
                let chat = Chat { document, ..chat };
                transaction.put(CHATS, chat.id.as_str(), Some(chat.document.as_str()), &chat)?;
                transaction.append(chat.id.as_str(), &Changed { message: None })?;
            }
            Ok(())
        })
    }

    /// Returns the chat that an entry of the store's tail is about as a person stands in it, and the message that changed.
    pub fn news(
        &self,
        entry: &LogEntry,
        person: &Person,
    ) -> Result<Option<(ChatStanding, Option<ChatMessage>)>, StoreError> {
        let Ok(id) = entry.stream.parse::<ChatId>() else { return Ok(None) };
        let Some(chat) = self.store.get::<Chat>(CHATS, id.as_str())? else { return Ok(None) };
        let message = match entry.parse::<Changed>()?.message {
            Some(message) => self.store.get(MESSAGES, message.as_str())?,
            None => None,
        };
        Ok(Some((self.standing(chat, person)?, message)))
    }

    fn change(
        &self,
        id: &MessageId,
        by: &Author,
        change: impl FnOnce(&mut ChatMessage, aside_core::Timestamp),
    ) -> Result<ChatMessage, ChatError> {
        self.store.transaction(Durability::Normal, |transaction| {
            let Some(mut message) = transaction.get::<ChatMessage>(MESSAGES, id.as_str())? else {
                return Ok(Err(ChatError::NoMessage(id.clone())));
            };
            if (&message.author.person, message.author.program) != (&by.person, by.program) {
                return Ok(Err(ChatError::NotYours));
            }
            if message.deleted.is_some() {
                return Ok(Err(ChatError::Deleted));
            }
            change(&mut message, transaction.now());
            write(transaction, &message)?;
            Ok(Ok(message))
        })?
    }

    fn standing(&self, chat: Chat, person: &Person) -> Result<ChatStanding, StoreError> {
        let read = self.read_upto(&chat.id, person)?;
        // What was said before somebody came is no news to them.
        let came = MessageId::from_parts(person.since, 0);
        let after = read.as_ref().unwrap_or(&came);
        let unread: Vec<ChatMessage> = if chat.last <= *after {
            Vec::new()
        } else {
            self.store.owned_after(MESSAGES, chat.id.as_str(), after.as_str(), MOST_COUNTED)?
        };
        let news = |message: &&ChatMessage| {
            message.deleted.is_none() && (message.author.person != person.id || message.author.program)
        };
        let named = unread.iter().filter(news).filter(|message| message.mentions.contains(&person.id)).count();
        let unread = unread.iter().filter(news).count();
        Ok(ChatStanding { chat, read, unread: counted(unread), mentions: counted(named) })
    }

    fn read_upto(&self, chat: &ChatId, person: &Person) -> Result<Option<MessageId>, StoreError> {
        self.store.get(READS, &read_id(chat, person))
    }

    fn seq(&self, chat: &ChatId) -> Result<u64, StoreError> {
        Ok(self.store.read(chat.as_str(), 0)?.last().map_or(0, |entry| entry.seq))
    }
}

fn read_id(chat: &ChatId, person: &Person) -> String {
    format!("{}/{chat}", person.id)
}

fn counted(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A text that can be said: not empty, not endless, nothing in it that can't be seen.
fn checked(text: &str) -> Result<String, ChatError> {
    if text.len() > LONGEST_MESSAGE {
        return Err(ChatError::TooLong(text.len()));
    }
    let text = harmless(text.trim_end()).trim_start_matches('\n').to_owned();
    if text.trim().is_empty() { Err(ChatError::Empty) } else { Ok(text) }
}

fn chat_of(transaction: &Transaction<'_>, document: &WorkspacePath) -> Result<Option<Chat>, StoreError> {
    Ok(latest(transaction.list_owned(CHATS, document.as_str())?))
}

fn latest(chats: Vec<Chat>) -> Option<Chat> {
    chats.into_iter().max_by(|one, two| one.last.cmp(&two.last))
}

fn said_before(
    transaction: &Transaction<'_>,
    chat: &ChatId,
    author: &Author,
    key: Option<&str>,
) -> Result<Option<ChatMessage>, StoreError> {
    let Some(key) = key else { return Ok(None) };
    let latest: Vec<ChatMessage> = transaction.owned_latest(MESSAGES, chat.as_str(), KEYS_KNOWN)?;
    Ok(latest.into_iter().find(|message| message.key.as_deref() == Some(key) && message.author.person == author.person))
}

fn write(transaction: &Transaction<'_>, message: &ChatMessage) -> Result<(), StoreError> {
    transaction.put(MESSAGES, message.id.as_str(), Some(message.chat.as_str()), message)?;
    transaction.append(message.chat.as_str(), &Changed { message: Some(message.id.clone()) }).map(drop)
}

fn make_room(transaction: &Transaction<'_>, chat: &ChatId) -> Result<(), StoreError> {
    let excess = transaction.count_owned(MESSAGES, chat.as_str())?.saturating_sub(MOST_KEPT);
    for message in transaction.owned_after::<ChatMessage>(MESSAGES, chat.as_str(), "", excess)? {
        transaction.delete(MESSAGES, message.id.as_str())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
