//! Finding what was said: messages that have all words of a query.

use aside_core::{Chat, ChatMessage, WorkspacePath};
use aside_store::StoreError;

use super::{CHATS, Chats, MESSAGES};

/// Messages that are found at most.
const MOST_FOUND: usize = 50;
/// Messages that are looked at: what is older is not found.
const MOST_LOOKED_AT: usize = 50_000;
/// Messages that are read at once.
const PIECE: usize = 500;

/// A message and where it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The chat.
    pub chat: Chat,
    /// The message.
    pub message: ChatMessage,
}

impl Chats {
    /// Returns messages that have all words of a query, in whatever case, beside one document or anywhere; the chat that
    /// was busy last and its latest messages come first. Names of authors count as words too.
    pub fn search(&self, query: &str, document: Option<&WorkspacePath>) -> Result<Vec<Found>, StoreError> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut chats: Vec<Chat> = match document {
            Some(document) => self.store.list_owned(CHATS, document.as_str())?,
            None => self.store.list(CHATS)?,
        };
        chats.sort_by(|one, two| two.last.cmp(&one.last));
        let (mut found, mut looked_at) = (Vec::new(), 0);
        for chat in chats {
            self.search_in(&chat, &words, &mut found, &mut looked_at)?;
            if found.len() >= MOST_FOUND || looked_at >= MOST_LOOKED_AT {
                break;
            }
        }
        Ok(found)
    }

    fn search_in(
        &self,
        chat: &Chat,
        words: &[String],
        found: &mut Vec<Found>,
        looked_at: &mut usize,
    ) -> Result<(), StoreError> {
        let mut before: Option<String> = None;
        loop {
            let piece: Vec<ChatMessage> =
                self.store.owned_before(MESSAGES, chat.id.as_str(), before.as_deref(), PIECE)?;
            *looked_at += piece.len();
            let (last, full) = (piece.last().map(|message| message.id.to_string()), piece.len() == PIECE);
            for message in piece.into_iter().filter(|message| fits(message, words)) {
                found.push(Found { chat: chat.clone(), message });
                if found.len() == MOST_FOUND {
                    return Ok(());
                }
            }
            if !full || *looked_at >= MOST_LOOKED_AT {
                return Ok(());
            }
            before = last;
        }
    }
}

fn fits(message: &ChatMessage, words: &[String]) -> bool {
    if message.deleted.is_some() {
        return false;
    }
    let text = format!("{}\n{}", message.author.name, message.text).to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}
