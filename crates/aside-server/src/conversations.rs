//! Threads and chats as documents of the search index: `thread/ID` and `chat/ID`. Lines count messages, from 1.

use std::sync::{Arc, Weak};

use aside_agent::Agents;
use aside_core::{ChatId, ChatMessage, ThreadEvent, ThreadEventBody, ThreadId, Timestamp, TurnId};
use aside_index::{Conversations, Document, WorkspaceIndex, cells};
use aside_people::{Chats, People};
use aside_store::{Store, Tail};
use tokio::sync::broadcast::error::RecvError;

/// Messages of a chat that are searched: the latest.
const MOST_MESSAGES: usize = 10_000;

/// The conversations of a workspace.
struct ThreadsAndChats {
    agents: Weak<Agents>,
    chats: Arc<Chats>,
    people: People,
}

/// Has threads and chats searched, now and as they change.
pub fn search(index: &Arc<WorkspaceIndex>, store: &Store, agents: &Arc<Agents>, chats: &Arc<Chats>, people: People) {
    let conversations: Arc<dyn Conversations> =
        Arc::new(ThreadsAndChats { agents: Arc::downgrade(agents), chats: chats.clone(), people });
    let mut tail = store.tail();
    index.add_conversations(conversations.clone());
    let index = Arc::downgrade(index);
    tokio::spawn(async move {
        loop {
            let heard = tail.recv().await;
            let Some(index) = index.upgrade() else { return };
            match heard {
                Ok(Tail::Entry(entry)) => drop(path_of(&entry.stream).map(|path| index.said(path))),
                Ok(Tail::Live(_)) => {}
                Err(RecvError::Lagged(_)) => index.add_conversations(conversations.clone()),
                Err(RecvError::Closed) => return,
            }
        }
    });
}

/// Returns what was said at a line of a conversation: the turn of a thread, the message of a chat; none if it has gone since.
pub fn said_at(agents: &Arc<Agents>, chats: &Arc<Chats>, people: People, path: &str, line: u32) -> Option<String> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    match path.split_once('/')? {
        ("thread", id) => {
            let events = agents.events(&id.parse().ok()?, 0).ok()?;
            said(&events).nth(index).map(|(turn, _)| turn.to_string())
        }
        ("chat", id) => {
            let all = ThreadsAndChats { agents: Arc::downgrade(agents), chats: chats.clone(), people };
            let (_, messages, _) = all.page(&id.parse().ok()?, MOST_MESSAGES)?;
            messages.get(index).map(|message| message.id.to_string())
        }
        _ => None,
    }
}

/// Returns the messages and answers of a thread, each with its turn.
fn said(events: &[ThreadEvent]) -> impl Iterator<Item = (&TurnId, &str)> {
    events.iter().filter_map(|event| match &event.body {
        ThreadEventBody::TurnStarted { turn, text, .. } | ThreadEventBody::StepEnded { turn, text, .. } => {
            Some((turn, text.as_str()))
        }
        _ => None,
    })
}

/// The path of the conversation that a stream of the store is.
fn path_of(stream: &str) -> Option<String> {
    let is_thread = stream.parse::<ThreadId>().is_ok();
    let is_chat = || stream.parse::<ChatId>().is_ok();
    if is_thread { Some(format!("thread/{stream}")) } else { is_chat().then(|| format!("chat/{stream}")) }
}

impl ThreadsAndChats {
    fn thread(&self, path: &str, id: &ThreadId) -> Option<Document> {
        let agents = self.agents.upgrade()?;
        // The conversation of an AI cell stands in its notebook.
        let thread = agents.thread(id).ok().filter(|thread| thread.cell.is_none())?;
        let events = agents.events(id, 0).ok()?;
        let texts = said(&events).map(|(_, text)| text);
        Some(document(path, "thread", &thread.title, thread.updated, stamp(thread.updated, 0), texts))
    }

    fn chat(&self, path: &str, id: &ChatId) -> Option<Document> {
        let (document_path, messages, seq) = self.page(id, MOST_MESSAGES)?;
        let updated = messages.last().map_or(Timestamp(0), |message| message.at);
        let said = messages.iter().map(|message| message.text.as_str());
        Some(document(path, "chat", &document_path, updated, stamp(Timestamp(0), seq), said))
    }

    /// The document beside a chat, its latest messages, and the number of its last change.
    fn page(&self, id: &ChatId, most: usize) -> Option<(String, Vec<ChatMessage>, usize)> {
        let owner = self.people.owner();
        let standings = self.chats.standings(&owner).ok()?;
        let chat = standings.into_iter().map(|standing| standing.chat).find(|chat| chat.id == *id)?;
        let page = self.chats.page(&chat.document, &owner, None, most).ok()?;
        Some((chat.document.to_string(), page.messages, usize::try_from(page.seq).unwrap_or_default()))
    }
}

impl Conversations for ThreadsAndChats {
    fn list(&self) -> Vec<(String, String)> {
        let agents = self.agents.upgrade();
        let threads = agents.and_then(|agents| agents.threads(None).ok()).unwrap_or_default();
        let threads = threads.into_iter().filter(|thread| thread.cell.is_none());
        let threads = threads.map(|thread| (format!("thread/{}", thread.id), stamp(thread.updated, 0)));
        let chats = self.chats.standings(&self.people.owner()).unwrap_or_default().into_iter();
        let chats = chats.filter_map(|standing| {
            let (_, _, seq) = self.page(&standing.chat.id, 1)?;
            Some((format!("chat/{}", standing.chat.id), stamp(Timestamp(0), seq)))
        });
        threads.chain(chats).collect()
    }

    fn is_there(&self, path: &str) -> bool {
        match path.split_once('/') {
            Some(("thread", id)) => {
                let thread = id.parse().ok().and_then(|id: ThreadId| self.agents.upgrade()?.thread(&id).ok());
                thread.is_some()
            }
            Some(("chat", id)) => id.parse().is_ok_and(|id: ChatId| self.page(&id, 1).is_some()),
            _ => false,
        }
    }

    fn document(&self, path: &str) -> Option<Document> {
        match path.split_once('/')? {
            ("thread", id) => self.thread(path, &id.parse().ok()?),
            ("chat", id) => self.chat(path, &id.parse().ok()?),
            _ => None,
        }
    }
}

/// The state of a conversation: the time of its last change, or the number.
fn stamp(updated: Timestamp, entries: usize) -> String {
    format!("said-{}-{entries}", updated.0)
}

fn document<'a>(
    path: &str,
    kind: &str,
    title: &str,
    updated: Timestamp,
    stamp: String,
    said: impl Iterator<Item = &'a str>,
) -> Document {
    Document {
        path: path.to_owned(),
        kind: kind.to_owned(),
        title: title.to_owned(),
        day: updated.day().replace('-', "").parse().unwrap_or_default(),
        stamp,
        chunks: cells(said),
        ..Document::default()
    }
}
